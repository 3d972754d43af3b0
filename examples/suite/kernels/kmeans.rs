kernels! { Kmeans:
    kernel keep(s, best)
    fn assign(t: ThreadX, n: usize, k: usize, f: usize, x: &[f32], c: &[f32], member: &mut [i32]) {
        if t < n {
            let mut best = f32::INFINITY;
            let mut idx = 0;
            for i in 0..k {
                let mut s = 0.0;
                for j in 0..f {
                    let d = x[t + j * n] - c[i * f + j];
                    s += d * d;
                }
                if s < best {
                    best = s;
                    idx = i as i32;
                }
            }
            member[t] = idx;
        }
    }
}
