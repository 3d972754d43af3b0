//! Kernels that nobody wrote, on a device that is the machine: their compiled text leaves what an interpreter makes of their source. So
//! does that of the modules of kernels that the tests have.
//!
//! The interpreter shares nothing with the macro or the library, so the macro's device code, the device's launches and loads of pairs, the
//! compiler, and the machine are all held against it. Each array begins at an even element or at an odd one, between others that nobody
//! may touch.

mod beyond;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use ptxf_build::{Target, Toolchain};
use ptxf_vm::{Arg, Buffer, Check, Machine, Module, Program, ReportKind};
use testutil::Rng;
use testutil::form::Ty;
use testutil::interp::{Argument, Grid, Kernel, Order, Parameter, Type};
use testutil::kernels::{self, BEND};

use super::report::Report;

/// How many, and which.
#[derive(Clone, Copy)]
pub(crate) struct Which {
    pub(crate) seed: u64,
    pub(crate) count: usize,
}

/// What is compiled for unless a target is asked for: without instructions for bf16, and with them.
const TARGETS: &[&str] = &["sm_75", "sm_90"];

/// The files with a module of kernels, which the siblings' tests have in each format.
const MODULES: [&str; 9] =
    ["atomics", "calls", "grids", "integers", "literals", "matches", "parts", "rounds", "vectors"];

/// Compiles the kernels for each target, and runs each sibling; what differs is added to the problems.
pub(crate) fn check(
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    targets: &[String],
    which: Which,
    report: &mut Report,
) -> Result<()> {
    let mut all = kernels::all(which.seed, which.count);
    let mut source = format!(
        "use ptxf::{{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0, ptx_fn, ptx_kernel, ptx_module}};\n\n{BEND}\n"
    );
    all.iter().try_for_each(|kernel| writeln!(source, "{}", kernel.source))?;
    for file in MODULES {
        let path = root.join("tests/siblings/kernels").join(file).with_extension("rs");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for (pair, element) in [("F16x2", Ty::F16), ("Bf16x2", Ty::Bf16)] {
            let module = format!("{file}_{element:?}").to_lowercase();
            let text = text.replace(&format!("mod {file} {{"), &format!("mod {module} {{")).replace("F16x2", pair);
            source += &text.replacen('{', "{\nuse ptxf::{ptx_fn, ptx_kernel};", 1);
            all.extend(written(&module, &text, element)?);
        }
    }
    let file = root.join("target/kernels/device.rs");
    fs::create_dir_all(root.join("target/kernels"))?;
    // What is as it was is not compiled again.
    if fs::read_to_string(&file).ok().as_ref() != Some(&source) {
        fs::write(&file, source).with_context(|| file.display().to_string())?;
    }
    let usual = || TARGETS.iter().map(|target| (*target).to_owned()).collect();
    let targets: Vec<String> = if targets.is_empty() { usual() } else { targets.to_vec() };
    let krate = root.join("xtask/kernel-probe");
    for target in &targets {
        let file = toolchain.compile(&krate, &Target::new(target), &[], target_dir)?.file;
        let launches = one(&file, target, &all, &mut report.problems)?;
        report.problems.iter().filter_map(|p| p.lines().next()).for_each(|p| println!("    {p}"));
        ensure!(
            !report.problems.is_empty() || launches >= 4 * which.count,
            "of {} kernels only {launches} launches were compared",
            which.count
        );
        beyond::check(&file, target, &mut report.problems)?;
        println!("{} generated kernels for {target}: {launches} launches compared", all.len());
    }
    Ok(())
}

/// The kernels of a module.
fn written(module: &str, text: &str, element: Ty) -> Result<Vec<kernels::Generated>> {
    let kernel = |(number, attributed): (usize, &str)| {
        let (_, rest) = attributed.split_once("fn ").context("an attribute stands in front of a function")?;
        let (function, _) = rest.split_once('(').context("a function has parameters")?;
        let meaning = Kernel::parse(function, &[text]).map_err(|e| anyhow!("{function}: {e}"))?;
        Ok(kernels::Generated {
            number,
            function: function.to_owned(),
            entry: format!("{module}_{function}"),
            source: text.to_owned(),
            element,
            rows: [1, 1],
            block: meaning.shares().then_some([64, 1, 1]),
        })
    };
    text.split("#[ptx_kernel").skip(1).enumerate().map(kernel).collect()
}

/// The kernels of a file; how many launches were compared.
fn one(file: &Path, target: &str, all: &[kernels::Generated], problems: &mut Vec<String>) -> Result<usize> {
    let module = Module::parse(&fs::read_to_string(file)?).map_err(|e| anyhow!("{}: {e}", file.display()))?;
    let mut launches = 0;
    for kernel in all {
        let meaning =
            Kernel::parse(&kernel.function, &[&kernel.source, BEND]).map_err(|e| anyhow!("{}: {e}", kernel.entry))?;
        match siblings(&module, kernel, &meaning) {
            Ok(done) => launches += done,
            Err(problem) => problems.push(format!("{target}: {problem:#}\n{}", kernel.source)),
        }
    }
    Ok(launches)
}

/// The siblings of a kernel on a device, over some numbers of threads; how many launches were compared.
fn siblings(module: &Module, kernel: &kernels::Generated, meaning: &Kernel) -> Result<usize> {
    let mut launches = 0;
    let mut rng = Rng::new(kernel.number as u64);
    for (sibling, element, lanes) in [("f32", Ty::F32, 1), ("scalar", kernel.element, 1), ("pair", kernel.element, 2)] {
        for threads in threads(kernel, lanes) {
            for odd in [0, rng.below(8) as u32] {
                let arguments = kernels::arguments(&mut rng, &meaning.parameters(), element, threads);
                let block = kernel.block.unwrap_or([16, threads[1], threads[2]]);
                let launch = Launch { kernel, sibling, element, lanes, threads, block, odd };
                let defined = launch.compare(module, meaning, arguments).with_context(|| launch.name())?;
                launches += usize::from(defined);
            }
        }
    }
    Ok(launches)
}

/// Numbers of threads that the kernel runs in; on a device one with barriers does in whole blocks, which pairs divide.
fn threads(kernel: &kernels::Generated, lanes: usize) -> Vec<[usize; 3]> {
    let [rows, planes] = kernel.rows;
    let along = match kernel.block {
        None => vec![1, 2, 19, 32],
        Some([x, y, z]) if x % lanes == 0 && rows % y == 0 && planes % z == 0 => vec![x, 3 * x],
        Some(_) => Vec::new(),
    };
    along.into_iter().map(|n| [n, rows, planes]).collect()
}

/// A launch of one sibling.
struct Launch<'a> {
    kernel: &'a kernels::Generated,
    sibling: &'a str,
    element: Ty,
    /// Threads of the source to one of the device.
    lanes: usize,
    threads: [usize; 3],
    /// Of the source.
    block: [usize; 3],
    /// Which slices begin at an odd element.
    odd: u32,
}

/// Elements in front of a slice and behind it.
const GUARD: usize = 4;

impl Launch<'_> {
    fn name(&self) -> String {
        let Self { kernel, sibling, threads, block, odd, .. } = self;
        format!("{}::{sibling}, {threads:?} in blocks of {block:?}, odd {odd:03b}", kernel.entry)
    }

    /// Holds what the machine leaves against what the launch means; whether that is defined.
    fn compare(&self, module: &Module, meaning: &Kernel, mut arguments: Vec<Argument>) -> Result<bool> {
        let mut machine = Machine::new().check(Check::Race);
        let program = machine.load(module).map_err(|e| anyhow!("{e}"))?;
        let parameters = meaning.parameters();
        let slices = self.upload(&mut machine, &parameters, &arguments);
        if !self.launch(&mut machine, &program, &parameters, &arguments, &slices)? {
            return Ok(false);
        }
        let grid = Grid { threads: self.threads, block: self.block, order: Order::Serial };
        meaning.run(self.element, grid, &mut arguments).map_err(|e| anyhow!("the interpreter says {e}"))?;
        let slices = slices.iter().enumerate().filter_map(|(i, slice)| Some((i, slice.as_ref()?)));
        for (i, slice) in slices {
            let (Argument::Slice(words), parameter) = (&arguments[i], &parameters[i]) else { continue };
            let want = slice.surrounded(words);
            let got = machine.read(slice.buffer).map_err(|e| anyhow!("{e}"))?;
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
        }
        Ok(true)
    }

    /// The slices in the machine's memory.
    fn upload(&self, machine: &mut Machine, parameters: &[Parameter], arguments: &[Argument]) -> Vec<Option<Slice>> {
        let slice = |(i, (parameter, argument)): (usize, (&Parameter, &Argument))| {
            let Argument::Slice(words) = argument else { return None };
            let bytes = match (parameter.stored, parameter.ty, self.element) {
                (Some(_), ..) => 1,
                (None, Type::Float, Ty::F16 | Ty::Bf16) if !parameter.kept => 2,
                (None, Type::Int(int), _) => int.bits as usize / 8,
                _ => 4,
            };
            let first = GUARD + (self.odd >> (i % 3) & 1) as usize;
            let mut slice = Slice { buffer: machine.alloc(0), bytes, first };
            slice.buffer = machine.buffer(&slice.surrounded(words));
            Some(slice)
        };
        parameters.iter().zip(arguments).enumerate().map(slice).collect()
    }

    /// Whether what it leaves is defined: shared memory that nobody wrote is 0 on a CPU, and anything on a device.
    fn launch(
        &self,
        machine: &mut Machine,
        program: &Program,
        parameters: &[Parameter],
        arguments: &[Argument],
        slices: &[Option<Slice>],
    ) -> Result<bool> {
        let entry = program.entry(&format!("{}_{}", self.kernel.entry, self.sibling)).map_err(|e| anyhow!("{e}"))?;
        let mut args = vec![Arg::from(self.threads[0] as u32)];
        for ((parameter, argument), slice) in parameters.iter().zip(arguments).zip(slices) {
            match (argument, slice) {
                (Argument::Slice(words), Some(slice)) => {
                    // Inside of a buffer, where a launch takes whole ones for pointers.
                    let address = slice.buffer.address() + (slice.first * slice.bytes) as u64;
                    args.push(Arg::Bytes(address.to_le_bytes().to_vec()));
                    args.push(Arg::from((words.len() / parameter.rows.iter().product::<usize>()) as u64));
                }
                (Argument::Scalar(x), _) if parameter.ty == Type::Float => {
                    args.push(Arg::from(f32::from_bits(*x as u32)))
                }
                (Argument::Scalar(x), _) => {
                    let Type::Int(int) = parameter.ty else { return Err(anyhow!("`{}` is no number", parameter.name)) };
                    args.push(Arg::Bytes(x.to_le_bytes()[..int.bits as usize / 8].to_vec()));
                }
                (Argument::Slice(_), None) => unreachable!("every slice was uploaded"),
            }
        }
        // Pairs that keep to no blocks may begin one thread in front of the first.
        let head = self.lanes == 2 && entry.parameters().len() > args.len();
        let before = usize::from(head && self.odd & 1 != 0);
        if head {
            args.insert(1, Arg::from(before as u32));
        }
        let threads = [self.threads[0] + before, self.threads[1], self.threads[2]];
        let [x, y, z] = self.block;
        let block = [x / self.lanes, y, z];
        let blocks: [usize; 3] = std::array::from_fn(|axis| threads[axis].div_ceil(self.block[axis]));
        let launched = machine.launch(&entry, blocks.map(|n| n as u32), block.map(|n| n as u32), 0, &args);
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
    /// The bytes of an element.
    bytes: usize,
    /// The element that it begins with.
    first: usize,
}

impl Slice {
    /// The bytes of the elements, between others.
    fn surrounded(&self, words: &[u64]) -> Vec<u8> {
        let other = [0x1515_1515_1515_1515];
        let (before, after) = (other.iter().cycle().take(self.first), other.iter().cycle().take(GUARD));
        let all = before.chain(words).chain(after);
        all.flat_map(|word| word.to_le_bytes().into_iter().take(self.bytes)).collect()
    }
}

/// Whether a NaN of f16 was made f32, which a device does by `cvt.f32.f16`: it is canonical there, and as it was elsewhere.
const fn is_widened_nan(device: u64, cpu: u64) -> bool {
    device & 0x7FFF_FFFF == 0x7FFF_FFFF && f32::from_bits(cpu as u32).is_nan() && cpu & 0x1FFF == 0
}
