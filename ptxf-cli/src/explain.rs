//! `ptxf explain`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::{Evidence, FORMS, Spelling, Type};
use ptxf_spec::modifier::modifier;

use crate::lane::Lane;
use crate::{Failure, eval, forms, matrix, operand, suggest};

/// Explain a form: its result, PTX and Rust spellings, versions, modifiers, special values and an
/// example.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The form, such as fma.rn.ftz.relu.f16x2
    form: String,
}

const AFTER_HELP: &str = "\
For a spelling that is not legal it prints the mistake and the nearest legal form.

Examples:
  ptxf explain fma.rn.relu.bf16x2
  ptxf explain min.f32             two entries: two and three operands
  ptxf explain add.sat.bf16        not legal: .bf16 has no .sat
  ptxf explain mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32    registers, and how each device adds

Exit codes:
  0    done
  1    the form is not legal, or output failed
  2    wrong usage of the command line
  141  the reader of the output has closed it";

const WIDTH: usize = 80;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(found) = matrix::find(&args.form) {
        matrix::explain(&args.form, &found?, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let found: Vec<_> = forms::named(&args.form).collect();
    if found.is_empty() {
        let suggest::Diagnosis { problem, nearest } = suggest::diagnose(&args.form);
        let nearest = nearest.unwrap_or("none; `ptxf forms` lists the forms".to_owned());
        return Err(Failure::Input(format!(
            "{} is not a legal form\n  problem: {}\n  nearest: {nearest}",
            operand::excerpt(&args.form),
            problem.replace("; ", "\n           ")
        )));
    }
    for (i, spelling) in found.into_iter().enumerate() {
        if i > 0 {
            writeln!(out, "\n{}\n", "─".repeat(WIDTH))?;
        }
        explain(&spelling, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(spelling: &Spelling, out: &mut impl Write) -> io::Result<()> {
    let form = spelling.form;
    writeln!(out, "{}\n", eval::ptx_line(spelling))?;
    markdown(form.summary, out)?;
    if form.operands[0].lanes() == 2 {
        let ty = form.operands[0].to_string();
        writeln!(out, "  Each of the two .{} lanes is computed on its own.", ty.trim_end_matches("x2"))?;
    }
    if !form.details.is_empty() {
        writeln!(out)?;
        markdown(form.details, out)?;
    }
    let operators = [spelling.comparison.map(|c| c.name), spelling.boolean.map(|b| b.name())];
    let operators = operators.into_iter().flatten().filter_map(modifier).map(|m| (format!(".{}", m.ptx), m.sentence));
    let modifiers: Vec<_> = operators.chain(form.modifiers.iter().map(|m| (m.name.to_owned(), m.sentence))).collect();
    if !modifiers.is_empty() {
        writeln!(out, "\nModifiers")?;
        for (name, sentence) in modifiers {
            wrap(&sentence.replace('`', ""), &format!("  {name:<11} "), &" ".repeat(14), out)?;
        }
    }
    writeln!(out)?;
    facts(spelling, out)?;
    example(spelling, out)
}

fn facts(spelling: &Spelling, out: &mut impl Write) -> io::Result<()> {
    let form = spelling.form;
    let comparison = spelling.comparison.map(|c| format!("{}::{}", c.ty, c.variant));
    let boolean = spelling.boolean.map(|b| format!("BoolOp::{b:?}"));
    let operands = forms::operand_names(form).into_iter().map(str::to_owned);
    let call = comparison.into_iter().chain(boolean).chain(operands).collect::<Vec<_>>().join(", ");
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
    let mut formats: Vec<Lane> = Vec::new();
    for lane in form.operands.iter().copied().chain([form.result]).filter_map(Lane::find) {
        // Rust and C have the other formats.
        if !formats.contains(&lane) && (lane.bits() <= 8 || lane == Lane::Tf32) {
            formats.push(lane);
        }
    }
    if !formats.is_empty() {
        let commands: Vec<_> = formats.iter().map(|lane| format!("ptxf format {lane}")).collect();
        fact("Formats", &commands.join(", "))?;
    }
    if form.approximate {
        fact("", "Approximate: a GPU may return other bits within the manual's bounds.")?;
    }
    Ok(())
}

/// Evaluates the form on the operands of its documented examples, once on each set of operands.
fn example(spelling: &Spelling, out: &mut impl Write) -> io::Result<()> {
    let form = spelling.form;
    let types = form.operands.iter().cycle();
    let lines = form.example.lines().filter(|line| line.starts_with("let "));
    let bits: Vec<u64> = lines.zip(types).filter_map(|(line, &ty)| operand_bits(line, ty)).collect();
    let mut shown: Vec<&[u64]> = Vec::new();
    for operands in bits.chunks_exact(form.operands.len()) {
        if shown.contains(&operands) {
            continue;
        }
        shown.push(operands);
        let arguments: Vec<_> = operands.iter().zip(form.operands).map(|(&b, &ty)| operand::argument(b, ty)).collect();
        writeln!(out, "\n$ ptxf eval {spelling} {}", arguments.join(" "))?;
        let result = spelling.call(operands).expect("as many operands as the form has");
        eval::show(form, operands, result, out)?;
    }
    Ok(())
}

/// Reads the bits of a line such as `let a = F16::from_bits(0x3c00); // 1.0`, `let a = -3_i32;`,
/// `let a = 0x0001_u16;` or `let c = true;`.
fn operand_bits(line: &str, ty: Type) -> Option<u64> {
    let value = line.split_once(" = ")?.1.split(';').next()?;
    let value = value.split_once("::from_bits(").map_or(value, |(_, bits)| bits.trim_end_matches(')'));
    let digits = value
        .rsplit_once(['_'])
        .filter(|(_, suffix)| suffix.starts_with(['u', 'i']))
        .map_or(value, |(digits, _)| digits);
    if let Some(hex) = digits.strip_prefix("0x") {
        return u64::from_str_radix(&hex.replace('_', ""), 16).ok();
    }
    match digits {
        "true" => Some(1),
        "false" => Some(0),
        _ => Some(digits.parse::<i128>().ok()? as u64 & u64::MAX >> (64 - ty.bits())),
    }
}

/// Prints the Markdown of the table's documentation: paragraphs, tables and backticks.
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

/// Makes the rule under the heading as wide as its columns.
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
