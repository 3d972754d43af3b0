//! Matrix instructions for `ptxf explain` and `ptxf eval`.

use std::io::{self, Write};

use ptxf::matrix::{Element, Evidence, Fragment, Instruction, NoInstruction, Unit};
use ptxf::spec::Type;
use ptxf::{E4m3, E5m2};

use crate::operand::{self, excerpt};
use crate::{Failure, say};

/// The targets of the known units.
const TARGETS: [&str; 9] = ["sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"];

/// Returns the instruction, or `None` if the text names no matrix instruction.
pub(crate) fn find(text: &str) -> Option<Result<Instruction, Failure>> {
    let is_one = ["mma", "wmma", "wgmma"].contains(&text.split('.').next().unwrap_or_default());
    let wrong = |e: NoInstruction<'_>| Failure::Input(e.to_string());
    is_one.then(|| Instruction::parse(text).map_err(wrong))
}

/// Explains an instruction: its formats, how each device adds, and the registers of the matrices.
pub(crate) fn explain(text: &str, of: &Instruction, out: &mut impl Write) -> io::Result<()> {
    let ([m, n, k], [a, b, c, d], (version, target)) = (of.shape(), of.formats().map(Element::name), of.since());
    let (products, half) = (of.a().columns(), if of.metadata().is_some() { ", half of each row" } else { "" });
    writeln!(out, "{text}\n\nD = A · B + C: {m} × {n} sums of {products} products each.\n")?;
    writeln!(out, "A             {m} × {k} in {a}{half}\nB             {k} × {n} in {b}\nC, D          in {c}, {d}")?;
    writeln!(out, "Since         PTX {version}, {target}\n\nThe products of an element are added as")?;
    for target in TARGETS {
        let Some(unit) = Unit::of_target(target) else { continue };
        let (Ok(steps), Ok(evidence)) = (of.steps(unit), of.evidence(unit)) else { continue };
        let evidence = match evidence {
            Evidence::Defined => "defined",
            Evidence::Measured => "measured",
            Evidence::Recorded => "recorded by others",
            Evidence::Disassembled => "by the assembler's code",
            Evidence::Published => "published model",
            _ => "assumed: no device was compared",
        };
        writeln!(out, "  {target:<8}{steps} ({evidence})")?;
    }
    writeln!(out, "\nEach lane's registers, the lowest bits first. A picture has LANE.ELEMENT for each element.")?;
    for (name, fragment) in [("A", of.a()), ("B", of.b()), ("C and D", of.d())] {
        registers(name, &fragment, out)?;
    }
    of.metadata().map_or(Ok(()), |metadata| registers("Metadata", &metadata, out))
}

/// The most columns of a picture.
const WIDEST: usize = 32;

fn registers(name: &str, fragment: &Fragment, out: &mut impl Write) -> io::Result<()> {
    if fragment.registers() == 0 {
        return writeln!(out, "\n{name}: in shared memory");
    }
    let (count, bits) = (fragment.registers(), fragment.register_bits());
    writeln!(out, "\n{name}: {count} of {bits} bits; lane | element: {}", fragment.layout())?;
    if fragment.columns() <= WIDEST { write!(out, "{fragment}") } else { Ok(()) }
}

/// Computes one element of D from a row of A, a column of B and an element of C.
pub(crate) fn eval(of: &Instruction, device: &str, operands: &[String], out: &mut impl Write) -> Result<(), Failure> {
    // The default of `--model`, which has no matrix unit.
    let device = if device == "reference" { "sm_90" } else { device };
    let unit = Unit::of_target(device)
        .ok_or_else(|| Failure::Input(format!("--model {}: no target with a known matrix unit", excerpt(device))))?;
    let [a, b, c] = operands else {
        let given = operands.len();
        let what = format!("a row of A, a column of B and an element of C are expected, {given} given: 1,2 0.5,-1 0");
        return Err(Failure::Input(what));
    };
    let [in_a, in_b, in_c, in_d] = of.formats();
    let (a, b) = (row("A", a, in_a)?, row("B", b, in_b)?);
    if a.len() != b.len() {
        let what = format!("{} factors of A cannot be multiplied by {} of B", a.len(), b.len());
        return Err(Failure::Input(what));
    }
    let c = one("C", c, in_c)?;
    let steps = of.steps(unit).map_err(|e| Failure::Input(e.to_string()))?;
    let sum = of.sum(unit, a.len(), |k| a[k], |k| b[k], c).map_err(|e| Failure::Input(e.to_string()))?;
    let ty = type_of(in_d).ok_or_else(|| unread(in_d))?;
    let digits = in_d.bits() / 4;
    writeln!(out, "d = 0x{sum:0digits$x} = {}", operand::argument(sum, ty))?;
    writeln!(out, "{device}: {steps}")?;
    Ok(())
}

fn row(name: &str, text: &str, format: Element) -> Result<Vec<u64>, Failure> {
    text.split(',').map(|text| one(name, text.trim(), format)).collect()
}

fn one(name: &str, text: &str, format: Element) -> Result<u64, Failure> {
    let of_8_bits = match format {
        Element::E4m3 => Some(text.parse::<E4m3>().map(|x| x.to_bits()).map_err(|e| e.to_string())),
        Element::E5m2 => Some(text.parse::<E5m2>().map(|x| x.to_bits()).map_err(|e| e.to_string())),
        _ => None,
    };
    if let Some(bits) = of_8_bits {
        return bits.map(u64::from).map_err(|e| Failure::Input(format!("{name}: {}: {e}", excerpt(text))));
    }
    let ty = type_of(format).ok_or_else(|| unread(format))?;
    let operand = operand::parse(text, ty).map_err(|e| Failure::Input(format!("{name}: {e}")))?;
    operand.notes.iter().for_each(|note| say(&format!("note: {name}: {note}")));
    Ok(operand.bits)
}

fn unread(format: Element) -> Failure {
    Failure::Input(format!("operands in .{} cannot be written here", format.name()))
}

fn type_of(format: Element) -> Option<Type> {
    Some(match format {
        Element::F16 => Type::F16,
        Element::Bf16 => Type::Bf16,
        Element::Tf32 => Type::Tf32,
        Element::F32 => Type::F32,
        Element::F64 => Type::F64,
        Element::S32 => Type::S32,
        Element::S8 => Type::S8,
        Element::U8 => Type::U8,
        _ => return None,
    })
}
