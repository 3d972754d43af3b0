//! Integer instructions against plain definitions in 128 bits, one lane at a time.

use std::fmt::Write as _;

use oracle::rng::Rng;
use ptxf_vm::Arg;

use crate::support;

/// The number of sets of operands: two whole warps and a part of one.
const SETS: u32 = 80;

/// A type of an operand or a result: `u`, `s` or `b`, and its width.
#[derive(Clone, Copy, PartialEq)]
struct Ty(char, u32);

impl Ty {
    fn read(text: &str) -> Self {
        Self(text.chars().next().unwrap(), text[1..].parse().unwrap())
    }

    /// Returns the number that bits denote.
    fn value(self, bits: u64) -> i128 {
        let unsigned = i128::from(bits) & ((1 << self.1) - 1);
        if self.0 == 's' && unsigned >> (self.1 - 1) != 0 { unsigned - (1 << self.1) } else { unsigned }
    }

    /// Returns the lower bits of a number.
    fn bits(self, value: i128) -> u64 {
        (value & ((1 << self.1) - 1)) as u64
    }

    fn low(self) -> i128 {
        if self.0 == 's' { -(1 << (self.1 - 1)) } else { 0 }
    }

    fn high(self) -> i128 {
        if self.0 == 's' { (1 << (self.1 - 1)) - 1 } else { (1 << self.1) - 1 }
    }

    fn letters(self) -> &'static str {
        match self.1 {
            16 => "%h",
            32 => "%r",
            _ => "%rd",
        }
    }
}

type Definition = fn(&[i128], Ty) -> i128;

/// An instruction: its spelling, the types of its result and operands, and its definition.
struct Case {
    spelled: String,
    result: Ty,
    operands: Vec<Ty>,
    /// The type of the instruction, which gives a definition its width and sign.
    ty: Ty,
    definition: Definition,
}

fn case(spelled: &str, types: &str, definition: Definition) -> Case {
    let all: Vec<Ty> = types.split(' ').map(Ty::read).collect();
    let words: Vec<&str> = spelled.split('.').collect();
    let named = words.iter().rev().find(|w| w.len() > 1 && w[1..].parse::<u32>().is_ok() && "usb".contains(&w[..1]));
    Case {
        spelled: spelled.to_owned(),
        result: all[0],
        operands: all[1..].to_vec(),
        ty: Ty::read(named.unwrap()),
        definition,
    }
}

/// Adds a case for each of the types, which replace `T` in the list of types.
fn each(all: &mut Vec<Case>, spelled: &str, over: &str, types: &str, definition: Definition) {
    for ty in over.split(' ') {
        all.push(case(&format!("{spelled}.{ty}"), &types.replace('T', ty).replace('W', &wide(ty)), definition));
    }
}

fn wide(ty: &str) -> String {
    format!("{}{}", &ty[..1], 2 * ty[1..].parse::<u32>().unwrap())
}

fn low24(x: i128, ty: Ty) -> i128 {
    Ty(ty.0, 24).value(x as u64)
}

fn shifted(x: i128, n: i128, left: bool, ty: Ty) -> i128 {
    match (n >= i128::from(ty.1), left) {
        (true, true) => 0,
        (true, false) => {
            if x < 0 {
                -1
            } else {
                0
            }
        }
        (false, true) => x << n,
        (false, false) => x >> n,
    }
}

fn field(x: &[i128], ty: Ty) -> i128 {
    let (pos, len) = (x[1] & 255, x[2] & 255);
    let unsigned = Ty('b', ty.1).bits(x[0]);
    let bit = |i: i128| if i < i128::from(ty.1) { unsigned >> i & 1 } else { 0 };
    let highest = (pos + len - 1).min(i128::from(ty.1) - 1);
    let sign = if ty.0 == 'u' || len == 0 { 0 } else { bit(highest) };
    (0..i128::from(ty.1))
        .map(|i| {
            let one = if i < len && pos + i < i128::from(ty.1) { bit(pos + i) } else { sign };
            i128::from(one) << i
        })
        .sum()
}

fn inserted(x: &[i128], ty: Ty) -> i128 {
    let (pos, len) = (x[2] & 255, x[3] & 255);
    (0..i128::from(ty.1))
        .map(|i| {
            let from_a = i >= pos && i < pos + len;
            let bit = if from_a { x[0] >> (i - pos) & 1 } else { x[1] >> i & 1 };
            bit << i
        })
        .sum()
}

/// Chooses four of eight bytes.
fn chosen(x: &[i128], choose: impl Fn(i128) -> i128) -> i128 {
    let all = x[1] << 32 | x[0];
    (0..4)
        .map(|i| {
            let c = choose(i);
            let byte = all >> (8 * (c & 7)) & 255;
            let byte = if c & 8 == 0 {
                byte
            } else if byte >= 128 {
                255
            } else {
                0
            };
            byte << (8 * i)
        })
        .sum()
}

fn highest(x: i128, ty: Ty) -> i128 {
    let x = if x < 0 { -1 - x } else { x };
    (0..i128::from(ty.1)).rev().find(|i| x >> i & 1 == 1).unwrap_or(-1)
}

fn halves(x: &[i128], signed: bool, f: impl Fn(i128, i128) -> i128) -> i128 {
    let half = Ty(if signed { 's' } else { 'u' }, 16);
    let one = |i: i32| half.bits(f(half.value((x[0] >> i) as u64), half.value((x[1] >> i) as u64)));
    i128::from(one(0)) | i128::from(one(16)) << 16
}

fn dot(x: &[i128], a: char, b: char) -> i128 {
    let byte = |x: i128, i: i32, sign: char| Ty(sign, 8).value((x >> (8 * i)) as u64);
    (0..4).map(|i| byte(x[0], i, a) * byte(x[1], i, b)).sum::<i128>() + x[2]
}

#[expect(clippy::too_many_lines, reason = "a table of instructions, a line or a few for each")]
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let a = &mut all;
    let us = "u16 u32 u64 s16 s32 s64";
    let b = "b16 b32 b64";
    each(a, "add", us, "T T T", |x, _| x[0] + x[1]);
    each(a, "sub", us, "T T T", |x, _| x[0] - x[1]);
    each(a, "add.sat", "s32", "T T T", |x, t| (x[0] + x[1]).clamp(t.low(), t.high()));
    each(a, "sub.sat", "s32", "T T T", |x, t| (x[0] - x[1]).clamp(t.low(), t.high()));
    each(a, "mul.lo", us, "T T T", |x, _| x[0].wrapping_mul(x[1]));
    each(a, "mul.hi", "u16 u32 s16 s32 s64", "T T T", |x, t| (x[0] * x[1]) >> t.1);
    each(a, "mul.hi", "u64", "T T T", |x, _| ((x[0] as u128 * x[1] as u128) >> 64) as i128);
    each(a, "mul.wide", "u16 u32 s16 s32", "W T T", |x, _| x[0] * x[1]);
    each(a, "mad.lo", us, "T T T T", |x, _| x[0].wrapping_mul(x[1]).wrapping_add(x[2]));
    each(a, "mad.hi", "u16 u32 s16 s32 s64", "T T T T", |x, t| ((x[0] * x[1]) >> t.1) + x[2]);
    each(a, "mad.hi.sat", "s32", "T T T T", |x, t| (((x[0] * x[1]) >> 32) + x[2]).clamp(t.low(), t.high()));
    each(a, "mad.wide", "u16 u32 s16 s32", "W T T W", |x, _| x[0] * x[1] + x[2]);
    each(a, "mul24.lo", "u32 s32", "T T T", |x, t| low24(x[0], t) * low24(x[1], t));
    each(a, "mul24.hi", "u32 s32", "T T T", |x, t| (low24(x[0], t) * low24(x[1], t)) >> 16);
    each(a, "mad24.lo", "u32 s32", "T T T T", |x, t| low24(x[0], t) * low24(x[1], t) + x[2]);
    each(a, "mad24.hi", "u32 s32", "T T T T", |x, t| ((low24(x[0], t) * low24(x[1], t)) >> 16) + x[2]);
    each(a, "div", us, "T T T", |x, _| if x[1] == 0 { -1 } else { x[0] / x[1] });
    each(a, "rem", us, "T T T", |x, _| if x[1] == 0 { -1 } else { x[0] % x[1] });
    each(a, "min", us, "T T T", |x, _| x[0].min(x[1]));
    each(a, "max", us, "T T T", |x, _| x[0].max(x[1]));
    each(a, "min.relu", "s32", "T T T", |x, _| x[0].min(x[1]).max(0));
    each(a, "max.relu", "s32", "T T T", |x, _| x[0].max(x[1]).max(0));
    each(a, "neg", "s16 s32 s64", "T T", |x, _| -x[0]);
    each(a, "abs", "s16 s32 s64", "T T", |x, _| x[0].abs());
    each(a, "sad", us, "T T T T", |x, _| (x[0] - x[1]).abs() + x[2]);
    each(a, "and", b, "T T T", |x, _| x[0] & x[1]);
    each(a, "or", b, "T T T", |x, _| x[0] | x[1]);
    each(a, "xor", b, "T T T", |x, _| x[0] ^ x[1]);
    each(a, "not", b, "T T", |x, _| !x[0]);
    each(a, "cnot", b, "T T", |x, _| i128::from(x[0] == 0));
    each(a, "shl", b, "T T u32", |x, t| shifted(x[0], x[1], true, t));
    each(a, "shr", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "T T u32", |x, t| shifted(x[0], x[1], false, t));
    each(a, "shf.l.wrap", "b32", "T T T u32", |x, _| (x[1] << 32 | x[0]) << (x[2] % 32) >> 32);
    each(a, "shf.l.clamp", "b32", "T T T u32", |x, _| (x[1] << 32 | x[0]) << x[2].min(32) >> 32);
    each(a, "shf.r.wrap", "b32", "T T T u32", |x, _| (x[1] << 32 | x[0]) >> (x[2] % 32));
    each(a, "shf.r.clamp", "b32", "T T T u32", |x, _| (x[1] << 32 | x[0]) >> x[2].min(32));
    each(a, "popc", "b32 b64", "u32 T", |x, t| (0..t.1).map(|i| x[0] >> i & 1).sum());
    each(a, "clz", "b32 b64", "u32 T", |x, t| i128::from(t.1) - 1 - highest(x[0], t));
    each(a, "brev", "b32 b64", "T T", |x, t| (0..t.1).map(|i| (x[0] >> i & 1) << (t.1 - 1 - i)).sum());
    each(a, "bfind", "u32 u64 s32 s64", "u32 T", |x, t| highest(x[0], t));
    each(a, "bfind.shiftamt", "u32 u64 s32 s64", "u32 T", |x, t| match highest(x[0], t) {
        -1 => -1,
        place => i128::from(t.1) - 1 - place,
    });
    each(a, "bfe", "u32 u64 s32 s64", "T T u32 u32", field);
    each(a, "bfi", "b32 b64", "T T T u32 u32", inserted);
    each(a, "bmsk.clamp", "b32", "T u32 u32", |x, _| if x[0] >= 32 { 0 } else { ((1 << x[1].min(32)) - 1) << x[0] });
    each(a, "bmsk.wrap", "b32", "T u32 u32", |x, _| ((1 << (x[1] % 32)) - 1) << (x[0] % 32));
    a.push(case("prmt.b32", "b32 b32 b32 b32", |x, _| chosen(x, |i| x[2] >> (4 * i) & 15)));
    a.push(case("prmt.b32.f4e", "b32 b32 b32 b32", |x, _| chosen(x, |i| x[2] % 4 + i)));
    a.push(case("prmt.b32.b4e", "b32 b32 b32 b32", |x, _| chosen(x, |i| (8 + x[2] % 4 - i) % 8)));
    a.push(case("prmt.b32.rc8", "b32 b32 b32 b32", |x, _| chosen(x, |_| x[2] % 4)));
    a.push(case("prmt.b32.ecl", "b32 b32 b32 b32", |x, _| chosen(x, |i| if i < x[2] % 4 { x[2] % 4 } else { i })));
    a.push(case("prmt.b32.ecr", "b32 b32 b32 b32", |x, _| chosen(x, |i| if i > x[2] % 4 { x[2] % 4 } else { i })));
    a.push(case("prmt.b32.rc16", "b32 b32 b32 b32", |x, _| chosen(x, |i| x[2] % 2 * 2 + i % 2)));
    for (name, definition) in [
        ("add.u16x2", (|x, _| halves(x, false, |a, b| a + b)) as Definition),
        ("min.u16x2", |x, _| halves(x, false, i128::min)),
        ("max.u16x2", |x, _| halves(x, false, i128::max)),
        ("min.s16x2", |x, _| halves(x, true, i128::min)),
        ("max.s16x2", |x, _| halves(x, true, i128::max)),
        ("min.relu.s16x2", |x, _| halves(x, true, |a, b| a.min(b).max(0))),
        ("max.relu.s16x2", |x, _| halves(x, true, |a, b| a.max(b).max(0))),
    ] {
        let b32 = Ty('b', 32);
        a.push(Case { spelled: name.to_owned(), result: b32, operands: vec![b32; 2], ty: b32, definition });
    }
    for (name, definition) in [
        ("dp4a.u32.u32", (|x, _| dot(x, 'u', 'u')) as Definition),
        ("dp4a.u32.s32", |x, _| dot(x, 'u', 's')),
        ("dp4a.s32.u32", |x, _| dot(x, 's', 'u')),
        ("dp4a.s32.s32", |x, _| dot(x, 's', 's')),
    ] {
        a.push(case(name, "b32 b32 b32 b32", definition));
    }
    for ty in ["b16", "b32", "b64", "u16", "s32", "u64"] {
        a.push(case(
            &format!("slct.{ty}.s32"),
            &format!("{ty} {ty} {ty} s32"),
            |x, _| if x[2] >= 0 { x[0] } else { x[1] },
        ));
    }
    for to in ["u16", "u32", "u64", "s16", "s32", "s64"] {
        for from in ["u16", "u32", "u64", "s16", "s32", "s64"] {
            a.push(case(&format!("cvt.{to}.{from}"), &format!("{to} {from}"), |x, _| x[0]));
            let saturated: Definition = match to {
                "u16" => |x, _| x[0].clamp(0, Ty('u', 16).high()),
                "u32" => |x, _| x[0].clamp(0, Ty('u', 32).high()),
                "u64" => |x, _| x[0].clamp(0, Ty('u', 64).high()),
                "s16" => |x, _| x[0].clamp(Ty('s', 16).low(), Ty('s', 16).high()),
                "s32" => |x, _| x[0].clamp(Ty('s', 32).low(), Ty('s', 32).high()),
                _ => |x, _| x[0].clamp(Ty('s', 64).low(), Ty('s', 64).high()),
            };
            a.push(case(&format!("cvt.sat.{to}.{from}"), &format!("{to} {from}"), saturated));
        }
    }
    // Registers that are wider than the types: the lower bits count, and a result is extended by
    // its own sign.
    a.push(case("cvt.s32.s8", "s32 b32", |x, _| Ty('s', 8).value(x[0] as u64)));
    a.push(case("cvt.u32.u8", "u32 b32", |x, _| Ty('u', 8).value(x[0] as u64)));
    a.push(case("cvt.s8.s32", "s32 s32", |x, _| Ty('s', 8).value(x[0] as u64)));
    a.push(case("cvt.u8.u32", "u32 u32", |x, _| Ty('u', 8).value(x[0] as u64)));
    a.push(case("cvt.sat.s8.s32", "s32 s32", |x, _| x[0].clamp(-128, 127)));
    a.push(case("cvt.sat.u8.s32", "u32 s32", |x, _| x[0].clamp(0, 255)));
    a.push(case("cvt.s64.s16", "s64 b32", |x, _| Ty('s', 16).value(x[0] as u64)));
    all
}

/// Returns a value: an edge of the type, a small one, or any.
fn operand(ty: Ty, rng: &mut Rng) -> u64 {
    let any = rng.next();
    let bits = match rng.below(8) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (ty.1 - 1),
        4 => (1 << (ty.1 - 1)) - 1,
        5 => any % 70,
        _ => any,
    };
    ty.bits(i128::from(bits))
}

/// Returns a text that loads operands, runs instructions under a guard, and stores the result.
fn text(instructions: &str, result: Ty, operands: &[Ty]) -> String {
    let mut body = String::from(
        "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd1, %rd1, \
         %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n",
    );
    for (i, ty) in operands.iter().enumerate() {
        let _ = writeln!(body, "ld.global.b{} {}{}, [%rd2+{}];", ty.1, ty.letters(), 10 + i, i as u32 * SETS * 8);
    }
    // If the predicate is false, the old result stays. The guard is in the last column.
    let _ =
        writeln!(body, "ld.global.u32 %r30, [%rd2+{}];\nsetp.ne.u32 %p1, %r30, 0;", operands.len() as u32 * SETS * 8);
    let _ = writeln!(
        body,
        "ld.global.b{0} {1}9, [%rd1];\n{instructions}\nst.global.b{0} [%rd1], {1}9;",
        result.1,
        result.letters()
    );
    support::module("8.8", "sm_100", &support::entry("k", ".param .u64 out, .param .u64 in", &body))
}

/// Returns columns of operands, and the initial contents of the output.
fn columns(operands: &[Ty], rng: &mut Rng) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = operands.iter().map(|&ty| (0..SETS).map(|_| operand(ty, rng)).collect()).collect();
    all.push((0..SETS).map(|_| u64::from(rng.below(4) != 0)).collect());
    all
}

const BEFORE: u64 = 0x1234_5678_9abc_def0;

fn run(text: &str, columns: &[Vec<u64>], result: Ty) -> Vec<u64> {
    let (mut machine, entry) = support::load(text, "k");
    let values: Vec<u64> = columns.iter().flatten().copied().collect();
    let (input, output) = (machine.buffer(&values), machine.buffer(&vec![BEFORE; SETS as usize]));
    machine.launch(&entry, 1, SETS, 0, &[Arg::from(output), Arg::from(input)]).unwrap_or_else(|e| panic!("{e}"));
    machine.values::<u64>(output).unwrap().into_iter().map(|x| result.bits(x.into())).collect()
}

#[test]
fn each_instruction_computes_its_definition_in_the_lanes_of_its_guard() {
    let mut rng = Rng::from_env(0x766d_0010);
    let all = cases();
    assert!(all.len() > 220, "{}", all.len());
    for case in &all {
        let names: Vec<String> =
            case.operands.iter().enumerate().map(|(i, ty)| format!("{}{}", ty.letters(), 10 + i)).collect();
        let line = format!("@%p1 {} {}9, {};", case.spelled, case.result.letters(), names.join(", "));
        let columns = columns(&case.operands, &mut rng);
        let found = run(&text(&line, case.result, &case.operands), &columns, case.result);
        for (i, found) in found.into_iter().enumerate() {
            let x: Vec<i128> = case.operands.iter().zip(&columns).map(|(ty, column)| ty.value(column[i])).collect();
            let guard = columns.last().unwrap()[i] != 0;
            let expected =
                if guard { case.result.bits((case.definition)(&x, case.ty)) } else { case.result.bits(BEFORE.into()) };
            assert_eq!(found, expected, "{} of {x:x?}, guard {guard}", case.spelled);
        }
    }
}

#[test]
fn logic_of_three_inputs_is_what_its_table_says() {
    let mut rng = Rng::from_env(0x766d_0011);
    let ty = Ty('b', 32);
    for table in 0..256_u32 {
        let columns = columns(&[ty; 3], &mut rng);
        let line = format!("@%p1 lop3.b32 %r9, %r10, %r11, %r12, {table};");
        let found = run(&text(&line, ty, &[ty; 3]), &columns, ty);
        for (i, found) in found.into_iter().enumerate().filter(|(i, _)| columns[3][*i] != 0) {
            let bit = |column: usize, k: u32| columns[column][i] >> k & 1;
            let expected: u64 =
                (0..32).map(|k| u64::from(table >> (bit(0, k) << 2 | bit(1, k) << 1 | bit(2, k)) & 1) << k).sum();
            assert_eq!(found, expected, "{table:#x}");
        }
    }
}

#[test]
fn comparisons_of_integers_are_those_of_numbers() {
    let mut rng = Rng::from_env(0x766d_0012);
    let holds = |name: &str, a: i128, b: i128| match name {
        "eq" => a == b,
        "ne" => a != b,
        "lt" | "lo" => a < b,
        "le" | "ls" => a <= b,
        "gt" | "hi" => a > b,
        _ => a >= b,
    };
    for ty in ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64"] {
        let names: &[&str] = match &ty[..1] {
            "b" => &["eq", "ne"],
            "s" => &["eq", "ne", "lt", "le", "gt", "ge"],
            _ => &["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"],
        };
        let read = Ty::read(ty);
        for name in names {
            for by in ["", ".and", ".or", ".xor"] {
                let c = if by.is_empty() { "" } else { ", !%p3" };
                let (a, b) = (format!("{}10", read.letters()), format!("{}11", read.letters()));
                // Bits 0 and 1 are the predicates, and the bits from 2 on are the number.
                let lines = format!(
                    "setp.ne.u32 %p3, %r12, 0;\nsetp.{name}{by}.{ty} %p4|%p5, {a}, {b}{c};\nset.{name}{by}.u32.{ty} %r20, {a}, \
                     {b}{c};\nshl.b32 %r20, %r20, 2;\nselp.b32 %r21, 1, 0, %p4;\nselp.b32 %r22, 2, 0, %p5;\nor.b32 %r9, %r20, %r21;\nor.b32 \
                     %r9, %r9, %r22;"
                );
                let operands = [read, read, Ty('u', 32)];
                let mut columns = columns(&operands, &mut rng);
                // Equal operands are rare.
                for i in (0..SETS as usize).step_by(3) {
                    columns[1][i] = columns[0][i];
                }
                let found = run(&text(&lines, Ty('b', 32), &operands), &columns, Ty('b', 32));
                for (i, found) in found.into_iter().enumerate() {
                    let is = holds(name, read.value(columns[0][i]), read.value(columns[1][i]));
                    let c = columns[2][i] == 0;
                    let with = |x: bool| match by {
                        ".and" => x && c,
                        ".or" => x || c,
                        ".xor" => x != c,
                        _ => x,
                    };
                    let expected =
                        u64::from(with(is)) | u64::from(with(!is)) << 1 | if with(is) { 0xffff_fffc } else { 0 };
                    assert_eq!(found, expected, "{name}{by}.{ty}");
                }
            }
        }
    }
}

#[test]
fn carries_make_numbers_of_any_width() {
    let mut rng = Rng::from_env(0x766d_0013);
    for bits in [32, 64] {
        let ty = Ty('u', bits);
        let l = ty.letters();
        for (first, second, subtracts) in [("add.cc", "addc", false), ("sub.cc", "subc", true)] {
            // Two words and the carry of the upper one, which is stored as a third word.
            for word in 0..3 {
                let lines = format!(
                    "{first}.u{bits} {l}20, {l}10, {l}12;\n{second}.cc.u{bits} {l}21, {l}11, {l}13;\n{second}.u{bits} {l}22, 0, 0;\nmov.b{bits} {l}9, {l}2{word};"
                );
                let columns = columns(&[ty; 4], &mut rng);
                let found = run(&text(&lines, ty, &[ty; 4]), &columns, ty);
                for (i, found) in found.into_iter().enumerate() {
                    let x = |k: usize| u128::from(columns[k][i]);
                    let (a, b) = (x(0) | x(1) << bits, x(2) | x(3) << bits);
                    let (sum, over) = if subtracts { a.overflowing_sub(b) } else { a.overflowing_add(b) };
                    let over = if bits == 64 {
                        over
                    } else if subtracts {
                        a < b
                    } else {
                        sum >> 64 != 0
                    };
                    let third = u128::from(over);
                    let third = if subtracts { third.wrapping_neg() } else { third };
                    let expected = [sum, sum >> bits, third][word];
                    assert_eq!(found, ty.bits(expected as i128), "{first}.u{bits} word {word}");
                }
            }
        }
        // A product of two words: its upper word and the carry of the sum.
        let lines = format!(
            "mad.lo.cc.u{bits} {l}20, {l}10, {l}11, {l}12;\nmadc.hi.cc.u{bits} {l}21, {l}10, {l}11, {l}13;\naddc.u{bits} {l}22, 0, 0;\nxor.b{bits} {l}9, {l}20, {l}21;\nadd.u{bits} {l}9, {l}9, {l}22;"
        );
        let columns = columns(&[ty; 4], &mut rng);
        let found = run(&text(&lines, ty, &[ty; 4]), &columns, ty);
        for (i, found) in found.into_iter().enumerate() {
            let x = |k: usize| u128::from(columns[k][i]);
            let product = x(0) * x(1);
            let (sum, over) = product.overflowing_add(x(2) | x(3) << bits);
            let over = if bits == 64 { over } else { sum >> 64 != 0 };
            let expected = ((sum ^ sum >> bits) as u64 & ty.high() as u64).wrapping_add(over.into());
            assert_eq!(found, ty.bits(expected.into()), "mad.cc.u{bits}");
        }
    }
}

#[test]
fn predicates_have_logic_and_moves() {
    for (line, expected) in [
        ("and.pred %p3, %p1, %p2;", 0b1000),
        ("or.pred %p3, %p1, !%p2;", 0b1011),
        ("xor.pred %p3, %p1, %p2;", 0b0110),
        ("not.pred %p3, %p1;", 0b0101),
        ("mov.pred %p3, !%p2;", 0b0011),
        ("mov.pred %p3, 1;", 0b1111),
        ("mov.pred %p3, 0;", 0b0000),
        ("selp.pred %p3, %p1, %p2, %p1;", 0b1110),
    ] {
        let body = format!(
            "{}and.b32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r2, 0;\nand.b32 %r2, %r1, 2;\nsetp.ne.u32 %p2, %r2, 0;\n{line}\nselp.u32 %r3, 1, 0, \
             %p3;\nst.global.u32 [%rd2], %r3;",
            support::OWN_WORD
        );
        let found = support::run(&body, 4, &[9; 4]).unwrap();
        assert_eq!(found.iter().enumerate().map(|(i, x)| x << i).sum::<u32>(), expected, "{line}");
    }
}
