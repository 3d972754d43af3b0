//! A macro's names are not those of its caller.

use ptxf::{ptx_fn, ptx_kernel};

macro_rules! kernels {
    ($t:ident, $k:ident, $x:ident) => {
        #[ptx_kernel(pair = F16x2)]
        fn two_of_one_text($t: ThreadX, x: &[f32], out: &mut [f32]) {
            let $k = 1;
            let k = 2;
            out[$t] = x[$k] + x[k];
        }

        #[ptx_kernel(pair = F16x2)]
        fn of_nobody(t: ThreadX, x: &[f32], out: &mut [f32]) {
            let mut k = 0;
            k += 1;
            $k += 1;
            out[t] = x[t] + $x[k] + $x.len() as f32;
        }

        #[ptx_fn]
        fn constant($k: i32, limit: i32) -> i32 {
            $k + limit
        }

        #[ptx_fn]
        fn parameter(x: &[f32], $k: usize) -> f32 {
            $x[$k]
        }
    };
}

kernels!(t, k, x);

fn main() {}
