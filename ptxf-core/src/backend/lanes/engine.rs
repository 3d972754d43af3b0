//! The operations of an engine: all vector code is written in them.
//!
//! An engine is a value that represents a CPU's instructions. Its views have the operations for one
//! kind of lane, under the same names everywhere: `e.u16()` and `e.u32()` are integers ([`Ints`],
//! [`Words`]), `e.f32()` and `e.f64()` floats ([`Floats`], [`Doubles`]). The vectors of all views
//! have the same size. A vector of binary32 lanes is a vector of `u32` ([`V32`]).
//!
//! *One lane or many.* [`Engine`] has the operations on one vector. [`Vectors`] adds operations for
//! lanes side by side: memory, masks, and the conversion of one vector of 16-bit lanes to two of
//! binary32 lanes. Lanes are in the order of the memory, except between `widen_f16` or `widen_bf16`
//! and the inverse operation, where the engine chooses the order. The portable engine is one lane,
//! and implements only `Engine`.
//!
//! *Optional operations.* Each group is a type, and a function returns its value if the engine has
//! it: [`Lookup`], [`Pieces`], [`Directed`], [`ArithmeticF16`], [`Stream`]. An engine without a
//! group uses [`Absent`], a type without values, so that code for the group is not compiled.
//!
//! *Safety.* Only `unsafe` code in a function that enables the engine's instructions creates a
//! value of the engine (see [`levels`](super::levels)). The operations are `inline(always)`.
//! Neither they nor their callers use closures, since a closure does not enable the instructions
//! and would stay a call.
// Invariant: a value of an engine exists only where the CPU has its instructions; pointers are valid for the lanes that a call names.

use crate::int::Int;
use crate::modifiers::Round;

/// A vector of 16-bit lanes.
pub(crate) type V16<E> = <<E as Engine>::U16 as Ints<u16>>::V;
/// A vector of 32-bit lanes, binary32 values or integers.
pub(crate) type V32<E> = <<E as Engine>::U32 as Ints<u32>>::V;
/// As many binary64 lanes as [`V32`] has.
pub(crate) type V64<E> = <<E as Engine>::F64 as Doubles>::V;
/// A truth value per 16-bit lane.
pub(crate) type M16<E> = <<E as Engine>::U16 as Ints<u16>>::M;
/// A truth value per 32-bit lane.
pub(crate) type M32<E> = <<E as Engine>::U32 as Ints<u32>>::M;

/// Integer lanes.
pub(crate) trait Ints<B: Int>: Copy {
    /// A vector.
    type V: Copy;
    /// A truth value per lane.
    type M: Copy;

    fn splat(self, x: B) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sign bit in every bit.
    fn broadcast_sign(self, a: Self::V) -> Self::V;
    /// The larger as signed integers.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller as signed integers.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a > b` as signed integers.
    fn gt(self, a: Self::V, b: Self::V) -> Self::M;
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M;
    fn any(self, m: Self::M) -> bool;
    fn select(self, m: Self::M, yes: Self::V, no: Self::V) -> Self::V;
}

/// Integer lanes of 32 bits.
pub(crate) trait Words: Ints<u32> {
    /// `a + b`, wrapping.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a << k`
    fn shl(self, a: Self::V, k: u32) -> Self::V;
    /// `a >> k`, zeros from above.
    fn shr(self, a: Self::V, k: u32) -> Self::V;
}

/// Binary32 lanes.
///
/// The bits of a NaN result are any NaN's until [`finish`](Self::finish) makes it the canonical
/// one.
pub(crate) trait Floats: Copy {
    /// A vector.
    type V: Copy;
    /// A truth value per lane.
    type M: Copy;
    /// The operations that round in any direction.
    type Directed: Directed<Self::V>;
    /// `true` if [`mul_add`](Self::mul_add) rounds once.
    const FUSED: bool;

    fn splat(self, x: f32) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `1 / √a`, rounded once to nearest.
    fn rsqrt(self, a: Self::V) -> Self::V;
    /// `a × b + c`, rounded once or twice.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The larger number, `b` if it or `a` is a NaN.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller number, `b` if it or `a` is a NaN.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a < b`, false for a NaN.
    fn lt(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a <= b`, false for a NaN.
    fn le(self, a: Self::V, b: Self::V) -> Self::M;
    /// `a == b`, false for a NaN.
    fn eq(self, a: Self::V, b: Self::V) -> Self::M;
    /// Returns a mask of the lanes in which `a` or `b` is a NaN.
    fn unordered(self, a: Self::V, b: Self::V) -> Self::M;

    /// `a + b`, rounded once as `rnd` says.
    fn add_rnd(self, rnd: Round, a: Self::V, b: Self::V) -> Self::V;
    /// `a × b`, rounded once as `rnd` says.
    fn mul_rnd(self, rnd: Round, a: Self::V, b: Self::V) -> Self::V;
    /// `a × b + c`, rounded once as `rnd` says.
    fn fma_rnd(self, rnd: Round, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a × b + c` of f16 values: a binary32 value that rounds to the f16 result.
    fn fma_f16(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a × b + c` of bf16 values: a binary32 value that rounds to the bf16 result.
    fn fma_bf16(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a` rounded to an integer as `rnd` says; a zero keeps the sign.
    fn integral(self, rnd: Round, a: Self::V) -> Self::V;
    /// Rounds `a` to a signed 32-bit integer as `rnd` says: −2^31 for smaller numbers, and any
    /// integer for larger ones and NaN.
    fn to_i32(self, rnd: Round, a: Self::V) -> Self::V;
    /// Converts a signed 32-bit integer to the nearest number.
    fn of_i32(self, a: Self::V) -> Self::V;
    /// A NaN becomes `nan`, and every other value itself; or `.relu` on top; or `.sat`, for which a
    /// NaN is a zero.
    fn finish(self, end: End, nan: u32, x: Self::V) -> Self::V;

    /// If the CPU has them.
    fn directed(self) -> Option<Self::Directed>;
}

/// The last modifier of an arithmetic result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Plain,
    Relu,
    Sat,
}

/// Binary64 lanes, in which functions of f32 are computed before rounding.
///
/// Products that are said to be exact are so at every engine. On whether [`mul_add`](Self::mul_add)
/// rounds once or twice nothing may depend but an error's last bits, unless it asks.
#[inline_in_release]
pub(crate) trait Doubles: Copy {
    /// A vector.
    type V: Copy;
    /// `true` if [`mul_add`](Self::mul_add) rounds once.
    const FUSED: bool;

    fn splat(self, x: f64) -> Self::V;
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a × b + c`, rounded once or twice.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a + b` of the bits as integers, wrapping.
    fn add_bits(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a << k` of the bits.
    fn shl(self, a: Self::V, k: u32) -> Self::V;
    /// `a >> k` of the bits, zeros from above.
    fn shr(self, a: Self::V, k: u32) -> Self::V;

    /// The vector of these bits.
    fn splat_bits(self, x: u64) -> Self::V {
        self.splat(f64::from_bits(x))
    }
}

/// The operations on one vector, which may be a single lane.
#[inline_in_release]
pub(crate) trait Engine: Copy {
    type U16: Ints<u16>;
    type U32: Words;
    type F32: Floats<V = V32<Self>, M = M32<Self>>;
    type F64: Doubles;
    type Lookup: Lookup<V32<Self>, M32<Self>>;
    type Pieces: Pieces<V32<Self>>;

    fn u16(self) -> Self::U16;
    fn u32(self) -> Self::U32;
    fn f32(self) -> Self::F32;
    fn f64(self) -> Self::F64;
    /// The values of binary32 lanes in binary64, exactly.
    fn widen_f32(self, x: V32<Self>) -> V64<Self>;
    /// `a / b` but for a part of 2^-51, of numbers that are neither near the largest nor the
    /// smallest ones; a NaN if one is.
    fn quotient(self, a: V64<Self>, b: V64<Self>) -> V64<Self> {
        self.f64().div(a, b)
    }
    /// The values in binary32, rounded to nearest; and the lower halves of the bits.
    fn narrow_f64(self, x: V64<Self>) -> [V32<Self>; 2];
    /// The entries that the last three bits of the lanes name.
    fn entry(self, entries: &[f32; 8], index: V32<Self>) -> V32<Self>;
    /// If the CPU looks up lanes, and [`Floats::mul_add`] rounds once.
    fn lookup(self) -> Option<Self::Lookup>;
    /// If the CPU has what functions in 32 pieces are made of, and [`Floats::mul_add`] rounds once.
    fn pieces(self) -> Option<Self::Pieces>;
}

/// The views of an engine whose value is each of them.
macro_rules! views {
    () => {
        type U16 = Self;
        type U32 = Self;
        type F32 = Self;
        type F64 = Self;
        #[inline_in_release]
        fn u16(self) -> Self {
            self
        }
        #[inline_in_release]
        fn u32(self) -> Self {
            self
        }
        #[inline_in_release]
        fn f32(self) -> Self {
            self
        }
        #[inline_in_release]
        fn f64(self) -> Self {
            self
        }
    };
}
pub(super) use views;

/// The optional groups of an engine, each of which it lacks or is itself.
macro_rules! groups {
    ($($group:ident $function:ident $has:tt;)*) => {$(
        type $group = $crate::backend::lanes::engine::groups!(@type $has);
        #[inline_in_release]
        fn $function(self) -> Option<Self::$group> {
            $crate::backend::lanes::engine::groups!(@value $has self)
        }
    )*};
    (@type Absent) => { $crate::backend::lanes::engine::Absent };
    (@type Self) => { Self };
    (@value Absent $e:expr) => { None };
    (@value Self $e:expr) => { Some($e) };
}
pub(super) use groups;

/// Functions of an engine that are operators of Rust, with casts of the operands and the result.
macro_rules! operators {
    ($v:ty, $of:tt => $to:tt: $($function:ident $operator:tt)*) => {$(
        #[inline_in_release]
        fn $function(self, a: $v, b: $v) -> $v {
            operators!(@ $to (operators!(@ $of a) $operator operators!(@ $of b)))
        }
    )*};
    (@ [same] $x:expr) => { $x };
    (@ [$($cast:tt)*] $x:expr) => { $($cast)*($x) };
}
pub(super) use operators;

/// Vectors in memory, lanes in its order.
#[inline_in_release]
pub(crate) trait Memory<B: Int>: Ints<B> {
    /// Lanes of a vector.
    const N: usize;

    /// # Safety
    /// `p` is valid for reading `N` lanes.
    unsafe fn load(self, p: *const B) -> Self::V;
    /// # Safety
    /// `p` is valid for writing `N` lanes.
    unsafe fn store(self, p: *mut B, x: Self::V);
    /// The first `n < N` lanes; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading `n` lanes.
    unsafe fn load_n(self, p: *const B, n: usize) -> Self::V;
    /// Stores the first `n < N` lanes.
    ///
    /// # Safety
    /// `p` is valid for writing `n` lanes.
    unsafe fn store_n(self, p: *mut B, n: usize, x: Self::V);
    /// The lanes of `bits`, whose bit `i` stands for lane `i`; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading those lanes.
    unsafe fn load_masked(self, p: *const B, bits: u32) -> Self::V;
    /// Stores the lanes of `bits`.
    ///
    /// # Safety
    /// `p` is valid for writing those lanes.
    unsafe fn store_masked(self, p: *mut B, bits: u32, x: Self::V);
    /// The lanes at `p`, `p + step` and so on. `step` is below 2^21, and so is `-step`.
    ///
    /// # Safety
    /// All that is between the lanes is valid for reading.
    unsafe fn load_strided(self, p: *const B, step: i32) -> Self::V;

    /// The first `N` elements.
    fn read(self, from: &[B]) -> Self::V {
        assert!(from.len() >= Self::N);
        // SAFETY: the slice is that long.
        unsafe { self.load(from.as_ptr()) }
    }
    /// Overwrites the first `N` elements.
    fn write(self, to: &mut [B], x: Self::V) {
        assert!(to.len() >= Self::N);
        // SAFETY: the slice is that long.
        unsafe { self.store(to.as_mut_ptr(), x) }
    }
}

/// Masks of 16-bit lanes. Bit `i` of a bitmask stands for lane `i`, in the order of the memory.
/// Bits beyond the lanes are ignored.
pub(crate) trait Masks: Engine {
    fn mask_to_bits(self, m: M16<Self>) -> u32;
    fn mask_from_bits(self, bits: u32) -> M16<Self>;
    fn all(self, m: M16<Self>) -> bool;
    fn mask_and(self, a: M16<Self>, b: M16<Self>) -> M16<Self>;
    /// `a & !b`
    fn mask_and_not(self, a: M16<Self>, b: M16<Self>) -> M16<Self>;
    /// The same for two vectors of 32-bit lanes, in the order of the memory.
    fn widen_mask(self, m: M16<Self>) -> [M32<Self>; 2];
    /// Undoes [`widen_mask`](Self::widen_mask).
    fn narrow_mask(self, m: [M32<Self>; 2]) -> M16<Self>;
}

/// Lanes side by side.
#[inline_in_release]
pub(crate) trait Vectors: Masks + Engine<U16: Memory<u16>, U32: Memory<u32>> {
    type F16: ArithmeticF16<V16<Self>, M16<Self>>;
    /// The form of an f16 vector between operations. Some CPUs convert f16 in two parts, and then
    /// this type is the two parts. Joining and splitting them takes about as long as a sum, and the
    /// compiler does not remove the pair from one iteration of a loop to the next.
    type F16Register: Copy;
    type Stream: Stream<u8, V16<Self>> + Stream<u16, V16<Self>> + Stream<u32, V32<Self>>;
    /// The conversions that are faster by lookup.
    const LISTS: Lists;
    /// `true` if checking two vectors for a NaN is faster than making the NaNs of both canonical.
    const FINDS_NANS: bool;
    /// `true` if checking operands for subnormal numbers is faster than flushing them. The check is
    /// slower on CPUs without a minimum of integers.
    const FINDS_SUBNORMALS: bool;

    /// Returns a mask of the lanes in which `x` or `y` is subnormal.
    fn subnormal(self, x: V32<Self>, y: V32<Self>) -> M32<Self>;
    /// [`widen_f16`](Self::widen_f16) of a vector in memory.
    ///
    /// # Safety
    /// As [`Memory::load`].
    unsafe fn load_f16(self, p: *const u16) -> [V32<Self>; 2];
    /// Stores what [`narrow_f16`](Self::narrow_f16) returns.
    ///
    /// # Safety
    /// As [`Memory::store`].
    unsafe fn store_f16(self, p: *mut u16, x: [V32<Self>; 2]);
    fn widen_f16(self, x: V16<Self>) -> [V32<Self>; 2];
    fn widen_bf16(self, x: V16<Self>) -> [V32<Self>; 2];
    /// Rounds to nearest even; a NaN must be `0x7FFF_FFFF`.
    fn narrow_f16(self, x: [V32<Self>; 2]) -> V16<Self>;
    /// The upper halves of lanes, in the order of [`widen_bf16`](Self::widen_bf16).
    fn upper_halves(self, x: [V32<Self>; 2]) -> V16<Self>;
    /// Rounds to nearest even; a NaN must be `0x7FFF_0000`.
    fn narrow_bf16(self, x: [V32<Self>; 2]) -> V16<Self>;
    /// Rounds to f16 as `rnd` says, in the order of the memory; a NaN must be `0x7FFF_FFFF`.
    fn round_f16(self, rnd: Round, x: [V32<Self>; 2]) -> V16<Self>;
    /// 16-bit lanes as the lower halves of 32-bit lanes, in the order of the memory.
    fn widen_u16(self, x: V16<Self>) -> [V32<Self>; 2];
    /// The lower halves of 32-bit lanes, whose upper halves are 0; undoes
    /// [`widen_u16`](Self::widen_u16).
    fn narrow_u32(self, x: [V32<Self>; 2]) -> V16<Self>;

    /// As many bytes as a vector has, as the lower quarters of 32-bit lanes, in the order of the
    /// memory.
    ///
    /// # Safety
    /// `p` is valid for reading so many bytes.
    unsafe fn load_u8(self, p: *const u8) -> [V32<Self>; 4];
    /// The lower quarters of 32-bit lanes, whose other bits are 0, side by side.
    fn narrow_u8(self, x: [V32<Self>; 4]) -> V16<Self>;
    /// Stores what [`narrow_u8`](Self::narrow_u8) returns.
    ///
    /// # Safety
    /// `p` is valid for writing as many bytes as a vector has.
    unsafe fn store_u8(self, p: *mut u8, x: V16<Self>);

    /// Converts a vector to the register form.
    fn to_register(self, x: V16<Self>) -> Self::F16Register;
    /// Undoes [`to_register`](Self::to_register).
    fn to_vector(self, x: Self::F16Register) -> V16<Self>;
    /// Returns [`widen_f16`](Self::widen_f16) of a vector in register form.
    fn widen_register(self, x: Self::F16Register) -> [V32<Self>; 2] {
        self.widen_f16(self.to_vector(x))
    }
    /// Returns the result of [`narrow_f16`](Self::narrow_f16) in register form.
    fn narrow_to_register(self, x: [V32<Self>; 2]) -> Self::F16Register {
        self.to_register(self.narrow_f16(x))
    }
    /// `yes` where `m` is set.
    fn select_registers(self, m: M16<Self>, yes: Self::F16Register, no: Self::F16Register) -> Self::F16Register;

    /// Runs the task, in some engines as a separate function. The task then takes no registers from
    /// a loop that seldom runs it.
    fn cold_path<W: Work<Self>>(self, work: W) -> W::Output {
        work.run(self)
    }
    /// If the CPU computes with f16.
    fn f16(self) -> Option<Self::F16>;
    /// If the CPU stores past its caches.
    fn stream(self) -> Option<Self::Stream>;
}

/// The items of an engine whose f16 registers are whole vectors.
#[allow(unused_macros, reason = "a build may have no engine that says so")]
macro_rules! vectors_are_registers {
    () => {
        type F16Register = $crate::backend::lanes::engine::V16<Self>;
        #[inline_in_release]
        fn to_register(
            self,
            x: $crate::backend::lanes::engine::V16<Self>,
        ) -> $crate::backend::lanes::engine::V16<Self> {
            x
        }
        #[inline_in_release]
        fn to_vector(self, x: $crate::backend::lanes::engine::V16<Self>) -> $crate::backend::lanes::engine::V16<Self> {
            x
        }
        #[inline_in_release]
        fn select_registers(
            self,
            m: $crate::backend::lanes::engine::M16<Self>,
            yes: $crate::backend::lanes::engine::V16<Self>,
            no: $crate::backend::lanes::engine::V16<Self>,
        ) -> $crate::backend::lanes::engine::V16<Self> {
            $crate::backend::lanes::engine::Ints::<u16>::select(self, m, yes, no)
        }
    };
}
#[allow(unused_imports, reason = "a build may have no engine that says so")]
pub(crate) use vectors_are_registers;

/// A task for [`Vectors::cold_path`]. It runs without the CPU's arithmetic on f16.
pub(crate) trait Work<E> {
    type Output;
    fn run(self, e: E) -> Self::Output;
}

/// The conversions of bytes that are looked up in a list of all results.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "a build may have no engine that says so")]
pub(crate) enum Lists {
    None,
    /// The conversions that ask for it.
    OfSome,
    /// Every one.
    OfAllBytes,
}

/// The type of an operation that an engine lacks. The type has no values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Absent {}

/// A group of operations that an engine may lack, and so [`Absent`] has it.
macro_rules! optional {
    ($(#[$doc:meta])* trait $name:ident<$($of:ident),*> {$(
        $(#[$operation:meta])* fn $function:ident(self $(, $x:ident: $type:ty)*) -> $d:ty;
    )*}) => {
        $(#[$doc])*
        pub(crate) trait $name<$($of),*>: Copy {$(
            $(#[$operation])* fn $function(self $(, $x: $type)*) -> $d;
        )*}

        #[inline_in_release]
        impl<$($of),*> $name<$($of),*> for Absent {$(
            fn $function(self $(, _: $type)*) -> $d {
                match self {}
            }
        )*}
    };
}

optional! {
    /// The operations for functions of binary32 values in 16 pieces.
    trait Lookup<V, M> {
        /// The entries that the last four bits of the lanes name.
        fn lookup(self, entries: &[f32; 16], index: V) -> V;
        /// `a != b`, true for a NaN.
        fn differ(self, a: V, b: V) -> M;
    }
}

optional! {
    /// The operations for functions in 32 pieces.
    trait Pieces<V> {
        /// The entries that the last five bits of the lanes name.
        fn entry(self, entries: &[f32; 32], index: V) -> V;
        /// Returns n as a number, where |x| is in `2^n..2^(n + 1)`; an infinity for zero and
        /// infinities, and NaN for a NaN.
        fn exponent(self, x: V) -> V;
        /// Returns `x · 2^n` in `0.75..1.5`; NaN for negative numbers and NaN.
        fn significand(self, x: V) -> V;
    }
}

optional! {
    /// Quotients and roots of binary32 lanes and conversions of integers, rounded once in any
    /// direction.
    trait Directed<V> {
        fn div(self, rnd: Round, a: V, b: V) -> V;
        fn sqrt(self, rnd: Round, a: V) -> V;
        /// Rounds a signed integer to a number.
        fn of_i32(self, rnd: Round, a: V) -> V;
        /// Rounds an unsigned integer to a number.
        fn of_u32(self, rnd: Round, a: V) -> V;
        /// Rounds `a` to an unsigned integer, or to the largest if `a` is beyond it. `a` is not a
        /// NaN and not negative.
        fn to_u32(self, rnd: Round, a: V) -> V;
    }
}

optional! {
    /// Arithmetic on f16 lanes, rounded once to nearest even, and comparisons. A NaN result has the
    /// bits of any NaN.
    trait ArithmeticF16<V, M> {
        fn add(self, a: V, b: V) -> V;
        fn sub(self, a: V, b: V) -> V;
        fn mul(self, a: V, b: V) -> V;
        /// `a × b + c`
        fn fma(self, a: V, b: V, c: V) -> V;
        /// Returns the larger number, with +0 above −0. If an operand is a NaN, the result has any
        /// bits.
        fn max(self, a: V, b: V) -> V;
        /// Returns the smaller number, likewise.
        fn min(self, a: V, b: V) -> V;
        /// Returns the result of a single instruction if [`max`](Self::max) takes more than one;
        /// otherwise `None`.
        fn quick_max(self, a: V, b: V) -> Option<Quick<V, M>>;
        /// `min`, likewise.
        fn quick_min(self, a: V, b: V) -> Option<Quick<V, M>>;
        /// Returns a mask of `a > b`, false for a NaN, as the next two.
        fn gt(self, a: V, b: V) -> M;
        fn ge(self, a: V, b: V) -> M;
        fn eq(self, a: V, b: V) -> M;
        /// Returns a mask of the lanes in which `a` or `b` is a NaN.
        fn unordered(self, a: V, b: V) -> M;
        /// Replaces subnormal numbers by zeros of the same sign; `None` if the CPU has nothing
        /// faster than integers.
        fn flushed(self, x: V) -> Option<V>;
        /// Clamps `x` to 0 to 1; −0 and a quiet NaN give +0.
        fn saturated(self, x: V) -> V;
        /// Returns a mask of rare lanes: all lanes with a NaN or a subnormal number, and if
        /// `with_least` with the smallest normal number. Other lanes may be included. `None` if the
        /// CPU has nothing faster than a test for each of these.
        fn rare(self, x: V, with_least: bool) -> Option<M>;
    }
}

/// A selected operand, which may be wrong in a few lanes.
#[derive(Clone, Copy)]
pub(crate) struct Quick<V, M> {
    pub(crate) d: V,
    /// `d` is right in all other lanes. Most vectors have no rare lane.
    pub(crate) rare: M,
    /// Some of the rare lanes. In all other lanes `d` is right unless it is a NaN.
    pub(crate) unlike: M,
}

/// Stores past the caches.
pub(crate) trait Stream<B, V>: Copy {
    /// # Safety
    /// As [`Memory::store`], and `p` is aligned to the vector.
    unsafe fn store(self, p: *mut B, x: V);
    /// Orders the stores before what follows; to be called after the last one.
    fn fence(self);
}

#[inline_in_release]
impl<B, V> Stream<B, V> for Absent {
    unsafe fn store(self, _: *mut B, _: V) {
        match self {}
    }
    fn fence(self) {
        match self {}
    }
}
