//! `ptxf forms`, and the look-up of forms.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::{FORMS, FormInfo};

use crate::operand::excerpt;
use crate::{Failure, suggest};

/// List the legal forms.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Part of a form's name, or a glob for all of it if there is a `*`; upper and lower case alike
    pattern: Option<String>,
    /// Print tab-separated columns for programs: form, operands, ptx, sm, section, evidence
    #[arg(long)]
    tsv: bool,
}

const AFTER_HELP: &str = "\
Examples:
  ptxf forms                  everything
  ptxf forms relu             every form with relu in its name
  ptxf forms 'min*.f32'       forms that start with min and end in .f32
  ptxf forms --tsv | cut -f1  the names alone

A name can stand twice: min.f32 and max.f32 have two and three operands.

Exit codes:
  0    done
  1    no form matches, or output failed
  2    wrong usage of the command line
  141  whoever read the output has gone";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let lower = pattern.to_lowercase();
    let found: Vec<&FormInfo> = FORMS.iter().filter(|f| matches(&lower, f.name)).collect();
    if found.is_empty() {
        let nearest = suggest::diagnose(&pattern.replace('*', "")).nearest;
        return Err(Failure::Input(format!("no form matches {}; the nearest is {nearest}", excerpt(pattern))));
    }
    if args.tsv {
        writeln!(out, "form\toperands\tptx\tsm\tsection\tevidence")?;
        for f in found {
            writeln!(out, "{}\t{}\t{}\t{}\t{}\t{}", f.name, f.operands, f.ptx, f.sm, f.section, f.evidence)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["form", "operands", "PTX", "target", "section", "evidence"].map(str::to_owned).to_vec()];
    rows.extend(found.iter().map(|f| {
        let operands = ["a", "b", "c"][..f.operands].join(", ");
        vec![f.name.into(), operands, f.ptx.to_string(), target(f), f.section.into(), f.evidence.to_string()]
    }));
    table(&rows, "", out)?;
    Ok(ExitCode::SUCCESS)
}

/// `sm_80`, for forms of history `sm_10 to sm_13`.
pub(crate) fn target(form: &FormInfo) -> String {
    match form.until {
        Some(last) => format!("sm_{} to sm_{last}", form.sm),
        None => format!("sm_{}", form.sm),
    }
}

/// The forms of that name: none, one, or the two- and the three-input one.
pub(crate) fn named(name: &str) -> impl Iterator<Item = &'static FormInfo> {
    FORMS.iter().filter(move |f| f.name == name)
}

/// Whether `name` contains the pattern, which is in lower case, or, if that has a `*`, is all of it.
fn matches(pattern: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let Some((start, rest)) = pattern.split_once('*') else { return name.contains(pattern) };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    // The first place is as good as any: what follows has the most room.
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(end)
}

/// Prints cells in columns.
pub(crate) fn table(rows: &[Vec<String>], indent: &str, out: &mut impl Write) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |row: &Vec<String>, i: usize| row.get(i).map_or(0, |cell| cell.chars().count());
    let widths: Vec<usize> = (0..columns).map(|i| rows.iter().map(|r| length(r, i)).max().unwrap_or(0)).collect();
    for row in rows {
        let line: String = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        writeln!(out, "{indent}{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_match_the_whole_name() {
        for (pattern, name, expected) in [
            ("", "abs.f16", true),
            ("BS.f", "abs.f16", true),
            ("*", "abs.f16", true),
            ("a*6", "abs.f16", true),
            ("a*f1", "abs.f16", false),
            ("*bs.*", "abs.f16", true),
            ("abs*abs", "abs", false),
            ("a**s", "abs", true),
            ("fma.*.f16", "fma.rn.sat.f16", true),
            ("fma.*.f16", "fma.rn.sat.f16x2", false),
            ("min*.nan.*f32", "min.ftz.NaN.f32", true),
        ] {
            assert_eq!(matches(&pattern.to_lowercase(), name), expected, "{pattern} {name}");
        }
    }
}
