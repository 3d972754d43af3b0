kernels! { LavaMd:
    kernel keep(sv, sx, sy, sz)
    fn forces(
        t: ThreadX, home: BlockX, particles: usize, first: &[i32], near: &[i32], a2: f32,
        x: &[f32], y: &[f32], z: &[f32], v: &[f32], q: &[f32],
        fv: &mut [f32], fx: &mut [f32], fy: &mut [f32], fz: &mut [f32],
    ) {
        let mut sv = 0.0;
        let mut sx = 0.0;
        let mut sy = 0.0;
        let mut sz = 0.0;
        for k in first[home]..first[home + 1] {
            let other = near[k as usize] as usize * particles;
            for j in other..other + particles {
                let r2 = v[t] + v[j] - (x[t] * x[j] + y[t] * y[j] + z[t] * z[j]);
                let u = (-a2 * r2).exp();
                let f = 2.0 * u;
                sv += q[j] * u;
                sx += q[j] * (f * (x[t] - x[j]));
                sy += q[j] * (f * (y[t] - y[j]));
                sz += q[j] * (f * (z[t] - z[j]));
            }
        }
        fv[t] = cvt_rn(sv);
        fx[t] = cvt_rn(sx);
        fy[t] = cvt_rn(sy);
        fz[t] = cvt_rn(sz);
    }
}
