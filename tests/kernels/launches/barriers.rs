//! Kernels with barriers against loops by hand: values uniform over a group, over a row, and over
//! the whole block.
//!
//! All numbers are small integers, exact in every format.
#![expect(unsafe_code, reason = "threads of a block read each other's elements, and rows have no index of their own")]

use ptxf::kernel::{Grid, Order};
use ptxf::{F16, Level, ptx_kernel};

/// Threads of a grid, and of a block; not all are whole blocks.
const GRIDS: [([usize; 3], [usize; 3]); 7] = [
    ([1, 1, 1], [64, 1, 1]),
    ([64, 1, 1], [64, 1, 1]),
    ([97, 1, 1], [32, 1, 1]),
    ([8, 8, 1], [8, 8, 1]),
    ([13, 7, 1], [5, 4, 1]),
    ([40, 3, 1], [40, 2, 1]),
    ([9, 5, 3], [4, 3, 2]),
];

/// The inputs and output of a thread of a grid.
#[derive(Clone, Copy)]
struct Thread {
    at: [usize; 3],
    local: [usize; 3],
    block: [usize; 3],
    threads: [usize; 3],
}

/// A version by its name: the grid, its width and height, the input and the output.
type Sibling<'a> = (&'a str, &'a dyn Fn(Grid, usize, usize, &[F16], &mut [F16]));

/// Checks that each version leaves `want` of every thread in `out`, in every order.
fn check(grids: &[([usize; 3], [usize; 3])], launches: &[Sibling<'_>], want: impl Fn(Thread, &[f32]) -> f32) {
    for &(threads, block) in grids {
        let [w, h, d] = threads;
        let x: Vec<F16> = (0..w * h * d + 8).map(|i| F16::from_f32((i * 5 % 7) as f32)).collect();
        let values: Vec<f32> = x.iter().map(|x| x.to_f32()).collect();
        let mut expected = vec![-1.0; w * h * d];
        for (number, expected) in expected.iter_mut().enumerate() {
            let at = [number % w, number / w % h, number / w / h];
            let local = core::array::from_fn(|i| at[i] % block[i]);
            *expected = want(Thread { at, local, block, threads }, &values);
        }
        for (name, launch) in launches {
            for order in [Order::Serial, Order::Reversed, Order::Shuffled(5)] {
                for level in Level::available() {
                    for head in [false, true] {
                        let mut out = vec![F16::from_f32(-1.0); w * h * d];
                        let grid = Grid::from(threads).block(block).order(order).level(level).head(head);
                        launch(grid, w, h, &x, &mut out);
                        let got: Vec<f32> = out.iter().map(|x| x.to_f32()).collect();
                        assert_eq!(got, expected, "{name} {threads:?} {block:?} {order:?} {level} {head}");
                    }
                }
            }
        }
    }
}

/// A kernel of three axes, `(x, out)` and the grid's width and height, in all versions.
macro_rules! siblings {
    ($kernel:ident) => {
        &[
            ("scalar", &|g, w, h, x, out| $kernel::scalar(g, w, h, x, out)),
            ("pair", &|g, w, h, x, out| $kernel::pair(g, w, h, x, out)),
            ("wide", &|g, w, h, x, out| $kernel::wide(g, w, h, x, out)),
        ]
    };
}

// A compound statement takes effect once for each thread, for any number of groups.
#[ptx_kernel(pair = F16x2)]
fn compound(tx: ThreadX, ty: ThreadY, tz: ThreadZ, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
    let mut c = 0.0;
    let mut n = 1;
    let mut a = [0.0; 3];
    for i in 0..3 {
        c += x[i];
        a[i] = x[i + 1];
    }
    if x[1] > 2.0 {
        n += 1;
    }
    {
        n *= 3;
    }
    sync_threads();
    let mut i = 0;
    while i < 2 {
        a[i] += 1.0;
        c += a[i];
        i += 1;
    }
    sync_threads();
    unsafe { out[tx + w * (ty + h * tz)] = c + n as f32 + a[2] };
}

#[test]
fn compound_statements_run_once_for_a_thread() {
    check(&GRIDS, siblings!(compound), |_, x| {
        let mut n = 1;
        if x[1] > 2.0 {
            n += 1;
        }
        n *= 3;
        x[0] + x[1] + x[2] + (x[1] + 1.0) + (x[2] + 1.0) + n as f32 + x[3]
    });
}

// A sum over shared memory, twice, and a running count that lives from phase to phase.
#[ptx_kernel(pair = F16x2)]
fn summed(
    tx: ThreadX,
    ty: ThreadY,
    tz: ThreadZ,
    l: LocalX,
    ly: LocalY,
    lz: LocalZ,
    w: usize,
    h: usize,
    x: &[f32],
    out: &mut [f32],
) {
    let mut tile = shared::<f32, 4>();
    let mut sum = 0.0;
    let mut rounds = 0;
    for k in 0..2 {
        if l == 0 && ly == 0 && lz == 0 {
            for i in 0..4 {
                unsafe { tile[i] = x[i + k] };
            }
        }
        sync_threads();
        for i in 0..4 {
            sum += unsafe { tile[i] };
        }
        rounds += 1;
        sync_threads();
    }
    unsafe { out[tx + w * (ty + h * tz)] = sum + rounds as f32 };
}

#[test]
fn sums_of_shared_memory_are_each_threads_own() {
    check(&GRIDS, siblings!(summed), |_, x| x[..4].iter().sum::<f32>() + x[1..5].iter().sum::<f32>() + 2.0);
}

// Uniform over a row, but not over the block.
#[ptx_kernel(pair = F16x2)]
fn rows(
    tx: ThreadX,
    ty: ThreadY,
    tz: ThreadZ,
    l: LocalX,
    ly: LocalY,
    lz: LocalZ,
    w: usize,
    h: usize,
    x: &[f32],
    out: &mut [f32],
) {
    let mut tile = shared::<f32, 1024>();
    let mut row = 0;
    if ly > 1 {
        row = 7;
    }
    let base = ly * 64 + lz * 512;
    let first = x[ty];
    sync_threads();
    if base + l < 1024 {
        unsafe { tile[base + l] = first };
    }
    sync_threads();
    let mut k = 0;
    for j in 0..ly {
        k += j + 1;
    }
    sync_threads();
    unsafe { out[tx + w * (ty + h * tz)] = tile[base + l] + row as f32 + k as f32 };
}

#[test]
fn what_is_the_same_for_a_row_differs_in_the_block() {
    check(&GRIDS[3..], siblings!(rows), |t, x| {
        let ly = t.local[1];
        x[t.at[1]] + if ly > 1 { 7.0 } else { 0.0 } + (ly * (ly + 1) / 2) as f32
    });
}

// Uniform conditions and bounds that depend on each thread's values and change them.
#[ptx_kernel(pair = F16x2)]
fn asked(tx: ThreadX, ty: ThreadY, tz: ThreadZ, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
    let mut limit = 0;
    for i in 0..4 {
        if x[i] > 1.0 {
            limit += 1;
        }
    }
    let mut total = 0;
    let mut calls = 0;
    for k in limit - 1..limit + 1 {
        sync_threads();
        total += k;
    }
    while {
        calls += 1;
        calls < limit
    } {
        total += 100;
        sync_threads();
    }
    if limit > 2 {
        sync_threads();
        total += 1000;
    } else {
        sync_threads();
        total += 500;
    }
    unsafe { out[tx + w * (ty + h * tz)] = (total + calls) as f32 };
}

#[test]
fn the_frame_asks_the_threads() {
    check(&GRIDS, siblings!(asked), |_, x| {
        let limit = x[..4].iter().filter(|x| **x > 1.0).count();
        let total = 2 * limit - 1 + 100 * (limit - 1) + if limit > 2 { 1000 } else { 500 };
        (total + limit) as f32
    });
}

// Jumps of all threads, out of loops with and without barriers.
#[ptx_kernel(pair = F16x2)]
fn jumps(tx: ThreadX, ty: ThreadY, tz: ThreadZ, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
    let mut c = 0.0;
    for i in 0..6 {
        if i == 1 {
            continue;
        }
        if i == 4 {
            break;
        }
        c += 1.0;
        sync_threads();
    }
    unsafe { out[tx + w * (ty + h * tz)] = c };
    for i in 0..w {
        c += 1.0;
        if i == 2 {
            unsafe { out[tx + w * (ty + h * tz)] = c };
            return;
        }
    }
    sync_threads();
    unsafe { out[tx + w * (ty + h * tz)] = x[0] - c };
}

#[test]
fn all_threads_jump() {
    check(&GRIDS, siblings!(jumps), |t, x| {
        let w = t.threads[0];
        if w > 2 { 6.0 } else { x[0] - (3 + w) as f32 }
    });
}

// Shadowing names: an index, a uniform variable, a thread's variable that has just been changed.
#[ptx_kernel(pair = F16x2)]
fn hidden(tx: ThreadX, ty: ThreadY, tz: ThreadZ, l: LocalX, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
    let mut c = l as f32;
    let k = w;
    sync_threads();
    if w > 0 {
        c += 1.0;
        let c = c * 2.0;
        let l = 3;
        sync_threads();
        let k = l + 1;
        sync_threads();
        unsafe { out[tx + w * (ty + h * tz)] = c + k as f32 };
    }
    sync_threads();
    if k > 0 {
        unsafe { out[tx + w * (ty + h * tz)] += c + l as f32 + x[0] - x[0] };
    }
}

#[test]
fn names_that_hide_others_give_them_back() {
    check(&GRIDS, siblings!(hidden), |t, _| {
        let l = t.local[0] as f32;
        (l + 1.0) * 2.0 + 4.0 + (l + 1.0) + l
    });
}

// A tree over a block whose step is uniform.
#[ptx_kernel(pair = F16x2)]
fn tree(
    tx: ThreadX,
    ty: ThreadY,
    tz: ThreadZ,
    l: LocalX,
    ly: LocalY,
    lz: LocalZ,
    w: usize,
    h: usize,
    x: &[f32],
    out: &mut [f32],
) {
    let mut tile = shared::<i32, 128>();
    let own = l + 64 * (ly & 1);
    if lz == 0 && ly < 2 {
        unsafe { tile[own] = 1 };
    }
    let mut step = 32;
    sync_threads();
    while step > 0 {
        if l < step && ly == 0 && lz == 0 {
            unsafe { tile[l] += tile[l + step] };
        }
        step /= 2;
        sync_threads();
    }
    unsafe { out[tx + w * (ty + h * tz)] = tile[0] as f32 + x[0] };
}

#[test]
fn a_tree_in_a_block() {
    check(&GRIDS, siblings!(tree), |t, x| {
        let first = t.at[0] - t.local[0];
        t.block[0].min(t.threads[0] - first).min(64) as f32 + x[0]
    });
}

// Shared memory without a barrier: a return ends one thread only.
#[ptx_kernel(pair = F16x2)]
fn alone(
    tx: ThreadX,
    ty: ThreadY,
    tz: ThreadZ,
    l: LocalX,
    ly: LocalY,
    lz: LocalZ,
    w: usize,
    h: usize,
    x: &[f32],
    out: &mut [f32],
) {
    let mut tile = shared::<f32, 64>();
    if ly > 0 {
        unsafe { out[tx + w * (ty + h * tz)] = 9.0 };
        return;
    }
    if l > 2 {
        return;
    }
    unsafe { tile[l + 3 * lz] = x[l] };
    let mut c = 0.0;
    for i in 0..3 {
        c += x[i];
    }
    if w > 1000 {
        return;
    }
    unsafe { out[tx + w * (ty + h * tz)] = tile[l + 3 * lz] + c };
}

#[test]
fn a_thread_that_returns_is_alone() {
    check(&GRIDS, siblings!(alone), |t, x| match t.local {
        [_, y, _] if y > 0 => 9.0,
        [l, ..] if l > 2 => -1.0,
        [l, ..] => x[l] + x[0] + x[1] + x[2],
    });
}
