//! `1 / √x` of binary32 numbers from an estimate, where division and root take longer.

use super::engine::{Doubles as _, Engine, Floats as _, Ints as _, V32, V64};

/// `1 / √x`, rounded to nearest, from an estimate that is off by 2^-11 of it at most, and right
/// where `x` is a zero, an infinity, negative or a NaN.
///
/// A step of Newton's method in binary32 leaves an error of 2^-21 of the result, and one with the
/// next power in binary64 an error of less than 2^-52, its last rounding included. No result is
/// nearer to a tie of binary32 than 2^-51.8 of itself, so that whatever estimate a CPU makes leads
/// to the same bits.
#[allow(dead_code, reason = "a build may have no engine that asks for it")]
#[inline_in_release]
pub(super) fn from_estimate<E: Engine>(e: E, x: V32<E>, estimate: V32<E>) -> V32<E> {
    let f = e.f32();
    let minus_x = e.u32().xor(x, e.u32().splat(1 << 31));
    let off = f.mul_add(f.mul(minus_x, estimate), estimate, f.splat(1.0));
    let y = f.mul_add(f.mul(estimate, f.splat(0.5)), off, estimate);
    let [d, _] = e.narrow_f64(refined(e, e.widen_f32(minus_x), e.widen_f32(y)));
    // Of a zero or an infinity the steps make a NaN.
    e.u32().select(f.unordered(d, d), estimate, d)
}

/// `y · (1 + r/2 + 3r²/8)` where `r = 1 − x·y²`.
#[inline_in_release]
fn refined<E: Engine>(e: E, minus_x: V64<E>, y: V64<E>) -> V64<E> {
    let f = e.f64();
    let r = f.mul_add(f.mul(minus_x, y), y, f.splat(1.0));
    let factor = f.mul_add(r, f.splat(0.375), f.splat(0.5));
    f.mul_add(f.mul(y, r), factor, y)
}

#[cfg(test)]
mod tests {
    /// Tests all significands, with an even exponent and an odd one. x = X · 2^e is compared with
    /// the tie m = M · 2^f next to its root, M odd. The distance of X · M² from a power of two,
    /// relative to it, is twice that of the root from m.
    #[test]
    #[cfg_attr(miri, ignore = "thirty million roots")]
    fn no_root_is_near_to_a_tie() {
        let mut nearest = u128::MAX;
        for exponent in [72, 73] {
            let one = 1_u128 << exponent;
            for x in 1_u32 << 23..1 << 24 {
                let root = (one as f64 / f64::from(x)).sqrt();
                let tie = 2 * ((root / 2.0) as u128) + 1;
                let distance = (u128::from(x) * tie * tie).abs_diff(one);
                nearest = nearest.min(distance << (73 - exponent));
            }
        }
        let of_root = nearest as f64 / (1_u128 << 73) as f64 / 2.0;
        assert!((2.0_f64.powf(-51.8)..2.0_f64.powf(-51.7)).contains(&of_root), "{of_root:e}");
    }
}
