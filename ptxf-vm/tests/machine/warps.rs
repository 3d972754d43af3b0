//! Instructions among the lanes of a warp.

use ptxf_vm::{Arg, Check, FaultKind, Machine, Module};

use crate::support::{OWN_WORD, entry, module, run};

fn each_lane(body: &str) -> Vec<u32> {
    run(&format!("{OWN_WORD}{body}\nst.global.u32 [%rd2], %r9;"), 32, &[0; 32]).unwrap()
}

#[test]
fn shuffles_read_other_lanes_of_the_segment() {
    let expected = |f: fn(u32) -> u32| (0..32).map(f).collect::<Vec<_>>();
    assert_eq!(each_lane("shfl.sync.down.b32 %r9, %r1, 1, 31, -1;"), expected(|i| if i < 31 { i + 1 } else { i }));
    assert_eq!(each_lane("shfl.sync.up.b32 %r9|%p1, %r1, 2, 0, -1;"), expected(|i| if i >= 2 { i - 2 } else { i }));
    assert_eq!(each_lane("shfl.sync.bfly.b32 %r9, %r1, 3, 31, -1;"), expected(|i| i ^ 3));
    assert_eq!(each_lane("shfl.sync.idx.b32 %r9, %r1, 5, 31, 0xffffffff;"), expected(|_| 5));
    // Segments of eight lanes.
    assert_eq!(each_lane("shfl.sync.idx.b32 %r9, %r1, 2, 0x181f, -1;"), expected(|i| i / 8 * 8 + 2));
    assert_eq!(
        each_lane("shfl.sync.down.b32 %r9, %r1, 4, 0x181f, -1;"),
        expected(|i| if i % 8 < 4 { i + 4 } else { i })
    );
    let found = each_lane("shfl.sync.up.b32 %r8|%p1, %r1, 1, 0, -1;\nselp.u32 %r9, 1, 0, %p1;");
    assert_eq!(found.iter().sum::<u32>(), 31);
}

#[test]
fn votes_matches_and_reductions_agree() {
    let even = "and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n";
    assert_eq!(each_lane(&format!("{even}vote.sync.ballot.b32 %r9, %p1, -1;")), [0x5555_5555; 32]);
    assert_eq!(each_lane(&format!("{even}vote.sync.any.pred %p2, %p1, -1;\nselp.u32 %r9, 1, 0, %p2;")), [1; 32]);
    assert_eq!(each_lane(&format!("{even}vote.sync.all.pred %p2, %p1, -1;\nselp.u32 %r9, 1, 0, %p2;")), [0; 32]);
    assert_eq!(each_lane(&format!("{even}vote.sync.uni.pred %p2, !%p1, -1;\nselp.u32 %r9, 1, 0, %p2;")), [0; 32]);
    let found = each_lane(&format!("{even}match.any.sync.b32 %r9, %r3, -1;"));
    assert_eq!((found[0], found[1]), (0x5555_5555, 0xaaaa_aaaa));
    assert_eq!(each_lane(&format!("{even}match.all.sync.b32 %r9|%p2, %r3, -1;")), [0; 32]);
    assert_eq!(each_lane("redux.sync.add.s32 %r9, %r1, -1;"), [496; 32]);
    assert_eq!(each_lane("sub.s32 %r3, %r1, 3;\nredux.sync.min.s32 %r9, %r3, -1;"), [-3_i32 as u32; 32]);
    assert_eq!(each_lane("elect.sync %r8|%p1, -1;\nselp.u32 %r9, 1, 0, %p1;").iter().sum::<u32>(), 1);
}

#[test]
fn lanes_wait_for_the_members_of_their_mask() {
    // The lower half comes later, on another path.
    let body = format!(
        "{OWN_WORD}setp.lt.u32 %p1, %r1, 16;\n@!%p1 bra meet;\nmov.u32 %r3, 0;\nturn: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 100;\n@%p2 bra turn;\nmeet: \
         shfl.sync.bfly.b32 %r9, %r1, 16, 31, -1;\nst.global.u32 [%rd2], %r9;"
    );
    assert_eq!(run(&body, 32, &[0; 32]).unwrap(), (0..32).map(|i| i ^ 16).collect::<Vec<u32>>());
    // Each half runs alone.
    let body = format!(
        "{OWN_WORD}setp.lt.u32 %p1, %r1, 16;\n@%p1 bra low;\nshfl.sync.idx.b32 %r9, %r1, 20, 31, 0xffff0000;\nbra end;\nlow: shfl.sync.idx.b32 %r9, %r1, 3, 31, \
         0x0000ffff;\nend: bar.warp.sync -1;\nactivemask.b32 %r8;\nst.global.u32 [%rd2], %r9;"
    );
    assert_eq!(run(&body, 32, &[0; 32]).unwrap(), (0..32).map(|i| if i < 16 { 3 } else { 20 }).collect::<Vec<u32>>());
    // Lanes that have exited are not waited for.
    let body = format!(
        "{OWN_WORD}setp.gt.u32 %p1, %r1, 7;\n@%p1 exit;\nvote.sync.ballot.b32 %r9, 1, -1;\nst.global.u32 [%rd2], %r9;"
    );
    assert_eq!(run(&body, 32, &[0; 32]).unwrap()[..9], [255, 255, 255, 255, 255, 255, 255, 255, 0]);
}

#[test]
fn a_wrong_mask_is_a_fault() {
    for (body, what) in [
        ("shfl.sync.idx.b32 %r9, %r1, 0, 31, 0xfffffffe;", "without the thread itself, lane 0"),
        ("vote.sync.ballot.b32 %r9, 1, %r1;", "without the thread itself, lane 0"),
    ] {
        let fault = run(&format!("{OWN_WORD}{body}"), 32, &[0; 32]).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Synchronization, "{fault}");
        assert!(fault.what().contains(what), "{fault}");
    }
}

#[test]
fn a_lane_that_is_not_there_is_undefined_and_a_fault_for_the_strictest_check() {
    let body = format!(
        "ld.param.u64 %rd1, [x];\n{OWN_WORD}setp.gt.u32 %p1, %r1, 7;\n@%p1 exit;\n\
         shfl.sync.idx.b32 %r9, %r1, 9, 31, -1;\nst.global.u32 [%rd2], %r9;"
    );
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", &body));
    for (check, is_fault) in [(Check::Memory, false), (Check::Init, false), (Check::Race, true)] {
        let mut machine = Machine::new().check(check);
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
        let x = machine.buffer(&[0_u32; 32]);
        let done = machine.launch(&entry, 1, 32, 0, &[Arg::from(x)]);
        assert_eq!(done.is_err(), is_fault, "{check:?}");
        if let Err(fault) = done {
            assert!(fault.to_string().contains("reads from lane 9"), "{fault}");
        }
    }
}
