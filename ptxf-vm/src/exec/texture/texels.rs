//! Texels in global memory: their format and their places.

use ptxf::F16;

use super::Components;

/// A type of a texel's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 8 bits.
    S8,
    /// Signed, 16 bits.
    S16,
    /// Signed, 32 bits.
    S32,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
}

impl Channel {
    /// Returns the size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32)
    }

    pub(crate) const fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32)
    }

    /// Returns CUDA's number of the type, as `txq` and `suq` read it.
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 3,
            Self::S8 => 8,
            Self::S16 => 9,
            Self::S32 => 10,
            Self::F16 => 16,
            Self::F32 => 32,
        }
    }

    /// Returns a component as 32 bits: a sign-extended or zero-extended integer, or an f32.
    pub(crate) fn decoded(self, bits: u64, fractions: bool) -> u32 {
        let f = |x: f32| x.to_bits();
        match self {
            Self::U8 if fractions => f(bits as u8 as f32 / 255.0),
            Self::U16 if fractions => f(bits as u16 as f32 / 65535.0),
            // The least integer is -1, as the one above it.
            Self::S8 if fractions => f((bits as i8 as f32 / 127.0).max(-1.0)),
            Self::S16 if fractions => f((bits as i16 as f32 / 32767.0).max(-1.0)),
            Self::S8 => (bits as i8 as i32).cast_unsigned(),
            Self::S16 => (bits as i16 as i32).cast_unsigned(),
            Self::F16 => f(F16::from_bits(bits as u16).to_f32()),
            Self::U8 | Self::U16 | Self::U32 | Self::S32 | Self::F32 => bits as u32,
        }
    }

    /// Returns the component that a formatted store writes. Integers saturate.
    pub(crate) fn encoded(self, bits: u32) -> u64 {
        let signed = bits.cast_signed();
        match self {
            Self::U8 => bits.min(0xff).into(),
            Self::U16 => bits.min(0xffff).into(),
            Self::S8 => (signed.clamp(-0x80, 0x7f) as u8).into(),
            Self::S16 => (signed.clamp(-0x8000, 0x7fff) as u16).into(),
            Self::F16 => F16::from_f32(f32::from_bits(bits)).to_bits().into(),
            Self::U32 | Self::S32 | Self::F32 => bits.into(),
        }
    }
}

/// The dimensions of an instruction: `.2d`, `.a1d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) dimensions: usize,
    pub(crate) is_layered: bool,
}

/// Texels in global memory: linear memory, rows at a distance, or an array.
///
/// # Examples
///
/// ```
/// use ptxf_vm::{Channel, Machine, Texels};
///
/// let mut machine = Machine::new();
/// let x = machine.alloc(4 << 10).address();
/// // 16 rows of 50 texels of four bytes, 256 bytes apart.
/// let image = Texels::pitched(x, Channel::U8, 4, 50, 16, 256)?;
/// assert_eq!(image.bytes(), 15 * 256 + 200);
/// let error = Texels::pitched(x, Channel::U8, 4, 50, 16, 64).unwrap_err();
/// assert_eq!(error, "rows are 64 bytes apart, and each has 200");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texels {
    address: u64,
    channel: Channel,
    channels: u8,
    dimensions: u8,
    is_linear: bool,
    /// Texels along x, y and z; 1 along a dimension that is not there.
    size: [u64; 3],
    layers: Option<u32>,
    /// Bytes between rows, and between slices or layers.
    row: u64,
    slice: u64,
}

/// The most texels of a dimension, and the most bytes of all texels.
const MOST: u64 = 1 << 28;
const MOST_BYTES: u64 = 1 << 44;

impl Texels {
    /// Makes texels of linear memory, which only fetches with integers read. A fetch beyond the
    /// last texel is zero.
    ///
    /// # Errors
    ///
    /// Returns a description of the first impossible value.
    pub fn linear(address: u64, channel: Channel, channels: u32, width: u64) -> Result<Self, String> {
        Ok(Self { is_linear: true, ..Self::array(address, channel, channels, &[width], None)? })
    }

    /// Makes texels of rows that begin `pitch` bytes apart.
    ///
    /// # Errors
    ///
    /// Returns a description of the first impossible value.
    pub fn pitched(
        address: u64,
        channel: Channel,
        channels: u32,
        width: u64,
        height: u64,
        pitch: u64,
    ) -> Result<Self, String> {
        let packed = Self::array(address, channel, channels, &[width, height], None)?;
        if pitch < packed.row {
            return Err(format!("rows are {pitch} bytes apart, and each has {}", packed.row));
        }
        if !pitch.is_multiple_of(packed.texel_bytes()) || pitch >= MOST_BYTES / height {
            return Err(format!("the pitch {pitch} is no multiple of a texel, or beyond all memory"));
        }
        Ok(Self { row: pitch, slice: pitch * height, ..packed })
    }

    /// Makes texels of an array without gaps, of one to three sizes, the width first. `layers` is
    /// the number of layers of a layered array, whose layers have one or two dimensions.
    ///
    /// # Errors
    ///
    /// Returns a description of the first impossible value.
    pub fn array(
        address: u64,
        channel: Channel,
        channels: u32,
        sizes: &[u64],
        layers: Option<u32>,
    ) -> Result<Self, String> {
        if !matches!(channels, 1 | 2 | 4) {
            return Err(format!("texels have 1, 2 or 4 channels, and not {channels}"));
        }
        let most = if layers.is_some() { 2 } else { 3 };
        if !(1..=most).contains(&sizes.len()) {
            return Err(format!("there are 1 to {most} dimensions, and not {}", sizes.len()));
        }
        let mut size = [1; 3];
        size[..sizes.len()].copy_from_slice(sizes);
        if let Some(n) = size.iter().copied().chain(layers.map(u64::from)).find(|n| !(1..=MOST).contains(n)) {
            return Err(format!("a size is from 1 to 2^28, and not {n}"));
        }
        let texel = u64::from(channel.bytes() * channels);
        if !address.is_multiple_of(texel) {
            return Err(format!("the address {address:#x} is no multiple of {texel}, the bytes of a texel"));
        }
        let slice = texel.saturating_mul(size[0]).saturating_mul(size[1]);
        if slice.saturating_mul(size[2].max(layers.unwrap_or(1).into())) > MOST_BYTES {
            return Err("all texels have more than 2^44 bytes".to_owned());
        }
        let (channels, dimensions) = (channels as u8, sizes.len() as u8);
        Ok(Self { address, channel, channels, dimensions, is_linear: false, size, layers, row: texel * size[0], slice })
    }

    /// Returns the texels with each row at a multiple of 16 bytes, as surfaces of CUDA have them.
    #[must_use]
    pub const fn padded(self) -> Self {
        let row = self.row.next_multiple_of(16);
        Self { row, slice: row * self.size[1], ..self }
    }

    /// Returns the type of a component.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        self.channel
    }

    /// Returns the number of components: 1, 2 or 4.
    #[must_use]
    pub const fn channels(&self) -> u32 {
        self.channels as u32
    }

    /// Returns the number of bytes from the first texel to the end of the last one.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let last = [self.size[0] - 1, self.size[1] - 1, self.size[2] - 1];
        self.place(last, self.layers.unwrap_or(1) - 1).wrapping_sub(self.address) + self.texel_bytes()
    }

    pub(crate) const fn dimensions(&self) -> usize {
        self.dimensions as usize
    }

    pub(crate) const fn size(&self) -> [u64; 3] {
        self.size
    }

    pub(crate) const fn layers(&self) -> Option<u32> {
        self.layers
    }

    pub(crate) const fn is_linear(&self) -> bool {
        self.is_linear
    }

    pub(crate) const fn texel_bytes(&self) -> u64 {
        self.channel.bytes() as u64 * self.channels as u64
    }

    /// Returns the number of bytes of a row.
    pub(crate) const fn row_bytes(&self) -> u64 {
        self.texel_bytes() * self.size[0]
    }

    /// Returns the address of a texel.
    pub(crate) fn place(&self, [x, y, z]: [u64; 3], layer: u32) -> u64 {
        self.place_of_byte([x * self.texel_bytes(), y, z], layer)
    }

    /// Returns the address of a byte of a row.
    pub(crate) fn place_of_byte(&self, [x, y, z]: [u64; 3], layer: u32) -> u64 {
        self.address.wrapping_add(x + y * self.row + (z + u64::from(layer)) * self.slice)
    }

    /// Returns the components of a texel out of their bits.
    pub(crate) fn decoded(&self, fractions: bool, bits: impl Fn(u32) -> u64) -> Components {
        std::array::from_fn(|i| match i as u32 {
            i if i < self.channels() => self.channel.decoded(bits(i), fractions),
            _ => 0,
        })
    }

    /// Returns an error if an instruction of this geometry cannot access the texels.
    pub(crate) fn check(&self, geometry: Geometry, by_integers: bool) -> Result<(), String> {
        let described = match (self.is_linear, self.layers) {
            (true, _) => "linear memory".to_owned(),
            (_, Some(_)) => format!("layers of {} dimensions", self.dimensions),
            _ => format!("{} dimensions", self.dimensions),
        };
        let fits = geometry.is_layered == self.layers.is_some()
            && self.size[geometry.dimensions..].iter().all(|n| *n == 1)
            && (!self.is_linear || geometry.dimensions == 1);
        if !fits {
            return Err(format!("which has {described}: use an instruction of the same dimensions"));
        }
        if self.is_linear && !by_integers {
            return Err(
                "which has linear memory, and only integers fetch from that: use `.s32` coordinates (tex1Dfetch), or \
                 an array"
                    .to_owned(),
            );
        }
        Ok(())
    }
}
