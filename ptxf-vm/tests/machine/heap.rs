//! `malloc` and `free` in kernels, and barriers of a grid.

use ptxf_vm::{Arg, Check, Entry, FaultKind, Machine, Module};

use crate::support::{entry, module};

const ITEMS: &str =
    ".extern .func (.param .b64 address) malloc (.param .b64 bytes);\n.extern .func free (.param .b64 address);\n";

/// Returns statements that set `%rdN` to memory of so many bytes.
fn allocate(to: &str, bytes: &str) -> String {
    format!(
        "{{ .param .b64 b; .param .b64 a; st.param.b64 [b], {bytes}; call.uni (a), malloc, (b); ld.param.b64 {to}, [a]; }}\n"
    )
}

fn free(from: &str) -> String {
    format!("{{ .param .b64 a; st.param.b64 [a], {from}; call.uni free, (a); }}\n")
}

fn load(machine: &mut Machine, body: &str) -> Entry {
    let text = module("8.8", "sm_100", &format!("{ITEMS}{}", entry("k", ".param .u64 x", body)));
    machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn threads_have_memory_of_their_own_until_they_free_it() {
    // Each thread writes its number to every word of its memory, and sums them after a barrier.
    let body = format!(
        "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r1, %r2, 64, %r1;\n{}\
        setp.eq.u64 %p1, %rd5, 0; @%p1 trap;
        st.global.u32 [%rd5], %r1; st.u32 [%rd5+4], %r1; st.u32 [%rd5+16], 5;
        bar.sync 0;
        ld.u32 %r3, [%rd5]; ld.global.u32 %r4, [%rd5+4]; ld.u32 %r5, [%rd5+16];
        add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5;
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
        st.global.u32 [%rd1], %r3;\n{}{}",
        allocate("%rd5", "20"),
        free("%rd5"),
        free("0")
    );
    let mut machine = Machine::new().check(Check::Race);
    let k = load(&mut machine, &body);
    let x = machine.buffer(&[0_u32; 256]);
    machine.launch(&k, 4, 64, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), (0..256).map(|i| 2 * i + 5).collect::<Vec<u32>>());
    assert_eq!((machine.reports(), machine.leaks()), (&[][..], vec![]));
}

#[test]
fn a_full_heap_returns_null_and_uses_freed_memory_again() {
    let mut machine = Machine::new();
    assert!(machine.set_heap(1024));
    let twice = format!("{}{}{}", allocate("%rd5", "600"), allocate("%rd6", "600"), free("%rd5"));
    let body = format!(
        "ld.param.u64 %rd1, [x];\n{twice}{}st.global.v2.b64 [%rd1], {{%rd5, %rd6}};\nst.global.b64 [%rd1+16], %rd7;",
        allocate("%rd7", "600")
    );
    let k = load(&mut machine, &body);
    assert!(!machine.set_heap(4096));
    let x = machine.buffer(&[0_u64; 4]);
    machine.launch(&k, 1, 1, 0, &[Arg::from(x)]).unwrap();
    let [first, second, third, _] = machine.values::<u64>(x).unwrap()[..] else { panic!() };
    assert!(first != 0 && second == 0 && third == first);
    assert_eq!(machine.leaks().len(), 1);
    assert!(machine.leaks()[0].to_string().contains("600 bytes of the heap were not freed"));
}

#[test]
fn wrong_uses_of_the_heap_are_faults() {
    let launched = |body: &str| {
        let mut machine = Machine::new();
        let k = load(&mut machine, &format!("{}{body}", allocate("%rd5", "24")));
        let x = machine.buffer(&[0_u64; 4]);
        let fault = machine.launch(&k, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
        (fault.kind(), fault.what().to_owned())
    };
    let (kind, what) = launched("ld.u64 %rd1, [%rd5+24];");
    assert!(
        kind == FaultKind::OutOfBounds
            && what.contains("0 bytes past the end of a block of 24 bytes that `malloc` returned in line 12"),
        "{what}"
    );
    let (kind, what) = launched(&format!("{}st.global.u32 [%rd5+4], 0;", free("%rd5")));
    assert!(kind == FaultKind::Freed && what.contains("4 bytes into a block of 24 bytes"), "{what}");
    let (kind, what) = launched(&format!("{0}{0}", free("%rd5")));
    assert!(kind == FaultKind::Freed && what.contains("was freed before"), "{what}");
    let (kind, what) = launched(&format!("add.u64 %rd5, %rd5, 8;\n{}", free("%rd5")));
    assert!(kind == FaultKind::OutOfBounds && what.contains("which `malloc` has not returned"), "{what}");
    let (kind, what) = launched(&format!("ld.param.u64 %rd1, [x];\n{}", free("%rd1")));
    assert!(kind == FaultKind::OutOfBounds && what.contains("which `malloc` has not returned"), "{what}");
}

#[test]
fn blocks_of_a_cooperative_launch_wait_at_the_barrier_of_the_grid() {
    // What `cooperative_groups::this_grid().sync()` is: the first block adds 2³¹ less the others.
    let body = "ld.param.u64 %rd1, [x];
        mov.u32 %r1, %envreg2; mov.u32 %r2, %envreg1; mov.b64 %rd5, {%r1, %r2};
        setp.eq.u64 %p1, %rd5, 0; @%p1 trap;
        mov.u32 %r3, %ctaid.x; mov.u32 %r4, %nctaid.x; mov.u32 %r9, 0; mov.u32 %r10, 0;
    step:
        mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;
        st.global.u32 [%rd2], %r9;
        sub.u32 %r5, 0x80000001, %r4;
        setp.eq.u32 %p1, %r3, 0;
        selp.b32 %r5, %r5, 1, %p1;
        atom.add.release.gpu.u32 %r6, [%rd5+4], %r5;
    wait:
        ld.acquire.gpu.u32 %r7, [%rd5+4];
        xor.b32 %r7, %r7, %r6;
        setp.ge.s32 %p1, %r7, 0;
        @%p1 bra wait;
        // The next block's word is of this step.
        add.u32 %r8, %r3, 1; rem.u32 %r8, %r8, %r4;
        mul.wide.u32 %rd3, %r8, 4; add.u64 %rd3, %rd1, %rd3;
        ld.volatile.global.u32 %r8, [%rd3];
        setp.lt.u32 %p1, %r8, %r9;
        @%p1 add.u32 %r10, %r10, 1;
        add.u32 %r9, %r9, 1;
        setp.lt.u32 %p1, %r9, 5;
        @%p1 bra step;
        st.global.u32 [%rd2+1024], %r10;";
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", body));
    for threads in [1, 2, 5] {
        let mut machine = Machine::new().threads(std::num::NonZeroUsize::new(threads).unwrap());
        let k = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
        let x = machine.buffer(&[9_u32; 512]);
        for _ in 0..2 {
            machine.launch_bytes(&k, 200, 1, 0, &x.address().to_le_bytes(), true).unwrap_or_else(|e| panic!("{e}"));
        }
        let out = machine.values::<u32>(x).unwrap();
        assert_eq!((&out[..200], &out[256..456]), (&[4; 200][..], &[0; 200][..]));
        // Another launch has no such workspace.
        let fault = machine.launch(&k, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Trap);
    }
}
