//! Times every slice operation beside a copy of the same bytes, at every level and cache size.
//!
//! In each round every contender runs once, `memcpy` among them, and its best round counts. A busy
//! machine then slows all contenders alike, so the ratios are reliable. `× memcpy` compares bytes
//! read and written. Results are compared before anything is timed.
//!
//! Criterion takes all samples of one function before those of the next. On a shared machine a
//! ratio to `memcpy` would then compare two different moments.
//!
//! ```sh
//! cargo bench -p benches --bench slices             # a few operations, about a minute
//! cargo bench -p benches --bench slices -- --full   # all operations and sizes
//! cargo bench -p benches --bench slices -- fma      # operations whose name contains `fma`
//! ```

mod common;

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use comfy_table::Table;
use common::{Random, bf, bh, clock, f, h};
use half::slice::HalfFloatSliceExt as _;
use half::{bf16, f16};
use microfloat::{f4e2m1fn, f8e4m3fn, f8e5m2};
use num_traits::Float as _;
use ptxf::{Bf16, E2m1, E4m3, E5m2, F16, F16x2, Level, Ue8m0, ptx, slice};

/// Cache levels, and elements that fill them if each has 16 bits.
const SIZES: [(&str, usize); 4] = [("L1", 2 << 10), ("L2", 64 << 10), ("L3", 2 << 20), ("DRAM", 32 << 20)];
/// The operations that run without arguments.
const QUICK: [&str; 8] = [
    "add_rn_f16",
    "fma_rn_f16",
    "fma_rn_ftz_f16",
    "max_f16",
    "add_rn_bf16",
    "fma_rn_bf16",
    "cvt_rn_f16_f32",
    "cvt_rn_bf16_f32",
];

trait Element: Copy + 'static {
    fn any(bits: u64) -> Self;
    fn ordinary(bits: u64) -> Self;
    fn bits(self) -> u64;
    /// Returns `true` for a NaN and for the result of an overflow, in which libraries differ.
    fn is_special(self) -> bool;
}

macro_rules! elements {
    ($($ty:ident $bits:ident |$x:ident| $ordinary:expr, $special:expr;)*) => {$(
        impl Element for $ty {
            fn any(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            /// Returns a number that is about normally distributed, N(0, 1).
            fn ordinary(bits: u64) -> Self {
                let $x = (0..4).map(|i| (bits >> (16 * i) & 0xFFFF) as f32 / 32768.0 - 1.0).sum::<f32>();
                $ordinary
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn is_special(self) -> bool {
                let $x = self;
                $special
            }
        }
    )*};
}

elements! {
    F16 u16 |x| Self::from_f32(x), x.is_nan();
    Bf16 u16 |x| Self::from_f32(x), x.is_nan();
    f32 u32 |x| x, x.is_nan();
    F16x2 u32 |x| Self::from_f32([x; 2]), x.lo().is_nan() || x.hi().is_nan();
    E4m3 u8 |x| Self::from_f32(x), x.is_nan() || x == Self::MAX || x == Self::MIN;
    E5m2 u8 |x| Self::from_f32(x), x.is_nan() || x == Self::MAX || x == Self::MIN;
    E2m1 u8 |x| Self::from_f32(x), x == Self::MAX || x == Self::MIN;
    Ue8m0 u8 |x| Self::from_f32_rz(x), x.is_nan() || x == Self::MAX;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Element for $ty {
            fn any(bits: u64) -> Self {
                bits as Self
            }
            /// Returns an integer of any magnitude.
            fn ordinary(bits: u64) -> Self {
                (bits as Self) >> (bits >> 58) % u64::from(Self::BITS)
            }
            fn bits(self) -> u64 {
                self as u64
            }
            fn is_special(self) -> bool {
                false
            }
        }
    )*};
}

integers!(u8 i8 u32 i32);

/// A loop from operands to results.
type Loop<A, D> = fn(&[&[A]; 3], &mut [D]);

/// An operation on elements `A` with results `D`.
struct Operation<A, D = A> {
    name: &'static str,
    operands: usize,
    ours: fn(Level, &[&[A]; 3], &mut [D]),
    /// Computes one value at a time.
    naive: Loop<A, D>,
    /// Other libraries that have the operation.
    peers: Vec<(&'static str, Loop<A, D>)>,
    /// `true` if their bits must be equal except for special results.
    agrees: bool,
}

fn views<T>(x: &[Vec<T>; 3]) -> [&[T]; 3] {
    x.each_ref().map(Vec::as_slice)
}

/// A buffer that begins with a cache line.
///
/// The buffers of a call begin at different offsets in their pages. Equal offsets cost up to a
/// factor of two in L1.
struct Aligned<T> {
    all: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Element> Aligned<T> {
    fn new(x: &[T], k: usize) -> Self {
        let page = 4096 / size_of::<T>();
        let mut all = vec![T::any(0); x.len() + 2 * page];
        let start = all.as_ptr().align_offset(4096) + k * page / 4;
        all[start..][..x.len()].copy_from_slice(x);
        Self { all, start, len: x.len() }
    }
    fn get(&self) -> &[T] {
        &self.all[self.start..][..self.len]
    }
    fn get_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..][..self.len]
    }
}

/// A row of the summary.
struct Line {
    op: &'static str,
    size: &'static str,
    who: String,
    level: Option<Level>,
    ns: f64,
    /// Speed relative to a copy that reads and writes as many bytes.
    memcpy: f64,
}

impl<A: Element, D: Element> Operation<A, D> {
    fn operands(&self, len: usize, make: fn(u64) -> A) -> [Vec<A>; 3] {
        [0, 1, 2].map(|k| {
            let mut random = Random(k as u64);
            (0..if k < self.operands { len } else { 0 }).map(|_| make(random.bits())).collect()
        })
    }

    /// Compares every level with one value at a time on random bits, and counts where peers differ.
    fn compare(&self, levels: &[Level]) {
        let len = 300_001;
        let x = self.operands(len, A::any);
        let mut want = vec![D::any(0); len];
        (self.naive)(&views(&x), &mut want);
        for &level in levels {
            let mut got = vec![D::any(0); len];
            (self.ours)(level, &views(&x), &mut got);
            assert!(got.iter().zip(&want).all(|(a, b)| a.bits() == b.bits()), "{} differs at {level}", self.name);
        }
        for (who, peer) in &self.peers {
            let mut got = vec![D::any(0); len];
            peer(&views(&x), &mut got);
            let differs: Vec<usize> = (0..len).filter(|&i| got[i].bits() != want[i].bits()).collect();
            let operand = |i: usize| x.iter().any(|x| x.get(i).is_some_and(|x| x.is_special()));
            let special = differs.iter().filter(|&&i| operand(i) || want[i].is_special()).count();
            let name = self.name;
            println!(
                "{name}: {who}'s bits differ for {} of {len} operands, {special} NaN or beyond the largest",
                differs.len()
            );
            assert!(!self.agrees || special == differs.len(), "{name}: {who} rounds in another way");
        }
    }

    fn bench(&self, levels: &[Level], full: bool, lines: &mut Vec<Line>) {
        self.compare(levels);
        for (size, len) in SIZES.into_iter().filter(|(size, _)| full || *size != "L3") {
            let x = self.operands(len, A::ordinary);
            let aligned = x.iter().enumerate().map(|(k, x)| Aligned::new(x, k)).collect::<Vec<_>>();
            let x = [0, 1, 2].map(|k| aligned[k].get());
            let mut out = Aligned::new(&vec![D::any(0); len], 3);
            let copy = RefCell::new(Aligned::new(x[0], 3));
            let small = len <= 64 << 10;
            let mut contenders: Vec<(String, Option<Level>, Run<'_, A, D>)> =
                vec![("memcpy".into(), None, Box::new(|x, _| copy.borrow_mut().get_mut().copy_from_slice(x[0])))];
            for &level in levels {
                contenders.push((level.to_string(), Some(level), Box::new(move |x, out| (self.ours)(level, x, out))));
            }
            if small {
                contenders.push(("naive".into(), None, Box::new(|x, out| (self.naive)(x, out))));
                for &(who, peer) in &self.peers {
                    contenders.push((who.into(), None, Box::new(peer)));
                }
            }
            let best = race(&contenders, &x, out.get_mut(), len);
            let traffic = self.operands * size_of::<A>() + size_of::<D>();
            let copy = best[0] * traffic as f64 / (2 * size_of::<A>()) as f64;
            for ((who, level, _), ns) in contenders.into_iter().zip(best) {
                lines.push(Line { op: self.name, size, who, level, ns, memcpy: copy / ns });
            }
        }
    }
}

type Run<'a, A, D> = Box<dyn Fn(&[&[A]; 3], &mut [D]) + 'a>;

/// Returns nanoseconds per element of each contender, the best of interleaved rounds.
fn race<A, D>(
    contenders: &[(String, Option<Level>, Run<'_, A, D>)],
    x: &[&[A]; 3],
    out: &mut [D],
    len: usize,
) -> Vec<f64> {
    let mut time = |i: usize, times: u32| {
        let start = Instant::now();
        for _ in 0..times {
            contenders[i].2(black_box(x), black_box(out));
        }
        start.elapsed()
    };
    // The number of calls that take about a millisecond.
    let calls: Vec<u32> = (0..contenders.len())
        .map(|i| {
            let once = time(i, 2).max(Duration::from_nanos(100)) / 2;
            (Duration::from_millis(1).as_nanos() / once.as_nanos()).clamp(1, 20_000) as u32
        })
        .collect();
    let mut best = vec![f64::INFINITY; contenders.len()];
    let begin = Instant::now();
    let budget = Duration::from_millis(if len > 1 << 20 { 2500 } else { 500 });
    let mut rounds = 0;
    while rounds < 5 || begin.elapsed() < budget {
        for (i, best) in best.iter_mut().enumerate() {
            let ns = time(i, calls[i]).as_nanos() as f64 / f64::from(calls[i]) / len as f64;
            *best = best.min(ns);
        }
        rounds += 1;
    }
    best
}

macro_rules! operations {
    ($ty:ident -> $result:ident: $(
        $name:ident($($x:ident $k:literal),*) $($who:ident $peer:expr)? $(=> $library:ident $whole:expr)?;
    )*) => {
        vec![$(Operation::<$ty, $result> {
            name: stringify!($name),
            operands: [$($k),*].len(),
            ours: |level, x, out| slice::$name($(x[$k],)* slice::at(level, out)),
            naive: |x, out| {
                for i in 0..out.len() {
                    out[i] = ptx::$name($(x[$k][i]),*);
                }
            },
            peers: operations!(@peer ($($x $k)*) $($who $peer)? $(=> $library $whole)?),
            agrees: false,
        }),*]
    };
    (@peer ($($x:ident $k:literal)*)) => { vec![] };
    // The other library has the operation for slices.
    (@peer ($($x:ident $k:literal)*) => $who:ident $whole:expr) => { vec![(stringify!($who), $whole)] };
    (@peer ($($x:ident $k:literal)*) $who:ident $peer:expr) => {
        vec![(stringify!($who), |x, out| {
            for i in 0..out.len() {
                $(let $x = x[$k][i];)*
                #[allow(clippy::redundant_closure_call, reason = "the operands are the macro's")]
                { out[i] = $peer($($x),*); }
            }
        })]
    };
}

/// A conversion of the lanes of a packed form, beside functions of one value.
macro_rules! lanes {
    ($from:ident -> $to:ident: $name:ident $naive:expr $(, $library:ident $theirs:expr)*) => {
        [Operation::<$from, $to> {
            name: stringify!($name),
            operands: 1,
            ours: |level, x, out| slice::$name(x[0], slice::at(level, out)),
            naive: |x, out| x[0].iter().zip(out).for_each(|(x, out)| *out = $naive(*x)),
            peers: vec![$((stringify!($library), |x, out| {
                x[0].iter().zip(out).for_each(|(x, out)| *out = $theirs(*x));
            })),*],
            agrees: true,
        }]
    };
}

/// Level, operation, size, measure, and the target.
type Target = (Level, &'static str, &'static str, Measure, f64);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Memcpy,
    PerCycle,
    /// Nanoseconds per element; the target is an upper bound.
    Nanoseconds,
    /// Speed relative to the peer.
    Peer,
}

fn targets() -> Vec<Target> {
    use Level::{Avx2, Avx512, Avx512Fp16, Portable};
    use Measure::{Memcpy, Nanoseconds, Peer, PerCycle};
    vec![
        (Avx512, "add_rn_f16", "DRAM", Memcpy, 1.25),
        (Avx512, "max_f16", "DRAM", Memcpy, 1.25),
        (Avx512, "add_rn_bf16", "DRAM", Memcpy, 1.25),
        (Avx512, "fma_rn_f16", "DRAM", Memcpy, 1.15),
        (Avx512, "fma_rn_bf16", "DRAM", Memcpy, 1.15),
        (Avx512, "fma_rn_ftz_f16", "DRAM", Memcpy, 0.85),
        (Avx512, "ex2_approx_f16", "DRAM", Memcpy, 1.0),
        (Avx512, "tanh_approx_f16", "DRAM", Memcpy, 0.95),
        (Avx512, "add_rn_f16", "L1", PerCycle, 5.3),
        (Avx512, "max_f16", "L1", PerCycle, 5.3),
        (Avx512, "add_rn_bf16", "L1", PerCycle, 5.3),
        (Avx512, "fma_rn_f16", "L1", PerCycle, 3.4),
        (Avx512, "fma_rn_bf16", "L1", PerCycle, 3.8),
        (Avx512, "ex2_approx_f16", "L1", PerCycle, 2.9),
        (Avx512, "tanh_approx_f16", "L1", PerCycle, 2.5),
        (Avx512Fp16, "add_rn_f16", "L1", PerCycle, 16.0),
        (Avx512Fp16, "mul_rn_f16", "L1", PerCycle, 16.0),
        (Avx512Fp16, "max_f16", "L1", PerCycle, 16.0),
        (Avx512Fp16, "fma_rn_f16", "L1", PerCycle, 11.0),
        (Avx512Fp16, "fma_rn_relu_f16", "L1", PerCycle, 7.3),
        (Avx512Fp16, "fma_rn_ftz_f16", "L1", PerCycle, 7.3),
        (Avx512Fp16, "add_rn_f16", "L2", Memcpy, 0.8),
        (Avx512Fp16, "max_f16", "L2", Memcpy, 0.8),
        (Avx512Fp16, "fma_rn_f16", "L2", Memcpy, 0.8),
        (Avx512Fp16, "add_rn_f16", "DRAM", Memcpy, 1.0),
        (Avx512Fp16, "max_f16", "DRAM", Memcpy, 1.0),
        (Avx512Fp16, "fma_rn_f16", "DRAM", Memcpy, 1.0),
        (Avx2, "add_rn_f16", "DRAM", Memcpy, 0.9),
        (Avx2, "fma_rn_f16", "DRAM", Memcpy, 0.75),
        (Avx2, "fma_rn_bf16", "DRAM", Memcpy, 0.6),
        (Avx2, "ex2_approx_f16", "DRAM", Memcpy, 0.5),
        (Avx2, "tanh_approx_f16", "DRAM", Memcpy, 0.5),
        (Avx2, "add_rn_f16", "L1", PerCycle, 3.0),
        (Avx2, "fma_rn_f16", "L1", PerCycle, 1.0),
        (Avx2, "ex2_approx_f16", "L1", PerCycle, 1.2),
        (Avx2, "tanh_approx_f16", "L1", PerCycle, 1.4),
        (Avx512, "add_rn_f16", "L2", Peer, 70.0),
        (Avx512, "fma_rn_f16", "L2", Peer, 60.0),
        (Avx512, "ex2_approx_f32", "L1", Peer, 4.0),
        (Avx512, "lg2_approx_f32", "L1", Peer, 4.0),
        (Avx512, "sin_approx_f32", "L1", Peer, 4.0),
        (Avx512, "cos_approx_f32", "L1", Peer, 4.0),
        (Avx512, "tanh_approx_f32", "L1", Peer, 4.0),
        (Portable, "add_rn_f16", "L2", Nanoseconds, 0.8),
        (Portable, "fma_rn_f16", "L2", Nanoseconds, 1.5),
        (Portable, "add_rn_bf16", "L2", Nanoseconds, 0.25),
    ]
}

fn summary(lines: &[Line], clock: f64) {
    let mut table = Table::new();
    table.set_header(["operation", "size", "", "ns/element", "elements/cycle", "× memcpy", "× peer"]);
    let peer = |line: &Line| {
        let others = lines.iter().filter(|l| l.op == line.op && l.size == line.size && l.level.is_none());
        let peers = others.filter(|l| !["memcpy", "naive"].contains(&&*l.who));
        // The fastest peer counts.
        peers.map(|peer| peer.ns / line.ns).min_by(f64::total_cmp)
    };
    for l in lines {
        table.add_row([
            l.op.to_owned(),
            l.size.to_owned(),
            l.who.clone(),
            format!("{:.3}", l.ns),
            format!("{:.2}", 1.0 / l.ns / clock),
            format!("{:.2}", l.memcpy),
            peer(l).map_or_else(String::new, |x| format!("{x:.1}")),
        ]);
    }
    println!("{table}\nclock: {clock:.2} GHz");
    let (mut met, mut missed) = (0, 0);
    for (level, op, size, measure, want) in targets() {
        let Some(l) = lines.iter().find(|l| l.level == Some(level) && l.op == op && l.size == size) else {
            continue;
        };
        let (got, good) = match measure {
            Measure::Memcpy => (l.memcpy, l.memcpy >= want),
            Measure::PerCycle => (1.0 / l.ns / clock, 1.0 / l.ns / clock >= want),
            Measure::Nanoseconds => (l.ns, l.ns <= want),
            Measure::Peer => (peer(l).unwrap_or(0.0), peer(l).unwrap_or(0.0) >= want),
        };
        *(if good { &mut met } else { &mut missed }) += 1;
        println!("{} {level} {op} {size}: {measure:?} {got:.2}, target {want}", if good { "met   " } else { "MISSED" });
    }
    println!("targets: {met} met, {missed} missed");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let full = arguments.iter().any(|a| a == "--full");
    let filters: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| {
        if filters.is_empty() { full || QUICK.contains(&name) } else { filters.iter().any(|f| name.contains(*f)) }
    };
    let levels: Vec<_> = Level::available().collect();
    let f16_operations = operations! { F16 -> F16:
        add_rn_f16(a 0, b 1) half |a, b| f(h(a) + h(b));
        mul_rn_f16(a 0, b 1) half |a, b| f(h(a) * h(b));
        fma_rn_f16(a 0, b 1, c 2) half |a, b, c| f(h(a).mul_add(h(b), h(c)));
        fma_rn_relu_f16(a 0, b 1, c 2);
        fma_rn_sat_f16(a 0, b 1, c 2);
        fma_rn_ftz_f16(a 0, b 1, c 2);
        fma_rn_oob_f16(a 0, b 1, c 2);
        max_f16(a 0, b 1);
        min_ftz_nan_xorsign_abs_f16(a 0, b 1);
        neg_f16(a 0);
        ex2_approx_f16(a 0) half |a| f(h(a).exp2());
        tanh_approx_f16(a 0) half |a| f(h(a).tanh());
    };
    let bf16_operations = operations! { Bf16 -> Bf16:
        add_rn_bf16(a 0, b 1) half |a, b| bf(bh(a) + bh(b));
        mul_rn_bf16(a 0, b 1) half |a, b| bf(bh(a) * bh(b));
        fma_rn_bf16(a 0, b 1, c 2) half |a, b, c| bf(bh(a).mul_add(bh(b), bh(c)));
        max_bf16(a 0, b 1);
        ex2_approx_ftz_bf16(a 0) half |a| bf(bh(a).exp2());
        tanh_approx_bf16(a 0) half |a| bf(bh(a).tanh());
    };
    let f32_operations = operations! { f32 -> f32:
        add_rn_f32(a 0, b 1);
        add_rz_f32(a 0, b 1);
        fma_rn_f32(a 0, b 1, c 2);
        fma_rp_ftz_f32(a 0, b 1, c 2);
        ex2_approx_f32(a 0) std f32::exp2;
        ex2_approx_ftz_f32(a 0) std f32::exp2;
        lg2_approx_f32(a 0) std f32::log2;
        sin_approx_f32(a 0) std f32::sin;
        cos_approx_f32(a 0) std f32::cos;
        tanh_approx_f32(a 0) std f32::tanh;
        div_rn_f32(a 0, b 1);
        div_rz_f32(a 0, b 1);
        div_rm_ftz_f32(a 0, b 1);
        rcp_rp_f32(a 0);
        sqrt_rn_f32(a 0);
        sqrt_rm_f32(a 0);
        rsqrt_approx_f32(a 0);
    };
    let to_f16 = operations! { f32 -> F16:
        cvt_rn_f16_f32(a 0) => half |x, out| slice::cast_mut::<_, f16>(out).convert_from_f32_slice(x[0]);
        cvt_rz_f16_f32(a 0);
        cvt_rn_ftz_f16_f32(a 0);
        cvt_rn_sat_f16_f32(a 0);
        cvt_rn_relu_f16_f32(a 0);
    };
    let to_bf16 = operations! { f32 -> Bf16:
        cvt_rn_bf16_f32(a 0) => half |x, out| slice::cast_mut::<_, bf16>(out).convert_from_f32_slice(x[0]);
        cvt_rz_bf16_f32(a 0);
    };
    let from_f16 = operations! { F16 -> f32:
        cvt_f32_f16(a 0) => half |x, out| slice::cast::<_, f16>(x[0]).convert_to_f32_slice(out);
    };
    let from_bf16 = operations! { Bf16 -> f32:
        cvt_f32_bf16(a 0) => half |x, out| slice::cast::<_, bf16>(x[0]).convert_to_f32_slice(out);
    };
    let to_e4m3 = lanes! { f32 -> E4m3: cvt_rn_satfinite_e4m3_f32 E4m3::from_f32,
        float8 |x| E4m3::from_bits(float8::F8E4M3::from_f32(x).to_bits()),
        microfloat |x| E4m3::from_bits(f8e4m3fn::from_f32(x).to_bits())
    };
    let to_e2m1 = lanes! { f32 -> E2m1: cvt_rn_satfinite_e2m1_f32 E2m1::from_f32,
        microfloat |x| E2m1::from_bits(f4e2m1fn::from_f32(x).to_bits())
    };
    // Other libraries round to the nearest power of two.
    let to_ue8m0 = lanes! { f32 -> Ue8m0: cvt_rp_satfinite_ue8m0_f32 Ue8m0::from_f32_rp };
    let to_e5m2 = lanes! { F16 -> E5m2: cvt_rn_satfinite_e5m2_f16 |x: F16| E5m2::from_f32(x.to_f32()),
        microfloat |x: F16| E5m2::from_bits(f8e5m2::from_f32(x.to_f32()).to_bits())
    };
    let from_e4m3 = lanes! { E4m3 -> F16: cvt_rn_f16_e4m3 |x: E4m3| F16::from_f32(x.to_f32()),
        float8 |x: E4m3| f(float8::F8E4M3::from_bits(x.to_bits()).to_f16()),
        microfloat |x: E4m3| F16::from_f32(f8e4m3fn::from_bits(x.to_bits()).to_f32())
    };
    let from_e2m1 = lanes! { E2m1 -> Bf16: cvt_rn_bf16_e2m1 |x: E2m1| Bf16::from_f32(x.to_f32()),
        microfloat |x: E2m1| Bf16::from_f32(f4e2m1fn::from_bits(x.to_bits()).to_f32())
    };
    let to_i8 = operations! { f32 -> i8:
        cvt_rni_s8_f32(a 0);
    };
    let to_i32 = operations! { f32 -> i32:
        cvt_rzi_s32_f32(a 0) => std |x, out| x[0].iter().zip(out).for_each(|(x, out)| *out = *x as i32);
        cvt_rmi_s32_f32(a 0);
    };
    let f16_to_u8 = operations! { F16 -> u8:
        cvt_rni_u8_f16(a 0);
    };
    let from_i32 = operations! { i32 -> f32:
        cvt_rn_f32_s32(a 0) => std |x, out| x[0].iter().zip(out).for_each(|(x, out)| *out = *x as f32);
        cvt_rz_f32_s32(a 0);
    };
    let u32_to_bf16 = operations! { u32 -> Bf16:
        cvt_rn_bf16_u32(a 0);
    };
    let i8_to_f16 = operations! { i8 -> F16:
        cvt_rn_f16_s8(a 0);
    };
    let to_pairs = operations! { f32 -> F16x2:
        cvt_rn_f16x2_f32(a 0, b 1);
    };
    let mut lines = Vec::new();
    macro_rules! bench {
        ($($operations:ident)*) => {
            $($operations.iter().filter(|o| wanted(o.name)).for_each(|o| o.bench(&levels, full, &mut lines));)*
        };
    }
    bench!(f16_operations bf16_operations f32_operations to_f16 to_bf16 from_f16 from_bf16 to_pairs to_e4m3 to_e5m2 to_e2m1);
    bench!(to_ue8m0 from_e4m3 from_e2m1 to_i8 to_i32 f16_to_u8 from_i32 u32_to_bf16 i8_to_f16);
    summary(&lines, clock());
}
