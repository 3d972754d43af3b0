//! AVX-512: F, BW, DQ and VL. Its instructions round in the direction that they name, whatever the mode is.
// Invariant: a value of `Avx512` exists only where the CPU has F, BW, DQ and VL; memory under a zero bit of a mask is not touched.

use core::arch::x86_64::*;

use super::{End, Engine, Lanes, simd};
use crate::modifiers::Round;

/// A CPU that has AVX-512 F, BW, DQ and VL.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The CPU has AVX-512 F, BW, DQ and VL.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type V = __m512i;

const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
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

macro_rules! lanes {
    (
        $bits:ident $signed:ident $mask:ident $n:literal $splat:ident $signs:ident $max:ident $min:ident $above:ident
        $equal:ident $blend:ident $load:ident $store:ident
    ) => {
        impl Lanes<$bits> for Avx512 {
            type V = V;
            type M = $mask;
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(self, p: *const $bits) -> V {
                // SAFETY: the caller's for the memory; a value of `Avx512` exists.
                unsafe { _mm512_loadu_si512(p.cast()) }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx512` exists.
                unsafe { _mm512_storeu_si512(p.cast(), x) }
            }
            #[inline(always)]
            unsafe fn stream(self, p: *mut $bits, x: V) {
                // SAFETY: the caller's for the memory; a value of `Avx512` exists.
                unsafe { _mm512_stream_si512(p.cast(), x) }
            }
            #[inline(always)]
            unsafe fn load_part(self, p: *const $bits, n: usize) -> V {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512` exists.
                unsafe { $load((1 << n) - 1, p.cast()) }
            }
            #[inline(always)]
            unsafe fn store_part(self, p: *mut $bits, n: usize, x: V) {
                // SAFETY: memory under a zero bit of the mask is not touched; a value of `Avx512` exists.
                unsafe { $store(p.cast(), (1 << n) - 1, x) }
            }
            #[inline(always)]
            fn splat(self, x: $bits) -> V {
                simd!($splat(x as $signed))
            }
            #[inline(always)]
            fn and(self, a: V, b: V) -> V {
                simd!(_mm512_and_si512(a, b))
            }
            #[inline(always)]
            fn or(self, a: V, b: V) -> V {
                simd!(_mm512_or_si512(a, b))
            }
            #[inline(always)]
            fn xor(self, a: V, b: V) -> V {
                simd!(_mm512_xor_si512(a, b))
            }
            #[inline(always)]
            fn signs(self, a: V) -> V {
                simd!($signs::<{ $bits::BITS - 1 }>(a))
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
            fn above(self, a: V, b: V) -> $mask {
                simd!($above(a, b))
            }
            #[inline(always)]
            fn equal(self, a: V, b: V) -> $mask {
                simd!($equal(a, b))
            }
            #[inline(always)]
            fn either(self, a: $mask, b: $mask) -> $mask {
                a | b
            }
            #[inline(always)]
            fn any(self, a: $mask) -> bool {
                a != 0
            }
            #[inline(always)]
            fn select(self, m: $mask, yes: V, no: V) -> V {
                simd!($blend(m, no, yes))
            }
        }
    };
}

lanes!(u16 i16 __mmask32 32 _mm512_set1_epi16 _mm512_srai_epi16 _mm512_max_epi16 _mm512_min_epi16
    _mm512_cmpgt_epi16_mask _mm512_cmpeq_epi16_mask _mm512_mask_blend_epi16 _mm512_maskz_loadu_epi16
    _mm512_mask_storeu_epi16);
lanes!(u32 i32 __mmask16 16 _mm512_set1_epi32 _mm512_srai_epi32 _mm512_max_epi32 _mm512_min_epi32
    _mm512_cmpgt_epi32_mask _mm512_cmpeq_epi32_mask _mm512_mask_blend_epi32 _mm512_maskz_loadu_epi32
    _mm512_mask_storeu_epi32);

#[inline(always)]
fn f(x: V) -> __m512 {
    simd!(_mm512_castsi512_ps(x))
}

#[inline(always)]
fn v(x: __m512) -> V {
    simd!(_mm512_castps_si512(x))
}

/// `vfixupimmps`' table: what to return for each kind of value, and `nan` for a NaN.
#[inline(always)]
fn fixup(table: [u32; 8], nan: u32, x: V) -> V {
    let [a, b, c, d, e, f7, g, h] = table;
    let table = a | b << 4 | c << 8 | d << 12 | e << 16 | f7 << 20 | g << 24 | h << 28;
    let (nan, table) = (simd!(_mm512_set1_epi32(nan as i32)), simd!(_mm512_set1_epi32(table as i32)));
    v(simd!(_mm512_fixupimm_ps::<0>(f(nan), f(x), table)))
}

// Its answers.
const NAN: u32 = 0;
const SAME: u32 = 1;
const PLUS_ZERO: u32 = 8;
const ONE: u32 = 10;

/// `a × b + c` rounded to odd: of the results rounded down and up, the one whose last bit is 1.
///
/// If they differ they are neighbours, so exactly one is odd; if they are equal the sum is exact (a zero sum of opposites
/// differs in its sign, and the positive one is the even one's partner taken). An overflow leaves the largest finite
/// value, whose last bit is 1.
#[inline(always)]
fn fma_to_odd(a: V, b: V, c: V) -> V {
    let down = v(simd!(_mm512_fmadd_round_ps::<DOWN>(f(a), f(b), f(c))));
    let up = v(simd!(_mm512_fmadd_round_ps::<UP>(f(a), f(b), f(c))));
    let odd = simd!(_mm512_test_epi32_mask(down, simd!(_mm512_set1_epi32(1))));
    simd!(_mm512_mask_mov_epi32(up, odd, down))
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline(always)]
fn round_bf16(e: Avx512, x: V) -> V {
    let last = simd!(_mm512_and_si512(simd!(_mm512_srli_epi32::<16>(x)), Lanes::<u32>::splat(e, 1)));
    let half = simd!(_mm512_add_epi32(x, Lanes::<u32>::splat(e, 0x7FFF)));
    simd!(_mm512_add_epi32(half, last))
}

/// `1 / √x` by way of binary64, whose error of two roundings reaches no tie of binary32: of the 2^25 significands that
/// there are, the tests try all.
#[inline(always)]
fn rsqrt_half(x: __m256i) -> __m256i {
    let x = simd!(_mm512_cvtps_pd(simd!(_mm256_castsi256_ps(x))));
    let d = simd!(_mm512_div_pd(simd!(_mm512_set1_pd(1.0)), simd!(_mm512_sqrt_pd(x))));
    simd!(_mm256_castps_si256(simd!(_mm512_cvtpd_ps(d))))
}

impl Engine for Avx512 {
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        v(simd!(_mm512_add_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        v(simd!(_mm512_sub_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        v(simd!(_mm512_mul_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        v(simd!(_mm512_div_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        v(simd!(_mm512_fmadd_ps(f(a), f(b), f(c))))
    }
    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        v(simd!(_mm512_max_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn min(self, a: V, b: V) -> V {
        v(simd!(_mm512_min_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn fma_f16(self, a: V, b: V, c: V) -> V {
        fma_to_odd(a, b, c)
    }
    #[inline(always)]
    fn fma_bf16(self, a: V, b: V, c: V) -> V {
        fma_to_odd(a, b, c)
    }
    #[inline(always)]
    fn add_f32(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_add_round_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn mul_f32(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_mul_round_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn fma_f32(self, rnd: Round, a: V, b: V, c: V) -> V {
        v(rounded!(rnd _mm512_fmadd_round_ps(f(a), f(b), f(c))))
    }
    const DIRECTED: bool = true;
    #[inline(always)]
    fn div_f32(self, rnd: Round, a: V, b: V) -> V {
        v(rounded!(rnd _mm512_div_round_ps(f(a), f(b))))
    }
    #[inline(always)]
    fn sqrt_f32(self, rnd: Round, a: V) -> V {
        v(rounded!(rnd _mm512_sqrt_round_ps(f(a))))
    }
    #[inline(always)]
    fn rsqrt_f32(self, a: V) -> V {
        let high = simd!(_mm512_extracti64x4_epi64::<1>(a));
        let low = simd!(_mm512_castsi512_si256(a));
        let (low, high) = (rsqrt_half(low), rsqrt_half(high));
        simd!(_mm512_inserti64x4::<1>(simd!(_mm512_castsi256_si512(low)), high))
    }
    #[inline(always)]
    fn finish(self, end: End, nan: u32, x: V) -> V {
        // Quiet NaN, signalling NaN, zero, one, −∞, +∞, negative, positive.
        match end {
            End::Plain => fixup([NAN, NAN, SAME, SAME, SAME, SAME, SAME, SAME], nan, x),
            End::Relu => fixup([NAN, NAN, PLUS_ZERO, SAME, PLUS_ZERO, SAME, PLUS_ZERO, SAME], nan, x),
            End::Sat => {
                let table = [PLUS_ZERO, PLUS_ZERO, PLUS_ZERO, ONE, PLUS_ZERO, ONE, PLUS_ZERO, SAME];
                v(simd!(_mm512_min_ps(f(fixup(table, nan, x)), simd!(_mm512_set1_ps(1.0)))))
            }
        }
    }

    #[inline(always)]
    unsafe fn load_f16(self, p: *const u16) -> [V; 2] {
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        let low = unsafe { _mm256_loadu_si256(p.cast()) };
        // SAFETY: as before, of the second half.
        let high = unsafe { _mm256_loadu_si256(p.wrapping_add(16).cast()) };
        [v(simd!(_mm512_cvtph_ps(low))), v(simd!(_mm512_cvtph_ps(high)))]
    }
    #[inline(always)]
    unsafe fn store_f16(self, p: *mut u16, x: [V; 2]) {
        let (low, high) = (simd!(_mm512_cvtps_ph::<NEAREST>(f(x[0]))), simd!(_mm512_cvtps_ph::<NEAREST>(f(x[1]))));
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        unsafe { _mm256_storeu_si256(p.cast(), low) };
        // SAFETY: as before, of the second half.
        unsafe { _mm256_storeu_si256(p.wrapping_add(16).cast(), high) };
    }
    #[inline(always)]
    fn expand(self, x: V) -> [V; 2] {
        let (low, high) = (simd!(_mm512_castsi512_si256(x)), simd!(_mm512_extracti64x4_epi64::<1>(x)));
        [simd!(_mm512_cvtepu16_epi32(low)), simd!(_mm512_cvtepu16_epi32(high))]
    }
    #[inline(always)]
    fn compress(self, x: [V; 2]) -> V {
        let (low, high) = (simd!(_mm512_cvtepi32_epi16(x[0])), simd!(_mm512_cvtepi32_epi16(x[1])));
        simd!(_mm512_inserti64x4::<1>(simd!(_mm512_castsi256_si512(low)), high))
    }
    #[inline(always)]
    fn sum(self, a: V, b: V) -> V {
        simd!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn up(self, a: V, k: u32) -> V {
        simd!(_mm512_sll_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    #[inline(always)]
    fn down(self, a: V, k: u32) -> V {
        simd!(_mm512_srl_epi32(a, simd!(_mm_cvtsi32_si128(k as i32))))
    }
    #[inline(always)]
    fn round_f16(self, rnd: Round, x: [V; 2]) -> V {
        const { assert!(_MM_FROUND_TO_NEAREST_INT == 0 && _MM_FROUND_TO_NEG_INF == 1 && _MM_FROUND_TO_POS_INF == 2) };
        let [low, high] = x;
        let (low, high) = match rnd {
            Round::Rn => (simd!(_mm512_cvtps_ph::<0>(f(low))), simd!(_mm512_cvtps_ph::<0>(f(high)))),
            Round::Rm => (simd!(_mm512_cvtps_ph::<1>(f(low))), simd!(_mm512_cvtps_ph::<1>(f(high)))),
            Round::Rp => (simd!(_mm512_cvtps_ph::<2>(f(low))), simd!(_mm512_cvtps_ph::<2>(f(high)))),
            Round::Rz => (simd!(_mm512_cvtps_ph::<3>(f(low))), simd!(_mm512_cvtps_ph::<3>(f(high)))),
        };
        simd!(_mm512_inserti64x4::<1>(simd!(_mm512_castsi256_si512(low)), high))
    }
    #[inline(always)]
    fn widen_f16(self, x: V) -> [V; 2] {
        let (low, high) = (simd!(_mm512_castsi512_si256(x)), simd!(_mm512_extracti64x4_epi64::<1>(x)));
        [v(simd!(_mm512_cvtph_ps(low))), v(simd!(_mm512_cvtph_ps(high)))]
    }
    #[inline(always)]
    fn narrow_f16(self, x: [V; 2]) -> V {
        let (low, high) = (simd!(_mm512_cvtps_ph::<NEAREST>(f(x[0]))), simd!(_mm512_cvtps_ph::<NEAREST>(f(x[1]))));
        simd!(_mm512_inserti64x4::<1>(simd!(_mm512_castsi256_si512(low)), high))
    }
    // The even lanes and the odd ones.
    #[inline(always)]
    fn widen_bf16(self, x: V) -> [V; 2] {
        [simd!(_mm512_slli_epi32::<16>(x)), simd!(_mm512_and_si512(x, Lanes::<u32>::splat(self, 0xFFFF_0000)))]
    }
    #[inline(always)]
    fn narrow_bf16(self, x: [V; 2]) -> V {
        let (even, odd) = (round_bf16(self, x[0]), round_bf16(self, x[1]));
        simd!(_mm512_mask_blend_epi16(0xAAAA_AAAA, simd!(_mm512_srli_epi32::<16>(even)), odd))
    }
    #[inline(always)]
    fn pick(self, table: &[f32; 16], index: V) -> Option<V> {
        // SAFETY: the table is a vector long.
        let table = unsafe { _mm512_loadu_ps(table.as_ptr()) };
        Some(v(simd!(_mm512_permutexvar_ps(index, table))))
    }
    type Doubles = Self;
    #[inline(always)]
    fn doubles(self) -> Self {
        self
    }
    #[inline(always)]
    fn widen_f32(self, x: V) -> [__m512d; 2] {
        let high = simd!(_mm512_extractf32x8_ps::<1>(f(x)));
        [simd!(_mm512_cvtps_pd(simd!(_mm512_castps512_ps256(f(x))))), simd!(_mm512_cvtps_pd(high))]
    }
    #[inline(always)]
    fn narrow_f64(self, [low, high]: [__m512d; 2]) -> [V; 2] {
        const EVEN: [u32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
        let (first, second) = (simd!(_mm512_cvtpd_ps(low)), simd!(_mm512_cvtpd_ps(high)));
        let d = simd!(_mm512_insertf32x8::<1>(simd!(_mm512_castps256_ps512(first)), second));
        // SAFETY: the array is a vector long.
        let even = unsafe { Lanes::<u32>::load(self, EVEN.as_ptr()) };
        let (low, high) = (simd!(_mm512_castpd_si512(low)), simd!(_mm512_castpd_si512(high)));
        [v(d), simd!(_mm512_permutex2var_epi32(low, even, high))]
    }
    #[inline(always)]
    fn fence(self) {
        simd!(_mm_sfence())
    }
}
