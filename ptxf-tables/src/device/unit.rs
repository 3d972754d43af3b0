//! The function unit of `rcp`, `rsqrt`, `sqrt`, `ex2`, `lg2`, `sin` and `cos` of f32, and the
//! instructions around it.
//!
//! The unit interpolates (Oberman and Siu, ARITH-17, 2005). The top bits of the operand's
//! significand select a segment with coefficients A, B and C. The other bits are `x`, and the
//! result is the upper bits of `A·2^k + B·x + C·sq(x) + bias`. The squarer omits partial products.
//! All arithmetic is on integers. A [`Table`] takes the coefficients as an argument; they come from
//! a device (`cargo gpu model`).
//!
//! ```text
//! one MUFU: operand ─ Function::step ─► segment, x ─ Table ► Evaluation::sum ─► Finish::result
//! form ─ rcp_approx, … ─► scale, MUFU, scale back: FMUL and FADD are `ptxf_core::sem`'s
//! f64 ─ Table::upper ─► the same tables, on 20 bits of a fraction
//! ```
//!
//! # Details that an H100's results decided
//!
//! The publication leaves these details open:
//!
//! - A negative logarithm, and the second quarter of a turn, are either negated or complemented:
//!   [`Complement`]. A fit tries both.
//! - EX2 complements the fraction of a negative number unless the fraction is 0.
//! - Nothing was published on SQRT's shifts and bias, and on TANH's segments, bits and shifts. One
//!   choice of each has a solution.
//! - RCP64H and RSQ64H compute the upper words of f64. They are RCP and RSQ on 20 bits of a
//!   fraction, with a result of 20 bits.
//! - The angle is cut to 25 bits of a turn, since a quarter has 64 segments of 17 bits. The sign of
//!   a zero at a half turn is that of the quarter.
//!
//! The unit for 16-bit operands is unknown; dumps replace it ([`delta`](super::delta)).

mod finish;
mod function;
mod interpolation;
mod sequences;
mod table;
mod upper;

pub use finish::{Complement, Finish};
pub use function::{Function, Step};
pub use interpolation::{Coefficients, Evaluation, square};
pub use sequences::{
    div_approx, div_full, ex2_approx, lg2_approx, rcp_approx, rsqrt_approx, sqrt_approx, turns, wave_approx,
};
pub use table::Table;
pub use upper::{rcp_approx_f64, rsqrt_approx_f64};

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 127 << 23;
const MIN_NORMAL: u32 = 1 << 23;
const FRACTION: u32 = (1 << 23) - 1;
