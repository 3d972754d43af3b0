//! Times a table lookup beside the evaluation of the same expression in f32.
//!
//! The expressions are exp(2x) + sin(3x²) − 3 cos x, for which Ho and Wong propose such a table
//! (*Exploiting half precision arithmetic in Nvidia GPUs*, 2017), GELU, and x/(1 + |x|), which is
//! so cheap that a table should lose. The evaluation uses std's functions and `half`'s conversions,
//! which are the CPU's instructions. Inputs are normally distributed, or uniform bits, which spread
//! over the whole table. Results are compared before anything is timed.
//!
//! First comes a report of ratios: medians of interleaved runs, with a copy of the same bytes among
//! them. It ends with tables that have been evicted from all caches, where a table stops paying.
//! Then criterion measures.
//!
//! ```sh
//! cargo bench -p benches --bench tables -- --quick
//! ```

#![allow(missing_docs, reason = "criterion's macros define public items")]

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::Random;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use half::f16;
use half::slice::HalfFloatSliceExt;
use ptxf::F16;
use ptxf::tables::{UnaryTable, unary_table};

unary_table!(static PAPER: F16 -> F16 = |x| exp(2 * x) + sin(3 * x * x) - 3 * cos(x));
unary_table!(static GELU: F16 -> F16 = |x| 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))));

#[inline(always)]
fn paper(x: f32) -> f32 {
    (2.0 * x).exp() + (3.0 * x * x).sin() - 3.0 * x.cos()
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())
}

unary_table!(static SOFTSIGN: F16 -> F16 = |x| x / (1 + abs(x)));

/// Computes three instructions, which vectorize. A table gains little here.
#[inline(always)]
fn softsign(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// An expression, as a table and as a function.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    table: &'static UnaryTable<F16, F16>,
    scalar: fn(F16) -> F16,
    slice: fn(&[f16], &mut [f16]),
    /// Bound of |x|. Beyond it 3x² in f32 is not precise enough for its sine.
    trusted: f32,
}

macro_rules! case {
    ($name:literal $table:ident $f:ident $trusted:literal) => {
        Case {
            name: $name,
            table: &$table,
            scalar: |x| F16::from_bits(f16::from_f32($f(f16::from_bits(x.to_bits()).to_f32())).to_bits()),
            slice: |input, out| {
                let mut buffer = [0.0; CHUNK];
                for (input, out) in input.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
                    let buffer = &mut buffer[..input.len()];
                    input.convert_to_f32_slice(buffer);
                    buffer.iter_mut().for_each(|x| *x = $f(*x));
                    out.convert_from_f32_slice(buffer);
                }
            },
            trusted: $trusted,
        }
    };
}

/// Elements that are converted at once and stay in L1.
const CHUNK: usize = 1024;

const CASES: [Case; 3] = [
    case!("exp(2x)+sin(3x²)-3cos(x)" PAPER paper 16.0),
    case!("gelu" GELU gelu 65504.0),
    case!("x/(1+|x|)" SOFTSIGN softsign 65504.0),
];

/// Inputs and outputs in the two libraries' types.
struct Data {
    name: &'static str,
    inputs: Vec<F16>,
    out: Vec<F16>,
    half_inputs: Vec<f16>,
    half_out: Vec<f16>,
}

impl Data {
    fn new(name: &'static str, n: usize) -> Self {
        let mut random = Random(n as u64);
        let half_inputs: Vec<f16> =
            (0..n)
                .map(|_| {
                    if name == "N(0,1)" { f16::from_f64(random.normal()) } else { f16::from_bits(random.bits() as u16) }
                })
                .collect();
        let inputs = half_inputs.iter().map(|x| F16::from_bits(x.to_bits())).collect();
        Self { name, inputs, out: vec![F16::ZERO; n], half_inputs, half_out: vec![f16::ZERO; n] }
    }
}

/// Checks that table and function agree on every input, within 2^-10 of the larger of the result
/// and 1.
fn compare(case: &Case) {
    let (mut different, mut compared) = (0, 0);
    for bits in 0..=u16::MAX {
        let x = F16::from_bits(bits);
        let (table, steps) = (case.table.get(x), (case.scalar)(x));
        different += usize::from(table.to_bits() != steps.to_bits() && !steps.to_f32().is_nan());
        let (t, s) = (table.to_f32(), steps.to_f32());
        if x.to_f32().abs() <= case.trusted && t.is_finite() {
            assert!((t - s).abs() <= t.abs().max(1.0) / 1024.0, "{}({x}): {t} and {s}", case.name);
            compared += 1;
        }
        let mut out = [f16::ZERO];
        (case.slice)(&[f16::from_bits(bits)], &mut out);
        assert!(out[0].to_bits() == steps.to_bits() || out[0].is_nan() && s.is_nan());
    }
    println!(
        "{}: the same function on {compared} inputs; f32 misses the rounded result on {different} of 65536",
        case.name
    );
}

/// Returns medians, in nanoseconds per element, of interleaved runs.
fn medians<const N: usize>(n: usize, data: &mut Data, mut ways: [&mut dyn FnMut(&mut Data); N]) -> [f64; N] {
    // Each run is long enough for the clock, and there are enough runs for a median.
    let repeat = (1_usize << 16).div_ceil(n);
    let mut times: [Vec<Duration>; N] = core::array::from_fn(|_| Vec::new());
    for _ in 0..15 {
        for (way, times) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (0..repeat).for_each(|_| way(black_box(data)));
            times.push(start.elapsed());
        }
    }
    times.map(|mut t| {
        t.sort_unstable();
        t[t.len() / 2].as_secs_f64() * 1e9 / (repeat * n) as f64
    })
}

fn report(_: &mut Criterion) {
    for case in CASES {
        compare(&case);
        println!(
            "{:10} {:>9}  {:>9} {:>9} {:>9}   f32/table  table/copy   [ns per element]",
            "inputs", "elements", "table", "f32", "copy"
        );
        for name in ["N(0,1)", "uniform"] {
            for n in [1 << 10, 1 << 17, 1 << 22] {
                let mut data = Data::new(name, n);
                let [table, steps, copy] = medians(
                    n,
                    &mut data,
                    [
                        &mut |d| case.table.map_slice(&d.inputs, &mut d.out),
                        &mut |d| (case.slice)(&d.half_inputs, &mut d.half_out),
                        &mut |d| d.out.copy_from_slice(&d.inputs),
                    ],
                );
                println!(
                    "{:10} {n:>9}  {table:9.3} {steps:9.3} {copy:9.3}   {:9.1}  {:10.1}",
                    data.name,
                    steps / table,
                    table / copy
                );
            }
        }
        scalar_report(&case);
        cold_report(&case);
        println!();
    }
}

/// Evaluates one value at a time, without vectors.
fn scalar_report(case: &Case) {
    for name in ["N(0,1)", "uniform"] {
        let mut data = Data::new(name, 1 << 17);
        let [table, steps] = medians(
            1 << 17,
            &mut data,
            [&mut |d| d.inputs.iter().for_each(|&x| _ = black_box(case.table.get(black_box(x)))), &mut |d| {
                d.inputs.iter().for_each(|&x| _ = black_box((case.scalar)(black_box(x))))
            }],
        );
        println!("{name:10} one by one {table:9.3} {steps:9.3} {:>9}   {:9.1}", "", steps / table);
    }
}

/// Times a batch of inputs after other data have filled all caches.
fn cold_report(case: &Case) {
    let mut others = vec![1_u64; 1 << 23];
    print!("evicted table, f32/table by batch of N(0,1): ");
    for n in [1, 4, 16, 64, 256, 1024, 4096] {
        let data = Data::new("N(0,1)", n);
        let (mut table, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            others.iter_mut().for_each(|x| *x = x.rotate_left(1));
            black_box(&mut others);
            // The inputs are cached in both cases.
            black_box(data.inputs.iter().fold(0, |sum, x| sum ^ x.to_bits()));
            let start = Instant::now();
            data.inputs.iter().for_each(|&x| _ = black_box(case.table.get(x)));
            table.push(start.elapsed());
            let start = Instant::now();
            data.inputs.iter().for_each(|&x| _ = black_box((case.scalar)(x)));
            steps.push(start.elapsed());
        }
        table.sort_unstable();
        steps.sort_unstable();
        print!(" {n}: {:.1}", steps[20].as_secs_f64() / table[20].as_secs_f64().max(1e-9));
    }
    println!();
}

fn slices(c: &mut Criterion) {
    for case in CASES {
        let mut group = c.benchmark_group(case.name);
        group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        for name in ["N(0,1)", "uniform"] {
            let mut data = Data::new(name, 1 << 17);
            group.throughput(Throughput::Elements(1 << 17));
            group.bench_function(format!("table {name}"), |b| {
                b.iter(|| case.table.map_slice(black_box(&data.inputs), black_box(&mut data.out)));
            });
            group.bench_function(format!("f32 {name}"), |b| {
                b.iter(|| (case.slice)(black_box(&data.half_inputs), black_box(&mut data.half_out)));
            });
        }
        let mut data = Data::new("uniform", 1 << 17);
        group.bench_function("copy", |b| {
            b.iter(|| black_box(&mut data.out).copy_from_slice(black_box(&data.inputs)));
        });
        group.finish();
    }
}

criterion_group!(benches, report, slices);
criterion_main!(benches);
