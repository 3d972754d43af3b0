//! PTX as a compiler would emit it for a device, by hand: what is launched computes what it is named after.

use std::fmt::Write as _;

use oracle::probe::{self, Register};
use ptxf::spec::{Spelling, Type, Version, spellings};

/// The device that has all forms but those of history, and its PTX version.
pub(crate) const SM: &str = "103";
pub(crate) const VERSION: &str = "9.2";

/// One kernel for each of these forms, which is the one instruction.
///
/// Two are none: pairs of f32 are computed one after the other, as for targets that have none, and `mad.f32` as sm_1x did by its definition.
pub(crate) fn probes(chosen: impl Fn(&Spelling) -> bool) -> String {
    let mut out = head();
    let chosen = spellings().filter(|spelling| spelling.form.name == spelling.form.canonical && chosen(spelling));
    for spelling in chosen {
        let form = spelling.form;
        let operands: Vec<Register> = form.operands.iter().copied().map(register).collect();
        let result = register(form.result);
        let code = if form.until.is_some() {
            mad_of_sm_1x(form.effect.sat())
        } else if form.result == Type::F32x2 {
            in_halves(&spelling, operands.len())
        } else {
            probe::instruction(&spelling.to_string(), operands.len(), result)
        };
        out += &probe::entry(&spelling.identifier().to_string(), &operands, result, &code);
    }
    out
}

fn register(ty: Type) -> Register {
    match ty {
        Type::Pred => Register::Predicate,
        Type::Preds => Register::Predicates,
        ty => Register::Bits(ty.bits()),
    }
}

fn in_halves(spelling: &Spelling, operands: usize) -> String {
    let single = spelling.to_string().replace(".f32x2", ".f32");
    let mut code = "\t.reg .b32 %d<2>;\n".to_owned();
    for i in 0..operands {
        let _ = writeln!(code, "\t.reg .b32 %x{i}_<2>;\n\tmov.b64 {{%x{i}_0, %x{i}_1}}, %x{i};");
    }
    for half in 0..2 {
        let list: Vec<String> = (0..operands).map(|i| format!("%x{i}_{half}")).collect();
        let _ = writeln!(code, "\t{single} %d{half}, {};", list.join(", "));
    }
    code + "\tmov.b64 %d, {%d0, %d1};\n"
}

/// The product is cut off to 24 bits, and its sum is rounded once: f64 has both without another rounding that matters. Where nothing
/// is added the product is rounded.
fn mad_of_sm_1x(sat: bool) -> String {
    let sat = if sat { ".sat" } else { "" };
    format!(
        "\t.reg .b32 %y<4>;\n\t.reg .b64 %f<3>;\n\tmul.rn.ftz.f32 %y0, %x0, 0f3F800000;\n\tmul.rn.ftz.f32 %y1, %x1, 0f3F800000;\n\t\
         mul.rn.ftz.f32 %y2, %x2, 0f3F800000;\n\tcvt.f64.f32 %f0, %y0;\n\tcvt.f64.f32 %f1, %y1;\n\tcvt.f64.f32 %f2, %y2;\n\t\
         mul.rn.f64 %f0, %f0, %f1;\n\tand.b64 %f0, %f0, 0xFFFFFFFFE0000000;\n\tadd.rn.f64 %f0, %f0, %f2;\n\t\
         cvt.rn.ftz.f32.f64 %d, %f0;\n\tmul.rn.ftz.f32 %y3, %y0, %y1;\n\tadd.rn.ftz.f32 %y3, %y3, %y2;\n\t\
         setp.eq.f32 %p, %y2, 0f00000000;\n\tselp.b32 %d, %y3, %d, %p;\n\tadd.rn.ftz{sat}.f32 %d, %d, 0f80000000;\n"
    )
}

/// The kernels of the bench: the streams, and chains of these forms.
pub(crate) fn benches(forms: &[&str]) -> String {
    let mut out = head();
    for (name, form) in
        [("stream_copy", None), ("stream_fma_f16x2", Some("fma.rn.f16x2")), ("stream_fma_f32", Some("fma.rn.f32"))]
    {
        stream(&mut out, name, form);
    }
    for form in forms {
        for (kind, chains) in [("wide", 8), ("deep", 1)] {
            let spelling = spellings().find(|spelling| spelling.is(form)).unwrap();
            chain(&mut out, &format!("{kind}_{}", spelling.identifier()), &spelling, chains);
        }
    }
    out
}

/// Steps without a branch between them.
const STEPS: usize = 16;

/// The results of several chains of one form, which start beside each other, XORed.
fn chain(out: &mut String, name: &str, spelling: &Spelling, chains: usize) {
    let form = spelling.form;
    let bits = form.result.bits();
    let operands: Vec<Register> = form.operands.iter().copied().map(register).collect();
    let rest: String = (1..operands.len()).map(|i| format!(", %x{i}")).collect();
    let mut code = format!("\t.reg .b{bits} %k<{chains}>;\n\t.reg .b32 %r, %rounds;\n");
    for k in 0..chains {
        let _ = writeln!(code, "\tadd.u{bits} %k{k}, %x0, {k};");
    }
    code +=
        "\tld.param.u32 %rounds, [rounds];\n\tmov.u32 %r, 0;\nloop:\n\tsetp.ge.u32 %p, %r, %rounds;\n\t@%p bra done;\n";
    for k in (0..STEPS).flat_map(|_| 0..chains) {
        let _ = writeln!(code, "\t{spelling} %k{k}, %k{k}{rest};");
    }
    code += "\tadd.u32 %r, %r, 1;\n\tbra loop;\ndone:\n\tmov.b";
    let _ = writeln!(code, "{bits} %d, 0;");
    for k in 0..chains {
        let _ = writeln!(code, "\txor.b{bits} %d, %d, %k{k};");
    }
    let entry = probe::entry(name, &operands, register(form.result), &code);
    *out += &entry.replacen(".param .u32 n)", ".param .u32 n, .param .u32 rounds)", 1);
}

/// Four words of each array per thread: copied, or the form of them.
fn stream(out: &mut String, name: &str, form: Option<&str>) {
    let mut code = "\t.reg .b32 %w<16>;\n\tmul.wide.u32 %at, %i, 16;\n".to_owned();
    for (array, base) in [("a", 4), ("b", 8), ("c", 12)] {
        let words: Vec<String> = (base..base + 4).map(|word| format!("%w{word}")).collect();
        let _ = writeln!(
            code,
            "\tld.param.u64 %to, [{array}];\n\tadd.s64 %to, %to, %at;\n\tld.global.v4.b32 {{{}}}, [%to];",
            words.join(", ")
        );
    }
    for word in 0..4 {
        let _ = match form {
            Some(form) => writeln!(code, "\t{form} %w{word}, %w{}, %w{}, %w{};", word + 4, word + 8, word + 12),
            None => writeln!(code, "\tmov.b32 %w{word}, %w{};", word + 4),
        };
    }
    code +=
        "\tld.param.u64 %to, [d];\n\tadd.s64 %to, %to, %at;\n\tst.global.v4.b32 [%to], {%w0, %w1, %w2, %w3};\n\tret;\n";
    // What the probe would store is never reached.
    *out += &probe::entry(name, &[], Register::Bits(32), &code);
}

fn head() -> String {
    let (major, minor) = VERSION.split_once('.').unwrap();
    let newest = Version { major: major.parse().unwrap(), minor: minor.parse().unwrap() };
    let known = spellings().flat_map(|spelling| spelling.form.targets).all(|target| target.ptx <= newest);
    assert!(known, "there are forms of a newer PTX than {VERSION}");
    format!("// By hand.\n.version {VERSION}\n.target sm_{SM}a\n.address_size 64\n")
}
