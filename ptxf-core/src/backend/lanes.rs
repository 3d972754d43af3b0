//! Many lanes at once: the operations on vectors that the kernels are written in, once per level.
//!
//! A vector holds 16-bit or 32-bit lanes as integers. Arithmetic on the 16-bit formats happens in binary32 lanes, two
//! vectors of them per vector of 16-bit lanes, whose *order* is the engine's business: only `widen` and `narrow` know it.
//!
//! An engine is a value that can be had only where the CPU has its instructions, so that its operations are safe to call.
// Invariant: a value of an engine exists only where the CPU has its instructions; pointers are valid for the lanes that a call names.

#![expect(unsafe_code, reason = "vector instructions and bare pointers, each with its proof")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))),
    allow(dead_code, unused_imports, reason = "for the engines of other CPUs")
)]

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod cast;
mod directed;
pub(crate) mod dispatch;
mod double;
mod doubles;
mod elementary;
pub(crate) mod kernel;
pub(crate) mod levels;
pub(crate) mod mask;
mod native;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) mod neon;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon_fp16;
pub(crate) mod op;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod portable;
pub(crate) mod reduce;
mod staged;

/// Calls an intrinsic that touches no memory, on operands evaluated before.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
macro_rules! simd {
    ($name:ident $(::<$k:tt>)? ()) => {{
        // SAFETY: a value of the engine exists, so the CPU has the instruction.
        #[allow(unused_unsafe, reason = "casts are safe")]
        unsafe { $name $(::<{ $k }>)? () }
    }};
    ($name:ident $(::<$k:tt>)? ($a:expr)) => {{
        let a = $a;
        // SAFETY: as above.
        #[allow(unused_unsafe, reason = "casts are safe")]
        unsafe { $name $(::<{ $k }>)? (a) }
    }};
    ($name:ident $(::<$k:tt>)? ($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        // SAFETY: as above.
        unsafe { $name $(::<{ $k }>)? (a, b) }
    }};
    ($name:ident $(::<$k:tt>)? ($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        // SAFETY: as above.
        unsafe { $name $(::<{ $k }>)? (a, b, c) }
    }};
}
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
))]
use simd;

use doubles::Doubles;

use crate::format::Format;
use crate::int::Int;
use crate::modifiers::Round;
use native::Arithmetic;

/// Vectors of integer lanes.
pub(crate) trait Lanes<B: Int>: Copy {
    /// A vector.
    type V: Copy;
    /// A truth value per lane.
    type M: Copy;
    /// Lanes of a vector.
    const N: usize;

    /// # Safety
    /// `p` is valid for reading `N` lanes.
    unsafe fn load(self, p: *const B) -> Self::V;
    /// # Safety
    /// `p` is valid for writing `N` lanes.
    unsafe fn store(self, p: *mut B, x: Self::V);
    /// Stores past the caches.
    ///
    /// # Safety
    /// As [`store`](Self::store), and `p` is aligned to the vector.
    unsafe fn stream(self, p: *mut B, x: Self::V) {
        // SAFETY: the caller's.
        unsafe { self.store(p, x) }
    }
    /// The first `n < N` lanes; the others are 0.
    ///
    /// # Safety
    /// `p` is valid for reading `n` lanes.
    unsafe fn load_part(self, p: *const B, n: usize) -> Self::V;
    /// Stores the first `n < N` lanes.
    ///
    /// # Safety
    /// `p` is valid for writing `n` lanes.
    unsafe fn store_part(self, p: *mut B, n: usize, x: Self::V);

    fn splat(self, x: B) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// The sign bit in every bit.
    fn signs(self, a: Self::V) -> Self::V;
    /// The larger as signed integers.
    fn larger(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller as signed integers.
    fn smaller(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a > b` as signed integers.
    fn above(self, a: Self::V, b: Self::V) -> Self::M;
    fn equal(self, a: Self::V, b: Self::V) -> Self::M;
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    fn any(self, a: Self::M) -> bool;
    fn select(self, m: Self::M, yes: Self::V, no: Self::V) -> Self::V;
}

/// Lanes of 32 bits that no vector has more of.
pub(crate) const MOST: usize = 16;

/// The vector of binary32 lanes.
pub(crate) type W<E> = <E as Lanes<u32>>::V;
/// A truth value per binary32 lane.
pub(crate) type M<E> = <E as Lanes<u32>>::M;
/// The vector of 16-bit lanes.
pub(crate) type H<E> = <E as Lanes<u16>>::V;
/// The vector of binary64 lanes, as many as [`W`] has.
pub(crate) type D<E> = <<E as Engine>::Doubles as Doubles>::D;

/// The operations on binary32 lanes, and the way there from 16-bit lanes.
///
/// The bits of a NaN result are any NaN's until [`finish`](Self::finish) makes it the canonical one.
pub(crate) trait Engine: Lanes<u16> + Lanes<u32> {
    /// Whether a vector is a lane, and loops are left to the compiler.
    const BY_LANE: bool = false;
    /// Whether the CPU computes with f16.
    const NATIVE_F16: bool = false;

    /// `what` on f16 lanes, if the CPU has it.
    #[inline(always)]
    fn native_f16(self, _: Arithmetic, _: [H<Self>; 3]) -> Option<H<Self>> {
        None
    }

    fn add(self, a: W<Self>, b: W<Self>) -> W<Self>;
    fn sub(self, a: W<Self>, b: W<Self>) -> W<Self>;
    fn mul(self, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a / b`
    fn div(self, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a × b + c`, rounded once or twice.
    fn mul_add(self, a: W<Self>, b: W<Self>, c: W<Self>) -> W<Self>;
    /// The larger number, `b` if it or `a` is a NaN.
    fn max(self, a: W<Self>, b: W<Self>) -> W<Self>;
    /// The smaller number, `b` if it or `a` is a NaN.
    fn min(self, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a × b + c` of f16 values: a binary32 value that rounds to the f16 result.
    fn fma_f16(self, a: W<Self>, b: W<Self>, c: W<Self>) -> W<Self>;
    /// `a × b + c` of bf16 values: a binary32 value that rounds to the bf16 result.
    fn fma_bf16(self, a: W<Self>, b: W<Self>, c: W<Self>) -> W<Self>;
    /// `a + b` of f32 values, rounded once.
    fn add_f32(self, rnd: Round, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a × b` of f32 values, rounded once.
    fn mul_f32(self, rnd: Round, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a × b + c` of f32 values, rounded once.
    fn fma_f32(self, rnd: Round, a: W<Self>, b: W<Self>, c: W<Self>) -> W<Self>;
    /// Whether `div_f32` and `sqrt_f32` round in every direction; else only to nearest.
    const DIRECTED: bool = false;
    /// `a / b` of f32 values, rounded once.
    fn div_f32(self, rnd: Round, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `√a` of f32 values, rounded once.
    fn sqrt_f32(self, rnd: Round, a: W<Self>) -> W<Self>;
    /// `1 / √a` of f32 values, rounded once to nearest.
    fn rsqrt_f32(self, a: W<Self>) -> W<Self>;
    /// NaN becomes `nan`, and every other value itself; or `.relu` on top; or `.sat`, for which a NaN is a zero.
    fn finish(self, end: End, nan: u32, x: W<Self>) -> W<Self>;

    /// # Safety
    /// As `Lanes<u16>::load`.
    #[inline(always)]
    unsafe fn load_f16(self, p: *const u16) -> [W<Self>; 2] {
        // SAFETY: the caller's.
        self.widen_f16(unsafe { self.load(p) })
    }
    /// # Safety
    /// As `Lanes<u16>::store`.
    #[inline(always)]
    unsafe fn store_f16(self, p: *mut u16, x: [W<Self>; 2]) {
        let x = self.narrow_f16(x);
        // SAFETY: the caller's.
        unsafe { self.store(p, x) }
    }
    fn widen_f16(self, x: H<Self>) -> [W<Self>; 2];
    fn widen_bf16(self, x: H<Self>) -> [W<Self>; 2];
    /// Rounds to nearest even; a NaN must be `0x7FFF_FFFF`.
    fn narrow_f16(self, x: [W<Self>; 2]) -> H<Self>;
    /// Rounds to nearest even; a NaN must be `0x7FFF_0000`.
    fn narrow_bf16(self, x: [W<Self>; 2]) -> H<Self>;
    /// 16-bit lanes as the lower halves of 32-bit lanes, in the order of the memory.
    fn expand(self, x: H<Self>) -> [W<Self>; 2];
    /// The lower halves of 32-bit lanes, whose upper halves are 0; undoes [`expand`](Self::expand).
    fn compress(self, x: [W<Self>; 2]) -> H<Self>;
    /// `a + b` as integers.
    fn sum(self, a: W<Self>, b: W<Self>) -> W<Self>;
    /// `a << k`
    fn up(self, a: W<Self>, k: u32) -> W<Self>;
    /// `a >> k`, zeros from above.
    fn down(self, a: W<Self>, k: u32) -> W<Self>;
    /// Rounds as `rnd` says, in the order of the memory; a NaN must be `0x7FFF_FFFF`.
    fn round_f16(self, rnd: Round, x: [W<Self>; 2]) -> H<Self>;
    /// The entries that the last four bits of the lanes name, if the CPU has that and [`mul_add`](Self::mul_add) rounds once.
    #[inline(always)]
    fn pick(self, _table: &[f32; 16], _index: W<Self>) -> Option<W<Self>> {
        None
    }
    /// Its lanes in binary64.
    type Doubles: Doubles;
    fn doubles(self) -> Self::Doubles;
    /// f32 values, exactly.
    fn widen_f32(self, x: W<Self>) -> D<Self>;
    /// Rounded to nearest; and the lower halves of the bits.
    fn narrow_f64(self, x: D<Self>) -> [W<Self>; 2];
    /// After the last [`stream`](Lanes::stream).
    #[inline(always)]
    fn fence(self) {}
}

/// How an arithmetic result ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Plain,
    Relu,
    Sat,
}

/// What the kernels know about a format.
pub(crate) trait LaneFormat: Format {
    /// The binary32 NaN that narrows to the canonical one.
    const NAN: u32;
}

impl LaneFormat for crate::format::Binary16 {
    const NAN: u32 = 0x7FFF_FFFF;
}

impl LaneFormat for crate::format::BFloat16 {
    // Rounding adds to the bits, which must not carry into the sign.
    const NAN: u32 = 0x7FFF_0000;
}

impl LaneFormat for crate::format::Binary32 {
    const NAN: u32 = 0x7FFF_FFFF;
}

impl LaneFormat for crate::format::Binary64 {
    const NAN: u32 = 0;
}
