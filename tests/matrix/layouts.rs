//! The layouts of fragments, against the manual's formulas.

use std::collections::HashSet;

use ptxf::matrix::{Fragment, Instruction, Place};

/// The row and the column of element i of a lane with g = lane / 4 and t = lane % 4.
type Formula = fn(usize, usize, usize) -> [usize; 2];

#[track_caller]
fn compare(what: &str, fragment: Fragment, elements: usize, formula: Formula) {
    let each = fragment.register_bits() / fragment.element_bits();
    assert_eq!(fragment.registers() * each, elements, "{what}");
    for (lane, i) in (0..32).flat_map(|lane| (0..elements).map(move |i| (lane, i))) {
        let Place { row, column, .. } = fragment.layout().place(lane, i);
        assert_eq!([row, column], formula(lane >> 2, lane & 3, i), "{what}, lane {lane}, element {i}");
    }
}

#[test]
fn mma_has_the_layouts_of_the_manual() {
    let accumulator: Formula = |g, t, i| [g + 8 * (i / 2), 2 * t + i % 2];
    let table: [(&str, usize, Formula, usize, Formula); 12] = [
        (
            "m16n8k16.row.col.f32.f16.f16.f32",
            8,
            |g, t, i| [if [0, 1, 4, 5].contains(&i) { g } else { g + 8 }, 2 * t + (i & 1) + if i >= 4 { 8 } else { 0 }],
            4,
            |g, t, i| [2 * t + (i & 1) + if i >= 2 { 8 } else { 0 }, g],
        ),
        (
            "m16n8k8.row.col.f32.bf16.bf16.f32",
            4,
            |g, t, i| [if i < 2 { g } else { g + 8 }, 2 * t + (i & 1)],
            2,
            |g, t, i| [2 * t + i, g],
        ),
        (
            "m16n8k8.row.col.f32.tf32.tf32.f32",
            4,
            |g, t, i| [[g, t], [g + 8, t], [g, t + 4], [g + 8, t + 4]][i],
            2,
            |g, t, i| [t + 4 * i, g],
        ),
        ("m16n8k4.row.col.f32.tf32.tf32.f32", 2, |g, t, i| [g + 8 * i, t], 1, |g, t, _| [t, g]),
        (
            "m16n8k32.row.col.f32.e4m3.e4m3.f32",
            16,
            |g, t, i| {
                [if i < 4 || (8..12).contains(&i) { g } else { g + 8 }, 4 * t + (i & 3) + if i >= 8 { 16 } else { 0 }]
            },
            8,
            |g, t, i| [4 * t + (i & 3) + if i >= 4 { 16 } else { 0 }, g],
        ),
        (
            "m16n8k16.row.col.s32.s8.u8.s32",
            8,
            |g, t, i| [if i < 4 { g } else { g + 8 }, 4 * t + (i & 3)],
            4,
            |g, t, i| [4 * t + i, g],
        ),
        (
            "m16n8k64.row.col.s32.s4.s4.s32",
            32,
            |g, t, i| {
                [if i < 8 || (16..24).contains(&i) { g } else { g + 8 }, 8 * t + (i & 7) + if i >= 16 { 32 } else { 0 }]
            },
            16,
            |g, t, i| [8 * t + (i & 7) + if i >= 8 { 32 } else { 0 }, g],
        ),
        (
            "m16n8k32.row.col.s32.u4.s4.s32",
            16,
            |g, t, i| [if i < 8 { g } else { g + 8 }, 8 * t + (i & 7)],
            8,
            |g, t, i| [8 * t + i, g],
        ),
        (
            "m16n8k128.row.col.s32.b1.b1.s32.xor.popc",
            64,
            |g, t, i| [if i < 32 { g } else { g + 8 }, 32 * t + (i & 31)],
            32,
            |g, t, i| [32 * t + i, g],
        ),
        ("m16n8k4.row.col.f64.f64.f64.f64", 2, |g, t, i| [g + 8 * i, t], 1, |g, t, _| [t, g]),
        (
            "m16n8k8.row.col.f64.f64.f64.f64",
            4,
            |g, t, i| [g + 8 * (i & 1), t + if i >= 2 { 4 } else { 0 }],
            2,
            |g, t, i| [t + 4 * i, g],
        ),
        (
            "m16n8k16.row.col.f64.f64.f64.f64",
            8,
            |g, t, i| [g + 8 * (i & 1), t + 4 * (i >> 1)],
            4,
            |g, t, i| [t + 4 * i, g],
        ),
    ];
    for (words, of_a, a, of_b, b) in table {
        let mma = Instruction::parse(&format!("mma.sync.aligned.{words}")).unwrap();
        compare(words, mma.a(), of_a, a);
        compare(words, mma.b(), of_b, b);
        compare(words, mma.c(), 4, accumulator);
        compare(words, mma.d(), 4, accumulator);
    }
    let short: [(&str, usize, Formula, Formula); 4] = [
        ("m8n8k4.row.col.f64.f64.f64.f64", 1, |g, t, _| [g, t], |g, t, _| [t, g]),
        ("m8n8k16.row.col.s32.s8.s8.s32", 4, |g, t, i| [g, 4 * t + i], |g, t, i| [4 * t + i, g]),
        ("m8n8k32.row.col.s32.s4.s4.s32", 8, |g, t, i| [g, 8 * t + i], |g, t, i| [8 * t + i, g]),
        ("m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 32, |g, t, i| [g, 32 * t + i], |g, t, i| [32 * t + i, g]),
    ];
    for (words, elements, a, b) in short {
        let mma = Instruction::parse(&format!("mma.sync.aligned.{words}")).unwrap();
        compare(words, mma.a(), elements, a);
        compare(words, mma.b(), elements, b);
        compare(words, mma.c(), 2, |g, t, i| [g, 2 * t + i]);
    }
}

#[test]
fn volta_has_four_products() {
    let of =
        |order: &str, c: &str| Instruction::parse(&format!("mma.sync.aligned.m8n8k4.{order}.{c}.f16.f16.{c}")).unwrap();
    let every = |fragment: Fragment, elements: usize, formula: &dyn Fn(usize, usize, usize) -> [usize; 2]| {
        for (lane, i) in (0..32).flat_map(|lane| (0..elements).map(move |i| (lane, i))) {
            let [row, column] = formula(lane, if lane >= 16 { 4 } else { 0 }, i);
            let matrix = lane % 16 / 4;
            assert_eq!(fragment.layout().place(lane, i), Place { row, column, matrix }, "lane {lane}, element {i}");
        }
    };
    let (plain, other) = (of("row.col", "f32"), of("col.row", "f16"));
    every(plain.a(), 4, &|lane, high, i| [lane % 4 + high, i]);
    every(other.a(), 4, &|lane, high, i| [i + high, lane % 4]);
    every(plain.b(), 4, &|lane, high, i| [i, lane % 4 + high]);
    every(other.b(), 4, &|lane, high, i| [lane % 4, i + high]);
    every(plain.c(), 8, &|lane, high, i| [(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)]);
    every(other.c(), 8, &|lane, high, i| [lane % 4 + high, i]);
}

#[test]
fn wgmma_has_the_layouts_of_the_manual() {
    for n in (8..=256).step_by(8) {
        let text = format!("wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16");
        compare(&text, Instruction::parse(&text).unwrap().d(), n / 2, |g, t, i| {
            [g + 8 * (i >> 1 & 1), 8 * (i >> 2) + 2 * t + (i & 1)]
        });
    }
}

#[test]
fn ldmatrix_has_the_layouts_of_the_manual() {
    for (lane, register, half) in (0..32).flat_map(|lane| (0..8).map(move |i| (lane, i / 2, i % 2))) {
        let [g, column] = [lane / 4, 2 * (lane % 4) + half];
        let place =
            |transposed| Fragment::of_ldmatrix("m8n8", transposed).unwrap().layout().place(lane, 2 * register + half);
        assert_eq!(place(false), Place { row: g, column, matrix: register });
        assert_eq!(place(true), Place { row: column, column: g, matrix: register });
    }
}

/// The manual: "each thread loads 4 consecutive columns", of the transposed matrix for `m16n16`
/// "across 2 rows", which are those of the first and the second register. What `stmatrix` stores
/// are results of `mma`, four elements of C in 8 bits.
#[test]
fn bytes_of_ldmatrix_and_stmatrix_have_the_layouts_of_the_manual() {
    for (lane, register, i) in (0..32).flat_map(|lane| (0..16).map(move |i| (lane, i / 4, i % 4))) {
        let [g, t] = [lane / 4, lane % 4];
        let place = |shape| {
            let transposed = shape != "m8n16";
            Fragment::of_ldmatrix(shape, transposed).unwrap().layout().place(lane, 4 * register + i)
        };
        assert_eq!(place("m8n16"), Place { row: g, column: 4 * t + i, matrix: register });
        // Row and column of a transposed matrix are exchanged in memory.
        let (matrix, lower) = (register / 2, register % 2);
        assert_eq!(place("m16n16"), Place { row: 4 * t + i, column: g + 8 * lower, matrix });
        assert_eq!(place("m16n8"), Place { row: 2 * t + i % 2, column: g + 8 * (i / 2), matrix: register });
    }
}

/// Returns all spellings of a form, with a few shapes of `wgmma`.
pub(crate) fn spellings(form: &str) -> Vec<String> {
    form.split(' ').skip(2).fold(vec![String::new()], |all, word| {
        let (optional, words) = word.strip_prefix('?').map_or((false, word), |word| (true, word));
        let mut next = if optional { all.clone() } else { vec![] };
        for word in words.split('|').flat_map(|word| {
            if word.contains(['*', '%']) {
                ["8", "96", "256"].map(|n| word.replace(['*', '%'], n)).to_vec()
            } else {
                vec![word.to_owned()]
            }
        }) {
            next.extend(
                all.iter().map(|start| if start.is_empty() { word.clone() } else { format!("{start}.{word}") }),
            );
        }
        next
    })
}

#[test]
fn every_fragment_has_each_element_in_the_same_number_of_places() {
    let mut count = 0;
    for text in Instruction::forms().flat_map(spellings) {
        count += 1;
        let mma = Instruction::parse(&text).unwrap();
        let b = (mma.b().registers() != 0).then(|| mma.b());
        for fragment in [mma.a(), mma.c(), mma.d()].into_iter().chain(b).chain(mma.metadata()) {
            let elements = fragment.registers() * fragment.register_bits() / fragment.element_bits();
            let size = fragment.rows() * fragment.columns() * fragment.matrices();
            let mut seen = HashSet::new();
            for (lane, i) in (0..32).flat_map(|lane| (0..elements).map(move |i| (lane, i))) {
                let place = fragment.layout().place(lane, i);
                assert!(place.row < fragment.rows() && place.column < fragment.columns(), "{text}: {place:?}");
                assert!(place.matrix < fragment.matrices(), "{text}: {place:?}");
                if fragment.layout().find(place) == (lane, i) {
                    seen.insert((place.row, place.column, place.matrix));
                }
            }
            // The metadata of other selectors are in registers that this instruction does not read.
            assert_eq!(seen.len(), size, "{text}: {fragment:?}");
            assert!(32 * elements % size == 0, "{text}");
        }
    }
    assert_eq!(count, 729);
}

#[test]
fn a_wrong_word_is_named() {
    for (text, message) in [
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
            "`bf16` cannot follow `mma.sync.aligned.m16n8k16.row.col.f32.f16`: write `f16`",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col",
            "`mma.sync.aligned.m16n8k16.row.col` is not complete: write `f32`, `f16`, `rn`, `rz`, `rm`, `rp`, `f64`, `satfinite`, `s32`",
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n260k16.f32.f16.f16",
            "`m64n260k16` cannot follow `wgmma.mma_async.sync.aligned`: write `m64n*k16`, `m64n*k8`, `m64n*k32`, `m64n%k32`, `m64n%k256`",
        ),
        ("fma.rn.f32", "no matrix instruction begins with `fma`: write `mma`, `wmma`, `wgmma`"),
        (
            "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32.popc",
            "`popc` cannot follow `mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32`: leave it out",
        ),
    ] {
        assert_eq!(Instruction::parse(text).unwrap_err().to_string(), message);
    }
}

/// CUTLASS writes the first two.
#[test]
fn modifiers_may_stand_anywhere() {
    let shape = |text| Instruction::parse(text).map(|mma| (mma.shape(), mma.metadata().is_some()));
    let mxf8 = "mma.sync.aligned.kind::mxf8f6f4.sp::ordered_metadata.block_scale.scale_vec::1X.m16n8k64.row.col.f32.e2m1.e5m2.f32.ue8m0";
    assert_eq!(shape(mxf8), Ok(([16, 8, 64], true)));
    let s4 = "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32.satfinite";
    assert_eq!(shape(s4), Ok(([16, 8, 128], true)));
    assert_eq!(shape("mma.row.col.m16n8k16.sync.aligned.f32.f16.f16.f32"), Ok(([16, 8, 16], false)));
    for wrong in [
        "mma.sync.aligned.f32.m16n8k16.col.row.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.f16.row.col.f32.f16.f32",
        "mma.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.sync.m16n8k16.row.col.f32.f16.f16.f32",
        "sync.mma.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e4m3.f32.satfinite",
    ] {
        assert!(shape(wrong).is_err(), "{wrong}");
    }
}
