//! What the modifiers of a form ask for, as a value.

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
    /// `.oob`: +0 if an operand is the out-of-bounds NaN.
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
        oob: false,
        nan: false,
        xorsign: false,
        abs: false,
    };
}
