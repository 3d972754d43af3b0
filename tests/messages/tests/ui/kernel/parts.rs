//! Tuples and structures that are used wrongly, and what to write.

use ptxf::{ptx_fn, ptx_kernel, ptx_module};

struct Outside {
    x: f32,
}

#[ptx_kernel(pair = F16x2)]
fn no_module(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let p = Outside { x: x[t] };
    out[t] = p.x;
}

#[ptx_kernel(pair = F16x2)]
fn no_module_either(t: ThreadX, p: Outside, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2)]
fn tuples(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let p = (x[t], 1);
    out[t] = p;
    out[t] = p.0 + p;
    out[t] = p.2;
    let (a, b, c) = p;
    let (d, e) = x[t];
    let (h, (i, h)) = (x[t], (1, 2.0));
    let mut q = (1.0, 2.0);
    q = p;
    q += (1.0, 1.0);
    p.0 = 1.0;
    q.1 = 1;
    (q.0, q.1) = (1.0, 2.0, 3.0);
    let one = if x[t] > 0.0 { (1.0, 2.0) } else { 3.0 };
    let two = if x[t] > 0.0 { (1.0, 2.0) } else { (1.0, 2.0, 3.0) };
    let none = match p.1 {
        0 => (1.0, 2.0),
        _ => {}
    };
    let many = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

#[ptx_fn]
fn pair(x: f32) -> (f32, f32) {
    if x > 0.0 {
        return x;
    }
    (x, x, x)
}

#[ptx_fn]
fn unfinished(x: f32) -> (f32, f32) {
    let y = x;
}

#[ptx_module]
mod kernels {
    use ptxf::{ptx_fn, ptx_kernel};

    struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }

    struct Mixed {
        x: f32,
        n: u32,
    }

    struct Deep {
        x: [f32; 3],
    }

    const LENGTH: usize = 3;

    #[ptx_fn]
    fn length(v: Vec3) -> f32 {
        (v.x * v.x + v.y * v.y + v.z * v.z).sqrt()
    }

    #[ptx_fn]
    fn count(x: f32) -> u32 {
        x as u32
    }

    #[ptx_kernel(pair = F16x2)]
    fn known(t: ThreadX, p: Vec3, v: &[Vec3], out: &mut [f32], w: &mut [Vec3]) {
        let a = Vec3 { x: 1.0, y: 2.0 };
        let b = Vec3 { x: 1.0, y: 2.0, z: 3.0, w: 4.0 };
        let c = Vec3 { x: 1, ..p };
        let d = Vec3 { x: 1.0, ..1.0 };
        let Vec3 { x, y } = p;
        let (e, f, g) = p;
        match p {
            (_, _, _) => {}
        }
        match p {
            Vec3 { x, y } => {}
        }
        match p {
            Mixed { .. } => {}
        }
        match p {
            Vec3 { x: 1.0, .. } => {}
            _ => {}
        }
        match p {
            Vec3 { x, .. } => {}
            Vec3 { z, .. } => {}
        }
        out[t] = length(1.0);
        out[t] = length(p, p);
        out[t] = length(p).x;
        let s: f32 = count(1.0);
        let t2 = t + count(p.y);
        out[t] = v[t];
        out[t] = v[t].w;
        v[t].x = 1.0;
        w[t] = (1.0, 2.0, 3.0);
        w[t] += p;
        out[t] = LENGTH * 2.0;
        out[t] = -p;
    }

    #[ptx_kernel(pair = F16x2)]
    fn mixed(t: ThreadX, x: &[Mixed], out: &mut [f32]) {
        out[t] = x[t].x;
    }

    #[ptx_kernel(pair = F16x2)]
    fn deep(t: ThreadX, x: Deep, out: &mut [f32]) {
        out[t] = x.x[0];
    }

    #[ptx_kernel(pair = F16x2)]
    fn rows(t: ThreadX, x: &[[f32; 4]], y: &[[E4m3; 2]], out: &mut [f32]) {
        out[t] = x[t];
    }
}

#[ptx_module(pair = F16x2)]
mod options {}

#[ptx_module]
fn no_mod() {}

fn main() {}
