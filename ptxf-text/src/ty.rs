//! Types of variables.

/// A class of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `.b32`: bits without an interpretation.
    Bits,
    /// `.u32`
    Unsigned,
    /// `.s32`
    Signed,
    /// `.f32`, and vectors of floating-point numbers such as `.f16x2`.
    Float,
    /// `.pred`
    Predicate,
}

/// A type of a variable or an operand.
///
/// # Examples
///
/// ```
/// use ptxf_text::{Class, Ty};
///
/// assert_eq!(Ty::named("f16x2"), Some(Ty { class: Class::Float, bits: 32 }));
/// assert_eq!(Ty::named("b33"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ty {
    /// The class.
    pub class: Class,
    /// The size in bits, from 1 to 128.
    pub bits: u32,
}

impl Ty {
    /// Returns the type of this name, which has no dot. Returns `None` if there is no such type.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
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

    /// Returns the size in bytes; 1 for a predicate.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }
}
