//! Operands: text to register bits, and register bits for people.

use std::fmt::Display;

use ptxf::spec::Type;

use crate::lane::Lane;
use crate::number::{Rounded, Written};

/// An operand of the command line.
#[derive(Debug)]
pub(crate) struct Operand {
    /// The register's bits.
    pub bits: u64,
    /// Notes for the user about rounded values.
    pub notes: Vec<String>,
}

/// A notation of operands.
enum Kind {
    Float,
    Integer { signed: bool },
    Bits,
    Predicate,
}

fn kind(ty: Type) -> Kind {
    match ty {
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => Kind::Integer { signed: false },
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => Kind::Integer { signed: true },
        Type::B16 | Type::B32 | Type::B64 => Kind::Bits,
        Type::Pred | Type::Preds => Kind::Predicate,
        _ => Kind::Float,
    }
}

/// Reads `!c` if the form accepts it. Other text is read by `read`.
pub(crate) fn negated(
    text: &str,
    ty: Type,
    negatable: bool,
    read: impl Fn(&str, Type) -> Result<Operand, String>,
) -> Result<Operand, String> {
    match text.strip_prefix('!') {
        Some(rest) if negatable => read(rest, ty).map(|c| Operand { bits: c.bits ^ 1, ..c }),
        Some(rest) if ty == Type::Pred => {
            Err(format!("{} is not a predicate that this form takes: it has no `!c`, write {rest}", excerpt(text)))
        }
        _ => read(text, ty),
    }
}

/// Reads bits (`0x3c00`), a value (`1.5`), or the lanes of a packed type (`1.5,-2`, the lower
/// first).
pub(crate) fn parse(text: &str, ty: Type) -> Result<Operand, String> {
    if is_bits(text) {
        return Ok(Operand { bits: within(text, bits(text, width(ty), ty)?, ty)?, notes: Vec::new() });
    }
    if !matches!(kind(ty), Kind::Float) {
        return Ok(Operand { bits: integer(text, ty)?, notes: Vec::new() });
    }
    let lanes: Vec<&str> = text.split(',').map(str::trim).collect();
    let shown = excerpt(text);
    if lanes.len() != ty.lanes() as usize {
        return Err(match (ty.lanes(), lanes.len()) {
            (2 | 4, 1) if Lane::of(ty).parse(text).is_some() => {
                let all = vec![shown.as_str(); ty.lanes() as usize].join(",");
                format!("{shown} is one value, .{ty} has {} lanes: write {all}", count(ty.lanes()))
            }
            (2 | 4, 1) => not_a_number(&shown, width(ty), ty.lanes()),
            (1, n) => format!("{shown} has {n} lanes, .{ty} has one"),
            (lanes, n) => format!("{shown} has {n} lanes, .{ty} has {}, the lower first", count(lanes)),
        });
    }
    let mut operand = Operand { bits: 0, notes: Vec::new() };
    for (i, &text) in lanes.iter().enumerate() {
        let lane = lane(text, ty, &mut operand.notes)
            .map_err(|e| if lanes.len() == 1 { e } else { format!("{} lane: {e}", place(i, lanes.len())) })?;
        operand.bits |= lane << (i as u32 * ty.stride());
    }
    Ok(operand)
}

/// Returns the word for two or four lanes.
fn count(lanes: u32) -> &'static str {
    if lanes == 2 { "two" } else { "four" }
}

/// Returns the name of a lane.
fn place(i: usize, lanes: usize) -> &'static str {
    if lanes == 2 { ["lower", "upper"][i] } else { ["first", "second", "third", "fourth"][i] }
}

/// Reads the value of an integer or a predicate.
fn integer(text: &str, ty: Type) -> Result<u64, String> {
    let (shown, bits) = (excerpt(text), hex(0, width(ty)));
    let signed = match kind(ty) {
        Kind::Integer { signed } => signed,
        Kind::Bits | Kind::Float => {
            let same = text.parse().ok().filter(|x: &u64| x >> (ty.bits() - 1) <= 1);
            let such = same.map_or(format!("bits such as {bits}"), |x| hex(x, width(ty)));
            return Err(format!("{shown} is a value, .{ty} takes bits only: write {such}"));
        }
        Kind::Predicate => return Err(format!("{shown} is not a predicate: write 0x1 or 0x0")),
    };
    let value: i128 = text.parse().map_err(|_| {
        let value = if signed { "-3" } else { "3" };
        format!("{shown} is not an integer: write a value such as {value}, or bits such as {bits}")
    })?;
    let half = 1i128 << (ty.bits() - 1);
    let range = if signed { -half..half } else { 0..2 * half };
    if !range.contains(&value) {
        return Err(format!("{shown} is not a .{ty}, which goes from {} to {}", range.start, range.end - 1));
    }
    Ok(value as u64 & u64::MAX >> (64 - ty.bits()))
}

/// Returns the bits if the register has as many. A digit has four, and a predicate fewer.
fn within(text: &str, bits: u64, ty: Type) -> Result<u64, String> {
    if bits >> (ty.bits() - 1) > 1 {
        Err(format!("{} is not a predicate: write 0x1 or 0x0", excerpt(text)))
    } else {
        Ok(bits)
    }
}

/// Reads one lane, as bits or as a value.
fn lane(text: &str, ty: Type, notes: &mut Vec<String>) -> Result<u64, String> {
    let lane = Lane::of(ty);
    if is_bits(text) {
        return bits(text, lane.digits(), lane);
    }
    let Rounded { bits, exact } = lane.parse(text).ok_or_else(|| no_value(text, lane, width(ty), ty.lanes()))?;
    if !exact {
        let shown = excerpt(text);
        let more = if lane.bits() <= 8 { format!("; see ptxf format {lane} {shown}") } else { String::new() };
        let rounded = format!("rounded to {} = {}", hex(bits, lane.digits()), lane.show(bits));
        notes.push(format!("{shown} is not a number of .{lane}: {rounded}{more}"));
    }
    Ok(bits)
}

/// Reads a number of a format: the bits of one lane, or a value.
pub(crate) fn value(text: &str, lane: Lane) -> Result<Value, String> {
    if is_bits(text) {
        return bits(text, lane.digits(), lane).map(Value::Bits);
    }
    Written::read(text).map(Value::Written).ok_or_else(|| not_a_number(&excerpt(text), lane.digits(), 1))
}

/// The bits of one lane, or a number before it is rounded.
pub(crate) enum Value {
    Bits(u64),
    Written(Written),
}

/// Returns the message about a text without a value in a format. `digits` and `lanes` are those of
/// the register.
fn no_value(text: &str, lane: Lane, digits: usize, lanes: u32) -> String {
    let shown = excerpt(text);
    let (least, most) = (lane.show(0), lane.show(lane.shape().largest));
    match Written::read(text) {
        Some(Written::Nan { negative }) if lane.shape().nans.is_none() || !negative => {
            format!("there is no NaN in .{lane}: write a number, such as {most}, the largest")
        }
        Some(_) => format!("{shown} has a sign, .{lane} has none: write a number from {least} to {most}, or nan"),
        None => not_a_number(&shown, digits, lanes),
    }
}

fn not_a_number(shown: &str, digits: usize, lanes: u32) -> String {
    let bits = hex(0, digits);
    let value = match lanes {
        2 => "values such as 1.5,-2",
        4 => "values such as 1.5,-2,0,1",
        _ => "a value such as 1.5, -2e-3, 0x1.8p-3, inf, nan",
    };
    let what = if shown == "\"\"" { "is empty" } else { "is not a number" };
    format!("{shown} {what}: write bits such as {bits}, or {value}")
}

/// Returns `true` if the text begins with `0x` and is no hexadecimal float.
fn is_bits(text: &str) -> bool {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    digits.is_some_and(|d| !d.contains(['.', 'p', 'P', ',']))
}

/// Reads `0x` and exactly `width` hex digits, with `_` anywhere between them.
fn bits(text: &str, width: usize, ty: impl Display) -> Result<u64, String> {
    let shown = excerpt(text);
    let digits: String = text[2..].chars().filter(|&c| c != '_').collect();
    if let Some(bad) = digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        return Err(format!("{shown} is not hexadecimal: it has {}", excerpt(&format!("`{bad}`"))));
    }
    if digits.len() == width {
        return u64::from_str_radix(&digits, 16).map_err(|e| format!("{shown}: {e}"));
    }
    let significant = digits.trim_start_matches('0');
    let advice = if significant.len() > width {
        String::new()
    } else {
        format!(": write 0x{significant:0>width$}").to_lowercase()
    };
    Err(format!("{shown} has {} hex digit{}, .{ty} takes {width}{advice}", digits.len(), plural(digits.len())))
}

/// Reads the bits of a register for the batch, which accepts no values.
pub(crate) fn only_bits(text: &str, ty: Type) -> Result<u64, String> {
    if is_bits(text) {
        return within(text, bits(text, width(ty), ty)?, ty);
    }
    let shown = excerpt(text);
    let value = parse(text, ty).map(|value| hex(value.bits, width(ty)));
    let digits = text.len() == width(ty) && text.bytes().all(|b| b.is_ascii_hexdigit());
    Err(match (value, digits) {
        (Ok(value), true) => {
            format!("{shown} has no 0x: write 0x{} for these digits, {value} for this value", shown.to_lowercase())
        }
        (Ok(value), false) => format!("{shown} is a value, not bits: write {value}"),
        (Err(_), true) => format!("{shown} has no 0x: write 0x{}", shown.to_lowercase()),
        (Err(_), false) => format!("{shown} is not hexadecimal: write bits such as {}", hex(0, width(ty))),
    })
}

/// Returns the number of hex digits of a register.
pub(crate) fn width(ty: Type) -> usize {
    ty.bits().div_ceil(4) as usize
}

/// Returns hex digits: `0x003c`.
pub(crate) fn hex(bits: u64, width: usize) -> String {
    format!("0x{bits:0width$x}")
}

/// Returns the value of each lane for people, the lower first.
pub(crate) fn lanes(bits: u64, ty: Type) -> Vec<String> {
    match ty {
        _ if matches!(kind(ty), Kind::Predicate) => {
            each_lane(bits, ty).map(|t| if t == 0 { "false" } else { "true" }.to_owned()).collect()
        }
        _ if matches!(kind(ty), Kind::Integer { .. }) => vec![decimal(bits, ty)],
        _ if matches!(kind(ty), Kind::Bits) => Vec::new(),
        ty => each_lane(bits, ty).map(|lane| Lane::of(ty).show(lane)).collect(),
    }
}

/// Returns an integer's value.
fn decimal(bits: u64, ty: Type) -> String {
    let negative = matches!(kind(ty), Kind::Integer { signed: true }) && bits >> (ty.bits() - 1) & 1 == 1;
    (i128::from(bits) - if negative { 1 << ty.bits() } else { 0 }).to_string()
}

/// Returns the register as an argument of `ptxf eval`: values if they are short and exact,
/// otherwise bits.
pub(crate) fn argument(bits: u64, ty: Type) -> String {
    let text = match kind(ty) {
        Kind::Float => each_lane(bits, ty).map(|lane| Lane::of(ty).shortest(lane)).collect::<Vec<_>>().join(","),
        Kind::Integer { .. } => decimal(bits, ty),
        Kind::Bits | Kind::Predicate => hex(bits, width(ty)),
    };
    let same = parse(&text, ty).is_ok_and(|o| o.bits == bits && o.notes.is_empty());
    if same && text.len() <= 16 { text } else { hex(bits, width(ty)) }
}

fn each_lane(bits: u64, ty: Type) -> impl Iterator<Item = u64> {
    let mask = u64::MAX >> (64 - ty.lane_bits());
    (0..ty.lanes()).map(move |i| bits >> (i * ty.stride()) & mask)
}

/// Returns a user's text for a message: in one line, with escapes for invisible characters, and
/// shortened.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut shown = String::new();
    for (i, c) in text.chars().enumerate() {
        match c {
            _ if i == LONGEST => {
                shown.push('…');
                break;
            }
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    // Without quotes an empty word would be invisible.
    if shown.is_empty() || shown.starts_with(' ') || shown.ends_with(' ') { format!("\"{shown}\"") } else { shown }
}

/// Returns the `s` of a plural.
pub(crate) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
