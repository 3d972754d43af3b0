//! Computes the flux of a finite-volume solver for the Euler equations, as Rodinia's euler3d does.
//!
//! The flux of an element on an unstructured mesh is the sum over its four sides, each of which is
//! a neighbour, a wall or the far field. The neighbours' quantities are gathered, and the threads
//! of a group take three branches. The quantities of an element are density, momentum along three
//! axes, and energy. Pressure is that of an ideal gas, γ = 1.4. Corrigan, Camelli, Löhner and
//! Wallin describe the scheme in *Running unstructured grid-based CFD solvers on modern graphics
//! hardware* (2009).
#![expect(unsafe_code, reason = "a thread writes an element of each quantity")]

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::kernels;
use crate::launch::{Launch, plain};
use crate::metric;
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/cfd.rs");

/// Sides of an element.
const SIDES: usize = 4;
/// Quantities of an element.
const QUANTITIES: usize = 5;
const WALL: i32 = -1;
const FAR: i32 = -2;
/// The far field: Mach 1.2 along x, with a speed of sound of 1.
const FAR_FIELD: [f32; QUANTITIES] = [1.4, 1.68, 0.0, 0.0, 3.508];

pub struct Cfd {
    n: usize,
    /// Neighbour of each side, ordered by side, then by element.
    near: Vec<i32>,
    /// Normals, ordered by side, then by axis, then by element.
    normal: Vec<f32>,
    /// Quantities, ordered by quantity, then by element.
    quantities: Vec<f32>,
    reference: Vec<f64>,
}

impl Cfd {
    pub fn new(size: Size) -> Self {
        let [width, height] = size.rows(60, 1024, [size.pick(601, 151, 23), size.pick(400, 80, 19)]);
        let n = width * height;
        let mut random = Random::new(11);
        // Numbers are random within a neighbourhood, as in a mesh that was renumbered for caches.
        let mut number: Vec<usize> = (0..n).collect();
        for some in number.chunks_mut(200) {
            (1..some.len()).for_each(|i| some.swap(i, random.below(i + 1)));
        }
        let (mut near, mut normal) = (vec![0; SIDES * n], vec![0.0; SIDES * 3 * n]);
        for at in 0..n {
            let (x, y) = (at % width, at / width);
            let sides = [
                (x > 0).then(|| at - 1).map_or(FAR, |other| number[other] as i32),
                (x + 1 < width).then_some(at + 1).map_or(FAR, |other| number[other] as i32),
                (y > 0).then(|| at - width).map_or(WALL, |other| number[other] as i32),
                (y + 1 < height).then_some(at + width).map_or(FAR, |other| number[other] as i32),
            ];
            for (side, other) in sides.into_iter().enumerate() {
                near[side * n + number[at]] = other;
            }
            // The surface is closed: its normals add up to zero.
            for axis in 0..3 {
                let mut sum = 0.0;
                for side in 0..SIDES {
                    let length = if side + 1 < SIDES { random.uniform(-0.5, 0.5) } else { -sum };
                    sum += length;
                    normal[(side * 3 + axis) * n + number[at]] = length;
                }
            }
        }
        let mut quantities = Vec::new();
        for far in FAR_FIELD {
            quantities.extend((0..n).map(|_| far + random.uniform(-0.1, 0.1)));
        }
        let mut cfd = Self { n, near, normal, quantities, reference: Vec::new() };
        cfd.reference = size.reference(|| cfd.in_f64());
        cfd
    }

    fn element(&self, i: usize) -> State {
        State::new(std::array::from_fn(|k| self.quantities[k * self.n + i].into()))
    }

    fn in_f64(&self) -> Vec<f64> {
        let n = self.n;
        let mut sums = vec![0.0; QUANTITIES * n];
        for i in 0..n {
            let own = self.element(i);
            for side in 0..SIDES {
                let normal: [f64; 3] = std::array::from_fn(|axis| self.normal[(side * 3 + axis) * n + i].into());
                let of_side = match self.near[side * n + i] {
                    WALL => [0.0, normal[0] * own.pressure, normal[1] * own.pressure, normal[2] * own.pressure, 0.0],
                    FAR => own.mean_flux(&State::new(FAR_FIELD.map(f64::from)), normal),
                    j => {
                        let other = self.element(j as usize);
                        let area = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
                        let viscosity = -0.1 * area * (own.fastest() + other.fastest());
                        let mean = own.mean_flux(&other, normal);
                        std::array::from_fn(|k| mean[k] + viscosity * (own.quantities[k] - other.quantities[k]))
                    }
                };
                of_side.iter().enumerate().for_each(|(k, flux)| sums[k * n + i] += flux);
            }
        }
        sums
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let n = self.n;
        let [normal, far, quantities] = [&self.normal[..], &FAR_FIELD, &self.quantities].map(|x| rounded::<E>(x));
        let mut out = zeros::<E>(QUANTITIES * n);
        let grid = launch.grid(n);
        let time = launch.time(|| E::flux(launch, grid, n, &self.near, &normal, &far, &quantities, &mut out));
        Output::new(time).floats("flux", &out)
    }
}

/// An element in f64.
struct State {
    quantities: [f64; QUANTITIES],
    velocity: [f64; 3],
    pressure: f64,
}

impl State {
    fn new(quantities: [f64; QUANTITIES]) -> Self {
        let [density, momentum @ .., energy] = quantities;
        let velocity = momentum.map(|m: f64| m / density);
        let square: f64 = velocity.iter().map(|v| v * v).sum();
        Self { quantities, velocity, pressure: 0.4 * (energy - 0.5 * density * square) }
    }

    /// Returns the sum of the speed and the speed of sound.
    fn fastest(&self) -> f64 {
        let square: f64 = self.velocity.iter().map(|v| v * v).sum();
        square.sqrt() + (1.4 * self.pressure / self.quantities[0]).sqrt()
    }

    /// Returns the flux through an area of this normal: convection, and the pressure's force and
    /// work.
    fn flux(&self, normal: [f64; 3]) -> [f64; QUANTITIES] {
        let through: f64 = self.velocity.iter().zip(normal).map(|(v, n)| v * n).sum();
        let mut flux = self.quantities.map(|q| q * through);
        (0..3).for_each(|axis| flux[axis + 1] += normal[axis] * self.pressure);
        flux[4] += through * self.pressure;
        flux
    }

    fn mean_flux(&self, other: &Self, normal: [f64; 3]) -> [f64; QUANTITIES] {
        let [a, b] = [self, other].map(|state| state.flux(normal));
        std::array::from_fn(|k| 0.5 * (a[k] + b[k]))
    }
}

impl Benchmark for Cfd {
    fn name(&self) -> &'static str {
        "cfd"
    }

    fn metric(&self) -> &'static str {
        "relative L2"
    }

    fn score(&self, output: &Output) -> Score {
        let flux = output.values("flux");
        let error = metric::relative_l2(flux, &self.reference);
        Score { error, also: format!("largest {:.2e}", metric::largest(flux, &self.reference)) }
    }

    fn plain(&self) -> Output {
        let n = self.n;
        let mut out = vec![0.0; QUANTITIES * n];
        let time = plain(|| self.plain_flux(&mut out));
        Output::new(time).floats("flux", &out)
    }
}

/// The plain loop in f32.
impl Cfd {
    fn plain_flux(&self, out: &mut [f32]) {
        let (n, v) = (self.n, &self.quantities);
        let far = Single::new(FAR_FIELD);
        for i in 0..n {
            let own = Single::new([v[i], v[i + n], v[i + 2 * n], v[i + 3 * n], v[i + 4 * n]]);
            let mut flux = [0.0; QUANTITIES];
            for side in 0..SIDES {
                let normal = [0, 1, 2].map(|axis| self.normal[(side * 3 + axis) * n + i]);
                match self.near[side * n + i] {
                    WALL => (0..3).for_each(|axis| flux[axis + 1] += normal[axis] * own.p),
                    FAR => own.add_mean_flux(&far, normal, &mut flux),
                    j => {
                        let j = j as usize;
                        let other = Single::new([v[j], v[j + n], v[j + 2 * n], v[j + 3 * n], v[j + 4 * n]]);
                        let [nx, ny, nz] = normal;
                        let area = (nx * nx + ny * ny + nz * nz).sqrt();
                        let smoothing = -0.1 * area * (own.fastest() + other.fastest());
                        for (k, flux) in flux.iter_mut().enumerate() {
                            *flux += smoothing * (own.q[k] - other.q[k]);
                        }
                        own.add_mean_flux(&other, normal, &mut flux);
                    }
                }
            }
            flux.iter().enumerate().for_each(|(k, &flux)| out[k * n + i] = flux);
        }
    }
}

/// An element in f32: quantities, velocity, pressure.
struct Single {
    q: [f32; QUANTITIES],
    v: [f32; 3],
    p: f32,
}

impl Single {
    fn new(q: [f32; QUANTITIES]) -> Self {
        let [d, mx, my, mz, e] = q;
        let v = [mx / d, my / d, mz / d];
        Self { q, v, p: 0.4 * (e - 0.5 * d * square(v)) }
    }

    fn fastest(&self) -> f32 {
        square(self.v).sqrt() + (1.4 * self.p / self.q[0]).sqrt()
    }

    fn add_mean_flux(&self, other: &Self, normal: [f32; 3], flux: &mut [f32; QUANTITIES]) {
        let [hx, hy, hz] = normal.map(|n| 0.5 * n);
        let ([_, mx, my, mz, e], [vx, vy, vz], p) = (self.q, self.v, self.p);
        let ([_, mxj, myj, mzj, ej], [vxj, vyj, vzj], pj) = (other.q, other.v, other.p);
        flux[0] += hx * (mx + mxj) + hy * (my + myj) + hz * (mz + mzj);
        flux[4] += hx * (vx * (e + p) + vxj * (ej + pj))
            + hy * (vy * (e + p) + vyj * (ej + pj))
            + hz * (vz * (e + p) + vzj * (ej + pj));
        let (xy, xz, yz) = (vx * my + vxj * myj, vx * mz + vxj * mzj, vy * mz + vyj * mzj);
        flux[1] += hx * (vx * mx + p + (vxj * mxj + pj)) + hy * xy + hz * xz;
        flux[2] += hx * xy + hy * (vy * my + p + (vyj * myj + pj)) + hz * yz;
        flux[3] += hx * xz + hy * yz + hz * (vz * mz + p + (vzj * mzj + pj));
    }
}

fn square([x, y, z]: [f32; 3]) -> f32 {
    x * x + y * y + z * z
}
