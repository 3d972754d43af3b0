//! From rows to forms.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::evidence::Evidence;
use super::lex::{Complaint, Pos};
use super::modifier::{MODIFIERS, Modifier, ROUNDING, TYPES, Type, modifier, ty};
use super::parse::{self, Alias, Example, Name, Part, Row, Section, Since};
use super::value;

/// The names of the operands, as the manual has them.
pub(crate) const OPERANDS: [&str; 3] = ["a", "b", "c"];

/// The whole table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The manual's sections, in the order of the files.
    pub sections: Vec<Arc<Section>>,
    /// Every legal spelling, in the order of the files.
    pub forms: Vec<Form>,
}

/// One legal spelling.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub section: Arc<Section>,
    /// Which of the section's rows it comes from.
    pub row: usize,
    /// Which of the section's examples serves it.
    pub example: usize,
    pub modifiers: Vec<&'static Modifier>,
    pub ty: &'static Type,
    pub ptx: (u8, u8),
    pub sm: u32,
    /// Whether the rounding is left out, which means `.rn`; such a spelling has no function of its own.
    pub implicit_rn: bool,
    /// Whether the instruction also exists with fewer operands; then the function's name says how many.
    pub counts_operands: bool,
    /// The documentation's example: bits of a lane, and the values as written.
    pub cases: Vec<Case>,
    pub cuda: Vec<String>,
    /// What stands behind its result beyond the tests.
    pub evidence: Evidence,
}

/// One example on a lane.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub operands: Vec<(u64, String)>,
    pub result: (u64, String),
}

impl Form {
    /// The grammar line it comes from.
    pub(crate) fn row(&self) -> &Row {
        &self.section.rows[self.row]
    }

    /// Number of input operands.
    pub(crate) fn operands(&self) -> usize {
        self.row().operands.len()
    }

    /// Whether the result is a predicate.
    pub(crate) fn predicate(&self) -> bool {
        self.row().destination.text == "p"
    }

    pub(crate) fn instruction(&self) -> &str {
        &self.section.instruction.text
    }

    /// The spelling, `fma.rn.f16x2`.
    pub(crate) fn spelling(&self) -> String {
        spell(self.instruction(), &self.modifiers, self.ty)
    }

    /// The same form with its rounding written out.
    pub(crate) fn canonical(&self) -> String {
        spell(self.instruction(), &self.canonical_modifiers(), self.ty)
    }

    pub(crate) fn canonical_modifiers(&self) -> Vec<&'static Modifier> {
        let mut all = self.modifiers.clone();
        if self.implicit_rn {
            all.extend(modifier("rn"));
            all.sort_by_key(|m| m.rank);
        }
        all
    }

    /// The method's name, `fma_rn`.
    pub(crate) fn method(&self) -> String {
        let mut name = self.instruction().to_owned();
        if self.counts_operands {
            name.push_str(&self.operands().to_string());
        }
        for m in self.canonical_modifiers() {
            name.push('_');
            name.push_str(&m.ptx.to_lowercase());
        }
        name
    }

    /// The function's name, `fma_rn_f16x2`.
    pub(crate) fn function(&self) -> String {
        format!("{}_{}", self.method(), self.ty.ptx)
    }

    /// The names after the instruction's.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        names(&self.modifiers, self.ty)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.modifiers.iter().any(|m| m.ptx == name)
    }

    /// Whether a device may return something else than the default model.
    pub(crate) fn approximate(&self) -> bool {
        self.has("approx") || self.has("full")
    }
}

fn names(modifiers: &[&'static Modifier], ty: &'static Type) -> Vec<&'static str> {
    modifiers.iter().map(|m| m.ptx).chain([ty.ptx]).collect()
}

fn spell(instruction: &str, modifiers: &[&'static Modifier], ty: &'static Type) -> String {
    format!("{instruction}.{}", names(modifiers, ty).join("."))
}

/// One way through a row's grammar.
#[derive(Clone, Default)]
struct Path {
    modifiers: Vec<(&'static Modifier, Pos)>,
    ty: Option<&'static Type>,
    implicit_rn: bool,
}

impl Table {
    /// Expands every row; what is wrong goes to `complaints`.
    pub(crate) fn from_sections(sections: Vec<Section>, complaints: &mut Vec<Complaint>) -> Self {
        let mut fewest = BTreeMap::new();
        for s in &sections {
            for r in &s.rows {
                let n = fewest.entry(s.instruction.text.clone()).or_insert(r.operands.len());
                *n = r.operands.len().min(*n);
            }
        }
        let mut table = Self { sections: sections.into_iter().map(Arc::new).collect(), forms: Vec::new() };
        for section in &table.sections {
            for row in 0..section.rows.len() {
                match expand_row(section, row) {
                    Ok(forms) => table.forms.extend(forms.into_iter().map(|mut f| {
                        f.counts_operands = f.operands() > fewest[f.instruction()];
                        f
                    })),
                    Err(e) => complaints.push(e),
                }
            }
        }
        table
    }

    /// The forms that have a function of their own.
    pub(crate) fn canonical(&self) -> impl Iterator<Item = &Form> {
        self.forms.iter().filter(|f| !f.implicit_rn)
    }
}

/// Complains about a name that is neither a modifier nor a type.
pub(super) fn known(name: &Name) -> Result<(), Complaint> {
    if modifier(&name.text).is_some() || ty(&name.text).is_some() {
        return Ok(());
    }
    let modifiers = MODIFIERS.iter().map(|m| m.ptx);
    let all: Vec<_> = modifiers.chain(TYPES.iter().map(|t| t.ptx)).map(|n| format!(".{n}")).collect();
    Err(name.pos.error(format!("unknown modifier or type `.{}`; there are {}", name.text, all.join(" "))))
}

fn expand_row(section: &Arc<Section>, row: usize) -> Result<Vec<Form>, Complaint> {
    let mut paths = vec![Path::default()];
    for part in &section.rows[row].parts {
        let mut next = Vec::new();
        for path in &paths {
            let chosen = choose(section, part, path)?;
            if part.optional {
                // A rounding that may be left out is `.rn`.
                let rn = chosen.iter().any(|p| p.modifiers.iter().any(|(m, _)| m.ptx == "rn"));
                next.push(Path { implicit_rn: path.implicit_rn || rn, ..path.clone() });
            }
            next.extend(chosen);
        }
        paths = next;
    }
    paths.into_iter().map(|path| form(section, row, path)).collect()
}

/// The ways to write `part` after `path`.
fn choose(section: &Section, part: &Part, path: &Path) -> Result<Vec<Path>, Complaint> {
    let mut paths = vec![path.clone()];
    for name in &part.names {
        let members = section.members(name);
        let mut next = Vec::new();
        for path in &paths {
            for member in members {
                next.push(extend(path.clone(), member)?);
            }
        }
        paths = next;
    }
    Ok(paths)
}

/// `path` with one more name, which has to be in order.
fn extend(mut path: Path, name: &Name) -> Result<Path, Complaint> {
    if let Some(last) = path.ty {
        return Err(name
            .pos
            .error(format!("`.{}` comes after the type `.{}`, which ends a form", name.text, last.ptx)));
    }
    known(name)?;
    if let Some(t) = ty(&name.text) {
        path.ty = Some(t);
    } else if let Some(m) = modifier(&name.text) {
        if let Some(&(last, _)) = path.modifiers.last() {
            if last == m {
                return Err(name.pos.error(format!("`.{}` stands twice", m.ptx)));
            }
            if last.rank == m.rank {
                return Err(name.pos.error(format!("`.{}` and `.{}` exclude each other", last.ptx, m.ptx)));
            }
            if last.rank > m.rank {
                return Err(name.pos.error(format!("`.{}` has to stand before `.{}`", m.ptx, last.ptx)));
            }
        }
        path.modifiers.push((m, name.pos));
    }
    Ok(path)
}

fn form(section: &Arc<Section>, index: usize, path: Path) -> Result<Form, Complaint> {
    let row = &section.rows[index];
    let Some(ty) = path.ty else {
        return Err(row.pos.error("this row has no type: end it with one, such as `.f32`, or with a set of types"));
    };
    if let Some((_, pos)) = path.modifiers.iter().find(|(m, _)| m.ptx == "xorsign")
        && !path.modifiers.iter().any(|(m, _)| m.ptx == "abs")
    {
        return Err(pos.error("`.xorsign` requires `.abs` after it"));
    }
    let modifiers: Vec<_> = path.modifiers.iter().map(|&(m, _)| m).collect();
    let names = names(&modifiers, ty);
    let (ptx, sm) = since(row, &names)?;
    let fitting = section.examples.iter().enumerate().filter(|(_, e)| e.fits(&names, ty, row));
    let Some((example, Example { cases, .. })) = fitting.max_by_key(|(_, e)| e.filter.len()) else {
        let what = spell(&section.instruction.text, &modifiers, ty);
        return Err(row.pos.error(format!("`{what}` has no example: write `eg (…) -> …;` in this section")));
    };
    let cuda = section.aliases.iter().filter(|a| a.names(&names));
    Ok(Form {
        section: section.clone(),
        row: index,
        example,
        ty,
        ptx,
        sm,
        implicit_rn: path.implicit_rn && !modifiers.iter().any(|m| m.rank == ROUNDING),
        counts_operands: false,
        cases: cases.iter().map(|c| case(c, row, ty)).collect::<Result<_, _>>()?,
        cuda: cuda.map(|a| a.function.clone()).collect(),
        modifiers,
        evidence: Evidence::default(),
    })
}

impl Example {
    /// Whether it may serve the form of `row` with these names; examples of a scalar type serve its pair.
    fn fits(&self, names: &[&str], ty: &Type, row: &Row) -> bool {
        self.cases[0].operands.len() == row.operands.len()
            && self.filter.iter().all(|n| names.contains(&n.text.as_str()) || n.text == ty.lane)
    }
}

impl Alias {
    /// Whether it means the form with these names.
    pub(super) fn names(&self, names: &[&str]) -> bool {
        self.filter.iter().map(|n| n.text.as_str()).eq(names.iter().copied())
    }
}

/// The case's bits in a lane of `ty`.
fn case(case: &parse::Case, row: &Row, ty: &Type) -> Result<Case, Complaint> {
    let encode = |n: &Name| value::encode(&n.text, ty).map(|b| (b, n.text.clone())).map_err(|e| n.pos.error(e));
    let (n, result) = (row.operands.len(), &case.result);
    if case.operands.len() != n {
        let pos = case.operands[0].pos;
        return Err(pos.error(format!("this case has {} operands, its first neighbour {n}", case.operands.len())));
    }
    let result = match (row.destination.text.as_str(), result.text.as_str()) {
        ("p", "true") => (1, result.text.clone()),
        ("p", "false") => (0, result.text.clone()),
        ("p", other) => {
            return Err(result.pos.error(format!("the result is a predicate, true or false, not `{other}`")));
        }
        _ => encode(result)?,
    };
    Ok(Case { operands: case.operands.iter().map(encode).collect::<Result<_, _>>()?, result })
}

/// The first PTX ISA version and target: the highest refinement that applies, else the row's own.
fn since(row: &Row, names: &[&str]) -> Result<((u8, u8), u32), Complaint> {
    let refinements: Vec<Since> =
        row.refinements.iter().filter(|(n, _)| names.contains(&n.text.as_str())).map(|&(_, s)| s).collect();
    let ptx = refinements.iter().filter_map(|s| s.ptx).max().or(row.since.ptx);
    let sm = refinements.iter().filter_map(|s| s.sm).max().or(row.since.sm);
    match (ptx, sm) {
        (None, _) => Err(row.pos.error("this row has no PTX ISA version: write `where { ptx 1.0, … }`")),
        (_, None) => Err(row.pos.error("this row has no target: write `where { …, sm 20 }`")),
        (Some(ptx), Some(sm)) => Ok((ptx, sm)),
    }
}
