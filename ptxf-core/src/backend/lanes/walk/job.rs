//! What a walk walks over: operands and results in memory.
//!
//! A [`Job`] is made in one place, by an `unsafe` function that says what has to be true of its pointers. From then on it is
//! like a slice of results that is borrowed for writing, with up to three slices of operands that may be the same memory:
//! reading borrows the job, writing borrows it mutably. What lanes a walk asks for is its own arithmetic, and checked in builds
//! with debug assertions.
// Invariant: the first `lanes` lanes of `out` are valid, as are those of an operand or the block that it repeats, for `'a`.

use core::marker::PhantomData;

use crate::backend::lanes::engine::{Memory, Stream, V32, Vectors};
use crate::backend::lanes::format::Format16;
use crate::int::Int;

/// Operands and results, lane by lane.
#[derive(Debug)]
pub(crate) struct Job<'a, B> {
    operands: [Operand<B>; 3],
    out: *mut B,
    lanes: usize,
    stream: bool,
    memory: PhantomData<&'a mut [B]>,
}

/// An operand of a [`Job`].
#[derive(Debug)]
pub(crate) struct Operand<B> {
    first: *const B,
    /// All ones, or none: what is left of a lane's index.
    mask: usize,
}

impl<B> Clone for Operand<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Operand<B> {}

/// At least the bytes that a walk reads at a time, so that one value is a block of them that is read again and again:
/// one loop serves all combinations of slices and values.
pub(crate) const BLOCK: usize = 128;

impl<B> Operand<B> {
    /// As many lanes as the result has.
    pub(crate) fn slice(first: *const B) -> Self {
        Self { first, mask: usize::MAX }
    }

    /// The same [`BLOCK`] bytes, a period of lanes repeated.
    pub(crate) fn repeat(first: *const B) -> Self {
        Self { first, mask: 0 }
    }

    /// The address of the `i`-th lane, where it is the first of a vector.
    #[inline(always)]
    fn vector(self, i: usize) -> *const B {
        self.first.wrapping_add(i & self.mask)
    }

    /// The address of the `i`-th lane.
    #[inline(always)]
    fn lane(self, i: usize) -> *const B {
        self.first.wrapping_add(i & (self.mask | (BLOCK / size_of::<B>() - 1)))
    }
}

impl<B: Int> Job<'_, B> {
    /// A job over `lanes` lanes; with `stream`, results are to be stored past the caches.
    ///
    /// # Safety
    /// For `'a`, all of this holds. `out` is valid for reading and writing `lanes` lanes, and nothing else accesses them. An
    /// operand that is a slice is valid for reading `lanes` lanes, and either apart from the results or exactly they; one
    /// that repeats is valid for reading [`BLOCK`] bytes, apart from them.
    #[inline(always)]
    pub(crate) unsafe fn new(operands: [Operand<B>; 3], out: *mut B, lanes: usize, stream: bool) -> Self {
        Self { operands, out, lanes, stream, memory: PhantomData }
    }

    /// The lanes from `first` on, a multiple of a block's.
    ///
    /// # Safety
    /// While the part is used, nothing else accesses the same lanes of the job.
    #[cfg(feature = "rayon")]
    pub(crate) unsafe fn part(&self, first: usize, lanes: usize) -> Self {
        assert!(first <= self.lanes && lanes <= self.lanes - first && (first * size_of::<B>()).is_multiple_of(BLOCK));
        let [a, b, c] = self.operands;
        let from = |x: Operand<B>| Operand { first: x.vector(first), ..x };
        Self { operands: [from(a), from(b), from(c)], out: self.out.wrapping_add(first), lanes, ..*self }
    }

    /// Lanes of a result.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Whether to store past the caches.
    #[inline(always)]
    pub(super) fn wants_stream(&self) -> bool {
        self.stream
    }

    /// The address of the results.
    #[inline(always)]
    pub(super) fn address(&self) -> usize {
        self.out.addr()
    }

    #[inline(always)]
    fn check(&self, i: usize, n: usize) {
        debug_assert!(i <= self.lanes && n <= self.lanes - i, "lanes {i}..{i} + {n} of {}", self.lanes);
    }

    /// The vector of the `k`-th operand from its `i`-th lane on.
    #[inline(always)]
    pub(super) fn load<E: Memory<B>>(&self, e: E, k: usize, i: usize) -> E::V {
        self.check(i, E::N);
        // SAFETY: a vector of it is in bounds, or inside the block.
        unsafe { e.load(self.operands[k].vector(i)) }
    }

    /// `n` lanes of the `k`-th operand, fewer than a vector has.
    #[inline(always)]
    pub(super) fn load_n<E: Memory<B>>(&self, e: E, k: usize, i: usize, n: usize) -> E::V {
        self.check(i, n);
        // SAFETY: so many lanes of it are in bounds, or inside the block.
        unsafe { e.load_n(self.operands[k].vector(i), n) }
    }

    /// `n` lanes of the `k`-th operand, of which a block has as many.
    #[inline(always)]
    pub(super) fn slice(&self, k: usize, i: usize, n: usize) -> &[B] {
        self.check(i, n);
        debug_assert!(n <= BLOCK / size_of::<B>());
        // SAFETY: so many lanes are in bounds, or inside the block; no result is written while the job is borrowed.
        unsafe { core::slice::from_raw_parts(self.operands[k].vector(i), n) }
    }

    /// One lane of the `k`-th operand.
    #[inline(always)]
    pub(super) fn lane(&self, k: usize, i: usize) -> B {
        self.check(i, 1);
        // SAFETY: the lane is in bounds, or inside the block.
        unsafe { self.operands[k].lane(i).read() }
    }

    /// A vector of results.
    #[inline(always)]
    pub(super) fn store<E: Memory<B>>(&mut self, e: E, i: usize, x: E::V) {
        self.check(i, E::N);
        // SAFETY: a vector is in bounds.
        unsafe { e.store(self.out.wrapping_add(i), x) }
    }

    /// `n` results, fewer than a vector has.
    #[inline(always)]
    pub(super) fn store_n<E: Memory<B>>(&mut self, e: E, i: usize, n: usize, x: E::V) {
        self.check(i, n);
        // SAFETY: so many lanes are in bounds.
        unsafe { e.store_n(self.out.wrapping_add(i), n, x) }
    }

    /// A vector of `N` results, past the caches; its address is aligned to the vector.
    #[inline(always)]
    pub(super) fn stream<V, S: Stream<B, V>>(&mut self, stream: S, i: usize, x: V) {
        self.check(i, size_of::<V>() / size_of::<B>());
        debug_assert!(self.out.wrapping_add(i).addr().is_multiple_of(size_of::<V>()));
        // SAFETY: a vector is in bounds at an aligned address.
        unsafe { stream.store(self.out.wrapping_add(i), x) }
    }

    /// As many results.
    #[inline(always)]
    pub(super) fn write(&mut self, i: usize, results: &[B]) {
        self.check(i, results.len());
        // SAFETY: so many lanes are in bounds, and another slice is other memory.
        unsafe { results.as_ptr().copy_to_nonoverlapping(self.out.wrapping_add(i), results.len()) }
    }

    /// One result.
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, x: B) {
        self.check(i, 1);
        // SAFETY: the lane is in bounds.
        unsafe { self.out.wrapping_add(i).write(x) }
    }
}

impl Job<'_, u16> {
    /// The vector of the `k`-th operand from its `i`-th lane on, widened.
    #[inline(always)]
    pub(super) fn load_wide<F: Format16, E: Vectors>(&self, e: E, k: usize, i: usize) -> [V32<E>; 2] {
        self.check(i, <E::U16 as Memory<u16>>::N);
        // SAFETY: a vector of it is in bounds, or inside the block.
        unsafe { F::load(e, self.operands[k].vector(i)) }
    }

    /// A vector of results, to be narrowed.
    #[inline(always)]
    pub(super) fn store_wide<F: Format16, E: Vectors>(&mut self, e: E, i: usize, x: [V32<E>; 2]) {
        self.check(i, <E::U16 as Memory<u16>>::N);
        // SAFETY: a vector is in bounds.
        unsafe { F::store(e, self.out.wrapping_add(i), x) }
    }
}
