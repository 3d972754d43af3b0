//! Vectors of floats, and the operations of `Element` on them, through the fast paths of slices.
// Invariant: elements are `repr(transparent)` over their bits; pointers are valid for the lanes that a call names.
#![expect(unsafe_code, reason = "elements become lanes here")]

use crate::backend::lanes::engine::{End, Floats as _, Ints as _, M16, Memory, V16, V32, Vectors};
use crate::backend::lanes::format::{Format16, LaneFormat};
use crate::backend::lanes::op::{self, On16, On32};
use crate::backend::lanes::walk::{Anywhere, Lanewise};
use crate::format::{BFloat16, Binary16, Binary32};
use crate::kernel::composed::{self, Arithmetic};
use crate::kernel::element::BELOW_HALF;
use crate::kernel::op::{Cmp, Known, Op1, Op2};
use crate::kernel::wide::lane::{self, Lane};
use crate::modifiers::{Modifiers, Round};
use crate::types::{Bf16, F16};

/// A float's type in vectors.
pub(crate) trait FloatLane: Lane {
    /// The modifiers of the type's `ex2`.
    const EX2: Modifiers;
    /// `true` for the types narrower than f32.
    const IS_HALF: bool;

    /// Computes an instruction of the type.
    fn instruction<O: Anywhere, G: Vectors, const N: usize>(g: G, m: Modifiers, x: [Self::V<G, N>; 3])
    -> Self::V<G, N>;
    /// Computes an instruction without modifiers; a NaN result may be any NaN.
    fn instruction_any<O: Anywhere + On16 + On32, G: Vectors, const N: usize>(
        g: G,
        x: [Self::V<G, N>; 3],
    ) -> Self::V<G, N>;
    /// Makes the NaNs of [`instruction_any`](Self::instruction_any) canonical, which gives the
    /// results of [`instruction`](Self::instruction).
    fn canonical<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> Self::V<G, N>;
    /// Widens to f32, in any order; a NaN becomes any NaN.
    fn up<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> [V32<G>; 2];
    /// Widens to f32, in order; a NaN becomes any NaN.
    fn up_in_order<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> [V32<G>; 2];
    /// Reverts [`up`](Self::up), rounding to nearest.
    fn down<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> Self::V<G, N>;
    /// Reverts [`up`](Self::up), rounding to nearest; a NaN becomes any NaN.
    fn down_any<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> Self::V<G, N>;
    /// Widens to f32, with the payloads of NaNs.
    fn widened<G: Vectors, const N: usize>(g: G, x: Self::V<G, N>) -> [V32<G>; 2];
    /// Rounds to nearest; f32 itself stays unchanged.
    fn rounded<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> Self::V<G, N>;
}

// SAFETY: a float of 32 bits.
#[inline_in_release]
unsafe impl Lane for f32 {
    type V<G: Vectors, const N: usize> = [V32<G>; 2];

    fn splat<G: Vectors, const N: usize>(g: G, x: Self) -> [V32<G>; 2] {
        // `[x; 2]` of a vector would be a loop until LLVM unrolls it.
        let x = g.u32().splat(x.to_bits());
        [x, x]
    }
    unsafe fn load<G: Vectors, const N: usize>(g: G, p: *const Self) -> [V32<G>; 2] {
        let p = p.cast::<u32>();
        // SAFETY: guaranteed by the caller.
        let low = unsafe { g.u32().load(p) };
        // SAFETY: guaranteed by the caller.
        [low, unsafe { g.u32().load(p.wrapping_add(second::<G>())) }]
    }
    unsafe fn store<G: Vectors, const N: usize>(g: G, p: *mut Self, [low, high]: [V32<G>; 2]) {
        let p = p.cast::<u32>();
        // SAFETY: guaranteed by the caller.
        unsafe { g.u32().store(p, low) };
        // SAFETY: guaranteed by the caller.
        unsafe { g.u32().store(p.wrapping_add(second::<G>()), high) };
    }
    unsafe fn load_some<G: Vectors, const N: usize>(g: G, p: *const Self, bits: u32) -> [V32<G>; 2] {
        let p = p.cast::<u32>();
        // SAFETY: guaranteed by the caller.
        let low = unsafe { g.u32().load_masked(p, bits) };
        // SAFETY: guaranteed by the caller.
        [low, unsafe { g.u32().load_masked(p.wrapping_add(second::<G>()), bits >> second::<G>()) }]
    }
    unsafe fn store_some<G: Vectors, const N: usize>(g: G, p: *mut Self, bits: u32, [low, high]: [V32<G>; 2]) {
        let p = p.cast::<u32>();
        // SAFETY: guaranteed by the caller.
        unsafe { g.u32().store_masked(p, bits, low) };
        // SAFETY: guaranteed by the caller.
        unsafe { g.u32().store_masked(p.wrapping_add(second::<G>()), bits >> second::<G>(), high) };
    }
    unsafe fn load_strided<G: Vectors, const N: usize>(g: G, p: *const Self, step: i32) -> [V32<G>; 2] {
        let p = p.cast::<u32>();
        // SAFETY: guaranteed by the caller.
        let low = unsafe { g.u32().load_strided(p, step) };
        // SAFETY: guaranteed by the caller.
        [low, unsafe { g.u32().load_strided(p.wrapping_offset(step as isize * second::<G>() as isize), step) }]
    }
    fn select<G: Vectors, const N: usize>(g: G, m: M16<G>, yes: [V32<G>; 2], no: [V32<G>; 2]) -> [V32<G>; 2] {
        let [low, high] = g.widen_mask(m);
        [g.u32().select(low, yes[0], no[0]), g.u32().select(high, yes[1], no[1])]
    }
    fn compare<O: Known<Cmp>, G: Vectors, const N: usize>(g: G, a: [V32<G>; 2], b: [V32<G>; 2]) -> M16<G> {
        single_cmp::<O, G>(g, a, b)
    }
}

#[inline_in_release]
impl FloatLane for f32 {
    const EX2: Modifiers = Modifiers::PLAIN;
    const IS_HALF: bool = false;

    fn instruction<O: Anywhere, G: Vectors, const N: usize>(
        g: G,
        m: Modifiers,
        [a, b, c]: [[V32<G>; 2]; 3],
    ) -> [V32<G>; 2] {
        <O as Lanewise<Binary32>>::pair(g, m, [[a[0], b[0], c[0]], [a[1], b[1], c[1]]])
    }
    fn instruction_any<O: Anywhere + On16 + On32, G: Vectors, const N: usize>(
        g: G,
        [a, b, c]: [[V32<G>; 2]; 3],
    ) -> [V32<G>; 2] {
        [any_f32::<O, G>(g, [a[0], b[0], c[0]]), any_f32::<O, G>(g, [a[1], b[1], c[1]])]
    }
    fn canonical<G: Vectors, const N: usize>(g: G, [low, high]: [V32<G>; 2]) -> [V32<G>; 2] {
        [g.f32().finish(End::Plain, Binary32::NAN, low), g.f32().finish(End::Plain, Binary32::NAN, high)]
    }
    fn up<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
    fn up_in_order<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
    fn down<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
    fn down_any<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
    fn widened<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
    fn rounded<G: Vectors, const N: usize>(_: G, x: [V32<G>; 2]) -> [V32<G>; 2] {
        x
    }
}

macro_rules! halves {
    ($($ty:ident $format:ident $any:ident $register:ty, $ftz:literal;)*) => {$(
        // SAFETY: `repr(transparent)` over 16 bits.
        #[inline_in_release]
        unsafe impl Lane for $ty {
            type V<G: Vectors, const N: usize> = $register;

            fn splat<G: Vectors, const N: usize>(g: G, x: Self) -> $register {
                $any::to_register(g, g.u16().splat(x.to_bits()))
            }
            unsafe fn load<G: Vectors, const N: usize>(g: G, p: *const Self) -> $register {
                // SAFETY: guaranteed by the caller.
                $any::to_register(g, unsafe { g.u16().load(p.cast()) })
            }
            unsafe fn store<G: Vectors, const N: usize>(g: G, p: *mut Self, x: $register) {
                // SAFETY: guaranteed by the caller.
                unsafe { g.u16().store(p.cast(), $any::to_vector(g, x)) }
            }
            unsafe fn load_some<G: Vectors, const N: usize>(g: G, p: *const Self, bits: u32) -> $register {
                if !Self::has_masks::<N>() {
                    // SAFETY: guaranteed by the caller.
                    let x = unsafe { lane::load_each(p, bits) };
                    let (x, zeros) = (Self::from_array::<G, N>(g, x), Self::splat::<G, N>(g, Self::ZERO));
                    return Self::select::<G, N>(g, g.mask_from_bits(bits), x, zeros);
                }
                // SAFETY: guaranteed by the caller.
                $any::to_register(g, unsafe { g.u16().load_masked(p.cast(), bits) })
            }
            unsafe fn store_some<G: Vectors, const N: usize>(g: G, p: *mut Self, bits: u32, x: $register) {
                if !Self::has_masks::<N>() {
                    // SAFETY: guaranteed by the caller.
                    return unsafe { lane::store_each(p, bits, &Self::to_array::<G, N>(g, x)) };
                }
                // SAFETY: guaranteed by the caller.
                unsafe { g.u16().store_masked(p.cast(), bits, $any::to_vector(g, x)) }
            }
            unsafe fn load_strided<G: Vectors, const N: usize>(g: G, p: *const Self, step: i32) -> $register {
                // SAFETY: guaranteed by the caller.
                $any::to_register(g, unsafe { g.u16().load_strided(p.cast(), step) })
            }
            fn select<G: Vectors, const N: usize>(g: G, m: M16<G>, yes: $register, no: $register) -> $register {
                $any::select(g, m, yes, no)
            }
            fn compare<O: Known<Cmp>, G: Vectors, const N: usize>(g: G, a: $register, b: $register) -> M16<G> {
                if let Some(m) = $any::compare::<O, G>(g, $any::to_vector(g, a), $any::to_vector(g, b)) {
                    return m;
                }
                single_cmp::<O, G>(g, Self::up_in_order::<G, N>(g, a), Self::up_in_order::<G, N>(g, b))
            }
        }

        #[inline_in_release]
        impl FloatLane for $ty {
            const EX2: Modifiers = Modifiers::PLAIN.with_ftz($ftz);
            const IS_HALF: bool = true;

            fn instruction<O: Anywhere, G: Vectors, const N: usize>(
                g: G,
                m: Modifiers,
                [a, b, c]: [$register; 3],
            ) -> $register {
                let a = $any::to_vector(g, a);
                // Copies stand for the operands that `O` has not.
                let b = if const { O::OPERANDS > 1 } { $any::to_vector(g, b) } else { a };
                let c = if const { O::OPERANDS > 2 } { $any::to_vector(g, c) } else { b };
                $any::to_register(g, <O as Lanewise<$format>>::vector(g, m, [a, b, c]))
            }
            fn instruction_any<O: Anywhere + On16 + On32, G: Vectors, const N: usize>(
                g: G,
                x: [$register; 3],
            ) -> $register {
                $any::instruction::<O, G>(g, x)
            }
            fn canonical<G: Vectors, const N: usize>(g: G, x: $register) -> $register {
                $any::to_register(g, $any::canonical::<G>(g, $any::to_vector(g, x)))
            }
            fn up<G: Vectors, const N: usize>(g: G, x: $register) -> [V32<G>; 2] {
                $any::up(g, x)
            }
            fn up_in_order<G: Vectors, const N: usize>(g: G, x: $register) -> [V32<G>; 2] {
                $any::up_in_order(g, x)
            }
            fn down<G: Vectors, const N: usize>(g: G, [low, high]: [V32<G>; 2]) -> $register {
                const NAN: u32 = <$format as LaneFormat>::NAN;
                let x = [g.f32().finish(End::Plain, NAN, low), g.f32().finish(End::Plain, NAN, high)];
                $any::narrow(g, x)
            }
            fn down_any<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> $register {
                $any::down::<G, N>(g, x)
            }
            fn widened<G: Vectors, const N: usize>(g: G, x: $register) -> [V32<G>; 2] {
                <$format as Format16>::widen_exactly(g, $any::to_vector(g, x))
            }
            fn rounded<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> $register {
                $any::to_register(g, <$format as Format16>::round(g, Round::Rn, x))
            }
        }
    )*};
}

halves! {
    F16 Binary16 any_f16 G::F16Register, false;
    Bf16 BFloat16 any_bf16 V16<G>, true;
}

/// Computes an instruction in f32; a NaN result may be any NaN.
#[inline_in_release]
fn any_f32<O: On32, G: Vectors>(g: G, x: [V32<G>; 3]) -> V32<G> {
    let (d, doubt) = O::f32::<G>(g, Modifiers::PLAIN, x);
    debug_assert!(doubt.is_none(), "of sums, products and quotients");
    d
}

/// Returns the number of elements before the second vector of f32.
#[inline_in_release]
fn second<G: Vectors>() -> usize {
    <G::U32 as Memory<u32>>::N
}

#[inline_in_release]
fn unary<O: Anywhere, T: FloatLane, G: Vectors, const N: usize>(g: G, m: Modifiers, a: T::V<G, N>) -> T::V<G, N> {
    T::instruction::<O, G, N>(g, m, [a, a, a])
}

#[inline_in_release]
fn binary<O: Anywhere, T: FloatLane, G: Vectors, const N: usize>(g: G, a: T::V<G, N>, b: T::V<G, N>) -> T::V<G, N> {
    T::instruction::<O, G, N>(g, Modifiers::PLAIN, [a, b, b])
}

#[inline_in_release]
fn unary_f32<O: Lanewise<Binary32>, G: Vectors>(g: G, [low, high]: [V32<G>; 2]) -> [V32<G>; 2] {
    O::pair(g, Modifiers::PLAIN, [[low, low, low], [high, high, high]])
}

#[inline_in_release]
fn binary_f32<O: Lanewise<Binary32>, G: Vectors>(g: G, a: [V32<G>; 2], b: [V32<G>; 2]) -> [V32<G>; 2] {
    O::pair(g, Modifiers::PLAIN, [[a[0], b[0], b[0]], [a[1], b[1], b[1]]])
}

/// Selects the code of the operation `O`. The code of other operations is not compiled.
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

// After the macro, which these modules use.
mod any_bf16;
mod any_f16;

/// Rounds to integers in the direction `rnd`.
#[inline_in_release]
fn integral<G: Vectors>(g: G, rnd: Round, [low, high]: [V32<G>; 2]) -> [V32<G>; 2] {
    let f = g.f32();
    [
        f.finish(End::Plain, Binary32::NAN, f.integral(rnd, low)),
        f.finish(End::Plain, Binary32::NAN, f.integral(rnd, high)),
    ]
}

/// Computes an operation on f32.
// Neither this function nor `single_cmp` is recursive: the compiler does not inline a recursive
// function into the caller with the level's target features, and then every intrinsic is a call.
#[inline_in_release]
pub(super) fn single1<O: Known<Op1>, G: Vectors, const N: usize>(g: G, a: [V32<G>; 2]) -> [V32<G>; 2] {
    only!(O: Op1 {
        Neg => unary_f32::<op::Neg, G>(g, a),
        Abs => unary_f32::<op::Abs, G>(g, a),
        Sqrt => unary_f32::<op::Sqrt, G>(g, a),
        Recip => unary_f32::<op::Rcp, G>(g, a),
        Exp2 => unary_f32::<op::Ex2, G>(g, a),
        Exp => {
            let log2_e = f32::splat::<G, N>(g, core::f32::consts::LOG2_E);
            unary_f32::<op::Ex2, G>(g, binary_f32::<op::Mul, G>(g, a, log2_e))
        },
        Log2 => unary_f32::<op::Lg2, G>(g, a),
        Ln => {
            let ln_2 = f32::splat::<G, N>(g, core::f32::consts::LN_2);
            binary_f32::<op::Mul, G>(g, unary_f32::<op::Lg2, G>(g, a), ln_2)
        },
        Sin => unary_f32::<op::Sin, G>(g, a),
        Cos => unary_f32::<op::Cos, G>(g, a),
        Tanh => unary_f32::<op::Tanh, G>(g, a),
        Rsqrt => unary_f32::<op::RsqrtApprox, G>(g, a),
        Floor => integral::<G>(g, Round::Rm, a),
        Ceil => integral::<G>(g, Round::Rp, a),
        Trunc => integral::<G>(g, Round::Rz, a),
        Round => {
            let half = binary_f32::<op::Copysign, G>(g, a, f32::splat::<G, N>(g, BELOW_HALF));
            integral::<G>(g, Round::Rz, binary_f32::<op::Add, G>(g, a, half))
        },
        RoundTiesEven => integral::<G>(g, Round::Rn, a),
        Signum => {
            let one = binary_f32::<op::Copysign, G>(g, a, f32::splat::<G, N>(g, 1.0));
            let number = |i: usize| g.u32().select(g.f32().eq(a[i], a[i]), one[i], g.u32().splat(Binary32::NAN));
            [number(0), number(1)]
        },
        Fract => composed::fract(TwoVectors::<G, N>(g), a),
        Tan => composed::tan(TwoVectors::<G, N>(g), a),
        Asin => composed::asin(TwoVectors::<G, N>(g), a),
        Acos => composed::acos(TwoVectors::<G, N>(g), a),
        Atan => composed::atan(TwoVectors::<G, N>(g), a),
        Sinh => composed::sinh(TwoVectors::<G, N>(g), a),
        Cosh => composed::cosh(TwoVectors::<G, N>(g), a),
        Log10 => composed::log10(TwoVectors::<G, N>(g), a),
        ToDegrees => composed::to_degrees(TwoVectors::<G, N>(g), a),
        ToRadians => composed::to_radians(TwoVectors::<G, N>(g), a),
    })
}

/// The arithmetic of composed functions on two vectors.
#[derive(Clone, Copy)]
struct TwoVectors<G, const N: usize>(G);

macro_rules! instructions {
    ($($name:ident($($x:ident),*) $of:ident $op:ident;)*) => {$(
        #[inline_in_release]
        fn $name(self, $($x: Self::V),*) -> Self::V {
            $of::<op::$op, G>(self.0, $($x),*)
        }
    )*};
}

#[inline_in_release]
impl<G: Vectors, const N: usize> Arithmetic for TwoVectors<G, N> {
    type V = [V32<G>; 2];

    instructions! {
        abs(a) unary_f32 Abs;
        sqrt(a) unary_f32 Sqrt;
        rcp(a) unary_f32 Rcp;
        ex2(a) unary_f32 Ex2;
        lg2(a) unary_f32 Lg2;
        sin(a) unary_f32 Sin;
        cos(a) unary_f32 Cos;
        add(a, b) binary_f32 Add;
        sub(a, b) binary_f32 Sub;
        mul(a, b) binary_f32 Mul;
        div(a, b) binary_f32 Div;
    }

    fn splat(self, x: f32) -> Self::V {
        f32::splat::<G, N>(self.0, x)
    }
    fn trunc(self, a: Self::V) -> Self::V {
        integral::<G>(self.0, Round::Rz, a)
    }
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        f32::instruction::<op::Fma, G, N>(self.0, Modifiers::PLAIN, [a, b, c])
    }
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V {
        binary_f32::<op::Copysign, G>(self.0, b, a)
    }
    fn if_less(self, a: Self::V, b: Self::V, yes: Self::V, no: Self::V) -> Self::V {
        let of = |i: usize| self.0.u32().select(self.0.f32().lt(a[i], b[i]), yes[i], no[i]);
        [of(0), of(1)]
    }
    fn if_equal(self, a: Self::V, b: Self::V, yes: Self::V, no: Self::V) -> Self::V {
        let of = |i: usize| self.0.u32().select(self.0.f32().eq(a[i], b[i]), yes[i], no[i]);
        [of(0), of(1)]
    }
}

/// Computes an operation on elements.
#[inline_in_release]
pub(super) fn op1<O: Known<Op1>, T: FloatLane, G: Vectors, const N: usize>(g: G, a: T::V<G, N>) -> T::V<G, N> {
    only!(O: Op1 {
        Neg => unary::<op::Neg, T, G, N>(g, Modifiers::PLAIN, a),
        Abs => unary::<op::Abs, T, G, N>(g, Modifiers::PLAIN, a),
        Exp2 => unary::<op::Ex2, T, G, N>(g, T::EX2, a),
        Tanh => unary::<op::Tanh, T, G, N>(g, Modifiers::PLAIN, a),
    } else T::down(g, single1::<O, G, N>(g, T::up::<G, N>(g, a))))
}

/// Computes an operation on two vectors of elements.
#[inline_in_release]
pub(super) fn op2<O: Known<Op2>, T: FloatLane, G: Vectors, const N: usize>(
    g: G,
    a: T::V<G, N>,
    b: T::V<G, N>,
) -> T::V<G, N> {
    only!(O: Op2 {
        Add => binary::<op::Add, T, G, N>(g, a, b),
        Sub => binary::<op::Sub, T, G, N>(g, a, b),
        Mul => binary::<op::Mul, T, G, N>(g, a, b),
        Min => binary::<op::Min, T, G, N>(g, a, b),
        Max => binary::<op::Max, T, G, N>(g, a, b),
        // PTX's first operand gives the sign.
        CopySign => binary::<op::Copysign, T, G, N>(g, b, a),
        Div => T::down(g, binary_f32::<op::Div, G>(g, T::up::<G, N>(g, a), T::up::<G, N>(g, b))),
        Atan2 => T::down(g, composed::atan2(TwoVectors::<G, N>(g), T::up::<G, N>(g, a), T::up::<G, N>(g, b))),
        Powf => T::down(g, composed::powf(TwoVectors::<G, N>(g), T::up::<G, N>(g, a), T::up::<G, N>(g, b))),
        Hypot => T::down(g, composed::hypot(TwoVectors::<G, N>(g), T::up::<G, N>(g, a), T::up::<G, N>(g, b))),
    })
}

/// Computes an operation on two vectors of elements; a NaN result may be any NaN.
#[inline_in_release]
pub(super) fn op2_any<O: Known<Op2>, T: FloatLane, G: Vectors, const N: usize>(
    g: G,
    a: T::V<G, N>,
    b: T::V<G, N>,
) -> T::V<G, N> {
    only!(O: Op2 {
        Add => T::instruction_any::<op::Add, G, N>(g, [a, b, b]),
        Sub => T::instruction_any::<op::Sub, G, N>(g, [a, b, b]),
        Mul => T::instruction_any::<op::Mul, G, N>(g, [a, b, b]),
        Div => {
            let (a, b) = (T::up::<G, N>(g, a), T::up::<G, N>(g, b));
            T::down_any::<G, N>(g, [any_f32::<op::Div, G>(g, [a[0], b[0], b[0]]), any_f32::<op::Div, G>(g, [a[1], b[1], b[1]])])
        },
    } else op2::<O, T, G, N>(g, a, b))
}

/// Computes `fma.rn`.
#[inline_in_release]
pub(super) fn fma<T: FloatLane, G: Vectors, const N: usize>(
    g: G,
    a: T::V<G, N>,
    b: T::V<G, N>,
    c: T::V<G, N>,
) -> T::V<G, N> {
    T::instruction::<op::Fma, G, N>(g, Modifiers::PLAIN, [a, b, c])
}

/// Compares vectors of f32.
#[inline_in_release]
pub(super) fn single_cmp<O: Known<Cmp>, G: Vectors>(g: G, a: [V32<G>; 2], b: [V32<G>; 2]) -> M16<G> {
    only!(O: Cmp {
        Lt => g.narrow_mask([g.f32().lt(a[0], b[0]), g.f32().lt(a[1], b[1])]),
        Le => g.narrow_mask([g.f32().le(a[0], b[0]), g.f32().le(a[1], b[1])]),
        Gt => g.narrow_mask([g.f32().lt(b[0], a[0]), g.f32().lt(b[1], a[1])]),
        Ge => g.narrow_mask([g.f32().le(b[0], a[0]), g.f32().le(b[1], a[1])]),
        Eq => g.narrow_mask([g.f32().eq(a[0], b[0]), g.f32().eq(a[1], b[1])]),
        Ne => g.mask_and_not(g.mask_from_bits(!0), g.narrow_mask([g.f32().eq(a[0], b[0]), g.f32().eq(a[1], b[1])])),
    })
}
