//! A definition of textures by elements, in exact numbers, for the tests.

use oracle::dyadic::Dyadic;
use oracle::layout::Layout;
use oracle::round::{Exact, round};
use oracle::{Rnd, Ty};
use ptxf_vm::{AddressMode, Channel, Filtering, Sampler};

/// An exact number with a sign.
#[derive(Clone)]
struct Signed(bool, Dyadic);

impl Signed {
    fn of(bits: u32) -> Self {
        Self(bits >> 31 == 1, Dyadic::of(Layout::of(Ty::F32), u64::from(bits & 0x7fff_ffff)))
    }

    fn times(&self, weight: u64) -> Self {
        Self(self.0, self.1.times(&Dyadic::new(weight, -8)))
    }

    fn plus(&self, other: &Self) -> Self {
        if self.0 == other.0 {
            return Self(self.0, self.1.plus(&other.1));
        }
        let larger = if self.1.compare(&other.1).is_ge() { self } else { other };
        Self(larger.0, self.1.distance(&other.1))
    }

    fn rounded(&self) -> u32 {
        if self.1.is_zero() {
            return 0;
        }
        let magnitude = round(Layout::of(Ty::F32), &Exact::dyadic(self.1.clone()), self.0, Rnd::Rn);
        magnitude as u32 | u32::from(self.0) << 31
    }
}

/// Texels of one array, in the order of their places.
pub(crate) struct Image {
    pub(crate) channel: Channel,
    pub(crate) channels: usize,
    pub(crate) size: [usize; 3],
    pub(crate) dimensions: usize,
    pub(crate) layers: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Image {
    fn integer(&self, at: usize) -> i64 {
        let bytes = self.channel.bytes() as usize;
        let raw = self.bytes[at * bytes..][..bytes].iter().rev().fold(0_i64, |all, byte| all << 8 | i64::from(*byte));
        let signed = matches!(self.channel, Channel::S8 | Channel::S16 | Channel::S32);
        if signed && raw >> (8 * bytes - 1) == 1 { raw - (1 << (8 * bytes)) } else { raw }
    }

    /// Returns a component as the 32 bits of a result.
    pub(crate) fn component(&self, [x, y, z]: [i64; 3], layer: usize, component: usize, fractions: bool) -> u32 {
        if component >= self.channels {
            return 0;
        }
        let index = ((layer + z as usize) * self.size[1] + y as usize) * self.size[0] + x as usize;
        let raw = self.integer(index * self.channels + component);
        let largest = match self.channel {
            Channel::U8 => 255.0,
            Channel::U16 => 65535.0,
            Channel::S8 => 127.0,
            Channel::S16 => 32767.0,
            // A value of f16 as the f32 with the same fields.
            Channel::F16 => {
                let (exponent, fraction) = (raw >> 10 & 31, (raw & 1023) as f32);
                let value = match exponent {
                    0 => fraction / 16_777_216.0,
                    _ => (1024.0 + fraction) * 2.0_f32.powi(exponent as i32 - 25),
                };
                return if raw >> 15 == 1 { (-value).to_bits() } else { value.to_bits() };
            }
            _ => return raw as u32,
        };
        // A quotient of f64 that is rounded twice is right for divisors of so few bits.
        if fractions { ((raw as f64 / largest).max(-1.0) as f32).to_bits() } else { raw as u32 }
    }
}

/// Returns the index after the address mode, which is walked step by step.
fn walked(mode: AddressMode, normalized: bool, mut i: i64, n: i64) -> Option<i64> {
    let mode = match mode {
        AddressMode::Wrap | AddressMode::Mirror if !normalized => AddressMode::Clamp,
        mode => mode,
    };
    while !(0..n).contains(&i) {
        i = match mode {
            AddressMode::Border => return None,
            AddressMode::Clamp if i < 0 => 0,
            AddressMode::Clamp => n - 1,
            AddressMode::Wrap if i < 0 => i + n,
            AddressMode::Wrap => i - n,
            AddressMode::Mirror if i < 0 => -1 - i,
            AddressMode::Mirror => 2 * n - 1 - i,
        };
    }
    Some(i)
}

/// Returns a coordinate in texels, in units of 2^-80.
fn fixed(u: f32, n: usize, normalized: bool) -> i128 {
    let (bits, n) = (u.to_bits(), if normalized { n as i128 } else { 1 });
    let exponent = (bits >> 23 & 255) as i32;
    assert!(exponent == 0 && bits << 1 == 0 || (70..143).contains(&exponent), "{u}");
    let magnitude = if exponent == 0 { 0 } else { i128::from(bits & 0x7f_ffff | 0x80_0000) << (exponent - 150 + 80) };
    n * if bits >> 31 == 1 { -magnitude } else { magnitude }
}

const ONE: i128 = 1 << 80;

/// Returns the four components of a fetch with these coordinates.
pub(crate) fn fetched(
    image: &Image,
    sampler: &Sampler,
    fractions: bool,
    at: [f32; 3],
    offsets: [i64; 3],
    layer: usize,
) -> [u32; 4] {
    let d = image.dimensions;
    let exact: Vec<i128> = (0..d).map(|i| fixed(at[i], image.size[i], sampler.normalized)).collect();
    let texel = |index: [i64; 3], component| {
        let mut found = [0; 3];
        for i in 0..d {
            let place = walked(sampler.modes[i], sampler.normalized, index[i] + offsets[i], image.size[i] as i64);
            let Some(place) = place else { return 0 };
            found[i] = place;
        }
        image.component(found, layer, component, fractions)
    };
    if sampler.filter == Filtering::Point {
        let mut index = [0; 3];
        index.iter_mut().zip(&exact).for_each(|(to, x)| *to = x.div_euclid(ONE) as i64);
        return std::array::from_fn(|component| texel(index, component));
    }
    // The place of the left neighbour's centre in steps of 1/256, to the nearest; ties go up.
    let steps: Vec<i64> = exact.iter().map(|x| (2 * (x - ONE / 2) * 256 + ONE).div_euclid(2 * ONE) as i64).collect();
    std::array::from_fn(|component| {
        // One dimension after the other, as the guide nests them.
        let along =
            |index: [i64; 3], axis: usize| lerp(&steps, &|index| Signed::of(texel(index, component)), index, axis);
        along([0; 3], d).rounded()
    })
}

fn lerp(steps: &[i64], texel: &dyn Fn([i64; 3]) -> Signed, mut index: [i64; 3], axis: usize) -> Signed {
    let Some(axis) = axis.checked_sub(1) else { return texel(index) };
    let (i, a) = (steps[axis].div_euclid(256), steps[axis].rem_euclid(256) as u64);
    index[axis] = i;
    let low = lerp(steps, texel, index, axis).times(256 - a);
    if a == 0 {
        return low;
    }
    index[axis] = i + 1;
    low.plus(&lerp(steps, texel, index, axis).times(a))
}
