//! Modules, programs and entries.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use ptxf_text::{Error, Lines, Opaque, Span, Unit};

use super::MOST_THREADS;
use super::argument::Extent;
use super::buffer::Buffer;
use super::memory::{Memory, Use};
use crate::code::{Code, Place};
use crate::exec::replacement::Replacement;
use crate::exec::texture::Sampler;
use crate::lower::{self, Addresses, Name, Shape, Static, Statics, function_address};

/// A parsed PTX text.
///
/// A module belongs to no machine. Several machines can load it.
///
/// # Examples
///
/// ```
/// let text = ".version 7.8\n.target sm_90\n.visible .entry a() { ret; }\n.entry b() { ret; }";
/// let module = ptxf_vm::Module::parse(text)?;
/// assert_eq!(module.entries().collect::<Vec<_>>(), ["a", "b"]);
/// assert_eq!((module.version(), module.sm()), ((7, 8), 90));
/// # Ok::<(), ptxf_vm::Error>(())
/// ```
#[derive(Clone)]
pub struct Module {
    pub(crate) read: Arc<Read>,
}

/// The contents of a module.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) unit: Unit,
    pub(crate) statics: Statics,
    pub(crate) names: HashMap<String, Name>,
    lines: OnceLock<Lines>,
}

impl Read {
    /// Returns the line of a byte.
    pub(crate) fn line(&self, at: u32) -> usize {
        self.lines.get_or_init(|| Lines::new(&self.unit.text)).number(at)
    }

    /// Returns `true` if the module declares `malloc` or `free` of a device.
    pub(crate) fn allocates(&self) -> bool {
        let is_one =
            |f: &ptxf_text::Function| f.body.is_none() && matches!(f.name.of(&self.unit.text), "malloc" | "free");
        self.unit.functions.iter().any(is_one)
    }

    /// Returns the text of an instruction, with single spaces.
    pub(crate) fn instruction(&self, place: &Place) -> String {
        format!("{};", place.span.of(&self.unit.text).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the source file and line of an instruction. Returns `None` if the text has no
    /// `.loc`.
    pub(crate) fn source(&self, place: &Place) -> Option<(String, u32)> {
        let (_, name) = self.unit.files.iter().find(|(number, _)| *number == u64::from(place.file))?;
        Some((name.clone(), place.line))
    }
}

impl Module {
    /// Reads a text up to its first zero byte.
    ///
    /// # Errors
    ///
    /// Returns an error with its place if the text is not PTX.
    /// [`Program::entry`] checks the instructions.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let unit = Unit::parse(text)?;
        let statics = Statics::new(text, &unit)?;
        let names = lower::table(text, &unit, &statics);
        Ok(Self { read: Arc::new(Read { unit, statics, names, lines: OnceLock::new() }) })
    }

    /// Returns the names of the entries, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        let unit = &self.read.unit;
        unit.entries().map(|entry| entry.name.of(&unit.text))
    }

    /// Returns the PTX version: (7, 8) for `.version 7.8`.
    #[must_use]
    pub fn version(&self) -> (u8, u8) {
        self.read.unit.version
    }

    /// Returns the number of the target: 90 for `sm_90a`.
    #[must_use]
    pub fn sm(&self) -> u32 {
        self.read.unit.target.sm
    }

    /// Returns the suffix of the target: `a` for `sm_90a`. Later devices do not run the
    /// instructions of such a target.
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

/// A module in a machine, whose variables have addresses.
#[derive(Clone)]
pub struct Program {
    pub(crate) loaded: Arc<Loaded>,
}

/// The contents of a program.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) machine: u64,
    pub(crate) read: Arc<Read>,
    pub(crate) addresses: Addresses,
    replacement: Replacement,
    /// The functions, each lowered at its first use.
    codes: Vec<OnceLock<Result<Code, Error>>>,
}

impl Loaded {
    /// Allocates and initializes the module's variables.
    pub(crate) fn new(
        module: &Module,
        memory: &mut Memory,
        machine: u64,
        replacement: Replacement,
    ) -> Result<Self, Error> {
        let read = module.read.clone();
        let mut addresses = Addresses::default();
        for global in &read.statics.globals {
            let name = global.name.clone();
            let purpose = if global.is_const { Use::Constant(name) } else { Use::Variable(name) };
            let bytes = global.bytes.len() as u64;
            let address = match global.is_managed {
                true => memory.allocate_host(bytes, Some(purpose)),
                false => memory.allocate(bytes, global.align, Some(purpose)),
            };
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
        Ok(Self { machine, read, addresses, replacement, codes })
    }

    /// Returns the names and addresses of variables in global and constant memory.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, u64)> {
        let globals = self.read.statics.globals.iter();
        globals.map(|global| &*global.name).zip(self.addresses.globals.iter().copied())
    }

    /// Returns the lowered function of this index.
    pub(crate) fn code(&self, index: usize) -> Result<&Code, &Error> {
        self.codes[index]
            .get_or_init(|| {
                let Read { unit, statics, names, .. } = &*self.read;
                let (addresses, replacement) = (&self.addresses, &self.replacement);
                lower::lower(&Shape { text: &unit.text, unit, statics, names, addresses, replacement }, index)
            })
            .as_ref()
    }
}

/// Returns the address of a name in an initial value.
fn address_of(read: &Read, addresses: &Addresses, name: Span) -> Result<u64, Error> {
    let spelled = name.of(&read.unit.text);
    match read.names.get(spelled) {
        Some(Name::Static(Static::Global(index))) => Ok(addresses.globals[*index]),
        Some(Name::Static(Static::Shared(offset))) => Ok((*offset).into()),
        Some(Name::Function(index)) => Ok(function_address(*index)),
        _ => {
            Err(Error::at(&read.unit.text, name, format!("`{spelled}` is not a variable or function with an address")))
        }
    }
}

impl Program {
    /// Returns the entry of this name, with all functions that it calls.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such entry, or if an instruction of the entry or its callees
    /// is wrong or not supported.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let text = ".version 7.8
    /// .target sm_90
    /// .entry old() {
    ///     tcgen05.wait::ld.sync.aligned;
    /// }
    /// .entry new() { ret; }";
    /// let mut machine = Machine::new();
    /// let program = machine.load(&Module::parse(text)?)?;
    /// assert!(program.entry("new").is_ok());
    /// let error = program.entry("old").unwrap_err();
    /// assert!(error.line() == 4 && error.what().starts_with("`tcgen05` is not supported"));
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
    /// Checks all functions, as a driver does when it loads a module.
    ///
    /// # Errors
    ///
    /// Returns the first error that is one for every device, such as a name that is not declared.
    /// An instruction that only this machine cannot execute is an error of [`entry`](Self::entry).
    ///
    /// ```
    /// let text = ".version 7.8
    /// .target sm_90
    /// .entry k() {
    ///     st.global.u32 [0], %missing;
    /// }";
    /// let program = ptxf_vm::Machine::new().load(&ptxf_vm::Module::parse(text)?)?;
    /// let error = program.check().unwrap_err();
    /// assert_eq!((error.line(), error.what()), (4, "`%missing` is not declared here"));
    /// # Ok::<(), ptxf_vm::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        let functions = self.loaded.read.unit.functions.iter().enumerate();
        let errors = functions.filter(|(_, f)| f.body.is_some()).filter_map(|(i, _)| self.loaded.code(i).err());
        errors.into_iter().find(|error| error.is_certain()).map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Returns the `.texref` of this name, with the sampler that it declares. A texture is bound by
    /// writing its handle to the variable. Returns `None` if there is no such variable.
    ///
    /// ```
    /// use ptxf_vm::{Channel, Filtering, Machine, Module, Texels, Texture};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.global .texref t = { filter_mode = linear };";
    /// let mut machine = Machine::new();
    /// let (variable, sampler) = machine.load(&Module::parse(text)?)?.texture("t").unwrap();
    /// assert_eq!(sampler.filter, Filtering::Linear);
    /// let x = machine.buffer(&[0.0_f32; 4]);
    /// let texels = Texels::array(x.address(), Channel::F32, 1, &[2, 2], None)?;
    /// let texture = machine.add_texture(Texture::new(texels, sampler, false)?);
    /// machine.write(variable, 0, &texture.to_le_bytes())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn texture(&self, name: &str) -> Option<(Buffer, Sampler)> {
        self.opaque(name, Opaque::Texture)
    }

    /// Returns the `.surfref` of this name. A surface is bound by writing its handle to the
    /// variable. Returns `None` if there is no such variable.
    #[must_use]
    pub fn surface(&self, name: &str) -> Option<Buffer> {
        self.opaque(name, Opaque::Surface).map(|(variable, _)| variable)
    }

    fn opaque(&self, name: &str, kind: Opaque) -> Option<(Buffer, Sampler)> {
        let Read { statics, names, .. } = &*self.loaded.read;
        let Some(Name::Static(Static::Global(index))) = names.get(name) else { return None };
        let (_, sampler) = statics.globals[*index].opaque.filter(|(found, _)| *found == kind)?;
        Some((self.variable(name)?, sampler))
    }

    /// Returns the variable of this name in global or constant memory. Returns `None` if there is
    /// none.
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let mut machine = Machine::new();
    /// let text = ".version 7.8\n.target sm_90\n.const .align 2 .b16 x[3] = {1, 2, 3};";
    /// let module = Module::parse(text)?;
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
    /// The offset and size of each argument in a launch's block of bytes, and the size of the
    /// block.
    pub(crate) places: Vec<(u32, u32)>,
    pub(crate) size: u32,
}

impl Entry {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        let read = &*self.loaded.read;
        read.unit.functions[self.index].name.of(&read.unit.text)
    }

    /// Returns the offset and the size in bytes of each argument in a launch's block of bytes.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.places.iter().map(|&(offset, bytes)| (offset as usize, bytes as usize))
    }

    /// Returns the size of a launch's arguments in bytes.
    #[must_use]
    pub const fn parameter_bytes(&self) -> usize {
        self.size as usize
    }

    /// Returns the most threads of a block: 1024, or the limit of `.maxntid` or `.reqntid`.
    #[must_use]
    pub fn most_threads(&self) -> u32 {
        let function = &self.loaded.read.unit.functions[self.index];
        function.required.or(function.most).map_or(MOST_THREADS, |of| Extent(of).count().min(MOST_THREADS)) as u32
    }

    /// Returns the static shared memory of a block in bytes: the variables that the entry and the
    /// functions that it reaches name.
    #[must_use]
    pub fn shared_bytes(&self) -> u32 {
        self.loaded.read.statics.shared_of(self.index).fixed
    }

    /// Returns the local memory of a thread in bytes, without the functions that the entry calls.
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
