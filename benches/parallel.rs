//! Times slices and kernels on 1, 2, 4, … of rayon's threads.
//!
//! Each pool of threads runs the same calls, and a copy of the same bytes in as many chunks. In
//! each round every contender runs once, and its best round counts. Before anything is timed, each
//! pool's results are compared with those of the call without a pool. Operands exceed the caches,
//! except for the kernel that is limited by computation.
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
use ptxf::slice::OutputAt;
use ptxf::{Bf16, F16, Level, ptx_kernel, slice};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Elements of a slice in memory: 64 MiB of f16.
const MEMORY: usize = 32 << 20;
/// Elements of a copy's chunk, equal to those of an operation on slices.
const CHUNK: usize = 1 << 15;
/// Threads of the kernel that is limited by computation.
const THREADS: usize = 1 << 20;
/// The time that the rounds of a contender take on all pools together.
const TIME: Duration = Duration::from_secs(6);

#[ptx_kernel(pair = F16x2)]
fn axpy(t: ThreadX, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
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

/// A timed call.
trait Contender: Send {
    fn name(&self) -> &'static str;
    fn elements(&self) -> usize;
    /// Runs on rayon's threads, or on the current thread.
    fn run(&mut self, parallel: bool);
    /// Resets the output.
    fn clear(&mut self);
    /// Returns a checksum of the output's bits.
    fn checksum(&self) -> u64;
}

/// A call, and the slice that it writes.
struct Writes<T, W> {
    name: &'static str,
    bits: fn(T) -> u32,
    work: W,
    out: Vec<T>,
}

impl<T: Copy + Default + Send, W: Fn(bool, &mut [T]) + Send> Contender for Writes<T, W> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn elements(&self) -> usize {
        self.out.len()
    }

    fn run(&mut self, parallel: bool) {
        (self.work)(parallel, &mut self.out);
    }

    fn clear(&mut self) {
        self.out.fill(T::default());
    }

    fn checksum(&self) -> u64 {
        let step = |sum: u64, &x| sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from((self.bits)(x));
        self.out.iter().fold(0, step)
    }
}

fn contender<T: Copy + Default + Send + 'static>(
    name: &'static str,
    elements: usize,
    bits: fn(T) -> u32,
    work: impl Fn(bool, &mut [T]) + Send + 'static,
) -> Box<dyn Contender> {
    Box::new(Writes { name, bits, work, out: vec![T::default(); elements] })
}

fn f32s(seed: u64, len: usize) -> Vec<f32> {
    let mut random = Random(seed);
    (0..len).map(|_| random.unit() as f32).collect()
}

/// Returns the slice as the output of an operation, on all threads or on the current one.
fn output<T>(parallel: bool, out: &mut [T]) -> OutputAt<'_, T> {
    let out = slice::at(Level::detect(), out);
    if parallel { out.par() } else { out }
}

fn grid(threads: usize, parallel: bool) -> Grid {
    if parallel { Grid::from(threads).parallel() } else { Grid::from(threads) }
}

fn contenders() -> Vec<Box<dyn Contender>> {
    let (f16_bits, bf16_bits) = (|x: F16| u32::from(x.to_bits()), |x: Bf16| u32::from(x.to_bits()));
    let f16s = |seed| f32s(seed, MEMORY).into_iter().map(F16::from_f32).collect::<Vec<_>>();
    let bf16s = |seed| f32s(seed, MEMORY).into_iter().map(Bf16::from_f32).collect::<Vec<_>>();
    let x = f16s(1);
    let copy = contender("memcpy", MEMORY, f16_bits, move |parallel, out| {
        if parallel {
            out.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(out, x)| out.copy_from_slice(x));
        } else {
            out.copy_from_slice(&x);
        }
    });
    let [a, b] = [2, 3].map(f16s);
    let add = contender("add_rn_f16", MEMORY, f16_bits, move |parallel, out| {
        slice::add_rn_f16(&a, &b, output(parallel, out));
    });
    let [a, b, c] = [4, 5, 6].map(bf16s);
    let fma = contender("fma_rn_bf16", MEMORY, bf16_bits, move |parallel, out| {
        slice::fma_rn_bf16(&a, &b, &c, output(parallel, out));
    });
    let a = f16s(7);
    let tanh = contender("tanh_approx_f16", MEMORY, f16_bits, move |parallel, out| {
        slice::tanh_approx_f16(&a, output(parallel, out));
    });
    let a = f32s(8, MEMORY);
    let sin = contender("sin_approx_f32", MEMORY, f32::to_bits, move |parallel, out| {
        slice::sin_approx_f32(&a, output(parallel, out));
    });
    let [x, y] = [9, 10].map(f16s);
    let axpy = contender("kernel: a * x + y, f16", MEMORY, f16_bits, move |parallel, out| {
        axpy::wide(grid(MEMORY, parallel), 0.3, &x, &y, out);
    });
    let x = f16s(11);
    let iterate = contender("kernel: 64 such steps, f16", THREADS, f16_bits, move |parallel, out| {
        iterate::wide(grid(THREADS, parallel), 64, &x[..THREADS], out);
    });
    vec![copy, add, fma, tanh, sin, axpy, iterate]
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
        table.add_row(row(&mut *contender, &pools));
    }
    println!("{table}");
}

fn row(contender: &mut dyn Contender, pools: &[ThreadPool]) -> Vec<String> {
    contender.run(false);
    let want = contender.checksum();
    for pool in pools {
        contender.clear();
        pool.install(|| contender.run(true));
        let threads = pool.current_num_threads();
        assert!(contender.checksum() == want, "{}: other bits on {threads} threads", contender.name());
    }
    let mut best = vec![Duration::MAX; 1 + pools.len()];
    let begin = Instant::now();
    while begin.elapsed() < TIME {
        for (i, best) in best.iter_mut().enumerate() {
            let start = Instant::now();
            match i.checked_sub(1) {
                None => contender.run(false),
                Some(i) => pools[i].install(|| contender.run(true)),
            }
            *best = (*best).min(start.elapsed());
        }
    }
    let ns = |time: Duration| time.as_secs_f64() * 1e9 / contender.elements() as f64;
    let ratio = |time: &Duration| format!("{:.3} ({:.2})", ns(*time), best[0].as_secs_f64() / time.as_secs_f64());
    let alone = [contender.name().to_owned(), format!("{:.3}", ns(best[0]))];
    alone.into_iter().chain(best[1..].iter().map(ratio)).collect()
}
