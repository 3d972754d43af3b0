//! Lowers operands to places of the width that an instruction needs.

use ptxf_text::{Class, Error, Number, Operand, OperandKind, Span, Ty};

use super::function::Lowering;
use super::names::{Name, function_address};
use super::special;
use super::statics::{Static, bits_of};
use crate::code::{Op, Special};
use crate::exec::registers::{SINK, TRUE};
use crate::exec::{Bank, Found, Kind, Reg, Width};

/// An instruction: its spelling and its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a, 'w> {
    pub(crate) span: Span,
    pub(crate) spelled: &'a str,
    /// The words of the spelling, which dots separate.
    pub(crate) words: &'w [&'a str],
    pub(crate) operands: &'a [Operand],
}

impl<'a> Parts<'a, '_> {
    /// Returns the last word as a type.
    pub(crate) fn ty(&self) -> Option<Ty> {
        Ty::named(self.words.last()?)
    }

    /// Returns the spelling without the type.
    pub(crate) fn name(&self) -> &'a str {
        self.spelled.rsplit_once('.').map_or(self.spelled, |(name, _)| name)
    }
}

/// A named address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol {
    Global(u64),
    Shared(u64),
    /// An offset in the frame.
    Frame(u64),
    /// An offset among the arguments of the launch.
    Input(u64),
}

impl<'a> Lowering<'a> {
    /// Returns an error unless the instruction has `count` operands.
    pub(crate) fn count(&self, parts: Parts<'_, '_>, count: usize) -> Result<(), Error> {
        if parts.operands.len() == count {
            return Ok(());
        }
        let (found, plural) = (parts.operands.len(), if count == 1 { "" } else { "s" });
        Err(self.error(parts.span, format!("`{}` takes {count} operand{plural}, and has {found}", parts.spelled)))
    }

    /// Returns a register with this number in every lane.
    pub(crate) fn constant(&mut self, bank: Bank, value: u64) -> Reg {
        let value = value & u64::MAX >> (64 - bank.bits());
        if let Some(reg) = self.constants.get(&(bank, value)) {
            return *reg;
        }
        let reg = self.code.fresh(bank);
        self.constants.insert((bank, value), reg);
        reg
    }

    /// Returns a register of this width to write to.
    pub(crate) fn result(&mut self, operand: &Operand, bank: Bank) -> Result<Reg, Error> {
        let Some(reg) = self.any_result(operand)? else { return Ok(self.code.fresh(bank)) };
        self.fits(operand, reg, bank)?;
        Ok(reg)
    }

    /// Returns the register of `v.x`, or of a part that [`Lowering::operands`] has put in place of
    /// `v`. Returns `None` for another operand.
    fn part_of(&self, operand: &Operand) -> Result<Option<Reg>, Error> {
        let OperandKind::Name { name, component, add: 0, index } = operand.kind else { return Ok(None) };
        let Some(Name::Vector { first, parts }) = self.scopes.find(self.of(name)) else { return Ok(None) };
        let part = match (component.map(|span| self.of(span)), index) {
            (Some(".x" | ".r"), None) => Some(0),
            (Some(".y" | ".g"), None) => Some(1),
            (Some(".z" | ".b"), None) => Some(2),
            (Some(".w" | ".a"), None) => Some(3),
            (None, Some(i)) => u32::try_from(i).ok(),
            _ => None,
        };
        match part.filter(|part| *part < parts) {
            Some(part) => Ok(Some(Reg { at: first.at + part, ..first })),
            None => {
                let what = format!("`{}` has {parts} parts: write one, such as `.x`", self.of(name));
                Err(self.error(operand.at, what))
            }
        }
    }

    /// Returns a register of any width to write to. Returns `None` for `_`.
    pub(crate) fn any_result(&mut self, operand: &Operand) -> Result<Option<Reg>, Error> {
        if let Some(part) = self.part_of(operand)? {
            return Ok(Some(part));
        }
        match &operand.kind {
            OperandKind::Sink => Ok(None),
            OperandKind::Name { name, component: None, add: 0, index: None } => {
                match self.scopes.find(self.of(*name)) {
                    Some(Name::Register(reg)) => Ok(Some(reg)),
                    Some(_) => Err(self.error(operand.at, format!("`{}` is not a numeric register", self.of(*name)))),
                    None => Err(self.unknown(*name)),
                }
            }
            _ => Err(self.error(operand.at, "a result has to be a register")),
        }
    }

    fn fits(&self, operand: &Operand, reg: Reg, bank: Bank) -> Result<(), Error> {
        if reg.bank == bank {
            return Ok(());
        }
        let (name, has, needs) = (self.of(operand.at), reg.bank.bits(), bank.bits());
        Err(self.error(operand.at, format!("`{name}` has {has} bits where {needs} are expected")))
    }

    fn unknown(&self, name: Span) -> Error {
        let spelled = self.of(name);
        if special::is_other(spelled) {
            return self.error(name, format!("the special register `{spelled}` is not supported"));
        }
        self.error(name, format!("`{spelled}` is not declared here")).certain()
    }

    /// Returns a register of this width to read. A number has type `ty`.
    pub(crate) fn source(&mut self, operand: &Operand, bank: Bank, ty: Ty) -> Result<Reg, Error> {
        let reg = self.any_source(operand, bank, ty)?;
        self.fits(operand, reg, bank)?;
        Ok(reg)
    }

    /// Returns a register of any width to read. A number is put into a register of width `bank`.
    pub(crate) fn any_source(&mut self, operand: &Operand, bank: Bank, ty: Ty) -> Result<Reg, Error> {
        match &operand.kind {
            OperandKind::Number(number) => {
                let value = self.number(operand, *number, ty)?;
                Ok(self.constant(bank, value))
            }
            OperandKind::Name { name, component, add, index } => {
                if let Some(part) = self.part_of(operand)? {
                    return Ok(part);
                }
                let spelled = self.of(*name);
                match self.scopes.find(spelled) {
                    Some(Name::Register(reg)) if component.is_none() && *add == 0 && index.is_none() => return Ok(reg),
                    Some(Name::Register(_) | Name::Predicate(_)) => {
                        return Err(self.error(operand.at, "a numeric register without an offset is expected"));
                    }
                    _ => {}
                }
                let component = component.map(|span| self.of(span));
                if let Some(found) = special::find(spelled, component) {
                    return Ok(self.special(spelled, component, found));
                }
                let offset = index.map_or(*add, |index| index.cast_signed().wrapping_add(*add));
                let symbol = self.symbol(*name)?;
                Ok(self.address_of(symbol, offset, bank))
            }
            _ => Err(self.error(operand.at, "a register or a number is expected")),
        }
    }

    /// Returns a register with an address.
    pub(crate) fn address_of(&mut self, symbol: Symbol, offset: i64, bank: Bank) -> Reg {
        match symbol {
            Symbol::Global(address) | Symbol::Shared(address) => {
                self.constant(bank, address.wrapping_add_signed(offset))
            }
            Symbol::Input(at) => {
                self.constant(bank, crate::run::INPUT_WINDOW.wrapping_add(at).wrapping_add_signed(offset))
            }
            Symbol::Frame(at) => {
                let reg = self.code.fresh(bank);
                self.code.locals.push((reg, at.wrapping_add_signed(offset) as u32));
                reg
            }
        }
    }

    /// Returns the address of a name that is not a register.
    pub(crate) fn symbol(&self, name: Span) -> Result<Symbol, Error> {
        let spelled = self.of(name);
        let found = self.scopes.find(spelled).or_else(|| self.shape.named(spelled));
        Ok(match found {
            Some(Name::Local { offset, .. }) => Symbol::Frame(offset.into()),
            Some(Name::Input { offset }) => Symbol::Input(offset.into()),
            Some(Name::Static(Static::Global(index))) => Symbol::Global(self.shape.addresses.globals[index]),
            Some(Name::Static(Static::Shared(offset))) => Symbol::Shared(offset.into()),
            Some(Name::Static(Static::Missing)) => {
                return Err(self.error(name, format!("`{spelled}` is declared `.extern`, and nothing here defines it")));
            }
            Some(Name::Function(index)) => Symbol::Global(function_address(index)),
            Some(Name::Register(_) | Name::Predicate(_) | Name::Vector { .. }) | None => return Err(self.unknown(name)),
        })
    }

    fn special(&mut self, name: &str, component: Option<&str>, found: special::Found) -> Reg {
        match found {
            special::Found::Fixed(special, bank) => {
                let key = format!("{name}{}", component.unwrap_or_default());
                if let Some(reg) = self.specials.get(&key) {
                    return *reg;
                }
                let reg = self.code.fresh(bank);
                self.code.specials.push((reg, special));
                self.specials.insert(key, reg);
                reg
            }
            special::Found::Clock { upper: true, .. } => {
                self.special(name, component, special::Found::Fixed(Special::Zero, Bank::B32))
            }
            special::Found::Clock { bank, .. } => {
                let reg = self.code.fresh(bank);
                self.push(Op::Clock(reg));
                reg
            }
        }
    }

    fn number(&self, operand: &Operand, number: Number, ty: Ty) -> Result<u64, Error> {
        match (number, ty.class, ty.bits) {
            (Number::Int(x), Class::Float, 32 | 64) => {
                let why = format!(
                    "{} is an integer where a fraction is expected: write 0f… or {}.0",
                    x.cast_signed(),
                    x.cast_signed()
                );
                Err(self.error(operand.at, why))
            }
            (Number::Int(x), ..) => Ok(x),
            // A type without a value of its own takes the bits of a fraction: `mov.b32 %r,
            // 0f3F800000`.
            (number, Class::Float | Class::Bits, 32 | 64) => Ok(bits_of(number, ty.bits)),
            _ => Err(self.error(operand.at, "a fraction where an integer is expected")),
        }
    }

    /// Returns the slot of a predicate to read. The lowest bit negates it.
    pub(crate) fn truth(&self, operand: &Operand) -> Result<u32, Error> {
        match &operand.kind {
            OperandKind::Not(inner) => Ok(self.truth(inner)? ^ 1),
            OperandKind::Number(Number::Int(x)) => Ok(TRUE << 1 | u32::from(*x == 0)),
            OperandKind::Name { name, component: None, add: 0, index: None } => {
                match self.scopes.find(self.of(*name)) {
                    Some(Name::Predicate(at)) => Ok(at << 1),
                    // `.explicitcluster` and a size of clusters are of the text.
                    None if self.of(*name) == "%is_explicit_cluster" => {
                        Ok(TRUE << 1 | u32::from(self.function.cluster.is_none()))
                    }
                    _ => {
                        Err(self.error(operand.at, format!("`{}` is not declared as a predicate here", self.of(*name))))
                    }
                }
            }
            _ => Err(self.error(operand.at, "a predicate is expected")),
        }
    }

    /// Returns the place of a predicate to write.
    pub(crate) fn predicate(&self, operand: &Operand) -> Result<u32, Error> {
        match &operand.kind {
            OperandKind::Sink => Ok(SINK),
            OperandKind::Name { .. } => Ok(self.truth(operand)? >> 1),
            _ => Err(self.error(operand.at, "a result has to be a predicate")),
        }
    }

    /// Returns the places of `p` or `p|q`.
    pub(crate) fn predicates(&self, operand: &Operand) -> Result<(u32, u32), Error> {
        match &operand.kind {
            OperandKind::Pair(both) => Ok((self.predicate(&both[0])?, self.predicate(&both[1])?)),
            _ => Ok((self.predicate(operand)?, SINK)),
        }
    }

    /// Adds an operation with its operands.
    pub(crate) fn found(&mut self, parts: Parts<'_, '_>, found: Found, ty: Ty) -> Result<(), Error> {
        self.count(parts, 1 + found.operands.len())?;
        let mut slots = [0; 5];
        for (slot, (operand, width)) in slots[1..].iter_mut().zip(parts.operands[1..].iter().zip(found.operands)) {
            *slot = match width.bank(ty.bits) {
                None => self.truth(operand)?,
                Some(bank) => {
                    let ty = if *width == Width::B32 { Ty { class: Class::Bits, bits: 32 } } else { ty };
                    self.source(operand, bank, ty)?.at
                }
            };
        }
        if let Some(bank) = found.result.bank(ty.bits) {
            slots[0] = self.result(&parts.operands[0], bank)?.at;
        }
        let operands: Vec<Kind> = found.operands.iter().map(|width| width.bank(ty.bits).into()).collect();
        self.lanes(found.run, slots, &[found.result.bank(ty.bits).into()], &operands);
        Ok(())
    }
}
