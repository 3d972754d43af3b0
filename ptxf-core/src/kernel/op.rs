//! Operations on floats, each as a value and as a type.
//!
//! A body names an operation by its type, so that a context compiles only the code of this
//! operation. With a value all operations would be inlined at each use and removed afterwards: a
//! kernel took eight times as long to compile.

/// An operation that is a constant of the body.
pub trait Known<T>: Copy {
    /// The operation.
    const OP: T;
}

macro_rules! operations {
    ($($(#[$of:meta])* $all:ident $module:ident { $($(#[$doc:meta])* $name:ident,)* })*) => {$(
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $all {
            $($(#[$doc])* $name,)*
        }

        #[doc = concat!("The operations of [`", stringify!($all), "`](super::", stringify!($all), "), each a type.")]
        pub mod $module {
            use super::{$all, Known};

            $(
                $(#[$doc])*
                #[derive(Clone, Copy, Debug)]
                pub struct $name;

                impl Known<$all> for $name {
                    const OP: $all = $all::$name;
                }
            )*
        }
    )*};
}

operations! {
    /// A comparison. Floats compare as in IEEE 754: a NaN is unordered, −0 equals +0.
    Cmp cmp {
        /// `a < b`
        Lt,
        /// `a <= b`
        Le,
        /// `a > b`
        Gt,
        /// `a >= b`
        Ge,
        /// `a == b`
        Eq,
        /// `a != b`
        Ne,
    }
    /// An operation on one float.
    Op1 op1 {
        /// `neg`
        Neg,
        /// `abs`
        Abs,
        /// `sqrt.rn.f32` of the widened value, rounded once to the element: the correctly rounded
        /// square root.
        Sqrt,
        /// `rcp.rn.f32`, rounded once.
        Recip,
        /// `ex2.approx` of the element type; `ex2.approx.ftz.bf16`.
        Exp2,
        /// `ex2.approx.f32(mul.rn.f32(x, log2 e))`, rounded once.
        Exp,
        /// `lg2.approx.f32`, rounded once.
        Log2,
        /// `mul.rn.f32(lg2.approx.f32(x), ln 2)`, rounded once.
        Ln,
        /// `sin.approx.f32`, rounded once.
        Sin,
        /// `cos.approx.f32`, rounded once.
        Cos,
        /// `tanh.approx` of the element type.
        Tanh,
        /// `rsqrt.approx.f32`, rounded once.
        Rsqrt,
        /// `cvt.rmi.f32.f32`: the largest integer that is not greater.
        Floor,
        /// `cvt.rpi.f32.f32`: the smallest integer that is not less.
        Ceil,
        /// `cvt.rzi.f32.f32`: the integer part.
        Trunc,
        /// The nearest integer, with ties away from 0: `cvt.rzi.f32.f32(x + h)`, where `h` is the
        /// largest number below 0.5 with the sign of `x`.
        Round,
        /// `cvt.rni.f32.f32`: the nearest integer, with ties to even.
        RoundTiesEven,
        /// 1 with the sign of the operand, also for zeros; the canonical NaN for a NaN.
        Signum,
        /// The fractional part: `sub.rn.f32(x, cvt.rzi.f32.f32(x))`.
        Fract,
        /// `div.rn.f32(sin.approx.f32(x), cos.approx.f32(x))`, rounded once.
        Tan,
        /// The arc sine, −π/2 to π/2: a polynomial in f32, rounded once.
        Asin,
        /// The arc cosine, 0 to π: a polynomial in f32, rounded once.
        Acos,
        /// The arc tangent: a polynomial in f32, rounded once.
        Atan,
        /// `(eˣ - e⁻ˣ) / 2` through `ex2.approx.f32`, and a polynomial near 0; rounded once.
        Sinh,
        /// `(eˣ + e⁻ˣ) / 2` through `ex2.approx.f32`, rounded once.
        Cosh,
        /// `mul.rn.f32(lg2.approx.f32(x), log₁₀ 2)`, rounded once.
        Log10,
        /// `mul.rn.f32(x, 180 / π)`, rounded once.
        ToDegrees,
        /// `mul.rn.f32(x, π / 180)`, rounded once.
        ToRadians,
    }
    /// An operation on two floats.
    Op2 op2 {
        /// `add.rn`
        Add,
        /// `sub.rn`
        Sub,
        /// `mul.rn`
        Mul,
        /// `div.rn.f32` of the widened values, rounded once to the element: the correctly rounded
        /// quotient.
        Div,
        /// `min`
        Min,
        /// `max`
        Max,
        /// The first operand with the sign of the second: `copysign.f32` with its operands
        /// exchanged, or bit operations.
        CopySign,
        /// The angle of the point (second, first), −π to π: `atan` of the quotient in f32, rounded
        /// once.
        Atan2,
        /// `ex2.approx.f32(mul.rn.f32(y, lg2.approx.f32(|x|)))`, rounded once, with the sign and
        /// the special values of IEEE 754's `pow`.
        Powf,
        /// `√(x² + y²)` in f32, without intermediate overflow, rounded once.
        Hypot,
    }
}
