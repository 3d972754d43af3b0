//! The note that a panicking kernel prints: the test program runs itself, and reads its errors.

use std::process::Command;

use ptxf::kernel::Grid;
use ptxf::{F16, ptx_kernel};

#[ptx_kernel(pair = F16x2)]
fn double(t: ThreadX, x: &[f32], y: &mut [f32]) {
    y[t] = x[t] + x[t];
}

#[ptx_kernel(pair = F16x2)]
fn swap(t: ThreadX, l: LocalX, x: &[f32], y: &mut [f32]) {
    let tile = shared::<f32, 4>();
    tile[l] = x[t];
    sync_threads();
    y[t] = tile[3 - l];
}

#[ptx_kernel]
fn plain(t: ThreadX, x: &[f32], y: &mut [f32]) {
    y[t] = x[t];
}

const CHOICE: &str = "PTXF_TEST_PANIC";

#[test]
fn a_panic_names_the_kernel_and_the_threads() {
    let (x, mut y) = ([F16::ONE; 6], [F16::ZERO; 9]);
    match std::env::var(CHOICE).as_deref() {
        Ok("scalar") => double::scalar(Grid::from(9).block([3, 1, 1]), &x, &mut y),
        Ok("pair") => double::pair(9, &x, &mut y),
        Ok("shared") => swap::scalar(Grid::from(8).block([4, 1, 1]), &x, &mut y),
        Ok("plain") => plain::launch(9, &[0.0; 6], &mut [0.0; 9]),
        _ => {
            for (choice, note) in [
                (
                    "scalar",
                    "note: kernel `double`, thread (6, 0, 0) of 9 × 1 × 1, block (2, 0, 0) of 3 × 1 × 1 threads\n",
                ),
                ("pair", "note: kernel `double`, thread (6..8, 0, 0) of 9 × 1 × 1\n"),
                ("shared", "note: kernel `swap`, block (1, 0, 0) of 4 × 1 × 1 threads\n"),
                ("plain", "note: kernel `plain`, thread (6, 0, 0) of 9 × 1 × 1\n"),
            ] {
                let mut test = Command::new(std::env::current_exe().unwrap());
                test.args(["--exact", "panics::a_panic_names_the_kernel_and_the_threads", "--nocapture"]);
                let output = test.env(CHOICE, choice).output().unwrap();
                let error = String::from_utf8_lossy(&output.stderr);
                assert!(error.contains("element 6 of a slice of 6") && error.contains("panics.rs:"), "{error}");
                assert!(error.contains(note), "{note}{error}");
            }
        }
    }
}
