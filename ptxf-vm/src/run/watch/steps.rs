//! What threads do, step by step.

use std::fmt;
use std::ops::RangeInclusive;

use ptxf::spec::Type;

use super::moment::Moment;
use crate::code::Op;
use crate::exec::form::Source;
use crate::number::{Float, shown};

/// Which steps of a launch are asked for; without anything all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this block alone.
    pub block: Option<[u32; 3]>,
    /// Of this thread alone, by its number in its block.
    pub thread: Option<u32>,
    /// Of these lines of PTX alone.
    pub lines: Option<RangeInclusive<usize>>,
    /// Of instructions that read or write this register alone, `%f7`.
    pub register: Option<String>,
}

/// A value that an instruction read or wrote; displays as `%f7 = 0x3fc00000 (1.5)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Value {
    /// The register or the predicate; nothing for a number and for what a thread knows of itself.
    pub name: String,
    /// Its bits.
    pub bits: u64,
    /// How many there are, 1 of a predicate.
    pub width: u32,
    /// The type that the instruction gives it, if that is one of the table.
    pub ty: Option<Type>,
}

/// An instruction that a thread executed; displays with its operands and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The block of the thread.
    pub block: [u32; 3],
    /// The thread's number in its block, with x running first.
    pub thread: u32,
    /// The function, which may be one that the entry calls.
    pub function: String,
    /// The line of the PTX text, counted from 1.
    pub line: usize,
    /// The instruction.
    pub text: String,
    /// The file and the line of the source, if the text says them.
    pub source: Option<(String, u32)>,
    /// What it read, in the order of the text; the address register of an access is among them.
    pub operands: Vec<Value>,
    /// What it wrote to registers.
    pub results: Vec<Value>,
    /// The address of an access, within its space.
    pub address: Option<u64>,
}

impl Value {
    /// The value in floating point of a lane, the lowest being 0; `None` if its type is no such one.
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
        // In decimal the bits of what has no value would only seem to have one.
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

/// The lanes of an instruction that are looked at, with what they read.
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

/// The thread of a lane, by its number in its block.
fn number(moment: &Moment<'_, '_>, lane: usize) -> u32 {
    32 * moment.warp.index + lane as u32
}

/// The types that an instruction gives to its results and to its operands, by their places.
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
        // The first one is the address.
        Op::Load(access) | Op::Store(access) if i == 0 && access.address.base.is_some() => None,
        Op::Atomic(atomic) if i == 0 && atomic.address.base.is_some() => None,
        _ => named,
    };
    (to, from)
}
