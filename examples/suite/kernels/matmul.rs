kernels! { Matmul:
    kernel keep(s)
    fn matmul(
        col: ThreadX, row: ThreadY, width: usize, height: usize, depth: usize, a: &[f32], b: &[f32], c: &mut [f32],
    ) {
        if col < width && row < height {
            let mut s = 0.0;
            for k in 0..depth {
                s += a[row * depth + k] * b[k * width + col];
            }
            c[row * width + col] = cvt_rn(s);
        }
    }
}
