//! Times products of matrices on one core, with the bits of a device, beside numpy's in f32 and
//! mmasim's model of the unit.
//!
//! Before anything is timed, every level's result is compared with the others' and, for some of the
//! elements, with the definition of a step. mmasim's results must have the same bits, and numpy's
//! must be near. Each level runs once in each round, and its best round counts.
//!
//! ```sh
//! cargo bench -p benches --bench matrix
//! cargo xtask models --install && PYTHONPATH=target/models cargo bench -p benches --bench matrix
//! ```

mod common;

use std::fmt::Debug;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use comfy_table::{Table, presets};
use common::{Random, clock};
use ptxf::matrix::{Gemm, Multiplicand, Unit, View};
use ptxf::{Bf16, E4m3, F16, Level, Tf32};
use rayon::ThreadPoolBuilder;

/// Rows and columns of the result, and products of an element.
const SHAPE: [usize; 3] = [256, 256, 1024];
/// The time of all rounds of a format.
const TIME: Duration = Duration::from_secs(4);

/// The program that computes products by numpy and mmasim.
struct Peers(Child, BufReader<std::process::ChildStdout>);

/// A peer's answer: its name with its version, its seconds, and results.
struct Answer {
    name: String,
    seconds: f64,
    side: usize,
    results: Vec<f32>,
}

impl Peers {
    /// Returns `None` if Python or numpy is missing.
    fn start() -> Option<Self> {
        let numpy = Command::new("python3").args(["-c", "import numpy"]).stderr(Stdio::null()).status();
        if !numpy.is_ok_and(|status| status.success()) {
            println!("SKIPPED: Python has no numpy, so no peer is timed");
            return None;
        }
        let mut python = Command::new("python3");
        python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peers/matrix.py"));
        python.env("OPENBLAS_NUM_THREADS", "1").env("OMP_NUM_THREADS", "1");
        let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Some(Self(child, answers))
    }

    fn ask(&mut self, request: &str, factors: [&[f32]; 2]) -> [Answer; 2] {
        let input = self.0.stdin.as_mut().unwrap();
        input.write_all(format!("{request}\n").as_bytes()).unwrap();
        for factor in factors {
            input.write_all(&factor.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()).unwrap();
        }
        input.flush().unwrap();
        [0, 1].map(|peer| {
            let mut line = String::new();
            self.1.read_line(&mut line).unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, version, seconds, ref side @ ..] = words[..] else { panic!("{request}: {line:?}") };
            let side = side.first().map_or(SHAPE[0], |side| side.parse().unwrap());
            let columns = if peer == 0 { SHAPE[1] } else { side };
            let mut bytes = vec![0; 4 * side * columns];
            self.1.read_exact(&mut bytes).unwrap();
            let results = bytes.chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().unwrap())).collect();
            Answer { name: format!("{name} {version}"), seconds: seconds.parse().unwrap(), side, results }
        })
    }
}

/// A format, as the unit and as mmasim have it.
struct Format<T> {
    unit: Unit,
    name: &'static str,
    of: fn(f32) -> T,
    to: fn(T) -> f32,
    /// The class, the architecture and the instruction of mmasim.
    model: &'static str,
}

impl<T: Multiplicand + Debug> Format<T> {
    fn run(&self, peers: Option<&mut Peers>, table: &mut Table, clock: f64) {
        let [m, n, k] = SHAPE;
        let mut random = Random(1);
        let [a, b]: [Vec<T>; 2] = [m, n].map(|rows| (0..rows * k).map(|_| (self.of)(random.normal() as f32)).collect());
        let mma = self.unit.mma::<T, T, f32>().unwrap();
        let levels: Vec<Level> = Level::available().filter(|level| *level != Level::Portable).collect();
        let product = |level: Level, d: &mut [f32]| {
            let b = View::new(black_box(&b), n, k).transposed();
            mma.gemm(Gemm::new().level(level), View::new(black_box(&a), m, k), b, d);
        };
        let mut want = vec![0.0; m * n];
        product(levels[0], &mut want);
        for (i, d) in want.iter().enumerate().step_by(997) {
            let sum = mma.dot(&a[i / n * k..][..k], &b[i % n * k..][..k], 0.0);
            assert_eq!(d.to_bits(), sum.to_bits(), "{} {}: element {i}", self.name, levels[0]);
        }
        let mut best = vec![f64::INFINITY; levels.len()];
        let mut d = vec![0.0; m * n];
        let begin = Instant::now();
        while begin.elapsed() < TIME {
            for (level, best) in levels.iter().zip(&mut best) {
                let start = Instant::now();
                product(*level, black_box(&mut d));
                *best = best.min(start.elapsed().as_secs_f64());
                assert!(d.iter().zip(&want).all(|(x, y)| x.to_bits() == y.to_bits()), "{} {level}", self.name);
            }
        }
        let products = (m * n * k) as f64;
        let mut row = |name: &str, products: f64, seconds: f64| {
            let speed = products / seconds / 1e9;
            table.add_row([self.name, name, &format!("{speed:.4}"), &format!("{:.2}", speed / clock)]);
        };
        levels.iter().zip(best).for_each(|(level, seconds)| row(&level.to_string(), products, seconds));
        let Some(peers) = peers else { return };
        let factors = [&a, &b].map(|all| all.iter().map(|x| (self.to)(*x)).collect::<Vec<_>>());
        let request = format!("{m} {n} {k} {} {}", self.name, self.model);
        let [numpy, mmasim] = peers.ask(&request, [&factors[0], &factors[1]]);
        // A sum of 1024 products of normal numbers is about 32. With 13 fraction bits of the
        // largest term, a chain of 32 steps differs by less than 1.
        let distance = numpy.results.iter().zip(&want).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
        println!("{}: numpy's f32 differs by up to {distance}", self.name);
        assert!(distance < 1.0, "{}: numpy has another product", self.name);
        row(&numpy.name, products, numpy.seconds);
        if mmasim.side == 0 {
            return println!("SKIPPED: Python has no mmasim");
        }
        for (i, x) in mmasim.results.iter().enumerate() {
            let ours = want[i / mmasim.side * n + i % mmasim.side];
            assert_eq!(x.to_bits(), ours.to_bits(), "{}: mmasim has other bits in element {i}", self.name);
        }
        row(&mmasim.name, (mmasim.side * mmasim.side * k) as f64, mmasim.seconds);
    }
}

fn main() {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["type", "", "10⁹ products/s", "products/cycle"]);
    let mut peers = Peers::start();
    let clock = clock();
    ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| {
        let model = "MMA Hopper m16n8k16.f32.f16.f16.f32";
        Format { unit: Unit::sm_90(), name: "f16", of: F16::from_f32, to: F16::to_f32, model }.run(
            peers.as_mut(),
            &mut table,
            clock,
        );
        let model = "MMA Hopper m16n8k16.f32.bf16.bf16.f32";
        Format { unit: Unit::sm_90(), name: "bf16", of: Bf16::from_f32, to: Bf16::to_f32, model }.run(
            peers.as_mut(),
            &mut table,
            clock,
        );
        let model = "MMA Hopper m16n8k8.f32.tf32.tf32.f32";
        let of = |x: f32| Tf32::from_bits(x.to_bits() & !0x1FFF);
        Format { unit: Unit::sm_90(), name: "tf32", of, to: |x: Tf32| f32::from_bits(x.to_bits()), model }.run(
            peers.as_mut(),
            &mut table,
            clock,
        );
        let model = "WGMMA Hopper m64n8k32.f32.e4m3.e4m3";
        Format { unit: Unit::sm_90a(), name: "e4m3", of: E4m3::from_f32, to: E4m3::to_f32, model }.run(
            peers.as_mut(),
            &mut table,
            clock,
        );
    });
    println!("{table}\nclock {clock:.2} GHz");
}
