//! `mbarrier`: phases, the order that they establish, and wrong uses.

use ptxf_vm::{Arg, Check, Fault, FaultKind, Machine, Module, Report, ReportKind};

use crate::support::{OWN_WORD, entry, module};

const SHARED: &str = ".shared .align 8 .b64 bar;\n.shared .align 4 .b8 s[512];";

/// Runs a body for 128 threads with all checks. Returns the words of the buffer and the reports.
/// `%r2` is the shared address of the thread's word, and `%r3` of the word of thread 127 minus its
/// number.
fn run(body: &str, count: u32) -> Result<(Vec<u32>, Vec<Report>), Fault> {
    let head = format!(
        "ld.param.u64 %rd1, [x];\n{OWN_WORD}mov.u32 %r9, s;\nmad.lo.u32 %r2, %r1, 4, %r9;\nsub.u32 %r3, 127, %r1;\n\
         mad.lo.u32 %r3, %r3, 4, %r9;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [bar], {count};\nbar.sync 0;\n"
    );
    let text = module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", ".param .u64 x", &(head + body))));
    let mut machine = Machine::new().check(Check::Race);
    machine.set_limit(1 << 20);
    let program = machine.load(&Module::parse(&text).unwrap()).unwrap();
    let entry = program.entry("k").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let x = machine.buffer(&[0_u32; 128]);
    machine.launch(&entry, 1, 128, 0, &[Arg::from(x)])?;
    Ok((machine.values(x).unwrap(), machine.reports().to_vec()))
}

/// Each thread writes its number, and reads another thread's word after `between`.
fn exchanged(between: &str) -> (Vec<u32>, Vec<Report>) {
    let body = format!("st.shared.u32 [%r2], %r1;\n{between}\nld.shared.u32 %r5, [%r3];\nst.global.u32 [%rd2], %r5;");
    run(&body, 128).unwrap_or_else(|e| panic!("{e}\n{body}"))
}

#[test]
fn a_phase_that_is_over_orders_what_was_before_the_arrivals() {
    let other: Vec<u32> = (0..128).map(|i| 127 - i).collect();
    for between in [
        // By the state, as in PTX 7.0, and by the parity of the first phase.
        "mbarrier.arrive.shared.b64 %rd3, [bar];\nagain:\nmbarrier.test_wait.shared.b64 %p2, [bar], %rd3;\n@!%p2 bra again;",
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [bar], 1;\nagain:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [bar], 0, 1000;\n\
         @%p2 bra over;\nbra again;\nover:",
        // By a generic address.
        "mov.u64 %rd4, bar;\ncvta.shared.u64 %rd4, %rd4;\nmbarrier.arrive.b64 %rd3, [%rd4];\nagain:\nmbarrier.try_wait.b64 %p2, [%rd4], %rd3;\n@!%p2 bra again;",
        // Warps that only wait for the bytes that the first thread announces and completes.
        "mbarrier.arrive.b64 _, [bar];\n@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 64;\nbar.sync 0;\n\
         @%p1 mbarrier.complete_tx.shared::cta.b64 [bar], 64;\nagain:\nmbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra again;",
    ] {
        let (words, reports) = exchanged(between);
        assert_eq!((words, reports.as_slice()), (other.clone(), &[][..]), "{between}");
    }
    // No thread waits.
    let (_, reports) = exchanged("mbarrier.arrive.shared.b64 %rd3, [bar];");
    assert!(reports.iter().any(|r| r.kind() == ReportKind::Race), "{reports:?}");
    // An arrival before the object exists is a race.
    let (_, reports) = exchanged(
        "setp.eq.u32 %p3, %r1, 127;\n@%p3 mbarrier.init.shared.b64 [bar], 128;\nmbarrier.arrive.shared.b64 %rd3, [bar];\nbar.sync 0;",
    );
    let is_init = |r: &Report| r.kind() == ReportKind::Race && r.what().starts_with("write of 8 bytes");
    assert!(reports.iter().any(is_init), "{reports:?}");
}

#[test]
fn phases_follow_each_other_and_expect_those_who_stay() {
    // The first warp waits three times for itself alone. Its lane 31 leaves after the first phase.
    let body = "
        setp.ge.u32 %p3, %r1, 32;
        @%p3 ret;
        mov.u32 %r6, 0;
        setp.eq.u32 %p4, %r1, 31;
        @%p4 mbarrier.arrive_drop.shared.b64 _, [bar];
        @%p4 ret;
        again:
        mbarrier.arrive.shared.b64 %rd3, [bar];
        wait:
        mbarrier.test_wait.shared.b64 %p2, [bar], %rd3;
        @!%p2 bra wait;
        add.u32 %r6, %r6, 1;
        setp.lt.u32 %p2, %r6, 3;
        @%p2 bra again;
        mbarrier.arrive.noComplete.shared.b64 %rd3, [bar], 1;
        mbarrier.pending_count.b64 %r7, %rd3;
        mad.lo.u32 %r6, %r7, 10, %r6;
        st.global.u32 [%rd2], %r6;";
    let (words, reports) = run(body, 32).unwrap();
    let mut found = words[..31].to_vec();
    // Each thread found another number of pending arrivals.
    found.sort_unstable();
    assert_eq!(found, (1..=31).map(|pending| 10 * pending + 3).collect::<Vec<_>>());
    assert_eq!((words[31], reports), (0, vec![]));
}

#[test]
fn what_an_object_cannot_be_is_a_fault() {
    for (body, what) in [
        ("mbarrier.arrive.shared.b64 _, [bar], 3;", "3 arrivals at an mbarrier whose phase waits for 2"),
        (
            "mbarrier.inval.shared.b64 [bar];\nmbarrier.arrive.shared.b64 _, [bar];",
            "1 arrivals at an mbarrier whose phase waits for 0",
        ),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 2000000;", "waits for 2000000 bytes"),
        ("mbarrier.arrive.b64 _, [%rd1];", "where no mbarrier is: they are in shared memory"),
    ] {
        let fault = run(&format!("@!%p1 ret;\n{body}"), 2).unwrap_err();
        assert!(fault.kind() == FaultKind::Synchronization && fault.what().contains(what), "{body}: {fault}");
    }
    // No thread ends the phase.
    let fault = run("again:\nmbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra again;", 2).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Limit);
    let text =
        module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", "", "mbarrier.arrive.global.b64 _, [%r1];")));
    let error = Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
    assert!(error.what().contains("supported for `mbarrier`"), "{error}");
}
