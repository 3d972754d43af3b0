//! AVX2's binary32 lanes and binary64 lanes.
// Invariant: a value of `Avx2` exists only where the CPU has AVX2, FMA and F16C.

use core::arch::x86_64::*;

use super::{Avx2, V, f, high, low, v};
use crate::backend::lanes::engine::{Doubles, End, Floats, Ints, groups};
use crate::backend::lanes::{directed, in_binary64, rsqrt, subnormal};
use crate::modifiers::Round;

#[inline_in_release]
fn splat(x: f32) -> __m256 {
    simd!(_mm256_set1_ps(x))
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline]
#[target_feature(enable = "avx2")]
fn fma_to_odd(p: __m256, c: __m256) -> V {
    let s = _mm256_add_ps(p, c);
    let z = _mm256_sub_ps(s, p);
    let lost_p = _mm256_sub_ps(p, _mm256_sub_ps(s, z));
    let error = _mm256_add_ps(lost_p, _mm256_sub_ps(c, z));
    // As `in_binary64::sum_to_odd`; an infinite sum has NaN for an error.
    let inexact = v(_mm256_cmp_ps::<_CMP_NEQ_OQ>(error, _mm256_setzero_ps()));
    let beyond = _mm256_srai_epi32::<31>(v(_mm256_xor_ps(error, s)));
    let truncated = _mm256_add_epi32(v(s), _mm256_and_si256(beyond, inexact));
    _mm256_or_si256(truncated, _mm256_srli_epi32::<31>(inexact))
}

/// A function of lanes that compilers vectorise.
#[inline_in_release]
fn each<const N: usize>(x: [V; N], f: impl Fn([u32; N]) -> u32) -> V {
    // SAFETY: both types are 32 bytes, and of any bits.
    let x = x.map(|x| unsafe { core::mem::transmute::<V, [u32; 8]>(x) });
    let d: [u32; 8] = core::array::from_fn(|i| f(core::array::from_fn(|k| x[k][i])));
    // SAFETY: both types are 32 bytes, and of any bits.
    unsafe { core::mem::transmute::<[u32; 8], V>(d) }
}

/// `1 / √x` of half a vector by a root and a division in binary64, whose roundings are off by 2^-52
/// of the result together: less than any result is from a tie of binary32 (see [`rsqrt`]).
#[inline_in_release]
fn half_rsqrt(x: __m128i) -> __m128i {
    let x = simd!(_mm256_cvtps_pd(simd!(_mm_castsi128_ps(x))));
    let d = simd!(_mm256_div_pd(simd!(_mm256_set1_pd(1.0)), simd!(_mm256_sqrt_pd(x))));
    simd!(_mm_castps_si128(simd!(_mm256_cvtpd_ps(d))))
}

#[inline_in_release]
impl Floats for Avx2 {
    type V = V;
    type M = V;
    groups!(Directed directed Absent;);
    const FUSED: bool = true;

    fn splat(self, x: f32) -> V {
        v(splat(x))
    }
    instructions! {
        V => V, f => v:
        add(a b) _mm256_add_ps; sub(a b) _mm256_sub_ps; mul(a b) _mm256_mul_ps; div(a b) _mm256_div_ps;
        max(a b) _mm256_max_ps; min(a b) _mm256_min_ps; mul_add(a b c) _mm256_fmadd_ps;
        sqrt(a) _mm256_sqrt_ps; lt(a b) _mm256_cmp_ps::<_CMP_LT_OQ>; le(a b) _mm256_cmp_ps::<_CMP_LE_OQ>;
        eq(a b) _mm256_cmp_ps::<_CMP_EQ_OQ>; unordered(a b) _mm256_cmp_ps::<_CMP_UNORD_Q>;
    }
    fn fma_f16(self, a: V, b: V, c: V) -> V {
        simd!(fma_to_odd(simd!(_mm256_mul_ps(f(a), f(b))), f(c)))
    }
    fn fma_bf16(self, a: V, b: V, c: V) -> V {
        let p = simd!(_mm256_mul_ps(f(a), f(b)));
        // The product is exact unless it is near either end; exponents of data are nowhere near, so
        // the branch is always taken or, for uniform bits, never.
        let magnitude = simd!(_mm256_andnot_ps(splat(-0.0), p));
        let small = simd!(_mm256_cmp_ps::<_CMP_LT_OQ>(magnitude, splat(f32::MIN_POSITIVE)));
        let large = simd!(_mm256_cmp_ps::<_CMP_NLT_UQ>(magnitude, splat(1.7e38)));
        let factor_zero = simd!(_mm256_or_ps(
            simd!(_mm256_cmp_ps::<_CMP_EQ_OQ>(f(a), splat(0.0))),
            simd!(_mm256_cmp_ps::<_CMP_EQ_OQ>(f(b), splat(0.0)))
        ));
        let outside = simd!(_mm256_andnot_ps(factor_zero, simd!(_mm256_or_ps(small, large))));
        if simd!(_mm256_movemask_ps(outside)) == 0 {
            simd!(fma_to_odd(p, f(c)))
        } else {
            each([a, b, c], |[a, b, c]| in_binary64::fma_bf16(a, b, c))
        }
    }
    fn add_rnd(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { Floats::add(self, a, b) } else { directed::add(self, rnd, a, b) }
    }
    fn mul_rnd(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { Floats::mul(self, a, b) } else { directed::mul(self, rnd, a, b) }
    }
    fn fma_rnd(self, rnd: Round, a: V, b: V, c: V) -> V {
        if rnd == Round::Rn { v(simd!(_mm256_fmadd_ps(f(a), f(b), f(c)))) } else { directed::fma(self, rnd, a, b, c) }
    }
    fn integral(self, rnd: Round, a: V) -> V {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        const ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
        const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
        v(match rnd {
            Round::Rn => simd!(_mm256_round_ps::<NEAREST>(f(a))),
            Round::Rz => simd!(_mm256_round_ps::<ZERO>(f(a))),
            Round::Rm => simd!(_mm256_round_ps::<DOWN>(f(a))),
            Round::Rp => simd!(_mm256_round_ps::<UP>(f(a))),
        })
    }
    fn to_i32(self, rnd: Round, a: V) -> V {
        match rnd {
            Round::Rn => simd!(_mm256_cvtps_epi32(f(a))),
            Round::Rz => simd!(_mm256_cvttps_epi32(f(a))),
            Round::Rm | Round::Rp => simd!(_mm256_cvttps_epi32(f(self.integral(rnd, a)))),
        }
    }
    fn of_i32(self, a: V) -> V {
        v(simd!(_mm256_cvtepi32_ps(a)))
    }
    fn rsqrt(self, a: V) -> V {
        // The estimate of a subnormal number is that of zero.
        if Ints::<u32>::any(self, subnormal::below(self, 1 << 23, a, a)) {
            return simd!(_mm256_set_m128i(half_rsqrt(high(a)), half_rsqrt(low(a))));
        }
        let estimate = simd!(_mm256_rsqrt_ps(f(a)));
        rsqrt::from_estimate(self, a, v(estimate))
    }
    fn finish(self, end: End, nan: u32, x: V) -> V {
        // Of a NaN, and of two zeros, `max` and `min` return the second operand.
        let d = match end {
            End::Sat => return v(simd!(_mm256_min_ps(simd!(_mm256_max_ps(f(x), splat(0.0))), splat(1.0)))),
            End::Relu => simd!(_mm256_max_ps(f(x), splat(0.0))),
            End::Plain => f(x),
        };
        #[inline]
        #[target_feature(enable = "avx")]
        fn with_nan(d: __m256, nan: u32, x: __m256) -> V {
            let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(x, x);
            v(_mm256_blendv_ps(d, _mm256_set1_ps(f32::from_bits(nan)), is_nan))
        }
        simd!(with_nan(d, nan, f(x)))
    }
}

doubles! {
    Avx2, __m256d: _mm256_castsi256_pd _mm256_castpd_si256 _mm256_set1_pd; _mm256_fmadd_pd;
    add _mm256_add_pd sub _mm256_sub_pd mul _mm256_mul_pd div _mm256_div_pd;
    and _mm256_and_si256 or _mm256_or_si256 xor _mm256_xor_si256 add_bits _mm256_add_epi64;
    shl _mm256_sll_epi64 shr _mm256_srl_epi64, _mm_cvtsi32_si128 i32;
}
