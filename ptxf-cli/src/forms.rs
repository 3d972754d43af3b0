//! `ptxf forms`, and the look-up of forms.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::{FormInfo, Spelling, Target, Type, spellings};
use wildmatch::WildMatchPattern;

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
  ptxf forms e4m3             the conversions to and from a format; ptxf format e4m3 prints the format
  ptxf forms --tsv | cut -f1  the names alone

A name can stand twice: min.f32 and max.f32 have two and three operands. Where there are several ways to have a form, --tsv separates
their versions, and their targets, by |.

Exit codes:
  0    done
  1    no form matches, or output failed
  2    wrong usage of the command line
  141  whoever read the output has gone";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let lower = pattern.to_lowercase();
    let found: Vec<(String, &FormInfo)> =
        spellings().map(|s| (s.to_string(), s.form)).filter(|(name, _)| matches(&lower, name)).collect();
    if found.is_empty() {
        let nearest = suggest::diagnose(&pattern.replace('*', "")).nearest;
        return Err(Failure::Input(format!("no form matches {}; the nearest is {nearest}", excerpt(pattern))));
    }
    if args.tsv {
        writeln!(out, "form\toperands\tptx\tsm\tsection\tevidence")?;
        for (name, f) in found {
            let [ptx, sm] = columns(f).map(|ways| ways.replace(" or ", "|"));
            let sm = sm.split(" to ").next().unwrap_or_default().replace("sm_", "");
            writeln!(out, "{name}\t{}\t{ptx}\t{sm}\t{}\t{}", f.operands.len(), f.section, f.evidence)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = vec![["form", "operands", "PTX", "target", "section", "evidence"].map(str::to_owned).to_vec()];
    rows.extend(found.into_iter().map(|(name, f)| {
        let [ptx, sm] = columns(f);
        vec![name, operand_names(f).join(", "), ptx, sm, f.section.into(), f.evidence.to_string()]
    }));
    table(&rows, "", out)?;
    Ok(ExitCode::SUCCESS)
}

/// `PTX ISA 7.0, sm_80`, or several ways to have the form; for forms of history `PTX ISA 1.0, sm_10 to sm_13`.
pub(crate) fn since(form: &FormInfo) -> String {
    // Targets of one version stand together, as they do in the table.
    let ways = form.targets.chunk_by(|a, b| a.ptx == b.ptx).map(|ways| {
        let targets: Vec<_> = ways.iter().map(target).collect();
        format!("PTX ISA {}, {}", ways[0].ptx, targets.join(" or "))
    });
    let ways: Vec<_> = ways.collect();
    let until = form.until.map(|last| format!(" to sm_{last}")).unwrap_or_default();
    format!("{}{until}", ways.join("; "))
}

/// The PTX ISA version of each way to have the form, and its targets likewise.
fn columns(form: &FormInfo) -> [String; 2] {
    let each = |of: &dyn Fn(&Target) -> String| form.targets.iter().map(of).collect::<Vec<_>>().join(" or ");
    let until = form.until.map(|last| format!(" to sm_{last}")).unwrap_or_default();
    [each(&|t| t.ptx.to_string()), each(&target) + &until]
}

/// `sm_100a`
fn target(target: &Target) -> String {
    let text = target.to_string();
    text.rsplit_once(' ').map_or(text.clone(), |(_, name)| name.to_owned())
}

/// What is spelled so: none, one, or the two- and the three-input one.
pub(crate) fn named(name: &str) -> impl Iterator<Item = Spelling> {
    spellings().filter(move |spelling| spelling.is(name))
}

/// What PTX calls the operands: those of the grammar's line, of which the last stands in braces if only some forms have it.
pub(crate) fn operand_names(form: &FormInfo) -> Vec<&'static str> {
    let line = form.grammar.split_once(' ').map_or("", |(_, operands)| operands);
    let names = line.split(',').skip(1).map(|name| name.trim_matches([' ', '{', '}']).trim_start_matches("!}"));
    names.take(form.operands.len()).collect()
}

/// Whether the operand is a predicate that PTX lets one write `!c`.
pub(crate) fn is_negatable(form: &FormInfo, ty: Type) -> bool {
    ty == Type::Pred && form.grammar.contains("{!}")
}

/// Whether `name` contains the pattern, which is in lower case, or, if that has a `*`, is all of it.
fn matches(pattern: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    if pattern.contains('*') {
        WildMatchPattern::<'*', '\0'>::new(pattern).matches(&name)
    } else {
        name.contains(pattern)
    }
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
