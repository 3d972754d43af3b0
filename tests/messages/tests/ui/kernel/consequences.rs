//! A refused declaration gives one error, and none for the uses of its names.

use ptxf::ptx_module;

#[ptx_module]
mod refused {
    #[ptx_kernel(pair = F16x2)]
    fn parameter(t: ThreadX, n: usize, x: Vec<f32>, out: &mut [f32]) {
        if t < n {
            let y = x[t] * 2.0;
            out[t] = y + x[t];
        }
    }

    #[ptx_kernel(pair = F16x2, keep(a, far))]
    fn local(t: ThreadX, out: &mut [f32]) {
        let (a, b) = "a";
        let sum = a + b;
        for v in a {
            out[t] = v + sum;
        }
        out[t] = abs::<f32>(b);
    }

    #[ptx_kernel(pair = F16x2)]
    fn value(t: ThreadX, x: &[f32], out: &mut [f32]) {
        let a = { "a" };
        let b = if x[t] > 0.0 { "b" } else { 1.0 };
        let c = match t % 3 {
            0 => "c",
            _ => 2.0,
        };
        out[t] = a + b + c;
    }

    #[ptx_kernel(pair = F16x2)]
    fn dropped(t: ThreadX, x: &[f32], out: &mut [f32]) {
        for _ in 0..3 {
            "a"
        }
        if x[t] > 0.0 {
            "b".abs()
        }
        out[t] = x[t];
    }

    #[ptx_fn]
    fn result(x: f32) -> f32 {
        "a"
    }

    #[ptx_kernel(pair = F16x2)]
    fn another(t: ThreadX, x: &[f32], out: &mut [f32]) {
        let mut tile = shared::<[[f32; 8]; 8]>();
        tile[0][0] = x[t];
        out[t] = unsafe { tile[0][1] } + missing[0];
    }
}

fn main() {}
