//! Lowers `mma`, `mma.sp` and `wmma.mma`.

use ptxf::matrix::Unit;
use ptxf_text::{Class, Error, Number, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::{Matrix, Multiply, Op, Sparse};
use crate::exec::fragment::{Fragment, Role};
use crate::exec::product::{Format, Formats, Rule, Total};
use crate::exec::{Bank, Reg};

/// Returns the numbers of a shape such as `m16n8k16`. Returns `None` for another word.
pub(crate) fn shape(word: &str) -> Option<[usize; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// Shapes of `mma` by the bits of an element, without Volta's.
const SHAPES: &[(u32, &[[usize; 3]])] = &[
    (64, &[[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]]),
    (32, &[[16, 8, 4], [16, 8, 8]]),
    (16, &[[16, 8, 8], [16, 8, 16]]),
    (8, &[[8, 8, 16], [16, 8, 16], [16, 8, 32]]),
    (4, &[[8, 8, 32], [16, 8, 32], [16, 8, 64]]),
    (1, &[[8, 8, 128], [16, 8, 128], [16, 8, 256]]),
];

/// Shapes of `mma.sp`.
const SPARSE_SHAPES: &[(u32, &[[usize; 3]])] = &[(32, &[[16, 8, 8], [16, 8, 16]]), (16, &[[16, 8, 16], [16, 8, 32]])];

/// Returns `true` if the table has a shape for elements of so many bits.
pub(crate) fn is_shape(table: &[(u32, &[[usize; 3]])], bits: u32, shape: [usize; 3]) -> bool {
    table.iter().any(|(of, shapes)| *of == bits && shapes.contains(&shape))
}

impl Lowering<'_> {
    /// Lowers `mma`. Returns `false` for another instruction.
    pub(crate) fn mma(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (is_sparse, words) = match *parts.words {
            ["mma", "sp" | "sp::ordered_metadata", ref words @ ..] => (true, words),
            ["mma", ref words @ ..] => (false, words),
            _ => return Ok(false),
        };
        let ["sync", "aligned", shaped, "row", "col", words @ ..] = words else { return Ok(false) };
        let Some(shape) = shape(shaped) else { return Ok(false) };
        let (rule, words) = match words {
            ["satfinite", rest @ ..] => (Rule::Saturate, rest),
            ["rn", rest @ ..] if rest.first() == Some(&"f64") => (Rule::None, rest),
            ["rz", rest @ ..] => (Rule::Rz, rest),
            ["rm", rest @ ..] => (Rule::Rm, rest),
            ["rp", rest @ ..] => (Rule::Rp, rest),
            [rest @ .., "and", "popc"] => (Rule::And, rest),
            [rest @ .., "xor", "popc"] => (Rule::Xor, rest),
            _ => (Rule::None, words),
        };
        let &[d, a, b, c] = words else { return Ok(false) };
        let (Some(a), Some(b), Some(total)) = (Format::named(a), Format::named(b), Total::named(d)) else {
            return Ok(false);
        };
        let shapes = if is_sparse { SPARSE_SHAPES } else { SHAPES };
        if c != d || a.bits() != b.bits() || !is_shape(shapes, a.bits(), shape) {
            return Ok(false);
        }
        self.count(parts, if is_sparse { 6 } else { 4 })?;
        let sparse = is_sparse.then(|| self.sparse(parts, a, shape[2])).transpose()?;
        let formats = Formats { a, b, total, rule };
        self.multiply(parts, shape, formats, [total; 2], sparse)?;
        Ok(true)
    }

    /// Adds a product. `totals` are the formats of D and C.
    pub(crate) fn multiply(
        &mut self,
        parts: Parts<'_, '_>,
        [m, n, k]: [usize; 3],
        formats: Formats,
        totals: [Total; 2],
        sparse: Option<Sparse>,
    ) -> Result<(), Error> {
        let unit = self.unit(parts, "")?;
        formats.check(unit).map_err(|what| self.error(parts.span, what))?;
        let [d, a, b, c] = [0, 1, 2, 3].map(|i| &parts.operands[i]);
        let across = if sparse.is_some() { k / 2 } else { k };
        let fragment = |role, rows, columns, bits| Fragment { role, rows, columns, bits };
        let a_as = fragment(Role::A, m, across, formats.a.bits());
        let b_as = fragment(Role::B, k, n, formats.b.bits());
        let [d_as, c_as] = totals.map(|total| fragment(Role::C, m, n, total.bits()));
        let of_wmma = parts.words[0] == "wmma";
        let a = self.fragment(a, a_as, of_wmma, false)?;
        let b = self.fragment(b, b_as, of_wmma, false)?;
        let c = self.fragment(c, c_as, of_wmma, false)?;
        let d = self.fragment(d, d_as, of_wmma, true)?;
        let multiply = Multiply { unit, formats, a: (a_as, a), b: (b_as, b), c: (c_as, c), d: (d_as, d), sparse };
        self.push(Op::Matrix(Box::new(Matrix::Multiply(Box::new(multiply)))));
        Ok(())
    }

    /// Returns the unit of the machine, or that of the target with another suffix.
    pub(crate) fn unit(&self, parts: Parts<'_, '_>, suffix: &str) -> Result<Unit, Error> {
        let sm = self.shape.replacement.matrix.unwrap_or(self.shape.unit.target.sm);
        Unit::of_target(&format!("sm_{sm}{suffix}")).ok_or_else(|| {
            let what = format!(
                "sm_{sm} has no known matrix unit: choose the model of a device, such as sm_90, or another `.target`"
            );
            self.error(parts.span, what)
        })
    }

    /// Returns the registers of a fragment.
    pub(crate) fn fragment(
        &mut self,
        operand: &Operand,
        fragment: Fragment,
        of_wmma: bool,
        is_result: bool,
    ) -> Result<Vec<Reg>, Error> {
        // The fragments of `wmma` in f16 have room for each element several times.
        let is_roomy = of_wmma && fragment.bits == 16 && fragment.role != Role::C;
        let count = match &operand.kind {
            OperandKind::Vector(all) if is_roomy && all.len() == 8 => 8,
            _ => fragment.registers(),
        };
        let (bank, class) =
            if fragment.register_bits() == 64 { (Bank::B64, Class::Float) } else { (Bank::B32, Class::Bits) };
        let ty = Ty { class, bits: bank.bits() };
        let all = self.elements(operand, count)?;
        all.iter().map(|of| if is_result { self.result(of, bank) } else { self.source(of, bank, ty) }).collect()
    }

    /// Returns the last operands of `mma.sp`.
    fn sparse(&mut self, parts: Parts<'_, '_>, a: Format, k: usize) -> Result<Sparse, Error> {
        let metadata = self.number32(&parts.operands[4])?;
        // The metadata of 32 bits of a row of A are in one lane of four.
        let lanes = k * a.bits() as usize / 256;
        let most = 4 / lanes as u64 - 1;
        match parts.operands[5].kind {
            OperandKind::Number(Number::Int(selector)) if selector <= most => {
                Ok(Sparse { metadata, first: selector as usize * lanes })
            }
            _ => Err(self.error(
                parts.operands[5].at,
                format!("a number from 0 to {most} is expected, which selects lanes with metadata"),
            )),
        }
    }
}
