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
    let entries = ptxf_build::entries(&ptx.text);
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
fn an_argument_of_another_width_is_not_launched() {
    // threads, head, n, lat, lng, lat0, lng0, out
    let right = ["u32", "u32", "u64", "u64", "u64", "u64", "u64", "f32", "f32", "u64", "u64"];
    let list = |types: &[&str]| types.iter().map(|t| format!("\t.param .{t} p")).collect::<Vec<_>>().join(",\n");
    assert_eq!(run_nn(&list(&right)), Ok(()));
    let without_head = run_nn(&list(&right[1..])).unwrap_err();
    assert!(without_head.starts_with("in_f16_nn_pair takes arguments of [4, 8, 8"), "{without_head}");
    let mut swapped = right;
    swapped.swap(6, 7);
    assert!(run_nn(&list(&swapped)).is_err());
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
    assert!(Ptx::parse("a.ptx".to_owned(), "no PTX".to_owned()).is_err());
}
