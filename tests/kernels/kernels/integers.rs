// Integers of every size: as elements, values, parameters, counters and results, with casts between
// all of them.
#[ptx_module]
mod integers {
    struct Pixel {
        r: u8,
        g: u8,
        b: u8,
        a: u8,
    }

    const LEAST: i8 = -100;
    const SHIFTS: [u16; 4] = [1, 0x8001, 40000, 7];

    #[ptx_fn]
    fn luma(p: Pixel) -> u8 {
        let sum = p.r as u32 * 77 + p.g as u32 * 150 + p.b as u32 * 29;
        (sum >> 8) as u8
    }

    #[ptx_fn]
    fn mixed(a: i16, b: u64) -> (i64, u16) {
        (a as i64 - b as i64, (b >> 3) as u16 ^ a as u16)
    }

    /// Bytes of colours become others, and floats.
    #[ptx_kernel(pair = F16x2)]
    fn greys(t: ThreadX, n: usize, bias: i8, x: &[Pixel], out: &mut [u8], y: &mut [f32], all: &mut [Pixel]) {
        if t < n {
            let p = x[t];
            let grey = luma(p);
            out[t] = grey.saturating_add(20) - grey / 3;
            y[t] = grey as f32 / 255.0 + bias as f32;
            let d = (y[t] * 100.0) as u8;
            all[t] = if p.a > 127 { Pixel { r: grey, g: d, ..p } } else { Pixel { a: p.r.max(p.g), ..p } };
        }
    }

    /// Operations in each type. Narrow types wrap where others do not.
    #[ptx_kernel(pair = F16x2)]
    fn wrapped(t: ThreadX, n: usize, a: &[i8], b: &[u16], c: &[i64], d: &mut [i16], e: &mut [u64], f: &mut [i8], g: &mut [f32]) {
        if t < n {
            let (i, j, k) = (a[t], b[t], c[t]);
            let s = i * 3 - LEAST;
            f[t] = s.pow(t as u32 % 5) ^ (i << 3) ^ i.rotate_left(j as u32) ^ (i >> (j & 15));
            d[t] = j as i16 * i as i16 + (j.count_ones() as i16) + (SHIFTS[2] / (j | 1)) as i16;
            let far = k.abs_diff(c[t + 1]);
            e[t] = far.rotate_right(j as u32 & 63) ^ (k as u64 >> 7) ^ far.leading_zeros() as u64 ^ i.abs_diff(-5) as u64;
            let (low, high) = mixed(d[t], e[t]);
            let signs = k.signum() + low.clamp(-9, 9) + i.signum() as i64;
            g[t] = if low > 0 { low as f32 } else { (high as f32) * 0.5 } + signs as f32;
            f[t] += (g[t] * 0.5) as i8;
            d[t] -= g[t] as i16;
        }
    }

    /// Quotients down and up, and remainders that are never negative, where the divisor is not 0.
    #[ptx_kernel(pair = F16x2)]
    fn quotients(t: ThreadX, n: usize, a: &[i8], b: &[u16], c: &[i64], d: &mut [i16], e: &mut [u64], f: &mut [i8], g: &mut [u32]) {
        if t < n {
            let (i, j, k) = (a[t] & 7, b[t] % 5, c[t] >> 40);
            if i != 0 && k != 0 {
                f[t] = a[t + 1].rem_euclid(i) - a[t + 1].div_euclid(i);
                e[t] = (c[t + 1].rem_euclid(k) ^ c[t + 1].div_euclid(-k)) as u64;
            }
            if j > 0 {
                d[t] = b[t + 1].div_ceil(j) as i16;
                g[t] = (t.div_ceil(j as usize) + (t + 9).rem_euclid(4)) as u32;
            }
            g[t] += n.div_ceil(4) as u32 + (t as i32 - 3).rem_euclid(n as i32) as u32;
        }
    }

    /// Counters of each type, some of which differ between threads.
    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn counters(t: ThreadX, n: usize, x: &[u8], y: &[i64], z: &[f32], out: &mut [f32], bits: &mut [u16]) {
        if t >= n {
            return;
        }
        let mut sum = 0.0;
        let mut seen = 0u16;
        for k in 250u8..=255 {
            if k % 3 == x[t] % 3 {
                continue;
            }
            sum += z[t + k as usize % 4];
            seen += k as u16;
        }
        let first = x[t] / 40;
        for k in (first..7).step_by(2) {
            sum -= z[t + k as usize];
            seen ^= 1 << k;
        }
        for k in (y[t] % 4 - 2..4).rev().step_by(3) {
            seen = seen * 5 + k as u16;
        }
        let mut left = (y[t] as u8) & 15;
        while left > 0 {
            left -= 1 + left / 2;
            seen = match left {
                0 => seen ^ 0xff,
                1 | 2 => seen.wrapping_add(3),
                3..=9 => seen - 1,
                _ => !seen,
            };
        }
        seen = match -y[t] {
            -9..=-3 | -1 => !seen,
            1 => seen ^ 5,
            _ => seen,
        };
        out[t] = cvt_rn(sum);
        bits[t] = seen;
    }

    /// In shared memory and in local arrays.
    #[ptx_kernel(pair = F16x2)]
    fn tables(t: ThreadX, l: LocalX, n: usize, x: &[u8], out: &mut [u64]) {
        let mut counts = shared::<u16, 64>();
        let mut own = [0i64; 3];
        counts[l] = x[t] as u16 * 257;
        for k in 0..3 {
            own[k] = (x[t] as i64 - 128) << (k * 20);
        }
        sync_threads();
        let other = unsafe { counts[l / 2] };
        if t < n {
            out[t] = (own[0] * own[2] + own[1]) as u64 ^ other as u64;
        }
    }
}
