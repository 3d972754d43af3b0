//! Places and initial values of a module's variables.

use std::collections::HashMap;

use ptxf_text::{Class, Error, Init, Number, Opaque, Space, Span, Statement, Unit, Variable};

use super::shared::{self, Extent};
use crate::exec::texture::Sampler;

/// A place of a variable that exists once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Static {
    /// The index of a variable in global or constant memory.
    Global(usize),
    /// An offset in the shared memory of a block.
    Shared(u32),
    /// A declaration without a definition.
    Missing,
}

/// A variable in global or constant memory.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) is_const: bool,
    /// `true` if the process can access the variable, too.
    pub(crate) is_managed: bool,
    pub(crate) align: u64,
    pub(crate) bytes: Vec<u8>,
    /// The kind of object, and the declared attributes of its sampler.
    pub(crate) opaque: Option<(Opaque, Sampler)>,
    /// Addresses that loading writes into the bytes.
    pub(crate) addresses: Vec<Relocation>,
}

/// An address of a name within the bytes of a variable.
#[derive(Debug)]
pub(crate) struct Relocation {
    pub(crate) at: usize,
    pub(crate) bytes: usize,
    pub(crate) name: Span,
    pub(crate) add: i64,
    /// The shift of the address in bits: 8 for `0xFF00(x)`.
    pub(crate) shift: u32,
}

/// All variables of a module.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    pub(crate) globals: Vec<Global>,
    /// The shared memory of each entry, by its index, if the module has shared variables.
    entries: HashMap<usize, Extent>,
    /// Places, by the position of the declared name.
    places: HashMap<u32, Static>,
}

/// The largest variable in bytes, which no text of a compiler exceeds.
const MOST: u64 = 1 << 32;

impl Statics {
    /// Assigns a place to every variable of the module and its functions.
    pub(crate) fn new(text: &str, unit: &Unit) -> Result<Self, Error> {
        let mut all = Self::default();
        let shared = shared::places(text, unit)?;
        all.entries = shared.entries;
        all.places = shared.places.into_iter().map(|(name, at)| (name, Static::Shared(at))).collect();
        unit.variables.iter().try_for_each(|v| all.add(text, v))?;
        for statement in unit.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| &body.statements) {
            if let Statement::Variable(variable) = statement {
                all.add(text, variable)?;
            }
        }
        Ok(all)
    }

    /// Returns the place of the variable with this declaration.
    pub(crate) fn of(&self, variable: &Variable) -> Option<Static> {
        self.places.get(&variable.name.start).copied()
    }

    /// Returns the shared memory of an entry.
    pub(crate) fn shared_of(&self, entry: usize) -> Extent {
        self.entries.get(&entry).copied().unwrap_or_default()
    }

    fn add(&mut self, text: &str, variable: &Variable) -> Result<(), Error> {
        let place = match variable.space {
            Space::Global | Space::Const if variable.is_extern => Static::Missing,
            Space::Global | Space::Const => {
                let mut global = Global {
                    name: variable.name.of(text).to_owned(),
                    is_const: variable.space == Space::Const,
                    is_managed: variable.is_managed(text),
                    align: alignment(variable).into(),
                    bytes: Vec::new(),
                    // A sampler takes normalized coordinates unless it says otherwise.
                    opaque: variable
                        .opaque
                        .map(|kind| (kind, Sampler { normalized: kind == Opaque::Sampler, ..Sampler::default() })),
                    addresses: Vec::new(),
                };
                let size = size(text, variable, MOST)?;
                if let Some(init) = &variable.init {
                    let mut content = Content { text, variable, global: &mut global };
                    content.put(init)?;
                }
                if global.bytes.len() as u64 > size {
                    return Err(Error::at(text, variable.name, "the variable has more initial values than elements"));
                }
                if let Some((Opaque::Sampler, sampler)) = global.opaque {
                    global.bytes = sampler.word().to_le_bytes().repeat(size as usize / 8);
                }
                global.bytes.resize(size as usize, 0);
                self.globals.push(global);
                Static::Global(self.globals.len() - 1)
            }
            Space::Shared | Space::Reg | Space::Local | Space::Param => return Ok(()),
        };
        self.places.insert(variable.name.start, place);
        Ok(())
    }
}

/// Returns the alignment of a variable in bytes.
pub(crate) fn alignment(variable: &Variable) -> u32 {
    variable.align.unwrap_or(1).max(variable.ty.bytes() * variable.lanes)
}

/// Returns the size of a variable in bytes. An array without a length has the size of its initial
/// values.
pub(crate) fn size(text: &str, variable: &Variable, most: u64) -> Result<u64, Error> {
    let too_large = || Error::at(text, variable.name, format!("a variable of more than {most} bytes"));
    if variable.ty.class == Class::Predicate {
        return Err(Error::at(text, variable.name, "a predicate cannot be in memory: write `.reg`"));
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

/// Returns the size of initial values in bytes.
fn values(init: Option<&Init>, element: u64) -> u64 {
    match init {
        None | Some(Init::Attributes(_)) => 0,
        Some(Init::List(all)) => all.iter().map(|init| values(Some(init), element)).sum(),
        Some(Init::Text(span)) => u64::from(span.end - span.start),
        Some(Init::Number(_) | Init::Symbol { .. }) => element,
    }
}

/// The state of writing a variable's initial value.
struct Content<'a> {
    text: &'a str,
    variable: &'a Variable,
    global: &'a mut Global,
}

impl Content<'_> {
    /// Sets the attributes of a sampler. A driver sets the others, such as a width.
    fn attributes(&mut self, given: &[(Span, Span)]) -> Result<(), Error> {
        let Some((_, sampler)) = &mut self.global.opaque else { return Ok(()) };
        for (name, value) in given {
            let (attribute, value) = (name.of(self.text), value.of(self.text));
            let is_of_sampler = attribute.starts_with("addr_mode") || attribute.contains("_coords");
            if !sampler.set(attribute, value) && (is_of_sampler || attribute == "filter_mode") {
                return Err(Error::at(self.text, *name, format!("`{value}` is no value of `{attribute}`")));
            }
        }
        Ok(())
    }

    fn put(&mut self, init: &Init) -> Result<(), Error> {
        let ty = self.variable.ty;
        let bytes = ty.bytes() as usize;
        match init {
            Init::Attributes(given) => return self.attributes(given),
            Init::List(all) => return all.iter().try_for_each(|init| self.put(init)),
            Init::Text(_) => {
                return Err(Error::at(self.text, self.variable.name, "a string cannot be a value: write its bytes"));
            }
            Init::Number(number) => {
                let value = match (ty.class, *number) {
                    (_, Number::Int(x)) if ty.class != Class::Float => x,
                    (Class::Float, number) => bits_of(number, ty.bits),
                    _ => {
                        return Err(Error::at(
                            self.text,
                            self.variable.name,
                            "the value of an integer is a fraction: write an integer",
                        ));
                    }
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

/// Returns the bits of a number in a floating-point type. Decimal fractions and f64 are rounded.
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
