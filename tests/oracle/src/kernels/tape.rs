//! The choices that make a kernel, as a tree: each statement and each expression has a node with
//! its own choices. Leaving a node out changes no other one, so that a kernel shrinks by parts.

use std::fmt;
use std::str::FromStr;

use crate::Rng;

/// The choices of a part of a kernel, and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// The kind of the part, a letter. Nodes of a kind can replace each other.
    pub(super) kind: char,
    /// The choices, 0 for the simplest alternative. Absent ones are 0.
    pub(super) choices: Vec<u32>,
    /// The parts. Absent ones have no choices.
    pub(super) parts: Vec<Self>,
}

/// The kind of a node whose parts can be left out.
pub(super) const LIST: char = 'l';

impl Node {
    pub(super) fn new(kind: char) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Reads a node from the beginning of a text.
    fn read(text: &mut &str) -> Result<Self, String> {
        let kind = text.chars().next().filter(char::is_ascii_alphabetic);
        let mut node = Self::new(kind.ok_or_else(|| format!("a tape's node begins with a letter, not with `{text}`"))?);
        let (choices, rest) =
            text[1..].split_at(text[1..].find(|c| !"0123456789.".contains(c)).unwrap_or(text.len() - 1));
        for choice in choices.split_terminator('.') {
            node.choices.push(choice.parse().map_err(|e| format!("`{choice}` in a tape: {e}"))?);
        }
        *text = rest;
        if let Some(rest) = rest.strip_prefix('(') {
            *text = rest;
            while !text.starts_with(')') {
                node.parts.push(Self::read(text)?);
            }
            *text = &text[1..];
        }
        Ok(node)
    }

    /// Changes and leaves out choices and parts at random.
    pub(super) fn change(&mut self, rng: &mut Rng) {
        match rng.below(16) {
            0 => *self = Self::new(self.kind),
            1 => self.parts.truncate(rng.below(self.parts.len() as u64 + 1) as usize),
            2 => self.choices.truncate(rng.below(self.choices.len() as u64 + 1) as usize),
            3 => self.choices.iter_mut().for_each(|choice| *choice = rng.below(100) as u32),
            4 => self.parts.reverse(),
            _ => {}
        }
        self.parts.iter_mut().for_each(|part| part.change(rng));
    }

    /// Returns the sum of all choices and nodes.
    pub(super) fn size(&self) -> u64 {
        let parts: u64 = self.parts.iter().map(Self::size).sum();
        1 + parts + self.choices.iter().map(|&x| u64::from(x)).sum::<u64>()
    }
}

/// Writes the letter, the choices with dots between them, and the parts in brackets.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices: Vec<_> = self.choices.iter().map(u32::to_string).collect();
        write!(f, "{}{}", self.kind, choices.join("."))?;
        if !self.parts.is_empty() {
            write!(f, "(")?;
            self.parts.iter().try_for_each(|part| write!(f, "{part}"))?;
            write!(f, ")")?;
        }
        Ok(())
    }
}

impl FromStr for Node {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rest = text;
        let node = Self::read(&mut rest)?;
        if rest.is_empty() { Ok(node) } else { Err(format!("`{rest}` follows a tape's end")) }
    }
}

/// The source of choices, and the tree of those that were made.
#[derive(Debug, Default)]
pub(super) struct Tape {
    source: Source,
    made: Vec<Node>,
}

#[derive(Debug)]
enum Source {
    Random(Rng),
    /// The rest of the given nodes around, with the next choice and the next part last.
    Given(Vec<Node>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Given(Vec::new())
    }
}

impl Tape {
    pub(super) fn random(rng: Rng) -> Self {
        Self { source: Source::Random(rng), made: vec![Node::new('r')] }
    }

    pub(super) fn given(root: Node) -> Self {
        Self { source: Source::Given(vec![reversed(root)]), made: vec![Node::new('r')] }
    }

    /// Returns a choice below `n`. If no choices are given, `random` makes it.
    pub(super) fn choose(&mut self, n: usize, random: impl FnOnce(&mut Rng) -> usize) -> usize {
        let chosen = match &mut self.source {
            Source::Random(rng) => random(rng),
            Source::Given(open) => open.last_mut().and_then(|node| node.choices.pop()).unwrap_or(0) as usize,
        };
        let chosen = chosen.min(n.max(1) - 1);
        self.here().choices.push(chosen as u32);
        chosen
    }

    /// Returns a number of parts up to `most`; a random one is at least `least`.
    pub(super) fn count(&mut self, least: usize, most: usize) -> usize {
        match &mut self.source {
            Source::Random(rng) => least + rng.below((most - least + 1) as u64) as usize,
            Source::Given(open) => open.last().map_or(0, |node| node.parts.len().min(most)),
        }
    }

    pub(super) fn open(&mut self, kind: char) {
        if let Source::Given(open) = &mut self.source {
            let part = open.last_mut().and_then(|node| node.parts.pop());
            open.push(part.map(reversed).unwrap_or_default());
        }
        self.made.push(Node::new(kind));
    }

    /// Closes a node, without what is implied at its end.
    pub(super) fn close(&mut self) {
        if let Source::Given(open) = &mut self.source {
            open.pop();
        }
        let node = self.made.pop().expect("it was opened");
        self.here().parts.push(trimmed(node));
    }

    /// Returns the tree of what was chosen.
    pub(super) fn finish(mut self) -> Node {
        trimmed(self.made.pop().expect("the root stays open"))
    }

    fn here(&mut self) -> &mut Node {
        self.made.last_mut().expect("the root stays open")
    }
}

fn reversed(mut node: Node) -> Node {
    node.choices.reverse();
    node.parts.reverse();
    node
}

fn trimmed(mut node: Node) -> Node {
    while node.choices.last() == Some(&0) {
        node.choices.pop();
    }
    let is_empty = |part: &Node| part.choices.is_empty() && part.parts.is_empty();
    while node.kind != LIST && node.parts.last().is_some_and(is_empty) {
        node.parts.pop();
    }
    node
}
