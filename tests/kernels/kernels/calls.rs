// Functions that are inlined into their callers: references, arrays, constants of their own,
// outputs, barriers.
#[ptx_module]
mod calls {
    struct Sums {
        plain: f32,
        kept: f32,
        count: u32,
    }

    /// Changes its arguments and returns early for some threads.
    #[ptx_fn]
    fn clip(x: &mut f32, least: f32) -> bool {
        if *x < least {
            *x = least;
            return true;
        }
        if *x > 4.0 {
            *x -= 2.0;
            return *x > 4.0;
        }
        false
    }

    #[ptx_fn(keep(sum))]
    fn push(sum: &mut f32, x: f32, y: f32) {
        *sum += x * y;
    }

    /// Variables, in a loop, in an `if`, and as an operand.
    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn scalars(t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32], counts: &mut [u32]) {
        if t < n {
            let mut sum = 0.0;
            let mut count = 0;
            let mut most = x[t];
            for k in 0..4 {
                let mut v = x[t + k];
                if clip(&mut v, y[t]) {
                    count += 1;
                } else if k % 2 == 0 && clip(&mut most, 0.1) {
                    count += 16;
                }
                push(&mut sum, v, most);
            }
            let before = most;
            let both = (most, clip(&mut most, 2.5), most);
            out[t] = cvt_rn(sum) + both.0 - both.2 + before;
            counts[t] = count + both.1 as u32;
        }
    }

    /// The greatest element and the sum of an array, which is reversed.
    #[ptx_fn]
    fn fold<const N: usize>(a: &mut [f32; N], least: f32) -> (f32, f32) {
        let (mut most, mut sum) = (least, 0.0);
        for k in 0..N {
            most = most.max(a[k]);
            sum += a[k];
        }
        for k in 0..N / 2 {
            (a[k], a[N - 1 - k]) = (a[N - 1 - k], a[k]);
        }
        if sum < 0.0 {
            return (sum, most);
        }
        (most, sum)
    }

    #[ptx_fn]
    fn polynomial<const N: usize>(c: &[f32; N], x: f32) -> f32 {
        let mut y = c[N - 1];
        for k in (0..N - 1).rev() {
            y = y.mul_add(x, c[k]);
        }
        y
    }

    #[ptx_fn]
    fn power<const K: u32, const NEGATIVE: bool>(x: f32) -> f32 {
        let mut y = if NEGATIVE { -1.0 } else { 1.0 };
        for _ in 0..K {
            y *= x;
        }
        y
    }

    /// Arrays of a thread's own.
    #[ptx_kernel(pair = F16x2)]
    fn arrays(t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut a = [x[t], x[t + 1], x[t + 2], 0.1];
            let mut b = [x[t]; 3];
            let (p, q) = fold(&mut a, -1.0);
            b[1] = q;
            let (r, s) = fold(&mut b, p);
            out[t] = p + q * r - s + polynomial(&a, 0.5) + polynomial(&b, x[t]) + power::<3, true>(a[0]) + power::<{ 1 + 1 }, false>(b[2]) + last(&mut b, N);
        }
    }

    #[ptx_fn]
    fn add(sums: &mut Sums, x: f32) {
        sums.plain += x;
        sums.count += 1;
        double(&mut sums.plain, &mut sums.kept);
    }

    #[ptx_fn]
    fn double(a: &mut f32, b: &mut f32) {
        (*a, *b) = (*b + *a, *a * 0.5);
    }

    /// Structures, parts of them, and elements.
    #[ptx_kernel(pair = F16x2)]
    fn parts(t: ThreadX, n: usize, x: &[f32], out: &mut [f32], counts: &mut [u32]) {
        if t < n {
            let mut sums = Sums { plain: 0.0, kept: 1.0, count: 0 };
            let mut a = [x[t], 1.0];
            out[t] = x[t + 1];
            for k in 0..3 {
                if x[t + k] > 0.0 {
                    add(&mut sums, x[t + k]);
                    double(&mut a[k % 2], &mut out[t]);
                }
            }
            out[t] += sums.plain - sums.kept + a[0] - a[1];
            counts[t] = sums.count;
        }
    }

    /// Writes at a given place, which is the thread's own at the call.
    #[ptx_fn]
    fn store(out: &mut [f32], at: usize, x: f32) {
        if x.is_nan() {
            return;
        }
        out[at] = x;
    }

    const N: usize = 2;

    /// Reads a slice or an array.
    #[ptx_fn]
    fn last(x: &mut [f32], at: usize) -> f32 {
        x[0] = 0.0;
        x[x.len() - 1] - x[N]
    }

    #[ptx_fn]
    fn sum_of(x: &[f32], from: usize, count: usize) -> f32 {
        let mut sum = 0.0;
        for k in 0..count {
            sum += x[from + k];
        }
        sum
    }

    #[ptx_kernel(pair = F16x2)]
    fn outputs(t: ThreadX, r: ThreadY, w: usize, x: &[f32], out: &mut [f32]) {
        if t < w {
            store(out, r * w + t, sum_of(x, t, 3) * 0.25);
            if x[t] > 0.0 {
                store(out, r * w + t, x[t + r]);
            }
        }
    }

    /// References that are passed on, rows, and loops whose labels also exist in the caller.
    #[ptx_fn]
    fn search(at: &mut usize, rows: &[[f32; 4]; 3], least: f32) -> bool {
        'rows: for row in 0..3 {
            for column in 0..4 {
                if rows[row][column] > least {
                    *at = 4 * row + column;
                    break 'rows;
                }
                if rows[row][column] < -least {
                    continue 'rows;
                }
            }
            if row == 1 && *at > 6 {
                return false;
            }
            advance(at);
        }
        *at % 2 == 0
    }

    #[ptx_fn]
    fn advance(at: &mut usize) {
        *at += 1;
        if *at > 9 {
            twice(at);
        }
    }

    #[ptx_fn]
    fn twice(at: &mut usize) {
        *at *= 2;
    }

    #[ptx_kernel(pair = F16x2)]
    fn searches(t: ThreadX, n: usize, x: &[f32], out: &mut [f32], found: &mut [u32]) {
        if t < n {
            let mut rows = [[0.0; 4]; 3];
            let mut at = t % 5;
            'rows: for row in 0..3 {
                for column in 0..4 {
                    rows[row][column] = x[t + row * column];
                    if x[t + column] > 100.0 {
                        continue 'rows;
                    }
                }
                if search(&mut at, &rows, x[t + row].abs()) {
                    break 'rows;
                }
            }
            found[t] = at as u32;
            out[t] = if search(&mut at, &rows, 0.5) && search(&mut at, &rows, 2.0) { 1.0 } else { at as f32 };
        }
    }

    /// The sum of a block, with barriers, by repeated halving.
    #[ptx_fn]
    fn block_sum<const N: usize>(tile: &mut [f32; N], l: usize, of: usize, x: f32) -> f32 {
        tile[l] = x;
        sync_threads();
        let mut half = N / 2;
        while half > 0 {
            let other = l + half;
            if l < half && other < of {
                tile[l] += unsafe { tile[other] };
            }
            sync_threads();
            half /= 2;
        }
        let sum = unsafe { tile[0] };
        sync_threads();
        sum
    }

    #[ptx_kernel(pair = F16x2)]
    fn blocks(t: ThreadX, l: LocalX, b: BlockX, dim: BlockDimX, threads: ThreadsX, x: &[f32], out: &mut [f32], sums: &mut [f32]) {
        let mut tile = shared::<f32, 64>();
        let of = (threads - b * dim).min(dim);
        let sum = block_sum(&mut tile, l, of, x[t]);
        out[t] = x[t] - sum;
        let squares = block_sum(&mut tile, l, of, x[t] * x[t]);
        if l == 0 {
            sums[b] = squares;
        }
    }
}
