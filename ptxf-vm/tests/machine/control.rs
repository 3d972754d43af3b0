//! Branches, loops, calls and barriers: threads diverge and join.

use std::num::NonZeroUsize;

use ptxf_vm::{Arg, Machine, Module};

use crate::support::{OWN_WORD, entry, load, module, run, run_with};

#[test]
fn threads_that_go_different_ways_come_together() {
    // The number of iterations is the thread's number, and the loop has a branch.
    let body = format!(
        "{OWN_WORD}mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n\
         loop:\nsetp.ge.u32 %p1, %r2, %r1;\n@%p1 bra done;\n\
         and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra even;\n\
         add.u32 %r3, %r3, 100;\nbra.uni next;\n\
         even:\nadd.u32 %r3, %r3, %r2;\n\
         next:\nadd.u32 %r2, %r2, 1;\nbra loop;\n\
         done:\nst.global.u32 [%rd2], %r3;"
    );
    let expected: Vec<u32> = (0..70).map(|t| (0..t).map(|i| if i % 2 == 0 { i } else { 100 }).sum()).collect();
    assert_eq!(run(&body, 70, &[0; 70]).unwrap(), expected);
}

#[test]
fn threads_may_leave_early_and_others_meet_at_a_barrier() {
    let shared = ".shared .align 4 .b8 s[512];";
    // Half of the threads exit. The others write, wait, and read the word of another thread.
    let body = format!(
        "{OWN_WORD}and.b32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 exit;\n\
         shl.b32 %r3, %r1, 2;\nmov.u32 %r4, s;\nadd.u32 %r5, %r4, %r3;\nst.shared.u32 [%r5], %r1;\n\
         bar.sync 0;\n\
         sub.u32 %r6, 126, %r1;\nshl.b32 %r6, %r6, 2;\nadd.u32 %r6, %r4, %r6;\nld.shared.u32 %r7, [%r6];\n\
         st.global.u32 [%rd2], %r7;"
    );
    let found = run_with(shared, &body, 128, &[7; 128]).unwrap();
    for (t, x) in found.iter().enumerate() {
        assert_eq!(*x, if t % 2 == 0 { 126 - t as u32 } else { 7 }, "{t}");
    }
}

#[test]
fn barriers_count_threads_and_reduce_predicates() {
    let body = format!(
        "{OWN_WORD}setp.lt.u32 %p1, %r1, 33;\n\
         barrier.cta.red.popc.aligned.u32 %r2, 1, %p1;\nbar.red.or.pred %p2, 2, %p1;\nbar.red.and.pred %p3, 2, !%p1;\n\
         selp.u32 %r3, 1000, 0, %p2;\nselp.u32 %r4, 5000, 0, %p3;\nadd.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\n\
         st.global.u32 [%rd2], %r2;"
    );
    assert_eq!(run(&body, 96, &[0; 96]).unwrap(), [1033; 96]);
    // The first warp produces and continues, and the second one waits for it.
    let body = format!(
        "{OWN_WORD}setp.lt.u32 %p1, %r1, 32;\n@%p1 bra produce;\nbar.sync 3, 64;\nsub.u32 %r3, %r1, 32;\nmul.wide.u32 %rd3, %r3, 4;\nadd.u64 \
         %rd3, %rd1, %rd3;\nld.global.u32 %r4, [%rd3];\nst.global.u32 [%rd2], %r4;\nret;\n\
         produce:\nadd.u32 %r5, %r1, 500;\nst.global.u32 [%rd2], %r5;\nbar.arrive 3, 64;"
    );
    let found = run(&body, 64, &[0; 64]).unwrap();
    assert_eq!((found[31], found[32], found[63]), (531, 500, 531));
}

#[test]
fn functions_have_frames_of_their_own() {
    let items = "
        .func (.param .b32 r) fib(.param .b32 n)
        {
            .reg .pred %p<2>;
            .reg .b32 %r<9>;
            ld.param.u32 %r1, [n];
            setp.lt.u32 %p1, %r1, 2;
            @%p1 bra small;
            sub.u32 %r2, %r1, 1;
            { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r3, [b]; }
            sub.u32 %r2, %r1, 2;
            { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r4, [b]; }
            add.u32 %r5, %r3, %r4;
            st.param.b32 [r], %r5;
            ret;
        small:
            st.param.b32 [r], %r1;
            ret;
        }";
    let body = format!(
        "{OWN_WORD}rem.u32 %r2, %r1, 13;\n{{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), fib, (a); ld.param.b32 %r3, [b]; \
         }}\nst.global.u32 [%rd2], %r3;"
    );
    let fib = |n: u32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    let expected: Vec<u32> = (0..40).map(|t| fib(t % 13)).collect();
    assert_eq!(run_with(items, &body, 40, &[0; 40]).unwrap(), expected);
}

#[test]
fn functions_are_called_through_tables_and_with_registers_and_structures() {
    let items = "
        .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r1; ld.param.b32 %r1, [x]; add.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }
        .func (.param .b32 r) minus(.param .b32 x) { .reg .b32 %r1; ld.param.b32 %r1, [x]; neg.s32 %r1, %r1; st.param.b32 [r], %r1; ret; }
        .func (.reg .b32 d) sum(.reg .b32 a, .reg .b32 b) { add.u32 d, a, b; ret; }
        .func (.param .align 8 .b8 d[12]) swap(.param .align 8 .b8 s[12])
        { .reg .b64 %rd1; .reg .b32 %r1; ld.param.b64 %rd1, [s]; ld.param.b32 %r1, [s+8]; st.param.b32 [d], %r1; st.param.b32 [d+4], %rd1; \
         shr.u64 %rd1, %rd1, 32; st.param.b32 [d+8], %rd1; ret; }
        .global .align 8 .u64 table[2] = {twice, minus};";
    let body = format!(
        "{OWN_WORD}and.b32 %r2, %r1, 1;\nmul.wide.u32 %rd3, %r2, 8;\nmov.u64 %rd4, table;\nadd.u64 %rd4, %rd4, %rd3;\nld.global.u64 %rd5, [%rd4];\n\
         {{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (b), %rd5, (a), \
         proto; ld.param.b32 %r3, [b]; }}\ncall (%r4), sum, (%r3, 1000);\n\
         {{ .param .align 8 .b8 a[12]; .param .align 8 .b8 b[12]; st.param.b32 [a], 1; st.param.b32 [a+4], 20; st.param.b32 [a+8], 300; \
         call.uni (b), swap, (a); ld.param.b32 %r5, [b]; ld.param.b32 %r6, [b+8]; }}\nadd.u32 %r4, %r4, %r5;\nmad.lo.u32 %r4, %r6, 10000, %r4;\n\
         st.global.u32 [%rd2], %r4;"
    );
    let expected: Vec<u32> = (0..50_u32)
        .map(|t| (if t % 2 == 0 { 2 * t } else { t.wrapping_neg() }).wrapping_add(1300).wrapping_add(200_000))
        .collect();
    assert_eq!(run_with(items, &body, 50, &[0; 50]).unwrap(), expected);
}

#[test]
fn threads_may_exit_within_a_function_and_wait_there() {
    let items = ".func some(.param .b32 x) { .reg .b32 %r1; .reg .pred %p1; ld.param.b32 %r1, [x]; setp.gt.u32 %p1, %r1, 40; @%p1 exit; \
                 bar.sync 0; ret; }";
    let body =
        format!("{OWN_WORD}{{ .param .b32 a; st.param.b32 [a], %r1; call some, (a); }}\nst.global.u32 [%rd2], 1;");
    assert_eq!(run_with(items, &body, 64, &[0; 64]).unwrap().iter().sum::<u32>(), 41);
}

#[test]
fn switches_jump_through_a_list() {
    let body = format!(
        "{OWN_WORD}rem.u32 %r2, %r1, 3;\nlist: .branchtargets zero, one, two;\nbrx.idx %r2, list;\nzero: mov.u32 %r3, 5;\nbra end;\none: mov.u32 %r3, \
         6;\nbra end;\ntwo: mov.u32 %r3, 7;\nend: st.global.u32 [%rd2], %r3;"
    );
    assert_eq!(run(&body, 6, &[0; 6]).unwrap(), [5, 6, 7, 5, 6, 7]);
}

#[test]
fn labels_and_registers_belong_to_their_scopes() {
    let body = format!(
        "{OWN_WORD}mov.u32 %r5, 1;\n{{ .reg .b32 %r5; mov.u32 %r5, 50; bra L; mov.u32 %r5, 60; L: st.global.u32 [%rd2], %r5; }}\n\
         {{ bra L; trap; L: ld.global.u32 %r6, [%rd2]; }}\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%rd2], %r5;"
    );
    assert_eq!(run(&body, 1, &[0]).unwrap(), [51]);
}

#[test]
fn a_lock_that_other_threads_of_the_warp_hold_is_given_up_in_the_end() {
    let items = ".global .align 4 .u32 lock; .global .align 4 .u32 count;";
    let body = "spin: atom.global.cas.b32 %r2, [lock], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra spin;\nld.volatile.global.u32 %r3, [count];\nadd.u32 \
                %r3, %r3, 1;\nst.volatile.global.u32 [count], %r3;\nmembar.gl;\natom.global.exch.b32 %r4, [lock], 0;\nbar.sync 0;\nst.global.u32 \
                [%rd1], %r3;\nld.global.u32 %r5, [count];\nst.global.u32 [%rd1], %r5;";
    assert_eq!(run_with(items, body, 64, &[0]).unwrap(), [64]);
}

#[test]
fn threads_know_where_they_are() {
    let body = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %ntid.y;\nmov.u32 %r6, %ctaid.x;\nmov.u32 \
                %r7, %ctaid.y;\nmov.u32 %r8, %nctaid.x;\nmov.u32 %r9, %ntid.z;\nmad.lo.u32 %r10, %r3, %r5, %r2;\nmad.lo.u32 %r10, %r10, %r4, %r1;\nmad.lo.u32 \
                %r11, %r7, %r8, %r6;\nmul.lo.u32 %r12, %r4, %r5;\nmul.lo.u32 %r12, %r12, %r9;\nmad.lo.u32 %r13, %r11, %r12, %r10;\nmul.wide.u32 %rd2, %r13, \
                4;\nadd.u64 %rd2, %rd1, %rd2;\nmov.u32 %r14, %laneid;\nmov.u32 %r15, %warpid;\nmad.lo.u32 %r14, %r15, 100, %r14;\nst.global.u32 [%rd2], %r14;";
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}")));
    for threads in [1, 3] {
        let mut machine = Machine::new().threads(NonZeroUsize::new(threads).unwrap());
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
        let x = machine.buffer(&[9999_u32; 42 * 6]);
        machine.launch(&entry, (2, 3), (7, 3, 2), 0, &[Arg::from(x)]).unwrap();
        let expected: Vec<u32> = (0..6).flat_map(|_| (0..42).map(|t| t % 32 + 100 * (t / 32))).collect();
        assert_eq!(machine.values::<u32>(x).unwrap(), expected);
    }
}

#[test]
fn results_do_not_depend_on_how_many_cores_there_are() {
    let body = format!(
        "{OWN_WORD}mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r4, 2;\nadd.u64 %rd3, %rd1, %rd3;\nmul.lo.u32 \
         %r5, %r4, 40503;\nst.global.u16 [%rd3], %r5;"
    );
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}")));
    let runs = [1, 2, 8].map(|threads| {
        let mut machine = Machine::new().threads(NonZeroUsize::new(threads).unwrap());
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
        let x = machine.buffer(&vec![0_u16; 33 * 200]);
        machine.launch(&entry, 200, 33, 0, &[Arg::from(x)]).unwrap();
        machine.values::<u16>(x).unwrap()
    });
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
    assert_eq!(runs[0][6599], (6599_u32 * 40503) as u16);
}

#[test]
fn one_module_serves_several_machines() {
    let text = module("8.8", "sm_100", &format!(".global .u32 n = 7;\n{}", entry("k", "", "ld.global.u32 %r1, [n];")));
    let (mut one, entry_of_one) = load(&text, "k");
    let (mut other, _) = load(&text, "k");
    one.launch(&entry_of_one, 1, 1, 0, &[]).unwrap();
    assert!(other.launch(&entry_of_one, 1, 1, 0, &[]).unwrap_err().what().contains("another machine"));
}
