//! Written by `cargo model make`, never by hand: the devices that were measured.

/// Calls `callback! { Variant = "name" in module; … }` with every one.
macro_rules! for_each_device {
    ($callback:ident) => {
        $callback! {}
    };
}
pub(super) use for_each_device;
