//! The shared memory of an entry is that of the variables that it reaches.

use ptxf_vm::{Arg, FaultKind, Machine, Module};

use crate::support::{entry, module};

/// Returns the static shared memory of entries, and loads from each the word that it stores.
fn bytes(text: &str, entries: &[&str]) -> Vec<(u32, u32)> {
    let mut machine = Machine::new();
    let program = machine.load(&Module::parse(text).unwrap_or_else(|e| panic!("{e}"))).unwrap();
    let found = entries.iter().map(|name| {
        let entry = program.entry(name).unwrap_or_else(|e| panic!("{e}"));
        let x = machine.buffer(&[7_u32]);
        machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{name}: {e}"));
        (entry.shared_bytes(), machine.values::<u32>(x).unwrap()[0])
    });
    found.collect()
}

/// Stores the address of a shared variable.
fn address(name: &str, before: &str) -> String {
    format!("{before}\nld.param.u64 %rd1, [x];\nmov.u32 %r1, {name};\nst.global.u32 [%rd1], %r1;")
}

#[test]
fn each_entry_has_its_own_variables() {
    let other = entry("other", ".param .u64 x", &address("big", ".shared .b8 big[40000];"));
    let k = entry("k", ".param .u64 x", &address("mine", ".shared .b8 mine[40000];"));
    let text = module("7.8", "sm_90", &format!("{other}{k}"));
    assert_eq!(bytes(&text, &["other", "k"]), [(40000, 0); 2]);
    // An access below its first variable is a fault.
    let below = format!("{}\nst.shared.u32 [%r1+-4], %r1;", address("mine", ".shared .b8 mine[40000];"));
    let text = module("7.8", "sm_90", &format!("{other}{}", entry("k", ".param .u64 x", &below)));
    let mut machine = Machine::new();
    let k = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
    let x = machine.buffer(&[0_u32]);
    let fault = machine.launch(&k, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::OutOfBounds, "{fault}");
}

#[test]
fn variables_of_the_module_belong_to_the_entries_that_reach_them() {
    // `f` is called directly by `a`, and its address is in a table that `b` reads. `c` has neither.
    let items = ".shared .align 4 .b8 all[100];\n.shared .align 16 .b8 few[32];\n\
                 .func f() { .shared .align 8 .b8 inner[8]; .reg .b32 %r<2>; mov.u32 %r1, inner; \
                 st.shared.u32 [inner], %r1; mov.u32 %r1, all; ret; }\n.global .u64 table[1] = {f};\n";
    let a = entry("a", ".param .u64 x", &format!("{}\ncall f;", address("all", "")));
    let b = entry("b", ".param .u64 x", &format!("{}\nmov.u64 %rd2, table;", address("few", "")));
    let c = entry("c", ".param .u64 x", &address("few", ""));
    let text = module("7.8", "sm_90", &format!("{items}{a}{b}{c}"));
    // `inner` follows `all` in the first, and `few` in the second.
    let found = bytes(&text, &["a", "b", "c"]);
    assert_eq!(found.iter().map(|(bytes, _)| *bytes).collect::<Vec<_>>(), [112, 152, 32]);
    assert_eq!(found[1].1, found[2].1, "`few` has one address");
}

#[test]
fn extern_variables_with_a_size_have_it() {
    let body = "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 4, %r2;\n\
                st.shared.u32 [%r3], %r1;\nbar.sync 0;\nxor.b32 %r4, %r1, 31;\nmad.lo.u32 %r3, %r4, 4, %r2;\n\
                ld.shared.u32 %r5, [%r3];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\n\
                st.global.u32 [%rd1], %r5;";
    let tile = ".extern .shared .align 4 .b8 tile[128];\n";
    let text = module("7.8", "sm_90", &format!("{tile}{}", entry("rev", ".param .u64 x", body)));
    let mut machine = Machine::new();
    let rev = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("rev").unwrap();
    for dynamic in [0, 64, 256] {
        let x = machine.buffer(&[0_u32; 32]);
        machine.launch(&rev, 1, 32, dynamic, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(machine.values::<u32>(x).unwrap(), (0..32).rev().collect::<Vec<u32>>());
    }
}
