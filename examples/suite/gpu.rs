//! What `--gpu` finds.

/// Where Linux has the library of NVIDIA's driver, by the loader's name for it.
const DRIVER: &str = "libcuda.so.1";

/// Why nothing runs on a device.
///
/// A launch on one is a further [`Way`](crate::launch::Way): `kernels!` hands out what it starts, and every benchmark, check
/// and table row follows. Until then it is an error and not a run on the CPU under another name.
pub fn refusal() -> String {
    let directories =
        ["/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/wsl/lib"];
    match directories.iter().find(|dir| std::path::Path::new(dir).join(DRIVER).exists()) {
        None => format!("no NVIDIA driver: there is no {DRIVER} on this machine, so nothing can run on a device"),
        Some(dir) => format!("{dir} has a driver, but this suite does not launch on devices yet"),
    }
}
