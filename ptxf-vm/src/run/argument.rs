//! Sizes and arguments of a launch.

use ptxf::{Bf16, F16};
use ptxf_text::{Class, Function, Variable};

use super::buffer::Buffer;
use super::fault::{Fault, FaultKind};

/// A size of a grid in blocks, or of a block in threads, along x, y and z.
///
/// ```
/// use ptxf_vm::Extent;
///
/// assert_eq!(Extent::from(4), Extent::from((4, 1, 1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub [u32; 3]);

impl From<u32> for Extent {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<(u32, u32)> for Extent {
    fn from((x, y): (u32, u32)) -> Self {
        Self([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Extent {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self([x, y, z])
    }
}

impl From<[u32; 3]> for Extent {
    fn from(extent: [u32; 3]) -> Self {
        Self(extent)
    }
}

impl Extent {
    pub(crate) fn count(self) -> u64 {
        self.0.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul)
    }
}

/// An argument of a launch.
///
/// ```
/// use ptxf_vm::Arg;
///
/// // The entry declares which one it takes.
/// assert_ne!(Arg::from(1_u32), Arg::from(1.0_f32));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Arg {
    /// A buffer, for a parameter of 64 bits.
    Buffer(Buffer),
    /// An integer: its bits, and its size in bytes.
    Integer(u64, u8),
    /// A floating-point number: its bits, and its size in bytes.
    Float(u64, u8),
    /// Bytes, for a parameter of any type with this size.
    Bytes(Vec<u8>),
}

macro_rules! arguments {
    ($($ty:ty: |$x:ident| $variant:ident($bits:expr);)*) => {$(
        impl From<$ty> for Arg {
            fn from($x: $ty) -> Self {
                Self::$variant($bits, size_of::<$ty>() as u8)
            }
        }
    )*};
}

arguments! {
    u8: |x| Integer(x.into());
    u16: |x| Integer(x.into());
    u32: |x| Integer(x.into());
    u64: |x| Integer(x);
    i8: |x| Integer(x.cast_unsigned().into());
    i16: |x| Integer(x.cast_unsigned().into());
    i32: |x| Integer(x.cast_unsigned().into());
    i64: |x| Integer(x.cast_unsigned());
    f32: |x| Float(x.to_bits().into());
    f64: |x| Float(x.to_bits());
    F16: |x| Float(x.to_bits().into());
    Bf16: |x| Float(x.to_bits().into());
}

impl From<Buffer> for Arg {
    fn from(buffer: Buffer) -> Self {
        Self::Buffer(buffer)
    }
}

impl Arg {
    /// Returns the bytes of the argument. Returns a description of the argument if the parameter
    /// cannot take it.
    fn bytes(&self, parameter: &Variable, size: u32) -> Result<Vec<u8>, String> {
        let scalar = parameter.lengths.is_empty() && parameter.lanes == 1;
        let class = parameter.ty.class;
        let (bits, bytes, fits, what) = match self {
            Self::Bytes(bytes) if bytes.len() == size as usize => return Ok(bytes.clone()),
            Self::Bytes(bytes) => return Err(format!("{} bytes", bytes.len())),
            Self::Buffer(buffer) => (buffer.address, 8, class != Class::Float, "a buffer".to_owned()),
            Self::Integer(bits, bytes) => {
                // Null is a pointer. Launchers pass it for memory that a kernel does not use.
                let fits = class != Class::Float && (parameter.pointer.is_none() || *bits == 0);
                (*bits, *bytes, fits, format!("an integer of {} bits", 8 * u32::from(*bytes)))
            }
            Self::Float(bits, bytes) => {
                let fits = matches!(class, Class::Float | Class::Bits);
                (*bits, *bytes, fits, format!("a floating-point number of {} bits", 8 * u32::from(*bytes)))
            }
        };
        if scalar && fits && u32::from(bytes) == size {
            return Ok(bits.to_le_bytes()[..bytes as usize].to_vec());
        }
        Err(what)
    }
}

/// Returns the block of bytes that threads read as their arguments.
pub(crate) fn block(
    text: &str,
    function: &Function,
    places: &[(u32, u32)],
    size: u32,
    args: &[Arg],
) -> Result<Vec<u8>, Fault> {
    let wrong = |what: String| Fault::new(FaultKind::Launch, what);
    let name = function.name.of(text);
    let declared = function.parameters.len();
    if declared != args.len() {
        return Err(wrong(format!("`{name}` takes {declared} arguments, and {} are passed", args.len())));
    }
    let mut block = vec![0; size as usize];
    for (i, ((parameter, &(offset, bytes)), arg)) in (1..).zip(function.parameters.iter().zip(places).zip(args)) {
        let given = arg.bytes(parameter, bytes).map_err(|what| {
            let pointer = if parameter.pointer.is_some() { " that is a pointer" } else { "" };
            let line = ptxf_text::place(text, parameter.name.start).0;
            let kind = match parameter.ty.class {
                Class::Float => "of a floating-point number ",
                _ => "",
            };
            wrong(format!(
                "argument {i} of `{name}` is {what}; line {line} declares `{}`, {kind}of {bytes} bytes{pointer}",
                parameter.name.of(text)
            ))
        })?;
        block[offset as usize..][..given.len()].copy_from_slice(&given);
    }
    Ok(block)
}
