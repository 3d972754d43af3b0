//! What an entry takes, as its PTX declares it.

use std::fmt;

use ptxf_build::ptx::{Kind, Parameter, Ptx};

use crate::Error;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The address of a buffer.
    Address,
    /// A `u32`.
    U32,
    /// A `u64`.
    U64,
    /// An `f32`.
    F32,
    /// A number of any type that has so many bytes.
    Bytes(usize),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str("a buffer"),
            Self::U32 => f.write_str("a u32"),
            Self::U64 => f.write_str("a u64"),
            Self::F32 => f.write_str("an f32"),
            Self::Bytes(count) => write!(f, "a number of {count} bytes"),
        }
    }
}

/// An entry's name, and its parameters.
///
/// Compilers say which parameters are pointers since LLVM 20. In PTX that says it of none, a number may be passed for a pointer,
/// and a buffer for a number, of 64 bits.
///
/// # Examples
///
/// ```
/// use driver::{Shape, Signature};
///
/// let ptx = ptxf_build::ptx::scan(
///     ".version 7.8 .target sm_80 .entry scale(.param .u64 .ptr .align 2 x, .param .u32 n) { ret; }",
/// )
/// .expect("it is PTX");
/// let scale = Signature::of(&ptx, "scale").expect("it is there");
/// assert!(scale.check([Shape::Address, Shape::U32]).is_ok());
/// let error = scale.check([Shape::U64, Shape::U32]).unwrap_err().to_string();
/// assert_eq!(error, "argument 1 of scale is a u64, and the PTX declares `.param .u64 .ptr .align 2 x`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    name: String,
    parameters: Vec<Parameter>,
    marks_pointers: bool,
}

impl Signature {
    /// The entry of this name, if there is one.
    #[must_use]
    pub fn of(ptx: &Ptx, entry: &str) -> Option<Self> {
        let parameters = ptx.entry(entry)?.parameters.clone();
        Some(Self { name: entry.to_owned(), parameters, marks_pointers: ptx.marks_pointers() })
    }

    /// The entry's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether these are what it takes.
    ///
    /// # Errors
    ///
    /// It returns an error if there are more or fewer arguments than parameters, or if one is something else than is declared.
    pub fn check(&self, arguments: impl IntoIterator<Item = Shape>) -> Result<(), Error> {
        let Self { name, parameters, .. } = self;
        let arguments: Vec<Shape> = arguments.into_iter().collect();
        if arguments.len() != parameters.len() {
            let (wanted, passed) = (parameters.len(), arguments.len());
            return Err(Error::new(format!("{name} takes {wanted} arguments, and is passed {passed}")));
        }
        let mut pairs = parameters.iter().zip(arguments).enumerate();
        match pairs.find(|(_, (parameter, argument))| !self.takes(parameter, *argument)) {
            None => Ok(()),
            Some((i, (parameter, argument))) => {
                let i = i + 1;
                Err(Error::new(format!("argument {i} of {name} is {argument}, and the PTX declares `{parameter}`")))
            }
        }
    }

    fn takes(&self, parameter: &Parameter, argument: Shape) -> bool {
        let Parameter { kind, bits, elements, pointer, .. } = parameter;
        if elements.is_some() {
            return false;
        }
        match (argument, kind) {
            (Shape::Address, Kind::Float) => false,
            (Shape::Address, _) => *bits == 64 && (pointer.is_some() || !self.marks_pointers),
            (Shape::U32 | Shape::U64, Kind::Float) => false,
            (Shape::U32, _) => *bits == 32 && pointer.is_none(),
            (Shape::U64, _) => *bits == 64 && pointer.is_none(),
            (Shape::F32, Kind::Float | Kind::Bits) => *bits == 32 && pointer.is_none(),
            (Shape::F32, Kind::Unsigned | Kind::Signed) => false,
            (Shape::Bytes(count), _) => parameter.bytes() == count as u64 && pointer.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ptxf_build::ptx::scan;

    use super::*;

    #[test]
    fn each_parameter_takes_what_it_is_declared_to() {
        use Shape::{Address, Bytes, F32, U32, U64};
        for (declared, marked, takes) in [
            (".u64 .ptr .align 2 x", true, &[Address][..]),
            (".u32 .ptr x", true, &[]),
            (".u64 x", true, &[U64]),
            (".u64 x", false, &[Address, U64]),
            (".b64 x", false, &[Address, U64]),
            (".s64 x", true, &[U64]),
            (".u32 x", false, &[U32, Bytes(4)]),
            (".s32 x", false, &[U32, Bytes(4)]),
            (".b32 x", true, &[U32, F32, Bytes(4)]),
            (".f32 x", false, &[F32, Bytes(4)]),
            (".f64 x", false, &[]),
            (".b16 x", false, &[Bytes(2)]),
            (".align 8 .b8 x[8]", false, &[]),
            (".u64 x[1]", false, &[]),
        ] {
            let other = if marked { ".entry other(.param .u64 .ptr y) { ret; }" } else { "" };
            let text = format!(".version 7.8 .target sm_80 .entry k(.param {declared}) {{ ret; }} {other}");
            let k = Signature::of(&scan(&text).unwrap(), "k").unwrap();
            let taken: Vec<Shape> = [Address, U32, U64, F32, Bytes(2), Bytes(4)]
                .into_iter()
                .filter(|shape| k.check([*shape]).is_ok())
                .collect();
            assert_eq!(taken, takes, "{declared}, pointers marked: {marked}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_of_the_argument() {
        let ptx = scan(".version 7.8 .target sm_80 .entry k(.param .u32 n, .param .u64 m) { ret; }").unwrap();
        let k = Signature::of(&ptx, "k").unwrap();
        assert_eq!(Signature::of(&ptx, "n"), None);
        let error = |shapes: &[Shape]| k.check(shapes.iter().copied()).unwrap_err().to_string();
        assert_eq!(error(&[Shape::U32]), "k takes 2 arguments, and is passed 1");
        assert_eq!(error(&[Shape::U32, Shape::F32]), "argument 2 of k is an f32, and the PTX declares `.param .u64 m`");
    }
}
