//! Computes the gain of opening another centre.
//!
//! Each point either moves to the candidate, or adds the saving to its own centre. The two branches
//! access different elements.
#![expect(unsafe_code, reason = "a thread writes somewhere in a row of its own")]

use ptxf::F16;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed};
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/streamcluster.rs");

pub struct Streamcluster {
    n: usize,
    dimensions: usize,
    centres: Vec<usize>,
    candidates: Vec<usize>,
    /// Points, ordered by coordinate, then by point.
    point: Vec<f32>,
    weight: Vec<f32>,
    /// Present cost of each point, its centre's index, and the column of each centre in `saved`.
    cost: Vec<f32>,
    assigned: Vec<i32>,
    slot: Vec<i32>,
    switches: Vec<f64>,
    saved: Vec<f64>,
}

impl Streamcluster {
    pub fn new(size: Size) -> Self {
        let dimensions = size.pick(32, 32, 8);
        let n = size.elements(2 * dimensions + 16, size.pick(262_143, 8191, 501));
        let mut random = Random::new(8);
        let point = random.vector(n * dimensions, 0.0, 1.0);
        let weight = random.vector(n, 0.5, 2.0);
        let mut places = |count| -> Vec<usize> { (0..count).map(|_| random.below(n)).collect() };
        let (centres, candidates) = (places(7), places(size.launches(4)));
        let mut slot = vec![0; n];
        centres.iter().enumerate().for_each(|(i, &centre)| slot[centre] = i as i32);
        let mut stream = Self {
            n,
            dimensions,
            centres,
            candidates,
            point,
            weight,
            cost: Vec::new(),
            assigned: Vec::new(),
            slot,
            switches: Vec::new(),
            saved: Vec::new(),
        };
        for t in 0..n {
            let costs = stream.centres.iter().map(|&centre| (stream.cost_at(t, centre), centre));
            let (cost, centre) = costs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are centres");
            stream.cost.push(cost as f32);
            stream.assigned.push(centre as i32);
        }
        (stream.switches, stream.saved) = size.reference(|| stream.in_f64());
        stream
    }

    /// Returns the cost of the point at that centre.
    fn cost_at(&self, t: usize, centre: usize) -> f64 {
        let coordinate = |p: usize, i: usize| f64::from(self.point[p + i * self.n]);
        let square: f64 = (0..self.dimensions).map(|i| (coordinate(t, i) - coordinate(centre, i)).powi(2)).sum();
        square * f64::from(self.weight[t])
    }

    /// Returns the switches and the savings.
    fn in_f64(&self) -> (Vec<f64>, Vec<f64>) {
        let width = self.centres.len() + 1;
        let (mut switches, mut saved) = (vec![0.0; self.n], vec![0.0; self.n * width]);
        for &candidate in &self.candidates {
            for t in 0..self.n {
                let change = self.cost_at(t, candidate) - f64::from(self.cost[t]);
                let own = self.slot[self.assigned[t] as usize] as usize;
                let place = if change < 0.0 { width - 1 } else { own };
                switches[t] = f64::max(switches[t], f64::from(u8::from(change < 0.0)));
                saved[t * width + place] += change;
            }
        }
        (switches, saved)
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let (n, centres) = (self.n, self.centres.len());
        let (point, weight, cost) = (rounded::<E>(&self.point), rounded::<E>(&self.weight), rounded::<E>(&self.cost));
        let (mut switches, mut saved) = (vec![0; n], zeros::<E>(n * (centres + 1)));
        let (assigned, slot) = (&self.assigned, &self.slot);
        let time = launch.time(|| {
            for &c in &self.candidates {
                let grid = launch.grid(n);
                E::gain(
                    launch,
                    grid,
                    n,
                    self.dimensions,
                    centres,
                    c,
                    &point,
                    &weight,
                    &cost,
                    assigned,
                    slot,
                    &mut switches,
                    &mut saved,
                );
            }
        });
        Output::new(time).ints("switches", &switches).floats("saved", &saved)
    }
}

impl Benchmark for Streamcluster {
    fn name(&self) -> &'static str {
        "streamcluster"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        let elsewhere = output.values("switches").iter().zip(&self.switches).filter(|(a, b)| a != b).count();
        let error = metric::relative_l2(output.values("saved"), &self.saved);
        Score { error, also: format!("{elsewhere} of {} decide otherwise", self.n) }
    }

    fn plain(&self) -> Output {
        let (n, width) = (self.n, self.centres.len() + 1);
        let (mut switches, mut saved) = (vec![0; n], vec![0.0; n * width]);
        let time = plain(|| {
            for &candidate in &self.candidates {
                for t in 0..n {
                    let mut s = 0.0;
                    for i in 0..self.dimensions {
                        let d = self.point[t + i * n] - self.point[candidate + i * n];
                        s += d * d;
                    }
                    let there = s * self.weight[t];
                    let change = there - self.cost[t];
                    if there < self.cost[t] {
                        switches[t] = 1;
                        saved[t * width + width - 1] += change;
                    } else {
                        saved[t * width + self.slot[self.assigned[t] as usize] as usize] += change;
                    }
                }
            }
        });
        Output::new(time).ints("switches", &switches).floats("saved", &saved)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let (n, centres) = (self.n, self.centres.len());
        let [point, weight, cost] = [&self.point, &self.weight, &self.cost].map(|x| packed(x, n));
        let (mut switches, mut saved) = (vec![0; n], zeros::<F16>(n * (centres + 1)));
        let (assigned, slot, dimensions) = (&self.assigned, &self.slot, self.dimensions);
        let grid = launch.grid(pairs::pitch(n));
        let time = launch.time(|| {
            for &c in &self.candidates {
                let gain = by_hand::gain::gain;
                gain(
                    launch,
                    grid,
                    n,
                    dimensions,
                    centres,
                    c,
                    &point,
                    &weight,
                    &cost,
                    assigned,
                    slot,
                    &mut switches,
                    &mut saved,
                );
            }
        });
        Some(Output::new(time).ints("switches", &switches).floats("saved", &saved))
    }
}
