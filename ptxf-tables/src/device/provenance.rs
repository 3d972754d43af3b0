//! The origin of measured results.

/// A captured file that a model was made from, as described by its line in the `MANIFEST.jsonl` of
/// `ptxf-gpu capture`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// The path, `dumps/tanh.approx.f16.u16`.
    pub file: &'static str,
    /// The SHA-256 of the file.
    pub sha256: &'static str,
    /// The time of the capture in UTC, `2026-11-26T15:54:59Z`.
    pub date: &'static str,
    /// The device's name as the driver reports it.
    pub device: &'static str,
    /// The driver's version.
    pub driver: &'static str,
    /// The PTX file that was run, and its version.
    pub ptx: &'static str,
}
