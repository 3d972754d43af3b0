// Functions without an instruction of their own.
#[ptx_module]
mod composed {
    #[ptx_kernel(pair = F16x2)]
    fn of_angles(
        t: ThreadX,
        n: usize,
        x: &[f32],
        y: &[f32],
        out: &mut [f32],
        angle: &mut [f32],
        sine: &mut [f32],
        cosine: &mut [f32],
        slope: &mut [f32],
    ) {
        if t < n {
            out[t] = x[t].atan();
            angle[t] = y[t].atan2(x[t]);
            sine[t] = y[t].asin();
            cosine[t] = x[t].acos();
            slope[t] = x[t].tan() + y[t].to_radians();
        }
    }

    #[ptx_kernel(pair = F16x2, keep(k))]
    fn of_powers(
        t: ThreadX,
        n: usize,
        x: &[f32],
        y: &[f32],
        out: &mut [f32],
        power: &mut [f32],
        digits: &mut [f32],
        length: &mut [f32],
        cubes: &mut [f32],
    ) {
        if t < n {
            out[t] = x[t].sinh() - y[t].cosh();
            power[t] = x[t].powf(y[t]);
            digits[t] = y[t].log10() + x[t].fract();
            length[t] = x[t].hypot(y[t]).to_degrees();
            let k = x[t] * y[t];
            cubes[t] = cvt_rn(k.powf(3.0) - k.atan2(x[t]).sinh() * k.hypot(1.0));
        }
    }
}
