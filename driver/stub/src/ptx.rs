//! PTX as a compiler would emit it for a target, down to what `ptxf-gpu` and the stand-in look at.

use std::fmt::Write as _;

use ptxf::spec::spellings;

/// One kernel for each form, which is the one instruction where the target has it.
#[must_use]
pub fn probes(sm: u32) -> String {
    let mut out = head(sm);
    for spelling in spellings().filter(|spelling| spelling.form.name == spelling.form.canonical) {
        let native = spelling.form.targets.iter().any(|t| t.sm <= sm) && spelling.form.until.is_none();
        let body = if native { format!("\t{spelling} %r1, %r2;\n") } else { String::new() };
        entry(&mut out, &spelling.identifier().to_string(), "\t.param .u32 n", &body);
    }
    out
}

/// The kernels of the bench: the streams, and chains of these forms.
#[must_use]
pub fn benches(sm: u32, forms: &[&str]) -> String {
    let mut out = head(sm);
    for stream in ["stream_copy", "stream_fma_f16x2", "stream_fma_f32"] {
        entry(&mut out, stream, "\t.param .u32 n", "");
    }
    for form in forms {
        for (kind, count) in [("wide", 128), ("deep", 16)] {
            let name = format!("{kind}_{}", form.replace('.', "_"));
            let body = format!("\t{form} %r1;\n").repeat(count);
            entry(&mut out, &name, "\t.param .u32 n,\n\t.param .u32 rounds", &body);
        }
    }
    out
}

fn head(sm: u32) -> String {
    format!("// Of the driver's stand-in, not compiled.\n.version 7.8\n.target sm_{sm}\n.address_size 64\n")
}

/// Of four arrays and these numbers.
fn entry(out: &mut String, name: &str, numbers: &str, body: &str) {
    let arrays = "\t.param .u64 .ptr .align 1 p,\n".repeat(4);
    let _ = write!(out, ".visible .entry {name}(\n{arrays}{numbers}\n)\n{{\n{body}\tret;\n}}\n");
}
