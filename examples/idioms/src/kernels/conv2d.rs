//! Convolution in two dimensions, with a thread for each pixel and the weights in constant memory.
//!
//! Pixels beyond the border are zero.

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { Conv2d:
    const BLUR: [f32; 25] = [
        0.00390625, 0.015625, 0.0234375, 0.015625, 0.00390625,
        0.015625,   0.0625,   0.09375,   0.0625,   0.015625,
        0.0234375,  0.09375,  0.140625,  0.09375,  0.0234375,
        0.015625,   0.0625,   0.09375,   0.0625,   0.015625,
        0.00390625, 0.015625, 0.0234375, 0.015625, 0.00390625,
    ];
    kernel keep(sum)
    fn conv2d(col: ThreadX, row: ThreadY, w: usize, h: usize, x: &[f32], y: &mut [f32]) {
        if col < w && row < h {
            let mut sum = 0.0;
            for i in 0..5 {
                for j in 0..5 {
                    // The pixel's coordinates, plus two.
                    let (r, c) = (row + i, col + j);
                    if r >= 2 && r < h + 2 && c >= 2 && c < w + 2 {
                        sum += BLUR[i * 5 + j] * x[(r - 2) * w + c - 2];
                    }
                }
            }
            y[row * w + col] = cvt_rn(sum);
        }
    }
    launch |data| {
        let mut y = zeros(data.x.len());
        conv2d([WIDTH, HEIGHT], WIDTH, HEIGHT, &exact(&data.x), &mut y);
        y
    }
}

const WIDTH: usize = 101;
const HEIGHT: usize = 60;

pub struct Conv2d {
    x: Vec<f32>,
}

impl Conv2d {
    pub fn new() -> Self {
        Self { x: random::Data::new(3).vector(WIDTH * HEIGHT, 0.0, 1.0) }
    }
}

impl Idiom for Conv2d {
    fn name(&self) -> &'static str {
        "conv2d"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        // The weights are products of binomial coefficients.
        let binomial = [1.0, 4.0, 6.0, 4.0, 1.0];
        let mut y = vec![0.0; self.x.len()];
        for (at, &x) in self.x.iter().enumerate() {
            // Each pixel contributes to all pixels around it.
            for (i, a) in binomial.iter().enumerate() {
                for (j, b) in binomial.iter().enumerate() {
                    let (r, c) = ((at / WIDTH + i).wrapping_sub(2), (at % WIDTH + j).wrapping_sub(2));
                    if r < HEIGHT && c < WIDTH {
                        y[r * WIDTH + c] += a * b / 256.0 * f64::from(x);
                    }
                }
            }
        }
        y
    }
}
