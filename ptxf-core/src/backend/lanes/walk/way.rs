//! The ways to compute an operation on vectors: one vector, two, or as many as memory has.
//!
//! A type of [`way`] implements [`Way`] for the operations and formats that it computes. A wide
//! kernel and a single value enter at [`Lanewise`].

use super::Job;
use super::bf16::steps as bf16_steps;
use super::staged::steps as function_steps;
use crate::backend::lanes::engine::{Ints as _, Memory, V16, V32, Vectors};
use crate::backend::lanes::finish::{self, extremes};
use crate::backend::lanes::format::{Format16, LaneFormat, V};
use crate::backend::lanes::op::{OfFunction, On16, On32, OnBits, Operation, way};
use crate::backend::lanes::portable::Portable;
use crate::format::{BFloat16, Binary16, Binary32, Format};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};

/// A computation of `O` in the format `F`.
#[inline_in_release]
pub(crate) trait Way<O, F: LaneFormat> {
    /// `true` if the computation is faster with the CPU's arithmetic on f16.
    const IN_F16: bool;
    /// The results of a vector.
    fn vector<E: Vectors>(e: E, m: Modifiers, x: [V<F, E>; 3]) -> V<F, E>;
    /// The results of two vectors.
    fn pair<E: Vectors>(e: E, m: Modifiers, x: [[V<F, E>; 3]; 2]) -> [V<F, E>; 2];
    /// Returns the results of a vector of which only the lanes of one value are used. The compiler
    /// then removes one of the two vectors of binary32 lanes that a vector of 16-bit lanes widens
    /// to, provided that no NaN is searched for.
    fn of_value<E: Vectors>(e: E, m: Modifiers, x: [V<F, E>; 3]) -> V<F, E> {
        Self::vector(e, m, x)
    }
    /// The result of a lane at the portable level, and whether it is in doubt.
    fn lane(m: Modifiers, x: [F::Bits; 3]) -> (F::Bits, bool);
    /// The results from the `done`-th lane on, of one vector or more, but at most `n`; returns how
    /// many vectors those were.
    fn steps<E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, F::Bits>,
        done: usize,
        n: usize,
        stream: Option<E::Stream>,
    ) -> usize;
}

/// An operation that has vectors of a format.
#[inline_in_release]
pub(crate) trait Lanewise<F: LaneFormat>: Operation<Way: Way<Self, F>> + Sized {
    /// [`Way::vector`]
    fn vector<E: Vectors>(e: E, m: Modifiers, x: [V<F, E>; 3]) -> V<F, E> {
        Self::Way::vector(e, m, x)
    }
    /// [`Way::pair`]
    fn pair<E: Vectors>(e: E, m: Modifiers, x: [[V<F, E>; 3]; 2]) -> [V<F, E>; 2] {
        Self::Way::pair(e, m, x)
    }
    /// [`Way::of_value`]
    fn of_value<E: Vectors>(e: E, m: Modifiers, x: [V<F, E>; 3]) -> V<F, E> {
        Self::Way::of_value(e, m, x)
    }
}
impl<F: LaneFormat, O: Operation<Way: Way<O, F>>> Lanewise<F> for O {}

/// An operation that has vectors of every format that has lanes.
pub(crate) trait Anywhere: Lanewise<Binary16> + Lanewise<BFloat16> + Lanewise<Binary32> {}
impl<O: Lanewise<Binary16> + Lanewise<BFloat16> + Lanewise<Binary32>> Anywhere for O {}

/// The results of one vector or, if `$short` says that one takes no longer than the loop around it,
/// of pairs of vectors: of one pair where results go past the caches, else of all, in a loop that
/// does not ask for that. Returns how many vectors those were.
macro_rules! few {
    ($lanes:expr, $O:ident, $job:ident $done:ident $n:ident $stream:ident, $short:expr, |$x:ident| $one:expr, |$xs:ident| $pair:expr) => {
        if !$short || $n < 2 {
            let $x = operands::<_, _, $O>($job, $lanes, $done, 0);
            $job.put($lanes, $done, $stream, $one);
            1
        } else if $stream.is_some() {
            few!(@ $lanes, $O, $job $done $stream, |$xs| $pair);
            2
        } else {
            let pair = 2 * lanes_of($lanes);
            for k in 0..$n / 2 {
                let done = $done + k * pair;
                few!(@ $lanes, $O, $job done None::<E::Stream>, |$xs| $pair);
            }
            $n / 2 * 2
        }
    };
    (@ $lanes:expr, $O:ident, $job:ident $done:ident $stream:expr, |$xs:ident| $pair:expr) => {
        let after = lanes_of($lanes);
        let $xs = [operands::<_, _, $O>($job, $lanes, $done, 0), operands::<_, _, $O>($job, $lanes, $done, after)];
        let [first, second] = $pair;
        $job.put($lanes, $done, $stream, first);
        $job.put($lanes, $done + after, $stream, second);
    };
}

macro_rules! on_bits {
    ($($format:ident $lanes:ident)*) => {$(
        #[inline_in_release]
        impl<O: OnBits> Way<O, $format> for way::Bits {
            const IN_F16: bool = $format::PRECISION == Binary16::PRECISION && O::EXTREME.is_some();
            fn vector<E: Vectors>(e: E, m: Modifiers, x: [V<$format, E>; 3]) -> V<$format, E> {
                match O::EXTREME {
                    Some(which) => extremes::of_vector::<$format, E>(e, m, which, O::OPERANDS, x),
                    None => O::bits::<$format, _>(e.$lanes(), m, x),
                }
            }
            fn pair<E: Vectors>(e: E, m: Modifiers, [x, y]: [[V<$format, E>; 3]; 2]) -> [V<$format, E>; 2] {
                match O::EXTREME {
                    Some(which) => extremes::of_pair::<$format, E>(e, m, which, O::OPERANDS, [x, y]),
                    None => [O::bits::<$format, _>(e.$lanes(), m, x), O::bits::<$format, _>(e.$lanes(), m, y)],
                }
            }
            fn lane(m: Modifiers, x: [<$format as Format>::Bits; 3]) -> (<$format as Format>::Bits, bool) {
                (O::bits::<$format, _>(Portable, m, x), false)
            }
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, <$format as Format>::Bits>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                few!(
                    e.$lanes(), O, job done n stream, true,
                    |x| <Self as Way<O, $format>>::vector(e, m, x), |pair| <Self as Way<O, $format>>::pair(e, m, pair)
                )
            }
        }
    )*};
}

on_bits!(Binary16 u16 BFloat16 u16 Binary32 u32);

macro_rules! on_16 {
    ($($way:ident $format:ident $steps:ident;)*) => {$(
        #[inline_in_release]
        impl<O: On16> Way<O, $format> for way::$way {
            const IN_F16: bool = $format::PRECISION == Binary16::PRECISION && O::ARITHMETIC.is_some();
            fn vector<E: Vectors>(e: E, m: Modifiers, x: [V16<E>; 3]) -> V16<E> {
                finish::vector_16::<$format, O, E>(e, m, x, E::FINDS_NANS)
            }
            fn pair<E: Vectors>(e: E, m: Modifiers, x: [[V16<E>; 3]; 2]) -> [V16<E>; 2] {
                finish::pair_16::<$format, O, E>(e, m, x)
            }
            fn of_value<E: Vectors>(e: E, m: Modifiers, x: [V16<E>; 3]) -> V16<E> {
                finish::vector_16::<$format, O, E>(e, m, x, false)
            }
            fn lane(m: Modifiers, x: [u16; 3]) -> (u16, bool) {
                (finish::lane_16::<$format, O>(m, x), false)
            }
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, u16>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                $steps::<$format, O, E>(e, m, job, done, n, stream)
            }
        }
    )*};
}

on_16! {
    Floats Binary16 wide_steps;
    Floats BFloat16 wide_steps;
    Function Binary16 wide_steps;
    Function BFloat16 bf16_steps;
}

macro_rules! on_32 {
    ($($way:ident $operation:ident $steps:ident;)*) => {$(
        #[inline_in_release]
        impl<O: $operation> Way<O, Binary32> for way::$way {
            const IN_F16: bool = false;
            fn vector<E: Vectors>(e: E, m: Modifiers, x: [V32<E>; 3]) -> V32<E> {
                finish::vector_32::<O, E>(e, m, x)
            }
            fn pair<E: Vectors>(e: E, m: Modifiers, x: [[V32<E>; 3]; 2]) -> [V32<E>; 2] {
                finish::pair_32::<O, E>(e, m, x)
            }
            fn lane(m: Modifiers, x: [u32; 3]) -> (u32, bool) {
                let (d, doubt) = finish::doubtful_32::<O, _>(Portable, m, x);
                (d, doubt.is_some_and(|doubt| doubt))
            }
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, u32>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                $steps::<O, E>(e, m, job, done, n, stream)
            }
        }
    )*};
}

on_32! {
    Floats On32 float_steps;
    Function OfFunction function_steps;
}

/// The results of one vector of f32 or more, but at most `n`; returns how many vectors those were.
#[inline_in_release]
fn float_steps<O: On32, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u32>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    let short =
        if m.ftz() { finish::asks_if_ftz_matters::<O, E>(m) } else { O::ARITHMETIC.is_some() && m.rnd() == Round::Rn };
    few!(
        e.u32(), O, job done n stream, short,
        |x| finish::vector_32::<O, E>(e, m, x), |pair| finish::pair_32::<O, E>(e, m, pair)
    )
}

/// The results of one vector of a 16-bit format or more, but at most `n`; returns how many vectors
/// those were.
#[inline_in_release]
fn wide_steps<F: Format16, O: On16, E: Vectors>(
    e: E,
    m: Modifiers,
    job: &mut Job<'_, u16>,
    done: usize,
    n: usize,
    stream: Option<E::Stream>,
) -> usize {
    let native = finish::is_native::<F, O, E>(e);
    if m.ftz() || m.oob() || native {
        let lanes = e.u16();
        return few!(
            lanes, O, job done n stream, native,
            |x| finish::vector_16::<F, O, E>(e, m, x, E::FINDS_NANS), |pair| finish::pair_16::<F, O, E>(e, m, pair)
        );
    }
    // Straight from memory to binary32 lanes.
    let Some(stream) = stream else {
        for k in 0..n {
            let done = done + k * lanes_of(e.u16());
            let d = wide_results::<F, O, E>(e, m, job, done);
            job.store_wide::<F, E>(e, done, d);
        }
        return n;
    };
    let d = wide_results::<F, O, E>(e, m, job, done);
    job.stream(stream, done, F::narrow(e, d));
    1
}

/// The results of one vector, in binary32 lanes.
#[inline_in_release]
fn wide_results<F: Format16, O: On16, E: Vectors>(e: E, m: Modifiers, job: &Job<'_, u16>, done: usize) -> [V32<E>; 2] {
    let mut x = [F::widen(e, e.u16().splat(0)); 3];
    for (k, x) in x.iter_mut().enumerate().take(O::OPERANDS) {
        *x = job.load_wide::<F, E>(e, k, done);
    }
    finish::wide::<F, O, E>(e, m, x, E::FINDS_NANS)
}

/// A vector of each of an operation's operands, which begin `after` lanes behind the `done`-th one,
/// and zeros for operands that it has not.
#[inline_in_release]
fn operands<B: Int, M: Memory<B>, O: Operation>(job: &Job<'_, B>, lanes: M, done: usize, after: usize) -> [M::V; 3] {
    let mut x = [lanes.splat(B::ZERO); 3];
    for (k, x) in x.iter_mut().enumerate().take(O::OPERANDS) {
        *x = job.load_after(lanes, k, done, after);
    }
    x
}

#[inline_in_release]
fn lanes_of<B: Int, M: Memory<B>>(_: M) -> usize {
    M::N
}
