//! A kernel's arithmetic machine instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use ptxf::spec::{FormInfo, Type};
use ptxf_build::sm;

use super::check::{Kind, SPARSE, canonical};
use super::output;

/// A kernel's instructions that depend on the elements that it loads. Address arithmetic and the
/// bounds check depend only on the parameters and the thread's index, and are excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Arithmetic instructions.
    pub arithmetic: Vec<String>,
    /// Branches on loaded values, and calls.
    pub control: Vec<String>,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.arithmetic.join(" "))?;
        if !self.control.is_empty() {
            write!(f, " + {}", self.control.join(" "))?;
        }
        Ok(())
    }
}

/// Moves within and between registers.
const MOVES: &[&str] = &["MOV", "IMAD.MOV", "UMOV", "PRMT", "R2UR"];
const CONTROL: &[&str] = &[
    "BRA", "BRX", "BSSY", "BSYNC", "BREAK", "CALL", "RET", "EXIT", "WARPSYNC", "NOP", "BMOV", "YIELD", "PLOP3", "P2R",
    "R2P",
];

/// Disassembles a cubin.
pub(crate) fn disassemble(nvdisasm: &Path, cubin: &Path) -> Result<BTreeMap<String, Machine>> {
    let text = output(Command::new(nvdisasm).arg("-c").arg(cubin))?;
    Ok(read(&text))
}

fn read(text: &str) -> BTreeMap<String, Machine> {
    let mut kernels = BTreeMap::new();
    let mut current: Option<(String, Reader)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix(".text.").and_then(|n| n.strip_suffix(':')) {
            kernels.extend(current.take().map(|(n, r)| (n, r.machine)));
            current = Some((name.to_owned(), Reader::default()));
        } else if let Some((_, reader)) = &mut current
            && trimmed.starts_with("$__internal")
            && trimmed.ends_with(':')
        {
            reader.routine = true;
        } else if let Some((_, reader)) = &mut current
            && let Some((_, instruction)) = trimmed.strip_prefix("/*").and_then(|t| t.split_once("*/"))
        {
            reader.instruction(instruction.trim().trim_end_matches(';').trim());
        }
    }
    kernels.extend(current.map(|(n, r)| (n, r.machine)));
    kernels
}

/// Follows instructions that run one after the other.
pub(crate) fn follow<'a>(instructions: impl IntoIterator<Item = &'a str>) -> Machine {
    let mut reader = Reader::default();
    instructions.into_iter().for_each(|i| reader.instruction(i));
    reader.machine
}

/// The state while following loaded values, in program order.
#[derive(Default)]
struct Reader {
    machine: Machine,
    /// `true` inside of a routine that the assembler added. All of it counts, since only the form
    /// calls it.
    routine: bool,
    /// Registers computed from loaded values.
    tainted: BTreeSet<String>,
}

impl Reader {
    fn instruction(&mut self, text: &str) {
        let (guard, text) = match text.strip_prefix('@').and_then(|t| t.split_once(char::is_whitespace)) {
            Some((guard, rest)) => (Some(guard.trim_start_matches('!')), rest.trim_start()),
            None => (None, text),
        };
        let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
        let is = |prefixes: &[&str]| {
            prefixes.iter().any(|p| opcode.strip_prefix(p).is_some_and(|r| r.is_empty() || r.starts_with('.')))
        };
        let guarded = guard.is_some_and(|g| self.tainted.contains(g));
        if is(&["LDG", "LD"]) {
            self.write(operands[0], width(opcode), true);
            return;
        }
        if is(&["STG", "ST"]) {
            return;
        }
        // Predicates written come second, as in `IADD3 R2, P0, …` and `FSETP.GT.AND P0, PT, …`.
        let predicate = |o: &&&str| {
            let plain = o.trim_start_matches('U');
            plain == "PT" || plain.strip_prefix('P').is_some_and(|d| d.parse::<u8>().is_ok())
        };
        let written = if is(CONTROL) && !is(&["PLOP3", "P2R"]) {
            0
        } else {
            1 + operands.iter().skip(1).take_while(predicate).take(1).count()
        };
        let reads = operands.iter().skip(written).flat_map(|o| registers(o)).any(|r| self.tainted.contains(r));
        let depends = guarded || reads;
        if is(&["CALL"]) || depends && is(CONTROL) {
            self.machine.control.push(opcode.to_owned());
        } else if (depends || self.routine) && !is(MOVES) && !is(CONTROL) {
            self.machine.arithmetic.push(opcode.to_owned());
        }
        for operand in operands.iter().take(written) {
            if depends || guard.is_none() {
                self.write(operand, width(opcode), depends);
            }
        }
    }

    fn write(&mut self, operand: &str, width: u32, tainted: bool) {
        let Some(first) = registers(operand).next() else { return };
        let split = first.find(|c: char| c.is_ascii_digit()).unwrap_or(first.len());
        let Ok(number) = first[split..].parse::<u32>() else { return };
        let width = if first.ends_with('P') || first.starts_with('P') { 1 } else { width };
        for k in 0..width {
            let register = format!("{}{}", &first[..split], number + k);
            if tainted {
                self.tainted.insert(register);
            } else {
                self.tainted.remove(&register);
            }
        }
    }
}

/// Returns the number of registers that the opcode writes.
fn width(opcode: &str) -> u32 {
    let double = ["DADD", "DMUL", "DFMA", "DMNMX", "IMAD.WIDE", "F2F.F64", "FADD2", "FMUL2", "FFMA2"];
    if opcode.contains(".128") {
        4
    } else if opcode.contains(".64") || double.iter().any(|d| opcode.starts_with(d)) {
        2
    } else {
        1
    }
}

/// The registers in an operand: `R4` in `-|R4.H0_H0|`.
fn registers(operand: &str) -> impl Iterator<Item = &str> {
    operand.split(|c: char| !c.is_ascii_alphanumeric()).filter(|t| {
        let t = t.strip_prefix('U').unwrap_or(t);
        t.strip_prefix(['R', 'P']).is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    })
}

const PER_LANE: &str = "one for each lane";
const MOVE: &str = "a move at most";

/// Returns the reason why a form takes more than one machine instruction. `None` for plain forms.
///
/// All other forms must be one instruction, so that an expansion by a new assembler is noticed.
pub(crate) fn expansion(form: &FormInfo, target: &str) -> Option<&'static str> {
    let flushes = form.modifiers.iter().any(|m| m.name == ".ftz");
    match (form.instruction, form.operands[0]) {
        ("testp", _) => Some("comparisons, and a selection for the predicate"),
        ("set", Type::F16x2 | Type::Bf16x2) if form.booleans.is_empty() => None,
        ("set" | "setp", _) => Some("a comparison, and what makes its result of a predicate"),
        ("selp" | "slct", _) => Some("a selection, of two registers for 64 bits"),
        ("div", _) => Some("a reciprocal refined or scaled"),
        ("rcp" | "sqrt" | "rsqrt", _) if !form.approximate => Some("an approximation refined, special cases apart"),
        ("rcp" | "sqrt" | "rsqrt" | "lg2" | "ex2", Type::F32) if !flushes => {
            Some("operands near the subnormals are scaled")
        }
        ("rsqrt", Type::F64) if !flushes => Some("an approximation of the upper word, refined"),
        ("cvt", from) if from == form.result && form.modifiers.is_empty() => Some(MOVE),
        ("cvt", _) if form.result.bits() == 8 => Some("a conversion, and what makes a register of eight bits"),
        ("cvt", from) if SPARSE.contains(&from) || SPARSE.contains(&form.result) => {
            Some("a conversion, and the clearing of bits that no value has")
        }
        ("cvt", _) if form.operands.len() == 5 => Some("a conversion for each half of the register"),
        ("cvt", from) if flushes && (from.bits() == 64 || form.result.bits() == 64) => {
            Some("a conversion, and a flush")
        }
        ("cvt", _) if form.effect.sat() => Some("a conversion, then a clamp"),
        ("sin" | "cos", _) => Some("the argument in turns, then the function unit"),
        // Its function unit takes both lanes.
        ("ex2", Type::F16x2 | Type::Bf16x2) if sm(target) == 103 => None,
        ("tanh" | "ex2", Type::F16x2 | Type::Bf16x2) => Some(PER_LANE),
        ("neg" | "abs", Type::F16x2) if flushes => Some(PER_LANE),
        // Blackwell beside the data centre has no packed f32; the GeForce line has no min and max
        // of three either.
        (_, Type::F32x2) if sm(target) >= 110 => Some(PER_LANE),
        ("min" | "max", Type::F32) if form.operands.len() == 3 && sm(target) >= 120 => Some("two of two operands"),
        ("min" | "max", Type::F64) => Some("a comparison and selections: no f64 unit has it"),
        _ => None,
    }
}

/// Checks that every plain form is one arithmetic machine instruction.
pub(crate) fn check(
    machine: &BTreeMap<String, Machine>,
    kinds: &BTreeMap<&'static str, Kind>,
    target: &str,
    problems: &mut Vec<String>,
) {
    for form in canonical().filter(|f| kinds.get(f.identifier.as_str()) == Some(&Kind::Native)) {
        let Some(m) = machine.get(&form.identifier) else {
            problems.push(format!("{}: not in the disassembly", form.identifier));
            continue;
        };
        let reason = expansion(form.info, target);
        let right = match reason {
            None => m.arithmetic.len() == 1 && m.control.is_empty(),
            Some(MOVE) => m.arithmetic.len() <= 1 && m.control.is_empty(),
            Some(PER_LANE) => m.arithmetic.len() == 2 && m.control.is_empty(),
            Some(_) => !m.arithmetic.is_empty(),
        };
        if !right {
            problems.push(format!(
                "{} became {m}, not {}",
                form.identifier,
                reason.unwrap_or("one machine instruction")
            ));
        }
    }
}
