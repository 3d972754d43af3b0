//! Names mean what they mean in Rust, or nothing.

use ptxf::{ptx_fn, ptx_kernel};

const COUNT: usize = 3;
const FACTOR: f32 = 2.0;
static TOTAL: f32 = 1.0;

/// Another spelling of a name is the name.
#[ptx_kernel(pair = F16x2)]
fn raw(t: ThreadX, out: &mut [f32]) {
    let r#t = t * t;
    out[t] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn constants(t: ThreadX, COUNT: usize, out: &mut [f32]) {
    let FACTOR = 1.0;
    for TOTAL in 0..3 {}
    out[t] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn compiled(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    let a = [0.0; n];
    let m = 3;
    let b = const { m * 2 };
    let c = [1.0; { let x = 2; x }];
    let mut d = shared::<f32, { n + 1 }>();
    let e = const { size_of::<Self>() };
    out[t] = self.x + Self::LANES;
}

#[ptx_kernel(pair = F16x2)]
fn reserved(t: ThreadX, out: &mut [f32]) {
    let r#__a = 1.0;
    out[t] = __x + __C::LANES;
    out[t] = __f(1.0) + __T.get(1.0);
}

#[ptx_fn]
fn twice(x: f32) -> f32 {
    x + x
}

#[ptx_kernel(pair = F16x2)]
fn called(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let twice = 2.0;
    let sync_threads = 1.0;
    sync_threads();
    out[t] = twice(x[t]);
}

fn main() {}
