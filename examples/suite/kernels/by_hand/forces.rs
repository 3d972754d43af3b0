use ptxf::{F16, F16x2};

use super::lanes::{each, exp, pair, splat, twice};

by_hand! {
    fn forces(
        t: ThreadX, home: BlockX, particles: usize, first: &[i32], near: &[i32], a2: f32,
        x: &[F16x2], y: &[F16x2], z: &[F16x2], v: &[F16x2], q: &[F16x2],
        fv: &mut [F16x2], fx: &mut [F16x2], fy: &mut [F16x2], fz: &mut [F16x2],
    ) {
        let a2 = splat(a2);
        // Pairs of a box.
        let pairs = particles / 2;
        let mut sums = [F16x2::ZERO; 4];
        for k in first[home.get()]..first[home + 1] {
            let other = near[k as usize] as usize * pairs;
            for j in other..other + pairs {
                let mut add = |xj: F16, yj: F16, zj: F16, vj: F16, qj: F16| {
                    let [xj, yj, zj, vj, qj] = [xj, yj, zj, vj, qj].map(twice);
                    let r2 = v[t] + vj - z[t].mul_add(zj, x[t].mul_add(xj, y[t] * yj));
                    let u = each(-a2 * r2, exp);
                    let f = pair(0x4000) * u;
                    sums[0] = qj.mul_add(u, sums[0]);
                    sums[1] = qj.mul_add(f * (x[t] - xj), sums[1]);
                    sums[2] = qj.mul_add(f * (y[t] - yj), sums[2]);
                    sums[3] = qj.mul_add(f * (z[t] - zj), sums[3]);
                };
                add(x[j].lo(), y[j].lo(), z[j].lo(), v[j].lo(), q[j].lo());
                add(x[j].hi(), y[j].hi(), z[j].hi(), v[j].hi(), q[j].hi());
            }
        }
        [fv[t], fx[t], fy[t], fz[t]] = sums;
    }
}
