kernels! { Mxfp4:
    kernel keep(s, part)
    fn mxfp4(
        col: ThreadX, row: ThreadY, width: usize, height: usize, depth: usize, a: &[f32], w: &[E2m1x2], scale: &[Ue8m0],
        c: &mut [f32],
    ) {
        if col < width && row < height {
            let mut s = 0.0;
            for block in 0..depth / 32 {
                let mut part = 0.0;
                for k in block * 32..block * 32 + 32 {
                    part += a[row * depth + k] * w[k * width + col];
                }
                s += part * scale[block * width + col];
            }
            c[row * width + col] = cvt_rn(s);
        }
    }
}
