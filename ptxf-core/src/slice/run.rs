//! From slices to a job: compares lengths, and turns slices into pointers to lanes for a loop.
//!
//! A single value becomes a block of 128 bytes that is read again and again, so that one loop
//! serves all combinations of slices and values. A slice of pairs is a slice of twice as many
//! lanes.
//!
//! Results are streamed past the caches only if the call touches more than the last-level cache, or
//! more than 128 MiB. Below that, the next call that reads the results would wait for the memory,
//! which costs more than streaming gains.
// Invariant: slices are as long as the output, elements are lanes and nothing else, and a target exists at a level only if the CPU has it.
#![expect(unsafe_code, reason = "slices become pointers to lanes here")]

use core::mem::MaybeUninit;

use super::LengthError;
use super::operand::{Target, View};
use crate::backend::lanes::convert::{Away, Each, Pack, Pairs, Random};
use crate::backend::lanes::form_modifiers::{Form, form};
use crate::backend::lanes::op::Operation;
use crate::backend::lanes::walk::{Apply, BLOCK, Job, Operand, Run};
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, Format, TensorFloat32,
};
#[cfg(feature = "rayon")]
use crate::int::Int;
use crate::sem::Encoding;
use crate::types::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m3, E2m3x2, E3m2, E3m2x2, E4m3, E4m3x2, E5m2, E5m2x2, F16, F16x2, F32x2, S2f6x2,
    Tf32, Ue5m3x2, Ue8m0, Ue8m0x2,
};

/// A type of elements: one or two lanes of a format and nothing else.
///
/// # Safety
/// The type has the size of one or two `Format::Bits`, or of one that holds two lanes, and at least
/// their alignment. Every bit pattern is valid.
pub(super) unsafe trait Element: Copy + Send + Sync {
    type Format: Encoding;
}

macro_rules! elements {
    ($($ty:ident $format:ident $lanes:literal;)*) => {$(
        // SAFETY: the type is a number of Rust, or a `repr(transparent)` struct of an integer, so
        // that every bit pattern is valid; that its size and alignment are those of the lanes is
        // asserted below.
        unsafe impl Element for $ty {
            type Format = $format;
        }
        const _: () = assert!(
            size_of::<$ty>() == $lanes * size_of::<<$format as Encoding>::Bits>()
                && align_of::<$ty>() >= align_of::<<$format as Encoding>::Bits>()
        );
    )*};
}

elements! {
    F16 Binary16 1;
    F16x2 Binary16 2;
    Bf16 BFloat16 1;
    Bf16x2 BFloat16 2;
    f32 Binary32 1;
    F32x2 Binary32 2;
    f64 Binary64 1;
    Tf32 TensorFloat32 1;
    E4m3 Float8E4M3 1;
    E4m3x2 Float8E4M3 2;
    E5m2 Float8E5M2 1;
    E5m2x2 Float8E5M2 2;
    E2m3 Float6E2M3 1;
    E2m3x2 Float6E2M3 2;
    E3m2 Float6E3M2 1;
    E3m2x2 Float6E3M2 2;
    E2m1 Float4E2M1 1;
    Ue8m0 Exponent8 1;
    Ue8m0x2 Exponent8 2;
    S2f6x2 Fixed2F6 2;
    Ue5m3x2 Float8UE5M3 2;
    u8 u8 1;
    u16 u16 1;
    u32 u32 1;
    u64 u64 1;
}

// SAFETY: the type is a `repr(transparent)` struct of a byte, in which two lanes have a half each.
unsafe impl Element for E2m1x2 {
    type Format = Float4E2M1;
}

/// A value repeated over a block.
#[repr(C, align(64))]
struct Block<T> {
    values: MaybeUninit<[u8; BLOCK]>,
    of: [T; 0],
}

impl<T: Copy> Block<T> {
    #[inline(always)]
    fn new() -> Self {
        Self { values: MaybeUninit::uninit(), of: [] }
    }

    #[inline(always)]
    fn fill(&mut self, value: T) -> *const T {
        let first = self.values.as_mut_ptr().cast::<T>();
        for i in 0..BLOCK / size_of::<T>() {
            // SAFETY: the index is inside of the block, which is aligned for any `T`.
            unsafe { first.wrapping_add(i).write(value) };
        }
        first
    }
}

/// The names of operands and output in the documentation of a function.
struct Names {
    operands: [&'static str; 3],
    output: &'static str,
}

static INTO: Names = Names { operands: ["a", "b", "c"], output: "out" };
static ASSIGN: Names = Names { operands: ["a", "b", "c"], output: "a" };
static ONTO_LAST: Names = Names { operands: ["alpha", "x", "y"], output: "y" };

/// Computes `out = operation(operands)`.
#[inline]
pub(super) fn into<O: Operation, T: Element<Format: Format>, const M: u16>(
    operands: &[View<'_, T>],
    target: Target<'_, T>,
) -> Result<(), LengthError>
where
    Apply<O, T::Format, Form<M>>: Run,
{
    run(Apply::<O, T::Format, _>::new(form::<M>()), operands, None, &INTO, target)
}

/// Computes `target = operation(target, operands)`.
#[inline]
pub(super) fn assign<O: Operation, T: Element<Format: Format>, const M: u16>(
    operands: &[View<'_, T>],
    target: Target<'_, T>,
) -> Result<(), LengthError>
where
    Apply<O, T::Format, Form<M>>: Run,
{
    run(Apply::<O, T::Format, _>::new(form::<M>()), operands, Some(0), &ASSIGN, target)
}

/// Computes `target = operation(operands, target)`.
#[inline]
pub(super) fn onto_last<O: Operation, T: Element<Format: Format>, const M: u16>(
    operands: &[View<'_, T>],
    target: Target<'_, T>,
) -> Result<(), LengthError>
where
    Apply<O, T::Format, Form<M>>: Run,
{
    run(Apply::<O, T::Format, _>::new(form::<M>()), operands, Some(operands.len()), &ONTO_LAST, target)
}

/// Computes `out = conversion(operands)`.
#[inline]
pub(super) fn converted<C: Run, A: Element, D: Element>(
    conversion: C,
    operands: &[View<'_, A>],
    target: Target<'_, D>,
) -> Result<(), LengthError> {
    run(conversion, operands, None, &INTO, target)
}

/// Stores the operand's values in another format.
#[inline]
pub(super) fn cvt<A: Element, D: Element, const M: u16>(
    operands: &[View<'_, A>],
    target: Target<'_, D>,
) -> Result<(), LengthError>
where
    Each<A::Format, D::Format, Form<M>>: Run,
{
    converted(Each::<A::Format, D::Format, _>::new(form::<M>()), operands, target)
}

/// Stores pairs of both operands' values in another format.
#[inline]
pub(super) fn cvt_pack<A: Element, D: Element, const M: u16>(
    operands: &[View<'_, A>],
    target: Target<'_, D>,
) -> Result<(), LengthError>
where
    Pack<A::Format, D::Format, Form<M>>: Run,
{
    converted(Pack::<A::Format, D::Format, _>::new(form::<M>()), operands, target)
}

/// Stores the operand's pairs in another format, where one format has two lanes in a byte.
#[inline]
pub(super) fn cvt_pairs<A: Element, D: Element, const M: u16>(
    operands: &[View<'_, A>],
    target: Target<'_, D>,
) -> Result<(), LengthError>
where
    Pairs<A::Format, D::Format, Form<M>>: Run,
{
    converted(Pairs::<A::Format, D::Format, _>::new(form::<M>()), operands, target)
}

/// Stores the operand's values in tf32, with ties rounded away from zero.
#[inline]
pub(super) fn cvt_rna<A: Element, D: Element, const M: u16>(
    operands: &[View<'_, A>],
    target: Target<'_, D>,
) -> Result<(), LengthError> {
    converted(Away::<_>::new(form::<M>()), operands, target)
}

/// Stores the first operand's values in another format, rounded by the random numbers in the second
/// operand.
#[inline]
pub(super) fn randomly<D: Element<Format: Format>, const M: u16>(
    operands: &[View<'_, f32>],
    target: Target<'_, D>,
) -> Result<(), LengthError>
where
    Random<D::Format, Form<M>>: Run,
{
    converted(Random::<D::Format, _>::new(form::<M>()), operands, target)
}

/// Runs a computation. `place` is the index of the operand that is the target as well.
#[inline]
fn run<C: Run, A: Element, D: Element>(
    compute: C,
    operands: &[View<'_, A>],
    place: Option<usize>,
    names: &Names,
    Target { out, level, parallel }: Target<'_, D>,
) -> Result<(), LengthError> {
    let lanes = const {
        let lanes = size_of::<D>() / size_of::<C::To>();
        assert!(lanes * size_of::<C::To>() == size_of::<D>() && align_of::<D>() >= align_of::<C::To>());
        assert!(lanes * size_of::<C::From>() == size_of::<A>() && align_of::<A>() >= align_of::<C::From>());
        lanes
    };
    assert_eq!(operands.len() + place.is_some() as usize, C::OPERANDS);
    let in_place = place.is_some();
    let to = out.as_mut_ptr().cast::<C::To>();
    let mut blocks = [Block::new(), Block::new(), Block::new()];
    // In place operands and results are of one type.
    let mut from = [Operand::slice(to.cast_const().cast::<C::From>()); 3];
    let mut slices = 0;
    let mut views = operands.iter();
    // The compiler makes straight code of this loop, which leaves operands in registers. With
    // adapters of iterators it did not, and 256 sums took twice as long.
    for i in 0..3 {
        if place == Some(i) {
            continue;
        }
        let Some(view) = views.next() else { break };
        from[i] = match *view {
            View::Slice(x) => {
                LengthError::check(names.operands[i], x.len(), names.output, out.len())?;
                slices += 1;
                Operand::slice(x.as_ptr().cast())
            }
            View::Splat(x) => Operand::repeat(blocks[i].fill(x).cast()),
        };
    }
    // A single value is read from the first cache; in place the lines of the results are in the
    // cache already.
    let touched = size_of_val(out) + out.len() * size_of::<A>() * slices;
    let stream = !in_place && touched > cache::kept();
    // SAFETY: every slice has as many elements as `out`, each of them so many lanes; the blocks
    // live until the end. `out` is borrowed for writing, so that it is no other operand than the
    // one that is made from it. Operands that the function does not have are not read.
    let job = unsafe { Job::new(from, to, out.len() * lanes, stream) };
    #[cfg(feature = "rayon")]
    if parallel {
        let job = Shared(job);
        crate::parallel::each(out.len().div_ceil(CHUNK), &|i| {
            // SAFETY: no two chunks have a lane in common.
            let chunk = unsafe { job.chunk(i * CHUNK * lanes, CHUNK * lanes) };
            // SAFETY: the CPU has the level, because a `Target` exists at a level only if the CPU
            // has it.
            unsafe { compute.run(level, chunk) };
        });
        return Ok(());
    }
    let _ = parallel;
    // SAFETY: the CPU has the level, because a `Target` exists at a level only if the CPU has it.
    unsafe { compute.run(level, job) };
    Ok(())
}

/// Elements of a chunk for one core: a multiple of every loop's step, and few enough for the core's
/// cache.
#[cfg(feature = "rayon")]
const CHUNK: usize = 1 << 15;

/// A job whose chunks several threads compute.
#[cfg(feature = "rayon")]
struct Shared<'a, A, D>(Job<'a, A, D>);

#[cfg(feature = "rayon")]
impl<A: Int, D: Int> Shared<'_, A, D> {
    /// Returns at most `lanes` lanes from `first` on.
    ///
    /// # Safety
    /// As [`Job::part`].
    unsafe fn chunk(&self, first: usize, lanes: usize) -> Job<'_, A, D> {
        // SAFETY: the caller's.
        unsafe { self.0.part(first, lanes.min(self.0.lanes() - first)) }
    }
}

// SAFETY: the memory that the pointers lead to outlives the call, operands are only read, and each
// chunk's results are written by one thread alone.
#[cfg(feature = "rayon")]
unsafe impl<A: Int, D: Int> Sync for Shared<'_, A, D> {}

mod cache {
    /// Returns the number of bytes that the next call may find in a cache.
    #[inline]
    pub(super) fn kept() -> usize {
        // Miri has no `cpuid`, and streams nothing.
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use core::sync::atomic::{AtomicUsize, Ordering};
            static BYTES: AtomicUsize = AtomicUsize::new(0);
            match BYTES.load(Ordering::Relaxed) {
                0 => {
                    let bytes = last_level().min(MOST);
                    BYTES.store(bytes, Ordering::Relaxed);
                    bytes
                }
                bytes => bytes,
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        usize::MAX
    }

    /// The largest part of a shared cache that one core uses. On a server with 480 MiB three sums,
    /// each of the one before, were slower with stores past the caches when a call touched 64 MiB,
    /// and no longer at 128 MiB (`docs/speed.md`).
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    const MOST: usize = 128 << 20;

    /// The largest cache that `cpuid` lists, Intel's leaf 4 or AMD's of the same form.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[cold]
    fn last_level() -> usize {
        let vendor = cpuid(0, 0);
        let leaf = if vendor.ebx == u32::from_le_bytes(*b"Auth") { 0x8000_001D } else { 4 };
        let highest = if leaf == 4 { vendor.eax } else { cpuid(0x8000_0000, 0).eax };
        if leaf > highest {
            return 32 << 20;
        }
        let sizes = (0..8).map(|i| cpuid(leaf, i)).take_while(|r| r.eax & 31 != 0).map(|r| {
            let field = |low: u32, bits: u32| (r.ebx >> low & ((1 << bits) - 1)) as usize + 1;
            field(22, 10) * field(12, 10) * field(0, 12) * (r.ecx as usize + 1)
        });
        sizes.max().unwrap_or(32 << 20)
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    fn cpuid(leaf: u32, part: u32) -> core::arch::x86_64::CpuidResult {
        // SAFETY: every x86-64 CPU has the instruction, and it changes nothing but its results.
        #[allow(unused_unsafe, reason = "compilers before 1.94 ask for it")]
        unsafe {
            core::arch::x86_64::__cpuid_count(leaf, part)
        }
    }
}
