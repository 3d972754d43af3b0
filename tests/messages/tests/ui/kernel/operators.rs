//! Methods and operators of structures that are not there, and what to write.

use ptxf::ptx_module;

#[ptx_module]
mod vectors {
    use core::ops::{Add, AddAssign, Mul};
    use ptxf::ptx_kernel;

    #[derive(Clone, Copy)]
    pub struct Vec2 {
        pub x: f32,
        pub y: f32,
    }

    #[derive(Clone, Copy)]
    pub struct Other {
        pub x: f32,
    }

    impl Vec2 {
        fn dot(self, other: Self) -> f32 {
            self.x * other.x + self.y * other.y
        }

        fn turn(&mut self) {
            (self.x, self.y) = (-self.y, self.x);
        }

        fn describe(&self) -> String {
            format!("{} {}", self.x, self.y)
        }

        fn again(self) -> f32 {
            self.again()
        }

        #[must_use]
        fn doubled(&mut self) -> f32 {
            self.x *= 2.0;
            self.x
        }
    }

    impl Add for Vec2 {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Self { x: self.x + other.x, y: self.y + other.y }
        }
    }

    impl Mul<f32> for Vec2 {
        type Output = Self;
        fn mul(self, by: f32) -> Self {
            Self { x: self.x * by, y: self.y * by }
        }
    }

    impl AddAssign for Vec2 {
        fn add_assign(&mut self, other: Self) {
            *self = *self + other;
        }
    }

    #[ptx_kernel(pair = F16x2)]
    fn operators(t: ThreadX, p: Vec2, q: Other, x: &[Vec2], out: &mut [f32]) {
        out[t] = p + x[t];
        out[t] = (p - x[t]).x;
        out[t] = (p + q).x;
        out[t] = (p + 1.0).x;
        out[t] = (2.0 * p).x;
        out[t] = (p * 2).x;
        out[t] = p.dot(q);
        out[t] = p.dot(2.0);
        out[t] = p.dot();
        out[t] = p.length();
        out[t] = q.dot(p);
        out[t] = Vec2::length(p);
        p.dot(x[t]);
        p.turn();
        let mut at = p;
        at.doubled();
        at += q;
        at -= x[t];
        x[t].turn();
        at.describe();
        out[t] = at.again();
        out[t] = -at.x + (-at).x;
    }
}

fn main() {}
