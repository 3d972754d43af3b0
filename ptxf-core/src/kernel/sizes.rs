//! Sizes for the bounds checks that an entry does before its body.
//!
//! A bound such as `nx * ny * nz` is computed in 64 bits, and must not wrap. Each factor, and each
//! product that is multiplied again, is noted. If all of them are below 2^30, a product is below
//! 2^60. One test of all noted numbers costs less than a test of each product.
#![cfg_attr(not(target_arch = "nvptx64"), expect(unreachable_pub, reason = "only expansions for a device use it"))]

/// The numbers of which bounds were computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// The union of the bits of all numbers.
    all: usize,
}

#[inline_in_release]
impl Sizes {
    /// Returns an empty set of numbers.
    #[must_use]
    pub const fn new() -> Self {
        Self { all: 0 }
    }

    /// Notes a number, and returns it.
    pub const fn term(&mut self, x: usize) -> usize {
        self.all |= x;
        x
    }

    /// Returns the product, and notes all numbers that are multiplied. The product is exact if
    /// [`are_below`](Self::are_below) returns `true` for 32 or fewer bits.
    pub fn product<const N: usize>(&mut self, factors: [usize; N]) -> usize {
        let mut product = 1_usize;
        for (i, factor) in factors.into_iter().enumerate() {
            self.all |= factor;
            if i > 1 {
                self.all |= product;
            }
            product = product.wrapping_mul(factor);
        }
        product
    }

    /// Returns `true` if all noted numbers are below 2^`bits`.
    #[must_use]
    pub const fn are_below(self, bits: u32) -> bool {
        self.all >> bits == 0
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes Miri an hour, and has no pointers")]
    fn products_of_small_numbers_are_exact_and_a_product_that_wraps_is_found() {
        let edges: std::vec::Vec<usize> = (0..64)
            .flat_map(|bit| [-1_isize, 0, 1].map(|d| (1_usize << bit).wrapping_add_signed(d)))
            .chain([0, 3, 5, 3 << 29, 0xB504_F333, usize::MAX])
            .collect();
        let (mut yes, mut no) = (0, 0);
        for &a in &edges {
            for &b in &edges {
                for &c in edges.iter().step_by(5) {
                    let mut sizes = Sizes::new();
                    // A sum with a number that is not multiplied.
                    assert_eq!(sizes.term(a), a);
                    let product = sizes.product([a, b, c]);
                    let below = [a as u128, b as u128, c as u128, a as u128 * b as u128].iter().all(|x| *x < 1 << 30);
                    if sizes.are_below(30) {
                        assert_eq!(product as u128, a as u128 * b as u128 * c as u128, "{a} {b} {c}");
                        yes += 1;
                    } else {
                        assert!(!below, "{a} {b} {c}");
                        no += 1;
                    }
                }
            }
        }
        assert!(yes > 1000 && no > 1000, "{yes} {no}");
    }
}
