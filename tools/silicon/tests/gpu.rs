//! The whole program, with a driver that executes the kernels' PTX on this CPU.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ptxf::spec::{FORMS, Spelling};
use ptxf_cuda::{Folder, library};

#[path = "support/ptx.rs"]
mod ptx;

/// A folder for one test.
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

/// The driver's substitute, and a folder with PTX.
struct Machine {
    driver: Folder,
    scratch: Scratch,
}

impl Machine {
    /// Makes PTX of every form.
    fn new(name: &str) -> Self {
        Self::with(name, |_| true)
    }

    /// Makes PTX of these forms.
    fn with(name: &str, chosen: impl Fn(&Spelling) -> bool) -> Self {
        let machine = Self { driver: Folder::new(&library().unwrap()).unwrap(), scratch: Scratch::new(name) };
        fs::create_dir_all(machine.path("ptx")).unwrap();
        fs::write(machine.path("ptx/sm_103.ptx"), ptx::probes(chosen)).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path(name)
    }

    fn read(&self, name: &str) -> String {
        self.scratch.read(name)
    }

    /// Returns a command with few operands.
    fn command(&self, command: &str) -> Command {
        let mut program = program();
        program.env("LD_LIBRARY_PATH", self.driver.path()).env("PTXF_VM_SM", ptx::SM);
        program.env("PTXF_VM_LEFT", "1").env("PTXF_VM_STRICT", "1");
        program.arg(command).arg("--ptx").arg(self.path("ptx")).arg("--out").arg(&self.scratch.0).args(small(command));
        program
    }

    fn run(&self, command: &str, more: &[&str]) -> Ran {
        run(self.command(command).args(more))
    }

    /// Runs a command on a device with this fault.
    fn faulty(&self, command: &str, more: &[&str], fault: &str) -> Ran {
        run(self.command(command).args(more).env("PTXF_VM_FAULTS", fault))
    }
}

/// Returns options for few operands.
fn small(command: &str) -> Vec<&'static str> {
    let compare = ["--few-edges", "--near-ties", "64", "--random", "256", "--no-pairs"];
    let capture = ["--blocks", "2"];
    match command {
        "compare" => compare.to_vec(),
        "capture" => capture.to_vec(),
        _ => [&compare[..], &capture].concat(),
    }
}

/// Returns a table's cell in the row that begins with `key`.
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
    for command in ["compare", "capture", "kernels", "all"] {
        // A GPU of this machine is hidden.
        let mut program = program();
        program.arg(command).arg("--out").arg(scratch.path("out")).env("CUDA_VISIBLE_DEVICES", "");
        let ran = run(&mut program);
        assert_eq!(ran.code, 3, "{command}");
        assert!(ran.err.contains("SKIPPED") && ran.out.is_empty());
        assert_eq!(run(program.env("PTXF_STRICT", "1")).code, 1);
    }
    assert!(!scratch.path("out").exists());
}

/// Returns the names of the forms that the target has. No target has every form.
fn every() -> Vec<String> {
    ptx::forms().map(|spelling| spelling.to_string()).collect()
}

#[test]
fn everything_runs_is_labelled_and_is_not_run_again() {
    let machine = Machine::new("all");
    let every = every();
    let every: Vec<&str> = every.iter().flat_map(|form| ["--forms", form]).collect();
    let ran = machine.run("all", &every);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("FAKE") && ran.out.contains("\nFAKE: these results are not a device's\n"));
    assert!(ran.out.contains("ptxf-vm (this CPU computed it), sm_103"));
    assert!(ran.err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"));

    // Every table and every name has the label.
    let files = walk(&machine.path("FAKE-sm_103"));
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(name.starts_with("FAKE-") || name == "MANIFEST.jsonl", "{name}");
        if name.ends_with(".tsv") {
            assert!(fs::read_to_string(path).unwrap().starts_with("# FAKE"), "{name}");
        }
    }
    // 4 dumps, questions, oob, 10 samples and their list, 17 sweeps, 3 tables of compare; the log
    // and the manifest.
    assert_eq!(files.len(), 4 + 2 + 11 + 17 + 3 + 2);

    // A dump has every result of the CPU's model.
    let dump = fs::read(machine.path("FAKE-sm_103/dumps/FAKE-tanh.approx.f16.u16")).unwrap();
    let tanh = FORMS.iter().find(|form| form.name == "tanh.approx.f16").unwrap();
    assert_eq!(dump.len(), 2 << 16);
    for (x, bytes) in dump.chunks_exact(2).enumerate() {
        assert_eq!(tanh.run.call(&[x as u64]), Some(u64::from(bytes[0]) | u64::from(bytes[1]) << 8));
    }

    // A sweep's hash follows the documented rule.
    let hashes = fs::read(machine.path("FAKE-sm_103/sweeps/FAKE-rcp.approx.f32.hash32")).unwrap();
    let rcp = FORMS.iter().find(|form| form.name == "rcp.approx.f32").unwrap();
    let result = |x: u64| rcp.run.call(&[x]).unwrap();
    let hash = (0x1_0000..0x2_0000_u64).step_by(2).fold(0_u64, |h, x| {
        let h = (h ^ (result(x) | result(x + 1) << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ h >> 32
    });
    assert_eq!((hashes.len(), &hashes[4..8]), (8, &(hash as u32).to_le_bytes()[..]));

    // A sample is at the documented place.
    let index = machine.read("FAKE-sm_103/FAKE-samples.tsv");
    let row = index.lines().rfind(|line| line.contains("\tsqrt.approx.ftz.f32\t")).unwrap();
    let [_, _, offset, first, stride, count] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
    let first = u32::from_str_radix(first.trim_start_matches("0x"), 16).unwrap();
    let [offset, stride, count] = [offset, stride, count].map(|x| x.parse::<u32>().unwrap());
    let i = count - 1;
    let input = first + i * stride + (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
    let samples = fs::read(machine.path("FAKE-sm_103/samples/FAKE-sqrt.approx.ftz.f32.u32")).unwrap();
    let sqrt = FORMS.iter().find(|form| form.name == "sqrt.approx.ftz.f32").unwrap();
    let at = (offset + i) as usize * 4;
    assert_eq!(samples[at..at + 4], (sqrt.run.call(&[input.into()]).unwrap() as u32).to_le_bytes());

    // Every form was compared, those that the target lacks by their replacements.
    let table = machine.read("FAKE-sm_103/FAKE-compare.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).count() - 1;
    assert_eq!(rows, every.len() / 2);
    assert_eq!(cell(&table, "fma.rn.f16x2", "kernel"), "native");
    assert_eq!(cell(&table, "fma.rn.f32x2", "kernel"), "fallback");
    assert_eq!(cell(&table, "tanh.approx.bf16x2", "compared"), "65536");
    assert!(!table.contains("DIFFERENT"));
    assert!(!machine.read("FAKE-sm_103/FAKE-questions.tsv").contains("\t!"));
    assert_eq!(cell(&machine.read("FAKE-sm_103/FAKE-oob.tsv"), "fma.rn.oob.f16", "place"), "a");
    assert!(table.contains("CUDA 13.5"));

    let folder = machine.path("FAKE-sm_103");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE results, no data"));
    let data = machine.path("data");
    let adopted = run(program().arg("adopt").arg(&folder).arg("--data").arg(&data));
    assert!(adopted.code == 1 && !data.exists());

    let again = machine.run("capture", &[]);
    assert!(again.code == 0 && !again.err.contains("written"), "nothing is captured twice");
    let again = machine.run("compare", &every);
    assert!(again.err.contains(&format!("{rows} forms were compared before")) && !again.err.contains("different,"));

    // After a byte has changed, this file alone is made again.
    fs::write(folder.join("dumps/FAKE-ex2.approx.f16.u16"), vec![0; 2 << 16]).unwrap();
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 1);
    let again = machine.run("capture", &[]);
    assert_eq!(again.err.matches("written").count(), 1);
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

/// Doubles each f32 of a slice. The other parameters have several types.
const KERNELS: &str = "
.version 7.8
.target sm_90
.address_size 64
.visible .entry twice(.param .u32 threads, .param .u64 .ptr .align 4 x, .param .u64 n, .param .u16 h) {
    .reg .b32 %r<4>;
    .reg .b64 %d<4>;
    .reg .b16 %h;
    .reg .f32 %f;
    ld.param.u64 %d1, [x];
    ld.param.u16 %h, [h];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d1, %d1, %d2;
    ld.global.f32 %f, [%d1];
    add.rn.f32 %f, %f, %f;
    st.global.f32 [%d1], %f;
    ret;
}
";

/// Returns a launch as `cargo xtask ptx --record` writes it, on 1.0 and a NaN after a word that no
/// thread accesses.
fn launch(after: &str) -> String {
    format!(
        r#"{{"entry":"twice","blocks":[1,1,1],"threads":[2,1,1],"arguments":[{{"bytes":"02000000"}},{{"memory":0,"offset":4}},{{"bytes":"0200000000000000"}},{{"bytes":"0100"}}],"memory":[{{"before":"151515150000803f0100807f","after":"{after}","format":"f32"}}]}}"#
    ) + "\n"
}

#[test]
fn whole_kernels_are_launched_and_every_element_is_compared() {
    let machine = Machine::with("kernels", |spelling| spelling.is("neg.f16"));
    fs::write(machine.path("ptx/kernels-sm_90.ptx"), KERNELS).unwrap();
    let kernels = |launches: &str| {
        fs::write(machine.path("ptx/kernels-sm_90.jsonl"), launches).unwrap();
        let mut program = program();
        program.env("LD_LIBRARY_PATH", machine.driver.path()).env("PTXF_VM_SM", ptx::SM);
        program.args(["kernels", "--ptx"]).arg(machine.path("ptx")).arg("--out").arg(&machine.scratch.0);
        run(&mut program)
    };
    let right = launch("1515151500000040ffffff7f");
    let ran = kernels(&right.repeat(2));
    assert!(ran.out.starts_with("FAKE") && ran.out.contains("\nFAKE: these results are not a device's\n"));
    assert!(
        ran.code == 0
            && ran.out.contains("2 launches of 1 entries: 6 elements equal, 0 NaNs of other bits, 0 different")
    );
    let ran = kernels(&launch("151515150000004000008040"));
    assert!(ran.code == 1, "a number is no NaN");
    assert!(ran.out.contains("DIFFERENT twice: line 1, slice 0, element 2: device 0x7fffffff, CPU 0x40800000"));
    let ran = kernels(&(right.clone() + &launch("15151515000000400000c07f")));
    assert!(ran.code == 0 && ran.out.contains("5 elements equal, 1 NaNs of other bits, 0 different"));
    let table = machine.read("FAKE-sm_103/FAKE-kernels.tsv");
    assert_eq!(cell(&table, "twice", "verdict"), "equal but for NaN bits");

    let ran = kernels("");
    assert!(ran.code == 1 && ran.err.contains("has no launch"));
    let ran = kernels(&right.replace("twice", "thrice"));
    assert!(ran.code == 1 && ran.err.contains("the PTX has no kernel thrice"));
    let ran = kernels(&right.replace("1515", "15zz"));
    assert!(ran.code == 1 && ran.err.contains("kernels-sm_90.jsonl:1") && ran.err.contains("is not hexadecimal"));
    let ran = kernels(&right.replace(r#",{"bytes":"0100"}"#, ""));
    assert!(ran.code == 1 && ran.err.contains("twice takes 4 arguments, and is passed 3"));
    let ran = kernels(&right.replace("\"memory\":0", "\"memory\":1"));
    assert!(ran.code == 1 && ran.err.contains("there is no memory 1"));
    let ran = kernels(&right.replace("\"offset\":4", "\"offset\":400"));
    assert!(ran.code == 1 && ran.err.contains("byte 400 of a memory of 12"));
}

#[test]
fn a_fake_never_writes_data() {
    let machine = Machine::with("data", |spelling| spelling.is("tanh.approx.f16"));
    let mut program = program();
    program.args(["capture", "--blocks", "1", "--out", "ptxf-tables/device", "--ptx", "ptx"]);
    program.current_dir(&machine.scratch.0).env("LD_LIBRARY_PATH", machine.driver.path()).env("PTXF_VM_SM", ptx::SM);
    let ran = run(&mut program);
    assert!(ran.code == 1 && ran.err.contains("must not go to ptxf-tables/device"));
    assert!(!machine.path("ptxf-tables").exists());
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    const FORMS: [&str; 5] = ["add.rn.f16", "abs.f32", "max.NaN.bf16", "fma.rn.relu.f16x2", "ex2.approx.f16"];
    let machine = Machine::with("flip", |spelling| FORMS.iter().any(|form| spelling.is(form)));
    let fault = |form, fault| machine.faulty("compare", &["--forms", form], fault);

    let ran = fault("add.rn.f16", "flip:add.rn.f16:3c00,bc00:8000");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("0x3c00 0xbc00 device 0x8000, CPU 0x0"), "{}", ran.out);
    let table = machine.read("FAKE-sm_103/FAKE-compare.tsv");
    assert_eq!(cell(&table, "add.rn.f16", "different"), "1");
    assert_eq!(cell(&table, "add.rn.f16", "verdict"), "DIFFERENT");
    assert!(machine.read("FAKE-sm_103/FAKE-differences.tsv").contains("0x3c00 0xbc00\t0x8000\t0x0\tdifferent"));

    // Other bits of a NaN are recorded. Where the manual defines them they are a difference.
    assert_eq!(fault("abs.f32", "nan:abs.f32:7fc00000").code, 0);
    let table = machine.read("FAKE-sm_103/FAKE-compare.tsv");
    assert_eq!(cell(&table, "abs.f32", "verdict"), "equal but for NaN bits");
    assert_ne!(cell(&table, "abs.f32", "nan_bits"), "0");
    assert_eq!(fault("max.NaN.bf16", "nan:max.NaN.bf16:7fc0").code, 1);
    assert_eq!(fault("fma.rn.relu.f16x2", "nan:fma.rn.relu.f16x2:7e00").code, 1);

    // An approximate instruction may differ; its replacement and a quotient may not.
    assert_eq!(fault("ex2.approx.f16", "shift:ex2.approx.f16:1").code, 0);
    let table = machine.read("FAKE-sm_103/FAKE-approximate.tsv");
    assert!(cell(&table, "ex2.approx.f16", "steps").contains("+1:"));
    assert_eq!(cell(&table, "ex2.approx.f16", "lanes"), "65536");
    assert_eq!(cell(&table, "ex2.approx.f16", "special"), "0");
    // The last place is more than the documented relative error of 2^-9.9 for some results.
    assert_ne!(cell(&table, "ex2.approx.f16", "outside"), "0");
}

#[test]
fn a_device_that_dies_leaves_what_was_done() {
    let machine = Machine::new("dies");
    // Another test compares every form.
    let few = ["--forms", "min.*"];
    let ran = machine.faulty("all", &few, "dies:60");
    assert!(ran.code == 1 && ran.err.contains("the device has died after 60 launches"));
    let folder = machine.path("FAKE-sm_103");
    let verified = run(program().arg("verify").arg(&folder));
    assert!(verified.code == 0 && verified.out.contains("FAKE-ex2.approx.f16.u16"));
    let ran = machine.run("all", &few);
    assert!(ran.code == 0 && !ran.err.contains("dumps/ex2.approx.f16.u16: written"));
    assert_eq!(run(program().arg("verify").arg(&folder)).code, 0);
}

#[test]
fn when_the_time_is_up_the_next_run_continues() {
    let machine = Machine::new("budget");
    let every = every();
    let mut none: Vec<&str> = every.iter().flat_map(|form| ["--forms", form]).collect();
    none.extend(["--budget-seconds", "0"]);
    let ran = machine.run("all", &none);
    assert_eq!(ran.code, 4);
    let ran = machine.run("capture", &["--budget-seconds", "600"]);
    assert_eq!(ran.code, 0);
    // The log ends in the middle of a line.
    assert_eq!(machine.run("compare", &["--forms", "min.*"]).code, 0);
    let log = machine.path("FAKE-sm_103/FAKE-compare.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 100]).unwrap();
    let ran = machine.run("compare", &["--forms", "min.*"]);
    let forms = text.lines().count() - 1;
    assert!(ran.code == 0 && ran.err.contains(&format!("{} forms were compared before", forms - 1)));
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), forms + 1);
}

#[test]
fn a_driver_without_a_device_and_one_that_does_not_compile() {
    let machine = Machine::with("no-device", |spelling| spelling.is("neg.f16"));
    let few = ["--forms", "neg.f16"];
    let older = fs::read_to_string(machine.path("ptx/sm_103.ptx")).unwrap();
    let newer = older.replace(&format!(".version {}", ptx::VERSION), ".version 9.6");
    fs::write(machine.path("ptx/ptx-sm_103-ptx96.ptx"), newer).unwrap();
    let ran = run(machine.command("compare").env("PTXF_VM_DEVICES", "0"));
    assert!(ran.code == 3 && ran.err.contains("CUDA_ERROR_NO_DEVICE"));
    let ran = run(machine.command("compare").env("PTXF_VM_PTX", "8.0"));
    assert!(
        ran.code == 1 && ran.err.contains("PTXF_VM_PTX=8.0 is the newest that is accepted"),
        "the compiler's words are shown"
    );
    let ran = run(machine.command("compare").args(few).env("PTXF_VM_PTX", ptx::VERSION));
    assert!(ran.code == 0 && ran.err.contains("`.version 9.6`, and PTXF_VM_PTX=9.5 is the newest that is accepted"));
    assert!(ran.out.contains("sm_103.ptx (PTX 9.5)"), "an older version will do");
    let ran = machine.run("compare", &few);
    assert!(ran.out.contains("ptx-sm_103-ptx96.ptx (PTX 9.6)"));
    let ran = machine.run("compare", &["--device", "1"]);
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
