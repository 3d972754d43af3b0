//! Samplers: what happens beyond an edge, and between texels.
//!
//! # Coordinates
//!
//! Texel `i` of `n` covers `[i, i + 1)`, and its centre is `i + 1/2`. A normalized coordinate is
//! multiplied by `n` first. With `x` the exact coordinate:
//!
//! ```text
//! point:   i = floor(x)
//! linear:  t = floor(256 (x - 1/2) + 1/2),  i = floor(t / 256),  a = t mod 256
//!          texel i has the weight 256 - a, and texel i + 1 the weight a
//! ```
//!
//! An offset is added to `i`. Then the address mode applies to each index.

/// A rule for indices that are not in `[0, n)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// The texture repeats. Only for normalized coordinates; `Clamp` replaces it for others.
    Wrap,
    /// The texel at the edge.
    #[default]
    Clamp,
    /// The texture repeats, each time in the other direction. Only for normalized coordinates;
    /// `Clamp` replaces it for others.
    Mirror,
    /// Zeros.
    Border,
}

/// A rule for coordinates between the centres of texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filtering {
    /// The texel that covers the coordinate.
    #[default]
    Point,
    /// The nearest texels of each dimension, by their distances.
    Linear,
}

/// A rule by which coordinates choose texels.
///
/// ```
/// use ptxf_vm::{AddressMode, Filtering, Sampler};
///
/// let sampler = Sampler::default();
/// assert_eq!((sampler.filter, sampler.modes, sampler.normalized), (Filtering::Point, [AddressMode::Clamp; 3], false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampler {
    /// The address modes of x, y and z.
    pub modes: [AddressMode; 3],
    /// The filter.
    pub filter: Filtering,
    /// `true` if coordinates from 0 to 1 cover the texture.
    pub normalized: bool,
}

/// The first bits of a sampler in a variable, so that other contents are none.
const TAG: u64 = 0x7361_6d70 << 32;

/// The place of an index after the address mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    At(u64),
    Beyond,
}

impl AddressMode {
    const ALL: [Self; 4] = [Self::Wrap, Self::Clamp, Self::Mirror, Self::Border];

    /// Returns the place of an index of `n`.
    pub(crate) fn apply(self, index: i128, n: u64) -> Found {
        let n = i128::from(n.max(1));
        let at = match self {
            Self::Wrap => index.rem_euclid(n),
            Self::Clamp => index.clamp(0, n - 1),
            Self::Mirror => {
                let at = index.rem_euclid(2 * n);
                at.min(2 * n - 1 - at)
            }
            Self::Border if (0..n).contains(&index) => index,
            Self::Border => return Found::Beyond,
        };
        Found::At(at as u64)
    }

    /// Returns the number of the mode in PTX, as `txq` reads it.
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::Wrap => 0,
            Self::Mirror => 1,
            Self::Clamp => 3,
            Self::Border => 4,
        }
    }
}

/// Returns `floor((2 · scale · x - less) / 2)` for the coordinate `x`, which is `u`, or `u · n` if
/// it is normalized. NaN counts as 0.
fn floor(u: f32, n: Option<u64>, scale: i128, less: i128) -> i128 {
    /// Even and beyond all texels, so that a larger number changes nothing.
    const FAR: i128 = 1 << 34;
    let n = i128::from(n.unwrap_or(1).min(1 << 32));
    let bits = u.to_bits();
    let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, i128::from(bits & 0x7f_ffff));
    let sign = if bits >> 31 == 0 { 1 } else { -1 };
    // u = m · 2^e
    let (m, e) = match exponent {
        0xff if fraction != 0 => (0, 0),
        0 => (sign * fraction, -149),
        _ if exponent >= 127 + 34 => (sign * FAR, 0),
        _ => (sign * (fraction | 1 << 23), exponent - 150),
    };
    let twice = 2 * scale * m * n;
    match e {
        0.. => ((twice << e) - less) >> 1,
        // A number so small that only its sign matters.
        ..-100 => (m.signum() - (less << 1)) >> 2,
        _ => (twice - (less << -e)) >> (1 - e),
    }
}

impl Sampler {
    fn of(&self, axis: usize) -> AddressMode {
        if self.normalized { self.modes[axis] } else { self.unnormalized(axis) }
    }

    /// Returns the address mode of an axis for coordinates in texels.
    pub(crate) fn unnormalized(&self, axis: usize) -> AddressMode {
        match self.modes[axis] {
            AddressMode::Border => AddressMode::Border,
            _ => AddressMode::Clamp,
        }
    }

    /// Returns the texel of `n` that covers a coordinate.
    pub(crate) fn nearest(&self, axis: usize, u: f32, n: u64, offset: i32) -> Found {
        let index = floor(u, self.normalized.then_some(n), 1, 0) + i128::from(offset);
        self.of(axis).apply(index, n)
    }

    /// Returns the two texels of `n` around a coordinate, with weights whose sum is 256, or texel 0
    /// with the weight 1 for a dimension that the texture does not have.
    pub(crate) fn pair(&self, axis: usize, u: f32, n: u64, offset: i32, is_there: bool) -> [(Found, u32); 2] {
        if !is_there {
            return [(Found::At(0), 1), (Found::At(0), 0)];
        }
        let t = floor(u, self.normalized.then_some(n), 256, 255);
        let (index, weight) = ((t >> 8) + i128::from(offset), (t & 255) as u32);
        let mode = self.of(axis);
        [(mode.apply(index, n), 256 - weight), (mode.apply(index + 1, n), weight)]
    }

    /// Returns the contents of a `.samplerref`.
    pub(crate) fn word(&self) -> u64 {
        let mode = |axis: usize| u64::from(self.modes[axis].number()) << (4 * axis);
        let flags = u64::from(self.filter == Filtering::Linear) | u64::from(self.normalized) << 1;
        TAG | (0..3).map(mode).sum::<u64>() | flags << 12
    }

    /// Reads the contents of a `.samplerref`. Returns `None` for other contents.
    pub(crate) fn of_word(word: u64) -> Option<Self> {
        let mode = |axis: usize| {
            let number = (word >> (4 * axis) & 15) as u32;
            AddressMode::ALL.into_iter().find(|mode| mode.number() == number)
        };
        let filter = if word >> 12 & 1 == 1 { Filtering::Linear } else { Filtering::Point };
        let sampler = Self { modes: [mode(0)?, mode(1)?, mode(2)?], filter, normalized: word >> 13 & 1 == 1 };
        (sampler.word() == word).then_some(sampler)
    }

    /// Changes an attribute by its name in PTX. Returns `false` if it does not exist.
    pub(crate) fn set(&mut self, attribute: &str, value: &str) -> bool {
        let axis = ["addr_mode_0", "addr_mode_1", "addr_mode_2"].iter().position(|name| *name == attribute);
        match (axis, attribute, value) {
            (Some(axis), _, "wrap") => self.modes[axis] = AddressMode::Wrap,
            (Some(axis), _, "mirror") => self.modes[axis] = AddressMode::Mirror,
            // The first one blends with the border, which nothing here has.
            (Some(axis), _, "clamp_ogl" | "clamp_to_edge") => self.modes[axis] = AddressMode::Clamp,
            (Some(axis), _, "clamp_to_border") => self.modes[axis] = AddressMode::Border,
            (_, "filter_mode", "nearest") => self.filter = Filtering::Point,
            (_, "filter_mode", "linear") => self.filter = Filtering::Linear,
            (_, "normalized_coords", "0" | "1") => self.normalized = value == "1",
            (_, "force_unnormalized_coords", "0" | "1") => self.normalized = value == "0",
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_exact_for_every_size_of_a_coordinate() {
        for (u, n, index) in [
            (0.0, None, 0),
            (-0.0, None, 0),
            (f32::from_bits(1), None, 0),
            (-f32::from_bits(1), None, -1),
            (-1e-20, Some(1 << 28), -1),
            (2.999_999_8, None, 2),
            (-3.5, None, -4),
            (0.999_999_94, Some(100), 99),
            (0.999_999_94, Some(1 << 25), (1 << 25) - 2),
            (16_777_216.0, None, 1 << 24),
            (f32::INFINITY, Some(3), 3 << 34),
            (-1e30, None, -1 << 34),
            (f32::NAN, Some(9), 0),
        ] {
            assert_eq!(floor(u, n, 1, 0), index, "{u} {n:?}");
        }
        // 256 (x - 1/2) + 1/2
        for (x, t) in [
            (0.5, 0),
            (0.0, -128),
            (f32::from_bits(1), -128),
            (-f32::from_bits(1), -128),
            (1.25, 192),
            (0.5 + 1.0 / 512.0, 1),
            (0.501_953_06, 0),
            (0.5 - 1.0 / 512.0, 0),
            (-1e-30, -128),
        ] {
            assert_eq!(floor(x, None, 256, 255), t, "{x}");
        }
    }

    #[test]
    fn each_mode_has_its_indices_and_is_read_as_it_was_written() {
        let row = |mode: AddressMode| {
            (-4..7).map(|i| if let Found::At(at) = mode.apply(i, 3) { at } else { 9 }).collect::<Vec<u64>>()
        };
        assert_eq!(row(AddressMode::Wrap), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(row(AddressMode::Clamp), [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(row(AddressMode::Mirror), [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]);
        assert_eq!(row(AddressMode::Border), [9, 9, 9, 9, 0, 1, 2, 9, 9, 9, 9]);
        for mode in AddressMode::ALL {
            let sampler =
                Sampler { modes: [mode, AddressMode::Clamp, mode], filter: Filtering::Linear, normalized: true };
            assert_eq!(Sampler::of_word(sampler.word()), Some(sampler));
        }
        assert_eq!(Sampler::of_word(0), None);
        assert_eq!(Sampler::of_word(TAG | 2), None);
    }
}
