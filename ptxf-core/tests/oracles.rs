//! Every form against oracles that share no code with the library: on edge operands, near ties, and
//! on random operands. One-operand forms of the 16-bit types run on all 65,536 operands, and mixed
//! forms on all 65,536 narrow operands.
//!
//! Both the meaning and the build's own code are compared. `PTXF_SEED` repeats a random run.

use std::sync::atomic::{AtomicU64, Ordering};

use oracle::across::{self, Across};
use oracle::cvt::{self as converting, Cvt};
use oracle::{Form, Rng, Ty, apfloat, compare, edges, generate, lanes, long, report};
use ptxf_core::spec::{FORMS, FormInfo, spellings};

/// Returns the number of random operands per form.
fn random() -> usize {
    if long() { 3_000 } else { 1_000 }
}

/// Checks all forms of one instruction.
fn verify(instruction: &str) {
    let mut rng = Rng::from_env(0x9_7_3);
    let compared = AtomicU64::new(0);
    let mut forms = 0;
    for info in FORMS.iter().filter(|f| f.instruction == instruction) {
        forms += 1;
        if let Some(form) = Across::parse(info.name) {
            several(info, &form, &mut rng, &compared);
            continue;
        }
        let check = Checker::new(info, &compared);
        if check.form.is_mixed() {
            check.mixed();
        } else {
            check.edges();
        }
        if info.operands.len() == 1 && info.operands[0].bits() == 16 {
            (0..1 << 16).for_each(|x| check.all(&[x]));
        } else {
            for _ in 0..random() {
                check.all(&generate::registers(&check.form, info.operands.len(), &mut rng));
            }
        }
    }
    let compared = compared.into_inner();
    println!(
        "{instruction}: {forms} forms, {compared} operands; the dense grids against the fast oracle, the rest against every one"
    );
    assert!(forms > 0 && compared >= 1_000 * forms, "too little was compared");
}

/// Checks a form whose operands and result have several types against both oracles of these.
fn several(info: &FormInfo, form: &Across, rng: &mut Rng, compared: &AtomicU64) {
    for _ in 0..10 * random() {
        let operands = form.registers(rng);
        let got = info.run.call(&operands).expect("the table's operand count");
        let (exact, widened) = (across::eval(form, &operands), across::widened(form, &operands));
        assert!(
            got == exact && widened.is_none_or(|want| want == got),
            "{} of {operands:#x?} is {got:#x}, want {exact:#x} {widened:#x?}",
            info.name
        );
        assert_eq!(info.by_meaning(&operands), Some(got), "{} of {operands:#x?}", info.name);
        compared.fetch_add(1, Ordering::Relaxed);
    }
}

struct Checker<'a> {
    info: &'a FormInfo,
    form: Form,
    compared: &'a AtomicU64,
}

impl<'a> Checker<'a> {
    fn new(info: &'a FormInfo, compared: &'a AtomicU64) -> Self {
        let form = Form::parse(info.name).expect("the oracles know every form");
        Self { info, form, compared }
    }

    /// Checks dense grids of edge operands: with the fast oracle on all, with every oracle on a
    /// part.
    fn edges(&self) {
        let (all, few) = (edges::of(self.form.ty), edges::few(self.form.ty));
        match self.info.operands.len() {
            1 => all.iter().for_each(|&a| self.all(&[self.both(a, a)])),
            2 => {
                for (i, &a) in all.iter().enumerate() {
                    all.iter().for_each(|&b| self.fast(&[self.both(a, b), self.both(b, a)]));
                    self.all(&[self.both(a, a), self.both(all[(i * 7) % all.len()], a)]);
                }
            }
            _ => {
                for (i, &a) in few.iter().enumerate() {
                    for (j, &b) in few.iter().enumerate() {
                        few.iter().for_each(|&c| self.fast(&[self.both(a, c), self.both(b, a), self.both(c, b)]));
                        let c = few[(i * 5 + j * 3) % few.len()];
                        self.all(&[self.both(a, c), self.both(b, a), self.both(c, b)]);
                    }
                }
            }
        }
    }

    /// Checks every narrow operand, in a short run every fifth, each with a few wide ones.
    fn mixed(&self) {
        let wide = edges::few(Ty::F32);
        for a in (0..1 << 16).step_by(if long() { 1 } else { 5 }) {
            for k in 0..3 {
                let (b, c) = ((a * 0x9e37 + k * 0x3c01) & 0xffff, wide[(a + k * 17) as usize % wide.len()]);
                let operands = if self.info.operands.len() == 2 { vec![a, c] } else { vec![a, b, c] };
                if a % 16 == 0 { self.all(&operands) } else { self.fast(&operands) }
            }
        }
    }

    /// Returns a register with `low` in the lower lane, and `high` in the upper lane if there is
    /// one.
    fn both(&self, low: u64, high: u64) -> u64 {
        if self.info.operands[0].lanes() == 2 { lanes::join(&self.form, &[low, high]) } else { low }
    }

    /// Checks library and meaning against the fast oracle, or against all if it has no result.
    fn fast(&self, operands: &[u64]) {
        let Some(want) = lanes::eval(apfloat::eval, &self.form, operands) else {
            return self.all(operands);
        };
        let (got, meant) = self.answers(operands);
        if got != want || meant != want {
            self.all(operands);
        }
    }

    /// Checks library and meaning against every oracle.
    fn all(&self, operands: &[u64]) {
        let (got, meant) = self.answers(operands);
        report::check(&self.form, operands, meant);
        report::check_against("the meaning", meant, &self.form, operands, got);
    }

    fn answers(&self, operands: &[u64]) -> (u64, u64) {
        self.compared.fetch_add(1, Ordering::Relaxed);
        let got = self.info.run.call(operands).expect("the table's operand count");
        (got, meaning::meaning(self.info, operands))
    }
}

/// Checks all spellings of an instruction that compares or selects against the truth table, on edge
/// operands in each lane and on random operands.
fn truths(instruction: &str) {
    let mut rng = Rng::from_env(0x9_7_6);
    let mut compared = 0;
    for spelling in spellings().filter(|s| s.form.instruction == instruction) {
        let form = compare::Form::parse(&spelling.to_string()).expect("the truth table knows every spelling");
        let mut check = |operands: &[u64]| {
            let operands = &operands[..form.operands()];
            let got = spelling.call(operands).expect("the table's operand count");
            assert_eq!(got, form.eval(operands), "ptxf eval {spelling} {operands:#x?}");
            assert_eq!(spelling.by_meaning(operands), Some(got), "{spelling} {operands:#x?}");
            compared += 1;
        };
        let edges = form.of.edges();
        let (lanes, width) = (form.of.lanes(), form.of.lane_bits());
        let both = |low: u64, high: u64| if lanes == 2 { high << width | low } else { low };
        if form.cmp.is_none() {
            // Any bits may be selected.
            let random: Vec<_> = (0..1000).map(|_| rng.next() & u64::MAX >> (64 - width)).collect();
            for c in edges.into_iter().chain(random) {
                let mask = u64::MAX >> (64 - form.to.lane_bits());
                check(&[rng.next() & mask, rng.next() & mask, if instruction == "selp" { c & 1 } else { c }]);
            }
            continue;
        }
        for (i, &a) in edges.iter().enumerate() {
            for (j, &b) in edges.iter().enumerate() {
                let [other, another] = [edges[(i + 3 * j) % edges.len()], edges[(5 * i + j) % edges.len()]];
                (0..2).for_each(|c| check(&[both(a, other), both(b, another), c]));
            }
        }
        for _ in 0..200 {
            let x = rng.next() & u64::MAX >> (64 - width * lanes);
            // Operands near each other, or independent.
            let y = (if rng.below(2) == 0 { x ^ rng.below(4) } else { rng.next() }) & u64::MAX >> (64 - width * lanes);
            check(&[x, y, rng.below(2)]);
        }
    }
    println!("{instruction}: {compared} operands");
    assert!(compared > 2_000, "too little was compared");
}

/// Checks every conversion. Those of one operand of at most 16 bits run on all operands, and the
/// others on edge operands of both types and on random operands.
fn conversions(instruction: &str) {
    let mut rng = Rng::from_env(0x9_7_9);
    let (mut compared, mut forms) = (0, 0);
    for info in FORMS.iter().filter(|f| f.instruction == instruction) {
        let form = Cvt::parse(info.name).expect("the oracles know every conversion");
        let mut check = |operands: &[u64], exactly: bool| {
            let got = info.run.call(operands).expect("the table's operand count");
            let fast = converting::eval(converting::apfloat::lane, &form, operands);
            let slow = (exactly || fast.is_none())
                .then(|| converting::eval(converting::exact::lane, &form, operands))
                .flatten();
            assert!(
                fast.is_none_or(|want| want == got) && slow.is_none_or(|want| want == got),
                "{form} of {operands:#x?} is {got:#x}, want {fast:#x?} {slow:#x?}"
            );
            assert_eq!(info.by_meaning(operands), Some(got), "{form} of {operands:#x?}");
            compared += 1;
        };
        forms += 1;
        let width = form.from.bits();
        if width <= 16 && form.operands() == 1 {
            (0..1 << width).for_each(|x| check(&[x], x % 61 == 0));
        }
        let list = converting::operands::list(&form);
        for i in 0..random() {
            check(&converting::operands::registers(&form, list, &mut rng), i % 10 == 0);
        }
    }
    println!(
        "{instruction}: {forms} forms, {compared} operands; the fast oracle on all it knows, the exact one on a part"
    );
    assert!(forms > 0 && compared >= 1_000 * forms, "too little was compared");
}

macro_rules! instructions {
    ($($check:ident { $($name:ident)* })*) => {
        $($(
            #[test]
            fn $name() {
                $check(stringify!($name));
            }
        )*)*

        #[test]
        fn every_instruction_is_listed() {
            let mut listed = vec![$($(stringify!($name)),*),*];
            let mut table: Vec<_> = FORMS.iter().map(|f| f.instruction).collect();
            listed.sort_unstable();
            table.sort_unstable();
            table.dedup();
            assert_eq!(listed, table);
        }
    };
}

instructions! {
    verify { testp copysign add sub mul fma mad div abs neg min max rcp sqrt rsqrt sin cos lg2 ex2 tanh }
    truths { set setp selp slct }
    conversions { cvt }
}
