//! Wrong uses of `match`.

use ptxf::ptx_kernel;

const FEW: usize = 3;

#[ptx_kernel(pair = F16x2)]
fn patterns(t: ThreadX, n: usize, k: i32, x: &[f32], out: &mut [f32]) {
    match n {
        0 => {}
        FEW => {}
    }
    match k {
        _ => {}
        1 => {}
    }
    match k {
        1 | _ => {}
    }
    match k {
        j => {}
        1 => {}
    }
    match k {
        j if j > 1 => {}
    }
    match k {
        mut j => j += 1,
    }
    match k {
        ref j => {}
    }
    match k {
        j => j += 1,
    }
    match k {
        j @ 1 | 2 => {}
        _ => {}
    }
    match k {
        1 if n => {}
        _ => {}
    }
    match k {
        __j => {}
    }
    match (k, n) {
        (j, j) => {}
    }
    match k {
        5..=4 => {}
        _ => {}
    }
    match k {
        5..5 => {}
        _ => {}
    }
    match k {
        1.0 => {}
        _ => {}
    }
    match n {
        -1 => {}
        _ => {}
    }
    match n {
        1_u32 => {}
        _ => {}
    }
    match x[t] {
        1.0 => {}
        _ => {}
    }
    match (x[t], n) {
        (_, 1) => {}
        (0.5..1.0, _) => {}
        _ => {}
    }
    match n > 3 {
        true => {}
        true => {}
    }
    match (n, k) {
        (1, 2, 3) => {}
        _ => {}
    }
    match (n, k) {
        1 => {}
        _ => {}
    }
    match (n, k > 3) {
        (true, 1) => {}
        (_, _) => {}
    }
    match (n, k) {
        (_, _) => {}
        (1, _) => {}
    }
    match k {
        Some(1) => {}
        _ => {}
    }
    match k {}
}

#[ptx_kernel(pair = F16x2)]
fn values(t: ThreadX, n: usize, k: i32, x: &[f32], out: &mut [f32]) {
    let a = match n {
        0 => 1.0,
        1 => {}
        _ => return,
    };
    let b = match n {
        0 => 1.0,
        1 => 2,
        _ => 3.0,
    };
    for j in 0..n {
        let c = match k {
            0 => 1.0,
            _ => {
                if x[t] > 1.0 {
                    break;
                }
                2.0
            }
        };
    }
    match n {
        0 => 1.0,
        _ => {}
    }
    match n {
        0 => x[t],
        _ => 1.0,
    };
    out[t] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn waits(t: ThreadX, l: LocalX, x: &[i32], out: &mut [f32]) {
    match x[t] {
        0 => {
            sync_threads();
        }
        _ => {}
    }
    'rounds: for k in 0..4 {
        sync_threads();
        for j in 0..x[t] {
            break 'rounds;
        }
    }
    out[t] = 1.0;
}

#[ptx_kernel(pair = F16x2, keep(sum))]
fn kept(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let sum = x[t] * 0.3;
    match sum {
        v if v > 1.0 => out[t] = v,
        _ => out[t] = 1.0,
    }
}

fn main() {}
