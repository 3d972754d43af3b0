//! What a kernel computes: every meaning of the table as a type, with its way through vectors if it has one.
//!
//! `scalar` is the definition; the vectors' results equal it bit for bit.

use super::{End, Engine, H, LaneFormat, Lanes, W};
use crate::backend::scalar;
use crate::format::Format;
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
    fn single<E: Engine>(_: E, _: Modifiers, x: [W<E>; 3]) -> W<E> {
        x[0]
    }
    /// Whether an f32 result of exactly the smallest normal number may have been smaller before it was rounded.
    const ROUNDS_TO_NORMAL: bool = true;
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
        fn single<E: Engine>($e: E, Modifiers { rnd: $rnd, .. }: Modifiers, [$($x,)* ..]: [W<E>; 3]) -> W<E> {
            $single
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
    }
    Sub = sub(a b) {
        floats!(|e, rnd, a b| e.sub(a, b), e.add_f32(rnd, a, Lanes::<u32>::xor(e, b, Lanes::<u32>::splat(e, 1 << 31))));
        const ROUNDS_TO_NORMAL: bool = false;
    }
    Mul = mul(a b) {
        floats!(|e, rnd, a b| e.mul(a, b), e.mul_f32(rnd, a, b));
    }
    Fma = fma(a b c) {
        floats!(
            |e, rnd, a b c| if F::PRECISION == 11 { e.fma_f16(a, b, c) } else { e.fma_bf16(a, b, c) },
            e.fma_f32(rnd, a, b, c)
        );
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
    Min = min(a b) { bits!(|e, m, a b| extreme::<F, E>(e, m, a, b, E::smaller)); }
    Max = max(a b) { bits!(|e, m, a b| extreme::<F, E>(e, m, a, b, E::larger)); }
    Min3 = min3(a b c) {
        bits!(|e, m, a b c| extreme::<F, E>(e, m, extreme::<F, E>(e, m, a, b, E::smaller), c, E::smaller));
    }
    Max3 = max3(a b c) {
        bits!(|e, m, a b c| extreme::<F, E>(e, m, extreme::<F, E>(e, m, a, b, E::larger), c, E::larger));
    }
    MadSm1x = mad_sm1x(a b c) {}
    Div = div(a b) {}
    DivApprox = div_approx(a b) {}
    Rcp = rcp(a) {}
    Sqrt = sqrt(a) {}
    RsqrtApprox = rsqrt_approx(a) {}
    RcpApproxF64 = rcp_approx_f64(a) {}
    RsqrtApproxF64 = rsqrt_approx_f64(a) {}
    Sin = sin(a) {}
    Cos = cos(a) {}
    Lg2 = lg2(a) {}
    Ex2 = ex2(a) {}
    Tanh = tanh(a) {}
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

#[inline(always)]
fn extreme<F: LaneFormat, E: Lanes<F::Bits>>(
    e: E,
    m: Modifiers,
    a: E::V,
    b: E::V,
    pick: impl Fn(E, E::V, E::V) -> E::V,
) -> E::V {
    let magnitude = |x| e.and(x, e.splat(!F::sign_mask()));
    let is_nan = |x| e.above(magnitude(x), e.splat(F::infinity()));
    // As signed integers negative magnitudes are reversed, and −0 is below +0.
    let key = |x| e.xor(x, e.and(e.signs(x), e.splat(!F::sign_mask())));
    let [x, y] = [a, b].map(|x| flushed::<F, E>(e, m, x)).map(|x| if m.abs { magnitude(x) } else { x });
    let extreme = key(pick(e, key(x), key(y)));
    let signed = |x| {
        let sign = e.and(e.xor(a, b), e.splat(F::sign_mask()));
        if m.xorsign { e.or(magnitude(x), sign) } else { x }
    };
    let nan = e.splat(F::CANONICAL_NAN);
    if m.nan {
        return e.select(e.either(is_nan(x), is_nan(y)), nan, signed(extreme));
    }
    // A NaN gives way to the other operand, which may be one too.
    let d = e.select(is_nan(y), x, e.select(is_nan(x), y, extreme));
    e.select(is_nan(d), nan, signed(d))
}

/// The 16-bit lanes with an operand that is the out-of-bounds NaN become zeros.
#[inline(always)]
pub(super) fn without_oob<E: Engine>(e: E, operands: &[H<E>], d: H<E>) -> H<E> {
    let (magnitude, oob) = (Lanes::<u16>::splat(e, 0x7FFF), Lanes::<u16>::splat(e, crate::sem::OOB_NAN));
    let zero = Lanes::<u16>::splat(e, 0);
    operands.iter().fold(d, |d, &x| {
        let hit = Lanes::<u16>::equal(e, Lanes::<u16>::and(e, x, magnitude), oob);
        Lanes::<u16>::select(e, hit, zero, d)
    })
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
