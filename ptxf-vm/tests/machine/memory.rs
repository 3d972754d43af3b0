//! Spaces, widths, vectors, initial values and atomic operations.

use ptxf_vm::{Arg, Machine, Module};

use crate::support::{OWN_WORD, entry, load, module, run, run_with};

#[test]
fn loads_extend_by_the_sign_of_their_own_type() {
    for (load, expected) in [
        ("ld.global.u8 %r3, [%rd1];", 0xf1),
        ("ld.global.s8 %r3, [%rd1];", 0xffff_fff1),
        ("ld.global.u16 %r3, [%rd1];", 0xe2f1),
        ("ld.global.s16 %r3, [%rd1];", 0xffff_e2f1),
        ("ld.global.s8 %h3, [%rd1];\ncvt.u32.u16 %r3, %h3;", 0xfff1),
        ("ld.global.s32 %rd3, [%rd1];\nshr.u64 %rd3, %rd3, 16;\ncvt.u32.u64 %r3, %rd3;", 0xffff_d3c4),
        ("ld.global.nc.L1::no_allocate.L2::128B.u32 %r3, [%rd1];", 0xd3c4_e2f1),
        ("ld.relaxed.gpu.global.u32 %r3, [%rd1];", 0xd3c4_e2f1),
        ("ld.u32 %r3, [%rd1];", 0xd3c4_e2f1),
        ("ld.global.v2.u16 {%h3, %h4}, [%rd1];\nmov.b32 %r3, {%h4, %h3};", 0xe2f1_d3c4),
        ("ld.global.v4.u8 {%r3, _, %r4, _}, [%rd1];\nmad.lo.u32 %r3, %r4, 256, %r3;", 0xc4f1),
    ] {
        let found = run(&format!("{load}\nst.global.u32 [%rd1+4], %r3;"), 1, &[0xd3c4_e2f1, 0]).unwrap();
        assert_eq!(found[1], expected, "{load}");
    }
}

#[test]
fn stores_write_their_bytes_alone() {
    for (store, expected) in [
        ("mov.u32 %r3, 0x1234;\nst.global.u8 [%rd1+1], %r3;", 0xaaaa_34aa),
        ("st.global.u16 [%rd1+2], 0x1234;", 0x1234_aaaa),
        ("mov.u32 %r3, 7;\nst.global.v2.b16 [%rd1], {5, 6};", 0x0006_0005),
        ("st.volatile.global.v4.b8 [%rd1], {1, 2, 3, 4};", 0x0403_0201),
        ("mov.b64 %rd3, 0x1122334455667788;\nst.global.b32 [%rd1], %rd3;", 0x5566_7788),
        ("st.global.f32 [%rd1], 0f3FC00000;", 0x3fc0_0000),
        ("st.global.f32 [%rd1], 1.5;", 0x3fc0_0000),
        ("mov.f32 %r3, 0d3FF8000000000000;\nst.global.f32 [%rd1], %r3;", 0x3fc0_0000),
        ("st.global.u32 [%rd1], %ntid.x;", 1),
    ] {
        assert_eq!(run(store, 1, &[0xaaaa_aaaa]).unwrap(), [expected], "{store}");
    }
}

#[test]
fn variables_begin_with_their_values() {
    let items = "
        .global .align 4 .u32 one = 0x11;
        .const .align 2 .b16 halves[3] = {1, 0xFFFE};
        .global .align 8 .u64 there[2] = {one, generic(one)+4};
        .global .align 4 .f32 numbers[2][2] = {{1.5, 0f40000000}, {-1.0}};
        .global .align 1 .b8 bytes[4] = {0xFF(there), 0xFF00(there), 3};
        .extern .shared .align 16 .b8 dynamic[];";
    let body = "ld.global.u32 %r1, [one];\nld.const.u16 %h1, [halves+2];\ncvt.u32.u16 %r2, %h1;\nld.global.u64 %rd3, [there];\nld.u32 %r3, [%rd3];\nld.global.u32 %r4, \
                [numbers+4];\nld.global.u32 %r5, [numbers+8];\nld.global.u32 %r6, [numbers+12];\nmov.u64 %rd4, there;\ncvt.u32.u64 %r7, %rd4;\nld.global.u16 %h2, \
                [bytes];\ncvt.u32.u16 %r8, %h2;\nxor.b32 %r9, %r7, %r8;\nand.b32 %r9, %r9, 0xffff;\nst.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\nst.global.v4.u32 \
                [%rd1+16], {%r5, %r6, %r9, 77};";
    let found = run_with(items, body, 1, &[0; 8]).unwrap();
    assert_eq!(found, [0x11, 0xfffe, 0x11, 0x4000_0000, 0xbf80_0000, 0, 0, 77]);
}

#[test]
fn generic_addresses_reach_every_space() {
    let items = ".shared .align 8 .b8 s[1024];";
    // Even lanes address local memory and odd lanes shared memory, and one load reads both.
    let body = format!(
        "{OWN_WORD}.local .align 8 .b8 l[16];\nmov.u64 %rd3, l;\ncvta.local.u64 %rd4, %rd3;\nmov.u64 %rd5, s;\ncvta.shared.u64 %rd6, %rd5;\nmul.wide.u32 %rd7, %r1, \
         8;\nadd.u64 %rd6, %rd6, %rd7;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\nselp.b64 %rd8, %rd4, %rd6, %p1;\nadd.u32 %r3, %r1, 1000;\nst.u32 [%rd8+4], \
         %r3;\nld.u32 %r4, [%rd8+4];\ncvta.to.local.u64 %rd9, %rd4;\n@%p1 ld.local.u32 %r4, [%rd9+4];\n@!%p1 ld.shared.u32 %r4, [s+12];\nisspacep.shared %p2, \
         %rd8;\nselp.u32 %r5, 5000, 0, %p2;\nadd.u32 %r4, %r4, %r5;\nst.global.u32 [%rd2], %r4;"
    );
    let found = run_with(items, &body, 40, &[0; 40]).unwrap();
    for (t, x) in found.iter().enumerate() {
        assert_eq!(*x, if t % 2 == 0 { 1000 + t as u32 } else { 6001 }, "{t}");
    }
}

#[test]
fn dynamic_shared_memory_is_behind_the_rest() {
    let items =
        ".extern .shared .align 4 .b8 d[];\n.extern .shared .align 16 .b8 e[];\n.shared .align 4 .b8 fixed[20];";
    let body = "ld.param.u64 %rd1, [x];\nmov.u32 %r1, d;\nmov.u32 %r2, e;\nmov.u32 %r3, fixed;\nst.shared.u32 [d+60], 5;\nst.shared.u32 [fixed+16], 6;\nld.shared.u32 \
                %r4, [%r2+60];\nsetp.gt.u32 %p1, %r1, %r3;\nselp.u32 %r5, %r4, 0, %p1;\nmov.u32 %r6, %dynamic_smem_size;\nst.global.v2.u32 [%rd1], {%r5, %r6};";
    let text = module("8.8", "sm_100", &format!("{items}\n{}", entry("k", ".param .u64 x", body)));
    let (mut machine, entry) = load(&text, "k");
    let x = machine.buffer(&[0_u32; 2]);
    machine.launch(&entry, 1, 1, 64, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), [5, 64]);
    assert!(machine.launch(&entry, 1, 1, 60, &[Arg::from(x)]).is_err());
}

#[test]
fn registers_come_apart_and_together() {
    let body = "ld.global.u64 %rd3, [%rd1];\nmov.b64 {%r3, %r4}, %rd3;\nmov.b64 {%h1, %h2, %h3, %h4}, %rd3;\nmov.b64 %rd4, {%h4, %h3, %h2, %h1};\nmov.b64 %rd5, {%r4, \
                %r3};\nmov.b32 {_, %h5}, %r3;\nmov.b32 %r5, {%h5, 7};\nst.global.u64 [%rd1], %rd4;\nst.global.u64 [%rd1+8], %rd5;\nst.global.u32 [%rd1+16], %r5;";
    let found = run(body, 1, &[0x2222_1111, 0x4444_3333, 0, 0, 0, 0]).unwrap();
    assert_eq!(found, [0x3333_4444, 0x1111_2222, 0x4444_3333, 0x2222_1111, 0x0007_2222, 0]);
}

#[test]
fn arguments_of_every_type_arrive() {
    let parameters = ".param .u8 a, .param .s16 b, .param .f32 c, .param .f64 d, .param .align 8 .b8 e[12], .param .u64 .ptr .global .align 4 f";
    let body = "ld.param.u64 %rd1, [f];\nld.param.u8 %r1, [a];\nld.param.s16 %r2, [b];\nld.param.f32 %r3, [c];\nld.param.f64 %rd3, [d];\nld.param.u32 %r4, [e+8];\nmov.u64 \
                %rd4, e;\nld.param.u32 %r5, [%rd4+4];\nst.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\nst.global.u64 [%rd1+16], %rd3;\nst.global.u32 [%rd1+24], %r5;";
    let text = module("8.8", "sm_100", &entry("k", parameters, body));
    let (mut machine, entry) = load(&text, "k");
    let f = machine.buffer(&[0_u32; 8]);
    let e: Vec<u8> = (1..=12).collect();
    let args =
        [Arg::from(200_u8), Arg::from(-2_i16), Arg::from(1.5_f32), Arg::from(-2.0_f64), Arg::Bytes(e), Arg::from(f)];
    machine.launch(&entry, 1, 1, 0, &args).unwrap();
    let expected = [200, 0xffff_fffe, 0x3fc0_0000, 0x0c0b_0a09, 0, 0xc000_0000, 0x0807_0605, 0];
    assert_eq!(machine.values::<u32>(f).unwrap(), expected);
}

#[test]
fn atomic_operations_happen_one_after_the_other() {
    for space in ["global", "shared"] {
        for (operation, initial, operand, last) in [
            ("add.u32", 5, "%r1", 5 + 496),
            ("min.s32", 5, "%r9", -16_i32 as u32),
            ("max.u32", 5, "%r1", 31),
            ("and.b32", 0xff, "0x0f", 0x0f),
            ("or.b32", 0, "%r1", 31),
            ("xor.b32", 0, "%r1", 0),
            ("exch.b32", 5, "%r1", 31),
            ("inc.u32", 0, "9", 2),
            ("dec.u32", 0, "9", 8),
            ("cas.b32", 3, "3, 50", 50),
        ] {
            let body = format!(
                ".shared .align 4 .u32 s;\nmov.u32 %r1, %tid.x;\nsub.s32 %r9, %r1, 16;\nmov.u64 %rd3, s;\nst.shared.u32 [s], {initial};\nst.global.u32 [%rd1], \
                 {initial};\natom.{space}.{operation} %r2, [{}], {operand};\nld.shared.u32 %r3, [s];\n{}",
                if space == "global" { "%rd1" } else { "%rd3" },
                if space == "global" { "" } else { "st.global.u32 [%rd1], %r3;" }
            );
            assert_eq!(run(&body, 32, &[0]).unwrap(), [last], "{space}.{operation}");
        }
    }
    // In parallel, and with the initial contents.
    let text = module(
        "8.8",
        "sm_100",
        &entry(
            "k",
            ".param .u64 x",
            "ld.param.u64 %rd1, [x];\nred.global.add.u64 [%rd1], 3;\natom.add.u32 %r2, [%rd1+8], 1;\nred.max.u32 [%rd1+12], %r2;",
        ),
    );
    let mut machine = Machine::new();
    let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
    let x = machine.buffer(&[0_u32; 4]);
    machine.launch(&entry, 100, 50, 0, &[Arg::from(x)]).unwrap();
    assert_eq!(machine.values::<u32>(x).unwrap(), [15_000, 0, 5000, 4999]);
}

#[test]
fn floating_point_atomics_flush_in_global_memory_alone() {
    let subnormal = 3_u32;
    let global = run("red.global.add.f32 [%rd1], 0f00000001;", 1, &[subnormal]).unwrap();
    let shared = run(
        ".shared .align 4 .f32 s;\nld.global.u32 %r1, [%rd1];\nst.shared.u32 [s], %r1;\nred.shared.add.f32 [s], 0f00000001;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd1], %r2;",
        1,
        &[subnormal],
    );
    assert_eq!((global, shared.unwrap()), (vec![0], vec![4]));
    let f16 = run("mov.b32 %r1, 0x3c003c00;\nred.global.add.noftz.f16x2 [%rd1], %r1;", 2, &[0x0001_4000]).unwrap();
    assert_eq!(f16, [0x4000_4400]);
}

/// Returns a kernel that moves an element of `bits` bits in each lane of the mask, from or to the
/// lane's place in `x`.
fn moving(space: &str, bits: u32) -> String {
    let (register, bytes) = match bits {
        16 => ("%h1", 2),
        32 => ("%r9", 4),
        _ => ("%rd9", 8),
    };
    let narrowed =
        if bits == 64 { "mov.b64 %rd9, %rd8;".to_owned() } else { format!("cvt.u{bits}.u64 {register}, %rd8;") };
    let widened =
        if bits == 64 { "mov.b64 %rd8, %rd9;".to_owned() } else { format!("cvt.u64.u{bits} %rd8, {register};") };
    // Shared memory is filled from `x` first, and copied to `x` at the end.
    let copy = |from: &str, to: &str, first: &str, second: &str| {
        format!(
            "ld.{from}.b64 %rd6, [{first}];\nst.{to}.b64 [{second}], %rd6;\nld.{from}.b64 %rd6, [{first}+256];\nst.{to}.b64 [{second}+256], %rd6;\n"
        )
    };
    let (before, after, base) = match space {
        "shared" => (copy("global", "shared", "%rd4", "%rd5"), copy("shared", "global", "%rd5", "%rd4"), "s"),
        _ => (String::new(), String::new(), "x"),
    };
    let place = if base == "s" { "mov.u64 %rd7, s;" } else { "mov.u64 %rd7, %rd1;" };
    let head = format!(
        "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [at];\nld.param.u64 %rd3, [out];\nld.param.u32 %r2, [mask];\nmov.u32 %r1, %tid.x;\n\
         mul.wide.u32 %rd4, %r1, 8;\nmov.u64 %rd5, s;\nadd.s64 %rd5, %rd5, %rd4;\nadd.s64 %rd3, %rd3, %rd4;\nadd.s64 %rd4, %rd1, %rd4;\n\
         {before}mul.wide.u32 %rd6, %r1, 4;\nadd.s64 %rd6, %rd2, %rd6;\nld.global.u32 %r3, [%rd6];\n{place}\nmad.wide.u32 %rd7, %r3, {bytes}, \
         %rd7;\nshr.u32 %r4, %r2, %r1;\nand.b32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\nbar.sync 0;\ncvt.u64.u32 %rd8, %r1;\nadd.s64 %rd8, \
         %rd8, 1000;\n{narrowed}\n"
    );
    let parameters = ".param .u64 x, .param .u64 at, .param .u64 out, .param .u32 mask";
    let load = format!("{head}@%p1 ld.{space}.b{bits} {register}, [%rd7];\n{widened}\nst.global.b64 [%rd3], %rd8;");
    // The address is in the register that is loaded.
    let own = format!(
        "{head}mov.b64 %rd8, %rd7;\n@%p1 ld.{space}.b64 %rd8, [%rd8];\n@!%p1 mov.b64 %rd8, 0;\nst.global.b64 [%rd3], %rd8;"
    );
    let store = format!("{head}@%p1 st.{space}.b{bits} [%rd7], {register};\nbar.sync 0;\n{after}");
    let own = if bits == 64 { entry("own", parameters, &own) } else { String::new() };
    let entries = [entry("load", parameters, &load), entry("store", parameters, &store), own];
    module("8.8", "sm_100", &format!(".shared .align 8 .b8 s[512];\n{}", entries.join("")))
}

#[test]
fn lanes_read_and_write_their_own_element_however_they_lie() {
    let places: [fn(u32) -> u32; 9] = [
        |lane| lane,
        |lane| lane + 1,
        |lane| 31 - lane,
        |lane| 2 * lane,
        |_| 7,
        |lane| lane % 16,
        |lane| lane / 16 * 9,
        |lane| lane ^ 1,
        |lane| if lane == 5 { 60 } else { lane + 3 },
    ];
    let bytes: Vec<u8> = (0..512_u32).map(|i| (i * 37 + i / 256 + 11) as u8).collect();
    for (space, bits) in ["global", "shared"].into_iter().flat_map(|space| [16, 32, 64].map(|bits| (space, bits))) {
        let text = moving(space, bits);
        let (mut machine, load) = load(&text, "load");
        let program = machine.load(&Module::parse(&text).unwrap()).unwrap();
        let (store, size) = (program.entry("store").unwrap(), bits as usize / 8);
        let own = program.entry("own").ok();
        for (place, mask) in
            places.iter().flat_map(|place| [!0_u32, !(1 << 5), 0xffff, 0x8000_0000, 1].map(|mask| (place, mask)))
        {
            let at: Vec<u32> = (0..32).map(place).collect();
            let [x, index, out] = [machine.buffer(&bytes), machine.buffer(&at), machine.buffer(&[0_u64; 32])];
            let args = [Arg::from(x), Arg::from(index), Arg::from(out), Arg::from(mask)];
            let (mut read, mut written) = (Vec::new(), bytes.clone());
            for (lane, &at) in at.iter().enumerate() {
                let range = at as usize * size..(at as usize + 1) * size;
                let mut value = [0; 8];
                if mask >> lane & 1 != 0 {
                    value[..size].copy_from_slice(&bytes[range.clone()]);
                    read.push(u64::from_le_bytes(value));
                    written[range].copy_from_slice(&(lane as u64 + 1000).to_le_bytes()[..size]);
                } else {
                    read.push(lane as u64 + 1000);
                }
            }
            let what = format!("{bits} bits in {space} memory, {mask:#x}, {at:?}");
            machine.launch(&load, 1, 32, 0, &args).unwrap();
            assert_eq!(machine.values::<u64>(out).unwrap(), read, "{what}");
            if let Some(own) = &own {
                machine.launch(own, 1, 32, 0, &args).unwrap();
                let there = |(lane, &value): (usize, &u64)| if mask >> lane & 1 != 0 { value } else { 0 };
                assert_eq!(
                    machine.values::<u64>(out).unwrap(),
                    read.iter().enumerate().map(there).collect::<Vec<_>>(),
                    "{what}"
                );
            }
            machine.launch(&store, 1, 32, 0, &args).unwrap();
            assert_eq!(machine.values::<u8>(x).unwrap(), written, "{what}");
            for buffer in [x, index, out] {
                machine.free(buffer).unwrap();
            }
        }
    }
}

/// The alignment after `.ptr` is that of the memory, and not that of the parameter.
#[test]
fn pointers_to_aligned_memory_are_passed_as_other_pointers() {
    let text = ".version 7.8\n.target sm_90\n.entry k(.param .u32 n, .param .u64 .ptr .global .align 16 x) { ret; }";
    let mut machine = Machine::new();
    let entry = machine.load(&Module::parse(text).unwrap()).unwrap().entry("k").unwrap();
    assert_eq!(entry.parameters().collect::<Vec<_>>(), [(0, 4), (8, 8)]);
}

#[test]
fn large_buffers_begin_at_pages() {
    let mut machine = Machine::new();
    let mut start = |bytes| {
        machine.alloc(8);
        machine.alloc(bytes).address()
    };
    assert_eq!([4096, 5000, 1 << 20, 4 << 20].map(|bytes| start(bytes) % 4096), [0; 4]);
    assert_eq!([1 << 20, 4 << 20].map(|bytes| start(bytes) % (2 << 20)), [0; 2]);
}

#[test]
fn constants_are_expressions() {
    let body = "mov.u32 %r1, (1 << 4) | 3;\nst.global.u32 [%rd1], %r1;\nmov.s32 %r2, -7 / 2;\n\
                st.global.u32 [%rd1 + 2 * 4 - 4], %r2;\nst.global.u32 [%rd1 + 8], WARP_SZ - 1;";
    assert_eq!(run(body, 1, &[0; 3]).unwrap(), [19, -3_i32 as u32, 31]);
}
