//! `cvt.rs` over slices: rounding by random bits of the caller.

use super::LengthError;
use super::error::must;
use super::operand::{Target, View};
use super::run::{Element, randomly};
use super::views::cast;
use crate::backend::lanes::convert::Random;
use crate::backend::lanes::form_modifiers::Form;
use crate::backend::lanes::walk::Run;
use crate::format::Format;
use crate::sem;

/// Results of a chunk. Its random numbers fit into the first-level cache, and a chunk begins with a
/// word.
const CHUNK: usize = 512;

/// Stores `a[i]` in `out[i]`, rounded by the number of its lane in word `i / LANES`.
#[inline]
pub(super) fn cvt_rs<D: Element<Format: Format>, const M: u16, const LANES: usize>(
    a: View<'_, f32>,
    rbits: &[u32],
    Target { out, level, parallel }: Target<'_, D>,
) -> Result<(), LengthError>
where
    Random<D::Format, Form<M>>: Run,
{
    if let View::Slice(a) = a {
        LengthError::check("a", a.len(), "out", out.len())?;
    }
    LengthError::check_taken("rbits", rbits.len(), out.len().div_ceil(LANES), "out", out.len())?;
    let chunk = |first: usize, out: &mut [D]| {
        let a = match a {
            View::Slice(a) => View::Slice(&a[first..first + out.len()]),
            View::Splat(a) => View::Splat(a),
        };
        let mut numbers = [0; CHUNK];
        for (numbers, &rbits) in numbers.chunks_exact_mut(LANES).zip(&rbits[first / LANES..]) {
            numbers.copy_from_slice(&lanes::<D::Format, LANES>(rbits));
        }
        let numbers = View::Slice(&cast::<u32, f32>(&numbers)[..out.len()]);
        must(randomly::<D, M>(&[a, numbers], Target { out, level, parallel: false }));
    };
    #[cfg(feature = "rayon")]
    if parallel {
        crate::parallel::chunks(out, CHUNK, &chunk);
        return Ok(());
    }
    let _ = parallel;
    out.chunks_mut(CHUNK).enumerate().for_each(|(i, out)| chunk(i * CHUNK, out));
    Ok(())
}

/// Returns the random numbers of a word's lanes, the lowest lane first: the instruction's last
/// operand.
#[inline]
fn lanes<F: Format, const LANES: usize>(rbits: u32) -> [u32; LANES] {
    let mut numbers = [0; LANES];
    let lanes = numbers.iter_mut().rev();
    if LANES == 2 {
        lanes.zip(sem::random_pair::<F>(rbits)).for_each(|(number, random)| *number = random.number);
    } else {
        lanes.zip(sem::random_quad::<F>(rbits)).for_each(|(number, random)| *number = random.number);
    }
    numbers
}
