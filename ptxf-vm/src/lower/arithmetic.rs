//! Lowers instructions on registers: integers, bits, predicates, and the forms of the table.

use super::forms;
use super::function::Lowering;
use super::operand::Parts;
use crate::code::Op;
use crate::exec::form::{Destination, Form, Source};
use crate::exec::registers::SINK;
use crate::exec::{Bank, Kind, bits, carry, compare, integer, logic};
use ptxf::spec::{Spelling, Type};
use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

/// Returns the kind of register of an integer type.
fn bank_of(ty: Ty) -> Kind {
    Bank::of(ty.bits).into()
}

impl Lowering<'_> {
    /// Lowers an instruction on integers, bits or predicates. Returns `false` for another
    /// instruction.
    pub(crate) fn arithmetic(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let words = parts.words;
        if let ["prmt", "b32", mode] = *words {
            let ty = Ty { class: Class::Bits, bits: 32 };
            let Some(found) = bits::find(&format!("prmt.{mode}"), ty) else { return Ok(false) };
            self.found(parts, found, ty)?;
            return Ok(true);
        }
        let Some(ty) = parts.ty() else { return self.packed(parts) };
        match words[0] {
            "setp" => return self.setp(parts, ty),
            "set" => return self.set(parts, ty),
            "selp" if words.len() == 2 && ty.class != Class::Predicate => {
                let Some(found) = compare::find_select(ty.bits, false) else { return Ok(false) };
                self.found(parts, found, ty)?;
                return Ok(true);
            }
            "slct" if words.len() == 3 => {
                let selected = Ty::named(words[1]).filter(|t| t.class != Class::Float);
                let (Some(selected), "s32") = (selected, words[2]) else { return Ok(false) };
                let Some(found) = compare::find_select(selected.bits, true) else { return Ok(false) };
                self.found(parts, found, selected)?;
                return Ok(true);
            }
            _ => {}
        }
        if ty.class == Class::Predicate {
            return self.logic(parts);
        }
        if let ["dp4a" | "dp2a", .., a, b] = *words {
            let signed = |word| Some(Ty::named(word).filter(|t| t.bits == 32)?.class == Class::Signed);
            let (Some(a), Some(b)) = (signed(a), signed(b)) else { return Ok(false) };
            let name = words[..words.len() - 2].join(".");
            let Some(found) = integer::find_dot(&name, a, b) else { return Ok(false) };
            self.found(parts, found, Ty { class: Class::Bits, bits: 32 })?;
            return Ok(true);
        }
        if let ["lop3", operator @ ("or" | "and"), "b32"] = *words {
            return self.lop3(parts, operator);
        }
        let name = parts.name();
        let found = integer::find(name, ty).or_else(|| bits::find(name, ty)).or_else(|| carry::find(name, ty));
        let Some(found) = found else { return Ok(false) };
        self.found(parts, found, ty)?;
        Ok(true)
    }

    /// Lowers `add.u16x2` and similar instructions.
    fn packed(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let signed = match parts.words.last() {
            Some(&"u16x2") => false,
            Some(&"s16x2") => true,
            _ => return Ok(false),
        };
        let Some(found) = integer::find_pairs(parts.name(), signed) else { return Ok(false) };
        self.found(parts, found, Ty { class: Class::Bits, bits: 32 })?;
        Ok(true)
    }

    fn logic(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some((run, operands)) = logic::find(parts.name()) else { return Ok(false) };
        self.count(parts, 1 + operands)?;
        let mut slots = [0; 5];
        slots[0] = self.predicate(&parts.operands[0])?;
        for (slot, operand) in slots[1..].iter_mut().zip(&parts.operands[1..]) {
            *slot = self.truth(operand)?;
        }
        self.lanes(run, slots, &[Kind::Predicate], &[Kind::Predicate; 3][..operands]);
        Ok(true)
    }

    /// Lowers `mov.pred`.
    pub(crate) fn mov_predicate(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        self.logic(parts)
    }

    fn setp(&mut self, parts: Parts<'_, '_>, ty: Ty) -> Result<bool, Error> {
        let (comparison, operator) = match parts.words {
            [_, comparison, _] => (comparison, None),
            [_, comparison, operator, _] => (comparison, Some(*operator)),
            _ => return Ok(false),
        };
        let Some(run) = compare::find(comparison, operator, ty, true) else { return Ok(false) };
        self.count(parts, if operator.is_some() { 4 } else { 3 })?;
        let (p, q) = self.predicates(&parts.operands[0])?;
        let [a, b] = self.both(parts, ty)?;
        let c = parts.operands.get(3).map_or(Ok(0), |c| self.truth(c))?;
        let operands = [bank_of(ty), bank_of(ty), Kind::Predicate];
        let operands = &operands[..parts.operands.len() - 1];
        self.lanes(run, [p, q, a, b, c], &[Kind::Predicate; 2], operands);
        Ok(true)
    }

    fn set(&mut self, parts: Parts<'_, '_>, ty: Ty) -> Result<bool, Error> {
        let (comparison, operator, result) = match parts.words {
            [_, comparison, result, _] => (comparison, None, *result),
            [_, comparison, operator, result, _] => (comparison, Some(*operator), *result),
            _ => return Ok(false),
        };
        let run = compare::find(comparison, operator, ty, false);
        let Some(run) = run.filter(|_| matches!(result, "u32" | "s32")) else { return Ok(false) };
        self.count(parts, if operator.is_some() { 4 } else { 3 })?;
        let d = self.result(&parts.operands[0], Bank::B32)?.at;
        let [a, b] = self.both(parts, ty)?;
        let c = parts.operands.get(3).map_or(Ok(0), |c| self.truth(c))?;
        let operands = [bank_of(ty), bank_of(ty), Kind::Predicate];
        self.lanes(run, [d, a, b, c, 0], &[Kind::B32], &operands[..parts.operands.len() - 1]);
        Ok(true)
    }

    /// Lowers `lop3` with a predicate: the truth of the result, combined with another predicate.
    fn lop3(&mut self, parts: Parts<'_, '_>, operator: &str) -> Result<bool, Error> {
        let ty = Ty { class: Class::Bits, bits: 32 };
        let (Some(table), Some(compare)) = (bits::find("lop3", ty), compare::find("ne", Some(operator), ty, true))
        else {
            return Ok(false);
        };
        self.count(parts, 6)?;
        let (to, p) = self.with_predicate(&parts.operands[0])?;
        let mut slots = [0; 5];
        for (slot, operand) in slots[1..].iter_mut().zip(&parts.operands[1..5]) {
            *slot = self.number32(operand)?.at;
        }
        let q = self.truth(&parts.operands[5])?;
        slots[0] = self.result(to, Bank::B32)?.at;
        let zero = self.constant(Bank::B32, 0).at;
        self.lanes(table.run, slots, &[Kind::B32], &[Kind::B32; 4]);
        let operands = [Kind::B32, Kind::B32, Kind::Predicate];
        self.lanes(compare, [p, SINK, slots[0], zero, q], &[Kind::Predicate; 2], &operands);
        Ok(true)
    }

    fn both(&mut self, parts: Parts<'_, '_>, ty: Ty) -> Result<[u32; 2], Error> {
        // Comparisons exist only for widths of a register.
        let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
        Ok([self.source(&parts.operands[1], bank, ty)?.at, self.source(&parts.operands[2], bank, ty)?.at])
    }

    /// Lowers a form of the table. Returns `false` if no form has this spelling.
    pub(crate) fn form(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let spelled = forms::find(parts.spelled);
        if spelled.is_empty() {
            return Ok(false);
        }
        let mut operands = Vec::new();
        for operand in parts.operands.iter().skip(1) {
            match &operand.kind {
                OperandKind::Vector(all) => operands.extend(all),
                _ => operands.push(operand),
            }
        }
        let Some(spelling) = spelled.iter().find(|s| s.form.operands.len() == operands.len()) else {
            let takes: Vec<String> = spelled.iter().map(|s| s.form.operands.len().to_string()).collect();
            let what = format!(
                "`{}` takes a result and {} operands, and has {}",
                parts.spelled,
                takes.join(" or "),
                operands.len()
            );
            return Err(self.error(parts.span, what));
        };
        self.check_target(parts, spelling)?;
        let replacement = self.shape.replacement.of(spelling).map_err(|why| self.error(parts.span, why))?;
        let is_conversion = spelling.form.instruction == "cvt";
        let mut sources = Vec::new();
        for (operand, &ty) in operands.into_iter().zip(spelling.form.operands) {
            sources.push(self.form_source(operand, ty, is_conversion)?);
        }
        let destination = &parts.operands[0];
        let destination = match spelling.form.result {
            Type::Pred => Destination::Predicates(self.predicate(destination)?, SINK),
            Type::Preds => {
                let (p, q) = self.predicates(destination)?;
                Destination::Predicates(p, q)
            }
            ty => Destination::Register(self.form_result(destination, ty, is_conversion)?),
        };
        self.push(Op::Form(Box::new(Form::new(*spelling, replacement, sources, destination))));
        Ok(true)
    }

    fn check_target(&self, parts: Parts<'_, '_>, spelling: &Spelling) -> Result<(), Error> {
        let unit = self.shape.unit;
        // An older text has no modifiers, which are those of PTX 1.4.
        if forms::is_available(spelling, unit.version.max((1, 4)), unit.target) {
            return Ok(());
        }
        let needs: Vec<String> = spelling.form.targets.iter().map(ToString::to_string).collect();
        let until = spelling.form.until.map_or(String::new(), |sm| format!(", and does not exist after sm_{sm}"));
        let (needs, (major, minor), target) = (needs.join(" or "), unit.version, unit.target);
        let what = format!("`{spelling}` needs {needs}{until}; the module is for PTX {major}.{minor}, {target}");
        Err(self.error(parts.span, what))
    }

    fn form_source(&mut self, operand: &Operand, ty: Type, is_conversion: bool) -> Result<Source, Error> {
        if ty == Type::Pred {
            return self.truth(operand).map(Source::Predicate);
        }
        let class = match ty {
            Type::F32 | Type::F64 => Class::Float,
            _ => Class::Bits,
        };
        let number = Ty { class, bits: ty.bits() };
        let bank = Bank::of(ty.bits()).unwrap_or(Bank::B64);
        let reg = self.any_source(operand, bank, number)?;
        if reg.bank != bank && !(is_conversion && reg.bank.bits() > bank.bits()) {
            return self.source(operand, bank, number).map(Source::Register);
        }
        Ok(Source::Register(reg))
    }

    fn form_result(&mut self, operand: &Operand, ty: Type, is_conversion: bool) -> Result<crate::exec::Reg, Error> {
        let bank = Bank::of(ty.bits()).unwrap_or(Bank::B64);
        match self.any_result(operand)? {
            Some(reg) if is_conversion && reg.bank.bits() > bank.bits() => Ok(reg),
            _ => self.result(operand, bank),
        }
    }
}
