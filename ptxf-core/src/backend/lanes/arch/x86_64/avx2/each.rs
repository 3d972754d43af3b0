//! Strided lanes in memory, one by one: a load and an insertion, of which a CPU does two a cycle.
//! (Beside vectors of 512 bits, which have other code, it does one.) Gather instructions took more
//! than twice as long on the CPU of the measurement, and read words where lanes have 16 bits.
// Invariant: called where a value of `Avx2` exists; pointers are valid for the lanes that a call names.

use core::arch::asm;
use core::arch::x86_64::*;

/// Eight lanes of 32 bits, at `p`, `p + step` and so on.
///
/// # Safety
/// The lanes are valid for reading.
#[inline_in_release]
pub(super) unsafe fn words(p: *const u32, step: i32) -> __m256i {
    let (p, step) = anew(p, step);
    // SAFETY: the caller's.
    let low = unsafe { four_words(p, step) };
    // SAFETY: the caller's, of the last four.
    let high = unsafe { four_words(p.wrapping_byte_offset(4 * step), step) };
    simd!(_mm256_set_m128i(high, low))
}

/// Sixteen lanes of 16 bits, likewise.
///
/// # Safety
/// The lanes are valid for reading.
#[inline_in_release]
pub(super) unsafe fn halves(p: *const u16, step: i32) -> __m256i {
    let (p, step) = anew(p, step);
    // SAFETY: the caller's.
    let low = unsafe { eight_halves(p, step) };
    // SAFETY: the caller's, of the last eight.
    let high = unsafe { eight_halves(p.wrapping_byte_offset(8 * step), step) };
    simd!(_mm256_set_m128i(high, low))
}

/// The same pointer, and the distance in bytes, of which the compiler takes them to be others each
/// time: it would else keep a pointer for each lane from one round of a loop to the next, in
/// memory.
#[expect(clippy::pointers_in_nomem_asm_block, reason = "an address is no access")]
#[inline_in_release]
fn anew<B>(p: *const B, step: i32) -> (*const B, isize) {
    let (mut p, mut step) = (p, step as isize * size_of::<B>() as isize);
    // SAFETY: the line has no instruction.
    unsafe {
        asm!("/* {p} {step} */", p = inout(reg) p, step = inout(reg) step, options(nomem, nostack, preserves_flags))
    };
    (p, step)
}

#[inline_in_release]
unsafe fn four_words(p: *const u32, step: isize) -> __m128i {
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { four(p, step) };
    // SAFETY: every x86-64 has the instruction.
    unsafe { _mm_set_epi32(d as i32, c as i32, b as i32, a as i32) }
}

#[inline_in_release]
unsafe fn eight_halves(p: *const u16, step: isize) -> __m128i {
    // SAFETY: the caller's.
    let [a, b, c, d] = unsafe { four(p, step) };
    // SAFETY: the caller's, of the last four.
    let [e, f, g, h] = unsafe { four(p.wrapping_byte_offset(4 * step), step) };
    // SAFETY: every x86-64 has the instruction.
    unsafe { _mm_set_epi16(h as i16, g as i16, f as i16, e as i16, d as i16, c as i16, b as i16, a as i16) }
}

/// # Safety
/// The lanes are valid for reading.
#[inline_in_release]
unsafe fn four<B: Copy + Default>(p: *const B, step: isize) -> [B; 4] {
    let (mut d, mut i) = ([B::default(); 4], 0);
    while i < 4 {
        // SAFETY: the caller's.
        d[i] = unsafe { p.wrapping_byte_offset(step * i as isize).read() };
        i += 1;
    }
    d
}
