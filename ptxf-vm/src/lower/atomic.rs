//! Lowers `atom` and `red`.

use ptxf_text::{Class, Error, Ty};

use super::forms;
use super::function::Lowering;
use super::memory::{is_hint, order, space};
use super::operand::Parts;
use crate::code::{Atomic, Op, Order, Space, Update};
use crate::exec::Bank;

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
        ("exch", Bits) if wide => integer(Update::Exchange),
        ("cas", Bits) if wide || ty.bits == 16 => integer(Update::CompareAndSwap),
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

impl Lowering<'_> {
    /// Lowers `atom` or `red`. Returns `false` for another instruction.
    pub(crate) fn atomic(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some(ty) = parts.ty() else { return Ok(false) };
        let (mut place, mut operation) = (Space::Generic, None);
        for &word in &parts.words[1..parts.words.len() - 1] {
            match (word, space(word)) {
                (_, Some(named)) => place = named,
                ("noftz", _) => {}
                _ if is_hint(word) => {}
                _ if operation.is_none() => operation = Some(word),
                _ => return Ok(false),
            }
        }
        let spelled = parts.words[parts.words.len() - 1];
        let found = operation.and_then(|word| update(word, spelled, ty));
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
        let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
        let (space, address) = self.address(&rest[0], place)?;
        let number =
            if ty.class == Class::Float && spelled.contains('x') { Ty { class: Class::Bits, ..ty } } else { ty };
        let mut operands = Vec::new();
        for operand in &rest[1..] {
            operands.push(self.source(operand, bank, number)?);
        }
        let result = result.map(|operand| self.result(operand, bank)).transpose()?;
        let order = Order { strong: true, ..order(parts.words) };
        self.push(Op::Atomic(Box::new(Atomic { space, order, address, ty, update, in_shared, result, operands })));
        Ok(true)
    }
}
