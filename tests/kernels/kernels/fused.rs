// `fuse` of a module holds for its kernels, its functions, inlined ones as well, and for methods
// and operators. The second module gives it to some of them.
#[ptx_module(fuse)]
mod fused {
    use core::ops::{Add, AddAssign, Mul};

    #[derive(Clone, Copy)]
    struct Vec2 {
        pub x: f32,
        pub y: f32,
    }

    impl Vec2 {
        fn dot(self, other: Self) -> f32 {
            self.x * other.x + self.y * other.y
        }

        #[ptx_fn(keep(sum))]
        fn push(self, sum: &mut f32) {
            *sum += self.x * self.y;
        }
    }

    impl Add for Vec2 {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Self { x: self.x + other.x, y: self.y + other.y }
        }
    }

    // The product of two vectors is a number.
    impl Mul for Vec2 {
        type Output = f32;
        fn mul(self, other: Self) -> f32 {
            self.x * other.y - self.y * other.x
        }
    }

    impl Mul<f32> for Vec2 {
        type Output = Self;
        fn mul(self, by: f32) -> Self {
            Self { x: self.x * by, y: self.y * by }
        }
    }

    impl AddAssign<f32> for Vec2 {
        fn add_assign(&mut self, by: f32) {
            self.x += by * by;
            self.y -= by * self.x;
        }
    }

    #[ptx_fn]
    fn poly(x: f32) -> f32 {
        ((x * 0.25 + 0.1) * x - 0.5) * x + 1.0
    }

    #[ptx_fn(keep(sum))]
    fn step(sum: &mut f32, a: f32, b: f32) -> f32 {
        *sum -= a * b;
        a * b - 1.0
    }

    #[ptx_fn]
    fn of_any<T: Copy + core::ops::Mul<Output = T> + core::ops::Add<Output = T>>(a: T, b: T, c: T) -> T {
        a * b + c
    }

    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn fused_members(t: ThreadX, n: usize, from: Vec2, x: &[Vec2], k: &[i32], out: &mut [Vec2], count: &mut [i32]) {
        if t < n {
            let mut sum = 0.0;
            let mut at = x[t];
            at += 0.3;
            at.push(&mut sum);
            // A product of vectors, and of a vector and a number, is the value of a function.
            let area = at * from + at.y;
            let moved = at * 0.7 + from;
            let last = area + at.y * step(&mut sum, area, moved.x);
            out[t] = Vec2 { x: at.dot(moved) + last * poly(at.x), y: cvt_rn(sum) - of_any(at.x, at.y, area) * last };
            out[t].x += moved.y * step(&mut sum, last, at.x);
            count[t] = of_any(k[t], k[t + 1], 3) - k[t] * k[t];
        }
    }
}

#[ptx_module]
mod some {
    #[ptx_fn(fuse)]
    fn together(sum: &mut f32, a: f32, b: f32) {
        *sum += a * b;
    }

    #[ptx_fn]
    fn apart(sum: &mut f32, a: f32, b: f32) {
        *sum += a * b;
    }

    #[ptx_kernel(pair = F16x2)]
    fn plain_text(t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = x[t];
            together(&mut sum, x[t + 1], y[t]);
            apart(&mut sum, y[t + 1], y[t]);
            out[t] = sum + x[t] * y[t];
        }
    }

    #[ptx_kernel(pair = F16x2, fuse)]
    fn fused_text(t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = x[t];
            together(&mut sum, x[t + 1], y[t]);
            apart(&mut sum, y[t + 1], y[t]);
            out[t] = sum + x[t] * y[t];
        }
    }
}
