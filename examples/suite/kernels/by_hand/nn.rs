use ptxf::{F16x2, ptx};

use super::lanes::{each, splat};

by_hand! {
    fn nn(t: ThreadX, n: usize, lat: &[F16x2], lng: &[F16x2], lat0: f32, lng0: f32, out: &mut [F16x2]) {
        let (lat0, lng0) = (splat(lat0), splat(lng0));
        if t < n {
            let x = lat0 - lat[t];
            let y = lng0 - lng[t];
            out[t] = each(x.mul_add(x, y * y), ptx::sqrt_rn_f32);
        }
    }
}
