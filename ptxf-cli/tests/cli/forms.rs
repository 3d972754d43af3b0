//! `ptxf forms` and `ptxf explain`.

use std::collections::BTreeSet;

use crate::support::ptxf;
use ptxf::spec::{FORMS, MOST_OPERANDS, spellings};

#[test]
fn tsv_has_every_form_once() {
    let ran = ptxf(&["forms", "--tsv"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let mut lines = ran.out.lines();
    assert_eq!(lines.next(), Some("form\toperands\tptx\tsm\tsection\tevidence"));
    let mut seen = BTreeSet::new();
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let [form, operands, ptx, sm, section, evidence] = columns.as_slice() else { panic!("{line}") };
        assert!(seen.insert((form.to_owned(), operands.to_owned())), "{line} stands twice");
        let version =
            |ptx: &str| ptx.split_once('.').is_some_and(|(a, b)| a.parse::<u8>().is_ok() && b.parse::<u8>().is_ok());
        let target = |sm: &str| sm.strip_suffix(['a', 'f']).unwrap_or(sm).parse::<u32>().is_ok();
        assert!((1..=MOST_OPERANDS).any(|n| n.to_string() == *operands), "{line}");
        assert!(ptx.split('|').all(version) && sm.split('|').all(target), "{line}");
        assert_eq!(ptx.split('|').count(), sm.split('|').count(), "{line}");
        assert!(section.starts_with("9.7.") && !evidence.is_empty(), "{line}");
    }
    assert_eq!(seen.len(), spellings().count());
    assert!(ran.out.contains("\nfma.rn.relu.f16x2\t3\t7.0\t80\t9.7.4.4\tmeasured(sm_90)\n"));
    assert!(ran.out.contains("\nadd.rn.f32x2\t2\t8.6\t100\t9.7.3.3\texecuted\n"));
    assert!(ran.out.contains("\nmad.f32\t3\t1.0\t10\t9.7.3.7\treference\n"));
    assert!(ran.out.contains("\ncvt.rn.satfinite.e4m3x2.f32\t2\t8.1|7.8\t89|90\t9.7.9.21\t"));
    assert!(ran.out.contains("\ncvt.rs.satfinite.e2m1x4.f32\t5\t8.7|8.8\t100a|103a\t9.7.9.21\t"));
    assert!(ran.out.contains("\nmin.f32\t2\t1.0\t10\t") && ran.out.contains("\nmin.f32\t3\t8.8\t100\t"));
}

#[test]
fn patterns_select() {
    let names = |pattern: &str| -> Vec<String> {
        let ran = ptxf(&["forms", "--tsv", pattern]);
        assert_eq!(ran.code, Some(0));
        ran.out.lines().skip(1).map(|l| l.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(
        names("TESTP.N"),
        ["number", "notanumber", "normal"].map(|p| [format!("testp.{p}.f32"), format!("testp.{p}.f64")]).concat()
    );
    assert_eq!(names("tanh.*16"), ["tanh.approx.f16", "tanh.approx.bf16"]);
    assert_eq!(names("EX2*f32"), ["ex2.approx.f32", "ex2.approx.ftz.f32"]);
    assert_eq!(names("*").len(), spellings().count());
    assert_eq!(
        names("set.lo.*.u64"),
        ["f32", "f16", "bf16"].map(|to| ["", ".and", ".or", ".xor"].map(|op| format!("set.lo{op}.{to}.u64"))).concat()
    );
    assert!(names("relu").iter().all(|n| n.contains(".relu")));
    let ran = ptxf(&["forms", "fma.rn.zat.f16"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err, "error: no form matches fma.rn.zat.f16; the nearest is fma.rn.sat.f16\n");
    for (pattern, advice) in [
        ("nosuch", "`ptxf forms` lists all, and `ptxf forms 'fma.*'` those of an instruction"),
        ("relo", "did you mean relu?"),
        ("*.satfinit.*", "did you mean satfinite?"),
        ("fmaa", "did you mean fma?"),
        ("__hfma2_relu", "the nearest is fma.rn.relu.f16x2"),
    ] {
        assert_eq!(ptxf(&["forms", pattern]).err, format!("error: no form matches {pattern}; {advice}\n"));
    }
}

#[test]
fn the_list_is_aligned() {
    let ran = ptxf(&["forms", "mad*"]);
    let mut lines = ran.out.lines();
    let header = lines.next().unwrap();
    let evidence = header.find("evidence").unwrap();
    assert!(header.starts_with("form "));
    for line in lines {
        let column = ["reference", "assembled", "executed", "measured"].iter().find_map(|level| line.find(level));
        assert_eq!(column, Some(evidence), "{line}");
    }
    assert!(ran.out.contains("sm_10 to sm_13"));
}

#[test]
fn every_form_is_explained() {
    // One of the spellings that differ in their operators only.
    let mut names = BTreeSet::new();
    for (i, form) in FORMS.iter().enumerate() {
        let count = form.spellings().count();
        names.extend(form.spellings().nth(i % count).map(|spelling| (spelling.to_string(), form.name)));
    }
    for (name, open) in names {
        let ran = ptxf(&["explain", &name]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
        for form in FORMS.iter().filter(|f| f.name == open) {
            let function = format!("ptxf::ptx::{}(", form.function);
            let since = format!("PTX ISA {}, sm_{}", form.targets[0].ptx, form.targets[0].sm);
            let since = since.as_str();
            for part in [form.section, since, &function, "\n$ ptxf eval ", form.method.unwrap_or_default()] {
                assert!(ran.out.contains(part), "{part} is missing in\n{}", ran.out);
            }
            for other in FORMS.iter().filter(|f| f.canonical == form.canonical && f.operands == form.operands) {
                assert!(other.name == open || ran.out.contains(other.name));
            }
        }
        assert!(!ran.out.contains('`') && !ran.out.contains("\n  |"), "{}", ran.out);
        assert!(ran.out.lines().all(|l| l.chars().count() <= 120), "{}", ran.out);
    }
}

#[test]
fn the_examples_of_an_explanation_can_be_run() {
    for name in [
        "fma.rn.ftz.relu.f16x2",
        "min.f32",
        "testp.subnormal.f64",
        "fma.rn.oob.f16",
        "add.rm.f64",
        "set.lt.and.u32.f16x2",
        "set.hs.bf16.u64",
        "setp.neu.xor.f32",
        "setp.lt.f16x2",
        "slct.b16.f32",
        "slct.f64.s32",
        "selp.f32",
        "fma.rz.f32.bf16",
        "cvt.rni.s8.f16",
        "cvt.rn.bf16.u32",
        "cvt.rn.satfinite.relu.e4m3x2.f32",
        "cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.s2f6x2",
        "cvt.rs.satfinite.e2m1x4.f32",
        "cvt.rp.ue8m0x2.f32",
    ] {
        let explained = ptxf(&["explain", name]).out;
        let examples: Vec<&str> = explained.split("\n$ ptxf ").skip(1).collect();
        assert!(!examples.is_empty());
        for example in examples {
            let (line, table) = example.split_once('\n').unwrap();
            let ran = ptxf(&line.split(' ').collect::<Vec<_>>());
            let rows = ran.out.split_once("\n\n").unwrap().1;
            let table: String = table.lines().take_while(|l| l.starts_with("  ")).map(|l| format!("{l}\n")).collect();
            assert_eq!((rows, ran.code, ran.err.as_str()), (table.as_str(), Some(0), ""), "{line}");
        }
    }
}

#[test]
fn one_name_with_two_entries() {
    let out = ptxf(&["explain", "min.f32"]).out;
    assert!(out.contains("min.f32  d, a, b;") && out.contains("min.f32  d, a, b, c;"));
    assert!(out.contains("ptxf::ptx::min_f32(a, b)") && out.contains("ptxf::ptx::min3_f32(a, b, c)"));
}

#[test]
fn what_is_known_of_a_form() {
    let out = ptxf(&["explain", "add.f16x2"]).out;
    for part in [
        "Each of the two .f16 lanes",
        "Computes the sum a + b",
        "Also spelled  add.rn.f16x2",
        "ptxf::F16x2::add_rn(a, b)",
        "Evidence      measured on sm_90: NVIDIA H100",
        "; executed: ptxf-vm",
    ] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
    let out = ptxf(&["explain", "rcp.approx.f32"]).out;
    assert!(out.contains("\n  a    result\n  ───  ──────\n  −∞   −0\n"), "{out}");
    assert!(out.contains(".approx"));
    let out = ptxf(&["explain", "cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e2m1x2"]).out;
    assert!(out.contains("\nSince         PTX ISA 9.2, sm_100f or sm_110f or sm_120f\n"), "{out}");
    assert!(out.contains("\n  .scaled::n2::ue8m0 has a power of two"), "{out}");
    assert!(out.contains("\nFormats       ptxf format e2m1, ptxf format ue8m0\n"), "{out}");
    assert!(!ptxf(&["explain", "cvt.rn.f16.f32"]).out.contains("Formats"));
    assert!(ptxf(&["explain", "add.rn.f16x2"]).out.contains("CUDA          __hadd2_rn"));
}

#[test]
fn what_is_not_a_form() {
    for (name, problem, nearest) in [
        ("fma.f16", "`fma.f16` needs a rounding: write `fma.rn.f16`", "fma.rn.f16"),
        ("fma.ftz.rn.f16", "`.rn` stands before `.ftz`: write `fma.rn.ftz.f16`", "fma.rn.ftz.f16"),
        ("add.sat.bf16", "`.sat` does not exist for add.bf16", "add.bf16"),
        ("fma.rn.zat.f16", "`.zat` is neither a modifier nor a type of `fma`, did you mean `.sat`?", "fma.rn.sat.f16"),
        ("fmaa.rn.f16", "`fmaa` is no floating-point instruction of PTX, did you mean `fma`?", "fma.rn.f16"),
        ("", "a spelling starts with an instruction", "none; `ptxf forms` lists the forms"),
        ("nosuch", "`nosuch` is no floating-point instruction of PTX", "none; `ptxf forms` lists the forms"),
        // The assembler and the manual differ on these.
        (
            "cvt.rp.ftz.f32.bf16",
            "`.rp` does not exist for cvt.f32.bf16: every number in .bf16 is one in .f32, and nothing is rounded: leave it out",
            "cvt.ftz.f32.bf16",
        ),
        ("cvt.bf16.f16", "`cvt.bf16.f16` needs a rounding: write `cvt.rn.bf16.f16`", "cvt.rn.bf16.f16"),
        (
            "fma.rz.bf16",
            "`.rz` does not exist for fma.bf16: 16-bit floats round to nearest only, and NVIDIA's assembler compiles other roundings to something else",
            "fma.rn.bf16",
        ),
        (
            "cvt.rn.ue8m0x2.f32",
            "`.rn` does not exist for cvt.ue8m0x2.f32: the power of two is below or above the magnitude",
            "cvt.rz.ue8m0x2.f32",
        ),
        (
            "cvt.rs.pzo.e4m3x4.f32",
            "`.pzo` does not exist for cvt.e4m3x4.f32: a zero keeps its sign: leave it out",
            "cvt.rs.satfinite.e4m3x4.f32",
        ),
        ("add.rz.f32.bf16.sat", "`.sat` stands before `.bf16`: write `add.rz.sat.f32.bf16`", "add.rz.sat.f32.bf16"),
    ] {
        let ran = ptxf(&["explain", name]);
        let shown = if name.is_empty() { "\"\"" } else { name };
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        assert!(
            ran.err.starts_with(&format!("error: {shown} is not a legal form\n  problem: {problem}")),
            "{}",
            ran.err
        );
        assert!(ran.err.ends_with(&format!("\n  nearest: {nearest}\n")), "{}", ran.err);
    }
}
