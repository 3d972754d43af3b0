//! Lowers `cp.async.bulk`: copies of many bytes, or of boxes of tensors.

use ptxf_text::{Error, Operand, OperandKind};

use super::function::Lowering;
use super::memory::{is_hint, space};
use super::operand::Parts;
use crate::code::{Bulk, Far, Op, Space};

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
            ["mbarrier::complete_tx::bytes", ref hints @ ..] if shared(to) && from == "global" => (true, hints),
            ["bulk_group", ref hints @ ..] if to == "global" && shared(from) => (false, hints),
            _ => return Ok(false),
        };
        // Each block is a cluster by itself, so that a copy to several blocks is one to itself.
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
        self.push(Op::Bulk(Box::new(Bulk { shared, far, barrier })));
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
