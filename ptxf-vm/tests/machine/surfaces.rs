//! Loads, stores and reductions of surfaces.

use oracle::Rng;
use ptxf_vm::{Channel, FaultKind, Machine, Texels};

use crate::textures::{kernel, run};

/// Returns the byte of a surface where an access lands, or `None` beyond it under `.zero`.
fn landed(at: [i64; 4], ends: [i64; 4], size: i64, row: i64, clamps: bool) -> Option<usize> {
    let mut at = at;
    let ends = [(ends[0] - size) / size * size, ends[1] - 1, ends[2] - 1, ends[3] - 1];
    for (at, end) in at.iter_mut().zip(ends) {
        if *at < 0 || *at > end {
            if !clamps {
                return None;
            }
            *at = if *at < 0 { 0 } else { end };
        }
    }
    let height = ends[1] + 1;
    Some((((at[2] + at[3]) * height + at[1]) * row + at[0]) as usize)
}

#[test]
fn bytes_of_surfaces_come_and_go() {
    let mut rng = Rng::from_env(0x7375_7201);
    for _ in 0..300 {
        let (name, dimensions, layers, place) = rng.pick(&[
            ("1d", 1, None, "%r2"),
            ("2d", 2, None, "{%r2, %r3}"),
            ("3d", 3, None, "{%r2, %r3, %r4, %r4}"),
            ("a1d", 1, Some(3), "{%r5, %r2}"),
            ("a2d", 2, Some(2), "{%r5, %r2, %r3, %r3}"),
        ]);
        let (vector, ty, results, size) = rng.pick(&[
            ("", "b8", "%h1", 1),
            ("", "b16", "%r10", 2),
            (".v2", "b16", "{%h1, %h2}", 4),
            ("", "b32", "%r10", 4),
            (".v2", "b32", "{%r10, %r11}", 8),
            ("", "b64", "%rd8", 8),
            (".v4", "b32", "{%r10, %r11, %r12, %r13}", 16),
        ]);
        let (clamps, beyond) = rng.pick(&[(true, "clamp"), (false, "zero")]);
        let sizes: Vec<u64> = (0..dimensions).map(|_| 1 + rng.below(5)).collect();
        let texels = |address| Texels::array(address, Channel::U32, 4, &sizes, layers).unwrap();
        let row = sizes[0] as i64 * 16;
        let count = sizes.iter().product::<u64>() as usize * layers.unwrap_or(1) as usize * 16;
        let before: Vec<u8> = (0..count).map(|_| rng.next() as u8).collect();
        let mut ends = [row, 1, 1, i64::from(layers.unwrap_or(1))];
        (1..dimensions).for_each(|i| ends[i] = sizes[i] as i64);
        let at: [i64; 4] = std::array::from_fn(|i| match i {
            0 => i64::from(rng.between(-2, (row / size) as i32 + 1)) * size,
            3 if layers.is_some() => i64::from(rng.between(0, 4)),
            i if i < dimensions => i64::from(rng.between(-2, 6)),
            _ => 0,
        });
        let words = [[at[0] as u32, at[1] as u32, at[2] as u32, at[3] as u32]];
        let landed = landed(at, ends, size, row, clamps);

        let mut machine = Machine::new();
        let memory = machine.buffer(&before);
        let handle = machine.add_surface(texels(memory.address())).unwrap();
        let clear = "mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;";
        let gather = match results {
            "%h1" => "mov.b32 %r10, {%h1, %h0};",
            "{%h1, %h2}" => "mov.b32 %r10, {%h1, %h2};",
            "%rd8" => "mov.b64 {%r10, %r11}, %rd8;",
            _ => "",
        };
        let load = format!(
            "{clear}\nmov.b16 %h0, 0;\nsuld.b.{name}{vector}.{ty}.{beyond} {results}, [%rd1, {place}];\n{gather}"
        );
        let found = run(&mut machine, &kernel("", "sm_90", &load), handle, &words).unwrap_or_else(|e| panic!("{e}"))[0];
        let mut right = [0; 16];
        if let Some(at) = landed {
            right[..size as usize].copy_from_slice(&before[at..at + size as usize]);
        }
        let found: Vec<u8> = found.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(found, right, "{load} {at:?} of {ends:?}");

        let spread =
            "mov.b32 %r10, 0x04030201; mov.b32 %r11, 0x08070605; mov.b32 %r12, 0x0c0b0a09; mov.b32 %r13, 0x100f0e0d;
            mov.b32 {%h1, %h2}, %r10; mov.b64 %rd8, {%r10, %r11};";
        let store = format!("{spread}\nsust.b.{name}{vector}.{ty}.{beyond} [%rd1, {place}], {results};");
        run(&mut machine, &kernel("", "sm_90", &store), handle, &words).unwrap_or_else(|e| panic!("{e}"));
        let mut right = before.clone();
        if let Some(at) = landed {
            (0..size as usize).for_each(|i| right[at + i] = i as u8 + 1);
        }
        assert_eq!(machine.read(memory).unwrap(), right, "{store} {at:?} of {ends:?}");
    }
}

#[test]
fn components_are_converted_to_the_format() {
    let stored = |channel: Channel, words: [u32; 4]| {
        let mut machine = Machine::new();
        let memory = machine.buffer(&[0xee_u8; 32]);
        let handle = machine.add_surface(Texels::array(memory.address(), channel, 2, &[4], None).unwrap()).unwrap();
        let body = "sust.p.1d.v4.b32.trap [%rd1, {1}], {%r2, %r3, %r4, %r5};\nmov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;";
        run(&mut machine, &kernel("", "sm_90", body), handle, &[words]).unwrap();
        let texel = 2 * channel.bytes() as usize;
        let bytes = machine.read(memory).unwrap();
        assert!(bytes.iter().enumerate().all(|(i, byte)| (texel..2 * texel).contains(&i) || *byte == 0xee));
        bytes[texel..2 * texel].to_vec()
    };
    let minus = (-1000_i32).cast_unsigned();
    assert_eq!(stored(Channel::U8, [7, 1000, 1, 1]), [7, 255]);
    assert_eq!(stored(Channel::S8, [minus, 1000, 1, 1]), [0x80, 0x7f]);
    assert_eq!(stored(Channel::S16, [minus, 1 << 20, 1, 1]), [0x18, 0xfc, 0xff, 0x7f]);
    assert_eq!(stored(Channel::F16, [1.0_f32.to_bits(), (-65520.0_f32).to_bits(), 1, 1]), [0, 0x3c, 0, 0xfc]);
    assert_eq!(stored(Channel::U32, [1, minus, 1, 1]), [[1, 0, 0, 0], minus.to_le_bytes()].concat());
}

#[test]
fn reductions_are_atomic() {
    for (instruction, channel, x, word, old, new) in [
        ("sured.b.add.1d.u32.trap [%rd1, %r4], %r5;", Channel::U32, 4, 3, 5_u64, 5 + 3 * 64),
        ("sured.p.add.1d.b32.trap [%rd1, {%r4}], %r5;", Channel::U32, 1, 3, 5, 5 + 3 * 64),
        ("sured.b.max.2d.s32.trap [%rd1, {%r4, %r3}], %r5;", Channel::U32, 4, 9, 0xffff_fff0, 9),
        ("sured.p.min.2d.b32.trap [%rd1, {%r4, %r3}], %r5;", Channel::S32, 1, 9, 0xffff_fff0, 0xffff_fff0_u64),
        ("sured.p.min.2d.b32.trap [%rd1, {%r4, %r3}], %r5;", Channel::U32, 1, 9, 0xffff_fff0, 9),
        ("sured.b.and.1d.b32.clamp [%rd1, %r4], %r5;", Channel::U32, 4, 0xff, 0x1234, 0x34),
        ("sured.b.or.1d.b32.zero [%rd1, %r4], %r5;", Channel::U32, 400, 0xff, 0x1234, 0x1234),
    ] {
        let mut machine = Machine::new();
        let memory = machine.buffer(&[0_u32, old as u32, 0, 0]);
        let handle = machine.add_surface(Texels::array(memory.address(), channel, 1, &[4], None).unwrap()).unwrap();
        let clear = "mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;";
        let words = [[0, 0, x, word]; 64];
        run(&mut machine, &kernel("", "sm_90", &format!("{instruction}\n{clear}")), handle, &words).unwrap();
        assert_eq!(machine.values::<u32>(memory).unwrap(), [0, new as u32, 0, 0], "{instruction}");
    }
    let mut machine = Machine::new();
    let memory = machine.buffer(&[1_u64, 2]);
    let handle = machine.add_surface(Texels::array(memory.address(), Channel::U32, 2, &[2], None).unwrap()).unwrap();
    let body = "mov.b64 %rd8, {%r4, %r5};\nsured.b.add.1d.u64.trap [%rd1, 8], %rd8;\nmov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;";
    run(&mut machine, &kernel("", "sm_90", body), handle, &[[0, 0, u32::MAX, 1]; 3]).unwrap();
    assert_eq!(machine.values::<u64>(memory).unwrap(), [1, 2 + 3 * 0x1_ffff_ffff]);
}

#[test]
fn an_access_that_cannot_be_is_a_fault() {
    let fault = |body: &str| {
        let mut machine = Machine::new();
        let memory = machine.buffer(&[0_u8; 40]);
        let texels = Texels::array(memory.address(), Channel::U8, 1, &[5, 8], None).unwrap();
        let handle = machine.add_surface(texels).unwrap();
        run(&mut machine, &kernel("", "sm_90", body), handle, &[[0; 4]]).expect_err(body)
    };
    for (body, kind, what) in [
        (
            "suld.b.2d.b8.trap %r10, [%rd1, {5, 0}];",
            FaultKind::OutOfBounds,
            "read of a surface of 1 bytes at byte 5 of row 0",
        ),
        (
            "suld.b.2d.b8.trap %r10, [%rd1, {0, -1}];",
            FaultKind::OutOfBounds,
            "row -1, slice 0, layer 0, beyond 5 bytes by 8 by 1, 1 layers",
        ),
        (
            "sust.b.2d.b16.zero [%rd1, {1, 0}], %r10;",
            FaultKind::Misaligned,
            "write of a surface of 2 bytes at byte 1 of a row",
        ),
        ("sust.b.2d.b32.zero [%rd1, {0, 1}], %r10;", FaultKind::Misaligned, "begin rows at multiples of 16 bytes"),
        (
            "sured.b.add.2d.u32.trap [%rd1, {4, 1}], %r10;",
            FaultKind::OutOfBounds,
            "atomic access of a surface of 4 bytes",
        ),
        (
            "suld.b.1d.b8.clamp %r10, [%rd1, {5}];",
            FaultKind::OutOfBounds,
            "an access of a surface which has 2 dimensions",
        ),
        (
            "tex.2d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%rd1, {0, 0}];",
            FaultKind::OutOfBounds,
            "a surface where a texture is expected",
        ),
    ] {
        let fault = fault(body);
        assert!(fault.kind() == kind && fault.what().contains(what), "{body}: {fault}");
    }
    let texels = Texels::linear(256, Channel::U8, 1, 8).unwrap();
    assert!(Machine::new().add_surface(texels).unwrap_err().starts_with("linear memory cannot be a surface"));
    let padded = Texels::array(256, Channel::U8, 1, &[5, 8], None).unwrap().padded();
    assert_eq!(padded.bytes(), 7 * 16 + 5);
}
