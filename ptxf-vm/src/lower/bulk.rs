//! Lowers `cp.async.bulk`: copies of many bytes, or of boxes of tensors.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::memory::{is_hint, space};
use super::operand::Parts;
use crate::code::{Bulk, Far, Op, Space};
use crate::exec::Bank;
use crate::exec::mbarrier::Arrival;

impl Lowering<'_> {
    /// Lowers a copy, or a wait for copies. Returns `false` for another instruction.
    pub(crate) fn bulk(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let [_, "async", "bulk", ref words @ ..] = *parts.words else { return Ok(false) };
        // Copies are done at once, so that nothing waits for them.
        match *words {
            ["commit_group"] => return self.count(parts, 0).map(|()| self.nothing()),
            ["wait_group"] | ["wait_group", "read"] => return self.count(parts, 1).map(|()| self.nothing()),
            ["prefetch", ..] => return Ok(self.nothing()),
            _ => {}
        }
        let (is_tensor, words) = match words {
            ["tensor", "1d" | "2d" | "3d" | "4d" | "5d", rest @ ..] => (true, rest),
            _ => (false, words),
        };
        let &[to, from, ref words @ ..] = words else { return Ok(false) };
        let words = if let ["tile", rest @ ..] = words { rest } else { words };
        let shared = |word| space(word) == Some(Space::Shared);
        let (loads, hints) = match *words {
            ["mbarrier::complete_tx::bytes"] if to == "shared::cluster" && from == "shared::cta" && !is_tensor => {
                return self.between_blocks(parts);
            }
            ["mbarrier::complete_tx::bytes", ref hints @ ..] if shared(to) && from == "global" => (true, hints),
            ["bulk_group", ref hints @ ..] if to == "global" && shared(from) => (false, hints),
            _ => return Ok(false),
        };
        if !hints.iter().all(|word| is_hint(word) || *word == "multicast::cluster") {
            return Ok(false);
        }
        let more = hints.contains(&"multicast::cluster");
        self.count(parts, 2 + usize::from(!is_tensor) + usize::from(loads) + usize::from(more))?;
        let (near, far) = if loads { (0, 1) } else { (1, 0) };
        let (_, shared) = self.address(&parts.operands[near], Space::Shared)?;
        let far = &parts.operands[far];
        let far = if is_tensor {
            self.tensor(parts, far)?
        } else {
            let (_, address) = self.address(far, Space::Global)?;
            Far::Bytes(address, self.number32(&parts.operands[2])?)
        };
        let barrier = if loads {
            Some(self.address(&parts.operands[if is_tensor { 2 } else { 3 }], Space::Shared)?.1)
        } else {
            None
        };
        let ranks = match parts.operands.last().filter(|_| more) {
            Some(mask) => Some(self.source(mask, Bank::B16, Ty { class: Class::Bits, bits: 16 })?),
            None => None,
        };
        self.push(Op::Bulk(Box::new(Bulk { shared, far, barrier, ranks })));
        Ok(true)
    }

    /// Lowers a copy from the block's shared memory to that of another block of the cluster.
    fn between_blocks(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        self.count(parts, 4)?;
        let [shared, from, barrier] = [0, 1, 3].map(|i| self.address(&parts.operands[i], Space::Shared));
        let far = Far::Shared(from?.1, self.number32(&parts.operands[2])?);
        let (shared, barrier) = (shared?.1, Some(barrier?.1));
        self.push(Op::Bulk(Box::new(Bulk { shared, far, barrier, ranks: None })));
        Ok(true)
    }

    /// Lowers `st.bulk`, which writes zeros to shared memory. Returns `false` for another
    /// instruction.
    pub(crate) fn zeros(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let ([_, _, words @ ..], 2..) = (parts.words, parts.words.len()) else { return Ok(false) };
        if !words.iter().all(|word| *word == "weak" || space(word) == Some(Space::Shared)) {
            return Ok(false);
        }
        self.count(parts, 3)?;
        let (_, shared) = self.address(&parts.operands[0], Space::Shared)?;
        let size = self.source(&parts.operands[1], Bank::B64, Ty { class: Class::Unsigned, bits: 64 })?;
        self.push(Op::Bulk(Box::new(Bulk { shared, far: Far::Zeros(size), barrier: None, ranks: None })));
        Ok(true)
    }

    /// Lowers `st.async` and `red.async`: an access of shared memory of the cluster, whose bytes an
    /// `mbarrier` counts. Returns `false` for another instruction.
    pub(crate) fn counted(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let &[name, "async", ref words @ ..] = parts.words else { return Ok(false) };
        let Some(at) = words.iter().position(|word| *word == "mbarrier::complete_tx::bytes") else { return Ok(false) };
        self.count(parts, 3)?;
        let (access, barrier) = parts.operands.split_at(2);
        // Without these words, what is left is the plain access.
        let rest = [&words[..at], &words[at + 1..]].concat();
        let place = if rest.iter().any(|word| space(word).is_some()) { None } else { Some("shared") };
        let plain: Vec<&str> = [name].into_iter().chain(place).chain(rest.iter().copied()).collect();
        let plain = Parts { words: &plain, operands: access, ..parts };
        if !(if name == "st" { self.store(plain)? } else { self.atomic(plain)? }) {
            return Ok(false);
        }
        let lanes = if rest.contains(&"v4") { 4 } else { 1 + u32::from(rest.contains(&"v2")) };
        let bytes = parts.ty().map_or(0, Ty::bytes) * lanes;
        let (space, address) = self.address(&barrier[0], Space::Shared)?;
        let count = self.constant(Bank::B32, bytes.into());
        self.arrival(space, address, Arrival::Complete, count);
        Ok(true)
    }

    fn nothing(&mut self) -> bool {
        self.push(Op::Nothing);
        true
    }

    /// Returns a map and its coordinates, of `[map, {x, y}]`.
    fn tensor(&mut self, parts: Parts<'_, '_>, operand: &Operand) -> Result<Far, Error> {
        let (map, rest) = self.located(operand, Space::Generic)?;
        let dimensions = parts.words[4].trim_end_matches('d').parse().unwrap_or(0);
        let [Operand { kind: OperandKind::Vector(all), .. }] = rest else {
            return Err(self.error(operand.at, "coordinates in braces are expected after the tensor map"));
        };
        if all.len() != dimensions {
            return Err(
                self.error(operand.at, format!("{dimensions} coordinates are expected, and here are {}", all.len()))
            );
        }
        let coordinates = all.iter().map(|x| self.number32(x)).collect::<Result<_, _>>()?;
        Ok(Far::Tensor(map, coordinates))
    }
}
