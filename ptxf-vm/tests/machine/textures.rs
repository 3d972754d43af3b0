//! Fetches from textures, against a definition by elements.

use oracle::Rng;
use ptxf_vm::{AddressMode, Arg, Channel, Fault, FaultKind, Filtering, Machine, Module, Sampler, Texels, Texture};

use crate::support::{entry, module};
use crate::texels::{Image, fetched};

const CHANNELS: [Channel; 8] =
    [Channel::U8, Channel::U16, Channel::U32, Channel::S8, Channel::S16, Channel::S32, Channel::F16, Channel::F32];
const MODES: [AddressMode; 4] = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];

/// An entry `k` with a texture `t` in `%rd1`. Each thread has four words of `c` in `%r2` to `%r5`,
/// and stores the four components `%r10` to `%r13` in `x`.
pub(crate) fn kernel(items: &str, target: &str, body: &str) -> String {
    let body = format!(
        "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [c];\nld.param.u64 %rd3, [x];\nmov.u32 %r1, %tid.x;
        mul.wide.u32 %rd4, %r1, 16;\nadd.u64 %rd2, %rd2, %rd4;\nadd.u64 %rd3, %rd3, %rd4;
        ld.global.v4.b32 {{%r2, %r3, %r4, %r5}}, [%rd2];\n{body}
        st.global.v4.b32 [%rd3], {{%r10, %r11, %r12, %r13}};"
    );
    module("8.8", target, &format!("{items}\n{}", entry("k", ".param .u64 t, .param .u64 c, .param .u64 x", &body)))
}

/// Runs an entry of [`kernel`] with these words of each thread.
pub(crate) fn run(machine: &mut Machine, text: &str, handle: u64, words: &[[u32; 4]]) -> Result<Vec<[u32; 4]>, Fault> {
    let program = machine.load(&Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap();
    let entry = program.entry("k").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let c = machine.buffer(&words.concat());
    let x = machine.buffer(&vec![0_u32; 4 * words.len()]);
    machine.launch(&entry, 1, words.len() as u32, 0, &[Arg::from(handle), Arg::from(c), Arg::from(x)])?;
    Ok(machine.values::<u32>(x)?.chunks(4).map(|four| four.try_into().unwrap()).collect())
}

fn image(rng: &mut Rng, channel: Channel, channels: usize, dimensions: usize, layers: Option<usize>) -> Image {
    let mut size = [1; 3];
    size[..dimensions].fill_with(|| 1 + rng.below(6) as usize);
    let count = size.iter().product::<usize>() * layers.unwrap_or(1) * channels;
    let mut bytes = Vec::new();
    for _ in 0..count {
        let bits = match channel {
            Channel::F32 => {
                let exponent = rng.pick(&[0, 1, 100, 126, 127, 127, 128, 150, 254]);
                exponent << 23 | rng.next() as u32 & 0x807f_ffff
            }
            Channel::F16 => rng.next() as u32 & 0xbbff,
            _ => rng.next() as u32,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..channel.bytes() as usize]);
    }
    Image { channel, channels, size, dimensions, layers: layers.unwrap_or(1), bytes }
}

/// Returns a coordinate around `n` texels: often at a centre, an edge, or between two weights.
fn coordinate(rng: &mut Rng, n: usize, normalized: bool) -> f32 {
    let x = match rng.below(4) {
        0 => rng.between(-1024, 4096) as f32 / 512.0,
        1 => rng.between(-12, 24) as f32 / 2.0,
        2 => f32::from_bits((rng.below(60) as u32 + 75) << 23 | rng.next() as u32 & 0x807f_ffff),
        _ => (rng.between(-1 << 22, 1 << 23) as f32) / (1 << 20) as f32,
    };
    if normalized { x / n as f32 } else { x }
}

#[test]
fn fetches_with_floats_are_the_definition() {
    let mut rng = Rng::from_env(0x7465_7801);
    for round in 0..600 {
        let (channel, channels) = (rng.pick(&CHANNELS), rng.pick(&[1, 2, 4]));
        let (name, dimensions, layers, place) = rng.pick(&[
            ("1d", 1, None, "{%r2}"),
            ("2d", 2, None, "{%r2, %r3}"),
            ("3d", 3, None, "{%r2, %r3, %r4, %r4}"),
            ("a1d", 1, Some(3), "{%r5, %r2}"),
            ("a2d", 2, Some(3), "{%r5, %r2, %r3, %r3}"),
        ]);
        let of = image(&mut rng, channel, channels, dimensions, layers);
        let fractions = rng.below(2) == 1;
        let is_float = matches!(channel, Channel::F16 | Channel::F32) || fractions && channel.bytes() < 4;
        let filter = if is_float { rng.pick(&[Filtering::Point, Filtering::Linear]) } else { Filtering::Point };
        let sampler = Sampler { modes: [(); 3].map(|()| rng.pick(&MODES)), filter, normalized: rng.below(2) == 1 };
        let offsets = [(); 3].map(|()| i64::from(rng.between(-8, 7)));
        let with_offsets = rng.below(3) == 0;
        let offset = match dimensions {
            _ if !with_offsets => String::new(),
            1 => format!(", {{{}}}", offsets[0]),
            2 => format!(", {{{}, {}}}", offsets[0], offsets[1]),
            _ => format!(", {{{}, {}, {}, 0}}", offsets[0], offsets[1], offsets[2]),
        };
        let (selected, levels) = rng.pick(&[("", ""), (".level", ", 0f40000000"), (".base", "")]);
        let dtype = rng.pick(&["f32", "u32", "s32"]);
        let text = kernel(
            "",
            "sm_90",
            &format!(
                "tex{selected}.{name}.v4.{dtype}.f32 {{%r10, %r11, %r12, %r13}}|%p1, [%rd1, {place}]{levels}{offset};\n@!%p1 trap;"
            ),
        );
        let mut machine = Machine::new();
        let memory = machine.buffer(&of.bytes);
        let sizes: Vec<u64> = of.size[..dimensions].iter().map(|n| *n as u64).collect();
        let layers = layers.map(|n| n as u32);
        let texels = Texels::array(memory.address(), channel, channels as u32, &sizes, layers).unwrap();
        let handle = machine.add_texture(Texture::new(texels, sampler, fractions).unwrap());
        let words: Vec<[u32; 4]> = (0..64)
            .map(|_| {
                let [x, y, z] = std::array::from_fn(|i| coordinate(&mut rng, of.size[i], sampler.normalized).to_bits());
                [x, y, z, rng.below(5) as u32]
            })
            .collect();
        let found = run(&mut machine, &text, handle, &words).unwrap_or_else(|e| panic!("{e}"));
        for (given, found) in words.iter().zip(found) {
            let at = [given[0], given[1], given[2]].map(f32::from_bits);
            let layer = (given[3] as usize).min(of.layers - 1);
            let offsets = if with_offsets { offsets } else { [0; 3] };
            let right = fetched(&of, &sampler, fractions, at, offsets, layer);
            assert_eq!(
                found, right,
                "round {round}: {channel:?} {channels} {:?} {sampler:?} {fractions} {at:?}\n{text}",
                of.size
            );
        }
    }
}

#[test]
fn fetches_with_integers_are_texels() {
    let mut rng = Rng::from_env(0x7465_7802);
    for channel in CHANNELS {
        for (linear, mode) in [(true, AddressMode::Clamp), (false, AddressMode::Wrap), (false, AddressMode::Border)] {
            let of = image(&mut rng, channel, 2, 1, None);
            let mut machine = Machine::new();
            let address = machine.buffer(&of.bytes).address();
            let texels = match linear {
                true => Texels::linear(address, channel, 2, of.size[0] as u64),
                false => Texels::array(address, channel, 2, &[of.size[0] as u64], None),
            };
            let sampler = Sampler { modes: [mode; 3], ..Sampler::default() };
            let handle = machine.add_texture(Texture::new(texels.unwrap(), sampler, true).unwrap());
            let text = kernel("", "sm_90", "tex.1d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%rd1, %r2], {-2};");
            let words: Vec<[u32; 4]> =
                (-3..12).chain([i32::MIN, i32::MAX]).map(|x: i32| [x.cast_unsigned(), 0, 0, 0]).collect();
            let found = run(&mut machine, &text, handle, &words).unwrap();
            for (given, found) in words.iter().zip(found) {
                let (x, n) = (i64::from(given[0].cast_signed()) - 2, of.size[0] as i64);
                let is_zero = (linear || mode == AddressMode::Border) && !(0..n).contains(&x);
                let texel = |i| if is_zero { 0 } else { of.component([x.clamp(0, n - 1), 0, 0], 0, i, true) };
                assert_eq!(found, [0, 1, 2, 3].map(texel), "{channel:?} {linear} {mode:?} {x} of {n}");
            }
        }
    }
}

#[test]
fn rows_at_a_distance_and_results_of_f16() {
    let mut machine = Machine::new();
    // Two rows of three pairs of f16, 32 bytes apart: 1 to 6 and 11 to 16.
    let rows: Vec<ptxf::F16> = (0..32).map(|i| ptxf::F16::from_f32((i % 16 + 1 + 10 * (i / 16)) as f32)).collect();
    let address = machine.buffer(&rows).address();
    let texels = Texels::pitched(address, Channel::F16, 2, 3, 2, 32).unwrap();
    let sampler = Sampler { filter: Filtering::Linear, ..Sampler::default() };
    let handle = machine.add_texture(Texture::new(texels, sampler, false).unwrap());
    let words = [[1.5_f32.to_bits(), 1.5_f32.to_bits(), 0, 0], [1.0_f32.to_bits(), 1.0_f32.to_bits(), 0, 0]];
    let pairs = "mov.b32 %r12, 0; mov.b32 %r13, 0;\ntex.2d.v2.f16x2.f32 {%r10, %r11}, [%rd1, {%r2, %r3}];";
    let found = run(&mut machine, &kernel("", "sm_90", pairs), handle, &words).unwrap();
    let pair = |a: f32, b: f32| {
        u32::from(ptxf::F16::from_f32(a).to_bits()) | u32::from(ptxf::F16::from_f32(b).to_bits()) << 16
    };
    assert_eq!(found, [[pair(13.0, 14.0), 0, 0, 0], [pair(7.0, 8.0), 0, 0, 0]]);
    let halves = "tex.2d.v4.f16.f32 {%h1, %h2, _, %h4}, [%rd1, {%r2, %r3}];
        mov.b32 %r10, {%h1, %h2}; mov.b32 %r11, {%h4, %h4}; mov.b32 %r12, 0; mov.b32 %r13, 0;";
    assert_eq!(run(&mut machine, &kernel("", "sm_90", halves), handle, &words).unwrap(), found);
}

#[test]
fn four_texels_come_counterclockwise() {
    let mut machine = Machine::new();
    let texels: Vec<u8> = (0..4 * 12).collect();
    let address = machine.buffer(&texels).address();
    let texels = Texels::array(address, Channel::U8, 4, &[4, 3], None).unwrap();
    let handle = machine.add_texture(Texture::new(texels, Sampler::default(), false).unwrap());
    let at = |x: f32, y: f32| [x.to_bits(), y.to_bits(), 0, 0];
    let text = kernel("", "sm_90", "tld4.b.2d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}];");
    let found = run(&mut machine, &text, handle, &[at(2.0, 1.0), at(1.0, 2.9)]).unwrap();
    // Texels 5 and 6 are below texels 1 and 2; the last row is repeated.
    assert_eq!(found, [[22, 26, 10, 6], [34, 38, 38, 34]]);
    let text = kernel("", "sm_90", "tld4.r.2d.v4.s32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}], {1, -1};");
    assert_eq!(run(&mut machine, &text, handle, &[at(2.0, 2.0)]).unwrap(), [[24, 28, 12, 8]]);
}

#[test]
fn variables_and_parameters_refer_to_textures_and_samplers() {
    let mut machine = Machine::new();
    let address = machine.buffer(&[10.0_f32, 20.0]).address();
    let texels = Texels::array(address, Channel::F32, 1, &[2], None).unwrap();
    let handle = machine.add_texture(Texture::new(texels, Sampler::default(), false).unwrap());
    let fetch = |object: &str| format!("tex.1d.v4.f32.f32 {{%r10, %r11, %r12, %r13}}, [{object}, {{0f3FA00000}}];");
    let value = |found: Vec<[u32; 4]>| f32::from_bits(found[0][0]);
    // A variable, its address in a register, and a parameter.
    for (object, before) in [("v", ""), ("%rd9", "mov.u64 %rd9, v;"), ("w+8", "")] {
        let items = ".global .texref v = { filter_mode = linear, addr_mode_0 = wrap };\n.global .texref w[2];";
        let text = kernel(items, "sm_90", &format!("{before}{}", fetch(object)));
        let module = Module::parse(&text).unwrap();
        let program = machine.load(&module).unwrap();
        let (variable, sampler) = program.texture("v").unwrap();
        assert_eq!((sampler.filter, sampler.modes[0]), (Filtering::Linear, AddressMode::Wrap));
        assert!(program.texture("nothing").is_none() && program.surface("v").is_none());
        let entry = program.entry("k").unwrap();
        let (c, x) = (machine.buffer(&[0_u32; 4]), machine.buffer(&[0.0_f32; 4]));
        let args = [Arg::from(0_u64), Arg::from(c), Arg::from(x)];
        let fault = machine.launch(&entry, 1, 1, 0, &args).unwrap_err();
        assert!(fault.what().starts_with("a texture or surface without memory"), "{fault}");
        machine.write(variable, 0, &handle.to_le_bytes()).unwrap();
        let (array, _) = program.texture("w").unwrap();
        machine.write(array, 8, &handle.to_le_bytes()).unwrap();
        machine.launch(&entry, 1, 1, 0, &args).unwrap();
        assert_eq!(machine.values::<f32>(x).unwrap()[0], 20.0, "{object}");
    }
    let text = kernel("", "sm_90", &fetch("t"))
        .replace(".param .u64 t", ".param .texref t")
        .replace("ld.param.u64 %rd1, [t];", "");
    assert_eq!(value(run(&mut machine, &text, handle, &[[0; 4]]).unwrap()), 20.0);
    // In independent mode, the sampler is another operand. It takes normalized coordinates.
    for (sampler, right) in [
        ("{ filter_mode = linear, force_unnormalized_coords = 1 }", 17.5),
        ("{ filter_mode = nearest, force_unnormalized_coords = 1 }", 20.0),
        ("{ addr_mode_0 = wrap }", 10.0),
        ("{ addr_mode_0 = clamp_to_border }", 0.0),
        ("{ addr_mode_0 = mirror, filter_mode = linear }", 20.0),
    ] {
        let text =
            kernel(&format!(".global .samplerref s = {sampler};"), "sm_90, texmode_independent", &fetch("%rd1, s"));
        assert_eq!(value(run(&mut machine, &text, handle, &[[0; 4]]).unwrap()), right, "{sampler}");
    }
    // Before PTX 1.5, a texture was a state space.
    let text = ".version 1.4\n.target sm_10\n.tex .u32 old;\n.entry k(.param .u64 x) { .reg .u64 %rd1; .reg .f32 %f<5>;
        ld.param.u64 %rd1, [x]; tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [old, {%f0, %f0, %f0, %f0}]; st.global.f32 [%rd1], %f1; exit; }";
    let program = machine.load(&Module::parse(text).unwrap()).unwrap();
    assert!(program.texture("old").is_some());
}

#[test]
fn attributes_are_read() {
    let mut machine = Machine::new();
    let address = machine.alloc(4096).address();
    let sampler = Sampler {
        modes: [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Border],
        filter: Filtering::Linear,
        normalized: true,
    };
    let texels = Texels::array(address, Channel::F16, 2, &[7, 5, 3], None).unwrap();
    let t = machine.add_texture(Texture::new(texels, sampler, false).unwrap());
    let layered = Texels::array(address, Channel::S8, 4, &[9], Some(6)).unwrap();
    let s = machine.add_surface(layered).unwrap();
    let mut read = |instruction: &str, handle, names: [&str; 4]| {
        let body: String =
            (10..).zip(names).map(|(i, name)| format!("{instruction}.{name}.b32 %r{i}, [%rd1];\n")).collect();
        run(&mut machine, &kernel("", "sm_90", &body), handle, &[[0; 4]]).unwrap()[0]
    };
    assert_eq!(read("txq", t, ["width", "height", "depth", "array_size"]), [7, 5, 3, 0]);
    assert_eq!(read("txq", t, ["addr_mode_0", "addr_mode_1", "addr_mode_2", "filter_mode"]), [0, 1, 4, 1]);
    assert_eq!(
        read("txq", t, ["normalized_coords", "channel_data_type", "channel_order", "num_mipmap_levels"]),
        [1, 16, 2, 1]
    );
    assert_eq!(read("suq", s, ["width", "height", "depth", "array_size"]), [9, 0, 0, 6]);
    assert_eq!(read("suq", s, ["memory_layout", "channel_data_type", "channel_order", "width"]), [0, 8, 4, 9]);
    let body = "istypep.texref %p1, %rd1; istypep.surfref %p2, %rd1; istypep.samplerref %p3, %rd1;
        selp.u32 %r10, 1, 0, %p1; selp.u32 %r11, 1, 0, %p2; selp.u32 %r12, 1, 0, %p3; txq.level.width.b32 %r13, [%rd1], 0;";
    assert_eq!(run(&mut machine, &kernel("", "sm_90", body), t, &[[0; 4]]).unwrap(), [[1, 0, 0, 7]]);
}

#[test]
fn a_fetch_that_cannot_be_is_a_fault() {
    let fault = |make: &dyn Fn(&mut Machine) -> u64, body: &str| {
        let mut machine = Machine::new();
        let handle = make(&mut machine);
        let fault = run(&mut machine, &kernel("", "sm_90", body), handle, &[[0; 4]; 2]).expect_err(body);
        (fault.kind(), fault.what().to_owned())
    };
    let one = "tex.1d.v4.f32.s32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2}];";
    let float = "tex.1d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2}];";
    let two = "tex.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}];";
    let layers = "tex.a1d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}];";
    let linear = |machine: &mut Machine| {
        let x = machine.buffer(&[0_u32; 4]);
        let texels = Texels::linear(x.address(), Channel::U32, 1, 5).unwrap();
        (x, machine.add_texture(Texture::new(texels, Sampler::default(), false).unwrap()))
    };
    let array = |machine: &mut Machine| {
        let x = machine.buffer(&[0_u32; 4]);
        let texels = Texels::array(x.address(), Channel::U32, 1, &[2, 2], None).unwrap();
        machine.add_texture(Texture::new(texels, Sampler::default(), false).unwrap())
    };
    let live = |machine: &mut Machine| linear(machine).1;
    let freed = |machine: &mut Machine| {
        let (x, handle) = linear(machine);
        machine.free(x).unwrap();
        handle
    };
    let removed = |machine: &mut Machine| {
        let handle = live(machine);
        assert!(machine.remove_object(handle));
        handle
    };
    let last = "mov.u32 %r2, 4;\ntex.1d.v4.f32.s32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2}];";
    for (make, body, kind, what) in [
        (
            &freed as &dyn Fn(&mut Machine) -> u64,
            one,
            FaultKind::Freed,
            "read of a texel of 4 bytes at 0x100000000000, 0 bytes into buffer #1 of 16 bytes, which was freed",
        ),
        (
            &live,
            last,
            FaultKind::OutOfBounds,
            "read of a texel of 4 bytes at 0x100000000010, 0 bytes past the end of buffer #1 of 16 bytes",
        ),
        (&removed, one, FaultKind::Freed, "was destroyed"),
        (&|_| 7, one, FaultKind::OutOfBounds, "0x7 is no texture or surface"),
        (&|_| 0, one, FaultKind::OutOfBounds, "a texture or surface without memory"),
        (
            &live,
            float,
            FaultKind::OutOfBounds,
            "has linear memory, and only integers fetch from that: use `.s32` coordinates",
        ),
        (&live, two, FaultKind::OutOfBounds, "which has linear memory: use an instruction of the same dimensions"),
        (&array, float, FaultKind::OutOfBounds, "which has 2 dimensions: use an instruction"),
        (&array, layers, FaultKind::OutOfBounds, "which has 2 dimensions: use an instruction"),
        (
            &array,
            "tex.2d.v4.f16.f32 {%h1, %h2, %h3, %h4}, [%rd1, {%r2, %r3}];",
            FaultKind::OutOfBounds,
            "a fetch of f16 from a texture of integers",
        ),
        (
            &array,
            "mov.u32 %r2, 9;\ntex.2d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}], {0, %r2};",
            FaultKind::OutOfBounds,
            "the offset 9 is not from -8 to 7",
        ),
        (
            &array,
            "suld.b.2d.b32.trap %r10, [%rd1, {%r2, %r3}];",
            FaultKind::OutOfBounds,
            "a texture where a surface is expected",
        ),
    ] {
        let (found, text) = fault(make, body);
        assert!(found == kind && text.contains(what), "{body}: {text}");
    }
}

#[test]
fn a_texture_that_cannot_be_is_an_error() {
    let array =
        |channels, sizes: &[u64], layers| Texels::array(256, Channel::F32, channels, sizes, layers).unwrap_err();
    assert_eq!(array(3, &[4], None), "texels have 1, 2 or 4 channels, and not 3");
    assert_eq!(array(1, &[4, 4, 4, 4], None), "there are 1 to 3 dimensions, and not 4");
    assert_eq!(array(1, &[4, 4, 4], Some(2)), "there are 1 to 2 dimensions, and not 3");
    assert_eq!(array(1, &[4, 0], None), "a size is from 1 to 2^28, and not 0");
    assert_eq!(array(4, &[1 << 28, 1 << 28], None), "all texels have more than 2^44 bytes");
    let error = Texels::array(260, Channel::F32, 2, &[4], None).unwrap_err();
    assert_eq!(error, "the address 0x104 is no multiple of 8, the bytes of a texel");
    let texels = Texels::array(256, Channel::U32, 1, &[4], None).unwrap();
    let sampler = Sampler { filter: Filtering::Linear, ..Sampler::default() };
    let error = Texture::new(texels, sampler, true).unwrap_err();
    assert!(error.starts_with("the linear filter needs floating-point results"), "{error}");
    for (body, what) in [
        (
            "tex.cube.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3, %r4, %r5}];",
            "`tex.cube.v4.f32.f32` is not supported: cube maps are not there",
        ),
        (
            "tex.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2, %r3}], %r4;",
            "offsets in braces are expected; a comparison of depths is not supported",
        ),
        ("tex.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1, {%r2}];", "2 elements are expected, and here are 1"),
        ("tex.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}, [%rd1];", "coordinates are expected after the texture"),
        ("tex.2d.f32.f32 %r10, [%rd1, {%r2, %r3}];", "`tex.2d.f32.f32` is not supported; supported for `tex`: "),
    ] {
        let text = kernel("", "sm_90", body);
        let error = Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
        assert!(error.what().starts_with(what), "{error}");
    }
    let error = Module::parse(".version 7.8\n.target sm_90\n.global .texref t = { filter_mode = cubic };").unwrap_err();
    assert_eq!(error.what(), "`cubic` is no value of `filter_mode`");
}
