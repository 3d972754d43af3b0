//! The check of a spelling, which is a form of the table or a mistake with a position.

use std::collections::HashSet;

use strsim::osa_distance;

use crate::form::Form;
use crate::legal::{Legal, instructions, nearest};
use crate::modifier::{Group, MODIFIERS, Modifier, modifier};
use crate::reason;
use crate::table::Table;
use crate::types::{self, Type, ty};

/// A spelling as written, such as `fma` with the names `rn`, `f16x2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling<'s> {
    /// The part before the first dot.
    pub instruction: &'s str,
    /// The parts after it, which dots separate.
    pub names: Vec<&'s str>,
}

impl<'s> Spelling<'s> {
    /// Splits a text at its dots.
    #[must_use]
    pub fn of(text: &'s str) -> Self {
        let mut parts = text.split('.');
        Self { instruction: parts.next().unwrap_or_default(), names: parts.collect() }
    }

    fn text(&self) -> String {
        self.names.iter().fold(self.instruction.to_owned(), |s, n| format!("{s}.{n}"))
    }
}

/// The position of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The instruction.
    Instruction,
    /// The name with this index.
    Name(usize),
    /// The whole spelling, which lacks something.
    Whole,
}

/// A mistake in a spelling.
#[derive(Clone, Debug)]
pub struct Mistake<'t> {
    /// The position.
    pub at: At,
    /// The mistake and its correction, in one line.
    pub problem: String,
    /// The legal alternatives.
    pub legal: Option<Legal<'t>>,
}

impl Mistake<'_> {
    fn new(at: At, problem: impl Into<String>) -> Self {
        Self { at, problem: problem.into(), legal: None }
    }
}

type Checked<'t, T> = Result<T, Mistake<'t>>;

/// The forms of a spelling.
#[derive(Debug)]
pub struct Found<'t> {
    /// One form, or one for each number of operands.
    pub forms: Vec<&'t Form>,
    /// The operators of the spelling.
    pub operators: Vec<&'static Modifier>,
}

/// Finds the forms of a spelling.
///
/// # Errors
///
/// It returns the first mistake.
pub fn check<'t>(table: &'t Table, spelling: &Spelling<'_>) -> Checked<'t, Found<'t>> {
    let forms = instruction(table, spelling)?;
    let names = names(spelling, &forms)?;
    let (types, forms) = types(spelling, &names, forms)?;
    let modifiers: Vec<_> = names
        .iter()
        .enumerate()
        .filter_map(|(i, &name)| match name {
            Known::Modifier(m) => Some((i, m)),
            Known::Type(_) => None,
        })
        .collect();
    let attempt = Attempt { spelling, modifiers, types, forms };
    attempt.modifiers_are_known_here()?;
    attempt.none_excludes_another()?;
    let forms = attempt.complete()?;
    attempt.order(&names, forms[0])?;
    let operators = attempt.written().into_iter().filter(|m| m.group.is_operator()).collect();
    Ok(Found { forms, operators })
}

/// Returns the legal spelling that differs least; `None` if the instruction resembles none of the
/// table's.
#[must_use]
pub fn closest(table: &Table, spelling: &Spelling<'_>) -> Option<String> {
    if let Some((form, _)) = table.other_name(&spelling.text()) {
        return Some(form.closed(&[]));
    }
    let word = |word: &str, known: &mut dyn Iterator<Item = &'static str>| {
        let word = word.to_lowercase();
        known.map(|k| (osa_distance(&word, &k.to_lowercase()), k)).min_by_key(|&(d, _)| d)
    };
    let known = instructions(table);
    let near = |word: &str| nearest(word, known.iter().copied());
    let instruction = near(spelling.instruction).or_else(|| near(spelling.instruction.split('_').next()?))?;
    let forms: Vec<_> = table.forms.iter().filter(|f| f.instruction() == instruction).collect();
    let mut wanted = (Vec::new(), Vec::new());
    let here = here(&forms);
    for part in spelling.names.iter().filter(|p| !p.is_empty()) {
        // Names of the instruction come first: two names differ in upper and lower case only.
        let names = || here.iter().copied();
        let same = names().find(|n| n == part).or_else(|| names().find(|n| n.eq_ignore_ascii_case(part)));
        let known = same.map(|n| (0, n)).or_else(|| word(part, &mut names().chain(all_names())));
        let Some((d, name)) = known else { continue };
        if d <= 1.max(part.chars().count() / 2) {
            if ty(name).is_some() { wanted.1.push(name) } else { wanted.0.push(name) }
        }
    }
    let lost = |have: &[&str], want: &[&str]| have.iter().filter(|h| !want.contains(h)).count();
    let cost = |f: &&Form| {
        let operators =
            f.operators.lists().map(|list| list.iter().find(|m| wanted.0.contains(&m.ptx)).unwrap_or(&list[0]));
        let modifiers: Vec<_> = operators.chain(&f.modifiers).map(|m| m.ptx).collect();
        let types: Vec<_> = f.types.iter().map(|t| t.ptx).collect();
        (
            // Another type, or the same type at another position, is another operation.
            2 * lost(&wanted.1, &types)
                + 2 * types.len().abs_diff(wanted.1.len().max(1))
                + usize::from(!types.starts_with(&wanted.1)),
            2 * lost(&wanted.0, &modifiers) + lost(&modifiers, &wanted.0),
            // If any rounding fits, prefer `.rn`.
            !f.has("rn"),
        )
    };
    let form = forms.into_iter().min_by_key(cost)?;
    Some(form.closed(&wanted.0.iter().filter_map(|name| modifier(name)).collect::<Vec<_>>()))
}

/// Returns the forms of the instruction.
fn instruction<'t>(table: &'t Table, spelling: &Spelling<'_>) -> Checked<'t, Vec<&'t Form>> {
    let name = spelling.instruction;
    let found: Vec<_> = table.forms.iter().filter(|f| f.instruction() == name).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known = instructions(table);
    let problem = if name.is_empty() {
        "a spelling starts with an instruction".to_owned()
    } else if let Some(right) = known.iter().find(|k| k.eq_ignore_ascii_case(name)) {
        format!("PTX distinguishes upper and lower case: write `{right}`")
    } else if let Some((form, whose)) = table.other_name(&name.to_lowercase()) {
        let canonical = form.canonical();
        // A method's name contains no type.
        let untyped =
            form.types.iter().rev().fold(&canonical[..], |s, t| s.trim_end_matches(t.ptx).trim_end_matches('.'));
        let right = if form.method() == name.to_lowercase() { untyped } else { &canonical };
        format!("`{name}` is {whose}'s spelling: PTX has dots, and no number of operands: write `{right}`")
    } else if let Some((head, rest)) = name.split_once('_')
        && known.contains(&head)
    {
        format!("PTX separates modifiers and types by dots: write `{head}.{}`", dotted(rest))
    } else {
        let near = nearest(name, known.iter().copied()).map(|n| format!(", did you mean `{n}`?")).unwrap_or_default();
        let problem = format!("`{name}` is no floating-point instruction of PTX{near}");
        return Err(Mistake { legal: Some(Legal::Instructions(table)), ..Mistake::new(At::Instruction, problem) });
    };
    Err(Mistake::new(At::Instruction, problem))
}

/// A name of a spelling.
#[derive(Clone, Copy)]
enum Known {
    Modifier(&'static Modifier),
    Type(&'static Type),
}

/// Returns PTX's names of all modifiers and types.
fn all_names() -> impl Iterator<Item = &'static str> {
    MODIFIERS.iter().map(|m| m.ptx).chain(types::names())
}

/// Converts `rn_nan_f16` to `rn.NaN.f16`.
fn dotted(text: &str) -> String {
    let part = |p| all_names().find(|n| n.eq_ignore_ascii_case(p)).unwrap_or(p).to_owned();
    text.split('_').map(part).collect::<Vec<_>>().join(".")
}

/// Returns the modifiers and types of the spelling.
fn names<'t>(spelling: &Spelling<'_>, forms: &[&'t Form]) -> Checked<'t, Vec<Known>> {
    let look_up = |(i, &name): (usize, &&str)| {
        // `.NaN` and `.nan` differ in upper and lower case only. No instruction has both.
        let twin = || here(forms).into_iter().find(|n| *n != name && n.eq_ignore_ascii_case(name));
        match (modifier(name), ty(name).filter(|t| t.is_spelled())) {
            (Some(m), _) if forms.iter().any(|f| f.allows(m)) || twin().is_none() => Ok(Known::Modifier(m)),
            (_, Some(t)) => Ok(Known::Type(t)),
            _ => Err(unknown(i, name, spelling, forms)),
        }
    };
    spelling.names.iter().enumerate().map(look_up).collect()
}

/// Returns the names of these forms, each once.
fn here(forms: &[&Form]) -> Vec<&'static str> {
    let mut seen = HashSet::new();
    let names = forms.iter().flat_map(|f| f.operators.lists().flatten().map(|m| m.ptx).chain(f.names()));
    names.filter(|name| seen.insert(*name)).collect()
}

fn unknown<'t>(i: usize, name: &str, spelling: &Spelling<'_>, forms: &[&'t Form]) -> Mistake<'t> {
    let instruction = &spelling.instruction;
    let mut legal = None;
    let here = here(forms);
    let problem = if name.is_empty() {
        "a dot has no name after it".to_owned()
    } else if let Some(right) = here.iter().copied().chain(all_names()).find(|n| n.eq_ignore_ascii_case(name)) {
        format!("PTX distinguishes upper and lower case: write `.{right}`")
    } else if name.split('_').all(|p| all_names().any(|n| n.eq_ignore_ascii_case(p))) {
        format!("PTX separates modifiers and types by dots: write `.{}`", dotted(name))
    } else {
        let near = nearest(name, here).map(|n| format!(", did you mean `.{n}`?"));
        // If a type is known, the message lists the forms on the type.
        let ty = spelling.names.iter().find_map(|n| ty(n));
        let on_type: Vec<_> = forms.iter().copied().filter(|f| ty.is_some_and(|t| f.types.contains(&t))).collect();
        legal = Some(if on_type.is_empty() { Legal::Types(forms.to_vec()) } else { Legal::Rows(on_type) });
        format!("`.{name}` is neither a modifier nor a type of `{instruction}`{}", near.unwrap_or_default())
    };
    Mistake { legal, ..Mistake::new(At::Name(i), problem) }
}

/// Returns the types, and the instruction's forms on them.
fn types<'t>(
    spelling: &Spelling<'_>,
    names: &[Known],
    mut forms: Vec<&'t Form>,
) -> Checked<'t, (Vec<&'static Type>, Vec<&'t Form>)> {
    let all = names.iter().filter_map(|name| if let Known::Type(t) = name { Some(*t) } else { None });
    let all: Vec<&Type> = all.collect();
    let mut types: Vec<&'static Type> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let &Known::Type(t) = name else { continue };
        let k = types.len();
        let on_type: Vec<_> = forms.iter().copied().filter(|f| f.types.get(k) == Some(&t)).collect();
        if on_type.is_empty() {
            let operators = names.iter().filter_map(|name| match name {
                Known::Modifier(m) if m.group.is_operator() => Some(format!(".{}", m.ptx)),
                _ => None,
            });
            if let Some(why) = reason::no_types(spelling.instruction, &operators.collect::<String>(), &all) {
                let subject: String = all.iter().map(|t| format!(".{}", t.ptx)).collect();
                let problem = format!("`{}{subject}` does not exist: {why}", spelling.instruction);
                return Err(Mistake::new(At::Name(i), problem));
            }
            let (problem, legal) = match types.last() {
                Some(last) if forms.iter().all(|f| f.types.len() == k) => {
                    let all = if k == 1 { "one type".to_owned() } else { format!("{k} types") };
                    (format!("a form has {all}, this one has `.{}` already: leave one out", last.ptx), None)
                }
                Some(last) => {
                    let what = format!("`{}.{}` does not exist from `.{}`", spelling.instruction, last.ptx, t.ptx);
                    (what, Some(Legal::Types(forms.clone())))
                }
                None => {
                    let what = format!("`{}` does not exist for `.{}`", spelling.instruction, t.ptx);
                    (what, Some(Legal::Types(forms.clone())))
                }
            };
            return Err(Mistake { legal, ..Mistake::new(At::Name(i), problem) });
        }
        types.push(t);
        forms = on_type;
    }
    let complete: Vec<_> = forms.iter().copied().filter(|f| f.types.len() == types.len()).collect();
    if complete.is_empty() {
        let (has, needs) = (types.len(), forms.iter().map(|f| f.types.len()).min().unwrap_or_default());
        let count = |n| ["no type", "one type", "two types", "three types"].get(n).copied().unwrap_or("all types");
        let what = match has {
            0 => "no type: end it with one".to_owned(),
            _ => format!("{} and needs {}: end it with another", count(has), count(needs).trim_end_matches(" types")),
        };
        let problem = format!("`{}` has {what}", spelling.text());
        return Err(Mistake { legal: Some(Legal::Types(forms)), ..Mistake::new(At::Whole, problem) });
    }
    Ok((types, complete))
}

/// A spelling whose instruction and types are compatible.
struct Attempt<'s, 't> {
    spelling: &'s Spelling<'s>,
    /// The modifiers as written, with their indices among the names.
    modifiers: Vec<(usize, &'static Modifier)>,
    types: Vec<&'static Type>,
    /// The forms of the instruction on the types.
    forms: Vec<&'t Form>,
}

impl<'t> Attempt<'_, 't> {
    /// Returns the types with dots: `.f16.f32`.
    fn dotted_types(&self) -> String {
        self.types.iter().map(|t| format!(".{}", t.ptx)).collect()
    }

    /// Returns `true` if a form has all of these modifiers, and maybe more.
    fn possible(&self, modifiers: &[&'static Modifier]) -> bool {
        let alone = |(i, m): (usize, &&Modifier)| modifiers[..i].iter().all(|other| other.group != m.group);
        modifiers.iter().enumerate().all(alone) && self.forms.iter().any(|f| modifiers.iter().all(|m| f.allows(m)))
    }

    /// Returns the spelling with these modifiers in the order of a form that has them, and then the
    /// types.
    fn sorted(&self, modifiers: &[&'static Modifier]) -> String {
        let form = self.forms.iter().find(|f| modifiers.iter().all(|m| f.allows(m)));
        let place = |m: &&Modifier| form.and_then(|f| place(f, m));
        let mut modifiers = modifiers.to_vec();
        modifiers.sort_by_key(place);
        modifiers.dedup();
        let dotted: String = modifiers.iter().map(|m| format!(".{}", m.ptx)).collect();
        format!("{}{dotted}{}", self.spelling.instruction, self.dotted_types())
    }

    fn written(&self) -> Vec<&'static Modifier> {
        self.modifiers.iter().map(|&(_, m)| m).collect()
    }

    fn rows(&self) -> Option<Legal<'t>> {
        Some(Legal::Rows(self.forms.clone()))
    }

    fn modifiers_are_known_here(&self) -> Checked<'t, ()> {
        let Some((i, m)) = self.modifiers.iter().find(|(_, m)| !self.possible(&[m])) else { return Ok(()) };
        let subject = format!("{}{}", self.spelling.instruction, self.dotted_types());
        let why = reason::no_modifier(self.spelling.instruction, m, &self.types)
            .map(|why| format!(": {why}"))
            .unwrap_or_default();
        let problem = format!("`.{}` does not exist for {subject}{why}", m.ptx);
        Err(Mistake { legal: self.rows(), ..Mistake::new(At::Name(*i), problem) })
    }

    /// Checks that no modifier occurs twice, and that one form has them all.
    fn none_excludes_another(&self) -> Checked<'t, ()> {
        let all = self.written();
        for (k, &(i, m)) in self.modifiers.iter().enumerate() {
            let before = &all[..k];
            if before.contains(&m) {
                let right = self.sorted(if self.possible(&all) { &all } else { &all[..=k] });
                return Err(Mistake::new(At::Name(i), format!("`.{}` stands twice: write `{right}`", m.ptx)));
            }
            if self.possible(&all[..=k]) {
                continue;
            }
            let other = before
                .iter()
                .find(|b| !self.possible(&[b, m]))
                .map_or("the modifiers before it".to_owned(), |b| format!("`.{}`", b.ptx));
            let problem = format!("`.{}` and {other} exclude each other", m.ptx);
            return Err(Mistake { legal: self.rows(), ..Mistake::new(At::Name(i), problem) });
        }
        Ok(())
    }

    /// Returns the forms with exactly these modifiers.
    fn complete(&self) -> Checked<'t, Vec<&'t Form>> {
        let all = self.written();
        let more = |f: &&&Form| f.operators.lists().count() + f.modifiers.len() - all.len();
        let wider: Vec<&&Form> = self.forms.iter().filter(|f| all.iter().all(|m| f.allows(m))).collect();
        let fewest = wider.iter().map(more).min().unwrap_or_default();
        let found: Vec<&Form> = wider.into_iter().filter(|f| more(f) == fewest).copied().collect();
        if fewest == 0 {
            return Ok(found);
        }
        let operators = |f: &Form| {
            f.operators
                .lists()
                .map(|list| list[0])
                .filter(|m| all.iter().all(|a| a.group != m.group))
                .collect::<Vec<_>>()
        };
        let modifiers = |f: &&Form| {
            operators(f).into_iter().chain(f.modifiers.iter().copied().filter(|m| !all.contains(m))).collect::<Vec<_>>()
        };
        let missing: Vec<&Modifier> = found.iter().flat_map(modifiers).collect();
        let rounds = |m: &&Modifier| m.group == Group::Rounding && !m.rust.is_empty();
        let what = if missing.iter().all(rounds) {
            "a rounding".to_owned()
        } else if missing.iter().any(rounds) {
            "a rounding or an approximation".to_owned()
        } else if missing.iter().all(|m| m.group == Group::Property) {
            "a property".to_owned()
        } else if missing.iter().all(|m| m.group == Group::Comparison) {
            "a comparison".to_owned()
        } else {
            format!("`.{}`", missing[0].ptx)
        };
        let choices = |f: &&Form| {
            let fitting =
                |choice: &Vec<&'static Modifier>| all.iter().all(|m| !m.group.is_operator() || choice.contains(m));
            let choices: Vec<_> = f.operators.choices().into_iter().filter(fitting).collect();
            choices.iter().map(|choice| format!("`{}`", f.spelled(choice))).collect::<Vec<_>>()
        };
        let mut ways: Vec<_> = found.iter().flat_map(choices).collect();
        ways.dedup();
        let problem = format!("`{}` needs {what}: write {}", self.spelling.text(), ways.join(", "));
        Err(Mistake { legal: self.rows(), ..Mistake::new(At::Whole, problem) })
    }

    /// Checks that the modifiers are in the order of the form, before the types.
    fn order(&self, names: &[Known], form: &Form) -> Checked<'t, ()> {
        let rank = |name: Known| match name {
            Known::Modifier(m) => place(form, m),
            Known::Type(_) => Some((u8::MAX, 0)),
        };
        let Some(i) = names.windows(2).position(|pair| rank(pair[0]) > rank(pair[1])) else { return Ok(()) };
        let (first, second) = (self.spelling.names[i], self.spelling.names[i + 1]);
        let right = self.sorted(&self.written());
        Err(Mistake::new(At::Name(i + 1), format!("`.{second}` stands before `.{first}`: write `{right}`")))
    }
}

/// Returns the position of a modifier in a form's spellings. Operators come first.
fn place(form: &Form, m: &Modifier) -> Option<(u8, usize)> {
    match m.group {
        Group::Comparison => Some((0, 0)),
        Group::BoolOp => Some((1, 0)),
        _ => form.modifiers.iter().position(|own| *own == m).map(|i| (2, i)),
    }
}
