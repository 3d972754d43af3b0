//! Matrix units against two published models, mmasim and mmaemu, which run in Python.
//!
//! `cargo xtask models` runs this test, with both in reach. It compares a thousand random products
//! of each instruction and kind of operands, and with `PTXF_TESTS=long` 10⁶ of each instruction.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ptxf::matrix::{Accumulator, Gemm, Multiplicand, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use rayon::prelude::*;

use crate::captured::Bits;
use crate::operands::{KINDS, Place, Role, element};

/// The program that computes products by the models.
struct Models {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Products of each instruction.
    products: u64,
    /// Number of the first product of each kind.
    first: u64,
    compared: u64,
}

impl Models {
    fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/models.py");
        let mut process =
            Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (requests, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let products = if oracle::long() { 1_000_000 } else { 1000 * KINDS };
        // An operand's number has 24 bits.
        let first = oracle::Rng::from_env(1).next() >> 41;
        Self { process, requests, answers: BufReader::new(answers), products, first, compared: 0 }
    }

    /// Ends the program. Returns how many results were compared.
    fn end(mut self) -> u64 {
        drop(self.requests);
        assert!(self.process.wait().unwrap().success());
        self.compared
    }

    /// Returns the answer of `size` bytes.
    fn ask(&mut self, request: &str, operands: [&[u8]; 3], size: usize) -> Vec<u8> {
        self.requests.write_all(format!("{request}\n").as_bytes()).unwrap();
        operands.into_iter().for_each(|bytes| self.requests.write_all(bytes).unwrap());
        self.requests.flush().unwrap();
        let mut answer = vec![0; size];
        self.answers.read_exact(&mut answer).unwrap_or_else(|error| panic!("{request}: {error}"));
        answer
    }

    /// Compares sums of `length` products. `model` names the model's instruction.
    fn sums<A, B, C>(&mut self, unit: Unit, length: u64, model: &str)
    where
        A: Multiplicand + Bits,
        B: Multiplicand + Bits,
        C: Accumulator + Bits,
    {
        let mma = unit.mma::<A, B, C>().unwrap();
        let places: Vec<Place> = (0..self.products)
            .map(|i| {
                let (kind, index) = (i % KINDS, self.first + i / KINDS);
                Place { instruction: 128 | length, kind, index, row: 0, k: 0, length }
            })
            .collect();
        let a = many(&places, length, |at, k| A::of(element(A::FORMAT, Role::A, Place { k, ..at })));
        let b = many(&places, length, |at, k| B::of(element(B::FORMAT, Role::B, Place { k, ..at })));
        let c = many(&places, 1, |at, _| C::of(element(C::FORMAT, Role::C, Place { length: 8, ..at })));
        let rows = a.par_chunks(length as usize).zip(b.par_chunks(length as usize));
        let d: Vec<C> = rows.zip(&c).map(|((a, b), c)| mma.dot(a, b, *c)).collect();
        let request = format!("{} {length} {} {} {} {model}", c.len(), A::NAME, B::NAME, C::NAME);
        let want = self.ask(&request, [&bytes(&a), &bytes(&b), &bytes(&c)], size_of::<C>() * c.len());
        let size = size_of::<C>();
        for (i, (got, want)) in bytes(&d).chunks(size).zip(want.chunks(size)).enumerate() {
            assert_eq!(got, want, "{unit:?}, {request}: {:?}", places[i]);
        }
        self.compared += self.products;
    }

    /// Compares a product of matrices whose rows have 320 elements, in one chain and with a new
    /// one every 128.
    fn products<A: Multiplicand + Bits, B: Multiplicand + Bits>(&mut self, unit: Unit, profile: &str) {
        let mma = unit.mma::<A, B, f32>().unwrap();
        let (side, length) = (self.products.isqrt() as usize, 320);
        for kind in [1, 2, 3, 8, 9] {
            let place = |row| Place { instruction: 255, kind, index: self.first, row, k: 0, length };
            let places: Vec<_> = (0..side as u64).map(place).collect();
            let a = many(&places, length, |at, k| A::of(element(A::FORMAT, Role::A, Place { k, ..at })));
            let b = many(&places, length, |at, k| B::of(element(B::FORMAT, Role::B, Place { k, ..at })));
            for (options, way) in [(Gemm::new(), "fast"), (Gemm::new().promote(128), "promoted")] {
                let mut d = vec![0.0_f32; side * side];
                let (x, y) = (View::new(&a, side, 320), View::new(&b, side, 320).transposed());
                mma.gemm(options, x, y, &mut d);
                let request = format!("{side} {length} {} {} f32 mmaemu accumulate {profile} {way}", A::NAME, B::NAME);
                let want = self.ask(&request, [&bytes(&a), &bytes(&b), &vec![0; 4 * side]], 4 * d.len());
                let differing = bytes(&d).chunks(4).zip(want.chunks(4)).position(|(got, want)| got != want);
                assert_eq!(differing, None, "{unit:?}, {request}, kind {kind}");
                self.compared += d.len() as u64;
            }
        }
    }
}

fn many<T: Send>(places: &[Place], length: u64, of: impl Fn(Place, u64) -> T + Sync) -> Vec<T> {
    places.par_iter().flat_map_iter(|at| (0..length).map(|k| of(*at, k))).collect()
}

fn bytes<T: Bits>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.bits().to_le_bytes().into_iter().take(size_of::<T>())).collect()
}

/// A unit, and its instructions' names in mmasim.
struct Family {
    unit: Unit,
    /// The class and the architecture.
    class: &'static str,
    /// The letters before the number of products.
    shape: &'static str,
}

impl Family {
    /// Compares instructions with sums in f32.
    fn wide<A: Multiplicand + Bits, B: Multiplicand + Bits>(&self, models: &mut Models, lengths: &[u64]) {
        self.sums::<A, B, f32>(models, lengths);
    }

    /// Compares instructions with sums in f32 and in f16.
    fn both<A: Multiplicand + Bits, B: Multiplicand + Bits>(&self, models: &mut Models, lengths: &[u64]) {
        self.sums::<A, B, f32>(models, lengths);
        self.sums::<A, B, F16>(models, lengths);
    }

    fn fp8(&self, models: &mut Models, lengths: &[u64]) {
        self.both::<E4m3, E4m3>(models, lengths);
        self.both::<E4m3, E5m2>(models, lengths);
        self.both::<E5m2, E4m3>(models, lengths);
        self.both::<E5m2, E5m2>(models, lengths);
    }

    fn sums<A: Multiplicand + Bits, B: Multiplicand + Bits, C: Accumulator + Bits>(
        &self,
        models: &mut Models,
        lengths: &[u64],
    ) {
        let Self { unit, class, shape } = *self;
        let (a, b, c) = (A::NAME, B::NAME, C::NAME);
        let kind = match a {
            "e4m3" | "e5m2" => "f8f6f4",
            "bf16" => "f16",
            _ => a,
        };
        for length in lengths {
            let name = match class.split(' ').next() {
                Some("MMA") => format!("{shape}{length}.{c}.{a}.{b}.{c}"),
                Some("WGMMA") => format!("{shape}{length}.{c}.{a}.{b}"),
                _ => format!("{shape}{length}.kind::{kind}.{c}.{a}.{b}"),
            };
            models.sums::<A, B, C>(unit, *length, &format!("mmasim {class} {name}"));
        }
    }
}

#[test]
#[ignore = "needs mmasim and mmaemu: cargo xtask models"]
fn published_models() {
    let mut all = Models::start();
    let models = &mut all;
    Family { unit: Unit::sm_70(), class: "MMA Volta", shape: "m8n8k" }.both::<F16, F16>(models, &[4]);
    Family { unit: Unit::sm_75(), class: "MMA Turing", shape: "m16n8k" }.both::<F16, F16>(models, &[8]);
    for (unit, class) in [
        (Unit::sm_80(), "MMA Ampere"),
        (Unit::sm_89(), "MMA Ada Lovelace"),
        (Unit::sm_90(), "MMA Hopper"),
        (Unit::sm_100(), "MMA Blackwell"),
        (Unit::sm_120(), "MMA RTX Blackwell"),
    ] {
        let family = Family { unit, class, shape: "m16n8k" };
        family.both::<F16, F16>(models, &[8, 16]);
        family.wide::<Bf16, Bf16>(models, &[8, 16]);
        family.wide::<Tf32, Tf32>(models, &[4, 8]);
        // For Hopper and Blackwell the model lacks numbers of 8 bits, which are emulated there.
        if unit == Unit::sm_89() || unit == Unit::sm_120() {
            family.fp8(models, &[16, 32]);
        }
    }
    for (unit, class) in [(Unit::sm_90a(), "WGMMA Hopper"), (Unit::sm_100a(), "TCGen05MMA Blackwell")] {
        let family = Family { unit, class, shape: "m64n8k" };
        family.both::<F16, F16>(models, &[16]);
        family.wide::<Bf16, Bf16>(models, &[16]);
        family.wide::<Tf32, Tf32>(models, &[8]);
        family.fp8(models, &[32]);
    }
    for (unit, name) in [(Unit::sm_89(), "ada"), (Unit::sm_90a(), "hopper")] {
        models.sums::<E4m3, E4m3, f32>(unit, 32, &format!("mmaemu dot {name}"));
        models.sums::<E4m3, E5m2, f32>(unit, 32, &format!("mmaemu dot {name}"));
        models.sums::<E5m2, E4m3, f32>(unit, 64, &format!("mmaemu dot {name}"));
        models.products::<E4m3, E4m3>(unit, name);
        models.products::<E4m3, E5m2>(unit, name);
    }
    println!("{} results have the bits of mmasim and mmaemu", all.end());
}
