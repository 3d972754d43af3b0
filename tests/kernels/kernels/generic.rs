// Functions with types of their own.
#[ptx_module]
mod generic {
    struct Choice {
        x: f32,
        k: i32,
    }

    impl Choice {
        fn first<T: Copy>(&self, a: T, b: T) -> T {
            if self.x > 0.5 && self.k > 1 { a } else { b }
        }
    }

    #[ptx_fn]
    fn larger<T: PartialOrd>(a: T, b: T) -> T {
        if a < b { b } else { a }
    }

    #[ptx_fn]
    fn swap<T>(a: &mut T, b: &mut T)
    where
        T: Copy,
    {
        let old: T = *a;
        *a = *b;
        *b = old;
    }

    #[ptx_fn]
    fn in_order<T: PartialOrd + Copy>(a: T, b: T) -> (T, T) {
        let mut low = a;
        let mut high = b;
        if high < low {
            swap(&mut low, &mut high);
        }
        (low, high)
    }

    #[ptx_fn]
    fn choose<T, const N: usize>(yes: bool, values: &[f32; N], index: T, other: T) -> T {
        if yes && values[N - 1] > 0.0 { index } else { other }
    }

    #[ptx_kernel(pair = F16x2, keep(k))]
    fn of_any_type(t: ThreadX, n: usize, x: &[f32], i: &[i32], out: &mut [f32], counts: &mut [u32], flags: &mut [i32]) {
        if t < n {
            let k = x[t] * x[t + 1];
            let (low, high) = in_order(x[t], x[t + 1]);
            let (least, most) = in_order(i[t], i[t + 1]);
            let mut a = [low, high];
            let mut first = a[0];
            swap(&mut first, &mut a[1]);
            a[0] = first;
            out[t] = a[0] - a[1] * larger(cvt_rn(k), 0.5);
            counts[t] = larger(7, n as u32 % 9) + larger::<u32>(t as u32 & 3, 1);
            flags[t] = choose(most > 3, &a, most - least, -1) + choose::<_, 2>(true, &a, 1, 2);
            let choice = Choice { x: x[t], k: i[t] };
            counts[t] += choice.first(choice.first::<u32>(10, 20), counts[t]) + choice.first::<u32>(1, 2);
            out[t] += choice.first(low, high);
            let mut same = t % 2 == 0;
            let mut other = n % 2 == 0;
            swap(&mut same, &mut other);
            if other {
                swap(&mut out[t], &mut a[1]);
            }
        }
    }
}
