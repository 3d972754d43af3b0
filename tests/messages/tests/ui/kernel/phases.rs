//! Reads of other threads' elements of shared memory that no barrier keeps apart from a write.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn no_barrier(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[l];
    let y = tile[63 - l];
}

#[ptx_kernel(pair = F16x2)]
fn written_behind(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[l];
    sync_threads();
    let y = tile[63 - l];
    tile[l] = 2.0 * y;
}

#[ptx_kernel(pair = F16x2)]
fn in_the_same_statement(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[l];
    sync_threads();
    let mut step = 32;
    while step > 0 {
        if l < step {
            tile[l] += tile[l + step];
        }
        sync_threads();
        step /= 2;
    }
}

#[ptx_kernel(pair = F16x2)]
fn in_the_other_arm(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[l];
    sync_threads();
    if x[l] > 0.0 {
        let y = tile[63 - l];
    } else {
        tile[l] = 1.0;
    }
}

#[ptx_kernel(pair = F16x2)]
fn in_the_next_iteration(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    for k in 0..4 {
        tile[l] = x[l + k];
        sync_threads();
        let y = tile[63 - l];
    }
}

#[ptx_kernel(pair = F16x2)]
fn in_a_condition(l: LocalX, x: &[u32], out: &mut [f32]) {
    let mut left = shared::<u32, 64>();
    left[l] = x[l];
    sync_threads();
    while left[0] > 0 {
        left[l] -= 1;
        sync_threads();
    }
}

#[ptx_kernel(pair = F16x2)]
fn on_one_path(l: LocalX, n: usize, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[l];
    if n > 1 {
        sync_threads();
    }
    let y = tile[63 - l];
}

#[ptx_kernel(pair = F16x2)]
fn beside_atomics(l: LocalX, x: &[u32], counts: &mut [u32]) {
    let mut bins = shared::<u32, 64>();
    bins[l] = 0;
    sync_threads();
    atomic_add(&mut bins[x[l] as usize], 1);
    let y = bins[63 - l];
}

#[ptx_kernel(pair = F16x2)]
fn beside_unsafe(l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    // SAFETY: one thread an element.
    unsafe { tile[l ^ 1] = x[l] };
    let y = tile[(l + 1) % 64];
}

#[ptx_kernel(pair = F16x2)]
fn of_an_output(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    out[t] = x[t];
    sync_threads();
    let y = out[63 - t];
}

fn main() {}
