//! Lowers video instructions, and `cvt.pack`.

use ptxf_text::{Class, Error, Operand, OperandKind, Ty};

use super::function::Lowering;
use super::operand::Parts;
use crate::code::Op;
use crate::exec::Bank;
use crate::exec::video::{Function, OnParts, Operation, Pack, Part, Second, Video};

/// The types of a video instruction, and its modifiers.
struct Words {
    operation: Operation,
    /// The number of parts of a word, or 1.
    parts: u32,
    signed: [bool; 3],
    saturates: bool,
    second: Second,
}

fn is_signed(word: &str) -> Option<bool> {
    match word {
        "s32" => Some(true),
        "u32" => Some(false),
        _ => None,
    }
}

fn read(words: &[&str]) -> Option<Words> {
    let (name, parts) = match words[0].strip_suffix(['2', '4']) {
        Some(name) => (name, if words[0].ends_with('2') { 2 } else { 4 }),
        None => (words[0], 1),
    };
    let mut types = Vec::new();
    let (mut saturates, mut second, mut wraps, mut compares) = (false, Second::Nothing, None, None);
    for &word in &words[1..] {
        match (word, is_signed(word)) {
            (_, Some(signed)) => types.push(signed),
            ("sat", _) => saturates = true,
            ("add", _) => second = Second::Add,
            ("min", _) if parts == 1 => second = Second::Min,
            ("max", _) if parts == 1 => second = Second::Max,
            ("wrap", _) => wraps = Some(true),
            ("clamp", _) => wraps = Some(false),
            _ => {
                compares = Some(match word {
                    "lt" => Operation::Less,
                    "le" => Operation::LessOrEqual,
                    "eq" => Operation::Equal,
                    "ne" => Operation::NotEqual,
                    "ge" => Operation::GreaterOrEqual,
                    "gt" => Operation::Greater,
                    _ => return None,
                });
            }
        }
    }
    if parts > 1 && saturates && second == Second::Add {
        return None;
    }
    let operation = match (name, wraps, compares) {
        ("vadd", None, None) => Operation::Add,
        ("vsub", None, None) => Operation::Sub,
        ("vabsdiff", None, None) => Operation::AbsDiff,
        ("vmin", None, None) => Operation::Min,
        ("vmax", None, None) => Operation::Max,
        ("vavrg", None, None) if parts > 1 => Operation::Average,
        ("vshl", Some(wraps), None) if parts == 1 => Operation::Shl { wraps },
        ("vshr", Some(wraps), None) if parts == 1 => Operation::Shr { wraps },
        ("vset", None, Some(operation)) => operation,
        _ => return None,
    };
    let signed = match (name, &types[..]) {
        // Its result is 0 or 1.
        ("vset", &[a, b]) => [false, a, b],
        ("vset", _) => return None,
        (_, &[d, a, b]) => [d, a, b],
        _ => return None,
    };
    Some(Words { operation, parts, signed, saturates, second })
}

impl Lowering<'_> {
    /// Lowers a video instruction. Returns `false` for another instruction.
    pub(crate) fn video(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let Some(words) = read(parts.words) else { return Ok(false) };
        let [d, a, b, rest @ ..] = parts.operands else { return self.count(parts, 4).map(|()| true) };
        let chosen = self.chosen(words.parts, d, a, b)?;
        let is_merged = words.parts > 1 || self.component(d).is_some();
        let second = match words.second {
            Second::Nothing if is_merged => Second::Merge,
            second => second,
        };
        self.count(parts, if second == Second::Nothing { 3 } else { 4 })?;
        let Words { operation, signed, saturates, .. } = words;
        let operands = [self.bare(a)?, self.bare(b)?, self.bare(rest.first().unwrap_or(b))?];
        let result = self.result(&without_component(d), Bank::B32)?;
        let function = Function::Video(Video { operation, signed, saturates, second, parts: chosen });
        self.push(Op::OnParts(Box::new(OnParts { function, result, operands })));
        Ok(true)
    }

    /// Returns the parts of the result and of the operands.
    fn chosen(&self, count: u32, d: &Operand, a: &Operand, b: &Operand) -> Result<Vec<[Part; 3]>, Error> {
        let wrong = |operand: &Operand| {
            let what = match count {
                1 => "a part of a word is `.b0` to `.b3`, `.h0` or `.h1`",
                2 => {
                    "halves are selected by `.h` and two digits from 0 to 3, such as `.h32`, and a mask is `.h0`, `.h1` or `.h10`"
                }
                _ => {
                    "bytes are selected by `.b` and four digits from 0 to 7, such as `.b7654`, and a mask has some of 3210"
                }
            };
            self.error(operand.at, what)
        };
        if count == 1 {
            // `b` follows `a` in the word pair.
            let one = |operand, offset| {
                let Some(text) = self.component(operand) else { return Ok(Part { at: offset, ..Part::WHOLE }) };
                let part = match (text.as_bytes(), text.len()) {
                    ([b'.', b'b', i @ b'0'..=b'3'], 3) => Part { at: 8 * u32::from(i - b'0'), bits: 8 },
                    ([b'.', b'h', i @ b'0'..=b'1'], 3) => Part { at: 16 * u32::from(i - b'0'), bits: 16 },
                    _ => return Err(wrong(operand)),
                };
                Ok(Part { at: part.at + offset, ..part })
            };
            return Ok(vec![[one(d, 0)?, one(a, 0)?, one(b, 32)?]]);
        }
        let (letter, bits) = if count == 2 { ('h', 16) } else { ('b', 8) };
        let digits = |operand: &Operand, most: u32| -> Result<Option<Vec<u32>>, Error> {
            let Some(text) = self.component(operand) else { return Ok(None) };
            let digits = text.strip_prefix('.').and_then(|text| text.strip_prefix(letter));
            let digits = digits.map(|digits| digits.chars().rev().map(|c| c.to_digit(10).filter(|d| *d < most)));
            let digits: Option<Vec<u32>> = digits.and_then(Iterator::collect);
            digits.filter(|digits| !digits.is_empty()).map(Some).ok_or_else(|| wrong(operand))
        };
        let selected = |operand: &Operand, first: u32| {
            let digits = digits(operand, 2 * count)?.unwrap_or_else(|| (first..first + count).collect());
            if digits.len() == count as usize { Ok(digits) } else { Err(wrong(operand)) }
        };
        let (a, b) = (selected(a, 0)?, selected(b, count)?);
        let mask = digits(d, count)?.unwrap_or_else(|| (0..count).collect());
        let part = |i: u32| Part { at: bits * i, bits };
        Ok(mask.into_iter().map(|i| [part(i), part(a[i as usize]), part(b[i as usize])]).collect())
    }

    fn component(&self, operand: &Operand) -> Option<&str> {
        match &operand.kind {
            OperandKind::Name { component, .. } => component.map(|span| self.of(span)),
            _ => None,
        }
    }

    /// Returns the register of an operand, without its component.
    fn bare(&mut self, operand: &Operand) -> Result<crate::exec::Reg, Error> {
        self.number32(&without_component(operand))
    }

    /// Lowers `cvt.pack`. Returns `false` for another instruction.
    pub(crate) fn pack(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let (to, has_rest) = match *parts.words {
            [_, "pack", "sat", to @ ("u16" | "s16"), "s32"] => (to, false),
            [_, "pack", "sat", to @ ("u8" | "s8" | "u4" | "s4" | "u2" | "s2"), "s32", "b32"] => (to, true),
            _ => return Ok(false),
        };
        self.count(parts, if has_rest { 4 } else { 3 })?;
        let signed = Ty { class: Class::Signed, bits: 32 };
        let a = self.source(&parts.operands[1], Bank::B32, signed)?;
        let b = self.source(&parts.operands[2], Bank::B32, signed)?;
        let c = parts.operands.get(3).map_or(Ok(b), |c| self.number32(c))?;
        let result = self.result(&parts.operands[0], Bank::B32)?;
        let bits = to[1..].parse().unwrap_or(16);
        let function = Function::Pack(Pack { bits, signed: to.starts_with('s') });
        self.push(Op::OnParts(Box::new(OnParts { function, result, operands: [a, b, c] })));
        Ok(true)
    }
}

fn without_component(operand: &Operand) -> Operand {
    let mut operand = operand.clone();
    if let OperandKind::Name { component, .. } = &mut operand.kind {
        *component = None;
    }
    operand
}
