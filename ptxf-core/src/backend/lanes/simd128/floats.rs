//! Binary32 lanes and binary64 lanes.

use wide::bytemuck::cast;
use wide::{f32x4, f64x2, i64x2, u64x2};

use super::{Simd128, W, f, w};
use crate::backend::lanes::engine::{Doubles, End, Engine as _, Floats, Ints, groups, operators};
use crate::backend::lanes::{directed, in_binary64, rounding};
use crate::modifiers::Round;

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline_in_release]
fn fma_to_odd(p: f32x4, c: f32x4) -> W {
    let s = p + c;
    let z = s - p;
    let error = (p - (s - z)) + (c - z);
    // As `in_binary64::sum_to_odd`; an infinite sum has NaN for an error.
    let inexact = w(error.abs().simd_gt(f32x4::splat(0.0)));
    let beyond = Ints::<u32>::broadcast_sign(Simd128, w(error ^ s));
    (w(s) + (beyond & inexact)) | (inexact >> 31_u32)
}

/// `x + y` rounded to odd.
#[inline_in_release]
fn sum_to_odd(x: f64x2, y: f64x2) -> f64x2 {
    let s = x + y;
    let z = s - x;
    let error = (x - (s - z)) + (y - z);
    // As `in_binary64::sum_to_odd`.
    let inexact: u64x2 = cast(error.abs().simd_gt(f64x2::splat(0.0)));
    let beyond: u64x2 = cast(error.simd_lt(f64x2::splat(0.0)) ^ s.simd_lt(f64x2::splat(0.0)));
    cast((cast::<_, u64x2>(s) + (inexact & beyond)) | (inexact >> 63_u32))
}

/// `p + c` as the binary32 values that are the results in bf16, as [`in_binary64::fma_bf16`] has
/// it.
#[inline_in_release]
fn sum_in_bf16(p: f64x2, c: f64x2) -> f64x2 {
    let sum = sum_to_odd(p, c);
    let magnitude = sum.abs();
    // To 8 significant bits.
    let bits: u64x2 = cast(magnitude);
    let carry = u64x2::splat((1 << 44) - 1) + ((bits >> 45_u32) & u64x2::splat(1));
    let normal: f64x2 = cast((bits + carry) & u64x2::splat(!((1 << 45) - 1)));
    // To multiples of 2^-133.
    let unit = f64x2::splat(f64::from_bits((1023 + 52 - 133) << 52));
    let subnormal = (magnitude + unit) - unit;
    let least = f64x2::splat(f64::from_bits((1023 - 126) << 52));
    let rounded = magnitude.simd_lt(least).select(subnormal, normal);
    // A NaN's bits do not carry.
    let rounded = sum.simd_eq(sum).select(rounded, magnitude);
    rounded | (sum & f64x2::splat(-0.0))
}

/// A function of lanes that compilers vectorise.
#[inline_in_release]
fn each<const N: usize>(x: [W; N], f: impl Fn([u32; N]) -> u32) -> W {
    let x = x.map(W::to_array);
    W::new(core::array::from_fn(|i| f(core::array::from_fn(|k| x[k][i]))))
}

#[inline_in_release]
impl Floats for Simd128 {
    type V = W;
    type M = W;
    groups!(Directed directed Absent;);
    const FUSED: bool = false;

    fn splat(self, x: f32) -> W {
        w(f32x4::splat(x))
    }
    operators!(W, [f] => [w]: add + sub - mul * div /);
    fn mul_add(self, a: W, b: W, c: W) -> W {
        w(f(a) * f(b) + f(c))
    }
    // Of a NaN, and of two zeros, SSE returns the second operand, WebAssembly's `pmax` and `pmin`
    // the first.
    fn max(self, a: W, b: W) -> W {
        w(if cfg!(target_arch = "wasm32") { f(b).fast_max(f(a)) } else { f(a).fast_max(f(b)) })
    }
    fn min(self, a: W, b: W) -> W {
        w(if cfg!(target_arch = "wasm32") { f(b).fast_min(f(a)) } else { f(a).fast_min(f(b)) })
    }
    fn lt(self, a: W, b: W) -> W {
        w(f(a).simd_lt(f(b)))
    }
    fn le(self, a: W, b: W) -> W {
        w(f(a).simd_le(f(b)))
    }
    fn eq(self, a: W, b: W) -> W {
        w(f(a).simd_eq(f(b)))
    }
    fn unordered(self, a: W, b: W) -> W {
        w(f(a).simd_ne(f(a)) | f(b).simd_ne(f(b)))
    }
    fn fma_f16(self, a: W, b: W, c: W) -> W {
        fma_to_odd(f(a) * f(b), f(c))
    }
    fn fma_bf16(self, a: W, b: W, c: W) -> W {
        let p = f(a) * f(b);
        // The product is exact unless it is near either end, as at AVX2.
        let magnitude = p.abs();
        let inside = magnitude.simd_ge(f32x4::splat(f32::MIN_POSITIVE)) & magnitude.simd_lt(f32x4::splat(1.7e38));
        let zero = f32x4::splat(0.0);
        let inside = w(inside | f(a).simd_eq(zero) | f(b).simd_eq(zero));
        if inside.all() {
            return fma_to_odd(p, f(c));
        }
        let ([a, d], [b, e], [c, f]) = (self.widen_f32(a), self.widen_f32(b), self.widen_f32(c));
        let [rounded, _] = self.narrow_f64([sum_in_bf16(a * b, c), sum_in_bf16(d * e, f)]);
        rounded
    }
    fn add_rnd(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { Floats::add(self, a, b) } else { directed::add(self, rnd, a, b) }
    }
    fn mul_rnd(self, rnd: Round, a: W, b: W) -> W {
        if rnd == Round::Rn { Floats::mul(self, a, b) } else { each([a, b], |[a, b]| in_binary64::mul_f32(rnd, a, b)) }
    }
    fn fma_rnd(self, rnd: Round, a: W, b: W, c: W) -> W {
        if rnd != Round::Rn {
            return directed::fma(self, rnd, a, b, c);
        }
        let ([a, d], [b, e], [c, f]) = (self.widen_f32(a), self.widen_f32(b), self.widen_f32(c));
        let [rounded, _] = self.narrow_f64([sum_to_odd(a * b, c), sum_to_odd(d * e, f)]);
        rounded
    }
    fn integral(self, rnd: Round, a: W) -> W {
        rounding::integral(self, rnd, a)
    }
    fn to_i32(self, rnd: Round, a: W) -> W {
        let a = if rnd == Round::Rz { a } else { self.integral(rnd, a) };
        cast(f(a).fast_trunc_int())
    }
    fn of_i32(self, a: W) -> W {
        w(f32x4::from_i32x4(cast(a)))
    }
    fn sqrt(self, a: W) -> W {
        w(f(a).sqrt())
    }
    fn rsqrt(self, a: W) -> W {
        // As `half_rsqrt` at AVX2.
        let one = f64x2::splat(1.0);
        let [low, high] = self.widen_f32(a);
        let [rounded, _] = self.narrow_f64([one / low.sqrt(), one / high.sqrt()]);
        rounded
    }
    fn finish(self, end: End, nan: u32, x: W) -> W {
        let positive = Floats::max(self, x, W::splat(0));
        let d = match end {
            End::Sat => return Floats::min(self, positive, W::splat(1.0_f32.to_bits())),
            End::Relu => positive,
            End::Plain => x,
        };
        w(f(x).simd_ne(f(x))).bitselect(W::splat(nan), d)
    }
}

/// An operation on both vectors.
#[inline_in_release]
fn both([a, c]: [f64x2; 2], [b, d]: [f64x2; 2], f: impl Fn(f64x2, f64x2) -> f64x2) -> [f64x2; 2] {
    [f(a, b), f(c, d)]
}

#[inline_in_release]
impl Doubles for Simd128 {
    type V = [f64x2; 2];
    const FUSED: bool = false;

    fn splat(self, x: f64) -> Self::V {
        [f64x2::splat(x); 2]
    }
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a + b)
    }
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a - b)
    }
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a * b)
    }
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a / b)
    }
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        Doubles::add(self, Doubles::mul(self, a, b), c)
    }
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a & b)
    }
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a | b)
    }
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| a ^ b)
    }
    fn add_bits(self, a: Self::V, b: Self::V) -> Self::V {
        both(a, b, |a, b| cast(cast::<_, i64x2>(a) + cast::<_, i64x2>(b)))
    }
    fn shl(self, a: Self::V, k: u32) -> Self::V {
        both(a, a, |a, _| cast(cast::<_, u64x2>(a) << k))
    }
    fn shr(self, a: Self::V, k: u32) -> Self::V {
        both(a, a, |a, _| cast(cast::<_, u64x2>(a) >> k))
    }
}
