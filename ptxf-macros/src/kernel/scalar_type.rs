//! The scalar types of kernels.

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// The element type, or f32 if kept.
    Float,
    Int(Int),
    Bool,
    Unit,
}

impl Type {
    pub(crate) const I32: Self = Self::Int(Int::I32);
    pub(crate) const U32: Self = Self::Int(Int::U32);
    pub(crate) const USIZE: Self = Self::Int(Int::Usize);

    /// Returns the name in kernels.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Float => "f32",
            Self::Int(of) => of.name(),
            Self::Bool => "bool",
            Self::Unit => "()",
        }
    }

    /// Returns `true` if the type has `!`, `&`, `|` and `^`.
    pub(crate) const fn has_bits(self) -> bool {
        self.is_int() || matches!(self, Self::Bool)
    }

    pub(crate) const fn is_int(self) -> bool {
        matches!(self, Self::Int(_))
    }

    /// Returns `true` if the type may be the element of a slice or an array: it has the same size
    /// on every machine.
    pub(crate) const fn is_element(self) -> bool {
        match self {
            Self::Float => true,
            Self::Int(of) => !matches!(of, Int::Usize),
            Self::Bool | Self::Unit => false,
        }
    }
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Int {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Usize,
}

impl Int {
    const ALL: [Self; 9] =
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::I32, Self::U32, Self::I64, Self::U64, Self::Usize];

    /// Returns the type with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|int| int.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::Usize => "usize",
        }
    }

    /// Returns the unsigned type with as many bits.
    pub(crate) const fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            unsigned => unsigned,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        self.unsigned() != self
    }

    /// Returns `true` if a device has atomic operations for the type.
    pub(crate) const fn has_atomics(self) -> bool {
        matches!(self, Self::I32 | Self::U32 | Self::I64 | Self::U64)
    }

    /// Returns `true` if the type has 32 bits or more.
    pub(crate) const fn has_32_bits(self) -> bool {
        !matches!(self, Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }
}
