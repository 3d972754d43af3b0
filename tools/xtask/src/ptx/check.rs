//! The required contents of each probe, from the table alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ptxf::sem::Meaning;
use ptxf::spec::{FormInfo, Spelling, Type, spellings};
use ptxf_build::{Version, sm};

use super::text::{Kernel, Module};

/// Types with unused bits, which are cleared in operands from elsewhere.
pub(crate) const SPARSE: [Type; 6] =
    [Type::Tf32, Type::E2m3x2, Type::E3m2x2, Type::E2m3x4, Type::E3m2x4, Type::E2m1p4x4];

/// The code of a form on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its instruction.
    Native,
    /// Other instructions with the same bits.
    Substitute,
    /// Integer code.
    Fallback,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Substitute => "substitute",
            Self::Fallback => "fallback",
        }
    }
}

/// A spelling that has a probe.
pub(crate) struct Probe {
    pub info: &'static FormInfo,
    /// The PTX spelling.
    pub name: String,
    /// The probe's name.
    pub identifier: String,
    /// `.lt`, `.and`, and the modifiers after them.
    modifiers: Vec<String>,
}

impl Probe {
    fn new(spelling: Spelling) -> Self {
        let operators = [spelling.comparison.map(|c| c.name), spelling.boolean.map(|b| b.name())];
        let operators = operators.into_iter().flatten().map(|name| format!(".{name}"));
        Self {
            info: spelling.form,
            name: spelling.to_string(),
            identifier: spelling.identifier().to_string(),
            modifiers: operators.chain(spelling.form.modifiers.iter().map(|m| m.name.to_owned())).collect(),
        }
    }
}

/// Returns the spellings whose rounding is written out.
pub(crate) fn canonical() -> impl Iterator<Item = &'static Probe> {
    static ALL: LazyLock<Vec<Probe>> =
        LazyLock::new(|| spellings().filter(|s| s.form.name == s.form.canonical).map(Probe::new).collect());
    ALL.iter()
}

/// Returns `true` if the target and the PTX version have the form's instruction.
fn native(form: &FormInfo, target: &str, version: Version) -> bool {
    let ptx = ptxf::spec::Version { major: version.major, minor: version.minor };
    let suffix = target.chars().last().filter(char::is_ascii_alphabetic);
    form.until.is_none() && form.targets.iter().any(|t| t.is_met(sm(target), suffix, ptx))
}

/// Returns the inline assembly that the probe has to contain, with named operands.
fn expected(probe: &Probe, target: &str, version: Version) -> (Kind, Vec<String>) {
    let (form, name) = (probe.info, &probe.name);
    let is_native = |name: &str| canonical().any(|p| p.name == name && native(p.info, target, version));
    // The operands in PTX. A predicate is made from a number in its array.
    let names: Vec<_> = match form.operands.len() {
        // The four elements of a vector come from one array.
        5 => vec!["{a,a,a,a}", "b"],
        n => ["a", "b", "c"][..n].to_vec(),
    };
    let operands = names.join(", ");
    let predicate = form.operands.last() == Some(&Type::Pred);
    if native(form, target, version) {
        let mut lines = Vec::new();
        if predicate {
            lines.push("setp.ne.u32 c, c, 0".to_owned());
        }
        // `asm!` has no registers of 8 bits.
        let bytes = form.operands.iter().zip(&names).filter(|(ty, _)| ty.bits() == 8);
        lines.extend(bytes.map(|(_, name)| format!("mov.b16 {{{name},{name}_}}, {name}")));
        match form.result {
            Type::Pred => lines.extend([format!("{name} p, {operands}"), "selp.u32 d, 1, 0, p".to_owned()]),
            Type::Preds => lines.extend([
                format!("{name} p|q, {operands}"),
                "selp.u32 d, 1, 0, p".to_owned(),
                "or.b32 d, asm, 2".to_owned(),
            ]),
            _ => lines.push(format!("{name} d, {operands}")),
        }
        if form.result.bits() == 8 {
            lines.push("mov.b16 d, {d,0}".to_owned());
        }
        return (Kind::Native, lines);
    }
    let alike = form.operands.iter().all(|t| *t == form.result);
    if form.operands[0] == Type::F32x2 && alike {
        let scalar = name.replace(".f32x2", ".f32");
        if is_native(&scalar) {
            let one = format!("{scalar} d, {operands}");
            return (Kind::Substitute, vec![one.clone(), one]);
        }
    }
    if matches!(form.meaning, Meaning::MixedAdd | Meaning::MixedSub | Meaning::MixedFma) {
        // The narrow operands are converted first.
        let (narrow, wide) = (form.operands[0], name.rsplit_once('.').map_or("", |(wide, _)| wide));
        let cvt = format!("cvt.f32.{narrow}");
        if is_native(&cvt) && is_native(wide) {
            let converted = names[..names.len() - 1].iter().map(|x| format!("{cvt} d, {x}"));
            let arguments: Vec<_> = names[1..].iter().map(|_| "asm").chain(names.last().copied()).collect();
            let wide = format!("{wide} d, {}", arguments.join(", "));
            return (Kind::Substitute, converted.chain([wide]).collect());
        }
    }
    if form.meaning == Meaning::CvtPack {
        // Each lane by the conversion of a scalar, the second operand first, and a move of a pair.
        let scalar = name.replace("x2.f32", ".f32");
        if is_native(&scalar) {
            return (
                Kind::Substitute,
                vec![format!("{scalar} d, b"), format!("{scalar} d, a"), "mov.b32 d, {asm,asm}".to_owned()],
            );
        }
    }
    if form.meaning == Meaning::Set && form.operands[0] == Type::F16x2 && form.result != Type::F16x2 {
        let numbers = name.replace(&format!(".{}.f16x2", form.result), ".f16x2.f16x2");
        if is_native(&numbers) {
            let predicate = predicate.then(|| "setp.ne.u32 c, c, 0".to_owned());
            return (Kind::Substitute, predicate.into_iter().chain([format!("{numbers} d, {operands}")]).collect());
        }
    }
    let fma = format!("fma.rn.{}", form.operands[0]);
    if matches!(form.operands[0], Type::Bf16 | Type::Bf16x2) && is_native(&fma) {
        let constant = |lane: u32| {
            let bits = if form.operands[0] == Type::Bf16x2 { lane << 16 | lane } else { lane };
            format!("{bits:#x}")
        };
        // a + b = a·1 + b, a − b = b·(−1) + a, a·b = a·b + (−0).
        let arguments = match form.meaning {
            Meaning::Add => Some(format!("d, a, {}, b", constant(0x3F80))),
            Meaning::Sub => Some(format!("d, b, {}, a", constant(0xBF80))),
            Meaning::Mul => Some(format!("d, a, b, {}", constant(0x8000))),
            _ => None,
        };
        if let Some(arguments) = arguments {
            return (Kind::Substitute, vec![format!("{fma} {arguments}")]);
        }
    }
    (Kind::Fallback, Vec::new())
}

/// Checks one probe. The error describes what was found.
pub(crate) fn kernel(probe: &Probe, kernel: &Kernel, target: &str, version: Version) -> Result<Kind, String> {
    let (kind, asm) = expected(probe, target, version);
    let form = probe.info;
    let complain = |what: String| Err(format!("{} ({}): {what}", probe.identifier, kind.name()));
    if kernel.asm != asm {
        return complain(format!("inline assembly is {:?}, should be {asm:?}", kernel.asm));
    }
    if let Some(opcode) = kernel.floats.first() {
        return complain(format!("the compiler put in `{opcode}` of its own"));
    }
    if let Some(callee) = kernel.calls.first().filter(|_| kind != Kind::Fallback) {
        return complain(format!("it calls `{callee}`"));
    }
    // Allowed between the loads and the stores: nothing, the predicate as a byte, or lanes split
    // and joined.
    let allowed: &[&str] = match kind {
        Kind::Native if matches!(form.result, Type::Pred | Type::Preds) || form.operands.contains(&Type::Pred) => {
            &["setp.", "selp.", "cvt.", "and.", "shl.", "shr.", "or.", "xor."]
        }
        Kind::Native if [form.result].iter().chain(form.operands).any(|ty| SPARSE.contains(ty)) => &["and."],
        Kind::Native => &[],
        Kind::Substitute if form.operands[0] == Type::F32x2 => &["mov.", "cvt.u", "shl.", "shr.", "or."],
        // A number's lowest bit of the exponent field becomes all ones.
        Kind::Substitute if form.result == Type::U32 || form.result == Type::S32 => {
            &["shr.", "and.", "mul.", "prmt.", "neg.", "sub.", "cvt."]
        }
        Kind::Substitute => &[],
        Kind::Fallback if kernel.other.is_empty() && kernel.calls.is_empty() => return complain("no code".to_owned()),
        Kind::Fallback => return Ok(kind),
    };
    if let Some(opcode) = kernel.other.iter().find(|o| !allowed.iter().any(|a| o.starts_with(a))) {
        return complain(format!("`{opcode}` stands between the loads and the stores"));
    }
    if !kernel.stores_asm {
        return complain("the result of the instruction is not what is stored".to_owned());
    }
    Ok(kind)
}

/// Checks every probe, and that there is exactly one per form.
pub(crate) fn all(module: &Module, problems: &mut Vec<String>) -> BTreeMap<&'static str, Kind> {
    let mut kinds = BTreeMap::new();
    for form in canonical() {
        match module.kernels.get(&form.identifier) {
            None => problems.push(format!("{}: no probe", form.identifier)),
            Some(k) => match kernel(form, k, &module.target, module.version) {
                Ok(kind) => {
                    kinds.insert(form.identifier.as_str(), kind);
                }
                Err(e) => problems.push(e),
            },
        }
    }
    let forms = canonical().count();
    if module.kernels.len() != forms {
        problems.push(format!("{} probes for {forms} forms", module.kernels.len()));
    }
    // Functions that fallbacks call are integer code too.
    for (name, function) in &module.functions {
        if let Some(found) = function.asm.iter().chain(&function.floats).next() {
            problems.push(format!("`{found}` in the function {name}"));
        }
    }
    kinds
}

/// Drops every modifier of every native form from the PTX text, one at a time, and counts the
/// mutants that the check catches. It has to catch all.
pub(crate) fn mutations(module: &Module, kinds: &BTreeMap<&'static str, Kind>, problems: &mut Vec<String>) -> usize {
    let mut caught = 0;
    for form in canonical().filter(|f| kinds.get(f.identifier.as_str()) == Some(&Kind::Native)) {
        for modifier in &form.modifiers {
            let mutant = form.name.replacen(modifier, "", 1);
            let text = module.texts[&form.identifier].replace(&format!("{} ", form.name), &format!("{mutant} "));
            let read = Kernel::parse(&text).map_err(|e| e.to_string());
            match read.and_then(|k| kernel(form, &k, &module.target, module.version)) {
                Err(_) => caught += 1,
                Ok(_) => problems.push(format!("`{mutant}` passed as {}", form.name)),
            }
        }
    }
    caught
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments of `ptxf-build` give a build the instructions that the table has for the
    /// target.
    #[test]
    fn a_build_is_told_of_the_family_that_the_table_means() {
        let (ptx, only) = (ptxf::spec::Version { major: 9, minor: 0 }, ptxf::spec::Only::Family);
        let mut told = 0;
        for (sm, suffix) in (75..130).flat_map(|sm| [None, Some('a'), Some('f')].map(|suffix| (sm, suffix))) {
            let name = format!("sm_{sm}{}", suffix.map_or(String::new(), String::from));
            let means = |family: &u32| ptxf::spec::Target { ptx, sm: *family, only }.is_met(sm, suffix, ptx);
            // No compiler has PTX 9.4, with which the family of sm_107 begins.
            let meant: Vec<u32> = [100, 110, 120].into_iter().filter(means).collect();
            assert_eq!(meant, ptxf_build::family(&name).into_iter().collect::<Vec<_>>(), "{name}");
            told += meant.len();
        }
        assert_eq!(told, 12, "three families have six chips, each with two suffixes");
    }

    const SM_90: (&str, Version) = ("sm_90", Version { major: 7, minor: 8 });

    fn form(name: &str) -> &'static Probe {
        canonical().find(|f| f.name == name).unwrap()
    }

    fn probe(asm: &str) -> Kernel {
        let text = format!(
            "ld.param.b64 %rd0, [k_param_0];\nld.param.b64 %rd1, [k_param_1];\nld.param.b64 %rd2, [k_param_2];\nld.param.b64 %rd3, [k_param_3];
            ld.global.b32 %r1, [%rd1];\nld.global.b32 %r2, [%rd2];\nld.global.b32 %r3, [%rd3];
            // begin inline asm\n{asm}\n// end inline asm\nst.global.b32 [%rd0], %r4;\n"
        );
        Kernel::parse(&text).unwrap()
    }

    fn verdict(name: &str, asm: &str) -> Result<Kind, String> {
        kernel(form(name), &probe(asm), SM_90.0, SM_90.1)
    }

    #[test]
    fn the_instruction_itself_passes() {
        assert_eq!(verdict("fma.rn.ftz.relu.f16x2", "fma.rn.ftz.relu.f16x2 %r4, %r1, %r2, %r3;"), Ok(Kind::Native));
        assert_eq!(verdict("neg.ftz.f16", "neg.ftz.f16 %r4, %r1;"), Ok(Kind::Native));
    }

    #[test]
    fn a_dropped_modifier_is_caught() {
        for (name, mutant) in [
            ("fma.rn.ftz.relu.f16x2", "fma.rn.relu.f16x2 %r4, %r1, %r2, %r3;"),
            ("fma.rn.ftz.relu.f16x2", "fma.rn.ftz.f16x2 %r4, %r1, %r2, %r3;"),
            ("add.rn.f16", "add.f16 %r4, %r1, %r2;"),
            ("max.NaN.bf16", "max.bf16 %r4, %r1, %r2;"),
            ("mul.rz.ftz.sat.f32", "mul.rz.ftz.f32 %r4, %r1, %r2;"),
            ("tanh.approx.f16", "tanh.f16 %r4, %r1;"),
        ] {
            assert!(verdict(name, mutant).is_err(), "{mutant}");
        }
    }

    #[test]
    fn wrong_operands_are_caught() {
        assert!(verdict("sub.rn.f32", "sub.rn.f32 %r4, %r2, %r1;").is_err());
        assert!(verdict("sub.rn.f32", "sub.rn.f32 %r5, %r1, %r2;").is_err(), "the result has to be stored");
        assert!(verdict("sub.rn.f32", "sub.rn.f32 %r4, %r1, %r2;\nsub.rn.f32 %r4, %r1, %r2;").is_err());
    }

    #[test]
    fn old_targets_have_substitutes_or_integer_code() {
        let old = |name, sm, v| expected(form(name), sm, v);
        let v = |major, minor| Version { major, minor };
        assert_eq!(old("add.rn.bf16x2", "sm_80", v(7, 0)).1, ["fma.rn.bf16x2 d, a, 0x3f803f80, b"]);
        assert_eq!(old("mul.rm.f32x2", "sm_90", v(7, 8)).1, ["mul.rm.f32 d, a, b"; 2]);
        assert_eq!(old("tanh.approx.f16", "sm_75", v(6, 3)), (Kind::Fallback, Vec::new()));
        assert_eq!(old("tanh.approx.f16", "sm_75", v(7, 0)).0, Kind::Native);
        assert_eq!(old("mad.f32", "sm_90", v(7, 8)).0, Kind::Fallback);
    }
}
