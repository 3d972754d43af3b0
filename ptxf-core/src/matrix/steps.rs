//! The steps of a sum, in words.

use core::fmt;

use super::execute::Meaning;
use super::instruction::{Instruction, Rule};
use super::mma::Way;
use super::unit::{Absent, Unit};
use crate::modifiers::Round;
use crate::sem::matrix::{self, Sum};

/// The way in which a device adds the products of an element.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    meaning: Meaning,
    clamps: bool,
    products: usize,
}

impl Instruction {
    /// Returns how a device adds the products of an element, as a text for `Display`.
    ///
    /// # Errors
    ///
    /// [`Absent`] if the device does not have the instruction, or if its bits are not known.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::{Instruction, Unit};
    ///
    /// let mma = Instruction::parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").unwrap();
    /// assert_eq!(
    ///     mma.steps(Unit::sm_80()).unwrap().to_string(),
    ///     "2 steps of 8 products and the addend, cut to 24 bits below the largest exponent, and rounded to f32 toward zero"
    /// );
    /// ```
    pub fn steps(&self, unit: Unit) -> Result<Steps, Absent> {
        Ok(Steps { meaning: self.meaning(unit)?, clamps: self.rule == Rule::Saturate, products: self.a().columns() })
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning {
            Meaning::Unit(Way::Steps(rule, sum)) => write_steps(f, self.products, rule, sum),
            Meaning::Unit(Way::ByF16(rule, sum)) => {
                f.write_str("as f16, those with k mod 4 in {0, 1} first: ")?;
                write_steps(f, self.products, rule, sum)?;
                f.write_str("; from +0, and the addend last by add.rn")
            }
            Meaning::Chain => f.write_str("fma.rn.f32 of each product from +0, and the addend last by add.rn.f32"),
            Meaning::Double(round) => {
                let round = match round {
                    Round::Rz => "rz",
                    Round::Rm => "rm",
                    Round::Rp => "rp",
                    _ => "rn",
                };
                write!(f, "fma.{round}.f64 of each product, beginning with the addend")
            }
            Meaning::Integers if self.clamps => f.write_str("an exact sum, clamped to s32 at the end"),
            Meaning::Integers => f.write_str("an exact sum modulo 2^32"),
            Meaning::Scaled { in_bytes: true, .. } => {
                f.write_str("a step of 32 scaled products and the addend, cut to 25 bits below the largest exponent, and rounded to f32 toward zero")
            }
            Meaning::Scaled { .. } => {
                f.write_str("4 exact sums of 16 products each, scaled; with the addend cut to 35 bits below the largest exponent, and rounded to f32 toward zero")
            }
        }
    }
}

fn write_steps(f: &mut fmt::Formatter<'_>, products: usize, rule: matrix::Rule, sum: Sum) -> fmt::Result {
    let (each, bits) = (products.min(rule.products), rule.fraction_bits);
    match products.div_ceil(rule.products) {
        1 => f.write_str("a step")?,
        count => write!(f, "{count} steps")?,
    }
    let rounded = match sum {
        Sum::F32 => "f32 toward zero",
        Sum::E8m13 => "13 fraction bits toward zero",
        Sum::F16 => "f16 to nearest even",
    };
    write!(
        f,
        " of {each} products and the addend, cut to {bits} bits below the largest exponent, and rounded to {rounded}"
    )
}
