//! Loops through elements.

use ptxf::ptx_kernel;

const WEIGHTS: [f32; 3] = [1.0, 2.0, 3.0];
const ROWS: [[f32; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];

#[ptx_kernel(pair = F16x2)]
fn refused(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
    let near = [x[t], 0.0];
    let square = [[0.0; 2]; 2];
    for v in x {}
    for &mut v in x {}
    for &(a, b) in x {}
    for v in x.iter().enumerate() {}
    for (i, v) in x.iter().enumerate() {}
    for (mut i, &v) in x.iter().enumerate() {}
    for &v in near {}
    for v in &near {}
    for &v in &square {}
    for &v in x.iter().rev() {}
    for v in n {}
    for &v in &mut near {}
    for &v in x.windows(2) {}
    for v in [[1.0, 2.0], [3.0, 4.0]] {}
    for _ in [1, 2] {}
    for v in [1.0, 2] {}
}

#[ptx_kernel(pair = F16x2)]
fn written_by_others(t: ThreadX, out: &mut [f32]) {
    let mut sum = 0.0;
    for &v in out {
        sum += v;
    }
    out[t] = sum;
}

#[ptx_kernel(pair = F16x2)]
fn of_no_slice(t: ThreadX, out: &mut [f32]) {
    let mut sum = 0.0;
    for row in ROWS {
        sum += row;
    }
    out[t] = sum;
}

#[ptx_kernel(pair = F16x2, keep(sum))]
fn accepted(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let mut sum = 0.0;
    for (i, &v) in x.iter().enumerate() {
        sum += v * WEIGHTS[i % 3];
    }
    for weight in WEIGHTS {
        sum += weight;
    }
    out[t] = cvt_rn(sum);
}

fn main() {}
