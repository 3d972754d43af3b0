//! Kernels, expanded and launched: every sibling leaves the bits of the scalar one.

mod kernel {
    mod barriers;
    mod constructs;
    mod nn;
    mod shared;
    mod stamped;
}
