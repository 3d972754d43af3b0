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

use super::engine::{Engine, Floats as _, Memory, V32, Vectors};
use super::form_modifiers::FormModifiers;
use super::portable::Portable;
use super::walk::{Compute, Job, Operand, Steps, routes};
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

/// Conversions between two formats. Those that may copy the bits, including those of a NaN, and
/// those with `.pzo` have no vectors.
macro_rules! between {
    ($($name:ident($from:ident $to:ident, $operands:literal) |$m:ident, $x:pat_param| $result:expr, scalar if $is_scalar:expr;)*) => {$(
        #[inline_in_release]
        impl<A: End, D: End, M: FormModifiers> Compute for $name<A, D, M> {
            const OPERANDS: usize = $operands;
            type From = A::$from;
            type To = D::$to;
            type Route = (A::From, D::To);
            fn scalar(self, $x: [A::$from; 3]) -> D::$to {
                let $m = self.form.modifiers();
                $result
            }
            fn is_scalar(self) -> bool {
                let $m = self.form.modifiers();
                $is_scalar
            }
        }
    )*};
}

between! {
    Each(Bits Bits, 1) |m, [x, ..]| scalar::cvt::<A, D>(m, x),
        scalar if TypeId::of::<A>() == TypeId::of::<D>() && m.only_rounds() || m.pzo();
    Pack(Bits Pair, 2) |m, [high, low, _]| packed::<A, D>(m, [high, low]), scalar if m.pzo();
    Pairs(Pair Pair, 1) |m, [x, ..]| packed::<A, D>(m, lanes_of::<A>(x)), scalar if m.pzo();
}

/// The pair of two lanes, the first one in the upper half.
#[inline_in_release]
fn packed<A: End, D: End>(m: Modifiers, [high, low]: [A::Bits; 2]) -> D::Pair {
    let (high, low) = (scalar::cvt::<A, D>(m, high), scalar::cvt::<A, D>(m, low));
    high.cast::<D::Pair>() << (D::Pair::BITS / 2) | low.cast::<D::Pair>()
}

/// The lanes of a pair, the upper one first.
#[inline_in_release]
fn lanes_of<A: End>(x: A::Pair) -> [A::Bits; 2] {
    let half = A::Pair::BITS / 2;
    [(x >> half).cast(), (x & A::Pair::mask(half)).cast()]
}

#[inline_in_release]
impl<D: Format, M: FormModifiers> Compute for Random<D, M> {
    const OPERANDS: usize = 2;
    type From = u32;
    type To = D::Bits;
    type Route = (route::Floats, route::Floats);
    fn scalar(self, [x, number, _]: [u32; 3]) -> D::Bits {
        sem::cvt_rs::<Binary32, D>(self.form.modifiers(), sem::Random { number, bits: sem::random_bits::<D>() }, x)
    }
}

#[inline_in_release]
impl<M: FormModifiers> Compute for Away<M> {
    const OPERANDS: usize = 1;
    type From = u32;
    type To = u32;
    type Route = (route::Floats, route::Floats);
    fn scalar(self, [x, ..]: [u32; 3]) -> u32 {
        sem::cvt_rna::<Binary32, TensorFloat32>(self.form.modifiers(), x)
    }
}

routes! {
    vectors: (route::Floats, route::Floats);
    scalar: (route::Scalar, route::Floats), (route::Floats, route::Scalar), (route::Scalar, route::Scalar)
}

/// A conversion that has vectors.
#[inline_in_release]
pub(crate) trait Conversion: Compute {
    /// As [`Steps::LISTED`]. Integers of a byte are converted sooner than looked up.
    const LISTED: bool = false;
    /// The results from the `i`-th on, as many as [`Four`] vectors have lanes.
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, Self::From, Self::To>, i: usize, stream: Option<E::Stream>);
    /// The result of one lane at the portable level.
    fn lane(self, x: [Self::From; 3]) -> Self::To;
}

#[inline_in_release]
impl<C: Conversion> Steps for C {
    const LISTED: bool = C::LISTED;
    fn step<E: Vectors>(_: E) -> usize {
        4 * <E::U32 as Memory<u32>>::N
    }
    fn steps<E: Vectors>(
        self,
        e: E,
        job: &mut Job<'_, C::From, C::To>,
        done: usize,
        _: usize,
        stream: Option<E::Stream>,
    ) -> usize {
        self.step(e, job, done, stream);
        1
    }
    /// Computes through arrays.
    fn part<E: Vectors>(self, e: E, job: &mut Job<'_, C::From, C::To>, done: usize, n: usize) {
        let (mut x, mut d) = ([[C::From::ZERO; MOST]; 2], [C::To::ZERO; MOST]);
        for (k, x) in x.iter_mut().enumerate().take(C::OPERANDS) {
            for (i, x) in x.iter_mut().enumerate().take(n) {
                *x = job.lane(k, done + i);
            }
        }
        let [a, b] = x.each_ref().map(|x| Operand::slice(x.as_ptr()));
        // SAFETY: the arrays have `MOST` lanes, which no step has more of, and nothing else uses
        // them.
        let mut arrays = unsafe { Job::new([a, b, b], d.as_mut_ptr(), MOST, false) };
        self.step(e, &mut arrays, 0, None);
        job.write(done, &d[..n]);
    }
    fn lane(self, x: [C::From; 3]) -> (C::To, bool) {
        (Conversion::lane(self, x), false)
    }
}

#[inline_in_release]
impl<A: End + Source, D: End<Bits: Place> + Target, M: FormModifiers> Conversion for Each<A, D, M> {
    const LISTED: bool = A::Bits::BITS == 8 && D::Bits::BITS > 8;
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Bits, D::Bits>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let [a, b, c, d] = A::load(e, m, job, 0, i);
        let x = [integral(e, m, a), integral(e, m, b), integral(e, m, c), integral(e, m, d)];
        <D::Bits as Place>::put::<D, _, E>(e, m, job, i, stream, x);
    }
    fn lane(self, [x, ..]: [A::Bits; 3]) -> D::Bits {
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
impl<A: End + Source, D: End<Pair: Place> + Target, M: FormModifiers> Conversion for Pack<A, D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Bits, D::Pair>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        debug_assert!(!m.integral(), "pairs are converted between floats");
        let x = [A::load(e, m, job, 0, i), A::load(e, m, job, 1, i)];
        put_pairs::<D, _, _, E>(e, m, job, i, stream, x);
    }
    fn lane(self, [high, low, _]: [A::Bits; 3]) -> D::Pair {
        let m = self.form.modifiers();
        let (high, low) = (D::round(Portable, m, A::lane(m, high)), D::round(Portable, m, A::lane(m, low)));
        (high << (D::Pair::BITS / 2) | low).cast()
    }
}

#[inline_in_release]
impl<A: End + PairSource, D: End<Pair: Place> + Target, M: FormModifiers> Conversion for Pairs<A, D, M> {
    const LISTED: bool = A::Pair::BITS == 8;
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, A::Pair, D::Pair>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        debug_assert!(!m.integral(), "pairs are converted between floats");
        put_pairs::<D, _, _, E>(e, m, job, i, stream, A::load_pairs(e, job, i));
    }
    fn lane(self, [x, ..]: [A::Pair; 3]) -> D::Pair {
        let [high, low] = lanes_of::<A>(x);
        Conversion::lane(Pack::<A, D, M>::new(self.form), [high, low, low])
    }
}

#[inline_in_release]
impl<D: Format<Bits: Place>, M: FormModifiers> Conversion for Random<D, M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, u32, D::Bits>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let ([a, b, c, d], [p, q, r, s]) = (Binary32::load(e, m, job, 0, i), Binary32::load(e, m, job, 1, i));
        let bits = sem::random_bits::<D>();
        let (a, b) = (randomly_narrowed::<D, E>(e, m, bits, p, a), randomly_narrowed::<D, E>(e, m, bits, q, b));
        let (c, d) = (randomly_narrowed::<D, E>(e, m, bits, r, c), randomly_narrowed::<D, E>(e, m, bits, s, d));
        D::Bits::put_codes(e, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, random, _]: [u32; 3]) -> D::Bits {
        randomly_narrowed::<D, _>(Portable, self.form.modifiers(), sem::random_bits::<D>(), random, x).cast()
    }
}

#[inline_in_release]
impl<M: FormModifiers> Conversion for Away<M> {
    fn step<E: Vectors>(self, e: E, job: &mut Job<'_, u32, u32>, i: usize, stream: Option<E::Stream>) {
        let m = self.form.modifiers();
        let [a, b, c, d] = Binary32::load(e, m, job, 0, i);
        let (a, b) = (away_from_zero(e, m, a), away_from_zero(e, m, b));
        let (c, d) = (away_from_zero(e, m, c), away_from_zero(e, m, d));
        u32::put_codes(e, job, i, stream, [a, b, c, d]);
    }
    fn lane(self, [x, ..]: [u32; 3]) -> u32 {
        away_from_zero(Portable, self.form.modifiers(), x)
    }
}
