//! Modules, programs and entries: a text that was read, what a machine has made of it, and what can be launched.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use ptxf_text::{Error, Lines, Span, Unit};

use super::argument::Extent;
use super::buffer::Buffer;
use super::machine::MOST_THREADS;
use super::memory::{Memory, Use};
use crate::code::{Code, Place};
use crate::exec::own::Own;
use crate::lower::{self, Addresses, Name, Shape, Static, Statics, function_address};

/// A PTX text that was read.
///
/// It belongs to no machine, and can be loaded into several.
///
/// # Examples
///
/// ```
/// let module = ptxf_vm::Module::parse(".version 7.8\n.target sm_90\n.visible .entry a() { ret; }\n.entry b() { ret; }")?;
/// assert_eq!(module.entries().collect::<Vec<_>>(), ["a", "b"]);
/// assert_eq!((module.version(), module.sm()), ((7, 8), 90));
/// # Ok::<(), ptxf_vm::Error>(())
/// ```
#[derive(Clone)]
pub struct Module {
    pub(crate) read: Arc<Read>,
}

/// What a module is.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) unit: Unit,
    pub(crate) statics: Statics,
    pub(crate) names: HashMap<String, Name>,
    lines: OnceLock<Lines>,
}

impl Read {
    /// The number of the line that a byte stands in.
    pub(crate) fn line(&self, at: u32) -> usize {
        self.lines.get_or_init(|| Lines::new(&self.unit.text)).number(at)
    }

    /// The text of an instruction, with one space between its words.
    pub(crate) fn instruction(&self, place: &Place) -> String {
        format!("{};", place.span.of(&self.unit.text).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The file and the line of the source that an instruction is from, if `.loc` says them.
    pub(crate) fn source(&self, place: &Place) -> Option<(String, u32)> {
        let (_, name) = self.unit.files.iter().find(|(number, _)| *number == u64::from(place.file))?;
        Some((name.clone(), place.line))
    }
}

impl Module {
    /// Reads a text, up to its first zero byte.
    ///
    /// # Errors
    ///
    /// It returns an error with the place if the text is not PTX, or of a version below 3.0. What its instructions are is not looked at:
    /// that is done where an entry is asked for.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let unit = Unit::parse(text)?;
        if let Some(alias) = unit.aliases.first() {
            return Err(Error::at(text, *alias, "`.alias` is not supported: call the function itself"));
        }
        let statics = Statics::new(text, &unit)?;
        let names = lower::table(text, &unit, &statics);
        Ok(Self { read: Arc::new(Read { unit, statics, names, lines: OnceLock::new() }) })
    }

    /// The names of the entries, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        let unit = &self.read.unit;
        unit.entries().map(|entry| entry.name.of(&unit.text))
    }

    /// (7, 8) of `.version 7.8`.
    #[must_use]
    pub fn version(&self) -> (u8, u8) {
        self.read.unit.version
    }

    /// 90 of `.target sm_90a`.
    #[must_use]
    pub fn sm(&self) -> u32 {
        self.read.unit.target.sm
    }

    /// `a` of `.target sm_90a`, or `f`: the suffix of a target that not every later device has the instructions of.
    #[must_use]
    pub fn suffix(&self) -> Option<char> {
        self.read.unit.target.suffix
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("version", &self.version()).field("sm", &self.sm()).finish_non_exhaustive()
    }
}

/// A module in a machine: its variables have addresses.
#[derive(Clone)]
pub struct Program {
    pub(crate) loaded: Arc<Loaded>,
}

/// What a program is.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) machine: u64,
    pub(crate) read: Arc<Read>,
    pub(crate) addresses: Addresses,
    own: Own,
    /// The functions, as they are asked for.
    codes: Vec<OnceLock<Result<Code, Error>>>,
}

impl Loaded {
    /// Puts the module's variables into memory.
    pub(crate) fn new(module: &Module, memory: &mut Memory, machine: u64, own: Own) -> Result<Self, Error> {
        let read = module.read.clone();
        let mut addresses = Addresses::default();
        for global in &read.statics.globals {
            let name = global.name.clone();
            let purpose = if global.is_const { Use::Constant(name) } else { Use::Variable(name) };
            let address = memory.allocate(global.bytes.len() as u64, global.align, Some(purpose));
            addresses.globals.push(address);
        }
        for (global, &address) in read.statics.globals.iter().zip(&addresses.globals) {
            let mut bytes = global.bytes.clone();
            for relocation in &global.addresses {
                let value = address_of(&read, &addresses, relocation.name)?.wrapping_add_signed(relocation.add);
                let value = (value >> relocation.shift).to_le_bytes();
                bytes[relocation.at..][..relocation.bytes].copy_from_slice(&value[..relocation.bytes]);
            }
            if let Ok(allocation) = memory.find(address, 0) {
                allocation.fill(0, &bytes);
            }
        }
        let codes = read.unit.functions.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { machine, read, addresses, own, codes })
    }

    /// The variables in global and constant memory, by their names and addresses.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, u64)> {
        let globals = self.read.statics.globals.iter();
        globals.map(|global| &*global.name).zip(self.addresses.globals.iter().copied())
    }

    /// The function with this number, lowered once.
    pub(crate) fn code(&self, index: usize) -> Result<&Code, &Error> {
        self.codes[index]
            .get_or_init(|| {
                let Read { unit, statics, names, .. } = &*self.read;
                let (addresses, own) = (&self.addresses, &self.own);
                lower::lower(&Shape { text: &unit.text, unit, statics, names, addresses, own }, index)
            })
            .as_ref()
    }
}

/// The address that a name has in an initializer.
fn address_of(read: &Read, addresses: &Addresses, name: Span) -> Result<u64, Error> {
    let spelled = name.of(&read.unit.text);
    match read.names.get(spelled) {
        Some(Name::Static(Static::Global(index))) => Ok(addresses.globals[*index]),
        Some(Name::Static(Static::Shared(offset))) => Ok((*offset).into()),
        Some(Name::Function(index)) => Ok(function_address(*index)),
        _ => {
            Err(Error::at(&read.unit.text, name, format!("`{spelled}` is no variable or function that has an address")))
        }
    }
}

impl Program {
    /// The entry of this name, with every function that it calls.
    ///
    /// # Errors
    ///
    /// It returns an error if there is no such entry, or at an instruction of it, or of a function that it calls by name, that is not
    /// supported or wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.entry old() {\n  tex.1d.v4.f32.s32 {a, b, c, d}, [t, {x}];\n}\n.entry new() { ret; }";
    /// let mut machine = Machine::new();
    /// let program = machine.load(&Module::parse(text)?)?;
    /// assert!(program.entry("new").is_ok());
    /// let error = program.entry("old").unwrap_err();
    /// assert!(error.line() == 4 && error.what().starts_with("`tex` is not supported"));
    /// # Ok::<(), ptxf_vm::Error>(())
    /// ```
    pub fn entry(&self, name: &str) -> Result<Entry, Error> {
        let unit = &self.loaded.read.unit;
        let text = &*unit.text;
        let is_it = |f: &ptxf_text::Function| f.is_entry && f.body.is_some() && f.name.of(text) == name;
        let Some(index) = unit.functions.iter().position(is_it) else {
            let all: Vec<&str> =
                unit.functions.iter().filter(|f| f.is_entry).map(|f| f.name.of(text)).take(20).collect();
            return Err(Error::general(format!("there is no entry `{name}`; entries are {}", all.join(", "))));
        };
        let (mut seen, mut open) = (HashSet::from([index]), vec![index]);
        while let Some(next) = open.pop() {
            let code = self.loaded.code(next).map_err(Clone::clone)?;
            open.extend(code.calls.iter().map(|(called, _)| *called).filter(|called| seen.insert(*called)));
        }
        let (places, size) = lower::input(text, &unit.functions[index])?;
        Ok(Entry { loaded: self.loaded.clone(), index, places, size })
    }
}

impl Program {
    /// The variable of this name in global or constant memory, if the module has one.
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let mut machine = Machine::new();
    /// let module = Module::parse(".version 7.8\n.target sm_90\n.const .align 2 .b16 x[3] = {1, 2, 3};")?;
    /// let x = machine.load(&module)?.variable("x").unwrap();
    /// assert_eq!(machine.values::<u16>(x)?, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Buffer> {
        let Read { statics, names, .. } = &*self.loaded.read;
        match names.get(name) {
            Some(Name::Static(Static::Global(index))) => Some(Buffer {
                address: self.loaded.addresses.globals[*index],
                bytes: statics.globals[*index].bytes.len() as u64,
            }),
            _ => None,
        }
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("sm", &self.loaded.read.unit.target.sm).finish_non_exhaustive()
    }
}

/// A kernel that a machine can launch.
#[derive(Clone)]
pub struct Entry {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) index: usize,
    /// Where arguments are in what a launch passes, and how large that is.
    pub(crate) places: Vec<(u32, u32)>,
    pub(crate) size: u32,
}

impl Entry {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        let read = &*self.loaded.read;
        read.unit.functions[self.index].name.of(&read.unit.text)
    }

    /// Its parameters in their order, each by the offset and the size in bytes that it has among the arguments of a launch.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.places.iter().map(|&(offset, bytes)| (offset as usize, bytes as usize))
    }

    /// How many bytes the arguments of a launch have.
    #[must_use]
    pub const fn parameter_bytes(&self) -> usize {
        self.size as usize
    }

    /// How many threads a block of it may have: 1024, or what `.maxntid` or `.reqntid` say.
    #[must_use]
    pub fn most_threads(&self) -> u32 {
        let function = &self.loaded.read.unit.functions[self.index];
        function.required.or(function.most).map_or(MOST_THREADS, |of| Extent(of).count().min(MOST_THREADS)) as u32
    }

    /// Bytes of shared memory that a block has beside what a launch asks for.
    #[must_use]
    pub fn shared_bytes(&self) -> u32 {
        self.loaded.read.statics.shared
    }

    /// Bytes of local memory that a thread needs for the entry itself, without the functions that it calls.
    #[must_use]
    pub fn local_bytes(&self) -> u32 {
        self.loaded.code(self.index).map_or(0, |code| code.frame)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name()).finish_non_exhaustive()
    }
}
