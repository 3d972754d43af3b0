kernels! { Nn:
    kernel keep(lat0, lng0, x, y)
    fn nn(t: ThreadX, n: usize, lat: &[f32], lng: &[f32], lat0: f32, lng0: f32, out: &mut [f32]) {
        if t < n {
            let x = lat0 - lat[t];
            let y = lng0 - lng[t];
            out[t] = cvt_rn((x * x + y * y).sqrt());
        }
    }
}
