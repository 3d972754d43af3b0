//! Operations of floats, each a value and a type.
//!
//! A body says by a type which operation it wants, so that a context compiles the code of that one only. With a value all of
//! them would be inlined wherever one is used, and thrown away again: a kernel took the compiler eight times as long.

/// An operation that is known when the body is compiled.
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
    /// A comparison. Of floats as IEEE 754 has it: a NaN is unordered, −0 equals +0.
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
        /// `sqrt.rn.f32` of the widened value, rounded once to the element: the correctly rounded root.
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
        /// `cvt.rmi.f32.f32`: the next integer below.
        Floor,
        /// `cvt.rpi.f32.f32`: the next integer above.
        Ceil,
        /// `cvt.rzi.f32.f32`: the integer without what is behind the point.
        Trunc,
        /// The nearest integer, of two the one that is further from 0: `cvt.rzi.f32.f32` of the sum with the largest number
        /// below a half, which has the operand's sign.
        Round,
        /// `cvt.rni.f32.f32`: the nearest integer, of two the even one.
        RoundTiesEven,
        /// 1 with the sign of the operand, of a zero too; of a NaN the canonical one.
        Signum,
        /// What is behind the point: `sub.rn.f32(x, cvt.rzi.f32.f32(x))`.
        Fract,
        /// `div.rn.f32(sin.approx.f32(x), cos.approx.f32(x))`, rounded once.
        Tan,
        /// The arc sine, π/2 at most: a polynomial in f32, rounded once.
        Asin,
        /// The arc cosine, 0 to π: a polynomial in f32, rounded once.
        Acos,
        /// The arc tangent: a polynomial in f32, rounded once.
        Atan,
        /// `(eˣ - e⁻ˣ) / 2` by `ex2.approx.f32`, near 0 a polynomial; rounded once.
        Sinh,
        /// `(eˣ + e⁻ˣ) / 2` by `ex2.approx.f32`, rounded once.
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
        /// `div.rn.f32` of the widened values, rounded once to the element: the correctly rounded quotient.
        Div,
        /// `min`
        Min,
        /// `max`
        Max,
        /// The first operand with the sign of the second: `copysign.f32`, whose operands are the other way round, or the sign's bit.
        CopySign,
        /// The angle of (second, first), −π to π: `atan` of the quotient in f32, rounded once.
        Atan2,
        /// `ex2.approx.f32(mul.rn.f32(y, lg2.approx.f32(|x|)))`, rounded once, with the sign and the special values of IEEE 754's `pow`.
        Powf,
        /// `√(x² + y²)` in f32, without overflow on the way, rounded once.
        Hypot,
    }
}
