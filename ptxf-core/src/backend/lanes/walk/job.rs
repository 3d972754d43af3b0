//! The job of a walk: operands and results in memory.
//!
//! An `unsafe` function creates a [`Job`], and documents the requirements for its pointers. The job
//! then behaves as a slice of results that is borrowed for writing, with up to three slices of
//! operands that may be the same memory: reading borrows the job, writing borrows it mutably.
//! Builds with debug assertions check the lanes that a walk accesses.
// Invariant: the first `lanes` lanes of `out` are valid, as are those of an operand or the block that it repeats, for `'a`.

use core::marker::PhantomData;

use crate::backend::lanes::engine::{Memory, Stream, V16, V32, Vectors};
use crate::backend::lanes::format::Format16;
use crate::int::Int;

/// Operands of lanes `A` and results of lanes `D`, lane by lane.
#[derive(Debug)]
pub(crate) struct Job<'a, A, D = A> {
    operands: [Operand<A>; 3],
    out: *mut D,
    lanes: usize,
    stream: bool,
    memory: PhantomData<&'a mut [D]>,
}

/// An operand of a [`Job`].
#[derive(Debug)]
pub(crate) struct Operand<B> {
    first: *const B,
    /// All ones for a slice, and zero for a repeated block: a mask for the index of a lane.
    mask: usize,
}

impl<B> Clone for Operand<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Operand<B> {}

/// At least the bytes that a walk reads at a time. A single value is a block of that size that is
/// read repeatedly, so that one loop serves all combinations of slices and values.
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
    #[inline_in_release]
    fn vector(self, i: usize) -> *const B {
        self.first.wrapping_add(i & self.mask)
    }

    /// The address of the `i`-th lane.
    #[inline_in_release]
    fn lane(self, i: usize) -> *const B {
        self.first.wrapping_add(i & (self.mask | (BLOCK / size_of::<B>() - 1)))
    }
}

impl<A: Int, D: Int> Job<'_, A, D> {
    /// A job over `lanes` lanes; with `stream`, results are to be stored past the caches.
    ///
    /// # Safety
    /// For `'a`, all of this holds. `out` is valid for reading and writing `lanes` lanes, and
    /// nothing else accesses them. Of the operands that are read, one that is a slice is valid for
    /// reading `lanes` lanes, and either apart from the results or exactly they; one that repeats
    /// is valid for reading [`BLOCK`] bytes, apart from them.
    #[inline_in_release]
    pub(crate) unsafe fn new(operands: [Operand<A>; 3], out: *mut D, lanes: usize, stream: bool) -> Self {
        Self { operands, out, lanes, stream, memory: PhantomData }
    }

    /// The lanes from `first` on, a multiple of a block's.
    ///
    /// # Safety
    /// While the part is used, nothing else accesses the same lanes of the job.
    #[cfg(feature = "rayon")]
    pub(crate) unsafe fn part(&self, first: usize, lanes: usize) -> Self {
        assert!(first <= self.lanes && lanes <= self.lanes - first && (first * size_of::<A>()).is_multiple_of(BLOCK));
        let [a, b, c] = self.operands;
        let from = |x: Operand<A>| Operand { first: x.vector(first), ..x };
        Self { operands: [from(a), from(b), from(c)], out: self.out.wrapping_add(first), lanes, ..*self }
    }

    /// Lanes of a result.
    #[inline_in_release]
    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the stores past the caches if results go there, and the number of results before the
    /// first address that is aligned to a vector of `bytes`.
    #[inline_in_release]
    pub(crate) fn streamed<E: Vectors>(&self, e: E, bytes: usize) -> (Option<E::Stream>, usize) {
        let size = size_of::<D>();
        let beyond = self.out.addr() % bytes;
        let head = (bytes - beyond) % bytes / size;
        let possible = self.stream && beyond.is_multiple_of(size) && head < self.lanes;
        match e.stream() {
            Some(stream) if possible => (Some(stream), head),
            _ => (None, 0),
        }
    }

    #[inline_in_release]
    fn check(&self, i: usize, n: usize) {
        debug_assert!(i <= self.lanes && n <= self.lanes - i, "lanes {i}..{i} + {n} of {}", self.lanes);
    }

    /// The vector of the `k`-th operand from its `i`-th lane on.
    #[inline_in_release]
    pub(crate) fn load<E: Memory<A>>(&self, e: E, k: usize, i: usize) -> E::V {
        self.load_after(e, k, i, 0)
    }

    /// The vector of the `k`-th operand `after` its `i`-th lane, inside of a block's lanes: so many
    /// vectors have one address.
    #[inline_in_release]
    pub(crate) fn load_after<E: Memory<A>>(&self, e: E, k: usize, i: usize, after: usize) -> E::V {
        self.check(i, after + E::N);
        debug_assert!((after + E::N) * size_of::<A>() <= BLOCK);
        // SAFETY: a vector of it is in bounds, or inside the block.
        unsafe { e.load(self.operands[k].vector(i).wrapping_add(after)) }
    }

    /// `n` lanes of the `k`-th operand, fewer than a vector has.
    #[inline_in_release]
    pub(crate) fn load_n<E: Memory<A>>(&self, e: E, k: usize, i: usize, n: usize) -> E::V {
        self.check(i, n);
        // SAFETY: so many lanes of it are in bounds, or inside the block.
        unsafe { e.load_n(self.operands[k].vector(i), n) }
    }

    /// `n` lanes of the `k`-th operand, of which a block has as many.
    #[inline_in_release]
    pub(crate) fn slice(&self, k: usize, i: usize, n: usize) -> &[A] {
        self.check(i, n);
        debug_assert!(n <= BLOCK / size_of::<A>());
        // SAFETY: so many lanes are in bounds, or inside the block; no result is written while the
        // job is borrowed.
        unsafe { core::slice::from_raw_parts(self.operands[k].vector(i), n) }
    }

    /// One lane of the `k`-th operand.
    #[inline_in_release]
    pub(crate) fn lane(&self, k: usize, i: usize) -> A {
        self.check(i, 1);
        // SAFETY: the lane is in bounds, or inside the block.
        unsafe { self.operands[k].lane(i).read() }
    }

    /// A vector of results.
    #[inline_in_release]
    pub(crate) fn store<E: Memory<D>>(&mut self, e: E, i: usize, x: E::V) {
        self.check(i, E::N);
        // SAFETY: a vector is in bounds.
        unsafe { e.store(self.out.wrapping_add(i), x) }
    }

    /// `n` results, fewer than a vector has.
    #[inline_in_release]
    pub(crate) fn store_n<E: Memory<D>>(&mut self, e: E, i: usize, n: usize, x: E::V) {
        self.check(i, n);
        // SAFETY: so many lanes are in bounds.
        unsafe { e.store_n(self.out.wrapping_add(i), n, x) }
    }

    /// A vector of `N` results, past the caches; its address is aligned to the vector.
    #[inline_in_release]
    pub(crate) fn stream<V, S: Stream<D, V>>(&mut self, stream: S, i: usize, x: V) {
        self.check(i, size_of::<V>() / size_of::<D>());
        debug_assert!(self.out.wrapping_add(i).addr().is_multiple_of(size_of::<V>()));
        // SAFETY: a vector is in bounds at an aligned address.
        unsafe { stream.store(self.out.wrapping_add(i), x) }
    }

    /// A vector of results, past the caches if there is what stores there; the address is aligned
    /// to the vector then.
    #[inline_in_release]
    pub(crate) fn put<E: Memory<D>, S: Stream<D, E::V>>(&mut self, e: E, i: usize, stream: Option<S>, x: E::V) {
        match stream {
            Some(stream) => self.stream(stream, i, x),
            None => self.store(e, i, x),
        }
    }

    /// As many results.
    #[inline_in_release]
    pub(crate) fn write(&mut self, i: usize, results: &[D]) {
        self.check(i, results.len());
        // SAFETY: so many lanes are in bounds, and another slice is other memory.
        unsafe { results.as_ptr().copy_to_nonoverlapping(self.out.wrapping_add(i), results.len()) }
    }

    /// One result.
    #[inline_in_release]
    pub(crate) fn set(&mut self, i: usize, x: D) {
        self.check(i, 1);
        // SAFETY: the lane is in bounds.
        unsafe { self.out.wrapping_add(i).write(x) }
    }
}

#[inline_in_release]
impl<D: Int> Job<'_, u16, D> {
    /// The vector of the `k`-th operand from its `i`-th lane on, widened.
    pub(crate) fn load_wide<F: Format16, E: Vectors>(&self, e: E, k: usize, i: usize) -> [V32<E>; 2] {
        self.check(i, <E::U16 as Memory<u16>>::N);
        // SAFETY: a vector of it is in bounds, or inside the block.
        unsafe { F::load(e, self.operands[k].vector(i)) }
    }
}

#[inline_in_release]
impl<A: Int> Job<'_, A, u16> {
    /// A vector of results, to be narrowed.
    pub(crate) fn store_wide<F: Format16, E: Vectors>(&mut self, e: E, i: usize, x: [V32<E>; 2]) {
        self.check(i, <E::U16 as Memory<u16>>::N);
        // SAFETY: a vector is in bounds.
        unsafe { F::store(e, self.out.wrapping_add(i), x) }
    }
}

#[inline_in_release]
impl<D: Int> Job<'_, u8, D> {
    /// As many lanes of the `k`-th operand from the `i`-th on as a vector has bytes, widened.
    pub(crate) fn load_bytes<E: Vectors>(&self, e: E, k: usize, i: usize) -> [V32<E>; 4] {
        self.check(i, size_of::<V32<E>>());
        // SAFETY: a vector of it is in bounds, or inside the block.
        unsafe { e.load_u8(self.operands[k].vector(i)) }
    }
}

#[inline_in_release]
impl<A: Int> Job<'_, A, u8> {
    /// A vector of results, past the caches if there is what stores there; the address is aligned
    /// to the vector then.
    pub(crate) fn put_bytes<E: Vectors>(&mut self, e: E, i: usize, stream: Option<E::Stream>, x: V16<E>) {
        match stream {
            Some(stream) => self.stream(stream, i, x),
            None => {
                self.check(i, size_of::<V16<E>>());
                // SAFETY: a vector is in bounds.
                unsafe { e.store_u8(self.out.wrapping_add(i), x) }
            }
        }
    }
}
