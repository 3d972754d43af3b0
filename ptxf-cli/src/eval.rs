//! `ptxf eval`.

use std::io::{self, Write};
use std::process::ExitCode;

use ptxf::spec::{FormInfo, Spelling, Type};
use ptxf::tables::device::Model;

use crate::operand::{self, Operand, plural};
use crate::{Failure, forms, matrix, say, suggest};

/// Evaluate a form on operands.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ptxf eval [--model NAME] <FORM> <OPERAND>...\n       ptxf eval [--model NAME] --batch",
    after_help = AFTER_HELP
)]
pub(crate) struct Args {
    /// Read `FORM 0xBITS ...` lines from stdin, print one result or `error: ...` line for each
    #[arg(long, conflicts_with_all = ["form", "operands"])]
    pub(crate) batch: bool,
    /// The model of approximate forms: `reference`, or a measured device such as sm_90
    #[arg(long, value_name = "NAME", default_value = "reference")]
    model: String,
    /// The form, such as fma.rn.f16
    #[arg(required_unless_present = "batch")]
    form: Option<String>,
    /// Its operands: bits (0x3c00) or values (1.5, -2, 0x1.8p-3, inf, nan; packed 1.5,-2)
    #[arg(value_name = "OPERAND", allow_hyphen_values = true)]
    operands: Vec<String>,
}

const AFTER_HELP: &str = "\
Bits have exactly as many hex digits as the register, with `_` anywhere between them: 2 for .u8 and .e2m1x2, 4 for .f16, .bf16
and .e4m3x2, 8 for .f32, .f16x2 and .e4m3x4, 16 for .f64 and .f32x2.
An integer is a value such as -3, or its bits. A .b32 is given by its bits. A predicate is 0x1 or 0x0, or the opposite: !0x1.
A value is rounded once, to nearest even. If that changes it, a note on stderr shows the result; `ptxf format e4m3 0.3` shows the
numbers around a value.
Packed operands are two lanes, the lower first: 1.5,-2 or 0x3e00,0xc000; or the register: 0xc0003e00.
Options stand before the operands. With --batch, a second result follows the first and a space.

An unknown model is an error that lists the models. A form that the model was not measured for is an error, too.

Examples:
  ptxf eval fma.rn.f16 1.5 -2 0.25
  ptxf eval add.ftz.f16x2 1.5,-2 0x3c003c00
  ptxf eval testp.normal.f32 0x1p-149
  ptxf eval cvt.rn.satfinite.e4m3x2.f32 0.3 1000
  ptxf eval --model sm_80 mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 1,0.5 2,-1 0.25    a row, a column, an addend
  printf 'add.f16 0x3c00 0x4000\\nabs.f64 0xbff0000000000000\\n' | ptxf eval --batch

Exit codes:
  0    done
  1    bad input (with --batch: one line or more was bad, the others have their results); or input or output failed
  2    wrong usage of the command line
  141  the reader of the output has closed it";

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    options_come_first(&args.operands)?;
    let name = args.form.as_deref().unwrap_or_default();
    if let Some(found) = matrix::find(name) {
        matrix::eval(&found?, &args.model, &args.operands, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let model = model(args)?;
    let spelling = form(name, args.operands.len()).map_err(Failure::Input)?;
    let form = spelling.form;
    let mut bits = Vec::new();
    for ((text, name), &ty) in args.operands.iter().zip(forms::operand_names(form)).zip(form.operands) {
        let Operand { bits: b, notes } = operand::negated(text, ty, forms::is_negatable(form, ty), operand::parse)
            .map_err(|e| Failure::Input(format!("operand {name}: {e}")))?;
        bits.push(b);
        notes.iter().for_each(|note| say(&format!("note: operand {name}: {note}")));
    }
    let result = call(model, &spelling, &bits).map_err(Failure::Input)?;
    writeln!(out, "{}\n", ptx_line(&spelling))?;
    show(form, &bits, result, out)?;
    if form.approximate {
        match model.provenance().first() {
            None => {
                writeln!(out, "\nThis form is approximate: a GPU may return other bits within the manual's bounds.")?
            }
            Some(from) => writeln!(out, "\nThis form is approximate: these are the bits of {model}, {}.", from.device)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses an option after an operand. Operands may begin with a hyphen, so that the parser takes
/// the option for one of them.
pub(crate) fn options_come_first(operands: &[String]) -> Result<(), Failure> {
    let Some(word) = operands.iter().find(|word| word.starts_with("--") || *word == "-h") else { return Ok(()) };
    Err(Failure::Usage(format!("error: {} stands after an operand: write options first", operand::excerpt(word))))
}

/// Returns the model that `--model` names.
pub(crate) fn model(args: &Args) -> Result<Model, Failure> {
    let excerpt = operand::excerpt(&args.model);
    args.model.parse().map_err(|e| Failure::Input(format!("--model {excerpt}: {e}")))
}

/// Computes the result with the bits of a model.
pub(crate) fn call(model: Model, spelling: &Spelling, operands: &[u64]) -> Result<u64, String> {
    if let (Some(_), Some(result)) = (spelling.comparison, spelling.call(operands)) {
        return Ok(result);
    }
    model.call(spelling.form, operands).map_err(|e| e.to_string())
}

/// Finds the form of this name that takes this number of operands.
pub(crate) fn form(name: &str, operands: usize) -> Result<Spelling, String> {
    let named: Vec<_> = forms::named(name).collect();
    if named.is_empty() { Err(unknown(name)) } else { of_operands(&named, name, operands) }
}

/// Returns the one of several forms of one name that takes this number of operands.
pub(crate) fn of_operands(named: &[Spelling], name: &str, operands: usize) -> Result<Spelling, String> {
    named.iter().find(|s| s.form.operands.len() == operands).copied().ok_or_else(|| {
        let takes: Vec<_> = named.iter().map(|s| s.form.operands.len().to_string()).collect();
        let last = named.last().map_or(0, |s| s.form.operands.len());
        format!("{name} takes {} operand{}, {operands} given", takes.join(" or "), plural(last))
    })
}

/// Returns the message about a name that no form has.
pub(crate) fn unknown(name: &str) -> String {
    let suggest::Diagnosis { problem, nearest } = suggest::diagnose(name);
    let advice =
        nearest.map_or("`ptxf forms` lists the forms".to_owned(), |form| format!("the nearest legal form is {form}"));
    format!("unknown form {}: {problem}; {advice}", operand::excerpt(name))
}

/// Returns the line of PTX: `fma.rn.f16  d, a, b, c;`.
pub(crate) fn ptx_line(spelling: &Spelling) -> String {
    let form = spelling.form;
    let mut operands = forms::operand_names(form).join(", ");
    // Braces enclose a vector. They also enclose an optional operand, but that begins with a comma.
    for vector in form.grammar.split('{').filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside) {
        if vector.starts_with("a,") {
            operands = operands.replacen(vector, &format!("{{{vector}}}"), 1);
        }
    }
    format!("{spelling}  {}, {operands};", destination(form))
}

/// Returns the name of the result: `d`, or the predicates `p` or `p|q`.
fn destination(form: &FormInfo) -> &'static str {
    match form.result {
        Type::Pred => "p",
        Type::Preds => "p|q",
        _ => "d",
    }
}

/// Prints operands and result as an aligned table.
pub(crate) fn show(form: &FormInfo, operands: &[u64], result: u64, out: &mut impl Write) -> io::Result<()> {
    let row = |name: &str, bits, ty| {
        let mut cells = vec![name.to_owned(), operand::hex(bits, operand::width(ty))];
        cells.extend(operand::lanes(bits, ty));
        cells
    };
    let pairs = form.operands.iter().any(|ty| ty.lanes() == 2)
        || !matches!(form.result, Type::Preds) && form.result.lanes() == 2;
    let lanes: &[&str] = match form.result.lanes() {
        4 => &["lane 0", "lane 1", "lane 2", "lane 3"],
        _ if pairs => &["lower lane", "upper lane"],
        _ => &["value"],
    };
    let mut rows = vec![[&["", "bits"], lanes].concat().iter().map(|&s| s.to_owned()).collect()];
    let named = operands.iter().zip(forms::operand_names(form)).zip(form.operands);
    let packs = form.instruction == "cvt" && form.operands[0].lanes() == 1;
    rows.extend(named.enumerate().map(|(i, ((&bits, name), &ty))| {
        let mut cells = row(name, bits, ty);
        // The first operand that becomes a lane becomes the uppermost lane.
        if let Some(above) =
            (form.result.lanes() as usize).checked_sub(i + 1).filter(|_| packs && ty == form.operands[0])
        {
            cells.splice(2..2, vec![String::new(); above]);
        }
        cells
    }));
    if form.result == Type::Preds {
        // The predicates of a pair belong to its lanes. Those of a scalar are its comparison and
        // the opposite.
        let mut predicates = ["p", "q"].into_iter().enumerate().map(|(i, name)| row(name, result >> i & 1, Type::Pred));
        rows.extend(predicates.next());
        rows.extend(predicates.next().map(|mut second| {
            if pairs {
                second.insert(2, String::new());
            }
            second
        }));
        return forms::table(&rows, "  ", out);
    }
    let mut last = row(destination(form), result, form.result);
    if pairs && matches!(form.result, Type::U32 | Type::S32) {
        // Each half of the word belongs to a lane.
        last.truncate(2);
        last.extend([result & 0xFFFF, result >> 16].map(|half| operand::hex(half, 4)));
    }
    rows.push(last);
    forms::table(&rows, "  ", out)
}
