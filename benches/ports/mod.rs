//! How fast the CPU's execution ports let a loop run: the bound that its instructions set, whatever else is in the way.
//!
//! ```text
//! run for a while, noting which instruction is executed (sample) ─► the function, and its smallest loop with most of these (code)
//!     ─► the ports that each instruction of a round may go to (model) ─► the fewest cycles in which all of them can
//! ```
//!
//! The bound takes the most favourable machine: nothing waits for a result, for memory or for the decoder, and an instruction that
//! is not listed goes to any port. So it is never above what the CPU can do by these ports.

mod amd;
mod code;
mod instruction;
mod intel;
mod model;
mod sample;

/// The bound of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// Cycles of a round, and bytes of results that it stores.
    pub(crate) cycles: f64,
    pub(crate) stored: usize,
    /// The ports that are busy all the time.
    pub(crate) limit: String,
}

/// The bound of the loop that `run`, which is called again and again, spends most of its time in.
///
/// # Errors
///
/// If the ports of this CPU are not listed, if there is no such loop, or if the program's own code cannot be read.
pub(crate) fn bound(run: impl FnMut()) -> Result<Bound, String> {
    let core = model::own()?;
    let places = sample::places(run)?;
    let program = code::Program::own()?;
    let round = program.hottest(&places)?;
    let stored = instruction::stored(&round);
    if stored == 0 {
        return Err("the loop stores no results".into());
    }
    let (cycles, limit) = model::cycles(&*core, &round);
    Ok(Bound { cycles, stored, limit })
}

/// Compares the bounds of known instructions with what they are.
pub(crate) fn check() {
    model::check();
}
