//! A parameter of an entry.

use std::fmt;

/// What a parameter's bits are declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.b32`: anything of this size.
    Bits,
    /// `.u32`
    Unsigned,
    /// `.s32`
    Signed,
    /// `.f32`
    Float,
}

/// A parameter of an entry, `.param .u64 .ptr .global .align 4 x` or `.param .align 8 .b8 x[16]`.
///
/// `Display` prints its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The type of an element.
    pub kind: Kind,
    /// The size of an element, in bits.
    pub bits: u32,
    /// The number of elements, if it is an array.
    pub elements: Option<u64>,
    /// The number that its own address is a multiple of, if the declaration has one.
    pub align: Option<u64>,
    /// If it is declared to be a pointer: the number that the pointer is a multiple of, 1 if the
    /// declaration has none. Older compilers declare no parameter as a pointer.
    pub pointer: Option<u64>,
}

impl Parameter {
    /// Bytes that a launch passes for it.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // This cannot overflow: the size was checked when the text was read.
        u64::from(self.bits / 8) * self.elements.unwrap_or(1)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, bits, elements, align, pointer } = self;
        f.write_str(".param ")?;
        if let Some(align) = align {
            write!(f, ".align {align} ")?;
        }
        let letter = match kind {
            Kind::Bits => "b",
            Kind::Unsigned => "u",
            Kind::Signed => "s",
            Kind::Float => "f",
        };
        write!(f, ".{letter}{bits} ")?;
        if let Some(align) = pointer {
            write!(f, ".ptr .align {align} ")?;
        }
        f.write_str(name)?;
        elements.map_or(Ok(()), |n| write!(f, "[{n}]"))
    }
}
