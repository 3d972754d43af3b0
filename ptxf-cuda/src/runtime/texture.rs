//! Texture and surface objects, whose descriptions differ from the driver's.

use std::ffi::{c_int, c_uint};

use super::channels::Channels;
use crate::abi::{In, Out};
use crate::failure::{Done, Failure};
use crate::texture::{self, DISABLE_TRILINEAR, Description, LINEAR, NORMALIZED, PITCHED, READ_AS_INTEGER, SRGB, View};

/// `cudaResourceDesc`, as far as CUDA 12 has it. CUDA 13 adds flags, which have to be zero.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Resource {
    kind: c_uint,
    /// The array, or the address of linear memory.
    of: u64,
    channels: Channels,
    /// Bytes; or texels of a row, rows, and bytes between rows.
    sizes: [u64; 3],
}

/// `cudaTextureDesc`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Texture {
    modes: [c_uint; 3],
    filter: c_uint,
    /// 1 if integers are read as fractions.
    reads_fractions: c_uint,
    is_srgb: c_int,
    border: [f32; 4],
    is_normalized: c_int,
    anisotropy: c_uint,
    mipmap_filter: c_uint,
    mipmap_bias: f32,
    mipmap_clamps: [f32; 2],
    disables_trilinear: c_int,
    is_seamless: c_int,
}

/// The flag CU_TRSF_SEAMLESS_CUBEMAP.
const SEAMLESS: c_uint = 0x40;

impl Resource {
    fn of_driver(self) -> Result<texture::Resource, Failure> {
        let mut words = [0; 16];
        words[0] = self.of;
        if matches!(self.kind, LINEAR | PITCHED) {
            let (format, channels) = self.channels.format()?;
            words[1] = u64::from(channels) << 32 | u64::from(format);
            words[2..5].copy_from_slice(&self.sizes);
        }
        Ok(texture::Resource { kind: self.kind, words, flags: 0 })
    }

    fn of_runtime(resource: &texture::Resource) -> Self {
        let [of, format, width, height, pitch, ..] = resource.words;
        let channels = Channels::of(format as c_uint, (format >> 32) as c_uint);
        Self { kind: resource.kind, of, channels, sizes: [width, height, pitch] }
    }
}

impl Texture {
    fn of_driver(self) -> Description {
        let flags = [
            (self.reads_fractions == 0, READ_AS_INTEGER),
            (self.is_normalized != 0, NORMALIZED),
            (self.is_srgb != 0, SRGB),
            (self.disables_trilinear != 0, DISABLE_TRILINEAR),
            (self.is_seamless != 0, SEAMLESS),
        ];
        Description {
            modes: self.modes,
            filter: self.filter,
            flags: flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum(),
            anisotropy: self.anisotropy,
            mipmap_filter: self.mipmap_filter,
            mipmap_bias: self.mipmap_bias,
            mipmap_clamps: self.mipmap_clamps,
            border: self.border,
            reserved: [0; 12],
        }
    }

    fn of_runtime(of: &Description) -> Self {
        let is = |flag| c_int::from(of.flags & flag != 0);
        Self {
            modes: of.modes,
            filter: of.filter,
            reads_fractions: c_uint::from(of.flags & READ_AS_INTEGER == 0),
            is_srgb: is(SRGB),
            border: of.border,
            is_normalized: is(NORMALIZED),
            anisotropy: of.anisotropy,
            mipmap_filter: of.mipmap_filter,
            mipmap_bias: of.mipmap_bias,
            mipmap_clamps: of.mipmap_clamps,
            disables_trilinear: is(DISABLE_TRILINEAR),
            is_seamless: is(SEAMLESS),
        }
    }
}

pub(super) fn create(object: Out<u64>, resource: In<Resource>, texture: In<Texture>, view: In<View>) -> Done {
    texture::make(object, resource.get()?.of_driver()?, texture.get()?.of_driver(), !view.is_null())
}

pub(super) fn resource(resource: Out<Resource>, object: u64) -> Done {
    resource.put(Resource::of_runtime(&texture::known(object)?.0))
}

pub(super) fn description(description: Out<Texture>, object: u64) -> Done {
    description.put(Texture::of_runtime(&texture::known(object)?.1))
}

pub(super) fn create_surface(object: Out<u64>, resource: In<Resource>) -> Done {
    texture::make_surface(object, resource.get()?.of_driver()?)
}

pub(super) fn surface_resource(resource: Out<Resource>, object: u64) -> Done {
    resource.put(Resource::of_runtime(&texture::known_surface(object)?))
}
