//! Counts, lost numbers, traces, and comparisons of two launches.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use ptxf_vm::{Arg, Counts, Filter, LineCount, Machine, Module, Report, ReportKind, Step};

use crate::support::{OWN_WORD, entry, load, module};

fn text(body: &str) -> String {
    let body = format!("ld.param.u64 %rd1, [x];\n{OWN_WORD}{body}");
    module("8.8", "sm_100", &format!(".shared .align 8 .b8 s[8192];\n{}", entry("k", ".param .u64 x", &body)))
}

/// Returns the line of the instruction that begins with this text.
fn line(body: &str, begins: &str) -> usize {
    1 + text(body).lines().position(|line| line.starts_with(begins)).unwrap()
}

fn counts(body: &str, blocks: u32, threads: u32, cores: usize) -> Counts {
    let mut machine = Machine::new().threads(NonZeroUsize::new(cores).unwrap());
    let entry =
        machine.load(&Module::parse(&text(body)).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
    let x = machine.buffer(&[0_u32; 8192]);
    machine.count(&entry, blocks, threads, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}"))
}

fn of(body: &str, begins: &str, blocks: u32, threads: u32) -> LineCount {
    let line = line(body, begins);
    counts(body, blocks, threads, 1).lines().iter().find(|count| count.line == line).unwrap().clone()
}

#[test]
fn executions_lanes_and_ways_apart_are_counted() {
    let body = "setp.lt.u32 %p1, %r1, 10;\n@%p1 bra low;\nadd.u32 %r3, %r1, 1;\nbra join;\nlow: sub.u32 %r3, %r1, 1;\njoin: @%p1 mov.u32 %r4, 1;";
    let found = |begins| {
        let count = of(body, begins, 3, 40);
        (count.executed, count.lanes, count.divergent)
    };
    // Two warps in each of three blocks, with 32 and 8 threads.
    assert_eq!(found("setp"), (6, 120, 0));
    assert_eq!(found("@%p1 bra"), (6, 30, 0));
    assert_eq!(found("add.u32"), (6, 90, 3));
    assert_eq!(found("low: sub"), (3, 30, 3));
    assert_eq!(found("join: @%p1"), (6, 30, 0));
    // An instruction that is lowered to several operations counts as one.
    let body = "cp.async.ca.shared.global [0], [%rd2], 4;\ncp.async.ca.shared.global [8], [%rd2], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n\
                setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [16], 1;\nmov.u32 %r3, %clock;";
    for begins in ["cp.async.wait", "@%p1 mbarrier", "mov.u32 %r3, %clock"] {
        assert_eq!(of(body, begins, 3, 40).executed, 6, "{begins}");
    }
    assert_eq!(of(body, "cp.async.wait", 3, 40).shared, 2 * 4 * 120);
    // Threads that exit do not diverge.
    assert_eq!(found("ret"), (6, 120, 0));
}

#[test]
fn arithmetic_is_counted_by_its_format() {
    let body = "fma.rn.f32 %r3, %r1, %r1, %r1;\nfma.rn.f16x2 %r3, %r1, %r1, %r1;\nadd.rn.f64 %rd3, %rd1, %rd1;\nmin.f32 %r3, %r1, %r1;\n\
                cvt.rn.f16.f32 %h1, %r1;\nadd.bf16 %h1, %h1, %h1;\nred.global.add.f32 [%rd1], 0f3F800000;\n@%p1 ex2.approx.f32 %r3, %r1;";
    let body = &format!("setp.eq.u32 %p1, %r1, 3;\n{body}");
    let mut flops = counts(body, 1, 32, 1).total().flops;
    flops.sort_unstable();
    assert_eq!(flops, [("bf16", 32), ("f16", 128), ("f32", 64 + 32 + 1), ("f64", 32)]);
}

#[test]
fn accesses_of_global_memory_are_counted_in_sectors() {
    for (access, read, written, sectors) in [
        ("ld.global.u32 %r3, [%rd2];", 128, 0, 4),
        ("ld.global.u32 %r3, [%rd1];", 128, 0, 1),
        ("st.global.u8 [%rd2+3], %r1;", 0, 32, 4),
        ("mad.lo.u64 %rd3, %rd5, 64, %rd1;\nld.global.v2.u32 {%r3, %r4}, [%rd3];", 256, 0, 32),
        ("red.global.add.u32 [%rd2], 1;", 128, 128, 4),
        ("setp.lt.u32 %p1, %r1, 9;\n@%p1 st.global.u32 [%rd2], 1;", 0, 36, 2),
    ] {
        let begins = access.lines().last().unwrap();
        let count = of(&format!("cvt.u64.u32 %rd5, %r1;\n{access}"), begins, 1, 32);
        assert_eq!((count.read, count.written, count.requests, count.sectors), (read, written, 1, sectors), "{access}");
        assert_eq!((count.shared, count.conflicts), (0, 0));
    }
}

#[test]
fn lanes_that_meet_in_a_bank_are_counted() {
    for (stride, conflicts) in [(4, 0), (8, 1), (128, 31), (132, 0), (0, 0)] {
        let body = format!("mov.u32 %r5, s;\nmad.lo.u32 %r5, %r1, {stride}, %r5;\nst.shared.u32 [%r5], %r1;");
        let count = of(&body, "st.shared", 2, 32);
        assert_eq!((count.shared, count.conflicts, count.requests), (256, 2 * conflicts, 0), "{stride}");
    }
}

#[test]
fn counts_are_the_same_on_any_number_of_cores() {
    let body = "mov.u32 %r2, 0;\nmov.u32 %r3, %ctaid.x;\nadd.u32 %r3, %r3, %r1;\nloop:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r3;\n@%p1 bra \
                loop;\nshfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;\nbar.warp.sync -1;\nbar.sync 0;\nred.global.add.u32 [%rd2], %r4;\n\
                mov.u32 %r9, %clock;";
    let expected = counts(body, 37, 96, 1);
    assert!(expected.total().divergent > 0);
    assert_eq!(
        expected
            .lines()
            .iter()
            .filter(|count| count.text.starts_with("shfl"))
            .map(|c| (c.executed, c.lanes))
            .collect::<Vec<_>>(),
        [(111, 3552)]
    );
    for cores in [2, 8] {
        assert_eq!(counts(body, 37, 96, cores), expected, "{cores}");
    }
}

#[test]
fn functions_that_are_called_have_lines_of_their_own() {
    let items = ".func f(.reg .b32 a)\n{\n.reg .b32 %r<3>;\nadd.u32 %r1, a, 1;\nret;\n}\n";
    let text = module(
        "8.8",
        "sm_100",
        &format!("{items}{}", entry("k", "", "mov.u32 %r1, 7;\ncall f, (%r1);\ncall f, (%r1);")),
    );
    let (mut machine, entry) = load(&text, "k");
    let counts = machine.count(&entry, 2, 32, 0, &[]).unwrap();
    let add = counts.lines().iter().find(|count| count.text.starts_with("add.u32")).unwrap();
    assert_eq!((add.function.as_str(), add.line, add.executed), ("f", 7, 4));
}

fn births(body: &str, threads: u32, x: &[u32], bits: Option<u32>) -> Vec<Report> {
    let (mut machine, entry) = load(&text(body), "k");
    let x = machine.buffer(x);
    machine.births(&entry, 1, threads, 0, &[Arg::from(x)], bits).unwrap();
    machine.reports().to_vec()
}

#[test]
fn births_in_atomic_operations_are_of_what_each_lane_met() {
    use ptxf_vm::ReportKind::{Flush, Infinity, NaN};
    let found = |body: &str, threads: u32, first: f32| {
        let body = format!("mov.u32 %r5, s;\nst.shared.f32 [%r5], 0f00000001;\n{body}");
        let reports = births(&body, threads, &[first.to_bits(), 0], None);
        let of = |r: &Report| {
            (
                r.kind(),
                r.line() == line(&body, body.lines().last().unwrap()),
                r.count(),
                r.what().to_owned(),
                r.thread(),
            )
        };
        reports.iter().map(of).collect::<Vec<_>>()
    };
    let report = |kind, count, what: &str, lane| vec![(kind, true, count, what.to_owned(), [lane, 0, 0])];
    // 2^127 four times: the second sum overflows, and the next operands are infinite already.
    let sums = found("red.global.add.f32 [%rd1], 0f7F000000;", 4, 0.0);
    assert_eq!(sums, report(Infinity, 1, "`add.rn.ftz.f32` of 1.7014118e38, 1.7014118e38 is inf", 1));
    let sums = found("atom.global.add.f32 %r6, [%rd1], 0fFF800000;", 2, f32::INFINITY);
    assert_eq!(sums, report(NaN, 1, "`add.rn.ftz.f32` of inf, -inf is NaN", 0));
    // Subnormal numbers are flushed in global memory, and not in shared memory.
    assert_eq!(found("red.global.add.f32 [%rd1], 0f00000001;", 3, 1.0)[0].0, Flush);
    assert_eq!(found("red.global.add.f32 [%rd1], 0f00000001;", 3, 1.0)[0].2, 3);
    assert_eq!(found("red.shared.add.f32 [%r5], 0f00000001;", 3, 0.0), []);
    assert_eq!(found("red.global.add.u32 [%rd1], 0x7f800000;", 3, f32::INFINITY), [], "integers have no births");
}

#[test]
fn each_birth_is_reported_at_its_line_with_its_operands() {
    use ReportKind::{Cancellation, Flush, Infinity, NaN, Overflow};
    let bits = f32::to_bits;
    for (body, x, kind, what) in [
        ("sub.rn.f32 %r4, %r3, %r3;", f32::INFINITY, Some(NaN), "`sub.rn.f32` of inf, inf is NaN"),
        ("sqrt.rn.f32 %r4, %r3;", -1.0, Some(NaN), "`sqrt.rn.f32` of -1.0 is NaN"),
        ("sqrt.rn.f32 %r4, %r3;", f32::NAN, None, ""),
        ("rcp.rn.f32 %r4, %r3;", 0.0, Some(Infinity), "`rcp.rn.f32` of 0.0 is inf"),
        ("mul.rn.f32 %r4, %r3, %r3;", 1e30, Some(Infinity), "is inf"),
        ("mul.rn.f32 %r4, %r3, %r3;", f32::INFINITY, None, ""),
        ("cvt.rn.f16.f32 %h1, %r3;", 70000.0, Some(Overflow), "`cvt.rn.f16.f32` of 70000.0 is inf"),
        ("cvt.rz.f16.f32 %h1, %r3;", 70000.0, Some(Overflow), "is 65504.0"),
        ("cvt.rn.f16.f32 %h1, %r3;", 65519.0, None, ""),
        ("cvt.rn.f16x2.f32 %r4, %r3, 0f00000000;", 70000.0, Some(Overflow), "is (0.0, inf)"),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, 0f00000000, %r3;", 500.0, Some(Overflow), "is (448.0, 0.0)"),
        ("cvt.rzi.s32.f32 %r4, %r3;", 3e9, Some(Overflow), "is 2147483647"),
        ("cvt.rzi.u32.f32 %r4, %r3;", -0.5, None, ""),
        ("cvt.rzi.u8.f32 %r4, %r3;", 256.0, Some(Overflow), "is 255"),
        ("add.rn.ftz.f32 %r4, %r3, 0f3F800000;", 1e-40, Some(Flush), "`add.rn.ftz.f32` of 1e-40, 1.0 is 1.0"),
        ("mul.rn.ftz.f32 %r4, %r3, %r3;", 1e-20, Some(Flush), "is 0.0"),
        ("mul.rn.ftz.f32 %r4, %r3, %r3;", 1e-30, None, ""),
        ("mul.rn.f32 %r4, %r3, %r3;", 1e-20, None, ""),
        ("sub.rn.f32 %r4, %r3, 0f3F800000;", 1.0 + 1.0 / 8192.0, Some(Cancellation), "is 0.00012207031"),
        ("sub.rn.f32 %r4, %r3, 0f3F800000;", 1.0, Some(Cancellation), "is 0.0"),
        ("sub.rn.f32 %r4, %r3, 0f3F800000;", 1.0 + 1.0 / 4096.0, None, ""),
        ("sub.rn.f32 %r4, %r3, 0f00000000;", 0.0, None, ""),
        ("fma.rn.f32 %r4, %r3, %r3, 0fBF800000;", 1.00001, Some(Cancellation), "`fma.rn.f32` of"),
        ("add.rn.f32 %r4, %r3, %r3;", 1.5, None, ""),
        ("abs.f32 %r4, %r3;", f32::NEG_INFINITY, None, ""),
        ("selp.f32 %r4, 0f7F800000, %r3, 1;", 1.0, None, ""),
    ] {
        let body = format!("ld.global.u32 %r3, [%rd2];\n{body}");
        let found = births(&body, 1, &[bits(x)], None);
        let found: Vec<(ReportKind, usize)> = found
            .iter()
            .inspect(|report| assert!(report.what().contains(what), "{body} {x}: {report}"))
            .map(|report| (report.kind(), report.line()))
            .collect();
        let expected: Vec<(ReportKind, usize)> =
            kind.map(|kind| (kind, line(&body, body.lines().last().unwrap()))).into_iter().collect();
        assert_eq!(found, expected, "{body} {x}");
    }
}

#[test]
fn a_lane_of_a_pair_is_born_by_itself_and_the_first_thread_is_named() {
    let body = "ld.global.u32 %r3, [%rd2];\nmul.rn.f16x2 %r4, %r3, %r3;\nadd.rn.f16x2 %r5, %r4, %r4;";
    // 300 squared exceeds f16, in the upper lane of thread 37 and in both lanes of thread 40.
    let mut x = [0x3c00_3c00_u32; 64];
    (x[37], x[40]) = (0x5cb0_3c00, 0x5cb0_5cb0);
    let found = births(body, 64, &x, None);
    let [report] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((report.kind(), report.line(), report.count()), (ReportKind::Infinity, line(body, "mul.rn"), 2));
    assert_eq!((report.thread(), report.block()), ([37, 0, 0], [0; 3]));
    assert_eq!(report.what(), "`mul.rn.f16x2` of (1.0, 300.0), (1.0, 300.0) is (1.0, inf)");
    // 1.5 − 1.25 cancels two bits in f16.
    let body = "ld.global.u32 %r3, [%rd2];\nsub.rn.f16x2 %r4, %r3, 0x3d003d00;";
    assert_eq!(births(body, 1, &[0x3e00_3e00], None), []);
    assert_eq!(births(body, 1, &[0x3e00_3e00], Some(1)).len(), 1);
}

fn steps(body: &str, filter: &Filter) -> Vec<Step> {
    let (mut machine, entry) = load(&text(body), "k");
    let x = machine.buffer(&[0x3fc0_0000_u32; 128]);
    let steps = Mutex::new(Vec::new());
    machine.trace(&entry, 2, 40, 0, &[Arg::from(x)], filter, &|step| steps.lock().unwrap().push(step.clone())).unwrap();
    steps.into_inner().unwrap()
}

const STEPS: &str = "ld.global.f32 %r3, [%rd2];\nsetp.eq.u32 %p1, %r1, 35;\n@%p1 add.rn.f32 %r3, %r3, 0f3F800000;\nst.global.f32 [%rd2+256], %r3;";

#[test]
fn the_steps_of_a_thread_have_operands_and_results() {
    let of = |thread| Filter { thread: Some(thread), block: Some([1, 0, 0]), ..Filter::default() };
    let shown = |thread| steps(STEPS, &of(thread)).iter().map(ToString::to_string).collect::<Vec<_>>();
    let at = |begins| line(STEPS, begins);
    let lines = shown(35);
    assert_eq!(lines.len(), 9, "{lines:#?}");
    assert_eq!(
        lines[4..8],
        [
            format!(
                "{:>5}:  {:<44}  %r3 = 0x3fc00000 (1.5)  <-  %rd2 = 0x000010000000008c  at 0x10000000008c",
                at("ld.global"),
                "ld.global.f32 %r3, [%rd2];"
            ),
            format!(
                "{:>5}:  {:<44}  %p1 = true  <-  %r1 = 0x00000023, 0x00000023",
                at("setp"),
                "setp.eq.u32 %p1, %r1, 35;"
            ),
            format!(
                "{:>5}:  {:<44}  %r3 = 0x40200000 (2.5)  <-  %r3 = 0x3fc00000 (1.5), 0x3f800000 (1.0)",
                at("@%p1 add"),
                "@%p1 add.rn.f32 %r3, %r3, 0f3F800000;"
            ),
            format!(
                "{:>5}:  {:<44}  <-  %rd2 = 0x000010000000008c, %r3 = 0x40200000 (2.5)  at 0x10000000018c",
                at("st.global"),
                "st.global.f32 [%rd2+256], %r3;"
            ),
        ]
    );
    // The guard of another thread is false.
    assert_eq!(shown(34).len(), 8);
}

#[test]
fn steps_are_chosen_by_block_thread_line_and_register() {
    let count = |filter: Filter| steps(STEPS, &filter).len();
    assert_eq!(count(Filter::default()), 2 * (40 * 8 + 1));
    assert_eq!(count(Filter { block: Some([1, 0, 0]), ..Filter::default() }), 40 * 8 + 1);
    assert_eq!(count(Filter { thread: Some(39), ..Filter::default() }), 2 * 8);
    assert_eq!(count(Filter { thread: Some(40), ..Filter::default() }), 0);
    let lines = Some(line(STEPS, "ld.global")..=line(STEPS, "setp"));
    assert_eq!(count(Filter { lines, ..Filter::default() }), 2 * 40 * 2);
    assert_eq!(count(Filter { register: Some("%p1".to_owned()), ..Filter::default() }), 2 * 40);
    assert_eq!(count(Filter { register: Some("%r3".to_owned()), thread: Some(0), ..Filter::default() }), 2 * 2);
}

/// Two entries of one source: a polynomial in f32 and in f16, of the thread's number divided by 64.
fn polynomials() -> String {
    let wide = "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %r2, %r1;\n.loc 1 10 0\nmul.rn.f32 %r2, %r2, 0f3C800000;\n\
                .loc 1 11 0\nfma.rn.f32 %r3, %r2, %r2, %r2;\n.loc 1 12 0\nsub.rn.f32 %r4, %r3, %r2;\n";
    let half = "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\ncvt.rn.f16.u32 %h2, %r1;\nmov.b16 %h9, 0x2400;\n.loc 1 10 0\nmul.rn.f16 %h2, %h2, %h9;\n\
                .loc 1 11 0\nfma.rn.f16 %h3, %h2, %h2, %h2;\ncvt.f32.f16 %r3, %h3;\n.loc 1 12 0\nsub.rn.f16 %h4, %h3, %h2;\n";
    let both = entry("wide", ".param .u64 x", wide) + &entry("half", ".param .u64 x", half);
    module("8.8", "sm_100", &format!(".file 1 \"poly.rs\"\n{both}"))
}

#[test]
fn two_launches_are_compared_by_the_lines_of_their_source() {
    let module = Module::parse(&polynomials()).unwrap();
    let mut machine = Machine::new();
    let program = machine.load(&module).unwrap();
    let x = machine.buffer(&[0_u32; 64]);
    let mut record = |name: &str| {
        let entry = program.entry(name).unwrap_or_else(|e| panic!("{e}"));
        machine.record(&entry, 1, 64, 0, &[Arg::from(x)], &Filter::default()).unwrap()
    };
    let (wide, half) = (record("wide"), record("half"));
    assert_eq!(wide.compare(&wide, 0.0).first, None);
    let comparison = wide.compare(&half, 0.0);
    assert_eq!(comparison.compared, 3 * 64);
    let first = comparison.first.unwrap();
    // The first product is exact in both. The sum of squares is not exact if it has more than 11
    // bits.
    assert_eq!((first.source.clone(), first.thread), (("poly.rs".to_owned(), 11), 25));
    assert_eq!(
        first.instructions.map(|(_, text)| text),
        ["fma.rn.f32 %r3, %r2, %r2, %r2;", "fma.rn.f16 %h3, %h2, %h2, %h2;"]
    );
    let exact = 25.0 / 64.0 + 25.0 * 25.0 / 4096.0;
    assert_eq!(first.values[0], Some(exact));
    assert!(first.relative > 0.0 && first.relative < 1.0 / 2048.0);
    let lines: Vec<(u32, u64)> = comparison.lines.iter().map(|line| (line.largest.source.1, line.compared)).collect();
    assert_eq!(lines, [(11, 64), (12, 64)]);
    // The difference after the cancellation is larger than the one before it.
    assert!(comparison.lines[1].largest.relative > comparison.lines[0].largest.relative);
    assert_eq!(wide.compare(&half, 0.01).first, None);
}

#[test]
fn a_launch_that_goes_another_way_has_no_value_there() {
    let text = |turns: u32| {
        let body = format!(
            "mov.u32 %r1, 0;\nmov.f32 %r2, 0f3F800000;\nloop:\nadd.rn.f32 %r2, %r2, %r2;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, {turns};\n@%p1 bra loop;"
        );
        module("8.8", "sm_100", &entry("k", "", &body))
    };
    let record = |turns| {
        let (mut machine, entry) = load(&text(turns), "k");
        machine.record(&entry, 1, 1, 0, &[], &Filter::default()).unwrap()
    };
    let comparison = record(3).compare(&record(2), 0.0);
    let first = comparison.first.unwrap();
    assert_eq!((first.values, first.relative), ([Some(8.0), None], f64::INFINITY));
    assert_eq!((comparison.lines[0].compared, comparison.lines[0].different), (3, 1));
}
