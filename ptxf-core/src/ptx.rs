//! One function per form, under its full name: `fma.rn.ftz.relu.f16x2` is
//! [`fma_rn_ftz_relu_f16x2`].
//!
//! Dots become underscores, letters become lower case, and the rounding is always spelled. The
//! three-input forms of `min` and `max` are called `min3` and `max3`. A comparison is an argument:
//! `set.lt.u32.f16x2` is [`set_u32_f16x2`] with [`Comparison::Lt`]. `set.lt.and.u32.f16x2` is
//! [`set_bool_u32_f16x2`], also with [`BoolOp::And`]. A predicate that PTX writes `!c` is Rust's
//! `!c`. The macro [`ptx!`](crate::ptx!) takes PTX's own spelling.

mod line;

#[cfg(target_arch = "nvptx64")]
use crate::backend::nvptx;
use crate::backend::{across, compare, convert, mixed, register::Register, values};
use crate::format::{BFloat16, Binary16, Binary32, Binary64};
use crate::modifiers::{BitComparison, BoolOp, Comparison, Property, SignedComparison, UnsignedComparison, effect};
use crate::scalar;
use crate::sem;
use crate::types::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, S2f6x2, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};

ptxf_macros::functions!();
