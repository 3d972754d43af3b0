//! Control flow that has no masked form.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    if let 1 = n {}
    while let 1 = n {}
    let Some(a) = n else { return };
    let b = x[t]?;
    let c = |y: f32| y;
    'outer: for k in 0..n {
        'inner: for j in 0..n {}
        break 'inner;
    }
    for k in 0..n {
        continue 'outer;
    }
    'block: {
        break 'block;
    }
    '__round: loop {}
    let d = loop {
        break 1.0;
    };
    for y in x.iter() {}
    for k in 0.. {}
    for k in 0.0..1.0 {}
    for k in (0..n).rev().rev() {}
    for k in (0..n).rev(1) {}
    for (k, l) in 0..n {}
    for k in (0..n).step_by(0) {}
    for k in (0..n).step_by(1_i32) {}
    for k in (0..n).step_by(2).rev() {}
    for k in (0..n).step_by() {}
    let (a, b) = t;
    let (a, b) = (1, 2, 3);
    let (a, b): (f32, f32, f32) = (1.0, 2.0);
    let (a, b): f32 = (1.0, 2.0);
    let (a, b): (f32, i32) = (1.0, 2.0);
    let (a, _) = (1, 2);
    break;
    continue;
    x[t];
    n + 1
}

#[ptx_kernel(pair = F16x2)]
fn halfway(t: ThreadX, x: &[f32], out: &mut [f32]) {
    for k in 0..4 {
        let a = if x[t] > 0.0 {
            if x[t] > 1.0 {
                return;
            }
            1.0
        } else {
            if x[t] < -1.0 {
                break;
            }
            2.0
        };
        let b = {
            if x[t] > 2.0 {
                continue;
            }
            a
        };
        // Leaves a loop of its own, and the value stands.
        let c = {
            let mut s = b;
            loop {
                s = s + 1.0;
                if s > 4.0 {
                    break;
                }
            }
            s
        };
        out[t] = c;
    }
}

#[ptx_kernel(pair = F16x2)]
fn no_else(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = if x[t] > 0.0 { 1.0 };
    out[t] = if x[t] > 0.0 { 1.0 } else { let y = 1.0; };
}

/// A value is not left for a loop around it.
#[ptx_kernel(pair = F16x2)]
fn far(t: ThreadX, x: &[f32], out: &mut [f32]) {
    'around: loop {
        out[t] = {
            loop {
                if x[t] > 1.0 {
                    break 'around;
                }
            }
            1.0
        };
    }
}

fn main() {}
