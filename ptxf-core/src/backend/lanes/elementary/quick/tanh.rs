//! `tanh x` in 32 pieces of |x|, for CPUs that look up one of 32 entries in an instruction. There
//! are eight in each octave of `2 + x · s`, so that pieces are longer where the function is flat.
//!
//! `tanh (a + r) = T + T' · r + r² · p(r)`, where a is near the middle of the piece. a is chosen so
//! that T' = 1 − T² is a binary32 number except for a part of 2^-34, which needs no second part. x
//! − a is exact, since a has no finer bits than x. In the first piece a is 0, and p is a multiple
//! of r.
//!
//! *Error bound of the second number*, relative to `y = r² · p(r)`: r² by 1; p by 1 (a sum) and 1
//! (a coefficient and the interpolation); y by 1; the sum with y by 1. That is 5 if all were as bad
//! as possible. p differs in some pieces: the last product of the first piece is 1 more; from 1.8,
//! where y is below 2^-9 of the result, it is up to 2; and from 4.2, where y is below 2^-14, up to
//! 38. The bound is 4, in the first piece 5, from 1.8 on 8, and from 4.2 on 64. The coefficients
//! are smaller by it already.
//!
//! From 9.02 the result is 1, as in the last part of the last piece.

use super::super::super::engine::{Engine, Floats as _, Ints as _, M32, Pieces as _, V32, Words as _};
use super::{between, linear, magnitude};

/// Returns r, and the piece's index in the last bits.
pub(in super::super) type Reduced<E> = (V32<E>, V32<E>);

#[inline_in_release]
pub(in super::super) fn reduced<E: Engine>(e: E, x: V32<E>) -> Option<Reduced<E>> {
    let (f, pieces) = (e.f32(), e.pieces()?);
    // A NaN stays one.
    let x = f.min(f.splat(MOST), magnitude(e, x));
    let index = e.u32().shr(f.mul_add(x, f.splat(SCALE), f.splat(2.0)), 20);
    Some((f.sub(x, pieces.entry(&MIDDLES, index)), index))
}

/// Returns results, and a mask of those that may be wrong, with NaN among them.
#[inline_in_release]
pub(in super::super) fn rounded<E: Engine>(e: E, x: V32<E>, (r, index): Reduced<E>) -> Option<(V32<E>, M32<E>)> {
    let (f, ints, pieces) = (e.f32(), e.u32(), e.pieces()?);
    let [p6, p5, p4, p3, p2] = const { &P };
    let p = f.mul_add(pieces.entry(p6, index), r, pieces.entry(p5, index));
    let p = f.mul_add(p, r, pieces.entry(p4, index));
    let p = f.mul_add(p, r, pieces.entry(p3, index));
    let p = f.mul_add(p, r, pieces.entry(p2, index));
    let [high, lost] = linear(e, pieces.entry(&VALUES, index), pieces.entry(&SLOPES, index), r);
    let low = f.add(pieces.entry(&VALUES_LOW, index), lost);
    let square = f.mul(r, r);
    let more = f.mul(square, pieces.entry(&MORE, index));
    let (d, doubt) = between(e, high, [f.mul_add(square, p, low), f.mul_add(more, p, low)])?;
    Some((ints.or(d, ints.and(x, ints.splat(1 << 31))), doubt))
}

/// The smallest operand whose result is 1.
const MOST: f32 = 9.02;
/// Eight pieces from 0 to 0.6.
const SCALE: f32 = 3.3246753;
/// a
const MIDDLES: [f32; 32] = [
    0.0, 0.11280516, 0.1880165, 0.26312304, 0.3383866, 0.4136537, 0.48868895, 0.5640732, 0.6767376, 0.8270578,
    0.977708, 1.128045, 1.278157, 1.428737, 1.5789422, 1.7292676, 1.9550647, 2.255389, 2.5559714, 2.857606, 3.1582923,
    3.458363, 3.7602084, 4.0618525, 4.5104895, 5.1128917, 5.715429, 6.3153596, 6.9166126, 7.5189314, 8.121913, 8.72365,
];
/// `tanh a`, rounded.
const VALUES: [f32; 32] = [
    0.0,
    0.112329096,
    0.18583192,
    0.25721428,
    0.32603624,
    0.3915706,
    0.45317525,
    0.5109933,
    0.5893944,
    0.678893,
    0.752072,
    0.8103491,
    0.8559931,
    0.8914075,
    0.9184365,
    0.9389693,
    0.9607114,
    0.9782591,
    0.9880234,
    0.99343073,
    0.99639434,
    0.9980198,
    0.99891675,
    0.9994073,
    0.99975836,
    0.9999276,
    0.9999783,
    0.99999344,
    0.99999803,
    0.9999994,
    0.9999998,
    0.99999994,
];
/// The rounding errors of [`VALUES`].
const VALUES_LOW: [f32; 32] = [
    0.0,
    3.276891e-9,
    -4.2241677e-9,
    7.6979925e-9,
    9.100893e-9,
    -1.0806176e-8,
    -7.310669e-10,
    2.4985468e-8,
    1.3973068e-8,
    -2.1076602e-8,
    1.8780902e-8,
    -1.3503714e-8,
    9.406522e-9,
    -7.527831e-10,
    4.58829e-9,
    8.885149e-9,
    2.1384281e-8,
    2.919617e-8,
    1.5840932e-8,
    1.04963975e-8,
    -2.7112996e-8,
    9.431438e-9,
    2.8448897e-8,
    2.7509294e-8,
    -2.9099443e-8,
    -2.6118261e-8,
    -1.4261897e-8,
    1.6523233e-8,
    2.072627e-9,
    6.9735475e-9,
    2.443413e-9,
    6.6670887e-9,
];
/// `1 − tanh² a`, rounded.
const SLOPES: [f32; 32] = [
    1.0,
    0.9873822,
    0.9654665,
    0.9338408,
    0.89370036,
    0.8466725,
    0.7946322,
    0.7388858,
    0.65261424,
    0.5391043,
    0.4343877,
    0.34333435,
    0.2672758,
    0.20539269,
    0.15647434,
    0.11833661,
    0.07703353,
    0.043009102,
    0.02380973,
    0.0130953565,
    0.007198381,
    0.003956431,
    0.0021652794,
    0.0011850109,
    0.00048327426,
    0.00014488627,
    0.000043420234,
    0.000013079933,
    3.9297574e-6,
    1.1781455e-6,
    3.52741e-7,
    1.0587511e-7,
];
/// Factors for y, as much larger as the coefficients are smaller, and one unit for rounding.
const MORE: [f32; 32] = {
    let (mut more, mut j) = ([0.0; 32], 0);
    while j < 32 {
        more[j] = 1.0 + (2 * units(j) + 2) as f32 / 16_777_216.0;
        j += 1;
    }
    more
};

/// In units of 2^-24.
const fn units(piece: usize) -> u8 {
    match piece {
        0 => 5,
        1..16 => 4,
        16..24 => 8,
        _ => 64,
    }
}

/// `(tanh (a + r) − T − T' · r) / r²`, less what is allowed for: the coefficients, that of the
/// highest power first.
const P: [[f32; 32]; 5] = [
    [
        -0.008086176,
        -0.04001334,
        -0.059677538,
        -0.07055428,
        -0.07202447,
        -0.06523695,
        -0.052594718,
        -0.036943536,
        -0.01362097,
        0.008833926,
        0.0183869,
        0.018498307,
        0.014246786,
        0.009215198,
        0.0050905556,
        0.0022755733,
        0.00008640873,
        -0.00073726097,
        -0.00068445946,
        -0.00046720557,
        -0.00028511963,
        -0.00016527083,
        -0.000093243136,
        -0.00005189529,
        -0.000021449407,
        -6.4730493e-6,
        -1.945715e-6,
        -5.8504514e-7,
        -1.7571975e-7,
        -5.274025e-8,
        -1.5822897e-8,
        -4.7504414e-9,
    ],
    [
        0.13371268,
        0.11927108,
        0.09648711,
        0.06679685,
        0.03426849,
        0.003010382,
        -0.023677433,
        -0.043983366,
        -0.060746666,
        -0.06196484,
        -0.048782077,
        -0.031647965,
        -0.01674042,
        -0.006167472,
        0.00018687124,
        0.003417051,
        0.0047707697,
        0.003961697,
        0.0026238456,
        0.0015796471,
        0.00091035274,
        0.0005131786,
        0.000284751,
        0.00015700886,
        0.0000648891,
        0.000019505203,
        5.850053e-6,
        1.7626713e-6,
        5.296164e-7,
        1.587838e-7,
        4.75411e-8,
        1.4269483e-8,
    ],
    [
        -5.701326e-6,
        0.07254167,
        0.113413796,
        0.14424017,
        0.16327897,
        0.17018832,
        0.16611719,
        0.1531227,
        0.122810535,
        0.07531102,
        0.03301362,
        0.0027825148,
        -0.015113028,
        -0.023424476,
        -0.02541671,
        -0.023889236,
        -0.018968048,
        -0.01221513,
        -0.007281415,
        -0.0041660764,
        -0.002339175,
        -0.0013005767,
        -0.00071629236,
        -0.00039336373,
        -0.00016081709,
        -0.000048269823,
        -0.000014470693,
        -4.3597142e-6,
        -1.3098871e-6,
        -3.927055e-7,
        -1.1757561e-7,
        -3.5290235e-8,
    ],
    [
        -0.33333322,
        -0.31666866,
        -0.28848115,
        -0.24949805,
        -0.20290005,
        -0.15240593,
        -0.101685524,
        -0.053361714,
        0.009170543,
        0.06876926,
        0.10089906,
        0.11101109,
        0.10674754,
        0.09474233,
        0.07983202,
        0.06488752,
        0.04542163,
        0.026822954,
        0.015306228,
        0.008558729,
        0.0047470904,
        0.002621959,
        0.0014388263,
        0.0007886003,
        0.00032193252,
        0.00009656478,
        0.000028943408,
        8.719324e-6,
        2.6196847e-6,
        7.8538744e-7,
        2.3514812e-7,
        7.057966e-8,
    ],
    [
        0.0,
        -0.11091173,
        -0.17941445,
        -0.24019714,
        -0.29137865,
        -0.33153197,
        -0.36010754,
        -0.37756562,
        -0.3846471,
        -0.36599404,
        -0.32669076,
        -0.27822062,
        -0.2287862,
        -0.18308854,
        -0.14371172,
        -0.11111442,
        -0.07400695,
        -0.042074025,
        -0.023524558,
        -0.013009324,
        -0.007172422,
        -0.003948595,
        -0.002162933,
        -0.001184308,
        -0.0004831556,
        -0.00014487523,
        -0.000043419128,
        -0.000013079797,
        -3.9297347e-6,
        -1.1781402e-6,
        -3.5273962e-7,
        -1.05874705e-7,
    ],
];

#[cfg(test)]
mod tests;
