//! The operations: each meaning of the table as a type, with vector code if there is any.
//!
//! `scalar` is the definition, and vector code returns the same bits. The [`way`] of an operation
//! names how vectors compute it. Each way has traits for its parameters:
//!
//! | way | trait | computed |
//! |---|---|---|
//! | [`way::Scalar`] | none | one value after another, at every level |
//! | [`way::Bits`] | [`OnBits`] | on the lanes as they are, in any format |
//! | [`way::Floats`] | [`On16`], [`On32`] | in binary32 lanes: for the 16-bit formats, and for f32 |
//! | [`way::Function`] | [`On16`], [`OfFunction`] | the same, bf16 and f32 over several vectors |
//!
//! An operation without 16-bit forms does not implement `On16`, so that vectors of these formats
//! cannot use it. [`finish`](super::finish) applies modifiers such as `.sat`, and
//! [`walk`](super::walk) reads operands and writes results.

use super::elementary::{
    bits16,
    bits32::{self, Function},
};
use super::engine::{Engine, Floats as _, Ints, M32, V32};
use super::format::{Format16, LaneFormat};
use super::{directed, modifiers::flushed};
use crate::format::Format;
use crate::int::Int as _;
use crate::modifiers::{Modifiers, Round};
use crate::scalar;

/// The ways to compute an operation on vectors.
pub(crate) mod way {
    /// One value at a time.
    #[derive(Debug)]
    pub(crate) enum Scalar {}
    /// On the bits of the lanes as they are.
    #[derive(Debug)]
    pub(crate) enum Bits {}
    /// In binary32 lanes.
    #[derive(Debug)]
    pub(crate) enum Floats {}
    /// In binary32 lanes, those of f32 in binary64 lanes, stage by stage.
    #[derive(Debug)]
    pub(crate) enum Function {}
}

/// Results, with a mask of those that the meaning has to compute.
pub(crate) type Doubtful<E> = (V32<E>, Option<M32<E>>);

/// An operation on up to three operands. Operands beyond [`OPERANDS`](Self::OPERANDS) are ignored.
pub(crate) trait Operation {
    const OPERANDS: usize;
    /// One of [`way`].
    type Way;
    /// `true` if a result of exactly the smallest normal number, in f32 or in the CPU's f16, may
    /// have been smaller before rounding. A function's result is not that near to this number.
    const ROUNDS_TO_NORMAL: bool = false;
    /// The instruction of CPUs that computes the operation, if there is one.
    const ARITHMETIC: Option<Arithmetic> = None;

    fn scalar<F: Format>(m: Modifiers, x: [F::Bits; 3]) -> F::Bits;
}

/// An operation on the bits of lanes.
pub(crate) trait OnBits: Operation<Way = way::Bits> {
    /// The operand that the operation selects; `None` if it selects none.
    const EXTREME: Option<Extreme>;
    fn bits<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, x: [E::V; 3]) -> E::V;
}

/// An operand that is selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extreme {
    Min,
    Max,
}

/// An operation on the 16-bit formats in binary32 lanes.
pub(crate) trait On16: Operation {
    /// Returns the results before the last rounding.
    fn wide<F: Format16, E: Engine>(e: E, x: [V32<E>; 3]) -> V32<E>;
}

/// A sum, a product or both.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Fma,
}

/// An operation on f32.
#[inline_in_release]
pub(crate) trait On32: Operation {
    /// `true` if [`f32`](Self::f32) returns results that may be in doubt.
    const DOUBTS: bool = false;
    /// `true` if a NaN result is always in doubt, so that no other has to be made the canonical
    /// one.
    const NAN_IN_DOUBT: bool = false;
    /// Returns the results before `.ftz`, `.sat` and the canonical NaN.
    fn f32<E: Engine>(e: E, m: Modifiers, x: [V32<E>; 3]) -> Doubtful<E>;
    /// Returns final results for special operands whose doubtful results are easy to compute, and a
    /// mask of these operands; `None` if there are none.
    fn special<E: Engine>(_: E, _: V32<E>, _: V32<E>) -> Option<(V32<E>, M32<E>)> {
        None
    }
}

/// An operation on f32 that is a function in stages.
pub(crate) trait OfFunction: On32 + Operation<Way = way::Function> {
    type Function: Function;
}

macro_rules! operations {
    ($(
        $name:ident = $meaning:ident($($x:ident)*) $way:ident $(as $arithmetic:ident)?
        $(ROUNDS_TO_NORMAL = $rounds:literal)? { $($body:tt)* }
    )*) => {$(
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $name {}

        #[inline_in_release]
        impl Operation for $name {
            const OPERANDS: usize = [$(stringify!($x)),*].len();
            type Way = way::$way;
            $(const ARITHMETIC: Option<Arithmetic> = Some(Arithmetic::$arithmetic);)?
            $(const ROUNDS_TO_NORMAL: bool = $rounds;)?
            fn scalar<F: Format>(m: Modifiers, x: [F::Bits; 3]) -> F::Bits {
                let [$($x,)* ..] = x;
                scalar::$meaning::<F>(m, $($x),*)
            }
        }

        parts!($name $($body)*);
    )*};
}

/// The other traits of an operation.
macro_rules! parts {
    ($name:ident) => {};
    ($name:ident bits |$e:ident, $m:pat_param, $($x:ident)*| $body:expr; $($rest:tt)*) => {
        #[inline_in_release]
        impl OnBits for $name {
            const EXTREME: Option<Extreme> = None;
            fn bits<F: LaneFormat, E: Ints<F::Bits>>($e: E, $m: Modifiers, [$($x,)* ..]: [E::V; 3]) -> E::V {
                $body
            }
        }
        parts!($name $($rest)*);
    };
    ($name:ident $extreme:ident of $a:ident $($x:ident)*; $($rest:tt)*) => {
        #[inline_in_release]
        impl OnBits for $name {
            const EXTREME: Option<Extreme> = Some(Extreme::$extreme);
            fn bits<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, [$a, $($x,)* ..]: [E::V; 3]) -> E::V {
                $(let $a = extreme::<F, E>(e, m, Extreme::$extreme, $a, $x);)*
                $a
            }
        }
        parts!($name $($rest)*);
    };
    ($name:ident on 16 |$e:ident, $($x:ident)*| $body:expr; $($rest:tt)*) => {
        #[inline_in_release]
        impl On16 for $name {
            fn wide<F: Format16, E: Engine>($e: E, [$($x,)* ..]: [V32<E>; 3]) -> V32<E> {
                $body
            }
        }
        parts!($name $($rest)*);
    };
    ($name:ident on 32 |$e:ident, $rnd:pat_param, $($x:ident)*| $body:expr; $($rest:tt)*) => {
        #[inline_in_release]
        impl On32 for $name {
            fn f32<E: Engine>($e: E, m: Modifiers, [$($x,)* ..]: [V32<E>; 3]) -> Doubtful<E> {
                let $rnd = m.rnd();
                ($body, None)
            }
        }
        parts!($name $($rest)*);
    };
    ($name:ident function $function:ident; $($rest:tt)*) => {
        #[inline_in_release]
        impl On32 for $name {
            const DOUBTS: bool = true;
            const NAN_IN_DOUBT: bool = <bits32::$function as Function>::NAN_IN_DOUBT;
            fn f32<E: Engine>(e: E, _: Modifiers, [x, ..]: [V32<E>; 3]) -> Doubtful<E> {
                let (d, doubt) = <bits32::$function as Function>::of(e, x);
                (d, Some(doubt))
            }
            fn special<E: Engine>(e: E, x: V32<E>, d: V32<E>) -> Option<(V32<E>, M32<E>)> {
                <bits32::$function as Function>::special(e, x, d)
            }
        }
        impl OfFunction for $name {
            type Function = bits32::$function;
        }
        parts!($name $($rest)*);
    };
}

operations! {
    Add = add(a b) Floats as Add {
        // A sum of two 16-bit values may be rounded to binary32 and again: all 2^32 sums are right.
        on 16 |e, a b| e.f32().add(a, b);
        on 32 |e, rnd, a b| e.f32().add_rnd(rnd, a, b);
    }
    Sub = sub(a b) Floats as Sub {
        on 16 |e, a b| e.f32().sub(a, b);
        on 32 |e, rnd, a b| e.f32().add_rnd(rnd, a, e.u32().xor(b, e.u32().splat(1 << 31)));
    }
    Mul = mul(a b) Floats as Mul ROUNDS_TO_NORMAL = true {
        on 16 |e, a b| e.f32().mul(a, b);
        on 32 |e, rnd, a b| e.f32().mul_rnd(rnd, a, b);
    }
    Fma = fma(a b c) Floats as Fma ROUNDS_TO_NORMAL = true {
        on 16 |e, a b c| F::fma(e.f32(), a, b, c);
        on 32 |e, rnd, a b c| e.f32().fma_rnd(rnd, a, b, c);
    }
    Neg = neg(a) Bits {
        bits |e, m, a| e.xor(flushed::<F, E>(e, m, a), e.splat(F::sign_mask()));
    }
    Abs = abs(a) Bits {
        bits |e, m, a| e.and(flushed::<F, E>(e, m, a), e.splat(!F::sign_mask()));
    }
    Copysign = copysign(a b) Bits {
        bits |e, _, a b| e.or(e.and(a, e.splat(F::sign_mask())), e.and(b, e.splat(!F::sign_mask())));
    }
    Min = min(a b) Bits { Min of a b; }
    Max = max(a b) Bits { Max of a b; }
    Min3 = min3(a b c) Bits { Min of a b c; }
    Max3 = max3(a b c) Bits { Max of a b c; }
    MadSm1x = mad_sm1x(a b c) Scalar {}
    Div = div(a b) Floats ROUNDS_TO_NORMAL = true {
        on 32 |e, rnd, a b| directed::div(e, rnd, a, b);
    }
    DivApprox = div_approx(a b) Floats ROUNDS_TO_NORMAL = true {
        on 32 |e, _, a b| div_approx(e, a, b);
    }
    Rcp = rcp(a) Floats ROUNDS_TO_NORMAL = true {
        on 32 |e, rnd, a| directed::div(e, rnd, e.f32().splat(1.0), a);
    }
    Sqrt = sqrt(a) Floats {
        on 32 |e, rnd, a| directed::sqrt(e, rnd, a);
    }
    RsqrtApprox = rsqrt_approx(a) Floats {
        on 32 |e, _, a| e.f32().rsqrt(a);
    }
    RcpApproxF64 = rcp_approx_f64(a) Scalar {}
    RsqrtApproxF64 = rsqrt_approx_f64(a) Scalar {}
    Sin = sin(a) Function { function Sin; }
    Cos = cos(a) Function { function Cos; }
    Sin2pi = sin_2pi(a) Scalar {}
    Cos2pi = cos_2pi(a) Scalar {}
    Lg2 = lg2(a) Function { function Log2; }
    Ex2 = ex2(a) Function {
        function Exp2;
        on 16 |e, a| bits16::ex2::<F, E>(e, a);
    }
    Tanh = tanh(a) Function {
        function Tanh;
        on 16 |e, a| bits16::tanh::<F, E>(e, a);
    }
}

/// Returns the quotient; for 2^126 < |b| < 2^128 a zero, or NaN if `a` is infinite.
#[inline_in_release]
fn div_approx<E: Engine>(e: E, a: V32<E>, b: V32<E>) -> V32<E> {
    let d = directed::div(e, Round::Rn, a, b);
    let e = e.u32();
    let most = e.splat(!(1 << 31));
    let infinity = e.splat(0x7F80_0000);
    let (x, y) = (e.and(a, most), e.and(b, most));
    let sign = e.and(e.xor(a, b), e.splat(1 << 31));
    let finite = e.gt(infinity, x);
    let large = e.select(finite, sign, most);
    let large = e.select(e.gt(infinity, y), large, d);
    let two_126 = e.splat((126 + 127) << 23);
    e.select(e.gt(y, two_126), large, d)
}

/// Returns the larger or the smaller operand without a branch, which would prevent vectorization of
/// a loop over lanes. [`finish`](super::finish) has a faster version with a branch for vectors.
#[inline_in_release]
fn extreme<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, which: Extreme, a: E::V, b: E::V) -> E::V {
    let (x, y) = (absolute::<F, E>(e, m, a), absolute::<F, E>(e, m, b));
    let d = number::<F, E>(e, m, which, x, y);
    let (d, nan) = if m.nan() { (d, unordered::<F, E>(e, x, y)) } else { yielding::<F, E>(e, x, y, d) };
    e.select(nan, e.splat(F::CANONICAL_NAN), signed::<F, E>(e, m, [a, b], flushed::<F, E>(e, m, d)))
}

/// Returns the larger or the smaller number, with +0 above −0. If an operand is a NaN, the result
/// has any bits.
#[inline_in_release]
pub(super) fn number<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, which: Extreme, x: E::V, y: E::V) -> E::V {
    let (small, large) = (e.min(x, y), e.max(x, y));
    let (d, of_negative) = match which {
        Extreme::Min => (small, large),
        Extreme::Max => (large, small),
    };
    // Signed integers have the numbers' order if at least one is not negative, and the reverse
    // order if both are negative.
    if m.abs() { d } else { e.select(e.gt(e.splat(F::Bits::ZERO), e.and(x, y)), of_negative, d) }
}

/// Returns a mask of the lanes in which `x` or `y` is a NaN.
#[inline_in_release]
pub(super) fn unordered<F: LaneFormat, E: Ints<F::Bits>>(e: E, x: E::V, y: E::V) -> E::M {
    let magnitude = e.splat(!F::sign_mask());
    e.gt(e.max(e.and(x, magnitude), e.and(y, magnitude)), e.splat(F::infinity()))
}

/// Returns the selected operands, where a NaN yields to the other operand and `d` is the selection
/// for two numbers. The mask has the lanes in which both are NaNs.
#[inline_in_release]
pub(super) fn yielding<F: LaneFormat, E: Ints<F::Bits>>(e: E, x: E::V, y: E::V, d: E::V) -> (E::V, E::M) {
    let d = e.select(is_nan::<F, E>(e, y), x, e.select(is_nan::<F, E>(e, x), y, d));
    (d, is_nan::<F, E>(e, d))
}

/// Returns the selected operand `d` with the sign of `.xorsign`.
#[inline_in_release]
pub(super) fn signed<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, x: [E::V; 2], d: E::V) -> E::V {
    let sign = e.and(e.xor(x[0], x[1]), e.splat(F::sign_mask()));
    if m.xorsign() { e.or(e.and(d, e.splat(!F::sign_mask())), sign) } else { d }
}

/// `.abs` of an operand.
#[inline_in_release]
pub(super) fn absolute<F: LaneFormat, E: Ints<F::Bits>>(e: E, m: Modifiers, x: E::V) -> E::V {
    if m.abs() { e.and(x, e.splat(!F::sign_mask())) } else { x }
}

#[inline_in_release]
fn is_nan<F: LaneFormat, E: Ints<F::Bits>>(e: E, x: E::V) -> E::M {
    e.gt(e.and(x, e.splat(!F::sign_mask())), e.splat(F::infinity()))
}
