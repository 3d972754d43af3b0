//! AVX2 with FMA and F16C.
// Invariant: a value of `Avx2` exists only where the CPU has AVX2, FMA and F16C; pointers are valid for the lanes that a call names.

use core::arch::x86_64::*;

use super::{End, Engine, Lanes, double, simd};
use crate::modifiers::Round;

/// A CPU that has AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The CPU has AVX2, FMA and F16C.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type V = __m256i;

macro_rules! lanes {
    ($bits:ident $signed:ident $n:literal $splat:ident $signs:ident $max:ident $min:ident $above:ident $equal:ident) => {
        impl Lanes<$bits> for Avx2 {
            type V = V;
            /// All ones for true.
            type M = V;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(self, p: *const $bits) -> V {
                // SAFETY: the caller's for the memory; a value of `Avx2` exists.
                unsafe { _mm256_loadu_si256(p.cast()) }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx2` exists.
                unsafe { _mm256_storeu_si256(p.cast(), x) }
            }
            #[inline(always)]
            unsafe fn stream(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx2` exists.
                unsafe { _mm256_stream_si256(p.cast(), x) }
            }
            #[inline(always)]
            unsafe fn load_part(self, p: *const $bits, n: usize) -> V {
                let mut x = [0; $n];
                // SAFETY: the caller's for the source; `n` is below the array's length.
                unsafe { p.copy_to_nonoverlapping(x.as_mut_ptr(), n) }
                // SAFETY: the array is a vector long.
                unsafe { self.load(x.as_ptr()) }
            }
            #[inline(always)]
            unsafe fn store_part(self, p: *mut $bits, n: usize, x: V) {
                let mut all = [0; $n];
                // SAFETY: the array is a vector long.
                unsafe { self.store(all.as_mut_ptr(), x) }
                // SAFETY: the caller's for the destination; `n` is below the array's length.
                unsafe { all.as_ptr().copy_to_nonoverlapping(p, n) }
            }
            #[inline(always)]
            fn splat(self, x: $bits) -> V {
                simd!($splat(x as $signed))
            }
            #[inline(always)]
            fn and(self, a: V, b: V) -> V {
                simd!(_mm256_and_si256(a, b))
            }
            #[inline(always)]
            fn or(self, a: V, b: V) -> V {
                simd!(_mm256_or_si256(a, b))
            }
            #[inline(always)]
            fn xor(self, a: V, b: V) -> V {
                simd!(_mm256_xor_si256(a, b))
            }
            #[inline(always)]
            fn signs(self, a: V) -> V {
                simd!($signs::<{ $bits::BITS as i32 - 1 }>(a))
            }
            #[inline(always)]
            fn larger(self, a: V, b: V) -> V {
                simd!($max(a, b))
            }
            #[inline(always)]
            fn smaller(self, a: V, b: V) -> V {
                simd!($min(a, b))
            }
            #[inline(always)]
            fn above(self, a: V, b: V) -> V {
                simd!($above(a, b))
            }
            #[inline(always)]
            fn equal(self, a: V, b: V) -> V {
                simd!($equal(a, b))
            }
            #[inline(always)]
            fn either(self, a: V, b: V) -> V {
                simd!(_mm256_or_si256(a, b))
            }
            #[inline(always)]
            fn any(self, a: V) -> bool {
                simd!(_mm256_testz_si256(a, a)) == 0
            }
            #[inline(always)]
            fn select(self, m: V, yes: V, no: V) -> V {
                simd!(_mm256_blendv_epi8(no, yes, m))
            }
        }
    };
}

lanes!(u16 i16 16 _mm256_set1_epi16 _mm256_srai_epi16
    _mm256_max_epi16 _mm256_min_epi16 _mm256_cmpgt_epi16 _mm256_cmpeq_epi16);
lanes!(u32 i32 8 _mm256_set1_epi32 _mm256_srai_epi32
    _mm256_max_epi32 _mm256_min_epi32 _mm256_cmpgt_epi32 _mm256_cmpeq_epi32);

#[inline(always)]
fn f(x: V) -> __m256 {
    simd!(_mm256_castsi256_ps(x))
}

#[inline(always)]
fn v(x: __m256) -> V {
    simd!(_mm256_castps_si256(x))
}

#[inline(always)]
fn splat(x: f32) -> __m256 {
    simd!(_mm256_set1_ps(x))
}

/// `a × b + c` rounded to odd, where the product is exact in binary32.
#[inline(always)]
fn fma_to_odd(p: __m256, c: __m256) -> V {
    let s = simd!(_mm256_add_ps(p, c));
    let z = simd!(_mm256_sub_ps(s, p));
    let lost_p = simd!(_mm256_sub_ps(p, simd!(_mm256_sub_ps(s, z))));
    let error = simd!(_mm256_add_ps(lost_p, simd!(_mm256_sub_ps(c, z))));
    // As `double::sum_to_odd`; an infinite sum has NaN for an error.
    let inexact = v(simd!(_mm256_cmp_ps::<_CMP_NEQ_OQ>(error, splat(0.0))));
    let beyond = simd!(_mm256_srai_epi32::<31>(v(simd!(_mm256_xor_ps(error, s)))));
    let truncated = simd!(_mm256_add_epi32(v(s), simd!(_mm256_and_si256(beyond, inexact))));
    simd!(_mm256_or_si256(truncated, simd!(_mm256_srli_epi32::<31>(inexact))))
}

/// A function of lanes that compilers vectorise.
#[inline(always)]
fn each<const N: usize>(x: [V; N], f: impl Fn([u32; N]) -> u32) -> V {
    // SAFETY: both types are 32 bytes, and of any bits.
    let x = x.map(|x| unsafe { core::mem::transmute::<V, [u32; 8]>(x) });
    let d: [u32; 8] = core::array::from_fn(|i| f(core::array::from_fn(|k| x[k][i])));
    // SAFETY: both types are 32 bytes, and of any bits.
    unsafe { core::mem::transmute::<[u32; 8], V>(d) }
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline(always)]
fn round_bf16(e: Avx2, x: V) -> V {
    let last = simd!(_mm256_and_si256(simd!(_mm256_srli_epi32::<16>(x)), Lanes::<u32>::splat(e, 1)));
    let half = simd!(_mm256_add_epi32(x, Lanes::<u32>::splat(e, 0x7FFF)));
    simd!(_mm256_add_epi32(half, last))
}

/// `1 / √x` by way of binary64, as at AVX-512.
#[inline(always)]
fn rsqrt_half(x: __m128i) -> __m128i {
    let x = simd!(_mm256_cvtps_pd(simd!(_mm_castsi128_ps(x))));
    let d = simd!(_mm256_div_pd(simd!(_mm256_set1_pd(1.0)), simd!(_mm256_sqrt_pd(x))));
    simd!(_mm_castps_si128(simd!(_mm256_cvtpd_ps(d))))
}

impl Engine for Avx2 {
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        v(simd!(_mm256_add_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        v(simd!(_mm256_sub_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        v(simd!(_mm256_mul_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        v(simd!(_mm256_div_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        v(simd!(_mm256_fmadd_ps(f(a), f(b), f(c))))
    }
    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        v(simd!(_mm256_max_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn min(self, a: V, b: V) -> V {
        v(simd!(_mm256_min_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn fma_f16(self, a: V, b: V, c: V) -> V {
        fma_to_odd(simd!(_mm256_mul_ps(f(a), f(b))), f(c))
    }
    #[inline(always)]
    fn fma_bf16(self, a: V, b: V, c: V) -> V {
        let p = simd!(_mm256_mul_ps(f(a), f(b)));
        // The product is exact unless it is near either end; exponents of data are nowhere near, so the branch is always
        // taken or, for uniform bits, never. As `portable::exact_product`.
        let magnitude = simd!(_mm256_andnot_ps(splat(-0.0), p));
        let small = simd!(_mm256_cmp_ps::<_CMP_LT_OQ>(magnitude, splat(f32::MIN_POSITIVE)));
        let large = simd!(_mm256_cmp_ps::<_CMP_NLT_UQ>(magnitude, splat(1.7e38)));
        let factor_zero = simd!(_mm256_or_ps(
            simd!(_mm256_cmp_ps::<_CMP_EQ_OQ>(f(a), splat(0.0))),
            simd!(_mm256_cmp_ps::<_CMP_EQ_OQ>(f(b), splat(0.0)))
        ));
        let outside = simd!(_mm256_andnot_ps(factor_zero, simd!(_mm256_or_ps(small, large))));
        if simd!(_mm256_movemask_ps(outside)) == 0 {
            fma_to_odd(p, f(c))
        } else {
            each([a, b, c], |[a, b, c]| double::fma_bf16(a, b, c))
        }
    }
    #[inline(always)]
    fn add_f32(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { self.add(a, b) } else { each([a, b], |[a, b]| double::add_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn mul_f32(self, rnd: Round, a: V, b: V) -> V {
        if rnd == Round::Rn { self.mul(a, b) } else { each([a, b], |[a, b]| double::mul_f32(rnd, a, b)) }
    }
    #[inline(always)]
    fn fma_f32(self, rnd: Round, a: V, b: V, c: V) -> V {
        if rnd == Round::Rn {
            v(simd!(_mm256_fmadd_ps(f(a), f(b), f(c))))
        } else {
            each([a, b, c], |[a, b, c]| double::fma_f32(rnd, a, b, c))
        }
    }
    #[inline(always)]
    fn div_f32(self, _: Round, a: V, b: V) -> V {
        self.div(a, b)
    }
    #[inline(always)]
    fn sqrt_f32(self, _: Round, a: V) -> V {
        v(simd!(_mm256_sqrt_ps(f(a))))
    }
    #[inline(always)]
    fn rsqrt_f32(self, a: V) -> V {
        let (low, high) = (simd!(_mm256_castsi256_si128(a)), simd!(_mm256_extracti128_si256::<1>(a)));
        simd!(_mm256_set_m128i(rsqrt_half(high), rsqrt_half(low)))
    }
    #[inline(always)]
    fn finish(self, end: End, nan: u32, x: V) -> V {
        // Of a NaN, and of two zeros, `max` and `min` return the second operand.
        let positive = simd!(_mm256_max_ps(f(x), splat(0.0)));
        let d = match end {
            End::Sat => return v(simd!(_mm256_min_ps(positive, splat(1.0)))),
            End::Relu => positive,
            End::Plain => f(x),
        };
        let is_nan = simd!(_mm256_cmp_ps::<_CMP_UNORD_Q>(f(x), f(x)));
        v(simd!(_mm256_blendv_ps(d, splat(f32::from_bits(nan)), is_nan)))
    }

    #[inline(always)]
    unsafe fn load_f16(self, p: *const u16) -> [V; 2] {
        // SAFETY: the caller's for the memory; a value of `Avx2` exists.
        let low = unsafe { _mm_loadu_si128(p.cast()) };
        // SAFETY: as before, of the second half.
        let high = unsafe { _mm_loadu_si128(p.wrapping_add(8).cast()) };
        [v(simd!(_mm256_cvtph_ps(low))), v(simd!(_mm256_cvtph_ps(high)))]
    }
    #[inline(always)]
    fn expand(self, x: V) -> [V; 2] {
        let (low, high) = (simd!(_mm256_castsi256_si128(x)), simd!(_mm256_extracti128_si256::<1>(x)));
        [simd!(_mm256_cvtepu16_epi32(low)), simd!(_mm256_cvtepu16_epi32(high))]
    }
    #[inline(always)]
    fn compress(self, x: [V; 2]) -> V {
        // Packing works within halves of the register.
        simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(simd!(_mm256_packus_epi32(x[0], x[1]))))
    }
    #[inline(always)]
    fn sum(self, a: V, b: V) -> V {
        simd!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn up(self, a: V, k: u32) -> V {
        simd!(_mm256_sll_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    #[inline(always)]
    fn down(self, a: V, k: u32) -> V {
        simd!(_mm256_srl_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    #[inline(always)]
    fn round_f16(self, rnd: Round, x: [V; 2]) -> V {
        const { assert!(_MM_FROUND_TO_NEAREST_INT == 0 && _MM_FROUND_TO_NEG_INF == 1 && _MM_FROUND_TO_POS_INF == 2) };
        let [low, high] = x;
        let (low, high) = match rnd {
            Round::Rn => (simd!(_mm256_cvtps_ph::<0>(f(low))), simd!(_mm256_cvtps_ph::<0>(f(high)))),
            Round::Rm => (simd!(_mm256_cvtps_ph::<1>(f(low))), simd!(_mm256_cvtps_ph::<1>(f(high)))),
            Round::Rp => (simd!(_mm256_cvtps_ph::<2>(f(low))), simd!(_mm256_cvtps_ph::<2>(f(high)))),
            Round::Rz => (simd!(_mm256_cvtps_ph::<3>(f(low))), simd!(_mm256_cvtps_ph::<3>(f(high)))),
        };
        simd!(_mm256_set_m128i(high, low))
    }
    #[inline(always)]
    fn widen_f16(self, x: V) -> [V; 2] {
        let (low, high) = (simd!(_mm256_castsi256_si128(x)), simd!(_mm256_extracti128_si256::<1>(x)));
        [v(simd!(_mm256_cvtph_ps(low))), v(simd!(_mm256_cvtph_ps(high)))]
    }
    #[inline(always)]
    fn narrow_f16(self, x: [V; 2]) -> V {
        let (low, high) = (
            simd!(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(f(x[0]))),
            simd!(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(f(x[1]))),
        );
        simd!(_mm256_set_m128i(high, low))
    }
    // The even lanes and the odd ones.
    #[inline(always)]
    fn widen_bf16(self, x: V) -> [V; 2] {
        [simd!(_mm256_slli_epi32::<16>(x)), simd!(_mm256_and_si256(x, Lanes::<u32>::splat(self, 0xFFFF_0000)))]
    }
    #[inline(always)]
    fn narrow_bf16(self, x: [V; 2]) -> V {
        let (even, odd) = (round_bf16(self, x[0]), round_bf16(self, x[1]));
        simd!(_mm256_blend_epi16::<0xAA>(simd!(_mm256_srli_epi32::<16>(even)), odd))
    }
    #[inline(always)]
    fn pick(self, table: &[f32; 16], index: V) -> Option<V> {
        let first = table.as_ptr();
        // SAFETY: the table is two vectors long.
        let low = unsafe { _mm256_loadu_ps(first) };
        // SAFETY: as before.
        let high = unsafe { _mm256_loadu_ps(first.wrapping_add(8)) };
        let (low, high) = (simd!(_mm256_permutevar8x32_ps(low, index)), simd!(_mm256_permutevar8x32_ps(high, index)));
        // By its sign.
        let is_high = f(simd!(_mm256_slli_epi32::<28>(index)));
        Some(v(simd!(_mm256_blendv_ps(low, high, is_high))))
    }
    type Doubles = Self;
    #[inline(always)]
    fn doubles(self) -> Self {
        self
    }
    #[inline(always)]
    fn widen_f32(self, x: V) -> [__m256d; 2] {
        let high = simd!(_mm256_extractf128_ps::<1>(f(x)));
        [simd!(_mm256_cvtps_pd(simd!(_mm256_castps256_ps128(f(x))))), simd!(_mm256_cvtps_pd(high))]
    }
    #[inline(always)]
    fn narrow_f64(self, [low, high]: [__m256d; 2]) -> [V; 2] {
        let d = simd!(_mm256_set_m128(simd!(_mm256_cvtpd_ps(high)), simd!(_mm256_cvtpd_ps(low))));
        let (low, high) = (simd!(_mm256_castpd_ps(low)), simd!(_mm256_castpd_ps(high)));
        // Shuffling works within halves of the register.
        let even = v(simd!(_mm256_shuffle_ps::<0b10_00_10_00>(low, high)));
        [v(d), simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(even))]
    }
    #[inline(always)]
    fn fence(self) {
        simd!(_mm_sfence())
    }
}
