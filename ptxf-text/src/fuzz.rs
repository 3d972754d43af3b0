//! Properties of all texts. `fuzz/` checks them on random bytes without end, and a test checks a
//! sample.

use crate::lexer::{Kind, Lexer};
use crate::{Function, Statement, Unit};

/// Characters of the longest message.
const LONGEST: usize = 600;

/// Checks that a text is read or refused, and that comments do not change the result.
///
/// # Panics
///
/// Panics if a property does not hold.
pub fn parse(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let unit = match Unit::parse(&text) {
        Ok(unit) => unit,
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.len() < LONGEST && !shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
            let line = text.split('\n').nth(error.line() - 1).expect("the text has the line");
            assert!((1..=line.len() + 1).contains(&error.column()), "{shown}");
            return;
        }
    };
    let declarations = Unit::declarations(&text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(heads(&declarations), heads(&unit));
    let commented = Unit::parse(&commented(&text)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(heads(&commented), heads(&unit));
    assert_eq!(statements(&commented), statements(&unit));
}

/// The names of functions with the names of their parameters.
fn heads(unit: &Unit) -> Vec<Vec<&str>> {
    let head = |function: &Function| {
        let names = function.returns.iter().chain(&function.parameters).map(|variable| variable.name);
        names.chain([function.name]).map(|name| name.of(&unit.text)).collect()
    };
    unit.functions.iter().map(head).collect()
}

/// The number of operands of each statement.
fn statements(unit: &Unit) -> Vec<usize> {
    let bodies = unit.functions.iter().filter_map(|function| function.body.as_ref());
    let operands = |statement: &Statement| match statement {
        Statement::Instruction(instruction) => instruction.operands.len(),
        _ => 0,
    };
    bodies.flat_map(|body| body.statements.iter().map(operands)).collect()
}

/// The tokens of a text with comments between them, which contain entries that are none.
fn commented(text: &str) -> String {
    const DECOYS: [&str; 5] = [
        "/* .entry k(.param .u64 a) { */",
        " // .visible .entry k(.param .u64 a) { /* \"\n",
        "\t",
        "/**//*\n \" // } ) */",
        "\r\n// */ .version 1.0\n",
    ];
    let mut out = String::new();
    let mut lexer = Lexer::new(text);
    for decoy in DECOYS.into_iter().cycle() {
        let token = lexer.next().unwrap_or_else(|e| panic!("{e}"));
        if token.kind == Kind::End {
            break;
        }
        // A slash before a comment would begin another one.
        out.push(' ');
        out += decoy;
        out += token.span.of(text);
    }
    out
}

#[cfg(test)]
mod tests {
    use oracle::mutate::sample;

    #[test]
    fn any_bytes_are_read_or_refused() {
        let seeds: [&[u8]; 9] = [
            b".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry scale(\n\t.param .u64 .ptr .align 2 x,\n\t.param .u32 n\n)\n{\n\tret;\n}\n",
            b".version 8.0\n.target sm_90a, debug\n.weak .entry a()\n.maxntid 1, 1, 1\n{\n}\n.entry b { ret; }\n",
            b"// .entry k(.param .u64 a)\n.version 7.0 /* .entry\n */.target sm_75 .entry k(.param .f32 x) .pragma \"nounroll\"; {}",
            b".version 7.8\n.target sm_80\n.entry p(.param .b32 a);\n.entry p(.param .b32 b) { .reg .b32 %r<5>; }",
            b".version 7.8 .target sm_80\n.global .align 4 .b8 t[4] = {1,2,3,0xFF(t)};\n.file 1 \"a \\\\ .entry\"\n.section .debug_info { .b8 1 }\n",
            b".version 7.8 .target sm_80 .func (.param .b32 r) f(.param .align 8 .b8 p[16]) { .loc 1 2 3\n st.param.b32 [r+0], %r1; ret; }\n",
            b".version 7.8\n.target sm_90\n.entry k(.param .align 8 .b8 x[0x10], .param .b16 y[2][020U], .param .s8 z) {{ }}",
            b".version 7.8\n.target sm_90\n.func f { $L__BB0_2:\t@%p1 bra $L__BB0_2;\n\tfma.rn.f16x2 \t%r1|_, {%r2, %r3}, !%r4, 0f3F800000; }\n",
            b"\"\\\\\" \"\\\" // \\\n /* \0 \xc3\xa9 # `",
        ];
        sample(&seeds, 50_000, 0x7074_7873, super::parse);
    }
}
