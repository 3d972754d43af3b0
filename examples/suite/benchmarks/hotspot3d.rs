//! Simulates the temperature of a chip with several layers.
//!
//! Each cell is heated, and exchanges heat with its six neighbours and with the air. Between 256
//! and 512 the spacing of f16 is 1/4, so temperatures in kelvin lose the change of a step.
//! Differences from 334 K do not.
#![expect(unsafe_code, reason = "a thread writes a column of cells")]

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::{Launch, plain};
use crate::metric;
use crate::pairs::{self, packed, unpacked};
use crate::random::Random;
use crate::real::{rounded, zeros};

include!("../kernels/hotspot3d.rs");

/// Heat exchange with a neighbour along x, y and z per step, and the factor of a cell's power.
const CX: f32 = 0.03;
const CY: f32 = 0.03;
const CZ: f32 = 0.065;
const HEATING: f32 = 0.34;
/// Remaining share of a cell. One layer exchanges heat with the air.
const CC: f32 = 1.0 - 2.0 * CX - 2.0 * CY - 3.0 * CZ;
/// The air's temperature in kelvin.
const AIR: f32 = 323.0;

pub struct Hotspot {
    name: &'static str,
    nx: usize,
    ny: usize,
    nz: usize,
    steps: usize,
    /// Offset in kelvin, subtracted from temperatures before they are stored.
    offset: f32,
    power: Vec<f32>,
    start: Vec<f32>,
    /// Expected temperatures in kelvin.
    reference: Vec<f64>,
}

impl Hotspot {
    /// Returns the benchmark with temperatures in kelvin.
    pub fn kelvin(size: Size) -> Self {
        Self::new("hotspot3D", 0.0, size)
    }

    /// Returns the benchmark with temperatures as differences from 334 K.
    pub fn shifted(size: Size) -> Self {
        Self::new("hotspot3D − 334 K", 334.0, size)
    }

    fn new(name: &'static str, offset: f32, size: Size) -> Self {
        let nz = size.pick(8, 8, 3);
        let [nx, ny] = size.rows(6 * nz, 1024, [size.pick(1025, 129, 37), size.pick(512, 64, 9)]);
        let mut random = Random::new(5);
        // The regions are warm and cool, with noise.
        let wave = |at: usize, n: usize| f32::sin(at as f32 / n as f32 * 9.0);
        let start = (0..nx * ny * nz).map(|c| {
            let smooth = wave(c % nx, nx) * wave(c / nx % ny, ny);
            334.0 + 9.0 * smooth + random.uniform(-2.0, 2.0)
        });
        let start: Vec<f32> = start.collect();
        let power = Random::new(6).vector(start.len(), 0.0, 4.0);
        let mut hotspot = Self {
            name,
            nx,
            ny,
            nz,
            steps: size.launches(size.pick(20, 20, 5)),
            offset,
            power,
            start,
            reference: Vec::new(),
        };
        hotspot.reference = size.reference(|| {
            let start = hotspot.start.iter().map(|&t| t.into()).collect();
            (0..hotspot.steps).fold(start, |old: Vec<f64>, _| hotspot.reference_step(&old))
        });
        hotspot
    }

    /// Computes a step in f64, as flows between neighbours.
    fn reference_step(&self, old: &[f64]) -> Vec<f64> {
        let [nx, ny, nz] = [self.nx, self.ny, self.nz];
        let mut new = old.to_vec();
        for (c, t) in new.iter_mut().enumerate() {
            let place = [c % nx, c / nx % ny, c / (nx * ny)];
            let mut flow = f64::from(HEATING) * f64::from(self.power[c]) + f64::from(CZ) * (f64::from(AIR) - old[c]);
            for (axis, (n, stride, rate)) in [(nx, 1, CX), (ny, nx, CY), (nz, nx * ny, CZ)].into_iter().enumerate() {
                if place[axis] > 0 {
                    flow += f64::from(rate) * (old[c - stride] - old[c]);
                }
                if place[axis] < n - 1 {
                    flow += f64::from(rate) * (old[c + stride] - old[c]);
                }
            }
            *t += flow;
        }
        new
    }

    /// Returns the stored temperatures.
    fn stored(&self) -> Vec<f32> {
        self.start.iter().map(|t| t - self.offset).collect()
    }

    fn launch<E: Kernels>(&self, launch: Launch<'_>) -> Output {
        let [nx, ny, nz] = [self.nx, self.ny, self.nz];
        let (power, mut old) = (rounded::<E>(&self.power), rounded::<E>(&self.stored()));
        let mut new = zeros::<E>(old.len());
        let grid = launch.grid([nx, ny]);
        let air = AIR - self.offset;
        let time = launch.time(|| {
            for _ in 0..self.steps {
                E::step(launch, grid, nx, ny, nz, CC, CX, CY, CZ, HEATING, air, &power, &old, &mut new);
                std::mem::swap(&mut old, &mut new);
            }
        });
        Output::new(time).floats("temperature", &old)
    }
}

impl Benchmark for Hotspot {
    fn name(&self) -> &'static str {
        self.name
    }

    fn metric(&self) -> &'static str {
        "RMS, K"
    }

    fn score(&self, output: &Output) -> Score {
        let offset = f64::from(self.offset);
        let kelvin: Vec<f64> = output.values("temperature").iter().map(|t| t + offset).collect();
        let around = |x: &[f64]| x.iter().map(|t| t - 334.0).collect::<Vec<_>>();
        let relative = metric::relative_l2(&around(&kelvin), &around(&self.reference));
        let largest = metric::largest(&kelvin, &self.reference);
        let also = format!("largest {largest:.2e} K; of T − 334 K {relative:.2e}");
        Score { error: metric::rms(&kelvin, &self.reference), also }
    }

    fn plain(&self) -> Output {
        let [nx, ny, nz] = [self.nx, self.ny, self.nz];
        let (mut old, layer, air) = (self.stored(), nx * ny, AIR - self.offset);
        let mut new = vec![0.0; old.len()];
        let time = plain(|| {
            for _ in 0..self.steps {
                for k in 0..nz {
                    for j in 0..ny {
                        for i in 0..nx {
                            let c = i + j * nx + k * layer;
                            let west = if i == 0 { old[c] } else { old[c - 1] };
                            let east = if i == nx - 1 { old[c] } else { old[c + 1] };
                            let north = if j == 0 { old[c] } else { old[c - nx] };
                            let south = if j == ny - 1 { old[c] } else { old[c + nx] };
                            let below = if k == 0 { old[c] } else { old[c - layer] };
                            let above = if k == nz - 1 { old[c] } else { old[c + layer] };
                            let mut sum = CC * old[c] + HEATING * self.power[c];
                            sum += CX * west + CX * east;
                            sum += CY * north + CY * south;
                            sum += CZ * below + CZ * above;
                            sum += CZ * air;
                            new[c] = sum;
                        }
                    }
                }
                std::mem::swap(&mut old, &mut new);
            }
        });
        Output::new(time).floats("temperature", &old)
    }

    fn by_hand(&self, launch: Launch<'_>) -> Option<Output> {
        let [nx, ny, nz] = [self.nx, self.ny, self.nz];
        let (power, mut old) = (packed(&self.power, nx), packed(&self.stored(), nx));
        let mut new = pairs::zeros(old.len());
        let grid = launch.grid([pairs::pitch(nx), ny]);
        let air = AIR - self.offset;
        let time = launch.time(|| {
            for _ in 0..self.steps {
                by_hand::step::step(launch, grid, nx, ny, nz, CC, CX, CY, CZ, HEATING, air, &power, &old, &mut new);
                std::mem::swap(&mut old, &mut new);
            }
        });
        Some(Output::new(time).floats("temperature", &unpacked(&old, nx)))
    }
}
