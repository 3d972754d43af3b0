// Invariant: between two barriers a tile is only written, each element by the thread of its place, or only read.
kernels! { Tiled:
    kernel keep(s)
    fn matmul_tiled(
        lx: LocalX, ly: LocalY, col: ThreadX, row: ThreadY, width: usize, height: usize, depth: usize, a: &[f32], b: &[f32],
        c: &mut [f32],
    ) {
        let mut of_a = shared::<f32, 16, 16>();
        let mut of_b = shared::<f32, 16, 16>();
        let mut s = 0.0;
        for tile in 0..(depth + 15) / 16 {
            let first = tile * 16;
            // Elements beyond the matrices are zero.
            let mut x = 0.0;
            let mut y = 0.0;
            if row < height && first + lx < depth {
                x = a[row * depth + (first + lx)];
            }
            if col < width && first + ly < depth {
                y = b[(first + ly) * width + col];
            }
            of_a[ly][lx] = x;
            of_b[ly][lx] = y;
            sync_threads();
            for k in 0..16 {
                s += unsafe { of_a[ly][k] } * unsafe { of_b[k][lx] };
            }
            sync_threads();
        }
        if col < width && row < height {
            c[row * width + col] = cvt_rn(s);
        }
    }
}
