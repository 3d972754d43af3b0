//! Finds instructions that produce NaN, infinity or zero, or cancel bits.

use std::collections::HashMap;

use ptxf::spec::{FormInfo, Spelling, Type};
use ptxf_text::Class;

use super::moment::Moment;
use super::report::{ReportKind, Reports};
use crate::code::Op;
use crate::exec::form::integer;
use crate::exec::registers::lanes;
use crate::lower::known_form;
use crate::number::{Float, shown};

/// The tool.
#[derive(Debug)]
pub(crate) struct Births {
    /// The number of bits that may cancel. `None` is half of the format's precision.
    bits: Option<u32>,
    /// The forms without `.ftz`, by function and place.
    kept: HashMap<(usize, u32), Option<Spelling>>,
    /// Atomic operations of an instruction, by lane.
    updates: Vec<(usize, Spelling, [u64; 2])>,
}

/// An operation of a lane: its operands, without the other lanes of their registers, and its
/// result.
struct Done {
    operands: Vec<Option<Float>>,
    result: Float,
}

impl Births {
    pub(crate) fn new(bits: Option<u32>) -> Self {
        Self { bits, kept: HashMap::new(), updates: Vec::new() }
    }

    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>, reports: &mut Reports) {
        let Op::Form(form) = &moment.instruction().op else { return };
        for lane in lanes(moment.mask) {
            let operands: Vec<u64> = form.sources.iter().map(|source| moment.value(*source, lane)).collect();
            self.one(moment, lane, form.spelling, &operands, form.result(&operands), reports);
        }
    }

    /// Notes an atomic operation of a lane on this old value.
    pub(crate) fn updated(&mut self, lane: usize, spelling: Spelling, old: u64, operand: u64) {
        self.updates.push((lane, spelling, [old, operand]));
    }

    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>, reports: &mut Reports) {
        for (lane, spelling, operands) in std::mem::take(&mut self.updates) {
            // Lowering has checked that the form has two operands.
            let Some(result) = spelling.call(&operands) else { continue };
            self.one(moment, lane, spelling, &operands, result, reports);
        }
    }

    fn one(
        &mut self,
        moment: &Moment<'_, '_>,
        lane: usize,
        spelling: Spelling,
        operands: &[u64],
        result: u64,
        reports: &mut Reports,
    ) {
        let kept = if spelling.form.effect.ftz() {
            let place = (moment.code().index, moment.group.pc);
            *self.kept.entry(place).or_insert_with(|| known_form(&spelling.to_string().replace(".ftz", "")))
        } else {
            None
        };
        let without = kept.and_then(|spelling| spelling.call(operands));
        if let Some(kind) = self.kind(spelling.form, operands, result, without) {
            reports.add((kind, moment.at(), 0), 1, || (text_of(spelling, operands, result), moment.site(lane)));
        }
    }

    fn kind(&self, info: &FormInfo, operands: &[u64], result: u64, without: Option<u64>) -> Option<ReportKind> {
        let (is_cvt, types) = (info.instruction == "cvt", info.operands);
        if is_cvt && let (Some(ty), Some(x)) = (integer(info.result), Float::new(types[0], operands[0], 0)) {
            return is_beyond(ty.class == Class::Signed, ty.bits, x.value).then_some(ReportKind::Overflow);
        }
        (0..info.result.lanes()).find_map(|i| {
            let result = Float::new(info.result, result, i)?;
            let without = without.and_then(|bits| Float::new(info.result, bits, i));
            let operand = |(n, (&ty, &bits)): (usize, (&Type, &u64))| {
                // The first operand of a conversion to two lanes is the upper lane.
                let packs = is_cvt && info.result.lanes() == 2 && ty.lanes() == 1;
                match (packs, ty.lanes()) {
                    (true, _) if n as u32 == 1 - i => Float::new(ty, bits, 0),
                    (true, _) => None,
                    (false, 1) => Float::new(ty, bits, 0),
                    (false, _) => Float::new(ty, bits, i),
                }
            };
            let operands = types.iter().zip(operands).enumerate().map(operand).collect();
            self.kind_of(info, &Done { operands, result }, without)
        })
    }

    fn kind_of(&self, info: &FormInfo, done: &Done, without: Option<Float>) -> Option<ReportKind> {
        let Done { operands, result } = done;
        let any = |is: fn(&Float) -> bool| operands.iter().flatten().any(is);
        let is_finite = !any(|x| !x.value.is_finite());
        if result.value.is_nan() {
            return (!any(|x| x.value.is_nan())).then_some(ReportKind::NaN);
        }
        if info.instruction == "cvt" {
            let x = operands.iter().flatten().next().filter(|_| is_finite)?;
            if result.value.is_infinite() || x.value.abs() >= result.limit {
                return Some(ReportKind::Overflow);
            }
        }
        if result.value.is_infinite() {
            return is_finite.then_some(ReportKind::Infinity);
        }
        if info.effect.ftz() {
            let of_result = result.value == 0.0 && without.is_some_and(|x| x.is_subnormal());
            return (of_result || any(Float::is_subnormal)).then_some(ReportKind::Flush);
        }
        let addends = match (info.instruction, operands.as_slice()) {
            ("add" | "sub", [Some(a), Some(b)]) => [a.value, b.value],
            ("fma" | "mad", [Some(a), Some(b), Some(c)]) => [a.value * b.value, c.value],
            _ => return None,
        };
        let most = addends.map(exponent).into_iter().max().filter(|_| is_finite)?;
        let lost = most.saturating_sub(exponent(result.value));
        // A sum of zero has lost all bits, unless its addends were zeros.
        let bits = self.bits.unwrap_or(result.precision / 2);
        (addends.iter().all(|x| *x != 0.0) && lost > bits.cast_signed()).then_some(ReportKind::Cancellation)
    }
}

/// Returns the exponent of the leading bit. A zero has one far below all others.
fn exponent(x: f64) -> i32 {
    if x == 0.0 { i32::MIN / 2 } else { x.abs().log2().floor() as i32 }
}

/// Returns `true` if every rounding of a number is outside of an integer type.
fn is_beyond(signed: bool, bits: u32, x: f64) -> bool {
    let (low, high) =
        if signed { (-((bits - 1) as f64).exp2(), ((bits - 1) as f64).exp2()) } else { (0.0, f64::from(bits).exp2()) };
    x >= high || x <= low - 1.0
}

fn text_of(spelling: Spelling, operands: &[u64], result: u64) -> String {
    let info = spelling.form;
    let operands: Vec<String> = info.operands.iter().zip(operands).map(|(&ty, &bits)| shown(ty, bits)).collect();
    format!("`{spelling}` of {} is {}", operands.join(", "), shown(info.result, result))
}
