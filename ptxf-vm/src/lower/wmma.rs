//! Lowers `wmma.load`, `wmma.store` and `wmma.mma`.
//!
//! The manual leaves the layout of these fragments open. The machine has those of `mma`, as the
//! assembler does.

use ptxf::matrix::Fragment;
use ptxf_text::{Error, Operand};

use super::function::Lowering;
use super::memory::space;
use super::operand::Parts;
use crate::code::{Matrix, Op, Space, Tile};

impl Lowering<'_> {
    /// Lowers an instruction of `wmma`. Returns `false` for another instruction.
    pub(crate) fn wmma(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        match *parts.words {
            ["wmma", "load", role, "sync", "aligned", layout @ ("row" | "col"), shaped, ref places @ .., ty] => {
                let Some((fragment, space)) = of(role, layout, shaped, places, ty) else { return Ok(false) };
                let [fragments, address, stride @ ..] = parts.operands else {
                    return self.count(parts, 3).map(|()| false);
                };
                self.tile(parts, fragment, layout, space, fragments, address, stride)?;
            }
            ["wmma", "store", "d", "sync", "aligned", layout @ ("row" | "col"), shaped, ref places @ .., ty] => {
                let Some((fragment, space)) = of("d", layout, shaped, places, ty) else { return Ok(false) };
                let [address, fragments, stride @ ..] = parts.operands else {
                    return self.count(parts, 3).map(|()| false);
                };
                self.tile(parts, fragment, layout, space, fragments, address, stride)?;
            }
            ["wmma", "mma", ..] => return self.mma(parts),
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[expect(clippy::too_many_arguments, reason = "the operands have two orders")]
    fn tile(
        &mut self,
        parts: Parts<'_, '_>,
        fragment: Fragment,
        layout: &str,
        space: Space,
        fragments: &Operand,
        address: &Operand,
        stride: &[Operand],
    ) -> Result<(), Error> {
        let loads = parts.words[1] == "load";
        let registers = self.fragment(fragments, &fragment, loads)?;
        let (space, address) = self.address(address, space)?;
        let by_rows = layout == "row";
        let stride = match stride {
            [] => {
                // Without a stride, the lines of the matrix are adjacent.
                let line = if by_rows { fragment.columns() } else { fragment.rows() };
                self.constant(crate::exec::Bank::B32, line as u64)
            }
            [stride] => self.number32(stride)?,
            _ => return self.count(parts, 3),
        };
        let tile = Tile { space, address, stride, by_rows, fragment, registers };
        self.push(Op::Matrix(Box::new(if loads { Matrix::LoadTile(tile) } else { Matrix::StoreTile(tile) })));
        Ok(())
    }
}

/// Returns the fragment and the state space of a load or a store. Returns `None` for unknown words.
fn of(role: &str, layout: &str, shaped: &str, places: &[&str], ty: &str) -> Option<(Fragment, Space)> {
    let place = match places {
        [] => Space::Generic,
        [word] => space(word).filter(|space| matches!(space, Space::Shared | Space::Global))?,
        _ => return None,
    };
    let fragment = Fragment::of_wmma(role, shaped, ty)?;
    // Adjacent elements of less than a byte have the same row of A or column of B.
    let is_packed = fragment.element_bits() >= 8 || (role == "a") == (layout == "row");
    is_packed.then_some((fragment, place))
}
