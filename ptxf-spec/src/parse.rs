//! The parser of the table's files, from text to rows.
//!
//! ```text
//! file     = section*
//! section  = `section` "manual section" instruction `;` doc* item*
//! item     = row | set | example | alias
//! row      = grammar operands `where` `{` since,* `}` `=>` meaning `;`
//! grammar  = instruction part*           the manual's own line
//! part     = .name | { .name+ }          required, optional
//! operands = destination (`,` operand)*
//! destination = name type? | `p|q` | `p{|q}`   predicates; the second is required or optional
//! operand  = `{!}`? name type?           `c.f32` has its own type; `{!}c` is a predicate
//!          | `{` operand,+ `}`           a vector; the Rust function takes its elements one by one
//!          | `{,` operand `}`            only in forms with a modifier that needs the operand
//! type     = .name                       a type, or a set of types of the row
//! since    = `ptx` 7.0 | `sm` 80+        the first PTX ISA version and target
//!          | `or` `ptx` 8.8 `sm` 100f    an alternative; `sm 100f 120f` are two
//!          | `until` `sm` 13
//!          | `note` "A remark on the row."
//!          | .name (`ptx` 7.0)? (`sm` 80)?    a refinement for forms with .name
//! set      = .name `=` `{` .name,* `}` `;`    a name of the grammar for several names
//! example  = `eg` .name* case,* `;`           for forms that have all the names
//! case     = `(` value,* `)` `->` result      a value a lane
//! result   = value | `(` value,* `)`     all lanes, the lowest first, if the operands are scalars;
//!                                        or both predicates of `p|q`
//! alias    = `cuda` .name* "CUDA function" `;`   for the form with exactly these names
//! ```
//!
//! The destination has the first type of the spelling, and the operands have the last. Most
//! spellings have one type. Modifiers stand in the order of their row, which differs between rows
//! of the manual. A target is a number. With `a` it is that chip only, and with `f` it is the
//! chip's family from that chip on.
//!
//! A refinement replaces the row's own `ptx` and `sm`. If several apply, the highest wins. If
//! several examples fit a form, the one with most names wins, and among equals the last.

use std::fmt;

use crate::lex::{Complaint, Pos, Source, Tok, lex};

/// A name with its position.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// The position.
    pub pos: Pos,
}

/// A section of the manual.
#[derive(Clone, Debug)]
pub struct Section {
    /// The number of the section.
    pub number: String,
    /// The instruction.
    pub instruction: Name,
    /// The doc comment: summary line, blank line, details.
    pub doc: Vec<String>,
    /// The grammar lines.
    pub rows: Vec<Row>,
    /// The sets of names.
    pub sets: Vec<Set>,
    /// The examples.
    pub examples: Vec<Example>,
    /// CUDA's functions.
    pub aliases: Vec<Alias>,
}

impl Section {
    /// Returns the names that `name` stands for in this section's grammar: itself, or the members
    /// of a set.
    pub fn members<'a>(&'a self, name: &'a Name) -> &'a [Name] {
        let set = self.sets.iter().find(|s| s.name.text == name.text);
        set.map_or(std::slice::from_ref(name), |s| &s.members)
    }
}

/// A grammar line.
#[derive(Clone, Debug)]
pub struct Row {
    /// The parts between the instruction and the operands.
    pub parts: Vec<Part>,
    /// `d`, or `p` for a predicate.
    pub destination: Operand,
    /// The second predicate of the destination, `p|q`.
    pub second: Second,
    /// The input operands.
    pub operands: Vec<Operand>,
    /// The pairs of version and target that have the row. One of them suffices.
    pub since: Vec<Since>,
    /// The last target with the row, if PTX has removed it.
    pub until: Option<u32>,
    /// A remark in the documentation of the row's forms.
    pub note: Option<String>,
    /// Later versions and targets that some modifiers and types need.
    pub refinements: Vec<(Name, Since)>,
    /// The function that computes the row's forms.
    pub meaning: Name,
    /// The line as written.
    pub grammar: String,
    /// The position of the first token.
    pub pos: Pos,
}

/// A part of the grammar: `.name` or `{.name.name}`.
#[derive(Clone, Debug)]
pub struct Part {
    /// One name, or several that occur together.
    pub names: Vec<Name>,
    /// `true` if the part is in braces.
    pub optional: bool,
}

/// An operand: `a`, or `c.f32` with a type that differs from the spelling's.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The name.
    pub name: Name,
    /// A type or a set of the row.
    pub ty: Option<Name>,
    /// `true` if the operand is in braces with its comma: only forms with a modifier that needs it
    /// have the operand.
    pub optional: bool,
    /// `true` for a predicate that may be written `!c`.
    pub negatable: bool,
    /// `true` for an element of a vector.
    pub in_vector: bool,
}

/// The second predicate of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// There is none.
    None,
    /// It is optional, `p{|q}`.
    Optional,
    /// It is required, `p|q`.
    Required,
}

impl Row {
    /// Returns the destination in the grammar, `p{|q}`.
    pub fn destination(&self) -> String {
        let second = match self.second {
            Second::None => "",
            Second::Optional => "{|q}",
            Second::Required => "|q",
        };
        format!("{}{second}", self.destination.name.text)
    }
}

/// Returns the operands of a PTX line, each as `name` writes it: `a, {b, e}, c`.
pub(crate) fn line<'o>(operands: impl IntoIterator<Item = &'o Operand>, name: impl Fn(&Operand) -> String) -> String {
    let mut line = String::new();
    let mut in_vector = false;
    for operand in operands {
        let (before, after) = match (in_vector, operand.in_vector) {
            (true, false) => ("}", ""),
            (false, true) => ("", "{"),
            _ => ("", ""),
        };
        let comma = if line.is_empty() { "" } else { ", " };
        line.push_str(&format!("{before}{comma}{after}{}", name(operand)));
        in_vector = operand.in_vector;
    }
    line + if in_vector { "}" } else { "" }
}

/// The first PTX ISA version (major, minor) and target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Since {
    /// The version.
    pub ptx: Option<(u8, u8)>,
    /// The target.
    pub sm: Option<Sm>,
}

/// A target, `100a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sm {
    /// The number.
    pub number: u32,
    /// The later targets that include this one.
    pub only: Only,
}

/// The later targets that include a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Only {
    /// All of them.
    #[default]
    Later,
    /// Those of the family, `sm_100f`.
    Family,
    /// None, `sm_100a`.
    This,
}

impl Only {
    /// Returns the letter after the number.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Later => "",
            Self::Family => "f",
            Self::This => "a",
        }
    }
}

impl fmt::Display for Sm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.number, self.only.letter())
    }
}

/// A set of names: `.rnd = { .rn, .rz };`.
#[derive(Clone, Debug)]
pub struct Set {
    /// The name in the grammar.
    pub name: Name,
    /// The names that it stands for.
    pub members: Vec<Name>,
}

/// An example: `eg .ftz (…) -> …;`.
#[derive(Clone, Debug)]
pub struct Example {
    /// The names that a form must have.
    pub filter: Vec<Name>,
    /// The cases, at least one.
    pub cases: Vec<Case>,
    /// The position of the first token.
    pub pos: Pos,
}

/// A case of an example: `(1.5, -4.0) -> -2.5`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The values of the operands.
    pub operands: Vec<Name>,
    /// One value, or the values of all lanes.
    pub result: Vec<Name>,
}

/// A function of CUDA: `cuda .rn.f32 "__fadd_rn";`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// All names of the form.
    pub filter: Vec<Name>,
    /// The function.
    pub function: String,
    /// The position of the first token.
    pub pos: Pos,
}

/// Returns an operand in the grammar, `{!}c`.
fn spelled(operand: &Operand) -> String {
    format!("{}{}", if operand.negatable { "{!}" } else { "" }, operand.name.text)
}

/// Parses a file.
pub(crate) fn parse(source: Source) -> Result<Vec<Section>, Complaint> {
    let mut p = Parser { tokens: lex(source)?, next: 0 };
    let mut sections = Vec::new();
    while p.peek() != &Tok::End {
        sections.push(p.section()?);
    }
    Ok(sections)
}

struct Parser {
    tokens: Vec<(Tok, Pos)>,
    next: usize,
}

type Parsed<T> = Result<T, Complaint>;

impl Parser {
    fn peek(&self) -> &Tok {
        &self.tokens[self.next].0
    }

    fn next_but_one(&self) -> &Tok {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }

    fn pos(&self) -> Pos {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> (Tok, Pos) {
        let t = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        t
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Tok::Word(t) | Tok::Number(t) => format!("`{t}`"),
            Tok::Text(t) => format!("\"{t}\""),
            Tok::Doc(_) => "a doc comment".to_owned(),
            Tok::Punct(p) => format!("`{p}`"),
            Tok::End => "the end of the file".to_owned(),
        };
        Err(self.pos().error(format!("expected {what}, found {found}")))
    }

    fn accept(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Tok::Punct(p) if *p == punct);
        if found {
            self.advance();
        }
        found
    }

    /// Accepts two tokens in sequence, or none of them.
    fn accept_both(&mut self, first: &'static str, second: &'static str) -> bool {
        let found = self.peek() == &Tok::Punct(first) && self.next_but_one() == &Tok::Punct(second);
        if found {
            self.advance();
            self.advance();
        }
        found
    }

    fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.accept(punct) { Ok(()) } else { self.expected(&format!("`{punct}`")) }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Tok::Word(w) if w == word);
        if found {
            self.advance();
        }
        found
    }

    fn word(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Word(text) => Ok(Name { text, pos: self.advance().1 }),
            _ => self.expected(what),
        }
    }

    fn text(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Tok::Text(text) => {
                self.advance();
                Ok(text)
            }
            _ => self.expected(what),
        }
    }

    /// Parses `.name.name…`, which may be empty.
    fn dotted(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while self.accept(".") {
            names.push(self.word("a name after the dot")?);
        }
        Ok(names)
    }

    fn section(&mut self) -> Parsed<Section> {
        if !self.accept_word("section") {
            return self.expected("`section \"9.7.…\" instruction;`");
        }
        let number = self.text("the manual's section in quotes")?;
        let instruction = self.word("the instruction's name")?;
        self.expect(";")?;
        let mut doc = Vec::new();
        while let Tok::Doc(line) = self.peek().clone() {
            self.advance();
            doc.push(line);
        }
        let mut s = Section { number, instruction, doc, rows: vec![], sets: vec![], examples: vec![], aliases: vec![] };
        loop {
            match self.peek().clone() {
                Tok::Punct(".") => s.sets.push(self.set()?),
                Tok::Word(w) if w == "eg" => s.examples.push(self.example()?),
                Tok::Word(w) if w == "cuda" => s.aliases.push(self.alias()?),
                Tok::Word(w) if w == s.instruction.text => s.rows.push(self.row()?),
                Tok::Word(w) if w == "section" => return Ok(s),
                Tok::End => return Ok(s),
                _ => {
                    return self
                        .expected(&format!("a row of `{}`, a set, `eg`, `cuda` or `section`", s.instruction.text));
                }
            }
        }
    }

    fn row(&mut self) -> Parsed<Row> {
        let head = self.word("the instruction's name")?;
        let mut grammar = head.text.clone();
        let mut parts = Vec::new();
        loop {
            let optional = self.accept("{");
            let names = self.dotted()?;
            if optional {
                self.expect("}")?;
            }
            if names.is_empty() {
                break;
            }
            let spelled: String = names.iter().map(|n| format!(".{}", n.text)).collect();
            if optional {
                grammar.push_str(&format!("{{{spelled}}}"));
                parts.push(Part { names, optional });
            } else {
                grammar.push_str(&spelled);
                parts.extend(names.into_iter().map(|n| Part { names: vec![n], optional }));
            }
        }
        let (destination, second) = self.destination()?;
        let operands = self.operands()?;
        if !self.accept_word("where") {
            return self.expected("`where { ptx …, sm … }`");
        }
        self.expect("{")?;
        let mut row = Row {
            parts,
            destination,
            second,
            operands,
            since: vec![Since::default()],
            until: None,
            note: None,
            refinements: Vec::new(),
            meaning: head.clone(),
            grammar,
            pos: head.pos,
        };
        let listed = line(row.operands.iter().filter(|o| !o.optional), spelled);
        row.grammar.push_str(&format!(" {}{}{listed}", row.destination(), if listed.is_empty() { "" } else { ", " }));
        for operand in row.operands.iter().filter(|o| o.optional) {
            row.grammar.push_str(&format!("{{, {}}}", spelled(operand)));
        }
        while !self.accept("}") {
            if self.accept(".") {
                let name = self.word("a modifier or type")?;
                let mut since = vec![Since::default()];
                self.since(&mut since)?;
                row.refinements.push((name, since[0]));
            } else if self.accept_word("until") {
                if !self.accept_word("sm") {
                    return self.expected("`sm`");
                }
                row.until = Some(self.target()?.number);
            } else if self.accept_word("note") {
                row.note = Some(self.text("a sentence in quotes")?);
            } else if self.accept_word("or") {
                row.since.push(Since::default());
                if !self.since(&mut row.since)? {
                    return self.expected("`ptx` or `sm`");
                }
            } else if !self.since(&mut row.since)? {
                return self.expected("`ptx`, `sm`, `or`, `until`, `note` or a modifier");
            }
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        self.expect("=>")?;
        row.meaning = self.word("the meaning's name")?;
        self.expect(";")?;
        Ok(row)
    }

    /// Parses `d`, `p`, `p|q` or `p{|q}`.
    fn destination(&mut self) -> Parsed<(Operand, Second)> {
        let destination = self.operand("the destination operand")?;
        let optional = self.accept_both("{", "|");
        if !optional && !self.accept("|") {
            return Ok((destination, Second::None));
        }
        if !self.accept_word("q") {
            return self.expected("`q`, the second predicate");
        }
        if optional {
            self.expect("}")?;
        }
        Ok((destination, if optional { Second::Optional } else { Second::Required }))
    }

    /// Parses `, a, {b, e}{, {!}c}`, up to `where`.
    fn operands(&mut self) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        loop {
            let optional = self.accept_both("{", ",");
            if !optional && !self.accept(",") {
                return Ok(operands);
            }
            if !optional && self.peek() == &Tok::Punct("{") && self.next_but_one() != &Tok::Punct("!") {
                self.advance();
                loop {
                    operands.push(Operand { in_vector: true, ..self.operand("an element of the vector")? });
                    if !self.accept(",") {
                        break;
                    }
                }
                self.expect("}")?;
                continue;
            }
            operands.push(Operand { optional, ..self.operand("an operand")? });
            if optional {
                self.expect("}")?;
            }
        }
    }

    /// Parses `a`, `c.f32` or `{!}c`.
    fn operand(&mut self, what: &str) -> Parsed<Operand> {
        let negatable = self.accept_both("{", "!");
        if negatable {
            self.expect("}")?;
        }
        let name = self.word(what)?;
        let ty = if self.accept(".") { Some(self.word("the operand's type")?) } else { None };
        Ok(Operand { name, ty, optional: false, negatable, in_vector: false })
    }

    /// Parses `ptx 7.0`, `sm 80` or both, for the last alternative. Each further target is another
    /// alternative. Returns `true` if there was any of them.
    fn since(&mut self, ways: &mut Vec<Since>) -> Parsed<bool> {
        let mut any = false;
        loop {
            let pos = self.pos();
            let since = ways.last_mut().expect("a row has at least one way");
            let twice =
                |known: bool, what| if known { Err(pos.error(format!("`{what}` stands twice"))) } else { Ok(()) };
            if self.accept_word("ptx") {
                twice(since.ptx.is_some(), "ptx")?;
                since.ptx = Some(self.version()?);
            } else if self.accept_word("sm") {
                twice(since.sm.is_some(), "sm")?;
                since.sm = Some(self.target()?);
                let first = *since;
                while matches!(self.peek(), Tok::Number(_)) {
                    ways.push(Since { sm: Some(self.target()?), ..first });
                }
            } else {
                return Ok(any);
            }
            any = true;
        }
    }

    fn version(&mut self) -> Parsed<(u8, u8)> {
        if let Tok::Number(n) = self.peek().clone()
            && let Some((major, minor)) = n.split_once('.')
            && let (Ok(major), Ok(minor)) = (major.parse(), minor.parse())
        {
            self.advance();
            return Ok((major, minor));
        }
        self.expected("a PTX ISA version such as 7.0")
    }

    fn target(&mut self) -> Parsed<Sm> {
        if let Tok::Number(text) = self.peek().clone() {
            let (digits, only) = match text.as_bytes() {
                [.., b'a'] => (&text[..text.len() - 1], Only::This),
                [.., b'f'] => (&text[..text.len() - 1], Only::Family),
                _ => (&text[..], Only::Later),
            };
            if let Ok(number) = digits.parse() {
                self.advance();
                return Ok(Sm { number, only });
            }
        }
        self.expected("a target number such as 80, or 100a, or 100f")
    }

    fn set(&mut self) -> Parsed<Set> {
        self.expect(".")?;
        let name = self.word("the set's name")?;
        self.expect("=")?;
        self.expect("{")?;
        let mut members = Vec::new();
        loop {
            self.expect(".")?;
            members.push(self.word("a modifier or type")?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        self.expect(";")?;
        Ok(Set { name, members })
    }

    fn value(&mut self) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Word(text) | Tok::Number(text) => Ok(Name { text, pos: self.advance().1 }),
            _ => self.expected("a value"),
        }
    }

    fn example(&mut self) -> Parsed<Example> {
        let pos = self.advance().1;
        let filter = self.dotted()?;
        let mut cases = Vec::new();
        loop {
            self.expect("(")?;
            let mut operands = vec![self.value()?];
            while self.accept(",") {
                operands.push(self.value()?);
            }
            self.expect(")")?;
            self.expect("->")?;
            cases.push(Case { operands, result: self.result()? });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Example { filter, cases, pos })
    }

    fn result(&mut self) -> Parsed<Vec<Name>> {
        if !self.accept("(") {
            return Ok(vec![self.value()?]);
        }
        let mut lanes = vec![self.value()?];
        while self.accept(",") {
            lanes.push(self.value()?);
        }
        self.expect(")")?;
        Ok(lanes)
    }

    fn alias(&mut self) -> Parsed<Alias> {
        let pos = self.advance().1;
        let filter = self.dotted()?;
        let function = self.text("the CUDA function's name in quotes")?;
        self.expect(";")?;
        Ok(Alias { filter, function, pos })
    }
}
