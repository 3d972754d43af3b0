//! What is an entry and what only looks like one.

use super::{Kind, Parameter, Ptx, entries, scan};

/// Behind a version and a target.
fn read(text: &str) -> Result<Ptx, String> {
    scan(&format!(".version 7.8\n.target sm_90\n{text}")).map_err(|e| e.to_string())
}

fn names(text: &str) -> Vec<String> {
    read(text).unwrap_or_else(|e| panic!("{text}: {e}")).entries.into_iter().map(|entry| entry.name).collect()
}

/// The parameters of the only entry, as they print.
fn parameters(list: &str) -> Result<Vec<String>, String> {
    let ptx = read(&format!(".entry k({list}) {{ ret; }}"))?;
    Ok(ptx.entries[0].parameters.iter().map(ToString::to_string).collect())
}

#[test]
fn the_entry_counts_and_not_what_is_said_of_it() {
    let real = ".visible .entry k(.param .u32 n)\n{\n\tret;\n}\n";
    for decoy in [
        "// .entry k(.param .u64 a)\n",
        "/* .entry k(.param .u64 a) { } */",
        "/* // */ // /* .entry k(.param .u64 a) {}\n",
        "// é .entry k(.param .u64 a)\r\n",
        ".pragma \".entry k(.param .u64 a)\";",
        ".file 1 \"// .entry k(.param .u64 a) /*\"\n",
        ".file 1 \"a\\\\\" // .entry k(.param .u64 a)\n",
        ".global .b32 entry;",
        ".entry k(.param .u32 n);",
        ".func k2(.param .u64 a) { ret; }",
        ".section .debug_str { .b8 46 }",
    ] {
        for text in [format!("{decoy}{real}"), format!("{real}{decoy}")] {
            let ptx = read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let [k] = ptx.entries.as_slice() else { panic!("{text}: {:?}", ptx.entries) };
            assert_eq!((k.name.as_str(), k.parameters.len(), k.parameters[0].bytes()), ("k", 1, 4), "{text}");
        }
    }
    // In the middle of it.
    let ptx =
        read(".entry/**/k // (\n(/*.param .u64 a*/.param .u32/*)*/n)\n.maxntid 1,1,1 .pragma \"{\"; { // }\n ret; }");
    assert_eq!(ptx.unwrap().entries[0].body.trim_end(), format!("{}\n ret;", " ".repeat(5)));
}

#[test]
fn entries_are_found_in_order() {
    let text = ".visible .entry a(\n)\n{ }\n.weak .entry b_1 (\n) { }\n\t// .globl\tc\n.entry d() {}\n.entry $e\n.noreturn\n{ { } }";
    assert_eq!(names(text), ["a", "b_1", "d", "$e"]);
    // One is no beginning of another.
    assert_eq!(names(".entry ab(.param .u64 x) { }.entry a() { }"), ["ab", "a"]);
    assert_eq!(entries(".version 6.0\n.target sm_70\n"), Ok(Vec::new()));
}

#[test]
fn parameters_have_types_arrays_and_alignment() {
    for (list, expected) in [
        ("", &[][..]),
        (".param .u64 x, .param .b8 y", &[".param .u64 x", ".param .b8 y"]),
        (".param .u64 .ptr x", &[".param .u64 .ptr .align 1 x"]),
        (".param .u64 .ptr .global .align 16 x", &[".param .u64 .ptr .align 16 x"]),
        (".param .align 8 .b8 x[16]", &[".param .align 8 .b8 x[16]"]),
        (".param .b32 x[0x10], .param .s16 y[020][2U]", &[".param .b32 x[16]", ".param .s16 y[32]"]),
        (".param .f64 x, .param .f16 y, .param .b128 z", &[".param .f64 x", ".param .f16 y", ".param .b128 z"]),
    ] {
        assert_eq!(parameters(list).unwrap(), expected, "{list}");
    }
    let ptx = read(".entry k(.param .align 4 .b16 x[0b11]) { }").unwrap();
    let x = Parameter {
        name: "x".to_owned(),
        kind: Kind::Bits,
        bits: 16,
        elements: Some(3),
        align: Some(4),
        pointer: None,
    };
    assert_eq!((x.bytes(), ptx.marks_pointers()), (6, false));
    assert_eq!(ptx.entries[0].parameters, [x]);
    assert!(read(".entry k(.param .u64 .ptr x) { } .entry l() { }").unwrap().marks_pointers());
}

#[test]
fn what_is_not_understood_is_refused_at_its_place() {
    for (text, expected) in [
        (".entry", "line 3, column 7: the text ends in front of an entry's name"),
        (".entry 3k() {}", "line 3, column 8: `3k` where an entry's name should be"),
        (".entry .k() {}", "column 8: `.k` where an entry's name"),
        (".entry k(", "the text ends in front of a parameter"),
        (".entry k(.u64 a) {}", "column 10: `.u64` where a parameter should be"),
        (".entry k(.param .u64) {}", "column 21: `)` where a parameter's name should be"),
        (".entry k(.param .u64 a .param .u64 b) {}", "column 24: `.param` where `,` or `)` should be"),
        (".entry k(.param .u64 a,) {}", "`)` where a parameter should be"),
        (".entry k(.param .v2 .f32 a) {}", "column 17: `.v2` is no type of a parameter"),
        (".entry k(.param .pred a) {}", "`.pred` is no type"),
        (".entry k(.param .f16x2 a) {}", "`.f16x2` is no type"),
        (".entry k(.param .align 3 .b8 a[3]) {}", "column 24: an alignment of 3, which is no power of two"),
        (".entry k(.param .align 0 .b8 a[3]) {}", "an alignment of 0"),
        (".entry k(.param .b8 a[]) {}", "`]` where a number of elements should be"),
        (".entry k(.param .b8 a[4*4]) {}", "`*` where `]` should be"),
        (".entry k(.param .b8 a[08]) {}", "`08` where a number of elements should be"),
        (".entry k(.param .b64 a[0xFFFFFFFFFFFFFFFF]) {}", "more bytes than any device takes"),
        (".entry k(.param .b64 a[99999999999999999999]) {}", "where a number of elements should be"),
        (".entry k(.param .u16 .ptr a) {}", "a pointer that is no integer of 32 or 64 bits"),
        (".entry k(.param .u64 a) { } .entry k() { }", "column 36: a second entry of this name"),
        (".entry k(.param .u64 a); .entry k(.param .u32 a) { }", "takes something else than it was declared to"),
        (".entry k() .entry l() { }", "column 12: `.entry` where the entry's body should be"),
        (".entry k() { .entry l() { } }", "column 14: an `.entry` inside braces"),
        (".func f() { .entry l() { } }", "an `.entry` inside braces"),
        (".entry k() { ( }", "`}` that closes nothing"),
        (".entry k() { } }", "column 16: `}` that closes nothing"),
        (".entry k() { { }", "column 12: `{` that nothing closes"),
        (".global .b8 a[", "`[` that nothing closes"),
        (".version 7.8", "a second `.version`"),
        ("/*/", "column 1: a comment that nothing ends"),
        ("/* \0 */", "a zero byte"),
        ("// \0", "a comment that may end here or go on"),
        ("// a\r.entry k() {}", "column 5: a comment that may end here or go on"),
        ("// a \\\n.entry k() {}", "column 6: a comment that may end here or go on in the next line"),
        (".pragma \"a\\\"; .entry k() {} //\"", "column 12: a quote behind a backslash"),
        (".pragma \"a\n\";", "column 9: a string that its line does not end"),
        ("#define x .entry", "lines for a preprocessor are not read"),
        ("\u{a0}", "stands for nothing in PTX"),
        ("\0", "`\\0` stands for nothing in PTX"),
        ("\r", "stands for nothing in PTX"),
        (&format!(".entry k(.param .{} a) {{ }}", "x".repeat(1000)), "…` is no type"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    let bare = |text: &str| scan(text).unwrap_err().to_string();
    assert_eq!(bare(""), "line 1, column 1: the text ends, and has had no `.version`");
    assert!(bare(".version 7.8").contains("has had no `.target`"));
    assert!(bare(".target sm_90\n.entry k() {}\n.version 7.8").contains("in front of `.version` and `.target`"));
    assert!(bare(".version 1.3\n.target sm_10").contains("before 1.4"));
    for version in ["7", "7.", ".8", "+7.8", "7.8.1", "seven"] {
        assert!(bare(&format!(".version {version} .target sm_90")).contains("a version such as 7.8"), "{version}");
    }
}

/// The time is proportional to the text's.
#[test]
fn a_long_text_takes_no_longer() {
    let many = |what: &str| what.repeat((1 << 20) / what.len());
    for text in [
        format!(".entry k({}.param .b8 a) {{ }}", many(".param .b8 a,").as_str()),
        many(".entry k(.param .u32 a); "),
        many("{ } "),
        "{".repeat(1 << 20),
        format!("\"{}", "\\".repeat(1 << 20)),
        "/".repeat(1 << 20),
    ] {
        let start = std::time::Instant::now();
        let _ = read(&text);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}
