//! Where the variables of a module are, and what they contain.

use std::collections::HashMap;

use ptxf_text::{Class, Error, Init, Number, Space, Span, Statement, Unit, Variable};

/// Where a variable that exists once is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Static {
    /// The number of a variable in global or constant memory.
    Global(usize),
    /// An offset in the shared memory of a block.
    Shared(u32),
    /// Behind all others in shared memory: as much as a launch asks for.
    Dynamic,
    /// It is declared, and defined elsewhere.
    Missing,
}

/// A variable in global or constant memory.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) is_const: bool,
    pub(crate) align: u64,
    pub(crate) bytes: Vec<u8>,
    /// Addresses that are written into the bytes once they are known.
    pub(crate) addresses: Vec<Relocation>,
}

/// The address of a name among a variable's bytes.
#[derive(Debug)]
pub(crate) struct Relocation {
    pub(crate) at: usize,
    pub(crate) bytes: usize,
    pub(crate) name: Span,
    pub(crate) add: i64,
    /// Of `0xFF00(x)` the second byte: how far it is shifted.
    pub(crate) shift: u32,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    pub(crate) globals: Vec<Global>,
    /// Bytes of shared memory that a block has without what a launch asks for.
    pub(crate) shared: u32,
    /// By where the name is declared.
    places: HashMap<u32, Static>,
}

/// The most that a variable may take: more would not be a text's, but a mistake or an attack.
const MOST: u64 = 1 << 32;
/// The most shared memory that all variables take.
const MOST_SHARED: u64 = 1 << 28;

impl Statics {
    /// Finds a place for every variable of the module and of its functions.
    pub(crate) fn new(text: &str, unit: &Unit) -> Result<Self, Error> {
        let mut all = Self::default();
        unit.variables.iter().try_for_each(|v| all.add(text, v))?;
        for statement in unit.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| &body.statements) {
            if let Statement::Variable(variable) = statement {
                all.add(text, variable)?;
            }
        }
        Ok(all)
    }

    /// Where the variable with this declaration is.
    pub(crate) fn of(&self, variable: &Variable) -> Option<Static> {
        self.places.get(&variable.name.start).copied()
    }

    fn add(&mut self, text: &str, variable: &Variable) -> Result<(), Error> {
        let place = match variable.space {
            Space::Global | Space::Const if variable.is_extern => Static::Missing,
            Space::Global | Space::Const => {
                let mut global = Global {
                    name: variable.name.of(text).to_owned(),
                    is_const: variable.space == Space::Const,
                    align: alignment(variable).into(),
                    bytes: Vec::new(),
                    addresses: Vec::new(),
                };
                let size = size(text, variable, MOST)?;
                if let Some(init) = &variable.init {
                    let mut content = Content { text, variable, global: &mut global };
                    content.put(init)?;
                }
                if global.bytes.len() as u64 > size {
                    return Err(Error::at(text, variable.name, "more values than the variable has place for"));
                }
                global.bytes.resize(size as usize, 0);
                self.globals.push(global);
                Static::Global(self.globals.len() - 1)
            }
            Space::Shared if variable.is_extern || variable.lengths.first() == Some(&None) => Static::Dynamic,
            Space::Shared => {
                let size = size(text, variable, MOST_SHARED)?;
                let at = u64::from(self.shared).next_multiple_of(alignment(variable).into());
                if at + size > MOST_SHARED {
                    return Err(Error::at(text, variable.name, "more shared memory than 256 MiB"));
                }
                self.shared = (at + size) as u32;
                Static::Shared(at as u32)
            }
            Space::Reg | Space::Local | Space::Param => return Ok(()),
        };
        self.places.insert(variable.name.start, place);
        Ok(())
    }
}

/// What addresses of the variable are multiples of.
pub(crate) fn alignment(variable: &Variable) -> u32 {
    variable.align.unwrap_or(1).max(variable.ty.bytes() * variable.lanes)
}

/// How many bytes a variable takes; of an array without a length as many as its values.
pub(crate) fn size(text: &str, variable: &Variable, most: u64) -> Result<u64, Error> {
    let too_large = || Error::at(text, variable.name, format!("a variable of more than {most} bytes"));
    if variable.ty.class == Class::Predicate {
        return Err(Error::at(text, variable.name, "a predicate is a register, and nothing in memory"));
    }
    let element = u64::from(variable.ty.bytes() * variable.lanes);
    let mut size = element;
    for length in &variable.lengths {
        let length = match length {
            Some(length) => *length,
            None => {
                let inner: u64 = variable
                    .lengths
                    .iter()
                    .skip(1)
                    .flatten()
                    .try_fold(element, |a, b| a.checked_mul(*b))
                    .ok_or_else(too_large)?;
                values(variable.init.as_ref(), u64::from(variable.ty.bytes())).div_ceil(inner.max(1))
            }
        };
        size = size.checked_mul(length).filter(|size| *size <= most).ok_or_else(too_large)?;
    }
    Ok(size)
}

/// How many bytes the values take.
fn values(init: Option<&Init>, element: u64) -> u64 {
    match init {
        None => 0,
        Some(Init::List(all)) => all.iter().map(|init| values(Some(init), element)).sum(),
        Some(Init::Text(span)) => u64::from(span.end - span.start),
        Some(Init::Number(_) | Init::Symbol { .. }) => element,
    }
}

/// The bytes of a variable while they are written.
struct Content<'a> {
    text: &'a str,
    variable: &'a Variable,
    global: &'a mut Global,
}

impl Content<'_> {
    fn put(&mut self, init: &Init) -> Result<(), Error> {
        let ty = self.variable.ty;
        let bytes = ty.bytes() as usize;
        match init {
            Init::List(all) => return all.iter().try_for_each(|init| self.put(init)),
            Init::Text(_) => {
                return Err(Error::at(self.text, self.variable.name, "a string is no value: write its bytes"));
            }
            Init::Number(number) => {
                let value = match (ty.class, *number) {
                    (_, Number::Int(x)) if ty.class != Class::Float => x,
                    (Class::Float, number) => bits_of(number, ty.bits),
                    _ => return Err(Error::at(self.text, self.variable.name, "a fraction as the value of an integer")),
                };
                let value = u128::from(value).to_le_bytes();
                self.global.bytes.extend_from_slice(&value[..bytes]);
            }
            Init::Symbol { name, mask, add, .. } => {
                let (at, shift) = (self.global.bytes.len(), mask.unwrap_or(1).trailing_zeros());
                self.global.addresses.push(Relocation { at, bytes: bytes.min(8), name: *name, add: *add, shift });
                self.global.bytes.resize(at + bytes, 0);
            }
        }
        Ok(())
    }
}

/// The bits of a number in a floating-point type: rounded if it is a decimal fraction or an f64.
pub(crate) fn bits_of(number: Number, bits: u32) -> u64 {
    match (number, bits) {
        (Number::Int(x), 32) => (x.cast_signed() as f32).to_bits().into(),
        (Number::Int(x), 64) => (x.cast_signed() as f64).to_bits(),
        (Number::Int(x), _) => x,
        (Number::Single(x), 64) => f64::from(f32::from_bits(x)).to_bits(),
        (Number::Single(x), _) => x.into(),
        (Number::Double(x), 32) => (x as f32).to_bits().into(),
        (Number::Double(x), _) => x.to_bits(),
    }
}
