//! Barriers and shared memory.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel(pair = F16x2)]
fn divergent(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 256>();
    tile[l] = x[t];
    if x[t] > 0.0 {
        sync_threads();
    }
    out[t] = tile[l];
}

#[ptx_kernel(pair = F16x2)]
fn returned(t: ThreadX, n: usize, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 256>();
    if t >= n {
        return;
    }
    tile[l] = x[t];
    sync_threads();
    out[t] = tile[l];
}

#[ptx_kernel(pair = F16x2)]
fn one_element(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 256>();
    tile[0] = x[t];
    sync_threads();
    out[t] = tile[l];
}

#[ptx_fn]
fn function(x: f32) -> f32 {
    sync_threads();
    let mut tile = shared::<f32, 256>();
    x
}

#[ptx_kernel(pair = F16x2)]
fn misplaced(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let a = sync_threads();
    let b = shared::<bool, 4>();
    let c = shared();
    out[t] = shared::<f32, 4>()[0];
}

#[ptx_kernel(pair = F16x2)]
fn by_row(t: ThreadX, y: ThreadY, ly: LocalY, b: BlockY, n: usize, x: &[f32], out: &mut [f32]) {
    let mut row = 0;
    if ly > 2 {
        row = 7;
    }
    if row > 3 {
        sync_threads();
    }
    for i in 0..y {
        sync_threads();
    }
    if y >= n {
        return;
    }
    if b > 1 {
        sync_threads();
    }
    unsafe { out[t] = x[row] };
}

#[ptx_kernel(pair = F16x2)]
fn inside(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let v = {
        sync_threads();
        x[0]
    };
    out[t] = v;
}

fn main() {}
