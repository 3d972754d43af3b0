//! From text to rows.
//!
//! ```text
//! file     = section*
//! section  = `section` "manual section" instruction `;` doc* item*
//! item     = row | set | example | alias
//! row      = grammar operands `where` `{` since,* `}` `=>` meaning `;`
//! grammar  = instruction part*            the manual's own line
//! part     = .name | { .name+ }           required, optional
//! operands = d `,` a …                    the destination first
//! since    = `ptx` 7.0 | `sm` 80 | `until` `sm` 13 | .name (`ptx` 7.0)? (`sm` 80)?    a refinement for forms with .name
//! set      = .name `=` `{` .name,* `}` `;`                  a name of the grammar that stands for several
//! example  = `eg` .name* case,* `;`                         for forms that have all the names
//! case     = `(` value,* `)` `->` value
//! alias    = `cuda` .name* "CUDA function" `;`              for the form with exactly these names
//! ```
//!
//! A refinement replaces the row's own `ptx` and `sm`; where several apply the highest counts. Of the examples that fit a
//! form the one with most names counts, of equals the last.

use super::lex::{Complaint, Pos, Source, Tok, lex};

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub pos: Pos,
}

/// A section of the manual.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub number: String,
    pub instruction: Name,
    /// Summary line, blank line, details.
    pub doc: Vec<String>,
    pub rows: Vec<Row>,
    pub sets: Vec<Set>,
    pub examples: Vec<Example>,
    pub aliases: Vec<Alias>,
}

impl Section {
    /// What `name` stands for in this section's grammar: itself or the members of a set.
    pub(crate) fn members<'a>(&'a self, name: &'a Name) -> &'a [Name] {
        let set = self.sets.iter().find(|s| s.name.text == name.text);
        set.map_or(std::slice::from_ref(name), |s| &s.members)
    }
}

/// A grammar line.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub parts: Vec<Part>,
    /// `d`, or `p` for a predicate.
    pub destination: Name,
    /// Input operands.
    pub operands: Vec<Name>,
    pub since: Since,
    /// The last target that has it, for rows of history.
    pub until: Option<u32>,
    pub refinements: Vec<(Name, Since)>,
    pub meaning: Name,
    /// The line as written.
    pub grammar: String,
    pub pos: Pos,
}

/// `.name` or `{.name.name}`.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub names: Vec<Name>,
    pub optional: bool,
}

/// The first PTX ISA version (major, minor) and target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Since {
    pub ptx: Option<(u8, u8)>,
    pub sm: Option<u32>,
}

/// `.rnd = { .rn, .rz };`
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub name: Name,
    pub members: Vec<Name>,
}

/// `eg .ftz (…) -> …;`
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub filter: Vec<Name>,
    pub cases: Vec<Case>,
    pub pos: Pos,
}

/// `(1.5, -4.0) -> -2.5`
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub operands: Vec<Name>,
    pub result: Name,
}

/// `cuda .rn.f32 "__fadd_rn";`
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    pub filter: Vec<Name>,
    pub function: String,
    pub pos: Pos,
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

    /// `.name.name…`, maybe none.
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
        let destination = self.word("the destination operand")?;
        grammar.push_str(&format!(" {}", destination.text));
        let mut operands = Vec::new();
        while self.accept(",") {
            let operand = self.word("an operand")?;
            grammar.push_str(&format!(", {}", operand.text));
            operands.push(operand);
        }
        if !self.accept_word("where") {
            return self.expected("`where { ptx …, sm … }`");
        }
        self.expect("{")?;
        let mut row = Row {
            parts,
            destination,
            operands,
            since: Since::default(),
            until: None,
            refinements: Vec::new(),
            meaning: head.clone(),
            grammar,
            pos: head.pos,
        };
        while !self.accept("}") {
            if self.accept(".") {
                let name = self.word("a modifier or type")?;
                let mut since = Since::default();
                self.since(&mut since)?;
                row.refinements.push((name, since));
            } else if self.accept_word("until") {
                if !self.accept_word("sm") {
                    return self.expected("`sm`");
                }
                row.until = Some(self.target()?);
            } else if !self.since(&mut row.since)? {
                return self.expected("`ptx`, `sm`, `until` or a modifier");
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

    /// `ptx 7.0` and `sm 80`, either or both; whether there was any.
    fn since(&mut self, since: &mut Since) -> Parsed<bool> {
        let mut any = false;
        loop {
            let pos = self.pos();
            let twice =
                |known: bool, what| if known { Err(pos.error(format!("`{what}` stands twice"))) } else { Ok(()) };
            if self.accept_word("ptx") {
                twice(since.ptx.is_some(), "ptx")?;
                since.ptx = Some(self.version()?);
            } else if self.accept_word("sm") {
                twice(since.sm.is_some(), "sm")?;
                since.sm = Some(self.target()?);
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

    fn target(&mut self) -> Parsed<u32> {
        if let Tok::Number(n) = self.peek().clone()
            && let Ok(sm) = n.parse()
        {
            self.advance();
            return Ok(sm);
        }
        self.expected("a target number such as 80")
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
            cases.push(Case { operands, result: self.value()? });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Example { filter, cases, pos })
    }

    fn alias(&mut self) -> Parsed<Alias> {
        let pos = self.advance().1;
        let filter = self.dotted()?;
        let function = self.text("the CUDA function's name in quotes")?;
        self.expect(";")?;
        Ok(Alias { filter, function, pos })
    }
}
