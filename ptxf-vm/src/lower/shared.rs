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
    let mut names: HashMap<&str, Vec<Named>> = HashMap::new();
    for (i, variable) in variables.iter().enumerate() {
        names.entry(variable.name.of(text)).or_default().push(Named::Shared(i));
    }
    for (i, function) in unit.functions.iter().enumerate() {
        names.entry(function.name.of(text)).or_default().push(Named::Function(i));
    }
    for (i, variable) in unit.variables.iter().enumerate().filter(|(_, v)| v.space != Space::Shared) {
        names.entry(variable.name.of(text)).or_default().push(Named::Other(i));
    }
    // What each function names, and declares itself.
    let mut named: Vec<Vec<Named>> = Vec::new();
    for function in &unit.functions {
        let Some(body) = &function.body else {
            named.push(Vec::new());
            continue;
        };
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
        let words: HashSet<&str> = body.at.of(text).split(|c| !is_of_name(c)).collect();
        let mut all: Vec<Named> = words.iter().filter_map(|word| names.get(word)).flatten().copied().collect();
        for statement in &body.statements {
            if let Statement::Variable(variable) = statement
                && variable.space == Space::Shared
            {
                all.push(Named::Shared(variables.len()));
                variables.push(variable);
            }
        }
        named.push(all);
    }
    let reached: Vec<(usize, Vec<usize>)> = (unit.functions.iter().enumerate())
        .filter(|(_, f)| f.is_entry && f.body.is_some() && !variables.is_empty())
        .map(|(entry, _)| (entry, reach(text, unit, entry, &names, &named)))
        .collect();
    place(text, &variables, &reached)
}

/// Returns the shared variables that an entry reaches.
fn reach(text: &str, unit: &Unit, entry: usize, names: &HashMap<&str, Vec<Named>>, named: &[Vec<Named>]) -> Vec<usize> {
    let (mut seen, mut open, mut shared) = (HashSet::new(), vec![Named::Function(entry)], Vec::new());
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match next {
            Named::Function(i) => open.extend(&named[i]),
            Named::Other(i) => symbols(unit.variables[i].init.as_ref(), &mut |name| {
                open.extend(names.get(name.of(text)).into_iter().flatten());
            }),
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
