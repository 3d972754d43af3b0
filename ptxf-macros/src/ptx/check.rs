//! Looks a spelling up in the table: the result is its forms, or a mistake with a name and a way out.

use proc_macro2::Ident;
use syn::{Error, Expr, Result};

use super::super::spec::model::{Form, OPERANDS, Table};
use super::super::spec::modifier::{MODIFIERS, Modifier, PROPERTY, ROUNDING, TYPES, Type, modifier, ty};
use super::legal::{instructions, nearest, rows, types};
use super::parse::{Place, Spelling, Statement};

/// The forms that are spelled so: one, or one for each number of operands.
pub(super) fn spelling<'t>(table: &'t Table, spelling: &Spelling) -> Result<Vec<&'t Form>> {
    let forms = instruction(table, spelling)?;
    let names = names(spelling, &forms)?;
    let (ty, forms) = operand_type(spelling, &names, forms)?;
    let modifiers: Vec<_> = names
        .iter()
        .filter_map(|&(ident, name)| match name {
            Known::Modifier(m) => Some((ident, m)),
            Known::Type(_) => None,
        })
        .collect();
    let attempt = Attempt { spelling, modifiers, ty, forms };
    attempt.modifiers_are_known_here()?;
    attempt.none_excludes_another()?;
    let found = attempt.complete()?;
    attempt.order(&names)?;
    Ok(found)
}

/// The forms of the instruction.
fn instruction<'t>(table: &'t Table, spelling: &Spelling) -> Result<Vec<&'t Form>> {
    let name = spelling.instruction.to_string();
    let forms = |name: &str| table.forms.iter().filter(|f| f.instruction() == name).collect::<Vec<_>>();
    let found = forms(&name);
    if !found.is_empty() {
        return Ok(found);
    }
    let known = instructions(table);
    let message = if let Some(right) = known.iter().find(|k| k.eq_ignore_ascii_case(&name)) {
        format!("PTX tells capitals from small letters: write `{right}`")
    } else if let Some(form) = table.forms.iter().find(|f| [f.function(), f.method()].contains(&name.to_lowercase())) {
        // A function, or a method, which has no type: `fma_rn`, `min3`.
        let (canonical, ty) = (form.canonical(), format!(".{}", form.ty.ptx));
        let untyped = canonical.strip_suffix(&ty).unwrap_or(&canonical);
        let right = if form.function() == name.to_lowercase() { &canonical } else { untyped };
        format!("`{name}` is Rust's spelling, PTX has dots and counts no operands: write `{right}`")
    } else if let Some((head, rest)) = name.split_once('_')
        && known.contains(&head)
    {
        format!("PTX separates modifiers and types by dots: write `{head}.{}`", dotted(rest))
    } else {
        let near = nearest(&name, known.iter().copied()).map(|n| format!(", did you mean `{n}`?")).unwrap_or_default();
        let sections = "PTX chapters 9.7.3 and 9.7.4";
        format!("`{name}` is no instruction of {sections}{near}\nthe instructions are {}", known.join(", "))
    };
    Err(Error::new_spanned(&spelling.instruction, message))
}

/// A name of a spelling.
#[derive(Clone, Copy)]
enum Known {
    Modifier(&'static Modifier),
    Type(&'static Type),
}

impl Known {
    fn of(name: &str) -> Option<Self> {
        modifier(name).map(Self::Modifier).or_else(|| ty(name).map(Self::Type))
    }
}

/// What PTX calls every modifier and type.
fn all_names() -> impl Iterator<Item = &'static str> {
    MODIFIERS.iter().map(|m| m.ptx).chain(TYPES.iter().map(|t| t.ptx))
}

/// `rn_nan_f16` as `rn.NaN.f16`.
fn dotted(text: &str) -> String {
    let part = |p| all_names().find(|n| n.eq_ignore_ascii_case(p)).unwrap_or(p).to_owned();
    text.split('_').map(part).collect::<Vec<_>>().join(".")
}

/// The modifiers and types of the spelling.
fn names<'s>(spelling: &'s Spelling, forms: &[&Form]) -> Result<Vec<(&'s Ident, Known)>> {
    let look_up = |ident: &'s Ident| {
        let name = ident.to_string();
        Known::of(&name).map(|known| (ident, known)).ok_or_else(|| unknown(ident, &name, spelling, forms))
    };
    spelling.names.iter().map(look_up).collect()
}

fn unknown(ident: &Ident, name: &str, spelling: &Spelling, forms: &[&Form]) -> Error {
    let instruction = &spelling.instruction;
    let message = if let Some(right) = all_names().find(|n| n.eq_ignore_ascii_case(name)) {
        format!("PTX tells capitals from small letters: write `.{right}`")
    } else if name.split('_').all(|p| all_names().any(|n| n.eq_ignore_ascii_case(p))) {
        format!("PTX separates modifiers and types by dots: write `.{}`", dotted(name))
    } else {
        let here = forms.iter().flat_map(|f| f.names());
        let near = nearest(name, here.chain(all_names())).map(|n| format!(", did you mean `.{n}`?"));
        // With its type the forms can be listed.
        let ty = spelling.names.iter().find_map(|n| ty(&n.to_string()));
        let on_type: Vec<_> = forms.iter().copied().filter(|f| Some(f.ty) == ty).collect();
        let legal = if on_type.is_empty() { types(forms) } else { rows(&on_type) };
        let near = near.unwrap_or_default();
        format!("`.{name}` is neither a modifier nor a type of `{instruction}`{near}\n{legal}")
    };
    Error::new_spanned(ident, message)
}

/// The one type, and the instruction's forms on it.
fn operand_type<'t>(
    spelling: &Spelling,
    names: &[(&Ident, Known)],
    forms: Vec<&'t Form>,
) -> Result<(&'static Type, Vec<&'t Form>)> {
    let mut found: Option<&Type> = None;
    for &(ident, name) in names {
        let Known::Type(t) = name else { continue };
        if let Some(first) = found {
            let message = format!("a form has one type, this one has `.{}` already: leave one out", first.ptx);
            return Err(Error::new_spanned(ident, message));
        }
        let on_type: Vec<_> = forms.iter().copied().filter(|f| f.ty == t).collect();
        if on_type.is_empty() {
            let message = format!("`{}` does not exist for `.{}`: {}", spelling.instruction, t.ptx, types(&forms));
            return Err(Error::new_spanned(ident, message));
        }
        found = Some(t);
    }
    let Some(t) = found else {
        let message = format!("`{}` has no type: end it with one\n{}", spelling.text(), types(&forms));
        return Err(Error::new_spanned(spelling, message));
    };
    Ok((t, forms.into_iter().filter(|f| f.ty == t).collect()))
}

/// A spelling whose instruction and type go together.
struct Attempt<'s, 't> {
    spelling: &'s Spelling,
    /// As written.
    modifiers: Vec<(&'s Ident, &'static Modifier)>,
    ty: &'static Type,
    /// The forms of the instruction on the type.
    forms: Vec<&'t Form>,
}

impl<'t> Attempt<'_, 't> {
    /// `fma.f16`
    fn subject(&self) -> String {
        format!("{}.{}", self.spelling.instruction, self.ty.ptx)
    }

    /// Whether any form has all of these, and maybe more.
    fn possible(&self, modifiers: &[&'static Modifier]) -> bool {
        self.forms.iter().any(|f| modifiers.iter().all(|m| f.has(m.ptx)))
    }

    /// The spelling with these modifiers in order.
    fn sorted(&self, modifiers: impl IntoIterator<Item = &'static Modifier>) -> String {
        let mut modifiers: Vec<_> = modifiers.into_iter().collect();
        modifiers.sort_by_key(|m| m.rank);
        modifiers.dedup();
        let dotted: String = modifiers.iter().map(|m| format!(".{}", m.ptx)).collect();
        format!("{}{dotted}.{}", self.spelling.instruction, self.ty.ptx)
    }

    fn written(&self) -> Vec<&'static Modifier> {
        self.modifiers.iter().map(|&(_, m)| m).collect()
    }

    fn modifiers_are_known_here(&self) -> Result<()> {
        let Some((ident, m)) = self.modifiers.iter().find(|(_, m)| !self.possible(&[m])) else { return Ok(()) };
        let message = format!("`.{}` does not exist for {}; {}", m.ptx, self.subject(), rows(&self.forms));
        Err(Error::new_spanned(ident, message))
    }

    /// No modifier twice, and all of them in one form.
    fn none_excludes_another(&self) -> Result<()> {
        let all = self.written();
        for (i, &(ident, m)) in self.modifiers.iter().enumerate() {
            let before = &all[..i];
            if before.contains(&m) {
                let right = self.sorted(all.iter().copied());
                return Err(Error::new_spanned(ident, format!("`.{}` stands twice: write `{right}`", m.ptx)));
            }
            if self.possible(&all[..=i]) {
                continue;
            }
            let other = before
                .iter()
                .find(|b| !self.possible(&[b, m]))
                .map_or("the modifiers before it".to_owned(), |b| format!("`.{}`", b.ptx));
            let message = format!("`.{}` and {other} exclude each other; {}", m.ptx, rows(&self.forms));
            return Err(Error::new_spanned(ident, message));
        }
        Ok(())
    }

    /// The forms with exactly these modifiers.
    fn complete(&self) -> Result<Vec<&'t Form>> {
        let all = self.written();
        let more = |f: &&&Form| f.modifiers.len() - all.len();
        let wider: Vec<&&Form> = self.forms.iter().filter(|f| all.iter().all(|m| f.has(m.ptx))).collect();
        let fewest = wider.iter().map(more).min().unwrap_or_default();
        let found: Vec<&Form> = wider.into_iter().filter(|f| more(f) == fewest).copied().collect();
        if fewest == 0 {
            return Ok(found);
        }
        let missing: Vec<&Modifier> =
            found.iter().flat_map(|f| f.modifiers.iter().copied().filter(|m| !all.contains(m))).collect();
        let rounds = |m: &&Modifier| m.rank == ROUNDING && !m.rust.is_empty();
        let what = if missing.iter().all(rounds) {
            "a rounding".to_owned()
        } else if missing.iter().any(rounds) {
            "a rounding or an approximation".to_owned()
        } else if missing.iter().all(|m| m.rank == PROPERTY) {
            "a property".to_owned()
        } else {
            format!("`.{}`", missing[0].ptx)
        };
        let mut ways: Vec<_> = found.iter().map(|f| format!("`{}`", f.spelling())).collect();
        ways.dedup();
        let message =
            format!("`{}` needs {what}: write {}\n{}", self.spelling.text(), ways.join(", "), rows(&self.forms));
        Err(Error::new_spanned(self.spelling, message))
    }

    /// The modifiers in the order of their ranks, the type last.
    fn order(&self, names: &[(&Ident, Known)]) -> Result<()> {
        let rank = |name: Known| match name {
            Known::Modifier(m) => m.rank,
            Known::Type(_) => u8::MAX,
        };
        let Some(pair) = names.windows(2).find(|pair| rank(pair[0].1) > rank(pair[1].1)) else { return Ok(()) };
        let ((first, _), (second, _)) = (pair[0], pair[1]);
        let right = self.sorted(self.written());
        Err(Error::new_spanned(second, format!("`.{second}` stands before `.{first}`: write `{right}`")))
    }
}

/// The one of the forms that takes these operands.
pub(super) fn count<'t>(
    table: &'t Table,
    forms: &[&'t Form],
    statement: &Statement,
    given: &[Expr],
) -> Result<&'t Form> {
    if let Some(form) = forms.iter().find(|f| f.operands() == given.len()) {
        return Ok(form);
    }
    let spelling = &statement.spelling;
    let counts: Vec<_> = forms.iter().map(|f| f.operands()).collect();
    let (what, found) = (spelling.text(), given.len());
    let takes = counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let s = if takes == "1" { "" } else { "s" };
    // The nearest right number.
    let right = counts.iter().copied().min_by_key(|n| n.abs_diff(found)).unwrap_or_default();
    let names = OPERANDS[..right].join(", ");
    let message = match statement.place {
        Place::Value => format!("`{what}` takes {takes} operand{s}, found {found}: write `{what}({names})`"),
        _ => {
            let found = if found + 1 == right {
                format!("{right} in all: if these are the operands, the destination is missing")
            } else {
                format!("a destination and {found}")
            };
            format!("`{what}` takes a destination and {takes} operand{s}, found {found}: write `{what} d, {names};`")
        }
    };
    // The number may be right for other modifiers.
    let first = forms[0];
    let alike: Vec<_> =
        table.forms.iter().filter(|f| f.instruction() == first.instruction() && f.ty == first.ty).collect();
    let elsewhere = alike.iter().any(|f| f.operands() == found);
    let message = if elsewhere { format!("{message}\n{}", rows(&alike)) } else { message };
    Err(match given.get(right) {
        Some(superfluous) => Error::new_spanned(superfluous, message),
        None => Error::new_spanned(spelling, message),
    })
}
