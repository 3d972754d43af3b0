//! Loops over slices.
// Invariant: an operand is valid for the job's lanes, or a block that is read again and again; results are valid for its lanes.

use super::op::{self, Operation, Route, Single};
use super::{End, Engine, H, LaneFormat, Lanes, MOST, W, native};
use crate::format::Format as _;
use crate::int::Int;
use crate::modifiers::Modifiers;

/// A run over lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job<B> {
    /// Where the operands are.
    pub(crate) operands: [Operand<B>; 3],
    /// Where the results go; possibly over an operand, lane by lane.
    pub(crate) out: *mut B,
    /// Lanes of a result.
    pub(crate) lanes: usize,
    /// Whether to store past the caches.
    pub(crate) stream: bool,
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

impl<B> Operand<B> {
    /// As many lanes as the result has.
    pub(crate) fn slice(first: *const B) -> Self {
        Self { first, mask: usize::MAX }
    }

    /// The same [`BLOCK`] bytes, a period of lanes repeated.
    pub(crate) fn repeat(first: *const B) -> Self {
        Self { first, mask: 0 }
    }

    /// The operand from the `i`-th lane on.
    #[cfg(feature = "rayon")]
    fn from(self, i: usize) -> Self {
        Self { first: self.at(i), ..self }
    }

    /// The address of the `i`-th lane, where it is the first of a vector.
    #[inline(always)]
    fn at(self, i: usize) -> *const B {
        // In bounds, or not read at all.
        self.first.wrapping_add(i & self.mask)
    }

    /// The address of the `i`-th lane.
    #[inline(always)]
    fn lane(self, i: usize) -> *const B {
        self.first.wrapping_add(i & (self.mask | (BLOCK / size_of::<B>() - 1)))
    }
}

/// At least the bytes that a kernel reads at a time.
pub(crate) const BLOCK: usize = 128;

impl<B: Int> Job<B> {
    /// The lanes from `first` on, a multiple of a block's.
    #[cfg(feature = "rayon")]
    pub(crate) fn part(&self, first: usize, lanes: usize) -> Self {
        let [a, b, c] = self.operands;
        Self {
            operands: [a.from(first), b.from(first), c.from(first)],
            out: self.out.wrapping_add(first),
            lanes,
            ..*self
        }
    }

    /// Where the operands of the `i`-th lane are.
    #[inline(always)]
    pub(super) fn sources(&self, i: usize) -> [*const B; 3] {
        let [a, b, c] = self.operands;
        [a.at(i), b.at(i), c.at(i)]
    }
}

/// One lane after another.
///
/// # Safety
/// The operands and the results of `job` are valid for their lanes.
#[inline(always)]
pub(crate) unsafe fn scalar<F: LaneFormat, O: Operation>(m: Modifiers, job: &Job<F::Bits>) {
    for i in 0..job.lanes {
        let mut x = [F::Bits::ZERO; 3];
        for (x, operand) in x.iter_mut().zip(&job.operands).take(O::OPERANDS) {
            let p = operand.lane(i);
            // SAFETY: the caller's: `i` is below the number of lanes, or inside the block.
            *x = unsafe { p.read() };
        }
        let d = O::scalar::<F>(m, x);
        // SAFETY: the caller's.
        unsafe { job.out.wrapping_add(i).write(d) };
    }
}

/// A vector or two after another, the rest in part of one.
///
/// # Safety
/// The operands and the results of `job` are valid for their lanes.
#[inline(always)]
pub(crate) unsafe fn vectors<F: Path<E>, O: Operation, E: Engine + Lanes<F::Bits>>(
    e: E,
    m: Modifiers,
    job: &Job<F::Bits>,
) {
    // A copy, which no store can change.
    let job = *job;
    let step = <E as Lanes<F::Bits>>::N;
    // Streaming needs whole vectors at aligned addresses.
    let size = size_of::<F::Bits>();
    let misaligned = job.out.addr() % (step * size);
    let head = (step - misaligned / size) % step;
    let stream = job.stream && misaligned.is_multiple_of(size) && head < job.lanes;
    let mut part = if stream { head } else { 0 };
    let mut done = 0;
    loop {
        if part > 0 {
            // SAFETY: the lanes from `done` on are in bounds, fewer than `step`.
            unsafe { F::part::<O>(e, m, job.sources(done), job.out.wrapping_add(done), part) };
            done += part;
        }
        while job.lanes - done >= step {
            // SAFETY: so many more vectors are in bounds; streamed to aligned addresses.
            done += step * unsafe { F::some::<O>(e, m, &job, done, (job.lanes - done) / step, stream) };
        }
        part = job.lanes - done;
        if part == 0 {
            break;
        }
    }
    if stream {
        e.fence();
    }
}

/// Block by block, each in a loop that has no branch and no overlap, and so becomes one of vectors.
///
/// # Safety
/// The operands and the results of `job` are valid for their lanes.
#[inline(always)]
pub(crate) unsafe fn blocks<F: Path<E>, O: Operation, E: Engine + Lanes<F::Bits>>(
    e: E,
    m: Modifiers,
    job: &Job<F::Bits>,
) {
    const { assert!(E::BY_LANE) };
    const LANES: usize = BLOCK / 4;
    let job = *job;
    let (mut results, mut doubts) = ([F::Bits::ZERO; LANES], [0_u32; LANES]);
    let mut done = 0;
    while done < job.lanes {
        let n = LANES.min(job.lanes - done);
        let [a, b, c] = job.sources(done);
        for (i, (result, doubt)) in results.iter_mut().zip(&mut doubts).enumerate().take(n) {
            let from = [a.wrapping_add(i), b.wrapping_add(i), c.wrapping_add(i)];
            // SAFETY: lane `done + i` is in bounds, or inside the block; a vector is one lane.
            let in_doubt = unsafe { F::whole::<O>(e, m, from, result, false) };
            // Of 16 bits none is, and noting it would cost half the speed.
            if F::PRECISION == 24 {
                *doubt = in_doubt.into();
            }
        }
        if F::PRECISION == 24 && doubts.iter().take(n).fold(0, |any, doubt| any | doubt) != 0 {
            // SAFETY: `n` lanes of the operands are in bounds, or inside the blocks.
            unsafe { settle_block::<F, O>(m, [a, b, c], &doubts[..n], &mut results) };
        }
        // SAFETY: `n` lanes from `done` on are in bounds, as are `n` results.
        unsafe { results.as_ptr().copy_to_nonoverlapping(job.out.wrapping_add(done), n) };
        done += n;
    }
}

/// The results of one block that are in doubt.
///
/// # Safety
/// The operands are valid for as many lanes as there are doubts.
#[cold]
#[inline(never)]
unsafe fn settle_block<F: LaneFormat, O: Operation>(
    m: Modifiers,
    from: [*const F::Bits; 3],
    doubts: &[u32],
    results: &mut [F::Bits],
) {
    for i in (0..doubts.len()).filter(|&i| doubts[i] != 0) {
        let mut x = [F::Bits::ZERO; 3];
        for k in 0..O::OPERANDS {
            // SAFETY: the caller's.
            x[k] = unsafe { from[k].wrapping_add(i).read() };
        }
        results[i] = O::scalar::<F>(m, x);
    }
}

/// The results of one vector, from the `done`-th lane on; returns 1.
///
/// # Safety
/// A vector of every operand, and of the results, is in bounds; if `stream`, the results' address is aligned.
#[inline(always)]
pub(super) unsafe fn one<F: Path<E>, O: Operation, E: Engine + Lanes<F::Bits>>(
    e: E,
    m: Modifiers,
    job: &Job<F::Bits>,
    done: usize,
    stream: bool,
) -> usize {
    // SAFETY: the caller's.
    unsafe { F::whole::<O>(e, m, job.sources(done), job.out.wrapping_add(done), stream) };
    1
}

/// One step of the loop, for the formats.
pub(crate) trait Path<E: Engine + Lanes<Self::Bits>>: LaneFormat {
    /// The results from the `done`-th lane on, of one vector or more, but at most `n`; returns of how many.
    ///
    /// # Safety
    /// `n` vectors of every operand, and of the results, are in bounds; if `stream`, the results' addresses are aligned.
    #[inline(always)]
    unsafe fn some<O: Operation>(
        e: E,
        m: Modifiers,
        job: &Job<Self::Bits>,
        done: usize,
        _n: usize,
        stream: bool,
    ) -> usize {
        // SAFETY: the caller's.
        unsafe { one::<Self, O, E>(e, m, job, done, stream) }
    }
    /// Returns whether the result is still in doubt, which only that of an engine by lane can be.
    ///
    /// # Safety
    /// A vector of every operand, and of the results, is in bounds; if `stream`, the results' address is aligned.
    unsafe fn whole<O: Operation>(
        e: E,
        m: Modifiers,
        from: [*const Self::Bits; 3],
        to: *mut Self::Bits,
        stream: bool,
    ) -> bool;
    /// # Safety
    /// `n` lanes of every operand, and of the results, are in bounds; `n` is less than a vector has.
    unsafe fn part<O: Operation>(e: E, m: Modifiers, from: [*const Self::Bits; 3], to: *mut Self::Bits, n: usize);
}

/// # Safety
/// As `stream` or `store`.
#[inline(always)]
pub(super) unsafe fn put<B: Int, E: Lanes<B>>(e: E, to: *mut B, x: E::V, stream: bool) {
    if stream {
        // SAFETY: the caller's.
        unsafe { e.stream(to, x) }
    } else {
        // SAFETY: the caller's.
        unsafe { e.store(to, x) }
    }
}

/// What the two 16-bit formats do differently.
pub(crate) trait Half: LaneFormat<Bits = u16> {
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2];
    fn narrow<E: Engine>(e: E, x: [W<E>; 2]) -> H<E>;
    /// # Safety
    /// As `load`.
    #[inline(always)]
    unsafe fn load<E: Engine>(e: E, p: *const u16) -> [W<E>; 2] {
        // SAFETY: the caller's.
        Self::widen(e, unsafe { Lanes::<u16>::load(e, p) })
    }
    /// # Safety
    /// As `store`.
    #[inline(always)]
    unsafe fn store<E: Engine>(e: E, p: *mut u16, x: [W<E>; 2]) {
        // SAFETY: the caller's.
        unsafe { Lanes::<u16>::store(e, p, Self::narrow(e, x)) }
    }
}

impl Half for crate::format::Binary16 {
    #[inline(always)]
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2] {
        e.widen_f16(x)
    }
    #[inline(always)]
    fn narrow<E: Engine>(e: E, x: [W<E>; 2]) -> H<E> {
        e.narrow_f16(x)
    }
    #[inline(always)]
    unsafe fn load<E: Engine>(e: E, p: *const u16) -> [W<E>; 2] {
        // SAFETY: the caller's.
        unsafe { e.load_f16(p) }
    }
    #[inline(always)]
    unsafe fn store<E: Engine>(e: E, p: *mut u16, x: [W<E>; 2]) {
        // SAFETY: the caller's.
        unsafe { e.store_f16(p, x) }
    }
}

impl Half for crate::format::BFloat16 {
    #[inline(always)]
    fn widen<E: Engine>(e: E, x: H<E>) -> [W<E>; 2] {
        e.widen_bf16(x)
    }
    #[inline(always)]
    fn narrow<E: Engine>(e: E, x: [W<E>; 2]) -> H<E> {
        e.narrow_bf16(x)
    }
}

/// The results in binary32 lanes, ready to be narrowed.
#[inline(always)]
fn half<F: Half, O: Operation, E: Engine>(e: E, m: Modifiers, x: [[W<E>; 2]; 3]) -> [W<E>; 2] {
    let [[a0, a1], [b0, b1], [c0, c1]] = x;
    [one_half::<F, O, E>(e, m, [a0, b0, c0]), one_half::<F, O, E>(e, m, [a1, b1, c1])]
}

// No closures in here: they lack the caller's target features, and nothing makes compilers inline them.
#[inline(always)]
fn one_half<F: Half, O: Operation, E: Engine>(e: E, m: Modifiers, x: [W<E>; 3]) -> W<E> {
    let d = e.finish(op::end(m), F::NAN, O::wide::<F, E>(e, m, x));
    if m.ftz { op::flushed_wide::<F, E>(e, d) } else { d }
}

#[inline(always)]
fn widened<F: Half + LaneFormat<Bits = u16>, E: Engine>(e: E, m: Modifiers, x: H<E>) -> [W<E>; 2] {
    F::widen(e, op::flushed::<F, E>(e, m, x))
}

/// Whether the CPU may compute on the 16-bit lanes as they are.
const fn is_native<F: Half, O: Operation, E: Engine>() -> bool {
    E::NATIVE_F16 && F::PRECISION == crate::format::Binary16::PRECISION && O::ARITHMETIC.is_some()
}

/// On the 16-bit lanes as they are, if that tells the results.
#[inline(always)]
fn native_lanes<F: Half + LaneFormat<Bits = u16>, O: Operation, E: Engine>(
    e: E,
    m: Modifiers,
    x: [H<E>; 3],
) -> Option<H<E>> {
    if !is_native::<F, O, E>() {
        return None;
    }
    let [a, b, c] = x;
    let x = [op::flushed::<F, E>(e, m, a), op::flushed::<F, E>(e, m, b), op::flushed::<F, E>(e, m, c)];
    native::arithmetic::<O, E>(e, O::ARITHMETIC?, m, x)
}

/// From 16-bit lanes to 16-bit lanes.
#[inline(always)]
pub(crate) fn half_lanes<F: Half + LaneFormat<Bits = u16>, O: Operation, E: Engine>(
    e: E,
    m: Modifiers,
    x: [H<E>; 3],
) -> H<E> {
    if O::ROUTE == Route::Bits {
        return O::bits::<F, E>(e, m, x);
    }
    if let Some(d) = native_lanes::<F, O, E>(e, m, x) {
        return if m.oob { op::without_oob(e, &x[..O::OPERANDS], d) } else { d };
    }
    let [a, b, c] = x;
    let wide = [widened::<F, E>(e, m, a), widened::<F, E>(e, m, b), widened::<F, E>(e, m, c)];
    let d = F::narrow(e, half::<F, O, E>(e, m, wide));
    if m.oob { op::without_oob(e, &x[..O::OPERANDS], d) } else { d }
}

macro_rules! half {
    ($($format:ident)*) => {$(
        impl<E: Engine> Path<E> for crate::format::$format {
            #[inline(always)]
            unsafe fn whole<O: Operation>(e: E, m: Modifiers, from: [*const u16; 3], to: *mut u16, stream: bool) -> bool {
                if O::ROUTE == Route::Floats && !m.ftz && !m.oob && !is_native::<Self, O, E>() {
                    let mut x = [Self::widen(e, Lanes::<u16>::splat(e, 0)); 3];
                    for i in 0..O::OPERANDS {
                        // SAFETY: the caller's.
                        x[i] = unsafe { <Self as Half>::load(e, from[i]) };
                    }
                    let d = half::<Self, O, E>(e, m, x);
                    if stream {
                        // SAFETY: the caller's.
                        unsafe { Lanes::<u16>::stream(e, to, Self::narrow(e, d)) }
                    } else {
                        // SAFETY: the caller's.
                        unsafe { <Self as Half>::store(e, to, d) }
                    }
                    return false;
                }
                let mut x = [Lanes::<u16>::splat(e, 0); 3];
                for i in 0..O::OPERANDS {
                    // SAFETY: the caller's.
                    x[i] = unsafe { Lanes::<u16>::load(e, from[i]) };
                }
                // SAFETY: the caller's.
                unsafe { put(e, to, half_lanes::<Self, O, E>(e, m, x), stream) };
                false
            }
            #[inline(always)]
            unsafe fn part<O: Operation>(e: E, m: Modifiers, from: [*const u16; 3], to: *mut u16, n: usize) {
                let mut x = [Lanes::<u16>::splat(e, 0); 3];
                for i in 0..O::OPERANDS {
                    // SAFETY: the caller's.
                    x[i] = unsafe { Lanes::<u16>::load_part(e, from[i], n) };
                }
                // SAFETY: the caller's.
                unsafe { Lanes::<u16>::store_part(e, to, n, half_lanes::<Self, O, E>(e, m, x)) }
            }
        }
    )*};
}

half!(Binary16 BFloat16);

/// From f32 lanes to f32 lanes, with what is in doubt.
#[inline(always)]
fn single_lanes<O: Operation, E: Engine>(e: E, m: Modifiers, x: [W<E>; 3]) -> Single<E> {
    type F = crate::format::Binary32;
    if O::ROUTE == Route::Bits {
        return (O::bits::<F, E>(e, m, x), None);
    }
    let [a, b, c] = x;
    let x = [op::flushed::<F, E>(e, m, a), op::flushed::<F, E>(e, m, b), op::flushed::<F, E>(e, m, c)];
    finished::<O, E>(e, m, O::single::<E>(e, m, x))
}

/// What follows after [`Operation::single`].
#[inline(always)]
pub(super) fn finished<O: Operation, E: Engine>(e: E, m: Modifiers, (d, doubt): Single<E>) -> Single<E> {
    type F = crate::format::Binary32;
    let end = op::end(m);
    if !m.ftz {
        let d = if O::NAN_IN_DOUBT && end == End::Plain { d } else { e.finish(end, F::NAN, d) };
        return (d, doubt);
    }
    let finished = e.finish(end, F::NAN, op::flushed::<F, E>(e, m, d));
    if !O::ROUNDS_TO_NORMAL {
        return (finished, doubt);
    }
    // Whether it was tiny before it was rounded, the rounded value does not say.
    let magnitude = Lanes::<u32>::and(e, d, Lanes::<u32>::splat(e, !(1 << 31)));
    let least = Lanes::<u32>::equal(e, magnitude, Lanes::<u32>::splat(e, 1 << 23));
    (finished, Some(doubt.map_or(least, |doubt| Lanes::<u32>::either(e, doubt, least))))
}

/// From f32 lanes to f32 lanes.
#[inline(always)]
pub(crate) fn single<O: Operation, E: Engine>(e: E, m: Modifiers, x: [W<E>; 3]) -> W<E> {
    settled::<O, E>(e, m, x, single_lanes::<O, E>(e, m, x))
}

/// The results, those in doubt computed one by one.
#[inline(always)]
pub(super) fn settled<O: Operation, E: Engine>(e: E, m: Modifiers, x: [W<E>; 3], (d, doubt): Single<E>) -> W<E> {
    let Some(doubt) = doubt else { return d };
    if !Lanes::<u32>::any(e, doubt) {
        return d;
    }
    let (all, none) = (Lanes::<u32>::splat(e, !0), Lanes::<u32>::splat(e, 0));
    let mut doubt = Lanes::<u32>::select(e, doubt, all, none);
    let (d, special) = O::special(e, op::flushed::<crate::format::Binary32, E>(e, m, x[0]), d);
    if let Some(special) = special {
        doubt = Lanes::<u32>::select(e, special, none, doubt);
        if !Lanes::<u32>::any(e, Lanes::<u32>::equal(e, doubt, all)) {
            return d;
        }
    }
    let mut lanes = [[0; MOST]; 5];
    for (lanes, x) in lanes.iter_mut().zip([x[0], x[1], x[2], doubt, d]) {
        // SAFETY: no vector has more lanes.
        unsafe { Lanes::<u32>::store(e, lanes.as_mut_ptr(), x) };
    }
    settle::<O>(m, &mut lanes);
    // SAFETY: no vector has more lanes.
    unsafe { Lanes::<u32>::load(e, lanes[4].as_ptr()) }
}

/// Operands, doubts, results.
#[cold]
#[inline(never)]
fn settle<O: Operation>(m: Modifiers, [a, b, c, doubt, d]: &mut [[u32; MOST]; 5]) {
    for i in 0..MOST {
        if doubt[i] != 0 {
            d[i] = O::scalar::<crate::format::Binary32>(m, [a[i], b[i], c[i]]);
        }
    }
}

impl<E: Engine> Path<E> for crate::format::Binary32 {
    #[inline(always)]
    unsafe fn some<O: Operation>(e: E, m: Modifiers, job: &Job<u32>, done: usize, n: usize, stream: bool) -> usize {
        // SAFETY: the caller's.
        unsafe { O::some::<E>(e, m, job, done, n, stream) }
    }
    #[inline(always)]
    unsafe fn whole<O: Operation>(e: E, m: Modifiers, from: [*const u32; 3], to: *mut u32, stream: bool) -> bool {
        let mut x = [Lanes::<u32>::splat(e, 0); 3];
        for i in 0..O::OPERANDS {
            // SAFETY: the caller's.
            x[i] = unsafe { Lanes::<u32>::load(e, from[i]) };
        }
        let d = single_lanes::<O, E>(e, m, x);
        if E::BY_LANE {
            // SAFETY: the caller's.
            unsafe { Lanes::<u32>::store(e, to, d.0) };
            return d.1.is_some_and(|doubt| Lanes::<u32>::any(e, doubt));
        }
        // SAFETY: the caller's.
        unsafe { put(e, to, settled::<O, E>(e, m, x, d), stream) };
        false
    }
    #[inline(always)]
    unsafe fn part<O: Operation>(e: E, m: Modifiers, from: [*const u32; 3], to: *mut u32, n: usize) {
        let mut x = [Lanes::<u32>::splat(e, 0); 3];
        for i in 0..O::OPERANDS {
            // SAFETY: the caller's.
            x[i] = unsafe { Lanes::<u32>::load_part(e, from[i], n) };
        }
        let d = single::<O, E>(e, m, x);
        // SAFETY: the caller's.
        unsafe { Lanes::<u32>::store_part(e, to, n, d) }
    }
}
