//! The bodies of a form's function on `nvptx64`: its instruction where the build's target and PTX
//! version have it, else code with the same bits.
//!
//! A function has up to three bodies, chosen by `cfg`:
//!
//! ```text
//! target and PTX version have the instruction ─► an `asm!` template in `backend/nvptx.rs`
//! a replacement with the same bits exists     ─► such as two f32 instructions for a pair
//! otherwise                                   ─► the reference, in integers
//! ```
//!
//! Compilers differ in `cfg(target_feature)`. Up to 1.96 features begin at `sm_20` and `ptx32`, and
//! a target's default PTX version is not set as a feature. Since 1.97 features begin at `sm_70` and
//! `ptx70`. So a condition names the first sufficient target, the first sufficient version, the
//! targets whose default version suffices, and the oldest ones of 1.97. `--cfg ptxf_ptx88` replaces
//! a feature that 1.96 lacks.
//!
//! A wrong condition changes no bits. `cargo xtask ptx` detects it: that check derives from `FORMS`
//! alone what the PTX of each form has to contain, and shares no code with this file.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{ident, operand_names, operators};
use ptxf_spec::Form;
use ptxf_spec::form::Target as Way;
use ptxf_spec::meaning::Shape;
use ptxf_spec::parse::{Only, Sm};
use ptxf_spec::types::{Kind, Type};

/// A target's number, 90 in `sm_90`, and a PTX ISA version.
type Target = (u32, (u8, u8));

/// Targets with the PTX ISA version that introduced them, which the compiler emits for them by
/// default.
///
/// A target implies all earlier ones (`cfg(target_feature)` is cumulative), so the first with a
/// sufficient version represents the later ones. Compilers since 1.97 begin at [`OLDEST`].
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

/// The oldest target and PTX ISA version of compilers since 1.97; older compilers have features for
/// earlier ones.
const OLDEST: Target = (70, (7, 0));

/// Returns the condition, for `cfg`, under which the build has the instruction.
///
/// Compilers up to 1.96 can emit PTX 8.8, and code for `sm_100f`, but have no target features for
/// either: `--cfg ptxf_ptx88` and `--cfg ptxf_sm_100f` replace these.
pub(super) fn native(form: &Form) -> TokenStream {
    if form.row().until.is_some() {
        // A row of history: no current compiler emits code for its targets.
        return quote!(any());
    }
    let conditions: Vec<_> = form.targets.iter().map(condition).collect();
    match &conditions[..] {
        [one] => quote!(all(target_arch = "nvptx64", #one)),
        all => quote!(all(target_arch = "nvptx64", any(#(#all),*))),
    }
}

/// Returns the condition for one pair of target and version that has the instruction.
fn condition(way: &Way) -> TokenStream {
    let feature = |name: String| quote!(target_feature = #name);
    let sm = way.sm.number;
    let first = |enough: &dyn Fn(&Target) -> bool| {
        let found = TARGETS.iter().find(|t| enough(t)).map(|t| t.0);
        let oldest = found.filter(|sm| *sm < OLDEST.0).map(|_| OLDEST.0);
        found.into_iter().chain(oldest).map(|sm| feature(format!("sm_{sm}"))).collect::<Vec<_>>()
    };
    // Targets such as sm_100a, and families such as sm_100f, are separate features.
    let target = match way.sm.only {
        Only::Later => first(&|t| t.0 >= sm),
        Only::This => vec![feature(format!("sm_{sm}a"))],
        Only::Family => {
            let told = format_ident!("ptxf_sm_{sm}f");
            vec![feature(format!("sm_{sm}f")), quote!(#told)]
        }
    };
    if TARGETS.iter().find(|t| t.0 >= sm).is_some_and(|t| t.1 >= way.ptx) {
        // The target's default version has the instruction.
        return quote!(any(#(#target),*));
    }
    let implying = first(&|t| t.1 >= way.ptx);
    let Some(first) = VERSIONS.iter().find(|v| **v >= way.ptx) else {
        // No compiler emits this version so far; one that does will have the feature.
        let version = feature(format!("ptx{}{}", way.ptx.0, way.ptx.1));
        return quote!(all(any(#(#target),*), #version));
    };
    let oldest = (way.ptx < OLDEST.1).then_some(&OLDEST.1);
    let version = [first].into_iter().chain(oldest).map(|v| feature(format!("ptx{}{}", v.0, v.1)));
    quote!(all(any(#(#target),*), any(#(#implying,)* #(#version,)* ptxf_ptx88)))
}

/// Returns the instruction: lines of PTX, with a register class for the result and for each
/// operand.
///
/// Rust's `asm!` has no registers for predicates or for 8 bits. An instruction with such operands
/// gets registers of its own, and moves before and after it.
pub(super) fn instruction(form: &Form) -> TokenStream {
    let result = form.signature.result;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut operands = Vec::new();
    for (operand, ty) in form.inputs().zip(&form.signature.operands) {
        let (text, name) = (&operand.name.text, ident(&operand.name.text));
        let class = class(ty);
        let value = match (ty.kind, ty.bits(), ty.has_methods()) {
            (Kind::Predicate, ..) => {
                before.push(format!(".reg .pred {text};"));
                before.push(format!("setp.ne.u32 {text}, {{{text}}}, 0;"));
                quote!(u32::from(#name))
            }
            (kind, 8, has_methods) => {
                before.push(format!(".reg .b8 {text}, {text}_;"));
                before.push(format!("mov.b16 {{{{{text}, {text}_}}}}, {{{text}}};"));
                match kind {
                    _ if has_methods => quote!(u16::from(#name.to_bits())),
                    Kind::Integer { signed: true } => quote!(u16::from(#name.cast_unsigned())),
                    _ => quote!(u16::from(#name)),
                }
            }
            (_, _, true) => quote!(#name.to_bits()),
            _ => quote!(#name),
        };
        operands.push(quote!(#name: #class = #value));
    }
    let destination = match (result.kind, result.bits()) {
        (Kind::Predicate, 1) => {
            before.push(".reg .pred p;".to_owned());
            after.push("selp.u32 {d}, 1, 0, p;".to_owned());
            "p"
        }
        (Kind::Predicate, _) => {
            before.push(".reg .pred p, q;".to_owned());
            after.extend(["selp.u32 {d}, 1, 0, p;".to_owned(), "@q or.b32 {d}, {d}, 2;".to_owned()]);
            "p|q"
        }
        (_, 8) => {
            before.push(".reg .b8 d;".to_owned());
            after.push("mov.b16 {d}, {{d, 0}};".to_owned());
            "d"
        }
        _ => "{d}",
    };
    let is_local =
        |name: &str| form.inputs().zip(&form.signature.operands).any(|(o, t)| o.name.text == name && !fits(t));
    let line = form.line(|o| if is_local(&o.name.text) { o.name.text.clone() } else { format!("{{{}}}", o.name.text) });
    // The part of the line after the operators.
    let names: String = form.names().iter().map(|name| format!(".{name}")).collect();
    let rest = format!("{names} {destination}, {};", escape_vector(&line));
    if !before.is_empty() {
        before.insert(0, "{{".to_owned());
        after.push("}}".to_owned());
    }
    let (instruction, class) = (form.instruction(), class(result));
    let lines = quote!([#(#before),*] #instruction #rest [#(#after),*] #class #(#operands),*);
    let call = match operators(form)[..] {
        [] => quote!(nvptx::instruction!(() #lines)),
        [(comparison, ty)] => {
            let (comparison, ty) = (ident(comparison), ident(ty));
            quote!(nvptx::compared!(#ty #comparison "" (#lines)))
        }
        [(comparison, ty), (boolean, _), ..] => {
            let (comparison, ty, boolean) = (ident(comparison), ident(ty), ident(boolean));
            quote!(nvptx::combined!(#ty #comparison #boolean (#lines)))
        }
    };
    let narrow = result.bits() == 8;
    match result.kind {
        Kind::Predicate if result.lanes == 1 => quote!({ let d: u32 = #call; d != 0 }),
        Kind::Predicate => quote!({ let d: u32 = #call; (d & 1 != 0, d & 2 != 0) }),
        Kind::Integer { signed: true } if narrow => quote!({ let d: u16 = #call; (d as u8).cast_signed() }),
        _ if result.has_methods() => {
            let (ty, d) = (ident(result.rust), if narrow { quote!({ let d: u16 = #call; d as u8 }) } else { call });
            quote!(#ty::from_bits(#d))
        }
        _ if narrow => quote!({ let d: u16 = #call; d as u8 }),
        _ => call,
    }
}

/// Returns `true` if `asm!` has registers of the type's width.
fn fits(ty: &Type) -> bool {
    ty.bits() > 8
}

/// Returns the register class of a type, or the wider one that holds it.
fn class(ty: &Type) -> Ident {
    let bits = match ty.kind {
        Kind::Predicate => 32,
        _ => ty.bits().max(16),
    };
    format_ident!("reg{bits}")
}

/// Doubles the braces of a vector, since `asm!` uses single ones for its operands.
fn escape_vector(line: &str) -> String {
    line.replace("{{", "{{{").replace("}}", "}}}")
}

/// A replacement for targets that lack the instruction: the same bits in fewer instructions than
/// the reference takes.
pub(super) enum Replacement {
    /// This form on each lane.
    Lanes(String),
    /// This form with other operands, or something done to its result.
    Through(String),
}

/// Returns the replacement of a form for targets that lack it; `None` if there is none.
///
/// A pair of f32 has the scalar form, a sum or product of bf16 the `fma`, a packed conversion the
/// scalar one, and a comparison whose result is all ones the comparison whose result is 1.0.
pub(super) fn replacement(form: &Form) -> Option<Replacement> {
    let (types, spelling) = (&form.types, form.spelling());
    if form.operand().ptx == "f32x2" && types_alike(form) {
        return Some(Replacement::Lanes(spelling.replace(".f32x2", ".f32")));
    }
    if let Some(scalar) = earlier_scalar(form) {
        return Some(Replacement::Lanes(scalar.spelling()));
    }
    if is_set_of_halves(form) {
        return Some(Replacement::Through(spelling.replace(&format!(".{}.", types[0].ptx), ".f16x2.")));
    }
    if let Some((wide, _)) = widened(form) {
        return Some(Replacement::Through(wide.spelling()));
    }
    let by_fma =
        types_alike(form) && form.operand().lane == "bf16" && matches!(form.instruction(), "add" | "sub" | "mul");
    by_fma.then(|| Replacement::Through(format!("fma.rn.{}", form.operand().ptx)))
}

/// Returns `true` if operands and result have one type.
fn types_alike(form: &Form) -> bool {
    form.types.len() == 1
}

/// Returns the conversion of a scalar that computes a lane of the packed one, if earlier targets
/// have it.
fn earlier_scalar(form: &Form) -> Option<&'static Form> {
    let spelling = form.spelling().replace(form.types[0].ptx, form.types[0].lane);
    let table = ptxf_spec::table().ok().filter(|_| form.meaning().shape == Shape::Pack)?;
    table.canonical().find(|f| f.spelling() == spelling).filter(|f| f.targets != form.targets)
}

/// Returns the form on f32 that equals a mixed one after its narrow operands are converted, and
/// that conversion.
fn widened(form: &Form) -> Option<(&'static Form, &'static Form)> {
    let table = ptxf_spec::table().ok().filter(|_| form.meaning().shape == Shape::Mixed)?;
    let named = |spelling: String| table.canonical().find(|f| f.spelling() == spelling);
    let narrow = format!(".{}", form.operand().ptx);
    let wide = named(form.spelling().trim_end_matches(&narrow).to_owned())?;
    Some((wide, named(format!("cvt.{}{narrow}", form.signature.result.ptx))?))
}

/// Returns `true` if the form compares 16-bit floats and its result is all ones. Early PTX has only
/// 1.0 as a result.
fn is_set_of_halves(form: &Form) -> bool {
    form.meaning().shape == Shape::Compare && form.operand().ptx == "f16x2" && form.types[0].ptx != "f16x2"
}

/// Returns the condition for the replacement, and its code.
pub(super) fn substitute(form: &Form) -> Option<(TokenStream, TokenStream)> {
    let operands = operand_names(form);
    let ty = ident(form.operand().rust);
    let device = quote!(target_arch = "nvptx64");
    if form.operand().ptx == "f32x2" && types_alike(form) {
        let scalar = format_ident!("{}_f32", form.method());
        let (low, high) = (operands.iter().map(|o| quote!(#o.lo())), operands.iter().map(|o| quote!(#o.hi())));
        let call = quote!(#ty::from_lo_hi(#scalar(#(#low),*), #scalar(#(#high),*)));
        return Some((device, call));
    }
    if let Some(scalar) = earlier_scalar(form) {
        let (condition, scalar) = (native(scalar), ident(&scalar.function()));
        let pair = ident(form.types[0].rust);
        return Some((condition, quote!(#pair::from_bits(nvptx::pack!(#scalar(b).to_bits(), #scalar(a).to_bits())))));
    }
    if is_set_of_halves(form) {
        let numbers = ident(&form.function().replace(&format!("_{}_", form.types[0].ptx), "_f16x2_"));
        let condition = condition(&Way { ptx: (4, 2), sm: Sm { number: 53, only: Only::Later } });
        let operators = operators(form).into_iter().map(|(name, _)| ident(name));
        // Bit 10 distinguishes 1.0 from 0.
        let ones = quote!((#numbers(#(#operators,)* #(#operands),*).to_bits() >> 10 & 0x0001_0001) * 0xFFFF);
        let cast = (form.signature.result.rust != "u32").then(|| quote!(.cast_signed()));
        return Some((quote!(all(#device, #condition)), quote!((#ones)#cast)));
    }
    if let Some((wide, cvt)) = widened(form) {
        let condition = native(cvt);
        let (wide, cvt) = (ident(&wide.function()), ident(&cvt.function()));
        let (c, narrow) = operands.split_last()?;
        return Some((condition, quote!(#wide(#(#cvt(#narrow),)* #c))));
    }
    if types_alike(form) && form.operand().lane == "bf16" {
        let fma = format_ident!("fma_rn_{}", form.operand().ptx);
        // Both round the same exact value once; −0 as the addend keeps the sign of a zero product.
        let constant = |lane: u64| {
            let bits = (0..form.operand().lanes).fold(0, |bits, i| bits | lane << (i * form.operand().lane_bits));
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
        return Some((quote!(all(#device, target_feature = "sm_80")), quote!(#fma(#arguments))));
    }
    None
}
