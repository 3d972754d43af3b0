//! The spelling of a conversion, by the manual's grammar lines.

use core::fmt;

use crate::form::Rnd;

/// The rounding of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// No modifier.
    Unsaid,
    /// `.rn .rz .rm .rp`
    To(Rnd),
    /// `.rni .rzi .rmi .rpi`: to an integer.
    Integer(Rnd),
    /// `.rna`
    Away,
    /// `.rs`
    Random,
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the manual's types")]
pub enum Num {
    F16,
    Bf16,
    F32,
    F64,
    Tf32,
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
    Ue8m0,
    Ue5m3,
    S2f6,
    /// An integer of `bits` bits.
    Int {
        signed: bool,
        bits: u32,
    },
}

/// A register's element type and number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    /// Their type.
    pub num: Num,
    /// Their number.
    pub lanes: u8,
}

/// One spelling, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cvt {
    /// The rounding.
    pub by: By,
    /// `.ftz`
    pub ftz: bool,
    /// `.sat`
    pub sat: bool,
    /// `.relu`
    pub relu: bool,
    /// `.satfinite`
    pub satfinite: bool,
    /// `.pzo`
    pub pzo: bool,
    /// `.scaled::n1::ue8m0`
    pub divided: bool,
    /// `.scaled::n2::ue8m0`
    pub scaled: bool,
    /// The result.
    pub to: Reg,
    /// The source.
    pub from: Reg,
}

const FLOATS: [(&str, Num); 13] = [
    ("f16", Num::F16),
    ("bf16", Num::Bf16),
    ("f32", Num::F32),
    ("f64", Num::F64),
    ("tf32", Num::Tf32),
    ("e4m3", Num::E4m3),
    ("e5m2", Num::E5m2),
    ("e2m3", Num::E2m3),
    ("e3m2", Num::E3m2),
    ("e2m1", Num::E2m1),
    ("ue8m0", Num::Ue8m0),
    ("ue5m3", Num::Ue5m3),
    ("s2f6", Num::S2f6),
];

impl Num {
    /// Number of significant bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::F32 | Self::Tf32 => 32,
            Self::F64 => 64,
            Self::E4m3 | Self::E5m2 | Self::Ue8m0 | Self::Ue5m3 | Self::S2f6 => 8,
            Self::E2m3 | Self::E3m2 => 6,
            Self::E2m1 => 4,
            Self::Int { bits, .. } => bits,
        }
    }

    /// Distance from one element to the next in a register, in bits.
    #[must_use]
    pub const fn place(self) -> u32 {
        match self {
            Self::E2m3 | Self::E3m2 => 8,
            _ => self.bits(),
        }
    }

    /// A mask of the significant bits.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Returns `true` for an integer type.
    #[must_use]
    pub const fn is_int(self) -> bool {
        matches!(self, Self::Int { .. })
    }

    fn parse(name: &str) -> Option<Self> {
        if let Some(&(_, num)) = FLOATS.iter().find(|(float, _)| *float == name) {
            return Some(num);
        }
        let (sign, bits) = name.split_at_checked(1)?;
        let signed = ["u", "s"].iter().position(|s| *s == sign)? == 1;
        let bits = bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
        Some(Self::Int { signed, bits })
    }
}

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int { signed, bits } => write!(f, "{}{bits}", if *signed { 's' } else { 'u' }),
            num => f.write_str(FLOATS.iter().find(|(_, n)| n == num).map_or("?", |e| e.0)),
        }
    }
}

impl Reg {
    /// Reads the name of a type.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let (element, lanes) = match name.rsplit_once('x') {
            Some((element, "2")) => (element, 2),
            Some((element, "4")) => (element, 4),
            _ => (name, 1),
        };
        Some(Self { num: Num::parse(element)?, lanes })
    }

    /// Width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.num.place() * self.lanes as u32
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.num)?;
        if self.lanes > 1 { write!(f, "x{}", self.lanes) } else { Ok(()) }
    }
}

impl Cvt {
    /// Reads a spelling whose modifiers stand in the manual's order.
    ///
    /// # Errors
    /// Returns a message that names the first word that is unknown or out of place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split('.').collect();
        let ["cvt", modifiers @ .., to, from] = words.as_slice() else {
            return Err(format!("`{text}` is no conversion between two types"));
        };
        let reg = |name: &str| Reg::parse(name).ok_or_else(|| format!("unknown type `.{name}` in `{text}`"));
        let (to, from) = (reg(to)?, reg(from)?);
        let mut cvt = Self::bare(By::Unsaid, to, from);
        for &word in modifiers {
            let by = match word {
                "rna" => Some(By::Away),
                "rs" => Some(By::Random),
                _ => Rnd::ALL.iter().find_map(|&rnd| match word.strip_prefix(rnd.name())? {
                    "" => Some(By::To(rnd)),
                    "i" => Some(By::Integer(rnd)),
                    _ => None,
                }),
            };
            if let Some(by) = by {
                cvt.by = by;
                continue;
            }
            *match word {
                "ftz" => &mut cvt.ftz,
                "sat" => &mut cvt.sat,
                "relu" => &mut cvt.relu,
                "satfinite" => &mut cvt.satfinite,
                "pzo" => &mut cvt.pzo,
                "scaled::n1::ue8m0" => &mut cvt.divided,
                "scaled::n2::ue8m0" => &mut cvt.scaled,
                _ => return Err(format!("unknown modifier `.{word}` in `{text}`")),
            } = true;
        }
        if cvt.to_string() != text {
            return Err(format!("`{text}` is out of order, the manual writes `{cvt}`"));
        }
        Ok(cvt)
    }

    /// Returns the conversion without any modifier but its rounding.
    #[must_use]
    pub const fn bare(by: By, to: Reg, from: Reg) -> Self {
        Self {
            by,
            ftz: false,
            sat: false,
            relu: false,
            satfinite: false,
            pzo: false,
            divided: false,
            scaled: false,
            to,
            from,
        }
    }

    /// Returns the number of registers that hold the source.
    #[must_use]
    pub fn sources(&self) -> usize {
        if self.from.lanes == 1 { self.to.lanes.into() } else { 1 }
    }

    /// Returns the number of operands, a scale and random bits included.
    #[must_use]
    pub fn operands(&self) -> usize {
        self.sources() + usize::from(self.scaled || self.divided) + usize::from(self.by == By::Random)
    }

    /// Returns `true` if `.relu` follows `.satfinite`: the grammar lines differ.
    fn relu_is_last(&self) -> bool {
        let narrow = matches!(self.to.num, Num::E4m3 | Num::E5m2 | Num::E2m3 | Num::E3m2 | Num::E2m1 | Num::S2f6);
        self.by != By::Random && (narrow || self.to.num == Num::Tf32 || self.from.num == Num::S2f6)
    }
}

impl fmt::Display for Cvt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cvt")?;
        match self.by {
            By::Unsaid => {}
            By::To(rnd) => write!(f, ".{}", rnd.name())?,
            By::Integer(rnd) => write!(f, ".{}i", rnd.name())?,
            By::Away => f.write_str(".rna")?,
            By::Random => f.write_str(".rs")?,
        }
        let last = self.relu_is_last();
        for (on, name) in [
            (self.ftz, "ftz"),
            (self.sat, "sat"),
            (self.relu && !last, "relu"),
            (self.satfinite, "satfinite"),
            (self.relu && last, "relu"),
            (self.pzo, "pzo"),
            (self.divided, "scaled::n1::ue8m0"),
            (self.scaled, "scaled::n2::ue8m0"),
        ] {
            if on {
                write!(f, ".{name}")?;
            }
        }
        write!(f, ".{}.{}", self.to, self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_each_grammar_line() {
        for right in [
            "cvt.rn.relu.satfinite.f16.f32",
            "cvt.rn.satfinite.relu.tf32.f32",
            "cvt.rn.satfinite.relu.e2m1x2.f16x2",
            "cvt.rn.relu.satfinite.scaled::n2::ue8m0.bf16x2.e4m3x2",
            "cvt.rn.satfinite.relu.scaled::n2::ue8m0.s2f6x2.f32",
            "cvt.rn.satfinite.relu.bf16x2.s2f6x2",
            "cvt.rs.relu.satfinite.e4m3x4.f32",
            "cvt.rpi.ftz.sat.u8.f32",
            "cvt.rz.relu.satfinite.pzo.bf16x2.f32",
            "cvt.rn.satfinite.relu.pzo.scaled::n1::ue8m0.e2m1x2.bf16x2",
            "cvt.rp.satfinite.ue5m3x2.f32",
        ] {
            assert_eq!(Cvt::parse(right).map(|c| c.to_string()).as_deref(), Ok(right));
        }
        for wrong in
            ["cvt.rn.satfinite.relu.f16.f32", "cvt.ftz.rn.f16.f32", "cvt.rn.f128.f32", "cvt.rn.f32", "cvt.rx.f16.f32"]
        {
            assert!(Cvt::parse(wrong).is_err(), "{wrong}");
        }
    }
}
