//! Every form of the table of matrix instructions, on random registers, beside the library.

use oracle::rng::Rng;
use ptxf::matrix::{Fragment, Instruction, Operands, Scale, Unit};
use ptxf_vm::{Arg, Machine, Module};

use crate::support::{entry, module};

/// Declares registers, and loads or stores them. Returns the declaration and the accesses.
fn registers(name: &str, fragment: &Fragment, at: &mut usize, load: bool) -> (String, String) {
    let bits = fragment.register_bits();
    let (mut accesses, each) = (String::new(), 32 * bits / 8);
    for i in 0..fragment.registers() {
        let place = format!("[%rd2+{}]", *at + i * each);
        accesses += &match (load, bits) {
            (true, 64) => format!("add.u64 %rd3, %rd2, %rd4;\nld.global.b64 %{name}{i}, [%rd3+{}];\n", *at + i * each),
            (false, 64) => format!("add.u64 %rd3, %rd2, %rd4;\nst.global.b64 [%rd3+{}], %{name}{i};\n", *at + i * each),
            (true, _) => format!("ld.global.b32 %{name}{i}, {place};\n"),
            (false, _) => format!("st.global.b32 {place}, %{name}{i};\n"),
        };
    }
    *at += fragment.registers() * each;
    (format!(".reg .b{bits} %{name}<{}>;\n", fragment.registers().max(1)), accesses)
}

fn vector(name: &str, fragment: &Fragment) -> String {
    let all: Vec<String> = (0..fragment.registers()).map(|i| format!("%{name}{i}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// Returns the words of memory as lanes of registers.
fn lanes(words: &[u32], fragment: &Fragment) -> Vec<[u64; 32]> {
    let wide = fragment.register_bits() / 32;
    let lane = |chunk: &[u32], i: usize| {
        let word = |half: usize| u64::from(chunk[wide * i + half]);
        if wide == 2 { word(0) | word(1) << 32 } else { word(0) }
    };
    words.chunks(32 * wide).map(|chunk| std::array::from_fn(|i| lane(chunk, i))).collect()
}

/// Runs the first spelling of a form, and compares D with the library's.
fn compare(form: &str, rng: &mut Rng) {
    let mut words = form.split(' ');
    let (Some(version), Some(target)) = (words.next(), words.next()) else { panic!("{form}") };
    let words: Vec<&str> =
        words.filter(|word| !word.starts_with('?')).map(|word| word.split('|').next().unwrap()).collect();
    let spelled = words.join(".");
    let instruction = Instruction::parse(&spelled).unwrap_or_else(|e| panic!("{e}"));
    // The library has no unit of its own for sm_72.
    let target = if target == "sm_72" { "sm_75" } else { target };
    let unit = Unit::of_target(target.trim_end_matches('a')).unwrap();
    let (a, b, c, d) = (instruction.a(), instruction.b(), instruction.c(), instruction.d());
    let mut at = 0;
    let parts = [("a", &a), ("b", &b), ("c", &c)].map(|(name, of)| registers(name, of, &mut at, true));
    let extra_at = at;
    at += 3 * 128;
    let first = at;
    let (d_declared, stores) = registers("d", &d, &mut at, false);
    let mut operands = [("d", &d), ("a", &a), ("b", &b), ("c", &c)].map(|(name, of)| vector(name, of)).join(", ");
    if instruction.metadata().is_some() {
        operands += ", %r10, 0";
    }
    let bytes = instruction.scaled().map(|products| a.columns() / products);
    if let Some(bytes) = bytes {
        operands += &format!(", %r11, {{{}, 1}}, %r12, {{0, 2}}", 4 - bytes);
    }
    let load: String =
        (0..3).map(|i| format!("ld.global.b32 %r{}, [%rd2+{}];\n", 10 + i, extra_at + 128 * i)).collect();
    let [declared, loads] =
        [0, 1].map(|i| parts.iter().map(|p| if i == 0 { &*p.0 } else { &*p.1 }).collect::<String>());
    let body = format!(
        "{declared}{d_declared}ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n\
         mul.wide.u32 %rd4, %r1, 4;\n{loads}{load}{spelled} {operands};\n{stores}"
    );
    let text = module(version, target, &entry("k", ".param .u64 x", &body));
    let mut machine = Machine::new();
    let program = machine.load(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}"))).unwrap();
    let k = program.entry("k").unwrap_or_else(|e| panic!("{e}"));
    // Numbers of all formats near 1, for sums that are no NaNs, and any metadata.
    let mut memory: Vec<u32> = (0..at / 4).map(|_| rng.next() as u32 & 0xbfbf_bfbf).collect();
    memory[extra_at / 4 + 32..][..64].iter_mut().for_each(|scale| *scale = *scale & 0x0707_0707 | 0x7878_7878);
    let x = machine.buffer(&memory);
    machine.launch(&k, 1, 32, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}"));
    let found = lanes(&machine.values::<u32>(x).unwrap()[first / 4..], &d);
    let mut from = 0;
    let [of_a, of_b, of_c] = [&a, &b, &c].map(|fragment| {
        let count = fragment.registers() * fragment.register_bits();
        from += count;
        lanes(&memory[from - count..from], fragment)
    });
    let extra: [[u64; 32]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|l| memory[extra_at / 4 + 32 * i + l].into()));
    let mut operands = Operands::new(&of_a, &of_b, &of_c);
    if instruction.metadata().is_some() {
        operands = operands.sparse(&extra[0], 0);
    }
    if let Some(bytes) = bytes {
        let scale = |register, byte, thread| Scale { register, byte, thread };
        operands = operands.scaled(scale(&extra[1], 4 - bytes, 1), scale(&extra[2], 0, 2));
    }
    let mut expected = vec![[0; 32]; d.registers()];
    match instruction.execute(unit, &operands, &mut expected) {
        Ok(()) => assert_eq!(found, expected, "{spelled}"),
        Err(absent) => panic!("{spelled}: {absent}"),
    }
}

#[test]
fn every_form_of_the_table_runs() {
    let mut rng = Rng::new(0x006d_6d61);
    // `wgmma` has B in shared memory, and tests of its own.
    let forms: Vec<&str> = Instruction::forms().filter(|form| !form.contains("wgmma")).collect();
    assert!(forms.len() > 40, "{}", forms.len());
    forms.iter().for_each(|form| compare(form, &mut rng));
}
