//! Kernels on several cores and in every order, small enough for Miri.
//!
//! Run `cargo miri test -p ptxf-core --features rayon kernel`.
//!
//! Safe code that the attribute and the types accept has neither races nor accesses outside of a
//! slice.
#![expect(unsafe_code, reason = "some kernels need it, and one has an unsafe launch")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptxf::kernel::{Grid, Order, PerThread, ThreadX};
use ptxf::{F16, ptx_kernel};

/// Number of threads, enough for several chunks of a parallel launch.
const N: usize = if cfg!(miri) { 130 } else { 100_000 };

/// Returns every order of threads, and a parallel launch.
fn grids(threads: impl Into<Grid>) -> Vec<Grid> {
    let grid = threads.into();
    #[cfg_attr(not(feature = "rayon"), expect(unused_mut, reason = "with several cores there is one more grid"))]
    let mut grids = vec![grid, grid.order(Order::Reversed), grid.order(Order::Shuffled(7)), grid.block([7, 1, 1])];
    #[cfg(feature = "rayon")]
    grids.push(grid.parallel());
    grids
}

fn increment<'t>(t: ThreadX<'t>, out: &mut PerThread<'t, u64>, by: u64) {
    out[t] += by;
}

#[ptx_kernel]
fn sums(t: ThreadX, l: LocalX, b: BlockX, mut seed: u64, x: &[u64], out: &mut [u64], last: &mut [u64]) {
    seed += x[t];
    let mut own = [&mut out, &mut last];
    own.swap(0, 1);
    let [last, out] = own;
    increment(t, out, seed);
    last[t] = (l.get() + b.get() * 10) as u64;
    let same = last[t];
    last[t] += same;
}

#[test]
fn kernel_threads_have_their_elements() {
    for grid in grids(N) {
        let x: Vec<u64> = (0..N as u64).collect();
        let (mut out, mut last) = (vec![1; N], vec![0; N]);
        sums::launch(grid, 2, &x, &mut out, &mut last);
        let block = grid.block_threads()[0];
        for t in 0..N {
            assert_eq!((out[t], last[t]), (t as u64 + 3, 2 * (t % block + t / block * 10) as u64), "{t} {grid:?}");
        }
    }
}

#[ptx_kernel]
fn nested(t: ThreadX, n: usize, out: &mut [u64]) {
    let mut inner = [0; 3];
    increments::launch(n, 5, &mut inner);
    out[t] = inner.iter().sum::<u64>() + t.get() as u64;
}

#[ptx_kernel]
fn increments(t: ThreadX, by: u64, out: &mut [u64]) {
    increment(t, &mut out, by);
}

#[test]
fn kernel_launches_nest() {
    for grid in grids(9) {
        let mut out = [0; 9];
        nested::launch(grid, 3, &mut out);
        assert_eq!(out, std::array::from_fn(|t| 15 + t as u64));
    }
}

static SEEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[ptx_kernel]
fn rows(x: ThreadX, y: ThreadY, z: ThreadZ, count: Count, out: &mut [usize]) {
    count.0.fetch_add(1, Ordering::Relaxed);
    SEEN.lock().unwrap().push(x.get());
    let i = x + 3 * (y + 2 * z.get());
    // SAFETY: each thread has its own element.
    let old = unsafe { out.get(i) };
    // SAFETY: as above.
    unsafe { out.set(i, old + i) };
}

/// A counter that all threads share.
#[derive(Clone, Copy)]
struct Count(&'static AtomicUsize);

#[test]
fn kernel_of_three_axes() {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let grids = grids([3, 2, 2]);
    for &grid in &grids {
        let mut out = [1; 12];
        rows::launch(grid, Count(&COUNT), &mut out);
        assert_eq!(out, std::array::from_fn(|i| i + 1));
    }
    assert_eq!(COUNT.load(Ordering::Relaxed), 12 * grids.len());
    assert!(SEEN.lock().unwrap().iter().all(|&x| x < 3));
}

/// Copies numbers through a pointer.
///
/// # Safety
///
/// `x` points to as many numbers as there are threads.
#[ptx_kernel]
unsafe fn through_a_pointer(t: ThreadX, x: Numbers, out: &mut [u64]) {
    // SAFETY: guaranteed by the caller.
    out[t] = unsafe { x.0.wrapping_add(t.get()).read() };
}

#[derive(Clone, Copy)]
struct Numbers(*const u64);
// SAFETY: threads only read, and the caller of the launch guarantees that they may.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

#[test]
fn kernel_that_is_launched_unsafely() {
    let x = [4, 5, 6];
    let mut out = [0; 3];
    // SAFETY: there are three numbers and three threads.
    unsafe { through_a_pointer::launch(3, Numbers(x.as_ptr()), &mut out) };
    assert_eq!(out, x);
}

#[test]
#[should_panic(expected = "`sums` takes the index of 1 axes")]
fn kernel_of_one_axis_on_more() {
    sums::launch([2, 2], 0, &[1, 2], &mut [0; 2], &mut [0; 2]);
}

#[test]
#[should_panic(expected = "thread accesses element 2 of a slice of 2")]
fn kernel_with_too_many_threads() {
    increments::launch(3, 1, &mut [0; 2]);
}

#[ptx_kernel(pair = F16x2)]
fn doubled(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = x[t] + x[t];
}

#[test]
#[cfg(not(miri))]
fn a_launch_of_too_many_threads_panics_wherever_slices_begin() {
    for (first, threads) in [(0, usize::MAX), (1, usize::MAX), (1, usize::MAX - 1), (7, usize::MAX - 31), (0, 71)] {
        let x = [F16::ONE; 80];
        let launch = || doubled::wide(threads, &x[first..first + 70], &mut [F16::ZERO; 80][first..first + 70]);
        std::panic::catch_unwind(launch).expect_err("there are 70 elements");
    }
}

#[ptx_kernel(pair = F16x2)]
fn weighted(t: ThreadX, n: usize, x: &[f32], w: f32, out: &mut [f32]) {
    if t < n {
        let left = if t == 0 { x[t] } else { x[t - 1] };
        out[t] = out[t] + left * w;
    }
}

#[ptx_kernel(pair = F16x2)]
fn mirrored(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 8>();
    tile[l] = x[t];
    sync_threads();
    // SAFETY: nothing is written between this barrier and the end.
    out[t] = unsafe { tile[7 - l] };
}

#[ptx_kernel(pair = F16x2)]
fn own_bins(t: ThreadX, x: &[u32], out: &mut [u32]) {
    let mut bins = [0; 4];
    bins[x[t] as usize] = 7;
    out[t] = bins[3];
}

#[test]
fn kernel_leaves_no_array_of_its_own() {
    type Launch = fn(Grid, &[u32], &mut [u32]);
    for (launch, name) in [(own_bins::scalar as Launch, "scalar"), (own_bins::pair, "pair"), (own_bins::wide, "wide")] {
        let mut out = [1; 6];
        launch(6.into(), &[0, 3, 1, 3, 2, 0], &mut out);
        assert_eq!(out, [0, 7, 0, 7, 0, 0], "{name}");
        let end = std::panic::catch_unwind(|| launch(6.into(), &[0, 3, 1, 4, 2, 0], &mut [0; 6]));
        let message = end.expect_err("the fourth is outside");
        let message = message.downcast_ref::<String>().expect("a text");
        assert_eq!(message, "index out of bounds: the len is 4 but the index is 4", "{name}");
    }
}

/// Versions of the kernels above.
type Weighted = fn(Grid, usize, &[F16], f32, &mut [F16]);
type Mirrored = fn(Grid, &[F16], &mut [F16]);

#[test]
fn kernel_siblings_share_slices() {
    let n = if cfg!(miri) { 70 } else { 1000 };
    let x: Vec<F16> = (0..n + 1).map(|i| F16::from_f32(i as f32)).collect();
    for grid in grids(n + 3).into_iter().flat_map(|g| [g, g.head(true)]) {
        for launch in [weighted::scalar as Weighted, weighted::pair, weighted::wide] {
            // Both slices begin at an odd element.
            let mut out = vec![F16::ONE; n + 1];
            launch(grid, n, &x[1..], 0.5, &mut out[1..]);
            for t in 0..n {
                let want = 1.0 + 0.5 * (t.saturating_sub(1) + 1) as f32;
                assert_eq!(out[t + 1].to_bits(), F16::from_f32(want).to_bits(), "{t} {grid:?}");
            }
        }
    }
}

#[test]
fn kernel_blocks_share_memory() {
    let x: Vec<F16> = (1..65).map(|i| F16::from_f32(i as f32)).collect();
    // The last block of 61 threads does not fill its memory; the rest is zeros.
    for (n, grid) in [64, 61].into_iter().flat_map(|n| grids(n).into_iter().map(move |g| (n, g.block([8, 1, 1])))) {
        for launch in [mirrored::scalar as Mirrored, mirrored::pair, mirrored::wide] {
            let mut out = vec![F16::ONE; n];
            launch(grid, &x, &mut out);
            for (t, out) in out.iter().enumerate() {
                let other = t / 8 * 8 + 7 - t % 8;
                let want = if other < n { x[other] } else { F16::ZERO };
                assert_eq!(out.to_bits(), want.to_bits(), "{t} {grid:?}");
            }
        }
    }
}
