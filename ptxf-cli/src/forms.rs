//! `ptxf forms`, and the lookup of forms.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::{FormInfo, Spelling, Target, Type, spellings};
use ptxf_spec::legal::nearest;
use wildmatch::WildMatchPattern;

use crate::operand::excerpt;
use crate::{Failure, suggest};

/// List the legal forms.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Part of a form's name, or with a `*` a glob for the whole name; upper and lower case are
    /// equal
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

A name can occur twice: min.f32 and max.f32 have two or three operands. If several pairs of PTX version and target have a form,
--tsv separates the versions, and the targets, by |.

Exit codes:
  0    done
  1    no form matches, or output failed
  2    wrong usage of the command line
  141  the reader of the output has closed it";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let lower = pattern.to_lowercase();
    let found: Vec<(String, &FormInfo)> =
        spellings().map(|s| (s.to_string(), s.form)).filter(|(name, _)| matches(&lower, name)).collect();
    if found.is_empty() {
        return Err(Failure::Input(format!("no form matches {}; {}", excerpt(pattern), advice(pattern))));
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

/// Returns the name that resembles a pattern most, or a command that lists names.
fn advice(pattern: &str) -> String {
    let text = pattern.replace('*', "");
    let text = text.trim_matches('.');
    if let Some(form) = suggest::diagnose(text).nearest.filter(|_| text.contains(['.', '_'])) {
        return format!("the nearest is {form}");
    }
    let names: Vec<String> = spellings().map(|spelling| spelling.to_string()).collect();
    let words: BTreeSet<&str> = names.iter().flat_map(|name| name.split('.')).collect();
    // No word is longer, and a distance takes time in proportion to both lengths.
    let short = if text.len() > suggest::LONGEST { "" } else { text };
    match nearest(short, words) {
        Some(word) => format!("did you mean {word}?"),
        None => "`ptxf forms` lists all, and `ptxf forms 'fma.*'` those of an instruction".to_owned(),
    }
}

/// Returns the versions and targets that have the form: `PTX ISA 7.0, sm_80`, or `PTX ISA 1.0,
/// sm_10 to sm_13` for a removed form.
pub(crate) fn since(form: &FormInfo) -> String {
    // The table groups targets by version.
    let ways = form.targets.chunk_by(|a, b| a.ptx == b.ptx).map(|ways| {
        let targets: Vec<_> = ways.iter().map(target).collect();
        format!("PTX ISA {}, {}", ways[0].ptx, targets.join(" or "))
    });
    let ways: Vec<_> = ways.collect();
    let until = form.until.map(|last| format!(" to sm_{last}")).unwrap_or_default();
    format!("{}{until}", ways.join("; "))
}

/// Returns the PTX ISA versions that have the form, and their targets in the same order.
fn columns(form: &FormInfo) -> [String; 2] {
    let each = |of: &dyn Fn(&Target) -> String| form.targets.iter().map(of).collect::<Vec<_>>().join(" or ");
    let until = form.until.map(|last| format!(" to sm_{last}")).unwrap_or_default();
    [each(&|t| t.ptx.to_string()), each(&target) + &until]
}

/// Returns the name of a target: `sm_100a`.
fn target(target: &Target) -> String {
    let text = target.to_string();
    text.rsplit_once(' ').map_or(text.clone(), |(_, name)| name.to_owned())
}

/// Returns the forms of this name: none, one, or one with two inputs and one with three.
pub(crate) fn named(name: &str) -> impl Iterator<Item = Spelling> {
    spellings().filter(move |spelling| spelling.is(name))
}

/// Returns the names of the operands in the manual's grammar. Braces enclose a last one that only
/// some forms have.
pub(crate) fn operand_names(form: &FormInfo) -> Vec<&'static str> {
    let line = form.grammar.split_once(' ').map_or("", |(_, operands)| operands);
    let names = line.split(',').skip(1).map(|name| name.trim_matches([' ', '{', '}']).trim_start_matches("!}"));
    names.take(form.operands.len()).collect()
}

/// Returns `true` if the operand is a predicate that PTX lets one write as `!c`.
pub(crate) fn is_negatable(form: &FormInfo, ty: Type) -> bool {
    ty == Type::Pred && form.grammar.contains("{!}")
}

/// Returns `true` if `name` contains the pattern, or matches it if the pattern has a `*`. The
/// pattern is in lower case.
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
