//! A stand-in for CUDA's runtime library, `libcudart`, on top of the driver's functions.
//!
//! NVIDIA's own library asks the driver to prove that it is NVIDIA's. So programs that are linked
//! with `-cudart shared` find these functions instead, which have the published interface. Most are
//! a driver's function under another name. The runtime adds a device for each thread, whose primary
//! context it creates at the first call, the last error, and kernels that a program names by the
//! address of a function of the host.

mod array;
mod binary;
mod channels;
mod copy;
mod current;
mod errors;
mod exports;
mod kernel;
mod missing;
mod node;
mod properties;
mod texture;

/// Returns every function of the runtime by its name.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = &'static (&'static str, crate::abi::Address)> {
    exports::lists().into_iter().flatten().chain(missing())
}

/// Returns those that are not supported.
#[cfg(test)]
pub(crate) fn missing() -> impl Iterator<Item = &'static (&'static str, crate::abi::Address)> {
    missing::RUNTIME.iter()
}
