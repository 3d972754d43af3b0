//! The choice of the results that a table stores, and of those that it derives.

use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{Error, Expr, RangeLimits, Result, UnOp};

use super::eval::{self, Mode};
use super::format::{Format, NAN, SIGN};
use super::lower::Lowering;
use super::program::{Comparison, Condition, Node};
use super::{Lowered, Options, Symmetry, describe};

/// The contents of the `static`.
pub(super) struct Stored {
    pub(super) from: Format,
    pub(super) to: Format,
    /// The shape of a compact table; `None` for a full one.
    pub(super) shape: Option<Shape>,
    pub(super) results: Vec<u16>,
}

/// `ptxf_tables::CompactTable` without its bytes.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) positive: Run,
    pub(super) negative: Run,
    pub(super) below: Outside,
    pub(super) above: Outside,
    pub(super) nan: u16,
    pub(super) symmetry: Option<Symmetry>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) first: u16,
    pub(super) count: u16,
    pub(super) offset: u16,
}

impl Run {
    fn of(inside: &[bool], sign: u16, infinity: u16) -> Self {
        let first = (0..=infinity).find(|m| inside[usize::from(m | sign)]);
        let count = (0..=infinity).filter(|m| inside[usize::from(m | sign)]).count() as u16;
        first.map_or_else(Self::default, |first| Self { first, count, offset: 0 })
    }

    const fn inputs(&self, sign: u16) -> std::ops::Range<u16> {
        sign | self.first..(sign | self.first) + self.count
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Outside {
    Value(u16),
    Input,
    Negated,
}

/// The place of an input relative to the range.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Inside(u16),
    Below,
    Above,
}

impl Shape {
    fn place(&self, x: u16) -> Place {
        let negative = x & SIGN != 0;
        let run = if negative { self.negative } else { self.positive };
        match (x & !SIGN).checked_sub(run.first) {
            Some(i) if i < run.count => Place::Inside(run.offset + i),
            // Farther from zero than the run, or nearer.
            Some(_) if negative => Place::Below,
            None if !negative => Place::Below,
            _ => Place::Above,
        }
    }

    /// Returns the table's result as `CompactTable` computes it, and the input's place.
    fn get(&self, from: Format, to: Format, results: &[u16], x: u16) -> (u16, Place) {
        let operand = if self.symmetry.is_some() { x & !SIGN } else { x };
        let place = self.place(operand);
        let d = match place {
            Place::Inside(i) => results[usize::from(i)],
            Place::Below | Place::Above => match if place == Place::Below { self.below } else { self.above } {
                Outside::Value(d) => d,
                Outside::Input => operand,
                Outside::Negated => operand ^ SIGN,
            },
        };
        let d = match self.symmetry {
            _ if from.is_nan(x) => self.nan,
            Some(Symmetry::Odd) if !to.is_nan(d) => d ^ (x & SIGN),
            _ => d,
        };
        (d, place)
    }
}

pub(super) fn store(lowered: &Lowered<'_>, options: &Options, all: Vec<u16>) -> Result<Stored> {
    let &Lowered { from, to, .. } = lowered;
    if options.range.is_none()
        && let Some(outside) = options.below.as_ref().or(options.above.as_ref())
    {
        return Err(Error::new_spanned(outside, "`below` and `above` need a `range`"));
    }
    if options.range.is_none() && options.symmetry.is_none() {
        return Ok(Stored { from, to, shape: None, results: all });
    }
    if let Some((span, symmetry)) = options.symmetry {
        check_symmetry(symmetry, from, to, &all).map_err(|e| Error::new(span, e))?;
    }
    let mut inside = match &options.range {
        Some(range) => inside(lowered, range)?,
        None => vec![true; 1 << 16],
    };
    if options.symmetry.is_some() {
        inside[usize::from(SIGN)..].fill(false);
    }
    let positive = Run::of(&inside, 0, from.infinity());
    let negative = Run { offset: positive.count, ..Run::of(&inside, SIGN, from.infinity()) };
    let results: Vec<u16> = positive.inputs(0).chain(negative.inputs(SIGN)).map(|x| all[usize::from(x)]).collect();
    if results.is_empty() {
        let of = if options.symmetry.is_some() { "no input from 0 on lies" } else { "no input lies" };
        return Err(Error::new_spanned(&options.range, format!("{of} in this range")));
    }
    // The least and the greatest stored input.
    let last = |run: Run, sign: u16| sign | (run.first + run.count - 1);
    let least = if negative.count > 0 { last(negative, SIGN) } else { positive.first };
    let greatest = if positive.count > 0 { last(positive, 0) } else { SIGN | negative.first };
    let outside = |e: &Option<Expr>, nearest: u16| match e {
        Some(e) => outside(lowered, e),
        None => Ok(Outside::Value(all[usize::from(nearest)])),
    };
    let shape = Shape {
        positive,
        negative,
        below: outside(&options.below, least)?,
        above: outside(&options.above, greatest)?,
        nan: all[usize::from(NAN)],
        symmetry: options.symmetry.map(|(_, s)| s),
    };
    // Outside of the range the result has to be the expression's, unless an option states another.
    for x in 0..=u16::MAX {
        let (d, place) = shape.get(from, to, &results, x);
        let (stated, name) = match place {
            Place::Below => (options.below.is_some(), "below"),
            Place::Above => (options.above.is_some(), "above"),
            Place::Inside(_) => (false, ""),
        };
        let expected = all[usize::from(x)];
        if d != expected && !stated {
            return Err(Error::new_spanned(
                &options.range,
                format!(
                    "outside of this range the result differs from the one at its end: at {} it is {}, not {}. Widen the range, \
                     or state with `{name} = …` what the table returns there: a constant, `{variable}` or `-{variable}`",
                    describe(from, x),
                    describe(to, expected),
                    describe(to, d),
                    variable = lowered.variable,
                ),
            ));
        }
    }
    Ok(Stored { from, to, shape: Some(shape), results })
}

fn check_symmetry(symmetry: Symmetry, from: Format, to: Format, all: &[u16]) -> std::result::Result<(), String> {
    for x in 0..=from.infinity() {
        let (d, mirrored) = (all[usize::from(x)], all[usize::from(x | SIGN)]);
        let expected = if symmetry == Symmetry::Odd && !to.is_nan(d) { d ^ SIGN } else { d };
        if mirrored != expected {
            let word = if symmetry == Symmetry::Odd { "odd" } else { "even" };
            return Err(format!(
                "the function is not {word}: at {} it is {}, and at {} it is {}",
                describe(from, x),
                describe(to, d),
                describe(from, x | SIGN),
                describe(to, mirrored),
            ));
        }
    }
    Ok(())
}

/// Returns a program with the table's constants, for an option's expression.
fn scope(lowered: &Lowered<'_>) -> Result<Lowering> {
    let mut lowering = Lowering::new(&lowered.variable);
    for (name, value) in lowered.constants {
        lowering.constant(name, value)?;
    }
    Ok(lowering)
}

/// Returns for each input if the range contains it.
fn inside(lowered: &Lowered<'_>, range: &Expr) -> Result<Vec<bool>> {
    let Expr::Range(r) = range else {
        return Err(Error::new_spanned(range, "expected a range, such as `-4.0..4.0` or `0.0..=1.0`"));
    };
    let mut lowering = scope(lowered)?;
    let mut bounds = Vec::new();
    for (bound, op) in [
        (&r.start, Comparison::Ge),
        (&r.end, if matches!(r.limits, RangeLimits::Closed(_)) { Comparison::Le } else { Comparison::Lt }),
    ] {
        if let Some(bound) = bound {
            bounds.push((op, lowering.constant_expression(bound)?));
        }
    }
    let x = lowering.variable();
    let mut conditions = bounds.into_iter().map(|(op, bound)| Condition::Compare(op, x, bound));
    let Some(mut condition) = conditions.next() else {
        return Err(Error::new_spanned(range, "this range contains every input: leave it out"));
    };
    for other in conditions {
        condition = Condition::And(Box::new(condition), Box::new(other));
    }
    let zero = lowering.program.push(Node::Zero);
    let one = lowering.program.push(Node::Powi(zero, 0));
    lowering.program.result = lowering.program.push(Node::If(condition, one, zero));
    let inside = eval::table(&lowering.program, lowered.from, Format::F16, Mode::Exact)
        .map_err(|_| Error::new_spanned(range, "the ends of this range cannot be compared with every input"))?;
    Ok(inside.into_iter().map(|d| d != 0).collect())
}

fn outside(lowered: &Lowered<'_>, e: &Expr) -> Result<Outside> {
    let name = lowered.variable.unraw();
    let is_variable = |e: &Expr| matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|i| i.unraw() == name));
    let negated = |e: &Expr| matches!(e, Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) && is_variable(&u.expr));
    if is_variable(e) || negated(e) {
        if lowered.from != lowered.to {
            return Err(Error::new_spanned(
                e,
                format!(
                    "the variable is of type {}, and the result of {}: write a constant",
                    lowered.from.name(),
                    lowered.to.name()
                ),
            ));
        }
        return Ok(if is_variable(e) { Outside::Input } else { Outside::Negated });
    }
    let mut lowering = scope(lowered)?;
    lowering.program.result = lowering.constant_expression(e)?;
    let all = eval::table(&lowering.program, lowered.from, lowered.to, lowered.mode)
        .map_err(|_| Error::new(e.span(), "it cannot be decided how this rounds"))?;
    Ok(Outside::Value(all[0]))
}
