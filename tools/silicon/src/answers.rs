//! What is asked for results: a device, or in a test what answers in its place.

use anyhow::Result;

use crate::forms::Subject;
use crate::ptx::Ptx;

/// Registers at once, at most. With 8 bytes each the four arrays take 128 MiB on the device.
pub(crate) const BATCH: u64 = 1 << 22;

/// The probes, one for each form.
pub trait Answers {
    /// Where they are written.
    fn ptx(&self) -> &Ptx;

    /// The results for these registers, one column per operand.
    ///
    /// # Errors
    ///
    /// If the columns are not as the form has operands, or the device fails.
    fn run(&mut self, form: &Subject, columns: &[Vec<u64>]) -> Result<Vec<u64>>;

    /// The results of a form of one operand, both in bytes as they lie in memory.
    ///
    /// # Errors
    ///
    /// If the form has more operands, or the device fails.
    fn run_bytes(&mut self, form: &Subject, operands: &[u8]) -> Result<&[u8]>;
}
