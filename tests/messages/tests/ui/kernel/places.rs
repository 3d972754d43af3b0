//! Wrong places and values of assignments.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, n: usize, a: f32, x: &[f32], out: &mut [f32]) {
    let b = x[t].re;
    x[t].im = 1.0;
    let c = (1.0, 2.0);
    let f = &x[t];
    let g = *x[t];
    let h = Complex { re: 1.0 };
    let ref i = a;
    let j;
    let k = 1.0;
    k = 2.0;
    a = 1.0;
    for l in 0..n {
        l = 1;
    }
    missing = 1.0;
    let m = (k = 1.0);
    let __x = 1.0;
    #[cfg(never)]
    let o = 1.0;
    f(a) = 1.0;
}

fn main() {}
