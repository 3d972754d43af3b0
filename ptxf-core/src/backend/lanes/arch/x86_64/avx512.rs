//! AVX-512: F, BW, DQ and VL, with its own arithmetic on f16 (FP16) or without. Its instructions
//! round in the direction that they name, whatever the mode is.
// Invariant: a value of `Avx512` exists only where the CPU has F, BW, DQ, VL, and FP16 if it says so; pointers are valid as a call says.

use core::arch::x86_64::*;

use crate::backend::lanes::engine::{
    Doubles as _, Engine, Lists, Lookup, Memory, Pieces, Stream, Vectors, Work, groups, views,
};
use crate::modifiers::Round;

mod floats;
mod fp16;
mod ints;
mod masks;
mod strided;

/// A CPU that has AVX-512 F, BW, DQ and VL, and if `FP16` arithmetic on f16.
#[derive(Clone, Copy)]
pub(crate) struct Avx512<const FP16: bool>(());

#[inline_in_release]
impl<const FP16: bool> Avx512<FP16> {
    /// # Safety
    /// The CPU has AVX-512 F, BW, DQ and VL, and if `FP16` arithmetic on f16.
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

type V = __m512i;

const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

// The intrinsics for these casts are calls until LLVM inlines them, half of the calls in a kernel.
#[inline_in_release]
fn f(x: V) -> __m512 {
    // SAFETY: vectors of the same size, and of any bits.
    unsafe { core::mem::transmute::<V, __m512>(x) }
}

#[inline_in_release]
fn v(x: __m512) -> V {
    // SAFETY: vectors of the same size, and of any bits.
    unsafe { core::mem::transmute::<__m512, V>(x) }
}

#[inline_in_release]
fn low(x: V) -> __m256i {
    simd!(_mm512_castsi512_si256(x))
}

#[inline_in_release]
fn high(x: V) -> __m256i {
    simd!(_mm512_extracti64x4_epi64::<1>(x))
}

#[inline_in_release]
impl<const FP16: bool> Engine for Avx512<FP16> {
    views!();
    groups!(Lookup lookup Self; Pieces pieces Self;);

    fn widen_f32(self, x: V) -> [__m512d; 2] {
        let high = simd!(_mm512_extractf32x8_ps::<1>(f(x)));
        [simd!(_mm512_cvtps_pd(simd!(_mm512_castps512_ps256(f(x))))), simd!(_mm512_cvtps_pd(high))]
    }
    fn quotient(self, a: [__m512d; 2], b: [__m512d; 2]) -> [__m512d; 2] {
        let e = self.f64();
        // Half as long as the division unit takes: 14 bits, and twice as many, twice.
        let mut r = [simd!(_mm512_rcp14_pd(b[0])), simd!(_mm512_rcp14_pd(b[1]))];
        let (one, sign) = (e.splat(1.0), e.splat(-0.0));
        let minus_b = e.xor(b, sign);
        let mut step = 0;
        while step < 2 {
            r = e.mul_add(r, e.mul_add(minus_b, r, one), r);
            step += 1;
        }
        e.mul(a, r)
    }
    fn narrow_f64(self, [low, high]: [__m512d; 2]) -> [V; 2] {
        const EVEN: [u32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
        let (first, second) = (simd!(_mm512_cvtpd_ps(low)), simd!(_mm512_cvtpd_ps(high)));
        let d = simd!(_mm512_insertf32x8::<1>(simd!(_mm512_castps256_ps512(first)), second));
        let even = Memory::<u32>::read(self, &EVEN);
        let (low, high) = (simd!(_mm512_castpd_si512(low)), simd!(_mm512_castpd_si512(high)));
        [v(d), simd!(_mm512_permutex2var_epi32(low, even, high))]
    }
    fn entry(self, entries: &[f32; 8], index: V) -> V {
        // SAFETY: the list is half a vector long.
        let entries = unsafe { _mm256_loadu_ps(entries.as_ptr()) };
        // Both halves are the list, so that the bit above the three makes no difference.
        v(simd!(_mm512_permutexvar_ps(index, simd!(_mm512_broadcast_f32x8(entries)))))
    }
}

#[inline_in_release]
impl<const FP16: bool> Lookup<V, __mmask16> for Avx512<FP16> {
    fn lookup(self, entries: &[f32; 16], index: V) -> V {
        // SAFETY: the list is a vector long.
        let entries = unsafe { _mm512_loadu_ps(entries.as_ptr()) };
        v(simd!(_mm512_permutexvar_ps(index, entries)))
    }
    fn differ(self, a: V, b: V) -> __mmask16 {
        simd!(_mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(f(a), f(b)))
    }
}

#[inline_in_release]
impl<const FP16: bool> Pieces<V> for Avx512<FP16> {
    fn entry(self, entries: &[f32; 32], index: V) -> V {
        let first = entries.as_ptr();
        // SAFETY: the list is two vectors long.
        let low = unsafe { _mm512_loadu_ps(first) };
        // SAFETY: as before.
        let high = unsafe { _mm512_loadu_ps(first.wrapping_add(16)) };
        v(simd!(_mm512_permutex2var_ps(low, index, high)))
    }
    fn exponent(self, x: V) -> V {
        v(simd!(_mm512_getexp_ps(f(x))))
    }
    fn significand(self, x: V) -> V {
        v(simd!(_mm512_getmant_ps::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_NAN>(f(x))))
    }
}

// The compiler inlines intrinsics into functions with the CPU's features before LLVM does. So a
// kernel has one call in the place of several, and a call's operands are in memory until LLVM
// promotes them.

#[inline]
#[target_feature(enable = "avx512f")]
fn join(low: __m256i, high: __m256i) -> V {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

// With an instruction that suppresses exceptions, the operand could not come from memory.
#[inline]
#[target_feature(enable = "avx512f")]
fn widen_f16(x: __m256i) -> V {
    v(_mm512_cvt_roundph_ps::<_MM_FROUND_CUR_DIRECTION>(x))
}

/// Widens the lower halves of two registers.
#[inline]
#[target_feature(enable = "avx512f")]
fn widen_lower_f16(low: V, high: V) -> [V; 2] {
    [widen_f16(_mm512_castsi512_si256(low)), widen_f16(_mm512_castsi512_si256(high))]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn widen_all_f16(x: V) -> [V; 2] {
    [widen_f16(_mm512_castsi512_si256(x)), widen_f16(_mm512_extracti64x4_epi64::<1>(x))]
}

/// Narrows to the lower halves of two registers, to nearest.
#[inline]
#[target_feature(enable = "avx512f")]
fn narrow_to_lower_f16(low: V, high: V) -> [V; 2] {
    let (low, high) = (_mm512_cvtps_ph::<NEAREST>(f(low)), _mm512_cvtps_ph::<NEAREST>(f(high)));
    [_mm512_castsi256_si512(low), _mm512_castsi256_si512(high)]
}

/// Narrows to nearest.
#[inline]
#[target_feature(enable = "avx512f")]
fn narrow_all_f16(low: V, high: V) -> V {
    join(_mm512_cvtps_ph::<NEAREST>(f(low)), _mm512_cvtps_ph::<NEAREST>(f(high)))
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline]
#[target_feature(enable = "avx512f")]
fn round_bf16(x: V) -> V {
    let last = _mm512_and_si512(_mm512_srli_epi32::<16>(x), _mm512_set1_epi32(1));
    _mm512_add_epi32(_mm512_add_epi32(x, _mm512_set1_epi32(0x7FFF)), last)
}

/// The even lanes and the odd ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn widen_all_bf16(x: V) -> [V; 2] {
    let upper = _mm512_set1_epi32(0xFFFF_0000_u32 as i32);
    [_mm512_slli_epi32::<16>(x), _mm512_and_si512(x, upper)]
}

#[inline_in_release]
impl<const FP16: bool> Vectors for Avx512<FP16> {
    type F16 = fp16::Fp16;
    groups!(Stream stream Self;);
    /// Halves, or with its own arithmetic a vector, and nothing.
    type F16Register = [V; 2];
    const LISTS: Lists = Lists::None;
    const FINDS_NANS: bool = true;
    const FINDS_SUBNORMALS: bool = true;

    fn subnormal(self, x: V, y: V) -> __mmask16 {
        const DENORMAL: i32 = 1 << 5;
        simd!(_mm512_fpclass_ps_mask::<DENORMAL>(f(x))) | simd!(_mm512_fpclass_ps_mask::<DENORMAL>(f(y)))
    }

    unsafe fn load_f16(self, p: *const u16) -> [V; 2] {
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        let low = unsafe { _mm256_loadu_si256(p.cast()) };
        // SAFETY: as before, of the second half.
        let high = unsafe { _mm256_loadu_si256(p.wrapping_add(16).cast()) };
        [simd!(widen_f16(low)), simd!(widen_f16(high))]
    }
    unsafe fn store_f16(self, p: *mut u16, x: [V; 2]) {
        const TO_NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        let (low, high) =
            (simd!(_mm512_cvtps_ph::<TO_NEAREST>(f(x[0]))), simd!(_mm512_cvtps_ph::<TO_NEAREST>(f(x[1]))));
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        unsafe { _mm256_storeu_si256(p.cast(), low) };
        // SAFETY: as before, of the second half.
        unsafe { _mm256_storeu_si256(p.wrapping_add(16).cast(), high) };
    }
    fn widen_f16(self, x: V) -> [V; 2] {
        simd!(widen_all_f16(x))
    }
    // The even lanes and the odd ones.
    fn widen_bf16(self, x: V) -> [V; 2] {
        simd!(widen_all_bf16(x))
    }
    fn narrow_f16(self, x: [V; 2]) -> V {
        simd!(narrow_all_f16(x[0], x[1]))
    }
    fn upper_halves(self, [even, odd]: [V; 2]) -> V {
        simd!(_mm512_mask_blend_epi16(0xAAAA_AAAA, simd!(_mm512_srli_epi32::<16>(even)), odd))
    }
    fn narrow_bf16(self, x: [V; 2]) -> V {
        let (even, odd) = (simd!(round_bf16(x[0])), simd!(round_bf16(x[1])));
        self.upper_halves([even, odd])
    }
    fn round_f16(self, rnd: Round, x: [V; 2]) -> V {
        const { assert!(_MM_FROUND_TO_NEAREST_INT == 0 && _MM_FROUND_TO_NEG_INF == 1 && _MM_FROUND_TO_POS_INF == 2) };
        let [low, high] = x;
        let (low, high) = match rnd {
            Round::Rn => (simd!(_mm512_cvtps_ph::<0>(f(low))), simd!(_mm512_cvtps_ph::<0>(f(high)))),
            Round::Rm => (simd!(_mm512_cvtps_ph::<1>(f(low))), simd!(_mm512_cvtps_ph::<1>(f(high)))),
            Round::Rp => (simd!(_mm512_cvtps_ph::<2>(f(low))), simd!(_mm512_cvtps_ph::<2>(f(high)))),
            Round::Rz => (simd!(_mm512_cvtps_ph::<3>(f(low))), simd!(_mm512_cvtps_ph::<3>(f(high)))),
        };
        simd!(join(low, high))
    }
    fn widen_u16(self, x: V) -> [V; 2] {
        [simd!(_mm512_cvtepu16_epi32(low(x))), simd!(_mm512_cvtepu16_epi32(high(x)))]
    }
    fn narrow_u32(self, x: [V; 2]) -> V {
        // Packing works within quarters of the register; narrowing each vector by itself would take
        // more instructions.
        const ORDER: [u32; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];
        let order = Memory::<u32>::read(self, &ORDER);
        simd!(_mm512_permutexvar_epi32(order, simd!(_mm512_packus_epi32(x[0], x[1]))))
    }
    unsafe fn load_u8(self, p: *const u8) -> [V; 4] {
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        let a = unsafe { _mm_loadu_si128(p.cast()) };
        // SAFETY: as before, of the second quarter.
        let b = unsafe { _mm_loadu_si128(p.wrapping_add(16).cast()) };
        // SAFETY: as before, of the third quarter.
        let c = unsafe { _mm_loadu_si128(p.wrapping_add(32).cast()) };
        // SAFETY: as before, of the last quarter.
        let d = unsafe { _mm_loadu_si128(p.wrapping_add(48).cast()) };
        let (a, b) = (simd!(_mm512_cvtepu8_epi32(a)), simd!(_mm512_cvtepu8_epi32(b)));
        [a, b, simd!(_mm512_cvtepu8_epi32(c)), simd!(_mm512_cvtepu8_epi32(d))]
    }
    fn narrow_u8(self, [a, b, c, d]: [V; 4]) -> V {
        // As above, four bytes from each quarter of each vector.
        const ORDER: [u32; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
        let order = Memory::<u32>::read(self, &ORDER);
        let (low, high) = (simd!(_mm512_packus_epi32(a, b)), simd!(_mm512_packus_epi32(c, d)));
        simd!(_mm512_permutexvar_epi32(order, simd!(_mm512_packus_epi16(low, high))))
    }
    unsafe fn store_u8(self, p: *mut u8, x: V) {
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        unsafe { _mm512_storeu_si512(p.cast(), x) }
    }
    fn to_register(self, x: V) -> [V; 2] {
        if FP16 {
            return [x, simd!(_mm512_setzero_si512())];
        }
        [simd!(_mm512_castsi256_si512(low(x))), simd!(_mm512_castsi256_si512(high(x)))]
    }
    fn to_vector(self, x: [V; 2]) -> V {
        if FP16 { x[0] } else { simd!(join(low(x[0]), low(x[1]))) }
    }
    fn widen_register(self, x: [V; 2]) -> [V; 2] {
        if FP16 { self.widen_f16(x[0]) } else { simd!(widen_lower_f16(x[0], x[1])) }
    }
    fn narrow_to_register(self, x: [V; 2]) -> [V; 2] {
        if FP16 { self.to_register(self.narrow_f16(x)) } else { simd!(narrow_to_lower_f16(x[0], x[1])) }
    }
    fn select_registers(self, m: __mmask32, yes: [V; 2], no: [V; 2]) -> [V; 2] {
        if FP16 {
            return [simd!(_mm512_mask_blend_epi16(m, no[0], yes[0])), no[1]];
        }
        let first = simd!(_mm256_mask_blend_epi16(m as __mmask16, low(no[0]), low(yes[0])));
        let second = simd!(_mm256_mask_blend_epi16((m >> 16) as __mmask16, low(no[1]), low(yes[1])));
        [simd!(_mm512_castsi256_si512(first)), simd!(_mm512_castsi256_si512(second))]
    }
    fn cold_path<W: Work<Self>>(self, work: W) -> W::Output {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
        fn run<const FP16: bool, W: Work<Avx512<FP16>>>(e: Avx512<FP16>, work: W) -> W::Output {
            work.run(e)
        }
        // SAFETY: a value of `Avx512` exists, so the CPU has the instructions.
        unsafe { run(self, work) }
    }
    fn f16(self) -> Option<fp16::Fp16> {
        fp16::Fp16::of(self)
    }
}

#[inline_in_release]
impl<B, const FP16: bool> Stream<B, V> for Avx512<FP16> {
    unsafe fn store(self, p: *mut B, x: V) {
        // SAFETY: the caller's for the memory; a value of `Avx512` exists.
        unsafe { _mm512_stream_si512(p.cast(), x) }
    }
    fn fence(self) {
        simd!(_mm_sfence())
    }
}
