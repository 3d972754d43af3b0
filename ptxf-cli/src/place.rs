//! The neighbours of a number in a format, and its conversions.

use std::cmp::Ordering;
use std::io::{self, Write};

use ptxf::Modifiers;
use ptxf::sem::Meaning;
use ptxf::spec::{FORMS, FormInfo};

use crate::decimal::Decimal;
use crate::display::{bits, fields, power, value, with_power};
use crate::forms;
use crate::lane::Lane;
use crate::number::Written;
use crate::operand::Value;
use crate::shape::Shape;

/// A conversion to a format that rounds.
pub(crate) struct Conversion {
    /// The modifiers: `.rn.satfinite`.
    pub modifiers: String,
    /// A form with these modifiers.
    pub form: &'static FormInfo,
}

/// Returns the conversions that round floats to the format, the first form for each set of
/// modifiers. Forms that do more than to round and to saturate are left out.
pub(crate) fn conversions(lane: Lane) -> Vec<Conversion> {
    let rounds = |form: &&FormInfo| {
        let (rnd, satfinite) = (form.effect.rnd(), form.effect.satfinite());
        let wider = form.operands[0].lane_bits() > lane.bits() || form.meaning == Meaning::CvtRna;
        form.instruction == "cvt"
            && matches!(form.meaning, Meaning::Cvt | Meaning::CvtPack | Meaning::CvtRna)
            && Lane::find(form.result) == Some(lane)
            && Lane::find(form.operands[0]).is_some_and(|from| from != lane)
            && (wider || lane == Lane::Tf32)
            && form.effect == Modifiers::PLAIN.with_rnd(rnd).with_satfinite(satfinite)
            && !form.name.contains("::")
    };
    let mut found: Vec<Conversion> = Vec::new();
    for form in FORMS.iter().filter(rounds) {
        let modifiers: String = form.modifiers.iter().map(|m| m.name).collect();
        if found.iter().all(|known| known.modifiers != modifiers) {
            found.push(Conversion { modifiers, form });
        }
    }
    found
}

/// Prints the neighbours of `x` and its conversions.
pub(crate) fn show(lane: Lane, text: &str, x: &Value, out: &mut impl Write) -> io::Result<()> {
    let shape = lane.shape();
    let (title, mut rows, x) = match x {
        Value::Bits(code) => {
            let x = lane.widen(*code);
            let rows = if x.is_finite() { around(lane, shape, *code) } else { vec![line(lane, "itself", *code, "")] };
            (format!("{text} is {}", value(lane, *code & lane.used())), rows, x)
        }
        Value::Written(Written::Nan { negative }) => {
            let title = absent(text, "a NaN", lane, shape.nans.is_none());
            (title, Vec::new(), if *negative { -f64::NAN } else { f64::NAN })
        }
        Value::Written(Written::Infinite { negative }) => {
            let title = absent(text, "an infinity", lane, shape.infinity.is_none());
            (title, Vec::new(), if *negative { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        Value::Written(Written::Finite { negative, magnitude, odd }) => {
            let (title, rows) = finite(lane, shape, text, *negative, magnitude, *odd);
            (title, rows, if *negative { -odd } else { *odd })
        }
    };
    writeln!(out, "{title}")?;
    for Conversion { modifiers, form } in conversions(lane) {
        let result = if form.meaning == Meaning::CvtRna {
            lane.convert_rna(form.effect, x)
        } else {
            lane.convert(form.effect, x)
        };
        rows.push(line(lane, &modifiers, result, form.name));
    }
    forms::table(&rows, "  ", out)
}

/// Returns the title for an infinity or a NaN.
fn absent(text: &str, what: &str, lane: Lane, is_absent: bool) -> String {
    format!("{text} is {what}, which {lane} {}", if is_absent { "does not have" } else { "has" })
}

/// Returns a row of the table: a name, the bits, the fields if they are few, the value, a remark.
fn line(lane: Lane, what: &str, code: u64, remark: &str) -> Vec<String> {
    let code = code & lane.used();
    let mut row = vec![what.to_owned(), bits(lane, code)];
    if lane.bits() <= 16 {
        let mut end = lane.bits();
        let field = |(_, width): (&str, u32)| {
            end -= width;
            format!("{:0width$b}", code >> end & ((1 << width) - 1), width = width as usize)
        };
        row.push(fields(lane, lane.shape()).into_iter().map(field).collect::<Vec<_>>().join(" "));
    }
    row.extend([value(lane, code), remark.to_owned()]);
    row
}

/// Returns the rows of a number of the format and its neighbours.
fn around(lane: Lane, shape: Shape, code: u64) -> Vec<Vec<String>> {
    let (negative, rank) = shape.rank(code & lane.used());
    let x = lane.widen(code);
    // Toward zero, the neighbour of zero is the smallest number of the other sign.
    let inward = match rank.checked_sub(1) {
        Some(rank) => shape.ranked(negative, rank),
        None if shape.has_zero => shape.ranked(!negative, 1),
        None => None,
    };
    let outward = shape.ranked(negative, rank + 1);
    let unit = power(shape.unit(rank));
    let neighbour = |what: &str, code: Option<u64>| {
        let distance = |code| units(&((lane.widen(code) - x).abs() / unit).to_string(), what);
        code.map(|code| line(lane, what, code, &distance(code)))
    };
    let [below, above] = if negative { [outward, inward] } else { [inward, outward] };
    [neighbour("below", below), Some(line(lane, "itself", code, "")), neighbour("above", above)]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns a distance: `0.6 units below`.
fn units(count: &str, what: &str) -> String {
    format!("{count} unit{} {what}", if count == "1" { "" } else { "s" })
}

/// Returns the title and the rows of a finite number.
fn finite(
    lane: Lane,
    shape: Shape,
    text: &str,
    negative: bool,
    magnitude: &Decimal,
    odd: f64,
) -> (String, Vec<Vec<String>>) {
    let (signed, remark) = match shape.sign {
        0 if negative => (false, format!("; {lane} has no sign, and conversions take the magnitude")),
        _ => (negative, String::new()),
    };
    let toward_zero = Modifiers::PLAIN.with_rnd(ptxf::Round::Rz).with_satfinite(true);
    let mut rank = shape.rank(lane.convert(toward_zero, if signed { -odd } else { odd })).1;
    let at = |rank| shape.ranked(signed, rank);
    let compared = |rank| at(rank).map(|code| magnitude.cmp(&Decimal::of(lane.widen(code).abs())));
    if compared(rank) == Some(Ordering::Less) && rank > 0 {
        rank -= 1;
    }
    let code = at(rank).unwrap_or_default();
    let unit = shape.unit(rank);
    let apart = with_power(power(unit));
    match compared(rank) {
        Some(Ordering::Equal) => (format!("{text} is a number of {lane}{remark}"), around(lane, shape, code)),
        Some(Ordering::Less) => {
            let smallest = line(lane, "smallest", code, "");
            (format!("{text} is below the smallest number of {lane}{remark}"), vec![smallest])
        }
        _ => {
            // The distance of the number below from zero, in units.
            let whole = lane.widen(code).abs() / power(unit);
            let inner = magnitude.units_above(unit, whole as u64);
            let Some(next) = at(rank + 1) else {
                let (name, what) = if signed { ("lowest", "above") } else { ("largest", "below") };
                let distance = inner.map(|d| units(&d.to_string(), what)).unwrap_or_default();
                let row = line(lane, name, code, &distance);
                let title = format!("{text} is beyond the {name} number of {lane}, where units are {apart}{remark}");
                return (title, vec![row]);
            };
            let outer = inner.as_ref().map(Decimal::complement);
            let [inner, outer] = [inner, outer].map(|d| d.map_or("≈1".to_owned(), |d| d.to_string()));
            let [(low, low_at), (high, high_at)] =
                if signed { [(next, outer), (code, inner)] } else { [(code, inner), (next, outer)] };
            let rows = vec![
                line(lane, "below", low, &units(&low_at, "below")),
                line(lane, "above", high, &units(&high_at, "above")),
            ];
            (format!("{text} is between two numbers of {lane}, one unit of {apart} apart{remark}"), rows)
        }
    }
}
