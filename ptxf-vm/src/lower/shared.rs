//! Places of shared variables. An entry has those that it reaches, by itself or through calls.
//!
//! A variable has one place for all entries, because the code of a function does not depend on the
//! entry that calls it. Variables that no entry has both of may have the same place.

use std::collections::{HashMap, HashSet};

use ptxf_text::{Error, Init, Space, Statement, Unit, Variable};

use super::statics::{alignment, size};
use crate::run::DYNAMIC_ALIGN;

/// The most shared memory of an entry's variables, in bytes.
const MOST: u64 = 1 << 28;

/// The shared memory of an entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// Bytes of its variables that are not `.extern`, one after another.
    pub(crate) fixed: u32,
    /// The end of the last of these variables at its place.
    end: u32,
    /// The place of dynamic shared memory.
    dynamic: u32,
    /// Bytes of the largest `.extern` variable with a size.
    least: u32,
}

impl Extent {
    /// Returns the size in bytes with so much dynamic shared memory.
    pub(crate) fn with(self, dynamic: u32) -> u32 {
        self.dynamic.saturating_add(dynamic.max(self.least))
    }
}

/// An object that a name of the module stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    Function(usize),
    /// A variable of the module in another space, whose initial value may have functions.
    Other(usize),
    /// An index among the shared variables.
    Shared(usize),
}

/// The shared memory of a module.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The place of each variable, by the position of its name.
    pub(crate) places: HashMap<u32, u32>,
    /// The shared memory of each entry, by its index.
    pub(crate) entries: HashMap<usize, Extent>,
}

/// Returns the shared memory of a module.
pub(crate) fn places(text: &str, unit: &Unit) -> Result<Shared, Error> {
    let mut variables: Vec<&Variable> = unit.variables.iter().filter(|v| v.space == Space::Shared).collect();
    // The variables that a function declares itself, then what its text names.
    let mut named: Vec<Vec<Named>> = Vec::new();
    for function in &unit.functions {
        let mut own = Vec::new();
        for statement in function.body.iter().flat_map(|body| &body.statements) {
            if let Statement::Variable(variable) = statement
                && variable.space == Space::Shared
            {
                own.push(Named::Shared(variables.len()));
                variables.push(variable);
            }
        }
        named.push(own);
    }
    if variables.is_empty() {
        return Ok(Shared::default());
    }
    let names = Names::of(text, unit);
    for (function, named) in unit.functions.iter().zip(&mut named) {
        if let Some(body) = &function.body {
            named.extend(names.in_text(body.at.of(text)));
        }
    }
    let others: Vec<Vec<Named>> = (unit.variables.iter())
        .map(|variable| {
            let mut all = Vec::new();
            symbols(variable.init.as_ref(), &mut |name| all.extend(names.of_word(name.of(text).as_bytes())));
            all
        })
        .collect();
    let reached: Vec<(usize, Vec<usize>)> = (unit.functions.iter().enumerate())
        .filter(|(_, f)| f.is_entry && f.body.is_some())
        .map(|(entry, _)| (entry, reach(entry, &named, &others)))
        .collect();
    place(text, &variables, &reached)
}

/// The objects that the names of a module stand for.
struct Names<'a> {
    named: HashMap<&'a [u8], Vec<Named>>,
    /// The lengths of the names that begin with a byte, as bits; the last one is for all others.
    lengths: [u64; 256],
}

impl<'a> Names<'a> {
    fn of(text: &'a str, unit: &Unit) -> Self {
        let mut names = Self { named: HashMap::new(), lengths: [0; 256] };
        let mut add = |name: &'a str, named| {
            let name = name.as_bytes();
            let (first, length) = Self::outline(name);
            names.lengths[first] |= length;
            names.named.entry(name).or_default().push(named);
        };
        let mut shared = 0;
        for (i, variable) in unit.variables.iter().enumerate() {
            let name = variable.name.of(text);
            if variable.space == Space::Shared {
                add(name, Named::Shared(shared));
                shared += 1;
            } else {
                add(name, Named::Other(i));
            }
        }
        for (i, function) in unit.functions.iter().enumerate() {
            add(function.name.of(text), Named::Function(i));
        }
        names
    }

    /// Returns the first byte of a word, and its length as a bit.
    fn outline(word: &[u8]) -> (usize, u64) {
        (word.first().map_or(0, |first| usize::from(*first)), 1 << word.len().min(63))
    }

    fn of_word(&self, word: &[u8]) -> impl Iterator<Item = Named> {
        // Few words of a body are as long as a name with their first letter.
        let (first, length) = Self::outline(word);
        let found = if self.lengths[first] & length == 0 { None } else { self.named.get(word) };
        found.into_iter().flatten().copied()
    }

    fn in_text(&self, text: &str) -> impl Iterator<Item = Named> {
        let is_of_name = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'%');
        text.as_bytes().split(move |c| !is_of_name(c)).flat_map(|word| self.of_word(word))
    }
}

/// Returns the shared variables that an entry reaches.
fn reach(entry: usize, named: &[Vec<Named>], others: &[Vec<Named>]) -> Vec<usize> {
    let (mut seen, mut open, mut shared) = (HashSet::new(), vec![Named::Function(entry)], Vec::new());
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match next {
            Named::Function(i) => open.extend(&named[i]),
            Named::Other(i) => open.extend(&others[i]),
            Named::Shared(i) => shared.push(i),
        }
    }
    shared
}

/// Calls a function with each name in an initial value.
fn symbols(init: Option<&Init>, found: &mut impl FnMut(ptxf_text::Span)) {
    match init {
        Some(Init::List(all)) => all.iter().for_each(|init| symbols(Some(init), found)),
        Some(Init::Symbol { name, .. }) => found(*name),
        _ => {}
    }
}

fn place(text: &str, variables: &[&Variable], reached: &[(usize, Vec<usize>)]) -> Result<Shared, Error> {
    // The entries that reach each variable, as positions in `reached`.
    let mut users = vec![Vec::new(); variables.len()];
    for (at, (_, shared)) in reached.iter().enumerate() {
        shared.iter().for_each(|&variable| users[variable].push(at));
    }
    let is_dynamic = |v: &Variable| v.is_extern || v.lengths.first() == Some(&None);
    // What most entries have comes first, so that the others leave no gaps.
    let mut order: Vec<usize> = (0..variables.len()).filter(|&i| !is_dynamic(variables[i])).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(users[i].len()));
    let mut extents = vec![Extent::default(); reached.len()];
    let mut places = HashMap::new();
    for i in order {
        let variable = variables[i];
        let size = size(text, variable, MOST)?;
        let after = |end: u32| u64::from(end).next_multiple_of(alignment(variable).into());
        for &entry in &users[i] {
            extents[entry].fixed = (after(extents[entry].fixed) + size).min(MOST) as u32;
        }
        // A variable that nobody names may still be accessed by its address.
        let everywhere: Vec<usize> = (0..extents.len()).collect();
        let with = if users[i].is_empty() { &everywhere } else { &users[i] };
        let at = after(with.iter().map(|&entry| extents[entry].end).max().unwrap_or_default());
        if at + size > MOST {
            return Err(Error::at(text, variable.name, "more shared memory than 256 MiB"));
        }
        with.iter().for_each(|&entry| extents[entry].end = (at + size) as u32);
        places.insert(variable.name.start, at as u32);
    }
    // All `.extern` variables are at one place, after the others of any entry that has one.
    let aligned = |end: u32| u64::from(end).next_multiple_of(DYNAMIC_ALIGN) as u32;
    extents.iter_mut().for_each(|extent| extent.dynamic = aligned(extent.end));
    let dynamic: Vec<usize> = (0..variables.len()).filter(|&i| is_dynamic(variables[i])).collect();
    let at = dynamic.iter().flat_map(|&i| &users[i]).map(|&entry| extents[entry].dynamic).max().unwrap_or_default();
    for i in dynamic {
        let variable = variables[i];
        let has_size = variable.lengths.iter().all(Option::is_some);
        let least = if has_size { size(text, variable, MOST)? } else { 0 };
        for &entry in &users[i] {
            extents[entry].dynamic = at;
            extents[entry].least = extents[entry].least.max(least as u32);
        }
        places.insert(variable.name.start, at);
    }
    Ok(Shared { places, entries: reached.iter().map(|(entry, _)| *entry).zip(extents).collect() })
}
