//! The kernels, and the loops beside them.
// Invariant: an index of `scatter` is one thread's, and between two barriers an element of shared memory is only written or only read.
#![expect(unsafe_code, reason = "threads write where the data say, and read each other's elements")]

use std::cell::RefCell;
use std::rc::Rc;

use ptxf::F16;
use ptxf::kernel::{Element, Grid};

use super::common::Random;
use super::{Case, Contender};

/// Number of threads or elements; not a multiple of any vector's lanes.
const N: usize = 4093;

/// A case: a kernel's text, instantiated in f32 and f16, its launch, and the loop.
///
/// With `with fuse` the kernel has this option. `data` returns slices of f32, which the launches
/// round to elements beforehand. `out` is the number of results. In the launch, `k` is a version of
/// the kernel.
macro_rules! case {
    (
        $module:ident $name:literal $(with $fuse:ident)? elements $elements:expr; tolerance $tolerance:expr;
        $(#[$helper:meta] fn $function:ident $parameters_of_it:tt -> f32 $body_of_it:tt)?
        fn $parameters:tt $body:tt
        floats $floats:expr; ints $ints:expr; out $out:expr;
        launch |$k:ident, $f:ident, $i:ident, $o:ident| $launch:expr;
        plain |$pf:ident, $pi:ident, $po:ident| $plain:block
    ) => {
        mod $module {
            #[allow(unused_imports, reason = "not all kernels have constants")]
            use super::*;

            pub(super) mod single {
                #[allow(unused_imports, reason = "not all kernels have constants")]
                use super::*;
                $(#[ptxf::ptx_fn] fn $function $parameters_of_it -> f32 $body_of_it)?
                #[ptxf::ptx_kernel(pair = F32x2 $(, $fuse)?)]
                pub(crate) fn kernel $parameters $body
            }
            pub(super) mod half {
                #[allow(unused_imports, reason = "not all kernels have constants")]
                use super::*;
                $(#[ptxf::ptx_fn] fn $function $parameters_of_it -> f32 $body_of_it)?
                #[ptxf::ptx_kernel(pair = F16x2 $(, $fuse)?)]
                pub(crate) fn kernel $parameters $body
            }

            pub(super) fn case() -> Case {
                let floats: Vec<Vec<f32>> = $floats;
                let ints: Vec<Vec<i32>> = $ints;
                macro_rules! launched {
                    ($label:literal $sibling:path: $of:ty) => {{
                        let $f: Vec<Vec<$of>> = floats.iter().map(|x| rounded::<$of>(x)).collect();
                        let $i = ints.clone();
                        let out = Rc::new(RefCell::new(vec![<$of>::default(); $out]));
                        let results = out.clone();
                        Contender {
                            name: $label,
                            run: Box::new(move || {
                                let $o: &mut [$of] = &mut out.borrow_mut();
                                let ($f, $i) = (std::hint::black_box(&$f), &$i);
                                let _ = &$i;
                                let $k = $sibling;
                                $launch;
                            }),
                            bits: Box::new(move || results.borrow().iter().map(|x| Element::widen(*x).to_bits()).collect()),
                        }
                    }};
                }
                let plain = {
                    let ($pf, $pi) = (floats.clone(), ints.clone());
                    let out = Rc::new(RefCell::new(vec![0.0_f32; $out]));
                    let results = out.clone();
                    Contender {
                        name: "loop",
                        run: Box::new(move || {
                            let $po: &mut [f32] = &mut out.borrow_mut();
                            let ($pf, $pi) = (std::hint::black_box(&$pf), &$pi);
                            let _ = &$pi;
                            $plain
                        }),
                        bits: Box::new(move || results.borrow().iter().map(|x| x.to_bits()).collect()),
                    }
                };
                Case {
                    name: $name,
                    elements: $elements,
                    tolerance: $tolerance,
                    contenders: [
                        plain,
                        launched!("k::f32" single::kernel::f32: f32),
                        launched!("wide f32" single::kernel::wide: f32),
                        launched!("scalar f16" half::kernel::scalar: F16),
                        launched!("wide f16" half::kernel::wide: F16),
                    ],
                }
            }
        }
    };
}

fn rounded<E: Element>(x: &[f32]) -> Vec<E> {
    x.iter().map(|&x| E::cvt_rn(x)).collect()
}

/// Returns numbers in `[low, high)` that f16 represents exactly.
fn uniform(seed: u64, n: usize, low: f64, high: f64) -> Vec<f32> {
    let mut random = Random(seed);
    (0..n).map(|_| F16::from_f32((low + (high - low) * random.unit()) as f32).to_f32()).collect()
}

fn below(seed: u64, n: usize, end: usize) -> Vec<i32> {
    let mut random = Random(seed);
    (0..n).map(|_| (random.bits() % end as u64) as i32).collect()
}

/// Returns the numbers below `n` in random order.
fn shuffled(seed: u64, n: usize) -> Vec<i32> {
    let mut random = Random(seed);
    let mut x: Vec<i32> = (0..n as i32).collect();
    (1..n).for_each(|i| x.swap(i, (random.bits() % (i as u64 + 1)) as usize));
    x
}

case! {
    saxpy "saxpy" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = a * x[t] + y[t];
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0), uniform(2, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, 1.5, &f[0], &f[1], o);
    plain |f, i, o| {
        for ((o, x), y) in o.iter_mut().zip(&f[0]).zip(&f[1]) {
            *o = 1.5 * x + y;
        }
    }
}

case! {
    saxpy_fused "saxpy, fused" with fuse elements N; tolerance 1e-6;
    fn (t: ThreadX, n: usize, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = a * x[t] + y[t];
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0), uniform(2, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, 1.5, &f[0], &f[1], o);
    plain |f, i, o| {
        for ((o, x), y) in o.iter_mut().zip(&f[0]).zip(&f[1]) {
            *o = 1.5 * x + y;
        }
    }
}

case! {
    copy "copy" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = x[t] * 2.0;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], o);
    plain |f, i, o| {
        for (o, x) in o.iter_mut().zip(&f[0]) {
            *o = 2.0 * x;
        }
    }
}

case! {
    stencil "stencil, ends clamped" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let left = if t == 0 { x[t] } else { x[t - 1] };
            let right = if t == n - 1 { x[t] } else { x[t + 1] };
            out[t] = 0.25 * left + 0.5 * x[t] + 0.25 * right;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], o);
    plain |f, i, o| {
        let x = &f[0];
        for t in 0..o.len() {
            let left = if t == 0 { x[t] } else { x[t - 1] };
            let right = if t == x.len() - 1 { x[t] } else { x[t + 1] };
            o[t] = 0.25 * left + 0.5 * x[t] + 0.25 * right;
        }
    }
}

case! {
    horner "Horner, 8 terms" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let x = x[t];
            out[t] = ((((((0.125 * x + 0.25) * x - 0.5) * x + 0.75) * x - 1.0) * x + 0.375) * x + 1.25) * x - 0.625;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], o);
    plain |f, i, o| {
        for (o, &x) in o.iter_mut().zip(&f[0]) {
            *o = ((((((0.125 * x + 0.25) * x - 0.5) * x + 0.75) * x - 1.0) * x + 0.375) * x + 1.25) * x - 0.625;
        }
    }
}

case! {
    horner_fused "Horner, 8 terms, fused" with fuse elements N; tolerance 1e-6;
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let x = x[t];
            out[t] = ((((((0.125 * x + 0.25) * x - 0.5) * x + 0.75) * x - 1.0) * x + 0.375) * x + 1.25) * x - 0.625;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], o);
    plain |f, i, o| {
        for (o, &x) in o.iter_mut().zip(&f[0]) {
            *o = ((((((0.125 * x + 0.25) * x - 0.5) * x + 0.75) * x - 1.0) * x + 0.375) * x + 1.25) * x - 0.625;
        }
    }
}

const WIDTH: usize = 101;
const HEIGHT: usize = 40;
const BLUR: [f32; 25] = [
    0.00390625, 0.015625, 0.0234375, 0.015625, 0.00390625, 0.015625, 0.0625, 0.09375, 0.0625, 0.015625, 0.0234375,
    0.09375, 0.140625, 0.09375, 0.0234375, 0.015625, 0.0625, 0.09375, 0.0625, 0.015625, 0.00390625, 0.015625,
    0.0234375, 0.015625, 0.00390625,
];

case! {
    conv "conv 5 × 5" elements WIDTH * HEIGHT; tolerance 0.0;
    fn (col: ThreadX, row: ThreadY, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
        if col < w && row < h {
            let mut sum = 0.0;
            for i in 0..5 {
                for j in 0..5 {
                    let (r, c) = (row + i, col + j);
                    if r >= 2 && r < h + 2 && c >= 2 && c < w + 2 {
                        sum += BLUR[i * 5 + j] * x[(r - 2) * w + c - 2];
                    }
                }
            }
            out[row * w + col] = sum;
        }
    }
    floats vec![uniform(1, WIDTH * HEIGHT, -1.0, 1.0)]; ints vec![]; out WIDTH * HEIGHT;
    launch |k, f, i, o| k([WIDTH, HEIGHT], WIDTH, HEIGHT, &f[0], o);
    plain |f, i, o| {
        let x = &f[0];
        for row in 0..HEIGHT {
            for col in 0..WIDTH {
                let mut sum = 0.0;
                for i in 0..5 {
                    for j in 0..5 {
                        let (r, c) = (row + i, col + j);
                        if (2..HEIGHT + 2).contains(&r) && (2..WIDTH + 2).contains(&c) {
                            sum += BLUR[i * 5 + j] * x[(r - 2) * WIDTH + c - 2];
                        }
                    }
                }
                o[row * WIDTH + col] = sum;
            }
        }
    }
}

case! {
    conv_fused "conv 5 × 5, fused" with fuse elements WIDTH * HEIGHT; tolerance 1e-6;
    fn (col: ThreadX, row: ThreadY, w: usize, h: usize, x: &[f32], out: &mut [f32]) {
        if col < w && row < h {
            let mut sum = 0.0;
            for i in 0..5 {
                for j in 0..5 {
                    let (r, c) = (row + i, col + j);
                    if r >= 2 && r < h + 2 && c >= 2 && c < w + 2 {
                        sum += BLUR[i * 5 + j] * x[(r - 2) * w + c - 2];
                    }
                }
            }
            out[row * w + col] = sum;
        }
    }
    floats vec![uniform(1, WIDTH * HEIGHT, -1.0, 1.0)]; ints vec![]; out WIDTH * HEIGHT;
    launch |k, f, i, o| k([WIDTH, HEIGHT], WIDTH, HEIGHT, &f[0], o);
    plain |f, i, o| {
        let x = &f[0];
        for row in 0..HEIGHT {
            for col in 0..WIDTH {
                let mut sum = 0.0;
                for i in 0..5 {
                    for j in 0..5 {
                        let (r, c) = (row + i, col + j);
                        if (2..HEIGHT + 2).contains(&r) && (2..WIDTH + 2).contains(&c) {
                            sum += BLUR[i * 5 + j] * x[(r - 2) * WIDTH + c - 2];
                        }
                    }
                }
                o[row * WIDTH + col] = sum;
            }
        }
    }
}

case! {
    gather "gather" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, i: &[i32], x: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = x[i[t] as usize] * 2.0;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![below(2, N, N)]; out N;
    launch |k, f, i, o| k(N, N, &i[0], &f[0], o);
    plain |f, i, o| {
        for (o, &i) in o.iter_mut().zip(&i[0]) {
            *o = 2.0 * f[0][i as usize];
        }
    }
}

case! {
    scatter "scatter" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, i: &[i32], x: &[f32], out: &mut [f32]) {
        if t < n {
            unsafe { out[i[t] as usize] = x[t] * 2.0 };
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![shuffled(2, N)]; out N;
    launch |k, f, i, o| k(N, N, &i[0], &f[0], o);
    plain |f, i, o| {
        for (&x, &i) in f[0].iter().zip(&i[0]) {
            o[i as usize] = 2.0 * x;
        }
    }
}

case! {
    strided "every third" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            out[t] = x[t * 3] + x[t * 3 + 1] * x[t * 3 + 2];
        }
    }
    floats vec![uniform(1, 3 * N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], o);
    plain |f, i, o| {
        for (o, x) in o.iter_mut().zip(f[0].chunks_exact(3)) {
            *o = x[0] + x[1] * x[2];
        }
    }
}

case! {
    branches "two arms" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            if x[t] > 0.0 {
                out[t] = x[t] * y[t] + 1.0;
            } else {
                out[t] = y[t] - x[t] * 0.5;
            }
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0), uniform(2, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], &f[1], o);
    plain |f, i, o| {
        for ((o, &x), &y) in o.iter_mut().zip(&f[0]).zip(&f[1]) {
            *o = if x > 0.0 { x * y + 1.0 } else { y - x * 0.5 };
        }
    }
}

case! {
    divergent "as often as the data say" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, turns: &[i32], x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut y = x[t];
            for _ in 0..turns[t] {
                y = y * 0.5 + 0.25;
            }
            out[t] = y;
        }
    }
    floats vec![uniform(1, N, -1.0, 1.0)]; ints vec![below(2, N, 33)]; out N;
    launch |k, f, i, o| k(N, N, &i[0], &f[0], o);
    plain |f, i, o| {
        for ((o, &x), &turns) in o.iter_mut().zip(&f[0]).zip(&i[0]) {
            let mut y = x;
            for _ in 0..turns {
                y = y * 0.5 + 0.25;
            }
            *o = y;
        }
    }
}

case! {
    escape "until it escapes" elements N; tolerance 0.0;
    fn (t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            let mut a = 0.0;
            let mut b = 0.0;
            let mut count = 0.0;
            while a * a + b * b < 4.0 && count < 64.0 {
                let c = a * a - b * b + x[t];
                b = 2.0 * (a * b) + y[t];
                a = c;
                count += 1.0;
            }
            out[t] = count;
        }
    }
    floats vec![uniform(1, N, -2.0, 0.5), uniform(2, N, -1.0, 1.0)]; ints vec![]; out N;
    launch |k, f, i, o| k(N, N, &f[0], &f[1], o);
    plain |f, i, o| {
        for ((o, &x), &y) in o.iter_mut().zip(&f[0]).zip(&f[1]) {
            let (mut a, mut b, mut count) = (0.0_f32, 0.0_f32, 0.0);
            while a * a + b * b < 4.0 && count < 64.0 {
                (a, b) = (a * a - b * b + x, 2.0 * (a * b) + y);
                count += 1.0;
            }
            *o = count;
        }
    }
}

const ROWS: usize = 64;

case! {
    columns "sums of columns" elements 253 * ROWS; tolerance 0.0;
    fn (t: ThreadX, n: usize, rows: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            for row in 0..rows {
                sum += x[row * n + t];
            }
            out[t] = sum;
        }
    }
    floats vec![uniform(1, 253 * ROWS, -1.0, 1.0)]; ints vec![]; out 253;
    launch |k, f, i, o| k(253, 253, ROWS, &f[0], o);
    plain |f, i, o| {
        for (t, o) in o.iter_mut().enumerate() {
            *o = (0..ROWS).fold(0.0, |sum, row| sum + f[0][row * 253 + t]);
        }
    }
}

case! {
    rows "sums of rows" elements 253 * ROWS; tolerance 0.0;
    fn (t: ThreadX, n: usize, columns: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            for k in 0..columns {
                sum += x[t * columns + k];
            }
            out[t] = sum;
        }
    }
    floats vec![uniform(1, 253 * ROWS, -1.0, 1.0)]; ints vec![]; out 253;
    launch |k, f, i, o| k(253, 253, ROWS, &f[0], o);
    plain |f, i, o| {
        for (o, row) in o.iter_mut().zip(f[0].chunks_exact(ROWS)) {
            *o = row.iter().fold(0.0, |sum, x| sum + x);
        }
    }
}

case! {
    reversed "blocks turned around" elements 4096; tolerance 0.0;
    fn (l: LocalX, t: ThreadX, x: &[f32], out: &mut [f32]) {
        let mut tile = shared::<f32, 256>();
        tile[l] = x[t] * 2.0;
        sync_threads();
        out[t] = unsafe { tile[255 - l] } + 1.0;
    }
    floats vec![uniform(1, 4096, -1.0, 1.0)]; ints vec![]; out 4096;
    launch |k, f, i, o| k(Grid::from(4096).block([256, 1, 1]), &f[0], o);
    plain |f, i, o| {
        for (o, x) in o.chunks_exact_mut(256).zip(f[0].chunks_exact(256)) {
            for (o, x) in o.iter_mut().zip(x.iter().rev()) {
                *o = 2.0 * x + 1.0;
            }
        }
    }
}

case! {
    reduced "sums of blocks" elements 4096; tolerance 1e-5;
    fn (l: LocalX, b: BlockX, t: ThreadX, x: &[f32], out: &mut [f32]) {
        let mut part = shared::<f32, 256>();
        part[l] = x[t];
        sync_threads();
        let mut step = 128;
        while step > 0 {
            if l < step {
                unsafe { part[l] += part[l + step] };
            }
            sync_threads();
            step /= 2;
        }
        if l == 0 {
            out[b] = unsafe { part[0] };
        }
    }
    floats vec![uniform(1, 4096, -1.0, 1.0)]; ints vec![]; out 16;
    launch |k, f, i, o| k(Grid::from(4096).block([256, 1, 1]), &f[0], o);
    plain |f, i, o| {
        for (o, x) in o.iter_mut().zip(f[0].chunks_exact(256)) {
            *o = x.iter().sum();
        }
    }
}

case! {
    softmax "softmax of columns" elements 253 * 32; tolerance 1e-6;
    fn (t: ThreadX, n: usize, rows: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut most = x[t];
            for row in 1..rows {
                most = most.max(x[row * n + t]);
            }
            let mut sum = 0.0;
            for row in 0..rows {
                sum += (x[row * n + t] - most).exp();
            }
            for row in 0..rows {
                out[row * n + t] = (x[row * n + t] - most).exp() / sum;
            }
        }
    }
    floats vec![uniform(1, 253 * 32, -1.0, 1.0)]; ints vec![]; out 253 * 32;
    launch |k, f, i, o| k(253, 253, 32, &f[0], o);
    plain |f, i, o| {
        let x = &f[0];
        for t in 0..253 {
            let most = (0..32).map(|row| x[row * 253 + t]).fold(f32::NEG_INFINITY, f32::max);
            let sum = (0..32).map(|row| (x[row * 253 + t] - most).exp()).sum::<f32>();
            (0..32).for_each(|row| o[row * 253 + t] = (x[row * 253 + t] - most).exp() / sum);
        }
    }
}

case! {
    bodies "n-body" elements 253 * 253; tolerance 1e-5;
    fn (t: ThreadX, n: usize, x: &[f32], y: &[f32], mass: &[f32], out: &mut [f32]) {
        if t < n {
            let mut ax = 0.0;
            let mut ay = 0.0;
            for j in 0..n {
                let dx = x[j] - x[t];
                let dy = y[j] - y[t];
                let r2 = dx * dx + dy * dy + 0.25;
                let f = mass[j] / (r2 * r2.sqrt());
                ax += dx * f;
                ay += dy * f;
            }
            unsafe { out[t] = ax };
            unsafe { out[n + t] = ay };
        }
    }
    floats vec![uniform(1, 253, -1.0, 1.0), uniform(2, 253, -1.0, 1.0), uniform(3, 253, 0.0, 0.125)]; ints vec![]; out 2 * 253;
    launch |k, f, i, o| k(253, 253, &f[0], &f[1], &f[2], o);
    plain |f, i, o| {
        let [x, y, mass] = &f[..] else { unreachable!() };
        for t in 0..253 {
            let (mut ax, mut ay) = (0.0, 0.0);
            for j in 0..253 {
                let (dx, dy) = (x[j] - x[t], y[j] - y[t]);
                let r2 = dx * dx + dy * dy + 0.25;
                let f = mass[j] / (r2 * r2.sqrt());
                ax += dx * f;
                ay += dy * f;
            }
            (o[t], o[253 + t]) = (ax, ay);
        }
    }
}

case! {
    chance "Monte Carlo" elements 509 * 64; tolerance 0.0;
    fn (t: ThreadX, n: usize, seed: &[i32], out: &mut [f32]) {
        if t < n {
            let mut state = seed[t] as u32;
            let mut inside = 0.0;
            for _ in 0..64 {
                state = state * 1664525 + 1013904223;
                let x = (state >> 22) as f32 / 1024.0;
                state = state * 1664525 + 1013904223;
                let y = (state >> 22) as f32 / 1024.0;
                if x * x + y * y < 1.0 {
                    inside += 1.0;
                }
            }
            out[t] = inside;
        }
    }
    floats vec![]; ints vec![below(2, 509, 1 << 30)]; out 509;
    launch |k, f, i, o| { let _ = f; k(509, 509, &i[0], o) };
    plain |f, i, o| {
        let _ = f;
        for (o, &seed) in o.iter_mut().zip(&i[0]) {
            let (mut state, mut inside) = (seed as u32, 0.0);
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 22) as f32 / 1024.0
            };
            for _ in 0..64 {
                let (x, y) = (next(), next());
                if x * x + y * y < 1.0 {
                    inside += 1.0;
                }
            }
            *o = inside;
        }
    }
}

/// All cases.
pub(crate) fn all() -> Vec<Case> {
    vec![
        copy::case(),
        saxpy::case(),
        saxpy_fused::case(),
        stencil::case(),
        horner::case(),
        horner_fused::case(),
        conv::case(),
        conv_fused::case(),
        gather::case(),
        scatter::case(),
        strided::case(),
        branches::case(),
        divergent::case(),
        escape::case(),
        columns::case(),
        rows::case(),
        reversed::case(),
        reduced::case(),
        softmax::case(),
        bodies::case(),
        chance::case(),
    ]
}
