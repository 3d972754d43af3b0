//! Computes forces between particles in the same box or in adjacent boxes.
//!
//! A box is a block of threads, so all threads of a block read the same neighbour.

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/lavamd.rs");

/// Particles per box; not a multiple of any vector's lanes.
const PARTICLES: usize = 100;
const ALPHA: f32 = 0.5;
/// The factor in exp(−α² d²). The kernel computes half of the squared distance.
const A2: f32 = 2.0 * ALPHA * ALPHA;

pub struct LavaMd {
    /// Index into `near` of the first neighbour of each box. A box is its own neighbour.
    first: Vec<i32>,
    near: Vec<i32>,
    /// x, y, z, half of the squared norm, charge.
    particles: [Vec<f32>; 5],
    reference: [Vec<f64>; 4],
}

impl LavaMd {
    pub fn new(size: Size) -> Self {
        let side = size.cube(PARTICLES, [6, 3, 1]);
        let boxes = side.pow(3);
        let place = |b: usize| [b % side, b / side % side, b / (side * side)];
        let (mut first, mut near) = (vec![0], Vec::new());
        for home in 0..boxes {
            let [x, y, z] = place(home).map(|i| i.saturating_sub(1)..(i + 2).min(side));
            for (k, j) in z.flat_map(|k| y.clone().map(move |j| (k, j))) {
                near.extend(x.clone().map(|i| (i + side * (j + side * k)) as i32));
            }
            first.push(near.len() as i32);
        }
        let n = boxes * PARTICLES;
        let mut random = Random::new(7);
        let [x, y, z] = std::array::from_fn(|_| random.vector(n, 0.1, 1.0));
        let v = (0..n).map(|i| (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]) / 2.0).collect();
        let q = random.vector(n, 0.1, 1.0);
        let mut lava = Self { first, near, particles: [x, y, z, v, q], reference: Default::default() };
        lava.reference = size.reference(|| lava.in_f64());
        lava
    }

    /// Returns the potential and the force on every particle.
    fn in_f64(&self) -> [Vec<f64>; 4] {
        let [x, y, z, _, q] = self.particles.each_ref().map(|p| p.iter().map(|&p| f64::from(p)).collect::<Vec<_>>());
        let mut forces: [Vec<f64>; 4] = Default::default();
        for i in 0..x.len() {
            let home = i / PARTICLES;
            let neighbours = &self.near[self.first[home] as usize..self.first[home + 1] as usize];
            let mut sums = [0.0; 4];
            for j in neighbours.iter().flat_map(|&b| b as usize * PARTICLES..(b as usize + 1) * PARTICLES) {
                let d = [x[i] - x[j], y[i] - y[j], z[i] - z[j]];
                let square: f64 = d.iter().map(|d| d * d).sum();
                let u = q[j] * f64::exp(-f64::from(ALPHA).powi(2) * square);
                sums[0] += u;
                (0..3).for_each(|axis| sums[axis + 1] += 2.0 * u * d[axis]);
            }
            forces.iter_mut().zip(sums).for_each(|(force, sum)| force.push(sum));
        }
        forces
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let [x, y, z, v, q] = self.particles.each_ref().map(|p| rounded::<E>(p));
        let n = x.len();
        let [mut fv, mut fx, mut fy, mut fz] = std::array::from_fn(|_| zeros::<E>(n));
        let grid = launch.grid(n).block([PARTICLES, 1, 1]);
        let (first, near) = (&self.first, &self.near);
        let time = launch.time(|| {
            let forces = E::forces;
            forces(launch, grid, PARTICLES, first, near, A2, &x, &y, &z, &v, &q, &mut fv, &mut fx, &mut fy, &mut fz);
        });
        Output::new(time).floats("potential", &fv).floats("x", &fx).floats("y", &fy).floats("z", &fz)
    }
}

impl Benchmark for LavaMd {
    fn name(&self) -> &'static str {
        "lavaMD"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        let [potential, forces @ ..] = ["potential", "x", "y", "z"].map(|name| output.values(name));
        let force = metric::relative_l2(&forces.concat(), &self.reference[1..].concat());
        let all = [potential, &forces.concat()].concat();
        let error = metric::relative_l2(&all, &self.reference.concat());
        Score { error, also: format!("forces alone {force:.2e}") }
    }

    fn approximates(&self) -> bool {
        true
    }

    fn plain(&self) -> Output {
        let [x, y, z, v, q] = &self.particles;
        let n = x.len();
        let [mut fv, mut fx, mut fy, mut fz] = [(); 4].map(|()| vec![0.0; n]);
        let time = plain(|| {
            for t in 0..n {
                let home = t / PARTICLES;
                let [mut sv, mut sx, mut sy, mut sz] = [0.0; 4];
                for &other in &self.near[self.first[home] as usize..self.first[home + 1] as usize] {
                    let other = other as usize * PARTICLES;
                    for j in other..other + PARTICLES {
                        let r2 = v[t] + v[j] - (x[t] * x[j] + y[t] * y[j] + z[t] * z[j]);
                        let u = (-A2 * r2).exp();
                        let f = 2.0 * u;
                        sv += q[j] * u;
                        sx += q[j] * (f * (x[t] - x[j]));
                        sy += q[j] * (f * (y[t] - y[j]));
                        sz += q[j] * (f * (z[t] - z[j]));
                    }
                }
                (fv[t], fx[t], fy[t], fz[t]) = (sv, sx, sy, sz);
            }
        });
        Output::new(time).floats("potential", &fv).floats("x", &fx).floats("y", &fy).floats("z", &fz)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let [x, y, z, v, q] = self.particles.each_ref().map(|p| packed(p, PARTICLES));
        let n = x.len();
        let [mut fv, mut fx, mut fy, mut fz] = std::array::from_fn(|_| pairs::zeros(n));
        let grid = launch.grid(n).block([pairs::pitch(PARTICLES), 1, 1]);
        let (first, near) = (&self.first, &self.near);
        let time = launch.time(|| {
            let forces = by_hand::forces::forces;
            forces(launch, grid, PARTICLES, first, near, A2, &x, &y, &z, &v, &q, &mut fv, &mut fx, &mut fy, &mut fz);
        });
        let [fv, fx, fy, fz] = [fv, fx, fy, fz].map(|f| unpacked(&f, PARTICLES));
        Some(Output::new(time).floats("potential", &fv).floats("x", &fx).floats("y", &fy).floats("z", &fz))
    }
}
