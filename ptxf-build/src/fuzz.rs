//! Properties that hold for any bytes at all. `fuzz/` tries them without end, the tests here for a
//! moment.

use std::fmt::Write as _;

use crate::ptx::{Entry, Ptx, scan, tokens};

/// A text that can be read has the same entries with other comments in it, and when its entries are
/// written down again.
///
/// # Panics
///
/// It panics if that does not hold.
pub fn ptx_scan(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let ptx = match scan(&text) {
        Ok(ptx) => ptx,
        Err(error) => {
            let said = error.to_string();
            assert!(said.len() < 300 && !said.contains(char::is_control), "{said:?}");
            let line = text.split('\n').nth(error.line() - 1).expect("the line is one of the text's");
            assert!((1..=line.len() + 1).contains(&error.column()), "{said}");
            return;
        }
    };
    for entry in &ptx.entries {
        assert!(!entry.name.is_empty() && !entry.body.contains(".entry") && entry.body.is_ascii());
        assert!(entry.parameters.iter().all(|p| p.align.is_none_or(u64::is_power_of_two)));
        assert_eq!(ptx.entry(&entry.name), Some(entry), "it is the only one of its name");
    }
    assert_eq!(said_by(&scan(&written(&ptx)).unwrap_or_else(|e| panic!("{e}"))), said_by(&ptx));
    let commented = scan(&commented(&text)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(said_by(&commented), said_by(&ptx));
    let dense = |entry: &Entry| entry.body.split_ascii_whitespace().collect::<String>();
    assert!(ptx.entries.iter().map(dense).eq(commented.entries.iter().map(dense)));
}

/// The text of these entries, without bodies.
fn said_by(ptx: &Ptx) -> Ptx {
    let mut ptx = ptx.clone();
    ptx.entries.iter_mut().for_each(|entry| entry.body.clear());
    ptx
}

fn written(ptx: &Ptx) -> String {
    let mut text = format!(".version {}.{}\n.target {}\n", ptx.version.0, ptx.version.1, ptx.target);
    for entry in &ptx.entries {
        let parameters: Vec<String> = entry.parameters.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, ".entry {}({})\n{{{}}}", entry.name, parameters.join(","), entry.body);
    }
    text
}

/// The text's tokens, with comments between them that contain entries which a reader must not find.
fn commented(text: &str) -> String {
    const DECOYS: [&str; 5] = [
        "/* .entry k(.param .u64 a) { */",
        " // .visible .entry k(.param .u64 a) { /* \"\n",
        "\t",
        "/**//*\n \" // } ) */",
        "\r\n// */ .version 1.0\n",
    ];
    let mut out = String::new();
    for (i, token) in tokens(text).expect("it was read").iter().enumerate() {
        // A slash in front of a comment would begin another one.
        out.push(' ');
        out += DECOYS[i % DECOYS.len()];
        out += token;
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
            b"// .entry k(.param .u64 a)\n/* .entry\n */.version 7.0 .target sm_75 .entry k(.param .f32 x) .pragma \"nounroll\"; {}",
            b".version 7.8\n.target sm_80\n.entry p(.param .b32 a);\n.entry p(.param .b32 b) { .reg .b32 %r<5>; }",
            b".version 7.8 .target sm_80\n.global .align 4 .b8 t[4] = {1,2,3,4};\n.file 1 \"a \\\\ .entry\"\n.section .debug_info { .b8 1 }\n",
            b".func (.param .b32 r) f(.param .align 8 .b8 p[16]) { st.param.b32 [r+0], %r1; ret; }\n",
            b".version 7.8\n.target sm_90\n.entry k(.param .align 8 .b8 x[0x10], .param .b16 y[2][020U], .param .s8 z) {{ }}",
            b"$L__BB0_2:\t@%p1 bra $L__BB0_2;\n\tfma.rn.f16x2 \t%r1, %r2, %r3, %r4;\n\tmov.f32 %f1, 0f3F800000;\n",
            b"\"\\\\\" \"\\\" // \\\n /* \0 \xc3\xa9 # `",
        ];
        sample(&seeds, 50_000, 0x7074_7873, super::ptx_scan);
    }
}
