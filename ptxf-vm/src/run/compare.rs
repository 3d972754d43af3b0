//! Comparison of two launches, value by value.

use std::collections::{BTreeMap, HashMap};

use super::watch::Step;

/// The floating-point results of a launch, by thread, in the order of the thread's instructions.
///
/// [`Machine::record`](crate::Machine::record) makes a recording, and [`compare`](Self::compare)
/// compares two.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    threads: BTreeMap<Thread, Vec<Point>>,
    /// The PTX line and the text of each instruction. Points have an index into this list.
    instructions: Vec<(usize, String)>,
    known: HashMap<(usize, String), u32>,
}

/// A block, and the number of a thread in the block.
type Thread = ([u32; 3], u32);

/// A file and a line of the source. Without `.loc`, the file is empty and the line is the PTX line.
type Line = (String, u32);

/// A result of an instruction.
#[derive(Clone, Debug)]
struct Point {
    line: Line,
    instruction: u32,
    value: f64,
}

/// A difference between two launches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The file and the line of the source. Without `.loc`, the file is empty and the line is the
    /// PTX line.
    pub source: (String, u32),
    /// The index of the block.
    pub block: [u32; 3],
    /// The number of the thread in its block.
    pub thread: u32,
    /// The PTX line and the text of the instruction in each launch.
    pub instructions: [(usize, String); 2],
    /// The values. A value is `None` if the launch took another path.
    pub values: [Option<f64>; 2],
    /// The difference relative to the larger value.
    pub relative: f64,
}

/// The differences in a line of the source.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineDifference {
    /// The number of compared values.
    pub compared: u64,
    /// The number of values that differ by more than the tolerance.
    pub different: u64,
    /// The pair with the largest difference.
    pub largest: Difference,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The first difference of the first thread that has one, in the order of its instructions.
    pub first: Option<Difference>,
    /// The lines with differences, in the order of the source.
    pub lines: Vec<LineDifference>,
    /// The number of compared values.
    pub compared: u64,
}

/// Instructions that move or convert a value. Two launches can have different numbers of them.
const NO_ARITHMETIC: [&str; 9] = ["mov", "cvt", "ld", "ldu", "st", "atom", "red", "selp", "shfl"];

impl Recording {
    /// Adds the result of a step if it is floating-point arithmetic.
    pub(crate) fn add(&mut self, step: &Step) {
        let opcode = step.text.split(' ').find(|word| !word.starts_with('@')).unwrap_or_default();
        if NO_ARITHMETIC.contains(&opcode.split('.').next().unwrap_or_default()) {
            return;
        }
        for result in &step.results {
            for lane in 0..result.ty.map_or(0, |ty| ty.lanes()) {
                let Some(value) = result.float(lane) else { break };
                let instruction = *self.known.entry((step.line, step.text.clone())).or_insert_with(|| {
                    self.instructions.push((step.line, step.text.clone()));
                    self.instructions.len() as u32 - 1
                });
                let line = step.source.clone().unwrap_or_else(|| (String::new(), step.line as u32));
                let point = Point { line, instruction, value };
                self.threads.entry((step.block, step.thread)).or_default().push(point);
            }
        }
    }

    /// Compares the values that each line of the source computed, in their order.
    ///
    /// Lines are lines of the source, by `.loc`. Two entries that are compiled from one source can
    /// therefore be compared, such as one in f32 and one in f16. A text without `.loc` is compared
    /// by its own lines. Values differ if their relative difference is above `tolerance`. NaN
    /// differs from every number.
    #[must_use]
    pub fn compare(&self, other: &Self, tolerance: f64) -> Comparison {
        let mut comparison = Comparison::default();
        let mut lines: BTreeMap<Line, LineDifference> = BTreeMap::new();
        let none = Vec::new();
        for (thread, own) in &self.threads {
            let theirs = by_line(other.threads.get(thread).unwrap_or(&none));
            let mut counts: HashMap<&Line, usize> = HashMap::new();
            let mut first = None;
            for point in own {
                let count = counts.entry(&point.line).or_default();
                let partner = theirs.get(&point.line).and_then(|all| all.get(*count)).copied();
                *count += 1;
                let difference = self.difference(*thread, point, other, partner);
                let is_different = difference.relative > tolerance;
                comparison.compared += 1;
                if is_different && first.is_none() {
                    first = Some(difference.clone());
                }
                let line = lines.entry(point.line.clone()).or_insert_with(|| LineDifference {
                    compared: 0,
                    different: 0,
                    largest: difference.clone(),
                });
                line.compared += 1;
                line.different += u64::from(is_different);
                if difference.relative > line.largest.relative {
                    line.largest = difference;
                }
            }
            comparison.first = comparison.first.or(first);
        }
        comparison.lines = lines.into_values().filter(|line| line.different > 0).collect();
        comparison
    }

    fn difference(&self, (block, thread): Thread, own: &Point, other: &Self, partner: Option<&Point>) -> Difference {
        let instruction = |of: &Self, point: &Point| of.instructions[point.instruction as usize].clone();
        Difference {
            source: own.line.clone(),
            block,
            thread,
            instructions: [
                instruction(self, own),
                partner.map_or_else(Default::default, |point| instruction(other, point)),
            ],
            values: [Some(own.value), partner.map(|point| point.value)],
            relative: partner.map_or(f64::INFINITY, |point| relative(own.value, point.value)),
        }
    }
}

fn by_line(points: &[Point]) -> HashMap<&Line, Vec<&Point>> {
    let mut lines: HashMap<&Line, Vec<&Point>> = HashMap::new();
    points.iter().for_each(|point| lines.entry(&point.line).or_default().push(point));
    lines
}

/// Returns the difference of two numbers relative to the larger one. It is infinite if one is NaN
/// or infinite.
fn relative(a: f64, b: f64) -> f64 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let apart = (a - b).abs() / a.abs().max(b.abs());
    if apart.is_finite() { apart } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_as_far_from_a_number_as_a_nan() {
        assert_eq!([relative(1.0, 1.0), relative(-0.0, 0.0), relative(f64::NAN, f64::NAN)], [0.0; 3]);
        assert_eq!([relative(1.0, 0.5), relative(0.0, 3.0), relative(-1.0, 1.0)], [0.5, 1.0, 2.0]);
        assert_eq!([relative(1.0, f64::NAN), relative(1.0, f64::INFINITY)], [f64::INFINITY; 2]);
    }
}
