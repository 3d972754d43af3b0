//! The table: forms, expanded from rows.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::evidence::Evidence;
use crate::form::{Case, Form, MOST_OPERANDS, OPERANDS, Operators, Signature, Target, inputs, names, spell};
use crate::lex::{Complaint, Pos};
use crate::meaning::{Shape, meaning};
use crate::modifier::{Group, MODIFIERS, Modifier, modifier};
use crate::parse::{self, Alias, Example, Name, Operand, Part, Row, Second, Section, Since};
use crate::types::{self, PREDICATE, PREDICATES, Type, ty};
use crate::value;

/// The whole table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The manual's sections, in the order of the files.
    pub sections: Vec<Arc<Section>>,
    /// The forms, in the order of the files.
    pub forms: Vec<Form>,
    /// The names of forms in Rust and in CUDA, in lower case.
    others: HashMap<String, (usize, &'static str)>,
}

/// One path through a row's grammar.
#[derive(Clone, Default)]
struct Path {
    operators: Operators,
    modifiers: Vec<(&'static Modifier, Pos)>,
    types: Vec<&'static Type>,
    /// The chosen members of the row's sets of types.
    chosen: Vec<(String, &'static Type)>,
    implicit_rn: Option<usize>,
}

impl Path {
    /// Returns the groups of the operators and modifiers.
    fn groups(&self) -> Vec<Group> {
        self.operators.lists().map(|list| list[0].group).chain(self.modifiers.iter().map(|(m, _)| m.group)).collect()
    }
}

impl Table {
    /// Expands every row. Appends errors to `complaints`.
    pub fn from_sections(sections: Vec<Section>, complaints: &mut Vec<Complaint>) -> Self {
        let mut table = Self { sections: sections.into_iter().map(Arc::new).collect(), ..Self::default() };
        for section in &table.sections {
            for row in 0..section.rows.len() {
                match expand_row(section, row) {
                    Ok(forms) => table.forms.extend(forms),
                    Err(e) => complaints.push(e),
                }
            }
        }
        let of = |f: &Form| (f.instruction().to_owned(), f.types.iter().map(|t| t.ptx).collect::<Vec<_>>());
        let required = |f: &Form| f.row().operands.iter().filter(|o| !o.optional).count();
        let mut fewest = BTreeMap::new();
        for form in &table.forms {
            let n = fewest.entry(of(form)).or_insert(required(form));
            *n = required(form).min(*n);
        }
        for form in &mut table.forms {
            form.counts_operands = required(form) > fewest[&of(form)];
        }
        for (i, form) in table.forms.iter().enumerate().rev() {
            let own = form.methods_of().map(|t| format!("{}::{}", t.rust, form.method()));
            let rust = [form.function(), form.method()].into_iter().chain(own);
            let cuda = form.cuda.iter().cloned().map(|name| (name, "CUDA"));
            for (name, whose) in rust.map(|name| (name, "Rust")).chain(cuda) {
                table.others.insert(name.to_lowercase(), (i, whose));
            }
        }
        table
    }

    /// Returns the forms without an implied rounding.
    pub fn canonical(&self) -> impl Iterator<Item = &Form> {
        self.forms.iter().filter(|f| f.implicit_rn.is_none())
    }

    /// Returns the form that Rust or CUDA calls `name`, and which of the two it is.
    #[must_use]
    pub fn other_name(&self, name: &str) -> Option<(&Form, &'static str)> {
        let name = name.trim_start_matches("ptxf::").trim_start_matches("ptx::").to_lowercase();
        let &(form, whose) = self.others.get(&name)?;
        // Names such as `add` and `min` are instructions.
        Some((&self.forms[form], whose)).filter(|(form, _)| form.instruction() != name)
    }
}

/// Returns an error for a name that is neither a modifier nor a type.
pub(crate) fn known(name: &Name) -> Result<(), Complaint> {
    if modifier(&name.text).is_some() || ty(&name.text).is_some_and(Type::is_spelled) {
        return Ok(());
    }
    let modifiers = MODIFIERS.iter().map(|m| m.ptx);
    let all: Vec<_> = modifiers.chain(types::names()).map(|n| format!(".{n}")).collect();
    Err(name.pos.error(format!("unknown modifier or type `.{}`; there are {}", name.text, all.join(" "))))
}

fn expand_row(section: &Arc<Section>, row: usize) -> Result<Vec<Form>, Complaint> {
    let mut paths = vec![Path::default()];
    for part in &section.rows[row].parts {
        let mut next = Vec::new();
        for path in &paths {
            let chosen = choose(section, part, path)?;
            if part.optional {
                // A missing optional rounding implies `.rn`.
                let rn = chosen.iter().any(|p| p.modifiers.iter().any(|(m, _)| m.ptx == "rn"));
                let here = rn.then_some(path.modifiers.len());
                next.push(Path { implicit_rn: path.implicit_rn.or(here), ..path.clone() });
            }
            next.extend(chosen);
        }
        paths = next;
    }
    paths.into_iter().map(|path| form(section, row, path)).collect()
}

/// Returns the paths that continue `path` by `part`.
fn choose(section: &Section, part: &Part, path: &Path) -> Result<Vec<Path>, Complaint> {
    let mut paths = vec![path.clone()];
    for name in &part.names {
        let members = section.members(name);
        let operators: Vec<_> =
            members.iter().filter_map(|m| modifier(&m.text)).filter(|m| m.group.is_operator()).collect();
        if let Some(first) = operators.first() {
            for path in &mut paths {
                open(path, name, members, &operators)?;
            }
            if members.len() != operators.len() || operators.iter().any(|m| m.group != first.group) {
                return Err(name.pos.error(format!("`.{}` has operators of one kind, or none", name.text)));
            }
            continue;
        }
        let mut next = Vec::new();
        for path in &paths {
            for member in members {
                let mut path = extend(path.clone(), member)?;
                path.chosen.extend(ty(&member.text).map(|t| (name.text.clone(), t)));
                next.push(path);
            }
        }
        paths = next;
    }
    Ok(paths)
}

/// Adds operators to `path`. A spelling has one of them.
fn open(path: &mut Path, name: &Name, members: &[Name], operators: &[&'static Modifier]) -> Result<(), Complaint> {
    let group = operators[0].group;
    let list = if group == Group::BoolOp { &mut path.operators.booleans } else { &mut path.operators.comparisons };
    if let Some(twice) = operators.iter().enumerate().position(|(i, m)| list.contains(m) || operators[..i].contains(m))
    {
        return Err(members[twice].pos.error(format!("`.{}` stands twice", operators[twice].ptx)));
    }
    if !list.is_empty() {
        return Err(name.pos.error(format!("`.{}` is one more `.{}`", name.text, crate::form::open(group))));
    }
    *list = operators.to_vec();
    if let Some(before) = path.modifiers.first().map(|(m, _)| m.ptx).or(path.types.first().map(|t| t.ptx)) {
        return Err(name.pos.error(format!("`.{}` is an operator, which stands before `.{before}`", name.text)));
    }
    if group == Group::BoolOp && path.operators.comparisons.is_empty() {
        return Err(name.pos.error(format!("`.{}` combines a comparison, which stands before it", name.text)));
    }
    Ok(())
}

/// The greatest number of types of a spelling: the result's and those of three operands.
const MOST_TYPES: usize = 4;

/// Returns `path` with one more name, which must be compatible with the others.
fn extend(mut path: Path, name: &Name) -> Result<Path, Complaint> {
    known(name)?;
    if let Some(t) = ty(&name.text) {
        if path.types.len() == MOST_TYPES {
            return Err(name.pos.error(format!("a form has at most {MOST_TYPES} types, `.{}` is one more", t.ptx)));
        }
        path.types.push(t);
    } else if let Some(m) = modifier(&name.text) {
        if let Some(last) = path.types.last() {
            return Err(name
                .pos
                .error(format!("`.{}` comes after the type `.{}`, which ends a form", name.text, last.ptx)));
        }
        if let Some((other, _)) = path.modifiers.iter().find(|(other, _)| other.group == m.group) {
            return Err(name.pos.error(if *other == m {
                format!("`.{}` stands twice", m.ptx)
            } else {
                format!("`.{}` and `.{}` exclude each other", other.ptx, m.ptx)
            }));
        }
        path.modifiers.push((m, name.pos));
    }
    Ok(path)
}

fn form(section: &Arc<Section>, index: usize, path: Path) -> Result<Form, Complaint> {
    let row = &section.rows[index];
    operands(row, &path)?;
    let signature = signature(row, &path)?;
    if let Some((_, pos)) = path.modifiers.iter().find(|(m, _)| m.ptx == "xorsign")
        && !path.modifiers.iter().any(|(m, _)| m.ptx == "abs")
    {
        return Err(pos.error("`.xorsign` requires `.abs` after it"));
    }
    let modifiers: Vec<_> = path.modifiers.iter().map(|&(m, _)| m).collect();
    let names = names(&modifiers, &path.types);
    let targets = targets(row, &names)?;
    let examples = examples(section, &path, &names, signature.operands.len());
    if examples.is_empty() {
        let what = spell(&section.instruction.text, &path.operators, &modifiers, &path.types);
        return Err(row.pos.error(format!("`{what}` has no example: write `eg (…) -> …;` in this section")));
    }
    let mut cases = Vec::new();
    for (_, operators, example) in &examples {
        for written in &example.cases {
            cases.push(case(written, operators, row, &signature)?);
        }
    }
    let cuda = section.aliases.iter().filter(|a| a.names(&names));
    Ok(Form {
        section: section.clone(),
        row: index,
        examples: examples.iter().map(|e| e.0).collect(),
        operators: path.operators,
        types: path.types,
        targets,
        implicit_rn: path.implicit_rn.filter(|_| !modifiers.iter().any(|m| m.group == Group::Rounding)),
        counts_operands: false,
        cases,
        signature,
        cuda: cuda.map(|a| a.function.clone()).collect(),
        modifiers,
        evidence: Evidence::default(),
    })
}

/// Returns the examples for the form, with their indices and operators. For each choice of
/// operators it is the fitting example with most names.
fn examples<'s>(
    section: &'s Section,
    path: &Path,
    names: &[&str],
    operands: usize,
) -> Vec<(usize, Vec<&'static Modifier>, &'s Example)> {
    let mut best: Vec<(usize, Vec<&'static Modifier>, &Example)> = Vec::new();
    for (i, example) in section.examples.iter().enumerate() {
        let operators = example.operators();
        let lists = path.operators.lists().count();
        let about = operators.len() == lists && path.operators.lists().all(|l| operators.iter().any(|m| l.contains(m)));
        if !about || !example.fits(names, &path.types, operands) {
            continue;
        }
        match best.iter_mut().find(|(_, known, _)| *known == operators) {
            Some(known) if known.2.filter.len() <= example.filter.len() => *known = (i, operators, example),
            Some(_) => {}
            None => best.push((i, operators, example)),
        }
    }
    best
}

/// Checks the operands of the row, and those that this path's modifiers need.
fn operands(row: &Row, path: &Path) -> Result<(), Complaint> {
    let mut places = OPERANDS.iter();
    for Operand { name, .. } in &row.operands {
        if !places.any(|known| *known == name.text) {
            let known = OPERANDS.join("`, `");
            let what =
                format!("`{}` cannot stand here: operands are called `{known}` and stand in this order", name.text);
            return Err(name.pos.error(what));
        }
    }
    if row.operands.is_empty() || row.operands.len() > MOST_OPERANDS {
        return Err(row.pos.error(format!("a row has 1 to {MOST_OPERANDS} operands after its destination")));
    }
    for group in path.groups() {
        let Some(brings) = group.brings() else { continue };
        if !row.operands.iter().any(|o| o.name.text == brings) {
            let modifier = path.modifiers.iter().find(|(m, _)| m.group == group);
            let (what, pos) = modifier.map_or((crate::form::open(group), row.pos), |(m, pos)| (m.ptx, *pos));
            return Err(pos.error(format!("`.{what}` asks for the operand `{brings}`: write `{{, {brings}}}`")));
        }
    }
    Ok(())
}

/// Returns the types of the row's operands on this path through its grammar.
fn signature(row: &Row, path: &Path) -> Result<Signature, Complaint> {
    let (Some(&first), Some(&last)) = (path.types.first(), path.types.last()) else {
        return Err(row.pos.error("this row has no type: end it with one, such as `.f32`, or with a set of types"));
    };
    let of = |operand: &Operand, otherwise: &'static Type| match &operand.ty {
        None if operand.negatable => Ok(&PREDICATE),
        None => Ok(otherwise),
        Some(name) => match path.chosen.iter().find(|(set, _)| *set == name.text) {
            Some(&(_, t)) => Ok(t),
            None => ty(&name.text).ok_or_else(|| {
                name.pos.error(format!("`{}` is neither a type nor a set of types of this row", name.text))
            }),
        },
    };
    let predicate = row.destination.name.text == "p";
    Ok(Signature {
        operands: inputs(row, path.groups()).map(|o| of(o, last)).collect::<Result<_, _>>()?,
        result: match row.second {
            Second::None if predicate => &PREDICATE,
            Second::None => of(&row.destination, first)?,
            Second::Optional | Second::Required => &PREDICATES,
        },
    })
}

impl Example {
    /// Returns the operators among the names.
    fn operators(&self) -> Vec<&'static Modifier> {
        let operators = self.filter.iter().filter_map(|n| modifier(&n.text)).filter(|m| m.group.is_operator());
        operators.collect()
    }

    /// Returns `true` if the example fits the form with these names and this number of operands.
    /// Examples of a scalar type also fit its pair.
    fn fits(&self, names: &[&str], types: &[&'static Type], operands: usize) -> bool {
        let is = |n: &Name, t: &Type| n.text == t.ptx || n.text == t.lane;
        let (wanted, modifiers): (Vec<_>, Vec<_>) = self.filter.iter().partition(|n| ty(&n.text).is_some());
        let typed = match wanted[..] {
            [] => true,
            [one] => types.iter().any(|t| is(one, t)),
            // Several types must match in this order.
            ref all => types.len() == all.len() && all.iter().zip(types).all(|(n, t)| is(n, t)),
        };
        let is_operator = |n: &Name| modifier(&n.text).is_some_and(|m| m.group.is_operator());
        let fits = modifiers.iter().all(|n| is_operator(n) || names.contains(&n.text.as_str()));
        typed && fits && self.cases[0].operands.len() == operands
    }
}

impl Alias {
    /// Returns `true` if the alias names the form with these names.
    pub(crate) fn names(&self, names: &[&str]) -> bool {
        self.filter.iter().map(|n| n.text.as_str()).eq(names.iter().copied())
    }
}

/// Returns the case's bits in a lane of the operands and of the result.
fn case(
    case: &parse::Case,
    operators: &[&'static Modifier],
    row: &Row,
    signature: &Signature,
) -> Result<Case, Complaint> {
    let n = signature.operands.len();
    if case.operands.len() != n {
        let pos = case.operands[0].pos;
        return Err(pos.error(format!("this case has {} operands, its first neighbour {n}", case.operands.len())));
    }
    let encode = |n: &Name, t| value::encode(&n.text, t).map(|b| (b, n.text.clone())).map_err(|e| n.pos.error(e));
    let operands =
        case.operands.iter().zip(&signature.operands).map(|(n, t)| encode(n, t)).collect::<Result<_, _>>()?;
    let result = signature.result;
    // The validation reports an unknown function.
    let shape = meaning(&row.meaning.text).map_or(Shape::Lanes, |m| m.shape);
    let several = |shape| match shape {
        Shape::Pack | Shape::Random => true,
        // The predicates `p|q` of a scalar are two results. Those of a pair belong to its lanes.
        _ => *result == PREDICATES && signature.operands[0].lanes == 1,
    };
    let result = match (shape, &case.result[..]) {
        (shape, lanes) if several(shape) => {
            if lanes.len() != result.lanes as usize {
                let what =
                    format!("the result has {} lanes, here are {}: write each, `(…, …)`", result.lanes, lanes.len());
                return Err(lanes[0].pos.error(what));
            }
            let lanes = lanes.iter().map(|n| encode(n, result)).collect::<Result<Vec<_>, _>>()?;
            let texts: Vec<_> = lanes.iter().map(|(_, text)| text.as_str()).collect();
            let bits = lanes.iter().rev().fold(0, |bits, (lane, _)| bits << result.stride | lane);
            (bits, format!("({})", texts.join(", ")))
        }
        (_, [truth]) if shape.is_truth(result) => match truth.text.as_str() {
            "true" => (value::truth(result, signature.operands[0].lanes), truth.text.clone()),
            "false" => (0, truth.text.clone()),
            other => return Err(truth.pos.error(format!("the result is true or false, not `{other}`"))),
        },
        (_, [one]) => encode(one, result)?,
        (_, all) => return Err(all[0].pos.error("an example has one value for each lane, this one has several")),
    };
    Ok(Case { operators: operators.to_vec(), operands, result })
}

/// Returns the PTX ISA versions and targets: those of the highest refinement that applies, or the
/// row's own.
fn targets(row: &Row, names: &[&str]) -> Result<Vec<Target>, Complaint> {
    let refinements: Vec<Since> =
        row.refinements.iter().filter(|(n, _)| names.contains(&n.text.as_str())).map(|&(_, s)| s).collect();
    let one = |own: &Since| {
        let ptx = refinements.iter().filter_map(|s| s.ptx).max().or(own.ptx);
        let sm = refinements.iter().filter_map(|s| s.sm).max().or(own.sm);
        match (ptx, sm) {
            (None, _) => Err(row.pos.error("this row has no PTX ISA version: write `where { ptx 1.0, … }`")),
            (_, None) => Err(row.pos.error("this row has no target: write `where { …, sm 20 }`")),
            (Some(ptx), Some(sm)) => Ok(Target { ptx, sm }),
        }
    };
    row.since.iter().map(one).collect()
}
