//! A row of the table.

use crate::idiom::{self, Arithmetic, Idiom, Measure};

/// Returns the idiom's name, its measure, the error in each of [`Arithmetic::ALL`], and the
/// variables of `keep`.
///
/// # Errors
///
/// If a version's bits differ from those of `scalar`.
pub fn row(idiom: &dyn Idiom) -> Result<Vec<String>, String> {
    let mut cells = vec![idiom.name().to_owned(), idiom.measure().name().to_owned()];
    for arithmetic in Arithmetic::ALL {
        cells.push(error(idiom, arithmetic)?);
    }
    cells.push(idiom.kept().join(", "));
    Ok(cells)
}

fn error(idiom: &dyn Idiom, arithmetic: Arithmetic) -> Result<String, String> {
    if arithmetic.keeps() && idiom.kept().is_empty() {
        return Ok(String::new());
    }
    let error = idiom.measure().error(&idiom::check(idiom, arithmetic)?, &idiom.reference());
    Ok(match idiom.measure() {
        Measure::Exact if error == 0.0 => "exact".to_owned(),
        _ => format!("{error:.1e}"),
    })
}
