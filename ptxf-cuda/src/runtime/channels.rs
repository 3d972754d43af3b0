//! Descriptions of the channels of texels.

use std::ffi::{c_int, c_uint};

use crate::failure::{Code, Failure};

/// `cudaChannelFormatDesc`: the bits of each channel, and the kind of their values.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Channels {
    bits: [c_int; 4],
    kind: c_uint,
}

/// Kinds of `cudaChannelFormatKind` and bits, with the number of their `CUarray_format`.
const FORMATS: [(c_uint, c_int, c_uint); 8] = [
    (SIGNED, 8, 8),
    (SIGNED, 16, 9),
    (SIGNED, 32, 10),
    (UNSIGNED, 8, 1),
    (UNSIGNED, 16, 2),
    (UNSIGNED, 32, 3),
    (FLOAT, 16, 16),
    (FLOAT, 32, 32),
];
const SIGNED: c_uint = 0;
const UNSIGNED: c_uint = 1;
const FLOAT: c_uint = 2;

impl Channels {
    pub(super) const fn new(bits: [c_int; 4], kind: c_uint) -> Self {
        Self { bits, kind }
    }

    /// Returns the driver's format and number of channels.
    pub(super) fn format(self) -> Result<(c_uint, c_uint), Failure> {
        let Self { bits, kind } = self;
        if kind > FLOAT {
            let what = format!(
                "channels of kind {kind} are not supported: cudaChannelFormatKindSigned (0), …Unsigned (1) and …Float (2) \
                 are"
            );
            return Err(Code::NotSupported.because(what));
        }
        let count = bits.iter().take_while(|bits| **bits != 0).count();
        let is_even =
            bits[..count].iter().all(|other| *other == bits[0]) && bits[count..].iter().all(|bits| *bits == 0);
        let found = FORMATS.iter().find(|(of, each, _)| (*of, *each) == (kind, bits[0]));
        match found {
            Some((.., format)) if is_even && matches!(count, 1 | 2 | 4) => Ok((*format, count as c_uint)),
            _ => Err(Code::InvalidChannels.because(format!(
                "channels of {bits:?} bits and kind {kind}: 1, 2 or 4 channels have the same 8, 16 or 32 bits, and floats \
                 16 or 32"
            ))),
        }
    }

    /// Returns the description of a format of the driver.
    pub(super) fn of(format: c_uint, channels: c_uint) -> Self {
        let found = FORMATS.iter().find(|(.., of)| *of == format);
        let (kind, bits) = found.map_or((0, 0), |(kind, bits, _)| (*kind, *bits));
        Self::new(std::array::from_fn(|i| if i < channels as usize { bits } else { 0 }), kind)
    }
}
