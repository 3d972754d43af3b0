//! Reads the PTX that the compiler writes: its kernels, their inline assembly, and which operand is
//! which array.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use ptxf_build::Version;
use ptxf_text::{Function, Instruction, Span, Unit};

/// A PTX file.
#[derive(Debug)]
pub(crate) struct Module {
    pub version: Version,
    /// Target as the file names it, `sm_90`.
    pub target: String,
    /// Kernels by name; a file never has two of one name.
    pub kernels: BTreeMap<String, Kernel>,
    /// The kernels' bodies.
    pub texts: BTreeMap<String, String>,
    /// Functions that kernels call, by their mangled names.
    pub functions: BTreeMap<String, Kernel>,
}

/// The operations of a kernel on the elements that it loads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// The inline assembly's instructions with named operands: `d` is a result, `a`, `b` and `c`
    /// are elements loaded from these arrays, numbers are constants.
    pub asm: Vec<String>,
    /// Opcodes of the compiler's own instructions on elements or results, without loads and stores.
    pub other: Vec<String>,
    /// `true` if the stored value is a result of inline assembly.
    pub stores_asm: bool,
    /// The compiler's own floating-point opcodes.
    pub floats: Vec<String>,
    /// The called functions.
    pub calls: Vec<String>,
}

/// An instruction with its operands as text, without blanks.
struct Statement<'a> {
    guard: Option<&'a str>,
    opcode: &'a str,
    operands: Vec<String>,
    /// `true` if it stands in inline assembly.
    asm: bool,
}

/// The origin of a register's value.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    /// Bit k for parameter k: `d`, `a`, `b`, `c`, `n`; [`Self::ASM`] for a result of inline
    /// assembly.
    from: u32,
    constant: Option<u64>,
    /// `true` for an element or a value computed from elements, `false` for an address.
    element: bool,
}

impl Origin {
    const ASM: u32 = 1 << 31;

    fn and(self, other: Self) -> Self {
        Self { from: self.from | other.from, constant: None, element: self.element || other.element }
    }

    /// `a` for an element of that array, a number for a constant, else what it is mixed from.
    fn name(self) -> String {
        if let (0, Some(constant)) = (self.from, self.constant) {
            return format!("{constant:#x}");
        }
        let names = ["d", "a", "b", "c", "n"].iter().enumerate().filter(|(k, _)| self.from >> k & 1 == 1);
        let mut name: Vec<_> = names.map(|(_, n)| *n).collect();
        if self.from & Self::ASM != 0 {
            name.push("asm");
        }
        if name.is_empty() { "?".to_owned() } else { name.join("+") }
    }
}

impl Module {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let unit = Unit::parse(text)?;
        let (major, minor) = unit.version;
        let mut module = Self {
            version: Version { major, minor },
            target: unit.target.to_string(),
            kernels: BTreeMap::new(),
            texts: BTreeMap::new(),
            functions: BTreeMap::new(),
        };
        let assembly = Assembly::of(text);
        for function in &unit.functions {
            let name = function.name.of(text).to_owned();
            let kernel = Kernel::read(&assembly.statements(text, function)).with_context(|| format!("in {name}"))?;
            if !function.is_entry {
                // A declaration has no body and adds nothing.
                module.functions.entry(name).or_default().merge(&kernel);
            } else if let Some(body) = &function.body {
                module.texts.insert(name.clone(), body.at.of(text).to_owned());
                ensure!(module.kernels.insert(name.clone(), kernel).is_none(), "two kernels are called {name}");
            }
        }
        Ok(module)
    }
}

/// Places of inline assembly, which the compiler marks by comments.
struct Assembly {
    begins: Vec<usize>,
    ends: Vec<usize>,
}

impl Assembly {
    fn of(text: &str) -> Self {
        let places = |comment: &str| text.match_indices(comment).map(|(at, _)| at).collect();
        Self { begins: places("// begin inline asm"), ends: places("// end inline asm") }
    }

    fn statements<'a>(&self, text: &'a str, function: &Function) -> Vec<Statement<'a>> {
        let marks_before = |marks: &[usize], at: Span| marks.partition_point(|&mark| mark < at.start as usize);
        let statement = |instruction: &Instruction| Statement {
            guard: instruction.guard.map(|guard| guard.name.of(text)),
            opcode: instruction.opcode.of(text),
            operands: instruction.operands.iter().map(|o| o.at.of(text).split_whitespace().collect()).collect(),
            asm: marks_before(&self.begins, instruction.at) > marks_before(&self.ends, instruction.at),
        };
        function.instructions().map(statement).collect()
    }
}

/// The registers in an operand, `%r1` and `%r2` in `{%r1, %r2}`, and names declared in inline
/// assembly.
fn registers(operand: &str) -> impl Iterator<Item = &str> {
    operand
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '$' | '.')))
        .filter(|t| t.starts_with('%') && t[1..].starts_with(|c: char| c.is_ascii_lowercase()))
}

/// A literal's bits: decimal or `0x`.
fn literal(operand: &str) -> Option<u64> {
    if let Some(hex) = operand.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    operand.parse::<i64>().ok().map(i64::cast_unsigned)
}

impl Kernel {
    fn merge(&mut self, other: &Self) {
        self.asm.extend_from_slice(&other.asm);
        self.other.extend_from_slice(&other.other);
        self.floats.extend_from_slice(&other.floats);
        self.calls.extend_from_slice(&other.calls);
        self.stores_asm |= other.stores_asm;
    }

    /// Reads the text between a kernel's braces.
    pub(crate) fn parse(body: &str) -> Result<Self> {
        let text = format!(".version 7.8\n.target sm_90\n.func k() {{\n{body}\n}}");
        let unit = Unit::parse(&text)?;
        Self::read(&Assembly::of(&text).statements(&text, &unit.functions[0]))
    }

    /// Follows every value from the parameters through the loads to the stores, in program order:
    /// kernels of probes load everything before they compute.
    fn read(statements: &[Statement<'_>]) -> Result<Self> {
        let mut kernel = Self::default();
        let mut origins: BTreeMap<&str, Origin> = BTreeMap::new();
        for s in statements {
            let origin_of = |operand: &str, origins: &BTreeMap<&str, Origin>| {
                if let Some(constant) = literal(operand) {
                    return Origin { constant: Some(constant), ..Origin::default() };
                }
                let mut registers = registers(operand);
                let first = registers.next().and_then(|r| origins.get(r)).copied().unwrap_or_default();
                registers.fold(first, |o, r| o.and(origins.get(r).copied().unwrap_or_default()))
            };
            let (destination, sources) = s.operands.split_first().map_or(("", &[][..]), |(d, s)| (d.as_str(), s));
            let mut origin = match sources {
                [one] => origin_of(one, &origins),
                many => many.iter().fold(Origin::default(), |o, s| o.and(origin_of(s, &origins))),
            };
            if s.asm {
                let destination = if registers(destination).next().is_some() { "d" } else { destination };
                let mut operands = vec![destination.to_owned()];
                let named = |operand: &str| match registers(operand).next() {
                    Some(_) => origin_of(operand, &origins).name(),
                    None => operand.to_owned(),
                };
                operands.extend(sources.iter().map(|operand| {
                    match operand.strip_prefix('{').and_then(|o| o.strip_suffix('}')) {
                        Some(elements) => {
                            format!(
                                "{{{}}}",
                                elements.split(',').map(|e| named(e.trim())).collect::<Vec<_>>().join(",")
                            )
                        }
                        None => named(operand),
                    }
                }));
                kernel.asm.push(format!("{} {}", s.opcode, operands.join(", ")));
                origin = Origin { from: Origin::ASM, constant: None, element: true };
            } else if let (Some(width), Some(constant)) = (s.opcode.strip_prefix("mov.b"), origin.constant) {
                let width: u32 = width.parse().with_context(|| s.opcode.to_owned())?;
                origin.constant = Some(constant & u64::MAX >> (64 - width));
            } else if s.opcode.starts_with("ld.param") && sources[0].contains("retval") {
                // The result of a call on elements.
                origin.element = true;
            } else if s.opcode.starts_with("ld.param") {
                let parameter = sources[0].trim_matches(['[', ']']).rsplit('_').next().and_then(|k| k.parse().ok());
                let parameter: u32 = parameter.with_context(|| format!("parameter {}", sources[0]))?;
                origin = Origin { from: 1 << parameter, ..Origin::default() };
            } else if s.opcode.starts_with("ld.") {
                origin.element = true;
            } else if s.opcode.starts_with("st.param") {
                // The argument of a call.
            } else if s.opcode.starts_with("st.") {
                kernel.stores_asm |= origin.from & Origin::ASM != 0;
            } else if s.opcode.starts_with("call") {
                let callee = s.operands.iter().find(|o| !o.starts_with('(')).cloned();
                kernel.calls.push(callee.unwrap_or_default());
            } else {
                let guard = s.guard.and_then(|g| registers(g).next());
                let guarded = guard.and_then(|g| origins.get(g)).is_some_and(|o| o.element);
                if origin.element || guarded {
                    kernel.other.push(s.opcode.to_owned());
                }
                if s.opcode.split('.').any(|part| {
                    let part = part.strip_suffix("x2").unwrap_or(part);
                    matches!(part, "f16" | "bf16" | "f32" | "f64")
                }) && !["mov.", "selp."].iter().any(|moves| s.opcode.starts_with(moves))
                {
                    kernel.floats.push(s.opcode.to_owned());
                }
            }
            for register in registers(destination).filter(|_| !s.opcode.starts_with("st.")) {
                origins.insert(register, origin);
            }
        }
        Ok(kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(body: &str) -> Module {
        let head = "//\n.version 7.8\n.target sm_90, debug\n.address_size 64\n\t// .globl\tk\n.visible .entry k(\n\t.param .u64 .ptr .align 1 k_param_0\n)\n{\n";
        Module::parse(&format!("{head}{body}\n}}\n")).unwrap()
    }

    const LOADS: &str = "\t.reg .b32 \t%r<8>;
    ld.param.b64 \t%rd0, [k_param_0];
    ld.param.b64 \t%rd1, [k_param_1];
    ld.param.b64 \t%rd2, [k_param_2];
    mov.u32 \t%r0, %tid.x;
    @%p1 bra \t$L__BB0_2;
$L__BB0_2:
    mul.wide.u32 \t%rd7, %r0, 4;
    add.s64 \t%rd3, %rd1, %rd7;
    ld.global.b32 \t%r1, [%rd3];
    add.s64 \t%rd4, %rd2, %rd7;
    ld.global.b32 \t%r2, [%rd4];\n";

    #[test]
    fn names_operands_by_the_array_they_come_from() {
        let m = module(&format!(
            "{LOADS}\t// begin inline asm\n\tsub.rn.f32 %r3, %r2, %r1;\n\t// end inline asm\n\tst.global.b32 [%rd0], %r3;\n\tret;\n"
        ));
        assert_eq!((m.version, m.target.as_str()), (Version { major: 7, minor: 8 }, "sm_90"));
        let k = &m.kernels["k"];
        assert_eq!(k.asm, ["sub.rn.f32 d, b, a"]);
        assert!(k.stores_asm && k.other.is_empty() && k.floats.is_empty());
    }

    #[test]
    fn keeps_braces_of_inline_assembly_and_its_own_names() {
        let m = module(&format!(
            "{LOADS}\t// begin inline asm\n\t{{\n.reg .pred p;\ntestp.finite.f32 p, %r1;\nselp.u32 %r3, 1, 0, p;\n}}\n\t// end inline asm\n\tsetp.ne.b32 %p2, %r3, 0;\n\tst.global.b32 [%rd0], %r3;\n"
        ));
        let k = &m.kernels["k"];
        assert_eq!(k.asm, ["testp.finite.f32 p, a", "selp.u32 d, 1, 0, p"]);
        assert_eq!(k.other, ["setp.ne.b32"]);
    }

    #[test]
    fn sees_constants_vectors_and_the_compilers_own_arithmetic() {
        let m = module(&format!(
            "{LOADS}\tmov.b16 %rs1, 16256;\n\t{{ .reg .b32 tmp; mov.b64 {{tmp, %r4}}, %rd9; }}\n\tadd.rn.f32 %r5, %r1, %r2;\n\t// begin inline asm\n\tfma.rn.bf16 %rs3, %r1, %rs1, %r2;\n\t// end inline asm\n\tcall.uni (retval0), slow, (param0);\n\tst.global.b32 [%rd0], %r5;\n"
        ));
        let k = &m.kernels["k"];
        assert_eq!(k.asm, ["fma.rn.bf16 d, a, 0x3f80, b"]);
        assert_eq!((&k.other[..], &k.floats[..]), (&["add.rn.f32".to_owned()][..], &["add.rn.f32".to_owned()][..]));
        assert!(!k.stores_asm);
        assert_eq!(k.calls, ["slow"]);
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        let head = ".version 7.8\n.target sm_90\n";
        assert!(Module::parse(".target sm_90\n").is_err());
        assert!(Module::parse(&format!("{head}.visible .entry k(\n)\n{{\n\tret;\n")).is_err());
        assert!(Module::parse(&format!("{head}.visible .entry k(\n)\n{{\n\tret\n}}\n")).is_err());
        let twice = ".visible .entry k(\n)\n{\n\tret;\n}\n";
        assert!(Module::parse(&format!("{head}{twice}{twice}")).is_err());
    }
}
