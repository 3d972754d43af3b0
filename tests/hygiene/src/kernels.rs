//! Kernels, `#[ptx_fn]`s and tables in a module where `f32` is a structure, every type has a `set`
//! and a `from`, and a kernel has the name of a keyword.

/// The macros as the kernels see them.
macro_rules! shadow {
    ($($name:ident)*) => {$(
        #[expect(unused_macros, reason = "an expansion must not see them")]
        macro_rules! $name {
            () => {};
        }
    )*};
}
shadow! { assert debug_assert panic quote concat compile_error cfg stringify }

mod all;

pub use all::{TWICE, UP_TO_ONE, clipped, generic, looked_up, turned, r#type};
#[expect(deprecated, reason = "to see that its own parts may use it")]
pub use all::{never_called, old, plain};

/// The names as the kernels see them. An expansion names the kernel's types once more, so that
/// imports are not reported as unused. Any type is possible.
mod named {
    #![expect(unreachable_pub, reason = "names without a meaning")]

    pub struct F16x2;
    pub struct Bf16x2;
    pub struct F32x2;
    pub struct ThreadX;
    pub struct LocalX;
}

mod shadows {
    #![expect(non_camel_case_types, reason = "primitive types are what is shadowed")]
    #![expect(dead_code, unreachable_pub, reason = "names without a meaning")]
    #![expect(clippy::new_ret_no_self, reason = "names without a meaning")]

    pub struct f32;
    pub struct f64;
    pub struct bool;
    pub struct u32;
    pub struct i32;
    pub struct u64;
    pub struct usize;
    pub struct str;
    pub struct F16;
    pub struct Bf16;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct Option;
    pub struct Result;
    pub struct Default;
    pub struct Clone;
    pub struct Copy;
    pub struct From;
    pub struct Into;
    pub struct In;
    pub struct Out;
    pub struct Grid;
    pub struct Element;
    pub struct Body;
    pub mod core {}
    pub mod std {}
    pub mod ptxf {}
    pub mod px {}
    pub mod kernel {}

    /// Implemented for every type, with the names of methods of the library's types.
    pub trait Meddler {
        fn set(&self) {}
        fn get(&self) {}
        fn len(&self) {}
        fn at(&self) {}
        fn thread(&self) {}
        fn group(&self) {}
        fn groups(&self) {}
        fn as_in(&self) {}
        fn mask(&self) {}
        fn into(&self) {}
        fn clone(&self) {}
        fn index(&self) {}
        fn require_axes(&self) {}
        fn from() {}
        fn new() {}
        fn default() {}
        fn of_launch() {}
        fn cvt_rn() {}
        fn one() {}
        fn lanes() {}
    }
    impl<T: ?::core::marker::Sized> Meddler for T {}

    /// The same by value.
    pub trait Taker: ::core::marker::Sized {
        fn set(self) {}
        fn get(self) {}
        fn len(self) {}
        fn at(self) {}
        fn into(self) {}
        fn mask(self) {}
        fn and(self) {}
        fn any(self) {}
    }
    impl<T> Taker for T {}
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "the results are exact")]

    use ::px::kernel::Grid as Threads;
    use ::px::{Bf16 as Brain, F16 as Half};

    use super::{TWICE, UP_TO_ONE, looked_up, turned, r#type};
    #[expect(deprecated, reason = "what is tested")]
    use super::{old, plain};

    const X: [::core::primitive::f32; 8] = [1.0, -2.0, 3.0, 0.5, 4.0, -0.25, 8.0, 2.0];

    fn halves(x: [::core::primitive::f32; 8]) -> [Half; 8] {
        x.map(Half::from_f32)
    }

    fn eight() -> Threads {
        ::core::convert::From::from(8)
    }

    #[::core::prelude::v1::test]
    fn converted() {
        let (x, counts) = (halves(X), [0, 5, -3, 2, 1, 0, 0, 7]);
        let mut scalar = [Half::ZERO; 8];
        r#type::scalar(eight(), 7, 0.5, true, &x, &counts, &mut scalar);
        ::core::assert_eq!(scalar.map(Half::to_f32), [7.0, 10.5, 10.5, 8.5, 15.0, 12.0, 12.0, 0.0]);
        for sibling in [r#type::pair, r#type::wide] {
            let mut out = [Half::ZERO; 8];
            sibling(eight(), 7, 0.5, true, &x, &counts, &mut out);
            ::core::assert_eq!(out, scalar);
        }
        let mut single = [0.0; 8];
        r#type::f32(eight(), 7, 0.5, true, &X, &counts, &mut single);
        ::core::assert_eq!(single, scalar.map(Half::to_f32));
        ::core::assert!(r#type::PLAN.starts_with("type: two threads"));
    }

    #[::core::prelude::v1::test]
    fn in_blocks() {
        let x = X.map(Brain::from_f32);
        for sibling in [turned::scalar, turned::pair, turned::wide] {
            let mut out = [Brain::ZERO; 8];
            sibling(eight(), &x, &mut out);
            ::core::assert_eq!(out, x);
        }
    }

    #[::core::prelude::v1::test]
    fn others() {
        #[expect(deprecated, reason = "what is tested")]
        let siblings = [old::f32, old::scalar, old::pair, old::wide];
        for sibling in siblings {
            let mut out = [0.0; 8];
            sibling(eight(), &[4.0; 8], 1.5, &mut out);
            ::core::assert_eq!(out, [3.0; 8]);
        }
        let mut out = [0; 8];
        #[expect(deprecated, reason = "what is tested")]
        plain::launch(eight(), 3, &[5; 8], &mut out);
        ::core::assert_eq!(out, [15; 8]);
    }

    #[::core::prelude::v1::test]
    fn tables() {
        ::core::assert_eq!(TWICE.get(Half::ONE).to_f32(), 2.0);
        ::core::assert_eq!(UP_TO_ONE.get(Brain::from_f32(7.0)), Brain::ONE);
        let mut out = [Half::ZERO; 8];
        looked_up::wide(eight(), &halves(X), &mut out);
        ::core::assert_eq!(out, halves(X.map(|x| x + x)));
    }
}
