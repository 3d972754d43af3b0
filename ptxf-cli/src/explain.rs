//! `ptxf explain`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::sem::Meaning;
use ptxf::spec::{Evidence, FORMS, FormInfo};

use crate::{Failure, eval, forms, operand, suggest};

/// Explain a form: meaning, PTX, Rust, versions, modifiers, special values, an example.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The form, such as fma.rn.ftz.relu.f16x2
    form: String,
}

const AFTER_HELP: &str = "\
Of a spelling that is not legal it says what is wrong with it and which legal form is nearest.

Examples:
  ptxf explain fma.rn.relu.bf16x2
  ptxf explain min.f32             two entries: two and three operands
  ptxf explain add.sat.bf16        not legal: .bf16 has no .sat

Exit codes:
  0    done
  1    the form is not legal, or output failed
  2    wrong usage of the command line
  141  whoever read the output has gone";

const WIDTH: usize = 80;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let found: Vec<_> = forms::named(&args.form).collect();
    if found.is_empty() {
        let suggest::Diagnosis { problem, nearest } = suggest::diagnose(&args.form);
        return Err(Failure::Input(format!(
            "{} is not a legal form\n  problem: {}\n  nearest: {nearest}",
            operand::excerpt(&args.form),
            problem.replace("; ", "\n           ")
        )));
    }
    for (i, form) in found.into_iter().enumerate() {
        if i > 0 {
            writeln!(out, "\n{}\n", "─".repeat(WIDTH))?;
        }
        explain(form, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(form: &FormInfo, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}\n", eval::ptx_line(form))?;
    markdown(form.summary, out)?;
    if form.operands[0].lanes() == 2 {
        let ty = form.operands[0].to_string();
        writeln!(out, "  Each of the two .{} lanes is computed on its own.", ty.trim_end_matches("x2"))?;
    }
    if !form.details.is_empty() {
        writeln!(out)?;
        markdown(form.details, out)?;
    }
    if !form.modifiers.is_empty() {
        writeln!(out, "\nModifiers")?;
        for m in form.modifiers {
            let sentence = m.sentence.replace('`', "");
            wrap(&sentence, &format!("  {:<12}", m.name), &" ".repeat(14), out)?;
        }
    }
    writeln!(out)?;
    facts(form, out)?;
    example(form, out)
}

fn facts(form: &FormInfo, out: &mut impl Write) -> io::Result<()> {
    let comparison = match form.meaning {
        Meaning::Set(comparison) => Some(format!("Comparison::{comparison:?}")),
        _ => None,
    };
    let operands = ["a", "b", "c"][..form.operands.len()].iter().map(|&o| o.to_owned());
    let call = comparison.into_iter().chain(operands).collect::<Vec<_>>().join(", ");
    let mut fact = |name: &str, value: &str| wrap(value, &format!("{name:<14}"), &" ".repeat(14), out);
    fact("Rust", &format!("ptxf::ptx::{}({call})", form.function))?;
    if let Some(method) = form.method {
        fact("", &format!("ptxf::{method}({call})"))?;
    }
    fact("Since", &forms::since(form))?;
    fact("Manual", &format!("{}: {}", form.section, form.grammar))?;
    let others: Vec<_> = FORMS
        .iter()
        .filter(|f| f.canonical == form.canonical && f.operands == form.operands && f.name != form.name)
        .map(|f| f.name)
        .collect();
    if !others.is_empty() {
        fact("Also spelled", &others.join(", "))?;
    }
    if !form.cuda.is_empty() {
        fact("CUDA", &form.cuda.join(", "))?;
    }
    let evidence = match form.evidence {
        Evidence::Reference => "reference: specified, and tested against independent oracles",
        _ => form.record,
    };
    fact("Evidence", evidence)?;
    if form.approximate {
        fact("", "Approximate: a GPU may return other bits within the manual's bounds.")?;
    }
    Ok(())
}

/// Evaluates the operands of the form's documented examples.
fn example(form: &FormInfo, out: &mut impl Write) -> io::Result<()> {
    let bits: Vec<u64> = form.example.lines().filter_map(operand_bits).collect();
    for operands in bits.chunks_exact(form.operands.len()) {
        let arguments: Vec<_> = operands.iter().zip(form.operands).map(|(&b, &ty)| operand::argument(b, ty)).collect();
        writeln!(out, "\n$ ptxf eval {} {}", form.name, arguments.join(" "))?;
        let result = form.run.call(operands).expect("as many operands as the form has");
        eval::show(form, operands, result, out)?;
    }
    Ok(())
}

/// The bits in `let a = F16::from_bits(0x3c00); // 1.0`.
fn operand_bits(line: &str) -> Option<u64> {
    let (_, bits) = line.strip_prefix("let ")?.split_once("::from_bits(0x")?;
    let (digits, _) = bits.split_once(')')?;
    u64::from_str_radix(&digits.replace('_', ""), 16).ok()
}

/// Prints the little Markdown that the table's documentation uses: paragraphs, tables, backticks.
fn markdown(text: &str, out: &mut impl Write) -> io::Result<()> {
    let text = text.replace('`', "");
    for (i, block) in text.split("\n\n").map(str::trim).filter(|b| !b.is_empty()).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        if block.starts_with('|') {
            let rows: Vec<Vec<String>> = block.lines().map(cells).collect();
            forms::table(&ruled(rows), "  ", out)?;
        } else {
            wrap(block, "  ", "  ", out)?;
        }
    }
    Ok(())
}

fn cells(line: &str) -> Vec<String> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// With the rule under the heading as wide as its columns.
fn ruled(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let is_rule = |row: &Vec<String>| row.iter().all(|c| !c.is_empty() && c.chars().all(|c| "-:".contains(c)));
    if let Some(rule) = rows.iter().position(is_rule) {
        for i in 0..rows[rule].len() {
            let others = rows.iter().enumerate().filter(|&(r, _)| r != rule);
            let widest = others.filter_map(|(_, row)| row.get(i)).map(|c| c.chars().count()).max();
            rows[rule][i] = "─".repeat(widest.unwrap_or(1));
        }
    }
    rows
}

/// Prints words in lines of at most [`WIDTH`] characters.
fn wrap(text: &str, first: &str, indent: &str, out: &mut impl Write) -> io::Result<()> {
    let mut line = first.to_owned();
    let mut fresh = true;
    for word in text.split_whitespace() {
        if !fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            line = indent.to_owned();
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    writeln!(out, "{line}")
}
