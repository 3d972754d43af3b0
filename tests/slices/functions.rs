//! The f32 functions, whose vectors leave some operands to the reference implementation: at those
//! operands, near them, and everywhere.

use oracle::{Form, Rng, approx, long};
use ptxf_core::{Level, ptx, slice};

use crate::levels;

/// A function with its slices, and a binary64 approximation of it.
struct Function {
    name: &'static str,
    meaning: fn(f32) -> f32,
    slices: fn(Level, &[f32], &mut [f32]),
    double: fn(f64) -> f64,
    /// `true` if the form has `.ftz`.
    ftz: bool,
}

macro_rules! functions {
    ($($function:ident $ftz:literal $double:expr;)*) => {
        [$(Function {
            name: stringify!($function),
            meaning: ptx::$function,
            slices: |level, x, d| slice::$function(x, slice::at(level, d)),
            double: $double,
            ftz: $ftz,
        }),*]
    };
}

const FUNCTIONS: [Function; 9] = functions! {
    ex2_approx_f32 false f64::exp2;
    ex2_approx_ftz_f32 true f64::exp2;
    lg2_approx_f32 false f64::log2;
    lg2_approx_ftz_f32 true f64::log2;
    sin_approx_f32 false f64::sin;
    sin_approx_ftz_f32 true f64::sin;
    cos_approx_f32 false f64::cos;
    cos_approx_ftz_f32 true f64::cos;
    tanh_approx_f32 false f64::tanh;
};

impl Function {
    fn meanings(&self, x: &[f32]) -> Vec<u32> {
        x.iter().map(|&x| (self.meaning)(x).to_bits()).collect()
    }

    fn verify(&self, level: Level, x: &[f32], want: &[u32]) {
        let mut d = vec![0.0; x.len()];
        (self.slices)(level, x, &mut d);
        for ((x, d), want) in x.iter().zip(d).zip(want) {
            assert_eq!(d.to_bits(), *want, "{} at {level} of {:#x}", self.name, x.to_bits());
        }
    }
}

/// Every exponent with significands at its ends and between, both signs, and numbers around powers
/// of two of π/2.
fn strata(rng: &mut Rng) -> Vec<f32> {
    let mut x = Vec::new();
    for high in 0..512_u32 {
        let ends = [0, 1, 2, 3, 0x3F_FFFF, 0x40_0000, 0x40_0001, 0x7F_FFFD, 0x7F_FFFE, 0x7F_FFFF];
        let random = (0..54).map(|_| rng.below(1 << 23) as u32);
        x.extend(ends.into_iter().chain(random).map(|low| f32::from_bits(high << 23 | low)));
    }
    for k in (0..200).chain((0..24).map(|k| 1 << k)) {
        let near = (f64::from(k) * core::f64::consts::FRAC_PI_2) as f32;
        x.extend((-2_i32..=2).map(|by| f32::from_bits(near.to_bits().wrapping_add_signed(by))));
    }
    // The limits of the computation, and those of the results.
    for edge in
        [-152.0, -151.0, -150.0, -149.0, -126.0, 126.0, 127.0, 128.0, 129.0, 9.0, 9.01, 9.1, 10.0, 1_048_576.0_f32]
    {
        for x_edge in [edge, -edge] {
            x.extend((-40_i32..=40).map(|by| f32::from_bits(x_edge.to_bits().wrapping_add_signed(by))));
        }
    }
    x
}

#[test]
fn every_stratum_is_the_meaning() {
    let mut rng = Rng::from_env(0xF_00C7);
    let x = strata(&mut rng);
    for f in &FUNCTIONS {
        let want = f.meanings(&x);
        levels().into_iter().for_each(|level| f.verify(level, &x, &want));
    }
    println!("{} operands of {} functions", x.len(), FUNCTIONS.len());
}

/// Operands whose result is so near to a midpoint that vectors cannot round it, or nearly so.
#[test]
fn near_midpoints_is_the_meaning() {
    let mut rng = Rng::from_env(0xD0_0B7);
    for f in FUNCTIONS.iter().filter(|f| !f.ftz) {
        let mut x = Vec::new();
        while x.len() < if long() { 400 } else { 100 } {
            // From 2^-20 to 2^7, where the result is not constant.
            let operand = f32::from_bits((107 << 23) + rng.below(27 << 23) as u32);
            let last = (f.double)(f64::from(operand)).to_bits() as u32 & ((1 << 29) - 1);
            if last.abs_diff(1 << 28) < 1 << 13 {
                x.push(operand);
            }
        }
        let want = f.meanings(&x);
        levels().into_iter().for_each(|level| f.verify(level, &x, &want));
    }
}

/// Two operands of any kind in the same lane of two vectors, among ordinary ones: a test of several
/// vectors at once has to cover each lane, for any neighbours.
#[test]
fn beside_any_other_is_the_meaning() {
    const KINDS: [f32; 18] = [
        0.0,
        1e-40,
        -1e-30,
        9.5,
        -140.0,
        262_145.0,
        -262_150.5,
        3e5,
        1e6,
        -7e6,
        1.1e7,
        2.3e7,
        5e7,
        -1e9,
        3e38,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    // The same lane of vectors of up to 16.
    const PLACES: [usize; 2] = [5, 53];
    let mut rng = Rng::from_env(0xBE_51DE);
    let ordinary: Vec<f32> = (0..300).map(|_| f32::from_bits((120 << 23) + rng.below(10 << 23) as u32)).collect();
    for f in &FUNCTIONS {
        let (kinds, rest) = (f.meanings(&KINDS), f.meanings(&ordinary));
        for level in levels() {
            for (i, first) in KINDS.into_iter().enumerate() {
                for (j, second) in KINDS.into_iter().enumerate() {
                    let (mut x, mut want) = (ordinary.clone(), rest.clone());
                    (x[PLACES[0]], want[PLACES[0]]) = (first, kinds[i]);
                    (x[PLACES[1]], want[PLACES[1]]) = (second, kinds[j]);
                    f.verify(level, &x, &want);
                }
            }
        }
    }
}

/// All 2^32 operands against CORE-MATH, which is faster than the meaning; each function takes a
/// minute or two. `PTXF_FUNCTIONS` selects functions and `PTXF_LEVEL` a level; without them all are
/// tested.
#[test]
#[ignore = "minutes: PTXF_FUNCTIONS=sin_approx_f32 cargo test --release -p slices -- --ignored"]
fn every_operand_is_the_meaning() {
    const BLOCK: u64 = 1 << 16;
    let of = |variable| std::env::var(variable).ok();
    let asked = Level::from_env().unwrap_or_else(|e| panic!("{e}"));
    let levels = asked.map_or_else(levels, |level| vec![level]);
    let wanted = of("PTXF_FUNCTIONS");
    for name in wanted.iter().flat_map(|names| names.split(',')) {
        assert!(FUNCTIONS.iter().any(|f| f.name == name), "PTXF_FUNCTIONS: there is no function `{name}`");
    }
    for f in FUNCTIONS.iter().filter(|f| wanted.as_ref().is_none_or(|names| names.split(',').any(|n| n == f.name))) {
        let form = Form::parse(&f.name.replace('_', ".")).expect("the oracles know every form");
        let mut compared = 0;
        for first in (0..1 << 32).step_by(BLOCK as usize) {
            let x: Vec<f32> = (first..first + BLOCK).map(|bits| f32::from_bits(bits as u32)).collect();
            let oracle = |bits| approx::eval(&form, &[bits]).expect("an approximation") as u32;
            let want: Vec<u32> = (first..first + BLOCK).map(oracle).collect();
            levels.iter().for_each(|&level| f.verify(level, &x, &want));
            compared += x.len() as u64;
        }
        assert_eq!(compared, 1 << 32);
        println!("{}: all {compared} operands at {levels:?}", f.name);
    }
}
