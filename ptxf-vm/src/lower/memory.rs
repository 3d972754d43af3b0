//! Lowers loads, stores and conversions of addresses.

use ptxf_text::{Base, Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::names::Name;
use super::operand::{Parts, Symbol};
use crate::code::{Access, Address, Op, Order, Space};
use crate::exec::{Bank, Kind, Reg, integer, moves};
use crate::run::{LOCAL_WINDOW, SHARED_WINDOW};

/// Returns the state space of a word. Returns `None` for another word.
pub(crate) fn space(word: &str) -> Option<Space> {
    // Before PTX 2.2, constant memory had numbered banks: `const[2]`.
    Some(match word.split_once('[').map_or(word, |(word, _)| word) {
        "global" => Space::Global,
        "const" => Space::Const,
        "shared" | "shared::cta" | "shared::cluster" => Space::Shared,
        "local" => Space::Local,
        "param" | "param::entry" | "param::func" => Space::Input,
        _ => return None,
    })
}

/// Returns `true` for a word about order or caches. All accesses are in order, and nothing is
/// cached.
pub(crate) fn is_hint(word: &str) -> bool {
    let words = [
        "nc", "volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "cta", "cluster", "gpu", "sys", "mmio",
        "ca", "cg", "cs", "lu", "cv", "wb", "wt", "unified",
    ];
    words.contains(&word) || word.starts_with("L1::") || word.starts_with("L2::")
}

/// Returns the memory order that the words declare.
pub(crate) fn order(words: &[&str]) -> Order {
    let has = |named: &[&str]| words.iter().any(|word| named.contains(word));
    let releases = has(&["release", "acq_rel"]);
    Order { strong: releases || has(&["volatile", "relaxed", "acquire", "mmio"]), releases }
}

/// The words between the instruction and its type.
struct Modifiers {
    space: Space,
    order: Order,
    lanes: usize,
}

impl Lowering<'_> {
    fn modifiers(&self, parts: Parts<'_, '_>) -> Option<Modifiers> {
        let mut found = Modifiers { space: Space::Generic, order: order(parts.words), lanes: 1 };
        for &word in &parts.words[1..parts.words.len() - 1] {
            match (word, space(word)) {
                (_, Some(space)) => found.space = space,
                ("v2", _) => found.lanes = 2,
                ("v4", _) => found.lanes = 4,
                ("v8", _) => found.lanes = 8,
                _ if is_hint(word) => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// Lowers an operand in brackets to an address in this space.
    pub(crate) fn address(&mut self, operand: &Operand, space: Space) -> Result<(Space, Address), Error> {
        match self.located(operand, space)? {
            (address, []) => Ok(address),
            (_, [more, ..]) => Err(self.error(more.at, "an address without coordinates is expected")),
        }
    }

    /// Lowers an operand in brackets to an address in this space, and returns what follows it.
    pub(crate) fn located<'o>(
        &mut self,
        operand: &'o Operand,
        space: Space,
    ) -> Result<((Space, Address), &'o [Operand]), Error> {
        let OperandKind::Address { base, add, rest } = &operand.kind else {
            return Err(self.error(operand.at, "an address in brackets is expected"));
        };
        Ok((self.base(*base, *add, space)?, rest))
    }

    fn base(&mut self, base: Base, add: i64, space: Space) -> Result<(Space, Address), Error> {
        let offset = add.cast_unsigned();
        let at = |base, in_frame| Address { base, offset, in_frame };
        let name = match base {
            Base::Zero => return Ok((space, at(None, false))),
            Base::Name(name) => name,
        };
        if let Some(Name::Register(reg)) = self.scopes.find(self.of(name)) {
            let narrow = matches!(space, Space::Shared | Space::Local | Space::Const);
            if reg.bank == Bank::B16 || reg.bank == Bank::B32 && !narrow {
                let what = format!("`{}` has {} bits, and an address has 64", self.of(name), reg.bank.bits());
                return Err(self.error(name, what));
            }
            // The address of a parameter is generic.
            let space = if space == Space::Input { Space::Generic } else { space };
            return Ok((space, at(Some(reg), false)));
        }
        let (symbol_space, offset) = match self.symbol(name)? {
            Symbol::Global(address) if space == Space::Const => (Space::Const, address),
            Symbol::Global(address) => (Space::Global, address),
            Symbol::Shared(offset) => (Space::Shared, offset),
            Symbol::Frame(offset) => (Space::Local, offset),
            Symbol::Input(offset) => (Space::Input, offset),
        };
        let fits = match space {
            Space::Generic => true,
            // The arguments of a called function are in the frame of the caller.
            Space::Input => matches!(symbol_space, Space::Input | Space::Local),
            _ => space == symbol_space,
        };
        if !fits {
            return Err(self.error(name, format!("`{}` is not in this space", self.of(name))));
        }
        let offset = offset.wrapping_add_signed(add);
        Ok((symbol_space, Address { base: None, offset, in_frame: symbol_space == Space::Local }))
    }

    fn access(&self, parts: Parts<'_, '_>) -> Option<(Modifiers, Ty)> {
        let ty = parts.ty().filter(|t| t.class != Class::Predicate)?;
        let mut modifiers = self.modifiers(parts)?;
        if ty.bits == 128 {
            // Two halves, which are accessed at once.
            modifiers.lanes *= 2;
            return Some((modifiers, Ty { class: Class::Bits, bits: 64 }));
        }
        Some((modifiers, ty))
    }

    /// Lowers `ld` or `ldu`.
    pub(crate) fn load(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some((modifiers, ty)) = self.access(parts) else { return Ok(false) };
        self.count(parts, 2)?;
        let elements = self.elements(&parts.operands[0], modifiers.lanes)?;
        let (space, address) = self.address(&parts.operands[1], modifiers.space)?;
        let mut registers = Vec::new();
        for element in elements {
            let reg = self.any_result(element)?;
            if let Some(reg) = reg.filter(|reg| reg.bank.bits() < ty.bits) {
                let (name, has) = (self.of(element.at), reg.bank.bits());
                return Err(self.error(element.at, format!("`{name}` has {has} bits where {} are loaded", ty.bits)));
            }
            registers.push(reg);
        }
        self.push(Op::Load(Box::new(Access { space, order: modifiers.order, address, ty, registers })));
        Ok(true)
    }

    /// Lowers `st`.
    pub(crate) fn store(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some((modifiers, ty)) = self.access(parts) else { return Ok(false) };
        self.count(parts, 2)?;
        let elements = self.elements(&parts.operands[1], modifiers.lanes)?;
        let (space, address) = self.address(&parts.operands[0], modifiers.space)?;
        let bank = Bank::of(ty.bits).unwrap_or(Bank::B64);
        let mut registers = Vec::new();
        for element in elements {
            let reg = self.any_source(element, bank, ty)?;
            if reg.bank.bits() < ty.bits {
                let (name, has) = (self.of(element.at), reg.bank.bits());
                return Err(self.error(element.at, format!("`{name}` has {has} bits where {} are stored", ty.bits)));
            }
            registers.push(Some(reg));
        }
        self.push(Op::Store(Box::new(Access { space, order: modifiers.order, address, ty, registers })));
        Ok(true)
    }

    /// Returns the elements of a vector, or a single element.
    pub(crate) fn elements<'o>(&self, operand: &'o Operand, lanes: usize) -> Result<&'o [Operand], Error> {
        let all = match &operand.kind {
            OperandKind::Vector(all) => all.as_slice(),
            _ => std::slice::from_ref(operand),
        };
        if all.len() == lanes {
            return Ok(all);
        }
        Err(self.error(operand.at, format!("{lanes} elements are expected, and here are {}", all.len())))
    }

    /// Lowers `cvta`, which converts between generic addresses and addresses of a space.
    pub(crate) fn cvta(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (to, named) = match *parts.words {
            [_, "to", named, "u64"] => (true, named),
            [_, named, "u64"] => (false, named),
            _ => return Ok(false),
        };
        let Some(space) = space(named) else { return Ok(false) };
        self.count(parts, 2)?;
        let ty = Ty { class: Class::Unsigned, bits: 64 };
        let from = self.source(&parts.operands[1], Bank::B64, ty)?;
        let result = self.result(&parts.operands[0], Bank::B64)?;
        let window = match space {
            Space::Shared => SHARED_WINDOW,
            Space::Local => LOCAL_WINDOW,
            _ => 0,
        };
        self.add(result, from, if to { window.wrapping_neg() } else { window });
        Ok(true)
    }

    fn add(&mut self, result: Reg, from: Reg, number: u64) {
        let ty = Ty { class: Class::Unsigned, bits: 64 };
        match integer::find("add", ty).filter(|_| number != 0) {
            Some(found) => {
                let number = self.constant(Bank::B64, number);
                self.lanes(found.run, [result.at, from.at, number.at, 0, 0], &[Kind::B64], &[Kind::B64; 2]);
            }
            None => self.lanes(moves::of(Bank::B64), [result.at, from.at, 0, 0, 0], &[Kind::B64], &[Kind::B64]),
        }
    }

    /// Lowers `mapa` and `getctarank`.
    pub(crate) fn in_cluster(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let &[name, ref modifiers @ .., named] = parts.words else { return Ok(false) };
        let (Some(ty), [] | ["shared::cluster"]) = (Ty::named(named), modifiers) else { return Ok(false) };
        let bank = match (ty.class, ty.bits, modifiers.is_empty()) {
            (Class::Unsigned, 64, _) => Bank::B64,
            (Class::Unsigned, 32, false) => Bank::B32,
            _ => return Ok(false),
        };
        self.count(parts, if name == "mapa" { 3 } else { 2 })?;
        let address = self.source(&parts.operands[1], bank, ty)?;
        let op = if name == "mapa" {
            let rank = self.number32(&parts.operands[2])?;
            Op::Map { result: self.result(&parts.operands[0], bank)?, address, rank }
        } else {
            Op::RankOf { result: self.result(&parts.operands[0], Bank::B32)?, address }
        };
        self.push(op);
        Ok(true)
    }

    /// Lowers `isspacep`.
    pub(crate) fn isspacep(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let [_, named] = *parts.words else { return Ok(false) };
        let Some(space) = space(named) else { return Ok(false) };
        self.count(parts, 2)?;
        let predicate = self.predicate(&parts.operands[0])?;
        let address = self.source(&parts.operands[1], Bank::B64, Ty { class: Class::Unsigned, bits: 64 })?;
        let of_cluster = named == "shared::cluster";
        self.push(Op::IsSpace { of_cluster, space, predicate, address });
        Ok(true)
    }
}
