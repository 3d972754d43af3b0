//! Texture and surface objects.

use std::collections::BTreeMap;
use std::ffi::c_uint;

use ptxf_vm::{AddressMode, Filtering, Sampler, Texels, Texture};

use crate::abi::{In, Out};
use crate::array::{Array, channel, wrong};
use crate::failure::{Code, Done, Failure};
use crate::state::{self, State};
use crate::texref::Reference;

/// `CUDA_RESOURCE_DESC`. The words are a union, and the last one is 0.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Resource {
    pub(crate) kind: c_uint,
    pub(crate) words: [u64; 16],
    pub(crate) flags: c_uint,
}

/// The numbers of `CUresourcetype`.
pub(crate) const LINEAR: c_uint = 2;
pub(crate) const PITCHED: c_uint = 3;
const ARRAY: c_uint = 0;
const MIPMAPPED: c_uint = 1;

/// `CUDA_TEXTURE_DESC`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Description {
    pub(crate) modes: [c_uint; 3],
    pub(crate) filter: c_uint,
    pub(crate) flags: c_uint,
    pub(crate) anisotropy: c_uint,
    pub(crate) mipmap_filter: c_uint,
    pub(crate) mipmap_bias: f32,
    pub(crate) mipmap_clamps: [f32; 2],
    pub(crate) border: [f32; 4],
    pub(crate) reserved: [c_uint; 12],
}

/// `CUDA_RESOURCE_VIEW_DESC`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct View {
    format: c_uint,
    sizes: [usize; 3],
    levels: [c_uint; 2],
    layers: [c_uint; 2],
    reserved: [c_uint; 16],
}

/// The alignment of the first texel in bytes, and of rows. Allocations have the first one.
pub(crate) const ALIGNMENT: u64 = 256;
pub(crate) const PITCH_ALIGNMENT: u64 = 32;

/// CU_TRSF_READ_AS_INTEGER, _NORMALIZED_COORDINATES, _SRGB, and one that only concerns mipmaps.
pub(crate) const READ_AS_INTEGER: c_uint = 1;
pub(crate) const NORMALIZED: c_uint = 2;
pub(crate) const SRGB: c_uint = 0x10;
pub(crate) const DISABLE_TRILINEAR: c_uint = 0x20;

/// The objects of a context that textures need.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    pub(crate) arrays: BTreeMap<usize, Array>,
    /// The descriptions of objects, by the handles that kernels get.
    objects: BTreeMap<u64, (Resource, Description)>,
    surfaces: BTreeMap<u64, Resource>,
    pub(crate) references: BTreeMap<usize, Reference>,
}

/// Returns an address mode by its number.
pub(crate) fn mode(number: c_uint) -> Result<AddressMode, Failure> {
    match number {
        0 => Ok(AddressMode::Wrap),
        1 => Ok(AddressMode::Clamp),
        2 => Ok(AddressMode::Mirror),
        3 => Ok(AddressMode::Border),
        _ => Err(Code::InvalidValue.because(format!("{number} is no address mode"))),
    }
}

/// Returns a filter by its number.
pub(crate) fn filter(number: c_uint) -> Result<Filtering, Failure> {
    match number {
        0 => Ok(Filtering::Point),
        1 => Ok(Filtering::Linear),
        _ => Err(Code::InvalidValue.because(format!("{number} is no filter"))),
    }
}

/// Checks the flags of a texture.
pub(crate) fn check_flags(flags: c_uint) -> Done {
    if flags & !(READ_AS_INTEGER | NORMALIZED | DISABLE_TRILINEAR) == 0 {
        return Ok(());
    }
    let what = if flags & SRGB != 0 {
        "sRGB is not supported: convert the results in the kernel".to_owned()
    } else {
        format!("the flags {flags:#x} of a texture are not supported")
    };
    Err(Code::NotSupported.because(what))
}

/// Checks the color beyond a border.
pub(crate) fn check_border(color: [f32; 4]) -> Done {
    if color == [0.0; 4] {
        return Ok(());
    }
    Err(Code::NotSupported.because(format!("the border color {color:?} is not supported: it is 0")))
}

impl State {
    /// Returns the texels of a resource.
    fn texels(&self, resource: &Resource) -> Result<Texels, Failure> {
        let [first, second, third, fourth, fifth, ..] = resource.words;
        // A format and a number of channels share a word.
        let (format, channels) = (second as c_uint, (second >> 32) as c_uint);
        match resource.kind {
            ARRAY => self.array(first as usize).map(|array| array.texels),
            MIPMAPPED => Err(Code::NotSupported.because("mipmapped arrays are not supported: use an array")),
            LINEAR => linear(first, format, channels, third),
            PITCHED => pitched(first, format, channels, [third, fourth, fifth]),
            kind => Err(Code::InvalidValue.because(format!("{kind} is no kind of resource"))),
        }
    }
}

/// Checks that memory begins at a multiple of the alignment.
fn aligned(address: u64) -> Done {
    if address.is_multiple_of(ALIGNMENT) {
        return Ok(());
    }
    let what =
        format!("texels at {address:#x}, which is no multiple of {ALIGNMENT} (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)");
    Err(Code::InvalidValue.because(what))
}

/// Returns the texels of a number of bytes at an address.
pub(crate) fn linear(address: u64, format: c_uint, channels: c_uint, bytes: u64) -> Result<Texels, Failure> {
    aligned(address)?;
    let channel = channel(format)?;
    let texel = u64::from(channel.bytes().saturating_mul(channels)).max(1);
    Texels::linear(address, channel, channels, bytes / texel).map_err(wrong)
}

/// Returns the texels of rows: their width in texels, their number, and their distance in bytes.
pub(crate) fn pitched(
    address: u64,
    format: c_uint,
    channels: c_uint,
    [width, height, pitch]: [u64; 3],
) -> Result<Texels, Failure> {
    aligned(address)?;
    if height > 1 && !pitch.is_multiple_of(PITCH_ALIGNMENT) {
        let what = format!(
            "the pitch {pitch} is no multiple of {PITCH_ALIGNMENT} (CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)"
        );
        return Err(Code::InvalidValue.because(what));
    }
    Texels::pitched(address, channel(format)?, channels, width, height, pitch).map_err(wrong)
}

pub(crate) fn create(object: Out<u64>, resource: In<Resource>, texture: In<Description>, view: In<View>) -> Done {
    make(object, resource.get()?, texture.get()?, !view.is_null())
}

/// Creates a texture object. A view of its resource is refused.
pub(crate) fn make(object: Out<u64>, resource: Resource, description: Description, has_view: bool) -> Done {
    let object = object.place()?;
    if has_view {
        let what = "views of resources with other formats are not supported: pass a null pointer";
        return Err(Code::NotSupported.because(what));
    }
    check_flags(description.flags)?;
    check_border(description.border)?;
    let [x, y, z] = description.modes;
    let sampler = Sampler {
        modes: [mode(x)?, mode(y)?, mode(z)?],
        filter: filter(description.filter)?,
        normalized: description.flags & NORMALIZED != 0,
    };
    let context = state::current()?;
    let mut state = context.enter()?;
    let texels = state.texels(&resource)?;
    let texture = Texture::new(texels, sampler, description.flags & READ_AS_INTEGER == 0).map_err(wrong)?;
    let handle = state.machine.add_texture(texture);
    state.textures.objects.insert(handle, (resource, description));
    object.put(handle)
}

pub(crate) fn destroy(object: u64) -> Done {
    let context = state::current()?;
    let mut state = context.enter()?;
    state.textures.objects.remove(&object).ok_or_else(|| no("texture"))?;
    state.machine.remove_object(object);
    Ok(())
}

fn no(kind: &str) -> Failure {
    Code::InvalidValue.because(format!("the handle is of no {kind} object of the current context"))
}

/// Returns the descriptions of a texture object.
pub(crate) fn known(object: u64) -> Result<(Resource, Description), Failure> {
    state::current()?.enter()?.textures.objects.get(&object).copied().ok_or_else(|| no("texture"))
}

pub(crate) fn resource(resource: Out<Resource>, object: u64) -> Done {
    resource.put(known(object)?.0)
}

pub(crate) fn description(description: Out<Description>, object: u64) -> Done {
    description.put(known(object)?.1)
}

/// Fails: objects have no views.
pub(crate) fn view(view: Out<View>, object: u64) -> Done {
    view.place()?;
    known(object)?;
    Err(Code::InvalidValue.because("the texture was made without a view"))
}

impl State {
    /// Returns the handle of a new surface of an array.
    pub(crate) fn surface(&mut self, array: usize) -> Result<u64, Failure> {
        let array = self.array(array)?;
        if !array.is_surface() {
            let what = "an array without the flag CUDA_ARRAY3D_SURFACE_LDST (cudaArraySurfaceLoadStore)";
            return Err(Code::InvalidValue.because(what));
        }
        let texels = array.texels;
        self.machine.add_surface(texels).map_err(wrong)
    }
}

pub(crate) fn create_surface(object: Out<u64>, resource: In<Resource>) -> Done {
    make_surface(object, resource.get()?)
}

/// Creates a surface object.
pub(crate) fn make_surface(object: Out<u64>, resource: Resource) -> Done {
    let object = object.place()?;
    if resource.kind != ARRAY {
        return Err(Code::InvalidValue.because("a surface is made of an array"));
    }
    let context = state::current()?;
    let mut state = context.enter()?;
    let handle = state.surface(resource.words[0] as usize)?;
    state.textures.surfaces.insert(handle, resource);
    object.put(handle)
}

pub(crate) fn destroy_surface(object: u64) -> Done {
    let context = state::current()?;
    let mut state = context.enter()?;
    state.textures.surfaces.remove(&object).ok_or_else(|| no("surface"))?;
    state.machine.remove_object(object);
    Ok(())
}

/// Returns the resource of a surface object.
pub(crate) fn known_surface(object: u64) -> Result<Resource, Failure> {
    state::current()?.enter()?.textures.surfaces.get(&object).copied().ok_or_else(|| no("surface"))
}

pub(crate) fn surface_resource(resource: Out<Resource>, object: u64) -> Done {
    resource.put(known_surface(object)?)
}
