//! AVX2 with FMA and F16C.
// Invariant: a value of `Avx2` exists only where the CPU has AVX2, FMA and F16C; pointers are valid for the lanes that a call names.

use core::arch::x86_64::*;

use crate::backend::lanes::engine::{Engine, Lists, Lookup, Memory, Stream, Vectors, Work, groups, views};
use crate::backend::lanes::subnormal;
use crate::modifiers::Round;

mod each;
mod floats;
mod ints;
mod masks;
mod strided;

/// A CPU that has AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

#[inline_in_release]
impl Avx2 {
    /// # Safety
    /// The CPU has AVX2, FMA and F16C.
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type V = __m256i;

// The intrinsics for these casts are calls until LLVM inlines them, half of the calls in a kernel.
#[inline_in_release]
fn f(x: V) -> __m256 {
    // SAFETY: vectors of the same size, and of any bits.
    unsafe { core::mem::transmute::<V, __m256>(x) }
}

#[inline_in_release]
fn v(x: __m256) -> V {
    // SAFETY: vectors of the same size, and of any bits.
    unsafe { core::mem::transmute::<__m256, V>(x) }
}

#[inline_in_release]
fn low(x: V) -> __m128i {
    simd!(_mm256_castsi256_si128(x))
}

#[inline_in_release]
fn high(x: V) -> __m128i {
    simd!(_mm256_extracti128_si256::<1>(x))
}

#[inline_in_release]
impl Engine for Avx2 {
    views!();
    groups!(Lookup lookup Self; Pieces pieces Absent;);

    fn widen_f32(self, x: V) -> [__m256d; 2] {
        let high = simd!(_mm256_extractf128_ps::<1>(f(x)));
        [simd!(_mm256_cvtps_pd(simd!(_mm256_castps256_ps128(f(x))))), simd!(_mm256_cvtps_pd(high))]
    }
    fn narrow_f64(self, [low, high]: [__m256d; 2]) -> [V; 2] {
        let d = simd!(_mm256_set_m128(simd!(_mm256_cvtpd_ps(high)), simd!(_mm256_cvtpd_ps(low))));
        let (low, high) = (simd!(_mm256_castpd_ps(low)), simd!(_mm256_castpd_ps(high)));
        // Shuffling works within halves of the register.
        let even = v(simd!(_mm256_shuffle_ps::<0b10_00_10_00>(low, high)));
        [v(d), simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(even))]
    }
    fn entry(self, entries: &[f32; 8], index: V) -> V {
        // SAFETY: the list is a vector long.
        let entries = unsafe { _mm256_loadu_ps(entries.as_ptr()) };
        v(simd!(_mm256_permutevar8x32_ps(entries, index)))
    }
}

#[inline_in_release]
impl Lookup<V, V> for Avx2 {
    fn lookup(self, entries: &[f32; 16], index: V) -> V {
        let first = entries.as_ptr();
        // SAFETY: the list is two vectors long.
        let low = unsafe { _mm256_loadu_ps(first) };
        // SAFETY: as before.
        let high = unsafe { _mm256_loadu_ps(first.wrapping_add(8)) };
        let (low, high) = (simd!(_mm256_permutevar8x32_ps(low, index)), simd!(_mm256_permutevar8x32_ps(high, index)));
        // By its sign.
        let is_high = f(simd!(_mm256_slli_epi32::<28>(index)));
        v(simd!(_mm256_blendv_ps(low, high, is_high)))
    }
    fn differ(self, a: V, b: V) -> V {
        v(simd!(_mm256_cmp_ps::<_CMP_NEQ_UQ>(f(a), f(b))))
    }
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline]
#[target_feature(enable = "avx2")]
fn round_bf16(x: V) -> V {
    let last = _mm256_and_si256(_mm256_srli_epi32::<16>(x), _mm256_set1_epi32(1));
    _mm256_add_epi32(_mm256_add_epi32(x, _mm256_set1_epi32(0x7FFF)), last)
}

// The compiler inlines intrinsics into functions with the CPU's features before LLVM does. So a
// kernel has one call in the place of several, and a call's operands are in memory until LLVM
// promotes them.

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn widen_halves_f16(low: __m128i, high: __m128i) -> [V; 2] {
    [v(_mm256_cvtph_ps(low)), v(_mm256_cvtph_ps(high))]
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn widen_all_f16(x: V) -> [V; 2] {
    widen_halves_f16(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x))
}

/// Narrows to nearest.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow_to_halves_f16(low: V, high: V) -> [__m128i; 2] {
    [_mm256_cvtps_ph::<0>(f(low)), _mm256_cvtps_ph::<0>(f(high))]
}

/// The even lanes and the odd ones.
#[inline]
#[target_feature(enable = "avx2")]
fn widen_all_bf16(x: V) -> [V; 2] {
    [_mm256_slli_epi32::<16>(x), _mm256_and_si256(x, _mm256_set1_epi32(0xFFFF_0000_u32 as i32))]
}

#[inline_in_release]
impl Vectors for Avx2 {
    groups!(F16 f16 Absent; Stream stream Self;);
    type F16Register = [__m128i; 2];
    const LISTS: Lists = Lists::OfSome;
    const FINDS_NANS: bool = true;
    const FINDS_SUBNORMALS: bool = true;

    fn subnormal(self, x: V, y: V) -> V {
        subnormal::below(self, 1 << 23, x, y)
    }
    unsafe fn load_f16(self, p: *const u16) -> [V; 2] {
        // SAFETY: the caller's for the memory; a value of `Avx2` exists.
        let low = unsafe { _mm_loadu_si128(p.cast()) };
        // SAFETY: as before, of the second half.
        let high = unsafe { _mm_loadu_si128(p.wrapping_add(8).cast()) };
        [v(simd!(_mm256_cvtph_ps(low))), v(simd!(_mm256_cvtph_ps(high)))]
    }
    unsafe fn store_f16(self, p: *mut u16, x: [V; 2]) {
        let x = self.narrow_f16(x);
        // SAFETY: the caller's.
        unsafe { Memory::<u16>::store(self, p, x) }
    }
    fn widen_f16(self, x: V) -> [V; 2] {
        simd!(widen_all_f16(x))
    }
    // The even lanes and the odd ones.
    fn widen_bf16(self, x: V) -> [V; 2] {
        simd!(widen_all_bf16(x))
    }
    fn narrow_f16(self, x: [V; 2]) -> V {
        let [low, high] = simd!(narrow_to_halves_f16(x[0], x[1]));
        simd!(_mm256_set_m128i(high, low))
    }
    fn upper_halves(self, [even, odd]: [V; 2]) -> V {
        simd!(_mm256_blend_epi16::<0xAA>(simd!(_mm256_srli_epi32::<16>(even)), odd))
    }
    fn narrow_bf16(self, x: [V; 2]) -> V {
        self.upper_halves([simd!(round_bf16(x[0])), simd!(round_bf16(x[1]))])
    }
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
    fn widen_u16(self, x: V) -> [V; 2] {
        [simd!(_mm256_cvtepu16_epi32(low(x))), simd!(_mm256_cvtepu16_epi32(high(x)))]
    }
    fn narrow_u32(self, x: [V; 2]) -> V {
        // Packing works within halves of the register.
        simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(simd!(_mm256_packus_epi32(x[0], x[1]))))
    }
    unsafe fn load_u8(self, p: *const u8) -> [V; 4] {
        // SAFETY: the caller's for the memory; a value of `Avx2` exists.
        let a = unsafe { _mm_loadl_epi64(p.cast()) };
        // SAFETY: as before, of the second quarter.
        let b = unsafe { _mm_loadl_epi64(p.wrapping_add(8).cast()) };
        // SAFETY: as before, of the third quarter.
        let c = unsafe { _mm_loadl_epi64(p.wrapping_add(16).cast()) };
        // SAFETY: as before, of the last quarter.
        let d = unsafe { _mm_loadl_epi64(p.wrapping_add(24).cast()) };
        let (a, b) = (simd!(_mm256_cvtepu8_epi32(a)), simd!(_mm256_cvtepu8_epi32(b)));
        [a, b, simd!(_mm256_cvtepu8_epi32(c)), simd!(_mm256_cvtepu8_epi32(d))]
    }
    fn narrow_u8(self, [a, b, c, d]: [V; 4]) -> V {
        // As above, four bytes from each half of each vector.
        const ORDER: [u32; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
        let order = Memory::<u32>::read(self, &ORDER);
        let (low, high) = (simd!(_mm256_packus_epi32(a, b)), simd!(_mm256_packus_epi32(c, d)));
        simd!(_mm256_permutevar8x32_epi32(simd!(_mm256_packus_epi16(low, high)), order))
    }
    unsafe fn store_u8(self, p: *mut u8, x: V) {
        // SAFETY: the caller's for the memory; a value of `Avx2` exists.
        unsafe { _mm256_storeu_si256(p.cast(), x) }
    }
    fn to_register(self, x: V) -> [__m128i; 2] {
        [low(x), high(x)]
    }
    fn to_vector(self, [low, high]: [__m128i; 2]) -> V {
        simd!(_mm256_set_m128i(high, low))
    }
    fn widen_register(self, x: [__m128i; 2]) -> [V; 2] {
        simd!(widen_halves_f16(x[0], x[1]))
    }
    fn narrow_to_register(self, x: [V; 2]) -> [__m128i; 2] {
        simd!(narrow_to_halves_f16(x[0], x[1]))
    }
    fn select_registers(self, m: V, yes: [__m128i; 2], no: [__m128i; 2]) -> [__m128i; 2] {
        [simd!(_mm_blendv_epi8(no[0], yes[0], low(m))), simd!(_mm_blendv_epi8(no[1], yes[1], high(m)))]
    }
    fn cold_path<W: Work<Self>>(self, work: W) -> W::Output {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx2,fma,f16c")]
        fn run<W: Work<Avx2>>(e: Avx2, work: W) -> W::Output {
            work.run(e)
        }
        // SAFETY: a value of `Avx2` exists, so the CPU has the instructions.
        unsafe { run(self, work) }
    }
}

#[inline_in_release]
impl<B> Stream<B, V> for Avx2 {
    unsafe fn store(self, p: *mut B, x: V) {
        // SAFETY: the caller's for the memory; a value of `Avx2` exists.
        unsafe { _mm256_stream_si256(p.cast(), x) }
    }
    fn fence(self) {
        simd!(_mm_sfence())
    }
}
