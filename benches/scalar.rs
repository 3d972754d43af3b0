//! Times instructions on single values, without explicit vectors.
//!
//! Every operation runs over arrays in L1 three times: with the library, with the usual alternative
//! (the `half` crate or std's f32), and as a copy of the result's bytes, which is the lower bound.
//! Results are compared before anything is timed, on a million random operands. A correct peer has
//! to agree on all of them. The disagreements of a peer that rounds twice, approximates or does not
//! flush are counted and printed.
//!
//! ```sh
//! cargo bench -p benches --bench scalar -- --quick
//! ```

#![allow(missing_docs, reason = "criterion's macros define public items")]

mod common;

use std::hint::black_box;

use common::{Random, bf, bh, f, h};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use half::{bf16, f16};
use num_traits::Float as _;
use ptxf::{Bf16, F16, F16x2, ptx};

/// Operands of a timed loop, and of the comparison before it.
const TIMED: usize = 1024;
const COMPARED: usize = 1 << 20;

/// The required agreement of a peer.
#[derive(Clone, Copy, PartialEq)]
enum Peer {
    /// Equal bits.
    Correct,
    /// The peer is known to differ: disagreements are counted.
    Counted,
}
use Peer::{Correct, Counted};

/// An operand's type.
trait Operands: Copy {
    /// Returns random bits, with subnormals, infinities and NaNs.
    fn any(random: &mut Random) -> Self;
    /// Returns numbers of ordinary magnitude.
    fn ordinary(random: &mut Random) -> Self;
}

/// A result's type.
trait Value: Copy {
    /// Returns `true` for equal bits, or two NaNs. Libraries may choose different NaNs.
    fn same(self, other: Self) -> bool;
}

impl Operands for f32 {
    fn any(random: &mut Random) -> Self {
        Self::from_bits(random.bits() as u32)
    }
    fn ordinary(random: &mut Random) -> Self {
        (random.bits() as i64 >> 11) as Self / (1u64 << 50) as Self
    }
}

impl Value for f32 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
    }
}

macro_rules! sixteen_bits {
    ($($ty:ident)*) => {$(
        impl Operands for $ty {
            fn any(random: &mut Random) -> Self {
                Self::from_bits(random.bits() as u16)
            }
            fn ordinary(random: &mut Random) -> Self {
                Self::from_f32(f32::ordinary(random))
            }
        }

        impl Value for $ty {
            fn same(self, other: Self) -> bool {
                self.to_f32().same(other.to_f32())
            }
        }
    )*};
}

sixteen_bits!(F16 Bf16);

impl Operands for F16x2 {
    fn any(random: &mut Random) -> Self {
        Self::from_bits(random.bits() as u32)
    }
    fn ordinary(random: &mut Random) -> Self {
        Self::from_lo_hi(F16::ordinary(random), F16::ordinary(random))
    }
}

impl Value for F16x2 {
    fn same(self, other: Self) -> bool {
        self.lo().same(other.lo()) && self.hi().same(other.hi())
    }
}

macro_rules! tuples {
    ($(($($T:ident)*))*) => {$(
        impl<$($T: Operands),*> Operands for ($($T,)*) {
            fn any(random: &mut Random) -> Self {
                ($($T::any(random),)*)
            }
            fn ordinary(random: &mut Random) -> Self {
                ($($T::ordinary(random),)*)
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) }

/// Compares the results, then measures the times.
fn bench<I: Operands, R: Value>(
    c: &mut Criterion,
    name: &str,
    ours: impl Fn(I) -> R,
    peer: &str,
    verdict: Peer,
    theirs: impl Fn(I) -> R,
) {
    let mut random = Random(0);
    let differing = (0..COMPARED).map(|_| I::any(&mut random)).filter(|&i| !ours(i).same(theirs(i))).count();
    match verdict {
        Correct => assert_eq!(differing, 0, "{peer} and ptxf disagree about {name}"),
        Counted => println!("{name}: {peer} differs from ptxf for {differing} of {COMPARED} operands"),
    }

    let inputs: [I; TIMED] = std::array::from_fn(|_| I::ordinary(&mut random));
    let results = inputs.map(&ours);
    let mut out = results;
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(TIMED as u64));
    group.bench_function("ptxf", |b| b.iter(|| run(black_box(&inputs), black_box(&mut out), &ours)));
    group.bench_function(peer, |b| b.iter(|| run(black_box(&inputs), black_box(&mut out), &theirs)));
    group.bench_function("copy", |b| b.iter(|| black_box(&mut out).copy_from_slice(black_box(&results))));
    group.finish();
}

#[inline(always)]
fn run<I: Copy, R>(inputs: &[I], out: &mut [R], f: impl Fn(I) -> R) {
    for (out, &input) in out.iter_mut().zip(inputs) {
        *out = f(input);
    }
}

/// Times a function of `ptxf::ptx` and a peer. (The compiler vectorizes std's f32 `+` and `×`.)
macro_rules! forms {
    ($c:ident: $($function:ident($($x:ident: $T:ty),+), $verdict:ident $peer:literal => $theirs:expr;)*) => {$(
        let theirs = |($($x,)+): ($($T,)+)| $theirs;
        bench($c, stringify!($function), |($($x,)+): ($($T,)+)| ptx::$function($($x),+), $peer, $verdict, theirs);
    )*};
}

/// Returns `half`'s `mul_add` of two lanes.
fn half_mul_add_x2(a: F16x2, b: F16x2, c: F16x2) -> F16x2 {
    let lane = |a, b, c| f(h(a).mul_add(h(b), h(c)));
    F16x2::from_lo_hi(lane(a.lo(), b.lo(), c.lo()), lane(a.hi(), b.hi(), c.hi()))
}

fn scalar(c: &mut Criterion) {
    forms! { c:
        add_rn_f16(a: F16, b: F16), Correct "half" => f(h(a) + h(b));
        mul_rn_f16(a: F16, b: F16), Correct "half" => f(h(a) * h(b));
        fma_rn_f16(a: F16, b: F16, d: F16), Counted "half" => f(h(a).mul_add(h(b), h(d)));
        fma_rn_f16x2(a: F16x2, b: F16x2, d: F16x2), Counted "half" => half_mul_add_x2(a, b, d);
        ex2_approx_f16(a: F16), Counted "half" => f(h(a).exp2());
        tanh_approx_f16(a: F16), Counted "half" => f(h(a).tanh());

        add_rn_bf16(a: Bf16, b: Bf16), Correct "half" => bf(bh(a) + bh(b));
        mul_rn_bf16(a: Bf16, b: Bf16), Correct "half" => bf(bh(a) * bh(b));
        fma_rn_bf16(a: Bf16, b: Bf16, d: Bf16), Counted "half" => bf(bh(a).mul_add(bh(b), bh(d)));
        ex2_approx_ftz_bf16(a: Bf16), Counted "half" => bf(bh(a).exp2());
        tanh_approx_bf16(a: Bf16), Counted "half" => bf(bh(a).tanh());

        add_rn_f32(a: f32, b: f32), Correct "std" => a + b;
        mul_rn_f32(a: f32, b: f32), Correct "std" => a * b;
        fma_rn_f32(a: f32, b: f32, d: f32), Counted "std" => a.mul_add(b, d);
        ex2_approx_f32(a: f32), Counted "std" => a.exp2();
        tanh_approx_f32(a: f32), Counted "std" => a.tanh();
    }
    bench(c, "F16::from_f32", |(x,)| F16::from_f32(x), "half", Correct, |(x,)| f(f16::from_f32(x)));
    bench(c, "F16::to_f32", |(x,): (F16,)| x.to_f32(), "half", Correct, |(x,)| h(x).to_f32());
    bench(c, "Bf16::from_f32", |(x,)| Bf16::from_f32(x), "half", Correct, |(x,)| bf(bf16::from_f32(x)));
    bench(c, "Bf16::to_f32", |(x,): (Bf16,)| x.to_f32(), "half", Correct, |(x,)| bh(x).to_f32());
}

criterion_group!(benches, scalar);
criterion_main!(benches);
