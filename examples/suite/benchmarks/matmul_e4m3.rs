//! The product of two matrices whose elements are in e4m3, one scale for each, with sums in f16 or f32.
//!
//! An f16 holds every product of two e4m3 exactly but the smallest, so its sums lose what `matmul` loses in them; what e4m3 itself
//! loses, with four significant bits, is far more than either.
#![expect(unsafe_code, reason = "a thread's element of a matrix is at neither of its two indices")]

use ptxf::E4m3;

use super::Size;
use crate::benchmark::{Benchmark, Output, Score};
use crate::kernels::{by_hand, kernels};
use crate::launch::Launch;
use crate::metric;
use crate::random::Random;
use crate::real::zeros;

include!("../kernels/matmul_e4m3.rs");
