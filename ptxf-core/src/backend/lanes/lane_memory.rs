//! Parts of vectors in memory, lane by lane, for engines whose CPU has no instructions for that.
// Invariant: pointers are valid for the lanes that a call names; arrays are longer than any vector.
#![allow(dead_code, reason = "for CPUs that have such an engine")]

use crate::backend::lanes::engine::Memory;
use crate::int::Int;

/// Lanes that no vector of such an engine has more of.
const MOST: usize = 32;

/// [`Memory::load_n`]
///
/// # Safety
/// `p` is valid for reading `n` lanes.
#[inline_in_release]
pub(super) unsafe fn load_n<B: Int, E: Memory<B>>(e: E, p: *const B, n: usize) -> E::V {
    debug_assert!(n < E::N);
    let mut x = [B::ZERO; MOST];
    // SAFETY: the caller's for the source; `n` is below the array's length.
    unsafe { p.copy_to_nonoverlapping(x.as_mut_ptr(), n) }
    e.read(&x)
}

/// [`Memory::store_n`]
///
/// # Safety
/// `p` is valid for writing `n` lanes.
#[inline_in_release]
pub(super) unsafe fn store_n<B: Int, E: Memory<B>>(e: E, p: *mut B, n: usize, x: E::V) {
    debug_assert!(n < E::N);
    let mut all = [B::ZERO; MOST];
    e.write(&mut all, x);
    // SAFETY: the caller's for the destination; `n` is below the array's length.
    unsafe { all.as_ptr().copy_to_nonoverlapping(p, n) }
}

/// Returns `true` if the bits of all `n` lanes are set.
#[inline_in_release]
fn is_all(n: usize, bits: u32) -> bool {
    !bits & (u32::MAX >> (32 - n)) == 0
}

/// [`Memory::load_masked`]
///
/// # Safety
/// `p` is valid for reading the lanes of `bits`.
#[inline_in_release]
pub(super) unsafe fn load_masked<B: Int, E: Memory<B>>(e: E, p: *const B, bits: u32) -> E::V {
    if is_all(E::N, bits) {
        // SAFETY: the caller's, for all lanes.
        return unsafe { e.load(p) };
    }
    let mut x = [B::ZERO; MOST];
    let mut i = 0;
    while i < E::N {
        if bits >> i & 1 != 0 {
            // SAFETY: the caller's.
            x[i] = unsafe { p.wrapping_add(i).read() };
        }
        i += 1;
    }
    e.read(&x)
}

/// [`Memory::store_masked`]
///
/// # Safety
/// `p` is valid for writing the lanes of `bits`.
#[inline_in_release]
pub(super) unsafe fn store_masked<B: Int, E: Memory<B>>(e: E, p: *mut B, bits: u32, x: E::V) {
    if is_all(E::N, bits) {
        // SAFETY: the caller's, for all lanes.
        return unsafe { e.store(p, x) };
    }
    let mut all = [B::ZERO; MOST];
    e.write(&mut all, x);
    let mut i = 0;
    while i < E::N {
        if bits >> i & 1 != 0 {
            // SAFETY: the caller's.
            unsafe { p.wrapping_add(i).write(all[i]) };
        }
        i += 1;
    }
}

/// [`Memory::load_strided`]
///
/// # Safety
/// The lanes are valid for reading.
#[inline_in_release]
pub(super) unsafe fn load_strided<B: Int, E: Memory<B>>(e: E, p: *const B, step: i32) -> E::V {
    let (mut x, mut i) = ([B::ZERO; MOST], 0);
    while i < E::N {
        // SAFETY: the caller's.
        x[i] = unsafe { p.wrapping_offset(step as isize * i as isize).read() };
        i += 1;
    }
    e.read(&x)
}
