//! Operations of the table over memory: operands and results of one format.
// Invariant: a level is passed only if the CPU has it.

use core::marker::PhantomData;

use super::{Compute, Job, Route, Steps, Way, one_by_one, routes};
use crate::backend::lanes::engine::{Ints as _, Memory, Vectors};
use crate::backend::lanes::form_modifiers::FormModifiers;
use crate::backend::lanes::format::{LaneFormat, V};
use crate::backend::lanes::op::{Operation, way};
use crate::format::{Binary32, Binary64, Format};
use crate::int::Int as _;
use crate::level::Level;

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
    type Route = O::Way;
    fn scalar(self, x: [F::Bits; 3]) -> F::Bits {
        O::scalar::<F>(self.form.modifiers(), x)
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
    fn step<E: Vectors>(_: E) -> usize {
        <F::Lanes<E> as Memory<F::Bits>>::N
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
