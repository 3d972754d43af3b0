//! Atomic operations: on what, with what, and what else may be done at the same time.

use ptxf::ptx_kernel;

#[ptx_kernel(pair = F16x2)]
fn written(t: ThreadX, i: &[u32], x: &[f32], sums: &mut [u32], out: &mut [f32], small: &mut [u8]) {
    atomic_add(sums[0], 1);
    atomic_add(&sums[0], 1);
    atomic_add(&mut sums[0]);
    atomic_cas(&mut sums[0], 1);
    atomic_add::<u32>(&mut sums[0], 1);
    atomic_add(&mut sums, 1);
    atomic_add(&mut sums[0], x[t]);
    atomic_add(&mut sums[i[t]], 1);
    atomic_add(&mut out[0], x[t]);
    atomic_max(&mut small[0], 1);
    atomic_add(&mut i[0], 1);
    let mut own = [0, 1];
    atomic_add(&mut own[1], 1);
    let mut one = 0;
    atomic_add(&mut one, 1);
    atomic_inc(&mut sums[0], 7);
    atomicAdd(&mut sums[0], 1);
    sums[0].fetch_add(1);
    let a = __shfl_down_sync(!0, x[t], 1);
}

#[ptx_kernel(pair = F16x2)]
fn in_order(t: ThreadX, sums: &mut [u32], out: &mut [u32]) {
    out[t] = atomic_add(&mut sums[0], 1);
    let before = atomic_max(&mut sums[0], 1);
    atomic_exch(&mut sums[0], t as u32);
    atomic_cas(&mut sums[0], 0, t as u32);
}

#[ptx_kernel(pair = F16x2)]
fn at_the_same_time(t: ThreadX, l: LocalX, i: &[u32], sums: &mut [u32], most: &mut [i32], out: &mut [u32]) {
    let mut hist = shared::<u32, 256>();
    hist[l] = 0;
    atomic_add(&mut hist[i[t] as usize], 1);
    sync_threads();
    for k in 0..3 {
        out[t] = hist[l];
        if k > 1 {
            break;
        }
        sync_threads();
        atomic_add(&mut hist[i[t] as usize], 1);
    }
    sums[t] = 1;
    sync_threads();
    atomic_add(&mut sums[0], 1);
    atomic_add(&mut most[0], 1);
    atomic_max(&mut most[1], 1);
}

#[ptx_kernel(pair = F16x2)]
fn without(t: ThreadX, i: &[u32], hist: &mut [u32], least: &mut [i32], sum: &mut [u64]) {
    hist[i[t] as usize] += 1;
    least[i[t] as usize] = least[i[t] as usize].min(i[t] as i32);
    sum[0] += i[t] as u64;
}

#[ptx_kernel(pair = F16x2)]
fn votes(t: ThreadX, x: &[f32], out: &mut [u32]) {
    if sync_threads_or(x[t] > 1.0) {
        out[t] = 1;
    }
    sync_threads_and(x[t] > 1.0);
    let a = sync_threads_count(x[t]);
    let b = sync_threads_count();
    let c: bool = sync_threads_count(x[t] > 1.0);
    let (d, e) = sync_threads_or(true);
    let f = __ballot_sync(!0, x[t] > 1.0);
    let g = __syncthreads_or(x[t] > 1.0);
}

#[ptx_kernel(pair = F16x2)]
fn vote_of_some(t: ThreadX, x: &[f32], out: &mut [u32]) {
    if x[t] > 0.0 {
        let n = sync_threads_count(x[t] > 1.0);
        out[t] = n;
    }
}

fn main() {}
