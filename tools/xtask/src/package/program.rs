//! A program that depends on the published crates alone.

#![forbid(unsafe_code)]

use ptxf::{Bf16, F16, F16x2, ptx, ptx_kernel, slice, unary_table};
use ptxf_vm::{Arg, Machine, Module};

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
    run().unwrap();
}

/// Runs PTX on this CPU.
fn run() -> Result<(), Box<dyn std::error::Error>> {
    let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) {
        .reg .b32 %r1; .reg .b64 %rd1;
        ld.param.u64 %rd1, [x];
        ld.global.f32 %r1, [%rd1];
        fma.rn.f32 %r1, %r1, %r1, %r1;
        st.global.f32 [%rd1], %r1;
        ret;
    }";
    let mut machine = Machine::new();
    let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    let x = machine.buffer(&[1.5_f32]);
    machine.launch(&entry, 1, 1, 0, &[Arg::from(x)])?;
    assert_eq!(machine.values::<f32>(x)?, [3.75]);
    Ok(())
}
