use std::path::Path;

use anyhow::Result;

use super::report::Report;
use super::toolchain::{CudaTools, Toolchain};

pub(crate) fn check(
    _root: &Path,
    _target: &Path,
    _t: &Toolchain,
    _c: Option<&CudaTools>,
    _report: &mut Report,
) -> Result<()> {
    Ok(())
}
