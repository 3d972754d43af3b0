//! Functions for a driver: arguments as bytes, memory by its address, unloading, cooperative
//! launches. And the functions that CUDA's compilers call: `vprintf` and `__assertfail`.

use std::sync::{Arc, Mutex};

use ptxf_vm::{Arg, FaultKind, Machine, Module};

use crate::support::{entry, load, module};

const VPRINTF: &str = ".extern .func (.param .b32 n) vprintf (.param .b64 format, .param .b64 values);\n";

/// Returns `printf(TEXT, tid, tid / 2.0, "words", 1 << 40)` as compilers write it.
fn printing(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().chain([0]).map(|b| b.to_string()).collect();
    let words: Vec<String> = b"words\0".iter().map(u8::to_string).collect();
    let body = "
        .local .align 8 .b8 values[32];
        .param .b64 format; .param .b64 list; .param .b32 count;
        mov.u32 %r1, %tid.x;
        st.local.u32 [values], %r1;
        cvt.rn.f64.u32 %rd2, %r1;
        mul.rn.f64 %rd2, %rd2, 0d3fe0000000000000;
        st.local.f64 [values+8], %rd2;
        mov.u64 %rd3, words;
        cvta.global.u64 %rd3, %rd3;
        st.local.u64 [values+16], %rd3;
        mov.u64 %rd4, 1099511627776;
        st.local.u64 [values+24], %rd4;
        mov.u64 %rd5, text;
        cvta.global.u64 %rd5, %rd5;
        mov.u64 %rd6, values;
        cvta.local.u64 %rd6, %rd6;
        st.param.b64 [format], %rd5;
        st.param.b64 [list], %rd6;
        call.uni (count), vprintf, (format, list);
        ld.param.b32 %r2, [count];
        mul.wide.u32 %rd7, %r1, 4;
        ld.param.u64 %rd1, [x];
        add.u64 %rd1, %rd1, %rd7;
        st.global.u32 [%rd1], %r2;";
    let items = format!(
        "{VPRINTF}.global .align 1 .b8 text[{}] = {{{}}};\n.global .align 1 .b8 words[6] = {{{}}};\n",
        bytes.len(),
        bytes.join(", "),
        words.join(", ")
    );
    module("8.8", "sm_100", &(items + &entry("k", ".param .u64 x", body)))
}

#[test]
fn what_kernels_print_is_formatted_from_their_memory() {
    let (mut machine, entry) = load(&printing("<%d %.2f %s %lld%%>\n"), "k");
    let printed = Arc::new(Mutex::new(Vec::new()));
    machine.set_output({
        let printed = printed.clone();
        move |text| printed.lock().unwrap().push(String::from_utf8(text.to_vec()).unwrap())
    });
    let x = machine.buffer(&[0_u32; 3]);
    machine.launch(&entry, 1, 3, 0, &[Arg::from(x)]).unwrap();
    let lines: Vec<String> = [(0, "0.00"), (1, "0.50"), (2, "1.00")]
        .map(|(i, half)| format!("<{i} {half} words 1099511627776%>\n"))
        .to_vec();
    assert_eq!(*printed.lock().unwrap(), lines);
    assert_eq!(machine.values::<u32>(x).unwrap(), [4; 3], "the number of values");
}

#[test]
fn a_value_that_is_not_there_is_a_fault_of_its_thread() {
    // The last values are beyond the frame.
    let (mut machine, entry) = load(&printing("%d %f %s %lld %lld %lld %lld %lld %lld"), "k");
    let x = machine.buffer(&[0_u32; 3]);
    let fault = machine.launch(&entry, 1, 3, 0, &[Arg::from(x)]).unwrap_err();
    assert!(fault.kind() == FaultKind::OutOfBounds && fault.what().contains("local memory"), "{fault}");
    assert!(fault.instruction().is_some_and(|text| text.starts_with("call.uni (count), vprintf")), "{fault}");
}

#[test]
fn an_assertion_that_is_false_says_what_and_where() {
    let text = |of: &str| of.bytes().chain([0]).map(|b| b.to_string()).collect::<Vec<_>>().join(", ");
    let items = format!(
        ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s) .noreturn;
        .global .align 1 .b8 message[] = {{{}}};
        .global .align 1 .b8 file[] = {{{}}};
        .global .align 1 .b8 name[] = {{{}}};\n",
        text("i < n"),
        text("k.cu"),
        text("void k(int)")
    );
    let body = "
        .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 37;
        @%p1 ret;
        mov.u64 %rd1, message; st.param.b64 [m], %rd1;
        mov.u64 %rd1, file; st.param.b64 [f], %rd1;
        st.param.b32 [l], 12;
        mov.u64 %rd1, name; st.param.b64 [n], %rd1;
        st.param.b64 [s], 1;
        call.uni __assertfail, (m, f, l, n, s);";
    let (mut machine, entry) = load(&module("8.8", "sm_100", &(items + &entry("k", "", body))), "k");
    let fault = machine.launch(&entry, 1, 64, 0, &[]).unwrap_err();
    assert_eq!((fault.kind(), fault.thread(), fault.kernel()), (FaultKind::Assert, Some([37, 0, 0]), Some("k")));
    assert_eq!(fault.what(), "the assertion `i < n` is false, in line 12 of k.cu, in void k(int)");
    // Another declaration is another function.
    let other = format!(
        ".extern .func vprintf (.param .b64 f);\n{}",
        crate::support::entry("k", "", ".param .b64 f; call vprintf, (f);")
    );
    let module = Module::parse(&module("8.8", "sm_100", &other)).unwrap();
    let error = Machine::new().load(&module).unwrap().entry("k").unwrap_err();
    assert!(error.what().contains("`vprintf` is declared otherwise"), "{error}");
}

/// Every block adds one to a word, and waits until all blocks have.
const MEETING: &str = "
    ld.param.u64 %rd1, [x];
    mov.u32 %r2, %nctaid.x;
    atom.global.add.u32 %r1, [%rd1], 1;
again:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.lt.u32 %p1, %r1, %r2;
    @%p1 bra again;";

#[test]
fn blocks_that_run_at_once_wait_for_each_other() {
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", MEETING));
    let (mut machine, entry) = load(&text, "k");
    machine.set_limit(1 << 22);
    let x = machine.buffer(&[0_u32]);
    machine.launch_bytes(&entry, 24, 1, 0, &x.address().to_le_bytes(), true).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), [24]);
    // Others take turns when one has waited for long. Before that, the limit ends it.
    let mut machine = Machine::new().threads(std::num::NonZeroUsize::MIN);
    let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
    let x = machine.buffer(&[0_u32]);
    machine.launch_bytes(&entry, 2, 1, 0, &x.address().to_le_bytes(), false).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), [2]);
    machine.write(x, 0, &[0; 4]).unwrap();
    machine.set_limit(1 << 12);
    let fault = machine.launch_bytes(&entry, 2, 1, 0, &x.address().to_le_bytes(), false).unwrap_err();
    assert_eq!((fault.kind(), fault.block()), (FaultKind::Limit, Some([0; 3])));
    let wrong = machine.launch_bytes(&entry, 2000, 1, 0, &[0; 8], true).unwrap_err();
    assert!(wrong.what().contains("at most 1024"), "{wrong}");
}

#[test]
fn a_block_that_fails_is_waited_for_by_no_other() {
    let fails = "mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p2, %r3, 3;\n@%p2 trap;\n";
    let text = module("8.8", "sm_100", &entry("k", ".param .u64 x", &format!("{fails}{MEETING}")));
    let (mut machine, entry) = load(&text, "k");
    let x = machine.buffer(&[0_u32]);
    let fault = machine.launch_bytes(&entry, 8, 1, 0, &x.address().to_le_bytes(), true).unwrap_err();
    assert_eq!((fault.kind(), fault.block()), (FaultKind::Trap, Some([3, 0, 0])));
}

#[test]
fn arguments_as_bytes_are_as_many_as_the_entry_has() {
    let text = module("8.8", "sm_100", &entry("k", ".param .u8 a, .param .align 16 .b8 b[20], .param .f64 c", ""));
    let (mut machine, entry) = load(&text, "k");
    assert_eq!(entry.parameters().collect::<Vec<_>>(), [(0, 1), (16, 20), (40, 8)]);
    assert_eq!(entry.parameter_bytes(), 48);
    machine.launch_bytes(&entry, 1, 1, 0, &[0; 48], false).unwrap();
    for bytes in [0, 47, 49] {
        let fault = machine.launch_bytes(&entry, 1, 1, 0, &vec![0; bytes], false).unwrap_err();
        assert_eq!(fault.what(), format!("`k` takes 48 bytes of arguments, and {bytes} are passed"));
    }
}

#[test]
fn a_program_that_was_unloaded_has_no_variables() {
    let body = "ld.global.u32 %r1, [v];\nld.param.u64 %rd1, [x];\nst.global.u32 [%rd1], %r1;";
    let text = module("8.8", "sm_100", &format!(".global .u32 v = 7;\n{}", entry("k", ".param .u64 x", body)));
    let mut machine = Machine::new();
    let program = machine.load(&Module::parse(&text).unwrap()).unwrap();
    let entry = program.entry("k").unwrap();
    let v = program.variable("v").unwrap();
    assert!(program.variable("k").is_none() && program.variable("w").is_none());
    machine.write(v, 0, &[8]).unwrap();
    // Memory of this process, at its own address.
    let x = machine.alloc_host(4);
    machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), [8]);
    machine.unload(&program).unwrap();
    assert_eq!(machine.unload(&program).unwrap_err().kind(), FaultKind::Freed);
    let fault = machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
    assert!(fault.kind() == FaultKind::Freed && fault.what().contains("the variable `v`"), "{fault}");
    assert_eq!(Machine::new().unload(&program).unwrap_err().kind(), FaultKind::Launch);
}
