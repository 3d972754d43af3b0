//! What `run`, `count`, `births`, `trace` and `diff` have in common: a file, an entry, and what is passed to it.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use ptxf_vm::{Arg, Buffer, Check, Entry, Extent, Fault, Machine, Model, Module, Report};

use crate::argument::{self, Argument, Source};
use crate::npy::{self, Shape};
use crate::operand::excerpt;
use crate::{Failure, progress, say};

/// A launch as given.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Launch {
    /// A file with PTX text
    pub(crate) file: PathBuf,
    /// The entry, such as `scale`
    pub(crate) entry: String,
    /// What is passed to it, in the order of its parameters
    #[arg(value_name = "ARG")]
    pub(crate) args: Vec<String>,
    /// Blocks of the grid along x, y and z, such as 4 or 4,2,1
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub(crate) grid: Extent,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub(crate) block: Extent,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) shared: u32,
    /// Threads of this CPU; all if left out. With 1 every result can be reproduced
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How many instructions the warps of a block may run
    #[arg(long, value_name = "N", default_value_t = 1 << 32)]
    limit: u64,
    /// Let blocks and warps take turns in an order that this number decides, to look for results that depend on it
    #[arg(long, value_name = "SEED")]
    schedule: Option<u64>,
    /// Compute approximate forms as a device does, such as sm_90 if one was measured; correctly rounded if left out. An entry with a form
    /// that the device was not measured for is refused
    #[arg(long, value_name = "sm_NN")]
    model: Option<Model>,
}

/// What an argument may be, for the help of each command.
pub(crate) const ARGUMENTS: &str = "\
An ARG is one of
  u32:7, u64:0x10, s16:-2      an integer, also b16, b32, b64
  f32:1.5, f16:0x3e00          a floating-point number, by its value or by its bits, also bf16, f64
  buf:IN.bin                   a buffer that holds the file's bytes; of a .npy file those of its array
  buf:IN.bin>OUT.bin           the same; its bytes are written to the other file in the end, as an array if that is a .npy file
  zero:1024>OUT.bin            a buffer of so many zeros
  rand:f32:64:1[:-2:2]>OUT.npy 64 numbers that the seed 1 decides, from 0 to 1 or between the two; integers are of any value without them
  range:u32:64                 0, 1, 2 and so on

Without a file to write to, the contents of buffers are lost. A shell takes `>` for itself unless the word is quoted.";

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done, and nothing to report
  1    the text cannot be run, a thread was at fault, something is reported, or a file cannot be read or written
  2    wrong usage of the command line
  141  whoever read the output has gone";

/// One to three numbers with commas between them.
pub(crate) fn extent(text: &str) -> Result<Extent, String> {
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

/// A machine with the entry and the arguments.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) machine: Machine,
    pub(crate) entry: Entry,
    pub(crate) args: Vec<Arg>,
    /// Buffers that are written to files, with the shape of the array that one was.
    written: Vec<(Buffer, PathBuf, Option<Shape>)>,
}

impl Launch {
    /// Reads the arguments and the files.
    pub(crate) fn ready(&self, check: Check) -> Result<Ready, Failure> {
        let mut given = Vec::new();
        for (i, text) in self.args.iter().enumerate() {
            let (argument, notes) =
                argument::read(text).map_err(|e| Failure::Usage(format!("error: argument {i}: {e}")))?;
            notes.iter().for_each(|note| say(&format!("note: argument {i}: {note}")));
            given.push(argument);
        }
        let shown = self.file.display();
        let text = fs::read(&self.file).map_err(|e| about(&self.file, "read", &e))?;
        let text = String::from_utf8_lossy(&text);
        let wrong = |e: ptxf_vm::Error| Failure::Input(format!("{shown}: {e}"));
        let module = Module::parse(&text).map_err(wrong)?;
        let mut machine = Machine::new().check(check);
        if let Some(threads) = self.threads {
            machine = machine.threads(threads);
        }
        if let Some(model) = self.model {
            machine = machine.model(model);
        }
        progress::follow(&mut machine);
        machine.set_limit(self.limit);
        machine.set_schedule(self.schedule);
        let entry = machine.load(&module).and_then(|program| program.entry(&self.entry)).map_err(wrong)?;
        let mut ready = Ready { machine, entry, args: Vec::new(), written: Vec::new() };
        given.into_iter().try_for_each(|argument| ready.pass(argument))?;
        Ok(ready)
    }
}

impl Ready {
    fn pass(&mut self, argument: Argument) -> Result<(), Failure> {
        let (from, to) = match argument {
            Argument::Scalar(arg) => {
                self.args.push(arg);
                return Ok(());
            }
            Argument::Buffer { from, to } => (from, to),
        };
        let (bytes, shape) = match (&from, from.bytes()) {
            (_, Some((bytes, descr))) => {
                let count = bytes.len() / descr[2..].parse::<usize>().unwrap_or(1);
                (bytes, Some(Shape::row(&descr, count)))
            }
            (Source::File(file), None) => {
                let bytes = fs::read(file).map_err(|e| about(file, "read", &e))?;
                if is_array(file) {
                    let wrong = |why| Failure::Input(format!("cannot read {}: {why}", file.display()));
                    let (shape, bytes) = npy::read(&bytes).map_err(wrong)?;
                    (bytes.to_vec(), Some(shape))
                } else {
                    (bytes, None)
                }
            }
            (_, None) => (Vec::new(), None),
        };
        let buffer = self.machine.buffer(&bytes);
        self.args.push(Arg::from(buffer));
        self.written.extend(to.map(|to| (buffer, to, shape)));
        Ok(())
    }

    /// Writes the buffers that are asked for, and says so.
    pub(crate) fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        for (buffer, to, shape) in &self.written {
            let bytes = self.machine.read(*buffer).map_err(fault)?;
            let shape = shape.clone().unwrap_or_else(|| Shape::row("|u1", bytes.len()));
            let file = if is_array(to) { npy::write(&shape, &bytes) } else { bytes };
            fs::write(to, &file).map_err(|e| about(to, "write", &e))?;
            writeln!(out, "{}: {} bytes", to.display(), file.len())?;
        }
        Ok(())
    }

    /// Says what was reported; whether anything of it is more than a remark.
    pub(crate) fn report(&self) -> bool {
        let reports = self.machine.reports();
        for report in reports {
            say(&format!("{}: {report}", if report.is_remark() { "remark" } else { report.kind().name() }));
        }
        reports.iter().any(|report: &Report| !report.is_remark())
    }
}

fn is_array(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "npy")
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(crate) fn fault(fault: Fault) -> Failure {
    Failure::Input(fault.to_string())
}

fn about(file: &Path, what: &str, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot {what} {}: {error}", file.display()))
}
