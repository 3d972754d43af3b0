//! Tables in the bodies of kernels: `TABLE.get(x)`.

use ptxf_core::kernel::{Element, Unary};

use crate::{CompactTable, Scalar, UnaryTable};

impl<T: Scalar + Element> Unary for UnaryTable<T, T> {
    type Of = T;
    #[inline(always)]
    fn unary(&self, x: T) -> T {
        self.get(x)
    }
}

impl<T: Scalar + Element> Unary for CompactTable<T, T> {
    type Of = T;
    #[inline(always)]
    fn unary(&self, x: T) -> T {
        self.get(x)
    }
}
