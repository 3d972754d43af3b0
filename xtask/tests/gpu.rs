//! `cargo xtask gpu` from end to end: on the program's fake device, and through the driver's functions on a stub of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptxf::spec::FORMS;

/// A folder of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptxf-xtask-gpu-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("gpu").env_remove("PTXF_STRICT");
    command
}

fn run(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(stdout), text(stderr));
    println!("{command:?}\n{out}{err}{status}");
    Ran { code: status.code().unwrap_or(-1), out, err }
}

/// Runs a command on the fake device, with little to do.
fn fake(scratch: &Scratch, command: &str, more: &[&str]) -> Ran {
    let mut program = program();
    program.arg(command).arg("--fake").arg("--out").arg(&scratch.0).arg("--ptx").arg(scratch.path("no-ptx"));
    run(program.args(small(command)).args(more))
}

/// Options that leave little of a command.
fn small(command: &str) -> Vec<&'static str> {
    let compare = ["--few-edges", "--near-ties", "64", "--random", "256", "--no-pairs"];
    let capture = ["--blocks", "2"];
    let bench = ["--threads", "64", "--launch-ms", "0", "--repetitions", "2", "--stream-mib", "1"];
    match command {
        "compare" => compare.to_vec(),
        "capture" => capture.to_vec(),
        "bench" => bench.to_vec(),
        _ => [&compare[..], &capture, &bench].concat(),
    }
}

/// The cell of a table in the row that begins with `key`.
fn cell(table: &str, key: &str, column: &str) -> String {
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = head.iter().position(|name| *name == column).unwrap_or_else(|| panic!("no {column} in {head:?}"));
    let row = lines.find(|line| line.split('\t').next() == Some(key)).unwrap_or_else(|| panic!("no row {key}"));
    row.split('\t').nth(column).unwrap().to_owned()
}

#[test]
fn without_a_device_nothing_is_pretended() {
    let scratch = Scratch::new("absent");
    for command in ["compare", "capture", "bench", "all"] {
        // Where there is a GPU it is hidden.
        let mut program = program();
        program.arg(command).arg("--out").arg(scratch.path("out")).env("CUDA_VISIBLE_DEVICES", "");
        let ran = run(&mut program);
        assert_eq!(ran.code, 3, "{command}");
        assert!(ran.err.contains("SKIPPED") && ran.out.is_empty());
        assert_eq!(run(program.env("PTXF_STRICT", "1")).code, 1);
    }
    assert!(!scratch.path("out").exists());
}

#[test]
fn everything_runs_is_labelled_and_is_not_run_again() {
    let scratch = Scratch::new("all");
    let ran = fake(&scratch, "all", &[]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("FAKE") && ran.out.trim_end().lines().last().unwrap().starts_with("FAKE"));

    // Every table says that it is none of a device's, and so does every name.
    let files = walk(&scratch.path("FAKE-sm_90"));
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(name.starts_with("FAKE-") || name == "MANIFEST.tsv", "{name}");
        if name.ends_with(".tsv") {
            assert!(fs::read_to_string(path).unwrap().starts_with("# FAKE"), "{name}");
        }
    }
    // 4 dumps, questions, oob, 10 samples and their list, 17 sweeps, 3 tables of compare, bench; the log and the manifest.
    assert_eq!(files.len(), 4 + 2 + 11 + 17 + 3 + 1 + 2);

    // The dumps are the CPU's model, all of it.
    let dump = fs::read(scratch.path("FAKE-sm_90/dumps/FAKE-tanh.approx.f16.u16")).unwrap();
    let tanh = FORMS.iter().find(|form| form.name == "tanh.approx.f16").unwrap();
    assert_eq!(dump.len(), 2 << 16);
    for (x, bytes) in dump.chunks_exact(2).enumerate() {
        assert_eq!(tanh.run.call(&[x as u64]), Some(u64::from(bytes[0]) | u64::from(bytes[1]) << 8));
    }

    // A sweep's hash by its documented rule.
    let hashes = fs::read(scratch.path("FAKE-sm_90/sweeps/FAKE-rcp.approx.f32.hash32")).unwrap();
    let rcp = FORMS.iter().find(|form| form.name == "rcp.approx.f32").unwrap();
    let result = |x: u64| rcp.run.call(&[x]).unwrap();
    let hash = (0x1_0000..0x2_0000_u64).step_by(2).fold(0_u64, |h, x| {
        let h = (h ^ (result(x) | result(x + 1) << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ h >> 32
    });
    assert_eq!((hashes.len(), &hashes[4..8]), (8, &(hash as u32).to_le_bytes()[..]));

    // A sample by its documented place.
    let index = scratch.read("FAKE-sm_90/FAKE-samples.tsv");
    let row = index.lines().rfind(|line| line.contains("\tsqrt.approx.ftz.f32\t")).unwrap();
    let [_, _, offset, first, stride, count] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
    let first = u32::from_str_radix(first.trim_start_matches("0x"), 16).unwrap();
    let [offset, stride, count] = [offset, stride, count].map(|x| x.parse::<u32>().unwrap());
    let i = count - 1;
    let input = first + i * stride + (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
    let samples = fs::read(scratch.path("FAKE-sm_90/samples/FAKE-sqrt.approx.ftz.f32.u32")).unwrap();
    let sqrt = FORMS.iter().find(|form| form.name == "sqrt.approx.ftz.f32").unwrap();
    let at = (offset + i) as usize * 4;
    assert_eq!(samples[at..at + 4], (sqrt.run.call(&[input.into()]).unwrap() as u32).to_le_bytes());

    // Every form was compared; what the target lacks as what stands in for it.
    let table = scratch.read("FAKE-sm_90/FAKE-compare.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).count() - 1;
    macro_rules! count {
        ($($function:ident $form:literal $ty:ident $operands:literal;)*) => { [$($form),*].len() };
    }
    assert_eq!(rows, ptxf::for_each_form!(count));
    assert_eq!(cell(&table, "fma.rn.f16x2", "kernel"), "native");
    assert_eq!(cell(&table, "fma.rn.f32x2", "kernel"), "fallback");
    assert_eq!(cell(&table, "tanh.approx.bf16x2", "compared"), "65536");
    assert!(!table.contains("DIFFERENT"));
    assert!(!scratch.read("FAKE-sm_90/FAKE-questions.tsv").contains("\t!"));
    assert_eq!(cell(&scratch.read("FAKE-sm_90/FAKE-oob.tsv"), "fma.rn.oob.f16", "place"), "a");
    assert_eq!(scratch.read("FAKE-sm_90/FAKE-bench.tsv").lines().filter(|l| l.starts_with("wide_")).count(), 13);

    let folder = scratch.path("FAKE-sm_90");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE results, no data"));
    let data = scratch.path("data");
    let adopted = run(program().arg("adopt").arg(&folder).arg("--data").arg(&data));
    assert!(adopted.code == 1 && !data.exists());

    let again = fake(&scratch, "capture", &[]);
    assert!(again.code == 0 && !again.err.contains("written"), "nothing is captured twice");
    let again = fake(&scratch, "compare", &[]);
    assert!(again.err.contains(&format!("{rows} forms were compared before")) && !again.err.contains("different,"));

    // A changed byte is noticed, and that file alone made again.
    fs::write(folder.join("dumps/FAKE-ex2.approx.f16.u16"), vec![0; 2 << 16]).unwrap();
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 1);
    let again = fake(&scratch, "capture", &[]);
    assert_eq!(again.err.matches("written").count(), 1);
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

#[test]
fn a_fake_never_writes_data() {
    let mut program = program();
    program.args(["capture", "--fake", "--blocks", "1", "--out", "ptxf-tables/device", "--ptx", "none"]);
    let scratch = Scratch::new("data");
    let ran = run(program.current_dir(&scratch.0));
    assert!(ran.code == 1 && ran.err.contains("must not go to ptxf-tables/device"));
    assert!(!scratch.path("ptxf-tables").exists());
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let scratch = Scratch::new("flip");
    let only = |form: &'static str| ["--forms", form, "--fault"];
    let fault = |form, fault: &str| fake(&scratch, "compare", &[&only(form)[..], &[fault]].concat());

    let ran = fault("add.rn.f16", "flip:add_rn_f16:3c00,bc00:8000");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("0x3c00 0xbc00 device 0x8000, CPU 0x0"), "{}", ran.out);
    let table = scratch.read("FAKE-sm_90/FAKE-compare.tsv");
    assert_eq!(cell(&table, "add.rn.f16", "different"), "1");
    assert_eq!(cell(&table, "add.rn.f16", "verdict"), "DIFFERENT");
    assert!(scratch.read("FAKE-sm_90/FAKE-differences.tsv").contains("0x3c00 0xbc00\t0x8000\t0x0\tdifferent"));

    // Any NaN will do, but its bits are noted; where the form promises them they count.
    assert_eq!(fault("abs.f32", "nan:abs_f32:7fc00000").code, 0);
    let table = scratch.read("FAKE-sm_90/FAKE-compare.tsv");
    assert_eq!(cell(&table, "abs.f32", "verdict"), "equal but for NaN bits");
    assert_ne!(cell(&table, "abs.f32", "nan_bits"), "0");
    assert_eq!(fault("max.NaN.bf16", "nan:max_nan_bf16:7fc0").code, 1);
    assert_eq!(fault("fma.rn.relu.f16x2", "nan:fma_rn_relu_f16x2:7e00").code, 1);

    // An approximation may differ; what stands in for one, and a quotient, may not.
    assert_eq!(fault("ex2.approx.f16", "shift:ex2_approx_f16:1").code, 0);
    let table = scratch.read("FAKE-sm_90/FAKE-approximate.tsv");
    assert!(cell(&table, "ex2.approx.f16", "steps").contains("+1:"));
    assert_eq!(cell(&table, "ex2.approx.f16", "lanes"), "65536");
    assert_eq!(cell(&table, "ex2.approx.f16", "special"), "0");
    // One more of 2048 is more than the documented relative 2^-9.9 where that is below a unit in the last place.
    assert_ne!(cell(&table, "ex2.approx.f16", "outside"), "0");
}

#[test]
fn a_device_that_dies_leaves_what_was_done() {
    let scratch = Scratch::new("dies");
    let ran = fake(&scratch, "all", &["--fault", "dies:60"]);
    assert!(ran.code == 1 && ran.err.contains("the fake device died"));
    let folder = scratch.path("FAKE-sm_90");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE-ex2.approx.f16.u16"));
    let ran = fake(&scratch, "all", &[]);
    assert!(ran.code == 0 && !ran.err.contains("dumps/ex2.approx.f16.u16: written"));
    // As `forms were compared before` shows where some were.
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

#[test]
fn when_the_time_is_up_the_next_run_continues() {
    let scratch = Scratch::new("budget");
    let ran = fake(&scratch, "all", &["--budget-seconds", "0"]);
    assert_eq!(ran.code, 4);
    let ran = fake(&scratch, "capture", &["--budget-seconds", "600"]);
    assert_eq!(ran.code, 0);
    // Cut in the middle of a line.
    assert_eq!(fake(&scratch, "compare", &["--forms", "min.*"]).code, 0);
    let log = scratch.path("FAKE-sm_90/FAKE-compare.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 100]).unwrap();
    let ran = fake(&scratch, "compare", &["--forms", "min.*"]);
    let forms = text.lines().count() - 1;
    assert!(ran.code == 0 && ran.err.contains(&format!("{} forms were compared before", forms - 1)));
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), forms + 1);
}

#[test]
fn a_bench_of_something_else_is_refused() {
    let scratch = Scratch::new("bench");
    let ran = fake(&scratch, "bench", &["--fault", "shift:fma_rn_f16:1"]);
    assert!(ran.code == 1 && ran.err.contains("wide_fma_rn_f16 does not compute what the probe"));
    assert!(!scratch.path("FAKE-sm_90/FAKE-bench.tsv").exists());
}

/// The path of a real device, with a driver that computes on the CPU.
mod through_the_driver {
    use super::*;

    /// A folder with the stub as `libcuda.so`, and PTX for it.
    fn setup(scratch: &Scratch) -> Command {
        // Beside this test, where Cargo leaves the libraries that it depends on.
        let built = std::env::current_exe().unwrap().with_file_name("libstub_driver.so");
        assert!(built.exists(), "{} is missing", built.display());
        let library = scratch.path("lib");
        fs::create_dir_all(&library).unwrap();
        fs::copy(&built, library.join("libcuda.so")).unwrap();
        fs::create_dir_all(scratch.path("ptx")).unwrap();
        fs::write(scratch.path("ptx/sm_90.ptx"), probes()).unwrap();
        fs::write(scratch.path("ptx/ptx-sm_90-ptx88.ptx"), probes().replace("7.8", "8.8")).unwrap();
        fs::write(scratch.path("ptx/bench-sm_90.ptx"), benches()).unwrap();
        let mut command = program();
        command.env("LD_LIBRARY_PATH", &library);
        command
    }

    fn with(mut command: Command, scratch: &Scratch, name: &str) -> Command {
        command.arg(name).arg("--ptx").arg(scratch.path("ptx")).arg("--out").arg(&scratch.0).args(small(name));
        command
    }

    /// Of four arrays and these numbers.
    fn entry(name: &str, numbers: &str, body: &str) -> String {
        let arrays = "\t.param .u64 .ptr .align 1 p,\n".repeat(4);
        format!(".visible .entry {name}(\n{arrays}{numbers}\n)\n{{\n{body}\tret;\n}}\n")
    }

    const N: &str = "\t.param .u32 n";
    const N_ROUNDS: &str = "\t.param .u32 n,\n\t.param .u32 rounds";

    const HEAD: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

    fn probes() -> String {
        let mut text = HEAD.to_owned();
        for form in FORMS.iter().filter(|form| form.name == form.canonical) {
            let native = form.sm <= 90 && form.until.is_none();
            let body = if native { format!("\t{} %r1, %r2;\n", form.name) } else { String::new() };
            text += &entry(form.function, N, &body);
        }
        text
    }

    fn benches() -> String {
        let mut text = HEAD.to_owned();
        for stream in ["stream_copy", "stream_fma_f16x2", "stream_fma_f32"] {
            text += &entry(stream, N, "");
        }
        for form in ["fma.rn.f32", "fma.rn.f16x2", "tanh.approx.f16x2"] {
            for (kind, count) in [("wide", 128), ("deep", 16)] {
                let name = format!("{kind}_{}", form.replace('.', "_"));
                text += &entry(&name, N_ROUNDS, &format!("\t{form} %r1;\n").repeat(count));
            }
        }
        text
    }

    #[test]
    fn every_call_is_one_that_the_driver_takes() {
        let scratch = Scratch::new("driver");
        let ran = run(&mut with(setup(&scratch), &scratch, "all"));
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("FAKE (stub driver"), "a stub is labelled as well");
        assert!(ran.out.contains("stub driver: released, 0 allocations and events left"));
        let table = scratch.read("FAKE-sm_90/FAKE-compare.tsv");
        assert!(!table.contains("DIFFERENT") && table.contains("CUDA 12.8"));
        let bench = scratch.read("FAKE-sm_90/FAKE-bench.tsv");
        assert_eq!(bench.lines().filter(|line| line.starts_with("wide_") || line.starts_with("deep_")).count(), 6);
        assert!(ran.err.contains("wide_fma_rn_bf16: 0 instructions"));
        assert_eq!(run(program().arg("verify").arg(scratch.path("FAKE-sm_90"))).code, 0);
        assert_eq!(run(program().arg("adopt").arg(scratch.path("FAKE-sm_90"))).code, 1);
    }

    #[test]
    fn a_driver_without_a_device_and_one_that_does_not_compile() {
        let scratch = Scratch::new("no-device");
        let ran = run(with(setup(&scratch), &scratch, "compare").env("STUB_DEVICES", "0"));
        assert!(ran.code == 3 && ran.err.contains("no CUDA-capable device is detected"));
        let ran = run(with(setup(&scratch), &scratch, "compare").env("STUB_REFUSES_PTX", ""));
        assert!(ran.code == 1 && ran.err.contains("ptxas stub, line 7"), "the compiler's words are shown");
        let few = ["--forms", "neg.f16"];
        let ran = run(with(setup(&scratch), &scratch, "compare").args(few).env("STUB_REFUSES_PTX", "8.8"));
        assert!(ran.code == 0 && ran.err.contains("ptxas stub, line 7"));
        assert!(ran.out.contains("sm_90.ptx (PTX 7.8)"), "an older version will do");
        let ran = run(with(setup(&scratch), &scratch, "compare").args(few));
        assert!(ran.out.contains("ptx-sm_90-ptx88.ptx (PTX 8.8)"));
        let ran = run(with(setup(&scratch), &scratch, "compare").args(["--device", "1"]));
        assert!(ran.code == 1 && ran.err.contains("there is no device 1"));
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { out.extend(walk(&path)) } else { out.push(path) }
    }
    out
}
