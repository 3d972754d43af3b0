//! Calls that a kernel may not have.

use ptxf::tables::UnaryTable;
use ptxf::{F16, ptx_fn, ptx_kernel};

static TABLE: UnaryTable<F16, F16> = UnaryTable::from_le_bytes([0; 131_072]);

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, x: &[f32], i: &[i32], out: &mut [f32]) {
    let a = atomic_inc(i[t], 1);
    let b = shfl_down(x[t], 1);
    let c = TABLE.get(x[t], x[t]);
    let d = x[t].cbrt();
    let e = x[t].min(1.0, 2.0);
    let f = i[t].sqrt();
    let g = (x[0])(1.0);
    let h = cvt_rn(x[t], 1.0);
    println!("{}", x[t]);
    assert!(x[t] > 0.0);
    let j = vec![1.0];
    fn inner() {}
}

#[ptx_fn]
fn square(x: f32) -> f32 {
    x * x
}

#[ptx_kernel(pair = F16x2)]
fn wrong_argument(t: ThreadX, i: &[i32], out: &mut [f32]) {
    out[t] = square(i[t]);
}

fn main() {}
