//! Generated kernels, and the tests' modules of kernels, compiled for a device and run by
//! `ptxf-vm`. The results are compared with those of the text as rustc compiles it for one thread,
//! which shares nothing with the macro or the library. So the comparison covers the
//! macro's device code, the device's launches and loads of pairs, the compiler, and the machine.
//! Each array begins at an even or at an odd element, between guards.

mod beyond;
mod record;
mod short;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use oracle::Rng;
use oracle::form::Ty;
use oracle::kernel::{Argument, Grid, Kernel, Order, Parameter, Type};
use oracle::kernels::{self, BEND};
use ptxf_build::{Target, Toolchain};
use ptxf_vm::{Arg, Buffer, Check, Entry, Machine, Module, ReportKind};
use serde_json::{Value, json};

use super::report::Report;
use record::Passed;

/// The selected kernels.
#[derive(Clone, Copy)]
pub(crate) struct Which<'a> {
    pub(crate) seed: u64,
    pub(crate) count: usize,
    /// The folder for a record of the launches and their results, for a device.
    pub(crate) record: Option<&'a Path>,
}

/// The targets without `--targets`: without instructions for bf16, and with them.
const TARGETS: &[&str] = &["sm_75", "sm_90"];

/// The files with a module of kernels, which `tests/kernels` tests in each format.
const MODULES: [&str; 12] = [
    "atomics",
    "calls",
    "grids",
    "integers",
    "literals",
    "matches",
    "parts",
    "ranges",
    "rounds",
    "rows",
    "unchecked",
    "vectors",
];

/// Compiles the kernels for each target and runs each version. Differences are added to the
/// problems.
pub(crate) fn check(
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    targets: &[String],
    which: Which<'_>,
    report: &mut Report,
) -> Result<()> {
    let mut all: Vec<_> = kernels::of_seed(which.seed, which.count).into_iter().map(|sample| sample.kernel).collect();
    let mut source = format!(
        "use ptxf::{{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0, ptx_fn, ptx_kernel, ptx_module}};\n\n{BEND}\n"
    );
    all.iter().try_for_each(|kernel| writeln!(source, "{}", kernel.source))?;
    for (i, file) in MODULES.into_iter().enumerate() {
        let path = root.join("tests/kernels/kernels").join(file).with_extension("rs");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let many = [4, 8, 16][i % 3];
        for (pair, element, per_thread) in [("F16x2", Ty::F16, 2), ("Bf16x2", Ty::Bf16, 2), ("F16x2", Ty::F16, many)] {
            let suffix = if per_thread > 2 { "_many" } else { "" };
            let module = format!("{file}_{element:?}{suffix}").to_lowercase();
            let text = text
                .replace(&format!("mod {file} {{"), &format!("mod {module} {{"))
                .replace("pair = F16x2", &format!("pair = F16x2, per_thread = {per_thread}"))
                .replace("F16x2", pair);
            source += &text.replacen('{', "{\nuse ptxf::{ptx_fn, ptx_kernel};", 1);
            all.extend(written(file, &module, &text, element, per_thread)?);
        }
    }
    let file = root.join("target/kernels/device.rs");
    fs::create_dir_all(root.join("target/kernels"))?;
    // An unchanged file is not compiled again.
    if fs::read_to_string(&file).ok().as_ref() != Some(&source) {
        fs::write(&file, source).with_context(|| file.display().to_string())?;
    }
    let usual = || TARGETS.iter().map(|target| (*target).to_owned()).collect();
    let targets: Vec<String> = if targets.is_empty() { usual() } else { targets.to_vec() };
    let krate = root.join("probes/kernels");
    for target in &targets {
        let file = toolchain.compile(&krate, &Target::new(target), &[], target_dir)?.file;
        let mut record = String::new();
        let launches = one(&file, target, &all, &mut record, &mut report.problems)?;
        report.problems.iter().filter_map(|p| p.lines().next()).for_each(|p| println!("    {p}"));
        ensure!(
            !report.problems.is_empty() || launches >= 4 * which.count,
            "of {} kernels only {launches} launches were compared",
            which.count
        );
        if let Some(directory) = which.record {
            record::write(directory, &file, target, &record)?;
        }
        beyond::check(&file, target, &mut report.problems)?;
        println!("{} generated kernels for {target}: {launches} launches compared", all.len());
    }
    Ok(())
}

/// Returns a kernel as rustc compiled it for one thread.
fn meaning(path: &str) -> Result<Kernel> {
    threads::find(path).with_context(|| format!("`{path}` was not compiled: is PTXF_KERNELS the seed's?"))
}

/// Returns the kernels of a module.
fn written(file: &str, module: &str, text: &str, element: Ty, per_thread: usize) -> Result<Vec<kernels::Generated>> {
    let kernel = |(number, attributed): (usize, &str)| {
        let (_, rest) = attributed.split_once("fn ").context("an attribute stands in front of a function")?;
        let (function, _) = rest.split_once('(').context("a function has parameters")?;
        let path = format!("tests_kernels_kernels_{file}::{file}::{function}");
        let shares = meaning(&path)?.shares();
        Ok(kernels::Generated {
            number,
            function: function.to_owned(),
            path,
            entry: format!("{module}_{function}"),
            source: text.to_owned(),
            element,
            rows: [if attributed.contains("ThreadY") { 3 } else { 1 }, 1],
            block: shares.then_some([64, 1, 1]),
            per_thread,
        })
    };
    text.split("#[ptx_kernel").skip(1).enumerate().map(kernel).collect()
}

/// Checks the kernels of a file. Returns the number of compared launches.
fn one(
    file: &Path,
    target: &str,
    all: &[kernels::Generated],
    record: &mut String,
    problems: &mut Vec<String>,
) -> Result<usize> {
    let module = Module::parse(&fs::read_to_string(file)?).map_err(|e| anyhow!("{}: {e}", file.display()))?;
    let mut launches = 0;
    for kernel in all {
        let meaning = meaning(&kernel.path)?;
        match siblings(&module, kernel, &meaning, record) {
            Ok(done) => launches += done,
            Err(problem) => problems.push(format!("{target}: {problem:#}\n{}", kernel.source)),
        }
    }
    Ok(launches)
}

/// Checks the versions of a kernel on a device, over some numbers of threads. Returns the number of
/// compared launches.
fn siblings(module: &Module, kernel: &kernels::Generated, meaning: &Kernel, record: &mut String) -> Result<usize> {
    let mut launches = 0;
    let (mut rng, mut short) = (Rng::new(kernel.number as u64), Rng::new(!kernel.number as u64));
    let function = format!("fn {}(", kernel.function);
    let text = kernel.source.split("#[ptx_kernel").find(|text| text.contains(&function)).unwrap_or_default();
    let versions = [("f32", Ty::F32, 1), ("scalar", kernel.element, 1), ("pair", kernel.element, kernel.per_thread)];
    for (sibling, element, lanes) in versions {
        for threads in threads(kernel, lanes) {
            let odd = rng.below(8) as u32;
            let mut starts = vec![(0, 0), (odd, (odd & 1) as usize)];
            if lanes > 2 {
                // All slices begin as many elements late as the head, which aligns groups. Or
                // some of them do.
                let head = rng.below(lanes as u64) as usize;
                starts.extend([(7, head), (odd, head)]);
            }
            for (odd, head) in starts {
                let arguments = kernels::arguments(&mut rng, &meaning.parameters(), element, threads);
                let block = kernel.block.unwrap_or([16, threads[1], threads[2]]);
                let launch = Launch { kernel, sibling, element, lanes, threads, block, odd, head };
                // With barriers a device runs whole blocks, and `threads` the grid's threads.
                let checks = !["unchecked", "sync_threads"].iter().any(|word| text.contains(word));
                if checks && kernel.block.is_none() && threads[0] > 2 {
                    let compared = launch.compare_short(module, meaning, &arguments, &mut short);
                    compared.with_context(|| launch.name())?;
                }
                if let Some(launched) = launch.compare(module, meaning, arguments).with_context(|| launch.name())? {
                    writeln!(record, "{launched}")?;
                    launches += 1;
                }
            }
        }
    }
    Ok(launches)
}

/// Returns numbers of threads for the kernel. On a device, a kernel with barriers runs in whole
/// blocks of pairs.
fn threads(kernel: &kernels::Generated, lanes: usize) -> Vec<[usize; 3]> {
    let [rows, planes] = kernel.rows;
    let along = match kernel.block {
        None => vec![1, 2, 19, 32, 48],
        Some([x, y, z]) if x % lanes == 0 && rows % y == 0 && planes % z == 0 => vec![x, 3 * x],
        Some(_) => Vec::new(),
    };
    along.into_iter().map(|n| [n, rows, planes]).collect()
}

/// A launch of one version.
struct Launch<'a> {
    kernel: &'a kernels::Generated,
    sibling: &'a str,
    element: Ty,
    /// Threads of the source per thread of the device.
    lanes: usize,
    threads: [usize; 3],
    /// Threads of a block of the source.
    block: [usize; 3],
    /// The slices that do not begin at an aligned element, as bits.
    odd: u32,
    /// Number of threads by which the first pair or group begins before the first thread. Slices
    /// of `odd` begin as many elements late, and at least one.
    head: usize,
}

/// Number of elements before and after a slice. A slice after them is aligned for any access.
const GUARD: usize = 16;

impl Launch<'_> {
    fn name(&self) -> String {
        let Self { kernel, sibling, threads, block, odd, head, .. } = self;
        format!("{}::{sibling}, {threads:?} in blocks of {block:?}, odd {odd:03b}, head {head}", kernel.entry)
    }

    /// Compares the machine's results with those of one thread after another. Returns the launch if
    /// its results are defined.
    fn compare(&self, module: &Module, meaning: &Kernel, mut arguments: Vec<Argument>) -> Result<Option<Value>> {
        let mut machine = Machine::new().check(Check::Race);
        let program = machine.load(module).map_err(|e| anyhow!("{e}"))?;
        let parameters = meaning.parameters();
        let slices = self.upload(&mut machine, &parameters, &arguments);
        let read = |machine: &Machine, slice: &Slice| machine.read(slice.buffer).map_err(|e| anyhow!("{e}"));
        let before = slices.iter().flatten().map(|slice| read(&machine, slice)).collect::<Result<Vec<_>>>()?;
        let entry = format!("{}_{}", self.kernel.entry, self.sibling);
        let entry = program.entry(&entry).map_err(|e| anyhow!("{e}"))?;
        let (blocks, threads, passed) = self.passed(&entry, &parameters, &arguments, &slices)?;
        if !self.launch(&mut machine, &entry, blocks, threads, &passed, &slices)? {
            return Ok(None);
        }
        let grid = Grid { threads: self.threads, block: self.block, order: Order::Serial };
        meaning.run(self.element, grid, &mut arguments).map_err(|e| anyhow!("{e}"))?;
        let mut before = before.into_iter();
        let mut memory = Vec::new();
        let slices = slices.iter().enumerate().filter_map(|(i, slice)| Some((i, slice.as_ref()?)));
        for (i, slice) in slices {
            let (Argument::Slice(words), parameter) = (&arguments[i], &parameters[i]) else { continue };
            let want = slice.surrounded(words);
            let got = read(&machine, slice)?;
            let word = |bytes: &[u8], at: usize| {
                bytes[at * slice.bytes..][..slice.bytes].iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))
            };
            let kept = parameter.kept && self.element == Ty::F16;
            let differs = |at: &usize| {
                let (got, want) = (word(&got, *at), word(&want, *at));
                got != want && !(kept && is_widened_nan(got, want))
            };
            if let Some(at) = (0..want.len() / slice.bytes).find(differs) {
                let place = at as i64 - slice.first as i64;
                let (got, want) = (word(&got, at), word(&want, at));
                return Err(anyhow!("{}[{place}] is {got:#x}, expected {want:#x}", parameter.name));
            }
            let float = parameter.ty == Type::Float && parameter.stored.is_none();
            let format = float.then_some(if parameter.kept { Ty::F32 } else { self.element });
            memory.push(record::memory(&before.next().expect("each slice was read"), &got, format));
        }
        let arguments: Vec<Value> = passed.iter().map(Passed::json).collect();
        let entry = entry.name();
        Ok(Some(json!({
            "entry": entry, "blocks": blocks, "threads": threads, "arguments": arguments, "memory": memory
        })))
    }

    /// Copies the slices to the machine's memory.
    fn upload(&self, machine: &mut Machine, parameters: &[Parameter], arguments: &[Argument]) -> Vec<Option<Slice>> {
        let slice = |(i, (parameter, argument)): (usize, (&Parameter, &Argument))| {
            let Argument::Slice(words) = argument else { return None };
            let bytes = match (parameter.stored, parameter.ty, self.element) {
                (Some(_), ..) => 1,
                (None, Type::Float, Ty::F16 | Ty::Bf16) if !parameter.kept => 2,
                (None, Type::Int(int), _) => int.bits as usize / 8,
                _ => 4,
            };
            let first = GUARD + (self.odd >> (i % 3) & 1) as usize * self.head.max(1);
            let mut slice = Slice { buffer: machine.alloc(0), bytes, first };
            slice.buffer = machine.buffer(&slice.surrounded(words));
            Some(slice)
        };
        parameters.iter().zip(arguments).enumerate().map(slice).collect()
    }

    /// Returns the blocks, their threads, and the entry's arguments.
    fn passed(
        &self,
        entry: &Entry,
        parameters: &[Parameter],
        arguments: &[Argument],
        slices: &[Option<Slice>],
    ) -> Result<([u32; 3], [u32; 3], Vec<Passed>)> {
        let number = |bytes: &[u8]| Passed::Number(bytes.to_vec());
        let mut args = vec![number(&(self.threads[0] as u32).to_le_bytes())];
        let mut memory = 0;
        for ((parameter, argument), slice) in parameters.iter().zip(arguments).zip(slices) {
            match (argument, slice) {
                (Argument::Slice(words), Some(slice)) => {
                    args.push(Passed::Inside { memory, offset: slice.first * slice.bytes });
                    memory += 1;
                    args.push(number(&((words.len() / parameter.rows.iter().product::<usize>()) as u64).to_le_bytes()));
                }
                (Argument::Scalar(x), _) if parameter.ty == Type::Float => {
                    args.push(number(&(*x as u32).to_le_bytes()));
                }
                (Argument::Scalar(x), _) => {
                    let Type::Int(int) = parameter.ty else { return Err(anyhow!("`{}` is no number", parameter.name)) };
                    args.push(number(&x.to_le_bytes()[..int.bits as usize / 8]));
                }
                (Argument::Slice(_), None) => unreachable!("every slice was uploaded"),
            }
        }
        // Groups without blocks may begin before the first thread.
        let head = self.lanes > 1 && entry.parameters().len() > args.len();
        let before = if head { self.head } else { 0 };
        if head {
            args.insert(1, number(&(before as u32).to_le_bytes()));
        }
        let threads = [self.threads[0] + before, self.threads[1], self.threads[2]];
        let [x, y, z] = self.block;
        let blocks: [usize; 3] = std::array::from_fn(|axis| threads[axis].div_ceil(self.block[axis]));
        Ok((blocks.map(|n| n as u32), [x / self.lanes, y, z].map(|n| n as u32), args))
    }

    /// Runs the launch. Returns `true` if its results are defined: unwritten shared memory is 0 on
    /// a CPU and undefined on a device.
    fn launch(
        &self,
        machine: &mut Machine,
        entry: &Entry,
        blocks: [u32; 3],
        threads: [u32; 3],
        passed: &[Passed],
        slices: &[Option<Slice>],
    ) -> Result<bool> {
        let slices: Vec<&Slice> = slices.iter().flatten().collect();
        let arg = |passed: &Passed| match *passed {
            Passed::Number(ref bytes) => Arg::Bytes(bytes.clone()),
            // A pointer into a buffer; a launch takes whole buffers as pointers.
            Passed::Inside { memory, offset } => {
                Arg::Bytes((slices[memory].buffer.address() + offset as u64).to_le_bytes().to_vec())
            }
        };
        let args: Vec<Arg> = passed.iter().map(arg).collect();
        let launched = machine.launch(entry, blocks, threads, 0, &args);
        launched.map_err(|fault| anyhow!("{fault}"))?;
        let (undefined, others): (Vec<_>, Vec<_>) =
            machine.reports().iter().partition(|report| report.kind() == ReportKind::UndefinedMemory);
        match others.iter().find(|report| !report.is_remark()) {
            Some(report) => Err(anyhow!("{report}")),
            None => Ok(undefined.is_empty()),
        }
    }
}

/// A slice in the machine's memory.
struct Slice {
    buffer: Buffer,
    /// Size of an element in bytes.
    bytes: usize,
    /// Index of the slice's first element in its memory.
    first: usize,
}

impl Slice {
    /// Returns the bytes of the elements, between guards.
    fn surrounded(&self, words: &[u64]) -> Vec<u8> {
        let other = [0x1515_1515_1515_1515];
        let (before, after) = (other.iter().cycle().take(self.first), other.iter().cycle().take(GUARD));
        let all = before.chain(words).chain(after);
        all.flat_map(|word| word.to_le_bytes().into_iter().take(self.bytes)).collect()
    }
}

/// Returns `true` if an f16 NaN was widened to f32. A device does that by `cvt.f32.f16`, which
/// makes the NaN canonical.
const fn is_widened_nan(device: u64, cpu: u64) -> bool {
    device & 0x7FFF_FFFF == 0x7FFF_FFFF && f32::from_bits(cpu as u32).is_nan() && cpu & 0x1FFF == 0
}
