//! Checks see what textures and surfaces access.

use ptxf_vm::{Arg, Channel, Check, Filtering, Machine, Module, ReportKind, Sampler, Texels, Texture};

use crate::support::{entry, module};

/// Runs one block on a texture and a surface of four words, of which three are written before, and
/// returns what the check reports: kind, line of the body, and text.
fn of_texels(check: Check, body: &str, threads: u32) -> Vec<(ReportKind, usize, String)> {
    let text = module(
        "8.8",
        "sm_100",
        &entry(
            "k",
            ".param .u64 t, .param .u64 s",
            &format!("ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [s];\nmov.u32 %r1, %tid.x;\n{body}"),
        ),
    );
    let mut machine = Machine::new().check(check);
    let program = machine.load(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}"))).unwrap();
    let words = machine.alloc(16);
    machine.write(words, 0, &[0; 12]).unwrap();
    let texels = Texels::array(words.address(), Channel::F32, 1, &[4], None).unwrap();
    let sampler = Sampler { filter: Filtering::Linear, ..Sampler::default() };
    let texture = machine.add_texture(Texture::new(texels, sampler, false).unwrap());
    let surface = machine.add_surface(texels).unwrap();
    let arguments = [Arg::from(texture), Arg::from(surface)];
    machine.launch(&program.entry("k").unwrap(), 1, threads, 0, &arguments).unwrap_or_else(|e| panic!("{e}"));
    let first = 1 + text.lines().position(|line| line == "mov.u32 %r1, %tid.x;").unwrap();
    machine.reports().iter().map(|r| (r.kind(), r.line() - first, r.what().to_owned())).collect()
}

#[test]
fn texels_that_nobody_wrote_are_reported() {
    let fetch = |x: &str| format!("mov.f32 %r2, {x};\ntex.1d.v4.f32.f32 {{%r3, %r4, %r5, %r6}}, [%rd1, {{%r2}}];");
    // The middle of the third texel, and half a texel after it.
    assert!(of_texels(Check::Init, &fetch("0f40200000"), 1).is_empty());
    let found = of_texels(Check::Init, &fetch("0f40400000"), 3);
    let [(ReportKind::UndefinedMemory, 2, what)] = &found[..] else { panic!("{found:?}") };
    assert!(what.starts_with("read of 4 bytes at 0x") && what.ends_with("of which nobody wrote 4"), "{what}");
    let load = |x: &str| format!("mov.u32 %r2, {x};\nsuld.b.1d.b32.trap %r3, [%rd2, {{%r2}}];");
    assert!(of_texels(Check::Init, &load("8"), 1).is_empty());
    let found = of_texels(Check::Init, &load("12"), 1);
    assert!(matches!(&found[..], [(ReportKind::UndefinedMemory, 2, _)]), "{found:?}");
    // A store writes it.
    let store = "mov.u32 %r2, 12;\nsust.b.1d.b32.trap [%rd2, {%r2}], %r1;\n";
    assert!(of_texels(Check::Init, &format!("{store}{}", load("12")), 1).is_empty());
}

#[test]
fn races_of_surfaces_are_reported() {
    let own = "shl.b32 %r2, %r1, 2;\nsust.b.1d.b32.trap [%rd2, {%r2}], %r1;";
    assert!(of_texels(Check::Race, own, 4).is_empty());
    let same = "mov.u32 %r2, 4;\nsust.b.1d.b32.trap [%rd2, {%r2}], %r1;";
    let found = of_texels(Check::Race, same, 2);
    let [(ReportKind::Race, 2, what)] = &found[..] else { panic!("{found:?}") };
    assert!(
        what.starts_with("write of 4 bytes at 0x") && what.contains("which nothing orders with the write by"),
        "{what}"
    );
    // A fetch of what another thread has written; a barrier orders them.
    let fetch = "mov.f32 %r4, 0f3f000000;\ntex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%rd1, {%r4}];";
    let found = of_texels(Check::Race, &format!("{own}\n{fetch}"), 2);
    let [(ReportKind::Race, 4, what)] = &found[..] else { panic!("{found:?}") };
    assert!(what.starts_with("read of 4 bytes at 0x"), "{what}");
    assert!(of_texels(Check::Race, &format!("{own}\nbar.sync 0;\n{fetch}"), 2).is_empty());
    // Reductions are atomic.
    let sum = "mov.u32 %r2, 4;\nsured.b.add.1d.u32.trap [%rd2, {%r2}], %r1;";
    assert!(of_texels(Check::Race, sum, 4).is_empty());
}
