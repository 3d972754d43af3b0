//! Indices that do not determine the thread, and indices that do, in all their forms.

use ptxf::ptx_kernel;

const WIDTH: usize = 4;

#[ptx_kernel(pair = F16x2)]
fn changes(t: ThreadX, n: usize, out: &mut [f32]) {
    let mut i = t;
    i += n;
    out[i] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn cut_off(t: ThreadX, out: &mut [f32]) {
    let i = t as u32;
    out[i as usize] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn of_the_block(t: ThreadX, l: LocalX, out: &mut [f32]) {
    let i = l;
    out[i] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn along_one_axis(x: ThreadX, y: ThreadY, w: usize, out: &mut [f32]) {
    out[x] = 1.0;
    out[y * w] = 1.0;
    out[x * w + x] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn between_digits(t: ThreadX, n: usize, k: &[i32], out: &mut [f32]) {
    for j in 0..n {
        out[t + j] = 1.0;
        out[t * j] = 1.0;
        out[t + k[t] as usize] = 1.0;
        out[t / 2 * 2 + t % 2] = 1.0;
    }
}

#[ptx_kernel(pair = F16x2)]
fn between_rounds(t: ThreadX, n: usize, k: &[i32], out: &mut [f32]) {
    for i in t..n {
        out[i] = 1.0;
    }
    for i in (t..n).rev().step_by(n) {
        out[i] = 1.0;
    }
    for i in (t..n).step_by(k[0] as usize) {
        out[i] = 1.0;
    }
}

#[ptx_kernel(pair = F16x2)]
fn in_two_ways(x: ThreadX, y: ThreadY, w: usize, h: usize, a: &mut [f32], b: &mut [f32], c: &mut [f32]) {
    a[y * w + x] = 1.0;
    a[x * h + y] = 1.0;
    b[y * w + x] = b[y * h + x];
    c[y * w + x] = 1.0;
    c[y * w + x + w] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn not_compared(t: ThreadX, l: LocalX, k: &[u32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64, 8>();
    let mut j = 0;
    while j < 3 {
        tile[l * 2 + j][k[j] as usize] += 1.0;
        j += 1;
    }
}

#[ptx_kernel(pair = F16x2)]
fn one_of_two(t: ThreadX, b: BlockX, l: LocalX, out: &mut [f32]) {
    if l == 0 {
        out[b] = 1.0;
    }
    if l == 1 {
        out[b] = 2.0;
    }
    if l < 1 {
        out[b] = 3.0;
    } else {
        out[0] = 4.0;
    }
}

#[ptx_kernel(pair = F16x2)]
fn its_own(t: ThreadX, l: LocalX, b: BlockX, n: usize, a: &mut [f32], c: &mut [f32], d: &mut [f32], e: &mut [f32]) {
    let i = t as usize;
    let i = i + n;
    a[i] = 1.0;
    for k in 0..WIDTH {
        c[t * WIDTH + k] = 1.0;
        d[t + k * n] = 1.0;
    }
    e[b * 64 + l] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn its_own_in_a_plane(x: ThreadX, y: ThreadY, w: usize, a: &mut [f32], b: &mut [f32], c: &mut [f32]) {
    let at = y * w + x;
    a[at] += 1.0;
    for k in 0..3 {
        b[(y * w + x) * 3 + k] = 1.0;
    }
    c[x + y * w] = 1.0;
    let mut tile = shared::<f32, 64, 8>();
    let mut j = 0;
    while j < 3 {
        tile[y * 16 + x][j] += 1.0;
        j += 1;
    }
    c[(w * y) + x] = 1.0;
}

#[ptx_kernel(pair = F16x2)]
fn its_own_by_steps(t: ThreadX, l: LocalX, b: BlockX, n: usize, threads: usize, a: &mut [f32], c: &mut [f32]) {
    for i in (t..n).step_by(threads) {
        a[i] = 1.0;
    }
    let row = b * n;
    for j in (l..n).step_by(128) {
        c[row + j] = 1.0;
    }
}

#[ptx_kernel(pair = F16x2)]
fn its_own_by_blocks(bx: BlockX, by: BlockY, lx: LocalX, ly: LocalY, w: usize, a: &mut [f32], b: &mut [f32]) {
    let mut tile = shared::<f32, 16, 16>();
    tile[ly][lx] = 1.0;
    a[(by * 16 + ly) * w + bx * 16 + lx] = tile[ly][lx];
    let (row, column) = (by * 16 + ly, bx * 16 + lx);
    b[row * w + column] = 1.0;
}

fn main() {}
