//! Inlined functions, declared and called wrongly, and what to write.

use ptxf::{ptx_fn, ptx_module};

#[ptx_fn]
fn alone(x: &mut f32) {
    *x = 1.0;
}

#[ptx_fn]
fn alone_with_a_constant<const N: usize>(x: f32) -> f32 {
    x
}

#[ptx_module]
mod declared {
    use ptxf::{ptx_fn, ptx_kernel};

    #[ptx_fn]
    fn by_value(x: &f32) -> f32 {
        1.0
    }

    #[ptx_fn]
    fn array_by_value<const N: usize>(a: [f32; N]) -> f32 {
        let mut sum = 0.0;
        for v in a {
            sum += v;
        }
        sum + a[0]
    }

    #[ptx_fn]
    fn not_followed(x: &mut f32, a: &[f32; 2]) {
        x = 1.0;
        *x = x + 1.0;
        *a = 1.0;
        a[0] = 1.0;
        *y = 1.0;
    }

    #[ptx_fn]
    fn returns_nothing(x: &mut f32) {
        return 1.0;
    }

    #[ptx_fn]
    fn ends_with_a_value(x: &mut f32) {
        *x
    }

    #[ptx_fn]
    fn of_a_type<T>(x: &mut f32) {}

    #[ptx_fn]
    fn with_a_float<const X: f32>(x: f32) -> f32 {
        x
    }

    #[ptx_fn]
    fn with_a_default<const N: usize = 4>(x: f32) -> f32 {
        x
    }

    #[ptx_kernel(pair = F16x2)]
    fn kernel<const N: usize>(t: ThreadX, out: &mut [f32]) {
        out[t] = 1.0;
    }
}

#[ptx_module]
mod called {
    use ptxf::{ptx_fn, ptx_kernel};

    struct Point {
        x: f32,
        y: f32,
    }

    #[ptx_fn]
    fn set(x: &mut f32, to: f32) {
        *x = to;
    }

    #[ptx_fn(keep(sum))]
    fn push(sum: &mut f32, x: f32) {
        *sum += x;
    }

    #[ptx_fn]
    fn swap(a: &mut f32, b: &mut f32) {
        (*a, *b) = (*b, *a);
    }

    #[ptx_fn]
    fn shift(p: &mut Point) {
        p.x += 1.0;
    }

    #[must_use]
    #[ptx_fn]
    fn next(x: &mut u32) -> u32 {
        *x += 1;
        *x
    }

    #[ptx_fn]
    fn first<const N: usize>(a: &mut [f32; N]) -> f32 {
        a[0]
    }

    #[ptx_fn]
    fn fill(out: &mut [f32], at: usize) {
        out[at] = 0.0;
    }

    #[ptx_fn]
    fn again(x: &mut f32) {
        again(x);
    }

    #[ptx_fn]
    fn power<const K: u32>(x: f32) -> f32 {
        x.powi(2)
    }

    #[ptx_fn]
    fn both(a: &[f32; 2], b: &[f32; 2]) -> f32 {
        a[0] + b[1]
    }

    #[ptx_fn]
    fn passes_on(p: &mut Point, x: &mut f32, a: &[f32; 2]) {
        shift(p);
        set(x, p.x);
        set(&mut x, p.x);
        shift(x);
        let b = first(a);
    }

    #[ptx_fn]
    fn waits(x: f32) -> f32 {
        sync_threads();
        x
    }

    #[ptx_kernel(pair = F16x2)]
    fn arguments(t: ThreadX, x: &[f32], out: &mut [f32]) {
        let fixed = 1.0;
        let mut a = 1.0;
        let mut i = 1;
        let mut p = Point { x: 1.0, y: 2.0 };
        let mut pair = [1.0, 2.0];
        set(a, 1.0);
        set(&a, 1.0);
        set(&mut fixed, 1.0);
        set(&mut i, 1.0);
        set(&mut x[t], 1.0);
        set(&mut (a + 1.0), 1.0);
        set(&mut a);
        push(&mut a, 1.0);
        swap(&mut a, &mut a);
        shift(&mut p.x);
        shift(&mut a);
        next(&mut i);
        let none = set(&mut a, 1.0);
        let b = &mut a;
        out[t] = first(&mut out);
        out[t] = first::<3>(&mut pair);
        out[t] = first::<2, 3>(&mut pair);
        out[t] = power(a);
        fill(x, t);
        fill(&mut pair, t);
        again(&mut a);
        out[t] = both(&pair, &pair);
    }

    #[ptx_kernel(pair = F16x2)]
    fn not_own(t: ThreadX, out: &mut [f32]) {
        fill(out, 0);
    }

    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn kept(t: ThreadX, x: &[f32], out: &mut [f32]) {
        let mut sum = 0.0;
        set(&mut sum, x[t]);
        push(&mut sum, x[t]);
        out[t] = cvt_rn(sum);
    }

    #[ptx_kernel(pair = F16x2)]
    fn barriers(t: ThreadX, x: &[f32], out: &mut [f32]) {
        let a = waits(x[t]);
        out[t] = a + waits(a);
    }

    #[ptx_kernel(pair = F16x2)]
    fn divergent_barriers(t: ThreadX, x: &[f32], out: &mut [f32]) {
        if x[t] > 0.0 {
            let a = waits(x[t]);
            out[t] = a;
        }
    }
}

fn main() {}
