//! The values of kernels: numbers, truth values, and tuples, arrays and structures of them.

use super::soft::Soft;
use super::{Int, Mode, Type, number};

/// A value that a variable, a parameter or an element of a slice may have.
pub trait Value: Copy {
    /// Rounds each float as a variable of this mode holds it.
    #[must_use]
    fn settle(self, mode: Mode) -> Self;
    /// Calls it with the address of each number.
    fn leaves(&self, each: &mut dyn FnMut(usize));
    /// Reads one word for each number.
    fn read(words: &mut dyn FnMut() -> u64, mode: Mode) -> Self;
    /// Writes one word for each number.
    fn write(&self, each: &mut dyn FnMut(u64), mode: Mode);
    /// Marks a product, which keeps its factors for the sum around it.
    #[must_use]
    fn written(self) -> Self {
        self
    }
    /// The types of its numbers.
    fn types(types: &mut Vec<Type>);
    /// The lengths of an array along its axes, or the number of a structure's numbers.
    #[must_use]
    fn rows() -> Vec<usize> {
        Vec::new()
    }
}

impl Value for Soft {
    fn settle(self, mode: Mode) -> Self {
        Self::settle(self, mode)
    }
    fn leaves(&self, each: &mut dyn FnMut(usize)) {
        each(&raw const *self as usize);
    }
    fn read(words: &mut dyn FnMut() -> u64, mode: Mode) -> Self {
        Self::of_bits(words() as u32, mode)
    }
    fn write(&self, each: &mut dyn FnMut(u64), mode: Mode) {
        each(self.bits(mode).into());
    }
    fn written(self) -> Self {
        Self::written(self)
    }
    fn types(types: &mut Vec<Type>) {
        types.push(Type::Float);
    }
}

/// `clamp`, for bounds in any order.
pub trait Bounded {
    /// Clamps it.
    #[must_use]
    fn bounded(self, least: Self, most: Self) -> Self;
}

impl Bounded for Soft {
    fn bounded(self, least: Self, most: Self) -> Self {
        self.clamp(least, most)
    }
}

/// An `as` cast.
pub trait Cast<T> {
    /// Casts it.
    fn cast(self) -> T;
}

impl Cast<Self> for Soft {
    fn cast(self) -> Self {
        self
    }
}

macro_rules! integers {
    ($($T:ident $unsigned:ident)+) => {
        $(
            impl Value for $T {
                fn settle(self, _: Mode) -> Self {
                    self
                }
                fn leaves(&self, each: &mut dyn FnMut(usize)) {
                    each(&raw const *self as usize);
                }
                fn read(words: &mut dyn FnMut() -> u64, _: Mode) -> Self {
                    words() as Self
                }
                fn write(&self, each: &mut dyn FnMut(u64), _: Mode) {
                    each(*self as $unsigned as u64);
                }
                fn types(types: &mut Vec<Type>) {
                    types.push(Type::Int(Int::of(stringify!($T)).expect("it is an integer")));
                }
            }
            impl Bounded for $T {
                fn bounded(self, least: Self, most: Self) -> Self {
                    self.max(least).min(most)
                }
            }
            impl Cast<$T> for Soft {
                fn cast(self) -> $T {
                    self.to_int(Type::Int(Int::of(stringify!($T)).expect("it is an integer"))) as $T
                }
            }
            impl Cast<Soft> for $T {
                fn cast(self) -> Soft {
                    Soft::either(|ty| number::of_int(ty, self as i128))
                }
            }
            impl Cast<$T> for bool {
                fn cast(self) -> $T {
                    self as $T
                }
            }
            casts!($T: i8 u8 i16 u16 i32 u32 i64 u64 usize);
        )+
    };
}
macro_rules! casts {
    ($T:ident: $($U:ident)+) => {
        $(
            impl Cast<$U> for $T {
                fn cast(self) -> $U {
                    self as $U
                }
            }
        )+
    };
}
integers! { i8 u8 u8 u8 i16 u16 u16 u16 i32 u32 u32 u32 i64 u64 u64 u64 usize usize }

impl Value for bool {
    fn settle(self, _: Mode) -> Self {
        self
    }
    fn leaves(&self, each: &mut dyn FnMut(usize)) {
        each(&raw const *self as usize);
    }
    fn read(words: &mut dyn FnMut() -> u64, _: Mode) -> Self {
        words() != 0
    }
    fn write(&self, each: &mut dyn FnMut(u64), _: Mode) {
        each((*self).into());
    }
    fn types(types: &mut Vec<Type>) {
        types.push(Type::Bool);
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn settle(self, mode: Mode) -> Self {
        self.map(|x| x.settle(mode))
    }
    fn leaves(&self, each: &mut dyn FnMut(usize)) {
        self.iter().for_each(|x| x.leaves(each));
    }
    fn read(words: &mut dyn FnMut() -> u64, mode: Mode) -> Self {
        std::array::from_fn(|_| T::read(words, mode))
    }
    fn write(&self, each: &mut dyn FnMut(u64), mode: Mode) {
        self.iter().for_each(|x| x.write(each, mode));
    }
    fn types(types: &mut Vec<Type>) {
        (0..N).for_each(|_| T::types(types));
    }
    fn rows() -> Vec<usize> {
        let mut rows = T::rows();
        rows.insert(0, N);
        rows
    }
}

macro_rules! quotients {
    ($($Of:ident $of:ident $wrapping:ident $Assign:ident $assign:ident;)+) => {
        $(
            /// The operator; integers wrap.
            pub trait $Of<B = Self> {
                /// Its result.
                type Output;
                /// The operator.
                fn $of(self, by: B) -> Self::Output;
            }
            /// The operator of an assignment; integers wrap.
            pub trait $Assign<B = Self> {
                /// The operator.
                fn $assign(&mut self, by: B);
            }
            quotients!($Of $of $wrapping $Assign $assign: i8 u8 i16 u16 i32 u32 i64 u64 usize);
        )+
    };
    ($Of:ident $of:ident $wrapping:ident $Assign:ident $assign:ident: $($T:ty)+) => {
        $(
            impl $Of for $T {
                type Output = Self;
                fn $of(self, by: Self) -> Self {
                    self.$wrapping(by)
                }
            }
            impl $Assign for $T {
                fn $assign(&mut self, by: Self) {
                    *self = self.$wrapping(by);
                }
            }
        )+
    };
}
quotients! {
    Div div wrapping_div DivAssign div_assign;
    Rem rem wrapping_rem RemAssign rem_assign;
}

impl Div for Soft {
    type Output = Self;
    fn div(self, by: Self) -> Self {
        self / by
    }
}

impl DivAssign for Soft {
    fn div_assign(&mut self, by: Self) {
        *self /= by;
    }
}

/// Implements [`Value`] for a structure or a tuple by its parts.
#[macro_export]
macro_rules! value_of_parts {
    ([$($generics:tt)*] $T:ty, $make:expr, $($part:tt $P:ty),+) => {
        impl<$($generics)*> $crate::kernel::Value for $T {
            fn settle(self, mode: $crate::kernel::Mode) -> Self {
                $make($(self.$part.settle(mode)),+)
            }
            fn leaves(&self, each: &mut dyn FnMut(usize)) {
                $(self.$part.leaves(each);)+
            }
            fn read(words: &mut dyn FnMut() -> u64, mode: $crate::kernel::Mode) -> Self {
                $make($(<$P as $crate::kernel::Value>::read(words, mode)),+)
            }
            fn write(&self, each: &mut dyn FnMut(u64), mode: $crate::kernel::Mode) {
                $(self.$part.write(each, mode);)+
            }
            fn types(types: &mut Vec<$crate::kernel::Type>) {
                $(<$P as $crate::kernel::Value>::types(types);)+
            }
            fn rows() -> Vec<usize> {
                let mut types = Vec::new();
                Self::types(&mut types);
                vec![types.len()]
            }
        }
    };
}
value_of_parts!([A: Value] (A,), |a| (a,), 0 A);
value_of_parts!([A: Value, B: Value] (A, B), |a, b| (a, b), 0 A, 1 B);
value_of_parts!([A: Value, B: Value, C: Value] (A, B, C), |a, b, c| (a, b, c), 0 A, 1 B, 2 C);
value_of_parts!([A: Value, B: Value, C: Value, D: Value] (A, B, C, D), |a, b, c, d| (a, b, c, d), 0 A, 1 B, 2 C, 3 D);
value_of_parts!([A: Value, B: Value, C: Value, D: Value, E: Value] (A, B, C, D, E), |a, b, c, d, e| (a, b, c, d, e), 0 A, 1 B, 2 C, 3 D, 4 E);
