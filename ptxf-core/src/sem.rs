//! The meaning of every instruction: integers only, generic over the [`Format`](crate::format::Format), the modifiers an argument.
//!
//! This is the reference that every faster path has to equal bit for bit. It follows the manual's words and the
//! numeric contract: exact arithmetic, rounded once. One file per family:
//!
//! | file | instructions |
//! |---|---|
//! | `arith` | add, sub, mul, fma, mad |
//! | `quotient` | div, rcp, sqrt, rsqrt |
//! | `minmax` | min, max (two and three inputs) |
//! | `sign` | neg, abs, copysign, testp |
//! | `approx` | the approximate forms under the default model |
//! | `convert` | cvt: rounding from one format to another |
//! | `compare` | set |
//!
//! Every function takes and returns register bits.

mod approx;
pub(crate) mod arith;
mod compare;
mod convert;
mod elementary;
mod minmax;
mod nan;
mod number;
mod quotient;
mod round;
mod sign;

pub use approx::{cos, div_approx, ex2, lg2, rcp_approx_f64, rsqrt_approx, rsqrt_approx_f64, sin, tanh};
pub use arith::{OOB_NAN, add, fma, mad_sm1x, mul, sub};
pub use compare::set;
pub use convert::{convert, cvt};
pub use minmax::{max, max3, min, min3};
pub use quotient::{div, rcp, sqrt};
pub use sign::{abs, copysign, neg, testp};

use crate::format::Format;
use crate::modifiers::{Comparison, Modifiers};
use crate::spec::Property;

ptxf_macros::meanings!();
