//! Slices of narrow formats.

use ptxf::ptx_kernel;

// A scale is rounded down or up, which an assignment does not say.
#[ptx_kernel(pair = F16x2)]
fn scales(t: ThreadX, x: &[f32], s: &mut [Ue8m0]) {
    s[t] = x[t];
}

// A byte would be two threads' output.
#[ptx_kernel(pair = F16x2)]
fn nibbles(t: ThreadX, x: &[f32], out: &mut [ptxf::E2m1x2]) {
    out[t] = x[t];
}

// They are in memory only.
#[ptx_kernel(pair = F16x2)]
fn scalar(t: ThreadX, x: E4m3, out: &mut [f32]) {
    out[t] = x;
}

// An input is none to write to, and says of what it is.
#[ptx_kernel(pair = F16x2)]
fn input(t: ThreadX, x: &[E4m3]) {
    x[t] = 1.0;
}

// Nor could it become one.
#[ptx_kernel(pair = F16x2)]
fn scale(t: ThreadX, x: &[Ue8m0]) {
    x[t] = 1.0;
}

// Somebody else's type of the name.
#[ptx_kernel(pair = F16x2)]
fn other(t: ThreadX, x: &[float8::E4m3], out: &mut [f32]) {
    out[t] = x[t];
}

// Not a format that kernels have.
#[ptx_kernel(pair = F16x2)]
fn tensor(t: ThreadX, x: &[Tf32], out: &mut [f32]) {
    out[t] = x[t];
}

fn main() {}
