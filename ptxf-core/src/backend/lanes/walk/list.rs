//! The results of all operands of a byte, for jobs that are longer than such a list.
// Invariant: a job over arrays has no more lanes than they.

use super::{Compute, Job, Operand};
use crate::int::Int as _;

/// The number of results from which a list of all of them pays.
const LIST: usize = 1024;

/// Returns `true` if a list pays for a job.
#[inline_in_release]
pub(super) fn has_list<C: Compute>(job: &Job<'_, C::From, C::To>) -> bool {
    C::From::BITS == 8 && C::OPERANDS == 1 && job.lanes() >= LIST
}

/// All operands of a byte, and their results.
pub(super) struct List<C: Compute> {
    codes: [C::From; 256],
    results: [C::To; 256],
}

#[inline_in_release]
impl<C: Compute> List<C> {
    pub(super) fn new() -> Self {
        Self { codes: core::array::from_fn(|code| C::From::of_low_bits(code as u128)), results: [C::To::ZERO; 256] }
    }

    /// Computes the results by the meaning.
    pub(super) fn fill(&mut self, compute: C) {
        self.results = self.codes.map(|x| compute.scalar([x; 3]));
    }

    /// The job that computes the results.
    pub(super) fn job(&mut self) -> Job<'_, C::From, C::To> {
        let codes = Operand::slice(self.codes.as_ptr());
        // SAFETY: both arrays have 256 lanes, and are borrowed as long as the job.
        unsafe { Job::new([codes; 3], self.results.as_mut_ptr(), 256, false) }
    }

    /// One of the results for each lane.
    pub(super) fn look_up(&self, mut job: Job<'_, C::From, C::To>) {
        for i in 0..job.lanes() {
            job.set(i, self.results[usize::from(job.lane(0, i).cast::<u8>())]);
        }
    }
}
