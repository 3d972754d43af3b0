//! Runs accesses of textures and surfaces.

use ptxf_text::{Class, Opaque, Ty};

use super::access::Size;
use super::fault::FaultKind;
use super::memory::{Allocation, Refused};
use super::objects::{Handle, Object};
use super::warp::{Warp, Wrong};
use super::{INPUT_WINDOW, WINDOW};
use crate::code::{Attribute, Beyond, Delivered, Fetch, Plain, Surface, Texturing, Where};
use crate::exec::convert::extended;
use crate::exec::registers::lanes;
use crate::exec::texture::{Components, Filtering, Sampler, Texels, Texture};
use crate::exec::{Mask, Reg};

/// Makes the fault of a lane.
fn wrong(lane: usize, kind: FaultKind, what: impl Into<String>) -> Wrong {
    Wrong { lane: lane as u32, kind, what: what.into(), buffer: None }
}

impl<'l> Warp<'l> {
    /// Runs an instruction on textures or surfaces for each lane.
    pub(super) fn texturing(&mut self, frame: usize, op: &Texturing, mask: Mask) -> Result<(), Wrong> {
        for lane in lanes(mask) {
            match op {
                Texturing::Fetch(fetch) => self.fetch(frame, fetch, lane)?,
                Texturing::Surface(surface) => self.surface(frame, surface, lane)?,
                Texturing::Query { result, object, attribute } => {
                    let value = self.attribute(lane, self.frames[frame].registers.get(*object, lane), *attribute)?;
                    self.frames[frame].registers.set(*result, lane, value.into());
                }
                Texturing::IsType { predicate, object, kind } => {
                    let is_it = self.is_kind(self.frames[frame].registers.get(*object, lane), *kind);
                    let truth = if is_it { 1 << lane } else { 0 };
                    self.frames[frame].registers.set_truth(*predicate, truth, 1 << lane);
                }
            }
        }
        Ok(())
    }

    /// Returns the handle that a value is, or that the variable or parameter at this address has.
    fn handle(&self, value: u64) -> u64 {
        if let Some(at) = value.checked_sub(INPUT_WINDOW).filter(|at| *at < WINDOW) {
            let bytes = self.launch.input.get(at as usize..).and_then(|rest| rest.first_chunk());
            return bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        }
        match self.launch.memory.find(value, 8) {
            Ok(found) if value.is_multiple_of(8) && found.is_variable() => found.read(value, 8),
            _ => value,
        }
    }

    fn object(&self, lane: usize, value: u64) -> Result<&'l Object, Wrong> {
        let handle = self.handle(value);
        match self.launch.objects.get(handle) {
            Handle::Live(object) => Ok(object),
            Handle::Removed => {
                Err(wrong(lane, FaultKind::Freed, format!("the texture or surface {handle:#x} was destroyed")))
            }
            Handle::None if handle == 0 => {
                let what = "a texture or surface without memory: bind one before the launch, or pass its handle";
                Err(wrong(lane, FaultKind::OutOfBounds, what))
            }
            Handle::None => Err(wrong(
                lane,
                FaultKind::OutOfBounds,
                format!(
                    "{handle:#x} is no texture or surface: pass what `cuTexObjectCreate`, `Machine::add_texture` or `tex:` of \
                 `ptxf run` makes"
                ),
            )),
        }
    }

    fn texture(&self, lane: usize, value: u64) -> Result<&'l Texture, Wrong> {
        match self.object(lane, value)? {
            Object::Texture(texture) => Ok(texture),
            Object::Surface(_) => Err(wrong(lane, FaultKind::OutOfBounds, "a surface where a texture is expected")),
        }
    }

    fn sampler(&self, lane: usize, value: u64) -> Result<Sampler, Wrong> {
        let none = || wrong(lane, FaultKind::OutOfBounds, format!("{value:#x} is the address of no sampler"));
        Sampler::of_word(self.handle(value)).ok_or_else(none)
    }

    fn is_kind(&self, value: u64, kind: Opaque) -> bool {
        match (kind, self.launch.objects.get(self.handle(value))) {
            (Opaque::Texture, Handle::Live(Object::Texture(_))) => true,
            (Opaque::Surface, Handle::Live(Object::Surface(_))) => true,
            (Opaque::Sampler, _) => Sampler::of_word(self.handle(value)).is_some(),
            _ => false,
        }
    }

    fn attribute(&self, lane: usize, value: u64, attribute: Attribute) -> Result<u32, Wrong> {
        // The attributes of a sampler are those of a texture in unified mode.
        let sampler = match attribute {
            Attribute::FilterMode
            | Attribute::AddrMode(_)
            | Attribute::ForceUnnormalizedCoords
            | Attribute::NormalizedCoords => match Sampler::of_word(self.handle(value)) {
                Some(sampler) => sampler,
                None => self.texture(lane, value)?.sampler,
            },
            _ => Sampler::default(),
        };
        let of = |texels: &Texels| {
            let [width, height, depth] = texels.size();
            let there = |dimensions, n| if texels.dimensions() >= dimensions { n as u32 } else { 0 };
            match attribute {
                Attribute::Width => width as u32,
                Attribute::Height => there(2, height),
                Attribute::Depth => there(3, depth),
                Attribute::ArraySize => texels.layers().unwrap_or(0),
                Attribute::ChannelDataType => texels.channel().number(),
                Attribute::ChannelOrder => texels.channels(),
                Attribute::MemoryLayout => texels.is_linear().into(),
                _ => 1,
            }
        };
        Ok(match attribute {
            Attribute::NormalizedCoords => sampler.normalized.into(),
            Attribute::ForceUnnormalizedCoords => (!sampler.normalized).into(),
            Attribute::FilterMode => (sampler.filter == Filtering::Linear).into(),
            Attribute::AddrMode(axis) => sampler.modes[axis].number(),
            _ => match self.object(lane, value)? {
                Object::Texture(texture) => of(&texture.texels),
                Object::Surface(texels) => of(texels),
            },
        })
    }

    /// Returns the allocation that has these bytes.
    fn place(&self, lane: usize, address: u64, size: Size, writes: bool) -> Result<&'l Allocation, Wrong> {
        let refused =
            |Refused { kind, what, buffer }| Wrong { buffer, ..size.wrong(lane as u32, kind, address, &what) };
        let found = self.launch.memory.find(address, size.bytes).map_err(refused)?;
        if writes && found.is_constant() {
            return Err(size.wrong(lane as u32, FaultKind::ReadOnly, address, &format!("in {}", found.named())));
        }
        Ok(found)
    }

    fn coordinates(&self, frame: usize, at: &Where, lane: usize) -> [u32; 3] {
        let mut all = [0; 3];
        for (to, reg) in all.iter_mut().zip(&at.coordinates) {
            *to = self.frames[frame].registers.get(*reg, lane) as u32;
        }
        all
    }

    /// Returns the bytes that each lane reads or writes. An access that is a fault has none.
    pub(super) fn texels(&self, frame: usize, op: &Texturing, mask: Mask) -> Vec<(usize, u64, u64)> {
        let mut all = Vec::new();
        for lane in lanes(mask) {
            match op {
                Texturing::Fetch(fetch) => {
                    let mut seen = Vec::new();
                    if self.fetched(frame, fetch, lane, |address, bytes| seen.push((lane, address, bytes))).is_ok() {
                        all.append(&mut seen);
                    }
                }
                Texturing::Surface(surface) => {
                    if let Ok((_, size, Some(address))) = self.surfaced(frame, surface, lane) {
                        all.push((lane, address, size.bytes));
                    }
                }
                Texturing::Query { .. } | Texturing::IsType { .. } => {}
            }
        }
        all
    }

    fn fetch(&mut self, frame: usize, fetch: &Fetch, lane: usize) -> Result<(), Wrong> {
        let components = self.fetched(frame, fetch, lane, |_, _| ())?;
        self.deliver(frame, fetch, lane, components);
        Ok(())
    }

    /// Returns the result of a fetch. `see` gets the address and the bytes of each texel.
    fn fetched(
        &self,
        frame: usize,
        fetch: &Fetch,
        lane: usize,
        mut see: impl FnMut(u64, u64),
    ) -> Result<Components, Wrong> {
        let value = |reg: Reg| self.frames[frame].registers.get(reg, lane);
        let texture = self.texture(lane, value(fetch.texture))?;
        let texels = &texture.texels;
        texels
            .check(fetch.at.geometry, fetch.by_integers)
            .map_err(|what| wrong(lane, FaultKind::OutOfBounds, format!("a fetch from a texture {what}")))?;
        let sampler = match fetch.sampler {
            Some(reg) => self.sampler(lane, value(reg))?,
            None => texture.sampler,
        };
        if sampler.filter == Filtering::Linear && !texture.is_float() && !fetch.by_integers {
            let what = "the linear filter of a sampler with a texture of integers: use `filter_mode = nearest`";
            return Err(wrong(lane, FaultKind::OutOfBounds, what));
        }
        if fetch.delivered != Delivered::Words && !texture.is_float() {
            let what = "a fetch of f16 from a texture of integers: use `.u32` or `.s32`, or read normalized floats";
            return Err(wrong(lane, FaultKind::OutOfBounds, what));
        }
        let mut offsets = [0; 3];
        for (to, reg) in offsets.iter_mut().zip(&fetch.offsets[..fetch.offsets.len().min(texels.dimensions())]) {
            *to = (value(*reg) as u32).cast_signed();
            if !(-8..8).contains(to) {
                return Err(wrong(lane, FaultKind::OutOfBounds, format!("the offset {to} is not from -8 to 7")));
            }
        }
        let layer = fetch.at.layer.map_or(0, |reg| (value(reg) as u32).min(texels.layers().unwrap_or(1) - 1));
        let read = |index| {
            let size = Size { verb: "read of a texel", bytes: texels.texel_bytes() };
            let (address, channel) = (texels.place(index, layer), texels.channel().bytes());
            let found = self.place(lane, address, size, false)?;
            see(address, size.bytes);
            Ok(texels.decoded(texture.fractions, |i| found.read(address + u64::from(i * channel), channel)))
        };
        let at = self.coordinates(frame, &fetch.at, lane);
        match fetch.gathered {
            _ if fetch.by_integers => texture.indexed(&sampler, at.map(u32::cast_signed), offsets, read),
            Some(component) => texture.gathered(&sampler, component, at.map(f32::from_bits), offsets, read),
            None => texture.sampled(&sampler, at.map(f32::from_bits), offsets, read),
        }
    }

    fn deliver(&mut self, frame: usize, fetch: &Fetch, lane: usize, components: Components) {
        let half = |bits: u32| u64::from(ptxf::F16::from_f32(f32::from_bits(bits)).to_bits());
        let values: Vec<u64> = match fetch.delivered {
            Delivered::Words => components.map(u64::from).to_vec(),
            Delivered::Halves => components.map(half).to_vec(),
            Delivered::Pairs => components.chunks(2).map(|pair| half(pair[0]) | half(pair[1]) << 16).collect(),
        };
        let registers = &mut self.frames[frame].registers;
        for (reg, value) in fetch.results.iter().zip(values) {
            if let Some(reg) = reg {
                registers.set(*reg, lane, value);
            }
        }
        if let Some(predicate) = fetch.resident {
            registers.set_truth(predicate, 1 << lane, 1 << lane);
        }
    }

    /// Returns the texels of a surface, the size of an access, and its address. There is no address
    /// beyond a surface under `.zero`.
    fn surfaced(&self, frame: usize, op: &Surface, lane: usize) -> Result<(&'l Texels, Size, Option<u64>), Wrong> {
        let Object::Surface(texels) = self.object(lane, self.frames[frame].registers.get(op.surface, lane))? else {
            return Err(wrong(lane, FaultKind::OutOfBounds, "a texture where a surface is expected"));
        };
        texels
            .check(op.at.geometry, true)
            .map_err(|what| wrong(lane, FaultKind::OutOfBounds, format!("an access of a surface {what}")))?;
        let bytes = match &op.access {
            Plain::Load(ty, registers) => u64::from(ty.bytes()) * registers.len() as u64,
            Plain::Store(ty, registers) => u64::from(ty.bytes()) * registers.len() as u64,
            Plain::Components(_) => texels.texel_bytes(),
            Plain::Reduce(_, ty, _) => ty.bytes().into(),
        };
        let verb = match op.access {
            Plain::Load(..) => "read of a surface",
            Plain::Store(..) | Plain::Components(_) => "write of a surface",
            Plain::Reduce(..) => "atomic access of a surface",
        };
        let size = Size { verb, bytes };
        Ok((texels, size, self.surface_place(frame, op, lane, texels, size)?))
    }

    fn surface(&mut self, frame: usize, op: &Surface, lane: usize) -> Result<(), Wrong> {
        let (texels, size, address) = self.surfaced(frame, op, lane)?;
        let bytes = size.bytes;
        let Some(address) = address else {
            if let Plain::Load(_, registers) = &op.access {
                registers.iter().flatten().for_each(|reg| self.frames[frame].registers.set(*reg, lane, 0));
            }
            return Ok(());
        };
        let element = match &op.access {
            Plain::Load(ty, _) | Plain::Store(ty, _) | Plain::Reduce(_, ty, _) => ty.bytes(),
            Plain::Components(_) => texels.channel().bytes(),
        };
        if !address.is_multiple_of(element.into()) {
            let what = "which is no multiple of the size: begin rows at multiples of 16 bytes";
            return Err(size.wrong(lane as u32, FaultKind::Misaligned, address, what));
        }
        let found = self.place(lane, address, size, !matches!(op.access, Plain::Load(..)))?;
        let registers = &mut self.frames[frame].registers;
        let each = |ty: &Ty, i: usize| address + i as u64 * u64::from(ty.bytes());
        match &op.access {
            Plain::Load(ty, results) => {
                for (i, reg) in results.iter().enumerate() {
                    let value = found.read(each(ty, i), ty.bytes());
                    if let Some(reg) = reg {
                        registers.set(*reg, lane, value);
                    }
                }
            }
            Plain::Store(ty, values) => {
                for (i, reg) in values.iter().enumerate() {
                    found.write(each(ty, i), ty.bytes(), registers.get(*reg, lane));
                }
            }
            Plain::Components(values) => {
                let channel = texels.channel();
                for (i, reg) in values.iter().enumerate().take(texels.channels() as usize) {
                    let bits = channel.encoded(registers.get(*reg, lane) as u32);
                    found.write(address + i as u64 * u64::from(channel.bytes()), channel.bytes(), bits);
                }
            }
            Plain::Reduce(update, ty, value) => {
                let class = match ty.class {
                    Class::Bits if texels.channel().is_signed() => Class::Signed,
                    class => class,
                };
                let (ty, value) = (Ty { class, bits: ty.bits }, registers.get(*value, lane));
                found.update(address, ty.bytes(), |old| update.of(ty, old, extended(value, ty), 0));
            }
        }
        if !matches!(op.access, Plain::Load(..)) {
            found.set_written(address, bytes);
        }
        Ok(())
    }

    /// Returns the address of a lane's access, or `None` beyond a surface under `.zero`.
    fn surface_place(
        &self,
        frame: usize,
        op: &Surface,
        lane: usize,
        texels: &Texels,
        size: Size,
    ) -> Result<Option<u64>, Wrong> {
        let [x, y, z] = self.coordinates(frame, &op.at, lane).map(|x| i64::from(x.cast_signed()));
        let x = if op.by_texels { x * texels.texel_bytes() as i64 } else { x };
        if x.rem_euclid(size.bytes as i64) != 0 {
            let what =
                format!("{} of {} bytes at byte {x} of a row, which is no multiple of the size", size.verb, size.bytes);
            return Err(wrong(lane, FaultKind::Misaligned, what));
        }
        let layer = op.at.layer.map_or(0, |reg| i64::from(self.frames[frame].registers.get(reg, lane) as u32));
        let [_, height, depth] = texels.size();
        let ends = [
            texels.row_bytes() as i64 - size.bytes as i64,
            height as i64 - 1,
            depth as i64 - 1,
            i64::from(texels.layers().unwrap_or(1)) - 1,
        ];
        let at = [x, y, z, layer];
        let is_inside = at.iter().zip(&ends).all(|(at, end)| (0..=*end).contains(at));
        if !is_inside && op.beyond == Beyond::Trap {
            let what = format!(
                "{} of {} bytes at byte {x} of row {y}, slice {z}, layer {layer}, beyond {} bytes by {height} by {depth}, \
                 {} layers",
                size.verb,
                size.bytes,
                texels.row_bytes(),
                texels.layers().unwrap_or(1)
            );
            return Err(wrong(lane, FaultKind::OutOfBounds, what));
        }
        if !is_inside && op.beyond == Beyond::Zero || ends[0] < 0 {
            return Ok(None);
        }
        let [x, y, z, layer] = std::array::from_fn(|i| at[i].clamp(0, ends[i]) as u64);
        // The nearest place for an access of this size.
        let x = x - x % size.bytes;
        Ok(Some(texels.place_of_byte([x, y, z], layer as u32)))
    }
}
