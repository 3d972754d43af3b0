//! An argument that is a texture: `tex.linear.border:buf:IMAGE.npy`.

use ptxf_vm::{AddressMode, Channel, Filtering, Machine, Sampler, Texels, Texture};

use crate::argument::{Argument, Source, read};
use crate::npy::Shape;
use crate::operand::excerpt;

/// A texture as the command line has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sampled {
    pub(crate) from: Source,
    sampler: Sampler,
    fractions: bool,
    is_linear: bool,
}

impl Sampled {
    /// Reads the words between the dots of `tex.linear.border`, and the argument after it.
    pub(crate) fn read(words: &str, from: &str) -> Result<Self, String> {
        let Argument::Buffer { from, to: None } = read(from).map_err(|why| format!("the texels: {why}"))?.0 else {
            return Err("texels are a buffer that is not written: write tex:buf:IMAGE.npy, without `>`".to_owned());
        };
        let mut texture = Self { from, sampler: Sampler::default(), fractions: false, is_linear: false };
        for word in words.split('.').skip(1) {
            let mode = match word {
                "wrap" => Some(AddressMode::Wrap),
                "clamp" => Some(AddressMode::Clamp),
                "mirror" => Some(AddressMode::Mirror),
                "border" => Some(AddressMode::Border),
                _ => None,
            };
            match (word, mode) {
                (_, Some(mode)) => texture.sampler.modes = [mode; 3],
                ("point", _) => texture.sampler.filter = Filtering::Point,
                ("linear", _) => texture.sampler.filter = Filtering::Linear,
                ("normalized", _) => texture.sampler.normalized = true,
                ("fractions", _) => texture.fractions = true,
                ("memory", _) => texture.is_linear = true,
                _ => {
                    let words = "point, linear, wrap, clamp, mirror, border, normalized, fractions, memory";
                    return Err(format!("{} is no word about a texture: the words are {words}", excerpt(word)));
                }
            }
        }
        Ok(texture)
    }

    /// Adds the texture of an array to a machine. Returns its handle.
    pub(crate) fn add(&self, machine: &mut Machine, address: u64, shape: &Shape) -> Result<u64, String> {
        let channel = match shape.descr().get(1..) {
            Some("u1") => Channel::U8,
            Some("u2") => Channel::U16,
            Some("u4") => Channel::U32,
            Some("i1") => Channel::S8,
            Some("i2") => Channel::S16,
            Some("i4") => Channel::S32,
            Some("f2") => Channel::F16,
            Some("f4") => Channel::F32,
            _ => {
                let what = "integers of 8, 16 or 32 bits, f16 or f32";
                return Err(format!("its elements are `{}`, and texels are {what}: convert it", shape.descr()));
            }
        };
        // The last length of an array is that of a row.
        let sizes: Vec<u64> = shape.counts().into_iter().rev().map(|n| n as u64).collect();
        let texels = match self.is_linear {
            true => Texels::linear(address, channel, 1, sizes.iter().product()),
            false => Texels::array(address, channel, 1, &sizes, None),
        };
        Ok(machine.add_texture(Texture::new(texels?, self.sampler, self.fractions)?))
    }
}
