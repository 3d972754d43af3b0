//! The function unit behind `rcp`, `rsqrt`, `sqrt`, `ex2`, `lg2`, `sin` and `cos` of f32, and what the assembler puts around it.
//!
//! The unit interpolates: the top bits of the operand's significand select a segment with coefficients A, B and C, the rest
//! of it is `x`, and the result is the upper bits of `A·2^k + B·x + C·sq(x) + bias` (Oberman and Siu, ARITH-17, 2005). The
//! squarer leaves out partial products. Everything here is integers and nothing here is a coefficient: a [`Table`] takes
//! them as an argument, and they have to come from a device (`cargo model fit`).
//!
//! ```text
//! operand ─ Function::step ─► segment, x ─ Table ► Evaluation::sum ─► Finish::result ─► result      one MUFU
//! form ─ rcp_approx, … ─► scale, MUFU, scale back: FMUL and FADD are `ptxf_core::sem`'s
//! ```
//!
//! # What is not known
//!
//! What was published about the unit leaves this open, and data decides it:
//!
//! - whether a negative logarithm is negated or complemented, and whether the second quarter of a turn is mirrored by the one
//!   or the other: [`Complement`], which a fit tries both ways;
//! - SQRT's shifts and bias: the caller of [`Table::new`] gives them; [`Evaluation::known`] has none;
//! - that the angle is cut to 25 bits of a turn is concluded from 64 segments of 17 bits to a quarter, and the sign of a zero
//!   at a half turn from the sign of the quarter;
//! - TANH.f32: below 2⁻⁸ it returns its operand and from 8 on ±1; where the 51 segments between begin, which bits are `x`,
//!   shifts and bias, nobody has said. It is not here;
//! - RCP64H and RSQ64H, which compute the upper words of f64: neither the tables' shape nor the evaluation. What surrounds
//!   RSQ64H in `rsqrt.approx.f64` is known, and of no use without it;
//! - the unit on 16-bit operands is not known at all; dumps take its place ([`delta`](super::delta)).

mod around;
mod finish;
mod function;
mod interpolation;
mod table;

pub use around::{
    div_approx, div_full, ex2_approx, lg2_approx, rcp_approx, rsqrt_approx, sqrt_approx, turns, wave_approx,
};
pub use finish::{Complement, Finish};
pub use function::{Function, Step};
pub use interpolation::{Coefficients, Evaluation, square};
pub use table::Table;

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 127 << 23;
const MIN_NORMAL: u32 = 1 << 23;
const FRACTION: u32 = (1 << 23) - 1;
