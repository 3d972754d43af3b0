//! Traits of other crates, each of which needs a feature with the crate's name, and conversions of
//! the language's `f16`.
//!
//! `zerocopy-08` has no file, because its traits can only be derived, at the types.

#[cfg(feature = "approx-05")]
mod impl_approx;
#[cfg(feature = "arbitrary")]
mod impl_arbitrary;
#[cfg(feature = "bytemuck")]
mod impl_bytemuck;
#[cfg(feature = "defmt")]
mod impl_defmt;
#[cfg(ptxf_f16)]
mod impl_f16;
#[cfg(feature = "half")]
mod impl_half;
#[cfg(feature = "num-traits")]
mod impl_num_traits;
#[cfg(feature = "rand-010")]
pub mod impl_rand;
#[cfg(feature = "serde")]
pub mod impl_serde;
