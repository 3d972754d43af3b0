//! `ptxf format`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::Type;
use ptxf_spec::legal::nearest;
use ptxf_spec::types;

use crate::display::{bits, fields, power, value, with_power};
use crate::lane::Lane;
use crate::operand::{self, excerpt};
use crate::shape::Shape;
use crate::{Failure, eval, forms, number, place};

/// Print a number format: its bits, limits and values, and the numbers around a given one.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[arg(help = format!("The format: {}", names()))]
    name: String,
    /// Numbers to place in it: values (0.3, -2e-3, 0x1.8p-3, inf, nan), or the bits of a lane
    /// (0x29)
    #[arg(value_name = "NUMBER", allow_hyphen_values = true)]
    numbers: Vec<String>,
}

const AFTER_HELP: &str = "\
A number that is not in the format lies between two that are. The distances are in units: steps from the lower magnitude to the next.
The conversions below round the number itself, once. The operand of `cvt` is an f32 or a 16-bit float, which may be rounded already.

Examples:
  ptxf format e2m1             the sixteen codes and their values
  ptxf format e4m3 0.3 1000    the neighbours of 0.3, and the conversions of a number that is out of range
  ptxf format bf16 0x3f81      the value of these bits
  ptxf forms e4m3              the conversions

Exit codes:
  0    done
  1    an unknown format, a text that is no number, or output failed
  2    wrong usage of the command line
  141  the reader of the output has closed it";

/// The greatest width, in bits, of a format whose codes are all printed.
const MOST: u32 = 8;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    eval::options_come_first(&args.numbers)?;
    let lane = named(&args.name).map_err(Failure::Input)?;
    let numbers =
        args.numbers.iter().map(|text| operand::value(text, lane).map(|value| (text, value)).map_err(Failure::Input));
    let numbers: Vec<_> = numbers.collect::<Result<_, _>>()?;
    facts(lane, out)?;
    if lane.bits() <= MOST {
        writeln!(out)?;
        values(lane, out)?;
    }
    for (text, value) in numbers {
        writeln!(out)?;
        place::show(lane, &excerpt(text), &value, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the format of this name, or advice.
fn named(name: &str) -> Result<Lane, String> {
    let name = name.strip_prefix('.').unwrap_or(name);
    if let Some(lane) = Lane::ALL.iter().find(|lane| lane.name() == name) {
        return Ok(*lane);
    }
    let shown = excerpt(name);
    let packed = |lane: &&Lane| lane.types().iter().any(|ty| ty.to_string() == name);
    if let Some(lane) = Lane::ALL.iter().find(packed) {
        return Err(format!("{shown} is a register with lanes of {lane}: write {lane}"));
    }
    let problem = if types::ty(name).is_some() {
        "is no format: integers and bits have no fraction."
    } else {
        &match nearest(name, Lane::ALL.iter().map(|lane| lane.name())) {
            Some(near) => format!("is no format, did you mean {near}?"),
            None => "is no format.".to_owned(),
        }
    };
    Err(format!("{shown} {problem} The formats are {}", names()))
}

/// Returns the names of all formats.
fn names() -> String {
    Lane::ALL.iter().map(|lane| lane.name()).collect::<Vec<_>>().join(", ")
}

/// Prints the layout of a format.
fn facts(lane: Lane, out: &mut impl Write) -> io::Result<()> {
    let shape = lane.shape();
    let registers: Vec<_> = lane.types().iter().map(Type::to_string).filter(|ty| ty != lane.name()).collect();
    let stride = lane.types()[0].stride();
    let place = if stride == lane.bits() { String::new() } else { format!(" in a place of {stride}") };
    let held =
        if registers.is_empty() { String::new() } else { format!("{place}, in registers {}", registers.join(", ")) };
    writeln!(out, "{lane}: {} bits{held}\n", lane.bits())?;
    picture(lane, shape, out)?;
    writeln!(out)?;
    let mut rows = vec![row("value", reading(shape))];
    rows.extend(shape.bias.map(|bias| row("bias", bias.to_string())));
    let mut number = |name: &str, code: Option<u64>| {
        let text = code.map_or("none".to_owned(), |code| format!("{} = {}", bits(lane, code), value(lane, code)));
        rows.push(row(name, text));
    };
    number("largest", Some(shape.largest));
    match shape.bias {
        Some(_) => {
            number("smallest normal", shape.smallest_normal);
            number("smallest subnormal", shape.smallest_subnormal());
        }
        None => {
            number("lowest", shape.lowest);
            number("smallest", shape.smallest_subnormal());
        }
    }
    let next = shape.ranked(false, shape.rank(shape.one).1 + 1).map_or(f64::NAN, |next| lane.widen(next));
    rows.push(row("ulp at 1", with_power(next - lane.widen(shape.one))));
    rows.push(row("zero", zero(lane, shape)));
    rows.push(row("infinity", infinity(lane, shape)));
    rows.push(row("NaN", nan(lane, shape)));
    let names: Vec<_> = place::conversions(lane).into_iter().map(|conversion| conversion.modifiers).collect();
    let names =
        if names.is_empty() { format!("none: {lane} has the numbers of all the others") } else { names.join("  ") };
    rows.push(row("conversions", names));
    forms::table(&rows, "  ", out)
}

fn row(name: &str, text: String) -> Vec<String> {
    vec![name.to_owned(), text]
}

/// Prints the fields, with the indices of their bits above them.
fn picture(lane: Lane, shape: Shape, out: &mut impl Write) -> io::Result<()> {
    let (mut places, mut letters, mut end) = (Vec::new(), Vec::new(), lane.bits());
    for (letter, width) in fields(lane, shape) {
        let first = end - 1;
        end -= width;
        places.push(if width == 1 { first.to_string() } else { format!("{first}:{end}") });
        letters.push(letter.repeat(width as usize));
    }
    forms::table(&[places, letters], "  ", out)
}

/// Returns the formula of the value.
fn reading(shape: Shape) -> String {
    let Some(bias) = shape.bias else {
        let unit = power(-(shape.fraction_bits as i32));
        return format!("two's complement in units of {}", with_power(unit));
    };
    let sign = if shape.sign == 0 { "" } else { "(-1)^s · " };
    let point = if shape.fraction_bits == 0 { "" } else { " · 1.f" };
    let normal = format!("{sign}2^(e - {bias}){point}");
    if shape.has_zero { format!("{normal}; where e is 0, {sign}2^{} · 0.f", 1 - bias) } else { normal }
}

fn zero(lane: Lane, shape: Shape) -> String {
    match (shape.has_zero, shape.bias, shape.sign) {
        (false, ..) => "none".to_owned(),
        (true, Some(_), sign) if sign != 0 => format!("{}, {}", bits(lane, 0), bits(lane, sign)),
        _ => bits(lane, 0),
    }
}

fn infinity(lane: Lane, shape: Shape) -> String {
    let both = |infinity| format!("{}, {}", bits(lane, infinity), bits(lane, infinity | shape.sign));
    shape.infinity.map_or("none".to_owned(), both)
}

fn nan(lane: Lane, shape: Shape) -> String {
    let of_nan = bits(lane, shape.of_nan);
    let Some([first, last]) = shape.nans else {
        return format!("none; a conversion makes {of_nan} of one");
    };
    let range = |sign| {
        let [first, last] = [first, last].map(|nan| bits(lane, nan | sign));
        if first == last { first } else { format!("{first} to {last}") }
    };
    let codes = if shape.sign == 0 { range(0) } else { format!("{}, {}", range(0), range(shape.sign)) };
    let made = if shape.keeps_payloads {
        format!("a conversion keeps sign and payload; {of_nan} where there was none")
    } else {
        format!("a conversion makes {of_nan} of each")
    };
    format!("{codes}; {made}")
}

/// Prints the values of all codes, eight in a line. Codes with a sign bit are left out.
fn values(lane: Lane, out: &mut impl Write) -> io::Result<()> {
    const LINE: u64 = 8;
    let shape = lane.shape();
    let mirrored = shape.bias.is_some() && shape.sign != 0;
    let codes = if mirrored { shape.sign } else { 1 << lane.bits() };
    let heading = ["".to_owned()].into_iter().chain((0..LINE).map(|i| format!("+{i}")));
    let mut rows: Vec<Vec<String>> = vec![heading.collect()];
    for first in (0..codes).step_by(LINE as usize) {
        let line = (first..first + LINE).map(|code| short(lane, code));
        rows.push([bits(lane, first)].into_iter().chain(line).collect());
    }
    forms::table(&rows, "  ", out)?;
    if mirrored {
        writeln!(out, "  With the sign bit, {}, each is negative.", bits(lane, shape.sign))?;
    }
    Ok(())
}

/// Returns an exact value in few characters, which reads back as the same bits.
fn short(lane: Lane, code: u64) -> String {
    let x = lane.widen(code);
    let text = x.to_string();
    match text.len() {
        _ if x.is_nan() => "NaN".to_owned(),
        ..=9 => text,
        _ => number::hex_float(x),
    }
}
