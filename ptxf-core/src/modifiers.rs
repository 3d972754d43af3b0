//! What the modifiers of a form ask for, as a value.
//!
//! It is a value and not a type: the meaning takes it as an argument, and the generated functions pass a constant. The optimizer
//! removes what a form does not use, so there is one body per instruction in the source and one per form in the program.

use core::cmp::Ordering;

/// What the modifiers of each form ask for, by their names.
pub(crate) mod effect {
    use super::{Modifiers, Round};

    ptxf_macros::effects!();
}

/// The direction in which a result that is not representable is rounded.
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

/// How two numbers are compared; those whose name ends in `u` are true as well if an operand is a NaN.
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

    /// Whether it is true of operands in this order; `None` if one of them is a NaN.
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

/// Comparisons of integers, each with the one of numbers that it is: an integer is never a NaN.
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
    /// How two unsigned integers are compared. PTX has two names for most of these comparisons.
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
    /// How two signed integers are compared.
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
    /// How bits are compared, which have no order.
    BitComparison {
        /// `.eq`: equal.
        Eq = Eq,
        /// `.ne`: not equal.
        Ne = Ne,
    }
}

/// How a comparison is combined with the predicate `c`.
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

    /// As PTX spells it, without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }

    /// The combination.
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

/// The modifiers of a form that change its result; [`Modifiers::PLAIN`] is the plain `.rn` form.
///
/// A meaning reads only the modifiers that its instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers {
    /// `.rn`, `.rz`, `.rm`, `.rp`.
    pub rnd: Round,
    /// `.ftz`: flush subnormal inputs and results to zero of the same sign.
    pub ftz: bool,
    /// `.sat`: clamp the result to `[+0, 1]`; NaN gives +0.
    pub sat: bool,
    /// `.relu`: negative results give +0; NaN gives the canonical NaN.
    pub relu: bool,
    /// `.satfinite`: the largest finite number of the same sign for what is beyond it, infinities too.
    pub satfinite: bool,
    /// `.rni`, `.rzi`, `.rmi`, `.rpi`: round to an integer, in the direction of `rnd`.
    pub integral: bool,
    /// `.oob`: +0 if a factor is the out-of-bounds NaN.
    pub oob: bool,
    /// `.NaN`: a NaN operand gives the canonical NaN.
    pub nan: bool,
    /// `.xorsign`: the sign is the XOR of the operands' signs.
    pub xorsign: bool,
    /// `.abs`: compare magnitudes.
    pub abs: bool,
}

impl Modifiers {
    /// No modifier: `.rn`.
    pub const PLAIN: Self = Self {
        rnd: Round::Rn,
        ftz: false,
        sat: false,
        relu: false,
        satfinite: false,
        integral: false,
        oob: false,
        nan: false,
        xorsign: false,
        abs: false,
    };

    /// A number for it, to be a const parameter.
    pub(crate) const fn code(self) -> u16 {
        let flags =
            [self.ftz, self.sat, self.relu, self.oob, self.nan, self.xorsign, self.abs, self.satfinite, self.integral];
        let mut code = self.rnd as u16;
        let mut i = 0;
        while i < flags.len() {
            code |= (flags[i] as u16) << (i + 2);
            i += 1;
        }
        code
    }

    /// The value with that [`code`](Self::code).
    pub(crate) const fn decode(code: u16) -> Self {
        const ROUNDINGS: [Round; 4] = [Round::Rn, Round::Rz, Round::Rm, Round::Rp];
        Self {
            rnd: ROUNDINGS[(code & 3) as usize],
            ftz: code & 4 != 0,
            sat: code & 8 != 0,
            relu: code & 16 != 0,
            oob: code & 32 != 0,
            nan: code & 64 != 0,
            xorsign: code & 128 != 0,
            abs: code & 256 != 0,
            satfinite: code & 512 != 0,
            integral: code & 1024 != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Modifiers;

    #[test]
    fn a_code_stands_for_its_modifiers() {
        (0..2048).for_each(|code| assert_eq!(Modifiers::decode(code).code(), code));
    }
}
