//! Operations of the table over memory: operands and results of one format.
// Invariant: a level is passed only if the CPU has it.

use core::marker::PhantomData;

use super::{Compute, Job, Route, Run, Steps, bf16, one_by_one, routes, staged};
use crate::backend::lanes::engine::{Ints as _, Memory, V32, Vectors};
use crate::backend::lanes::finish::{self, Finish};
use crate::backend::lanes::form_modifiers::FormModifiers;
use crate::backend::lanes::format::{Format16, LaneFormat, V};
use crate::backend::lanes::op::{OfFunction, On16, On32, OnBits, Operation, way};
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::level::Level;
use crate::modifiers::{Modifiers, Round};

/// The operation `O` on lanes of the format `F`.
pub(crate) struct Apply<O, F, M> {
    form: M,
    of: PhantomData<fn(O, F)>,
}

impl<O, F, M: Copy> Copy for Apply<O, F, M> {}
impl<O, F, M: Copy> Clone for Apply<O, F, M> {
    fn clone(&self) -> Self {
        *self
    }
}

#[inline_in_release]
impl<O, F, M> Apply<O, F, M> {
    pub(crate) const fn new(form: M) -> Self {
        Self { form, of: PhantomData }
    }
}

#[inline_in_release]
impl<O: Operation, F: Format, M: FormModifiers> Compute for Apply<O, F, M> {
    const OPERANDS: usize = O::OPERANDS;
    type From = F::Bits;
    type To = F::Bits;
    fn scalar(self, x: [F::Bits; 3]) -> F::Bits {
        O::scalar::<F>(self.form.modifiers(), x)
    }
}

impl<O: Operation<Way: Route<Self>>, F: Format, M: FormModifiers> Run for Apply<O, F, M> {
    #[inline]
    unsafe fn run(self, level: Level, job: Job<'_, F::Bits>) {
        // SAFETY: the caller's.
        unsafe { O::Way::run(self, level, job) }
    }
}

routes! { vectors: way::Bits, way::Floats, way::Function; scalar: way::Scalar }

// Binary64 has no vectors.
macro_rules! binary64 {
    ($($way:ident)*) => {$(
        impl<O: Operation, M: FormModifiers> Route<Apply<O, Binary64, M>> for way::$way {
            #[inline]
            unsafe fn run(compute: Apply<O, Binary64, M>, _: Level, job: Job<'_, u64>) {
                one_by_one(compute, job);
            }
        }
    )*};
}

binary64!(Bits Floats Function);

#[inline_in_release]
impl<O: Operation<Way: Way<O, F>>, F: LaneFormat, M: FormModifiers> Steps for Apply<O, F, M> {
    const IN_F16: bool = O::Way::IN_F16;
    // Of 16 bits no lane is in doubt, and noting it would cost half the speed.
    const DOUBTS: bool = F::PRECISION == Binary32::PRECISION;
    fn step<E: Vectors>(e: E) -> usize {
        lanes_of(F::lanes(e))
    }
    fn steps<E: Vectors>(
        self,
        e: E,
        job: &mut Job<'_, F::Bits>,
        done: usize,
        n: usize,
        stream: Option<E::Stream>,
    ) -> usize {
        O::Way::steps(e, self.form.modifiers(), job, done, n, stream)
    }
    fn part<E: Vectors>(self, e: E, job: &mut Job<'_, F::Bits>, done: usize, n: usize) {
        let lanes = F::lanes(e);
        let mut x: [V<F, E>; 3] = [lanes.splat(F::Bits::ZERO); 3];
        for (k, x) in x.iter_mut().enumerate().take(O::OPERANDS) {
            *x = job.load_n(lanes, k, done, n);
        }
        job.store_n(lanes, done, n, O::Way::vector(e, self.form.modifiers(), x));
    }
    fn lane(self, x: [F::Bits; 3]) -> (F::Bits, bool) {
        O::Way::lane(self.form.modifiers(), x)
    }
}

/// The steps of `O` over whole vectors of the format `F`, implemented by the types in `way`.
pub(crate) trait Way<O, F: LaneFormat>: Finish<O, F> {
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
        impl<O: $operation> Way<O, $format> for way::$way {
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
        impl<O: On16> Way<O, $format> for way::$way {
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
    Function Binary16;
}

#[inline_in_release]
impl<O: On16> Way<O, BFloat16> for way::Function {
    fn steps<E: Vectors>(
        e: E,
        m: Modifiers,
        job: &mut Job<'_, u16>,
        done: usize,
        n: usize,
        stream: Option<E::Stream>,
    ) -> usize {
        bf16::steps::<O, E>(e, m, job, done, n, stream)
    }
}

#[inline_in_release]
impl<O: OfFunction> Way<O, Binary32> for way::Function {
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
