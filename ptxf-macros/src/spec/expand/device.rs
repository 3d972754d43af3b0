//! What a form becomes on `nvptx64`: its instruction where the build's target and PTX version have it, else something with
//! the same bits.
//!
//! A function has up to three bodies, chosen by `cfg`:
//!
//! ```text
//! the target and the PTX version have the instruction  ─► one of the `asm!` templates in `backend/nvptx.rs`
//! a substitute with the same bits exists               ─► two f32 instructions for a pair, `fma.rn.bf16` for bf16 sums and products
//! otherwise                                            ─► the meaning, in integers
//! ```
//!
//! Compilers disagree on what `cfg(target_feature)` says. Up to 1.96 there are features from `sm_20` and `ptx32` on, and a target's
//! own PTX version is not among them; since 1.97 they begin at `sm_70` and `ptx70`. So a condition names the first sufficient
//! target, the first sufficient version, the targets whose default version suffices, and the oldest that 1.97 knows. `--cfg
//! ptxf_ptx88` stands in for a feature that 1.96 lacks.
//!
//! A wrong condition is silent, since the other bodies have the same bits. `cargo xtask ptx` is what notices: it derives what the PTX
//! of each form has to contain from `FORMS` alone, and shares nothing with this file.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::model::Form;
use super::{ident, operand_names};

/// The number in `sm_90`, and a PTX ISA version.
type Target = (u32, (u8, u8));

/// Targets with the PTX ISA version that introduced them, which is what the compiler emits for them by default.
///
/// A target implies all those before it (`cfg(target_feature)` is cumulative), so the first with a sufficient version
/// stands for the rest. Compilers since 1.97 begin at [`OLDEST`] and do not know those before it.
const TARGETS: &[Target] = &[
    (20, (3, 2)),
    (50, (4, 0)),
    (52, (4, 1)),
    (53, (4, 2)),
    (60, (5, 0)),
    (70, (6, 0)),
    (72, (6, 1)),
    (75, (6, 3)),
    (80, (7, 0)),
    (86, (7, 1)),
    (87, (7, 4)),
    (89, (7, 8)),
    (90, (7, 8)),
    (100, (8, 6)),
    (120, (8, 7)),
];

/// PTX ISA versions as target features, cumulative as well.
const VERSIONS: &[(u8, u8)] = &[
    (3, 2),
    (4, 0),
    (4, 1),
    (4, 2),
    (4, 3),
    (5, 0),
    (6, 0),
    (6, 1),
    (6, 2),
    (6, 3),
    (6, 4),
    (6, 5),
    (7, 0),
    (7, 1),
    (7, 2),
    (7, 3),
    (7, 4),
    (7, 5),
    (7, 6),
    (7, 7),
    (7, 8),
    (8, 0),
    (8, 1),
    (8, 2),
    (8, 3),
    (8, 4),
    (8, 5),
    (8, 6),
    (8, 7),
    (8, 8),
];

/// The oldest target and PTX ISA version of compilers since 1.97; older ones have features for what came before.
const OLDEST: Target = (70, (7, 0));

/// The condition under which the build has the instruction, for `cfg`.
///
/// Compilers up to 1.96 can be told to emit PTX 8.8 but have no target feature that says so: `--cfg ptxf_ptx88` does.
pub(super) fn native(form: &Form) -> TokenStream {
    if form.row().until.is_some() {
        // A row of history: no compiler of today emits its targets.
        return quote!(any());
    }
    let feature = |name: String| quote!(target_feature = #name);
    let first = |enough: &dyn Fn(&Target) -> bool| {
        let found = TARGETS.iter().find(|t| enough(t)).map(|t| t.0);
        let oldest = found.filter(|sm| *sm < OLDEST.0).map(|_| OLDEST.0);
        found.into_iter().chain(oldest).map(|sm| feature(format!("sm_{sm}"))).collect::<Vec<_>>()
    };
    let target = first(&|t| t.0 >= form.sm);
    if TARGETS.iter().find(|t| t.0 >= form.sm).is_some_and(|t| t.1 >= form.ptx) {
        // What the target brings knows the instruction.
        return quote!(all(target_arch = "nvptx64", any(#(#target),*)));
    }
    let implying = first(&|t| t.1 >= form.ptx);
    let version = VERSIONS.iter().find(|v| **v >= form.ptx).into_iter();
    let oldest = (form.ptx < OLDEST.1).then_some(&OLDEST.1);
    let version = version.chain(oldest).map(|v| feature(format!("ptx{}{}", v.0, v.1)));
    quote!(all(target_arch = "nvptx64", any(#(#target),*), any(#(#implying,)* #(#version,)* ptxf_ptx88)))
}

/// The instruction itself, through the register-shape template of the operands.
pub(super) fn instruction(form: &Form) -> TokenStream {
    let spelling = form.spelling();
    let shape = if form.predicate() { "predicate" } else { ["unary", "binary", "ternary"][form.operands() - 1] };
    let shape = ident(shape);
    let class = format_ident!("reg{}", form.ty.bits());
    let operands = operand_names(form);
    let ty = ident(form.ty.rust);
    if !form.ty.has_methods() {
        return quote!(nvptx::#shape!(#spelling, #class, #(#operands),*));
    }
    quote!(#ty::from_bits(nvptx::#shape!(#spelling, #class, #(#operands.to_bits()),*)))
}

/// The spelling of the instruction that a device below the form's target has instead, if there is one with the same bits:
/// for a pair of f32 the scalar one, for sums and products of bf16 the fma.
pub(super) fn replacement(form: &Form) -> Option<String> {
    if form.ty.ptx == "f32x2" {
        return Some(form.spelling().replace(".f32x2", ".f32"));
    }
    let by_fma = form.ty.lane == "bf16" && matches!(form.instruction(), "add" | "sub" | "mul");
    by_fma.then(|| format!("fma.rn.{}", form.ty.ptx))
}

/// What a device below the form's target has instead, with the condition for it; the same bits in fewer instructions than
/// the meaning takes.
pub(super) fn substitute(form: &Form) -> Option<(TokenStream, TokenStream)> {
    let operands = operand_names(form);
    let ty = ident(form.ty.rust);
    if form.ty.ptx == "f32x2" {
        let scalar = format_ident!("{}_f32", form.method());
        let (low, high) = (operands.iter().map(|o| quote!(#o.lo())), operands.iter().map(|o| quote!(#o.hi())));
        let call = quote!(#ty::from_lo_hi(#scalar(#(#low),*), #scalar(#(#high),*)));
        return Some((quote!(target_arch = "nvptx64"), call));
    }
    if form.ty.lane == "bf16" {
        let fma = format_ident!("fma_rn_{}", form.ty.ptx);
        // One rounding of the same exact value; −0 as the addend keeps the sign of a zero product.
        let constant = |lane: u64| {
            let bits = (0..form.ty.lanes).fold(0, |bits, i| bits | lane << (i * form.ty.lane_bits()));
            let bits = Literal::u64_unsuffixed(bits);
            quote!(#ty::from_bits(#bits))
        };
        let (one, minus_one, minus_zero) = (constant(0x3F80), constant(0xBF80), constant(0x8000));
        let arguments = match form.instruction() {
            "add" => quote!(a, #one, b),
            "sub" => quote!(b, #minus_one, a),
            "mul" => quote!(a, b, #minus_zero),
            _ => return None,
        };
        return Some((quote!(all(target_arch = "nvptx64", target_feature = "sm_80")), quote!(#fma(#arguments))));
    }
    None
}
