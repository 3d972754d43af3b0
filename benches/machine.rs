//! Measures thread instructions per second of `ptxf-vm`: by kernel and check level, on one core and
//! on two, and beside `ptoxide`.
//!
//! In each round every contender runs once, and its best round counts, so that other work on the
//! CPU disturbs all contenders alike. Results in memory are compared with a plain loop, bit by bit,
//! before anything is timed.
//!
//! ```sh
//! cargo bench -p benches --bench machine                    # all
//! cargo bench -p benches --bench machine -- matmul memcheck # one kernel, one contender
//! ```

mod common;

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use common::Random;
use ptxf::ptx;
use ptxf_vm::{Arg, Check, Machine, Module};

/// The time that the rounds of a kernel take together.
const TIME: Duration = Duration::from_secs(3);

/// Launches a kernel.
type Run<'a> = Box<dyn FnMut() + 'a>;

/// An argument of a kernel.
enum Passed {
    /// An array, and its expected content after the launch.
    Array(Vec<u32>, Option<Vec<u32>>),
    Word(u32),
    Float(f32),
    Long(u64),
}

/// A launch with its expected results.
struct Kernel {
    name: &'static str,
    text: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    passed: Vec<Passed>,
}

fn bits(x: &[f32]) -> Vec<u32> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn uniform(random: &mut Random, count: usize, low: f64, high: f64) -> Vec<f32> {
    (0..count).map(|_| (low + (high - low) * random.unit()) as f32).collect()
}

fn input(x: &[f32]) -> Passed {
    Passed::Array(bits(x), None)
}

fn output(x: Vec<u32>) -> Passed {
    Passed::Array(vec![0; x.len()], Some(x))
}

fn kernels() -> Vec<Kernel> {
    let random = &mut Random(1);
    vec![sum(random), gemm(random), matmul(random), kmeans(random), nn(random), stencil(random), options(random)]
}

fn sum(random: &mut Random) -> Kernel {
    const N: usize = 1 << 18;
    let (x, y) = (uniform(random, N, -1.0, 1.0), uniform(random, N, -1.0, 1.0));
    let z: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y + x).collect();
    let passed = vec![input(&x), input(&y), output(bits(&z)), Passed::Long(N as u64)];
    Kernel { name: "sum", text: include_str!("ptx/sum.ptx"), grid: [N as u32 / 256, 1, 1], block: [256, 1, 1], passed }
}

/// Returns the product; kernel and loop both sum in the order of the inner index.
fn product(random: &mut Random, n: usize) -> [Vec<f32>; 3] {
    let (a, b) = (uniform(random, n * n, -1.0, 1.0), uniform(random, n * n, -1.0, 1.0));
    let element = |i: usize, j: usize| (0..n).fold(0.0_f32, |sum, k| a[i * n + k].mul_add(b[k * n + j], sum));
    let c = (0..n * n).map(|at| element(at / n, at % n)).collect();
    [a, b, c]
}

fn gemm(random: &mut Random) -> Kernel {
    const N: usize = 128;
    let [a, b, c] = product(random, N);
    let passed = vec![input(&a), input(&b), output(bits(&c)), Passed::Long(N as u64)];
    Kernel { name: "gemm", text: include_str!("ptx/gemm.ptx"), grid: [1, N as u32, 1], block: [128, 1, 1], passed }
}

fn matmul(random: &mut Random) -> Kernel {
    const N: usize = 256;
    let [a, b, c] = product(random, N);
    let passed = vec![input(&a), input(&b), output(bits(&c)), Passed::Word(N as u32)];
    let tiles = N as u32 / 16;
    Kernel { name: "matmul", text: include_str!("ptx/matmul.ptx"), grid: [tiles, tiles, 1], block: [16, 16, 1], passed }
}

fn kmeans(random: &mut Random) -> Kernel {
    const N: usize = 1 << 14;
    const K: usize = 16;
    const FEATURES: usize = 8;
    let (points, centres) = (uniform(random, N * FEATURES, 0.0, 1.0), uniform(random, K * FEATURES, 0.0, 1.0));
    let distance = |i: usize, k: usize| {
        (0..FEATURES).fold(0.0_f32, |sum, f| {
            let d = points[f * N + i] - centres[k * FEATURES + f];
            d.mul_add(d, sum)
        })
    };
    let nearest = |i: usize| (0..K).min_by(|&a, &b| distance(i, a).total_cmp(&distance(i, b))).unwrap_or_default();
    let nearest = (0..N).map(|i| nearest(i) as u32).collect();
    let passed = vec![input(&points), input(&centres), output(nearest), Passed::Word(N as u32), Passed::Word(K as u32)];
    let text = include_str!("ptx/kmeans.ptx");
    Kernel { name: "kmeans", text, grid: [N as u32 / 256, 1, 1], block: [256, 1, 1], passed }
}

fn nn(random: &mut Random) -> Kernel {
    const N: usize = 1 << 17;
    let places = uniform(random, 2 * N, 0.0, 180.0);
    let (x, y) = (30.0_f32, 90.0_f32);
    let distance = |place: &[f32]| {
        let (dx, dy) = (x - place[0], y - place[1]);
        dx.mul_add(dx, dy * dy).sqrt().to_bits()
    };
    let distances = places.chunks(2).map(distance).collect();
    let passed = vec![input(&places), output(distances), Passed::Word(N as u32), Passed::Float(x), Passed::Float(y)];
    Kernel { name: "nn", text: include_str!("ptx/nn.ptx"), grid: [N as u32 / 256, 1, 1], block: [256, 1, 1], passed }
}

fn stencil(random: &mut Random) -> Kernel {
    const N: usize = 64;
    let from = uniform(random, N * N * N, 40.0, 90.0);
    let mut to = vec![0.0; from.len()];
    let inner = 1..N - 1;
    for (z, y) in inner.clone().flat_map(|z| inner.clone().map(move |y| (z, y))) {
        for x in inner.clone() {
            let at = (z * N + y) * N + x;
            let sum = from[at] * 0.5;
            let sum = (from[at + 1] + from[at - 1]).mul_add(0.1, sum);
            let sum = (from[at + N] + from[at - N]).mul_add(0.08, sum);
            to[at] = (from[at + N * N] + from[at - N * N]).mul_add(0.06, sum);
        }
    }
    let passed = vec![input(&from), output(bits(&to)), Passed::Word(N as u32)];
    Kernel { name: "stencil", text: include_str!("ptx/stencil.ptx"), grid: [1, N as u32, 1], block: [64, 1, 1], passed }
}

fn options(random: &mut Random) -> Kernel {
    const N: usize = 1 << 16;
    let (prices, strikes) = (uniform(random, N, 5.0, 30.0), uniform(random, N, 1.0, 100.0));
    let years = uniform(random, N, 0.25, 10.0);
    let number = f32::from_bits;
    let share = |d: f32| {
        let k = 1.0 / d.abs().mul_add(number(0x3e6d_3389), 1.0);
        let density = ptx::ex2_approx_f32(d * d * number(0xbf38_aa3b)) * number(0x3ecc_4220);
        let sum = k.mul_add(number(0x3faa_466f), number(0xbfe9_1eea));
        let sum = k.mul_add(sum, number(0x3fe4_0778));
        let sum = k.mul_add(sum, number(0xbeb6_8f87));
        let sum = k.mul_add(sum, number(0x3ea3_85fa)) * k;
        let tail = density * sum;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let call = |i: usize| {
        let (price, strike, years) = (prices[i], strikes[i], years[i]);
        let growth = ptx::lg2_approx_f32(ptx::div_approx_f32(price, strike)) * number(0x3f31_7218);
        let spread = ptx::sqrt_approx_f32(years) * number(0x3e99_999a);
        let d = years.mul_add(number(0x3dcc_cccd), growth) / spread;
        let discount = ptx::ex2_approx_f32(years * number(0xbcec_7fda));
        (price * share(d) - strike * discount * share(d - spread)).to_bits()
    };
    let calls = (0..N).map(call).collect();
    let passed = vec![input(&prices), input(&strikes), input(&years), output(calls), Passed::Word(N as u32)];
    let text = include_str!("ptx/options.ptx");
    Kernel { name: "options", text, grid: [N as u32 / 256, 1, 1], block: [256, 1, 1], passed }
}

/// Returns a function that launches a kernel, after one launch with the right results.
fn ours(kernel: &Kernel, check: Check, cores: usize) -> (u64, Run<'static>) {
    let mut machine = Machine::new().check(check).threads(NonZeroUsize::new(cores).expect("a core"));
    let module = Module::parse(kernel.text).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let program = machine.load(&module).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let entry = program.entry(kernel.name).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let mut results = Vec::new();
    let mut args = Vec::new();
    for passed in &kernel.passed {
        args.push(match passed {
            Passed::Array(values, after) => {
                let buffer = machine.buffer(values);
                results.extend(after.as_ref().map(|after| (buffer, after)));
                Arg::from(buffer)
            }
            Passed::Word(x) => Arg::from(*x),
            Passed::Float(x) => Arg::from(*x),
            Passed::Long(x) => Arg::from(*x),
        });
    }
    let (grid, block) = (kernel.grid, kernel.block);
    let counts = machine.count(&entry, grid, block, 0, &args).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    machine.launch(&entry, grid, block, 0, &args).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    assert!(machine.reports().is_empty(), "{}: {:?}", kernel.name, machine.reports());
    for (buffer, after) in results {
        assert!(&machine.values::<u32>(buffer).expect("a buffer") == after, "{}: other results", kernel.name);
    }
    let run = move || machine.launch(&entry, grid, block, 0, &args).expect("it has run before");
    (counts.total().lanes, Box::new(run))
}

/// Returns a function that launches a kernel on `ptoxide`.
fn theirs(kernel: &Kernel) -> Run<'_> {
    use ptoxide::{Argument, Context, LaunchParams};

    let mut context = Context::new_with_module(kernel.text).expect("a text that it reads");
    let (mut given, mut results) = (Vec::<Box<dyn Fn() -> Argument<'static>>>::new(), Vec::new());
    for passed in &kernel.passed {
        given.push(match passed {
            Passed::Array(values, after) => {
                let pointer = context.alloc(values.len());
                context.write(pointer, values);
                results.extend(after.as_ref().map(|after| (pointer, after)));
                Box::new(move || Argument::ptr(pointer))
            }
            &Passed::Word(x) => Box::new(move || Argument::U32(x)),
            &Passed::Float(x) => Box::new(move || Argument::U32(x.to_bits())),
            &Passed::Long(x) => Box::new(move || Argument::U64(x)),
        });
    }
    let launch = move |context: &mut Context| {
        let arguments: Vec<Argument<'_>> = given.iter().map(|give| give()).collect();
        let launch = LaunchParams::func(kernel.name).grid2d(kernel.grid[0], kernel.grid[1]).block1d(kernel.block[0]);
        context.run(launch, &arguments).expect("a launch");
    };
    launch(&mut context);
    for (pointer, after) in results {
        let mut values = vec![0_u32; after.len()];
        context.read(pointer, &mut values);
        // ptoxide's `fma` rounds twice.
        let is_near = |(a, b): (&u32, &u32)| (f32::from_bits(*a) - f32::from_bits(*b)).abs() < 1e-4;
        assert!(values.iter().zip(after).all(is_near), "{}: other results", kernel.name);
    }
    Box::new(move || launch(&mut context))
}

/// A contender: a machine with its settings.
const CONTENDERS: [&str; 5] = ["memcheck", "initcheck", "racecheck", "two-cores", "ptoxide"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (who, kernel_names): (Vec<_>, Vec<_>) = words.iter().partition(|word| CONTENDERS.contains(&word.as_str()));
    let is_asked = |asked: &[&String], name: &str| asked.is_empty() || asked.iter().any(|word| *word == name);
    println!("G thread instructions per second, and thread instructions of a launch");
    for kernel in kernels().iter().filter(|kernel| is_asked(&kernel_names, kernel.name)) {
        let mut contenders: Vec<(&str, Run<'_>)> = Vec::new();
        let mut instructions = 0;
        for name in CONTENDERS.into_iter().filter(|name| is_asked(&who, name)) {
            let (count, run): (_, Run<'_>) = match name {
                "memcheck" => ours(kernel, Check::Memory, 1),
                "initcheck" => ours(kernel, Check::Init, 1),
                "racecheck" => ours(kernel, Check::Race, 1),
                "two-cores" => ours(kernel, Check::Memory, 2),
                _ if matches!(kernel.name, "sum" | "gemm") => (instructions, theirs(kernel)),
                _ => continue,
            };
            instructions = count;
            contenders.push((name, run));
        }
        let mut best = vec![Duration::MAX; contenders.len()];
        let begin = Instant::now();
        while begin.elapsed() < TIME {
            for ((_, run), best) in contenders.iter_mut().zip(&mut best) {
                let start = Instant::now();
                run();
                *best = start.elapsed().min(*best);
            }
        }
        print!("{:8} {instructions:>10}", kernel.name);
        for ((name, _), best) in contenders.iter().zip(&best) {
            print!("   {name} {:.3}", instructions as f64 / best.as_secs_f64() / 1e9);
        }
        println!();
    }
}
