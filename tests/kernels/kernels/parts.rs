// Values of several parts: tuples and structures, as variables, parameters, results and elements of
// slices.
#[ptx_module]
mod parts {
    struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }

    struct Body {
        at: Vec3,
        mass: f32,
    }

    struct Count {
        n: i32,
        of: (i32, i32),
    }

    const UP: Vec3 = Vec3 { x: 0.25, y: -0.5, z: 1.0 };
    const PARTS: usize = 2;

    #[ptx_fn]
    fn dot(a: Vec3, b: Vec3) -> f32 {
        a.x * b.x + a.y * b.y + a.z * b.z
    }

    #[ptx_fn]
    fn cross(a: Vec3, b: Vec3) -> Vec3 {
        Vec3 { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
    }

    #[ptx_fn]
    fn order(a: f32, b: f32) -> (f32, f32) {
        if a < b {
            return (a, b);
        }
        (b, a)
    }

    /// Returns from loops and branches, some threads before others.
    #[ptx_fn]
    fn first(x: &[f32], from: usize, limit: f32) -> (usize, f32, bool) {
        for j in from..from + 4 {
            if x[j] > limit {
                return (j, x[j], true);
            }
        }
        match from % 3 {
            0 => (0, limit, false),
            1 => {
                if limit > 0.5 {
                    return (1, 0.5, false);
                }
                (2, -limit, false)
            }
            _ => (3, 1.5, from > 4),
        }
    }

    #[ptx_fn]
    fn flip(v: Vec3) -> (Vec3, bool) {
        if dot(v, UP) < 0.0 { (Vec3 { z: -v.z, ..v }, true) } else { (v, false) }
    }

    #[ptx_fn]
    fn pull(bodies: &[Body], j: usize, p: Vec3) -> Vec3 {
        let Body { at, mass } = bodies[j];
        let d = Vec3 { x: at.x - p.x, y: at.y - p.y, z: at.z - p.z };
        let s = mass / (dot(d, d) + 0.25);
        Vec3 { x: d.x * s, y: d.y * s, z: d.z * s }
    }

    #[ptx_fn]
    fn inside(x: f32) -> bool {
        x > 0.5
    }

    #[ptx_fn]
    fn rank(x: f32) -> u32 {
        if x > 1.0 { 2 } else if x > 0.0 { 1 } else { 0 }
    }

    /// Bindings of parts, exchanged, destructured, dropped, and chosen between.
    #[ptx_kernel(pair = F16x2)]
    fn tuples(t: ThreadX, n: usize, x: &[f32], y: &[f32], lo: &mut [f32], hi: &mut [f32], at: &mut [i32]) {
        if t >= n {
            return;
        }
        let (a, b) = order(x[t], y[t]);
        let mut p = (a, b);
        let mut both = (p, (1, !inside(a)));
        for j in 0..3 {
            p = (p.1 * 0.5, p.0 + x[t + j]);
            if p.0 > 1.0 {
                (p.0, both.0) = (both.0.1, p);
            } else {
                both.1 = (both.1.0 + j as i32, inside(p.1));
            }
        }
        let (low, _) = if both.1.1 { order(p.0, p.1) } else { both.0 };
        let q = match both.1.0 % 4 {
            0 => (low, 2),
            1 | 2 => {
                let twice = low + low;
                (twice, both.1.0)
            }
            _ => (0.75, -1),
        };
        let (j, value, found) = first(x, t, 1.0);
        (lo[t], hi[t]) = order(q.0, value);
        at[t] = q.1 + j as i32 * 8 + if found { 100 } else { 0 };
        hi[t] += first(y, t + 1, q.0).1;
    }

    /// Structures in variables, functions and slices; the types of their results are known.
    #[ptx_kernel(pair = F16x2)]
    fn normals(t: ThreadX, n: usize, x: &[Vec3], y: &[Vec3], out: &mut [Vec3], ranks: &mut [u32]) {
        if t >= n {
            return;
        }
        let (a, b) = (x[t], y[n - 1 - t]);
        let mut v = cross(a, b);
        let w = if inside(v.x) { Vec3 { y: 0.5, ..v } } else { UP };
        (v.x, v.y) = (v.y, v.x);
        v.z *= dot(w, x[3]);
        let (flipped, was) = flip(v);
        out[t] = flipped;
        out[t].y += if was && !inside(w.z) { dot(y[t], y[t + 1]) } else { flip(w).0.z };
        ranks[t] = rank(v.x) + 1 + (x.len() - x.len()) as u32;
    }

    /// Sums of kept values, and choices between kept and other values.
    #[ptx_kernel(pair = F16x2, keep(force, chosen))]
    fn attraction(t: ThreadX, n: usize, bodies: &[Body], v: &[[f32; 3]], out: &mut [[f32; PARTS]], m: &[[[f32; 2]; 3]]) {
        if t >= n {
            return;
        }
        let me = bodies[t].at;
        let mut force = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        for j in 0..n {
            let p = pull(bodies, j, me);
            force = Vec3 { x: force.x + p.x, y: force.y + p.y * p.y, z: force.z + me.z * p.z };
        }
        let chosen = if force.x > 0.25 {
            (force.x, force.y)
        } else if force.y > 0.25 {
            (0.1, me.y)
        } else {
            (me.x * me.y, 0.3)
        };
        let exact = if t % 2 == 0 { (0.1, me.x * me.z) } else { (0.2, me.x) };
        let mut sum = cvt_rn(chosen.0);
        for k in 0..3 {
            if v[t][k] > 0.0 {
                sum = cvt_rn(sum * 0.5) + v[t][k];
            }
        }
        out[t][0] = cvt_rn(force.z * chosen.1 + exact.1);
        out[t][1] = sum + m[t][2][1] * m[1][t % 3][0] + exact.0;
    }

    /// Integers in structures, and parts that differ between threads.
    #[ptx_kernel(pair = F16x2)]
    fn counts(t: ThreadX, n: usize, i: &[(i32, i32)], out: &mut [(i32, i32)]) {
        let mut c = Count { n: 0, of: (t as i32, 1) };
        while c.n < 5 && t < n {
            let step = i[t + c.n as usize];
            let Count { of, .. } = c;
            c = if step.0 > step.1 {
                Count { of: (of.1, of.0 + step.0), n: c.n + 1 }
            } else {
                let more = Count { n: c.n + 2, ..c };
                more
            };
        }
        if t < n {
            out[t] = c.of;
            out[t].1 ^= c.n;
        }
    }
}
