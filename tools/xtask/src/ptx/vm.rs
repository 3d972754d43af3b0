//! The probes as programs: the compiled text of every form, run by the machine on the CPU, has the
//! form's bits.
//!
//! An instruction of the target tests the parser and the machine on the compiler's code. A fallback
//! is executed as integer code.

mod operands;

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use ptxf::spec::{Spelling, Type, spellings};
use ptxf_vm::{Arg, Machine, Module, Program};

/// Runs every probe. Returns the names of those with the bits of their forms, and adds differences
/// to the problems.
pub(crate) fn check(text: &str, problems: &mut Vec<String>) -> Result<BTreeSet<String>> {
    let mut machine = Machine::new();
    let module = Module::parse(text).map_err(|e| anyhow!("the machine cannot read it: {e}"))?;
    let program = machine.load(&module).map_err(|e| anyhow!("the machine cannot load it: {e}"))?;
    let mut equal = BTreeSet::new();
    for spelling in spellings().filter(|s| s.form.name == s.form.canonical) {
        match one(&mut machine, &program, &spelling) {
            Ok(()) => drop(equal.insert(spelling.identifier().to_string())),
            Err(problem) => problems.push(format!("{spelling} in the machine: {problem}")),
        }
    }
    Ok(equal)
}

/// Returns the size of a value in probes' memory.
fn bytes(ty: Type) -> usize {
    ty.bits().div_ceil(8) as usize
}

fn one(machine: &mut Machine, program: &Program, spelling: &Spelling) -> Result<(), String> {
    let name = spelling.identifier().to_string();
    let entry = program.entry(&name).map_err(|e| e.to_string())?;
    let operands = spelling.form.operands;
    let values = operands::of(operands, &name);
    let count = values.len();
    // The four elements of a vector stand side by side in the first array.
    let vector = if operands.len() == 5 { 4 } else { 1 };
    let mut arrays = vec![Vec::new(); operands.len() + 1 - vector];
    for values in &values {
        for (place, (value, &ty)) in values.iter().zip(operands).enumerate() {
            arrays[(place + 1).saturating_sub(vector)].extend_from_slice(&value.to_le_bytes()[..bytes(ty)]);
        }
    }
    let width = bytes(spelling.form.result);
    let out = machine.alloc(count * width);
    let arrays: Vec<_> = arrays.iter().map(|array| machine.buffer(array)).collect();
    let mut args = vec![Arg::from(out)];
    // The kernel has the other parameters too, and ignores them.
    args.extend((0..3).map(|i| Arg::from(arrays.get(i).copied().unwrap_or(out))));
    args.push(Arg::from(count as u32));
    let launched = machine.launch(&entry, count.div_ceil(64) as u32, 64, 0, &args);
    let found = launched.and_then(|()| machine.read(out)).map_err(|e| e.to_string())?;
    for buffer in arrays.into_iter().chain([out]) {
        machine.free(buffer).map_err(|e| e.to_string())?;
    }
    for (values, found) in values.iter().zip(found.chunks_exact(width)) {
        let expected = spelling.by_meaning(values).ok_or("the form has no meaning for its operands")?;
        if found != &expected.to_le_bytes()[..width] {
            return Err(format!("of {values:x?} it makes {found:x?} and not {expected:#x}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_that_computes_something_else_is_a_problem() {
        let text = |instruction: &str| {
            format!(
                ".version 7.8\n.target sm_90\n.visible .entry add_rz_f32(.param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{{
                .reg .pred %p1;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n\
                mad.lo.s32 %r1, %r1, %r2, %r3;\nld.param.u32 %r2, [n];\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 ret;\nmul.wide.u32 %rd1, %r1, 4;\n\
                ld.param.u64 %rd2, [d];\nld.param.u64 %rd3, [a];\nld.param.u64 %rd4, [b];\nadd.s64 %rd2, %rd2, %rd1;\nadd.s64 %rd3, %rd3, %rd1;\n\
                add.s64 %rd4, %rd4, %rd1;\nld.global.b32 %r4, [%rd3];\nld.global.b32 %r5, [%rd4];\n{instruction} %r6, %r4, %r5;\n\
                st.global.b32 [%rd2], %r6;\nret;\n}}"
            )
        };
        let spelling = spellings().find(|s| s.is("add.rz.f32")).unwrap();
        let run = |instruction: &str| {
            let mut machine = Machine::new();
            let program = machine.load(&Module::parse(&text(instruction)).unwrap()).unwrap();
            one(&mut machine, &program, &spelling)
        };
        assert_eq!(run("add.rz.f32"), Ok(()));
        assert!(run("add.rn.f32").unwrap_err().contains("it makes"));
        assert!(run("add.rz.ftz.f32").unwrap_err().contains("it makes"));
        let mut problems = Vec::new();
        let equal = check(&text("add.rz.f32"), &mut problems).unwrap();
        assert_eq!(equal.iter().collect::<Vec<_>>(), ["add_rz_f32"]);
        assert!(problems[0].contains("there is no entry"), "{problems:?}");
    }
}
