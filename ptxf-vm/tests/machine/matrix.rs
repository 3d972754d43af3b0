//! Instructions on fragments of matrices, which a whole warp executes.

use ptxf_vm::{Arg, Check, FaultKind, Machine, Module, ReportKind};

use crate::support::{OWN_WORD, entry, module, run_with};

const SHARED: &str = ".shared .align 16 .b8 s[1024];";

/// Statements that set `%r2` to the shared address of the row with the thread's number.
const OWN_ROW: &str = "mov.u32 %r2, s;\nmad.lo.u32 %r2, %r1, 16, %r2;\n";

/// Fills shared memory with the numbers of its elements, and runs statements that set `%r4` to
/// `%r7`. Returns these registers of each lane.
fn loaded(body: &str) -> Vec<[u32; 4]> {
    let body = format!(
        "{OWN_WORD}{OWN_ROW}mov.u32 %r9, s;
        mad.lo.u32 %r9, %r1, 32, %r9;
        mov.u32 %r8, 0;
        mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
        shl.b32 %r10, %r1, 4;
        next: cvt.u16.u32 %h1, %r10;
        st.shared.u16 [%r9], %h1;
        add.u32 %r9, %r9, 2; add.u32 %r10, %r10, 1; add.u32 %r8, %r8, 1;
        setp.lt.u32 %p1, %r8, 16;
        @%p1 bra next;
        bar.sync 0;
        {body}
        mad.lo.u32 %r8, %r1, 16, 0;
        cvt.u64.u32 %rd3, %r8;
        add.s64 %rd3, %rd1, %rd3;
        st.global.v4.u32 [%rd3], {{%r4, %r5, %r6, %r7}};"
    );
    let out = run_with(SHARED, &body, 32, &[0; 128]).unwrap_or_else(|e| panic!("{e}\n{body}"));
    out.chunks_exact(4).map(|lane| [lane[0], lane[1], lane[2], lane[3]]).collect()
}

/// Returns the fragment of matrix `i`, whose rows have the numbers `8 * i..` and eight elements
/// each.
fn fragment(lane: u32, i: u32, transposed: bool) -> u32 {
    let element = |row: u32, column: u32| 8 * (8 * i + row) + column;
    let (g, t) = (lane / 4, lane % 4);
    let [low, high] = if transposed {
        [element(2 * t, g), element(2 * t + 1, g)]
    } else {
        [element(g, 2 * t), element(g, 2 * t + 1)]
    };
    low | high << 16
}

#[test]
fn ldmatrix_distributes_rows_over_the_lanes() {
    for (spelled, to, count, transposed) in [
        ("x1.shared", "%r4", 1, false),
        ("x1", "{%r4}", 1, false),
        ("x2.trans.shared::cta", "{%r4, %r5}", 2, true),
        ("x4.shared", "{%r4, %r5, %r6, %r7}", 4, false),
        ("x4.trans.shared", "{%r4, %r5, %r6, %r7}", 4, true),
    ] {
        // Without a state space the address is generic. Lanes without a row may have any address.
        let (generic, at) = if spelled.contains("shared") {
            (format!("setp.ge.u32 %p2, %r1, {};\n@%p2 mov.u32 %r2, 77777;", 8 * count), "%r2")
        } else {
            ("cvt.u64.u32 %rd3, %r2;\ncvta.shared.u64 %rd3, %rd3;".to_owned(), "%rd3")
        };
        let lanes = loaded(&format!("{generic}\nldmatrix.sync.aligned.m8n8.{spelled}.b16 {to}, [{at}];"));
        for (lane, found) in (0..).zip(lanes) {
            let expected = [0, 1, 2, 3].map(|i| if i < count { fragment(lane, i, transposed) } else { 0 });
            assert_eq!(found, expected, "{spelled}, lane {lane}");
        }
    }
}

#[test]
fn ldmatrix_of_bytes_transposes_and_unpacks() {
    // Memory has the numbers of its half words, so the byte at 2n + h is byte h of n.
    let byte = |at: u32| (at / 2) >> (8 * (at % 2)) & 0xff;
    // Element i of a row at an address, of 8, 6 or 4 bits.
    let element = |row: u32, bits: u32, i: u32| {
        let at = |j: u32| byte(row + j);
        match bits {
            8 => at(i),
            4 => at(i / 2) >> (4 * (i % 2)) & 0xf,
            _ => (at(6 * i / 8) | at(6 * i / 8 + 1) << 8) >> (6 * i % 8) & 0x3f,
        }
    };
    for (shape, matrices, format, bits) in [
        ("m16n16", 1, "trans.shared.b8", 8),
        ("m16n16", 2, "trans.shared.b8", 8),
        ("m16n16", 2, "trans.shared::cta.b8x16.b6x16_p32", 6),
        ("m16n16", 1, "trans.shared.b8x16.b4x16_p64", 4),
        ("m8n16", 1, "shared.b8x16.b4x16_p64", 4),
        ("m8n16", 2, "shared.b8x16.b6x16_p32", 6),
        ("m8n16", 4, "shared.b8x16.b6x16_p32", 6),
    ] {
        let transposed = shape == "m16n16";
        let count = if transposed { 2 * matrices } else { matrices };
        let to = ["%r4", "%r4, %r5", "", "%r4, %r5, %r6, %r7"][count as usize - 1];
        let text = format!(
            "setp.ge.u32 %p2, %r1, {};\n@%p2 mov.u32 %r2, 77777;
            ldmatrix.sync.aligned.{shape}.x{matrices}.{format} {{{to}}}, [%r2];",
            8 * count
        );
        for (lane, found) in (0..).zip(loaded(&text)) {
            let (g, t) = (lane / 4, lane % 4);
            let expected = [0, 1, 2, 3].map(|register| {
                if register >= count {
                    return 0;
                }
                // Four elements of row g, or of a column whose number is g or g + 8.
                let of = |i: u32| {
                    if transposed {
                        element(16 * (16 * (register / 2) + 4 * t + i), bits, g + 8 * (register % 2))
                    } else {
                        element(16 * (8 * register + g), bits, 4 * t + i)
                    }
                };
                (0..4).fold(0, |word, i| word | of(i) << (8 * i))
            });
            assert_eq!(found, expected, "{shape} x{matrices} {format}, lane {lane}");
        }
    }
}

#[test]
fn stmatrix_of_bytes_stores_columns_of_results() {
    for (matrices, of) in [(1, "{%r4}"), (2, "{%r4, %r5}"), (4, "{%r4, %r5, %r6, %r7}")] {
        // Byte i of register r of a lane has the lane, the register and i.
        let lanes = loaded(&format!(
            "mad.lo.u32 %r8, %r1, 0x01010101, 0;
            shl.b32 %r8, %r8, 3;
            add.u32 %r4, %r8, 0x06040200; add.u32 %r5, %r8, 0x07050301; xor.b32 %r6, %r4, -1; xor.b32 %r7, %r5, -1;
            stmatrix.sync.aligned.m16n8.x{matrices}.trans.shared.b8 [%r2], {of};
            bar.warp.sync -1;
            ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%r2];"
        ));
        for (lane, found) in (0..8 * matrices).zip(lanes) {
            // Row `column` of memory has that column of a result of 16 rows, as `mma` returns it.
            let (matrix, column) = (lane / 8, lane % 8);
            let stored: Vec<u32> = (0..16)
                .map(|row| {
                    let (owner, i) = (row % 8 * 4 + column / 2, row / 8 * 2 + column % 2);
                    let value = owner << 3 | i << 1 | matrix & 1;
                    if matrix < 2 { value } else { !value & 0xff }
                })
                .collect();
            let bytes: Vec<u32> = found.iter().flat_map(|word| word.to_le_bytes()).map(u32::from).collect();
            assert_eq!(bytes, stored, "x{matrices}, row {lane}");
        }
    }
}

#[test]
fn stmatrix_and_movmatrix_are_inverses() {
    // What `ldmatrix` loads, `stmatrix` stores, transposed or not, at the other end of memory.
    for (load, store, transposed) in
        [("", "", false), (".trans", "", true), ("", ".trans", true), (".trans", ".trans", false)]
    {
        let lanes = loaded(&format!(
            "ldmatrix.sync.aligned.m8n8.x2{load}.shared.b16 {{%r4, %r5}}, [%r2];
            stmatrix.sync.aligned.m8n8.x2{store}.shared.b16 [%r2+512], {{%r4, %r5}};
            bar.warp.sync -1;
            ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%r2+512];"
        ));
        for (lane, found) in (0..16).zip(lanes) {
            let row = [0, 1, 2, 3].map(|pair| {
                let [low, high] = [0, 1].map(|half| {
                    let (matrix, row, column) = (lane / 8, lane % 8, 2 * pair + half);
                    8 * (8 * matrix) + if transposed { 8 * column + row } else { 8 * row + column }
                });
                low | high << 16
            });
            assert_eq!(found, row, "{load} {store} lane {lane}");
        }
    }
    let lanes =
        loaded("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r4, [%r2];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r5, %r4;");
    (0..).zip(lanes).for_each(|(lane, found)| assert_eq!(found[1], fragment(lane, 0, true), "lane {lane}"));
}

#[test]
fn all_lanes_have_to_come() {
    let load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r4, [%r2];";
    let fault = |body: &str, threads| {
        run_with(SHARED, &format!("{OWN_WORD}{OWN_ROW}setp.lt.u32 %p1, %r1, 7;\n{body}"), threads, &[0; 64])
            .unwrap_err()
    };
    for (body, threads, what) in [
        (format!("@%p1 {load}"), 32, "and the guard of lane 7 is false"),
        (format!("@%p1 exit;\n{load}"), 32, "and lane 0 has exited"),
        (load.to_owned(), 40, "and warp 1 has 8 threads: launch blocks of a multiple of 32"),
        (format!("@%p1 bra on;\n{load}\non: bar.sync 0;"), 32, "wait for each other without end: "),
    ] {
        let fault = fault(&body, threads);
        assert!(fault.what().contains(what), "{fault}");
        assert!(fault.instruction().is_some_and(|text| body.contains(text)), "{fault}");
    }
    // Lanes that come on two paths wait for each other.
    let both = loaded(&format!("setp.lt.u32 %p1, %r1, 7;\n@%p1 bra on;\nadd.u32 %r8, %r8, 1;\non: {load}"));
    (0..).zip(both).for_each(|(lane, found)| assert_eq!(found[0], fragment(lane, 0, false)));
}

#[test]
fn a_wrong_row_is_a_fault_of_its_lane() {
    let fault = |body: &str| run_with(SHARED, &format!("{OWN_WORD}{OWN_ROW}{body}"), 32, &[0; 4]).unwrap_err();
    for (body, kind, what) in [
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r4, [%r2+8];", FaultKind::Misaligned, "read of 16 bytes at 0x8"),
        (
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2+528];",
            FaultKind::OutOfBounds,
            "read of 16 bytes at 0x400, outside of 1024 bytes of shared memory",
        ),
        (
            "stmatrix.sync.aligned.m8n8.x1.b16 [%rd1], %r1;",
            FaultKind::OutOfBounds,
            "which is not an address of shared memory",
        ),
    ] {
        let fault = fault(body);
        assert!(fault.kind() == kind && fault.what().contains(what), "{body}: {fault}");
    }
    let error = |body: &str| {
        let text = module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", "", body)));
        Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err().to_string()
    };
    for (body, what) in [
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16 %r4, [s];", "2 elements are expected, and here are 1"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4, %r5}, [s];", "1 elements are expected, and here are 2"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %rd4, [s];", "`%rd4` has 64 bits where 32 are expected"),
        (
            "ldmatrix.sync.aligned.m8n8.x3.shared.b16 %r4, [s];",
            "supported for `ldmatrix`: .sync.aligned.m8n8.{x1 x2 x4}",
        ),
        ("ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r4, %r5}, [s];", "supported for `ldmatrix`"),
        ("ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r4, %r5, %r6, %r7}, [s];", "supported for `ldmatrix`"),
        ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 %r4, [s];", "2 elements are expected, and here are 1"),
        ("stmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 [s], %r4;", "supported for `stmatrix`"),
    ] {
        let error = error(body);
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn the_checks_see_the_rows() {
    let reports = |body: &str| {
        let body = format!("{OWN_WORD}{OWN_ROW}{body}").replace("%rd1", "0");
        let text = module("8.8", "sm_100", &format!("{SHARED}\n{}", entry("k", ".param .u64 x", &body)));
        let mut machine = Machine::new().check(Check::Race);
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap();
        let x = machine.buffer(&[0_u32; 32]);
        machine.launch(&entry, 1, 64, 0, &[Arg::from(x)]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        machine.reports().iter().map(|r| (r.kind(), r.count(), r.what().to_owned())).collect::<Vec<_>>()
    };
    let fill = "st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};\n";
    // The second warp reads the rows that the first one wrote.
    let first = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r4, [%r3];\n";
    let rows = "and.b32 %r3, %r1, 7;\nmad.lo.u32 %r3, %r3, 16, s;\n";
    assert_eq!(reports(&format!("{fill}{rows}bar.sync 0;\n{first}")), []);
    let found = reports(&format!("{fill}{rows}{first}"));
    assert!(found.len() == 1 && found[0].0 == ReportKind::Race && found[0].1 == 8, "{found:?}");
    assert!(found[0].2.starts_with("read of 16 bytes at 0x"), "{found:?}");
    let found = reports(&format!("{rows}{first}"));
    assert!(found.len() == 1 && (found[0].0, found[0].1) == (ReportKind::UndefinedMemory, 16), "{found:?}");
    let store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], %r1;\nbar.sync 0;\n";
    let found = reports(&format!("{rows}{store}{first}"));
    assert!(found.iter().all(|(kind, ..)| *kind == ReportKind::Race), "the warps store to the same rows: {found:?}");
    assert!(!found.is_empty());
}
