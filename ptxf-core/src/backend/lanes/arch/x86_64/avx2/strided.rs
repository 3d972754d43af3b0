//! Lanes at one distance from each other in memory: of near ones all that is between them, and else
//! each by itself.
// Invariant: called where a value of `Avx2` exists; all that is between the lanes is valid for reading.

use core::arch::x86_64::*;

use super::{V, each};

/// The numbers of the lanes.
#[inline_in_release]
fn lanes() -> V {
    const LANES: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    // SAFETY: the list is a vector long; a value of `Avx2` exists.
    unsafe { _mm256_loadu_si256(LANES.as_ptr().cast()) }
}

/// # Safety
/// As [`Memory::load_strided`](crate::backend::lanes::engine::Memory::load_strided).
#[inline_in_release]
pub(super) unsafe fn words(p: *const u32, step: i32) -> V {
    let lanes = lanes();
    match step {
        -1 => {
            // SAFETY: the caller's; a value of `Avx2` exists.
            let x = unsafe { _mm256_loadu_si256(p.wrapping_sub(7).cast()) };
            simd!(_mm256_permutevar8x32_epi32(x, simd!(_mm256_sub_epi32(simd!(_mm256_set1_epi32(7)), lanes))))
        }
        2..=4 => {
            let places = simd!(_mm256_mullo_epi32(lanes, simd!(_mm256_set1_epi32(step))));
            // SAFETY: the caller's; a value of `Avx2` exists.
            let first = unsafe { _mm256_loadu_si256(p.cast()) };
            let mut d = simd!(_mm256_permutevar8x32_epi32(first, places));
            let mut vector = 1;
            while vector < step {
                // The last one ends with the last lane.
                let begin = if vector + 1 == step { 7 * step - 7 } else { 8 * vector };
                // SAFETY: as before.
                let x = unsafe { _mm256_loadu_si256(p.wrapping_add(begin as usize).cast()) };
                let from = simd!(_mm256_sub_epi32(places, simd!(_mm256_set1_epi32(begin))));
                let there = simd!(_mm256_cmpgt_epi32(places, simd!(_mm256_set1_epi32(8 * vector - 1))));
                d = simd!(_mm256_blendv_epi8(d, simd!(_mm256_permutevar8x32_epi32(x, from)), there));
                vector += 1;
            }
            d
        }
        // SAFETY: the caller's.
        _ => unsafe { each::words(p, step) },
    }
}

/// # Safety
/// As [`Memory::load_strided`](crate::backend::lanes::engine::Memory::load_strided).
#[inline_in_release]
pub(super) unsafe fn halves(p: *const u16, step: i32) -> V {
    if step == -1 {
        // SAFETY: the caller's; a value of `Avx2` exists.
        let x = unsafe { _mm256_loadu_si256(p.wrapping_sub(15).cast()) };
        const ORDER: [u8; 16] = [14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1];
        // SAFETY: the list is that long.
        let order = simd!(_mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(ORDER.as_ptr().cast()) }));
        // Within halves of the register, which change places.
        return simd!(_mm256_permute4x64_epi64::<0b01_00_11_10>(simd!(_mm256_shuffle_epi8(x, order))));
    }
    if step == 2 {
        // SAFETY: the caller's; a value of `Avx2` exists.
        let low = unsafe { _mm256_loadu_si256(p.cast()) };
        // SAFETY: as before; it ends with the last lane.
        let high = unsafe { _mm256_loadu_si256(p.wrapping_add(15).cast()) };
        let low = simd!(_mm256_and_si256(low, simd!(_mm256_set1_epi32(0xFFFF))));
        // Packing works within halves of the register.
        let packed = simd!(_mm256_packus_epi32(low, simd!(_mm256_srli_epi32::<16>(high))));
        return simd!(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
    }
    // SAFETY: the caller's.
    unsafe { each::halves(p, step) }
}
