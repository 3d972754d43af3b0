//! Conversions of lanes from one format to another.
//!
//! ```text
//! run(level, job):
//!     f64:                 one lane after another, by the meaning or the CPU's own conversion
//!     the portable level:  blocks of 32 results, each in a loop without branches
//!     otherwise, once for each engine, four vectors of 32-bit lanes at a time:
//!         source           operands in binary32, exactly
//!         target           rounded once to the format, its bits at the lower end of 32-bit lanes
//!         place            narrowed to lanes of the result, and stored
//! ```
//!
//! Binary32 holds every value of a [`Source`] format. So any source converts to any [`Target`],
//! with one rounding. [`Each`] converts lanes. [`Pack`] converts lanes of two operands into the
//! lanes of a pair, which is one result. Their [modifiers](super::form_modifiers) are part of their
//! type. Conversions to and from [`integers`] have modifiers as a value, since there are hundreds
//! of them and the loop hardly slows down.
//!
//! Operands of a byte have 256 results. A long job computes them once and looks them up where that
//! is faster. `--bench lookup` on an Intel Xeon with AVX-512, in nanoseconds for a pair `e4m3x2 →
//! f16x2` of any bits:
//!
//! | | L1 | L2 | memory |
//! |---|---:|---:|---:|
//! | 65,536 pairs, 256 KiB, one load a pair | 0.35 | 0.35 | 0.81 |
//! | 256 lanes, 512 bytes, one load a lane | 0.36 | 0.36 | 0.81 |
//! | arithmetic at AVX-512 | 0.24 | 0.24 | 0.71 |
//! | arithmetic at AVX2, and what is there now | 0.56, 0.45 | 0.55, 0.43 | 0.89, 0.78 |
//! | arithmetic at the portable level, and what is there now | 2.98, 0.52 | 2.92, 0.43 | 3.87, 1.00 |
//! | a copy of as many bytes | 0.07 | 0.06 | 0.45 |
//!
//! So lanes are looked up, at AVX2 and at the portable level. Looking up pairs is 0.1 ns faster
//! where data repeat, but evicts everything else from L1.
// Invariant: a level is passed only if the CPU has it; a job over arrays has no more lanes than they.

pub(crate) mod integers;
mod place;
mod source;
mod target;
#[cfg(test)]
mod tests;

use core::any::TypeId;
use core::marker::PhantomData;

use super::engine::{Engine, Floats as _, Lists, Memory, V32, Vectors};
use super::form_modifiers::FormModifiers;
use super::levels::{self, Task};
use super::portable::{HAS_FLOATS, Portable};
use super::walk::{BLOCK, Job, Operand};
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, Format, TensorFloat32,
};
use crate::int::Int;
use crate::level::Level;
use crate::modifiers::Modifiers;
use crate::scalar;
use crate::sem::{self, Encoding};
use place::{Place, put_pairs};
pub(crate) use source::ByteSource;
use source::{PairSource, Source};
pub(crate) use target::Target;
use target::{away_from_zero, randomly_narrowed};

/// The results of one step: four whole vectors.
type Four<E> = [V32<E>; 4];

/// The most lanes of [`Four`] vectors of any engine.
const MOST: usize = 64;

/// The ways to convert from or to a format.
pub(crate) mod route {
    /// One value at a time.
    #[derive(Debug)]
    pub(crate) enum Scalar {}
    /// Through binary32 lanes.
    #[derive(Debug)]
    pub(crate) enum Floats {}
}

/// A source or destination format of a conversion.
pub(crate) trait End: Encoding {
    /// One of [`route`], `Floats` if it is a [`Source`].
    type From;
    /// One of [`route`], `Floats` if it is a [`Target`].
    type To;
    /// Two lanes in a register.
    type Pair: Int;
}

macro_rules! ends {
    ($($format:ident $from:ident $to:ident $pair:ident;)*) => {$(
        impl End for $format {
            type From = route::$from;
            type To = route::$to;
            type Pair = $pair;
        }
    )*};
}

ends! {
    Binary16 Floats Floats u32;
    BFloat16 Floats Floats u32;
    Binary32 Floats Floats u64;
    Binary64 Scalar Scalar u128;
    TensorFloat32 Scalar Floats u64;
    Float8E4M3 Floats Floats u16;
    Float8E5M2 Floats Floats u16;
    Float6E2M3 Floats Floats u16;
    Float6E3M2 Floats Floats u16;
    Float4E2M1 Floats Floats u8;
    Exponent8 Floats Floats u16;
    Fixed2F6 Floats Floats u16;
    Float8UE5M3 Scalar Scalar u16;
}

/// A conversion of up to two operands, with its modifiers.
#[inline_in_release]
pub(crate) trait Conversion: Copy + Sync {
    const OPERANDS: usize;
    /// A lane of an operand.
    type From: Int;
    /// A result.
    type To: Int;
    fn scalar(self, x: [Self::From; 2]) -> Self::To;
    /// `true` if looking results up is faster than computing them with AVX2.
    const LISTED: bool = false;
    /// Returns `true` if the conversion has no vectors: it may copy the bits, including those of a
    /// NaN, or has `.pzo`.
    fn is_scalar(self) -> bool {
        false
    }
}

macro_rules! conversions {
    ($($(#[$doc:meta])* $name:ident<$($ty:ident),*>;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name<$($ty,)* M> {
            form: M,
            ends: PhantomData<fn($($ty),*)>,
        }

        #[inline_in_release]
        impl<$($ty,)* M: FormModifiers> $name<$($ty,)* M> {
            pub(crate) const fn new(form: M) -> Self {
                Self { form, ends: PhantomData }
            }
        }
    )*};
}

conversions! {
    /// The lanes of the operand in another format.
    Each<A, D>;
    /// Pairs of one lane of each operand, the first operand's in the upper half.
    Pack<A, D>;
    /// Pairs in another format, where the lanes of either are less than a byte.
    Pairs<A, D>;
    /// Binary32 values in another format, rounded by the random numbers in the lanes of a second
    /// operand.
    Random<D>;
    /// Binary32 values in tf32, a tie rounded away from zero.
    Away<>;
}

#[inline_in_release]
impl<A: End, D: End, M: FormModifiers> Conversion for Each<A, D, M> {
    const OPERANDS: usize = 1;
    const LISTED: bool = A::Bits::BITS == 8 && D::Bits::BITS > 8;
    type From = A::Bits;
    type To = D::Bits;
    fn scalar(self, [x, _]: [A::Bits; 2]) -> D::Bits {
        scalar::cvt::<A, D>(self.form.modifiers(), x)
    }
    fn is_scalar(self) -> bool {
        let m = self.form.modifiers();
        TypeId::of::<A>() == TypeId::of::<D>() && m.only_rounds() || m.pzo()
    }
}

#[inline_in_release]
impl<A: End, D: End, M: FormModifiers> Conversion for Pack<A, D, M> {
    const OPERANDS: usize = 2;
    type From = A::Bits;
    type To = D::Pair;
    fn scalar(self, x: [A::Bits; 2]) -> D::Pair {
        let [high, low] = x.map(|x| scalar::cvt::<A, D>(self.form.modifiers(), x).cast::<D::Pair>());
        high << (D::Pair::BITS / 2) | low
    }
    fn is_scalar(self) -> bool {
        self.form.modifiers().pzo()
    }
}

#[inline_in_release]
impl<A: End, D: End, M: FormModifiers> Conversion for Pairs<A, D, M> {
    const OPERANDS: usize = 1;
    const LISTED: bool = A::Pair::BITS == 8;
    type From = A::Pair;
    type To = D::Pair;
    fn scalar(self, [x, _]: [A::Pair; 2]) -> D::Pair {
        let half = A::Pair::BITS / 2;
        Pack::<A, D, M>::new(self.form).scalar([x >> half, x & A::Pair::mask(half)].map(Int::cast))
    }
    fn is_scalar(self) -> bool {
        self.form.modifiers().pzo()
    }
}

#[inline_in_release]
impl<D: Format, M: FormModifiers> Conversion for Random<D, M> {
    const OPERANDS: usize = 2;
    type From = u32;
    type To = D::Bits;
    fn scalar(self, [x, number]: [u32; 2]) -> D::Bits {
        sem::cvt_rs::<Binary32, D>(self.form.modifiers(), sem::Random { number, bits: sem::random_bits::<D>() }, x)
    }
}

#[inline_in_release]
impl<M: FormModifiers> Conversion for Away<M> {
    const OPERANDS: usize = 1;
    type From = u32;
    type To = u32;
    fn scalar(self, [x, _]: [u32; 2]) -> u32 {
        sem::cvt_rna::<Binary32, TensorFloat32>(self.form.modifiers(), x)
    }
}

/// A conversion with loops over lanes.
pub(crate) trait RunConversion: Conversion {
    /// Runs a job at a level.
    ///
    /// # Safety
    /// This CPU has `level`.
    unsafe fn run(self, level: Level, job: Job<'_, Self::From, Self::To>);
}

macro_rules! run {
    ($($conversion:ident)*) => {$(
        impl<A: End, D: End, M: FormModifiers> RunConversion for $conversion<A, D, M>
        where
            (A::From, D::To): ConversionWalk<Self>,
        {
            #[inline]
            unsafe fn run(self, level: Level, job: Job<'_, Self::From, Self::To>) {
                if self.is_scalar() {
                    return one_by_one(self, job);
                }
                // SAFETY: the caller's.
                unsafe { <(A::From, D::To)>::walk(self, level, job) }
            }
        }
    )*};
}

run!(Each Pack Pairs);

impl<D: Format<Bits: Place>, M: FormModifiers> RunConversion for Random<D, M> {
    #[inline]
    unsafe fn run(self, level: Level, job: Job<'_, u32, D::Bits>) {
        // SAFETY: the caller's.
        unsafe { levels::run(level, ConversionLoop { conversion: self, job }) }
    }
}

impl<M: FormModifiers> RunConversion for Away<M> {
    #[inline]
    unsafe fn run(self, level: Level, job: Job<'_, u32, u32>) {
        // SAFETY: the caller's.
        unsafe { levels::run(level, ConversionLoop { conversion: self, job }) }
    }
}

/// A walk over lanes, chosen by the [`route`]s of source and destination.
pub(crate) trait ConversionWalk<C: Conversion> {
    /// # Safety
    /// This CPU has `level`.
    unsafe fn walk(conversion: C, level: Level, job: Job<'_, C::From, C::To>);
}

impl<C: ConversionSteps> ConversionWalk<C> for (route::Floats, route::Floats) {
    #[inline]
    unsafe fn walk(conversion: C, level: Level, job: Job<'_, C::From, C::To>) {
        // SAFETY: the caller's.
        unsafe { levels::run(level, ConversionLoop { conversion, job }) }
    }
}

macro_rules! scalar {
    ($($from:ident $to:ident;)*) => {$(
        impl<C: Conversion> ConversionWalk<C> for (route::$from, route::$to) {
            #[inline]
            unsafe fn walk(conversion: C, _: Level, job: Job<'_, C::From, C::To>) {
                one_by_one(conversion, job);
            }
        }
    )*};
}

scalar! { Scalar Floats; Floats Scalar; Scalar Scalar; }

/// A job with its conversion.
struct ConversionLoop<'a, C: Conversion> {
    conversion: C,
    job: Job<'a, C::From, C::To>,
}

#[inline_in_release]
impl<C: ConversionSteps> Task for ConversionLoop<'_, C> {
    type Output = ();
    const IN_F16: bool = false;
    const IN_SIMD128: bool = true;

    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        let is_listed = match E::LISTS {
            Lists::None => false,
            Lists::OfSome => C::LISTED,
            Lists::OfAllBytes => C::From::BITS == 8 && C::OPERANDS == 1,
        };
        if is_listed && self.job.lanes() >= LIST {
            let mut list = List::<C>::new();
            vectors(self.conversion, e, list.job());
            list.look_up(self.job);
        } else {
            vectors(self.conversion, e, self.job);
        }
    }

    #[inline]
    fn portable(self) {
        if !HAS_FLOATS {
            one_by_one(self.conversion, self.job);
        } else if C::From::BITS == 8 && C::OPERANDS == 1 && self.job.lanes() >= LIST {
            let mut list = List::<C>::new();
            blocks(self.conversion, list.job());
            list.look_up(self.job);
        } else {
            blocks(self.conversion, self.job);
        }
    }
}

/// A conversion that has vectors.
pub(crate) trait ConversionSteps: Conversion {
    /// The results from the `i`-th on, as many as [`Four`] vectors have lanes.
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, Self::From, Self::To>, i: usize, stream: Option<E::Stream>);
    /// The result of one lane at the portable level.
    fn lane(self, x: [Self::From; 2]) -> Self::To;
}

#[inline_in_release]
impl<A: End + Source, D: End<Bits: Place> + Target, M: FormModifiers> ConversionSteps for Each<A, D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Bits, D::Bits>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let [a, b, c, d] = A::load(e, m, job, 0, i);
        let x = [integral(e, m, a), integral(e, m, b), integral(e, m, c), integral(e, m, d)];
        <D::Bits as Place>::put::<D, _, E>(e, m, job, i, stream, x);
    }
    fn lane(self, [x, _]: [A::Bits; 2]) -> D::Bits {
        let m = self.form.modifiers();
        D::round(Portable, m, integral(Portable, m, A::lane(m, x))).cast()
    }
}

/// Rounds binary32 values to integers if the modifiers do.
#[inline_in_release]
fn integral<E: Engine>(e: E, m: Modifiers, x: V32<E>) -> V32<E> {
    if m.integral() { e.f32().integral(m.rnd(), x) } else { x }
}

#[inline_in_release]
impl<A: End + Source, D: End<Pair: Place> + Target, M: FormModifiers> ConversionSteps for Pack<A, D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Bits, D::Pair>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        debug_assert!(!m.integral(), "pairs are converted between floats");
        let x = [A::load(e, m, job, 0, i), A::load(e, m, job, 1, i)];
        put_pairs::<D, _, _, E>(e, m, job, i, stream, x);
    }
    fn lane(self, [high, low]: [A::Bits; 2]) -> D::Pair {
        let m = self.form.modifiers();
        let (high, low) = (D::round(Portable, m, A::lane(m, high)), D::round(Portable, m, A::lane(m, low)));
        (high << (D::Pair::BITS / 2) | low).cast()
    }
}

#[inline_in_release]
impl<A: End + PairSource, D: End<Pair: Place> + Target, M: FormModifiers> ConversionSteps for Pairs<A, D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Pair, D::Pair>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        debug_assert!(!m.integral(), "pairs are converted between floats");
        put_pairs::<D, _, _, E>(e, m, job, i, stream, A::load_pairs(e, job, i));
    }
    fn lane(self, [x, _]: [A::Pair; 2]) -> D::Pair {
        let half = A::Pair::BITS / 2;
        Pack::<A, D, M>::new(self.form).lane([(x >> half).cast(), (x & A::Pair::mask(half)).cast()])
    }
}

#[inline_in_release]
impl<D: Format<Bits: Place>, M: FormModifiers> ConversionSteps for Random<D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, u32, D::Bits>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let ([a, b, c, d], [p, q, r, s]) = (Binary32::load(e, m, job, 0, i), Binary32::load(e, m, job, 1, i));
        let bits = sem::random_bits::<D>();
        let (a, b) = (randomly_narrowed::<D, E>(e, m, bits, p, a), randomly_narrowed::<D, E>(e, m, bits, q, b));
        let (c, d) = (randomly_narrowed::<D, E>(e, m, bits, r, c), randomly_narrowed::<D, E>(e, m, bits, s, d));
        D::Bits::put_codes(e, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, random]: [u32; 2]) -> D::Bits {
        randomly_narrowed::<D, _>(Portable, self.form.modifiers(), sem::random_bits::<D>(), random, x).cast()
    }
}

#[inline_in_release]
impl<M: FormModifiers> ConversionSteps for Away<M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, u32, u32>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let [a, b, c, d] = Binary32::load(e, m, job, 0, i);
        let (a, b) = (away_from_zero(e, m, a), away_from_zero(e, m, b));
        let (c, d) = (away_from_zero(e, m, c), away_from_zero(e, m, d));
        u32::put_codes(e, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, _]: [u32; 2]) -> u32 {
        away_from_zero(Portable, self.form.modifiers(), x)
    }
}

/// The number of results from which a list of all of them pays.
const LIST: usize = 1024;

/// All operands of a byte, and their results.
struct List<C: Conversion> {
    codes: [C::From; 256],
    results: [C::To; 256],
}

#[inline_in_release]
impl<C: Conversion> List<C> {
    fn new() -> Self {
        Self { codes: core::array::from_fn(|code| C::From::of_low_bits(code as u128)), results: [C::To::ZERO; 256] }
    }

    /// The job that computes the results.
    fn job(&mut self) -> Job<'_, C::From, C::To> {
        let codes = Operand::slice(self.codes.as_ptr());
        // SAFETY: both arrays have 256 lanes, and are borrowed as long as the job.
        unsafe { Job::new([codes; 3], self.results.as_mut_ptr(), 256, false) }
    }

    /// One of the results for each lane.
    fn look_up(&self, mut job: Job<'_, C::From, C::To>) {
        for i in 0..job.lanes() {
            job.set(i, self.results[usize::from(job.lane(0, i).cast::<u8>())]);
        }
    }
}

/// One result after another.
#[inline_in_release]
fn one_by_one<C: Conversion>(conversion: C, mut job: Job<'_, C::From, C::To>) {
    if C::From::BITS == 8 && C::OPERANDS == 1 && job.lanes() >= LIST {
        let mut list = List::<C>::new();
        list.results = list.codes.map(|x| conversion.scalar([x; 2]));
        return list.look_up(job);
    }
    for i in 0..job.lanes() {
        let x = job.lane(0, i);
        job.set(i, conversion.scalar([x, if C::OPERANDS == 2 { job.lane(1, i) } else { x }]));
    }
}

/// Converts whole vectors, and the rest as parts of vectors.
#[inline_in_release]
fn vectors<C: ConversionSteps, E: Vectors>(conversion: C, e: E, mut job: Job<'_, C::From, C::To>) {
    let (step, vector) = (4 * <E::U32 as Memory<u32>>::N, size_of::<V32<E>>());
    let (stream, mut rest) = job.streamed(e, vector);
    let mut done = 0;
    loop {
        // Fewer than a step.
        if rest > 0 {
            part(conversion, e, &mut job, done, rest);
            done += rest;
        }
        while job.lanes() - done >= step {
            conversion.step(e, &mut job, done, stream);
            done += step;
        }
        rest = job.lanes() - done;
        if rest == 0 {
            break;
        }
    }
    if let Some(stream) = stream {
        super::engine::Stream::<u32, _>::fence(stream);
    }
}

/// Converts fewer results than a step has, through arrays.
#[inline_in_release]
fn part<C: ConversionSteps, E: Vectors>(
    conversion: C,
    e: E,
    job: &mut Job<'_, C::From, C::To>,
    first: usize,
    lanes: usize,
) {
    let (mut x, mut d) = ([[C::From::ZERO; MOST]; 2], [C::To::ZERO; MOST]);
    for (k, x) in x.iter_mut().enumerate().take(C::OPERANDS) {
        for (i, x) in x.iter_mut().enumerate().take(lanes) {
            *x = job.lane(k, first + i);
        }
    }
    let [a, b] = x.each_ref().map(|x| Operand::slice(x.as_ptr()));
    // SAFETY: the arrays have `MOST` lanes, which no step has more of, and nothing else accesses
    // them.
    let mut arrays = unsafe { Job::new([a, b, b], d.as_mut_ptr(), MOST, false) };
    conversion.step(e, &mut arrays, 0, None);
    job.write(first, &d[..lanes]);
}

/// Converts block by block, each in a loop without branches or overlap, which the compiler
/// vectorizes.
#[inline_in_release]
fn blocks<C: ConversionSteps>(conversion: C, mut job: Job<'_, C::From, C::To>) {
    const LANES: usize = BLOCK / 4;
    let mut results = [C::To::ZERO; LANES];
    let mut done = 0;
    while done < job.lanes() {
        let n = LANES.min(job.lanes() - done);
        let a = job.slice(0, done, n);
        let b = if C::OPERANDS == 2 { job.slice(1, done, n) } else { a };
        for i in 0..n {
            results[i] = conversion.lane([a[i], b[i]]);
        }
        job.write(done, &results[..n]);
        done += n;
    }
}
