//! Candidates: every instruction with every combination of its modifiers and of types.
//!
//! The lists name more than the table has, such as `.2pi` for `tanh` and types that no assembler
//! knows, because a later PTX version may combine them.

use std::fmt;

/// A line to assemble.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) spelling: String,
    /// Destination and operands, `h1, f2, f3`.
    pub(super) operands: String,
    /// The number of values in the operands.
    pub(super) count: usize,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.spelling, self.operands)
    }
}

/// Registers of each width. Their names begin with the letter in the lists of types.
pub(super) const REGISTERS: &str = ".reg .b8 b<9>; .reg .b16 h<9>; .reg .b32 r<9>; .reg .b64 l<9>; .reg .f32 f<9>; \
                                    .reg .f64 d<9>;";

/// A type and the letter of its register.
type Type = (&'static str, char);

/// Floats of one, two and four lanes.
const FLOATS: [&[Type]; 3] = [
    &[("f16", 'h'), ("bf16", 'h'), ("f32", 'f'), ("f64", 'd'), ("tf32", 'r'), ("e4m3", 'b'), ("e5m2", 'b')],
    &[
        ("f16x2", 'r'),
        ("bf16x2", 'r'),
        ("f32x2", 'l'),
        ("e4m3x2", 'h'),
        ("e5m2x2", 'h'),
        ("e2m3x2", 'h'),
        ("e3m2x2", 'h'),
        ("e2m1x2", 'b'),
        ("ue8m0x2", 'h'),
        ("s2f6x2", 'h'),
        ("ue5m3x2", 'h'),
        ("ue4m3x2", 'h'),
    ],
    &[
        ("e5m2x4", 'r'),
        ("e4m3x4", 'r'),
        ("e3m2x4", 'r'),
        ("e2m3x4", 'r'),
        ("e2m1x4", 'h'),
        ("e2m1p4x4", 'r'),
        ("ue8m0x4", 'r'),
        ("ue5m3x4", 'r'),
        ("s2f6x4", 'r'),
        ("f16x4", 'l'),
        ("bf16x4", 'l'),
    ],
];

const INTEGERS: &[Type] =
    &[("u8", 'b'), ("u16", 'h'), ("u32", 'r'), ("u64", 'l'), ("s8", 'b'), ("s16", 'h'), ("s32", 'r'), ("s64", 'l')];

const BITS: &[Type] = &[("b16", 'h'), ("b32", 'r'), ("b64", 'l')];

/// Groups of modifiers. A candidate has one of each group, or none.
type Groups<'a> = &'a [&'a [&'a str]];

const ROUNDINGS: &[&str] = &["rn", "rz", "rm", "rp"];
const COMPARISONS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "lo", "ls", "hi", "hs",
];
const OPERATORS: &[&str] = &["and", "or", "xor"];

/// Returns `true` for a name of a type.
pub(super) fn is_type(word: &str) -> bool {
    FLOATS.iter().copied().chain([INTEGERS, BITS]).flatten().any(|t| t.0 == word)
}

/// Returns all candidates, an instruction or two at a time.
pub(super) fn all() -> impl Iterator<Item = Vec<Candidate>> {
    let parts: [fn(&mut Vec<Candidate>); 6] = [arithmetic, mixed, elementary, minmax, comparisons, conversions];
    parts.into_iter().map(|part| {
        let mut candidates = Vec::new();
        part(&mut candidates);
        candidates
    })
}

/// Returns every combination, `.rn.sat`; among them the empty one.
fn combinations(groups: Groups<'_>) -> Vec<String> {
    groups.iter().fold(vec![String::new()], |all, group| {
        let with = |before: &String| group.iter().map(|m| format!("{before}.{m}")).collect::<Vec<_>>();
        all.iter().flat_map(|before| [vec![before.clone()], with(before)].concat()).collect()
    })
}

/// Appends a candidate for each combination. `registers` has the destination first.
fn push(to: &mut Vec<Candidate>, instruction: &str, modifiers: &[String], types: &[Type], registers: &[Type]) {
    let types: String = types.iter().flat_map(|t| [".", t.0]).collect();
    let names: Vec<_> = registers.iter().enumerate().map(|(i, t)| format!("{}{}", t.1, i + 1)).collect();
    let (operands, count) = (names.join(", "), names.len() - 1);
    to.extend(modifiers.iter().map(|m| Candidate {
        spelling: format!("{instruction}{m}{types}"),
        operands: operands.clone(),
        count,
    }));
}

fn floats() -> impl Iterator<Item = Type> {
    FLOATS.into_iter().flatten().copied()
}

/// `add`, `sub`, `mul`, `fma`, `mad` on one type.
fn arithmetic(to: &mut Vec<Candidate>) {
    let modifiers = combinations(&[ROUNDINGS, &["ftz", "oob"], &["sat", "relu"], &["satfinite"], &["pzo"], &["noftz"]]);
    for t in floats() {
        for (instruction, operands) in [("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3)] {
            push(to, instruction, &modifiers, &[t], &vec![t; operands + 1]);
        }
    }
}

/// The same on two to four types with equally many lanes.
fn mixed(to: &mut Vec<Candidate>) {
    let modifiers = combinations(&[ROUNDINGS, &["ftz"], &["sat", "relu"], &["satfinite"]]);
    let fewer = combinations(&[ROUNDINGS, &["ftz"], &["satfinite"]]);
    for lanes in FLOATS {
        for &d in lanes {
            for &a in lanes {
                for instruction in ["add", "sub", "mul"] {
                    push(to, instruction, &modifiers, &[d, a], &[d, a, d]);
                }
                push(to, "fma", &modifiers, &[d, a], &[d, a, a, d]);
                for &b in lanes {
                    for instruction in ["add", "sub", "mul"] {
                        push(to, instruction, &modifiers, &[d, a, b], &[d, a, b]);
                    }
                    push(to, "fma", &modifiers, &[d, a, b], &[d, a, b, d]);
                    lanes.iter().for_each(|&c| push(to, "fma", &fewer, &[d, a, b, c], &[d, a, b, c]));
                }
            }
        }
    }
}

/// Quotients, roots, the elementary functions, signs and properties.
fn elementary(to: &mut Vec<Candidate>) {
    let modifiers = combinations(&[&["approx", "full"], ROUNDINGS, &["2pi", "pi"], &["ftz"], &["sat"]]);
    let signs = combinations(&[&["ftz"], &["sat", "relu", "NaN"]]);
    let properties = combinations(&[&["finite", "infinite", "number", "notanumber", "normal", "subnormal"]]);
    for t in floats() {
        push(to, "div", &modifiers, &[t], &[t; 3]);
        for instruction in ["rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"] {
            push(to, instruction, &modifiers, &[t], &[t; 2]);
        }
        ["abs", "neg"].iter().for_each(|instruction| push(to, instruction, &signs, &[t], &[t; 2]));
        push(to, "copysign", &[String::new()], &[t], &[t; 3]);
        push(to, "testp", &properties, &[t], &[("pred", 'p'), t]);
    }
}

/// `min` and `max` of two and of three operands.
fn minmax(to: &mut Vec<Candidate>) {
    let modifiers = combinations(&[&["ftz"], &["NaN"], &["xorsign"], &["abs"], &["relu", "sat"]]);
    for t in floats() {
        for instruction in ["min", "max"] {
            [3, 4].iter().for_each(|&n| push(to, instruction, &modifiers, &[t], &vec![t; n]));
        }
    }
}

/// `set`, `setp`, `selp`, `slct`, with a float among their types.
fn comparisons(to: &mut Vec<Candidate>) {
    let plain = combinations(&[COMPARISONS, &["ftz"]]);
    let combined = combinations(&[COMPARISONS, OPERATORS, &["ftz"]]);
    let combined: Vec<_> =
        combined.into_iter().filter(|m| OPERATORS.iter().any(|o| m.contains(&format!(".{o}")))).collect();
    let predicate = ("pred", 'p');
    let all: Vec<Type> = floats().chain(INTEGERS.iter().chain(BITS).copied()).collect();
    let is_float = |t: Type| floats().any(|f| f == t);
    for &d in &all {
        for &a in all.iter().filter(|a| is_float(d) || is_float(**a)) {
            push(to, "set", &plain, &[d, a], &[d, a, a]);
            push(to, "set", &combined, &[d, a], &[d, a, a, predicate]);
            push(to, "slct", &combinations(&[&["ftz"]]), &[d, a], &[d, d, d, a]);
        }
    }
    for t in floats() {
        // Pairs need both predicates.
        for result in ["p1|p8", "p1"] {
            let begin = to.len();
            push(to, "setp", &plain, &[t], &[predicate, t, t]);
            push(to, "setp", &combined, &[t], &[predicate, t, t, predicate]);
            to[begin..].iter_mut().for_each(|c| c.operands = c.operands.replacen("p1", result, 1));
        }
        push(to, "selp", &[String::new()], &[t], &[t, t, t, predicate]);
    }
}

/// `cvt` with a float among its types.
fn conversions(to: &mut Vec<Candidate>) {
    let roundings = [ROUNDINGS, &["rna", "rs", "rni", "rzi", "rmi", "rpi"]].concat();
    let scales = &["scaled::n1::ue8m0", "scaled::n2::ue8m0", "scaled::n4::ue8m0"];
    let modifiers = combinations(&[&roundings, &["ftz"], &["sat", "relu"], &["satfinite"], &["pzo"], scales]);
    let scalars: Vec<Type> = FLOATS[0].iter().chain(INTEGERS).copied().collect();
    for lanes in [&scalars[..], FLOATS[1], FLOATS[2]] {
        for &d in lanes {
            for &a in lanes.iter().filter(|a| !(INTEGERS.contains(a) && INTEGERS.contains(&d))) {
                convert(to, &modifiers, d, a, 1);
            }
            let several = [0, 2, 4][FLOATS.iter().position(|l| l.contains(&d)).unwrap_or_default()];
            scalars.iter().filter(|_| several > 0).for_each(|&a| convert(to, &modifiers, d, a, several));
        }
    }
}

/// Appends conversions of one operand, of two, or of a vector of four, with a scale or random bits.
fn convert(to: &mut Vec<Candidate>, modifiers: &[String], d: Type, a: Type, operands: usize) {
    let begin = to.len();
    push(to, "cvt", modifiers, &[d, a], &[&[d], &vec![a; operands][..]].concat());
    for candidate in &mut to[begin..] {
        if operands == 4 {
            let (d, rest) = candidate.operands.split_once(", ").expect("a destination comes first");
            candidate.operands = format!("{d}, {{{rest}}}");
        }
        for (modifier, register) in [(".rs", "r7"), ("::n1", "b8"), ("::n2", "h8"), ("::n4", "r8")] {
            if candidate.spelling.contains(modifier) {
                candidate.operands += &format!(", {register}");
                candidate.count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_the_table_is_a_candidate() {
        let candidates: std::collections::BTreeSet<_> = all().flatten().map(|c| super::super::key(&c)).collect();
        for spelling in ptxf::spec::spellings().filter(|s| s.form.until.is_none()) {
            assert!(candidates.contains(&super::super::of_table(&spelling)), "{spelling}");
        }
    }

    #[test]
    fn no_group_has_to_be_there() {
        assert_eq!(combinations(&[&["a", "b"], &["c"]]), ["", ".c", ".a", ".a.c", ".b", ".b.c"]);
    }
}
