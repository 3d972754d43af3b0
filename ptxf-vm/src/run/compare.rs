//! Two launches, compared value by value.

use std::collections::{BTreeMap, HashMap};

use super::watch::Step;

/// The results of arithmetic in floating point of a launch, thread by thread, in the order in which each thread computed them.
///
/// [`Machine::record`](crate::Machine::record) makes it, and [`compare`](Self::compare) holds one against another.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    threads: BTreeMap<Thread, Vec<Point>>,
    /// Instructions by their numbers in points: the line of PTX, and the text.
    instructions: Vec<(usize, String)>,
    known: HashMap<(usize, String), u32>,
}

/// The block, and the thread's number in it.
type Thread = ([u32; 3], u32);

/// A line of the source, by the number of its file; of a text that does not say it the line of PTX, in a file of its own.
type Line = (String, u32);

/// A result.
#[derive(Clone, Debug)]
struct Point {
    line: Line,
    instruction: u32,
    value: f64,
}

/// Where two launches have different values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The file and the line of the source; the file is empty if the texts do not say it, and the line is that of the PTX then.
    pub source: (String, u32),
    /// The block.
    pub block: [u32; 3],
    /// The thread's number in it.
    pub thread: u32,
    /// The line and the text of the instruction of either launch.
    pub instructions: [(usize, String); 2],
    /// The values; `None` where a launch has none, since it went another way.
    pub values: [Option<f64>; 2],
    /// How far they are apart, in parts of the larger one.
    pub relative: f64,
}

/// How a line of the source differs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LineDifference {
    /// How many values were compared.
    pub compared: u64,
    /// How many were further apart than what was allowed.
    pub different: u64,
    /// The pair that is farthest apart.
    pub largest: Difference,
}

/// What two launches differ in.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The first difference of the first thread that has one, in the order of its instructions.
    pub first: Option<Difference>,
    /// Lines with differences, in the order of the source.
    pub lines: Vec<LineDifference>,
    /// How many values were compared.
    pub compared: u64,
}

/// Instructions that move or convert a value, of which either launch may have more than the other one.
const NO_ARITHMETIC: [&str; 9] = ["mov", "cvt", "ld", "ldu", "st", "atom", "red", "selp", "shfl"];

impl Recording {
    /// Adds what a step computed, if that is arithmetic in floating point.
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

    /// Compares what each line of the source computed, the first time with the first time, the second with the second.
    ///
    /// Lines are those of the source, by `.loc`, so that two entries that are made of one source can be compared, such as one in f32 and
    /// one in f16. A text without `.loc` has its own lines. Values that are apart by more than `tolerance`, in parts of the larger one, are
    /// differences; of a NaN and a number that is always so.
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

/// How far numbers are apart, in parts of the larger one; without end if one of them is a NaN or infinite.
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
