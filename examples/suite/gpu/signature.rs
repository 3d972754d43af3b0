//! The parameters of an entry, as its PTX declares them.

use std::fmt;

use ptxf_text::{Class, Unit, Variable};

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The address of a buffer.
    Address,
    U32,
    U64,
    F32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "a buffer",
            Self::U32 => "a u32",
            Self::U64 => "a u64",
            Self::F32 => "an f32",
        })
    }
}

/// An entry's name and parameters.
///
/// Since LLVM 20 compilers declare which parameters are pointers. In PTX that marks none, a 64-bit
/// parameter takes a buffer or a number.
#[derive(Clone, Debug)]
pub struct Signature {
    name: String,
    /// Parameters, each with its declaration as text.
    parameters: Vec<(Variable, String)>,
    marks_pointers: bool,
}

impl Signature {
    /// Returns the signature of this entry; `None` if the PTX has no such entry.
    pub fn of(ptx: &Unit, entry: &str) -> Option<Self> {
        let declared = |parameter: &Variable| parameter.at.of(&ptx.text).to_owned();
        let parameters = ptx.entry(entry)?.parameters.iter().map(|p| (p.clone(), declared(p))).collect();
        let marks_pointers = ptx.entries().flat_map(|entry| &entry.parameters).any(|p| p.pointer.is_some());
        Some(Self { name: entry.to_owned(), parameters, marks_pointers })
    }

    /// Checks number and types of the arguments.
    pub fn check(&self, arguments: impl IntoIterator<Item = Shape>) -> Result<(), String> {
        let Self { name, parameters, .. } = self;
        let arguments: Vec<Shape> = arguments.into_iter().collect();
        if arguments.len() != parameters.len() {
            return Err(format!("{name} takes {} arguments, and is passed {}", parameters.len(), arguments.len()));
        }
        let mut pairs = parameters.iter().zip(arguments).zip(1..);
        match pairs.find(|(((parameter, _), argument), _)| !self.takes(parameter, *argument)) {
            None => Ok(()),
            Some((((_, declared), argument), i)) => {
                Err(format!("argument {i} of {name} is {argument}, and the PTX declares `{declared}`"))
            }
        }
    }

    fn takes(&self, parameter: &Variable, argument: Shape) -> bool {
        let (class, bits, is_pointer) = (parameter.ty.class, parameter.ty.bits, parameter.pointer.is_some());
        if !parameter.lengths.is_empty() || parameter.lanes > 1 {
            return false;
        }
        match argument {
            Shape::Address => class != Class::Float && bits == 64 && (is_pointer || !self.marks_pointers),
            Shape::U32 => class != Class::Float && bits == 32 && !is_pointer,
            Shape::U64 => class != Class::Float && bits == 64 && !is_pointer,
            Shape::F32 => matches!(class, Class::Float | Class::Bits) && bits == 32 && !is_pointer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_takes_what_it_is_declared_to() {
        use Shape::{Address, F32, U32, U64};
        for (declared, marked, takes) in [
            (".u64 .ptr .align 2 x", true, &[Address][..]),
            (".u32 .ptr x", true, &[]),
            (".u64 x", true, &[U64]),
            (".b64 x", false, &[Address, U64]),
            (".s64 x", true, &[U64]),
            (".s32 x", false, &[U32]),
            (".b32 x", true, &[U32, F32]),
            (".f32 x", false, &[F32]),
            (".f64 x", false, &[]),
            (".b16 x", false, &[]),
            (".align 8 .b8 x[8]", false, &[]),
            (".u64 x[1]", false, &[]),
        ] {
            let other = if marked { ".entry other(.param .u64 .ptr y) { ret; }" } else { "" };
            let text = format!(".version 7.8 .target sm_80 .entry k(.param {declared}) {{ ret; }} {other}");
            let k = Signature::of(&Unit::parse(&text).unwrap(), "k").unwrap();
            let taken: Vec<Shape> =
                [Address, U32, U64, F32].into_iter().filter(|shape| k.check([*shape]).is_ok()).collect();
            assert_eq!(taken, takes, "{declared}, pointers marked: {marked}");
        }
    }

    #[test]
    fn a_wrong_argument_is_named() {
        let ptx = Unit::parse(".version 7.8 .target sm_80 .entry k(.param .u32 n, .param .u64 m) { ret; }").unwrap();
        let k = Signature::of(&ptx, "k").unwrap();
        assert!(Signature::of(&ptx, "n").is_none());
        assert_eq!(k.check([Shape::U32]), Err("k takes 2 arguments, and is passed 1".to_owned()));
        let error = "argument 2 of k is an f32, and the PTX declares `.param .u64 m`".to_owned();
        assert_eq!(k.check([Shape::U32, Shape::F32]), Err(error));
    }
}
