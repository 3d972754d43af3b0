//! Layer normalization, with a thread for each token and a loop over its features.
//!
//! The feature is the outer index, `x[j * n + t]`, so that adjacent threads read adjacent elements.

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { LayerNorm:
    kernel keep(mean, variance, d)
    fn layernorm(t: ThreadX, n: usize, width: usize, x: &[f32], gain: &[f32], bias: &[f32], y: &mut [f32]) {
        if t >= n {
            return;
        }
        let mut mean = 0.0;
        for j in 0..width {
            mean += x[j * n + t];
        }
        mean /= width as f32;
        let mut variance = 0.0;
        for j in 0..width {
            let d = x[j * n + t] - mean;
            variance += d * d;
        }
        variance /= width as f32;
        for j in 0..width {
            let d = x[j * n + t] - mean;
            y[j * n + t] = cvt_rn(d * (variance + 1e-5).rsqrt() * gain[j] + bias[j]);
        }
    }
    launch |data| {
        let (x, gain, bias) = (exact(&data.x), exact(&data.gain), exact(&data.bias));
        let mut y = zeros(data.x.len());
        layernorm(TOKENS, TOKENS, WIDTH, &x, &gain, &bias, &mut y);
        y
    }
}

const TOKENS: usize = 61;
const WIDTH: usize = 768;

pub struct LayerNorm {
    x: Vec<f32>,
    gain: Vec<f32>,
    bias: Vec<f32>,
}

impl LayerNorm {
    /// Returns data whose features have mean 1, as after a layer with a bias.
    pub fn new() -> Self {
        let mut data = random::Data::new(2);
        let x = data.vector(WIDTH * TOKENS, -1.0, 3.0);
        Self { x, gain: data.vector(WIDTH, 0.5, 1.5), bias: data.vector(WIDTH, -0.5, 0.5) }
    }
}

impl Idiom for LayerNorm {
    fn name(&self) -> &'static str {
        "layernorm"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        let mut y = vec![0.0; self.x.len()];
        for t in 0..TOKENS {
            let token: Vec<f64> = (0..WIDTH).map(|j| self.x[j * TOKENS + t].into()).collect();
            let mean = token.iter().sum::<f64>() / WIDTH as f64;
            let variance = token.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / WIDTH as f64;
            for j in 0..WIDTH {
                let normal = (token[j] - mean) / (variance + 1e-5).sqrt();
                y[j * TOKENS + t] = normal * f64::from(self.gain[j]) + f64::from(self.bias[j]);
            }
        }
        y
    }
}
