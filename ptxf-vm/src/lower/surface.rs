//! Lowers `suld`, `sust` and `sured`.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use super::texture::geometry;
use crate::code::{Beyond, Op, Plain, Surface, Texturing, Update};
use crate::exec::Bank;

const S32: Ty = Ty { class: Class::Signed, bits: 32 };

impl Lowering<'_> {
    /// Lowers an access of a surface. Returns `false` for another spelling.
    pub(crate) fn surface(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let &[name, by, ref words @ .., last] = parts.words else { return Ok(false) };
        let beyond = match last {
            "trap" => Beyond::Trap,
            "clamp" => Beyond::Clamp,
            "zero" => Beyond::Zero,
            _ => return Ok(false),
        };
        let by_texels = match (name, by) {
            (_, "b") => false,
            ("sust" | "sured", "p") => true,
            _ => return Ok(false),
        };
        let (update, words) = match *words {
            [operation, ref rest @ ..] if name == "sured" => match operation {
                "add" => (Some(Update::Add), rest),
                "min" => (Some(Update::Min), rest),
                "max" => (Some(Update::Max), rest),
                "and" => (Some(Update::And), rest),
                "or" => (Some(Update::Or), rest),
                _ => return Ok(false),
            },
            _ => (None, words),
        };
        let &[shape, ref hints @ .., ty] = words else { return Ok(false) };
        let Some(geometry) = geometry(shape).filter(|g| update.is_none() || !g.is_layered) else { return Ok(false) };
        let mut lanes = 1;
        for hint in hints {
            match *hint {
                "v2" if update.is_none() => lanes = 2,
                "v4" if update.is_none() => lanes = 4,
                "ca" | "cg" | "cs" | "cv" | "wb" | "wt" => {}
                _ => return Ok(false),
            }
        }
        let Some(ty) = Ty::named(ty).filter(|ty| ty.bits * lanes <= 128) else { return Ok(false) };
        let fits = match update {
            Some(Update::And | Update::Or) => ty.class == Class::Bits && ty.bits == 32,
            // The texels' format decides on the sign.
            Some(_) if by_texels => ty.class == Class::Bits && matches!(ty.bits, 32 | 64),
            Some(_) => matches!(ty.class, Class::Unsigned | Class::Signed) && matches!(ty.bits, 32 | 64),
            None => ty.class == Class::Bits && (!by_texels || ty.bits == 32),
        };
        if !fits {
            return Ok(false);
        }
        self.count(parts, 2)?;
        let (near, values) = if name == "suld" { (1, 0) } else { (0, 1) };
        let (near, values) = (&parts.operands[near], &parts.operands[values]);
        let OperandKind::Address { base, add, rest } = &near.kind else {
            return Err(self.error(near.at, "a surface with coordinates in brackets is expected"));
        };
        let [coordinates] = rest.as_slice() else {
            return Err(self.error(near.at, "coordinates are expected after the surface"));
        };
        let surface = self.object(near.at, *base, *add)?;
        let at = self.position(coordinates, geometry, S32)?;
        let access = match update {
            Some(update) => {
                let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
                Plain::Reduce(update, ty, self.source(values, bank, ty)?)
            }
            None => self.plain(name, by_texels, ty, self.elements(values, lanes as usize)?)?,
        };
        let surface = Surface { surface, at, by_texels, beyond, access };
        self.push(Op::Texture(Box::new(Texturing::Surface(surface))));
        Ok(true)
    }

    fn plain(&mut self, name: &str, by_texels: bool, ty: Ty, values: &[Operand]) -> Result<Plain, Error> {
        if name == "suld" {
            let registers = values.iter().map(|one| {
                let reg = self.any_result(one)?;
                match reg.filter(|reg| reg.bank.bits() < ty.bits) {
                    Some(reg) => Err(self.narrow(one, reg.bank.bits(), ty.bits)),
                    None => Ok(reg),
                }
            });
            return Ok(Plain::Load(ty, registers.collect::<Result<_, _>>()?));
        }
        let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
        let registers = values.iter().map(|one| {
            let reg = self.any_source(one, bank, ty)?;
            if reg.bank.bits() < ty.bits { Err(self.narrow(one, reg.bank.bits(), ty.bits)) } else { Ok(reg) }
        });
        let registers = registers.collect::<Result<_, _>>()?;
        Ok(if by_texels { Plain::Components(registers) } else { Plain::Store(ty, registers) })
    }

    fn narrow(&self, operand: &Operand, has: u32, needs: u32) -> Error {
        self.error(operand.at, format!("`{}` has {has} bits where {needs} are accessed", self.of(operand.at)))
    }
}
