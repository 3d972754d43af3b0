//! A vector of floats, and the operations on it: those of `Element`, by the routes of the slices.
// Invariant: elements are `repr(transparent)` over their bits; pointers are valid for the lanes that a call names.
#![expect(unsafe_code, reason = "elements become lanes here")]

use crate::backend::lanes::cast;
use crate::backend::lanes::kernel::{self, Half};
use crate::backend::lanes::mask::{MaskH, Masks};
use crate::backend::lanes::op::{self, Operation};
use crate::backend::lanes::{End, Engine, H, LaneFormat, Lanes, W};
use crate::format::{BFloat16, Binary16};
use crate::kernel::op::{Cmp, Known, Op1, Op2};
use crate::kernel::wide::lane::Lane;
use crate::modifiers::{Modifiers, Round};
use crate::types::{Bf16, F16};

/// A float's type in vectors.
pub(crate) trait FloatLane: Lane {
    /// The modifiers of its `ex2`.
    const EX2: Modifiers;
    /// Whether it is narrower than f32.
    const IS_HALF: bool;

    /// An instruction of the type.
    fn instruction<O: Operation, G: Masks, const N: usize>(g: G, m: Modifiers, x: [Self::V<G, N>; 3]) -> Self::V<G, N>;
    /// The values in f32, in any order, and any NaN for a NaN.
    fn up<G: Masks, const N: usize>(g: G, x: Self::V<G, N>) -> [W<G>; 2];
    /// The values in f32, and any NaN for a NaN.
    fn up_in_order<G: Masks, const N: usize>(g: G, x: Self::V<G, N>) -> [W<G>; 2];
    /// Undoes [`up`](Self::up), rounding to nearest.
    fn down<G: Masks, const N: usize>(g: G, x: [W<G>; 2]) -> Self::V<G, N>;
    /// The values in f32, NaNs with their payloads.
    fn widened<G: Masks, const N: usize>(g: G, x: Self::V<G, N>) -> [W<G>; 2];
    /// Rounds to nearest; f32 itself is left as it is.
    fn rounded<G: Masks, const N: usize>(g: G, x: [W<G>; 2]) -> Self::V<G, N>;
}

// SAFETY: a float of 32 bits.
unsafe impl Lane for f32 {
    type V<G: Masks, const N: usize> = [W<G>; 2];

    #[inline(always)]
    fn splat<G: Masks, const N: usize>(g: G, x: Self) -> [W<G>; 2] {
        [Lanes::<u32>::splat(g, x.to_bits()); 2]
    }
    #[inline(always)]
    unsafe fn load<G: Masks, const N: usize>(g: G, p: *const Self) -> [W<G>; 2] {
        let p = p.cast::<u32>();
        // SAFETY: the caller's.
        let low = unsafe { Lanes::<u32>::load(g, p) };
        // SAFETY: the caller's.
        [low, unsafe { Lanes::<u32>::load(g, p.wrapping_add(second::<G>())) }]
    }
    #[inline(always)]
    unsafe fn store<G: Masks, const N: usize>(g: G, p: *mut Self, [low, high]: [W<G>; 2]) {
        let p = p.cast::<u32>();
        // SAFETY: the caller's.
        unsafe { Lanes::<u32>::store(g, p, low) };
        // SAFETY: the caller's.
        unsafe { Lanes::<u32>::store(g, p.wrapping_add(second::<G>()), high) };
    }
    #[inline(always)]
    unsafe fn load_some<G: Masks, const N: usize>(g: G, p: *const Self, bits: u32) -> [W<G>; 2] {
        let p = p.cast::<u32>();
        // SAFETY: the caller's.
        let low = unsafe { g.load_some_w(p, bits) };
        // SAFETY: the caller's.
        [low, unsafe { g.load_some_w(p.wrapping_add(second::<G>()), bits >> second::<G>()) }]
    }
    #[inline(always)]
    unsafe fn store_some<G: Masks, const N: usize>(g: G, p: *mut Self, bits: u32, [low, high]: [W<G>; 2]) {
        let p = p.cast::<u32>();
        // SAFETY: the caller's.
        unsafe { g.store_some_w(p, bits, low) };
        // SAFETY: the caller's.
        unsafe { g.store_some_w(p.wrapping_add(second::<G>()), bits >> second::<G>(), high) };
    }
    #[inline(always)]
    fn select<G: Masks, const N: usize>(g: G, m: MaskH<G>, yes: [W<G>; 2], no: [W<G>; 2]) -> [W<G>; 2] {
        let [low, high] = g.halves(m);
        [Lanes::<u32>::select(g, low, yes[0], no[0]), Lanes::<u32>::select(g, high, yes[1], no[1])]
    }
    #[inline(always)]
    fn compare<O: Known<Cmp>, G: Masks, const N: usize>(g: G, a: [W<G>; 2], b: [W<G>; 2]) -> MaskH<G> {
        single_cmp::<O, G>(g, a, b)
    }
}

impl FloatLane for f32 {
    const EX2: Modifiers = Modifiers::PLAIN;
    const IS_HALF: bool = false;

    #[inline(always)]
    fn instruction<O: Operation, G: Masks, const N: usize>(g: G, m: Modifiers, [a, b, c]: [[W<G>; 2]; 3]) -> [W<G>; 2] {
        [kernel::single::<O, G>(g, m, [a[0], b[0], c[0]]), kernel::single::<O, G>(g, m, [a[1], b[1], c[1]])]
    }
    #[inline(always)]
    fn up<G: Masks, const N: usize>(_: G, x: [W<G>; 2]) -> [W<G>; 2] {
        x
    }
    #[inline(always)]
    fn up_in_order<G: Masks, const N: usize>(_: G, x: [W<G>; 2]) -> [W<G>; 2] {
        x
    }
    #[inline(always)]
    fn down<G: Masks, const N: usize>(_: G, x: [W<G>; 2]) -> [W<G>; 2] {
        x
    }
    #[inline(always)]
    fn widened<G: Masks, const N: usize>(_: G, x: [W<G>; 2]) -> [W<G>; 2] {
        x
    }
    #[inline(always)]
    fn rounded<G: Masks, const N: usize>(_: G, x: [W<G>; 2]) -> [W<G>; 2] {
        x
    }
}

macro_rules! halves {
    ($($ty:ident $format:ident $ftz:literal $in_order:expr;)*) => {$(
        // SAFETY: `repr(transparent)` over 16 bits.
        unsafe impl Lane for $ty {
            type V<G: Masks, const N: usize> = H<G>;

            #[inline(always)]
            fn splat<G: Masks, const N: usize>(g: G, x: Self) -> H<G> {
                Lanes::<u16>::splat(g, x.to_bits())
            }
            #[inline(always)]
            unsafe fn load<G: Masks, const N: usize>(g: G, p: *const Self) -> H<G> {
                // SAFETY: the caller's.
                unsafe { Lanes::<u16>::load(g, p.cast()) }
            }
            #[inline(always)]
            unsafe fn store<G: Masks, const N: usize>(g: G, p: *mut Self, x: H<G>) {
                // SAFETY: the caller's.
                unsafe { Lanes::<u16>::store(g, p.cast(), x) }
            }
            #[inline(always)]
            unsafe fn load_some<G: Masks, const N: usize>(g: G, p: *const Self, bits: u32) -> H<G> {
                // SAFETY: the caller's.
                unsafe { g.load_some_h(p.cast(), bits) }
            }
            #[inline(always)]
            unsafe fn store_some<G: Masks, const N: usize>(g: G, p: *mut Self, bits: u32, x: H<G>) {
                // SAFETY: the caller's.
                unsafe { g.store_some_h(p.cast(), bits, x) }
            }
            #[inline(always)]
            fn select<G: Masks, const N: usize>(g: G, m: MaskH<G>, yes: H<G>, no: H<G>) -> H<G> {
                Lanes::<u16>::select(g, m, yes, no)
            }
            #[inline(always)]
            fn compare<O: Known<Cmp>, G: Masks, const N: usize>(g: G, a: H<G>, b: H<G>) -> MaskH<G> {
                single_cmp::<O, G>(g, Self::up_in_order::<G, N>(g, a), Self::up_in_order::<G, N>(g, b))
            }
        }

        impl FloatLane for $ty {
            const EX2: Modifiers = Modifiers { ftz: $ftz, ..Modifiers::PLAIN };
            const IS_HALF: bool = true;

            #[inline(always)]
            fn instruction<O: Operation, G: Masks, const N: usize>(g: G, m: Modifiers, x: [H<G>; 3]) -> H<G> {
                kernel::half_lanes::<$format, O, G>(g, m, x)
            }
            #[inline(always)]
            fn up<G: Masks, const N: usize>(g: G, x: H<G>) -> [W<G>; 2] {
                <$format as Half>::widen(g, x)
            }
            #[inline(always)]
            fn up_in_order<G: Masks, const N: usize>(g: G, x: H<G>) -> [W<G>; 2] {
                $in_order(g, x)
            }
            #[inline(always)]
            fn down<G: Masks, const N: usize>(g: G, [low, high]: [W<G>; 2]) -> H<G> {
                const NAN: u32 = <$format as LaneFormat>::NAN;
                <$format as Half>::narrow(g, [g.finish(End::Plain, NAN, low), g.finish(End::Plain, NAN, high)])
            }
            #[inline(always)]
            fn widened<G: Masks, const N: usize>(g: G, x: H<G>) -> [W<G>; 2] {
                <$format as cast::Half>::widen(g, x)
            }
            #[inline(always)]
            fn rounded<G: Masks, const N: usize>(g: G, x: [W<G>; 2]) -> H<G> {
                <$format as cast::Half>::narrow(g, Round::Rn, x)
            }
        }
    )*};
}

halves! {
    F16 Binary16 false Engine::widen_f16;
    Bf16 BFloat16 true <BFloat16 as cast::Half>::widen;
}

/// Where the second vector of f32 begins.
#[inline(always)]
fn second<G: Masks>() -> usize {
    <G as Lanes<u32>>::N
}

#[inline(always)]
fn unary<O: Operation, T: FloatLane, G: Masks, const N: usize>(g: G, m: Modifiers, a: T::V<G, N>) -> T::V<G, N> {
    T::instruction::<O, G, N>(g, m, [a; 3])
}

#[inline(always)]
fn binary<O: Operation, T: FloatLane, G: Masks, const N: usize>(g: G, a: T::V<G, N>, b: T::V<G, N>) -> T::V<G, N> {
    T::instruction::<O, G, N>(g, Modifiers::PLAIN, [a, b, b])
}

/// The code of the operation that `O` is, and no other's: what the conditions exclude is not compiled.
macro_rules! only {
    ($O:ident: $all:ident { $($name:ident => $code:expr,)* } $(else $rest:expr)?) => {
        $(if const { matches!($O::OP, $all::$name) } {
            $code
        } else)* {
            only!(@else $O $all $($name)*; $($rest)?)
        }
    };
    (@else $O:ident $all:ident $($name:ident)*; $rest:expr) => { $rest };
    (@else $O:ident $all:ident $($name:ident)*;) => {{
        const { assert!(matches!($O::OP, $($all::$name)|*)) };
        unreachable!()
    }};
}

/// An operation on f32.
// Neither this nor `single_cmp` calls itself: the compiler leaves a function that does outside of the caller that has the level's
// instructions enabled, and then every intrinsic of it is a call.
#[inline(always)]
pub(super) fn single1<O: Known<Op1>, G: Masks, const N: usize>(g: G, a: [W<G>; 2]) -> [W<G>; 2] {
    const PLAIN: Modifiers = Modifiers::PLAIN;
    only!(O: Op1 {
        Neg => unary::<op::Neg, f32, G, N>(g, PLAIN, a),
        Abs => unary::<op::Abs, f32, G, N>(g, PLAIN, a),
        Sqrt => unary::<op::Sqrt, f32, G, N>(g, PLAIN, a),
        Recip => unary::<op::Rcp, f32, G, N>(g, PLAIN, a),
        Exp2 => unary::<op::Ex2, f32, G, N>(g, PLAIN, a),
        Exp => {
            let log2_e = f32::splat::<G, N>(g, core::f32::consts::LOG2_E);
            unary::<op::Ex2, f32, G, N>(g, PLAIN, binary::<op::Mul, f32, G, N>(g, a, log2_e))
        },
        Log2 => unary::<op::Lg2, f32, G, N>(g, PLAIN, a),
        Ln => {
            let ln_2 = f32::splat::<G, N>(g, core::f32::consts::LN_2);
            binary::<op::Mul, f32, G, N>(g, unary::<op::Lg2, f32, G, N>(g, PLAIN, a), ln_2)
        },
        Sin => unary::<op::Sin, f32, G, N>(g, PLAIN, a),
        Cos => unary::<op::Cos, f32, G, N>(g, PLAIN, a),
        Tanh => unary::<op::Tanh, f32, G, N>(g, PLAIN, a),
    })
}

/// An operation on elements.
#[inline(always)]
pub(super) fn op1<O: Known<Op1>, T: FloatLane, G: Masks, const N: usize>(g: G, a: T::V<G, N>) -> T::V<G, N> {
    only!(O: Op1 {
        Neg => unary::<op::Neg, T, G, N>(g, Modifiers::PLAIN, a),
        Abs => unary::<op::Abs, T, G, N>(g, Modifiers::PLAIN, a),
        Exp2 => unary::<op::Ex2, T, G, N>(g, T::EX2, a),
        Tanh => unary::<op::Tanh, T, G, N>(g, Modifiers::PLAIN, a),
    } else T::down(g, single1::<O, G, N>(g, T::up::<G, N>(g, a))))
}

/// An operation on two vectors of elements.
#[inline(always)]
pub(super) fn op2<O: Known<Op2>, T: FloatLane, G: Masks, const N: usize>(
    g: G,
    a: T::V<G, N>,
    b: T::V<G, N>,
) -> T::V<G, N> {
    only!(O: Op2 {
        Add => binary::<op::Add, T, G, N>(g, a, b),
        Sub => binary::<op::Sub, T, G, N>(g, a, b),
        Mul => binary::<op::Mul, T, G, N>(g, a, b),
        Div => T::down(g, binary::<op::Div, f32, G, N>(g, T::up::<G, N>(g, a), T::up::<G, N>(g, b))),
        Min => binary::<op::Min, T, G, N>(g, a, b),
        Max => binary::<op::Max, T, G, N>(g, a, b),
    })
}

/// `fma.rn`
#[inline(always)]
pub(super) fn fma<T: FloatLane, G: Masks, const N: usize>(
    g: G,
    a: T::V<G, N>,
    b: T::V<G, N>,
    c: T::V<G, N>,
) -> T::V<G, N> {
    T::instruction::<op::Fma, G, N>(g, Modifiers::PLAIN, [a, b, c])
}

/// A comparison of f32.
#[inline(always)]
pub(super) fn single_cmp<O: Known<Cmp>, G: Masks>(g: G, a: [W<G>; 2], b: [W<G>; 2]) -> MaskH<G> {
    only!(O: Cmp {
        Lt => g.joined([g.less(a[0], b[0]), g.less(a[1], b[1])]),
        Le => g.joined([g.at_most(a[0], b[0]), g.at_most(a[1], b[1])]),
        Gt => g.joined([g.less(b[0], a[0]), g.less(b[1], a[1])]),
        Ge => g.joined([g.at_most(b[0], a[0]), g.at_most(b[1], a[1])]),
        Eq => g.joined([g.same(a[0], b[0]), g.same(a[1], b[1])]),
        Ne => g.except(g.of_bits(!0), g.joined([g.same(a[0], b[0]), g.same(a[1], b[1])])),
    })
}
