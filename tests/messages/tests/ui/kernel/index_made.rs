//! An index of a thread comes from its launch, and an output from it as well.
#![forbid(unsafe_code)]

use ptxf::kernel::{AnyThread, LocalX, PerThread, ThreadX};
use ptxf::ptx_kernel;

#[ptx_kernel]
fn sum(t: ThreadX, x: &[u64], out: &mut [u64]) {
    out[ThreadX::new(0)] += x[t];
}

#[ptx_kernel]
fn out_of_a_number(t: ThreadX, x: &[u64], out: &mut [u64]) {
    out[ThreadX(0)] += x[t];
    out[ThreadX::from(0)] += x[t];
    out[ThreadX::default()] += x[t];
    out[0] += x[t];
    out[t + 1] += x[t];
}

#[ptx_kernel]
fn out_of_another_index(t: ThreadX, l: LocalX, out: &mut [u64]) {
    out[l] = t.get() as u64;
}

#[ptx_kernel]
fn of_two_axes(t: ThreadX, r: ThreadY, out: &mut [u64]) {
    out[t] = r.get() as u64;
}

fn by_hand(x: &mut [u64]) {
    let _ = PerThread::from(&mut x[..]);
    let _ = AnyThread::from(&mut x[..]);
    let _ = LocalX::new(1);
}

fn main() {}
