//! Evaluates constant expressions (manual, 4.5): integers of 64 bits with and without sign, and
//! numbers of f64.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::lexer::Kind;
use crate::number::Number;
use crate::span::Span;

/// Levels of parentheses, signs and choices.
const DEEPEST: usize = 64;

/// The precedence of a product.
pub(crate) const PRODUCT: u8 = 10;

/// A value with its type.
#[derive(Clone, Copy)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    /// A number as it is written.
    Float(Number),
}

/// Operators of two operands, the longer ones first, with their precedence.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", PRODUCT),
    ("/", PRODUCT),
    ("%", PRODUCT),
];

impl Cursor<'_> {
    /// Passes a constant expression. An error says that `what` is expected.
    pub(crate) fn number(&mut self, what: &str) -> Result<Number, Error> {
        self.constant(what, 0)
    }

    /// Passes a constant expression whose operators have at least this precedence.
    pub(crate) fn constant(&mut self, what: &str, least: u8) -> Result<Number, Error> {
        Ok(match self.choice(what, least, 0)? {
            Value::Signed(x) => Number::Int(x.cast_unsigned()),
            Value::Unsigned(x) => Number::Int(x),
            Value::Float(number) => number,
        })
    }

    fn choice(&mut self, what: &str, least: u8, depth: usize) -> Result<Value, Error> {
        let condition = self.binary(what, least, depth)?;
        if least > 0 || !self.takes(b'?')? {
            return Ok(condition);
        }
        let yes = self.choice("a number", 0, depth + 1)?;
        self.mark(b':')?;
        let no = self.choice("a number", 0, depth + 1)?;
        let chosen = if condition.is_true() { yes } else { no };
        Ok(match (chosen, yes, no) {
            (Value::Signed(x), Value::Unsigned(_), _) | (Value::Signed(x), _, Value::Unsigned(_)) => {
                Value::Unsigned(x.cast_unsigned())
            }
            _ => chosen,
        })
    }

    fn binary(&mut self, what: &str, least: u8, depth: usize) -> Result<Value, Error> {
        let mut left = self.unary(what, depth)?;
        while let Some((operator, precedence)) = self.operator().filter(|(_, precedence)| *precedence >= least) {
            let at = self.now.span;
            let length = operator.len() as u32;
            self.pass_until(at.start + length)?;
            let at = Span { start: at.start, end: at.start + length };
            let right = self.binary("a number", precedence + 1, depth + 1)?;
            left = left.with(operator, right).map_err(|what| Error::at(self.text, at, what))?;
        }
        Ok(left)
    }

    /// Returns the operator in view.
    fn operator(&self) -> Option<(&'static str, u8)> {
        // `%3` is a word.
        let is_one = matches!(self.now.kind, Kind::Mark(_)) || self.word().starts_with('%');
        let rest = self.text.get(self.now.span.start as usize..).filter(|_| is_one)?;
        OPERATORS.into_iter().find(|(operator, _)| rest.starts_with(operator))
    }

    fn unary(&mut self, what: &str, depth: usize) -> Result<Value, Error> {
        if depth > DEEPEST {
            let what = format!("a constant expression with more than {DEEPEST} levels");
            return Err(Error::at(self.text, self.now.span, what));
        }
        let at = self.now.span;
        match self.now.kind {
            Kind::Mark(sign @ (b'+' | b'-' | b'!' | b'~')) => {
                self.pass()?;
                let value = self.unary("a number", depth + 1)?;
                Ok(match (sign, value) {
                    (b'+', value) => value,
                    (b'-', Value::Signed(x)) => Value::Signed(x.wrapping_neg()),
                    (b'-', Value::Unsigned(x)) => Value::Unsigned(x.wrapping_neg()),
                    (b'-', Value::Float(x)) => Value::Float(x.negated()),
                    (b'!', value) => Value::Signed((!value.is_true()).into()),
                    (_, Value::Signed(x)) => Value::Signed(!x),
                    (_, Value::Unsigned(x)) => Value::Unsigned(!x),
                    (_, Value::Float(_)) => return Err(Error::at(self.text, self.last, "`~` needs an integer")),
                })
            }
            Kind::Mark(b'(') => {
                self.pass()?;
                if self.now.kind != Kind::Dotted {
                    let value = self.choice("a number", 0, depth + 1)?;
                    self.mark(b')')?;
                    return Ok(value);
                }
                let ty = self.pass()?;
                self.mark(b')')?;
                let value = self.unary("a number", depth + 1)?;
                Ok(match (self.of(ty), value) {
                    (".s64", Value::Unsigned(x)) => Value::Signed(x.cast_signed()),
                    (".u64", Value::Signed(x)) => Value::Unsigned(x.cast_unsigned()),
                    (".s64", Value::Float(_)) => Value::Signed(value.float() as i64),
                    (".u64", Value::Float(_)) => Value::Unsigned(value.float() as u64),
                    (".f64", value) => Value::Float(Number::Double(value.float())),
                    (".s64" | ".u64", value) => value,
                    _ => return Err(Error::at(self.text, ty, "a cast is to `.s64`, `.u64` or `.f64`")),
                })
            }
            Kind::Word if self.word() == "WARP_SZ" => {
                self.pass()?;
                Ok(Value::Signed(32))
            }
            Kind::Number => {
                let text = self.of(at);
                let number = Number::read(text).map_err(|what| Error::at(self.text, at, what))?;
                self.pass()?;
                Ok(match number {
                    Number::Int(x) if text.ends_with(['u', 'U']) => Value::Unsigned(x),
                    Number::Int(x) => i64::try_from(x).map_or(Value::Unsigned(x), Value::Signed),
                    number => Value::Float(number),
                })
            }
            _ => Err(self.expected(what)),
        }
    }
}

impl Value {
    fn is_true(self) -> bool {
        match self {
            Self::Signed(x) => x != 0,
            Self::Unsigned(x) => x != 0,
            Self::Float(_) => self.float() != 0.0,
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Signed(x) => x as f64,
            Self::Unsigned(x) | Self::Float(Number::Int(x)) => x as f64,
            Self::Float(Number::Single(bits)) => f32::from_bits(bits).into(),
            Self::Float(Number::Double(x)) => x,
        }
    }

    const fn bits(self) -> Option<u64> {
        match self {
            Self::Signed(x) => Some(x.cast_unsigned()),
            Self::Unsigned(x) => Some(x),
            Self::Float(_) => None,
        }
    }

    /// Applies an operator. The result has a sign only if both operands have one; that of a shift
    /// has the type of its left operand.
    fn with(self, operator: &str, right: Self) -> Result<Self, String> {
        let truth = |is: bool| Ok(Self::Signed(is.into()));
        match operator {
            "&&" => return truth(self.is_true() && right.is_true()),
            "||" => return truth(self.is_true() || right.is_true()),
            _ => {}
        }
        let (Some(a), Some(b)) = (self.bits(), right.bits()) else {
            let (a, b) = (self.float(), right.float());
            let value = match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "==" => return truth(a == b),
                "!=" => return truth(a != b),
                "<" => return truth(a < b),
                "<=" => return truth(a <= b),
                ">" => return truth(a > b),
                ">=" => return truth(a >= b),
                _ => return Err(format!("`{operator}` needs integers")),
            };
            return Ok(Self::Float(Number::Double(value)));
        };
        let shifts = u32::try_from(b).unwrap_or(u32::MAX);
        match (operator, self) {
            ("<<", Self::Signed(x)) => return Ok(Self::Signed(x.unbounded_shl(shifts))),
            ("<<", _) => return Ok(Self::Unsigned(a.unbounded_shl(shifts))),
            (">>", Self::Signed(x)) => return Ok(Self::Signed(x.unbounded_shr(shifts))),
            (">>", _) => return Ok(Self::Unsigned(a.unbounded_shr(shifts))),
            ("/" | "%", _) if b == 0 => return Err("a division by zero".to_owned()),
            _ => {}
        }
        let has_sign = matches!((self, right), (Self::Signed(_), Self::Signed(_)));
        let (x, y) = (a.cast_signed(), b.cast_signed());
        let bits = match operator {
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" if has_sign => x.wrapping_div(y).cast_unsigned(),
            "/" => a / b,
            "%" if has_sign => x.wrapping_rem(y).cast_unsigned(),
            "%" => a % b,
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "==" => return truth(a == b),
            "!=" => return truth(a != b),
            "<" => return truth(if has_sign { x < y } else { a < b }),
            "<=" => return truth(if has_sign { x <= y } else { a <= b }),
            ">" => return truth(if has_sign { x > y } else { a > b }),
            _ => return truth(if has_sign { x >= y } else { a >= b }),
        };
        Ok(if has_sign { Self::Signed(bits.cast_signed()) } else { Self::Unsigned(bits) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Number, Error> {
        let mut cursor = Cursor::new(text)?;
        let number = cursor.number("a number")?;
        assert_eq!(cursor.now.kind, Kind::End, "{text}");
        Ok(number)
    }

    #[test]
    fn expressions_have_cs_precedence_and_the_manuals_types() {
        for (text, value) in [
            ("(1 << 4) | 3", 19),
            ("WARP_SZ - 1", 31),
            ("(5 > 3) ? 10 : 20", 10),
            ("0 ? 1 : 0 ? 2 : 3", 3),
            ("-7 / 2", -3),
            ("-7 % 4", -3),
            ("10 %3", 1),
            ("10 - 3 * 2", 4),
            ("10 - 3 - 2", 5),
            ("1 | 6 & 3 ^ 1", 3),
            ("1 << 2 + 1", 8),
            ("3 == 3 && 2 != 3 || 0", 1),
            ("!0", 1),
            ("!!7", 1),
            ("~0", -1),
            ("- -3", 3),
            ("-1 < 0", 1),
            ("-1 < 0U", 0),
            ("-1 >> 63", -1),
            ("(.u64)-1 >> 63", 1),
            ("-8U / 2", 0x7fff_ffff_ffff_fffc),
            ("1 << 64", 0),
            ("(.s64)2.75", 2),
            ("1.5 > 1", 1),
        ] {
            assert_eq!(of(text).unwrap(), Number::Int(i64::cast_unsigned(value)), "{text}");
        }
        assert_eq!(of("1.5 * 2 + 1").unwrap(), Number::Double(4.0));
        assert_eq!(of("-0f3F800000").unwrap(), Number::Single(0xbf80_0000), "a number alone keeps its type");
    }

    #[test]
    fn errors_are_on_the_operator_or_the_number() {
        for (text, what) in [
            ("1 / 0", "a division by zero"),
            ("1.5 << 2", "`<<` needs integers"),
            ("~1.5", "`~` needs an integer"),
            ("(.f32)1", "a cast is to `.s64`, `.u64` or `.f64`"),
            ("(1", "found the end of the text where `)` is expected"),
            ("1 +", "found the end of the text where a number is expected"),
            ("1 ? 2", "found the end of the text where `:` is expected"),
        ] {
            assert_eq!(of(text).unwrap_err().what(), what, "{text}");
        }
        for deep in ["(".repeat(9999), "-".repeat(9999), "1?".repeat(9999), "1+(".repeat(9999)] {
            assert!(of(&deep).unwrap_err().what().contains("levels"));
        }
    }
}
