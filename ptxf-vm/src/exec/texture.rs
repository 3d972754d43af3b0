//! Textures: texels in global memory, and the rules by which coordinates choose and blend them.
//!
//! The modules here read no memory. A caller passes a function that reads a texel.

mod blend;
mod sampler;
mod texels;

pub use sampler::{AddressMode, Filtering, Sampler};
pub use texels::{Channel, Texels};

pub(crate) use sampler::Found;
pub(crate) use texels::Geometry;

/// The four components of a texel or of a result, as 32 bits each.
pub(crate) type Components = [u32; 4];

/// Texels with a sampler, as `tex` reads them.
///
/// # Examples
///
/// ```
/// use ptxf_vm::{Arg, Channel, Filtering, Machine, Module, Sampler, Texels, Texture};
///
/// let text = ".version 7.8\n.target sm_90
/// .visible .entry k(.param .u64 t, .param .u64 x) {
///     .reg .f32 %f<5>; .reg .u64 %rd<3>;
///     ld.param.u64 %rd1, [t];
///     ld.param.u64 %rd2, [x];
///     tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {0f3FA00000}];
///     st.global.f32 [%rd2], %f1;
///     ret;
/// }";
/// let mut machine = Machine::new();
/// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
/// let (texels, x) = (machine.buffer(&[1.0_f32, 3.0]), machine.buffer(&[0.0_f32]));
/// let texels = Texels::array(texels.address(), Channel::F32, 1, &[2], None)?;
/// let sampler = Sampler { filter: Filtering::Linear, ..Sampler::default() };
/// let texture = machine.add_texture(Texture::new(texels, sampler, false)?);
/// machine.launch(&entry, 1, 1, 0, &[Arg::from(texture), Arg::from(x)])?;
/// // The coordinate is 1.25: three quarters of the way between the centres 0.5 and 1.5.
/// assert_eq!(machine.values::<f32>(x)?, [2.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    pub(crate) texels: Texels,
    pub(crate) sampler: Sampler,
    /// `true` if integers are read as fractions of their range.
    pub(crate) fractions: bool,
}

impl Texture {
    /// Makes a texture.
    ///
    /// With `fractions`, integers of 8 and 16 bits are read as floating-point numbers: 0 to 1 if
    /// they are unsigned, and -1 to 1 if they are signed. CUDA calls this normalized floats.
    /// Integers of 32 bits stay integers.
    ///
    /// # Errors
    ///
    /// Returns a description if integers would be filtered, which CUDA refuses, too.
    pub fn new(texels: Texels, sampler: Sampler, fractions: bool) -> Result<Self, String> {
        let texture = Self::unchecked(texels, sampler, fractions);
        if sampler.filter == Filtering::Linear && !texture.is_float() {
            return Err(
                "the linear filter needs floating-point results: use floats, or read integers of 8 or 16 bits as \
                 normalized floats"
                    .to_owned(),
            );
        }
        Ok(texture)
    }

    /// Makes a texture like [`new`](Self::new), but a fetch that would filter integers is a fault.
    /// Texture references of CUDA change their filter and their format one after the other.
    #[must_use]
    pub const fn unchecked(texels: Texels, sampler: Sampler, fractions: bool) -> Self {
        Self { texels, sampler, fractions: fractions && texels.channel().bytes() < 4 }
    }

    /// Returns the texels.
    #[must_use]
    pub const fn texels(&self) -> &Texels {
        &self.texels
    }

    /// Returns the sampler.
    #[must_use]
    pub const fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// Returns `true` if results are floating-point numbers.
    pub(crate) fn is_float(&self) -> bool {
        self.fractions || self.texels.channel().is_float()
    }

    /// Returns the result of a fetch with these coordinates. `read` returns the components of the
    /// texel at an index.
    pub(crate) fn sampled<E>(
        &self,
        sampler: &Sampler,
        coordinates: [f32; 3],
        offsets: [i32; 3],
        mut read: impl FnMut([u64; 3]) -> Result<Components, E>,
    ) -> Result<Components, E> {
        let size = self.texels.size();
        if sampler.filter == Filtering::Point {
            let found: [_; 3] = std::array::from_fn(|i| sampler.nearest(i, coordinates[i], size[i], offsets[i]));
            return inside(found, &mut read);
        }
        let pairs: [_; 3] =
            std::array::from_fn(|i| sampler.pair(i, coordinates[i], size[i], offsets[i], i < self.texels.dimensions()));
        let mut terms: Vec<(u32, Components)> = Vec::with_capacity(8);
        for (z, y, x) in (0..2).flat_map(|z| (0..2).flat_map(move |y| (0..2).map(move |x| (z, y, x)))) {
            let near = [pairs[0][x], pairs[1][y], pairs[2][z]];
            let weight = near.iter().map(|(_, weight)| weight).product();
            if weight > 0 {
                terms.push((weight, inside(near.map(|(found, _)| found), &mut read)?));
            }
        }
        Ok(std::array::from_fn(|i| {
            let own = terms.iter().map(|(weight, texel)| (*weight, f32::from_bits(texel[i])));
            blend::blended(own).to_bits()
        }))
    }

    /// Returns one component of the four texels that the linear filter would blend. They come
    /// counterclockwise from the lower left, where rows with higher numbers are lower.
    pub(crate) fn gathered<E>(
        &self,
        sampler: &Sampler,
        component: usize,
        coordinates: [f32; 3],
        offsets: [i32; 3],
        mut read: impl FnMut([u64; 3]) -> Result<Components, E>,
    ) -> Result<Components, E> {
        let size = self.texels.size();
        let [x, y] = [0, 1].map(|i| sampler.pair(i, coordinates[i], size[i], offsets[i], true));
        let mut all = [0; 4];
        for (to, (i, j)) in all.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
            *to = inside([x[i].0, y[j].0, Found::At(0)], &mut read)?[component];
        }
        Ok(all)
    }

    /// Returns the result of a fetch with the indices of a texel. Beyond linear memory are zeros.
    pub(crate) fn indexed<E>(
        &self,
        sampler: &Sampler,
        indices: [i32; 3],
        offsets: [i32; 3],
        mut read: impl FnMut([u64; 3]) -> Result<Components, E>,
    ) -> Result<Components, E> {
        let size = self.texels.size();
        let found = std::array::from_fn(|i| {
            let index = i64::from(indices[i]) + i64::from(offsets[i]);
            let mode = if self.texels.is_linear() { AddressMode::Border } else { sampler.unnormalized(i) };
            mode.apply(index.into(), size[i])
        });
        inside(found, &mut read)
    }
}

/// Reads a texel, or returns zeros beyond the border.
fn inside<E>(found: [Found; 3], read: &mut impl FnMut([u64; 3]) -> Result<Components, E>) -> Result<Components, E> {
    match found {
        [Found::At(x), Found::At(y), Found::At(z)] => read([x, y, z]),
        _ => Ok([0; 4]),
    }
}
