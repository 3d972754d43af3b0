// Methods and operators of structures, which Rust can call too.
#[ptx_module]
mod vectors {
    use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

    #[derive(Clone, Copy)]
    struct Vec2 {
        pub x: f32,
        pub y: f32,
    }

    impl Vec2 {
        const UNIT: Self = Self { x: 1.0, y: 0.1 };
        const LIMIT: f32 = 2.5;
        const TURNS: [u32; 3] = [1, 3, 2];

        const fn new(x: f32, y: f32) -> Self {
            Self { x, y }
        }

        fn dot(self, other: Self) -> f32 {
            self.x * other.x + self.y * other.y
        }

        fn is_far(&self, limit: f32) -> bool {
            if self.x > limit {
                return true;
            }
            self.dot(*self) > limit * limit
        }

        fn turn(&mut self, times: u32) {
            for _ in 0..times {
                *self = Self::new(-self.y, self.x);
            }
        }

        fn or_unit(self) -> Self {
            if self.x > Self::LIMIT { Self::UNIT } else { self }
        }

        fn clamped(mut self, least: f32) -> Self {
            self.x = self.x.max(least);
            self.y = self.y.max(least);
            self
        }

        #[ptx_fn(keep(sum))]
        fn push(self, sum: &mut f32) {
            *sum += self.x * self.y;
        }
    }

    impl Add for Vec2 {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Self::new(self.x + other.x, self.y + other.y)
        }
    }

    impl Sub for Vec2 {
        type Output = Vec2;
        fn sub(self, other: Vec2) -> Vec2 {
            self + -other
        }
    }

    impl Mul<f32> for Vec2 {
        type Output = Self;
        fn mul(self, by: f32) -> Self {
            Self { x: self.x * by, y: self.y * by }
        }
    }

    impl Mul<Vec2> for f32 {
        type Output = Vec2;
        fn mul(self, v: Vec2) -> Vec2 {
            Vec2::new(self * v.x, self * v.y)
        }
    }

    impl Neg for Vec2 {
        type Output = Self;
        fn neg(self) -> Self {
            Self::new(-self.x, -self.y)
        }
    }

    impl AddAssign for Vec2 {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    impl AddAssign<f32> for Vec2 {
        fn add_assign(&mut self, by: f32) {
            self.x += by;
        }
    }

    impl SubAssign for Vec2 {
        fn sub_assign(&mut self, other: Self) {
            self.x -= other.x;
            self.y -= other.y;
        }
    }

    impl MulAssign<f32> for Vec2 {
        fn mul_assign(&mut self, by: f32) {
            *self = *self * by;
        }
    }

    impl Div<f32> for Vec2 {
        type Output = Self;
        fn div(self, by: f32) -> Self {
            Self::new(self.x / by, self.y / by)
        }
    }

    impl DivAssign<f32> for Vec2 {
        fn div_assign(&mut self, by: f32) {
            *self = *self / by;
        }
    }

    #[ptx_fn]
    fn left(a: f32, b: f32) -> f32 {
        a - b * (a / b).floor()
    }

    impl Rem for Vec2 {
        type Output = Self;
        fn rem(self, other: Self) -> Self {
            Self::new(left(self.x, other.x), left(self.y, other.y))
        }
    }

    impl RemAssign for Vec2 {
        fn rem_assign(&mut self, other: Self) {
            *self = *self % other;
        }
    }

    #[ptx_fn]
    fn between(a: Vec2, b: Vec2, s: f32) -> Vec2 {
        a + s * (b - a)
    }

    #[ptx_kernel(pair = F16x2, keep(sum))]
    fn path(t: ThreadX, n: usize, from: Vec2, x: &[Vec2], out: &mut [Vec2], sums: &mut [f32]) {
        if t < n {
            let mut at = from;
            let mut sum = 0.0;
            for k in 0..4 {
                at += between(at, x[t + k], 0.25) * 0.5 - Vec2::new(0.1, 0.0);
                if at.is_far(2.0) {
                    at = (at - x[t]).clamped(-1.0);
                    at += 0.5;
                } else {
                    at.turn(k as u32);
                }
                at.push(&mut sum);
            }
            out[t] = -at + x[t];
            out[t] += at * at.dot(x[t]);
            let mut more = at / 3.0;
            more -= x[t];
            more *= 2.5;
            more /= 1.5;
            more %= Vec2::new(0.75, 0.5);
            out[t] += more % from;
            sums[t] = cvt_rn(sum) + (at + at).x + Vec2::dot(at, from);
        }
    }

    /// A structure's own constants.
    #[ptx_kernel(pair = F16x2, keep(far))]
    fn constants_of(t: ThreadX, n: usize, x: &[Vec2], out: &mut [Vec2], count: &mut [u32]) {
        if t < n {
            let mut p = Vec2::UNIT;
            if x[t].x < Vec2::LIMIT {
                p = x[t] + Vec2::UNIT * 0.5;
            }
            let far = Vec2::LIMIT + Vec2::UNIT.y;
            p.x += cvt_rn(far);
            out[t] = (p - Vec2::UNIT).or_unit();
            for turns in Vec2::TURNS {
                count[t] += turns;
            }
            count[t] += Vec2::TURNS[t % 3];
        }
    }
}
