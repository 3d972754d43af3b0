//! `cp.async`: memory before and after a wait, and the reports of the checks.

use ptxf_vm::{Arg, Check, FaultKind, Machine, Module, Report, ReportKind};

use crate::support::{OWN_WORD, entry, load, module, run_with};

const SHARED: &str = ".shared .align 16 .b8 s[1024];";

/// `%r2` is the shared address of the thread's word, and `%rd2` its address in global memory.
const MORE: &str = "mov.u32 %r2, s;\nmad.lo.u32 %r2, %r1, 4, %r2;\n";

fn words(body: &str, threads: u32, x: &[u32]) -> Vec<u32> {
    run_with(SHARED, &format!("{OWN_WORD}{MORE}{body}"), threads, x).unwrap_or_else(|e| panic!("{e}\n{body}"))
}

#[test]
fn a_wait_ends_the_groups_that_are_old_enough() {
    // Reads before a wait, after the first of two groups, and after both, at three places.
    let body = "
        add.u32 %r3, %r2, 256;
        st.shared.u32 [%r2], 7;
        st.shared.u32 [%r3], 7;
        cp.async.ca.shared.global [%r2], [%rd2], 4;
        cp.async.commit_group;
        cp.async.ca.shared::cta.global.L2::128B [%r3], [%rd2+128], 4;
        cp.async.commit_group;
        ld.shared.u32 %r4, [%r2];
        cp.async.wait_group 1;
        ld.shared.u32 %r5, [%r2];
        ld.shared.u32 %r6, [%r3];
        cp.async.wait_group 0;
        ld.shared.u32 %r7, [%r3];
        st.global.u32 [%rd2], %r4;
        st.global.u32 [%rd2+128], %r5;
        st.global.u32 [%rd2+256], %r6;
        st.global.u32 [%rd2+384], %r7;";
    let x: Vec<u32> = (0..128).map(|i| 1000 + i).collect();
    let expected: Vec<u32> = (0..128)
        .map(|i| match i / 32 {
            0 | 2 => 7,
            1 => 1000 + i - 32,
            _ => 1000 + 32 + i - 96,
        })
        .collect();
    assert_eq!(words(body, 32, &x), expected);
}

#[test]
fn copies_have_three_sizes_and_zeros_behind_what_is_read() {
    let x: Vec<u32> = (1..=32).collect();
    // A thread copies to the bytes from 64 times its number on. Then the first 16 words are stored.
    let copied = |copy: &str| {
        let body = format!(
            "shl.b32 %r4, %r1, 6;\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, %r4;\nmov.u32 %r9, 16;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r1, 7;\n\
             st.shared.v4.u32 [%r3], {{%r9, %r9, %r9, %r9}};\n{copy}\ncp.async.wait_all;\nld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%r3];\n\
             @%p1 st.global.v4.u32 [%rd1], {{%r4, %r5, %r6, %r7}};"
        );
        words(&body, 2, &x)[..4].to_vec()
    };
    assert_eq!(copied("cp.async.ca.shared.global [%r3+4], [%rd1+4], 4;"), [16, 2, 16, 16]);
    assert_eq!(copied("cp.async.ca.shared.global [%r3+8], [%rd1+8], 8;"), [16, 16, 3, 4]);
    assert_eq!(copied("cp.async.cg.shared.global [%r3], [%rd1], 16;"), [1, 2, 3, 4]);
    assert_eq!(copied("mov.u32 %r8, 6;\ncp.async.cg.shared.global [%r3], [%rd1], 16, %r8;"), [1, 2, 0, 0]);
    assert_eq!(copied("cp.async.cg.shared.global [%r3], [0], 16, 0;"), [0; 4], "what is not read need not be there");
    assert_eq!(copied("cp.async.cg.shared.global [%r3], [0], 16, !%p2;\n"), [0; 4]);
    assert_eq!(copied("cp.async.cg.shared.global [%r3], [%rd1], 16, %p2;\n"), [1, 2, 3, 4]);
    // Only lanes whose guard is true copy and wait.
    assert_eq!(copied("@%p2 cp.async.cg.shared.global [%r3], [%rd1], 16;"), [16; 4]);
    assert_eq!(
        copied(
            "@!%p2 cp.async.cg.shared.global [%r3], [%rd1], 16;\ncp.async.commit_group;\n@!%p2 cp.async.wait_group 0;"
        ),
        [1, 2, 3, 4]
    );
    assert_eq!(
        copied("cp.async.cg.shared.global.L2::cache_hint [%r3], [%rd1], 16, %rd1;"),
        [1, 2, 3, 4],
        "a policy is no size"
    );
}

#[test]
fn a_pipeline_of_two_stages_sums_what_it_copies() {
    // Each thread sums 16 words at a distance of 128, and copies the next word while it adds one.
    let body = "
        mov.u32 %r5, 0;
        mov.u32 %r6, 0;
        mov.u64 %rd3, %rd2;
        cp.async.ca.shared.global [%r2], [%rd3], 4;
        cp.async.commit_group;
        next:
        add.u32 %r6, %r6, 1;
        and.b32 %r7, %r6, 1;
        mad.lo.u32 %r8, %r7, 512, %r2;
        add.u64 %rd3, %rd3, 128;
        setp.lt.u32 %p1, %r6, 16;
        @%p1 cp.async.ca.shared.global [%r8], [%rd3], 4;
        cp.async.commit_group;
        cp.async.wait_group 1;
        xor.b32 %r7, %r7, 1;
        mad.lo.u32 %r8, %r7, 512, %r2;
        ld.shared.u32 %r9, [%r8];
        add.u32 %r5, %r5, %r9;
        @%p1 bra next;
        st.global.u32 [%rd2], %r5;";
    let x: Vec<u32> = (0..512).map(|i| i * i).collect();
    let sums: Vec<u32> = (0..32).map(|i| (0..16).map(|k| x[i + 32 * k]).sum()).collect();
    assert_eq!(words(body, 32, &x)[..32], sums);
}

/// Returns the reports of a program for 64 threads, and its text.
fn checked(body: &str) -> (Vec<Report>, String) {
    let body = format!("ld.param.u64 %rd1, [x];\n{OWN_WORD}{MORE}xor.b32 %r3, %r2, 128;\n{body}");
    let text = module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", ".param .u64 x", &body)));
    let mut machine = Machine::new().check(Check::Race);
    let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
    let x = machine.buffer(&[1_u32; 64]);
    machine.launch(&entry, 1, 64, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (machine.reports().to_vec(), text)
}

#[test]
fn what_is_read_too_early_is_reported() {
    let copy = "cp.async.ca.shared.global [%r2], [%rd2], 4;\ncp.async.commit_group;\n";
    let (wait, barrier, own, other) =
        ("cp.async.wait_group 0;\n", "bar.sync 0;\n", "ld.shared.u32 %r4, [%r2];\n", "ld.shared.u32 %r5, [%r3];\n");
    let all = |parts: &[&str]| checked(&(copy.to_owned() + &parts.concat()));
    assert_eq!(all(&[wait, own, barrier, other]).0, []);
    let found = |parts: &[&str], kind, begins: &str| {
        let (reports, text) = all(parts);
        let line = 1 + text.lines().position(|line| line.starts_with(begins)).unwrap();
        assert!(reports.iter().any(|r| r.kind() == kind && r.line() == line), "{begins}: {reports:?}");
    };
    // A thread reads its own bytes before its wait.
    found(&[own, wait, barrier], ReportKind::UndefinedMemory, "ld.shared.u32 %r4");
    // A thread reads another thread's bytes after a barrier that came before the wait.
    found(&[barrier, other, wait], ReportKind::UndefinedMemory, "ld.shared.u32 %r5");
    let written = format!("st.shared.u32 [%r2], 1;\n{barrier}{copy}{barrier}{other}{wait}");
    let (reports, text) = checked(&written);
    let line = |begins: &str| 1 + text.lines().position(|line| line.starts_with(begins)).unwrap();
    let race = reports.iter().find(|r| r.kind() == ReportKind::Race).unwrap_or_else(|| panic!("{reports:?}"));
    assert!([line("ld.shared.u32 %r5"), line("cp.async.wait_group")].contains(&race.line()), "{race:?}");
}

#[test]
fn a_copy_that_cannot_be_is_a_fault_where_it_is_issued() {
    let fault = |copy: &str| {
        run_with(SHARED, &format!("{OWN_WORD}{MORE}mov.u32 %r9, 20;\n{copy}\ncp.async.wait_all;"), 1, &[0; 4])
            .unwrap_err()
    };
    for (copy, kind, what) in [
        ("cp.async.ca.shared.global [%r2+1024], [%rd1], 4;", FaultKind::OutOfBounds, "asynchronous write of 4 bytes"),
        ("cp.async.ca.shared.global [%r2+2], [%rd1], 4;", FaultKind::Misaligned, "asynchronous write of 4 bytes"),
        ("cp.async.cg.shared.global [%r2], [%rd1+8], 16;", FaultKind::Misaligned, "asynchronous read of 16 bytes"),
        ("cp.async.cg.shared.global [%r2], [%rd1+16], 16;", FaultKind::OutOfBounds, "asynchronous read of 16 bytes"),
        (
            "cp.async.cg.shared.global [%r2], [%rd1], 16, %r9;",
            FaultKind::OutOfBounds,
            "a copy of 16 bytes that reads 20",
        ),
    ] {
        let fault = fault(copy);
        assert!(fault.kind() == kind && fault.what().contains(what), "{copy}: {fault}");
        assert!(fault.instruction().is_some_and(|text| copy.starts_with(text)), "{fault}");
    }
    let error = |body: &str| {
        let text = module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", "", body)));
        let mut machine = Machine::new();
        machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err().to_string()
    };
    assert!(error("cp.async.cg.shared.global [%r1], [%rd1], 8;").contains("16 is expected: how many bytes are copied"));
    assert!(error("cp.async.ca.shared.global [%r1], [%rd1], 2;").contains("4, 8 or 16 is expected"));
    assert!(error("cp.async.wait_group %r1;").contains("how many groups may be left is a number"));
    assert!(error("cp.async.mbarrier.wait.b64 [%rd1];").contains("supported for `cp`: .async.{ca cg}.shared.global"));
    drop(load(&module("8.8", "sm_100", &entry("k", "", "cp.async.commit_group;")), "k"));
}
