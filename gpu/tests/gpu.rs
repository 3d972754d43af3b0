//! The program from end to end, on what stands in for NVIDIA's driver.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptxf::spec::{FORMS, spellings};
use stub_driver::{Folder, ptx};

/// A folder of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptxf-gpu-{name}-{}", std::process::id()));
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptxf-gpu"));
    command.env_remove("PTXF_STRICT");
    command
}

fn run(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(stdout), text(stderr));
    println!("{command:?}\n{out}{err}{status}");
    Ran { code: status.code().unwrap_or(-1), out, err }
}

/// The forms that the bench has chains of here: all of them but `fma.rn.bf16`.
const CHAINS: [&str; 12] = [
    "fma.rn.f32",
    "fma.rn.f16",
    "fma.rn.f16x2",
    "fma.rn.bf16x2",
    "ex2.approx.ftz.f32",
    "ex2.approx.f16",
    "ex2.approx.f16x2",
    "ex2.approx.ftz.bf16x2",
    "tanh.approx.f32",
    "tanh.approx.f16",
    "tanh.approx.f16x2",
    "tanh.approx.bf16x2",
];

/// The stand-in in the driver's place, and PTX for its device.
struct Stub {
    driver: Folder,
    scratch: Scratch,
}

impl Stub {
    fn new(name: &str) -> Self {
        let stub = Self { driver: Folder::new(&format!("gpu-{name}")).unwrap(), scratch: Scratch::new(name) };
        fs::create_dir_all(stub.path("ptx")).unwrap();
        fs::write(stub.path("ptx/sm_90.ptx"), ptx::probes(90)).unwrap();
        fs::write(stub.path("ptx/bench-sm_90.ptx"), ptx::benches(90, &CHAINS)).unwrap();
        stub
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path(name)
    }

    fn read(&self, name: &str) -> String {
        self.scratch.read(name)
    }

    /// A command with little to do.
    fn command(&self, command: &str) -> Command {
        let mut program = program();
        program.env("LD_LIBRARY_PATH", self.driver.path());
        program.arg(command).arg("--ptx").arg(self.path("ptx")).arg("--out").arg(&self.scratch.0).args(small(command));
        program
    }

    fn run(&self, command: &str, more: &[&str]) -> Ran {
        run(self.command(command).args(more))
    }

    /// On a device with this fault.
    fn faulty(&self, command: &str, more: &[&str], fault: &str) -> Ran {
        run(self.command(command).args(more).env("STUB_FAULTS", fault))
    }
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
    let stub = Stub::new("all");
    let ran = stub.run("all", &[]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("FAKE") && ran.out.contains("\nFAKE: none of this is a device's\n"));
    assert!(ran.out.contains("FAKE (stub driver"));
    assert!(ran.out.contains("stub driver: released, 0 allocations and events left"));

    // Every table says that it is none of a device's, and so does every name.
    let files = walk(&stub.path("FAKE-sm_90"));
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
    let dump = fs::read(stub.path("FAKE-sm_90/dumps/FAKE-tanh.approx.f16.u16")).unwrap();
    let tanh = FORMS.iter().find(|form| form.name == "tanh.approx.f16").unwrap();
    assert_eq!(dump.len(), 2 << 16);
    for (x, bytes) in dump.chunks_exact(2).enumerate() {
        assert_eq!(tanh.run.call(&[x as u64]), Some(u64::from(bytes[0]) | u64::from(bytes[1]) << 8));
    }

    // A sweep's hash by its documented rule.
    let hashes = fs::read(stub.path("FAKE-sm_90/sweeps/FAKE-rcp.approx.f32.hash32")).unwrap();
    let rcp = FORMS.iter().find(|form| form.name == "rcp.approx.f32").unwrap();
    let result = |x: u64| rcp.run.call(&[x]).unwrap();
    let hash = (0x1_0000..0x2_0000_u64).step_by(2).fold(0_u64, |h, x| {
        let h = (h ^ (result(x) | result(x + 1) << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ h >> 32
    });
    assert_eq!((hashes.len(), &hashes[4..8]), (8, &(hash as u32).to_le_bytes()[..]));

    // A sample by its documented place.
    let index = stub.read("FAKE-sm_90/FAKE-samples.tsv");
    let row = index.lines().rfind(|line| line.contains("\tsqrt.approx.ftz.f32\t")).unwrap();
    let [_, _, offset, first, stride, count] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
    let first = u32::from_str_radix(first.trim_start_matches("0x"), 16).unwrap();
    let [offset, stride, count] = [offset, stride, count].map(|x| x.parse::<u32>().unwrap());
    let i = count - 1;
    let input = first + i * stride + (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
    let samples = fs::read(stub.path("FAKE-sm_90/samples/FAKE-sqrt.approx.ftz.f32.u32")).unwrap();
    let sqrt = FORMS.iter().find(|form| form.name == "sqrt.approx.ftz.f32").unwrap();
    let at = (offset + i) as usize * 4;
    assert_eq!(samples[at..at + 4], (sqrt.run.call(&[input.into()]).unwrap() as u32).to_le_bytes());

    // Every form was compared; what the target lacks as what stands in for it.
    let table = stub.read("FAKE-sm_90/FAKE-compare.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).count() - 1;
    assert_eq!(rows, spellings().filter(|s| s.form.name == s.form.canonical).count());
    assert_eq!(cell(&table, "fma.rn.f16x2", "kernel"), "native");
    assert_eq!(cell(&table, "fma.rn.f32x2", "kernel"), "fallback");
    assert_eq!(cell(&table, "tanh.approx.bf16x2", "compared"), "65536");
    assert!(!table.contains("DIFFERENT"));
    assert!(!stub.read("FAKE-sm_90/FAKE-questions.tsv").contains("\t!"));
    assert_eq!(cell(&stub.read("FAKE-sm_90/FAKE-oob.tsv"), "fma.rn.oob.f16", "place"), "a");
    assert!(table.contains("CUDA 12.8"));
    let bench = stub.read("FAKE-sm_90/FAKE-bench.tsv");
    assert_eq!(bench.lines().filter(|line| line.starts_with("wide_") || line.starts_with("deep_")).count(), 24);
    assert!(ran.err.contains("wide_fma_rn_bf16: 0 instructions"));

    let folder = stub.path("FAKE-sm_90");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE results, no data"));
    let data = stub.path("data");
    let adopted = run(program().arg("adopt").arg(&folder).arg("--data").arg(&data));
    assert!(adopted.code == 1 && !data.exists());

    let again = stub.run("capture", &[]);
    assert!(again.code == 0 && !again.err.contains("written"), "nothing is captured twice");
    let again = stub.run("compare", &[]);
    assert!(again.err.contains(&format!("{rows} forms were compared before")) && !again.err.contains("different,"));

    // A changed byte is noticed, and that file alone made again.
    fs::write(folder.join("dumps/FAKE-ex2.approx.f16.u16"), vec![0; 2 << 16]).unwrap();
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 1);
    let again = stub.run("capture", &[]);
    assert_eq!(again.err.matches("written").count(), 1);
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

#[test]
fn a_fake_never_writes_data() {
    let stub = Stub::new("data");
    let mut program = program();
    program.args(["capture", "--blocks", "1", "--out", "ptxf-tables/device", "--ptx", "ptx"]);
    let ran = run(program.current_dir(&stub.scratch.0).env("LD_LIBRARY_PATH", stub.driver.path()));
    assert!(ran.code == 1 && ran.err.contains("must not go to ptxf-tables/device"));
    assert!(!stub.path("ptxf-tables").exists());
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let stub = Stub::new("flip");
    let fault = |form, fault| stub.faulty("compare", &["--forms", form], fault);

    let ran = fault("add.rn.f16", "flip:add_rn_f16:3c00,bc00:8000");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("0x3c00 0xbc00 device 0x8000, CPU 0x0"), "{}", ran.out);
    let table = stub.read("FAKE-sm_90/FAKE-compare.tsv");
    assert_eq!(cell(&table, "add.rn.f16", "different"), "1");
    assert_eq!(cell(&table, "add.rn.f16", "verdict"), "DIFFERENT");
    assert!(stub.read("FAKE-sm_90/FAKE-differences.tsv").contains("0x3c00 0xbc00\t0x8000\t0x0\tdifferent"));

    // Any NaN will do, but its bits are noted; where the form promises them they count.
    assert_eq!(fault("abs.f32", "nan:abs_f32:7fc00000").code, 0);
    let table = stub.read("FAKE-sm_90/FAKE-compare.tsv");
    assert_eq!(cell(&table, "abs.f32", "verdict"), "equal but for NaN bits");
    assert_ne!(cell(&table, "abs.f32", "nan_bits"), "0");
    assert_eq!(fault("max.NaN.bf16", "nan:max_nan_bf16:7fc0").code, 1);
    assert_eq!(fault("fma.rn.relu.f16x2", "nan:fma_rn_relu_f16x2:7e00").code, 1);

    // An approximation may differ; what stands in for one, and a quotient, may not.
    assert_eq!(fault("ex2.approx.f16", "shift:ex2_approx_f16:1").code, 0);
    let table = stub.read("FAKE-sm_90/FAKE-approximate.tsv");
    assert!(cell(&table, "ex2.approx.f16", "steps").contains("+1:"));
    assert_eq!(cell(&table, "ex2.approx.f16", "lanes"), "65536");
    assert_eq!(cell(&table, "ex2.approx.f16", "special"), "0");
    // One more of 2048 is more than the documented relative 2^-9.9 where that is below a unit in the last place.
    assert_ne!(cell(&table, "ex2.approx.f16", "outside"), "0");
}

#[test]
fn a_device_that_dies_leaves_what_was_done() {
    let stub = Stub::new("dies");
    let ran = stub.faulty("all", &[], "dies:60");
    assert!(ran.code == 1 && ran.err.contains("the device of the stub died, as it was asked to"));
    let folder = stub.path("FAKE-sm_90");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE-ex2.approx.f16.u16"));
    let ran = stub.run("all", &[]);
    assert!(ran.code == 0 && !ran.err.contains("dumps/ex2.approx.f16.u16: written"));
    // As `forms were compared before` shows where some were.
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

#[test]
fn when_the_time_is_up_the_next_run_continues() {
    let stub = Stub::new("budget");
    let ran = stub.run("all", &["--budget-seconds", "0"]);
    assert_eq!(ran.code, 4);
    let ran = stub.run("capture", &["--budget-seconds", "600"]);
    assert_eq!(ran.code, 0);
    // Cut in the middle of a line.
    assert_eq!(stub.run("compare", &["--forms", "min.*"]).code, 0);
    let log = stub.path("FAKE-sm_90/FAKE-compare.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 100]).unwrap();
    let ran = stub.run("compare", &["--forms", "min.*"]);
    let forms = text.lines().count() - 1;
    assert!(ran.code == 0 && ran.err.contains(&format!("{} forms were compared before", forms - 1)));
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), forms + 1);
}

#[test]
fn a_bench_of_something_else_is_refused() {
    let stub = Stub::new("bench");
    let ran = stub.faulty("bench", &[], "shift:fma_rn_f16x2:1");
    assert!(ran.code == 1 && ran.err.contains("wide_fma_rn_f16x2 does not compute what the probe"));
    assert!(!stub.path("FAKE-sm_90/FAKE-bench.tsv").exists());
}

#[test]
fn a_driver_without_a_device_and_one_that_does_not_compile() {
    let stub = Stub::new("no-device");
    fs::write(stub.path("ptx/ptx-sm_90-ptx88.ptx"), ptx::probes(90).replace("7.8", "8.8")).unwrap();
    let ran = run(stub.command("compare").env("STUB_DEVICES", "0"));
    assert!(ran.code == 3 && ran.err.contains("no CUDA-capable device is detected"));
    let ran = run(stub.command("compare").env("STUB_REFUSES_PTX", ""));
    assert!(ran.code == 1 && ran.err.contains("ptxas stub, line 7"), "the compiler's words are shown");
    let few = ["--forms", "neg.f16"];
    let ran = run(stub.command("compare").args(few).env("STUB_REFUSES_PTX", "8.8"));
    assert!(ran.code == 0 && ran.err.contains("ptxas stub, line 7"));
    assert!(ran.out.contains("sm_90.ptx (PTX 7.8)"), "an older version will do");
    let ran = stub.run("compare", &few);
    assert!(ran.out.contains("ptx-sm_90-ptx88.ptx (PTX 8.8)"));
    let ran = stub.run("compare", &["--device", "1"]);
    assert!(ran.code == 1 && ran.err.contains("there is no device 1"));
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { out.extend(walk(&path)) } else { out.push(path) }
    }
    out
}
