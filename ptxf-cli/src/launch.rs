//! The launch that `run`, `count`, `births`, `trace` and `diff` share: a file, an entry and its
//! arguments.

use std::fs;
use std::io::{self, Read as _, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use ptxf::spec::Type;
use ptxf_vm::{Arg, Buffer, Check, Device, Entry, Extent, Fault, FaultKind, Machine, Module, Report};

use crate::argument::{self, Argument, Source, is_stream};
use crate::npy::{self, Shape};
use crate::operand::excerpt;
use crate::{Failure, environment, progress, say};

/// A launch as the command line has it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Launch {
    /// A file with PTX text
    pub(crate) file: PathBuf,
    /// The entry, such as `scale`
    pub(crate) entry: String,
    /// Its arguments, in the order of its parameters
    #[arg(value_name = "ARG")]
    pub(crate) args: Vec<String>,
    /// Blocks of the grid along x, y and z, such as 4 or 4,2,1
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub(crate) grid: Extent,
    /// Threads of a block along x, y and z
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = extent)]
    pub(crate) block: Extent,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) shared: u32,
    /// Threads of this CPU; default: all. With 1, runs are reproducible
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Instructions that the warps of one block may execute together
    #[arg(long, value_name = "N", default_value_t = 1 << 32)]
    limit: u64,
    /// Interleave blocks and warps in an order that this number determines, to find results that
    /// depend on the order
    #[arg(long, value_name = "SEED")]
    schedule: Option<u64>,
    /// Compute products of matrices and approximate forms like a device, such as sm_90. Default:
    /// the matrix unit of the text's target, and correctly rounded forms. An entry with a form that
    /// was not measured is refused
    #[arg(long, value_name = "sm_NN")]
    model: Option<Device>,
}

/// The kinds of arguments, for the help of each command.
pub(crate) const ARGUMENTS: &str = "\
An ARG is one of
  u32:7, u64:0x10, s16:-2      an integer; also b16, b32, b64
  f32:1.5, f16:0x3e00          a floating-point number, by its value or by its bits; also bf16, f64
  buf:IN.bin                   a buffer with the bytes of a file
  buf:IN.npy                   a buffer with the elements of a NumPy array, in row-major order
  buf:f32:IN.npy               the same, after a check that the elements are of this type
  zero:1024                    a buffer of 1024 zero bytes
  zero:f32:256                 a buffer of 256 zeros of this type
  rand:f32:64:1                64 random numbers from 0 to 1, from the seed 1; integers are of any value
  rand:f32:64:1:-2:2           64 random numbers from -2 to 2
  range:u32:64                 0, 1, 2 and so on, to 63
  tex:buf:IN.npy               a texture of an array of one to three dimensions; also of zero, rand and range
  tex.linear.border:buf:IN.npy the same, with the linear filter and zeros beyond the edges. Other words are wrap, clamp, mirror,
                               normalized (coordinates), fractions (integers as -1 to 1), memory (for tex1Dfetch)

A buffer's last contents are lost unless the argument ends in >OUT, as in 'buf:IN.bin>OUT.bin' or 'zero:f32:256>OUT.npy'. An OUT
that ends in .npy becomes an array. As a file, `-` is standard input or standard output. Quote a word with `>`, which the shell would
take for itself.";

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done, and nothing is reported
  1    the text cannot run, a thread is at fault, a check reports something, or a file cannot be read or written
  2    wrong usage of the command line
  141  the reader of the output has closed it";

/// Reads one to three numbers with commas between them. Missing ones are 1.
pub(crate) fn extent(text: &str) -> Result<Extent, String> {
    let mut all = [1; 3];
    let words: Vec<&str> = text.split(',').collect();
    if words.len() > 3 {
        return Err("at most three numbers are expected, for x, y and z".to_owned());
    }
    for (n, word) in all.iter_mut().zip(words) {
        *n = word.trim().parse().map_err(|_| {
            let right = text.replace(['x', 'X', '*'], ",");
            let advice =
                if right != text && extent(&right).is_ok() { right } else { "a number such as 8, or 8,2".to_owned() };
            format!("{} is no number: write {advice}", excerpt(word))
        })?;
    }
    Ok(Extent(all))
}

/// A machine with the entry and its arguments.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) machine: Machine,
    pub(crate) entry: Entry,
    pub(crate) args: Vec<Arg>,
    /// The arguments that are buffers: their numbers, counted from 1, and their words. The machine
    /// numbers buffers in this order.
    buffers: Vec<(usize, String)>,
    /// The buffers that are written to files, with the shape of their array.
    written: Vec<(Buffer, PathBuf, Shape)>,
}

impl Launch {
    /// Reads the arguments with their notes.
    fn arguments(&self) -> Result<Vec<(Argument, Vec<String>)>, Failure> {
        let read = |(number, text): (usize, &String)| {
            argument::read(text).map_err(|e| Failure::Usage(format!("error: argument {number}: {e}")))
        };
        (1..).zip(&self.args).map(read).collect()
    }

    /// Refuses `>-`, for a command that prints something else to standard output.
    pub(crate) fn refuse_output(&self) -> Result<(), Failure> {
        let is_output =
            |(argument, _): &(Argument, _)| matches!(argument, Argument::Buffer { to: Some(to), .. } if is_stream(to));
        match self.arguments()?.iter().position(is_output) {
            None => Ok(()),
            Some(i) => Err(Failure::Usage(format!(
                "error: argument {}: this command prints its own output: write the name of a file after `>`",
                i + 1
            ))),
        }
    }

    /// Refuses more uses of standard input than `most`. A second reader would find nothing.
    pub(crate) fn refuse_input(&self, most: usize) -> Result<(), Failure> {
        let is_input = |(argument, _): &(Argument, _)| matches!(argument.source(), Some(Source::File { path, .. }) if is_stream(path));
        let count = self.arguments()?.iter().filter(|argument| is_input(argument)).count();
        if count <= most {
            return Ok(());
        }
        let found = if most == 0 { "this command reads its inputs twice" } else { "two arguments read standard input" };
        Err(Failure::Usage(format!("error: {found}: write the name of a file in the place of `-`")))
    }

    /// Reads the arguments and the files.
    pub(crate) fn ready(&self, check: Check) -> Result<Ready, Failure> {
        environment::warn_of_ignored();
        self.refuse_input(1)?;
        let arguments = self.arguments()?;
        for (number, (_, notes)) in (1..).zip(&arguments) {
            notes.iter().for_each(|note| say(&format!("note: argument {number}: {note}")));
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
            machine = machine.device(model);
        }
        progress::follow(&mut machine);
        machine.set_limit(self.limit);
        machine.set_schedule(self.schedule);
        let entry = machine.load(&module).and_then(|program| program.entry(&self.entry)).map_err(wrong)?;
        let mut ready = Ready { machine, entry, args: Vec::new(), buffers: Vec::new(), written: Vec::new() };
        for ((number, word), (argument, _)) in (1..).zip(&self.args).zip(arguments) {
            match argument {
                Argument::Scalar(arg) => ready.args.push(arg),
                Argument::Buffer { from, to } => {
                    let (bytes, shape) = contents(&from, number, &text)?;
                    let buffer = ready.machine.buffer(&bytes);
                    ready.args.push(Arg::from(buffer));
                    ready.buffers.push((number, word.clone()));
                    ready.written.extend(to.map(|to| (buffer, to, shape)));
                }
                Argument::Texture(texture) => {
                    let (bytes, shape) = contents(&texture.from, number, &text)?;
                    let buffer = ready.machine.buffer(&bytes);
                    let handle = texture.add(&mut ready.machine, buffer.address(), &shape);
                    let handle = handle.map_err(|why| Failure::Input(format!("argument {number}: {why}")))?;
                    ready.args.push(Arg::from(handle));
                    ready.buffers.push((number, word.clone()));
                }
            }
        }
        Ok(ready)
    }
}

/// Returns the first contents of a buffer, and the shape of the array that they are. A note on
/// standard error names elements that are wider than every access of the PTX text.
fn contents(source: &Source, number: usize, text: &str) -> Result<(Vec<u8>, Shape), Failure> {
    if let Some((bytes, ty)) = source.bytes() {
        let shape = Shape::row(ty, bytes.len() / (ty.bits() / 8) as usize);
        return Ok((bytes, shape));
    }
    let Source::File { path, ty } = source else { return Ok((Vec::new(), Shape::row(Type::U8, 0))) };
    let bytes = read(path)?;
    let wrong = |why: String| Failure::Input(format!("argument {number}: cannot read {}: {why}", path.display()));
    if has_extension(path, "npz") || is_stream(path) && bytes.starts_with(npy::ARCHIVE) {
        return Err(wrong(
            "a .npz file is an archive of arrays: save the array with np.save, as a .npy file".to_owned(),
        ));
    }
    if !has_extension(path, "npy") && !bytes.starts_with(npy::MAGIC) {
        let ty = ty.unwrap_or(Type::U8);
        let size = (ty.bits() / 8) as usize;
        if bytes.len() % size != 0 {
            return Err(wrong(format!("its {} bytes are no whole number of .{ty}, which has {size}", bytes.len())));
        }
        let shape = Shape::row(ty, bytes.len() / size);
        return Ok((bytes, shape));
    }
    let (shape, elements) = npy::read(&bytes).map_err(wrong)?;
    if let Some(ty) = ty {
        shape.check(*ty).map_err(wrong)?;
    } else if let Some(widest) = widest_access(text).filter(|widest| shape.bytes() > *widest) {
        say(&format!(
            "note: argument {number}: {} has elements of {} bytes, `{}`, and no instruction reads or writes more than {widest}; \
             convert them with `.astype`",
            path.display(),
            shape.bytes(),
            shape.descr()
        ));
    }
    Ok((elements.to_vec(), shape))
}

/// Returns the most bytes that a load, a store or an atomic operation of the text takes in one
/// thread; `None` if there is none.
fn widest_access(text: &str) -> Option<u32> {
    let bytes = |word: &str| {
        let mut parts = word.trim_end_matches(';').split('.');
        parts.next().filter(|name| ["ld", "ldu", "st", "atom", "red"].contains(name))?;
        let parts: Vec<&str> = parts.collect();
        if ["param", "shared", "const", "local"].iter().any(|space| parts.iter().any(|part| part.starts_with(space))) {
            return None;
        }
        let bits =
            parts.iter().rev().find_map(|part| part.trim_start_matches(char::is_alphabetic).parse::<u32>().ok())?;
        let lanes = if parts.contains(&"v2") {
            2
        } else if parts.contains(&"v4") {
            4
        } else if parts.contains(&"v8") {
            8
        } else {
            1
        };
        Some(lanes * bits / 8)
    };
    text.split_whitespace().filter_map(bytes).max()
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if !is_stream(path) {
        return fs::read(path).map_err(|e| about(path, "read", &e));
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(Failure::Read)?;
    Ok(bytes)
}

impl Ready {
    /// Writes the buffers that have a file, and prints a line for each.
    pub(crate) fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let writes_stream = self.written.iter().any(|(_, to, _)| is_stream(to));
        for (buffer, to, shape) in &self.written {
            let bytes = self.machine.read(*buffer).map_err(|fault| self.fault(&fault))?;
            if is_stream(to) {
                out.write_all(&bytes)?;
                continue;
            }
            let file = if has_extension(to, "npy") { npy::write(shape, &bytes) } else { bytes };
            fs::write(to, &file).map_err(|e| about(to, "write", &e))?;
            // Standard output must not mix bytes of a buffer with lines.
            if !writes_stream {
                writeln!(out, "{}: {} bytes", to.display(), file.len())?;
            }
        }
        Ok(())
    }

    /// Prints the reports of the checks to standard error. Returns `true` if one of them is more
    /// than a remark.
    pub(crate) fn report(&self) -> bool {
        let reports = self.machine.reports();
        for report in reports.iter().chain(&self.machine.leaks()) {
            say(&format!("{}: {report}", if report.is_remark() { "remark" } else { report.kind().name() }));
        }
        reports.iter().any(|report: &Report| !report.is_remark())
    }

    /// Returns the fault's message, with the arguments of the buffers that it names.
    pub(crate) fn fault(&self, fault: &Fault) -> Failure {
        let mut message = fault.to_string();
        for (number, (argument, word)) in (1..).zip(&self.buffers) {
            if fault.what().contains(&format!("buffer #{number} ")) {
                message += &format!("\n  buffer   #{number} is argument {argument}, {}", excerpt(word));
            }
        }
        if fault.kind() == FaultKind::Limit {
            message += "\n  limit    a kernel that ends later needs a larger --limit";
        }
        Failure::Input(message)
    }
}

fn has_extension(file: &Path, name: &str) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name))
}

fn about(file: &Path, what: &str, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot {what} {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_commas() {
        assert_eq!(extent("8,2"), Ok(Extent([8, 2, 1])));
        assert_eq!(extent("8x2").unwrap_err(), "8x2 is no number: write 8,2");
        assert_eq!(extent("8*2*3").unwrap_err(), "8*2*3 is no number: write 8,2,3");
        assert_eq!(extent("x").unwrap_err(), "x is no number: write a number such as 8, or 8,2");
    }

    #[test]
    fn the_widest_access_is_found() {
        for (text, expected) in [
            ("ld.param.u64 %rd1, [x]; ld.global.f32 %r4, [%rd3];", Some(4)),
            ("ld.global.v4.b16 {a, b, c, d}, [x]; st.u8 [x], a;", Some(8)),
            ("atom.global.add.f64 %rd1, [x], %rd2;", Some(8)),
            ("st.shared.f64 [x], %rd2; mov.b32 a, b;", None),
        ] {
            assert_eq!(widest_access(text), expected, "{text}");
        }
    }
}
