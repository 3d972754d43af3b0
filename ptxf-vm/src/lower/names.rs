//! Names of a module and of functions.

use std::collections::HashMap;

use ptxf_text::{Error, Function, Space, Span, Unit, Variable};

use super::statics::{Static, Statics, alignment, size};
use crate::code::Passed;
use crate::exec::Reg;
use crate::exec::replacement::Replacement;

/// Addresses of a loaded module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    /// Addresses of the variables in global and constant memory.
    pub(crate) globals: Vec<u64>,
}

/// The address before the first function, and the distance between functions.
pub(crate) const FUNCTIONS: u64 = 0x7ffe_0000_0000_0000;
const APART: u64 = 16;

/// Returns the address of a function.
pub(crate) const fn function_address(index: usize) -> u64 {
    FUNCTIONS + APART * (index as u64 + 1)
}

/// Returns the index of the function at an address. Returns `None` if there is none.
pub(crate) const fn function_at(address: u64) -> Option<usize> {
    let offset = address.wrapping_sub(FUNCTIONS);
    if offset.is_multiple_of(APART) && offset > 0 && offset / APART <= u32::MAX as u64 {
        Some((offset / APART - 1) as usize)
    } else {
        None
    }
}

/// A module as lowering uses it.
#[derive(Debug)]
pub(crate) struct Shape<'a> {
    pub(crate) text: &'a str,
    pub(crate) unit: &'a Unit,
    pub(crate) statics: &'a Statics,
    pub(crate) names: &'a HashMap<String, Name>,
    pub(crate) addresses: &'a Addresses,
    /// The model or the change of the machine.
    pub(crate) replacement: &'a Replacement,
}

/// A named object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name {
    Register(Reg),
    Predicate(u32),
    /// A register of several parts, which are adjacent registers: a vector, or 128 bits.
    Vector {
        first: Reg,
        parts: u32,
    },
    /// Bytes of the frame.
    Local {
        offset: u32,
        bytes: u32,
    },
    /// An argument of the launch.
    Input {
        offset: u32,
    },
    Static(Static),
    Function(usize),
}

/// Returns the names of a module. A definition replaces a declaration.
pub(crate) fn table(text: &str, unit: &Unit, statics: &Statics) -> HashMap<String, Name> {
    let mut all = HashMap::new();
    for (index, function) in unit.functions.iter().enumerate() {
        let name = function.name.of(text);
        if function.body.is_some() || !all.contains_key(name) {
            all.insert(name.to_owned(), Name::Function(index));
        }
    }
    for (alias, of) in &unit.aliases {
        if let Some(function) = all.get(of.of(text)).copied() {
            all.insert(alias.of(text).to_owned(), function);
        }
    }
    for variable in &unit.variables {
        if let Some(place) = statics.of(variable) {
            all.insert(variable.name.of(text).to_owned(), Name::Static(place));
        }
    }
    all
}

impl Shape<'_> {
    /// Returns the object of this name in the module.
    pub(crate) fn named(&self, name: &str) -> Option<Name> {
        self.names.get(name).copied()
    }

    pub(crate) fn error(&self, span: Span, what: impl Into<String>) -> Error {
        Error::at(self.text, span, what)
    }
}

/// Names of a function, by scope.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
}

#[derive(Debug, Default)]
struct Scope<'a> {
    /// The number of the scope, which distinguishes labels.
    id: usize,
    names: HashMap<&'a str, Name>,
    /// Ranges of registers, `%r<8>`: the first one, and the number.
    ranges: HashMap<&'a str, (Name, u32)>,
}

impl<'a> Scopes<'a> {
    pub(crate) fn enter(&mut self, id: usize) {
        self.scopes.push(Scope { id, ..Scope::default() });
    }

    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Returns the numbers of the open scopes, the innermost first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = usize> {
        self.scopes.iter().rev().map(|s| s.id)
    }

    pub(crate) fn declare(&mut self, name: &'a str, stands_for: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, stands_for);
        }
    }

    pub(crate) fn declare_range(&mut self, prefix: &'a str, first: Name, count: u32) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.ranges.insert(prefix, (first, count));
        }
    }

    /// Returns the object of a name in the innermost scope that declares it.
    pub(crate) fn find(&self, name: &str) -> Option<Name> {
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &name[prefix.len()..];
        let index: Option<u32> = if digits.starts_with('0') && digits != "0" { None } else { digits.parse().ok() };
        self.scopes.iter().rev().find_map(|scope| {
            let in_range = || {
                let index = index?;
                let (first, count) = *scope.ranges.get(prefix)?;
                (index < count).then_some(match first {
                    Name::Register(reg) => Name::Register(Reg { at: reg.at + index, ..reg }),
                    Name::Predicate(at) => Name::Predicate(at + index),
                    Name::Vector { first, parts } => {
                        Name::Vector { first: Reg { at: first.at + index * parts, ..first }, parts }
                    }
                    other => other,
                })
            };
            scope.names.get(name).copied().or_else(in_range)
        })
    }
}

/// Returns the offset and size of each argument of an entry in a launch's block of bytes, and its
/// size.
pub(crate) fn input(text: &str, function: &Function) -> Result<(Vec<(u32, u32)>, u32), Error> {
    let mut places = Vec::new();
    let mut end = 0;
    for parameter in &function.parameters {
        let (offset, bytes) = in_sequence(text, parameter, end)?;
        places.push((offset, bytes));
        end = offset + bytes;
    }
    Ok((places, end))
}

/// The largest size of a function's parameters or local variables, in bytes.
const MOST: u64 = 1 << 24;

/// Returns the aligned offset of a variable after `end`, and its size.
pub(crate) fn in_sequence(text: &str, variable: &Variable, end: u32) -> Result<(u32, u32), Error> {
    let bytes = size(text, variable, MOST)?;
    let offset = u64::from(end).next_multiple_of(alignment(variable).into());
    if offset + bytes > MOST {
        return Err(Error::at(text, variable.name, format!("variables of more than {MOST} bytes")));
    }
    Ok((offset as u32, bytes as u32))
}

/// Returns `true` if a parameter is a register.
pub(crate) fn is_register(variable: &Variable) -> bool {
    variable.space == Space::Reg
}

impl Name {
    /// Returns the place as one that is passed to a function. Returns `None` for another kind of
    /// name.
    pub(crate) const fn passed(self) -> Option<Passed> {
        match self {
            Self::Register(reg) => Some(Passed::Register(reg)),
            Self::Predicate(at) => Some(Passed::Predicate(at)),
            Self::Local { offset, bytes } => Some(Passed::Local { offset, bytes }),
            _ => None,
        }
    }
}
