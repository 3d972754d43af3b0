// Slices in narrow formats, read and written in every possible pattern, in the suite's form.
kernels! { Narrow:
    helper keep() fn weight(w: &[E2m1x2], s: &[Ue8m0], i: usize) -> f32 { w[i] * s[i / 32] }

    kernel keep(acc)
    fn narrow_reads(
        t: ThreadX, n: usize, a: &[E4m3], b: &[E5m2], c: &[E2m3], d: &[E3m2], e: &[E2m1], p: &[E2m1x2], s: &[Ue8m0],
        out: &mut [f32], at: &mut [i32],
    ) {
        if t < n {
            // Neighbours, aligned or not; in a sum that is kept, products are exact.
            let mut acc = 0.0;
            for j in 0..3 {
                acc += a[t + j] * b[t + 2 * j];
                acc += c[t + j] * d[t + 1] - e[t + j];
            }
            // Strided, arbitrary, uniform, two to a byte.
            let mut x = p[t] + p[t + 1] * a[2 * t + 1] - d[n - 1 - t] * e[3];
            if a[t] < b[t] || s[t].is_nan() {
                x = (x - p[3 * t]).abs() + weight(p, s, t + 5);
            }
            at[t] = a[t + 2] as i32 + p.len() as i32 + if x > s[0] { 1 } else { 0 };
            out[t] = cvt_rn(acc * s[t]) + x;
        }
    }

    kernel keep(big, f)
    fn narrow_writes(
        t: ThreadX, n: usize, x: &[f32], y: &[E4m3], a: &mut [E4m3], b: &mut [E5m2], c: &mut [E2m3], d: &mut [E3m2],
        e: &mut [E2m1], f: &mut [E4m3],
    ) {
        if t >= n {
            return;
        }
        let big = x[t] * x[t + 1];
        // A kept value, an element, a literal, and a value read back, each rounded once.
        a[t] = big;
        f[t] = big;
        b[t] = x[t] * 0.75;
        c[t] += x[t + 1];
        if x[t] > 0.5 {
            d[t] = 0.3;
            e[t] = y[t];
            f[t] -= x[t + 1];
        } else {
            e[t] = e[t] * 2.0;
        }
        // Above the largest number, and NaN.
        if y[t].is_nan() {
            b[t] = y[t];
        }
        a[t] = a[t] + y[t + 1];
    }
}
