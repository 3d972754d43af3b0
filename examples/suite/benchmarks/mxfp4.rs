//! Multiplies a matrix with weights in MXFP4, which the kernel widens when it loads them.
//!
//! MXFP4 is OCP's format: 32 numbers in e2m1, two to a byte, with a common power of two, 4.25 bits
//! per number. A block here is 32 weights of a column.

use ptxf::{E2m1, E2m1x2, Ue8m0};

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::{Launch, plain};
use crate::random::Random;
use crate::real::{self, rounded, zeros};

include!("../kernels/mxfp4.rs");

/// Weights with a common scale.
const BLOCK: usize = 32;

pub struct Mxfp4 {
    width: usize,
    height: usize,
    depth: usize,
    a: Vec<f32>,
    w: Vec<E2m1x2>,
    scale: Vec<Ue8m0>,
    /// The product with the unrounded weights, and with the rounded ones.
    reference: Vec<f64>,
    of_rounded: Vec<f64>,
}

impl Mxfp4 {
    /// Returns matrices of numbers in `[-1, 1)`. With an odd width every other row begins within a
    /// byte.
    pub fn new(size: Size) -> Self {
        let depth = 512;
        let [width, height] = size.rows(0, 2048, [size.pick(1025, 257, 65), size.pick(512, 64, 5)]);
        let mut random = Random::new(9);
        let (a, w) = (random.vector(height * depth, -1.0, 1.0), random.vector(depth * width, -1.0, 1.0));
        let reference = size.reference(|| real::product(width, depth, &a, &w));
        let mut codes = vec![E2m1::ZERO; depth * width + depth * width % 2];
        let (mut scale, mut widened) = (Vec::new(), vec![0.0; depth * width]);
        for block in 0..depth / BLOCK {
            for column in 0..width {
                let indices = (block * BLOCK..(block + 1) * BLOCK).map(|k| k * width + column);
                let largest = indices.clone().map(|i| w[i].abs()).fold(0.0, f32::max);
                let s = scale_of(largest);
                for i in indices {
                    codes[i] = E2m1::from_f32(w[i] / s.to_f32());
                    widened[i] = codes[i].to_f32() * s.to_f32();
                }
                scale.push(s);
            }
        }
        let pair = |pair: &[E2m1]| E2m1x2::from_lo_hi(pair[0], pair[1]);
        let w = codes.chunks(2).map(pair).collect();
        let of_rounded = size.reference(|| real::product(width, depth, &a, &widened));
        Self { width, height, depth, a, w, scale, reference, of_rounded }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let (width, height) = (self.width, self.height);
        let a = rounded::<E>(&self.a);
        let mut c = zeros::<E>(width * height);
        let grid = launch.grid([width, height]);
        let time = launch.time(|| E::mxfp4(launch, grid, width, height, self.depth, &a, &self.w, &self.scale, &mut c));
        Output::new(time).floats("c", &c)
    }
}

/// Returns the scale that maps the exponent of the largest number to e2m1's largest exponent.
fn scale_of(largest: f32) -> Ue8m0 {
    let exponent = Ue8m0::from_f32_rz(largest).exponent().expect("the largest is a number");
    Ue8m0::from_exponent(exponent - 2).unwrap_or(Ue8m0::MIN)
}

impl Benchmark for Mxfp4 {
    fn name(&self) -> &'static str {
        "matmul MXFP4"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        Score::by_the_sums(output.values("c"), &self.reference, &self.of_rounded)
    }

    /// Computes the product with elements in f32 and separate scales.
    fn plain(&self) -> Output {
        let (width, depth) = (self.width, self.depth);
        let w: Vec<f32> = self.w.iter().flat_map(|w| [w.lo().to_f32(), w.hi().to_f32()]).collect();
        let scale: Vec<f32> = self.scale.iter().map(|s| s.to_f32()).collect();
        let (mut c, mut part) = (vec![0.0; width * self.height], vec![0.0; width]);
        let time = plain(|| {
            for (sums, row) in c.chunks_mut(width).zip(self.a.chunks(depth)) {
                for ((row, w), scale) in row.chunks(BLOCK).zip(w.chunks(BLOCK * width)).zip(scale.chunks(width)) {
                    part.fill(0.0);
                    real::plain_product(width, BLOCK, row, w, &mut part);
                    sums.iter_mut().zip(&part).zip(scale).for_each(|((sum, part), scale)| *sum += part * scale);
                }
            }
        });
        Output::new(time).floats("c", &c)
    }
}
