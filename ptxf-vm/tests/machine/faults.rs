//! A wrong action of a thread is found, at its line and with its values.

use ptxf_vm::{Arg, FaultKind, Machine, Module};

use crate::support::{OWN_WORD, entry, load, module, run, run_with};

#[test]
fn each_wrong_access_is_named() {
    use FaultKind::{Misaligned, OutOfBounds, ReadOnly};
    for (body, kind, what) in [
        (
            "ld.global.u32 %r3, [%rd1+8];",
            OutOfBounds,
            "read of 4 bytes at 0x100000000208, 0 bytes past the end of buffer #1 of 8 bytes",
        ),
        ("st.global.u64 [%rd1+8], %rd1;", OutOfBounds, "write of 8 bytes"),
        (
            "ld.global.v2.u32 {%r3, %r4}, [%rd1+4];",
            Misaligned,
            "read of 8 bytes at 0x100000000204, which is no multiple",
        ),
        ("ld.global.u32 %r3, [%rd1+2];", Misaligned, "which is no multiple of the size"),
        ("ld.global.u32 %r3, [%rd1-4];", OutOfBounds, "4 bytes before buffer #1"),
        ("mov.u64 %rd3, 0;\nld.u32 %r3, [%rd3];", OutOfBounds, "null pointer"),
        ("st.global.u32 [16], 1;", OutOfBounds, "null pointer"),
        ("mov.u64 %rd3, c;\nst.u32 [%rd3], 1;", ReadOnly, "in the constant `c` of 4 bytes"),
        ("ld.shared.u32 %r3, [s+1024];", OutOfBounds, "outside of 1024 bytes of shared memory"),
        (
            "mov.u64 %rd3, s;\ncvta.shared.u64 %rd3, %rd3;\nst.u32 [%rd3+2000], 1;",
            OutOfBounds,
            "bytes of shared memory",
        ),
        (".local .align 4 .b8 l[16];\nst.local.u32 [l+16], 1;", OutOfBounds, "bytes of local memory"),
        ("red.global.add.u32 [%rd1+10], 1;", Misaligned, "atomic access of 4 bytes"),
        ("atom.shared.add.u32 %r3, [s+1024], 1;", OutOfBounds, "atomic access of 4 bytes at 0x400"),
        ("mov.u64 %rd3, x;\nst.u32 [%rd3], 1;", ReadOnly, "among the arguments"),
        ("trap;", FaultKind::Trap, "stopped itself"),
        (
            "mov.u64 %rd3, 12345;\nP: .callprototype _ ();\ncall %rd3, (), P;",
            FaultKind::Call,
            "not the address of a function",
        ),
        ("list: .branchtargets A;\nmov.u32 %r3, 1;\nA: brx.idx %r3, list;", OutOfBounds, "index 1 of 1 targets"),
        ("bar.sync 16;", FaultKind::Synchronization, "barrier 16: there are 16"),
        ("bar.sync 0, 40;", FaultKind::Synchronization, "a multiple of 32"),
        ("call.uni gone, ();", FaultKind::Trap, "call of `gone`, which is declared and has no body"),
        ("call again, ();", FaultKind::StackOverflow, "call of `again` at depth"),
    ] {
        let items = ".const .align 4 .u32 c = 5;\n.shared .align 4 .b8 s[1024];\n.func gone() .noreturn;\n.func again() { call again, (); ret; }";
        let fault = run_with(items, body, 1, &[0; 2]).unwrap_err();
        assert_eq!(fault.kind(), kind, "{body}: {fault}");
        assert!(fault.what().contains(what), "{body}: {fault}");
        assert!(fault.line() > 0 && fault.thread() == Some([0; 3]));
    }
}

#[test]
fn a_fault_shows_the_line_the_thread_and_the_registers() {
    let body = format!(".loc 1 41 7\n{OWN_WORD}setp.ne.u32 %p1, %r1, 45;\n@%p1 exit;\nst.global.b16 [%rd2+100], %r1;");
    let text = module(
        "8.8",
        "sm_100",
        &format!(
            ".file 1 \"kernels/src/lib.rs\"\n{}",
            entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}"))
        ),
    );
    let (mut machine, entry) = load(&text, "k");
    let x = machine.buffer(&[0_u32; 64]);
    let fault = machine.launch(&entry, 3, 64, 0, &[Arg::from(x)]).unwrap_err();
    let line = 1 + text.lines().position(|l| l.starts_with("st.global.b16")).unwrap();
    assert_eq!(
        fault.to_string(),
        format!(
            "write of 2 bytes at 0x100000000118, 24 bytes past the end of buffer #1 of 256 bytes\n  kernel   k, block (0, 0, 0), thread (45, 0, 0), \
             warp 1, lane 13\n  PTX      {line}:  st.global.b16 [%rd2+100], %r1;      %rd2 = 0x00001000000000b4, %r1 = 0x0000002d\n  source   \
             kernels/src/lib.rs:41"
        )
    );
    assert_eq!((fault.block(), fault.thread(), fault.line()), (Some([0; 3]), Some([45, 0, 0]), line));
}

#[test]
fn what_was_freed_is_not_reached() {
    let text =
        module("8.8", "sm_100", &entry("k", ".param .u64 x", "ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1+4];"));
    let (mut machine, entry) = load(&text, "k");
    let x = machine.buffer(&[0_u32; 2]);
    machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap();
    machine.free(x).unwrap();
    let fault = machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Freed);
    assert!(fault.what().contains("4 bytes into buffer #1 of 8 bytes, which was freed"), "{fault}");
    assert_eq!(machine.free(x).unwrap_err().kind(), FaultKind::Freed);
}

#[test]
fn threads_that_wait_without_end_are_all_named() {
    let body = format!("{OWN_WORD}setp.lt.u32 %p1, %r1, 40;\n@%p1 bra one;\nbar.sync 1;\nret;\none: bar.sync 2;");
    let fault = run(&body, 64, &[0; 64]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Deadlock);
    for part in
        ["32 threads of warp 0 in line", "8 threads of warp 1", "24 threads of warp 1", "at barrier 1", "at barrier 2"]
    {
        assert!(fault.what().contains(part), "{part}: {fault}");
    }
}

#[test]
fn a_loop_without_end_reaches_the_limit() {
    let text = module("8.8", "sm_100", &entry("k", "", "L: bra L;"));
    let (mut machine, entry) = load(&text, "k");
    machine.set_limit(100_000);
    assert_eq!(machine.launch(&entry, 4, 64, 0, &[]).unwrap_err().kind(), FaultKind::Limit);
}

#[test]
fn the_fault_of_the_first_block_is_the_one_that_is_told() {
    let text = module(
        "8.8",
        "sm_100",
        &entry("k", "", "mov.u32 %r1, %ctaid.x;\nsetp.lt.u32 %p1, %r1, 17;\n@%p1 exit;\ntrap;"),
    );
    for _ in 0..20 {
        let (mut machine, entry) = load(&text, "k");
        assert_eq!(machine.launch(&entry, 100, 1, 0, &[]).unwrap_err().block(), Some([17, 0, 0]));
    }
}

#[test]
fn a_launch_that_the_entry_does_not_take_is_refused() {
    let text = module(
        "8.8",
        "sm_100",
        ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .f32 f, .param .b32 b, .param .u16 h) .reqntid 32 { ret; }\n.visible .entry m() .maxntid 16, 2, 1 { ret; }",
    );
    let (mut machine, entry) = load(&text, "k");
    let p = machine.buffer(&[0_u32]);
    let good = [Arg::from(p), Arg::from(1.0_f32), Arg::from(1_u32), Arg::from(1_u16)];
    machine.launch(&entry, 1, 32, 0, &good).unwrap();
    let with = |i: usize, arg: Arg| {
        let mut args = good.clone();
        args[i] = arg;
        args.to_vec()
    };
    for (args, what) in [
        (good[..3].to_vec(), "`k` takes 4 arguments, and 3 are passed"),
        (
            with(0, Arg::from(7_u64)),
            "argument 1 of `k` is an integer of 64 bits; line 4 declares `p`, of 8 bytes that is a pointer",
        ),
        (
            with(1, Arg::from(7_u32)),
            "argument 2 of `k` is an integer of 32 bits; line 4 declares `f`, of a floating-point number of 4 bytes",
        ),
        (with(1, Arg::from(7.0_f64)), "argument 2 of `k` is a floating-point number of 64 bits"),
        (with(3, Arg::from(7_u32)), "argument 4 of `k` is an integer of 32 bits"),
        (with(3, Arg::Bytes(vec![1])), "argument 4 of `k` is 1 bytes"),
    ] {
        let fault = machine.launch(&entry, 1, 32, 0, &args).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Launch);
        assert!(fault.what().contains(what), "{fault}");
    }
    machine.launch(&entry, 1, 32, 0, &with(2, Arg::from(1.0_f32))).unwrap();
    // Null is a pointer, and following it is the fault.
    machine.launch(&entry, 1, 32, 0, &with(0, Arg::from(0_u64))).unwrap();
    for (grid, block, shared, what) in [
        (0, 32, 0, "blocks: 1 to"),
        (1, 0, 0, "threads: 1 to 1024"),
        (1, 1025, 0, "threads: 1 to 1024"),
        (1, 64, 0, "asks for blocks of [32, 1, 1] threads"),
        (1, 32, u32::MAX, "bytes of dynamic shared memory"),
    ] {
        assert!(machine.launch(&entry, grid, block, shared, &good).unwrap_err().what().contains(what));
    }
    let (mut machine, entry) = load(&text, "m");
    machine.launch(&entry, 1, 32, 0, &[]).unwrap();
    assert!(machine.launch(&entry, 1, 33, 0, &[]).unwrap_err().what().contains("at most 32 threads"));
}

#[test]
fn an_instruction_that_is_wrong_is_refused_where_its_entry_is_asked_for() {
    for (instruction, what) in [
        ("add.s31 %r1, %r2, %r3;", "`add.s31` is not supported; supported for `add`: .u16"),
        ("frobnicate.b32 %r1;", "`frobnicate` is not supported; supported are"),
        ("ex2.exact.f32 %r1, %r2;", "`ex2.exact.f32` is not a spelling of `ex2`"),
        ("add.s32 %r1, %r2;", "`add.s32` takes 3 operands, and has 2"),
        ("add.s32 %r1, %rd2, %r3;", "`%rd2` has 64 bits where 32 are expected"),
        ("add.s32 %r1, %r2, %r99;", "`%r99` is not declared here"),
        ("add.s32 %r1, %r2, 1.5;", "a fraction where an integer is expected"),
        ("add.f32 %r1, %r2, 1;", "1 is an integer where a fraction is expected: write 0f… or 1.0"),
        ("add.s32 5, %r2, %r3;", "a result has to be a register"),
        ("bra nowhere;", "there is no label `nowhere` here"),
        ("@%r1 bra L; L:", "`%r1` is not declared as a predicate"),
        ("ld.global.u64 %r1, [%rd1];", "`%r1` has 32 bits where 64 are loaded"),
        ("ld.global.u32 %r1, [%r2];", "`%r2` has 32 bits, and an address has 64"),
        ("ld.shared.u32 %r1, [g];", "`g` is not in this space"),
        ("ld.global.v2.u32 %r1, [%rd1];", "2 elements are expected, and here are 1"),
        ("mov.b64 {%r1, %r2, %r3}, %rd1;", "has no 3 parts"),
        ("call f, (%r1);", "0 arguments are declared, and 1 are given"),
        ("call k, ();", "`k` is an entry, which cannot be called"),
        ("call h, ();", "`h` is declared, and no function here has this name and a body"),
        ("ld.global.u32 %r1, [e];", "`e` is declared `.extern`, and nothing here defines it"),
        ("setp.lt.b32 %p1, %r1, %r2;", "`setp.lt.b32` is not supported"),
        (".reg .b128 q; add.s32 %r1, q, %r3;", "a register or a number is expected"),
        (".reg .v2 .pred q; add.s32 %r1, %r2, %r3;", "a vector of predicates cannot be a register"),
        ("call p, (%r1);", "a predicate is declared for this argument"),
    ] {
        let items =
            ".global .u32 g;\n.extern .global .u32 e;\n.func f() { ret; }\n.func h();\n.func p(.reg .pred a) { ret; }";
        let text =
            module("8.8", "sm_100", &format!("{items}\n{}\n{}", entry("k", "", instruction), entry("good", "", "")));
        let mut machine = Machine::new();
        let program = machine.load(&Module::parse(&text).unwrap()).unwrap();
        let error = program.entry("k").unwrap_err();
        assert!(error.what().contains(what), "{instruction}: {error}");
        assert_eq!(error.line(), 15, "{error}");
        program.entry("good").unwrap();
    }
    let (mut machine, _) = load(&module("8.8", "sm_100", &entry("k", "", "")), "k");
    let program = machine.load(&Module::parse(&module("8.8", "sm_100", &entry("k", "", ""))).unwrap()).unwrap();
    assert_eq!(program.entry("l").unwrap_err().to_string(), "there is no entry `l`; entries are k");
}
