//! The matrix units of devices.

use core::fmt;
use core::marker::PhantomData;

use super::mma::{Mma, Way};
use super::operand::{Accumulator, Kind, Multiplicand};
use crate::sem::matrix::{Rule, Sum};

/// The matrix unit of a family of devices, by the instruction that reaches it.
///
/// # Examples
///
/// ```
/// use ptxf::matrix::Unit;
/// use ptxf::{E4m3, F16};
///
/// assert_eq!(Unit::of_target("sm_86"), Some(Unit::sm_80()));
/// let error = Unit::sm_80().mma::<E4m3, E4m3, f32>().unwrap_err();
/// assert_eq!(error.to_string(), "the matrix unit of sm_80 does not multiply e4m3 by e4m3 into f32");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unit(Family);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Family {
    Sm70,
    Sm75,
    Sm80,
    Sm89,
    Sm90,
    Sm90a,
    Sm100,
    Sm100a,
    Sm120,
}

/// An instruction that a unit lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent {
    pub(super) unit: Unit,
    pub(super) lacks: Lacks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lacks {
    /// Products of these formats.
    Formats([&'static str; 3]),
    /// An instruction of this target.
    Target(&'static str),
    /// The device executes other instructions, which are not known.
    Knowledge,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.name();
        match self.lacks {
            Lacks::Formats([a, b, c]) => write!(f, "the matrix unit of {unit} does not multiply {a} by {b} into {c}"),
            Lacks::Target(target) => write!(f, "{unit} does not have this instruction of {target}"),
            Lacks::Knowledge => write!(f, "the bits of this instruction on {unit} are not known"),
        }
    }
}

impl core::error::Error for Absent {}

impl Unit {
    /// Returns Volta's unit, by `mma.sync.m8n8k4`.
    #[must_use]
    pub const fn sm_70() -> Self {
        Self(Family::Sm70)
    }

    /// Returns Turing's unit, by `mma.sync.m16n8k8`.
    #[must_use]
    pub const fn sm_75() -> Self {
        Self(Family::Sm75)
    }

    /// Returns Ampere's unit, by `mma.sync`.
    #[must_use]
    pub const fn sm_80() -> Self {
        Self(Family::Sm80)
    }

    /// Returns the unit of Ampere's smaller devices, which is that of [`sm_80`](Self::sm_80).
    #[must_use]
    pub const fn sm_86() -> Self {
        Self(Family::Sm80)
    }

    /// Returns Ada's unit, by `mma.sync`.
    #[must_use]
    pub const fn sm_89() -> Self {
        Self(Family::Sm89)
    }

    /// Returns Hopper's unit, by `mma.sync` and `wmma`.
    #[must_use]
    pub const fn sm_90() -> Self {
        Self(Family::Sm90)
    }

    /// Returns Hopper's unit, by `wgmma`.
    #[must_use]
    pub const fn sm_90a() -> Self {
        Self(Family::Sm90a)
    }

    /// Returns Blackwell's unit, by `mma.sync`.
    #[must_use]
    pub const fn sm_100() -> Self {
        Self(Family::Sm100)
    }

    /// Returns Blackwell's unit, by `tcgen05.mma`.
    #[must_use]
    pub const fn sm_100a() -> Self {
        Self(Family::Sm100a)
    }

    /// Returns the unit of RTX Blackwell devices, by `mma.sync`.
    #[must_use]
    pub const fn sm_120() -> Self {
        Self(Family::Sm120)
    }

    /// Returns the unit of a target such as `sm_86`, or `None` if it is unknown or has none. With a
    /// suffix, such as `sm_90a`, it is the unit of the instructions that need the suffix.
    #[must_use]
    pub fn of_target(target: &str) -> Option<Self> {
        Some(match target {
            "sm_70" | "sm_72" => Self::sm_70(),
            "sm_75" => Self::sm_75(),
            "sm_80" | "sm_86" | "sm_87" | "sm_88" => Self::sm_80(),
            "sm_89" => Self::sm_89(),
            "sm_90" => Self::sm_90(),
            "sm_90a" => Self::sm_90a(),
            "sm_100" | "sm_101" | "sm_103" | "sm_110" => Self::sm_100(),
            "sm_100a" | "sm_101a" | "sm_103a" | "sm_110a" => Self::sm_100a(),
            "sm_120" | "sm_121" | "sm_120a" | "sm_121a" => Self::sm_120(),
            _ => return None,
        })
    }

    /// Returns the number of the target.
    pub(super) const fn number(self) -> u32 {
        match self.0 {
            Family::Sm70 => 70,
            Family::Sm75 => 75,
            Family::Sm80 => 80,
            Family::Sm89 => 89,
            Family::Sm90 | Family::Sm90a => 90,
            Family::Sm100 | Family::Sm100a => 100,
            Family::Sm120 => 120,
        }
    }

    /// Returns the unit of the same device that `wgmma` reaches, or that the other instructions do.
    pub(super) const fn reached(self, by_wgmma: bool) -> Self {
        match self.0 {
            Family::Sm90 | Family::Sm90a if by_wgmma => Self::sm_90a(),
            Family::Sm90a => Self::sm_90(),
            Family::Sm100a => Self::sm_100(),
            _ => self,
        }
    }

    /// Returns `true` if the unit's instructions are `mma.sync.m16n8k16` and so on.
    pub(crate) const fn is_of_warps(self) -> bool {
        matches!(self.0, Family::Sm80 | Family::Sm89 | Family::Sm90 | Family::Sm100 | Family::Sm120)
    }

    pub(super) const fn name(self) -> &'static str {
        match self.0 {
            Family::Sm70 => "sm_70",
            Family::Sm75 => "sm_75",
            Family::Sm80 => "sm_80",
            Family::Sm89 => "sm_89",
            Family::Sm90 => "sm_90",
            Family::Sm90a => "sm_90a",
            Family::Sm100 => "sm_100",
            Family::Sm100a => "sm_100a",
            Family::Sm120 => "sm_120",
        }
    }

    /// Returns the unit's instruction for operands of these formats.
    ///
    /// # Errors
    ///
    /// [`Absent`] if the unit has none.
    pub fn mma<A: Multiplicand, B: Multiplicand, C: Accumulator>(self) -> Result<Mma<A, B, C>, Absent> {
        match self.way(A::KIND, B::KIND, A::NAME == B::NAME, C::SUM) {
            Some(way) => Ok(Mma { way, formats: PhantomData }),
            None => Err(Absent { unit: self, lacks: Lacks::Formats([A::NAME, B::NAME, C::NAME]) }),
        }
    }

    /// Returns how products of the formats are added. Both are the `same`, or different ones of 8
    /// bits.
    pub(super) fn way(self, a: Kind, b: Kind, same: bool, sum: Sum) -> Option<Way> {
        let (bytes, fraction_bits) = match self.0 {
            Family::Sm70 => (8, 23),
            Family::Sm75 | Family::Sm80 | Family::Sm89 => (16, 24),
            Family::Sm90 | Family::Sm90a | Family::Sm100 | Family::Sm100a | Family::Sm120 => (32, 25),
        };
        // The exponent of a zero addend does not depend on the operands.
        let least = if sum == Sum::F16 { 4 - fraction_bits } else { -108 - fraction_bits };
        let rule = |products, fraction_bits| Rule { products, fraction_bits, least };
        let in_8_bits = if sum == Sum::F16 { Sum::F16 } else { Sum::E8m13 };
        let old = matches!(self.0, Family::Sm70 | Family::Sm75);
        match (a, b) {
            (Kind::F16, Kind::F16) => Some(Way::Steps(rule(bytes / 2, fraction_bits), sum)),
            (Kind::Bf16, Kind::Bf16) if !old && sum != Sum::F16 => {
                Some(Way::Steps(rule(bytes / 2, fraction_bits), sum))
            }
            (Kind::Tf32, Kind::Tf32) if !old && sum != Sum::F16 => {
                Some(Way::Steps(rule(bytes / 4, fraction_bits), sum))
            }
            (Kind::Fp8, Kind::Fp8) => match self.0 {
                Family::Sm70 | Family::Sm75 | Family::Sm80 => None,
                Family::Sm89 => Some(Way::Steps(rule(16, 13), in_8_bits)),
                Family::Sm90a => Some(Way::Steps(rule(32, 13), in_8_bits)),
                Family::Sm90 | Family::Sm100 => Some(Way::ByF16(rule(16, 25), sum)),
                Family::Sm100a | Family::Sm120 => Some(Way::Steps(rule(32, 25), sum)),
            },
            _ => None,
        }
        .filter(|_| same || a == Kind::Fp8)
    }
}
