//! The option `fuse`.

use ptxf::{ptx_fn, ptx_kernel, ptx_module};

#[ptx_kernel(pair = F16x2, fuse = 3)]
fn number(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2, fuse(out))]
fn list(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(fuse, pair = F16x2, fuse)]
fn twice(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(fuse)]
fn plain(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_fn(fuse = true)]
fn function(x: f32) -> f32 {
    x
}

#[ptx_module(fuse)]
mod plain_in_a_module {
    #[ptx_kernel]
    fn plain(t: ThreadX, out: &mut [f32]) {
        out[t] = 0.0;
    }
}

#[ptx_module(fuse = 3)]
mod number_of_a_module {}

#[ptx_module(fuse, fuse)]
mod twice_of_a_module {}

fn main() {}
