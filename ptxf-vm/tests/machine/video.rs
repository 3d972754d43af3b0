//! Video instructions, `cvt.pack` and other rare instructions, against definitions on bytes.

use oracle::rng::Rng;
use ptxf_vm::{Arg, Machine, Module};

use crate::support::{OWN_WORD, entry, module, run};

/// Runs an instruction on the words of each thread. Returns its results.
fn computed(instruction: &str, target: &str, words: &[[u32; 3]]) -> Vec<u32> {
    let load: String = (0..3).map(|i| format!("ld.global.u32 %r{}, [%rd2+{}];\n", i + 2, 4 * i)).collect();
    let body = format!(
        "ld.param.u64 %rd1, [x];\nld.param.u64 %rd3, [y];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd2, %r1, 12, %rd1;\n\
         mad.wide.u32 %rd4, %r1, 4, %rd3;\n{load}mov.u32 %r9, %r4;\n{instruction}\nst.global.u32 [%rd4], %r9;"
    );
    let text = module("5.0", target, &entry("k", ".param .u64 x, .param .u64 y", &body));
    let mut machine = Machine::new();
    let program = machine.load(&Module::parse(&text).unwrap_or_else(|e| panic!("{e}"))).unwrap();
    let k = program.entry("k").unwrap_or_else(|e| panic!("{e}"));
    let (x, y) = (machine.buffer(words.as_flattened()), machine.buffer(&vec![0_u32; words.len()]));
    machine.launch(&k, 1, words.len() as u32, 0, &[Arg::from(x), Arg::from(y)]).unwrap_or_else(|e| panic!("{e}"));
    machine.values(y).unwrap()
}

fn words() -> Vec<[u32; 3]> {
    let mut rng = Rng::new(7);
    let edge = |r: u64| [0, 0xffff_ffff, 0x8000_7fff, 0x807f_01ff, 0x0102_0304][r as usize % 5];
    let mut word = || if rng.next().is_multiple_of(3) { edge(rng.next()) } else { rng.next() as u32 };
    (0..200).map(|_| [word(), word(), word()]).collect()
}

/// Returns part `i` of a word in parts of `bits` bits.
fn part(word: u32, i: usize, bits: usize, signed: bool) -> i64 {
    let x = i64::from(word) >> (i * bits) & ((1 << bits) - 1);
    if signed && x >> (bits - 1) != 0 { x - (1 << bits) } else { x }
}

fn clamped(x: i64, bits: usize, signed: bool) -> i64 {
    let (low, high) = if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    x.clamp(low, high)
}

#[test]
fn operations_on_halves_and_bytes() {
    type Of = fn(i64, i64) -> i64;
    let operations: [(&str, Of); 6] = [
        ("vadd", |a, b| a + b),
        ("vsub", |a, b| a - b),
        ("vabsdiff", |a, b| (a - b).abs()),
        ("vmin", Ord::min),
        ("vmax", Ord::max),
        // The mean, and a half is rounded away from zero.
        ("vavrg", |a, b| if a + b < 0 { -((-(a + b) + 1) / 2) } else { (a + b + 1) / 2 }),
    ];
    let words = words();
    for (name, of) in operations {
        for (count, bits) in [(2, 16), (4, 8)] {
            for (d, a, b) in [("u", "u", "u"), ("s", "s", "s"), ("s", "u", "s"), ("u", "s", "u")] {
                for (sat, add) in [(false, false), (true, false), (false, true)] {
                    let spelled = format!(
                        "{name}{count}.{d}32.{a}32.{b}32{}{}",
                        if sat { ".sat" } else { "" },
                        if add { ".add" } else { "" }
                    );
                    let found = computed(&format!("{spelled} %r9, %r2, %r3, %r4;"), "sm_50", &words);
                    for (&[x, y, c], found) in words.iter().zip(found) {
                        let lanes = (0..count).map(|i| {
                            let value = of(part(x, i, bits, a == "s"), part(y, i, bits, b == "s"));
                            if sat { clamped(value, bits, d == "s") } else { value }
                        });
                        let expected = if add {
                            lanes.fold(c, |sum, lane| sum.wrapping_add(lane as u32))
                        } else {
                            lanes.enumerate().fold(0, |all, (i, x)| all | (x as u32 & ((1 << bits) - 1)) << (i * bits))
                        };
                        assert_eq!(found, expected, "{spelled} {x:#x} {y:#x} {c:#x}");
                    }
                }
            }
        }
    }
}

#[test]
fn parts_are_chosen_and_merged() {
    let known = |instruction: &str, a: u32, b: u32, c: u32| computed(instruction, "sm_50", &[[a, b, c]])[0];
    let (a, b, c) = (0x1122_3344, 0x0102_0304, 0xaabb_ccdd);
    for (instruction, expected) in [
        // The mask keeps two bytes of c; the bytes of a come in the other order.
        ("vadd4.u32.u32.u32 %r9.b20, %r2.b0123, %r3.b7654, %r4;", 0xaa35_cc15),
        // Both operands from b.
        ("vsub4.u32.u32.u32 %r9, %r2.b4567, %r3.b7654, %r4;", 0x0301_fffd),
        ("vadd2.s32.s32.s32 %r9.h1, %r2.h00, %r3.h33, %r4;", 0x3446_ccdd),
        ("vset4.u32.u32.gt %r9, %r2.b3120, %r3, %r4;", 0x0101_0101),
        ("vset2.u32.u32.lt.add %r9, %r2, %r3, %r4;", 0xaabb_ccdd),
        ("vadd.u32.u32.u32 %r9, %r2.b1, %r3.h0;", 0x33 + 0x0304),
        ("vsub.s32.u32.u32.sat %r9.b2, %r2.b0, %r3.h1, %r4;", 0xaa80_ccdd),
        ("vmax.u32.u32.u32.add %r9, %r2.b3, %r3.b0, %r4;", 0xaabb_ccee),
        ("vmin.s32.s32.s32.max %r9, %r2, %r3, %r4;", 0x0102_0304),
        ("vabsdiff.u32.u32.u32 %r9, %r3, %r2;", 0x1020_3040),
        ("vshl.u32.u32.u32.clamp %r9, %r2, %r3.b3;", 0x2244_6688),
        ("vshr.s32.s32.u32.wrap %r9, %r4, %r3.b0;", 0xfaab_bccd),
        ("vset.u32.u32.ge %r9, %r2, %r3;", 1),
    ] {
        assert_eq!(known(instruction, a, b, c), expected, "{instruction} {:#x}", known(instruction, a, b, c));
    }
    assert_eq!(known("vabsdiff4.u32.u32.u32.add %r9, %r2, %r3, %r4;", 0x10ff_8001, 0x2001_8003, 0), 0x110);
    for (instruction, what) in [
        ("vadd4.u32.u32.u32 %r9, %r2.b8210, %r3, %r4;", "bytes are selected by `.b` and four digits"),
        ("vadd2.u32.u32.u32 %r9, %r2.b10, %r3, %r4;", "halves are selected by `.h` and two digits"),
        ("vadd.u32.u32.u32 %r9, %r2.b4, %r3;", "a part of a word is"),
        ("vadd4.u32.u32.u32 %r9, %r2, %r3;", "takes 4 operands, and has 3"),
        ("vmul4.u32.u32.u32 %r9, %r2, %r3, %r4;", "`vmul4` is not supported"),
    ] {
        let text = module("5.0", "sm_50", &entry("k", "", instruction));
        let program = Machine::new().load(&Module::parse(&text).unwrap()).unwrap();
        let error = program.entry("k").unwrap_err();
        assert!(error.what().contains(what), "{error}");
    }
}

#[test]
fn integers_are_packed_into_parts_of_a_word() {
    let words = words();
    for (name, bits, signed) in
        [("u16", 16, false), ("s16", 16, true), ("u8", 8, false), ("s8", 8, true), ("u4", 4, false), ("s2", 2, true)]
    {
        let (kind, rest) = if bits == 16 { ("", "") } else { (".b32", ", %r4") };
        let found = computed(&format!("cvt.pack.sat.{name}.s32{kind} %r9, %r2, %r3{rest};"), "sm_72", &words);
        for (&[a, b, c], found) in words.iter().zip(found) {
            let [a, b] = [a, b].map(|x| clamped(i64::from(x.cast_signed()), bits, signed) & ((1 << bits) - 1));
            let rest = if bits == 16 { 0 } else { i64::from(c) << (2 * bits) };
            assert_eq!(found, (rest | a << bits | b) as u32, "{name} {a:#x} {b:#x} {c:#x}");
        }
    }
}

#[test]
fn rare_instructions_on_bits_and_products() {
    let one = |body: &str| run(&format!("{OWN_WORD}{body}\nst.global.u32 [%rd2], %r9;"), 1, &[0]).unwrap()[0];
    for (body, expected) in [
        ("fns.b32 %r9, 0x00f0f0f0, 0, 3;", 6),
        ("fns.b32 %r9, 0x00f0f0f0, 31, -1;", 23),
        ("fns.b32 %r9, 0x00f0f0f0, 0, 13;", u32::MAX),
        ("fns.b32 %r9, 0x00f0f0f0, 5, 0;", 5),
        ("fns.b32 %r9, 0x00f0f0f0, 3, 0;", u32::MAX),
        ("fns.b32 %r9, 0x00f0f0f0, 22, -2;", 21),
        ("szext.wrap.s32 %r9, 0x80, 8;", 0xffff_ff80),
        ("szext.wrap.u32 %r9, 0x1ff, 8;", 0xff),
        ("szext.wrap.u32 %r9, 0x1ff, 32;", 0),
        ("szext.clamp.s32 %r9, 0x80000001, 40;", 0x8000_0001),
        ("lop3.or.b32 %r9|%p2, 0xf0, 0x1f, 0, 0xc0, %p1;\nselp.u32 %r8, 256, 0, %p2;\nor.b32 %r9, %r9, %r8;", 0x110),
        ("dp2a.lo.s32.s32 %r9, 0xffff0003, 0xfe02, 100;", 100 + 3 * 2 + 2),
        ("dp2a.hi.u32.u32 %r9, 0x00020003, 0x05040000, 1;", 1 + 3 * 4 + 2 * 5),
        ("lop3.and.b32 %r9|%p2, 1, 1, 0, 0xc0, %p1;\nselp.u32 %r9, 7, 8, %p2;", 8),
    ] {
        let body = format!("setp.ne.u32 %p1, 0, 0;\n{body}");
        assert_eq!(one(&body), expected, "{body}");
    }
}

#[test]
fn before_sm_70_lanes_need_no_mask() {
    let words = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]];
    assert_eq!(computed("shfl.down.b32 %r9, %r2, 1, 31;", "sm_60", &words)[..3], [2, 4, 8]);
    let ballot = "setp.gt.u32 %p1, %r2, 2;\nvote.ballot.b32 %r9, %p1;";
    assert_eq!(computed(ballot, "sm_60", &words), [0b1100; 4]);
    let all = "setp.gt.u32 %p1, %r2, 0;\nvote.all.pred %p2, %p1;\nselp.u32 %r9, 1, 0, %p2;";
    assert_eq!(computed(all, "sm_60", &words), [1; 4]);
}
