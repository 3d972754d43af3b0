//! No text makes the parser, lowering or a launch panic.

use oracle::mutate;
use ptxf_vm::{Machine, Module, fuzz};

use crate::support::{entry, module};

#[test]
fn mixtures_of_texts_end_in_a_result_an_error_or_a_fault() {
    let whole = module(
        "8.8",
        "sm_100",
        &format!(
            ".file 1 \"a.rs\"\n.global .align 4 .u32 g[4] = {{1, 2, 3}};\n.const .f32 c = 1.5;\n.global .u64 p[2] = {{g, generic(g)+4}};\n.shared .align 4 .b8 s[64];\n.extern .shared .b8 \
             d[];\n.func (.param .b32 r) f(.param .b32 a) {{ .reg .b32 %r<4>; ld.param.b32 %r1, [a]; add.s32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }}\n{}\n.section .debug {{ .b8 1 }}",
            entry(
                "k",
                ".param .u64 x",
                "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.v2.u32 {%r2, %r3}, [%rd1+8];\nsetp.lt.u32 %p1|%p2, %r1, \
                 16;\n@%p1 bra L;\nfma.rn.ftz.f32 %r4, %r2, %r3, 0f3F800000;\nL: bar.sync 0;\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), f, (a); ld.param.b32 \
                 %r5, [b]; }\natom.global.add.u32 %r6, [g+4], %r5;\nshfl.sync.idx.b32 %r7, %r6, 3, 31, -1;\nmov.b32 {%h1, %h2}, %r7;\ncvt.rn.f16.f32 %h3, %r4;\nst.shared.u32 [s+60], \
                 %r7;\nprmt.b32 %r8, %r7, %r6, 0x3210;\nst.global.u16 [%rd3], %h3;\nlist: .branchtargets M, N;\nand.b32 %r9, %r1, 1;\nM: brx.idx %r9, list;\nN:",
            )
        ),
    );
    let small = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) { .reg .b64 %rd1; ld.param.u64 %rd1, [x]; st.global.u32 [%rd1], 7; ret; }";
    let matrices = module(
        "9.3",
        "sm_90a",
        &format!(
            ".shared .align 1024 .b8 s[4096];\n{}",
            entry(
                "k",
                ".param .u64 x",
                "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;\nmad.lo.u32 %r2, %r2, 16, s;\nldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, \
                 %r13}, [%r2];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r14, %r10;\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r15, %r16, %r17, %r18}, {%r10, %r11, %r12, %r13}, \
                 {%r10, %r11}, {%r10, %r11, %r12, %r13};\nmma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r15, %r16, %r17, %r18}, {%r10, %r11}, {%r10, %r11}, {%r10, %r11, %r12, %r13}, %r1, \
                 3;\nwmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r19, %r20}, [s], 16;\nwmma.store.d.sync.aligned.col.m8n8k4.f64 [%rd1], {%rd2, %rd3}, 8;\nstmatrix.sync.aligned.m8n8.x2.shared.b16 \
                 [%r2], {%r15, %r16};\nmov.b64 %rd5, 0x4000001000010000;\nsetp.eq.u32 %p1, %r1, %r1;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r15, %r16, \
                 %r17, %r18}, %rd5, %rd5, %p1, 1, -1;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 64, [s+64];\ncp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r1, 3}], [s];\nbarrier.cluster.wait.aligned;",
            )
        ),
    );
    // As it is, the text is right.
    let program = Machine::new().load(&Module::parse(&matrices).unwrap()).unwrap();
    program.entry("k").unwrap_or_else(|e| panic!("{e}"));
    let rare = module(
        "8.8",
        "sm_100",
        &format!(
            ".shared .align 16 .b8 s[256];\n.global .texref t = {{ filter_mode = linear }};\n.extern .func (.param .b64 a) malloc (.param .b64 b);\n.extern .func free (.param .b64 a);\n.func \
             (.reg .u32 d, .reg .pred p) f (.reg .u32 a, .reg .pred q) {{ add.u32 d, a, 1; setp.gt.and.u32 p, a, 2, q; ret; }}\n@@DWARF .byte 1\n{}",
            entry(
                "k",
                ".param .u64 x",
                ".reg .b128 q<2>; .reg .v4 .b32 v;\nld.param.u64 %rd1, [x];\nmov.u32 %r1, %cluster_ctarank;\nld.global.b128 q0, [%rd1];\natom.global.cas.b128 q1, [%rd1], q0, \
                 q0;\nld.global.v4.b32 v, [%rd1];\nmov.v2.b32 {v.x, v.y}, {v.y, v.x};\natom.global.add.v2.f32 {%r2, %r3}, [%rd1], {v.x, v.w};\nred.global.add.noftz.v4.f16x2 [%rd1], \
                 v;\nmov.u64 %rd2, 40;\nstacksave.u64 %rd4;\nalloca.u64 %rd3, %rd2, 32;\nst.local.u32 [%rd3], %r1;\nstackrestore.u64 %rd4;\ncall (%r4, %p1), f, (%r1, \
                 %p2);\n{ .param .b64 b; .param .b64 a; st.param.b64 [b], 24; call (a), malloc, (b); ld.param.b64 %rd5, [a]; st.u32 [%rd5+8], %r1; st.param.b64 [b], %rd5; call free, \
                 (b); }\nmov.u32 %r5, s;\nmapa.shared::cluster.u32 %r6, %r5, 1;\nst.shared::cluster.u32 [%r6+16], %r1;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\ngetctarank.shared::cluster.u32 \
                 %r7, %r6;\nmbarrier.init.shared.b64 [s+8], 1;\nst.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r6], %r1, [%r6+8];\ncp.async.ca.shared.global [s+32], [%rd1], \
                 4;\ncp.async.mbarrier.arrive.noinc.shared.b64 [s+8];\nst.bulk.weak.shared::cta [s], %rd2, 0;\nredux.sync.max.abs.NaN.f32 %r8, %r2, -1;\ncreatepolicy.fractional.L2::evict_last.b64 \
                 %rd6, 0.5;\nld.global.L2::cache_hint.b32 %r9, [%rd1], %rd6;\nmov.u16 %h1, %tid.x;\nmov.u32 %r10, %envreg2;",
            )
        ),
    );
    let textures = module(
        "8.8",
        "sm_100",
        &format!(
            ".global .texref t = {{ filter_mode = linear, addr_mode_0 = mirror, width = 3 }};\n.global .surfref u;\n{}",
            entry(
                "k",
                ".param .u64 x",
                "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\ntex.1d.v4.f32.s32 {%r2, %r3, %r4, %r5}|%p1, [%rd1, {%r1}], {-3};\n\
                 tex.level.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%rd1, {0f3F800000, %r1}], %r2, {1, 2};\ntex.a2d.v2.f16x2.f32 {%r2, %r3}, \
                 [%rd1, {%r1, %r2, %r3, %r4}];\ntex.grad.3d.v4.u32.f32 {%r2, _, %r4, %r5}, [t, {%r2, %r3, %r4, %r5}], {%r2, %r3, %r4, %r5}, \
                 {%r2, %r3, %r4, %r5};\ntld4.a.2d.v4.u32.f32 {%r2, %r3, %r4, %r5}, [%rd1, {%r2, %r3}];\ntxq.width.b32 %r6, [t];\n\
                 txq.addr_mode_2.b32 %r6, [%rd1];\nistypep.surfref %p2, %rd1;\nsuq.height.b32 %r7, [u];\nsuld.b.2d.v4.b32.clamp {%r8, %r9, %r10, \
                 %r11}, [%rd1, {%r1, %r6}];\nsust.b.1d.v2.b64.zero [%rd1, %r1], {%rd2, %rd3};\nsust.p.3d.v4.b32.trap [%rd1, {%r1, %r2, %r3, \
                 %r4}], {%r1, %r2, %r3, %r4};\nsured.b.max.1d.s64.clamp [u, %r1], %rd1;\nsured.p.add.2d.b32.zero [%rd1, {%r1, %r2}], %r3;",
            )
        ),
    );
    for text in [&rare, &textures] {
        let error = Machine::new().load(&Module::parse(text).unwrap()).unwrap().entry("k").err();
        assert!(error.is_none(), "{error:?}");
    }
    let pieces = "{.reg .local .param .align 8 .b8 p[40] <9> %r<0> call (a), f, (b), proto; @!%p1 [%rd1+-8] 0d3FF0000000000000 0xFF(x) = {1, generic(y)} .loc 1 2 3";
    mutate::sample(
        &[
            whole.as_bytes(),
            matrices.as_bytes(),
            rare.as_bytes(),
            textures.as_bytes(),
            small.as_bytes(),
            pieces.as_bytes(),
        ],
        3600,
        0x766d_0020,
        fuzz::machine,
    );
}

#[test]
fn numbers_of_a_text_take_no_more_memory_than_is_said() {
    for item in [
        ".global .b8 x[18446744073709551615];",
        ".global .b8 x[4294967296][4294967296];",
        ".shared .b8 x[4294967295];",
        ".visible .entry k(.param .b8 p[4294967295]) { ret; }",
        ".visible .entry k() { .local .b8 x[4294967295]; ret; }",
        ".visible .entry k() { .reg .b32 %r<4294967295>; ret; }",
        ".visible .entry k() { .reg .v4 .b64 %r<1048576>; ret; }",
        ".global .pred x;",
        ".global .u32 x = {1, 2};",
        ".global .u32 x = \"a\";",
        ".global .u32 x = 1.5;",
        ".global .u64 x = nothing;",
    ] {
        let text = module("8.8", "sm_100", item);
        let refused = match Module::parse(&text) {
            Err(_) => true,
            Ok(module) => {
                let program = Machine::new().load(&module);
                program.is_err() || program.is_ok_and(|p| p.entry("k").is_err())
            }
        };
        assert!(refused, "{item}");
    }
}
