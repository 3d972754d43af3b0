//! A program that depends on the published crates alone.

#![forbid(unsafe_code)]

use ptxf::{Bf16, F16, F16x2, ptx, ptx_kernel, slice, unary_table};

unary_table!(static SILU: F16 -> F16 = |x| x / (1.0 + exp(-x)));

#[ptx_kernel(pair = F16x2)]
fn axpy(t: ThreadX, n: usize, a: f32, x: &[f32], y: &mut [f32]) {
    if t < n {
        y[t] = a * x[t] + y[t];
    }
}

fn main() {
    let x = F16x2::from_f32([1.5, -2.0]);
    assert_eq!(ptx!(fma.rn.relu.f16x2(x, x, x)), x.fma_rn_relu(x, x));
    let (x, mut y) = ([F16::ONE; 77], [F16::from_f32(0.5); 77]);
    axpy::wide(77, 77, 2.0, &x, &mut y);
    assert!(y.iter().all(|y| y.to_f32() == 2.5));
    let mut z = [F16::ZERO; 77];
    slice::fma_rn_f16(&x, &y, slice::Splat(F16::ONE), &mut z);
    assert_eq!(z[76].to_f32(), 3.5);
    assert_eq!(SILU.get(F16::ZERO), F16::ZERO);
    assert_eq!(Bf16::from_f32(1.0).to_bits(), 0x3f80);
}
