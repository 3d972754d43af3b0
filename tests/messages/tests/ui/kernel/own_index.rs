//! What is not the thread's own index, whatever it was made of.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn changes(t: ThreadX, n: usize, out: &mut [f32]) {
    let mut i = t;
    i += n;
    out[i] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn cut_off(t: ThreadX, out: &mut [f32]) {
    let i = t as u32;
    out[i as usize] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn of_the_block(t: ThreadX, l: LocalX, out: &mut [f32]) {
    let i = l;
    out[i] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn hidden(t: ThreadX, n: usize, out: &mut [f32]) {
    let i = t;
    let i = i + n;
    out[i] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn its_own(t: ThreadX, out: &mut [f32]) {
    let i = t as usize;
    out[i] = 1.0;
}

fn main() {}
