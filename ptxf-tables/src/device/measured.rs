//! Written by `cargo gpu model`, never by hand: the devices that were measured.

#[rustfmt::skip]
pub(super) mod sm_90;

/// Calls `callback! { Variant = "name" in module; … }` with every one.
macro_rules! for_each_device {
    ($callback:ident) => {
        $callback! {
            /// `sm_90`: what NVIDIA H100 80GB HBM3, driver 580.159.04, CUDA 13.0, returned on
            /// 2026-11-26.
            Sm90 = "sm_90" in sm_90;
        }
    };
}
pub(super) use for_each_device;
