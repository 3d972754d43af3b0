//! The source of results: a device, or a test's substitute for one.

use anyhow::Result;

use crate::forms::Subject;
use crate::ptx::Ptx;

/// Most registers per launch. With 8 bytes each the four arrays take 128 MiB on the device.
pub(crate) const BATCH: u64 = 1 << 22;

/// Kernels that each execute one form.
pub(crate) trait Probes {
    /// Returns the PTX of the kernels.
    fn ptx(&self) -> &Ptx;

    /// Returns the results for these registers, one column per operand.
    ///
    /// # Errors
    ///
    /// It returns an error if the columns do not fit the form's operands, or if the device fails.
    fn run(&mut self, form: &Subject, columns: &[Vec<u64>]) -> Result<Vec<u64>>;

    /// Returns the results of a form of one operand. Operands and results are bytes as in memory.
    ///
    /// # Errors
    ///
    /// It returns an error if the form has several operands, or if the device fails.
    fn run_bytes(&mut self, form: &Subject, operands: &[u8]) -> Result<&[u8]>;
}
