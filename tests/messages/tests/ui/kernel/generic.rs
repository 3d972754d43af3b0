//! Functions with types of their own.

use ptxf::{ptx_fn, ptx_module};

#[ptx_fn]
fn outside<T>(a: T) -> T {
    a
}

#[ptx_module]
mod kernels {
    use ptxf::F16;
    use ptxf::kernel::ThreadX;

    struct Point {
        x: f32,
        y: f32,
    }

    #[ptx_fn]
    fn larger<T: PartialOrd>(a: T, b: T) -> T {
        if a < b { b } else { a }
    }

    #[ptx_fn]
    fn unknown<T>(a: f32) -> f32 {
        a
    }

    #[ptx_fn]
    fn neither<T>(a: T) -> T {
        a.sqrt() & 1
    }

    #[ptx_fn]
    fn among_others<T, const N: usize>(a: &[T; N], b: T) -> T {
        b
    }

    #[ptx_fn]
    fn only_of_floats<T>(a: T) -> T {
        a.sqrt()
    }

    #[ptx_kernel(pair = F16x2)]
    fn calls(t: ThreadX, x: &[f32], i: &[i32], y: &mut [f32]) {
        if t < x.len() {
            let a = larger(x[t], i[t]);
            let p = Point { x: x[t], y: 0.0 };
            let b = larger(p, p);
            let c = unknown(x[t]);
            let d = larger::<f32, f32>(x[t], 1.0);
            let e = larger::<u32>(x[t], 1.0);
            let f = only_of_floats(i[t]);
            y[t] = larger(1, 2);
        }
    }
}

fn main() {}
