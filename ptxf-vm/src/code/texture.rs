//! Accesses of textures and surfaces, and queries of their attributes.

use ptxf_text::{Opaque, Ty};

use super::Update;
use crate::exec::Reg;
use crate::exec::form::Source;
use crate::exec::texture::Geometry;

/// An instruction on a texture or a surface.
#[derive(Clone, Debug)]
pub(crate) enum Texturing {
    Fetch(Fetch),
    Surface(Surface),
    /// Reads an attribute of an object.
    Query {
        result: Reg,
        object: Reg,
        attribute: Attribute,
    },
    /// Checks the kind of an object.
    IsType {
        predicate: u32,
        object: Reg,
        kind: Opaque,
    },
}

/// The texel that an instruction accesses: registers of its layer and its coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Where {
    pub(crate) geometry: Geometry,
    pub(crate) layer: Option<Reg>,
    pub(crate) coordinates: Vec<Reg>,
}

/// A type of a fetch's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// 32 bits for each component.
    Words,
    /// f16 for each component.
    Halves,
    /// f16 in pairs.
    Pairs,
}

/// `tex` or `tld4`.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    pub(crate) texture: Reg,
    /// The sampler, in independent mode.
    pub(crate) sampler: Option<Reg>,
    pub(crate) at: Where,
    /// `true` if the coordinates are integers.
    pub(crate) by_integers: bool,
    pub(crate) offsets: Vec<Reg>,
    /// The component of four texels that `tld4` reads.
    pub(crate) gathered: Option<usize>,
    pub(crate) delivered: Delivered,
    pub(crate) results: Vec<Option<Reg>>,
    /// A predicate that becomes true: all texels are in memory.
    pub(crate) resident: Option<u32>,
}

/// A rule for accesses beyond a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    Trap,
    Clamp,
    Zero,
}

/// An access of a surface.
#[derive(Clone, Debug)]
pub(crate) enum Plain {
    /// `suld`
    Load(Ty, Vec<Option<Reg>>),
    /// `sust.b`
    Store(Ty, Vec<Reg>),
    /// `sust.p`: components, which are converted.
    Components(Vec<Reg>),
    /// `sured`
    Reduce(Update, Ty, Reg),
}

/// `suld`, `sust` or `sured`.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) surface: Reg,
    pub(crate) at: Where,
    /// `true` if x is the number of a texel, and not of a byte.
    pub(crate) by_texels: bool,
    pub(crate) beyond: Beyond,
    pub(crate) access: Plain,
}

/// An attribute that `txq` or `suq` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attribute {
    Width,
    Height,
    Depth,
    ArraySize,
    ChannelDataType,
    ChannelOrder,
    NormalizedCoords,
    ForceUnnormalizedCoords,
    FilterMode,
    AddrMode(usize),
    /// The number of levels or samples, which is 1.
    One,
    MemoryLayout,
}

impl Attribute {
    /// Returns the attribute of this name. Returns `None` if the instruction has none.
    pub(crate) fn named(instruction: &str, name: &str) -> Option<Self> {
        Some(match (instruction, name) {
            (_, "width") => Self::Width,
            (_, "height") => Self::Height,
            (_, "depth") => Self::Depth,
            (_, "array_size") => Self::ArraySize,
            (_, "channel_data_type") => Self::ChannelDataType,
            (_, "channel_order") => Self::ChannelOrder,
            ("suq", "memory_layout") => Self::MemoryLayout,
            ("suq", _) => return None,
            (_, "normalized_coords") => Self::NormalizedCoords,
            (_, "force_unnormalized_coords") => Self::ForceUnnormalizedCoords,
            (_, "filter_mode") => Self::FilterMode,
            (_, "addr_mode_0") => Self::AddrMode(0),
            (_, "addr_mode_1") => Self::AddrMode(1),
            (_, "addr_mode_2") => Self::AddrMode(2),
            (_, "num_mipmap_levels" | "num_samples") => Self::One,
            _ => return None,
        })
    }
}

impl Where {
    fn registers(&self) -> impl Iterator<Item = Reg> {
        self.layer.into_iter().chain(self.coordinates.iter().copied())
    }
}

impl Texturing {
    /// Returns `true` if texels are read, and `true` if they are written.
    pub(crate) const fn accesses(&self) -> (bool, bool) {
        match self {
            Self::Fetch(_) | Self::Surface(Surface { access: Plain::Load(..), .. }) => (true, false),
            Self::Surface(Surface { access: Plain::Store(..) | Plain::Components(_), .. }) => (false, true),
            Self::Surface(Surface { access: Plain::Reduce(..), .. }) => (true, true),
            Self::Query { .. } | Self::IsType { .. } => (false, false),
        }
    }

    /// Adds the registers and predicates that the instruction writes and reads.
    pub(super) fn operands(&self, results: &mut Vec<Source>, operands: &mut Vec<Source>) {
        let register = Source::Register;
        let predicate = |at: u32| Source::Predicate(at << 1);
        match self {
            Self::Fetch(fetch) => {
                results.extend(fetch.results.iter().flatten().copied().map(register));
                results.extend(fetch.resident.map(predicate));
                let objects = [Some(fetch.texture), fetch.sampler].into_iter().flatten();
                operands.extend(objects.chain(fetch.at.registers()).chain(fetch.offsets.iter().copied()).map(register));
            }
            Self::Surface(surface) => {
                operands.extend([surface.surface].into_iter().chain(surface.at.registers()).map(register));
                match &surface.access {
                    Plain::Load(_, registers) => results.extend(registers.iter().flatten().copied().map(register)),
                    Plain::Store(_, registers) | Plain::Components(registers) => {
                        operands.extend(registers.iter().copied().map(register));
                    }
                    Plain::Reduce(_, _, value) => operands.push(register(*value)),
                }
            }
            Self::Query { result, object, .. } => {
                results.push(register(*result));
                operands.push(register(*object));
            }
            Self::IsType { predicate: p, object, .. } => {
                results.push(predicate(*p));
                operands.push(register(*object));
            }
        }
    }
}
