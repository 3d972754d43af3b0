//! Slices through a model.

use ptxf_core::slice::LengthError;

use super::{SliceError, Unmeasured};

/// Checks that every operand is as long as the output.
pub(super) fn lengths(operands: &[usize], output: usize) -> Result<(), SliceError> {
    for (i, &len) in operands.iter().enumerate() {
        LengthError::check(["a", "b", "c"][i], len, "out", output).map_err(SliceError::Length)?;
    }
    Ok(())
}

pub(super) fn map1<T: Copy>(a: &[T], out: &mut [T], f: impl Fn(T) -> Result<T, Unmeasured>) -> Result<(), Unmeasured> {
    for (d, &a) in out.iter_mut().zip(a) {
        *d = f(a)?;
    }
    Ok(())
}

pub(super) fn map2<T: Copy>(
    a: &[T],
    b: &[T],
    out: &mut [T],
    f: impl Fn(T, T) -> Result<T, Unmeasured>,
) -> Result<(), Unmeasured> {
    for ((d, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *d = f(a, b)?;
    }
    Ok(())
}
