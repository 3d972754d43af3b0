//! Every form against oracles that share nothing with the library: at the edges, near ties, at random; the one-operand
//! forms of the 16-bit types on all 65,536 operands.
//!
//! Both the meaning and what the build runs are compared. `PTXF_SEED` repeats a random run.

use std::sync::atomic::{AtomicU64, Ordering};

use ptxf_core::spec::{FORMS, FormInfo};
use testutil::{Form, Rng, apfloat, edges, generate, lanes, report};

/// Random operands per form.
const RANDOM: usize = 3_000;

/// One instruction, all its forms.
fn verify(instruction: &str) {
    let mut rng = Rng::from_env(0x9_7_3);
    let compared = AtomicU64::new(0);
    let mut forms = 0;
    for info in FORMS.iter().filter(|f| f.instruction == instruction) {
        forms += 1;
        let check = Checker::new(info, &compared);
        check.edges();
        if info.operands.len() == 1 && info.operands[0].bits() == 16 {
            (0..1 << 16).for_each(|x| check.all(&[x]));
        } else {
            for _ in 0..RANDOM {
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

    /// Dense grids of edge operands: the fast oracle on all, every oracle on a part.
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

    /// A register with `low` in the lower lane, `high` in the upper one if there is one.
    fn both(&self, low: u64, high: u64) -> u64 {
        if self.info.operands[0].lanes() == 2 { lanes::join(&self.form, &[low, high]) } else { low }
    }

    /// Library and meaning against the fast oracle, where it has an answer, else against all.
    fn fast(&self, operands: &[u64]) {
        let Some(want) = lanes::eval(apfloat::eval, &self.form, operands) else {
            return self.all(operands);
        };
        let (got, meant) = self.answers(operands);
        if got != want || meant != want {
            self.all(operands);
        }
    }

    /// Library and meaning against every oracle.
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

macro_rules! instructions {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                verify(stringify!($name));
            }
        )*

        #[test]
        fn every_instruction_is_listed() {
            let mut listed = vec![$(stringify!($name)),*];
            let mut table: Vec<_> = FORMS.iter().map(|f| f.instruction).collect();
            listed.sort_unstable();
            table.sort_unstable();
            table.dedup();
            assert_eq!(listed, table);
        }
    };
}

instructions! {
    testp copysign add sub mul fma mad div abs neg min max rcp sqrt rsqrt sin cos lg2 ex2 tanh set cvt
}
