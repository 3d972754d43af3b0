//! Contexts and their objects: handles, memory, and faults that end a context.
//!
//! A context has a machine of its own, whose addresses differ from those of all other machines. The
//! upper bits of a handle are the number of its context, so that a handle is valid under any
//! current context. Every function finishes its work before it returns, including launches and
//! copies on streams.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_uint;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptxf_vm::{Fault, Fidelity, Machine};

use crate::capture::Capture;
use crate::failure::{Code, Done, Failure};
use crate::graph::Graph;
use crate::linker::Link;
use crate::mapping::Mappings;
use crate::memory::Taken;
use crate::module::{Function, Module};
use crate::report::Left;
use crate::stream::{Event, Stream};
use crate::texture::Textures;
use crate::{fidelity, pool, report, settings};

/// A context.
#[derive(Debug)]
pub(crate) struct Context {
    number: usize,
    pub(crate) device: usize,
    state: Mutex<State>,
}

/// The objects of a context.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) machine: Machine,
    /// The fault of a kernel that ended the context. Every later call returns it.
    fault: Option<Code>,
    /// The number of launches so far.
    launches: u64,
    /// The number of uses that `cuCtxAttach` has added.
    pub(crate) attached: usize,
    number: usize,
    /// The number of handles so far.
    given: usize,
    pub(crate) modules: BTreeMap<usize, Module>,
    pub(crate) functions: BTreeMap<usize, Function>,
    pub(crate) links: BTreeMap<usize, Link>,
    pub(crate) graphs: BTreeMap<usize, Graph>,
    pub(crate) executables: BTreeMap<usize, Graph>,
    pub(crate) streams: BTreeMap<usize, Stream>,
    pub(crate) captures: BTreeMap<usize, Capture>,
    pub(crate) events: BTreeMap<usize, Event>,
    /// Allocations by their addresses.
    pub(crate) memory: BTreeMap<u64, Taken>,
    /// Addresses of registered host memory.
    pub(crate) registered: BTreeSet<u64>,
    pub(crate) limits: BTreeMap<c_uint, usize>,
    pub(crate) textures: Textures,
    pub(crate) mappings: Mappings,
}

/// A device's primary context and the number of its users.
#[derive(Clone, Debug, Default)]
struct Primary {
    context: Option<Arc<Context>>,
    retained: usize,
}

#[derive(Debug, Default)]
struct Registry {
    made: usize,
    all: BTreeMap<usize, Arc<Context>>,
    primaries: BTreeMap<usize, Primary>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { made: 0, all: BTreeMap::new(), primaries: BTreeMap::new() });

thread_local! {
    /// The numbers of this thread's contexts. The last one is current.
    static STACK: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The lowest bit of the context number in a handle.
const NUMBER: u32 = 40;
/// The first address of the first context's machine. Each machine has 2^APART addresses, 64 TiB.
const ADDRESSES: u64 = 1 << 48;
const APART: u32 = 46;
/// The greatest number of contexts, whose addresses end below those of shared memory.
const MOST: usize = 1 << 16;

/// Locks a mutex, also after a panic in another call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    fn new(number: usize, device: usize) -> Result<Arc<Self>, Failure> {
        if number >= MOST {
            return Err(Code::OutOfMemory.because(format!("a process can create {MOST} contexts")));
        }
        let addresses = ADDRESSES + ((number as u64) << APART);
        let settings = settings::known()?;
        let machine = Machine::new().threads(settings.threads).check(settings.check).device(settings.model);
        let mut machine = settings.faults.machine(machine.addresses_from(addresses));
        if settings.says_fidelity {
            machine.count_fidelity();
            fidelity::report_at_end();
        }
        let state = State {
            machine,
            fault: None,
            launches: 0,
            attached: 0,
            number,
            given: 0,
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            links: BTreeMap::new(),
            graphs: BTreeMap::new(),
            executables: BTreeMap::new(),
            streams: BTreeMap::new(),
            captures: BTreeMap::new(),
            events: BTreeMap::new(),
            memory: BTreeMap::new(),
            registered: BTreeSet::new(),
            limits: BTreeMap::new(),
            textures: Textures::default(),
            mappings: Mappings::default(),
        };
        Ok(Arc::new(Self { number, device, state: Mutex::new(state) }))
    }

    /// Returns the handle.
    pub(crate) const fn handle(&self) -> usize {
        self.number << NUMBER
    }

    /// Returns a number that no other context has or had.
    pub(crate) const fn id(&self) -> u64 {
        self.number as u64
    }

    /// Returns `true` if an address is one of the context's own memory.
    pub(crate) const fn has(&self, address: u64) -> bool {
        is_of_device(address) && (address - ADDRESSES) >> APART == self.number as u64
    }

    /// Returns the objects, or the fault that ended the context.
    pub(crate) fn enter(&self) -> Result<MutexGuard<'_, State>, Failure> {
        let state = lock(&self.state);
        match state.fault {
            Some(code) => Err(code.into()),
            None => Ok(state),
        }
    }

    /// Reports what is not freed, if the settings request it.
    fn end(&self) {
        pool::ended(self);
        let state = lock(&self.state);
        fidelity::add(&state.machine.fidelity());
        if settings::get().is_some_and(|s| s.says_left) {
            report::left(Left {
                device: self.device,
                allocations: state.memory.len() + state.mappings.count(),
                bytes: state.used(),
                events: state.events.len(),
                streams: state.streams.len(),
            });
        }
    }
}

/// Returns the instructions of each context that has not ended, by exactness.
pub(crate) fn fidelity() -> Vec<Fidelity> {
    lock(&REGISTRY).all.values().map(|context| lock(&context.state).machine.fidelity()).collect()
}

impl State {
    /// Returns a new handle.
    pub(crate) const fn handle(&mut self) -> usize {
        self.given += 1;
        self.number << NUMBER | self.given << 4
    }

    /// Counts a launch. Fails if the device is set to die before it, and after that in every later
    /// call.
    pub(crate) fn survives(&mut self) -> Done {
        let survives = settings::known()?.faults.survives(self.launches);
        self.launches += 1;
        survives.inspect_err(|failure| self.fault = Some(failure.code))
    }

    /// Handles the fault of a launch. A thread's fault ends the context, and the next call returns
    /// it.
    pub(crate) fn ended(&mut self, fault: Fault) -> Done {
        let code = Code::of_fault(&fault);
        if fault.thread().is_none() && fault.line() == 0 {
            return Err(code.because(fault.to_string()));
        }
        report::fault(&fault, code);
        self.fault = Some(code);
        // On a device the launching call has returned before the fault, unless launches block.
        if std::env::var_os("CUDA_LAUNCH_BLOCKING").is_some_and(|v| v == "1") { Err(code.into()) } else { Ok(()) }
    }
}

/// Creates a context and makes it current.
pub(crate) fn create(device: usize) -> Result<Arc<Context>, Failure> {
    let context = insert(&mut lock(&REGISTRY), device)?;
    push(&context);
    Ok(context)
}

fn insert(registry: &mut Registry, device: usize) -> Result<Arc<Context>, Failure> {
    registry.made += 1;
    let context = Context::new(registry.made, device)?;
    registry.all.insert(context.number, context.clone());
    Ok(context)
}

/// Ends a context of `create`.
pub(crate) fn destroy(handle: usize) -> Done {
    let context = context(handle)?;
    let mut registry = lock(&REGISTRY);
    let is_it = |p: &Primary| p.context.as_ref().is_some_and(|c| c.number == context.number);
    if registry.primaries.values().any(is_it) {
        return Err(Code::InvalidContext.because("a device's primary context is released, not destroyed"));
    }
    registry.all.remove(&context.number);
    drop(registry);
    context.end();
    STACK.with_borrow_mut(|stack| {
        if stack.last() == Some(&context.number) {
            stack.pop();
        }
    });
    Ok(())
}

/// Returns the device's primary context, and counts a user.
pub(crate) fn retain(device: usize) -> Result<Arc<Context>, Failure> {
    let mut registry = lock(&REGISTRY);
    let known = registry.primaries.get(&device).and_then(|p| p.context.clone());
    let context = match known {
        Some(context) => context,
        None => insert(&mut registry, device)?,
    };
    let primary = registry.primaries.entry(device).or_default();
    primary.context = Some(context.clone());
    primary.retained += 1;
    Ok(context)
}

/// Releases one use of the device's primary context, or all of them.
pub(crate) fn release(device: usize, all: bool) -> Done {
    let mut registry = lock(&REGISTRY);
    let primary = registry.primaries.entry(device).or_default();
    if primary.retained == 0 {
        return if all { Ok(()) } else { Err(Code::InvalidContext.because("the primary context was not retained")) };
    }
    primary.retained -= 1;
    if !all && primary.retained > 0 {
        return Ok(());
    }
    primary.retained = 0;
    let context = primary.context.take();
    if let Some(context) = context {
        registry.all.remove(&context.number);
        drop(registry);
        context.end();
    }
    Ok(())
}

/// Returns `true` if the device's primary context exists.
pub(crate) fn is_active(device: usize) -> bool {
    lock(&REGISTRY).primaries.get(&device).is_some_and(|p| p.context.is_some())
}

/// Returns the context with this handle.
pub(crate) fn context(handle: usize) -> Result<Arc<Context>, Failure> {
    let found = lock(&REGISTRY).all.get(&(handle >> NUMBER)).cloned();
    found.filter(|context| context.handle() == handle).ok_or_else(|| Code::InvalidContext.into())
}

/// Returns the context of an object with this handle.
pub(crate) fn of(handle: usize) -> Result<Arc<Context>, Failure> {
    let found = lock(&REGISTRY).all.get(&(handle >> NUMBER)).cloned();
    allowed(found.ok_or(Code::InvalidHandle)?)
}

/// Returns the context, or a failure if PTXF_VM_STRICT is set and another context is current.
pub(crate) fn allowed(context: Arc<Context>) -> Result<Arc<Context>, Failure> {
    if settings::known()?.strict && current()?.number != context.number {
        let what = "it is of another context than the current one, which PTXF_VM_STRICT=1 does not let pass";
        return Err(Code::InvalidContext.because(what));
    }
    Ok(context)
}

/// Returns `true` if an address is one of a machine's own memory, which the process cannot access.
pub(crate) const fn is_of_device(address: u64) -> bool {
    address >= ADDRESSES
}

/// Returns the context that has memory at this address.
pub(crate) fn owner(address: u64) -> Option<Arc<Context>> {
    let registry = lock(&REGISTRY);
    if let Some(offset) = address.checked_sub(ADDRESSES)
        && let Some(context) = registry.all.get(&((offset >> APART) as usize))
    {
        return Some(context.clone());
    }
    let all: Vec<_> = registry.all.values().cloned().collect();
    drop(registry);
    all.into_iter().find(|context| lock(&context.state).machine.around(address).is_some())
}

/// Returns this thread's current context; `None` if there is none.
pub(crate) fn current_or_none() -> Result<Option<Arc<Context>>, Failure> {
    settings::known()?;
    let number = STACK.with_borrow(|stack| stack.last().copied());
    Ok(number.and_then(|number| lock(&REGISTRY).all.get(&number).cloned()))
}

/// Returns this thread's current context.
pub(crate) fn current() -> Result<Arc<Context>, Failure> {
    current_or_none()?.ok_or_else(|| Code::InvalidContext.into())
}

/// Makes a context current, on top of the stack.
pub(crate) fn push(context: &Context) {
    STACK.with_borrow_mut(|stack| stack.push(context.number));
}

/// Removes the current context from the stack.
pub(crate) fn pop() -> Result<Arc<Context>, Failure> {
    let context = current()?;
    STACK.with_borrow_mut(Vec::pop);
    Ok(context)
}

/// Replaces the current context.
pub(crate) fn set(context: Option<&Context>) {
    STACK.with_borrow_mut(|stack| {
        stack.pop();
        stack.extend(context.map(|context| context.number));
    });
}
