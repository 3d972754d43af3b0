//! All cores: how slices and kernels scale over rayon's threads.
//!
//! Pools of 1, 2, 4, … threads run the same calls, and with each a copy of the same bytes in as many chunks. In each round every
//! contender runs once, and the best of its rounds counts. Before anything is timed, each pool's results are compared with those of the
//! call without a pool. Operands are in memory, beyond the caches, but for a kernel that computes long enough for where they are not to matter.
//!
//! ```sh
//! cargo bench -p benches --bench parallel
//! ```

mod common;

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use common::Random;
use ptxf::kernel::Grid;
use ptxf::{Bf16, F16, F16x2, Level, ptx_kernel, slice};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Elements of a slice in memory: 64 MiB of f16.
const MEMORY: usize = 32 << 20;
/// Threads of the kernel that computes.
const THREADS: usize = 1 << 20;
/// How long the rounds of a contender and all its pools take.
const TIME: Duration = Duration::from_secs(6);

#[ptx_kernel(pair = F16x2)]
fn saxpy(t: ThreadX, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
    out[t] = a * x[t] + y[t];
}

#[ptx_kernel(pair = F16x2)]
fn iterate(t: ThreadX, rounds: usize, x: &[f32], out: &mut [f32]) {
    let mut value = x[t];
    for _ in 0..rounds {
        value = value * 0.75 + 0.125;
    }
    out[t] = value;
}

/// What is run, with a slice for its results.
struct Contender {
    name: &'static str,
    elements: usize,
    run: Box<dyn FnMut(Run) -> u64 + Send>,
}

#[derive(Clone, Copy)]
enum Run {
    /// Without a pool.
    Alone,
    /// In the pool that it is called in.
    Pool,
    /// Only take back what has been written.
    Clear,
    /// Only tell a checksum of what has been written.
    Check,
}

/// A contender that computes so many elements; it is told whether it may use rayon's threads.
fn contender<T: Copy + Default + Send + 'static>(
    name: &'static str,
    elements: usize,
    bits: fn(T) -> u32,
    work: impl Fn(bool, &mut [T]) + Send + 'static,
) -> Contender {
    let mut out = vec![T::default(); elements];
    let run = move |run| {
        match run {
            Run::Alone => work(false, &mut out),
            Run::Pool => work(true, &mut out),
            Run::Clear => out.fill(T::default()),
            Run::Check => {
                let step = |sum: u64, &x| sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(bits(x));
                return out.iter().fold(0, step);
            }
        }
        0
    };
    Contender { name, elements, run: Box::new(run) }
}

/// An operation on slices, with its operands.
macro_rules! operation {
    ($name:ident($($operand:expr),*) $bits:expr) => {{
        let operands = [$($operand),*];
        contender(stringify!($name), MEMORY, $bits, move |parallel, out| {
            if parallel {
                operation!(@call $name operands slice::par(out), $($operand),*);
            } else {
                operation!(@call $name operands out, $($operand),*);
            }
        })
    }};
    (@call $name:ident $x:ident $out:expr, $a:expr) => { slice::$name(&$x[0], $out) };
    (@call $name:ident $x:ident $out:expr, $a:expr, $b:expr) => { slice::$name(&$x[0], &$x[1], $out) };
    (@call $name:ident $x:ident $out:expr, $a:expr, $b:expr, $c:expr) => { slice::$name(&$x[0], &$x[1], &$x[2], $out) };
}

fn f16s(seed: u64, len: usize) -> Vec<F16> {
    let mut random = Random(seed);
    (0..len).map(|_| F16::from_f32(random.unit() as f32)).collect()
}

fn f32s(seed: u64, len: usize) -> Vec<f32> {
    let mut random = Random(seed);
    (0..len).map(|_| random.unit() as f32).collect()
}

fn contenders() -> Vec<Contender> {
    let (f16_bits, bf16_bits) = (|x: F16| u32::from(x.to_bits()), |x: Bf16| u32::from(x.to_bits()));
    let bf16s = |seed| f32s(seed, MEMORY).into_iter().map(Bf16::from_f32).collect::<Vec<_>>();
    let grid = |threads, parallel| if parallel { Grid::from(threads).parallel() } else { Grid::from(threads) };
    let from = f16s(1, MEMORY);
    let copy = move |parallel, to: &mut [F16]| {
        let chunk = if parallel { 1 << 15 } else { MEMORY };
        to.par_chunks_mut(chunk).zip(from.par_chunks(chunk)).for_each(|(to, from)| to.copy_from_slice(from));
    };
    let [x, y] = [2, 3].map(|seed| f16s(seed, MEMORY));
    let axpy = move |parallel, out: &mut [F16]| saxpy::wide(grid(MEMORY, parallel), 0.3, &x, &y, out);
    let x = f16s(4, THREADS);
    let compute = move |parallel, out: &mut [F16]| iterate::wide(grid(THREADS, parallel), 64, &x, out);
    vec![
        contender("memcpy", MEMORY, f16_bits, copy),
        operation!(add_rn_f16(f16s(5, MEMORY), f16s(6, MEMORY)) f16_bits),
        operation!(fma_rn_bf16(bf16s(7), bf16s(8), bf16s(9)) bf16_bits),
        operation!(tanh_approx_f16(f16s(10, MEMORY)) f16_bits),
        operation!(sin_approx_f32(f32s(11, MEMORY)) f32::to_bits),
        contender("kernel: a * x + y, f16", MEMORY, f16_bits, axpy),
        contender("kernel: 64 such steps, f16", THREADS, f16_bits, compute),
    ]
}

fn main() {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let counts: Vec<usize> = (0..).map(|i| 1 << i).take_while(|&n| n < cores).chain([cores]).collect();
    let pool = |&threads: &usize| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let pools: Vec<ThreadPool> = counts.iter().map(pool).collect();
    println!(
        "level {}, {cores} cores; ns per element, and in brackets how many times as fast as without a pool",
        Level::detect()
    );
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(
        ["what".to_owned(), "alone".to_owned()].into_iter().chain(counts.iter().map(|n| format!("{n} threads"))),
    );
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for mut contender in contenders() {
        table.add_row(contender.row(&pools));
    }
    println!("{table}");
}

impl Contender {
    fn row(&mut self, pools: &[ThreadPool]) -> Vec<String> {
        (self.run)(Run::Alone);
        let want = (self.run)(Run::Check);
        for pool in pools {
            (self.run)(Run::Clear);
            pool.install(|| (self.run)(Run::Pool));
            let threads = pool.current_num_threads();
            assert!((self.run)(Run::Check) == want, "{}: other bits on {threads} threads", self.name);
        }
        let mut best = vec![Duration::MAX; 1 + pools.len()];
        let begin = Instant::now();
        while begin.elapsed() < TIME {
            for (i, best) in best.iter_mut().enumerate() {
                let start = Instant::now();
                match i.checked_sub(1) {
                    None => (self.run)(Run::Alone),
                    Some(i) => pools[i].install(|| (self.run)(Run::Pool)),
                };
                *best = (*best).min(start.elapsed());
            }
        }
        let ns = |time: Duration| time.as_secs_f64() * 1e9 / self.elements as f64;
        let ratio = |time: &Duration| format!("{:.3} ({:.2})", ns(*time), best[0].as_secs_f64() / time.as_secs_f64());
        [self.name.to_owned(), format!("{:.3}", ns(best[0]))].into_iter().chain(best[1..].iter().map(ratio)).collect()
    }
}
