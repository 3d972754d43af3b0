//! `ptxf eval --batch`: one line of output for each line of input, in constant memory.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::LazyLock;

use ptxf::spec::{MOST_OPERANDS, Spelling, Type, spellings};
use ptxf::tables::device::Model;

use crate::operand::{self, Operand};
use crate::{Failure, eval, forms};

/// The greatest length of a line in bytes. Longer lines are errors, and are not stored.
const LONGEST: usize = 4096;
const BUFFER: usize = 1 << 17;
/// The number of unknown names that get advice. Advice takes far longer than an answer, and is
/// stored.
const UNKNOWN: usize = 32;

pub(crate) fn run(model: Model, input: &mut impl Read, output: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut batch = Batch::new(model);
    let mut buffer = vec![0; BUFFER];
    // The bytes at the start of the buffer that belong to an incomplete line.
    let mut kept = 0;
    // `true` if the incomplete line is already too long.
    let mut too_long = false;
    loop {
        // Results are written before the next read: a program may write a line and wait for its
        // answer.
        batch.flush(output)?;
        let read = match input.read(&mut buffer[kept..]) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Failure::Read(e)),
        };
        let end = kept + read;
        let (mut start, mut search) = (0, kept);
        while let Some(newline) = buffer[search..end].iter().position(|&b| b == b'\n') {
            let newline = search + newline;
            batch.line(&buffer[start..newline], too_long);
            too_long = false;
            start = newline + 1;
            search = start;
            if batch.output.len() >= BUFFER {
                batch.flush(output)?;
            }
        }
        kept = end - start;
        too_long |= kept > LONGEST;
        if too_long {
            kept = 0;
        }
        buffer.copy_within(start..start + kept, 0);
    }
    if kept > 0 || too_long {
        batch.line(&buffer[..kept], too_long);
    }
    batch.flush(output)?;
    Ok(if batch.bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The forms of one name. The index is the number of operands less one.
type Named = [Option<Spelling>; MOST_OPERANDS];

/// The forms by their names.
static NAMED: LazyLock<HashMap<Vec<u8>, Named>> = LazyLock::new(|| {
    let mut forms: HashMap<_, Named> = HashMap::new();
    for spelling in spellings() {
        let named = forms.entry(spelling.to_string().into_bytes()).or_default();
        named[spelling.form.operands.len() - 1] = Some(spelling);
    }
    forms
});

struct Batch {
    model: Model,
    /// The name of the last line and its forms. Consecutive lines mostly have the same name.
    last: (Vec<u8>, Named),
    /// The messages about unknown names. A stream often repeats such a name in every line.
    unknown: HashMap<String, String>,
    output: Vec<u8>,
    bad: bool,
}

impl Batch {
    fn new(model: Model) -> Self {
        Self {
            model,
            last: (Vec::new(), Named::default()),
            unknown: HashMap::new(),
            output: Vec::with_capacity(2 * BUFFER),
            bad: false,
        }
    }

    fn flush(&mut self, output: &mut impl Write) -> io::Result<()> {
        if !self.output.is_empty() {
            output.write_all(&self.output)?;
            output.flush()?;
            self.output.clear();
        }
        Ok(())
    }

    /// Answers one line, given without its newline.
    fn line(&mut self, line: &[u8], too_long: bool) {
        let answer = if too_long || line.len() > LONGEST {
            Err(format!("the line is longer than {LONGEST} bytes"))
        } else {
            match self.evaluate(line) {
                Some(answer) => Ok(answer),
                // The slow reader finds the mistake, and accepts `_` between digits.
                None => self.explain(line),
            }
        };
        match answer {
            Ok((ty, result)) => {
                let digits = operand::width(ty);
                let mut write = |result: u64| {
                    self.output.extend_from_slice(b"0x");
                    self.output
                        .extend((0..digits).rev().map(|i| b"0123456789abcdef"[(result >> (4 * i)) as usize & 15]));
                };
                if ty == Type::Preds {
                    write(result & 1);
                    self.output.push(b' ');
                    self.output.extend_from_slice(if result >> 1 == 0 { b"0x0" } else { b"0x1" });
                } else {
                    write(result);
                }
            }
            Err(problem) => {
                self.bad = true;
                self.output.extend_from_slice(b"error: ");
                self.output.extend_from_slice(problem.as_bytes());
            }
        }
        self.output.push(b'\n');
    }

    /// Computes the result of a good line. Returns `None` if the line needs `explain`.
    fn evaluate(&mut self, line: &[u8]) -> Option<(Type, u64)> {
        let mut words = Words(line);
        let name = words.next()?;
        if name != self.last.0 {
            let forms = *NAMED.get(name)?;
            self.last = (name.to_owned(), forms);
        }
        let mut operands: [&[u8]; MOST_OPERANDS] = [b""; MOST_OPERANDS];
        let mut count = 0;
        for word in words {
            *operands.get_mut(count)? = word;
            count += 1;
        }
        let form = self.last.1.get(count.checked_sub(1)?).copied().flatten()?;
        let mut bits = [0; MOST_OPERANDS];
        for ((bits, word), &ty) in bits.iter_mut().zip(operands).zip(form.form.operands) {
            *bits = read_hex(word, operand::width(ty)).filter(|bits| ty != Type::Pred || *bits < 2)?;
        }
        Some((form.form.result, eval::call(self.model, &form, &bits[..count]).ok()?))
    }

    /// Returns the message about a line that `evaluate` did not read, or its result.
    fn explain(&mut self, line: &[u8]) -> Result<(Type, u64), String> {
        let text = str::from_utf8(line).map_err(|e| {
            let at = e.valid_up_to();
            format!("the line is not UTF-8: byte 0x{:02x} in column {}", line[at], at + 1)
        })?;
        let words: Vec<&str> = text.split(|c: char| c.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
        let Some((&name, operands)) = words.split_first() else {
            return Err("empty line: write a form and its operands' bits, such as abs.f16 0xbc00".to_owned());
        };
        let Some(named) = NAMED.get(name.as_bytes()) else { return Err(self.unknown(name)) };
        let form = match operands.len().checked_sub(1).and_then(|i| named.get(i).copied().flatten()) {
            Some(form) => form,
            // Not looked for by its name a second time: streams have this mistake in every line.
            None => eval::of_operands(&named.iter().flatten().copied().collect::<Vec<_>>(), name, operands.len())?,
        };
        let only_bits = |text: &str, ty| operand::only_bits(text, ty).map(|bits| Operand { bits, notes: Vec::new() });
        let read = |(text, ty): (&&str, &Type)| {
            operand::negated(text, *ty, forms::is_negatable(form.form, *ty), only_bits).map(|operand| operand.bits)
        };
        let bits: Vec<u64> = operands.iter().zip(form.form.operands).map(read).collect::<Result<_, _>>()?;
        Ok((form.form.result, eval::call(self.model, &form, &bits)?))
    }

    /// Returns the message about a name that no form has.
    fn unknown(&mut self, name: &str) -> String {
        if let Some(problem) = self.unknown.get(name) {
            return problem.clone();
        }
        if self.unknown.len() == UNKNOWN {
            let shown = operand::excerpt(name);
            return format!(
                "unknown form {shown}; after {UNKNOWN} unknown names, `ptxf explain` shows the nearest form"
            );
        }
        let problem = eval::unknown(name);
        self.unknown.insert(name.to_owned(), problem.clone());
        problem
    }
}

/// The words of a line, separated by ASCII white space.
struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|b| !b.is_ascii_whitespace())?;
        let rest = &self.0[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        Some(word)
    }
}

/// Reads `0x` and exactly this number of hex digits.
#[inline]
fn read_hex(word: &[u8], digits: usize) -> Option<u64> {
    let hex = word.strip_prefix(b"0x")?;
    if hex.len() != digits {
        return None;
    }
    let mut bits = 0;
    // A byte that is no digit sets a bit that no digit has.
    let mut seen = 0;
    for &b in hex {
        let d = VALUE[usize::from(b)];
        seen |= d;
        bits = bits << 4 | u64::from(d & 15);
    }
    (seen < 16).then_some(bits)
}

/// The values of hex digits; 255 for other bytes.
static VALUE: [u8; 256] = {
    let mut table = [255; 256];
    let mut i = 0;
    while i < 16 {
        table[b"0123456789abcdef"[i] as usize] = i as u8;
        table[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Portions;

    fn answers(input: impl Read) -> (String, bool) {
        let mut input = input;
        let mut output = Vec::new();
        let code = run(Model::Reference, &mut input, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), code == ExitCode::SUCCESS)
    }

    #[test]
    fn portions_do_not_matter() {
        let mut text = b"abs.f16 0xbc00\nadd.f16 0x3c00 0x3c00\r\n\n".to_vec();
        for length in [LONGEST - 1, LONGEST, LONGEST + 1, 3 * BUFFER] {
            text.extend(b"abs.f16 0x8001".iter().copied().chain(std::iter::repeat(b' ')).take(length));
            text.push(b'\n');
        }
        text.extend(b"abs.f16 0xbc01");
        let whole = answers(text.as_slice());
        let long = format!("error: the line is longer than {LONGEST} bytes\n");
        assert!(whole.0.starts_with("0x3c00\n0x4000\nerror: empty line"));
        assert!(whole.0.ends_with(&format!("\n0x0001\n0x0001\n{long}{long}0x3c01\n")), "{}", whole.0);
        for size in [1, 2, 7, LONGEST, LONGEST + 1, BUFFER - 1] {
            assert_eq!(answers(Portions(&text, size)), whole);
        }
    }

    #[test]
    fn an_empty_input_has_an_empty_output() {
        assert_eq!(answers(io::empty()), (String::new(), true));
        assert_eq!(answers(b"\n".as_slice()).0.lines().count(), 1);
    }

    #[test]
    fn fast_and_slow_agree() {
        let [mut fast, mut slow] = [(); 2].map(|()| Batch::new(Model::Reference));
        for spelling in spellings() {
            let word = |&ty: &Type| {
                if ty == Type::Pred { " 0x1".to_owned() } else { format!(" 0x{}", "37".repeat(operand::width(ty) / 2)) }
            };
            let line = format!("{spelling}{}", spelling.form.operands.iter().map(word).collect::<String>());
            let answer = fast.evaluate(line.as_bytes()).unwrap();
            assert_eq!(slow.explain(line.as_bytes()).unwrap(), answer, "{line}");
        }
    }

    #[test]
    fn predicates_are_one_digit_and_may_be_negated() {
        let lines = b"setp.lt.f32 0x3f800000 0x40000000\nsetp.lt.and.f32 0x3f800000 0x40000000 0x0\n\
            setp.lt.and.f32 0x3f800000 0x40000000 !0x0\nselp.f32 0x3f800000 0x40000000 0x2\nselp.f32 0x3f800000 0x40000000 !0x1\n\
            setp.lt.f16 0x3c00 0x4000";
        let (text, good) = answers(lines.as_slice());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((&lines[..3], lines[5], good), (&["0x1 0x0", "0x0 0x0", "0x1 0x0"][..], "0x1", false));
        assert_eq!(lines[3], "error: 0x2 is not a predicate: write 0x1 or 0x0");
        assert!(lines[4].contains("it has no `!c`, write 0x1"), "{}", lines[4]);
    }
}
