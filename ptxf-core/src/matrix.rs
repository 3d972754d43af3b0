//! Products of matrices with the bits of a GPU's matrix unit.
//!
//! NVIDIA's matrix instructions (`mma`, `wgmma`, `wmma`) do not add as `fma` does. A unit takes
//! some products and the addend at once, in no order. It cuts each of them toward zero to a common
//! grid, adds exactly, and rounds the sum once: an f32 toward zero, an f16 to nearest even
//! ([`sem::matrix`](crate::sem::matrix) has the definition). How many products a step has and where
//! the grid ends differs between devices, so that one program has different bits on an A100 and on
//! an H100. Here the device is a value, a [`Unit`].
//!
//! ```
//! use ptxf::F16;
//! use ptxf::matrix::Unit;
//!
//! // 1 + 2⁻²⁴ + 2⁻²⁴ in one step. An A100 keeps 24 bits below the largest exponent, and an H100 25.
//! let (a, b) = ([F16::from_f32(f32::exp2(-12.0)); 2], [F16::from_f32(f32::exp2(-12.0)); 2]);
//! let sum = |unit: Unit| unit.mma::<F16, F16, f32>().unwrap().dot(&a, &b, 1.0);
//! assert_eq!(sum(Unit::sm_80()).to_bits(), 0x3f80_0001);
//! assert_eq!(sum(Unit::sm_70()).to_bits(), 0x3f80_0000);
//! ```
//!
//! # Whole products
//!
//! [`Mma::gemm`] multiplies matrices as one chain of instructions in ascending k per element, which
//! is what cuBLAS executes on an H100 for f16, bf16 and e4m3. It uses the CPU's vectors.
//!
//! # Instructions
//!
//! An [`Instruction`] is a form of PTX such as `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`:
//! `mma`, `mma.sp`, `wmma` and `wgmma` of floats, integers and single bits.
//! [`Instruction::execute`] computes it on the registers of a warp, and a [`Layout`] is the map
//! between their elements and those of the matrices.
//!
//! # Units
//!
//! | device | products a step: 16 bits, tf32, 8 bits | fraction bits | evidence |
//! |---|---|---|---|
//! | [`sm_70`](Unit::sm_70), Volta | 4, –, – | 23 | published results of a V100 |
//! | [`sm_75`](Unit::sm_75), Turing | 8, –, – | 24 | published model |
//! | [`sm_80`](Unit::sm_80), [`sm_86`](Unit::sm_86), Ampere | 8, 4, – | 24 | published results of an A100 and an A2 |
//! | [`sm_89`](Unit::sm_89), Ada | 8, 4, 16 | 24; 13 for 8 bits | published results of three devices |
//! | [`sm_90`](Unit::sm_90), Hopper's `mma` | 16, 8, by f16 | 25 | **measured** |
//! | [`sm_90a`](Unit::sm_90a), Hopper's `wgmma` | 16, 8, 32 | 25; 13 for 8 bits | **measured** |
//! | [`sm_100`](Unit::sm_100), Blackwell's `mma` | 16, 8, by f16 | 25 | published results of a B200 |
//! | [`sm_100a`](Unit::sm_100a), Blackwell's `tcgen05` | 16, 8, 32 | 25 | published model |
//! | [`sm_120`](Unit::sm_120), RTX Blackwell | 16, 8, 32 | 25 | published model |
//!
//! "Measured" means that an H100 (driver 580.159.04, 28 November 2026) returned these bits for all
//! of 1.25 · 10¹¹ random products. A result with 13 fraction bits is an f32 whose low ten bits are
//! zero. "By f16": the assembler converts the operands to f16, and multiplies the products with k
//! mod 4 in {0, 1} first, then the others, and adds the addend last by an ordinary `add`.

mod element;
mod execute;
mod gemm;
mod instruction;
mod layout;
mod mma;
mod operand;
mod rows;
mod steps;
mod table;
mod unit;
mod view;
mod wmma;

pub use element::Element;
pub use execute::{Evidence, Operands, Scale};
pub use gemm::{Gemm, Rounded};
pub use instruction::{Instruction, NoInstruction};
pub use layout::{Fragment, Layout, Place};
pub use mma::Mma;
pub use operand::{Accumulator, Multiplicand};
pub use steps::Steps;
pub use unit::{Absent, Unit};
pub use view::View;
