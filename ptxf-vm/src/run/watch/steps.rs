//! Traces the steps of threads.

use std::fmt;
use std::ops::RangeInclusive;

use ptxf::spec::Type;

use super::moment::Moment;
use crate::code::Op;
use crate::exec::form::Source;
use crate::number::{Float, shown};

/// A selection of the steps of a launch. The default selects all steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The only block.
    pub block: Option<[u32; 3]>,
    /// The only thread, by its number in its block.
    pub thread: Option<u32>,
    /// The only PTX lines, counted from 1.
    pub lines: Option<RangeInclusive<usize>>,
    /// The only register, such as `%f7`, that selected instructions read or write.
    pub register: Option<String>,
}

/// A value that an instruction read or wrote. It displays as `%f7 = 0x3fc00000 (1.5)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Value {
    /// The register or predicate. It is empty for a constant or a special register.
    pub name: String,
    /// The bits.
    pub bits: u64,
    /// The number of bits; 1 for a predicate.
    pub width: u32,
    /// The type in the instruction. `None` if the instruction is not in the table of forms.
    pub ty: Option<Type>,
}

/// An executed instruction of a thread. It displays with its operands and results.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The index of the block.
    pub block: [u32; 3],
    /// The number of the thread in its block, with x varying fastest.
    pub thread: u32,
    /// The function, which the entry can call.
    pub function: String,
    /// The line of the PTX text, counted from 1.
    pub line: usize,
    /// The text of the instruction.
    pub text: String,
    /// The source file and line. `None` if the text has no `.loc`.
    pub source: Option<(String, u32)>,
    /// The values that it read, in the order of the text. They include the register of an address.
    pub operands: Vec<Value>,
    /// The values that it wrote to registers.
    pub results: Vec<Value>,
    /// The address of an access, within its state space.
    pub address: Option<u64>,
}

impl Value {
    /// Returns a lane as a floating-point number, lane 0 being the lowest. Returns `None` if the
    /// type is not floating-point.
    #[must_use]
    pub fn float(&self, lane: u32) -> Option<f64> {
        let ty = self.ty.filter(|ty| lane < ty.lanes())?;
        Float::new(ty, self.bits, lane).map(|x| x.value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "{} = ", self.name)?;
        }
        if self.width == 1 {
            return write!(f, "{}", self.bits != 0);
        }
        write!(f, "{:#0width$x}", self.bits, width = self.width as usize / 4 + 2)?;
        // A decimal value of bits without a numeric type would mislead.
        self.ty.map_or(Ok(()), |ty| write!(f, " ({})", shown(ty, self.bits)))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[Value]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut values = list(&self.results);
        if !self.operands.is_empty() {
            values += &format!("  <-  {}", list(&self.operands));
        }
        if let Some(address) = self.address {
            values += &format!("  at {address:#x}");
        }
        let line = format!("{:>5}:  {:<44}  {}", self.line, self.text, values.trim_start());
        f.write_str(line.trim_end())
    }
}

/// The traced lanes of an instruction, with the values that they read.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    open: Vec<(usize, Vec<u64>, Option<u64>)>,
}

impl Steps {
    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>, filter: &Filter) {
        self.open.clear();
        if filter.block.is_some_and(|block| block != moment.block) {
            return;
        }
        let lanes = crate::exec::registers::lanes(moment.mask);
        let chosen = |lane: &usize| filter.thread.is_none_or(|thread| thread == number(moment, *lane));
        let lanes: Vec<usize> = lanes.filter(chosen).collect();
        if lanes.is_empty() {
            return;
        }
        if let Some(lines) = &filter.lines
            && !lines.contains(&moment.launch().program.read.line(moment.at()))
        {
            return;
        }
        let operands = moment.operands();
        if let Some(register) = &filter.register {
            let mut all = operands.results.iter().chain(&operands.operands);
            if !all.any(|source| moment.code().name_of(*source) == register) {
                return;
            }
        }
        let touches: Vec<_> = moment.instruction().touched().iter().flat_map(|t| moment.touches(t)).collect();
        for lane in lanes {
            let values = operands.operands.iter().map(|source| moment.value(*source, lane)).collect();
            let address = touches.iter().find(|touch| touch.lane == lane).map(|touch| touch.address);
            self.open.push((lane, values, address));
        }
    }

    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>, sink: &(dyn Fn(&Step) + Sync)) {
        let operands = moment.operands();
        for (lane, values, address) in std::mem::take(&mut self.open) {
            let site = moment.site(lane);
            let (to, from) = types(moment, &site.text);
            let value = |(i, source): (usize, &Source), bits, types: &dyn Fn(usize) -> Option<Type>| Value {
                name: moment.code().name_of(*source).to_owned(),
                bits,
                width: match source {
                    Source::Register(reg) => reg.bank.bits(),
                    Source::Predicate(_) => 1,
                },
                ty: types(i),
            };
            let results = operands.results.iter().enumerate();
            let read = operands.operands.iter().enumerate().zip(values);
            sink(&Step {
                block: moment.block,
                thread: number(moment, lane),
                function: moment.code().name.clone(),
                line: site.line,
                text: site.text.clone(),
                source: site.source,
                operands: read.map(|(source, bits)| value(source, bits, &from)).collect(),
                results: results
                    .filter(|(_, source)| !moment.code().name_of(**source).is_empty())
                    .map(|source| value(source, moment.value(*source.1, lane), &to))
                    .collect(),
                address,
            });
        }
    }
}

/// Returns the number of a lane's thread in its block.
fn number(moment: &Moment<'_, '_>, lane: usize) -> u32 {
    32 * moment.warp.index + lane as u32
}

/// Returns the types of an instruction's results and operands, by position.
fn types<'l>(
    moment: &Moment<'_, 'l>,
    text: &str,
) -> (impl Fn(usize) -> Option<Type> + use<'l>, impl Fn(usize) -> Option<Type> + use<'l>) {
    let op = &moment.instruction().op;
    let floats = [Type::F16, Type::F16x2, Type::Bf16, Type::Bf16x2, Type::F32, Type::F32x2, Type::F64]
        .map(|t| (t.to_string(), t));
    let opcode = text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default();
    let last = opcode.trim_end_matches(';').rsplit('.').next().unwrap_or_default();
    let named = floats.into_iter().find(|(name, _)| name == last).map(|(_, ty)| ty);
    let to = move |_: usize| match op {
        Op::Form(form) => Some(form.spelling.form.result).filter(|ty| !matches!(ty, Type::Pred | Type::Preds)),
        _ => named,
    };
    let from = move |i: usize| match op {
        Op::Form(form) => form.spelling.form.operands.get(i).copied().filter(|ty| *ty != Type::Pred),
        // The first operand is the address.
        Op::Load(access) | Op::Store(access) if i == 0 && access.address.base.is_some() => None,
        Op::Atomic(atomic) if i == 0 && atomic.address.base.is_some() => None,
        _ => named,
    };
    (to, from)
}
