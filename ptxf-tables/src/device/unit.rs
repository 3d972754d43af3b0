//! The function unit behind `rcp`, `rsqrt`, `sqrt`, `ex2`, `lg2`, `sin` and `cos` of f32, and what the assembler puts around it.
//!
//! The unit interpolates: the top bits of the operand's significand select a segment with coefficients A, B and C, the rest
//! of it is `x`, and the result is the upper bits of `A·2^k + B·x + C·sq(x) + bias` (Oberman and Siu, ARITH-17, 2005). The
//! squarer leaves out partial products. Everything here is integers and nothing here is a coefficient: a [`Table`] takes
//! them as an argument, and they have to come from a device (`cargo gpu model`).
//!
//! ```text
//! operand ─ Function::step ─► segment, x ─ Table ► Evaluation::sum ─► Finish::result ─► result      one MUFU
//! form ─ rcp_approx, … ─► scale, MUFU, scale back: FMUL and FADD are `ptxf_core::sem`'s
//! f64 ─ Table::upper ─► the same tables, on 20 bits of a fraction
//! ```
//!
//! # What was published, and what was not
//!
//! What was published leaves open what data decides, and an H100's results did:
//!
//! - whether a negative logarithm is negated or complemented, and whether the second quarter of a turn is mirrored by the one
//!   or the other: [`Complement`], which a fit tries both ways;
//! - EX2 of a negative number: the fraction is complemented, unless it is 0;
//! - SQRT's shifts and bias, and TANH's segments, bits and shifts: nothing was published, and one choice of each has a solution;
//! - RCP64H and RSQ64H, which compute the upper words of f64: they are RCP and RSQ, on 20 bits of a fraction and cut off after as many;
//! - that the angle is cut to 25 bits of a turn was concluded from 64 segments of 17 bits to a quarter, and the sign of a zero
//!   at a half turn from the sign of the quarter.
//!
//! The unit on 16-bit operands is not known at all; dumps take its place ([`delta`](super::delta)).

mod around;
mod finish;
mod function;
mod interpolation;
mod table;
mod upper;

pub use around::{
    div_approx, div_full, ex2_approx, lg2_approx, rcp_approx, rsqrt_approx, sqrt_approx, turns, wave_approx,
};
pub use finish::{Complement, Finish};
pub use function::{Function, Step};
pub use interpolation::{Coefficients, Evaluation, square};
pub use table::Table;
pub use upper::{rcp_approx_f64, rsqrt_approx_f64};

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 127 << 23;
const MIN_NORMAL: u32 = 1 << 23;
const FRACTION: u32 = (1 << 23) - 1;
