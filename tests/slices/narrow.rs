//! Conversions of the lanes of packed registers, at every level, against the reference
//! implementation.

use oracle::{Rng, long};
use ptxf_core::format::{
    BFloat16, Binary16, Binary32, Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, Format,
};
use ptxf_core::int::Int;
use ptxf_core::sem::{self, Random};
use ptxf_core::slice;
use ptxf_core::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, Level, Modifiers, Round, Ue8m0};

use crate::levels;

/// A scalar with its format.
trait Scalar: Copy {
    type Format: Format;
    fn from_code(code: u64) -> Self;
    fn code(self) -> u64;
}

macro_rules! scalars {
    ($($ty:ident $format:ident $bits:ident;)*) => {$(
        impl Scalar for $ty {
            type Format = $format;
            fn from_code(code: u64) -> Self {
                Self::from_bits(code as $bits)
            }
            fn code(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

scalars! {
    f32 Binary32 u32;
    F16 Binary16 u16;
    Bf16 BFloat16 u16;
    E4m3 Float8E4M3 u8;
    E5m2 Float8E5M2 u8;
    E2m3 Float6E2M3 u8;
    E3m2 Float6E3M2 u8;
    E2m1 Float4E2M1 u8;
    Ue8m0 Exponent8 u8;
}

/// Returns the modifiers in the form's name.
fn modifiers(form: &str) -> Modifiers {
    let mut m = Modifiers::PLAIN;
    for modifier in form.split('.') {
        match modifier {
            "rz" => m = m.with_rnd(Round::Rz),
            "rp" => m = m.with_rnd(Round::Rp),
            "relu" => m = m.with_relu(true),
            "satfinite" => m = m.with_satfinite(true),
            _ => {}
        }
    }
    m
}

/// All codes of at most 16 bits, repeated if they are few. For binary32, the neighbours of every
/// bf16, which include all numbers of the narrow formats and the middles between them.
fn codes<F: Format>() -> Vec<u64> {
    let bits = (F::sign_mask() | F::infinity()).bit_len();
    if bits <= 16 { (0..(1 << bits).max(400)).map(|code| code & ((1 << bits) - 1)).collect() } else { near_bf16() }
}

fn near_bf16() -> Vec<u64> {
    let near = |x: u32| [x.wrapping_sub(1), x, x + 1].map(u64::from);
    (0..=u16::MAX).flat_map(|x| near(u32::from(x) << 16)).collect()
}

/// The random number of element `i`, by the manual's fields. For pairs, the first operand's bits
/// are read from the other end.
fn number(to: &str, lanes: usize, words: &[u32], i: usize) -> Random {
    let (word, lane) = (words[i / lanes], i % lanes);
    let halves = |high: [u32; 2], low: [u32; 2]| [high, low].map(|[a, b]| a << 8 | b);
    match lanes {
        2 => {
            let bits = if to == "f16" { 13 } else { 16 };
            Random { number: word >> (16 * lane) & ((1 << bits) - 1), bits }
        }
        _ => {
            let byte = |k: u32| word >> (8 * k) & 0xFF;
            let [high, low] = if to == "e2m1" {
                halves([byte(3), byte(1)], [byte(2), byte(0)])
            } else {
                halves([byte(3), byte(2)], [byte(1), byte(0)])
            };
            let half = [low, high][lane / 2];
            // Lanes 1 and 3 are the first operands of their pairs.
            let number = if lane % 2 == 1 { (half as u16).reverse_bits().into() } else { half };
            Random { number, bits: 16 }
        }
    }
}

/// A call with operands, words, and the output in a buffer of guards.
type Call<A, D> = fn(Level, &[A], &[u32], &mut [D]);

fn check<A: Scalar, D: Scalar>(levels: &[Level], form: &str, lanes: usize, call: Call<A, D>) -> usize
where
    A::Format: sem::Encoding<Bits = <A::Format as Format>::Bits>,
    D::Format: sem::Encoding<Bits = <D::Format as Format>::Bits>,
{
    let (m, mut rng) = (modifiers(form), Rng::from_env(0xA_44));
    let codes = codes::<A::Format>();
    let x: Vec<A> = codes.iter().map(|&code| A::from_code(code)).collect();
    let words: Vec<u32> = (0..x.len())
        .map(|i| match i % 8 {
            0 => 0,
            1 => u32::MAX,
            _ => rng.below(1 << 32) as u32,
        })
        .collect();
    let to = form.split('.').rev().nth(1).expect("two types").trim_end_matches("x4").trim_end_matches("x2");
    let want: Vec<u64> = (0..x.len())
        .map(|i| {
            let code = <A::Format as Format>::Bits::of_low_bits(codes[i].into());
            let d: <D::Format as Format>::Bits = match lanes {
                0 => sem::cvt::<A::Format, D::Format>(m, code),
                _ => sem::cvt_rs::<A::Format, D::Format>(m, number(to, lanes, &words, i), code),
            };
            d.cast()
        })
        .collect();
    let guard = D::from_code(1);
    let mut compared = 0;
    for &level in levels {
        // All of them, and every short length at some offset.
        let runs =
            std::iter::once((x.len(), 0)).chain((0..150).step_by(if long() { 1 } else { 7 }).map(|n| (n, n % 5)));
        for (n, before) in runs {
            let mut d = vec![guard; before + n + 3];
            let words = if lanes == 0 { &[] } else { &words[..n.div_ceil(lanes)] };
            call(level, &x[..n], words, &mut d[before..before + n]);
            let around = d[..before].iter().chain(&d[before + n..]);
            assert!(around.into_iter().all(|d| d.code() == 1), "{form} at {level} wrote outside of {n} elements");
            let wrong = (0..n).find(|&i| d[before + i].code() != want[i]);
            if let Some(i) = wrong {
                let (of, got) = (codes[i], d[before + i].code());
                panic!("{form} at {level}, lane {i} of {n}, of {of:#x}: {got:#x}, not {:#x}", want[i]);
            }
            compared += n;
        }
    }
    compared
}

macro_rules! call {
    ($function:ident 0) => {
        |level, x, _, out| slice::$function(x, slice::at(level, out))
    };
    ($function:ident $lanes:literal) => {
        |level, x, words, out| slice::$function(x, words, slice::at(level, out))
    };
}

#[test]
fn every_lane_is_the_meaning() {
    let levels = levels();
    macro_rules! table {
        ($($function:ident $form:literal $from:ident $to:ident $lanes:tt;)*) => {
            [$(check::<$from, $to>(&levels, $form, $lanes, call!($function $lanes))),*]
        };
    }
    let compared = ptxf_core::for_each_slice_lane!(table);
    println!("{} conversions, {} results", compared.len(), compared.iter().sum::<usize>());
}

#[test]
fn words_that_are_too_few_are_named() {
    let e = slice::cvt_rs_satfinite_e4m3_f32(&[1.0; 5], &[0; 1], slice::checked(&mut [E4m3::ZERO; 5])).unwrap_err();
    assert_eq!(e.to_string(), "`rbits` has 1 element, `out` with 5 takes 2");
}
