//! Lowers `atom` and `red`.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::forms;
use super::function::Lowering;
use super::memory::{is_hint, order, space};
use super::operand::Parts;
use crate::code::{Address, Atomic, Op, Order, Space, Update};
use crate::exec::{Bank, Kind, moves};

/// Returns the operations of a word on this type, in global memory and in shared memory.
fn update(word: &str, spelled: &str, ty: Ty) -> Option<(Update, Update)> {
    use Class::{Bits, Float, Signed, Unsigned};
    let wide = matches!(ty.bits, 32 | 64);
    let integer = |update| Some((update, update));
    match (word, ty.class) {
        ("add", Unsigned | Signed) if wide => integer(Update::Add),
        ("min", Unsigned | Signed) if wide => integer(Update::Min),
        ("max", Unsigned | Signed) if wide => integer(Update::Max),
        ("and", Bits) if wide => integer(Update::And),
        ("or", Bits) if wide => integer(Update::Or),
        ("xor", Bits) if wide => integer(Update::Xor),
        ("exch", Bits) if wide || ty.bits == 128 => integer(Update::Exchange),
        ("cas", Bits) if wide || matches!(ty.bits, 16 | 128) => integer(Update::CompareAndSwap),
        ("inc", Unsigned) if ty.bits == 32 => integer(Update::Increment),
        ("dec", Unsigned) if ty.bits == 32 => integer(Update::Decrement),
        ("add", Float) => {
            let form = |name: &str| forms::known(name).map(Update::Form);
            match spelled {
                // Subnormal numbers are flushed in global memory, and not in shared memory.
                "f32" => Some((form("add.rn.ftz.f32")?, form("add.rn.f32")?)),
                _ => {
                    let plain = form(&format!("add.rn.{spelled}"))?;
                    Some((plain, plain))
                }
            }
        }
        _ => None,
    }
}

/// Returns the operations on each element of a vector of floats.
fn of_elements(word: &str, spelled: &str) -> Option<(Update, Update)> {
    let half = matches!(spelled, "f16" | "bf16" | "f16x2" | "bf16x2");
    let name = match word {
        "add" if half => format!("add.rn.{spelled}"),
        "min" | "max" if half => format!("{word}.{spelled}"),
        // Only global memory has vectors of f32.
        "add" if spelled == "f32" => return update(word, spelled, Ty { class: Class::Float, bits: 32 }),
        _ => return None,
    };
    let form = Update::Form(forms::known(&name)?);
    Some((form, form))
}

impl Lowering<'_> {
    /// Lowers `atom` or `red`. Returns `false` for another instruction.
    pub(crate) fn atomic(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        // The type may stand before the operation.
        let Some(ty) = parts.words[1..].iter().find_map(|word| Ty::named(word)) else { return Ok(false) };
        let (mut place, mut operation, mut lanes, mut spelled) = (Space::Generic, None, 1, "");
        for &word in &parts.words[1..] {
            match (word, space(word)) {
                (_, Some(named)) => place = named,
                ("noftz", _) => {}
                ("v2", _) => lanes = 2,
                ("v4", _) => lanes = 4,
                ("v8", _) => lanes = 8,
                _ if is_hint(word) => {}
                _ if Ty::named(word).is_some() && spelled.is_empty() => spelled = word,
                _ if operation.is_none() => operation = Some(word),
                _ => return Ok(false),
            }
        }
        let found = operation.and_then(|word| match lanes {
            1 => update(word, spelled, ty),
            _ => of_elements(word, spelled),
        });
        let Some((update, in_shared)) =
            found.filter(|_| matches!(place, Space::Generic | Space::Global | Space::Shared))
        else {
            return Ok(false);
        };
        let returns = parts.words[0] == "atom";
        let is_swap = matches!(update, Update::CompareAndSwap);
        if is_swap && !returns {
            return Ok(false);
        }
        self.count(parts, 2 + usize::from(returns) + usize::from(is_swap))?;
        let (result, rest) =
            if returns { (Some(&parts.operands[0]), &parts.operands[1..]) } else { (None, parts.operands) };
        let (space, address) = self.address(&rest[0], place)?;
        let order = Order { strong: true, ..order(parts.words) };
        let atomic = Atomic {
            space,
            order,
            address,
            ty,
            update,
            in_shared,
            result: None,
            operands: Vec::new(),
            upper: None,
            align: ty.bytes() * lanes as u32,
        };
        if ty.bits == 128 {
            self.atomic_pair(atomic, result, &rest[1..])?;
            return Ok(true);
        }
        let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
        let number =
            if ty.class == Class::Float && spelled.contains('x') { Ty { class: Class::Bits, ..ty } } else { ty };
        let results = result.map(|operand| self.elements(operand, lanes)).transpose()?;
        let mut copies = Vec::new();
        for i in 0..lanes {
            let mut operands = Vec::new();
            for operand in &rest[1..] {
                operands.push(self.source(&self.elements(operand, lanes)?[i], bank, number)?);
            }
            let mut result = results.map(|all| self.result(&all[i], bank)).transpose()?;
            if lanes > 1 {
                // A result can be an operand of a later element.
                result = result.map(|to| {
                    copies.push((to, self.code.fresh(bank)));
                    copies[copies.len() - 1].1
                });
            }
            let offset = address.offset.wrapping_add(u64::from(ty.bytes()) * i as u64);
            let align = if i == 0 { atomic.align } else { ty.bytes() };
            let address = Address { offset, ..address };
            self.push(Op::Atomic(Box::new(Atomic { address, result, operands, align, ..atomic.clone() })));
        }
        let kind = [Kind::from(Some(bank))];
        for (to, from) in copies {
            self.lanes(moves::of(bank), [to.at, from.at, 0, 0, 0], &kind, &kind);
        }
        Ok(true)
    }

    /// Lowers an operation on 128 bits, which are two registers.
    fn atomic_pair(&mut self, mut atomic: Atomic, result: Option<&Operand>, operands: &[Operand]) -> Result<(), Error> {
        let half = Ty { class: Class::Bits, bits: 64 };
        let mut upper = Vec::new();
        for operand in operands {
            let [low, high] = self.elements(operand, 2)? else { continue };
            atomic.operands.push(self.source(low, Bank::B64, half)?);
            upper.push(self.source(high, Bank::B64, half)?);
        }
        let (mut low, mut high) = (self.code.fresh(Bank::B64), self.code.fresh(Bank::B64));
        if let Some(operand) = result.filter(|operand| !matches!(operand.kind, OperandKind::Sink)) {
            let all = self.elements(operand, 2)?;
            (low, high) = (self.result(&all[0], Bank::B64)?, self.result(&all[1], Bank::B64)?);
        }
        (atomic.result, atomic.upper) = (Some(low), Some((high, upper)));
        self.push(Op::Atomic(Box::new(atomic)));
        Ok(())
    }
}
