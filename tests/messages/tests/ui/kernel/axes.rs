//! Arrays of several axes.

use ptxf::ptx_kernel;

const TABLE: [[f32; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];

#[ptx_kernel(pair = F16x2)]
fn written(t: ThreadX, x: &[f32], n: usize, out: &mut [f32]) {
    let a = [[0.0; 2], [1.0; 2]];
    let b = [[0.0, 1.0]; 2];
    let c = [[0.0, 1.0], [2.0]];
    let d = [[0.0, 1.0], 2.0];
    let e: [[f32; 3]; 2] = [[0.0; 2]; 3];
    let f: [f32; 6] = [[0.0; 2]; 3];
    let g: f32 = [[0.0; 2]; 3];
    let h = [[0.0; n]; 2];
    let mut i = shared::<[[f32; 2]; 2]>();
    let mut j = shared::<f32, n, 2>();
    let mut k = shared::<f32>();
    let mut l = shared::<bool, 2, 2>();
}

#[ptx_kernel(pair = F16x2)]
fn indexed(t: ThreadX, l: LocalX, x: &[f32], n: usize, out: &mut [f32]) {
    let mut a = [[0.0; 2]; 3];
    let mut tile = shared::<f32, 4, 64>();
    let b = a[0];
    let c = a[0][1][0];
    let d = x[t][0];
    let e = tile[t];
    let f = a;
    a[1] = 1.0;
    a[0][0..1] = 1.0;
    a[0][1.0] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn varying(t: ThreadX, l: LocalX, k: &[i32], out: &mut [f32]) {
    let mut a = [[0.0; 2]; 3];
    let mut tile = shared::<f32, 4, 64>();
    a[k[t] as usize][0] = 1.0;
    a[0][k[t] as usize] = TABLE[0][k[t] as usize];
    tile[0][l + 1] = 1.0;
    tile[1][l] = 1.0;
    tile[l][1] = 1.0;
}

fn main() {}
