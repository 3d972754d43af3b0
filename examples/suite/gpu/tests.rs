//! Checks launches against the PTX without a device.

mod compiled;

use indicatif::ProgressBar;
use ptxf_vm::Check;

use super::device::Device;
use super::measure::{DeviceWay, judge, outcome};
use super::peers::Peers;
use super::ptx::Ptx;
use super::target::Checks;
use crate::benchmark::{Benchmark, Output};
use crate::benchmarks::{self, Card, Size};
use crate::launch::{Launch, Place, Way};
use crate::measure::Arithmetic;
use crate::real::Format;

const F16: Arithmetic = Arithmetic { format: Format::F16, keep: false };

fn benchmark(name: &str) -> Box<dyn Benchmark> {
    benchmarks::all(Size::QUICK).into_iter().find(|b| b.name() == name).expect("there is one of this name")
}

/// Launches nn's pair kernel with a PTX that declares these parameters.
fn run_nn(parameters: &str) -> Result<(), String> {
    let text =
        format!(".version 7.8\n.target sm_90\n.visible .entry in_f16_nn_pair(\n{parameters}\n)\n{{\n\tret;\n}}\n");
    let device = Device::rehearsal(Some(Ptx::parse("a.ptx".to_owned(), text).unwrap()));
    let nn = benchmark("nn");
    nn.run(Format::F16, Launch::new(Way::Pair, false).at(Place::Device(&device)));
    let result = device.failure();
    // A failure is returned once.
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
    // Newer compilers distinguish addresses and lengths.
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
    // Without a PTX the CPU has all formats.
    assert!(Device::rehearsal(None).has(Format::Bf16));
    assert!(Ptx::parse("a.ptx".to_owned(), "no PTX".to_owned()).is_err());
}

/// A format's name, its width, its register type, and the code of `nn` for an element.
///
/// The code reads `%x`, `%y`, `%lat0` and `%lng0`, and writes `%out`.
const OF_NN: [(&str, usize, &str); 4] = [
    (
        "in_f32",
        4,
        "sub.rn.f32 %u, %lat0, %x; sub.rn.f32 %v, %lng0, %y; mul.rn.f32 %v, %v, %v;
        fma.rn.f32 %u, %u, %u, %v; sqrt.rn.f32 %out, %u;",
    ),
    (
        "in_f16",
        2,
        "cvt.rn.f16.f32 %h1, %lat0; cvt.rn.f16.f32 %h2, %lng0; sub.rn.f16 %h1, %h1, %x; sub.rn.f16 %h2, %h2, %y;
        mul.rn.f16 %h2, %h2, %h2; fma.rn.f16 %h1, %h1, %h1, %h2;
        cvt.f32.f16 %u, %h1; sqrt.rn.f32 %u, %u; cvt.rn.f16.f32 %out, %u;",
    ),
    (
        "in_f16_keep",
        2,
        "cvt.f32.f16 %u, %x; cvt.f32.f16 %v, %y; sub.rn.f32 %u, %lat0, %u; sub.rn.f32 %v, %lng0, %v;
        mul.rn.f32 %v, %v, %v; fma.rn.f32 %u, %u, %u, %v;
        sqrt.rn.f32 %u, %u; cvt.rn.f16.f32 %out, %u;",
    ),
    (
        "hand",
        4,
        "cvt.rn.f16x2.f32 %u, %lat0, %lat0; cvt.rn.f16x2.f32 %v, %lng0, %lng0; sub.rn.f16x2 %u, %u, %x;
        sub.rn.f16x2 %v, %v, %y; mul.rn.f16x2 %v, %v, %v; fma.rn.f16x2 %u, %u, %u, %v;
        mov.b32 {%h1, %h2}, %u; cvt.f32.f16 %u, %h1; cvt.f32.f16 %v, %h2; sqrt.rn.f32 %u, %u; sqrt.rn.f32 %v, %v;
        cvt.rn.f16x2.f32 %out, %v, %u;",
    ),
];

/// Returns an entry with nn's code.
fn entry_of_nn(name: &str, first: &str, lanes: usize, bytes: usize, code: &str) -> String {
    let bits = bytes * 8;
    format!(
        ".visible .entry {name}({first}.param .u64 n, .param .u64 lat, .param .u64 lat_n, .param .u64 lng, .param .u64 lng_n,
    .param .f32 lat0, .param .f32 lng0, .param .u64 out, .param .u64 out_n)
{{
    .reg .pred %p; .reg .b16 %h<3>; .reg .b32 %i, %u, %v, %lat0, %lng0; .reg .b64 %at, %end, %n, %to; .reg .b{bits} %x, %y, %out;
    mov.u32 %i, %ctaid.x; mov.u32 %u, %ntid.x; mov.u32 %v, %tid.x; mad.lo.u32 %i, %i, %u, %v;
    ld.param.f32 %lat0, [lat0]; ld.param.f32 %lng0, [lng0]; ld.param.u64 %n, [n];
    mul.wide.u32 %at, %i, {lanes}; add.u64 %end, %at, {lanes}; min.u64 %end, %end, %n;
next:
    setp.ge.u64 %p, %at, %end; @%p ret;
    ld.param.u64 %to, [lat]; mad.lo.u64 %to, %at, {bytes}, %to; ld.global.b{bits} %x, [%to];
    ld.param.u64 %to, [lng]; mad.lo.u64 %to, %at, {bytes}, %to; ld.global.b{bits} %y, [%to];
    {code}
    ld.param.u64 %to, [out]; mad.lo.u64 %to, %at, {bytes}, %to; st.global.b{bits} [%to], %out;
    add.u64 %at, %at, 1; bra next;
}}\n"
    )
}

/// Returns nn's entries: the number of threads, a pair's head, then the kernel's parameters.
fn ptx_of_nn() -> String {
    let entry = entry_of_nn;
    let entries = OF_NN.map(|(format, bytes, code)| match format {
        "hand" => entry("hand_nn", "", 1, bytes, code),
        _ => {
            let (threads, head) = (".param .u32 threads, ", ".param .u32 head, ");
            entry(&format!("{format}_nn_scalar"), threads, 1, bytes, code)
                + &entry(&format!("{format}_nn_pair"), &format!("{threads}{head}"), 2, bytes, code)
                + &entry(&format!("{format}_many_nn_pair"), &format!("{threads}{head}"), 8, bytes, code)
        }
    });
    format!(".version 7.8\n.target sm_90\n{}", entries.concat())
}

/// Returns the counterparts in CUDA C++ of nn's entries, which have no lengths of slices.
fn ptx_of_peers() -> String {
    let entry = |name, i: usize| entry_of_nn(name, "", 1, 4, OF_NN[i].2);
    let mut text = format!(".version 7.8\n.target sm_90\n{}{}", entry("nn_f32", 0), entry("nn_f16x2", 3));
    for length in [" .param .u64 lat_n,", " .param .u64 lng_n,", ", .param .u64 out_n"] {
        assert_eq!(text.matches(length).count(), 2, "{length}");
        text = text.replace(length, "");
    }
    text
}

#[test]
fn what_the_machine_reports_is_a_failure() {
    // Each thread also writes its neighbour's first element. The value is equal, but it is a race.
    let (right, wider) = ("add.u64 %end, %at, 1;", "add.u64 %end, %at, 2;");
    let run = |text: &str, check| {
        let ptx = Ptx::parse("nn.ptx".to_owned(), text.to_owned()).unwrap();
        let device = Device::machine(ptx, Checks { check, schedule: Some(7) }).unwrap();
        let nn = benchmark("nn");
        let outcome = outcome(&*nn, Arithmetic::of(Format::F16), &device, &ProgressBar::hidden())?;
        Ok::<_, String>(outcome.problems)
    };
    let text = ptx_of_nn();
    let racy = text.replace(right, wider);
    assert_ne!(racy, text);
    assert_eq!(run(&text, Check::Race), Ok(vec![]));
    assert_eq!(run(&racy, Check::Memory), Ok(vec![]));
    let report = run(&racy, Check::Race).unwrap_err();
    assert!(report.starts_with("nn in f32, scalar: ") && report.contains("which nothing orders with"), "{report}");
}

/// Runs in a process of its own, started by the next test, whose `libcuda` executes PTX.
#[test]
#[ignore = "has no device by itself"]
fn on_written_kernels() {
    let folder = std::env::var_os("SUITE_PTX").expect("a folder with PTX");
    let chosen = [benchmark("nn")];
    let ended = super::run(&chosen, Arithmetic::of(Format::F16), Some(folder.as_ref()), None, super::On::Gpu, |_| {
        ProgressBar::hidden()
    });
    assert_eq!(ended.map_err(|e| e.to_string()), Ok(None));
}

/// Runs with times, as on a device.
#[test]
#[ignore = "has no device by itself"]
fn on_written_kernels_for_their_time() {
    let gpu = super::driver::open().unwrap().unwrap_or_else(|absent| panic!("{absent}"));
    let ptx = Ptx::parse("nn.ptx".to_owned(), ptx_of_nn()).unwrap();
    let device = Device::new(gpu, vec![ptx]).unwrap().timed();
    let nn = benchmark("nn");
    let outcome = outcome(&*nn, Arithmetic::of(Format::F16), &device, &ProgressBar::hidden()).unwrap();
    assert_eq!(outcome.problems, [""; 0]);
    let times: Vec<_> = outcome.rows.iter().flat_map(|row| &row.results).map(|result| result.time).collect();
    assert!(times.len() == 8 && times.iter().all(|time| !time.is_zero()), "{times:?}");
    assert!(device.done().starts_with("8 launches of 8 entries; times are the device's"), "{}", device.done());
}

/// Fills a small device, with kernels in CUDA C++.
#[test]
#[ignore = "has no device by itself"]
fn on_a_filled_device() {
    let gpu = super::driver::open().unwrap().unwrap_or_else(|absent| panic!("{absent}"));
    let folder = std::env::var_os("SUITE_PTX").expect("a folder with PTX");
    let ptx = Ptx::parse("nn.ptx".to_owned(), ptx_of_nn()).unwrap();
    let device = Device::new(gpu, vec![ptx]).unwrap();
    let device = device.with_peers(Peers::read(folder.as_ref()).unwrap()).unwrap();
    let card = device.card().unwrap().expect("a driver has a device");
    assert!(card.threads.is_multiple_of(2048) && card.cache == 4 << 20, "{card:?}");
    let card = Card { threads: 1000, cache: 20_000 };
    for size in [Size::fill(card), Size::fill(card).even()] {
        let names = ["nn".to_owned()];
        super::fill::run_on(&device, size, &names, Arithmetic::of(Format::F16), |_| ProgressBar::hidden()).unwrap();
    }
}

/// Runs a test with `ptxf-cuda` as the driver. Returns `true` for success, and the output.
#[cfg(target_os = "linux")]
fn with_library(test: &str, variables: &[(&str, &std::ffi::OsStr)]) -> (bool, String) {
    let folder = ptxf_cuda::Folder::new(&ptxf_cuda::library().unwrap()).unwrap();
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("gpu::tests::{test}"), "--ignored", "--nocapture"]);
    // The target of the other tests.
    command.env("LD_LIBRARY_PATH", folder.path()).env("PTXF_VM_LEFT", "1").env("PTXF_VM_SM", "90");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    (output.status.success(), text.into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn every_call_is_one_that_a_driver_takes() {
    let folder = std::env::temp_dir().join(format!("ptxf-suite-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("suite-sm_90.ptx"), ptx_of_nn()).unwrap();
    let run = |variable: &str, value: &str| {
        with_library("on_written_kernels", &[("SUITE_PTX", folder.as_ref()), (variable, value.as_ref())])
    };
    let nothing_left = "ended: 0 allocations (0 bytes), 0 events and 0 streams left";
    let (good, text) = run("PTXF_VM_STRICT", "1");
    assert!(good && text.contains("8 launches of 8 entries; times are those of one execution of the PTX on this CPU"));
    assert!(text.contains("ptxf-vm (this CPU computed it), sm_90") && text.contains(nothing_left));
    let (good, text) = with_library("on_written_kernels_for_their_time", &[("PTXF_VM_STRICT", "1".as_ref())]);
    assert!(good && text.contains(nothing_left));
    // The fault hits the sixth word of the kernel's output.
    let (good, text) = run("PTXF_VM_FAULTS", "byte:hand_nn:7:20:01");
    assert!(!good && text.contains("nn in f16, by hand: out[10] is") && text.contains("1 results are wrong"));
    let (good, text) = run("PTXF_VM_PTX", "7.7");
    assert!(!good && text.contains("PTXF_VM_PTX=7.7 is the newest that is accepted"), "the compiler's words are shown");
    let (good, text) = run("PTXF_VM_DEVICES", "0");
    assert!(!good && text.contains("NO GPU WAS USED: the driver does not start"));
    assert!(text.contains("8 launches of 8 entries would have run, and pass what suite-sm_90.ptx declares"));
    std::fs::write(folder.join("yardstick-sm_90.ptx"), ptx_of_peers()).unwrap();
    let fill = |faults: &str| {
        with_library("on_a_filled_device", &[("SUITE_PTX", folder.as_ref()), ("PTXF_VM_FAULTS", faults.as_ref())])
    };
    let (good, text) = fill("");
    // Pairs of an odd number of elements have no counterpart in CUDA C++.
    assert!(good && text.contains("18 launches of 9 entries") && text.contains(nothing_left));
    assert!(text.matches("9999").count() >= 3 && text.matches("10000").count() >= 3);
    // A word of a pair kernel's output differs from `scalar`'s; one of `scalar`'s from the CPU's.
    let (good, text) = fill("byte:in_f16_nn_pair:9:20:01");
    assert!(!good && text.contains("nn in f16, pair: out[10] is") && text.contains("from scalar's"));
    std::fs::write(folder.join("yardstick-sm_90.ptx"), ptx_of_peers().replace("sub.rn.f16x2", "add.rn.f16x2")).unwrap();
    let (good, text) = fill("");
    assert!(!good && text.contains("nn in f16, nvcc: ") && text.contains("far from the suite's"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Runs in a process of its own, started by a test of compiled kernels, whose `libcuda` executes
/// PTX.
#[test]
#[ignore = "has no device by itself"]
fn on_this_cpu() {
    let chosen = benchmarks::all(Size::QUICK);
    let ended = super::run(&chosen, Arithmetic::of(Format::F16), None, None, super::On::Gpu, |_| ProgressBar::hidden());
    assert_eq!(ended.map_err(|e| e.to_string()), Ok(None));
}
