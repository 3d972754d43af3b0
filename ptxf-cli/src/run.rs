//! `ptxf run`.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ptxf_vm::{Arg, Buffer, Extent, Machine, Module};

use crate::argument::{self, Argument, Source};
use crate::operand::excerpt;
use crate::{Failure, say};

/// Run an entry of a PTX file on this CPU.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A file with PTX text
    file: PathBuf,
    /// The entry, such as `scale`
    entry: String,
    /// What is passed to it, in the order of its parameters
    #[arg(value_name = "ARG")]
    args: Vec<String>,
    /// Blocks of the grid along x, y and z, such as 4 or 4,2,1
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    grid: Extent,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    block: Extent,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    shared: u32,
    /// Threads of this CPU; all if left out. With 1 every result can be reproduced
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How many instructions the warps of a block may run
    #[arg(long, value_name = "N", default_value_t = 1 << 32)]
    limit: u64,
}

const AFTER_HELP: &str = "\
An ARG is one of
  u32:7, u64:0x10, s16:-2      an integer, also b16, b32, b64
  f32:1.5, f16:0x3e00          a floating-point number, by its value or by its bits, also bf16, f64
  buf:IN.bin                   a buffer that holds the file's bytes
  buf:IN.bin>OUT.bin           the same; its bytes are written to the other file in the end
  zero:1024>OUT.bin            a buffer of so many zeros

Without a file to write to, the contents of buffers are lost. A shell takes `>` for itself unless the word is quoted.

Examples:
  ptxf run k.ptx scale --grid 4 --block 128 'buf:x.bin>y.bin' u64:512 f32:0.5
  ptxf run k.ptx fill --block 32,4 'zero:512>out.bin'

Exit codes:
  0    done
  1    the text cannot be run, a thread was at fault, or a file cannot be read or written
  2    wrong usage of the command line
  141  whoever read the output has gone";

/// One to three numbers with commas between them.
fn extent(text: &str) -> Result<Extent, String> {
    let mut all = [1; 3];
    let words: Vec<&str> = text.split(',').collect();
    if words.len() > 3 {
        return Err("at most three numbers are expected".to_owned());
    }
    for (n, word) in all.iter_mut().zip(words) {
        *n = word.trim().parse().map_err(|_| format!("{} is no number", excerpt(word)))?;
    }
    Ok(Extent(all))
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut given = Vec::new();
    for (i, text) in args.args.iter().enumerate() {
        let (argument, notes) =
            argument::read(text).map_err(|e| Failure::Usage(format!("error: argument {i}: {e}")))?;
        notes.iter().for_each(|note| say(&format!("note: argument {i}: {note}")));
        given.push(argument);
    }
    let shown = args.file.display();
    let text = fs::read(&args.file).map_err(|e| about(&args.file, "read", &e))?;
    let text = String::from_utf8_lossy(&text);
    let wrong = |e: ptxf_vm::Error| Failure::Input(format!("{shown}: {e}"));
    let module = Module::parse(&text).map_err(wrong)?;
    let mut machine = Machine::new();
    if let Some(threads) = args.threads {
        machine = machine.threads(threads);
    }
    machine.set_limit(args.limit);
    let entry = machine.load(&module).and_then(|program| program.entry(&args.entry)).map_err(wrong)?;

    let (mut passed, mut written): (Vec<Arg>, Vec<(Buffer, &Path)>) = (Vec::new(), Vec::new());
    for argument in &given {
        let (from, to) = match argument {
            Argument::Scalar(arg) => {
                passed.push(arg.clone());
                continue;
            }
            Argument::Buffer { from, to } => (from, to),
        };
        let buffer = match from {
            Source::File(file) => machine.buffer(&fs::read(file).map_err(|e| about(file, "read", &e))?),
            Source::Zeros(bytes) => machine.buffer(&vec![0_u8; *bytes]),
        };
        passed.push(Arg::from(buffer));
        written.extend(to.as_deref().map(|to| (buffer, to)));
    }
    let fault = |e: ptxf_vm::Fault| Failure::Input(e.to_string());
    machine.launch(&entry, args.grid, args.block, args.shared, &passed).map_err(fault)?;
    for (buffer, to) in written {
        let bytes = machine.read(buffer).map_err(fault)?;
        fs::write(to, &bytes).map_err(|e| about(to, "write", &e))?;
        writeln!(out, "{}: {} bytes", to.display(), bytes.len())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn about(file: &Path, what: &str, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot {what} {}: {error}", file.display()))
}
