//! The PTX of a probe: an entry that computes one result for each element of its arrays.
//!
//! Its parameters are `d`, `a`, `b`, `c` and `n`, like those of compiled probes: `d[i]` becomes the
//! result for `a[i]`, `b[i]` and `c[i]`, for each `i` below `n`. Four of five operands stand side
//! by side in `a`. In the code the operands are `%x0`, `%x1` and so on; the result is `%d`, or `%p`
//! and `%q` for predicates.

use std::fmt::Write as _;

/// The type of an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// Bits in a register and in memory: 8, 16, 32 or 64.
    Bits(u32),
    /// A predicate; in memory a byte that is 0 or 1.
    Predicate,
    /// Two predicates; in memory a byte whose bit 1 is the second one.
    Predicates,
}

impl Register {
    /// Size of an element in bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Bits(bits) => bits / 8,
            Self::Predicate | Self::Predicates => 1,
        }
    }

    fn result(self) -> &'static str {
        match self {
            Self::Bits(_) => "%d",
            Self::Predicate => "%p",
            Self::Predicates => "%p|%q",
        }
    }
}

/// Returns the instruction of this spelling as a probe contains it.
#[must_use]
pub fn instruction(spelled: &str, operands: usize, result: Register) -> String {
    let list = match operands {
        5 => "{%x0, %x1, %x2, %x3}, %x4".to_owned(),
        count => (0..count).map(|i| format!("%x{i}")).collect::<Vec<_>>().join(", "),
    };
    format!("\t{spelled} {}, {list};\n", result.result())
}

/// Returns the entry with this code.
#[must_use]
pub fn entry(name: &str, operands: &[Register], result: Register, code: &str) -> String {
    let mut out = format!(
        ".visible .entry {name}(.param .u64 .ptr d, .param .u64 .ptr a, .param .u64 .ptr b, .param .u64 .ptr c, .param .u32 n)\n{{\n\t\
         .reg .pred %p, %q;\n\t.reg .b32 %i, %n, %w;\n\t.reg .b64 %at, %to;\n\tmov.u32 %i, %ctaid.x;\n\tmov.u32 %n, %ntid.x;\n\t\
         mov.u32 %w, %tid.x;\n\tmad.lo.u32 %i, %i, %n, %w;\n\tld.param.u32 %n, [n];\n\tsetp.ge.u32 %p, %i, %n;\n\t@%p ret;\n"
    );
    let vector = if operands.len() == 5 { 4 } else { 1 };
    for (i, operand) in operands.iter().enumerate() {
        let (array, place) = if i < vector { ("a", i as u32) } else { (["b", "c"][i - vector], 0) };
        let bytes = operand.bytes();
        if place == 0 {
            let stride = if i < vector { bytes * vector as u32 } else { bytes };
            let _ = write!(
                out,
                "\tld.param.u64 %to, [{array}];\n\tmul.wide.u32 %at, %i, {stride};\n\tadd.s64 %at, %at, %to;\n"
            );
        }
        let _ = match operand {
            Register::Bits(bits) => {
                let register = (*bits).max(16);
                let place = place * bytes;
                writeln!(out, "\t.reg .b{register} %x{i};\n\tld.global.b{bits} %x{i}, [%at+{place}];")
            }
            _ => writeln!(out, "\t.reg .pred %x{i};\n\tld.global.u8 %w, [%at];\n\tsetp.ne.u32 %x{i}, %w, 0;"),
        };
    }
    if let Register::Bits(bits) = result {
        let _ = writeln!(out, "\t.reg .b{} %d;", bits.max(16));
    }
    out += code;
    let bytes = result.bytes();
    let _ = write!(out, "\tld.param.u64 %to, [d];\n\tmul.wide.u32 %at, %i, {bytes};\n\tadd.s64 %at, %at, %to;\n");
    out += &match result {
        Register::Bits(bits) => format!("\tst.global.b{bits} [%at], %d;\n"),
        Register::Predicate => "\tselp.u32 %w, 1, 0, %p;\n\tst.global.u8 [%at], %w;\n".to_owned(),
        Register::Predicates => "\tselp.u32 %w, 1, 0, %p;\n\tselp.u32 %n, 2, 0, %q;\n\tor.b32 %w, %w, %n;\n\t\
             st.global.u8 [%at], %w;\n"
            .to_owned(),
    };
    out + "\tret;\n}\n"
}
