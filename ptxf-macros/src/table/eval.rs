//! Evaluates a program for all 65,536 inputs.

use super::exact::{Exact, Undecided};
use super::format::{Format, NAN, SIGN};
use super::program::{Parity, Program};
use super::steps::Steps;

/// The results that are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The real number that the expression denotes, rounded once.
    Exact,
    /// Every operation's result.
    Stepwise,
}

/// Returns the results for all inputs, in the order of their bits.
pub(crate) fn table(program: &Program, from: Format, to: Format, mode: Mode) -> Result<Vec<u16>, Undecided> {
    match mode {
        Mode::Exact => {
            let program = &program.identities();
            let mut exact = Exact::new(program);
            let parity = program.parity()[program.result];
            let mut results = vec![0; 1 << 16];
            for x in 0..=i16::MAX as u16 {
                let d = exact.result([from, to], x, program.result)?;
                let mirrored = match parity {
                    Some(parity) if !exact.cancelled => {
                        if parity == Parity::Odd && d != NAN {
                            d ^ SIGN
                        } else {
                            d
                        }
                    }
                    _ => exact.result([from, to], x | SIGN, program.result)?,
                };
                (results[usize::from(x)], results[usize::from(x | SIGN)]) = (d, mirrored);
            }
            Ok(results)
        }
        Mode::Stepwise => {
            let mut steps = Steps::new(program);
            (0..=u16::MAX).map(|x| steps.result(from, to, x)).collect()
        }
    }
}
