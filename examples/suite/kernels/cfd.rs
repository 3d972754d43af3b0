// Invariant: five elements of the output, `n` apart, belong to one thread.
kernels! { Cfd:
    helper keep()
    fn pressure(density: f32, square: f32, energy: f32) -> f32 {
        0.4 * (energy - 0.5 * density * square)
    }

    kernel keep(fd, fx, fy, fz, fe)
    fn flux(i: ThreadX, n: usize, near: &[i32], normal: &[f32], far: &[f32], v: &[f32], out: &mut [f32]) {
        if i < n {
            let d = v[i];
            let mx = v[i + n];
            let my = v[i + 2 * n];
            let mz = v[i + 3 * n];
            let e = v[i + 4 * n];
            let vx = mx / d;
            let vy = my / d;
            let vz = mz / d;
            let square = vx * vx + vy * vy + vz * vz;
            let p = pressure(d, square, e);
            // The fastest wave that leaves the element.
            let fastest = square.sqrt() + (1.4 * p / d).sqrt();
            let mut fd = 0.0;
            let mut fx = 0.0;
            let mut fy = 0.0;
            let mut fz = 0.0;
            let mut fe = 0.0;
            for side in 0..4 {
                let nx = normal[i + (side * 3) * n];
                let ny = normal[i + (side * 3 + 1) * n];
                let nz = normal[i + (side * 3 + 2) * n];
                let other = near[i + side * n];
                if other >= 0 {
                    let j = other as usize;
                    let dj = v[j];
                    let mxj = v[j + n];
                    let myj = v[j + 2 * n];
                    let mzj = v[j + 3 * n];
                    let ej = v[j + 4 * n];
                    let vxj = mxj / dj;
                    let vyj = myj / dj;
                    let vzj = mzj / dj;
                    let squarej = vxj * vxj + vyj * vyj + vzj * vzj;
                    let pj = pressure(dj, squarej, ej);
                    let fastestj = squarej.sqrt() + (1.4 * pj / dj).sqrt();
                    // Artificial viscosity.
                    let smoothing = -0.1 * (nx * nx + ny * ny + nz * nz).sqrt() * (fastest + fastestj);
                    fd += smoothing * (d - dj);
                    fx += smoothing * (mx - mxj);
                    fy += smoothing * (my - myj);
                    fz += smoothing * (mz - mzj);
                    fe += smoothing * (e - ej);
                    // The mean of both elements' flux, along each axis.
                    let hx = 0.5 * nx;
                    let hy = 0.5 * ny;
                    let hz = 0.5 * nz;
                    fd += hx * (mx + mxj) + hy * (my + myj) + hz * (mz + mzj);
                    fe += hx * (vx * (e + p) + vxj * (ej + pj)) + hy * (vy * (e + p) + vyj * (ej + pj))
                        + hz * (vz * (e + p) + vzj * (ej + pj));
                    fx += hx * (vx * mx + p + (vxj * mxj + pj)) + hy * (vx * my + vxj * myj) + hz * (vx * mz + vxj * mzj);
                    fy += hx * (vx * my + vxj * myj) + hy * (vy * my + p + (vyj * myj + pj)) + hz * (vy * mz + vyj * mzj);
                    fz += hx * (vx * mz + vxj * mzj) + hy * (vy * mz + vyj * mzj) + hz * (vz * mz + p + (vzj * mzj + pj));
                } else if other == -1 {
                    // A wall lets nothing pass; only the pressure acts.
                    fx += nx * p;
                    fy += ny * p;
                    fz += nz * p;
                } else if other == -2 {
                    // The far field is undisturbed.
                    let vxf = far[1] / far[0];
                    let vyf = far[2] / far[0];
                    let vzf = far[3] / far[0];
                    let pf = pressure(far[0], vxf * vxf + vyf * vyf + vzf * vzf, far[4]);
                    let hx = 0.5 * nx;
                    let hy = 0.5 * ny;
                    let hz = 0.5 * nz;
                    fd += hx * (mx + far[1]) + hy * (my + far[2]) + hz * (mz + far[3]);
                    fe += hx * (vx * (e + p) + vxf * (far[4] + pf)) + hy * (vy * (e + p) + vyf * (far[4] + pf))
                        + hz * (vz * (e + p) + vzf * (far[4] + pf));
                    fx += hx * (vx * mx + p + (vxf * far[1] + pf)) + hy * (vx * my + vxf * far[2])
                        + hz * (vx * mz + vxf * far[3]);
                    fy += hx * (vx * my + vxf * far[2]) + hy * (vy * my + p + (vyf * far[2] + pf))
                        + hz * (vy * mz + vyf * far[3]);
                    fz += hx * (vx * mz + vxf * far[3]) + hy * (vy * mz + vyf * far[3])
                        + hz * (vz * mz + p + (vzf * far[3] + pf));
                }
            }
            // Safe code would check that each element is in its row.
            unsafe { out[i] = cvt_rn(fd) };
            unsafe { out[i + n] = cvt_rn(fx) };
            unsafe { out[i + 2 * n] = cvt_rn(fy) };
            unsafe { out[i + 3 * n] = cvt_rn(fz) };
            unsafe { out[i + 4 * n] = cvt_rn(fe) };
        }
    }
}
