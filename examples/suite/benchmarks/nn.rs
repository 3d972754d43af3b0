//! Computes the distance of every record from a point, in degrees on a flat map.
//!
//! In f16 the square of more than 255.9 degrees is infinite.

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/nn.rs");

/// The point, as latitude and longitude.
const PLACE: [f32; 2] = [30.0, 90.0];
/// Number of reported neighbours.
const NEAREST: usize = 10;

pub struct Nn {
    lat: Vec<f32>,
    lng: Vec<f32>,
    reference: Vec<f64>,
}

impl Nn {
    pub fn new(size: Size) -> Self {
        let n = size.elements(6, size.pick(4_000_001, 42_764, 2_001));
        let mut random = Random::new(1);
        let (lat, lng) = (random.vector(n, 7.0, 70.0), random.vector(n, 0.0, 359.0));
        let distance =
            |(&lat, &lng)| f64::hypot(f64::from(lat) - f64::from(PLACE[0]), f64::from(lng) - f64::from(PLACE[1]));
        let reference = size.reference(|| lat.iter().zip(&lng).map(distance).collect());
        Self { lat, lng, reference }
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let n = self.lat.len();
        let (lat, lng) = (rounded::<E>(&self.lat), rounded::<E>(&self.lng));
        let mut out = zeros::<E>(n);
        let time = launch.time(|| E::nn(launch, launch.grid(n), n, &lat, &lng, PLACE[0], PLACE[1], &mut out));
        Output::new(time).floats("out", &out)
    }
}

impl Benchmark for Nn {
    fn name(&self) -> &'static str {
        "nn"
    }

    fn metric(&self) -> &'static str {
        "largest, °"
    }

    fn score(&self, output: &Output) -> Score {
        let out = output.values("out");
        let (found, want) = (nearest(out), nearest(&self.reference));
        let recall = found.iter().filter(|i| want.contains(i)).count();
        Score { error: metric::largest(out, &self.reference), also: format!("{recall} of {NEAREST} nearest") }
    }

    fn plain(&self) -> Output {
        let mut out = vec![0.0; self.lat.len()];
        let [lat0, lng0] = PLACE;
        let time = plain(|| {
            for ((out, lat), lng) in out.iter_mut().zip(&self.lat).zip(&self.lng) {
                let (x, y) = (lat0 - lat, lng0 - lng);
                *out = (x * x + y * y).sqrt();
            }
        });
        Output::new(time).floats("out", &out)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let n = self.lat.len();
        let (lat, lng, words) = (packed(&self.lat, n), packed(&self.lng, n), pairs::pitch(n));
        let mut out = pairs::zeros(words);
        let time = launch.time(|| {
            by_hand::nn::nn(launch, launch.grid(words), words, &lat, &lng, PLACE[0], PLACE[1], &mut out);
        });
        Some(Output::new(time).floats("out", &unpacked(&out, n)))
    }
}

fn nearest(distances: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..distances.len()).collect();
    order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    order.truncate(NEAREST);
    order
}
