//! Runs a kernel's versions over the same data and compares everything that they may touch.
//!
//! The reference implementation is the kernel's text as rustc compiles it for one thread
//! (`oracle::kernel`), which shares nothing with the expansion. Every version has to leave the same
//! bits and to touch the same elements: for every number of threads, in every order, at every level
//! of the CPU, with every array beginning at an even and at an odd element, and with guards around
//! each.
//!
//! The kernels written by hand have one list of parameters. Those whose subject is not Rust's but
//! ours, such as precision, barriers and votes, have a loop with the same result, too.

mod footprint;
pub(crate) mod stack;

use std::marker::PhantomData;
use std::sync::OnceLock;

use oracle::kernel as meant;
use oracle::kernel::{Argument, Kernel, Parameter, Touched};
use oracle::{Rng, edges};
use ptxf::Level;
use ptxf::kernel::{Grid, Order};

use crate::float::{Float, Kept, P};
use crate::slot::Slot;

/// Elements of an array beyond those of the threads.
pub(crate) const MARGIN: usize = 16;

/// A function that launches one version.
pub(crate) type Launch = fn(Grid, &mut [Slot]);

/// A kernel in one format.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<E> {
    /// The element type.
    pub(crate) element: PhantomData<E>,
    pub(crate) name: &'static str,
    /// The function with its attribute.
    pub(crate) source: &'static str,
    pub(crate) function: &'static str,
    /// Its path in `threads`.
    pub(crate) path: &'static str,
    /// The version in f32, unless f32 is the format.
    pub(crate) single: Option<Launch>,
    pub(crate) scalar: Launch,
    pub(crate) pair: Launch,
    /// The version with vectors. It is compiled for every level of the CPU, which takes long, so
    /// [`formats!`] decides where.
    pub(crate) wide: Option<Launch>,
}

impl<E> Siblings<E> {
    /// Returns the kernel as rustc compiles its text for one thread.
    pub(crate) fn meaning(&self) -> Kernel {
        threads::find(self.path).unwrap_or_else(|| panic!("no kernel is `{}`", self.path))
    }
}

/// A launch's grid and arguments.
#[derive(Clone)]
pub(crate) struct Data {
    pub(crate) threads: [usize; 3],
    pub(crate) block: [usize; 3],
    pub(crate) arguments: Vec<Argument>,
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

impl<E: Float> Arrays<E> {
    fn data(&self) -> Data {
        fn bits<E: Float>(x: &[P<E>]) -> Argument {
            Argument::Slice(x.iter().map(|x| x.0.bits().into()).collect())
        }
        let ints = |x: &[i32]| Argument::Slice(x.iter().map(|&x| (x as u32).into()).collect());
        Data {
            threads: self.grid,
            block: self.block,
            arguments: vec![
                Argument::Scalar(self.n as u64),
                Argument::Scalar(self.m as u64),
                Argument::Scalar(self.a.0.single().to_bits().into()),
                bits(&self.x),
                bits(&self.y),
                bits(&self.z),
                ints(&self.i),
                Argument::Slice(self.u.iter().map(|&x| x.into()).collect()),
                bits(&self.out),
                bits(&self.w),
                ints(&self.v),
            ],
        }
    }
}

/// Number of threads along the other axes of a kernel that has them.
const ROWS: [usize; 3] = [1, 3, 2];

/// Returns an edge case or an ordinary number.
pub(crate) fn number<E: Float>(rng: &mut Rng) -> E {
    match rng.below(4) {
        0 => {
            let edges = edges::of(E::TY);
            E::of_bits(edges[rng.below(edges.len() as u64) as usize] as u32)
        }
        1 => E::of_single(rng.between(-4, 4) as f32),
        _ => E::of_single(rng.between(-4000, 4000) as f32 / 512.0),
    }
}

fn arrays<E: Float>(rng: &mut Rng, grid: [usize; 3], block: Option<[usize; 3]>) -> Arrays<E> {
    let len = 3 * grid.iter().product::<usize>() + MARGIN;
    let floats = |rng: &mut Rng| (0..len).map(|_| P(number(rng))).collect::<Vec<_>>();
    Arrays {
        grid,
        block: block.unwrap_or([[256, 1, 1], [7, 2, 1], [4, 1, 2], [1, 1, 1]][rng.below(4) as usize]),
        n: grid[0],
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

/// The arguments in memory. A bit of `odd` for each array is set if the array begins at an odd
/// element.
fn memory<E: Float>(meaning: &Kernel, arguments: &[Argument], odd: u32) -> Vec<Slot> {
    slots::<E>(&meaning.parameters(), arguments, odd)
}

/// The arguments for these parameters.
fn slots<E: Float>(parameters: &[Parameter], arguments: &[Argument], odd: u32) -> Vec<Slot> {
    let slots = parameters.iter().zip(arguments).enumerate();
    slots.map(|(i, (p, a))| Slot::new::<E>(p, a, odd >> (i % 3) & 1 != 0)).collect()
}

fn bits(memory: &[Slot]) -> Vec<Vec<u64>> {
    memory.iter().map(Slot::bits).collect()
}

/// Returns the memory after a launch.
fn result<E: Float>(run: Launch, grid: Grid, meaning: &Kernel, data: &Data, odd: u32) -> Vec<Vec<u64>> {
    let mut memory = memory::<E>(meaning, &data.arguments, odd);
    run(grid, &mut memory);
    bits(&memory)
}

fn compare(meaning: &Kernel, got: &[Vec<u64>], want: &[Vec<u64>], what: impl Fn() -> String) {
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        if let Some(at) = (0..want.len()).find(|&at| got[at] != want[at]) {
            let (name, got, want) = (&meaning.parameters()[k].name, got[at], want[at]);
            panic!("{}: {name}[{at}] is {got:#x}, expected {want:#x}", what());
        }
    }
}

/// All numbers of threads up to a whole group and every rest, those around more groups, and some
/// large ones. A short run takes some of them.
///
/// Groups have up to 32 threads with vectors, and two without. Emulation (`PTXF_EMULATED=1`) is
/// tens of times slower, and AArch64's vectors have 8 threads.
fn sizes(wide: bool) -> impl Iterator<Item = usize> {
    let (most, more): (_, &[usize]) = if wide && !emulated() {
        (34, &[47, 63, 64, 65, 66, 70, 95, 97, 129, 257, 2 * PARALLEL + 1])
    } else {
        (17, &[PARALLEL])
    };
    let all = (0..=most).chain(more.iter().copied());
    let few = [0, 1, 2, 3, 7, 11, 16, 17, 23, 31, 32, 33, 47, 66, 129, PARALLEL, 2 * PARALLEL + 1];
    let long = oracle::long();
    all.filter(move |n| long || few.contains(n))
}

fn emulated() -> bool {
    std::env::var("PTXF_EMULATED").is_ok_and(|v| v == "1")
}

/// Launches of that many threads run on several cores.
const PARALLEL: usize = 300;

/// Bytes of stack for the vectors of unoptimized code.
const STACK: usize = 64 << 20;

/// A pool of several threads on every host.
fn cores() -> &'static rayon::ThreadPool {
    static CORES: OnceLock<rayon::ThreadPool> = OnceLock::new();
    CORES.get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(3).stack_size(STACK).build().expect("threads"))
}

const ORDERS: [Order; 3] = [Order::Serial, Order::Reversed, Order::Shuffled(0x5EED)];

/// A loop with the result of a kernel.
pub(crate) type ByHand<E> = fn(&mut Arrays<E>);

/// Compares `scalar` with a loop written by hand, if there is one, and all versions with `threads`.
pub(crate) fn check<E: Float>(kernel: Siblings<E>, by_hand: Option<ByHand<E>>) {
    with_stack(move || check_here(kernel, by_hand));
}

/// Runs a check on a thread with a large stack.
pub(crate) fn with_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check_here<E: Float>(kernel: Siblings<E>, by_hand: Option<ByHand<E>>) {
    let mut rng = Rng::new(0x6E_6E_01);
    let meaning = kernel.meaning();
    for n in sizes(kernel.wide.is_some()) {
        let grid = core::array::from_fn(|axis| {
            if axis == 0 {
                n
            } else if axis < meaning.axes() {
                ROWS[axis]
            } else {
                1
            }
        });
        let mut arrays_here = arrays::<E>(&mut rng, grid, None);
        let data = arrays_here.data();
        if let Some(by_hand) = by_hand {
            let got = result::<E>(kernel.scalar, Grid::from(data.threads).block(data.block), &meaning, &data, 0);
            by_hand(&mut arrays_here);
            let want = bits(&memory::<E>(&meaning, &arrays_here.data().arguments, 0));
            compare(&meaning, &got, &want, || format!("{}::scalar, n = {n}, against the loop by hand", kernel.name));
        }
        siblings(&kernel, &meaning, &data, stack::WRITTEN);
        if let Some(single) = kernel.single.filter(|_| n % 8 == 3) {
            let data = arrays::<f32>(&mut rng, grid, None).data();
            in_f32(&kernel, single, &meaning, &data);
        }
    }
}

/// The rows and planes for which a kernel is made, and its blocks if they are fixed.
pub(crate) struct Shape {
    pub(crate) rows: [usize; 2],
    pub(crate) block: Option<[usize; 3]>,
}

/// Compares the versions of a generated kernel with `threads`, for some numbers of threads.
pub(crate) fn check_siblings<E: Float>(kernel: Siblings<E>, shape: Shape, seed: u64) {
    with_stack(move || {
        let mut rng = Rng::new(seed);
        let meaning = kernel.meaning();
        let across = shape.block.map_or(16, |block| block[0]);
        let mut sizes = vec![0, 1, 2, across, across + 1];
        sizes.extend([rng.below(16), 17 + rng.below(16), 33 + rng.below(36)].map(|n| n as usize));
        sizes.extend((!emulated()).then_some(PARALLEL + across - 1));
        for n in sizes {
            let [rows, planes] = shape.rows;
            let grid = [n, rows, planes];
            let data = stored::<E>(&mut rng, &meaning, grid, shape.block);
            siblings(&kernel, &meaning, &data, stack::GENERATED);
            if let Some(single) = kernel.single.filter(|_| n < PARALLEL && n % 3 == 2) {
                in_f32(&kernel, single, &meaning, &stored::<f32>(&mut rng, &meaning, grid, shape.block));
            }
        }
    });
}

/// A launch on arrays. Those in narrow formats hold any code.
fn stored<E: Float>(rng: &mut Rng, meaning: &Kernel, grid: [usize; 3], block: Option<[usize; 3]>) -> Data {
    let mut data = arrays::<E>(rng, grid, block).data();
    for (parameter, argument) in meaning.parameters().iter().zip(&mut data.arguments) {
        if let (Some(codes), Argument::Slice(words)) = (parameter.codes(), argument) {
            words.fill_with(|| rng.below(codes));
        }
    }
    data
}

/// Returns the memory after the launch and the touched elements, by `threads`.
fn means(
    kernel: &Siblings<impl Float>,
    meaning: &Kernel,
    element: oracle::Ty,
    data: &Data,
) -> (Vec<Argument>, Touched) {
    let mut arguments = data.arguments.clone();
    // No program may depend on the order.
    let order = [meant::Order::Serial, meant::Order::Reversed, meant::Order::Shuffled(1)][data.threads[0] % 3];
    let grid = meant::Grid { threads: data.threads, block: data.block, order };
    match meaning.run(element, grid, &mut arguments) {
        Ok(touched) => (arguments, touched),
        Err(e) => panic!("{}, {:?} in blocks of {:?}: {e}\n{}\n", kernel.name, data.threads, data.block, kernel.source),
    }
}

pub(crate) fn in_f32<E: Float>(kernel: &Siblings<E>, single: Launch, meaning: &Kernel, data: &Data) {
    let (want, touched) = means(kernel, meaning, f32::TY, data);
    let want = bits(&memory::<f32>(meaning, &want, 0));
    let grid = Grid::from(data.threads).block(data.block);
    let name = |how: &str| {
        format!("{}::f32, {:?}, block {:?}, {how}\n{}\n", kernel.name, data.threads, data.block, kernel.source)
    };
    for order in ORDERS {
        let got = result::<f32>(single, grid.order(order), meaning, data, 0);
        compare(meaning, &got, &want, || name(&format!("{order:?}")));
    }
    footprint::same::<f32>(single, grid, meaning, data, &touched, || name("footprint"));
}

/// Compares all versions with `threads`. None may take more than `stack` bytes of stack.
pub(crate) fn siblings<E: Float>(kernel: &Siblings<E>, meaning: &Kernel, data: &Data, stack: usize) {
    let n = data.threads[0];
    let grid = Grid::from(data.threads).block(data.block);
    let name = |sibling: &str, how: &str| {
        let (threads, block) = (data.threads, data.block);
        format!("{}::{sibling}, {threads:?}, block {block:?}, {how}\n{}\n", kernel.name, kernel.source)
    };
    let (left, touched) = means(kernel, meaning, E::TY, data);
    if n >= PARALLEL {
        let want = bits(&memory::<E>(meaning, &left, 0));
        for (sibling, run) in [("scalar", Some(kernel.scalar)), ("pair", Some(kernel.pair)), ("wide", kernel.wide)] {
            if let Some(run) = run {
                let got = cores().install(|| result::<E>(run, grid.parallel(), meaning, data, 0));
                compare(meaning, &got, &want, || name(sibling, "in parallel"));
            }
        }
        return;
    }
    // Over the sizes each array begins at both parities beside both of every other one; for some
    // sizes, in all combinations.
    let few = [n as u32 * 3 % 8, !(n as u32 * 3) % 8];
    let parities = if n % 16 == 7 { (0..8).collect() } else { few.to_vec() };
    for odd in parities {
        let want = bits(&memory::<E>(meaning, &left, odd));
        for order in ORDERS {
            if order != Order::Serial && odd != few[0] {
                continue;
            }
            let got = result::<E>(kernel.scalar, grid.order(order), meaning, data, odd);
            compare(meaning, &got, &want, || name("scalar", &format!("odd {odd:03b}, {order:?}")));
            for head in [false, true] {
                let got = result::<E>(kernel.pair, grid.order(order).head(head), meaning, data, odd);
                compare(meaning, &got, &want, || name("pair", &format!("odd {odd:03b}, head {head}, {order:?}")));
            }
            for level in Level::available() {
                if let Some(wide) = kernel.wide {
                    let got = result::<E>(wide, grid.order(order).level(level), meaning, data, odd);
                    compare(meaning, &got, &want, || name("wide", &format!("odd {odd:03b}, {level}, {order:?}")));
                }
            }
        }
    }
    if [2, 7].contains(&n) {
        let parameters = meaning.parameters();
        let little = |run: Launch, grid: Grid, what: String| {
            stack::is_below(stack, || run(grid, &mut slots::<E>(&parameters, &data.arguments, 0)), || what.clone());
        };
        little(kernel.scalar, grid, name("scalar", "stack"));
        little(kernel.pair, grid, name("pair", "stack"));
        for level in Level::available() {
            if let Some(wide) = kernel.wide {
                little(wide, grid.level(level), name("wide", &format!("stack, {level}")));
            }
        }
    }
    footprint::same::<E>(kernel.scalar, grid, meaning, data, &touched, || name("scalar", "footprint"));
    for head in [false, true] {
        footprint::same::<E>(kernel.pair, grid.head(head), meaning, data, &touched, || {
            name("pair", &format!("head {head}"))
        });
    }
    for level in Level::available() {
        if let Some(wide) = kernel.wide {
            footprint::same::<E>(wide, grid.level(level), meaning, data, &touched, || {
                name("wide", &format!("{level}"))
            });
        }
    }
}

/// A kernel with the parameters of [`Arrays`], in three formats, and if it is given a loop with the
/// same result; a test of each format.
///
/// The parameters' names follow the indices and are the same for all kernels: hygiene hides names
/// that a macro brings from its caller.
macro_rules! kernel {
    (
        $(#[$attribute:meta])*
        $name:ident ($($index:ident: $Index:ident),+; $($p:ident)+) keep($($keep:ident),*) $($fuse:ident)? {
            $($body:tt)*
        }
        $(by hand($s:ident) { $($hand:tt)* })?
    ) => {
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "what kernels call")]
            use super::*;

            $crate::harness::formats! {
                $name ($($index: $Index),+; $($p)+) keep($($keep),*) $($fuse)? { $($body)* }
            }

            fn by_hand<E: $crate::float::Float>() -> Option<$crate::harness::ByHand<E>> {
                let given: &[$crate::harness::ByHand<E>] = &[$(|$s| { $($hand)* })?];
                given.first().copied()
            }

            #[test]
            fn in_f16() {
                $crate::harness::check(f16(), by_hand());
            }

            #[cfg(not(few_formats))]
            #[test]
            fn in_bf16() {
                $crate::harness::check(bf16(), by_hand());
            }

            #[cfg(not(few_formats))]
            #[test]
            fn in_f32() {
                $crate::harness::check(single(), by_hand());
            }
        }
    };
}
pub(crate) use kernel;

/// The versions of one body in each format: the functions `f16`, `bf16` and `single`. `wide` is in
/// the first only, as all formats share the expansion, and the runtime's own tests compare its
/// operations in all of them.
macro_rules! formats {
    (
        $name:ident (
            $($index:ident: $Index:ident),+;
            $n:ident $m:ident $a:ident $x:ident $y:ident $z:ident $i:ident $u:ident $out:ident $w:ident $v:ident
        ) keep $keep:tt $($fuse:ident)? { $($body:tt)* }
    ) => {
        $crate::harness::formats! { @
            f16 F16x2 ptxf::F16, Some(wide) Some(f32),
            $name ($($index: $Index),+; $n $m $a $x $y: f32 $z $i $u $out: f32 $w $v) keep $keep $($fuse)? { $($body)* }
        }
        $crate::harness::formats! { @
            bf16 Bf16x2 ptxf::Bf16, None None,
            $name ($($index: $Index),+; $n $m $a $x $y: f32 $z $i $u $out: f32 $w $v) keep $keep $($fuse)? { $($body)* }
        }
        $crate::harness::formats! { @
            single F32x2 f32, None None,
            $name ($($index: $Index),+; $n $m $a $x $y: f32 $z $i $u $out: f32 $w $v) keep $keep $($fuse)? { $($body)* }
        }
    };
    (@
        $format:ident $pair:ident $element:ty, $some:ident $(($wide:ident))? $has:ident $(($f32:ident))?,
        $name:ident (
            $($index:ident: $Index:ident),+;
            $n:ident $m:ident $a:ident $x:ident $y:ident: $Y:ident $z:ident $i:ident $u:ident
            $out:ident: $Out:ident $w:ident $v:ident
        ) keep($($keep:ident),*) $($fuse:ident)? { $($body:tt)* }
    ) => {
        fn $format() -> $crate::harness::Siblings<$element> {
            #[ptxf::ptx_kernel(pair = $pair, keep($z, $w $(, $keep)*) $(, $fuse)?)]
            fn kernel(
                $($index: $Index,)+
                $n: usize,
                $m: usize,
                $a: f32,
                $x: &[f32],
                $y: &[$Y],
                $z: &[f32],
                $i: &[i32],
                $u: &[u32],
                $out: &mut [$Out],
                $w: &mut [f32],
                $v: &mut [i32],
            ) {
                $($body)*
            }
            $crate::harness::Siblings {
                element: std::marker::PhantomData,
                name: stringify!($name),
                source: concat!(
                    "#[ptx_kernel(pair = ", stringify!($pair), ", keep(z, w", $(", ", stringify!($keep),)* ")",
                    $(", ", stringify!($fuse),)? ")]\n",
                    "fn kernel(", $(stringify!($index), ": ", stringify!($Index), ", ",)+
                    "n: usize, m: usize, a: f32, x: &[f32], y: &[", stringify!($Y), "], z: &[f32], i: &[i32], u: &[u32], ",
                    "out: &mut [", stringify!($Out), "], w: &mut [f32], v: &mut [i32]) {\n", stringify!($($body)*), "\n}"
                ),
                function: "kernel",
                path: module_path!(),
                single: $has $(($crate::harness::launch!(kernel::$f32)))?,
                scalar: $crate::harness::launch!(kernel::scalar),
                pair: $crate::harness::launch!(kernel::pair),
                wide: $some $(($crate::harness::launch!(kernel::$wide)))?,
            }
        }
    };
}
pub(crate) use formats;

/// A [`Launch`] of a version with the parameters of [`Arrays`].
macro_rules! launch {
    ($kernel:ident::$sibling:ident) => {
        |grid, s| {
            let [n, m, a, x, y, z, i, u, out, w, v] = s else { unreachable!("one for each parameter") };
            $kernel::$sibling(
                grid,
                n.int() as usize,
                m.int() as usize,
                a.float(),
                x.slice(),
                y.slice(),
                z.slice(),
                i.slice(),
                u.slice(),
                out.slice_mut(),
                w.slice_mut(),
                v.slice_mut(),
            );
        }
    };
}
pub(crate) use launch;
