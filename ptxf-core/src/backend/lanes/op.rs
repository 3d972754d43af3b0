//! What a kernel computes: every meaning of the table as a type, with its way through vectors if it has one.
//!
//! `scalar` is the definition; the vectors' results equal it bit for bit.
// Invariant: pointers are valid for the vectors that a call names.

use super::elementary::{
    half,
    single::{self, Function},
};
use super::kernel::{self, Job};
use super::native::Arithmetic;
use super::{End, Engine, H, LaneFormat, Lanes, M, W, directed, staged};
use crate::backend::scalar;
use crate::format::{Binary32, Format};
use crate::int::Int;
use crate::modifiers::Modifiers;

/// How an operation runs on vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// It does not.
    Scalar,
    /// On the bits of the lanes as they are.
    Bits,
    /// In binary32 lanes.
    Floats,
}

/// Results, and where the meaning has to say what they are.
pub(crate) type Single<E> = (W<E>, Option<M<E>>);

/// An operation on up to three operands; those beyond [`OPERANDS`](Self::OPERANDS) are not looked at.
pub(crate) trait Operation {
    const OPERANDS: usize;
    /// Which way, for formats that have lanes.
    const ROUTE: Route = Route::Scalar;

    fn scalar<F: Format>(m: Modifiers, x: [F::Bits; 3]) -> F::Bits;

    /// [`Route::Bits`]
    #[inline(always)]
    fn bits<F: LaneFormat, E: Lanes<F::Bits>>(_: E, _: Modifiers, x: [E::V; 3]) -> E::V {
        x[0]
    }

    /// [`Route::Floats`] of the 16-bit formats, short of the last rounding.
    #[inline(always)]
    fn wide<F: LaneFormat, E: Engine>(_: E, _: Modifiers, x: [W<E>; 3]) -> W<E> {
        x[0]
    }

    /// [`Route::Floats`] of f32, short of `.ftz` of the result, `.sat` and the canonical NaN.
    #[inline(always)]
    fn single<E: Engine>(_: E, _: Modifiers, x: [W<E>; 3]) -> Single<E> {
        (x[0], None)
    }
    /// Results of [`single`](Self::single) that were in doubt, as they are after all that follows; and where these are.
    #[inline(always)]
    fn special<E: Engine>(_: E, _x: W<E>, d: W<E>) -> Single<E> {
        (d, None)
    }
    /// Whether a NaN result of f32 is in doubt, so that no other has to be made the canonical one.
    const NAN_IN_DOUBT: bool = false;
    /// Results of f32 from the `done`-th lane on, of one vector or more, but at most `n`; returns of how many.
    ///
    /// # Safety
    /// As [`Path::some`].
    #[inline(always)]
    unsafe fn some<E: Engine>(e: E, m: Modifiers, job: &Job<u32>, done: usize, _n: usize, stream: bool) -> usize
    where
        Self: Sized,
    {
        // SAFETY: the caller's.
        unsafe { kernel::one::<Binary32, Self, E>(e, m, job, done, stream) }
    }
    /// Whether an f32 result of exactly the smallest normal number may have been smaller before it was rounded.
    const ROUNDS_TO_NORMAL: bool = true;
    /// What it is to a CPU that computes with f16.
    const ARITHMETIC: Option<Arithmetic> = None;
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $meaning:ident($($x:ident)*) { $($body:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $name {}

        impl Operation for $name {
            const OPERANDS: usize = [$(stringify!($x)),*].len();
            #[inline(always)]
            fn scalar<F: Format>(m: Modifiers, x: [F::Bits; 3]) -> F::Bits {
                let [$($x,)* ..] = x;
                scalar::$meaning::<F>(m, $($x),*)
            }
            $($body)*
        }
    )*};
}

/// The body of an operation in binary32 lanes.
macro_rules! floats {
    (|$e:ident, $rnd:pat_param, $($x:ident)*| $half:expr, $single:expr) => {
        const ROUTE: Route = Route::Floats;
        #[inline(always)]
        fn wide<F: LaneFormat, E: Engine>($e: E, _: Modifiers, [$($x,)* ..]: [W<E>; 3]) -> W<E> {
            $half
        }
        #[inline(always)]
        fn single<E: Engine>($e: E, Modifiers { rnd: $rnd, .. }: Modifiers, [$($x,)* ..]: [W<E>; 3]) -> Single<E> {
            ($single, None)
        }
    };
}

/// The body of an operation on f32 only.
macro_rules! single {
    (|$e:ident, $rnd:pat_param, $($x:ident)*| $single:expr) => {
        const ROUTE: Route = Route::Floats;
        #[inline(always)]
        fn single<E: Engine>($e: E, Modifiers { rnd: $rnd, .. }: Modifiers, [$($x,)* ..]: [W<E>; 3]) -> Single<E> {
            ($single, None)
        }
    };
}

/// The body of an elementary function: of the 16-bit formats, if it has such forms, and of f32.
macro_rules! function {
    ($(|$e:ident, $x:ident| $half:expr,)? $single:ident) => {
        const ROUTE: Route = Route::Floats;
        // No result is that near to the smallest normal number, but that number itself.
        const ROUNDS_TO_NORMAL: bool = false;
        $(
            #[inline(always)]
            fn wide<F: LaneFormat, E: Engine>($e: E, _: Modifiers, [$x, ..]: [W<E>; 3]) -> W<E> {
                $half
            }
        )?
        #[inline(always)]
        fn single<E: Engine>(e: E, _: Modifiers, [x, ..]: [W<E>; 3]) -> Single<E> {
            <single::$single as Function>::of(e, x)
        }
        #[inline(always)]
        unsafe fn some<E: Engine>(e: E, m: Modifiers, job: &Job<u32>, done: usize, n: usize, stream: bool) -> usize {
            // SAFETY: the caller's.
            unsafe { staged::some::<single::$single, Self, E>(e, m, job, done, n, stream) }
        }
        const NAN_IN_DOUBT: bool = <single::$single as Function>::NAN_IN_DOUBT;
        #[inline(always)]
        fn special<E: Engine>(e: E, x: W<E>, d: W<E>) -> Single<E> {
            <single::$single as Function>::special(e, x, d)
        }
    };
}

/// The body of an operation on bits.
macro_rules! bits {
    (|$e:ident, $m:ident, $($x:ident)*| $body:expr) => {
        const ROUTE: Route = Route::Bits;
        #[inline(always)]
        fn bits<F: LaneFormat, E: Lanes<F::Bits>>($e: E, $m: Modifiers, [$($x,)* ..]: [E::V; 3]) -> E::V {
            $body
        }
    };
}

operations! {
    Add = add(a b) {
        // A sum of two 16-bit values, rounded to binary32 and then again, is right: so are all 2^32 of them.
        floats!(|e, rnd, a b| e.add(a, b), e.add_f32(rnd, a, b));
        const ROUNDS_TO_NORMAL: bool = false;
        const ARITHMETIC: Option<Arithmetic> = Some(Arithmetic::Add);
    }
    Sub = sub(a b) {
        floats!(|e, rnd, a b| e.sub(a, b), e.add_f32(rnd, a, Lanes::<u32>::xor(e, b, Lanes::<u32>::splat(e, 1 << 31))));
        const ROUNDS_TO_NORMAL: bool = false;
        const ARITHMETIC: Option<Arithmetic> = Some(Arithmetic::Sub);
    }
    Mul = mul(a b) {
        floats!(|e, rnd, a b| e.mul(a, b), e.mul_f32(rnd, a, b));
        const ARITHMETIC: Option<Arithmetic> = Some(Arithmetic::Mul);
    }
    Fma = fma(a b c) {
        floats!(
            |e, rnd, a b c| if F::PRECISION == 11 { e.fma_f16(a, b, c) } else { e.fma_bf16(a, b, c) },
            e.fma_f32(rnd, a, b, c)
        );
        const ARITHMETIC: Option<Arithmetic> = Some(Arithmetic::Fma);
    }
    Neg = neg(a) {
        bits!(|e, m, a| e.xor(flushed::<F, E>(e, m, a), e.splat(F::sign_mask())));
    }
    Abs = abs(a) {
        bits!(|e, m, a| e.and(flushed::<F, E>(e, m, a), e.splat(!F::sign_mask())));
    }
    Copysign = copysign(a b) {
        bits!(|e, _m, a b| e.or(e.and(a, e.splat(F::sign_mask())), e.and(b, e.splat(!F::sign_mask()))));
    }
    Min = min(a b) { bits!(|e, m, a b| extreme::<F, E, false>(e, m, a, b)); }
    Max = max(a b) { bits!(|e, m, a b| extreme::<F, E, true>(e, m, a, b)); }
    Min3 = min3(a b c) {
        bits!(|e, m, a b c| extreme::<F, E, false>(e, m, extreme::<F, E, false>(e, m, a, b), c));
    }
    Max3 = max3(a b c) {
        bits!(|e, m, a b c| extreme::<F, E, true>(e, m, extreme::<F, E, true>(e, m, a, b), c));
    }
    MadSm1x = mad_sm1x(a b c) {}
    Div = div(a b) {
        single!(|e, rnd, a b| directed::div(e, rnd, a, b));
    }
    DivApprox = div_approx(a b) {
        single!(|e, _, a b| div_approx(e, a, b));
    }
    Rcp = rcp(a) {
        single!(|e, rnd, a| directed::div(e, rnd, Lanes::<u32>::splat(e, 1_f32.to_bits()), a));
    }
    Sqrt = sqrt(a) {
        single!(|e, rnd, a| directed::sqrt(e, rnd, a));
    }
    RsqrtApprox = rsqrt_approx(a) {
        single!(|e, _, a| e.rsqrt_f32(a));
    }
    RcpApproxF64 = rcp_approx_f64(a) {}
    RsqrtApproxF64 = rsqrt_approx_f64(a) {}
    Sin = sin(a) { function!(Sin); }
    Cos = cos(a) { function!(Cos); }
    Lg2 = lg2(a) { function!(Log2); }
    Ex2 = ex2(a) { function!(|e, a| half::ex2::<F, E>(e, a), Exp2); }
    Tanh = tanh(a) { function!(|e, a| half::tanh::<E>(e, a), Tanh); }
}

/// `.ftz` on an operand: a zero exponent field leaves the sign.
#[inline(always)]
pub(super) fn flushed<F: LaneFormat, E: Lanes<F::Bits>>(e: E, m: Modifiers, x: E::V) -> E::V {
    if !m.ftz {
        return x;
    }
    let tiny = e.equal(e.and(x, e.splat(F::infinity())), e.splat(F::Bits::ZERO));
    e.select(tiny, e.and(x, e.splat(F::sign_mask())), x)
}

/// The quotient; for 2^126 < |b| < 2^128 a zero, or NaN if `a` is infinite.
#[inline(always)]
fn div_approx<E: Engine>(e: E, a: W<E>, b: W<E>) -> W<E> {
    let d = e.div_f32(crate::modifiers::Round::Rn, a, b);
    let most = Lanes::<u32>::splat(e, !(1 << 31));
    let infinity = Lanes::<u32>::splat(e, 0x7F80_0000);
    let (x, y) = (Lanes::<u32>::and(e, a, most), Lanes::<u32>::and(e, b, most));
    let sign = Lanes::<u32>::and(e, Lanes::<u32>::xor(e, a, b), Lanes::<u32>::splat(e, 1 << 31));
    let finite = Lanes::<u32>::above(e, infinity, x);
    let large = Lanes::<u32>::select(e, finite, sign, most);
    let large = Lanes::<u32>::select(e, Lanes::<u32>::above(e, infinity, y), large, d);
    let two_126 = Lanes::<u32>::splat(e, (126 + 127) << 23);
    Lanes::<u32>::select(e, Lanes::<u32>::above(e, y, two_126), large, d)
}

/// The larger operand or the smaller one.
#[inline(always)]
fn extreme<F: LaneFormat, E: Lanes<F::Bits>, const LARGER: bool>(e: E, m: Modifiers, a: E::V, b: E::V) -> E::V {
    let (x, y) = (compared::<F, E>(e, m, a), compared::<F, E>(e, m, b));
    let (k, l) = (key::<F, E>(e, x), key::<F, E>(e, y));
    let extreme = key::<F, E>(e, if LARGER { e.larger(k, l) } else { e.smaller(k, l) });
    let (x_nan, y_nan) = (is_nan::<F, E>(e, x), is_nan::<F, E>(e, y));
    // A NaN gives way to the other operand, which may be one too.
    let d = if m.nan { extreme } else { e.select(y_nan, x, e.select(x_nan, y, extreme)) };
    let nan = if m.nan { e.either(x_nan, y_nan) } else { is_nan::<F, E>(e, d) };
    let sign = e.and(e.xor(a, b), e.splat(F::sign_mask()));
    let d = if m.xorsign { e.or(e.and(d, e.splat(!F::sign_mask())), sign) } else { d };
    e.select(nan, e.splat(F::CANONICAL_NAN), d)
}

/// An operand as `min` and `max` see it.
#[inline(always)]
fn compared<F: LaneFormat, E: Lanes<F::Bits>>(e: E, m: Modifiers, x: E::V) -> E::V {
    let x = flushed::<F, E>(e, m, x);
    if m.abs { e.and(x, e.splat(!F::sign_mask())) } else { x }
}

/// The integer that orders as the number does, and back: negative magnitudes reversed, −0 below +0.
#[inline(always)]
fn key<F: LaneFormat, E: Lanes<F::Bits>>(e: E, x: E::V) -> E::V {
    e.xor(x, e.and(e.signs(x), e.splat(!F::sign_mask())))
}

#[inline(always)]
fn is_nan<F: LaneFormat, E: Lanes<F::Bits>>(e: E, x: E::V) -> E::M {
    e.above(e.and(x, e.splat(!F::sign_mask())), e.splat(F::infinity()))
}

/// The 16-bit lanes with an operand that is the out-of-bounds NaN become zeros.
#[inline(always)]
pub(super) fn without_oob<E: Engine>(e: E, operands: &[H<E>], d: H<E>) -> H<E> {
    let (magnitude, oob) = (Lanes::<u16>::splat(e, 0x7FFF), Lanes::<u16>::splat(e, crate::sem::OOB_NAN));
    let zero = Lanes::<u16>::splat(e, 0);
    let mut d = d;
    for &x in operands {
        let hit = Lanes::<u16>::equal(e, Lanes::<u16>::and(e, x, magnitude), oob);
        d = Lanes::<u16>::select(e, hit, zero, d);
    }
    d
}

/// `.ftz` on a 16-bit result in binary32 lanes, exact or rounded to odd: everything below the tie between the smallest
/// normal number and the number one unit of an unbounded exponent below it.
#[inline(always)]
pub(super) fn flushed_wide<F: LaneFormat, E: Engine>(e: E, x: W<E>) -> W<E> {
    // 2^EMIN − 2^(EMIN − PRECISION − 1)
    let smallest = ((F::EMIN + 127) as u32) << 23;
    let survives = smallest - (1 << (23 - F::PRECISION));
    let magnitude = Lanes::<u32>::and(e, x, Lanes::<u32>::splat(e, !(1 << 31)));
    let tiny = Lanes::<u32>::above(e, Lanes::<u32>::splat(e, survives), magnitude);
    Lanes::<u32>::select(e, tiny, Lanes::<u32>::and(e, x, Lanes::<u32>::splat(e, 1 << 31)), x)
}

/// `.sat` and `.relu`.
#[inline(always)]
pub(super) fn end(m: Modifiers) -> End {
    match m {
        Modifiers { sat: true, .. } => End::Sat,
        Modifiers { relu: true, .. } => End::Relu,
        _ => End::Plain,
    }
}
