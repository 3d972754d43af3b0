//! The table, as data: every legal spelling with its version, target, source and documentation.
//!
//! | word | is |
//! |---|---|
//! | *instruction* | `fma` |
//! | *row* | one grammar line of the manual, `fma.rnd{.ftz}.relu.f16x2 d, a, b, c` |
//! | *form* | one legal instance, `fma.rn.ftz.relu.f16x2`; comparisons and Boolean operators stay open, `set.CmpOp.u32.f16x2` |
//! | *spelling* | a form with its operators, `set.lt.u32.f16x2` |
//! | *method* | the Rust spelling of a form, `F16x2::fma_rn_ftz_relu` |

mod conversion;
mod spelling;

use core::fmt;

use crate::backend::register::Bits as Register;
use crate::backend::register::Register as _;
use crate::backend::{across, compare, convert, mixed};
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::modifiers::{BoolOp, Modifiers, effect};
use crate::scalar;
use crate::sem::{self, Meaning};
use crate::types::*;

pub use crate::modifiers::Property;
use spelling::Operators;
pub use spelling::{CmpOp, Spelling, spellings};

/// Every form of the floating-point instructions, of comparison and selection, and of conversion,
/// row by row in the manual's grouping.
///
/// Spellings that differ only in their comparison or Boolean operator are one form; [`spellings`]
/// lists each of them. Spellings that omit the rounding are listed, too; their
/// [`canonical`](FormInfo::canonical) spelling has `.rn`. The two-input and the three-input
/// `min.f32` are two entries with one name.
///
/// # Examples
///
/// ```
/// use ptxf::spec::{FORMS, Run};
///
/// let fma = FORMS.iter().find(|f| f.name == "fma.rn.relu.f16x2").unwrap();
/// assert_eq!(fma.targets[0].to_string(), "PTX 7.0, sm_80");
/// assert_eq!(fma.run.call(&[0x3c00_3c00, 0xc000_4000, 0]), Some(0x0000_4000));
/// ```
pub static FORMS: &[FormInfo] = ptxf_macros::forms!();

/// Returns `true` if this build computes the form with its one instruction, for use at compile
/// time.
///
/// This requires a build for an `nvptx64` target that has the instruction, with a PTX version that
/// has it. In every other build the same call computes the same bits by other code; for an
/// approximate form those of the default model.
///
/// The form is named as in PTX, with its comparison or with `.CmpOp`. If two forms have one name,
/// it is named like its function (`min3_f32`).
///
/// # Panics
///
/// Panics if there is no such form; in a constant the panic is a compile error.
///
/// # Examples
///
/// ```
/// use ptxf::spec;
///
/// const FAST: bool = spec::native("tanh.approx.bf16x2");
/// # #[cfg(not(target_arch = "nvptx64"))]
/// assert!(!FAST); // a CPU
/// ```
///
/// ```compile_fail
/// const MISSPELT: bool = ptxf::spec::native("tanh.aprox.bf16x2");
/// ```
#[must_use]
pub const fn native(form: &str) -> bool {
    let mut i = 0;
    while i < FORMS.len() {
        if spelling::is_of(&FORMS[i], form) || spelling::same(FORMS[i].function.as_bytes(), form.as_bytes()) {
            return FORMS[i].native;
        }
        i += 1;
    }
    panic!("no form has this name: `ptxf::spec::FORMS` lists all names")
}

/// A form and its properties.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormInfo {
    /// The spelling, `add.ftz.f16`; with `CmpOp` and `BoolOp` in place of operators.
    pub name: &'static str,
    /// The spelling with its rounding, `add.rn.ftz.f16`.
    pub canonical: &'static str,
    /// The function in [`ptx`](mod@crate::ptx): `add_rn_ftz_f16`, `min3_f32`, `set_u32_f16x2`.
    pub function: &'static str,
    /// The method, `F16::add_rn_ftz`, or `None` for forms with only f32 and f64.
    pub method: Option<&'static str>,
    /// The instruction, `add`.
    pub instruction: &'static str,
    /// The comparisons, one of which a spelling has; empty for most forms.
    pub comparisons: &'static [CmpOp],
    /// The operators that combine a comparison with a predicate, one of which a spelling has.
    pub booleans: &'static [BoolOp],
    /// The modifiers as spelled, without operators.
    pub modifiers: &'static [ModifierInfo],
    /// The types of the input operands.
    pub operands: &'static [Type],
    /// The type of the result.
    pub result: Type,
    /// The function of a lane.
    pub meaning: Meaning,
    /// The effect of the modifiers.
    pub effect: Modifiers,
    /// `true` if a device may return another result than the default model of a CPU.
    pub approximate: bool,
    /// The PTX ISA versions and targets that introduced the form; one of them is enough.
    pub targets: &'static [Target],
    /// `true` if this build computes the form with its one instruction: an `nvptx64` build for a
    /// sufficient target and PTX version.
    pub native: bool,
    /// The last target that has the form, for obsolete forms.
    pub until: Option<u32>,
    /// The manual's section.
    pub section: &'static str,
    /// The manual's grammar line.
    pub grammar: &'static str,
    /// The function of the form, in one line.
    pub summary: &'static str,
    /// Special values and remarks, in Markdown.
    pub details: &'static str,
    /// Rust code that asserts the result's bits.
    pub example: &'static str,
    /// CUDA functions that compile to the form.
    pub cuda: &'static [&'static str],
    /// The evidence for the result's bits.
    pub evidence: Evidence,
    /// The records behind the evidence, the strongest first, such as `assembled: ptxas 13.5, sm_75
    /// sm_90`; empty for [`Evidence::Reference`].
    pub record: &'static str,
    /// The function on register bits.
    pub run: Run,
}

impl FormInfo {
    /// Computes the result by the [meaning](crate::sem) alone. [`run`](Self::run) must return the
    /// same bits in every build. Returns `None` if the number of operands is not the form's, or if
    /// the form's operators are open.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::spec::FORMS;
    ///
    /// let cvt = FORMS.iter().find(|f| f.name == "cvt.rn.f16x2.f32").unwrap();
    /// let (one, two) = (1.0f32.to_bits(), 2.0f32.to_bits());
    /// assert_eq!(cvt.by_meaning(&[one.into(), two.into()]), Some(0x3c00_4000));
    /// ```
    #[must_use]
    #[inline]
    pub fn by_meaning(&self, operands: &[u64]) -> Option<u64> {
        if operands.len() != self.operands.len() || !self.comparisons.is_empty() {
            return None;
        }
        if self.instruction == "cvt" {
            return conversion::convert(self, operands);
        }
        if let Some(d) = conversion::across(self, operands) {
            return Some(d);
        }
        let m = self.effect;
        let selected = match (self.meaning, operands) {
            (Meaning::Selp, &[a, b, c]) => Some(sem::selp(a, b, c & 1 != 0)),
            (Meaning::Slct, &[a, b, c]) if self.operands[2] == Type::F32 => Some(sem::slct_f32(m, a, b, c as u32)),
            (Meaning::Slct, &[a, b, c]) => Some(sem::slct_s32(a, b, (c as u32).cast_signed())),
            _ => None,
        };
        if let Some(d) = selected {
            return Some(d & u64::mask(self.result.bits()));
        }
        match self.operands[0] {
            Type::F16 | Type::F16x2 => self.lanes::<Binary16>(operands),
            Type::Bf16 | Type::Bf16x2 => self.lanes::<BFloat16>(operands),
            Type::F32 | Type::F32x2 => self.lanes::<Binary32>(operands),
            Type::F64 => self.lanes::<Binary64>(operands),
            _ => None,
        }
    }

    /// Computes each lane of operands in the format.
    #[inline]
    fn lanes<F: Format>(&self, operands: &[u64]) -> Option<u64> {
        let narrow = |x: u64| F::Bits::of_low_bits(x.into());
        let mixed = match (self.meaning, operands) {
            (Meaning::MixedAdd, &[a, c]) => Some(sem::mixed_add::<F>(self.effect, narrow(a), c as u32)),
            (Meaning::MixedSub, &[a, c]) => Some(sem::mixed_sub::<F>(self.effect, narrow(a), c as u32)),
            (Meaning::MixedFma, &[a, b, c]) => Some(sem::mixed_fma::<F>(self.effect, narrow(a), narrow(b), c as u32)),
            _ => None,
        };
        if let Some(d) = mixed {
            return Some(d.into());
        }
        let lanes = self.operands[0].lanes();
        let place = self.result.bits() / lanes;
        let mut register = 0;
        for i in 0..lanes {
            let mut x = [F::Bits::ZERO; MOST_OPERANDS];
            for (x, operand) in x.iter_mut().zip(operands) {
                *x = narrow(operand >> (i * F::Bits::BITS));
            }
            register |= self.lane::<F>(x.get(..operands.len())?)? << (i * place);
        }
        Some(register)
    }

    /// Computes the bits of one lane of the result.
    #[inline]
    fn lane<F: Format>(&self, x: &[F::Bits]) -> Option<u64> {
        if let Some(d) = self.meaning.lane::<F>(self.effect, x) {
            return Some(d.cast());
        }
        if let Some(truth) = self.meaning.truth::<F>(x) {
            return Some(truth.into());
        }
        None
    }
}

/// A PTX ISA version and a target that have a form; displayed as `PTX 8.6, sm_100a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The PTX ISA version.
    pub ptx: Version,
    /// The target's number, `80` for `sm_80`.
    pub sm: u32,
    /// The later targets that have the form as well.
    pub only: Only,
}

impl Target {
    /// Returns `true` if this version and target of PTX include the form; for `sm_103a` the suffix
    /// is `a`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::spec::{FORMS, Version};
    ///
    /// let cvt = FORMS.iter().find(|f| f.name == "cvt.rn.satfinite.e2m1x2.f32").unwrap();
    /// let ptx = Version { major: 8, minor: 8 };
    /// let is_met = |sm, suffix| cvt.targets.iter().any(|t| t.is_met(sm, suffix, ptx));
    /// assert!(is_met(100, Some('a')) && is_met(103, Some('f')) && is_met(121, Some('a')));
    /// assert!(!is_met(100, None) && !is_met(90, Some('a')));
    ///
    /// let later = FORMS.iter().find(|f| f.name == "cvt.rz.satfinite.e2m1x2.f32").unwrap();
    /// let ptx = Version { major: 9, minor: 4 };
    /// assert!([100, 103, 107].map(|sm| later.targets[0].is_met(sm, Some('a'), ptx)) == [false, false, true]);
    /// ```
    #[must_use]
    pub fn is_met(self, sm: u32, suffix: Option<char>, ptx: Version) -> bool {
        // A suffix includes the instructions of the target's family.
        let of = suffix.and(family(sm));
        let has = match self.only {
            Only::Later => self.sm <= sm,
            Only::Family => self.sm <= sm && of.is_some() && of == family(self.sm),
            Only::This => suffix == Some('a') && self.sm == sm,
        };
        has && self.ptx <= ptx
    }
}

/// Returns the family of a chip, by the number of its first chip.
const fn family(sm: u32) -> Option<u32> {
    match sm {
        100 | 103 | 107 => Some(100),
        110 => Some(110),
        120 | 121 => Some(120),
        _ => None,
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.only {
            Only::Later => "",
            Only::Family => "f",
            Only::This => "a",
        };
        write!(f, "PTX {}, sm_{}{letter}", self.ptx, self.sm)
    }
}

/// The later targets that have a target's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// All later targets.
    Later,
    /// The targets of its family, `sm_100f`.
    Family,
    /// No other target, `sm_100a`.
    This,
}

/// A modifier of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModifierInfo {
    /// The name with its dot, `.ftz`.
    pub name: &'static str,
    /// The modifier's effect.
    pub sentence: &'static str,
}

/// A PTX ISA version; displayed as `7.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Major number, 7 in 7.0.
    pub major: u8,
    /// Minor number, 0 in 7.0.
    pub minor: u8,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

macro_rules! types {
    ($($(#[$doc:meta])* $variant:ident $name:literal $lanes:literal x $lane_bits:literal in $stride:literal;)*) => {
        /// The type of an operand or a result; displayed as in PTX, without the dot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Type {
            $($(#[$doc])* $variant,)*
        }

        impl Type {
            /// Returns the width of the register in bits, 1 for a predicate.
            #[must_use]
            pub const fn bits(self) -> u32 {
                self.stride() * self.lanes()
            }

            /// Returns the width of a lane in bits.
            #[must_use]
            pub const fn lane_bits(self) -> u32 {
                match self {
                    $(Self::$variant => $lane_bits,)*
                }
            }

            /// Returns the stride of lanes in bits. A lane may be narrower than its stride.
            #[must_use]
            pub const fn stride(self) -> u32 {
                match self {
                    $(Self::$variant => $stride,)*
                }
            }

            /// Returns the number of lanes.
            #[must_use]
            pub const fn lanes(self) -> u32 {
                match self {
                    $(Self::$variant => $lanes,)*
                }
            }
        }

        impl fmt::Display for Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$variant => $name,)*
                })
            }
        }
    };
}

types! {
    /// `.f16`
    F16 "f16" 1 x 16 in 16;
    /// `.f16x2`
    F16x2 "f16x2" 2 x 16 in 16;
    /// `.bf16`
    Bf16 "bf16" 1 x 16 in 16;
    /// `.bf16x2`
    Bf16x2 "bf16x2" 2 x 16 in 16;
    /// `.f32`
    F32 "f32" 1 x 32 in 32;
    /// `.f32x2`
    F32x2 "f32x2" 2 x 32 in 32;
    /// `.f64`
    F64 "f64" 1 x 64 in 64;
    /// `.tf32`
    Tf32 "tf32" 1 x 32 in 32;
    /// `.e4m3x2`
    E4m3x2 "e4m3x2" 2 x 8 in 8;
    /// `.e5m2x2`
    E5m2x2 "e5m2x2" 2 x 8 in 8;
    /// `.e2m3x2`
    E2m3x2 "e2m3x2" 2 x 6 in 8;
    /// `.e3m2x2`
    E3m2x2 "e3m2x2" 2 x 6 in 8;
    /// `.e2m1x2`
    E2m1x2 "e2m1x2" 2 x 4 in 4;
    /// `.ue8m0x2`
    Ue8m0x2 "ue8m0x2" 2 x 8 in 8;
    /// `.s2f6x2`
    S2f6x2 "s2f6x2" 2 x 8 in 8;
    /// `.ue8m0`
    Ue8m0 "ue8m0" 1 x 8 in 8;
    /// `.ue5m3x2`
    Ue5m3x2 "ue5m3x2" 2 x 8 in 8;
    /// `.e4m3x4`
    E4m3x4 "e4m3x4" 4 x 8 in 8;
    /// `.e5m2x4`
    E5m2x4 "e5m2x4" 4 x 8 in 8;
    /// `.e2m3x4`
    E2m3x4 "e2m3x4" 4 x 6 in 8;
    /// `.e3m2x4`
    E3m2x4 "e3m2x4" 4 x 6 in 8;
    /// `.e2m1x4`
    E2m1x4 "e2m1x4" 4 x 4 in 4;
    /// `.e2m1p4x4`
    E2m1p4x4 "e2m1p4x4" 4 x 4 in 8;
    /// `.ue8m0x4`
    Ue8m0x4 "ue8m0x4" 4 x 8 in 8;
    /// `.u8`
    U8 "u8" 1 x 8 in 8;
    /// `.u16`
    U16 "u16" 1 x 16 in 16;
    /// `.u32`
    U32 "u32" 1 x 32 in 32;
    /// `.u64`
    U64 "u64" 1 x 64 in 64;
    /// `.s8`
    S8 "s8" 1 x 8 in 8;
    /// `.s16`
    S16 "s16" 1 x 16 in 16;
    /// `.s32`
    S32 "s32" 1 x 32 in 32;
    /// `.s64`
    S64 "s64" 1 x 64 in 64;
    /// `.b16`: bits without a format.
    B16 "b16" 1 x 16 in 16;
    /// `.b32`
    B32 "b32" 1 x 32 in 32;
    /// `.b64`
    B64 "b64" 1 x 64 in 64;
    /// `.pred`: true or false, as 1 or 0.
    Pred "pred" 1 x 1 in 1;
    /// Two predicates `p|q`: `p` in bit 0, `q` in bit 1.
    Preds "pred|pred" 2 x 1 in 1;
}

/// The evidence for the bits of a form's result; each level includes those before it. Displayed in
/// lower case.
///
/// Levels above the first are set by the records of runs, never by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Evidence {
    /// The form is specified, and tested against independent oracles.
    Reference,
    /// NVIDIA's assembler accepts the instruction of a device build, which is the one that the
    /// table names.
    Assembled,
    /// `ptxf-vm` ran the instructions of a device build on edge operands and some random ones, and
    /// returned the bits of the meaning.
    ///
    /// This shows that the emitted text is right: modifiers, order of operands, classes and widths
    /// of registers. It shows nothing about silicon, because this CPU computed both sides by the
    /// same meaning. So it shows nothing about a device's approximations.
    Executed,
    /// A device returned the CPU's bits for every operand of a complete comparison.
    Measured {
        /// The measured targets, such as `sm_90`.
        targets: &'static str,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference => f.pad("reference"),
            Self::Assembled => f.pad("assembled"),
            Self::Executed => f.pad("executed"),
            Self::Measured { targets } => write!(f, "measured({targets})"),
        }
    }
}

/// A form as a function on register bits. A predicate is 0 or 1; the second of two predicates is
/// bit 1.
///
/// In every build it is the CPU's function.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    operands: usize,
    effect: Modifiers,
    function: fn(Modifiers, Operators, &Operands) -> u64,
}

/// The largest number of operands of a form.
pub const MOST_OPERANDS: usize = 5;

/// The bits of a form's operands, followed by zeros.
type Operands = [u64; MOST_OPERANDS];

impl Run {
    /// Computes the result for the given operands' bits; bits above the register's width are
    /// ignored. Returns `None` if the number of operands is not the form's. A form with open
    /// operators has a result for each [`Spelling`]; this is that of the first.
    #[must_use]
    pub fn call(self, operands: &[u64]) -> Option<u64> {
        self.with(Operators::default(), operands)
    }

    /// Computes the result with these operators.
    fn with(self, operators: Operators, operands: &[u64]) -> Option<u64> {
        let mut all = [0; MOST_OPERANDS];
        (operands.len() == self.operands).then_some(())?;
        all.get_mut(..operands.len())?.copy_from_slice(operands);
        Some((self.function)(self.effect, operators, &all))
    }
}
