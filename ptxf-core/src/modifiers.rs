//! The effect of a form's modifiers, as a value.
//!
//! It is a value and not a type: the meaning takes it as an argument, and the generated functions
//! pass a constant. The optimizer removes unused code, so there is one body per instruction in the
//! source and one per form in the program.

use core::cmp::Ordering;
use core::fmt;

/// The effect of the modifiers of each form, by their names.
pub(crate) mod effect {
    use super::{Modifiers, Round};

    ptxf_macros::effects!();
}

/// The direction in which an inexact result is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Round {
    /// `.rn`: to the nearest value, ties to the even one.
    #[default]
    Rn,
    /// `.rz`: toward zero.
    Rz,
    /// `.rm`: toward −∞.
    Rm,
    /// `.rp`: toward +∞.
    Rp,
}

/// A comparison of two numbers. Those whose name ends in `u` are also true if an operand is a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `.eq`: equal.
    Eq,
    /// `.ne`: not equal; false for a NaN, unlike Rust's `!=`.
    Ne,
    /// `.lt`: less.
    Lt,
    /// `.le`: less or equal.
    Le,
    /// `.gt`: greater.
    Gt,
    /// `.ge`: greater or equal.
    Ge,
    /// `.equ`: equal or unordered.
    Equ,
    /// `.neu`: not equal or unordered, which is Rust's `!=`.
    Neu,
    /// `.ltu`: less or unordered.
    Ltu,
    /// `.leu`: less, equal or unordered.
    Leu,
    /// `.gtu`: greater or unordered.
    Gtu,
    /// `.geu`: greater, equal or unordered.
    Geu,
    /// `.num`: neither is a NaN.
    Num,
    /// `.nan`: one of them is a NaN.
    Nan,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: &[Self] = &[
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Gt,
        Self::Ge,
        Self::Equ,
        Self::Neu,
        Self::Ltu,
        Self::Leu,
        Self::Gtu,
        Self::Geu,
        Self::Num,
        Self::Nan,
    ];

    /// Returns `true` if the comparison holds for operands in this order, which is `None` if one of
    /// them is a NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Comparison;
    ///
    /// assert!(Comparison::Ltu.holds(None));
    /// assert!(!Comparison::Ne.holds(None));
    /// ```
    #[must_use]
    #[inline]
    pub const fn holds(self, order: Option<Ordering>) -> bool {
        match (self, order) {
            (Self::Nan, order) => order.is_none(),
            (Self::Num, order) => order.is_some(),
            (Self::Equ | Self::Neu | Self::Ltu | Self::Leu | Self::Gtu | Self::Geu, None) => true,
            (_, None) => false,
            (Self::Eq | Self::Equ, Some(order)) => order.is_eq(),
            (Self::Ne | Self::Neu, Some(order)) => order.is_ne(),
            (Self::Lt | Self::Ltu, Some(order)) => order.is_lt(),
            (Self::Le | Self::Leu, Some(order)) => order.is_le(),
            (Self::Gt | Self::Gtu, Some(order)) => order.is_gt(),
            (Self::Ge | Self::Geu, Some(order)) => order.is_ge(),
        }
    }
}

/// Defines comparisons of integers, each with its comparison of numbers. An integer is never a NaN.
macro_rules! of_integers {
    ($($(#[$doc:meta])* $ty:ident { $($(#[$what:meta])* $variant:ident = $meaning:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $ty {
            $($(#[$what])* $variant,)*
        }

        impl $ty {
            /// Every variant.
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }

        impl From<$ty> for Comparison {
            #[inline]
            fn from(comparison: $ty) -> Self {
                match comparison {
                    $($ty::$variant => Self::$meaning,)*
                }
            }
        }
    )*};
}

of_integers! {
    /// A comparison of two unsigned integers. PTX has two names for most of them.
    UnsignedComparison {
        /// `.eq`: equal.
        Eq = Eq,
        /// `.ne`: not equal.
        Ne = Ne,
        /// `.lt`: less.
        Lt = Lt,
        /// `.le`: less or equal.
        Le = Le,
        /// `.gt`: greater.
        Gt = Gt,
        /// `.ge`: greater or equal.
        Ge = Ge,
        /// `.lo`: lower, which is less.
        Lo = Lt,
        /// `.ls`: lower or the same.
        Ls = Le,
        /// `.hi`: higher, which is greater.
        Hi = Gt,
        /// `.hs`: higher or the same.
        Hs = Ge,
    }
    /// A comparison of two signed integers.
    SignedComparison {
        /// `.eq`: equal.
        Eq = Eq,
        /// `.ne`: not equal.
        Ne = Ne,
        /// `.lt`: less.
        Lt = Lt,
        /// `.le`: less or equal.
        Le = Le,
        /// `.gt`: greater.
        Gt = Gt,
        /// `.ge`: greater or equal.
        Ge = Ge,
    }
    /// A comparison of bits, which have no order.
    BitComparison {
        /// `.eq`: equal.
        Eq = Eq,
        /// `.ne`: not equal.
        Ne = Ne,
    }
}

/// An operator that combines a comparison with the predicate `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    /// `.and`: both.
    And,
    /// `.or`: at least one.
    Or,
    /// `.xor`: exactly one.
    Xor,
}

impl BoolOp {
    /// Every operator.
    pub const ALL: &[Self] = &[Self::And, Self::Or, Self::Xor];

    /// Returns the PTX spelling, without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }

    /// Combines the comparison `t` with the predicate `c`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::BoolOp;
    ///
    /// assert!(BoolOp::Xor.apply(true, false));
    /// ```
    #[must_use]
    #[inline]
    pub const fn apply(self, t: bool, c: bool) -> bool {
        match self {
            Self::And => t & c,
            Self::Or => t | c,
            Self::Xor => t ^ c,
        }
    }
}

/// A property of a number that `testp` checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Neither infinite nor NaN.
    Finite,
    /// `±∞`.
    Infinite,
    /// Not a NaN.
    Number,
    /// A NaN.
    NotANumber,
    /// A normal number or a zero.
    Normal,
    /// A subnormal number.
    Subnormal,
}

/// The modifiers of a form that affect its result; [`Modifiers::PLAIN`] is the plain `.rn` form.
///
/// An instruction reads only the modifiers that it has.
// A scalar, since the compiler's inliner folds constants only in scalar arguments. With a structure
// of ten bytes each operation of a kernel carried the code of all modifiers until a later pass
// removed it, and a kernel of a hundred lines took 101 s to compile instead of 4.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Modifiers(u16);

macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident $with:ident $bit:literal;)*) => {
        // Constants are folded only where these are inlined.
        impl Modifiers {
            $(
                $(#[$doc])*
                #[must_use]
                #[inline(always)]
                pub const fn $flag(self) -> bool {
                    self.0 & 1 << $bit != 0
                }

                #[doc = concat!("Returns the same modifiers with [`", stringify!($flag), "`](Self::", stringify!($flag), ") set or cleared.")]
                #[must_use]
                #[inline(always)]
                pub const fn $with(self, $flag: bool) -> Self {
                    Self(self.0 & !(1 << $bit) | ($flag as u16) << $bit)
                }
            )*
        }

        impl fmt::Debug for Modifiers {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut d = f.debug_struct("Modifiers");
                d.field("rnd", &self.rnd());
                $(d.field(stringify!($flag), &self.$flag());)*
                d.finish()
            }
        }
    };
}

flags! {
    /// `.ftz`: flushes subnormal inputs and results to zero of the same sign.
    ftz with_ftz 2;
    /// `.sat`: clamps the result to `[+0, 1]`; NaN gives +0.
    sat with_sat 3;
    /// `.relu`: a negative result gives +0, and NaN the canonical NaN.
    relu with_relu 4;
    /// `.oob`: gives +0 if a factor is the out-of-bounds NaN.
    oob with_oob 5;
    /// `.NaN`: gives the canonical NaN if an operand is a NaN.
    nan with_nan 6;
    /// `.xorsign`: gives the result the XOR of the operands' signs.
    xorsign with_xorsign 7;
    /// `.abs`: compares magnitudes.
    abs with_abs 8;
    /// `.satfinite`: clamps the result, also an infinity, to the largest finite number of its sign.
    satfinite with_satfinite 9;
    /// `.rni`, `.rzi`, `.rmi`, `.rpi`: rounds to an integer, in the direction
    /// [`rnd`](Self::rnd).
    integral with_integral 10;
    /// `.pzo`: gives +0 for a result of −0.
    pzo with_pzo 11;
}

#[expect(clippy::inline_always, reason = "constants are folded only where these are inlined")]
impl Modifiers {
    /// No modifier: `.rn`.
    pub const PLAIN: Self = Self(Round::Rn as u16);

    /// Returns the direction of rounding: `.rn`, `.rz`, `.rm`, `.rp`.
    #[must_use]
    #[inline(always)]
    pub const fn rnd(self) -> Round {
        // A load from a constant table is folded by the inliner; the result of a `match` is not.
        const ROUNDINGS: &[Round; 4] = &[Round::Rn, Round::Rz, Round::Rm, Round::Rp];
        ROUNDINGS[(self.0 & 3) as usize]
    }

    /// Returns the same modifiers with another direction of rounding.
    #[must_use]
    #[inline(always)]
    pub const fn with_rnd(self, rnd: Round) -> Self {
        Self(self.0 & !3 | rnd as u16)
    }

    /// Returns `true` if there is no modifier besides the direction of rounding.
    #[must_use]
    #[inline(always)]
    pub const fn only_rounds(self) -> bool {
        self.0 & !3 == 0
    }

    /// Returns the modifiers as a number, which can be a const parameter.
    #[inline(always)]
    pub(crate) const fn code(self) -> u16 {
        self.0
    }

    /// Returns the modifiers with this [`code`](Self::code).
    #[inline(always)]
    pub(crate) const fn decode(code: u16) -> Self {
        Self(code)
    }
}

#[cfg(test)]
mod tests {
    use super::{Modifiers, Round};

    #[test]
    fn each_setter_changes_its_modifier_alone() {
        let plain = Modifiers::PLAIN;
        let all = [
            plain.with_rnd(Round::Rz),
            plain.with_rnd(Round::Rm),
            plain.with_ftz(true),
            plain.with_sat(true),
            plain.with_relu(true),
            plain.with_oob(true),
            plain.with_nan(true),
            plain.with_xorsign(true),
            plain.with_abs(true),
            plain.with_satfinite(true),
            plain.with_integral(true),
            plain.with_pzo(true),
        ];
        for (i, m) in all.into_iter().enumerate() {
            assert_eq!(m.code(), 1 << i, "{m:?}");
            assert_eq!(m.only_rounds(), i < 2, "{m:?}");
        }
        for rnd in [Round::Rn, Round::Rz, Round::Rm, Round::Rp] {
            let m = plain.with_ftz(true).with_rnd(Round::Rp).with_rnd(rnd);
            assert_eq!((m.rnd(), m.ftz(), m.with_ftz(false).rnd()), (rnd, true, rnd));
        }
    }
}
