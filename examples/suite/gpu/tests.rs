//! Without a device: what would be launched is what the PTX has.

use indicatif::ProgressBar;

use super::device::Device;
use super::measure::{DeviceWay, judge, outcome};
use super::ptx::{Ptx, compiled};
use crate::benchmark::{Benchmark, Output};
use crate::benchmarks::{self, Size};
use crate::launch::{Launch, Place, Way};
use crate::measure::Arithmetic;
use crate::real::Format;

const F16: Arithmetic = Arithmetic { format: Format::F16, keep: false };

fn benchmark(name: &str) -> Box<dyn Benchmark> {
    benchmarks::all(Size::Quick).into_iter().find(|b| b.name() == name).expect("there is one of this name")
}

#[test]
fn every_launch_finds_its_entry_and_passes_what_it_takes() {
    let ptx = match compiled(None).unwrap_or_else(|e| panic!("{e}")) {
        Ok(ptx) => ptx,
        Err(missing) => {
            assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {missing}");
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let entries: Vec<String> = ptx.read.entries.iter().map(|entry| entry.name.clone()).collect();
    let device = Device::rehearsal(Some(ptx));
    for half in [Format::F16, Format::Bf16] {
        for benchmark in benchmarks::all(Size::Quick) {
            let outcome = outcome(&*benchmark, Arithmetic::of(half), &device, &ProgressBar::hidden());
            let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(outcome.problems, [""; 0]);
        }
    }
    // Two of each kernel's five modules, and those by hand; what begins in f32 rounds to f32 as it is.
    let launched = entries.iter().filter(|e| !e.ends_with("_f32")).count();
    assert!(device.done().contains(&format!(" of {launched} entries would have run")), "{}", device.done());
}

#[test]
fn what_the_kernels_are_compiled_to_leaves_the_cpus_bits_in_the_machine() {
    let ptx = match compiled(None).unwrap_or_else(|e| panic!("{e}")) {
        Ok(ptx) => ptx,
        Err(missing) => {
            assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {missing}");
            eprintln!("skipped: {missing}");
            return;
        }
    };
    // As it is compiled, and with products in another format, which has to be noticed.
    let faulty = ptx.text.replace("mul.rn.f16x2", "mul.rn.bf16x2");
    assert_ne!(faulty, ptx.text);
    let faulty = Ptx::parse("faulty".to_owned(), faulty).unwrap();
    let device = Device::machine(ptx).unwrap();
    for benchmark in benchmarks::all(Size::Quick) {
        let outcome = outcome(&*benchmark, Arithmetic::of(Format::F16), &device, &ProgressBar::hidden());
        let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(outcome.problems, [""; 0]);
        let differences = outcome.rows.iter().flat_map(|row| &row.results).map(|result| result.different);
        assert_eq!(differences.sum::<usize>(), 0, "{}", benchmark.name());
    }
    let device = Device::machine(faulty).unwrap();
    let nn = benchmark("nn");
    let ended = outcome(&*nn, Arithmetic::of(Format::F16), &device, &ProgressBar::hidden());
    assert!(ended.map_or(true, |outcome| !outcome.problems.is_empty()));
}

/// nn's pair kernel in a PTX that has it with these parameters.
fn run_nn(parameters: &str) -> Result<(), String> {
    let text =
        format!(".version 7.8\n.target sm_90\n.visible .entry in_f16_nn_pair(\n{parameters}\n)\n{{\n\tret;\n}}\n");
    let device = Device::rehearsal(Some(Ptx::parse("a.ptx".to_owned(), text).unwrap()));
    let nn = benchmark("nn");
    nn.run(Format::F16, Launch::new(Way::Pair, false).at(Place::Device(&device)));
    let result = device.failure();
    // Told once.
    assert_eq!(device.failure(), Ok(()));
    nn.run(Format::F16, Launch::new(Way::Scalar, false).at(Place::Device(&device)));
    assert_eq!(device.failure(), Err("a.ptx has no entry in_f16_nn_scalar".to_owned()));
    result
}

#[test]
fn an_argument_of_another_kind_is_not_launched() {
    // threads, head, n, lat, lng, lat0, lng0, out
    let right = ["u32", "u32", "u64", "u64", "u64", "u64", "u64", "f32", "f32", "u64", "u64"];
    let list = |types: &[&str]| types.iter().map(|t| format!("\t.param .{t} p")).collect::<Vec<_>>().join(",\n");
    assert_eq!(run_nn(&list(&right)), Ok(()));
    let without_head = run_nn(&list(&right[1..])).unwrap_err();
    assert_eq!(without_head, "in_f16_nn_pair takes 10 arguments, and is passed 11");
    let mut swapped = right;
    swapped.swap(6, 7);
    let wrong = run_nn(&list(&swapped)).unwrap_err();
    assert_eq!(wrong, "argument 7 of in_f16_nn_pair is a u64, and the PTX declares `.param .f32 p`");
    // As a newer compiler has it: addresses and lengths are told apart.
    let pointers = |at: [usize; 3]| {
        let mut marked = right;
        at.into_iter().for_each(|i| marked[i] = "u64 .ptr .align 2");
        run_nn(&list(&marked))
    };
    assert_eq!(pointers([3, 5, 9]), Ok(()));
    let moved = pointers([3, 5, 10]).unwrap_err();
    assert_eq!(moved, "argument 10 of in_f16_nn_pair is a buffer, and the PTX declares `.param .u64 p`");
}

#[test]
fn a_bit_is_forgiven_only_to_approximations() {
    let flipped = |benchmark: &dyn Benchmark, mask: u32| {
        let want = DeviceWay::Pair.run(benchmark, F16, Place::OneCore).unwrap();
        let mut found = want.clone();
        let buffer = &mut found.buffers[0];
        buffer.bits[3] ^= mask;
        buffer.values[3] = ptxf::F16::from_bits(buffer.bits[3] as u16).to_f32().into();
        let error = |output: &Output| benchmark.score(output).error;
        judge(benchmark, &found, &want, error(&found), error(&want))
    };
    let nn = flipped(&*benchmark("nn"), 1).unwrap();
    assert!(nn.starts_with("out[3] is ") && nn.ends_with("(1 of 2001 elements differ) on the device"), "{nn}");
    assert_eq!(flipped(&*benchmark("lavaMD"), 1), None);
    let infinite = flipped(&*benchmark("lavaMD"), 0x7C00).unwrap();
    assert!(infinite.contains("on the CPU; potential[3] is"), "{infinite}");
}

#[test]
fn before_sm_80_there_is_no_bf16() {
    let ptx = |target: &str| Ptx::parse("a.ptx".to_owned(), format!(".version 7.0\n.target {target}\n")).unwrap();
    let has = |ptx| Device::rehearsal(Some(ptx)).has(Format::Bf16);
    assert!(!has(ptx("sm_75")) && has(ptx("sm_80")));
    // Without a compiler nobody knows, and the CPU has it.
    assert!(Device::rehearsal(None).has(Format::Bf16));
    assert!(Ptx::parse("a.ptx".to_owned(), "no PTX".to_owned()).is_err());
}

/// nn's entries, each with its parameters: the number of threads, a pair's head, then the kernel's.
fn ptx_of_nn() -> String {
    let entry = |name: String, first: &[&str]| {
        let kernel = ["u64", "u64", "u64", "u64", "u64", "f32", "f32", "u64", "u64"];
        let list: Vec<_> = first.iter().chain(&kernel).map(|t| format!("\t.param .{t} p")).collect();
        format!(".visible .entry {name}(\n{}\n)\n{{\n\tret;\n}}\n", list.join(",\n"))
    };
    let formats = ["in_f32", "in_f16", "in_f16_keep"].into_iter();
    let siblings = |format: &str| {
        entry(format!("{format}_nn_scalar"), &["u32"]) + &entry(format!("{format}_nn_pair"), &["u32", "u32"])
    };
    let entries: String = formats.map(siblings).collect();
    format!(".version 7.8\n.target sm_90\n{entries}{}", entry("hand_nn".to_owned(), &[]))
}

/// What the next test runs in a process of its own, whose `libcuda` is the stub.
#[test]
#[ignore = "has no device by itself"]
fn on_the_stub() {
    let folder = std::env::var_os("SUITE_STUB").expect("a folder with PTX");
    let chosen = [benchmark("nn")];
    let ended = super::run(&chosen, Arithmetic::of(Format::F16), Some(folder.as_ref()), super::On::Gpu, |_| {
        ProgressBar::hidden()
    });
    assert_eq!(ended.map_err(|e| e.to_string()), Ok(None));
}

#[cfg(target_os = "linux")]
#[test]
fn every_call_is_one_that_a_driver_takes() {
    let program = std::env::current_exe().unwrap();
    let stub = stub_driver::Folder::new("suite").unwrap();
    let folder = stub.path();
    std::fs::write(folder.join("suite-sm_90.ptx"), ptx_of_nn()).unwrap();
    let run = |variable: (&str, &str)| {
        let mut command = std::process::Command::new(&program);
        command.args(["--exact", "gpu::tests::on_the_stub", "--ignored", "--nocapture"]);
        command.env("LD_LIBRARY_PATH", folder).env("SUITE_STUB", folder).env(variable.0, variable.1);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        println!("{text}");
        (output.status.success(), text.into_owned())
    };
    let (good, text) = run(("STUB_FLIPS", ""));
    assert!(good && text.contains("7 launches of 7 entries; times are the device's"));
    assert!(text.contains("FAKE (stub driver") && text.contains("released, 0 allocations and events left"));
    let (good, text) = run(("STUB_FLIPS", "hand_nn"));
    assert!(!good && text.contains("nn in f16, by hand: out[10] is") && text.contains("1 results are wrong"));
    let (good, text) = run(("STUB_REFUSES_PTX", "7.8"));
    assert!(!good && text.contains("ptxas stub, line 7"), "the compiler's words are shown");
    let (good, text) = run(("STUB_DEVICES", "0"));
    assert!(!good && text.contains("NO GPU WAS USED: the driver does not start"));
    assert!(text.contains("7 launches of 7 entries would have run, and pass what suite-sm_90.ptx declares"));
}

/// What the next test runs in a process of its own, whose `libcuda` executes PTX.
#[test]
#[ignore = "has no device by itself"]
fn on_this_cpu() {
    let chosen = benchmarks::all(Size::Quick);
    let ended = super::run(&chosen, Arithmetic::of(Format::F16), None, super::On::Gpu, |_| ProgressBar::hidden());
    assert_eq!(ended.map_err(|e| e.to_string()), Ok(None));
}

#[cfg(target_os = "linux")]
#[test]
fn through_a_driver_the_kernels_leave_the_cpus_bits_without_a_gpu() {
    if let Err(missing) = compiled(None).unwrap_or_else(|e| panic!("{e}")) {
        assert!(std::env::var_os("PTXF_STRICT").is_none_or(|v| v != "1"), "skipped under PTXF_STRICT=1: {missing}");
        eprintln!("skipped: {missing}");
        return;
    }
    let program = std::env::current_exe().unwrap();
    // Cargo builds it for these tests, which do not link it: two libraries of the driver do not fit into one program.
    let library = std::fs::read(program.with_file_name("../deps/libptxf_cuda.so")).unwrap();
    let folder = stub_driver::Folder::with("suite-cuda", &library).unwrap();
    let mut command = std::process::Command::new(&program);
    command.args(["--exact", "gpu::tests::on_this_cpu", "--ignored", "--nocapture"]);
    // For the target that the other tests have compiled for.
    command.env("LD_LIBRARY_PATH", folder.path()).env("PTXF_VM_LEFT", "1").env("PTXF_VM_SM", "90");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    assert!(output.status.success() && text.contains("ptxf-vm (this CPU computed it)"));
    assert!(text.contains(" entries; times are those of one execution of the PTX on this CPU"));
    assert!(text.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"));
}
