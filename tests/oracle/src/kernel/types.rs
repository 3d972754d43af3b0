//! The types of kernels' parameters.

use std::fmt;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f32` in the source: the element type, or binary32 if kept.
    Float,
    /// An integer.
    Int(Int),
    /// `bool`
    Bool,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// Its name in Rust.
    pub name: &'static str,
    /// `true` for signed types.
    pub signed: bool,
    /// Width in bits.
    pub bits: u32,
}

impl Int {
    const fn new(name: &'static str, signed: bool, bits: u32) -> Self {
        Self { name, signed, bits }
    }

    /// All integer types; `usize` has 64 bits.
    pub const ALL: [Self; 9] = [
        Self::new("i8", true, 8),
        Self::new("u8", false, 8),
        Self::new("i16", true, 16),
        Self::new("u16", false, 16),
        Self::new("i32", true, 32),
        Self::new("u32", false, 32),
        Self::new("i64", true, 64),
        Self::new("u64", false, 64),
        Self::new("usize", false, 64),
    ];

    /// Returns the type of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|int| int.name == name)
    }

    /// Returns the least and the greatest integer.
    #[must_use]
    pub const fn range(self) -> [i128; 2] {
        if self.signed { [-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1] } else { [0, (1 << self.bits) - 1] }
    }
}

impl Type {
    /// The type of indices.
    pub const USIZE: Self = Self::Int(Int::ALL[8]);
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Float => "f32",
            Self::Int(int) => int.name,
            Self::Bool => "bool",
        })
    }
}

/// A parameter of a kernel and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// The parameter's type, or that of a slice's elements.
    pub ty: Type,
    /// `true` if the parameter is kept: f32 for every element type.
    pub kept: bool,
    /// `true` for a slice.
    pub slice: bool,
    /// `true` for a slice to which threads write.
    pub written: bool,
    /// The Rust name of a slice's narrow format.
    pub stored: Option<&'static str>,
    /// For a slice of arrays or structures: the lengths of each of them along its axes.
    pub rows: Vec<usize>,
}

impl Parameter {
    /// Returns the number of bit patterns of the elements' narrow format. Formats of six and four
    /// bits have zeros in the upper bits.
    #[must_use]
    pub fn codes(&self) -> Option<u64> {
        self.stored.map(|format| match format {
            "E2m3" | "E3m2" => 64,
            "E2m1" => 16,
            _ => 256,
        })
    }
}
