//! Compares results with the plain loops, and checks the documented gain of `keep`.
//!
//! Bits are the same on every machine, and so are these errors.

use crate::idiom::Arithmetic::{self, Bf16, Bf16Keep, F16, F16Keep, F32};
use crate::idiom::{self, Idiom, Measure};
use crate::report;

/// Returns the error in an arithmetic, after a check that all versions agree.
fn error(idiom: &dyn Idiom, arithmetic: Arithmetic) -> f64 {
    let found = idiom::check(idiom, arithmetic).unwrap_or_else(|e| panic!("{e}"));
    idiom.measure().error(&found, &idiom.reference())
}

/// Returns the largest relative error of one rounding.
fn rounding(arithmetic: Arithmetic) -> f64 {
    match arithmetic {
        F32 => f64::exp2(-24.0),
        F16 | F16Keep => f64::exp2(-11.0),
        Bf16 | Bf16Keep => f64::exp2(-8.0),
    }
}

#[test]
fn f32_is_the_plain_loop_but_for_some_roundings() {
    for idiom in crate::all() {
        let error = error(&*idiom, F32);
        // A missing element of a sum of thousands would be an error of 1e-4.
        assert!(error < 8.0 * rounding(F32), "{}: {error:e}", idiom.name());
    }
}

#[test]
fn what_is_kept_leaves_the_rounding_of_the_result() {
    for idiom in crate::all() {
        for arithmetic in [F16Keep, Bf16Keep] {
            let error = error(&*idiom, arithmetic);
            assert!(error < rounding(arithmetic), "{} in {}: {error:e}", idiom.name(), arithmetic.name());
        }
    }
}

#[test]
fn what_keep_names_is_worth_it() {
    for idiom in crate::all().iter().filter(|idiom| !idiom.kept().is_empty()) {
        for (plain, keep) in [(F16, F16Keep), (Bf16, Bf16Keep)] {
            let [plain, keep] = [plain, keep].map(|arithmetic| error(&**idiom, arithmetic));
            assert!(plain > 4.0 / 3.0 * keep, "{}: {plain:e}, and {keep:e} with what is kept", idiom.name());
        }
    }
}

#[test]
fn halves_lose_some_roundings_and_no_more() {
    for idiom in crate::all() {
        for arithmetic in [F16, Bf16] {
            let (error, rounding) = (error(&*idiom, arithmetic), rounding(arithmetic));
            let most = if idiom.measure() == Measure::Exact { 0.0 } else { 16.0 * rounding };
            assert!(error <= most, "{} in {}: {error:e}", idiom.name(), arithmetic.name());
        }
    }
}

#[test]
fn a_wrong_element_is_an_error() {
    for idiom in crate::all() {
        let mut found = idiom.run(F32, idiom::Way::Scalar);
        let want = idiom.reference();
        let largest = (0..found.len()).max_by(|&i, &j| want[i].abs().total_cmp(&want[j].abs())).expect("elements");
        found[largest] = 0.0;
        assert!(idiom.measure().error(&found, &want) > 1e-3, "{}", idiom.name());
        found[largest] = f32::NAN;
        assert_eq!(idiom.measure().error(&found, &want), f64::INFINITY, "{}", idiom.name());
    }
}

#[test]
fn the_guide_quotes_the_table() {
    let guide = include_str!("../../../docs/kernels.md");
    for idiom in crate::all() {
        let mut cells = report::row(&*idiom).unwrap_or_else(|e| panic!("{e}"));
        if let Some(kept) = cells.last_mut().filter(|kept| !kept.is_empty()) {
            *kept = format!("`{kept}`");
        }
        let row = cells.iter().fold("|".to_owned(), |row, cell| match &**cell {
            "" => row + " |",
            cell => row + " " + cell + " |",
        });
        assert!(guide.lines().any(|line| line == row), "docs/kernels.md does not have\n{row}");
    }
}
