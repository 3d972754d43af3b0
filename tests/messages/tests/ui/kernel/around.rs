//! The parts around a function's body: none is dropped, with `pair` or without.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel]
async fn asynchronous(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
const fn constant(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
extern "C" fn foreign(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
unsafe fn reckless(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
unsafe extern "C" fn variadic(t: ThreadX, out: &mut [f32], _: ...) {
    out[t] = 0.0;
}

#[ptx_kernel]
fn clause(t: ThreadX, out: &mut [f32])
where
    f32: Copy,
{
    out[t] = 0.0;
}

#[ptx_kernel]
fn generic<T>(t: ThreadX, out: &mut [T]) {}

#[ptx_kernel]
fn lifetime<'a>(t: ThreadX, x: &'a [f32], out: &mut [f32]) {
    out[t] = x[t];
}

#[ptx_kernel]
fn existential(t: ThreadX, x: impl Copy, y: [impl Copy; 2], out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
fn parameters(
    t: ThreadX,
    #[cfg(any())] never: f32,
    /// Documented.
    x: &'static [f32],
    ref y: f32,
    z @ w: f32,
    mut v: f32,
    v: f32,
    r#v: f32,
    __at: usize,
    out: &mut [f32],
) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2)]
async fn converted<'a>(
    t: ThreadX,
    #[cfg(any())] never: f32,
    x: &'static [f32],
    ref y: f32,
    v: f32,
    v: f32,
    out: &mut [f32],
) {
    out[t] = 0.0;
}

#[ptx_fn]
unsafe fn function<const N: usize>(#[cfg(any())] x: f32, ref y: f32, y: f32) -> f32 {
    0.0
}

#[ptx_kernel]
fn indices(t: ThreadX<3>, u: other::kernel::ThreadX, v: ThreadX::<'static>, out: &mut [f32]) {}

#[ptx_kernel(pair = F16x2)]
fn indices_of_a_pair(t: kernel::ThreadX, u: <f32 as Copy>::LocalX, v: ptxf::kernel::BlockX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
fn größe(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2)]
fn länge(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

struct Type;

impl Type {
    #[ptx_kernel]
    fn method(&self, t: ThreadX, out: &mut [f32]) {
        out[t] = 0.0;
    }
}

trait Trait {
    #[ptx_kernel(pair = F16x2)]
    fn declared(t: ThreadX, out: &mut [f32]);
}

#[ptx_kernel]
struct Structure;

fn main() {}
