//! Lanes at one distance from each other in memory: of near ones all that is between them, and else
//! each by itself.
// Invariant: called where a value of `Avx512` exists; all that is between the lanes is valid for reading.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{V, join};

/// The numbers of the lanes.
#[inline_in_release]
fn numbers() -> V {
    const LANES: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    // SAFETY: the list is a vector long; a value of `Avx512` exists.
    unsafe { _mm512_loadu_si512(LANES.as_ptr().cast()) }
}

/// The lanes of `step` vectors side by side, the last of which ends with the last lane that is
/// asked for.
#[inline_in_release]
fn vectors(step: i32, all: u32) -> [u32; 4] {
    let last = all >> (step - 1);
    match step {
        2 => [all, last, 0, 0],
        3 => [all, all, last, 0],
        _ => [all, all, all, last],
    }
}

/// # Safety
/// As [`Memory::load_strided`](crate::backend::lanes::engine::Memory::load_strided).
#[inline_in_release]
pub(super) unsafe fn words(p: *const u32, step: i32) -> V {
    let lanes = numbers();
    match step {
        -1 => {
            // SAFETY: the caller's; a value of `Avx512` exists.
            let x = unsafe { _mm512_loadu_si512(p.wrapping_sub(15).cast()) };
            simd!(_mm512_permutexvar_epi32(simd!(_mm512_sub_epi32(simd!(_mm512_set1_epi32(15)), lanes)), x))
        }
        2..=4 => {
            let places = simd!(_mm512_mullo_epi32(lanes, simd!(_mm512_set1_epi32(step))));
            let [m, n, o, q] = vectors(step, 0xFFFF);
            // SAFETY: the caller's; memory under a zero bit of a mask is not touched; a value of
            // `Avx512` exists.
            let a = unsafe { _mm512_maskz_loadu_epi32(m as u16, p.cast()) };
            // SAFETY: as before.
            let b = unsafe { _mm512_maskz_loadu_epi32(n as u16, p.wrapping_add(16).cast()) };
            let low = simd!(_mm512_permutex2var_epi32(a, places, b));
            if step == 2 {
                return low;
            }
            // SAFETY: as before.
            let c = unsafe { _mm512_maskz_loadu_epi32(o as u16, p.wrapping_add(32).cast()) };
            // SAFETY: as before.
            let d = unsafe { _mm512_maskz_loadu_epi32(q as u16, p.wrapping_add(48).cast()) };
            let high = simd!(_mm512_permutex2var_epi32(c, places, d));
            let beyond = simd!(_mm512_test_epi32_mask(places, simd!(_mm512_set1_epi32(32))));
            simd!(_mm512_mask_blend_epi32(beyond, low, high))
        }
        // SAFETY: the caller's.
        _ => unsafe { words_each(p.cast(), 4 * step as isize) },
    }
}

/// # Safety
/// As [`Memory::load_strided`](crate::backend::lanes::engine::Memory::load_strided).
#[inline_in_release]
pub(super) unsafe fn halves(p: *const u16, step: i32) -> V {
    const LANES: [u16; 32] = {
        let (mut lanes, mut i) = ([0; 32], 0);
        while i < 32 {
            lanes[i] = i as u16;
            i += 1;
        }
        lanes
    };
    // SAFETY: the list is a vector long; a value of `Avx512` exists.
    let lanes = unsafe { _mm512_loadu_si512(LANES.as_ptr().cast()) };
    match step {
        -1 => {
            // SAFETY: the caller's; a value of `Avx512` exists.
            let x = unsafe { _mm512_loadu_si512(p.wrapping_sub(31).cast()) };
            simd!(_mm512_permutexvar_epi16(simd!(_mm512_sub_epi16(simd!(_mm512_set1_epi16(31)), lanes)), x))
        }
        2..=4 => {
            let places = simd!(_mm512_mullo_epi16(lanes, simd!(_mm512_set1_epi16(step as i16))));
            let [m, n, o, q] = vectors(step, u32::MAX);
            // SAFETY: the caller's; memory under a zero bit of a mask is not touched; a value of
            // `Avx512` exists.
            let a = unsafe { _mm512_maskz_loadu_epi16(m, p.cast()) };
            // SAFETY: as before.
            let b = unsafe { _mm512_maskz_loadu_epi16(n, p.wrapping_add(32).cast()) };
            let low = simd!(_mm512_permutex2var_epi16(a, places, b));
            if step == 2 {
                return low;
            }
            // SAFETY: as before.
            let c = unsafe { _mm512_maskz_loadu_epi16(o, p.wrapping_add(64).cast()) };
            // SAFETY: as before.
            let d = unsafe { _mm512_maskz_loadu_epi16(q, p.wrapping_add(96).cast()) };
            let high = simd!(_mm512_permutex2var_epi16(c, places, d));
            let beyond = simd!(_mm512_test_epi16_mask(places, simd!(_mm512_set1_epi16(64))));
            simd!(_mm512_mask_blend_epi16(beyond, low, high))
        }
        // SAFETY: the caller's.
        0 => simd!(_mm512_set1_epi16(unsafe { p.read() } as i16)),
        _ => {
            let ([low, high], distance) = (halves_of_words(p, step), 4 * step as isize);
            // SAFETY: the caller's, as `halves_of_words` says.
            let low = unsafe { words_each(low, distance) };
            // SAFETY: as before.
            let high = unsafe { words_each(high, distance) };
            let d = simd!(_mm512_mask_blend_epi16(0xAAAA_AAAA, low, high));
            if step > 0 { d } else { simd!(_mm512_rol_epi32::<16>(d)) }
        }
    }
}

/// Returns the addresses of the first word with an even lane in its low half, and of the first word
/// with an odd lane in its high half. The other half of each word belongs to a neighbouring lane
/// or, if `step` is not 0, lies before the neighbour.
#[inline_in_release]
fn halves_of_words(p: *const u16, step: i32) -> [*const u8; 2] {
    let second = p.wrapping_offset(step as isize);
    let [low, high] = if step > 0 { [p, second] } else { [second, p] };
    [low.cast(), high.wrapping_sub(1).cast()]
}

/// Sixteen words, `distance` bytes from one to the next.
///
/// Each is loaded to all lanes of half a vector, of which one is kept: a load, and a choice on any
/// port. An insertion would take the one port for shuffles that there is beside vectors of 512
/// bits.
///
/// # Safety
/// The words are valid for reading.
#[inline_in_release]
unsafe fn words_each(p: *const u8, distance: isize) -> V {
    // SAFETY: the caller's; a value of `Avx512` exists.
    let low = unsafe { eight_words(p, distance) };
    // SAFETY: the caller's, of the last eight.
    simd!(join(low, unsafe { eight_words(p.wrapping_offset(8 * distance), distance) }))
}

/// Eight words, likewise.
///
/// # Safety
/// The CPU has AVX2, and the words are valid for reading.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn eight_words(p: *const u8, distance: isize) -> __m256i {
    let d;
    // SAFETY: the function enables the instructions, which read the words.
    unsafe {
        asm!(
            "vpbroadcastd {low}, dword ptr [{p}]",
            "vpbroadcastd {x}, dword ptr [{p} + {step}]",
            "vpblendd {low}, {low}, {x}, 0x2",
            "vpbroadcastd {x}, dword ptr [{p} + 2 * {step}]",
            "vpblendd {low}, {low}, {x}, 0x4",
            "vpbroadcastd {x}, dword ptr [{p} + {three}]",
            "vpblendd {low}, {low}, {x}, 0x8",
            "vpbroadcastd {high}, dword ptr [{q}]",
            "vpbroadcastd {x}, dword ptr [{q} + {step}]",
            "vpblendd {high}, {high}, {x}, 0x20",
            "vpbroadcastd {x}, dword ptr [{q} + 2 * {step}]",
            "vpblendd {high}, {high}, {x}, 0x40",
            "vpbroadcastd {x}, dword ptr [{q} + {three}]",
            "vpblendd {high}, {high}, {x}, 0x80",
            "vpblendd {low}, {low}, {high}, 0xF0",
            p = in(reg) p,
            q = in(reg) p.wrapping_offset(4 * distance),
            step = in(reg) distance,
            three = in(reg) 3 * distance,
            x = out(ymm_reg) _,
            high = out(ymm_reg) _,
            low = out(ymm_reg) d,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    d
}
