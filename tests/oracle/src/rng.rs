//! A small deterministic generator; results must not change with a dependency's version.

/// SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Starts from `PTXF_SEED` (decimal, or hexadecimal after `0x`), else from `default`. Prints
    /// the seed, so that a failing run can be repeated.
    ///
    /// # Panics
    ///
    /// Panics if `PTXF_SEED` is set and is not a number.
    #[must_use]
    pub fn from_env(default: u64) -> Self {
        let seed = std::env::var("PTXF_SEED").map_or(default, |text| {
            let parsed = match text.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => text.parse(),
            };
            parsed.unwrap_or_else(|e| panic!("PTXF_SEED `{text}`: {e}"))
        });
        println!("PTXF_SEED={seed:#x}");
        Self(seed)
    }

    /// Returns 64 fresh bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in `0..n`. The bias for an `n` that is no power of two is below 2⁻³² in
    /// every use here.
    ///
    /// # Panics
    ///
    /// Panics if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Returns a number in `low..=high`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }

    /// Returns one of `items`.
    ///
    /// # Panics
    ///
    /// Panics if there are no items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}
