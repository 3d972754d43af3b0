//! Masks are vectors: all ones in a lane for true.

use super::{H, Simd128, W, even_and_odd, in_order};
use crate::backend::lanes::engine::{Masks, Vectors as _};

#[inline_in_release]
impl Masks for Simd128 {
    fn mask_to_bits(self, m: H) -> u32 {
        m.to_bitmask()
    }
    fn mask_from_bits(self, bits: u32) -> H {
        // Lane i has bit i.
        let lanes = H::new([1, 2, 4, 8, 16, 32, 64, 128]);
        (H::splat((bits & 0xFF) as u16) & lanes).simd_eq(lanes)
    }
    fn all(self, m: H) -> bool {
        m.all()
    }
    fn mask_and(self, a: H, b: H) -> H {
        a & b
    }
    fn mask_and_not(self, a: H, b: H) -> H {
        a & !b
    }
    fn widen_mask(self, m: H) -> [W; 2] {
        let [even, odd] = even_and_odd(m);
        let both = |x: W| x | (x << 16_u32);
        in_order([both(even), both(odd)])
    }
    fn narrow_mask(self, [low, high]: [W; 2]) -> H {
        self.narrow_u32([low, high])
    }
}
