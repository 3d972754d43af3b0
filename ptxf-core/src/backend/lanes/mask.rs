//! Truth values of lanes that outlive one operation, and the memory that they guard: what kernels need of an engine.
//!
//! An engine that has nothing better leaves the memory to the defaults, which go lane by lane.
// Invariant: pointers are valid for the lanes whose bits are set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;

use super::{Engine, H, Lanes, W};
use crate::int::Int;

/// A truth value per binary32 lane.
pub(crate) type MaskW<E> = <E as Lanes<u32>>::M;
/// A truth value per 16-bit lane.
pub(crate) type MaskH<E> = <E as Lanes<u16>>::M;

/// Operations on masks. Bit `i` of a number stands for lane `i`, in the order of the memory; bits beyond the lanes are not
/// looked at.
pub(crate) trait Masks: Engine {
    fn bits(self, m: MaskH<Self>) -> u32;
    fn of_bits(self, bits: u32) -> MaskH<Self>;
    fn all(self, m: MaskH<Self>) -> bool;
    fn both(self, a: MaskH<Self>, b: MaskH<Self>) -> MaskH<Self>;
    /// `a & !b`
    fn except(self, a: MaskH<Self>, b: MaskH<Self>) -> MaskH<Self>;
    /// The same for two vectors of binary32 lanes, in the order of [`expand`](Engine::expand).
    fn halves(self, m: MaskH<Self>) -> [MaskW<Self>; 2];
    /// Undoes [`halves`](Self::halves).
    fn joined(self, m: [MaskW<Self>; 2]) -> MaskH<Self>;

    /// `a < b` of f32 values, false for a NaN.
    fn less(self, a: W<Self>, b: W<Self>) -> MaskW<Self>;
    /// `a <= b` of f32 values, false for a NaN.
    fn at_most(self, a: W<Self>, b: W<Self>) -> MaskW<Self>;
    /// `a == b` of f32 values, false for a NaN.
    fn same(self, a: W<Self>, b: W<Self>) -> MaskW<Self>;

    /// The 16-bit lanes of `bits`; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading those lanes.
    #[inline(always)]
    unsafe fn load_some_h(self, p: *const u16, bits: u32) -> H<Self> {
        // SAFETY: the caller's.
        unsafe { load_some::<u16, Self>(self, p, bits) }
    }
    /// Stores the 16-bit lanes of `bits`.
    ///
    /// # Safety
    /// `p` is valid for writing those lanes.
    #[inline(always)]
    unsafe fn store_some_h(self, p: *mut u16, bits: u32, x: H<Self>) {
        // SAFETY: the caller's.
        unsafe { store_some::<u16, Self>(self, p, bits, x) }
    }
    /// The binary32 lanes of `bits`; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading those lanes.
    #[inline(always)]
    unsafe fn load_some_w(self, p: *const u32, bits: u32) -> W<Self> {
        // SAFETY: the caller's.
        unsafe { load_some::<u32, Self>(self, p, bits) }
    }
    /// Stores the binary32 lanes of `bits`.
    ///
    /// # Safety
    /// `p` is valid for writing those lanes.
    #[inline(always)]
    unsafe fn store_some_w(self, p: *mut u32, bits: u32, x: W<Self>) {
        // SAFETY: the caller's.
        unsafe { store_some::<u32, Self>(self, p, bits, x) }
    }
}

/// Whether the bits of all `n` lanes are set.
#[inline(always)]
fn is_all(n: usize, bits: u32) -> bool {
    !bits & (u32::MAX >> (32 - n)) == 0
}

/// As many lanes as a vector has, or more.
const MOST: usize = 32;

/// # Safety
/// `p` is valid for reading the lanes of `bits`.
#[inline(always)]
unsafe fn load_some<B: Int, E: Lanes<B>>(e: E, p: *const B, bits: u32) -> E::V {
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
    // SAFETY: the array is longer than a vector.
    unsafe { e.load(x.as_ptr()) }
}

/// # Safety
/// `p` is valid for writing the lanes of `bits`.
#[inline(always)]
unsafe fn store_some<B: Int, E: Lanes<B>>(e: E, p: *mut B, bits: u32, x: E::V) {
    if is_all(E::N, bits) {
        // SAFETY: the caller's, for all lanes.
        return unsafe { e.store(p, x) };
    }
    let mut all = [B::ZERO; MOST];
    // SAFETY: the array is longer than a vector.
    unsafe { e.store(all.as_mut_ptr(), x) };
    let mut i = 0;
    while i < E::N {
        if bits >> i & 1 != 0 {
            // SAFETY: the caller's.
            unsafe { p.wrapping_add(i).write(all[i]) };
        }
        i += 1;
    }
}
