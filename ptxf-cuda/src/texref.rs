//! References: variables of a module that a program binds to textures and surfaces.

use std::ffi::{c_int, c_uint};

use ptxf_vm::{AddressMode, Buffer, Filtering, Sampler, Texels, Texture};

use crate::abi::{In, Out, Text};
use crate::array::{Descriptor, channel, wrong};
use crate::failure::{Code, Done, Failure};
use crate::state::{self, State};
use crate::texture::{self, ALIGNMENT, NORMALIZED, READ_AS_INTEGER};

/// The memory of a reference.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Nothing,
    Array(usize),
    /// The address and bytes of linear memory.
    Linear(u64, u64),
    /// The address of rows with their width, number and distance.
    Pitched(u64, [u64; 3]),
}

/// A `.texref` or `.surfref` of a module, or a reference of `cuTexRefCreate`.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The module and the name, unless a program has made the reference.
    of: Option<(usize, String)>,
    variable: Option<Buffer>,
    is_surface: bool,
    bound: Bound,
    sampler: Sampler,
    flags: c_uint,
    format: c_uint,
    channels: c_uint,
    anisotropy: c_uint,
    /// The handle of the bound texture or surface.
    object: Option<u64>,
}

/// CU_AD_FORMAT_FLOAT, the format before a program sets another one.
const FLOAT: c_uint = 32;
/// CU_TRSA_OVERRIDE_FORMAT: the format of the array replaces that of the reference.
const OVERRIDE_FORMAT: c_uint = 1;

impl Reference {
    const fn new(of: Option<(usize, String)>, variable: Option<Buffer>, sampler: Sampler, is_surface: bool) -> Self {
        Self {
            of,
            variable,
            is_surface,
            bound: Bound::Nothing,
            flags: if sampler.normalized { NORMALIZED } else { 0 },
            sampler,
            format: FLOAT,
            channels: 1,
            anisotropy: 1,
            object: None,
        }
    }

    fn texels(&self, state: &State) -> Result<Option<Texels>, Failure> {
        let (format, channels) = (self.format, self.channels);
        Ok(Some(match self.bound {
            Bound::Nothing => return Ok(None),
            Bound::Array(array) => state.array(array)?.texels,
            Bound::Linear(address, bytes) => texture::linear(address, format, channels, bytes)?,
            Bound::Pitched(address, sizes) => texture::pitched(address, format, channels, sizes)?,
        }))
    }
}

impl State {
    /// Removes the references of a module.
    pub(crate) fn forget_references(&mut self, module: usize) {
        self.textures.references.retain(|_, reference| reference.of.as_ref().is_none_or(|(of, _)| *of != module));
    }

    fn reference(&mut self, handle: usize) -> Result<&mut Reference, Failure> {
        let found = self.textures.references.get_mut(&handle);
        found.ok_or_else(|| Code::InvalidHandle.because("the handle is of no texture or surface reference"))
    }

    fn reference_named(&mut self, module: usize, name: &str, is_surface: bool) -> Result<usize, Failure> {
        let is_it = |reference: &Reference| {
            reference.is_surface == is_surface
                && reference.of.as_ref().is_some_and(|of| *of == (module, name.to_owned()))
        };
        if let Some((handle, _)) = self.textures.references.iter().find(|(_, reference)| is_it(reference)) {
            return Ok(*handle);
        }
        let program = &self.module(module)?.program;
        let (variable, sampler) = match is_surface {
            true => program.surface(name).map(|variable| (variable, Sampler::default())),
            false => program.texture(name),
        }
        .ok_or(Code::NotFound)?;
        let handle = self.handle();
        let reference = Reference::new(Some((module, name.to_owned())), Some(variable), sampler, is_surface);
        self.textures.references.insert(handle, reference);
        Ok(handle)
    }

    /// Writes the handle of a new texture to the variable of a reference.
    fn bind(&mut self, handle: usize) -> Done {
        let reference = self.reference(handle)?.clone();
        if let Some(old) = reference.object {
            self.machine.remove_object(old);
        }
        let object = match (reference.is_surface, reference.bound) {
            (true, Bound::Array(array)) => Some(self.surface(array)?),
            _ => reference.texels(self)?.map(|texels| {
                let fractions = reference.flags & READ_AS_INTEGER == 0;
                // The filter can be set after the format that it needs, so that fetches check it.
                self.machine.add_texture(Texture::unchecked(texels, reference.sampler, fractions))
            }),
        };
        self.reference(handle)?.object = object;
        if let Some(variable) = reference.variable {
            let bytes = object.unwrap_or(0).to_le_bytes();
            self.machine.write(variable, 0, &bytes).map_err(|fault| Code::InvalidHandle.because(fault.to_string()))?;
        }
        Ok(())
    }
}

/// Changes a reference, and binds it again.
fn change(handle: usize, change: impl FnOnce(&mut Reference, &State) -> Done) -> Done {
    let context = state::of(handle)?;
    let mut state = context.enter()?;
    let old = state.reference(handle)?.clone();
    let mut new = old.clone();
    change(&mut new, &state)?;
    *state.reference(handle)? = new;
    let done = state.bind(handle);
    if done.is_err() {
        // A change that cannot be leaves what was bound before.
        *state.reference(handle)? = Reference { object: None, ..old };
        state.bind(handle)?;
    }
    done
}

/// Returns something of a reference.
fn read<T>(handle: usize, of: impl FnOnce(&Reference) -> T) -> Result<T, Failure> {
    let context = state::of(handle)?;
    let mut state = context.enter()?;
    state.reference(handle).map(|reference| of(reference))
}

pub(crate) fn of_module(reference: Out<usize>, module: usize, name: Text) -> Done {
    named(reference, module, name, false)
}

pub(crate) fn surface_of_module(reference: Out<usize>, module: usize, name: Text) -> Done {
    named(reference, module, name, true)
}

fn named(reference: Out<usize>, module: usize, name: Text, is_surface: bool) -> Done {
    let name = name.get()?;
    let context = state::of(module)?;
    let found = context.enter()?.reference_named(module, &name, is_surface)?;
    reference.put(found)
}

pub(crate) fn create(reference: Out<usize>) -> Done {
    let (reference, context) = (reference.place()?, state::current()?);
    let mut state = context.enter()?;
    let handle = state.handle();
    state.textures.references.insert(handle, Reference::new(None, None, Sampler::default(), false));
    reference.put(handle)
}

pub(crate) fn destroy(reference: usize) -> Done {
    let context = state::of(reference)?;
    let mut state = context.enter()?;
    if state.reference(reference)?.of.is_some() {
        return Err(Code::InvalidValue.because("a reference of a module ends with the module"));
    }
    state.reference(reference)?.bound = Bound::Nothing;
    state.bind(reference)?;
    state.textures.references.remove(&reference);
    Ok(())
}

/// Binds linear memory. Its first texel can be after the beginning of the texture, which is
/// aligned.
pub(crate) fn set_address(offset: Out<usize>, reference: usize, address: u64, bytes: usize) -> Done {
    let before = address % ALIGNMENT;
    if before != 0 && offset.is_null() {
        let what = format!("{address:#x} is no multiple of {ALIGNMENT}: pass a place for the offset in bytes");
        return Err(Code::InvalidValue.because(what));
    }
    change(reference, |reference, _| {
        reference.bound = Bound::Linear(address - before, (bytes as u64).saturating_add(before));
        Ok(())
    })?;
    offset.put_if(before as usize);
    Ok(())
}

pub(crate) fn set_address_2(reference: usize, descriptor: In<Descriptor>, address: u64, pitch: usize) -> Done {
    let Descriptor { width, height, format, channels } = descriptor.get()?;
    change(reference, |reference, _| {
        (reference.format, reference.channels) = (format, channels);
        reference.bound = Bound::Pitched(address, [width as u64, height.max(1) as u64, pitch as u64]);
        Ok(())
    })
}

pub(crate) fn set_array(reference: usize, array: usize, flags: c_uint) -> Done {
    if flags & !OVERRIDE_FORMAT != 0 {
        return Err(Code::InvalidValue.because(format!("{flags:#x} is no flag of a reference with an array")));
    }
    change(reference, |reference, state| {
        let descriptor = state.array(array)?.descriptor();
        (reference.format, reference.channels) = (descriptor.format, descriptor.channels);
        reference.bound = Bound::Array(array);
        Ok(())
    })
}

pub(crate) fn set_surface_array(reference: usize, array: usize, flags: c_uint) -> Done {
    if flags != 0 {
        return Err(Code::InvalidValue.because("a surface reference takes no flags"));
    }
    set_array(reference, array, 0)
}

pub(crate) fn set_format(reference: usize, format: c_uint, channels: c_int) -> Done {
    let channels = c_uint::try_from(channels).map_err(|_| Code::InvalidValue)?;
    Texels::linear(0, channel(format)?, channels, 1).map_err(wrong)?;
    change(reference, |reference, _| {
        (reference.format, reference.channels) = (format, channels);
        Ok(())
    })
}

pub(crate) fn set_mode(reference: usize, axis: c_int, mode: c_uint) -> Done {
    let mode = texture::mode(mode)?;
    let axis = usize::try_from(axis).ok().filter(|axis| *axis < 3);
    let axis = axis.ok_or_else(|| Code::InvalidValue.because("an axis is 0, 1 or 2"))?;
    change(reference, |reference, _| {
        reference.sampler.modes[axis] = mode;
        Ok(())
    })
}

pub(crate) fn set_filter(reference: usize, filter: c_uint) -> Done {
    let filter = texture::filter(filter)?;
    change(reference, |reference, _| {
        reference.sampler.filter = filter;
        Ok(())
    })
}

pub(crate) fn set_flags(reference: usize, flags: c_uint) -> Done {
    texture::check_flags(flags)?;
    change(reference, |reference, _| {
        (reference.flags, reference.sampler.normalized) = (flags, flags & NORMALIZED != 0);
        Ok(())
    })
}

/// Keeps a number that only concerns mipmaps.
pub(crate) fn set_anisotropy(reference: usize, most: c_uint) -> Done {
    change(reference, |reference, _| {
        reference.anisotropy = most;
        Ok(())
    })
}

pub(crate) fn set_border(reference: usize, color: In<[f32; 4]>) -> Done {
    read(reference, |_| ())?;
    texture::check_border(color.get()?)
}

pub(crate) fn address(address: Out<u64>, reference: usize) -> Done {
    match read(reference, |reference| reference.bound)? {
        Bound::Linear(found, _) | Bound::Pitched(found, _) => address.put(found),
        _ => Err(Code::InvalidValue.because("the reference is not bound to linear memory")),
    }
}

pub(crate) fn array(array: Out<usize>, reference: usize) -> Done {
    match read(reference, |reference| reference.bound)? {
        Bound::Array(found) => array.put(found),
        _ => Err(Code::InvalidValue.because("the reference is not bound to an array")),
    }
}

pub(crate) fn mode(mode: Out<c_uint>, reference: usize, axis: c_int) -> Done {
    let modes = read(reference, |reference| reference.sampler.modes)?;
    let found = usize::try_from(axis).ok().and_then(|axis| modes.get(axis).copied()).ok_or(Code::InvalidValue)?;
    mode.put(match found {
        AddressMode::Wrap => 0,
        AddressMode::Clamp => 1,
        AddressMode::Mirror => 2,
        AddressMode::Border => 3,
    })
}

pub(crate) fn filter(filter: Out<c_uint>, reference: usize) -> Done {
    filter.put((read(reference, |reference| reference.sampler.filter)? == Filtering::Linear).into())
}

pub(crate) fn format(format: Out<c_uint>, channels: Out<c_int>, reference: usize) -> Done {
    let (found, count) = read(reference, |reference| (reference.format, reference.channels))?;
    format.put_if(found);
    channels.put_if(count as c_int);
    Ok(())
}

pub(crate) fn flags(flags: Out<c_uint>, reference: usize) -> Done {
    flags.put(read(reference, |reference| reference.flags)?)
}

pub(crate) fn anisotropy(most: Out<c_uint>, reference: usize) -> Done {
    most.put(read(reference, |reference| reference.anisotropy)?)
}

pub(crate) fn border(color: Out<[f32; 4]>, reference: usize) -> Done {
    read(reference, |_| ())?;
    color.put([0.0; 4])
}

/// Does nothing: a function of a module reads the references of the module.
pub(crate) fn of_function(function: usize, _unit: c_int, reference: usize) -> Done {
    crate::module::load_function(function)?;
    read(reference, |_| ())
}
