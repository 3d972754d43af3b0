//! Clusters of blocks, and blocks that wait for later ones.

use std::num::NonZeroUsize;

use ptxf_vm::{Arg, Check, Entry, FaultKind, Machine, Module};

use crate::support::{entry, module};

/// Statements that set `%r1` to the block's rank, `%r2` to the size of the cluster, `%r3` to the
/// block's number, and `%rd2` to the address of its word.
const OWN: &str = "ld.param.u64 %rd1, [x];
    mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %ctaid.x;
    mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n";

fn load(machine: &mut Machine, directive: &str, items: &str, body: &str) -> Entry {
    let k = entry("k", ".param .u64 x", &format!("{OWN}{body}")).replacen('{', &format!("{directive}{{"), 1);
    let text = module("8.8", "sm_100", &format!("{items}{k}"));
    machine
        .load(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}")))
        .unwrap()
        .entry("k")
        .unwrap_or_else(|e| panic!("{e}"))
}

fn run(cluster: u32, items: &str, body: &str) -> Vec<u32> {
    let mut machine = Machine::new();
    let k = load(&mut machine, &format!(".reqnctapercluster {cluster}, 1, 1\n"), items, body);
    let x = machine.buffer(&[0_u32; 16]);
    machine.launch(&k, 8, 32, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}"));
    machine.values(x).unwrap()
}

#[test]
fn special_registers_are_of_the_cluster() {
    let mut machine = Machine::new();
    machine.set_cluster((2, 2, 1));
    let body = "mov.u32 %r4, %ctaid.y; mad.lo.u32 %r3, %r4, 4, %r3;
        mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;
        mov.u32 %r4, %clusterid.x; mov.u32 %r5, %clusterid.y; mov.u32 %r6, %nclusterid.x;
        mov.u32 %r7, %cluster_ctaid.x; mov.u32 %r8, %cluster_ctaid.y; mov.u32 %r9, %cluster_nctaid.y;
        mad.lo.u32 %r10, %r4, 10, %r5; mad.lo.u32 %r10, %r10, 10, %r6; mad.lo.u32 %r10, %r10, 10, %r7;
        mad.lo.u32 %r10, %r10, 10, %r8; mad.lo.u32 %r10, %r10, 10, %r9; mad.lo.u32 %r10, %r10, 10, %r1;
        mad.lo.u32 %r10, %r10, 10, %r2;
        st.global.u32 [%rd2], %r10;";
    let k = load(&mut machine, "", "", body);
    let x = machine.buffer(&[0_u32; 16]);
    machine.launch(&k, (4, 4), 1, 0, &[Arg::from(x)]).unwrap();
    let wanted = |i: u32| {
        let (x, y) = (i % 4, i / 4);
        let digits = [x / 2, y / 2, 2, x % 2, y % 2, 2, y % 2 * 2 + x % 2, 4];
        digits.into_iter().fold(0, |all, digit| 10 * all + digit)
    };
    assert_eq!(machine.values::<u32>(x).unwrap(), (0..16).map(wanted).collect::<Vec<_>>());
    let fault = machine.launch(&k, (3, 2), 1, 0, &[Arg::from(x)]).unwrap_err();
    assert!(fault.what().contains("whole clusters of [2, 2, 1]"), "{fault}");
    machine.set_cluster((32, 1, 1));
    let fault = machine.launch(&k, 32, 1, 0, &[Arg::from(x)]).unwrap_err();
    assert!(fault.what().contains("at most 16"), "{fault}");
}

#[test]
fn blocks_of_a_cluster_have_each_others_shared_memory() {
    // Lane 0 of each block adds to the word of every block, by generic and by shared addresses.
    let out = run(
        4,
        ".shared .align 16 .u32 s[8];\n",
        "mov.u32 %r4, %tid.x;
        setp.ne.u32 %p1, %r4, 0;
        mov.u32 %r6, s; cvt.u64.u32 %rd4, %r6; cvta.shared.u64 %rd4, %rd4;
        @!%p1 st.shared.u32 [s], 100;
        barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
        @%p1 bra END;
        mov.u32 %r5, 0;
    again:
        mapa.shared::cluster.u32 %r7, %r6, %r5;
        atom.shared::cluster.add.u32 %r8, [%r7], 1;
        mapa.u64 %rd5, %rd4, %r5;
        atom.add.u32 %r8, [%rd5], %r1;
        getctarank.u64 %r9, %rd5; setp.ne.u32 %p2, %r9, %r5; @%p2 trap;
        getctarank.shared::cluster.u32 %r9, %r7; setp.ne.u32 %p2, %r9, %r5; @%p2 trap;
        isspacep.shared::cluster %p2, %rd5; @!%p2 trap;
        isspacep.shared::cta %p2, %rd5; setp.eq.and.u32 %p3, %r1, %r5, !%p2; @%p3 trap;
        setp.ne.and.u32 %p3, %r1, %r5, %p2; @%p3 trap;
        add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %r2; @%p2 bra again;
    END:
        barrier.cluster.arrive; barrier.cluster.wait;
        ld.shared.u32 %r4, [s];
        st.global.u32 [%rd2], %r4;",
    );
    // 100, an addition of 1 by each of four blocks, and the ranks 0 to 3.
    assert_eq!(out[..8], [110; 8]);
}

#[test]
fn an_arrival_does_not_wait_and_threads_that_exit_are_not_waited_for() {
    // The block of rank 1 arrives, and then waits for a word that rank 0 writes after its wait.
    let out = run(
        2,
        ".shared .u32 s;\n",
        "mov.u32 %r4, %tid.x; setp.gt.u32 %p1, %r4, 3; @%p1 exit;
        st.shared.u32 [s], 0;
        barrier.cluster.arrive; barrier.cluster.wait;
        barrier.cluster.arrive.release;
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
    spin:
        ld.volatile.shared.u32 %r5, [s]; setp.eq.u32 %p2, %r5, 0; @%p2 bra spin;
        st.global.u32 [%rd2], %r5;
    WAIT:
        barrier.cluster.wait.acquire;
        mov.u32 %r6, s; mapa.shared::cluster.u32 %r6, %r6, 1;
        @%p1 st.shared::cluster.u32 [%r6], 7;
        barrier.cluster.arrive; barrier.cluster.wait;",
    );
    assert_eq!(out[..8], [0, 7, 0, 7, 0, 7, 0, 7]);
    let mut machine = Machine::new();
    for (body, what) in [
        ("barrier.cluster.wait;", "without an arrival before it"),
        ("barrier.cluster.arrive; barrier.cluster.arrive;", "a second arrival"),
        ("mov.u32 %r4, 0; mapa.shared::cluster.u32 %r4, %r4, 5;", "the address of rank 5 of 2 blocks"),
    ] {
        let k = load(&mut machine, ".reqnctapercluster 2\n", "", body);
        let x = machine.buffer(&[0_u32; 16]);
        let fault = machine.launch(&k, 2, 32, 0, &[Arg::from(x)]).unwrap_err();
        assert!(fault.what().contains(what), "{fault}");
    }
    let k = load(
        &mut machine,
        ".reqnctapercluster 2\n",
        "",
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra E; barrier.cluster.arrive; bar.sync 1, 64; barrier.cluster.wait; E: barrier.cluster.arrive; barrier.cluster.wait;",
    );
    let x = machine.buffer(&[0_u32; 16]);
    let fault = machine.launch(&k, 2, 32, 0, &[Arg::from(x)]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Deadlock);
}

#[test]
fn stores_and_copies_to_another_block_arrive_at_its_mbarrier() {
    // Each block sends 8 bytes by `st.async`, 4 by `red.async` and 16 by a bulk copy to the next.
    let out = run(
        4,
        ".shared .align 16 .b32 s[8];\n.shared .align 8 .b64 m;\n.shared .align 16 .b32 own[4];\n",
        "mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0; @%p1 bra END;
        mov.u64 %rd9, 32; st.bulk.weak.shared::cta [s], %rd9, 0;
        mov.u32 %r5, m; mbarrier.init.shared.b64 [m], 1;
        mbarrier.arrive.expect_tx.shared.b64 _, [m], 28;
        st.shared.v4.b32 [own], {%r3, 1, 2, %r3};
    END:
        barrier.cluster.arrive; barrier.cluster.wait;
        @%p1 bra OVER;
        add.u32 %r6, %r1, 1; rem.u32 %r6, %r6, %r2;
        mov.u32 %r7, s; mapa.shared::cluster.u32 %r7, %r7, %r6;
        mapa.shared::cluster.u32 %r8, %r5, %r6;
        add.u32 %r10, %r3, 10;
        st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r7], {%r10, 3}, [%r8];
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r7+8], 5, [%r8];
        mov.u32 %r11, own;
        cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7+16], [%r11], 16, [%r8];
    wait:
        mbarrier.try_wait.parity.shared.b64 %p2, [m], 0; @!%p2 bra wait;
        ld.shared.v4.b32 {%r12, %r13, %r14, %r15}, [s];
        ld.shared.v4.b32 {%r16, %r17, %r18, %r19}, [s+16];
        mad.lo.u32 %r12, %r12, 10, %r13; mad.lo.u32 %r12, %r12, 10, %r14; mad.lo.u32 %r12, %r12, 10, %r15;
        mad.lo.u32 %r12, %r12, 10, %r16; mad.lo.u32 %r12, %r12, 10, %r17; mad.lo.u32 %r12, %r12, 10, %r18;
        mad.lo.u32 %r12, %r12, 10, %r19;
        st.global.u32 [%rd2], %r12;
    OVER:
        barrier.cluster.arrive; barrier.cluster.wait;",
    );
    let wanted = |i: u32| {
        let from = i / 4 * 4 + (i + 3) % 4;
        [from + 10, 3, 5, 0, from, 1, 2, from].into_iter().fold(0, |all, digit| 10 * all + digit)
    };
    assert_eq!(out[..8], (0..8).map(wanted).collect::<Vec<_>>());
}

#[test]
fn a_bulk_copy_to_several_blocks_arrives_in_each() {
    let out = run(
        4,
        ".global .align 16 .b32 g[4] = {1, 2, 3, 4};\n.shared .align 16 .b32 s[4];\n.shared .align 8 .b64 m;\n",
        "mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0;
        mov.b32 %r9, 0; mov.b16 %h1, 0xd;
        @%p1 bra END;
        st.shared.u32 [s+12], 9;
        mbarrier.init.shared.b64 [m], 1;
        mbarrier.arrive.expect_tx.shared.b64 _, [m], 16;
    END:
        barrier.cluster.arrive; barrier.cluster.wait;
        mov.u64 %rd3, g;
        setp.eq.and.u32 %p2, %r1, 2, !%p1;
        @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%rd3], 16, [m], %h1;
        setp.eq.or.u32 %p3, %r1, 1, %p1; @%p3 bra OVER;
    wait:
        mbarrier.try_wait.parity.shared.b64 %p2, [m], 0; @!%p2 bra wait;
    OVER:
        barrier.cluster.arrive; barrier.cluster.wait;
        ld.shared.u32 %r5, [s+12];
        st.global.u32 [%rd2], %r5;",
    );
    // Block 1 of the cluster is not in the mask.
    assert_eq!(out[..8], [4, 9, 4, 4, 4, 9, 4, 4]);
}

#[test]
fn a_block_may_wait_for_a_later_one() {
    // Block b waits until block b + 1 has written; the last one waits for nothing.
    let body = "mov.u32 %r4, %nctaid.x; add.u32 %r5, %r3, 1; setp.eq.u32 %p1, %r5, %r4;
        @%p1 bra WRITE;
    wait:
        ld.volatile.global.u32 %r6, [%rd2+4]; setp.eq.u32 %p2, %r6, 0; @%p2 bra wait;
    WRITE:
        mov.u32 %r6, 1; st.volatile.global.u32 [%rd2], %r6;";
    for threads in [1, 2] {
        let mut machine = Machine::new().threads(NonZeroUsize::new(threads).unwrap());
        let k = load(&mut machine, "", "", body);
        let x = machine.buffer(&[0_u32; 40]);
        machine.launch(&k, 40, 1, 0, &[Arg::from(x)]).unwrap();
        assert_eq!(machine.values::<u32>(x).unwrap(), [1; 40]);
    }
    // A later block fails, for which an earlier one waits: the launch ends.
    let body = format!("setp.eq.u32 %p3, %r3, 5; @%p3 trap;\n{body}");
    let mut machine = Machine::new().threads(NonZeroUsize::MIN).check(Check::Race);
    let k = load(&mut machine, "", "", &body);
    let x = machine.buffer(&[0_u32; 40]);
    let fault = machine.launch(&k, 40, 1, 0, &[Arg::from(x)]).unwrap_err();
    assert_eq!((fault.kind(), fault.block()), (FaultKind::Trap, Some([5, 0, 0])));
}

#[test]
fn a_barrier_of_the_cluster_orders_its_blocks() {
    // Each block writes its word, and reads the word of the other block of its cluster.
    let reports = |between: &str| {
        let body = format!(
            "mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0;
            @!%p1 st.global.u32 [%rd2], %r3;
            {between}
            xor.b32 %r5, %r3, 1; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd1, %rd3;
            ld.global.u32 %r6, [%rd3];"
        );
        let mut machine = Machine::new().threads(NonZeroUsize::MIN).check(Check::Race);
        let k = load(&mut machine, ".reqnctapercluster 2\n", "", &body);
        let x = machine.buffer(&[0_u32; 8]);
        machine.launch(&k, 8, 64, 0, &[Arg::from(x)]).unwrap();
        machine.reports().iter().map(|report| report.kind().name()).collect::<Vec<_>>()
    };
    assert_eq!(reports("barrier.cluster.arrive; barrier.cluster.wait;"), Vec::<&str>::new());
    assert_eq!(reports("bar.sync 0;"), ["race"]);
}
