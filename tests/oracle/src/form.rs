//! Reading and writing the spelling of a form, such as `fma.rn.ftz.relu.f16x2`.
//!
//! Written by hand and on purpose without the library's table. It accepts modifiers in the manual's
//! order; [`crate::legal`] lists the combinations that exist.

use core::fmt;

/// The instruction, the part of a spelling before the first dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the manual's mnemonics")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Fma,
    Mad,
    Div,
    Rcp,
    Sqrt,
    Rsqrt,
    Abs,
    Neg,
    Min,
    Max,
    Copysign,
    Testp,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Cvt,
}

const OPS: [(&str, Op); 21] = [
    ("add", Op::Add),
    ("sub", Op::Sub),
    ("mul", Op::Mul),
    ("fma", Op::Fma),
    ("mad", Op::Mad),
    ("div", Op::Div),
    ("rcp", Op::Rcp),
    ("sqrt", Op::Sqrt),
    ("rsqrt", Op::Rsqrt),
    ("abs", Op::Abs),
    ("neg", Op::Neg),
    ("min", Op::Min),
    ("max", Op::Max),
    ("copysign", Op::Copysign),
    ("testp", Op::Testp),
    ("sin", Op::Sin),
    ("cos", Op::Cos),
    ("lg2", Op::Lg2),
    ("ex2", Op::Ex2),
    ("tanh", Op::Tanh),
    ("cvt", Op::Cvt),
];

/// A rounding modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rnd {
    /// Nearest, ties to even.
    Rn,
    /// Toward zero.
    Rz,
    /// Toward minus infinity.
    Rm,
    /// Toward plus infinity.
    Rp,
}

impl Rnd {
    /// The four modifiers in the manual's order.
    pub const ALL: [Self; 4] = [Self::Rn, Self::Rz, Self::Rm, Self::Rp];

    /// Returns the PTX spelling without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rn => "rn",
            Self::Rz => "rz",
            Self::Rm => "rm",
            Self::Rp => "rp",
        }
    }
}

/// The property that a `testp` tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are the manual's words")]
pub enum Testp {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

const TESTPS: [(&str, Testp); 6] = [
    ("finite", Testp::Finite),
    ("infinite", Testp::Infinite),
    ("number", Testp::Number),
    ("notanumber", Testp::NotANumber),
    ("normal", Testp::Normal),
    ("subnormal", Testp::Subnormal),
];

/// The type of a result that differs from the operands', spelled before theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum To {
    /// An element type and its number of lanes.
    Float(Ty, u8),
    /// `.u32`
    U32,
    /// `.s32`
    S32,
}

/// The element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// IEEE binary16.
    F16,
    /// The upper half of a binary32.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Not PTX: an 8-bit IEEE-style format (1.4.3) small enough to try every triple, spelled
    /// `.mini` here.
    Mini,
}

const TYS: [(&str, Ty, u8); 8] = [
    ("f16", Ty::F16, 1),
    ("f16x2", Ty::F16, 2),
    ("bf16", Ty::Bf16, 1),
    ("bf16x2", Ty::Bf16, 2),
    ("f32", Ty::F32, 1),
    ("f32x2", Ty::F32, 2),
    ("f64", Ty::F64, 1),
    ("mini", Ty::Mini, 1),
];

/// One spelling, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The instruction.
    pub op: Op,
    /// The property of a `testp`, `None` for every other instruction.
    pub testp: Option<Testp>,
    /// The type of a result that has one of its own: that of `cvt`, and of `add`, `sub`, `fma` with
    /// narrow operands.
    pub to: Option<To>,
    /// The rounding as written; [`Form::rounding`] fills in the default.
    pub rnd: Option<Rnd>,
    /// `.approx`
    pub approx: bool,
    /// `.full`
    pub full: bool,
    /// `.2pi`
    pub turns: bool,
    /// `.ftz`
    pub ftz: bool,
    /// `.sat`
    pub sat: bool,
    /// `.oob`
    pub oob: bool,
    /// `.relu`
    pub relu: bool,
    /// `.NaN`
    pub nan: bool,
    /// `.xorsign`
    pub xorsign: bool,
    /// `.abs`
    pub abs: bool,
    /// The element type.
    pub ty: Ty,
    /// 1, or 2 for an x2 type.
    pub lanes: u8,
}

impl Form {
    /// Reads a spelling whose modifiers stand in the manual's order.
    ///
    /// # Errors
    /// Returns a message that names the first word that is unknown or out of place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split('.').collect();
        let [mnemonic, rest @ .., ty] = words.as_slice() else {
            return Err(format!("`{text}` has no type"));
        };
        let &(_, op) = OPS
            .iter()
            .find(|(name, _)| name == mnemonic)
            .ok_or_else(|| format!("unknown instruction `{mnemonic}` in `{text}`"))?;
        let &(_, ty, lanes) =
            TYS.iter().find(|(name, ..)| name == ty).ok_or_else(|| format!("unknown type `.{ty}` in `{text}`"))?;
        let mut form = Self::bare(op, ty, lanes);
        let mut modifiers = rest;
        let narrow = rest.last().is_some_and(|word| TYS.iter().any(|(name, ..)| name == word));
        if op == Op::Cvt || narrow {
            let [before @ .., to] = rest else { return Err(format!("`{text}` has one type, {mnemonic} has two")) };
            form.to = Some(match (*to, TYS.iter().find(|(name, ..)| name == to)) {
                ("u32", _) => To::U32,
                ("s32", _) => To::S32,
                (_, Some(&(_, ty, lanes))) => To::Float(ty, lanes),
                _ => return Err(format!("unknown type `.{to}` in `{text}`")),
            });
            modifiers = before;
        }
        for &word in modifiers {
            form.modify(word).map_err(|e| format!("{e} in `{text}`"))?;
        }
        if (op == Op::Testp) != form.testp.is_some() {
            return Err(format!("a property belongs to testp, and only to it: `{text}`"));
        }
        if form.to_string() != text {
            return Err(format!("`{text}` is out of order, the manual writes `{form}`"));
        }
        Ok(form)
    }

    /// Returns the form without any modifier.
    #[must_use]
    pub const fn bare(op: Op, ty: Ty, lanes: u8) -> Self {
        Self {
            op,
            testp: None,
            to: None,
            rnd: None,
            approx: false,
            full: false,
            turns: false,
            ftz: false,
            sat: false,
            oob: false,
            relu: false,
            nan: false,
            xorsign: false,
            abs: false,
            ty,
            lanes,
        }
    }

    fn modify(&mut self, word: &str) -> Result<(), String> {
        if let Some(&(_, test)) = TESTPS.iter().find(|(name, _)| *name == word) {
            self.testp = Some(test);
        } else if let Some(&rnd) = Rnd::ALL.iter().find(|r| r.name() == word) {
            self.rnd = Some(rnd);
        } else {
            *match word {
                "approx" => &mut self.approx,
                "full" => &mut self.full,
                "2pi" => &mut self.turns,
                "ftz" => &mut self.ftz,
                "sat" => &mut self.sat,
                "oob" => &mut self.oob,
                "relu" => &mut self.relu,
                "NaN" => &mut self.nan,
                "xorsign" => &mut self.xorsign,
                "abs" => &mut self.abs,
                _ => return Err(format!("unknown modifier `.{word}`")),
            } = true;
        }
        Ok(())
    }

    /// Returns the rounding in force: the one written, else the default `.rn`.
    #[must_use]
    pub fn rounding(&self) -> Rnd {
        self.rnd.unwrap_or(Rnd::Rn)
    }

    /// Returns `true` for `mad.f32` of sm_1x, which is no fma (manual 9.7.3.7).
    #[must_use]
    pub fn is_legacy_mad(&self) -> bool {
        self.op == Op::Mad && self.ty == Ty::F32 && self.rnd.is_none()
    }

    /// Returns `true` for the two f64 forms that use the high word alone (9.7.3.14, 9.7.3.17).
    #[must_use]
    pub fn is_high_word(&self) -> bool {
        self.ty == Ty::F64 && self.approx && self.ftz
    }

    /// Returns `true` if operands other than the last are narrower than the result, which has the
    /// last one's type (9.7.5).
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.op != Op::Cvt && self.to.is_some()
    }

    /// Returns `true` if subnormals are flushed. sm_1x had no subnormals, so the legacy `mad.f32`
    /// flushes without `.ftz`.
    #[must_use]
    pub fn flushes(&self) -> bool {
        self.ftz || self.is_legacy_mad()
    }

    /// Returns the form of one lane.
    #[must_use]
    pub const fn lane(&self) -> Self {
        let to = match self.to {
            Some(To::Float(ty, _)) => Some(To::Float(ty, 1)),
            other => other,
        };
        Self { lanes: 1, to, ..*self }
    }

    /// Returns the element type and the number of lanes of a result of floats.
    #[must_use]
    pub const fn result(&self) -> Option<(Ty, u8)> {
        match (self.op, self.to) {
            (Op::Testp, _) | (_, Some(To::U32 | To::S32)) => None,
            (_, Some(To::Float(ty, lanes))) => Some((ty, lanes)),
            (_, None) => Some((self.ty, self.lanes)),
        }
    }

    /// Returns the element type of the result of a conversion.
    #[must_use]
    pub const fn target(&self) -> Option<Ty> {
        match (self.op, self.to) {
            (Op::Cvt, Some(To::Float(ty, _))) => Some(ty),
            _ => None,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = OPS.iter().find(|(_, op)| *op == self.op).map_or("?", |e| e.0);
        let ty = TYS.iter().find(|(_, ty, n)| (*ty, *n) == (self.ty, self.lanes));
        f.write_str(op)?;
        if let Some(test) = self.testp {
            let name = TESTPS.iter().find(|(_, t)| *t == test).map_or("?", |e| e.0);
            write!(f, ".{name}")?;
        }
        let rnd = self.rnd.map_or("", Rnd::name);
        for (on, name) in [
            (self.approx, "approx"),
            (self.full, "full"),
            (self.turns, "2pi"),
            (self.rnd.is_some(), rnd),
            (self.ftz, "ftz"),
            (self.sat, "sat"),
            (self.oob, "oob"),
            (self.relu, "relu"),
            (self.nan, "NaN"),
            (self.xorsign, "xorsign"),
            (self.abs, "abs"),
        ] {
            if on {
                write!(f, ".{name}")?;
            }
        }
        match self.to {
            None => {}
            Some(To::U32) => f.write_str(".u32")?,
            Some(To::S32) => f.write_str(".s32")?,
            Some(To::Float(ty, lanes)) => {
                let ty = TYS.iter().find(|(_, t, n)| (*t, *n) == (ty, lanes));
                write!(f, ".{}", ty.map_or("?", |e| e.0))?;
            }
        }
        write!(f, ".{}", ty.map_or("?", |e| e.0))
    }
}

impl core::str::FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}
