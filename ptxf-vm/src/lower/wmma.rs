//! Lowers `wmma.load`, `wmma.store` and `wmma.mma`.
//!
//! The manual leaves the layout of these fragments open. The machine has those of `mma`, as the
//! assembler does.

use ptxf_text::{Error, Operand};

use super::function::Lowering;
use super::memory::space;
use super::mma::{is_shape, shape};
use super::operand::Parts;
use crate::code::{Matrix, Op, Space, Tile};
use crate::exec::fragment::{Fragment, Role};
use crate::exec::product::{Format, Formats, Rule, Total};

const WIDE: &[[usize; 3]] = &[[16, 16, 16], [8, 32, 16], [32, 8, 16]];

/// Shapes of `wmma` by the bits of an element.
const SHAPES: &[(u32, &[[usize; 3]])] =
    &[(64, &[[8, 8, 4]]), (32, &[[16, 16, 8]]), (16, WIDE), (8, WIDE), (4, &[[8, 8, 32]]), (1, &[[8, 8, 128]])];

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
            ["wmma", "mma", ref words @ ..] => {
                let (rule, words) = match words {
                    ["and", "popc", rest @ ..] => (Rule::And, rest),
                    ["xor", "popc", rest @ ..] => (Rule::Xor, rest),
                    _ => (Rule::None, words),
                };
                let ["sync", "aligned", "row" | "col", "row" | "col", shaped, words @ ..] = words else {
                    return Ok(false);
                };
                // nvcc has the rounding at the end, and the manual before the formats.
                let (rule, words) = match words {
                    ["rn", rest @ ..] | [rest @ .., "rn"] => (rule, rest),
                    ["rz", rest @ ..] | [rest @ .., "rz"] => (Rule::Rz, rest),
                    ["rm", rest @ ..] | [rest @ .., "rm"] => (Rule::Rm, rest),
                    ["rp", rest @ ..] | [rest @ .., "rp"] => (Rule::Rp, rest),
                    [rest @ .., "satfinite"] => (Rule::Saturate, rest),
                    _ => (rule, words),
                };
                let [d, a, b, c] = match *words {
                    [d, c] => [d, "f16", "f16", c],
                    [d, a, b, c] => [d, a, b, c],
                    _ => return Ok(false),
                };
                let formats = (Format::named(a), Format::named(b), Total::named(d), Total::named(c));
                let (Some(a), Some(b), Some(d), Some(c)) = formats else { return Ok(false) };
                let Some(shape) = shape(shaped).filter(|shape| is_shape(SHAPES, a.bits(), *shape)) else {
                    return Ok(false);
                };
                if a.bits() != b.bits() || c != d && (c.bits() > 32 || d.bits() > 32) {
                    return Ok(false);
                }
                self.count(parts, 4)?;
                // Of f16 and f32, the sum is an f32.
                let total = if c == d { d } else { Total::F32 };
                self.multiply(parts, shape, Formats { a, b, total, rule }, [d, c], None)?;
            }
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
        let registers = self.fragment(fragments, fragment, true, loads)?;
        let (space, address) = self.address(address, space)?;
        let by_rows = layout == "row";
        let stride = match stride {
            [] => {
                // Without a stride, the lines of the matrix are adjacent.
                let line = if by_rows { fragment.columns } else { fragment.rows };
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
    let shape @ [m, n, k] = shape(shaped)?;
    let is_known = |bits: u32| is_shape(SHAPES, bits, shape);
    let (role, rows, columns, bits) = match role {
        "a" | "b" => {
            let bits = Format::named(ty)?.bits();
            // Adjacent elements of less than a byte have the same row of A or column of B.
            let is_packed = bits >= 8 || (role == "a") == (layout == "row");
            if !is_known(bits) || !is_packed {
                return None;
            }
            if role == "a" { (Role::A, m, k, bits) } else { (Role::B, k, n, bits) }
        }
        "c" | "d" => {
            let bits = Total::named(ty)?.bits();
            let factors: &[u32] = match bits {
                16 => &[16],
                32 => &[32, 16, 8, 4, 1],
                _ => &[64],
            };
            factors.iter().any(|bits| is_known(*bits)).then_some((Role::C, m, n, bits))?
        }
        _ => return None,
    };
    Some((Fragment { role, rows, columns, bits }, place))
}
