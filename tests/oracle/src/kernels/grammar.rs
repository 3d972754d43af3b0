//! Expressions of generated kernels: how the rules of `grammar.txt` are filled in.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Kernel, Type, Variable};

/// The rules of each name, with their frequencies.
static RULES: LazyLock<HashMap<&str, Vec<(u64, &str)>>> = LazyLock::new(|| {
    let mut rules = HashMap::<_, Vec<_>>::new();
    for line in include_str!("grammar.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().expect("a rule has a name, a frequency and a text");
        let (name, frequency) = (word(), word().parse().expect("a frequency is a number"));
        rules.entry(name).or_default().push((frequency, word()));
    }
    rules
});

pub(super) fn rules(name: &str) -> &'static [(u64, &'static str)] {
    RULES.get(name).map_or(&[], Vec::as_slice)
}

impl Type {
    /// Returns the letter of the type, which is a capital for uniform expressions.
    pub(super) const fn letter(self, uniform: bool) -> char {
        let letter = match self {
            Self::Float => 'f',
            Self::Kept => 'k',
            Self::Int => 'i',
            Self::Bool => 'b',
            Self::Index => 'x',
        };
        if uniform { letter.to_ascii_uppercase() } else { letter }
    }

    fn of_letter(letter: char) -> Option<Self> {
        let all = [Self::Float, Self::Kept, Self::Int, Self::Bool, Self::Index];
        all.into_iter().find(|ty| ty.letter(false) == letter.to_ascii_lowercase())
    }
}

/// A condition on a thread that exchanges elements with its neighbours.
const EDGE: &str = "$(t > 4,t & 1 == 0,t & 3 == 1,m > 2,n & 1 == 0 || t == 2)";

/// Returns a value for a type that has no variables.
const fn fallback(ty: Type, uniform: bool) -> &'static str {
    match (ty, uniform) {
        (Type::Float, false) => "a",
        (Type::Kept, false) => "z[t]",
        (Type::Int, false) => "i[t]",
        (Type::Bool, false) => "m > 2",
        (Type::Index, false) => "n - 1 - t",
        (Type::Float | Type::Kept, true) => "1.5",
        (Type::Int, true) => "7",
        (Type::Bool, true) => "m < 4",
        (Type::Index, true) => "2",
    }
}

impl Kernel {
    /// Returns an expression of a type, uniform over the block or any. One of depth 0 is simple.
    pub(super) fn of(&mut self, ty: Type, uniform: bool, depth: u32) -> String {
        self.node(ty.letter(uniform), |kernel| {
            let letter = ty.letter(uniform);
            let (simple, compound) = (rules(&letter.to_string()), rules(&format!("{letter}+")));
            // Simple operands of compound types would leave most expressions small.
            let first = if depth > 0 && !uniform && !matches!(ty, Type::Bool | Type::Index) { simple.len() } else { 0 };
            let rule = kernel.rule(first, &[simple, if depth > 0 { compound } else { &[] }].concat());
            kernel.fill(rule, ty, depth.saturating_sub(1))
        })
    }

    /// Chooses a rule; a random one is not among the `first`.
    pub(super) fn rule(&mut self, first: usize, rules: &[(u64, &'static str)]) -> &'static str {
        let at = self.tape.choose(rules.len(), |rng| {
            let mut left = rng.below(rules[first..].iter().map(|(frequency, _)| frequency).sum());
            let passed = rules[first..].iter().take_while(|(frequency, _)| {
                let passes = left >= *frequency;
                left = left.saturating_sub(*frequency);
                passes
            });
            first + passed.count()
        });
        rules[at].1
    }

    pub(super) fn any(&mut self, ty: Type, depth: u32) -> String {
        self.of(ty, false, depth)
    }

    /// Fills in a rule of a type whose expressions have this depth.
    pub(super) fn fill(&mut self, rule: &str, ty: Type, depth: u32) -> String {
        if let Some(name) = rule.strip_prefix('@') {
            return self.named(name, ty, depth);
        }
        let mut text = String::new();
        let mut rest = rule;
        while let Some((before, marked)) = rest.split_once('$') {
            text += before;
            let mark = marked.chars().next().expect("a mark is not the last character");
            rest = &marked[1..];
            text += &match mark {
                '(' => {
                    let end = closing(rest);
                    let texts: Vec<&str> = rest[..end].split(',').collect();
                    rest = &rest[end + 1..];
                    self.pick(&texts).to_owned()
                }
                '[' => {
                    let (range, after) = rest.split_once(']').expect("a range is closed");
                    rest = after;
                    let (low, high) = range.split_once("..").expect("a range has two ends");
                    let [low, high] = [low, high].map(|end| end.parse().expect("an end is a number"));
                    self.between(low, high).to_string()
                }
                'v' | 'V' => {
                    let uniform = mark == 'V';
                    let known = self.one_of(|v| v.ty == ty && (!uniform || v.uniform));
                    known.unwrap_or_else(|| fallback(ty, uniform).to_owned())
                }
                's' | 'S' => self.shared_element(ty, mark == 'S'),
                'q' => self.element(),
                'r' => {
                    let counters = self.counters.clone();
                    if counters.is_empty() { "m".to_owned() } else { self.pick(&counters) }
                }
                'c' => self.pick(&["<", "<=", ">", ">=", "==", "!="]).to_owned(),
                'o' => self.own()[0].to_owned(),
                'n' => self.own()[1].to_owned(),
                _ => {
                    let digit = rest.chars().next().and_then(|c| c.to_digit(10));
                    rest = &rest[usize::from(digit.is_some())..];
                    let depth = digit.unwrap_or(depth);
                    match (mark, Type::of_letter(mark)) {
                        ('t', _) => self.two_values(depth),
                        ('e', _) => self.of(ty, false, depth),
                        ('E', _) => self.of(ty, true, depth),
                        (_, Some(ty)) => self.of(ty, mark.is_uppercase(), depth),
                        _ => panic!("`${mark}` in `{rule}` is no mark"),
                    }
                }
            };
        }
        text + rest
    }

    /// Fills in a rule of a name, or runs the code of this name.
    fn named(&mut self, name: &str, ty: Type, depth: u32) -> String {
        let named = [rules(name), rules(&format!("{name}{}", ty.letter(false)))].concat();
        if !named.is_empty() {
            let rule = self.rule(0, &named);
            return self.fill(rule, ty, depth);
        }
        match name {
            "arms" => {
                let (of, [first, second]) = self.matched();
                let [a, b] = [first, second]
                    .map(|(arm, name)| self.with(name, |kernel| format!("{arm} => {}", kernel.any(ty, depth))));
                let other = self.any(ty, 0);
                format!("(match {of} {{ {a}, {b}, _ => {other} }})")
            }
            "quotient" => {
                let divisor = self.fill("$v", ty, 0);
                let rule = format!("(if {divisor} != 0 {{ $[1..99] / {divisor} }} else {{ $i }})");
                self.fill(&rule, ty, depth)
            }
            "other" => {
                let of = self.pick(&["u32", "i8", "u8", "i16", "u16", "i64", "u64", "usize"]);
                let operand = self.pick(&["(($i) as TYPE)", "(($i) as TYPE)", "(($f) as TYPE)"]);
                let value = self.rule(0, rules("cast")).replace("OPERAND", operand).replace("TYPE", of);
                let rule = self.pick(&["(VALUE as i32)", "(VALUE as i32)", "((VALUE as f32) as i32)"]);
                self.fill(&rule.replace("VALUE", &value), ty, depth)
            }
            "array" if self.uniform_arrays.is_empty() => self.fill("$V", ty, depth),
            "array" => {
                let array = self.pick(&self.uniform_arrays.clone());
                self.fill(&format!("{array}[$[0..2]]"), ty, depth)
            }
            "chosen" => self.chosen_element(),
            _ => panic!("`@{name}` is no rule"),
        }
    }

    /// An element that a condition chooses, and often the element that the neighbours share.
    fn chosen_element(&mut self) -> String {
        let slice = self.pick(&["x", "y"]);
        let far = (EDGE, "$(t + 2,t + 5,(t + m) + 1)", "AT $(- 1,+ 1,+ m)");
        let (condition, at, other) =
            self.pick(&[("t == 0", "t", "t - 1"), ("t + 1 != n", "t + $[1..6]", "t"), far, far]);
        let [condition, at] = [condition, at].map(|rule| self.fill(rule, Type::Index, 0));
        let other = self.fill(&other.replace("AT", &format!("({at})")), Type::Index, 0);
        let (here, other) = (format!("{slice}[{at}]"), format!("{slice}[{other}]"));
        let chosen = match self.below(6) {
            0..3 => format!("if {condition} {{ {here} }} else {{ {other} }}"),
            3 => format!("if m > 3 {{ {slice}[t] }} else if {condition} {{ {here} }} else {{ {other} }}"),
            _ => format!("if !({condition}) {{ {other} }} else {{ {here} }}"),
        };
        if self.once_in(3) { format!("({chosen})") } else { format!("(({chosen}) - {here})") }
    }

    /// The value of a `match`, and two arms that bind it and have a guard, each with the bound
    /// variable.
    pub(super) fn matched(&mut self) -> (String, [(String, Variable); 2]) {
        let ty = self.pick(&[Type::Int, Type::Float]);
        let of = self.any(ty, 1);
        let arms = std::array::from_fn(|_| {
            let variable = Variable { name: self.fresh("w"), ty, mutable: false, uniform: false };
            let patterns: &[&str] = if ty == Type::Int { &["", " @ ..=-1", " @ (0 | 3)", " @ 2..9"] } else { &[""] };
            let pattern = self.pick(patterns);
            let guard = self.with(variable.clone(), |kernel| kernel.any(Type::Bool, 1));
            (format!("{}{pattern} if {guard}", variable.name), variable)
        });
        (of, arms)
    }

    /// An element of a local array, if there is one.
    fn element(&mut self) -> String {
        if self.arrays.is_empty() {
            return self.fill("x[$x0]", Type::Float, 0);
        }
        let array = self.pick(&self.arrays.clone());
        let at = self.place();
        format!("{array}[{at}]")
    }

    /// An index into a local array of three elements: a thread's own, or the same for all threads.
    pub(super) fn place(&mut self) -> String {
        let rules: &[&str] = if self.counters.is_empty() { &["$[0..2]"] } else { &["$[0..2]", "$r % 3"] };
        let rule = if self.once_in(4) { "($i0) as usize % 3" } else { self.pick(rules) };
        self.fill(rule, Type::Index, 0)
    }
}

/// Returns where the bracket closes that was opened before the text.
fn closing(text: &str) -> usize {
    let mut open = 1;
    let end = text.find(|c| {
        open += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        open == 0
    });
    end.expect("a choice is closed")
}
