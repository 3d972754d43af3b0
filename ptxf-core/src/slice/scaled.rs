//! `cvt.….scaled::….ue8m0` over slices: one register at a time, by the reference implementation.

use super::LengthError;
use super::operand::{Target, View};
use crate::backend::convert::{self, Numbers, Scale};
use crate::modifiers::Modifiers;

/// Results of a chunk for one core. They take about ten microseconds, many times the cost of
/// starting a chunk.
#[cfg(feature = "rayon")]
const CHUNK: usize = 1 << 10;

/// Stores `a[i]` in another format in `out[i]`, with the scale of each lane.
#[inline]
pub(super) fn cvt_scaled<A: Numbers + Sync, S: Scale + Sync, D: Numbers + Send>(
    m: Modifiers,
    a: View<'_, A>,
    scale: View<'_, S>,
    target: Target<'_, D>,
) -> Result<(), LengthError> {
    check("a", &a, &target)?;
    check("scale", &scale, &target)?;
    each(target, |i| convert::cvt_scaled(m, get(&a, i), get(&scale, i)));
    Ok(())
}

/// Stores a pair of `a[i]` and `b[i]` in `out[i]`, with the scale of each.
#[inline]
pub(super) fn cvt_pack_scaled<A: Numbers + Sync, S: Scale + Sync, D: Numbers + Send>(
    m: Modifiers,
    [a, b]: [View<'_, A>; 2],
    scale: View<'_, S>,
    target: Target<'_, D>,
) -> Result<(), LengthError> {
    check("a", &a, &target)?;
    check("b", &b, &target)?;
    check("scale", &scale, &target)?;
    each(target, |i| convert::cvt_pack_scaled(m, get(&a, i), get(&b, i), get(&scale, i)));
    Ok(())
}

fn check<T, D>(name: &'static str, x: &View<'_, T>, target: &Target<'_, D>) -> Result<(), LengthError> {
    match x {
        View::Slice(x) => LengthError::check(name, x.len(), "out", target.out.len()),
        View::Splat(_) => Ok(()),
    }
}

fn get<T: Copy>(x: &View<'_, T>, i: usize) -> T {
    match x {
        View::Slice(x) => x[i],
        View::Splat(x) => *x,
    }
}

/// Writes the `i`-th result for every `i`.
fn each<D: Send>(Target { out, parallel, .. }: Target<'_, D>, result: impl Fn(usize) -> D + Send + Sync) {
    let part = |first: usize, out: &mut [D]| out.iter_mut().zip(first..).for_each(|(out, i)| *out = result(i));
    #[cfg(feature = "rayon")]
    if parallel {
        return crate::parallel::chunks(out, CHUNK, &part);
    }
    let _ = parallel;
    part(0, out);
}
