//! `sin x` and `cos x` for |x| ≤ 2^18, for CPUs that look up one of 32 entries in an instruction.
//! They are `sin (a + r)` by the sine and the cosine of a, one of 32 multiples of π/32, and r = |x|
//! − n · π/32, |r| ≤ π/64. The sign of the result is that of x (none for the cosine) times that of
//! n, which counts half turns.
//!
//! `sin (a + r) = S + C · r + r² · (S · a(r²) + C · r · b(r²))`, a(z) = (cos √z − 1) / z and b(z) =
//! (sin √z / √z − 1) / z. S and C are sums of two numbers each.
//!
//! r is the sum of two overlapping numbers. `r₁ = x − n · P₁` is exact: P₁ is π/32 except for a
//! part of 2^-24, and r₁ is below 1/16 and a multiple of 2^-28. `l = −n · P₂` has 24 right bits. `C
//! · l`, the contribution of l, is a part of the second number. Near a multiple of π it is not
//! small relative to the first number, and all lanes are in doubt.
//!
//! *Error bound of the second number*, relative to `|y| + |l|`, where y is the term with r²: r by
//! 1, which is 2 of y; r² by 1; a by 0.5; `S · a` by 1; the sum of both products by 1 of up to 1.2;
//! `C · r` by 1, of which a third counts; b by 1, of which a sixth counts; and two sums with y by 1
//! each. That is 8.2 if all were as bad as possible. They never are at once, and the bound is 6. l
//! by 1 (P₂ and the product), `C · l` by 0.5 and its sum by 0.5. Next to 0 n is 0, so that the
//! error is relative to the result, as r² · r is.
//!
//! Results of subnormal operands are the operands. Above 2^18.6 n would not be exact.

use core::f32::consts::FRAC_1_SQRT_2;

use super::super::super::engine::{Engine, Floats as _, Ints as _, M32, Pieces as _, V32, Words as _};
use super::{between, linear, magnitude, negative, polynomial};

/// Returns r₁, and the sum with n in its last bits, or n + 16 for the cosine.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>);

#[inline_in_release]
pub(in super::super) fn reduced<E: Engine, const COSINE: bool>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    e.pieces()?;
    let (f, x) = (e.f32(), magnitude(e, x));
    let shifted = f.mul_add(x, f.splat(PIECES), f.splat(shift(COSINE)));
    let n = f.sub(shifted, f.splat(shift(COSINE)));
    Some((f.mul_add(n, f.splat(-PI_32[0]), x), shifted))
}

/// A sum with it has the nearest integer in its last bits; of the cosine, and the pieces of a
/// quarter of a turn.
const fn shift(cosine: bool) -> f32 {
    if cosine { SHIFT + 16.0 } else { SHIFT }
}

/// Returns results for |x| ≤ [`MOST`], and a mask of those that may be wrong, including infinities
/// and NaN.
#[inline_in_release]
pub(in super::super) fn rounded<E: Engine, const COSINE: bool>(
    e: E,
    x: V32<E>,
    (r1, shifted): Reduced<E>,
) -> Option<(V32<E>, M32<E>)> {
    let (f, ints, pieces) = (e.f32(), e.u32(), e.pieces()?);
    let (sine, cosine) = (pieces.entry(&SINES, shifted), pieces.entry(&COSINES, shifted));
    let [high, lost] = linear(e, sine, cosine, r1);
    let l = f.mul(f.sub(shifted, f.splat(shift(COSINE))), f.splat(-PI_32[1]));
    let of_l = f.mul(cosine, l);
    let second = f.mul_add(pieces.entry(&COSINES_LOW, shifted), r1, pieces.entry(&SINES_LOW, shifted));
    let low = f.add(second, f.add(lost, of_l));

    let r = f.add(r1, l);
    let square = f.mul(r, r);
    let (a, b) = (polynomial(e, &A, square), polynomial(e, &B, square));
    // C · r, negative: of its first part nothing is lost.
    let minus = f.sub(f.sub(sine, high), of_l);
    let of_square = f.mul_add(negative(e, minus), b, f.mul(sine, a));
    // l is never positive.
    let wrong = f.mul_add(magnitude(e, of_square), square, negative(e, l));
    let low = f.mul_add(of_square, square, low);
    let both = [f.mul_add(wrong, f.splat(-ERROR), low), f.mul_add(wrong, f.splat(ERROR), low)];
    let (d, doubt) = between(e, high, both)?;

    let half_turns = ints.shl(shifted, 26);
    let sign = if COSINE { half_turns } else { ints.xor(half_turns, x) };
    Some((ints.xor(d, ints.and(sign, ints.splat(1 << 31))), doubt))
}

/// The largest magnitude that binary32 lanes compute.
pub(in super::super) const MOST: f32 = 262_144.0;
/// 1.5 · 2^23: a sum with it has the nearest integer in its last bits.
const SHIFT: f32 = 12_582_912.0;
/// `32 / π`
const PIECES: f32 = 10.185916;
/// `π / 32` in two parts, the first rounded down, so that n times the second has the sign of n.
const PI_32: [f32; 2] = [0.098174766, 4.718619e-9];
/// 6 · 2^-24
const ERROR: f32 = 6.0 / 16_777_216.0;
/// `(cos √z − 1) / z` for z ≤ (π/64)².
const A: [f32; 2] = [0.041663315, -0.5];
/// `(sin √z / √z − 1) / z` for z ≤ (π/64)².
const B: [f32; 2] = [0.008332854, -0.16666667];
/// `sin (jπ/32)`, rounded.
const SINES: [f32; 32] = [
    0.0,
    0.09801714,
    0.19509032,
    0.29028466,
    0.38268343,
    0.47139674,
    0.55557024,
    0.6343933,
    FRAC_1_SQRT_2,
    0.77301043,
    0.8314696,
    0.8819213,
    0.9238795,
    0.95694035,
    0.98078525,
    0.9951847,
    1.0,
    0.9951847,
    0.98078525,
    0.95694035,
    0.9238795,
    0.8819213,
    0.8314696,
    0.77301043,
    FRAC_1_SQRT_2,
    0.6343933,
    0.55557024,
    0.47139674,
    0.38268343,
    0.29028466,
    0.19509032,
    0.09801714,
];
/// The rounding errors of [`SINES`].
const SINES_LOW: [f32; 32] = [
    0.0,
    -8.933932e-10,
    -1.6704714e-9,
    1.3815665e-8,
    6.2233507e-9,
    -7.4252537e-9,
    -1.1769521e-8,
    9.379558e-9,
    1.21016175e-8,
    2.0642553e-8,
    1.6870263e-8,
    -2.7002963e-8,
    2.830749e-8,
    -1.7184508e-8,
    2.9739473e-8,
    7.109666e-9,
    0.0,
    7.109666e-9,
    2.9739473e-8,
    -1.7184508e-8,
    2.830749e-8,
    -2.7002963e-8,
    1.6870263e-8,
    2.0642553e-8,
    1.21016175e-8,
    9.379558e-9,
    -1.1769521e-8,
    -7.4252537e-9,
    6.2233507e-9,
    1.3815665e-8,
    -1.6704714e-9,
    -8.933932e-10,
];
/// `cos x = sin (π/2 − x)`, for each of the multiples of π/32 that a list has the sines of.
const fn a_quarter_on(sines: &[f32; 32]) -> [f32; 32] {
    let (mut cosines, mut j) = ([0.0; 32], 0);
    while j < 32 {
        cosines[j] = if j <= 16 { sines[16 - j] } else { -sines[j - 16] };
        j += 1;
    }
    cosines
}

/// `cos (jπ/32)`, rounded.
const COSINES: [f32; 32] = a_quarter_on(&SINES);
/// The rounding errors of the cosines.
const COSINES_LOW: [f32; 32] = a_quarter_on(&SINES_LOW);

#[cfg(test)]
mod tests;
