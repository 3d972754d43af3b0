//! The walk over memory: loops over slices, of vectors or lane by lane, and how a job gets to them.
//!
//! ```text
//! run(level, job):
//!     f64, or no vectors:          one lane after another                     (scalar)
//!     the portable level:          blocks of 32 lanes, without branches       (blocks)
//!     otherwise, for each engine:                                             (vectors)
//!         if results go past the caches:  a part of a vector, up to an aligned address
//!         whole vectors: one, or pairs if the work is small, or up to 256 in stages
//!         what is left, in a part of a vector
//! ```
//!
//! Every form has its four functions from the table; all of them are generic, so that a build pays
//! for those that it calls. A pair is two lanes, and a slice of pairs the same loop over twice the
//! lanes.
// Invariant: a level is passed only if the CPU has it.

mod halves;
mod job;
mod staged;

pub(crate) use job::{BLOCK, Job, Operand};

use core::marker::PhantomData;

use super::elementary::eighths::Function as _;
use super::engine::{Ints as _, Memory, Stream, V32, Vectors};
use super::finish::{self, Finish};
use super::form_modifiers::{FormModifiers, form};
use super::format::{Format16, LaneFormat, V};
use super::levels::{self, Task};
use super::op::{OfFunction, OfHalf, On16, On32, OnBits, Operation, way};
use super::portable::HAS_FLOATS;
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::level::Level;
use crate::modifiers::{Modifiers, Round};

/// An operation with loops over lanes of a format.
pub(crate) trait Run<F: Format>: Operation {
    /// Runs a job at a level.
    ///
    /// # Safety
    /// This CPU has `level`.
    unsafe fn run<const M: u16>(level: Level, job: Job<'_, F::Bits>);
}

impl<F: Format, O: Operation<Way: Walk<O, F>>> Run<F> for O {
    #[inline]
    unsafe fn run<const M: u16>(level: Level, job: Job<'_, F::Bits>) {
        // SAFETY: the caller's.
        unsafe { O::Way::walk::<M>(level, job) }
    }
}

/// A walk of the operation `O` over lanes of the format `F`, implemented by the types in `way`.
pub(crate) trait Walk<O, F: Format> {
    /// # Safety
    /// This CPU has `level`.
    unsafe fn walk<const M: u16>(level: Level, job: Job<'_, F::Bits>);
}

impl<O: Operation, W> Walk<O, Binary64> for W {
    #[inline]
    unsafe fn walk<const M: u16>(_: Level, job: Job<'_, u64>) {
        scalar::<Binary64, O>(form::<M>().modifiers(), job);
    }
}

impl<O: Operation> Walk<O, Binary32> for way::Scalar {
    #[inline]
    unsafe fn walk<const M: u16>(_: Level, job: Job<'_, u32>) {
        scalar::<Binary32, O>(form::<M>().modifiers(), job);
    }
}

macro_rules! by_level {
    ($($way:ident)*) => {$(
        impl<F: LaneFormat, O: Operation> Walk<O, F> for way::$way
        where
            Self: Steps<O, F>,
        {
            #[inline]
            unsafe fn walk<const M: u16>(level: Level, job: Job<'_, F::Bits>) {
                // SAFETY: the caller's.
                unsafe { levels::run(level, Loop::<F, O, Self, _> { job, form: form::<M>(), of: PhantomData }) }
            }
        }
    )*};
}

by_level!(Bits Floats Function);

/// A job of an operation `O`.
struct Loop<'a, F: LaneFormat, O, W, A> {
    job: Job<'a, F::Bits>,
    form: A,
    of: PhantomData<(O, W)>,
}

#[inline_in_release]
impl<F: LaneFormat, O: Operation, W: Steps<O, F>, A: FormModifiers> Task for Loop<'_, F, O, W, A> {
    type Output = ();
    const IN_F16: bool = W::IN_F16;
    const IN_SIMD128: bool = true;

    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        vectors::<F, O, W, E>(e, self.form.modifiers(), self.job);
    }

    #[inline]
    fn portable(self) {
        let m = self.form.modifiers();
        if HAS_FLOATS {
            blocks::<F, O, W>(m, self.job);
        } else {
            scalar::<F, O>(m, self.job);
        }
    }
}

/// One lane after another.
#[inline_in_release]
fn scalar<F: Format, O: Operation>(m: Modifiers, mut job: Job<'_, F::Bits>) {
    for i in 0..job.lanes() {
        let mut x = [F::Bits::ZERO; 3];
        for (k, x) in x.iter_mut().enumerate().take(O::OPERANDS) {
            *x = job.lane(k, i);
        }
        job.set(i, O::scalar::<F>(m, x));
    }
}

/// A vector or more after another, the rest in part of one.
#[inline_in_release]
fn vectors<F: LaneFormat, O: Operation, W: Steps<O, F>, E: Vectors>(e: E, m: Modifiers, mut job: Job<'_, F::Bits>) {
    let lanes = F::lanes(e);
    let step = <F::Lanes<E> as Memory<F::Bits>>::N;
    // Streaming needs whole vectors at aligned addresses.
    let (stream, mut part) = job.streamed(e, step * size_of::<F::Bits>());
    let mut done = 0;
    loop {
        if part > 0 {
            let mut x = [lanes_of_zero::<F, E>(e); 3];
            for (k, x) in x.iter_mut().enumerate().take(O::OPERANDS) {
                *x = job.load_n(lanes, k, done, part);
            }
            job.store_n(lanes, done, part, W::vector(e, m, x));
            done += part;
        }
        while job.lanes() - done >= step {
            let n = (job.lanes() - done) / step;
            done += step * W::steps(e, m, &mut job, done, n, stream);
        }
        part = job.lanes() - done;
        if part == 0 {
            break;
        }
    }
    if let Some(stream) = stream {
        Stream::<u16, _>::fence(stream);
    }
}

#[inline_in_release]
fn lanes_of_zero<F: LaneFormat, E: Vectors>(e: E) -> V<F, E> {
    F::lanes(e).splat(F::Bits::ZERO)
}

/// The steps of a walk of `O` over whole vectors of the format `F`, implemented by the types in
/// `way`.
pub(crate) trait Steps<O, F: LaneFormat>: Finish<O, F> {
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

macro_rules! steps {
    ($($way:ident $format:ident $operation:ident |$m:pat_param| $short:expr;)*) => {$(
        #[inline_in_release]
        impl<O: $operation> Steps<O, $format> for way::$way {
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, <$format as Format>::Bits>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                let (lanes, $m) = (<$format as LaneFormat>::lanes(e), m);
                few!(
                    lanes, O, job done n stream, $short,
                    |x| <Self as Finish<O, $format>>::vector(e, m, x), |pair| <Self as Finish<O, $format>>::pair(e, m, pair)
                )
            }
        }
    )*};
}

steps! {
    Bits Binary16 OnBits |_| true;
    Bits BFloat16 OnBits |_| true;
    Bits Binary32 OnBits |_| true;
    Floats Binary32 On32 |m| if m.ftz() {
        finish::asks_if_ftz_matters::<O, E>(m)
    } else {
        O::ARITHMETIC.is_some() && m.rnd() == Round::Rn
    };
}

/// The results of one vector of a 16-bit format or more, but at most `n`; returns how many vectors
/// those were.
#[inline_in_release]
fn wide_step<F: Format16, O: On16, E: Vectors>(
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

macro_rules! wide_steps {
    ($($way:ident $format:ident;)*) => {$(
        #[inline_in_release]
        impl<O: On16> Steps<O, $format> for way::$way {
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, u16>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                wide_step::<$format, O, E>(e, m, job, done, n, stream)
            }
        }
    )*};
}

wide_steps! {
    Floats Binary16;
    Floats BFloat16;
}

macro_rules! half_steps {
    ($($format:ident)*) => {$(
        #[inline_in_release]
        impl<O: OfHalf> Steps<O, $format> for way::Function {
            fn steps<E: Vectors>(
                e: E,
                m: Modifiers,
                job: &mut Job<'_, u16>,
                done: usize,
                n: usize,
                stream: Option<E::Stream>,
            ) -> usize {
                if let Some(of) = O::InEighths::eighths::<$format, E>(e) {
                    return halves::steps::<O, $format, E>(e, of, m, job, done, n, stream);
                }
                wide_step::<$format, O, E>(e, m, job, done, n, stream)
            }
        }
    )*};
}

half_steps!(Binary16 BFloat16);

#[inline_in_release]
impl<O: OfFunction> Steps<O, Binary32> for way::Function {
    fn steps<E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, u32>,
        done: usize,
        n: usize,
        stream: Option<E::Stream>,
    ) -> usize {
        staged::steps::<O, E>(e, m, job, done, n, stream)
    }
}

/// Block by block, each in a loop that has no branch and no overlap, and so becomes one of vectors.
#[inline_in_release]
fn blocks<F: LaneFormat, O: Operation, W: Finish<O, F>>(m: Modifiers, mut job: Job<'_, F::Bits>) {
    const LANES: usize = BLOCK / 4;
    let (mut results, mut doubts) = ([F::Bits::ZERO; LANES], [0_u32; LANES]);
    let mut done = 0;
    while done < job.lanes() {
        let n = LANES.min(job.lanes() - done);
        let [a, b, c] = [job.slice(0, done, n), job.slice(1, done, n), job.slice(2, done, n)];
        for i in 0..n {
            let (d, doubt) = W::lane(m, [a[i], b[i], c[i]]);
            results[i] = d;
            // Of 16 bits none is, and noting it would cost half the speed.
            if F::PRECISION == Binary32::PRECISION {
                doubts[i] = doubt.into();
            }
        }
        if F::PRECISION == Binary32::PRECISION && doubts.iter().take(n).fold(0, |any, doubt| any | doubt) != 0 {
            settle::<F, O>(m, [a, b, c], &doubts[..n], &mut results);
        }
        job.write(done, &results[..n]);
        done += n;
    }
}

/// The results of one block that are in doubt.
#[cold]
#[inline(never)]
fn settle<F: LaneFormat, O: Operation>(m: Modifiers, x: [&[F::Bits]; 3], doubts: &[u32], results: &mut [F::Bits]) {
    for i in (0..doubts.len()).filter(|&i| doubts[i] != 0) {
        results[i] = O::scalar::<F>(m, x.map(|x| x[i]));
    }
}
