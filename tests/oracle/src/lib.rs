//! Oracles for `ptxf` that share no code with it, and operands for them.
//!
//! Nothing here may depend on a `ptxf` crate. A form is known by its spelling alone ([`form`]), the
//! list of legal spellings was read out of the manual by hand ([`legal`]), and each answer comes
//! from at least one of
//!
//! | name | module | how | covers |
//! |---|---|---|---|
//! | `apfloat` | [`apfloat`] | LLVM's soft float | everything rounded except roots |
//! | `exact` | [`exact`] | rationals, and a search of the list of representable values | everything algebraic |
//! | `root` | [`root`] | integer square root, guard and sticky bits | `sqrt`, `rsqrt` |
//! | `core-math`, `core-math-wide` | [`approx`] | CORE-MATH in the operand's format, and in another one | `sin cos lg2 ex2 tanh` |
//!
//! [`compare`] answers for comparison and selection, by a truth table. [`real`] evaluates
//! expressions of one variable in arbitrary precision. [`kernel`] makes Rust of whole kernels.
//! [`probe`] writes PTX for a device or its replacement.
//!
//! [`expect`] returns all answers for a whole register. Operands and results are register bits in a
//! `u64`, low lane first; a predicate is 0 or 1.
#![forbid(unsafe_code)]

pub mod across;
pub mod apfloat;
pub mod approx;
pub mod bound;
pub mod compare;
pub mod cvt;
pub mod dyadic;
pub mod edges;
pub mod exact;
pub mod form;
#[cfg(feature = "kernels")]
pub mod found;
pub mod generate;
#[cfg(feature = "kernels")]
pub mod kernel;
#[cfg(feature = "kernels")]
pub mod kernels;
pub mod lanes;
pub mod layout;
pub mod legal;
pub mod mini;
pub mod mutate;
pub mod outside;
pub mod probe;
#[cfg(feature = "real")]
pub mod real;
pub mod report;
pub mod rng;
pub mod root;
pub mod round;

#[cfg(test)]
mod tests;

pub use form::{Form, Op, Rnd, Testp, To, Ty};
pub use rng::Rng;

/// Returns `true` for the long run of the tests, `PTXF_TESTS=long`, as in CI. Otherwise samples are
/// small.
#[must_use]
pub fn long() -> bool {
    let long = std::env::var_os("PTXF_TESTS").is_some_and(|tests| tests == "long");
    if !long {
        println!("a short run: PTXF_TESTS=long has more operands");
    }
    long
}

/// An oracle for one lane. Returns `None` if it has no answer.
pub type Oracle = fn(&Form, &[u64]) -> Option<u64>;

/// Every oracle by name, in the order of [`expect`]'s answers.
pub const ORACLES: [(&str, Oracle); 5] = [
    ("apfloat", apfloat::eval),
    ("exact", exact::eval),
    ("root", root::eval),
    ("core-math", approx::eval),
    ("core-math-wide", approx::eval_wide),
];

/// The answers of every oracle that has one, for a whole register (both lanes of an x2 form).
///
/// ```
/// let form = oracle::Form::parse("fma.rn.f16x2").unwrap();
/// let got = oracle::expect(&form, &[0x3c01_4200, 0x0ffe_6156, 0x3c01_0001]);
/// assert_eq!(got, [("apfloat", 0x3c01_6801), ("exact", 0x3c01_6801)]);
/// ```
#[must_use]
pub fn expect(form: &Form, ops: &[u64]) -> Vec<(&'static str, u64)> {
    ORACLES.iter().filter_map(|&(name, oracle)| Some((name, lanes::eval(oracle, form, ops)?))).collect()
}
