//! All threads of a grid, block by block, one at a time.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::slice;
use std::sync::Once;
use std::task::{Context, Poll, Waker};

use super::memory::{Held, STATE, Slot, State, Who};
use super::{Argument, Fault, Grid, Mode, Parameter, Table, Touched, Value, soft};
use crate::Ty;

/// A thread, which is suspended at barriers.
pub type Thread = Pin<Box<dyn Future<Output = ()>>>;

/// A kernel, as Rust compiled it.
pub struct Kernel {
    name: &'static str,
    axes: usize,
    shares: bool,
    parameters: Vec<Parameter>,
    start: Start,
    tables: HashMap<String, (Ty, std::sync::Arc<Table>)>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Writes a slice's words back.
type Finish = Box<dyn FnOnce(&mut [Argument], &Touched)>;

/// Reads the arguments of a launch, and returns what starts a thread.
type Start = fn(&mut Launch<'_>) -> Starts;
/// Starts the thread of an index.
type Starts = Box<dyn Fn(&Index) -> Thread>;

/// The place of a thread in its grid.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// A thread in the grid.
    pub thread: [usize; 3],
    /// A thread in its block.
    pub local: [usize; 3],
    /// A block in the grid.
    pub block: [usize; 3],
    /// Number of threads of the grid.
    pub threads: [usize; 3],
    /// Number of threads of a block other than the last.
    pub block_dim: [usize; 3],
}

/// The arguments of a launch, or the parameters of a kernel.
#[allow(missing_debug_implementations, reason = "it is passed on")]
pub struct Launch<'a> {
    arguments: Option<&'a [Argument]>,
    next: usize,
    parameters: Vec<Parameter>,
    finish: Vec<Finish>,
}

impl Launch<'_> {
    /// The next argument, of a type with one or more numbers.
    pub fn scalar<T: Value>(&mut self, name: &str, mode: Mode) -> T {
        let mut types = Vec::new();
        T::types(&mut types);
        let kept = mode == Mode::Single;
        let scalar = |ty| Parameter {
            name: name.to_owned(),
            ty,
            kept,
            slice: false,
            written: false,
            stored: None,
            rows: Vec::new(),
        };
        self.parameters.extend(types.iter().map(|&ty| scalar(ty)));
        let Some(arguments) = self.arguments else { return T::read(&mut || 0, Mode::Single) };
        let mut words = || {
            self.next += 1;
            match &arguments[self.next - 1] {
                Argument::Scalar(x) => *x,
                Argument::Slice(_) => panic!("`{name}` is no slice"),
            }
        };
        // Floats are given in binary32.
        T::read(&mut words, if kept { mode } else { Mode::Rounded })
    }

    /// The next argument, a slice that threads read.
    pub fn read<T: Value>(&mut self, name: &str, kept: bool, mode: Mode, stored: Option<&'static str>) -> Rc<[T]> {
        let (elements, argument) = self.elements::<Rc<[T]>, T>(name, false, kept, mode, stored);
        if argument.is_some() {
            STATE.with_borrow_mut(|state| state.add(name, &elements, false, in_word(stored), argument));
        }
        elements
    }

    /// The next argument, a slice that threads write.
    pub fn written<T: Value + 'static>(
        &mut self,
        name: &str,
        kept: bool,
        mode: Mode,
        stored: Option<&'static str>,
    ) -> Slot<[T]> {
        let (elements, argument) = self.elements::<Box<[T]>, T>(name, true, kept, mode, stored);
        let Some(number) = argument else { return Slot::default() };
        STATE.with_borrow_mut(|state| state.add(name, &elements, true, in_word(stored), argument));
        let slot: Slot<[T]> = Rc::new(RefCell::new(Some(elements)));
        let memory = slot.clone();
        self.finish.push(Box::new(move |arguments, touched| {
            let (elements, mut at) = (memory.take().expect("all threads rest"), 0);
            let Argument::Slice(words) = &mut arguments[number] else { unreachable!("it was one") };
            let mut write = |word| {
                // What nobody wrote keeps its bits, of which a narrow format may have others.
                if touched.contains(&(number, at, true)) {
                    words[at] = word;
                }
                at += 1;
            };
            elements.iter().for_each(|x| x.write(&mut write, mode));
        }));
        slot
    }

    /// The elements of a slice, and its number among the arguments.
    fn elements<C: FromIterator<T>, T: Value>(
        &mut self,
        name: &str,
        written: bool,
        kept: bool,
        mode: Mode,
        stored: Option<&'static str>,
    ) -> (C, Option<usize>) {
        let mut types = Vec::new();
        T::types(&mut types);
        self.parameters.push(Parameter {
            name: name.to_owned(),
            ty: types[0],
            kept,
            slice: true,
            written,
            stored,
            rows: T::rows(),
        });
        let Some(arguments) = self.arguments else { return (C::from_iter([]), None) };
        let Argument::Slice(words) = &arguments[self.next] else { panic!("`{name}` is a slice") };
        let argument = self.next;
        self.next += 1;
        let in_word = in_word(stored);
        let mut numbers = words
            .iter()
            .flat_map(|&word| (0..in_word).map(move |i| if in_word == 2 { word >> (4 * i) & 15 } else { word }));
        let elements = words.len() * in_word / types.len();
        let elements = (0..elements).map(|_| T::read(&mut || numbers.next().expect("a word"), mode)).collect();
        (elements, Some(argument))
    }
}

/// Returns how many numbers share a byte.
fn in_word(stored: Option<&str>) -> usize {
    if stored == Some("E2m1x2") { 2 } else { 1 }
}

/// Suspends a thread once.
struct Suspend(bool);

impl Future for Suspend {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// State of a block besides memory.
#[derive(Default)]
struct Block {
    /// The barrier at which the last thread waits.
    waits: Cell<Option<usize>>,
    /// The votes by the phase that they end.
    votes: RefCell<HashMap<usize, Vec<bool>>>,
    /// Shared arrays by the place of their declaration.
    shared: RefCell<HashMap<usize, Box<dyn Any>>>,
    /// Those of former blocks, so that a launch uses no address twice.
    former: RefCell<Vec<Box<dyn Any>>>,
    tables: RefCell<HashMap<String, (Ty, std::sync::Arc<Table>)>>,
    /// Iterations of the thread since the last barrier.
    turns: Cell<u32>,
}

thread_local! {
    static BLOCK: Block = Block::default();
}

/// Number of iterations between two barriers after which a thread counts as endless.
const TURNS: u32 = 1 << 20;

/// Counts an iteration of a loop that may be endless.
pub fn turn() {
    let turns = BLOCK.with(|b| b.turns.replace(b.turns.get() + 1));
    assert!(turns < TURNS, "a loop does not end");
}

/// `sync_threads()`, numbered.
pub async fn barrier(number: usize) {
    BLOCK.with(|b| b.waits.set(Some(number)));
    Suspend(false).await;
    STATE.with_borrow_mut(|state| state.who.phase += 1);
}

async fn vote(number: usize, yes: bool) -> Vec<bool> {
    let phase = STATE.with_borrow(|state| state.who.phase);
    BLOCK.with(|b| b.votes.borrow_mut().entry(phase).or_default().push(yes));
    barrier(number).await;
    BLOCK.with(|b| b.votes.borrow()[&phase].clone())
}

/// `sync_threads_or(yes)`
pub async fn any(number: usize, yes: bool) -> bool {
    vote(number, yes).await.contains(&true)
}

/// `sync_threads_and(yes)`
pub async fn every(number: usize, yes: bool) -> bool {
    !vote(number, yes).await.contains(&false)
}

/// `sync_threads_count(yes)`
pub async fn count(number: usize, yes: bool) -> u32 {
    vote(number, yes).await.into_iter().filter(|yes| *yes).count() as u32
}

/// A shared array, which is zero at the beginning of a block.
pub fn shared<T: Value + 'static>(place: usize, mode: Mode) -> Held<T> {
    BLOCK.with(|b| {
        let mut all = b.shared.borrow_mut();
        let memory = all.entry(place).or_insert_with(|| {
            let memory = Box::new(T::read(&mut || 0, mode));
            STATE.with_borrow_mut(|state| state.add("shared memory", slice::from_ref(&*memory), true, 1, None));
            Box::new(Slot::new(RefCell::new(Some(memory))))
        });
        Held::new(memory.downcast_ref::<Slot<T>>().expect("it is declared here"))
    })
}

/// `TABLE.get(x)`
#[must_use]
pub fn table(name: &str, x: soft::Soft) -> soft::Soft {
    let (of, table) =
        BLOCK.with(|b| b.tables.borrow().get(name).cloned()).unwrap_or_else(|| panic!("no table `{name}`"));
    x.looked_up(of, &**table)
}

/// Runs threads. Their panics are not printed, because they are the result.
fn quietly<T>(run: impl FnOnce() -> T) -> std::thread::Result<T> {
    thread_local! {
        static RUNS: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !RUNS.get() {
                print(panic)
            }
        }));
    });
    RUNS.set(true);
    let ended = catch_unwind(AssertUnwindSafe(run));
    RUNS.set(false);
    ended
}

impl Kernel {
    /// A kernel by its text's signature and its threads.
    #[must_use]
    pub fn new(name: &'static str, axes: usize, shares: bool, start: Start) -> Self {
        let mut described = Launch { arguments: None, next: 0, parameters: Vec::new(), finish: Vec::new() };
        drop(start(&mut described));
        Self { name, axes, shares, parameters: described.parameters, start, tables: HashMap::new() }
    }

    /// Adds a table that the kernel names. The table is of one format, to which an f32 is rounded
    /// before the look-up.
    #[must_use]
    pub fn with_table(mut self, name: &str, of: Ty, table: Table) -> Self {
        self.tables.insert(name.to_owned(), (of, std::sync::Arc::new(table)));
        self
    }

    /// Returns the number of axes along which the kernel takes an index.
    #[must_use]
    pub const fn axes(&self) -> usize {
        self.axes
    }

    /// Returns `true` if the kernel has shared memory.
    #[must_use]
    pub const fn shares(&self) -> bool {
        self.shares
    }

    /// Returns the parameters that are not indices, in their order.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        self.parameters.clone()
    }

    /// Runs every thread of the grid with `element` for `f32`. Returns the accesses to elements.
    ///
    /// # Errors
    ///
    /// Returns a fault if the kernel panics, races, or has a barrier that some threads never reach.
    pub fn run(&self, element: Ty, grid: Grid, arguments: &mut [Argument]) -> Result<Touched, Fault> {
        soft::set_format(element);
        STATE.replace(State::default());
        BLOCK.with(|b| {
            b.shared.take();
            b.former.take();
            b.tables.replace(self.tables.clone());
        });
        let mut launch = Launch { arguments: Some(&*arguments), next: 0, parameters: Vec::new(), finish: Vec::new() };
        let ended = quietly(|| {
            let start = (self.start)(&mut launch);
            let blocks: [usize; 3] = std::array::from_fn(|k| grid.threads[k].div_ceil(grid.block[k]));
            for number in grid.order.of(blocks.iter().product(), 0) {
                let block = [number % blocks[0], number / blocks[0] % blocks[1], number / blocks[0] / blocks[1]];
                self.block(&*start, grid, number, block)?;
            }
            Ok::<_, Fault>(())
        });
        let finish = launch.finish;
        let touched = STATE.take().touched;
        finish.into_iter().for_each(|finish| finish(arguments, &touched));
        let fault = |panic: Box<dyn Any + Send>| match panic.downcast::<Fault>() {
            Ok(fault) => *fault,
            Err(other) => Fault::panic(match other.downcast_ref::<String>() {
                Some(text) => text.clone(),
                None => other.downcast_ref::<&str>().copied().unwrap_or("a panic").to_owned(),
            }),
        };
        ended.map_err(fault)??;
        Ok(touched)
    }

    fn block(
        &self,
        start: &dyn Fn(&Index) -> Thread,
        grid: Grid,
        number: usize,
        block: [usize; 3],
    ) -> Result<(), Fault> {
        let first: [usize; 3] = std::array::from_fn(|k| block[k] * grid.block[k]);
        let size: [usize; 3] = std::array::from_fn(|k| grid.block[k].min(grid.threads[k] - first[k]));
        BLOCK.with(|b| {
            b.votes.take();
            b.former.borrow_mut().extend(b.shared.take().into_values());
        });
        let mut threads: Vec<_> = (0..size.iter().product())
            .map(|thread| {
                let local = [thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]];
                let index = Index {
                    thread: std::array::from_fn(|k| first[k] + local[k]),
                    local,
                    block,
                    threads: grid.threads,
                    block_dim: grid.block,
                };
                Some((start(&index), Who { block: number, thread, phase: 0 }))
            })
            .collect();
        // From barrier to barrier until all threads have ended.
        for phase in 1.. {
            let mut at = BTreeSet::new();
            for i in grid.order.of(threads.len(), phase) {
                let Some((thread, who)) = &mut threads[i] else { continue };
                STATE.with_borrow_mut(|state| state.who = *who);
                BLOCK.with(|b| b.turns.set(0));
                match thread.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(()) => threads[i] = None,
                    Poll::Pending => {
                        at.insert(BLOCK.with(|b| b.waits.take()));
                        *who = STATE.with_borrow(|state| state.who);
                    }
                }
            }
            if at.is_empty() {
                break;
            }
            if at.len() > 1 || threads.iter().any(Option::is_none) {
                return Err(Fault::barrier(format!("some threads of block {block:?} wait where others never come")));
            }
        }
        Ok(())
    }
}
