//! AVX-512's binary32 lanes and binary64 lanes.

use core::arch::x86_64::*;

use super::{Avx512, NEAREST, V, f, v};
use crate::backend::lanes::engine::{Directed, Doubles, End, Floats, groups};
use crate::backend::lanes::rsqrt;
use crate::modifiers::Round;

const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
const ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

/// The intrinsic in the direction of `$rnd`.
macro_rules! rounded {
    ($rnd:ident $name:ident($($x:expr),*)) => {
        match $rnd {
            Round::Rn => simd!($name::<NEAREST>($($x),*)),
            Round::Rz => simd!($name::<ZERO>($($x),*)),
            Round::Rm => simd!($name::<DOWN>($($x),*)),
            Round::Rp => simd!($name::<UP>($($x),*)),
        }
    };
}

/// `vfixupimmps`: its answer for each kind of value, and `nan` for a NaN.
#[inline_in_release]
fn fixup(answers: u32, nan: u32, x: V) -> V {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn fixed(answers: u32, nan: u32, x: V) -> V {
        let (nan, answers) = (_mm512_set1_epi32(nan as i32), _mm512_set1_epi32(answers as i32));
        v(_mm512_fixupimm_ps::<0>(f(nan), f(x), answers))
    }
    simd!(fixed(answers, nan, x))
}

/// Returns the operand of `vfixupimmps` with these answers.
const fn answers(answers: [u32; 8]) -> u32 {
    let [a, b, c, d, e, f, g, h] = answers;
    a | b << 4 | c << 8 | d << 12 | e << 16 | f << 20 | g << 24 | h << 28
}

// Its answers.
const NAN: u32 = 0;
const SAME: u32 = 1;
const PLUS_ZERO: u32 = 8;
const ONE: u32 = 10;

/// `a × b + c` rounded to odd: of the results rounded down and up, the one whose last bit is 1.
///
/// If they differ they are neighbours, so exactly one is odd; if they are equal the sum is exact (a
/// zero sum of opposites differs in its sign, and the positive one is the even one's partner
/// taken). An overflow leaves the largest finite value, whose last bit is 1.
#[inline]
#[target_feature(enable = "avx512f")]
fn fma_to_odd(a: V, b: V, c: V) -> V {
    let down = v(_mm512_fmadd_round_ps::<DOWN>(f(a), f(b), f(c)));
    let up = v(_mm512_fmadd_round_ps::<UP>(f(a), f(b), f(c)));
    let odd = _mm512_test_epi32_mask(down, _mm512_set1_epi32(1));
    _mm512_mask_mov_epi32(up, odd, down)
}

#[inline_in_release]
impl<const FP16: bool> Floats for Avx512<FP16> {
    type V = V;
    type M = __mmask16;
    groups!(Directed directed Self;);
    const FUSED: bool = true;

    fn splat(self, x: f32) -> V {
        v(simd!(_mm512_set1_ps(x)))
    }
    instructions! {
        V => V, f => v:
        add(a b) _mm512_add_ps; sub(a b) _mm512_sub_ps; mul(a b) _mm512_mul_ps; div(a b) _mm512_div_ps;
        max(a b) _mm512_max_ps; min(a b) _mm512_min_ps; mul_add(a b c) _mm512_fmadd_ps;
        sqrt(a) _mm512_sqrt_ps;
    }
    fn fma_f16(self, a: V, b: V, c: V) -> V {
        simd!(fma_to_odd(a, b, c))
    }
    fn fma_bf16(self, a: V, b: V, c: V) -> V {
        simd!(fma_to_odd(a, b, c))
    }
    fn add_rnd(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_add_round_ps(f(a), f(b))))
    }
    fn mul_rnd(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_mul_round_ps(f(a), f(b))))
    }
    fn fma_rnd(self, rnd: Round, a: V, b: V, c: V) -> V {
        v(rounded!(rnd _mm512_fmadd_round_ps(f(a), f(b), f(c))))
    }
    fn integral(self, rnd: Round, a: V) -> V {
        v(rounded!(rnd _mm512_roundscale_ps(f(a))))
    }
    fn to_i32(self, rnd: Round, a: V) -> V {
        rounded!(rnd _mm512_cvt_roundps_epi32(f(a)))
    }
    fn of_i32(self, a: V) -> V {
        v(simd!(_mm512_cvtepi32_ps(a)))
    }
    fn rsqrt(self, a: V) -> V {
        rsqrt::from_estimate(self, a, v(simd!(_mm512_rsqrt14_ps(f(a)))))
    }
    fn finish(self, end: End, nan: u32, x: V) -> V {
        // Quiet NaN, signalling NaN, zero, one, −∞, +∞, negative, positive.
        match end {
            End::Plain => fixup(const { answers([NAN, NAN, SAME, SAME, SAME, SAME, SAME, SAME]) }, nan, x),
            End::Relu => {
                fixup(const { answers([NAN, NAN, PLUS_ZERO, SAME, PLUS_ZERO, SAME, PLUS_ZERO, SAME]) }, nan, x)
            }
            End::Sat => {
                let answers =
                    const { answers([PLUS_ZERO, PLUS_ZERO, PLUS_ZERO, ONE, PLUS_ZERO, ONE, PLUS_ZERO, SAME]) };
                v(simd!(_mm512_min_ps(f(fixup(answers, nan, x)), simd!(_mm512_set1_ps(1.0)))))
            }
        }
    }
    instructions! {
        V => __mmask16, f => same:
        lt(a b) _mm512_cmp_ps_mask::<_CMP_LT_OQ>; le(a b) _mm512_cmp_ps_mask::<_CMP_LE_OQ>;
        eq(a b) _mm512_cmp_ps_mask::<_CMP_EQ_OQ>; unordered(a b) _mm512_cmp_ps_mask::<_CMP_UNORD_Q>;
    }
}

#[inline_in_release]
impl<const FP16: bool> Directed<V> for Avx512<FP16> {
    fn div(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_div_round_ps(f(a), f(b))))
    }
    fn sqrt(self, rnd: Round, a: V) -> V {
        v(rounded!(rnd _mm512_sqrt_round_ps(f(a))))
    }
    fn of_i32(self, rnd: Round, a: V) -> V {
        v(rounded!(rnd _mm512_cvt_roundepi32_ps(a)))
    }
    fn of_u32(self, rnd: Round, a: V) -> V {
        v(rounded!(rnd _mm512_cvt_roundepu32_ps(a)))
    }
    fn to_u32(self, rnd: Round, a: V) -> V {
        rounded!(rnd _mm512_cvt_roundps_epu32(f(a)))
    }
}

doubles! {
    Avx512<FP16> where FP16: bool, __m512d: _mm512_castsi512_pd _mm512_castpd_si512 _mm512_set1_pd; _mm512_fmadd_pd;
    add _mm512_add_pd sub _mm512_sub_pd mul _mm512_mul_pd div _mm512_div_pd;
    and _mm512_and_si512 or _mm512_or_si512 xor _mm512_xor_si512 add_bits _mm512_add_epi64;
    shl _mm512_sll_epi64 shr _mm512_srl_epi64, _mm_cvtsi32_si128 i32;
}
