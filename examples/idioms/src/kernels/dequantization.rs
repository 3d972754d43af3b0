//! Dequantizes weights within a dot product: e2m1, two to a byte, with a scale for 32 weights.
//!
//! A thread has a column of the weights, so that a byte has the two numbers of a pair of threads.

use ptxf::{E2m1x2, Ue8m0};

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Dequantization:
    kernel keep(sum, part)
    fn dequantization(
        t: ThreadX, n: usize, depth: usize, x: &[f32], weight: &[E2m1x2], scale: &[Ue8m0], y: &mut [f32],
    ) {
        if t < n {
            let mut sum = 0.0;
            for b in 0..depth / 32 {
                let mut part = 0.0;
                for k in b * 32..b * 32 + 32 {
                    part += x[k] * weight[k * n + t];
                }
                sum += part * scale[b * n + t];
            }
            y[t] = cvt_rn(sum);
        }
    }
    launch |data| {
        let mut y = zeros(COLUMNS);
        dequantization(COLUMNS, COLUMNS, DEPTH, &exact(&data.x), &data.weight, &data.scale, &mut y);
        y
    }
}

const COLUMNS: usize = 203;
const DEPTH: usize = 1024;

pub struct Dequantization {
    x: Vec<f32>,
    weight: Vec<E2m1x2>,
    scale: Vec<Ue8m0>,
}

impl Dequantization {
    /// Returns random weights, with scales from 1/8 to 1.
    pub fn new() -> Self {
        let mut data = random::Data::new(9);
        let x = data.vector(DEPTH, 0.0, 1.0);
        let weight = (0..(DEPTH * COLUMNS).div_ceil(2)).map(|_| E2m1x2::from_bits(data.below(256) as u8)).collect();
        let scale = (0..DEPTH / 32 * COLUMNS).map(|_| Ue8m0::from_f32_rz([0.125, 0.25, 0.5, 1.0][data.below(4)]));
        Self { x, weight, scale: scale.collect() }
    }
}

impl Idiom for Dequantization {
    fn name(&self) -> &'static str {
        "dequantization"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        let weights: Vec<f64> = self.weight.iter().flat_map(|w| [w.lo(), w.hi()]).map(|w| w.to_f32().into()).collect();
        let mut y = vec![0.0; COLUMNS];
        for k in 0..DEPTH {
            for (column, y) in y.iter_mut().enumerate() {
                let scale: f64 = self.scale[k / 32 * COLUMNS + column].to_f32().into();
                *y += f64::from(self.x[k]) * weights[k * COLUMNS + column] * scale;
            }
        }
        y
    }
}
