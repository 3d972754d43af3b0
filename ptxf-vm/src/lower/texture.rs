//! Lowers `tex`, `tld4`, `txq`, `suq` and `istypep`.

use ptxf_text::{Base, Class, Error, Opaque, Operand, OperandKind, Span, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Attribute, Delivered, Fetch, Op, Texturing, Where};
use crate::exec::texture::Geometry;
use crate::exec::{Bank, Reg};

const U64: Ty = Ty { class: Class::Unsigned, bits: 64 };
const S32: Ty = Ty { class: Class::Signed, bits: 32 };
const F32: Ty = Ty { class: Class::Float, bits: 32 };

/// Returns the dimensions that a word names. Returns `None` for another word.
pub(super) fn geometry(word: &str) -> Option<Geometry> {
    let (is_layered, dimensions) = match word {
        "1d" => (false, 1),
        "2d" => (false, 2),
        "3d" => (false, 3),
        "a1d" => (true, 1),
        "a2d" => (true, 2),
        _ => return None,
    };
    Some(Geometry { dimensions, is_layered })
}

impl Lowering<'_> {
    /// Lowers an instruction that is only about textures. Returns `false` for another spelling.
    pub(crate) fn texture(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        match parts.words[0] {
            "txq" | "suq" => self.query(parts),
            "istypep" => self.is_type(parts),
            _ => self.fetch(parts),
        }
    }

    fn fetch(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let [name, words @ ..] = parts.words else { return Ok(false) };
        let (gathered, selected, words) = match *words {
            [component, ref rest @ ..] if *name == "tld4" => {
                let Some(component) = ["r", "g", "b", "a"].iter().position(|c| *c == component) else {
                    return Ok(false);
                };
                (Some(component), 0, rest)
            }
            ["base", ref rest @ ..] => (None, 0, rest),
            ["level", ref rest @ ..] => (None, 1, rest),
            ["grad", ref rest @ ..] => (None, 2, rest),
            _ => (None, 0, words),
        };
        let &[shape, vector, delivered, coordinates] = words else { return Ok(false) };
        let delivered = match (vector, delivered) {
            ("v4", "u32" | "s32" | "f32") => Delivered::Words,
            ("v4", "f16") if gathered.is_none() => Delivered::Halves,
            ("v2", "f16x2") if gathered.is_none() => Delivered::Pairs,
            _ => return Ok(false),
        };
        let by_integers = match coordinates {
            "s32" if gathered.is_none() => true,
            "f32" => false,
            _ => return Ok(false),
        };
        let Some(geometry) = geometry(shape).filter(|g| gathered.is_none() || g.dimensions == 2) else {
            return self.refused(parts, shape);
        };
        let given = parts.operands.len();
        if given < 2 + selected {
            self.count(parts, 2 + selected)?;
        }
        let (results, resident) = self.delivered(&parts.operands[0], if vector == "v4" { 4 } else { 2 })?;
        let (texture, sampler, coordinates) = self.object_at(&parts.operands[1])?;
        let at = self.position(coordinates, geometry, if by_integers { S32 } else { F32 })?;
        // A texture has one level, so that neither a level nor gradients choose another one.
        match &parts.operands[2..2 + selected] {
            [level] => _ = self.source(level, Bank::B32, if by_integers { S32 } else { F32 })?,
            gradients => {
                for gradient in gradients {
                    self.vector(gradient, if geometry.dimensions == 3 { 4 } else { geometry.dimensions }, F32)?;
                }
            }
        }
        let offsets = match &parts.operands[2 + selected..] {
            [] => Vec::new(),
            [offsets @ Operand { kind: OperandKind::Vector(_), .. }] => {
                self.vector(offsets, if geometry.dimensions == 3 { 4 } else { geometry.dimensions }, S32)?
            }
            [.., other] => {
                let what =
                    "offsets in braces are expected; a comparison of depths is not supported: compare the result";
                return Err(self.error(other.at, what));
            }
        };
        let fetch = Fetch { texture, sampler, at, by_integers, offsets, gathered, delivered, results, resident };
        self.push(Op::Texture(Box::new(Texturing::Fetch(fetch))));
        Ok(true)
    }

    /// Returns an error for dimensions that no texture here has.
    fn refused(&self, parts: Parts<'_, '_>, shape: &str) -> Result<bool, Error> {
        let why = match shape {
            "cube" | "acube" => "cube maps are not there: use a layered texture of two dimensions with six layers",
            "2dms" | "a2dms" => "textures with several samples are not there: use a layered texture",
            _ => return Ok(false),
        };
        Err(self.error(parts.span, format!("`{}` is not supported: {why}", parts.spelled)))
    }

    /// Returns the results in braces, and a predicate after `|`.
    fn delivered(&mut self, operand: &Operand, count: usize) -> Result<(Vec<Option<Reg>>, Option<u32>), Error> {
        let (vector, resident) = match &operand.kind {
            OperandKind::Pair(both) => (&both[0], Some(self.predicate(&both[1])?)),
            _ => (operand, None),
        };
        let results = self.elements(vector, count)?.iter().map(|element| self.any_result(element));
        Ok((results.collect::<Result<_, _>>()?, resident))
    }

    /// Returns the object and the sampler of `[object, sampler, coordinates]`, and the coordinates.
    fn object_at<'o>(&mut self, operand: &'o Operand) -> Result<(Reg, Option<Reg>, &'o Operand), Error> {
        let OperandKind::Address { base, add, rest } = &operand.kind else {
            return Err(self.error(operand.at, "a texture with coordinates in brackets is expected"));
        };
        let texture = self.object(operand.at, *base, *add)?;
        match rest.as_slice() {
            [coordinates] => Ok((texture, None, coordinates)),
            [sampler, coordinates] => Ok((texture, Some(self.source(sampler, Bank::B64, U64)?), coordinates)),
            _ => Err(self.error(operand.at, "coordinates are expected after the texture")),
        }
    }

    /// Returns a register with a handle, or with the address of a variable that has one.
    pub(super) fn object(&mut self, at: Span, base: Base, add: i64) -> Result<Reg, Error> {
        let Base::Name(name) = base else {
            return Err(self.error(at, "a variable or a register with a handle of 64 bits is expected"));
        };
        let kind = OperandKind::Name { name, component: None, add, index: None };
        self.source(&Operand { at, kind }, Bank::B64, U64)
    }

    /// Returns the registers of coordinates, with the layer first for layered textures.
    pub(super) fn position(&mut self, operand: &Operand, geometry: Geometry, ty: Ty) -> Result<Where, Error> {
        // Vectors have two or four elements, and the last of four can be without use.
        let count = match (geometry.is_layered, geometry.dimensions) {
            (false, n @ (1 | 2)) => n,
            (true, 1) => 2,
            _ => 4,
        };
        let all = self.elements(operand, count)?;
        let (layer, rest) = all.split_at(usize::from(geometry.is_layered));
        let layer = match layer {
            [layer] => Some(self.source(layer, Bank::B32, Ty { class: Class::Unsigned, bits: 32 })?),
            _ => None,
        };
        let coordinates = rest.iter().map(|one| self.source(one, Bank::B32, ty)).collect::<Result<Vec<_>, _>>()?;
        Ok(Where { geometry, layer, coordinates: coordinates.into_iter().take(geometry.dimensions).collect() })
    }

    fn vector(&mut self, operand: &Operand, count: usize, ty: Ty) -> Result<Vec<Reg>, Error> {
        self.elements(operand, count)?.iter().map(|one| self.source(one, Bank::B32, ty)).collect()
    }

    fn query(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (name, of_level) = match *parts.words {
            ["txq", "level", name @ ("width" | "height" | "depth"), "b32"] => (name, true),
            [_, name, "b32"] => (name, false),
            _ => return Ok(false),
        };
        let Some(attribute) = Attribute::named(parts.words[0], name) else { return Ok(false) };
        self.count(parts, 2 + usize::from(of_level))?;
        if of_level {
            self.source(&parts.operands[2], Bank::B32, S32)?;
        }
        let OperandKind::Address { base, add, rest } = &parts.operands[1].kind else {
            return Err(self.error(parts.operands[1].at, "a texture or surface in brackets is expected"));
        };
        if let [more, ..] = rest.as_slice() {
            return Err(self.error(more.at, "a texture or surface without coordinates is expected"));
        }
        let object = self.object(parts.operands[1].at, *base, *add)?;
        let result = self.result(&parts.operands[0], Bank::B32)?;
        self.push(Op::Texture(Box::new(Texturing::Query { result, object, attribute })));
        Ok(true)
    }

    fn is_type(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let kind = match *parts.words {
            [_, "texref"] => Opaque::Texture,
            [_, "samplerref"] => Opaque::Sampler,
            [_, "surfref"] => Opaque::Surface,
            _ => return Ok(false),
        };
        self.count(parts, 2)?;
        let predicate = self.predicate(&parts.operands[0])?;
        let object = self.source(&parts.operands[1], Bank::B64, U64)?;
        self.push(Op::Texture(Box::new(Texturing::IsType { predicate, object, kind })));
        Ok(true)
    }
}
