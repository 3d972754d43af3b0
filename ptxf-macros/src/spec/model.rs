//! From rows to forms.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::lex::{Complaint, Pos};
use super::modifier::{MODIFIERS, Modifier, Type, modifier, ty};
use super::parse::{Name, Part, Row, Section, Since};
use super::value;

/// The whole table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Every legal spelling, in the order of the files.
    pub forms: Vec<Form>,
}

/// One legal spelling.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub section: Rc<Section>,
    /// The grammar line it comes from, as written.
    pub grammar: String,
    pub modifiers: Vec<&'static Modifier>,
    pub ty: &'static Type,
    /// Input operands.
    pub operands: usize,
    pub ptx: (u8, u8),
    pub sm: u32,
    /// The last target that has it, for rows of history.
    pub until: Option<u32>,
    pub meaning: String,
    /// Whether the rounding is left out, which means `.rn`; such a spelling has no function of its own.
    pub implicit_rn: bool,
    /// Whether the instruction also exists with fewer operands; then the function's name says how many.
    pub counts_operands: bool,
    /// The documentation's example: bits of a lane, and the values as written.
    pub cases: Vec<Case>,
    pub cuda: Vec<String>,
    pub pos: Pos,
}

/// One example on a lane.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub operands: Vec<(u64, String)>,
    pub result: (u64, String),
}

impl Form {
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
            name.push_str(&self.operands.to_string());
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

    pub(crate) fn has(&self, name: &str) -> bool {
        self.modifiers.iter().any(|m| m.ptx == name)
    }
}

fn spell(instruction: &str, modifiers: &[&Modifier], ty: &Type) -> String {
    let mut s = instruction.to_owned();
    for m in modifiers {
        s.push('.');
        s.push_str(m.ptx);
    }
    format!("{s}.{}", ty.ptx)
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
                let n = fewest.entry(s.instruction.text.clone()).or_insert(r.operands);
                *n = r.operands.min(*n);
            }
        }
        let mut table = Self::default();
        for section in sections {
            let section = Rc::new(section);
            for row in &section.rows {
                match expand_row(&section, row) {
                    Ok(forms) => table.forms.extend(forms.into_iter().map(|mut f| {
                        f.counts_operands = f.operands > fewest[f.instruction()];
                        f
                    })),
                    Err(e) => complaints.push(e),
                }
            }
            for example in &section.examples {
                for name in &example.filter {
                    complaints.extend(known(name).err());
                }
            }
            for alias in &section.aliases {
                let used = table.forms.iter().any(|f| f.cuda.contains(&alias.function));
                if !used {
                    complaints
                        .push(alias.pos.error(format!("no form of this section is meant by \"{}\"", alias.function)));
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

fn known(name: &Name) -> Result<(), Complaint> {
    if modifier(&name.text).is_some() || ty(&name.text).is_some() {
        return Ok(());
    }
    let all: Vec<_> = MODIFIERS.iter().map(|m| format!(".{}", m.ptx)).collect();
    Err(name.pos.error(format!("unknown modifier or type `.{}`; the modifiers are {}", name.text, all.join(" "))))
}

fn expand_row(section: &Rc<Section>, row: &Row) -> Result<Vec<Form>, Complaint> {
    let mut paths = vec![Path::default()];
    for part in &row.parts {
        let mut next = Vec::new();
        for path in &paths {
            if part.optional {
                let implicit_rn = path.implicit_rn || part.names.iter().any(|n| n.text == "rnd");
                next.push(Path { implicit_rn, ..path.clone() });
            }
            next.extend(choose(section, part, path)?);
        }
        paths = next;
    }
    paths.into_iter().map(|path| form(section, row, path)).collect()
}

/// The ways to write `part` after `path`.
fn choose(section: &Section, part: &Part, path: &Path) -> Result<Vec<Path>, Complaint> {
    let mut paths = vec![path.clone()];
    for name in &part.names {
        let set = section.sets.iter().find(|s| s.name.text == name.text);
        let members = set.map_or(std::slice::from_ref(name), |s| s.members.as_slice());
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

fn form(section: &Rc<Section>, row: &Row, path: Path) -> Result<Form, Complaint> {
    let Some(ty) = path.ty else {
        return Err(row.pos.error("this row has no type: end it with one, such as `.f32`, or with a set of types"));
    };
    if let Some((_, pos)) = path.modifiers.iter().find(|(m, _)| m.ptx == "xorsign")
        && !path.modifiers.iter().any(|(m, _)| m.ptx == "abs")
    {
        return Err(pos.error("`.xorsign` requires `.abs` after it"));
    }
    let modifiers: Vec<_> = path.modifiers.iter().map(|&(m, _)| m).collect();
    let names: Vec<&str> = modifiers.iter().map(|m| m.ptx).chain([ty.ptx]).collect();
    // Examples of a scalar type serve its pair.
    let fits = |filter: &[Name]| filter.iter().all(|n| names.contains(&n.text.as_str()) || n.text == ty.lane);
    let (ptx, sm) = since(row, &names)?;
    let example = section
        .examples
        .iter()
        .filter(|e| fits(&e.filter) && e.cases[0].operands.len() == row.operands)
        .max_by_key(|e| e.filter.len());
    let Some(example) = example else {
        let what = spell(&section.instruction.text, &modifiers, ty);
        return Err(row.pos.error(format!("`{what}` has no example: write `eg (…) -> …;` in this section")));
    };
    let encode = |n: &Name| match n.text.as_str() {
        "true" => Ok((1, n.text.clone())),
        "false" => Ok((0, n.text.clone())),
        text => value::encode(text, ty).map(|bits| (bits, n.text.clone())).map_err(|e| n.pos.error(e)),
    };
    let cases = example
        .cases
        .iter()
        .map(|c| {
            if c.operands.len() != row.operands {
                return Err(example.pos.error(format!(
                    "this row has {} operands, the example {}",
                    row.operands,
                    c.operands.len()
                )));
            }
            Ok(Case { operands: c.operands.iter().map(encode).collect::<Result<_, _>>()?, result: encode(&c.result)? })
        })
        .collect::<Result<_, _>>()?;
    let cuda = section.aliases.iter().filter(|a| a.filter.iter().map(|n| n.text.as_str()).eq(names.iter().copied()));
    Ok(Form {
        section: section.clone(),
        grammar: row.grammar.clone(),
        ty,
        operands: row.operands,
        ptx,
        sm,
        until: row.until,
        meaning: row.meaning.text.clone(),
        implicit_rn: path.implicit_rn && !modifiers.iter().any(|m| m.rank == 1),
        counts_operands: false,
        cases,
        cuda: cuda.map(|a| a.function.clone()).collect(),
        modifiers,
        pos: row.pos,
    })
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
