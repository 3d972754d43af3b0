//! Arithmetic on pairs of several formats, on the CPU.

use super::convert::{Numbers, get, join};
use crate::modifiers::Modifiers;
use crate::sem;

macro_rules! across {
    ($($name:ident($($operand:ident: $ty:ident),*);)*) => {$(
        /// Each lane of the operands.
        #[inline_in_release]
        pub(crate) fn $name<$($ty: Numbers,)* R: Numbers>(m: Modifiers, $($operand: $ty),*) -> R {
            join(|i| sem::$name::<$($ty::Encoding,)* R::Encoding>(m, $(get($operand, i)),*))
        }
    )*};
}

across! {
    across_add(a: A, c: C);
    across_sub(a: A, c: C);
    across_mul(a: A, c: C);
    across_fma(a: A, b: B, c: C);
}
