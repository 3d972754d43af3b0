//! Statements that a kernel may not have.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, x: &[f32], out: &mut [f32]) {
    fn inner() {}
    const N: usize = 3;
    use core::mem;
    out[t] = 1.0;;
    println!("{}", 1);
    macro_rules! m {
        () => {};
    }
    struct S;
    ;
    out[t] = { dbg!(1.0) };
    x[t];
}

#[ptx_kernel(pair = F16x2)]
fn waits(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[t];
    let a = { sync_threads(); tile[l] };
    out[t] = a;
}

fn main() {}
