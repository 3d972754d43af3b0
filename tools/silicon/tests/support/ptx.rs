//! PTX by hand: each kernel computes the form that it is named after.

use std::fmt::Write as _;

use oracle::probe::{self, Register};
use ptxf::spec::{Spelling, Type, Version, spellings};

/// The target, which has all forms but `mad.f32` of sm_1x and those of sm_107.
pub(crate) const SM: &str = "103";
/// The newest PTX version of the table.
pub(crate) const VERSION: &str = "9.5";

/// Returns the canonical forms that the target has, and `mad.f32` of sm_1x.
pub(crate) fn forms() -> impl Iterator<Item = Spelling> {
    let sm = SM.parse().unwrap();
    spellings().filter(move |Spelling { form, .. }| {
        let has = || form.targets.iter().any(|target| target.is_met(sm, Some('a'), newest()));
        form.name == form.canonical && (form.until.is_some() || has())
    })
}

fn newest() -> Version {
    let (major, minor) = VERSION.split_once('.').unwrap();
    Version { major: major.parse().unwrap(), minor: minor.parse().unwrap() }
}

/// Returns one kernel for each of these forms.
///
/// Each kernel is the one instruction, but for two kinds: lanes of f32x2 are computed one after the
/// other, as for targets without such instructions, and `mad.f32` follows the definition of sm_1x.
pub(crate) fn probes(chosen: impl Fn(&Spelling) -> bool) -> String {
    let mut out = head();
    for spelling in forms().filter(chosen) {
        let form = spelling.form;
        let operands: Vec<Register> = form.operands.iter().copied().map(register).collect();
        let result = register(form.result);
        let code = if form.until.is_some() {
            mad_of_sm_1x(form.effect.sat())
        } else if form.result == Type::F32x2 {
            lane_by_lane(&spelling, operands.len())
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

fn lane_by_lane(spelling: &Spelling, operands: usize) -> String {
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

/// Returns the code of `mad.f32` on sm_1x: the product is truncated to 24 bits, and the sum is
/// rounded once. A further rounding to f64 changes neither. If the addend is zero, the product is
/// rounded.
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

fn head() -> String {
    let known = spellings().flat_map(|spelling| spelling.form.targets).all(|target| target.ptx <= newest());
    assert!(known, "there are forms of a newer PTX than {VERSION}");
    format!("// By hand.\n.version {VERSION}\n.target sm_{SM}a\n.address_size 64\n")
}
