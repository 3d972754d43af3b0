//! One truth value.

use super::super::portable::Portable;
use super::Masks;

#[inline(always)]
fn f(x: u32) -> f32 {
    f32::from_bits(x)
}

impl Masks for Portable {
    #[inline(always)]
    fn bits(self, m: bool) -> u32 {
        m.into()
    }
    #[inline(always)]
    fn of_bits(self, bits: u32) -> bool {
        bits & 1 != 0
    }
    #[inline(always)]
    fn all(self, m: bool) -> bool {
        m
    }
    #[inline(always)]
    fn both(self, a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn except(self, a: bool, b: bool) -> bool {
        a & !b
    }
    #[inline(always)]
    fn halves(self, m: bool) -> [bool; 2] {
        [m; 2]
    }
    #[inline(always)]
    fn joined(self, m: [bool; 2]) -> bool {
        m[0]
    }
    #[inline(always)]
    fn less(self, a: u32, b: u32) -> bool {
        f(a) < f(b)
    }
    #[inline(always)]
    fn at_most(self, a: u32, b: u32) -> bool {
        f(a) <= f(b)
    }
    #[inline(always)]
    fn same(self, a: u32, b: u32) -> bool {
        f(a) == f(b)
    }
}
