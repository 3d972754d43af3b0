//! Where measured results come from.

/// A captured file that a model was made from: its line of the `MANIFEST.jsonl` that `ptxf-gpu capture` wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// `dumps/tanh.approx.f16.u16`
    pub file: &'static str,
    /// SHA-256 of the file.
    pub sha256: &'static str,
    /// When it was captured, in UTC.
    pub date: &'static str,
    /// The driver's name of the device.
    pub device: &'static str,
    /// The driver's version.
    pub driver: &'static str,
    /// The PTX file that was run, and its version.
    pub ptx: &'static str,
}
