//! The table of instructions against NVIDIA's assembler, which `cargo xtask spellings` finds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use ptxf::matrix::{Element, Fragment, Instruction};

use crate::layouts::spellings;

/// Returns the declaration of a fragment's registers, and the vector of them.
fn vector(name: &str, fragment: Fragment, format: Element) -> [String; 2] {
    let class = match format {
        Element::F32 | Element::F64 => 'f',
        _ => 'b',
    };
    let count = fragment.registers();
    let all: Vec<String> = (0..count).map(|i| format!("%{name}{i}")).collect();
    [format!(".reg .{class}{} %{name}<{count}>;", fragment.register_bits()), format!("{{{}}}", all.join(", "))]
}

/// Returns a line with the instruction and its registers.
fn line(spelled: &str) -> String {
    let mma = Instruction::parse(spelled).unwrap();
    let [in_a, in_b, in_c, in_d] = mma.formats();
    let of = [("d", mma.d(), in_d), ("a", mma.a(), in_a), ("b", mma.b(), in_b), ("c", mma.c(), in_c)];
    let [d, a, b, c] = of.map(|(name, fragment, format)| vector(name, fragment, format));
    let is_wide = spelled.starts_with("wgmma");
    let metadata = if mma.metadata().is_some() { ", %e0, 0" } else { "" };
    let (declared, operands) = if is_wide {
        let signs = match in_a {
            Element::F16 | Element::Bf16 => ", 1, -1, 0, 1",
            Element::Tf32 | Element::E4m3 | Element::E5m2 => ", 1, -1",
            _ => "",
        };
        (d[0].clone(), format!("{}, %s0, %s1{metadata}, 1{signs}", d[1]))
    } else {
        let scales = if mma.scaled().is_some() { ", %e1, {0, 1}, %e2, {0, 3}" } else { "" };
        (
            [&d, &a, &b, &c].map(|part| part[0].as_str()).concat(),
            format!("{}, {}, {}, {}{metadata}{scales}", d[1], a[1], b[1], c[1]),
        )
    };
    format!("{{ {declared} .reg .b32 %e<3>; .reg .b64 %s<2>; {spelled} {operands}; }}\n")
}

/// Returns the first error for a kernel with these lines, if there is one.
fn error(ptxas: &Path, version: &str, target: &str, body: &str) -> Option<String> {
    let folder = std::env::temp_dir().join(format!("ptxf-assembler-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("forms.ptx");
    let head = format!(".version {version}\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n");
    std::fs::write(&file, format!("{head}{body}ret;\n}}\n")).unwrap();
    let output = Command::new(ptxas)
        .args(["-arch", target])
        .arg(&file)
        .arg("-o")
        .arg(folder.join("forms.cubin"))
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}", ptxas.display()));
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let first = said.lines().find(|line| line.contains("error") || line.contains("fatal"));
    (!output.status.success()).then(|| first.unwrap_or(&said).to_owned())
}

#[test]
#[ignore = "needs NVIDIA's assembler: cargo xtask spellings"]
fn the_assembler_accepts_each_form_since_its_version() {
    let ptxas = std::env::var_os("PTXF_PTXAS").expect("PTXF_PTXAS names the assembler");
    let number = |version: &str| -> [u32; 2] {
        let (major, minor) = version.split_once('.').unwrap();
        [major, minor].map(|part| part.parse().unwrap())
    };
    let versions: BTreeSet<[u32; 2]> = Instruction::forms().map(|form| number(&form[..3])).collect();
    let mut modules: BTreeMap<(String, String), String> = BTreeMap::new();
    for form in Instruction::forms() {
        let mut words = form.split(' ');
        let (version, target) = (words.next().unwrap(), words.next().unwrap());
        // The assembler has no older target.
        let (version, target) = match target {
            "sm_70" | "sm_72" => (if number(version) < [6, 3] { "6.3" } else { version }, "sm_75"),
            _ => (version, target),
        };
        let all = spellings(form);
        let older = versions.range(..number(version)).next_back().filter(|older| **older >= [6, 3]);
        if let Some([major, minor]) = older {
            let accepted = error(ptxas.as_ref(), &format!("{major}.{minor}"), target, &line(&all[0])).is_none();
            assert!(!accepted, "{} is in PTX {major}.{minor}", all[0]);
        }
        *modules.entry((version.to_owned(), target.to_owned())).or_default() +=
            &all.iter().map(|spelled| line(spelled)).collect::<String>();
    }
    for ((version, target), body) in modules {
        let error = error(ptxas.as_ref(), &version, &target, &body);
        assert_eq!(error, None, "PTX {version}, {target}:\n{body}");
    }
}
