//! Types are those of the body as it is written: nothing is converted implicitly.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn mismatched(t: ThreadX, k: i32, u: u32, yes: bool, x: &[f32], out: &mut [f32]) {
    let a = x[t] + 1;
    let b = k + u;
    let c = x[k];
    let d = x[t] % 2.0;
    let e = -u;
    let f = !x[t];
    let g = yes + yes;
    let h: i32 = x[t];
    let i = x[t] as bool;
    let j = x[t] as f32;
    let l = 1u128;
    let b = 7u8 + 7u16;
    let m = if yes { 1.0 } else { k };
    let o = "text";
    let p = 1e40;
    let q = f32::PI;
    if k {
        out[t] = 0.0;
    }
}

/// A float is wanted: of a literal the message says how to write it.
#[ptx_kernel(pair = F16x2)]
fn integers(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let a = x[t] + 1_000;
    let b = x[t] + 0x10;
    let c = x[t] * -1;
    let i = 3;
    out[t] = x[t] * i;
}

fn main() {}
