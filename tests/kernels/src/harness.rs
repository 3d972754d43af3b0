//! Runs a kernel's siblings over the same data and compares everything they may touch.
//!
//! All kernels here have one list of parameters, so that one harness drives them. `scalar` is compared with a loop written
//! by hand, and every other sibling with `scalar`: for every number of threads, with every array beginning at an even and at
//! an odd element, and with guard elements around each array.

use std::sync::OnceLock;

use ptxf::Level;
use ptxf::kernel::{Grid, Order};
use testutil::{Rng, edges};

use crate::float::{Float, Kept, P};

/// Elements on each side of an array that nobody may touch.
const GUARD: usize = 8;

/// Elements of an array that belong to it beyond those of the threads.
pub(crate) const MARGIN: usize = 16;

/// What a kernel is given.
pub(crate) struct Args<'a, E> {
    pub(crate) n: usize,
    pub(crate) m: usize,
    pub(crate) a: f32,
    pub(crate) x: &'a [E],
    pub(crate) y: &'a [E],
    pub(crate) z: &'a [f32],
    pub(crate) i: &'a [i32],
    pub(crate) u: &'a [u32],
    pub(crate) out: &'a mut [E],
    pub(crate) w: &'a mut [f32],
    pub(crate) v: &'a mut [i32],
}

/// Launches one sibling.
pub(crate) type Launch<E> = fn(Grid, Args<'_, E>);

/// A kernel in one format.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<E> {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    pub(crate) axes: usize,
    pub(crate) scalar: Launch<E>,
    pub(crate) pair: Launch<E>,
    /// Compiled for every level of the CPU, which takes long: where [`formats!`] says so.
    pub(crate) wide: Option<Launch<E>>,
}

/// The same data as arrays of numbers, for a loop written by hand.
pub(crate) struct Arrays<E> {
    /// Threads along x, y and z, and those of a block.
    pub(crate) grid: [usize; 3],
    pub(crate) block: [usize; 3],
    pub(crate) n: usize,
    pub(crate) m: usize,
    pub(crate) a: P<E>,
    pub(crate) x: Vec<P<E>>,
    pub(crate) y: Vec<P<E>>,
    pub(crate) z: Vec<Kept>,
    pub(crate) i: Vec<i32>,
    pub(crate) u: Vec<u32>,
    pub(crate) out: Vec<P<E>>,
    pub(crate) w: Vec<Kept>,
    pub(crate) v: Vec<i32>,
}

/// Threads along the other axes of a kernel that has them.
const ROWS: [usize; 3] = [1, 3, 2];

/// An array between guards, which begins at an even address (in elements) or at an odd one.
#[derive(Clone)]
struct Buffer<T> {
    all: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Copy> Buffer<T> {
    fn new(content: &[T], guard: T, odd: bool) -> Self {
        let len = content.len();
        // The allocation is moved in, not copied, so the address is the one that the kernel gets.
        let mut all = vec![guard; len + 2 * GUARD + 2];
        let even = (all.as_ptr().addr() / size_of::<T>()).is_multiple_of(2);
        let first = GUARD + usize::from(even == odd);
        all[first..first + len].copy_from_slice(content);
        Self { all, first, len }
    }
    fn get(&self) -> &[T] {
        &self.all[self.first..self.first + self.len]
    }
    fn get_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..self.first + self.len]
    }
}

/// The arrays of one launch. Which of them begin at an odd element is in the bits of `odd`.
struct Memory<E> {
    x: Buffer<E>,
    y: Buffer<E>,
    z: Buffer<f32>,
    i: Buffer<i32>,
    u: Buffer<u32>,
    out: Buffer<E>,
    w: Buffer<f32>,
    v: Buffer<i32>,
}

impl<E: Float> Memory<E> {
    fn new(of: &Arrays<E>, odd: u32) -> Self {
        let odd = |bit: u32| odd >> bit & 1 != 0;
        let bare = |x: &[P<E>]| x.iter().map(|x| x.0).collect::<Vec<_>>();
        let kept = |x: &[Kept]| x.iter().map(|x| x.0).collect::<Vec<_>>();
        let guard = E::of_bits(0x4D4D);
        Self {
            x: Buffer::new(&bare(&of.x), guard, odd(0)),
            y: Buffer::new(&bare(&of.y), guard, odd(1)),
            z: Buffer::new(&kept(&of.z), 77.0, odd(0)),
            i: Buffer::new(&of.i, 77, odd(1)),
            u: Buffer::new(&of.u, 77, odd(2)),
            out: Buffer::new(&bare(&of.out), guard, odd(2)),
            w: Buffer::new(&kept(&of.w), 77.0, odd(2)),
            v: Buffer::new(&of.v, 77, odd(2)),
        }
    }

    /// Bits of everything in memory, guards and all.
    fn bits(&self) -> Vec<Vec<u32>> {
        let float = |b: &Buffer<E>| b.get().iter().map(|x| x.bits()).chain(guards(b).map(Float::bits)).collect();
        let single = |b: &Buffer<f32>| b.get().iter().map(|x| x.to_bits()).chain(guards(b).map(f32::to_bits)).collect();
        vec![
            float(&self.out),
            single(&self.w),
            self.v.get().iter().copied().chain(guards(&self.v)).map(|x| x as u32).collect(),
            float(&self.x),
            float(&self.y),
            single(&self.z),
            self.i.get().iter().copied().chain(guards(&self.i)).map(|x| x as u32).collect(),
            self.u.get().iter().copied().chain(guards(&self.u)).collect(),
        ]
    }
}

/// Names of what [`Memory::bits`] returns.
const NAMES: [&str; 8] = ["out", "w", "v", "x", "y", "z", "i", "u"];

fn guards<T: Copy>(b: &Buffer<T>) -> impl Iterator<Item = T> {
    b.all[..b.first].iter().chain(&b.all[b.first + b.len..]).copied()
}

fn launch<E: Float>(run: Launch<E>, grid: Grid, of: &Arrays<E>, memory: &mut Memory<E>) {
    run(
        grid,
        Args {
            n: of.n,
            m: of.m,
            a: of.a.0.single(),
            x: memory.x.get(),
            y: memory.y.get(),
            z: memory.z.get(),
            i: memory.i.get(),
            u: memory.u.get(),
            out: memory.out.get_mut(),
            w: memory.w.get_mut(),
            v: memory.v.get_mut(),
        },
    );
}

/// A number of a kind that goes wrong, or one to compute with.
fn number<E: Float>(rng: &mut Rng) -> E {
    match rng.below(4) {
        0 => {
            let edges = edges::of(E::TY);
            E::of_bits(edges[rng.below(edges.len() as u64) as usize] as u32)
        }
        1 => E::of_single(rng.between(-4, 4) as f32),
        _ => E::of_single(rng.between(-4000, 4000) as f32 / 512.0),
    }
}

fn arrays<E: Float>(rng: &mut Rng, axes: usize, n: usize) -> Arrays<E> {
    let grid: [usize; 3] = core::array::from_fn(|axis| match axis {
        0 => n,
        axis if axis < axes => ROWS[axis],
        _ => 1,
    });
    let len = 3 * grid.iter().product::<usize>() + MARGIN;
    let floats = |rng: &mut Rng| (0..len).map(|_| P(number(rng))).collect::<Vec<_>>();
    Arrays {
        grid,
        block: [[256, 1, 1], [7, 2, 1], [4, 1, 2], [1, 1, 1]][rng.below(4) as usize],
        n,
        m: rng.below(6) as usize,
        a: P(number(rng)),
        x: floats(rng),
        y: floats(rng),
        z: (0..len).map(|_| P(number(rng))).collect(),
        i: (0..len).map(|_| rng.between(-4, 9)).collect(),
        u: (0..len).map(|_| rng.below(len as u64) as u32).collect(),
        out: floats(rng),
        w: (0..len).map(|_| P(number(rng))).collect(),
        v: (0..len).map(|_| rng.between(-4, 9)).collect(),
    }
}

/// What a launch leaves.
fn result<E: Float>(run: Launch<E>, grid: Grid, of: &Arrays<E>, odd: u32) -> Vec<Vec<u32>> {
    let mut memory = Memory::new(of, odd);
    launch(run, grid, of, &mut memory);
    memory.bits()
}

fn compare(got: &[Vec<u32>], want: &[Vec<u32>], what: impl Fn() -> String) {
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        if let Some(at) = (0..want.len()).find(|&at| got[at] != want[at]) {
            let (name, got, want) = (NAMES[k], got[at], want[at]);
            panic!("{}: {name}[{at}] is {got:#x}, expected {want:#x}", what());
        }
    }
}

/// All numbers of threads up to where every sibling has had a few whole groups and every rest, and some large ones.
///
/// Emulated, as `PTXF_EMULATED=1` says, that is tens of times slower, and vectors are those of AArch64, of 8 threads.
fn sizes() -> impl Iterator<Item = usize> {
    let emulated = std::env::var("PTXF_EMULATED").is_ok_and(|v| v == "1");
    let (most, large): (_, &[usize]) = if emulated { (17, &[PARALLEL]) } else { (70, &[257, 2501]) };
    (0..=most).chain(large.iter().copied())
}

/// Launches of so many threads run on several cores: more than go to one of them.
const PARALLEL: usize = 300;

/// Bytes for the vectors of code that is hardly optimized.
const STACK: usize = 64 << 20;

/// Several threads of the host, whatever its cores.
fn cores() -> &'static rayon::ThreadPool {
    static CORES: OnceLock<rayon::ThreadPool> = OnceLock::new();
    CORES.get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(3).stack_size(STACK).build().expect("threads"))
}

const ORDERS: [Order; 3] = [Order::Serial, Order::Reversed, Order::Shuffled(0x5EED)];

/// Compares `scalar` with a loop written by hand, then all siblings with `scalar`.
pub(crate) fn check<E: Float>(kernel: Siblings<E>, by_hand: fn(&mut Arrays<E>)) {
    with_stack(move || check_here(kernel, by_hand));
}

/// Runs it where there is room.
fn with_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check_here<E: Float>(kernel: Siblings<E>, by_hand: fn(&mut Arrays<E>)) {
    let mut rng = Rng::new(0x6E_6E_01);
    for n in sizes() {
        let data = arrays::<E>(&mut rng, kernel.axes, n);
        let got = result(kernel.scalar, Grid::from(data.grid).block(data.block), &data, 0);
        let mut hand = Arrays { x: data.x.clone(), y: data.y.clone(), z: data.z.clone(), i: data.i.clone(), ..data };
        let (out, w, v) = (hand.out.clone(), hand.w.clone(), hand.v.clone());
        by_hand(&mut hand);
        let want = Memory::new(&hand, 0).bits();
        compare(&got, &want, || format!("{}::scalar, n = {n}, against the loop by hand", kernel.name));
        siblings(kernel, &Arrays { out, w, v, ..hand });
    }
}

/// Compares the siblings only, for kernels that nobody wrote.
pub(crate) fn check_siblings<E: Float>(kernel: Siblings<E>, seed: u64) {
    with_stack(move || {
        let mut rng = Rng::new(seed);
        for n in sizes() {
            siblings(kernel, &arrays::<E>(&mut rng, kernel.axes, n));
        }
    });
}

fn siblings<E: Float>(kernel: Siblings<E>, data: &Arrays<E>) {
    let n = data.n;
    let grid = Grid::from(data.grid).block(data.block);
    let name = |sibling: &str, how: &str| {
        format!("{}::{sibling}, n = {n}, block {:?}, {how}\n{}\n", kernel.name, data.block, kernel.source)
    };
    if n >= PARALLEL {
        let want = result(kernel.scalar, grid, data, 0);
        for (sibling, run) in [("scalar", Some(kernel.scalar)), ("pair", Some(kernel.pair)), ("wide", kernel.wide)] {
            if let Some(run) = run {
                let got = cores().install(|| result(run, grid.parallel(), data, 0));
                compare(&got, &want, || name(sibling, "in parallel"));
            }
        }
        return;
    }
    // Over the sizes each array begins at both parities beside both of every other one; for some sizes, all at once.
    let few = [n as u32 * 3 % 8, !(n as u32 * 3) % 8];
    let parities = if n % 16 == 7 { (0..8).collect() } else { few.to_vec() };
    for odd in parities {
        let want = result(kernel.scalar, grid, data, odd);
        for order in ORDERS {
            if order != Order::Serial && odd != few[0] {
                continue;
            }
            let got = result(kernel.scalar, grid.order(order), data, odd);
            compare(&got, &want, || name("scalar", &format!("odd {odd:03b}, {order:?}")));
            for head in [false, true] {
                let got = result(kernel.pair, grid.order(order).head(head), data, odd);
                compare(&got, &want, || name("pair", &format!("odd {odd:03b}, head {head}, {order:?}")));
            }
            for level in Level::available() {
                if let Some(wide) = kernel.wide {
                    let got = result(wide, grid.order(order).level(level), data, odd);
                    compare(&got, &want, || name("wide", &format!("odd {odd:03b}, {level}, {order:?}")));
                }
            }
        }
    }
    footprint::siblings(kernel, data, grid, name);
}

/// Which elements a launch touches.
mod footprint {
    use std::collections::BTreeSet;

    use ptxf::kernel::trace;

    use super::*;

    /// The array (by its name), the element, and whether it is written.
    type Touched = BTreeSet<(&'static str, usize, bool)>;

    pub(super) fn siblings<E: Float>(
        kernel: Siblings<E>,
        data: &Arrays<E>,
        grid: Grid,
        name: impl Fn(&str, &str) -> String,
    ) {
        let want = of(kernel.scalar, grid, data);
        let same = |got: Touched, what: String| {
            let (more, less) = (got.difference(&want).next(), want.difference(&got).next());
            assert!(more.is_none() && less.is_none(), "{what}: touches {more:?}, not {less:?}");
        };
        for head in [false, true] {
            same(of(kernel.pair, grid.head(head), data), name("pair", &format!("head {head}")));
        }
        for level in Level::available() {
            if let Some(wide) = kernel.wide {
                same(of(wide, grid.level(level), data), name("wide", &format!("{level}")));
            }
        }
    }

    fn of<E: Float>(run: Launch<E>, grid: Grid, data: &Arrays<E>) -> Touched {
        let mut memory = Memory::new(data, 0);
        let seen = trace::accesses(|| launch(run, grid, data, &mut memory));
        fn array<T: Copy>(name: &'static str, b: &Buffer<T>) -> (&'static str, usize, usize, usize) {
            (name, b.get().as_ptr().addr(), size_of::<T>(), b.len)
        }
        let arrays = [
            array("x", &memory.x),
            array("y", &memory.y),
            array("z", &memory.z),
            array("i", &memory.i),
            array("u", &memory.u),
            array("out", &memory.out),
            array("w", &memory.w),
            array("v", &memory.v),
        ];
        let element = |a: &trace::Access| {
            let (name, first, size, _) = *arrays
                .iter()
                .find(|(_, first, size, len)| a.address >= *first && a.address < first + size * len)
                .unwrap_or_else(|| panic!("an access outside of all arrays: {a:?}"));
            assert_eq!(a.bytes, size, "an access to {name} of another size");
            (name, (a.address - first) / size, a.store)
        };
        seen.iter().map(element).collect()
    }
}

/// A kernel with the parameters of [`Args`], in three formats, and a loop that does the same; a test of each format.
///
/// The parameters are named behind the indices, always alike: names that a macro brings are not those of its caller.
macro_rules! kernel {
    (
        $(#[$attribute:meta])*
        $name:ident ($($index:ident: $Index:ident),+; $($p:ident)+) keep($($keep:ident),*) { $($body:tt)* }
        by hand($s:ident) { $($hand:tt)* }
    ) => {
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "what kernels call")]
            use super::*;

            $crate::harness::formats! {
                $name ($($index: $Index),+; $($p)+) keep($($keep),*) { $($body)* }
            }

            fn by_hand<E: $crate::float::Float>($s: &mut $crate::harness::Arrays<E>) {
                $($hand)*
            }

            #[test]
            fn in_f16() {
                $crate::harness::check(f16(), by_hand);
            }

            #[test]
            fn in_bf16() {
                $crate::harness::check(bf16(), by_hand);
            }

            #[test]
            fn in_f32() {
                $crate::harness::check(single(), by_hand);
            }
        }
    };
}
pub(crate) use kernel;

/// The siblings of one body in each format: the functions `f16`, `bf16` and `single`; wide in the first only, as all formats
/// share the expansion, and the runtime's own tests compare its operations in all of them.
macro_rules! formats {
    ($name:ident ($($index:ident: $Index:ident),+; $($p:ident)+) keep($($keep:ident),*) { $($body:tt)* }) => {
        $crate::harness::formats! { @
            f16 F16x2 ptxf::F16, Some(wide),
            $name ($($index: $Index),+; $($p)+) keep($($keep),*) { $($body)* }
        }
        $crate::harness::formats! { @
            bf16 Bf16x2 ptxf::Bf16, None,
            $name ($($index: $Index),+; $($p)+) keep($($keep),*) { $($body)* }
        }
        $crate::harness::formats! { @
            single F32x2 f32, None,
            $name ($($index: $Index),+; $($p)+) keep($($keep),*) { $($body)* }
        }
    };
    (@
        $format:ident $pair:ident $element:ty, $some:ident $(($wide:ident))?,
        $name:ident (
            $($index:ident: $Index:ident),+;
            $n:ident $m:ident $a:ident $x:ident $y:ident $z:ident $i:ident $u:ident $out:ident $w:ident $v:ident
        ) keep($($keep:ident),*) { $($body:tt)* }
    ) => {
        fn $format() -> $crate::harness::Siblings<$element> {
            #[ptxf::ptx_kernel(pair = $pair, keep($z, $w $(, $keep)*))]
            fn kernel(
                $($index: $Index,)+
                $n: usize,
                $m: usize,
                $a: f32,
                $x: &[f32],
                $y: &[f32],
                $z: &[f32],
                $i: &[i32],
                $u: &[u32],
                $out: &mut [f32],
                $w: &mut [f32],
                $v: &mut [i32],
            ) {
                $($body)*
            }
            $crate::harness::Siblings {
                name: stringify!($name),
                source: stringify!($($body)*),
                axes: $crate::harness::axes(&[$(stringify!($Index)),+]),
                scalar: |grid, s| kernel::scalar(grid, s.n, s.m, s.a, s.x, s.y, s.z, s.i, s.u, s.out, s.w, s.v),
                pair: |grid, s| kernel::pair(grid, s.n, s.m, s.a, s.x, s.y, s.z, s.i, s.u, s.out, s.w, s.v),
                wide: $some $((|grid, s| kernel::$wide(grid, s.n, s.m, s.a, s.x, s.y, s.z, s.i, s.u, s.out, s.w, s.v)))?,
            }
        }
    };
}
pub(crate) use formats;

/// Axes that a kernel with these indices has.
pub(crate) fn axes(indices: &[&str]) -> usize {
    let axis = |name: &&str| 1 + ["X", "Y", "Z"].iter().position(|axis| name.ends_with(axis)).expect("an index");
    indices.iter().map(axis).max().unwrap_or(1)
}
