//! The n-body problem for all pairs of bodies, by tiles of a block's bodies in shared memory.

use ptxf::kernel::Grid;

use crate::idiom::{Idiom, Measure, exact, zeros};
use crate::random;

super::kernels! { NBody:
    helper keep(r2)
    fn pull(dx: f32, dy: f32, dz: f32, mass: f32) -> f32 {
        let r2 = dx * dx + dy * dy + dz * dz + 0.25;
        mass * cvt_rn(r2.rsqrt()).powi(3)
    }
    kernel keep(ax, ay, az)
    fn accelerate(
        l: LocalX, t: ThreadX, n: usize, x: &[f32], y: &[f32], z: &[f32], mass: &[f32],
        fx: &mut [f32], fy: &mut [f32], fz: &mut [f32],
    ) {
        let mut xs = shared::<f32, 64>();
        let mut ys = shared::<f32, 64>();
        let mut zs = shared::<f32, 64>();
        let mut masses = shared::<f32, 64>();
        // A thread without a body takes part in loading. Its result is not stored.
        let mut x0 = 0.0;
        let mut y0 = 0.0;
        let mut z0 = 0.0;
        if t < n {
            x0 = x[t];
            y0 = y[t];
            z0 = z[t];
        }
        let mut ax = 0.0;
        let mut ay = 0.0;
        let mut az = 0.0;
        for tile in 0..(n + 63) / 64 {
            let other = tile * 64 + l;
            if other < n {
                xs[l] = x[other];
                ys[l] = y[other];
                zs[l] = z[other];
                masses[l] = mass[other];
            }
            sync_threads();
            for k in 0..(n - tile * 64).min(64) {
                let dx = xs[k] - x0;
                let dy = ys[k] - y0;
                let dz = zs[k] - z0;
                let f = pull(dx, dy, dz, masses[k]);
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            sync_threads();
        }
        if t < n {
            fx[t] = cvt_rn(ax);
            fy[t] = cvt_rn(ay);
            fz[t] = cvt_rn(az);
        }
    }
    launch |data| {
        let [x, y, z, mass] = data.bodies.each_ref().map(|of| exact(of));
        let [mut fx, mut fy, mut fz] = [zeros(BODIES), zeros(BODIES), zeros(BODIES)];
        let grid = Grid::from(BODIES.next_multiple_of(64)).block([64, 1, 1]);
        accelerate(grid, BODIES, &x, &y, &z, &mass, &mut fx, &mut fy, &mut fz);
        [fx, fy, fz].concat()
    }
}

const BODIES: usize = 317;

pub struct NBody {
    /// Three coordinates and the masses.
    bodies: [Vec<f32>; 4],
}

impl NBody {
    pub fn new() -> Self {
        let mut data = random::Data::new(4);
        let [x, y, z] = [(); 3].map(|()| data.vector(BODIES, -1.0, 1.0));
        Self { bodies: [x, y, z, data.vector(BODIES, 0.5, 1.5)] }
    }
}

impl Idiom for NBody {
    fn name(&self) -> &'static str {
        "n-body"
    }

    fn measure(&self) -> Measure {
        Measure::RelativeL2
    }

    fn reference(&self) -> Vec<f64> {
        let [x, y, z, mass] = self.bodies.each_ref().map(|of| of.iter().map(|&v| f64::from(v)).collect::<Vec<_>>());
        let mut f = vec![0.0; 3 * BODIES];
        for i in 0..BODIES {
            for j in 0..BODIES {
                let d = [x[j] - x[i], y[j] - y[i], z[j] - z[i]];
                let r2 = d.iter().map(|d| d * d).sum::<f64>() + 0.25;
                for (axis, d) in d.iter().enumerate() {
                    f[axis * BODIES + i] += mass[j] * d / r2.powf(1.5);
                }
            }
        }
        f
    }
}
