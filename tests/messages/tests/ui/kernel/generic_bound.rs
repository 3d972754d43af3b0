//! Bounds of type parameters.

use ptxf::ptx_module;

#[ptx_module]
mod kernels {
    #[ptx_fn]
    fn bounded<T: Comparable>(a: T) -> T
    where
        T: Unheard,
    {
        a
    }
}

fn main() {}
