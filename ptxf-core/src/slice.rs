//! The forms over whole slices, at the speed of the CPU's vectors, with the bits of the functions
//! of one value.
//!
//! The documentation is that of [`ptxf::slice`](https://docs.rs/ptxf/latest/ptxf/slice). Functions
//! lie in [`groups`], and all of them here.

pub mod block;
mod error;
mod integer;
mod operand;
mod random;
pub mod reduce;
mod run;
mod scaled;
pub mod views;

#[doc(hidden)]
pub use block::*;
pub use error::LengthError;
#[doc(hidden)]
pub use groups::all::*;
#[cfg(feature = "rayon")]
#[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
pub use operand::par;
pub use operand::{Checked, Operand, Output, OutputAt, Splat, at, checked};
#[doc(hidden)]
pub use reduce::*;
#[doc(hidden)]
pub use views::*;

/// The names that the expansion of every form uses.
mod imports {
    pub(super) use super::integer::{cvt_from_integer, cvt_to_integer};
    pub(super) use super::operand::sealed::Outcome as _;
    pub(super) use super::run::{assign, into};
    pub(super) use super::scaled::{cvt_pack_scaled, cvt_scaled};
    pub(super) use super::{Operand, Output, random, run};
    pub(super) use crate::backend::lanes::op;
    pub(super) use crate::modifiers::{Modifiers, Round, effect};
    pub(super) use crate::types::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};
}

/// The functions over slices, grouped by operation.
pub mod groups {
    #[doc(inline)]
    pub use super::{block, reduce, views};
    ptxf_macros::slices!();
}
