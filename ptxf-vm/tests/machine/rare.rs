//! Instructions that compilers seldom emit: registers of several parts, atomic operations on
//! vectors and on 128 bits, memory of the stack, cache policies; and PTX before 3.0.

use ptxf_vm::{Arg, Check, FaultKind, Machine, Module};

use crate::support::{OWN_WORD, entry, load, module, run, run_with};

#[test]
fn a_register_of_128_bits_is_two_of_64() {
    let out = run(
        ".reg .b128 %q<3>;
        mov.b64 %rd2, 0x1111; mov.b64 %rd3, 0x2222222222;
        mov.b128 %q0, {%rd2, %rd3};
        mov.b128 %q1, %q0;
        st.global.b128 [%rd1], %q1;
        ld.global.b128 %q2, [%rd1];
        mov.b128 {%rd4, %rd5}, %q2;
        st.global.v2.b64 [%rd1+16], {%rd5, %rd4};",
        1,
        &[0; 8],
    );
    assert_eq!(out.unwrap(), [0x1111, 0, 0x2222_2222, 0x22, 0x2222_2222, 0x22, 0x1111, 0]);
}

#[test]
fn a_vector_is_a_register_of_several_parts() {
    let out = run(
        ".reg .v4 .b32 v; .reg .v2 .u32 w, u<2>;
        ld.global.v4.b32 v, [%rd1];
        mov.b32 w.x, v.w; mov.b32 w.y, v.r;
        mov.b64 %rd2, w;
        mov.b64 u1, %rd2;
        mov.v2.u32 u0, {u1.y, u1.x};
        mov.v2.u32 u0, {u0.y, u0.x};
        add.u32 %r1, u0.x, v.y;
        st.global.v4.b32 [%rd1], v;
        st.global.v2.b32 [%rd1+16], u0;
        st.global.b32 [%rd1+24], %r1;",
        1,
        &[1, 2, 3, 4, 0, 0, 0],
    );
    assert_eq!(out.unwrap(), [1, 2, 3, 4, 4, 1, 6]);
    let wrong = |line: &str| {
        let text = module("8.8", "sm_100", &entry("k", "", &format!(".reg .v2 .b32 v;\n{line}")));
        let program = Machine::new().load(&Module::parse(&text).unwrap()).unwrap();
        program.entry("k").unwrap_err().what().to_owned()
    };
    assert_eq!(wrong("mov.b32 %r1, v.z;"), "`v` has 2 parts: write one, such as `.x`");
    assert_eq!(wrong("ld.global.v4.b32 v, [0];"), "4 elements are expected, and here are 2");
}

#[test]
fn atomic_operations_on_128_bits_are_of_both_halves() {
    let out = run(
        ".reg .b128 %q<4>;
        ld.global.b128 %q0, [%rd1];
        mov.b64 %rd2, 7; mov.b64 %rd3, 8;
        mov.b128 %q1, {%rd2, %rd3};
        atom.global.cas.b128 %q2, [%rd1], %q1, %q1;        // Not equal: nothing changes.
        st.global.b128 [%rd1+16], %q2;
        atom.relaxed.gpu.global.cas.b128 %q2, [%rd1], %q0, %q1;
        st.global.b128 [%rd1+32], %q2;
        atom.exch.b128 %q3, [%rd1], %q0;
        st.global.b128 [%rd1+48], %q3;",
        1,
        &[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    );
    assert_eq!(out.unwrap(), [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 7, 0, 8, 0]);
    // Threads of many blocks add 1 to both halves.
    let body = ".reg .b128 %q<3>;
        ld.param.u64 %rd1, [x];
        ld.global.b128 %q0, [%rd1];
    again:
        mov.b128 {%rd2, %rd3}, %q0;
        add.u64 %rd4, %rd2, 1; add.u64 %rd5, %rd3, 1;
        mov.b128 %q1, {%rd4, %rd5};
        atom.global.cas.b128 %q0, [%rd1], %q0, %q1;
        mov.b128 {%rd6, %rd7}, %q0;
        setp.ne.u64 %p1, %rd6, %rd2;
        @%p1 bra again;";
    let (mut machine, k) = load(&module("8.8", "sm_100", &entry("k", ".param .u64 x", body)), "k");
    let x = machine.buffer(&[0_u64, 5]);
    machine.launch(&k, 40, 32, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.values::<u64>(x).unwrap(), [1280, 1285]);
    let fault = run(".reg .b128 %q;\natom.exch.b128 %q, [%rd1+8], %q;", 1, &[0; 8]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Misaligned);
}

#[test]
fn atomic_operations_on_vectors_are_of_each_element() {
    let f = |x: f32| x.to_bits();
    // The result of the first element is an operand of the second.
    let out = run(
        "mov.b32 %r1, 0f3F800000; mov.b32 %r2, 0f40000000;
        atom.global.add.v2.f32 {%r1, %r2}, [%rd1], {%r2, %r1};
        st.global.v2.b32 [%rd1+8], {%r1, %r2};
        red.global.v4.f32.add [%rd1+16], {0f3F800000, 0f40000000, 0f40400000, %r1};",
        1,
        &[f(10.0), f(20.0), 0, 0, f(1.0), f(1.0), f(1.0), f(1.0)],
    );
    let [a, b, c, d] = [12.0, 21.0, 10.0, 20.0].map(f);
    assert_eq!(out.unwrap(), [a, b, c, d, f(2.0), f(3.0), f(4.0), f(11.0)]);
    // 1, 2, NaN, 4; and 2⁻²⁴, which is subnormal and stays.
    let out = run(
        "red.global.v4.f16.max.noftz [%rd1], {%h1, %h2, %h3, %h4};
        red.global.add.noftz.v2.f16x2 [%rd1+8], {%r1, %r2};
        red.global.min.noftz.v8.bf16 [%rd1+16], {%h1, %h1, %h1, %h1, %h1, %h1, %h1, %h1};"
            .replace("red.global.v4", "mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x4000; mov.b16 %h3, 0x7e00; mov.b16 %h4, 0x4400;\nmov.b32 %r1, 0x00013c00; mov.b32 %r2, 0;\nred.global.v4")
            .as_str(),
        1,
        &[0x4000_4000, 0x3c00_3c00, 0x0001_3c00, 9, 0x3f80_4000, 0xbf80_3f80, 0x7fc0_3f80, 0],
    );
    let least = [0x3c00_3c00_u32, 0xbf80_3c00, 0x3c00_3c00, 0];
    let wanted = [[0x4000_4000, 0x4400_3c00, 0x0002_4000, 9], least].concat();
    assert_eq!(out.unwrap(), wanted);
    let fault = run("red.global.add.v2.f32 [%rd1+4], {0f00000000, 0f00000000};", 1, &[0; 8]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Misaligned);
}

#[test]
fn memory_of_the_stack_is_of_each_thread() {
    // Thread t takes 16 · (t + 1) bytes, calls a function with memory of its own, and frees them.
    let function = ".func f() { .local .align 8 .b8 m[64]; .reg .b64 %d; mov.u64 %d, 0; st.local.u64 [m], %d; st.local.u64 [m+56], %d; ret; }";
    let body = format!(
        "{OWN_WORD}
        stacksave.u64 %rd9;
        add.u32 %r2, %r1, 1;
        mul.wide.u32 %rd3, %r2, 16;
        alloca.u64 %rd4, %rd3, 32;
        rem.u64 %rd8, %rd4, 32;
        add.u64 %rd5, %rd4, %rd3;
        st.local.u32 [%rd5+-4], %r2;
        cvta.local.u64 %rd6, %rd4;
        st.u32 [%rd6], %r1;
        call f;
        ld.local.u32 %r3, [%rd5+-4];
        ld.local.u32 %r4, [%rd4];
        cvt.u32.u64 %r5, %rd8;
        add.u32 %r3, %r3, %r5;
        mad.lo.u32 %r3, %r4, 100, %r3;
        stackrestore.u64 %rd9;
        stacksave.u64 %rd10;
        sub.u64 %rd10, %rd10, %rd9;
        cvt.u32.u64 %r6, %rd10;
        add.u32 %r3, %r3, %r6;
        st.global.u32 [%rd2], %r3;"
    );
    // Thread 0 has one word for both.
    let wanted: Vec<u32> = (0..40).map(|t| 100 * t + t + 1).collect();
    assert_eq!(run_with(function, &body, 40, &[0; 40]).unwrap(), wanted);
    let fault = run("alloca.u64 %rd2, 1000000;", 1, &[0]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::StackOverflow);
    let fault = run("stackrestore.u64 64;", 1, &[0]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::OutOfBounds);
    let fault = run("alloca.u64 %rd2, 16;\nst.local.u32 [%rd2+16], 0;", 1, &[0]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::OutOfBounds);
}

#[test]
fn policies_and_hints_change_nothing() {
    let out = run(
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd9, 0.5;
        createpolicy.range.global.L2::evict_first.b64 %rd8, [%rd1], 64, 128;
        prefetch.global.L2::evict_last [%rd1];
        prefetchu.L1 [%rd1];
        applypriority.global.L2::evict_normal [%rd1], 128;
        ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.v2.b32 {%r1, %r2}, [%rd1], %rd9;
        ld.global.b32 %r3, [%rd1+8].unified;
        atom.global.add.L2::cache_hint.u32 %r4, [%rd1], %r2, %rd9;
        red.relaxed.gpu.global.add.L2::cache_hint.u32 [%rd1], %r3, %rd8;
        st.global.L1::evict_last.L2::cache_hint.b32 [%rd1+12], %r4, %rd9;
        griddepcontrol.wait;
        setmaxnreg.inc.sync.aligned.u32 40;
        nanosleep.u32 20;",
        1,
        &[1, 2, 3, 0],
    );
    assert_eq!(out.unwrap(), [6, 2, 3, 1]);
    // Their operands are checked.
    let text = module("8.8", "sm_100", &entry("k", "", "ld.global.L2::cache_hint.b32 %r1, [0], %missing;"));
    let error = Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
    assert_eq!(error.what(), "`%missing` is not declared here");
    let text = module("8.8", "sm_100", &entry("k", "", "prefetch.global.L1 [%missing];"));
    let error = Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
    assert_eq!(error.what(), "`%missing` is not declared here");
    // A policy counts as assigned.
    let body = "createpolicy.fractional.L2::evict_last.b64 %rd9;\nld.param.u64 %rd1, [x];\nst.global.L2::cache_hint.b32 [%rd1], 1, %rd9;";
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", body));
    let mut machine = Machine::new().check(Check::Race);
    let k = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
    let x = machine.buffer(&[0_u32]);
    machine.launch(&k, 1, 1, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.reports(), []);
}

#[test]
fn a_copy_arrives_at_an_mbarrier() {
    // Lane l copies its word, arrives, and reads the word of lane 31 - l when all have arrived.
    let body = |arrive: &str, count: u32| {
        format!(
            "{OWN_WORD}
            mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; setp.eq.u32 %p1, %r1, 0;
            @%p1 mbarrier.init.shared.b64 [m], {count};
            bar.sync 0;
            cp.async.ca.shared.global [%r3], [%rd2], 4;
            {arrive}
        wait:
            mbarrier.test_wait.parity.shared.b64 %p2, [m], 0; @!%p2 bra wait;
            sub.u32 %r4, 31, %r1; mad.lo.u32 %r3, %r4, 4, %r2;
            ld.shared.u32 %r5, [%r3];
            st.global.u32 [%rd2+128], %r5;"
        )
    };
    let items = ".shared .align 8 .b64 m;\n.shared .align 16 .b32 s[32];\n";
    let x: Vec<u32> = (0..64).collect();
    let wanted: Vec<u32> = (0..32).rev().collect();
    for (arrive, count) in [
        ("cp.async.mbarrier.arrive.noinc.shared.b64 [m];", 32),
        ("cp.async.mbarrier.arrive.shared::cta.b64 [m]; mbarrier.arrive.shared.b64 _, [m];", 32),
        (
            "@%p1 cp.async.mbarrier.arrive.noinc.shared.b64 [m]; @!%p1 cp.async.wait_all; @!%p1 mbarrier.arrive.shared.b64 _, [m];",
            32,
        ),
    ] {
        assert_eq!(run_with(items, &body(arrive, count), 32, &x).unwrap()[32..], wanted, "{arrive}");
    }
}

#[test]
fn floats_are_reduced_over_a_warp() {
    let x: Vec<u32> = (0..32_u32).map(|i| (i as f32 * if i % 2 == 0 { 1.0 } else { -1.0 }).to_bits()).collect();
    let reduced = |form: &str, x: &[u32]| {
        let body = format!("{OWN_WORD}ld.global.b32 %r2, [%rd2];\n{form} %r3, %r2, -1;\nst.global.b32 [%rd2], %r3;");
        let out = run(&body, 32, x).unwrap();
        assert!(out.iter().all(|word| *word == out[0]));
        f32::from_bits(out[0])
    };
    assert_eq!([reduced("redux.sync.min.f32", &x), reduced("redux.sync.max.f32", &x)], [-31.0, 30.0]);
    assert_eq!([reduced("redux.sync.min.abs.f32", &x), reduced("redux.sync.max.abs.f32", &x)], [0.0, 31.0]);
    let mut with_nan = x;
    with_nan[3] = f32::NAN.to_bits();
    assert_eq!(reduced("redux.sync.max.f32", &with_nan), 30.0);
    assert!(reduced("redux.sync.max.NaN.f32", &with_nan).is_nan());
}

#[test]
fn some_shared_memory_is_reserved_for_the_system() {
    let out = run_with(
        ".shared .align 4 .b8 s[20];\n",
        "mov.u32 %r1, %reserved_smem_offset_1; mov.u32 %r2, %reserved_smem_offset_end; mov.u32 %r3, %reserved_smem_offset_cap;
        ld.shared.u32 %r4, [%r1+284]; st.shared.u32 [%r2+-4], %r1;
        st.global.v4.b32 [%rd1], {%r1, %r2, %r3, %r4};",
        1,
        &[9; 4],
    );
    let out = out.unwrap();
    assert!(out[0] >= 20 && out[1] == out[0] + 1024 && out[2..] == [1024, 0], "{out:?}");
}

/// Runs a text with an entry `k` of one buffer on this many threads.
fn run_text(text: &str, threads: u32, x: &[u32]) -> Vec<u32> {
    let (mut machine, k) = load(text, "k");
    let x = machine.buffer(x);
    machine.launch(&k, 1, threads, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}"));
    machine.values(x).unwrap()
}

#[test]
fn ptx_before_3_0_runs() {
    // The text of PTX 1.4 has debugging lines, a texture that nothing uses, a bank of constants,
    // special registers of 16 bits, and a function with registers as parameters.
    let text = "
        .version 1.4
        .target sm_13, map_f64_to_f32
        .tex .u32 unused;
        .const[1] .s32 c[2] = {5, 7};
        @@DWARF .section .debug_info, \"\",@progbits { ;
        .func (.reg .u32 d, .reg .pred p) f (.reg .u32 a, .reg .pred q)
        {
            add.u32 d, a, 1;
            setp.gt.and.u32 p, a, 2, q;
            ret;
        }
        .entry k (.param .u64 __cudaparm_x)
        {
        .reg .u16 %rh<4>; .reg .u32 %r<6>; .reg .u64 %rd<4>; .reg .pred %p<4>;
        .loc\t18\t4\t0
        $LBB1_k:
        mov.u16 %rh1, %tid.x;
        cvt.u32.u16 %r1, %rh1;
        cvt.u32.u16 %r2, %ntid.x;
        mul.wide.u16 %r3, %rh1, %rh1;
        ld.const[1].u32 %r4, [c+4];
        add.u32 %r3, %r3, %r4;
        add.u32 %r3, %r3, %r2;
        setp.ne.u32 %p1, %r1, 3;
        call (%r3, %p2), f, (%r3, %p1);
        @!%p2 mov.u32 %r3, 0;
        ld.param.u64 %rd1, [__cudaparm_x];
        cvt.u64.u32 %rd2, %r1;
        mul.lo.u64 %rd2, %rd2, 4;
        add.u64 %rd1, %rd1, %rd2;
        st.global.u32 [%rd1], %r3;
        exit;
        }";
    assert_eq!(run_text(text, 5, &[0; 5]), [13, 14, 17, 0, 29]);
    // Before PTX 1.4 modifiers were implied, and before sm_20 subnormal numbers were flushed.
    let text = |version: &str, sm: &str, divide: &str| {
        format!(
            ".version {version}\n.target {sm}\n.entry k (.param .u64 x) {{
            .reg .f32 a, b; .reg .u64 d;
            ld.param.u64 d, [x];
            mov.f32 a, 0f00000001;
            add.f32 a, a, a;
            st.global.f32 [d], a;
            mov.f32 a, 0f3F800000; mov.f32 b, 0f40800000;
            {divide} a, a, b;
            st.global.f32 [d+4], a;
            exit; }}"
        )
    };
    assert_eq!(run_text(&text("1.3", "sm_10", "div.f32"), 1, &[7, 7]), [0, 0x3e80_0000]);
    assert_eq!(run_text(&text("2.3", "sm_20", "div.approx.f32"), 1, &[7, 7]), [2, 0x3e80_0000]);
    let module = Module::parse(&text("1.4", "sm_10", "div.f32")).unwrap();
    assert!(Machine::new().load(&module).unwrap().entry("k").is_err(), "1.4 asks for a modifier");
    let error = Module::parse(".version 0.9\n.target sm_10").unwrap_err();
    assert_eq!(error.what(), "PTX 0.9 never was: the oldest version is 1.0");
}

#[test]
fn declarations_that_matter_only_when_used() {
    let items = ".global .texref t = {addr_mode_0 = clamp_to_border, filter_mode = nearest};
        .global .samplerref s = { filter_mode = linear };
        .global .surfref u;
        .global .attribute(.unified(0x1, 0x2)) .u32 g;
        .func .attribute(.unified(0x1, 0x2)) one(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [p]; st.u32 [a], 1; ret; }
        .func two(.param .u64 p);
        .alias two, one;";
    let text = module(
        "8.8",
        "sm_100",
        &format!(
            "{items}\n{}",
            entry(
                "k",
                ".param .u64 x",
                "{ .param .u64 p; ld.param.u64 %rd1, [x]; st.param.u64 [p], %rd1; call two, (p); }"
            )
        ),
    );
    assert_eq!(run_text(&text, 1, &[0]), [1]);
    let text = module(
        "8.8",
        "sm_100",
        &format!("{items}\n{}", entry("k", "", "tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [t, {%r1}];")),
    );
    assert!(Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").is_ok());
}
