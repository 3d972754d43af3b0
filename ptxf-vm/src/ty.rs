//! Types: what bits stand for, and how many there are.

/// What the bits of a variable or of an operand are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

/// A type: what its bits are, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ty {
    pub(crate) class: Class,
    pub(crate) bits: u32,
}

impl Ty {
    /// The type of this name, without a dot.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let float = |bits| Some(Self { class: Class::Float, bits });
        match name {
            "pred" => return Some(Self { class: Class::Predicate, bits: 1 }),
            "f16" | "bf16" => return float(16),
            "f32" | "f16x2" | "bf16x2" | "tf32" => return float(32),
            "f64" | "f32x2" => return float(64),
            _ => {}
        }
        let (class, bits) = match name.split_at_checked(1)? {
            ("b", bits) => (Class::Bits, bits),
            ("u", bits) => (Class::Unsigned, bits),
            ("s", bits) => (Class::Signed, bits),
            _ => return None,
        };
        let bits = match bits {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            "128" => 128,
            _ => return None,
        };
        Some(Self { class, bits })
    }

    pub(crate) const fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }
}
