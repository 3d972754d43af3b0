//! `2^x` and `tanh x` of 16-bit values in 32 pieces, in binary32 lanes, for CPUs that look up one
//! of 32 entries in an instruction.
//!
//! Each piece has a polynomial of so low a degree that its error alone would round some dozens of
//! operands wrongly. So the coefficients are not those nearest to the function. They were searched:
//! for each operand the value has to lie between two numbers to round to the right result of f16
//! and, if bf16 has the operand, of bf16. These are linear inequalities of the coefficients. All
//! operands are satisfied, so that no list of exceptions is needed. The proof is the tests, which
//! try all 65,536 operands.
//!
//! *Cost.* A current core starts two vector instructions of 512 bits a cycle. 32 pieces take 13 of
//! them for `ex2` and 15 for `tanh` per 16 lanes of f16, three of them conversions: at most 2.5 and
//! 2.1 elements a cycle. On a Xeon with AVX-512 FP16 it is 2.0 and 1.6. Polynomials of the whole
//! range, `tanh` with a division that takes 16 cycles, reached 1.4 and 1.1. Computing in f16 lanes
//! would gain nothing: their 11 bits cannot hold a value with its error, and sums of two numbers
//! take some 30 instructions for 32 lanes.

use core::f32::consts::SQRT_2;

use super::super::engine::{Engine, Floats as _, Ints as _, Pieces, V32, Words as _};
use super::super::format::Format16;
use super::bits16;

/// `2^x = 2^n · 2^(j/32) · 2^t`, |t| ≤ 1/64.
#[inline_in_release]
pub(super) fn ex2<F: Format16, E: Engine>(e: E, pieces: E::Pieces, x: V32<E>) -> V32<E> {
    let is_f16 = F::PRECISION == 11;
    // The power of ±26 is infinite or zero in f16. A NaN returns through the rest of `x`.
    let (bounded, of_rest) = if is_f16 {
        (pieces.bounded(x, 26.0), x)
    } else {
        let bounded = bits16::bounded_exponent(e, x);
        (bounded, bounded)
    };
    // The sum has 32n + j in its last bits.
    let shifted = e.f32().add(bounded, e.f32().splat(EX2_SHIFT));
    let t = pieces.rest(of_rest);
    let (roots, [c2, c1, c0]) =
        if is_f16 { (const { &less_index(ROOTS_F16) }, EX2_F16) } else { (const { &less_index(ROOTS) }, EX2_BF16) };
    let scale = e.u32().add(pieces.entry(roots, shifted), e.u32().shl(shifted, 18));
    let linear = e.f32().mul_add(e.f32().splat(c2), t, e.f32().splat(c1));
    e.f32().mul(scale, e.f32().mul_add(linear, t, e.f32().splat(c0)))
}

/// 1.5 · 2^18: a sum with it is a multiple of 1/32.
const EX2_SHIFT: f32 = 393_216.0;
/// `2^t`, with searched coefficients.
const EX2_F16: [f32; 3] = [0.24022768, 0.69316924, 0.99999994];
const EX2_BF16: [f32; 3] = [0.24022768, 0.693154, 1.0];
/// `2^(j/32)`, rounded.
const ROOTS: [f32; 32] = [
    1.0, 1.0218972, 1.0442737, 1.0671405, 1.0905077, 1.1143868, 1.1387886, 1.1637249, 1.1892071, 1.2152474, 1.2418578,
    1.269051, 1.2968396, 1.3252367, 1.3542556, 1.38391, SQRT_2, 1.4451808, 1.4768262, 1.5091645, 1.5422108, 1.5759809,
    1.6104903, 1.6457555, 1.6817929, 1.7186193, 1.7562522, 1.7947091, 1.8340081, 1.8741677, 1.9152066, 1.9571441,
];
/// The same, three of them moved in their last place.
const ROOTS_F16: [f32; 32] = {
    let mut roots = ROOTS;
    roots[0] = roots[0].next_up();
    roots[28] = roots[28].next_down();
    roots[31] = roots[31].next_up().next_up();
    roots
};

/// The entries less what j adds to their exponents, when n is added together with it.
const fn less_index(roots: [f32; 32]) -> [f32; 32] {
    let (mut entries, mut j) = (roots, 0);
    while j < 32 {
        entries[j as usize] = f32::from_bits(roots[j as usize].to_bits() - (j << 18));
        j += 1;
    }
    entries
}

/// `tanh |x|`, a cubic polynomial in each piece, with the sign of `x`.
#[inline_in_release]
pub(super) fn tanh<E: Engine>(e: E, pieces: E::Pieces, x: V32<E>) -> V32<E> {
    let sign = e.u32().splat(1 << 31);
    let magnitude = e.u32().and(x, e.u32().splat(!(1 << 31)));
    // A NaN stays one.
    let bounded = e.f32().min(e.f32().splat(TANH_MOST), magnitude);
    let index = e.f32().mul_add(bounded, e.f32().splat(TANH_PIECES), e.f32().splat(TANH_SHIFT));
    let [c3, c2, c1, c0] = const { &TANH };
    let sum = e.f32().mul_add(pieces.entry(c3, index), bounded, pieces.entry(c2, index));
    let sum = e.f32().mul_add(sum, bounded, pieces.entry(c1, index));
    let sum = e.f32().mul_add(sum, bounded, pieces.entry(c0, index));
    e.u32().or(sum, e.u32().and(x, sign))
}

/// The smallest operand whose result is 1, in either format.
const TANH_MOST: f32 = 4.5056;
/// Pieces have the length of a unit. As many as leave 0.2146 belong to the third piece, since as an
/// end of the second piece that operand would be one condition too many.
const TANH_PIECES: f32 = 6.9905;
/// 1.5 · 2^23: a sum with it is an integer.
const TANH_SHIFT: f32 = 12_582_912.0;
/// The coefficients, that of the highest power first.
const TANH: [[f32; 32]; 4] = [
    [
        -0.331181,
        -0.30761778,
        -0.24303408,
        -0.14186059,
        -0.0391828,
        0.0436342,
        0.083211526,
        0.059361417,
        0.051268056,
        0.055411194,
        0.11650957,
        7.123824e-4,
        0.06625253,
        0.0,
        0.0,
        0.21416762,
        0.0,
        -0.1422146,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        -1.05644e-4,
        -0.006844109,
        -0.047725234,
        -0.15498449,
        -0.30992267,
        -0.47576907,
        -0.5746816,
        -0.49487928,
        -0.45344248,
        -0.43632495,
        -0.6831275,
        -0.14525504,
        -0.4545626,
        -0.09149831,
        -0.0647288,
        -1.4342077,
        -0.04826546,
        1.015508,
        -0.024091851,
        -0.014174973,
        -0.0046686362,
        -0.012056515,
        -0.0017551077,
        0.0,
        -0.051379774,
        -0.07949162,
        0.0,
        0.0,
        -0.1331946,
        0.0,
        0.0,
        0.09505763,
    ],
    [
        1.0000012,
        1.000659,
        1.009429,
        1.0476866,
        1.1258658,
        1.2366242,
        1.3190644,
        1.2317774,
        1.170818,
        1.1112874,
        1.4438857,
        0.6102173,
        1.0961007,
        0.4327645,
        0.32965377,
        3.249097,
        0.2611237,
        -2.3850284,
        0.14695089,
        0.09437985,
        0.039838422,
        0.08214285,
        0.01852804,
        0.0058139535,
        0.35764146,
        0.5738699,
        0.0054347827,
        0.0,
        1.0697191,
        0.0,
        0.0,
        -0.84289384,
    ],
    [
        0.0,
        -2.178885e-5,
        -6.582912e-4,
        -0.005248863,
        -0.018435428,
        -0.04310784,
        -0.066026255,
        -0.034668304,
        -0.0069789193,
        0.032703593,
        -0.116854675,
        0.3142574,
        0.06022367,
        0.4642837,
        0.56363595,
        -1.5112008,
        0.6348446,
        2.8243651,
        0.7698274,
        0.8395135,
        0.91770786,
        0.857138,
        0.9553794,
        0.9780955,
        0.37571502,
        -0.03696023,
        0.9786695,
        0.9989746,
        -1.148055,
        0.9994629,
        0.9994629,
        2.8678012,
    ],
];

#[cfg(test)]
mod tests;
