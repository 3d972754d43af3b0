//! The macros in a crate that names the library `px`, has no prelude, gives another meaning to
//! every name that an expansion could use, and denies every lint.

#![no_std]
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, future_incompatible, keyword_idents, let_underscore, nonstandard_style, rust_2018_idioms, unused)]
#![deny(
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

pub mod kernels;

/// Shadows `::core`.
pub mod core {}
/// Shadows `::std`.
pub mod std {}
/// Shadows the facade.
pub mod ptxf {}
/// Shadows the core crate.
pub mod ptxf_core {}
/// Shadows the macros' crate.
pub mod ptxf_macros {}
/// Shadows the functions.
pub mod ptx {}

/// Shadows the prelude's variants and the library's types.
pub mod shadows {
    #![expect(non_camel_case_types, reason = "primitive types are what is shadowed")]
    #![expect(
        missing_docs,
        missing_copy_implementations,
        missing_debug_implementations,
        reason = "names without a meaning"
    )]

    pub struct Some;
    pub struct None;
    pub struct F16;
    pub struct f32;
    pub struct u16;
    pub struct u32;
    pub struct bool;
}

/// `2^(a²)`, by lines.
#[must_use]
pub fn lines(a: ::px::F16x2) -> ::px::F16x2 {
    #[expect(unused_imports, reason = "an expansion must not see them")]
    use crate::shadows::*;

    ::px::ptx! {
        mul.rn.f16x2      t, a, a;
        ex2.approx.f16x2  d, t;
    }
    d
}

/// `2^(a²)`, as an expression.
#[must_use]
pub fn expression(a: ::px::F16x2) -> ::px::F16x2 {
    #[expect(unused_imports, reason = "an expansion must not see them")]
    use crate::shadows::*;

    ::px::ptx! {
        mul.rn.f16x2  t, a, a;
        ex2.approx.f16x2(t)
    }
}

/// A user's macro around `ptx!`: its names and the caller's are distinct.
#[macro_export]
macro_rules! square {
    ($x:expr, $plus:expr) => {{
        ::px::ptx! { mul.rn.f32 t, $x, $x; }
        ::px::ptx!(add.rn.f32(t, $plus))
    }};
}

#[::core::prelude::v1::test]
fn bits() {
    let a = ::px::F16x2::from_bits(0x3c00_c000); // (-2.0, 1.0)
    ::core::assert_eq!(lines(a).to_bits(), 0x4000_4c00);
    ::core::assert_eq!(expression(a).to_bits(), 0x4000_4c00);
    let t = 0.5;
    ::core::assert_eq!(square!(3.0, t).to_bits(), 0x4118_0000);
    ::core::assert!(::px::ptx!(testp.finite.f32(t)));
    ::core::assert!(::pc::ptx!(testp.finite.f32(t)));
}
