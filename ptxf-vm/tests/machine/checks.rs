//! Checks report each kind of mistake at its line with its threads, and do not report correct
//! programs.

use std::num::NonZeroUsize;

use ptxf_vm::{Arg, Buffer, Check, Machine, Module, Report, ReportKind};

use crate::support::{OWN_WORD, entry, load, module};

/// Items of every program: shared memory, and numbers in global memory.
const ITEMS: &str = ".shared .align 8 .b8 s[1024];\n.global .align 4 .u32 lock;\n.global .align 4 .u32 ticket;\n.global .align 4 .u32 flag;";

/// `%r2` is the shared address of the thread's word, `%r3` the index of the block, and `%r4` the
/// number of the thread in the grid.
const MORE: &str = "mov.u32 %r2, s;\nmad.lo.u32 %r2, %r1, 4, %r2;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmad.lo.u32 %r4, %r3, %r5, %r1;\n";

fn text(body: &str) -> String {
    module(
        "8.8",
        "sm_100",
        &format!("{ITEMS}\n{}", entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}"))),
    )
}

/// Returns a machine with all checks, the program's entry, and a buffer of 1,024 words.
fn checked(body: &str) -> (Machine, ptxf_vm::Entry, Buffer) {
    let mut machine = Machine::new().check(Check::Race);
    let program = machine.load(&Module::parse(&text(body)).unwrap_or_else(|e| panic!("{e}"))).unwrap();
    let entry = program.entry("k").unwrap_or_else(|e| panic!("{e}"));
    let x = machine.buffer(&(0..1024_u32).collect::<Vec<_>>());
    (machine, entry, x)
}

fn reports(body: &str, blocks: u32, threads: u32) -> Vec<Report> {
    let (mut machine, entry, x) = checked(body);
    machine.launch(&entry, blocks, threads, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}\n{body}"));
    machine.reports().to_vec()
}

/// Returns the line of the instruction that begins with this text.
fn line(body: &str, begins: &str) -> usize {
    1 + text(body).lines().position(|line| line.starts_with(begins)).unwrap()
}

/// Programs without races and undefined values: the body, the blocks and the threads of the launch.
const RIGHT: [(&str, u32, u32); 11] = [
    // Each thread reads another thread's word of shared memory after a barrier, twice.
    (
        "st.shared.u32 [%r2], %r4;\nbar.sync 0;\nmov.u32 %r6, s;\nsub.u32 %r7, 127, %r1;\nmad.lo.u32 %r6, %r7, 4, %r6;\nld.shared.u32 %r8, [%r6];\n\
         bar.sync 0;\nst.shared.u32 [%r2], %r8;\nbar.sync 0;\nld.shared.u32 %r9, [%r6];\nmul.wide.u32 %rd3, %r4, 4;\nadd.u64 %rd3, %rd1, %rd3;\n\
         st.global.u32 [%rd3], %r9;",
        3,
        128,
    ),
    // A warp sums in shared memory, with a `.sync` between the steps.
    (
        "st.shared.u32 [%r2], %r1;\nbar.warp.sync -1;\nmov.u32 %r6, 16;\nstep:\nmad.lo.u32 %r7, %r6, 4, %r2;\nsetp.lt.u32 %p1, %r1, %r6;\n\
         mov.u32 %r8, 0;\n@%p1 ld.shared.u32 %r8, [%r7];\n@%p1 ld.shared.u32 %r9, [%r2];\n@%p1 add.u32 %r8, %r8, %r9;\nbar.warp.sync -1;\n\
         @%p1 st.shared.u32 [%r2], %r8;\nbar.warp.sync -1;\nshr.u32 %r6, %r6, 1;\nsetp.ne.u32 %p2, %r6, 0;\n@%p2 bra step;",
        1,
        32,
    ),
    // The last block reads the results of all others: a fence and a ticket.
    (
        "mul.wide.u32 %rd3, %r4, 4;\nadd.u64 %rd3, %rd1, %rd3;\nst.global.u32 [%rd3], %r4;\nbar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra out;\n\
         membar.gl;\natom.global.inc.u32 %r6, [ticket], 100;\nsetp.ne.u32 %p2, %r6, 3;\n@%p2 bra out;\nmov.u32 %r7, 0;\nmov.u32 %r8, 0;\nsum:\n\
         mul.wide.u32 %rd4, %r7, 4;\nadd.u64 %rd4, %rd1, %rd4;\nld.global.u32 %r9, [%rd4];\nadd.u32 %r8, %r8, %r9;\nadd.u32 %r7, %r7, 1;\n\
         setp.lt.u32 %p3, %r7, 256;\n@%p3 bra sum;\nst.global.u32 [%rd1], %r8;\nst.global.u32 [ticket], 0;\nout:",
        4,
        64,
    ),
    // One thread of each warp takes a lock around a plain access.
    (
        "and.b32 %r6, %r1, 31;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra out;\ntake:\natom.global.cas.b32 %r7, [lock], 0, 1;\nsetp.ne.u32 %p2, %r7, 0;\n\
         @%p2 bra take;\nfence.acq_rel.gpu;\nld.global.u32 %r8, [%rd1];\nadd.u32 %r8, %r8, 1;\nst.global.u32 [%rd1], %r8;\nfence.acq_rel.gpu;\n\
         atom.global.exch.b32 %r9, [lock], 0;\nout:",
        3,
        96,
    ),
    // A release and an acquire by loads and stores, within a block.
    (
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra write;\nsetp.ne.u32 %p2, %r1, 32;\n@%p2 bra out;\nlook:\nld.acquire.gpu.global.u32 %r6, [flag];\n\
         setp.eq.u32 %p2, %r6, 0;\n@%p2 bra look;\nld.global.u32 %r7, [%rd1];\nbra out;\nwrite:\nst.global.u32 [%rd1], 7;\n\
         st.release.gpu.global.u32 [flag], 1;\nout:",
        1,
        64,
    ),
    // The first warp produces, and the second one waits for it at their own barrier. The third warp
    // does neither.
    (
        "setp.ge.u32 %p1, %r1, 64;\n@%p1 bra out;\nsetp.lt.u32 %p2, %r1, 32;\n@%p2 bra first;\nbar.sync 3, 64;\nmov.u32 %r6, s;\n\
         sub.u32 %r7, %r1, 32;\nmad.lo.u32 %r6, %r7, 4, %r6;\nld.shared.u32 %r8, [%r6];\nbra out;\nfirst:\nst.shared.u32 [%r2], %r1;\nbar.arrive 3, 64;\nout:",
        1,
        96,
    ),
    // Atomic operations on one word, in both spaces, and a plain read after a barrier.
    (
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\natom.shared.add.u32 %r6, [s], 1;\nred.global.add.u32 [%rd1], 1;\n\
         bar.sync 0;\nld.shared.u32 %r7, [s];",
        4,
        64,
    ),
    // Two threads write two bytes each of one word.
    (
        "mov.u32 %r6, s;\nmad.lo.u32 %r6, %r1, 2, %r6;\ncvt.u16.u32 %h1, %r1;\nst.shared.u16 [%r6], %h1;\nbar.sync 0;\nshr.u32 %r7, %r1, 1;\n\
         mov.u32 %r8, s;\nmad.lo.u32 %r8, %r7, 4, %r8;\nld.shared.u32 %r9, [%r8];",
        2,
        64,
    ),
    // Values of other lanes, a function with a parameter in memory, and local memory.
    (
        "shfl.sync.bfly.b32 %r6|%p1, %r1, 1, 31, -1;\nvote.sync.ballot.b32 %r7, %p1, -1;\n.local .align 4 .b8 l[64];\nmov.u64 %rd3, l;\n\
         st.local.u32 [%rd3+4], %r6;\nld.local.u16 %h1, [%rd3+6];\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r7; call (b), twice, (a); \
         ld.param.b32 %r8, [b]; }\nadd.u32 %r9, %r8, %r7;",
        1,
        32,
    ),
    // Threads that exit early.
    (
        "setp.ge.u32 %p1, %r1, 40;\n@%p1 exit;\nst.shared.u32 [%r2], %r1;\nbar.sync 0;\nld.shared.u32 %r6, [s+156];",
        2,
        64,
    ),
    // A flag that is written and read as volatile.
    ("st.volatile.shared.u32 [s], 1;\nld.volatile.shared.u32 %r6, [s];", 1, 64),
];

const TWICE: &str = ".func (.param .b32 r) twice(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, [n];\nadd.u32 %r2, %r1, %r1;\n\
                     st.param.b32 [r], %r2;\nret;\n}\n";

/// Returns the body with its common start, in a module with the functions that it calls.
fn right(body: &str) -> String {
    let whole = text(&format!("{OWN_WORD}{MORE}{body}"));
    whole.replacen(".shared .align 8", &format!("{TWICE}.shared .align 8"), 1)
}

#[test]
fn right_programs_are_not_reported_and_have_one_result_in_every_order() {
    for (body, blocks, threads) in RIGHT {
        let text = right(body);
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut expected = None;
        for (cores, seed) in [1, 2, 8].map(|cores| (cores, None)).into_iter().chain((0..20).map(|seed| (2, Some(seed))))
        {
            let mut machine = Machine::new().check(Check::Race).threads(NonZeroUsize::new(cores).unwrap());
            machine.set_schedule(seed);
            let entry = machine.load(&module).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
            let x = machine.buffer(&(0..1024_u32).collect::<Vec<_>>());
            machine.launch(&entry, blocks, threads, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}\n{body}"));
            let reports: Vec<String> = machine.reports().iter().map(ToString::to_string).collect();
            assert!(reports.is_empty(), "{seed:?}: {body}\n{}", reports.join("\n"));
            let found = machine.values::<u32>(x).unwrap();
            assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{cores} {seed:?} {body}");
        }
    }
}

#[test]
fn each_kind_of_race_is_reported_with_both_lines() {
    for (name, body, blocks, threads, (begins, with), what) in [
        (
            "no barrier",
            "st.shared.u32 [%r2], %r1;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra out;\nxor.b32 %r6, %r2, 128;\nld.shared.u32 %r7, [%r6];\nout:",
            1,
            64,
            ("ld.shared.u32 %r7", "st.shared.u32 [%r2]"),
            "read of 4 bytes at 0x0 of shared memory, which nothing orders with the write by thread (0, 0, 0) of this block in line",
        ),
        (
            "lockstep is no order",
            "st.shared.u32 [%r2], %r1;\nxor.b32 %r6, %r2, 4;\nld.shared.u32 %r7, [%r6];",
            1,
            32,
            ("ld.shared.u32 %r7", "st.shared.u32 [%r2]"),
            "read of 4 bytes at 0x4 of shared memory, which nothing orders with the write by thread (1, 0, 0)",
        ),
        (
            "a mask without half of the warp",
            "st.shared.u32 [%r2], %r1;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra low;\nbar.warp.sync 0xffff0000;\nbra join;\nlow:\nbar.warp.sync \
             0xffff;\njoin:\nxor.b32 %r6, %r2, 64;\nld.shared.u32 %r7, [%r6];",
            1,
            32,
            ("ld.shared.u32 %r7", "st.shared.u32 [%r2]"),
            "of this block in line",
        ),
        (
            "a write after another thread's read",
            "st.shared.u32 [%r2], 0;\nbar.sync 0;\nsetp.lt.u32 %p1, %r1, 32;\nxor.b32 %r6, %r2, 128;\n@%p1 ld.shared.u32 %r7, [%r6];\n@!%p1 \
             st.shared.u32 [%r2], %r1;",
            1,
            64,
            ("@!%p1 st.shared.u32 [%r2], %r1", "@%p1 ld.shared.u32 %r7"),
            "write of 4 bytes at 0x80 of shared memory, which nothing orders with the read by thread (0, 0, 0)",
        ),
        (
            "half of a word",
            "mov.u32 %r6, s;\nmad.lo.u32 %r6, %r1, 2, %r6;\ncvt.u16.u32 %h1, %r1;\nst.shared.u16 [%r6], %h1;\nsetp.ne.u32 %p1, %r1, 40;\n@%p1 \
             bra out;\nld.shared.u16 %h2, [s+2];\nout:",
            1,
            64,
            ("ld.shared.u16 %h2", "st.shared.u16 [%r6]"),
            "read of 2 bytes at 0x2 of shared memory, which nothing orders with the write by thread (1, 0, 0)",
        ),
        (
            "two blocks",
            "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra out;\nst.global.u32 [%rd1+8], %r4;\nout:",
            2,
            32,
            ("st.global.u32 [%rd1+8]", "st.global.u32 [%rd1+8]"),
            "write of 4 bytes at 0x",
        ),
        (
            "a ticket without a fence",
            "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra out;\nmul.wide.u32 %rd3, %r4, 4;\nadd.u64 %rd3, %rd1, %rd3;\nst.global.u32 [%rd3], %r4;\n\
             atom.global.inc.u32 %r6, [ticket], 100;\nsetp.ne.u32 %p2, %r6, 1;\n@%p2 bra out;\nld.global.u32 %r7, [%rd1];\nld.global.u32 %r8, \
             [%rd1+128];\nout:",
            2,
            32,
            ("", "st.global.u32 [%rd3]"),
            "read of 4 bytes at 0x",
        ),
        (
            "an atomic operation and a plain one",
            "atom.shared.add.u32 %r6, [s], 1;\nsetp.eq.u32 %p1, %r1, 32;\n@%p1 ld.shared.u32 %r7, [s];",
            1,
            64,
            ("@%p1 ld.shared.u32 %r7", "atom.shared.add.u32"),
            "which nothing orders with the write by thread",
        ),
    ] {
        let body = format!("{OWN_WORD}{MORE}{body}");
        let all = reports(&body, blocks, threads);
        let races: Vec<&Report> = all.iter().filter(|report| report.kind() == ReportKind::Race).collect();
        let [race] = races[..] else { panic!("{name}: {all:#?}") };
        assert!(race.what().contains(what), "{name}: {race}");
        assert!(race.what().ends_with(&format!("in line {}", line(&body, with))), "{name}: {race}");
        if !begins.is_empty() {
            assert_eq!(race.line(), line(&body, begins), "{name}: {race}");
        }
        assert!(
            all.iter().all(|report| report.kind() == ReportKind::Race || name.contains("atomic")),
            "{name}: {all:#?}"
        );
    }
}

#[test]
fn writes_of_the_same_value_are_a_remark() {
    let body = format!("{OWN_WORD}{MORE}st.global.u32 [%rd1], 7;\nst.shared.u16 [s+2], 9;");
    let all = reports(&body, 2, 64);
    assert_eq!(all.len(), 2, "{all:#?}");
    assert!(all.iter().all(|report| report.is_remark() && report.what().ends_with("of the same value")));
    assert_eq!(all[1].count(), 2 * 63);
    // A value that is equal in one word and not in the next, and a value that was read in between.
    for (body, begins) in [
        ("st.global.v2.u32 [%rd1], {%r9, %r1};", "st.global.v2"),
        ("st.global.u16 [%rd1], %r9;\nst.global.u32 [%rd1], %r1;", "st.global.u32"),
        ("st.global.u32 [%rd1], %r9;\nld.global.u32 %r7, [%rd1];", "st.global.u32"),
    ] {
        let body = format!("{OWN_WORD}{MORE}mov.u32 %r9, 7;\n{body}");
        let is_race = |report: &Report| report.kind() == ReportKind::Race && report.line() == line(&body, begins);
        assert!(reports(&body, 1, 64).iter().any(is_race), "{body}");
    }
}

#[test]
fn what_nobody_wrote_is_reported_once_with_its_threads() {
    for (body, threads, kind, (begins, count), what) in [
        (
            "add.u32 %r6, %r7, %r1;\nadd.u32 %r8, %r7, %r6;",
            40,
            ReportKind::UndefinedRegister,
            ("add.u32 %r6", 40),
            "`%r7` is read, and nothing",
        ),
        (
            "setp.lt.u32 %p1, %r1, 10;\n@%p1 mov.u32 %r7, 1;\nadd.u32 %r6, %r7, 1;",
            32,
            ReportKind::UndefinedRegister,
            ("add.u32 %r6", 22),
            "`%r7` is read",
        ),
        // An undefined value is reported where it is used, and not if a selection drops it.
        (
            "mov.u32 %r6, %r7;\nsetp.lt.u32 %p1, %r1, 10;\nselp.u32 %r8, %r6, %r1, %p1;\nadd.u32 %r6, %r8, 1;",
            32,
            ReportKind::UndefinedRegister,
            ("add.u32 %r6", 10),
            "`%r8` is read",
        ),
        // Bytes may be joined in a register without a value, but not such a byte in one with one.
        (
            "bfi.b32 %r6, %r1, %r7, 0, 8;\nbfi.b32 %r6, %r1, %r6, 8, 24;\nbfi.b32 %r8, %r7, %r6, 8, 8;\nadd.u32 %r8, %r6, %r8;",
            32,
            ReportKind::UndefinedRegister,
            ("add.u32 %r8", 32),
            "`%r8` is read",
        ),
        (
            "mov.pred %p1, %p3;\n@%p1 mov.u32 %r6, 1;",
            32,
            ReportKind::UndefinedRegister,
            ("@%p1 mov", 32),
            "`%p1` is read",
        ),
        ("selp.u32 %r6, %r1, %r1, %p3;", 32, ReportKind::UndefinedRegister, ("selp", 32), "`%p3` is read"),
        ("@%p3 mov.u32 %r6, 1;", 32, ReportKind::UndefinedRegister, ("@%p3 mov", 32), "`%p3` is read"),
        ("fma.rn.f32 %r6, %r1, %r1, %r7;", 1, ReportKind::UndefinedRegister, ("fma", 1), "`%r7` is read"),
        (
            "ld.shared.u32 %r6, [%r2];",
            64,
            ReportKind::UndefinedMemory,
            ("ld.shared", 64),
            "read of 4 bytes at 0x0 of shared memory, of which nobody wrote 4",
        ),
        (
            "st.shared.u16 [%r2], 7;\nld.shared.u32 %r6, [%r2];",
            33,
            ReportKind::UndefinedMemory,
            ("ld.shared", 33),
            "of shared memory, of which nobody wrote 2",
        ),
        (
            ".local .align 4 .b8 l[16];\nst.local.u32 [l+4], %r1;\nld.local.v2.u32 {%r6, %r7}, [l];",
            3,
            ReportKind::UndefinedMemory,
            ("ld.local", 3),
            "read of 8 bytes at 0x0 of local memory, of which nobody wrote 4",
        ),
        (
            "atom.shared.add.u32 %r6, [s+8], 1;",
            5,
            ReportKind::UndefinedMemory,
            ("atom.shared", 1),
            "read of 4 bytes at 0x8 of shared memory",
        ),
    ] {
        let body = format!("{OWN_WORD}{MORE}{body}");
        let all = reports(&body, 1, threads);
        let [report] = &all[..] else { panic!("{body}: {all:#?}") };
        assert_eq!((report.kind(), report.line(), report.count()), (kind, line(&body, begins), count), "{report}");
        assert!(report.what().contains(what), "{report}");
    }
}

#[test]
fn what_was_allocated_and_not_written_is_undefined_until_somebody_writes() {
    let body = "ld.global.u32 %r2, [%rd1+4];\nst.global.u32 [%rd1+8], 5;\nld.global.u32 %r3, [%rd1+8];";
    let (mut machine, entry, _) = checked(body);
    let x = machine.alloc(12);
    let launch = |machine: &mut Machine| machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap();
    launch(&mut machine);
    let [report] = machine.reports() else { panic!("{:?}", machine.reports()) };
    assert_eq!((report.kind(), report.line()), (ReportKind::UndefinedMemory, line(body, "ld.global.u32 %r2")));
    assert!(report.what().contains("of buffer #2 of 12 bytes, of which nobody wrote 4"), "{report}");
    machine.write(x, 4, &[0; 2]).unwrap();
    launch(&mut machine);
    assert!(machine.reports()[0].what().ends_with("of which nobody wrote 2"), "{:?}", machine.reports());
    machine.write(x, 6, &[0; 2]).unwrap();
    launch(&mut machine);
    assert_eq!(machine.reports(), []);
}

#[test]
fn a_report_shows_the_line_the_thread_and_the_registers() {
    let body = format!("{OWN_WORD}{MORE}setp.lt.u32 %p1, %r1, 35;\n@%p1 bra out;\nadd.u32 %r6, %r1, %r7;\nout:");
    let all = reports(&body, 2, 64);
    assert_eq!(
        all[0].to_string(),
        format!(
            "`%r7` is read, and nothing was assigned to it; 58 times in this line, first here\n  kernel   k, block (0, 0, 0), thread (35, 0, 0), warp 1, \
             lane 3\n  PTX      {}:  add.u32 %r6, %r1, %r7;      %r1 = 0x00000023, %r7 = 0xa5a5a5a5",
            line(&body, "add.u32 %r6")
        )
    );
}

#[test]
fn checks_leave_results_as_they_are_and_memcheck_reports_nothing() {
    let body = format!(
        "{OWN_WORD}add.u32 %r3, %r1, %r7;\nst.global.u32 [%rd2], %r3;\nst.shared.u32 [s], %r1;\nld.shared.u32 %r4, [s];"
    );
    let (mut machine, entry, x) = checked(&body);
    machine.launch(&entry, 1, 32, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.reports().len(), 3, "{:#?}", machine.reports());
    let (mut plain, entry) = load(&text(&body), "k");
    let y = plain.buffer(&(0..1024_u32).collect::<Vec<_>>());
    plain.launch(&entry, 1, 32, 0, &[Arg::from(y)]).unwrap();
    assert_eq!(plain.values::<u32>(y).unwrap(), machine.values::<u32>(x).unwrap());
    assert_eq!(plain.reports(), []);
}

#[test]
fn a_race_shows_in_some_order() {
    // The last writer is not always the same.
    let body = format!("{OWN_WORD}{MORE}st.global.u32 [%rd1], %r4;");
    let (mut machine, entry, x) = checked(&body);
    let mut found = Vec::new();
    for seed in 0..20 {
        machine.set_schedule(Some(seed));
        machine.launch(&entry, 4, 96, 0, &[Arg::from(x)]).unwrap();
        assert!(machine.reports().iter().any(|report| report.kind() == ReportKind::Race));
        found.push(machine.values::<u32>(x).unwrap()[0] / 32);
    }
    found.sort_unstable();
    found.dedup();
    assert!(found.len() > 3, "{found:?}");
}
