//! Vectors of 128 bits, in the lanes of the crate `wide`: what the portable level computes in where
//! every CPU of the build has such vectors, but for kernels and values by themselves.
//!
//! x86-64 has SSE2 at least, wasm32 has vectors if it is built with `simd128`. AArch64 has an
//! engine of its own, and elsewhere, as on a microcontroller, the portable level is one lane at a
//! time ([`portable`](super::portable)).
//!
//! Nothing here is fused, and there is no conversion from or to f16 but by integers and a product.
//! Operations that the CPU and `wide` lack are computed lane by lane in an array. docs/speed.md
//! compares it with loops over scalars that the compiler makes vectors of.
// Invariant: pointers are valid for the lanes that a call names.

use wide::bytemuck::cast;
use wide::{f32x4, f64x2, i16x8, i32x4, i32x8, u8x16, u16x8, u32x4};

use super::engine::{Engine, Floats, Ints, Lists, Memory, Vectors, groups, vectors_are_registers, views};
use super::{rounding, subnormal};
use crate::format::Binary16;
use crate::modifiers::Round;

mod floats;
mod ints;
mod masks;

/// A CPU with vectors of 128 bits, in a build that requires them.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

type H = u16x8;
type W = u32x4;

#[inline_in_release]
fn f(x: W) -> f32x4 {
    cast(x)
}

#[inline_in_release]
fn w(x: f32x4) -> W {
    cast(x)
}

/// Two vectors of which one has the lanes of even numbers, the other those of odd ones, in the
/// order of the memory.
#[inline_in_release]
fn in_order([even, odd]: [W; 2]) -> [W; 2] {
    [even.unpack_lo(odd), even.unpack_hi(odd)]
}

/// A constant in every lane.
#[inline_in_release]
fn n(x: u32) -> W {
    W::splat(x)
}

/// All ones where `a > b` as signed integers.
#[inline_in_release]
fn gt(a: W, b: W) -> W {
    Ints::<u32>::gt(Simd128, a, b)
}

/// The smaller as signed integers.
#[inline_in_release]
fn min(a: W, b: W) -> W {
    Ints::<u32>::min(Simd128, a, b)
}

/// The values of f16 whose magnitudes' bits are 13 to 27, beside others, and whose signs are bit 31
/// of the second vector.
#[inline_in_release]
fn value_of_f16(magnitude: W, sign: W) -> W {
    let magnitude = magnitude & n(0x7FFF << 13);
    // Exact for subnormals too; the exponent of infinities and NaN is missing afterwards.
    let value = w(f(magnitude) * f32x4::splat(f32::from_bits((127 + 112) << 23)));
    let special = gt(magnitude, n((0x7C00 << 13) - 1)) & n(0x7F80_0000);
    value | special | (sign & n(1 << 31))
}

/// The bits of the magnitude in f16, rounded to nearest even; a NaN, which must be `0x7FFF_FFFF`,
/// becomes more than 16 bits hold.
#[inline_in_release]
fn magnitude_of_f16(x: W) -> W {
    let magnitude = x & n(0x7FFF_FFFF);
    // 65,536, and so all that is above, rounds to infinity. Of a NaN, `min` returns the second
    // operand.
    let bounded = Floats::min(Simd128, n(0x4780_0000), magnitude);
    let last = (bounded >> 13_u32) & n(1);
    let normal = (bounded + n((112_u32 << 23).wrapping_neg().wrapping_add(0xFFF)) + last) >> 13_u32;
    // The sum with 2^(-24+23) has the smallest subnormal as its unit.
    let unit = (127 - 1) << 23;
    let small = w(f(magnitude) + f32x4::splat(f32::from_bits(unit))) - n(unit);
    gt(n(113 << 23), magnitude).bitselect(small, normal)
}

/// Saturates each lane, a signed integer, to 16 bits.
#[inline_in_release]
fn saturated([low, high]: [W; 2]) -> H {
    cast(i16x8::from_i32x8_saturate(cast::<[W; 2], i32x8>([low, high])))
}

/// The upper halves of the lanes.
#[inline_in_release]
fn upper_halves_in_order([low, high]: [W; 2]) -> H {
    let (low, high): (i32x4, i32x4) = (cast(low), cast(high));
    saturated([cast(low >> 16_u32), cast(high >> 16_u32)])
}

/// The bits of f16, at the lower end, rounded in another direction; a NaN must be `0x7FFF_FFFF`.
#[inline_in_release]
fn directed_f16(rnd: Round, x: W) -> W {
    let magnitude = x & n(0x7FFF_FFFF);
    // Inward nothing but an infinity becomes one.
    let outward = rounding::outward(Simd128, rnd, x) & n(1);
    let finite = min(rounding::rounded::<Binary16, _>(Simd128, rnd, x), n(0x7BFF) + outward);
    let d = gt(magnitude, n(0x7F7F_FFFF)).bitselect(n(0x7C00), finite);
    d | (gt(magnitude, n(0x7F80_0000)) & n(0x7FFF)) | ((x >> 16_u32) & n(0x8000))
}

/// Adds what carries into the upper half when that is to be rounded up.
#[inline_in_release]
fn round_bf16(x: W) -> W {
    x + n(0x7FFF) + ((x >> 16_u32) & n(1))
}

/// The lower halves of the even lanes and of the odd ones.
#[inline_in_release]
fn even_and_odd(x: H) -> [W; 2] {
    let x: W = cast(x);
    [x & n(0xFFFF), x >> 16_u32]
}

#[inline_in_release]
impl Engine for Simd128 {
    views!();
    groups!(Lookup lookup Absent; Pieces pieces Absent;);

    fn widen_f32(self, x: W) -> [f64x2; 2] {
        let [a, b, c, d] = f(x).to_array();
        [f64x2::new([a.into(), b.into()]), f64x2::new([c.into(), d.into()])]
    }
    fn narrow_f64(self, x: [f64x2; 2]) -> [W; 2] {
        let [a, b, c, d]: [f64; 4] = cast(x);
        #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
        let rounded = f32x4::new([a as f32, b as f32, c as f32, d as f32]);
        // Machines that have this engine are little-endian: the lower half comes first.
        let [p, _, q, _, r, _, s, _] = cast(x);
        [w(rounded), W::new([p, q, r, s])]
    }
    fn entry(self, entries: &[f32; 8], index: W) -> W {
        W::new(index.to_array().map(|i| entries[(i & 7) as usize].to_bits()))
    }
}

#[inline_in_release]
impl Vectors for Simd128 {
    groups!(F16 f16 Absent; Stream stream Absent;);
    const LISTS: Lists = Lists::OfAllBytes;
    const FINDS_NANS: bool = true;
    const FINDS_SUBNORMALS: bool = false;
    vectors_are_registers!();

    fn subnormal(self, x: W, y: W) -> W {
        subnormal::below(self, 1 << 23, x, y)
    }
    unsafe fn load_f16(self, p: *const u16) -> [W; 2] {
        // SAFETY: the caller's.
        self.widen_f16(unsafe { Memory::<u16>::load(self, p) })
    }
    unsafe fn store_f16(self, p: *mut u16, x: [W; 2]) {
        // SAFETY: the caller's.
        unsafe { Memory::<u16>::store(self, p, self.narrow_f16(x)) }
    }
    fn widen_f16(self, x: H) -> [W; 2] {
        // Widened in pairs that are put in order afterwards. If halves are interleaved first, LLVM
        // sees that the lower ones are shifted out, takes for them what some register holds, and
        // each round of a loop waits for the one before.
        let x: W = cast(x);
        in_order([value_of_f16(x << 13_u32, x << 16_u32), value_of_f16(x >> 3_u32, x)])
    }
    // The even lanes and the odd ones.
    fn widen_bf16(self, x: H) -> [W; 2] {
        let x: W = cast(x);
        [x << 16_u32, x & n(0xFFFF_0000)]
    }
    fn narrow_f16(self, [low, high]: [W; 2]) -> H {
        let magnitudes = saturated([magnitude_of_f16(low), magnitude_of_f16(high)]);
        magnitudes | (upper_halves_in_order([low, high]) & H::splat(0x8000))
    }
    fn upper_halves(self, [even, odd]: [W; 2]) -> H {
        cast((even >> 16_u32) | (odd & n(0xFFFF_0000)))
    }
    fn narrow_bf16(self, [even, odd]: [W; 2]) -> H {
        self.upper_halves([round_bf16(even), round_bf16(odd)])
    }
    fn round_f16(self, rnd: Round, [low, high]: [W; 2]) -> H {
        match rnd {
            Round::Rn => self.narrow_f16([low, high]),
            _ => self.narrow_u32([directed_f16(rnd, low), directed_f16(rnd, high)]),
        }
    }
    fn widen_u16(self, x: H) -> [W; 2] {
        in_order(even_and_odd(x))
    }
    fn narrow_u32(self, [low, high]: [W; 2]) -> H {
        upper_halves_in_order([low << 16_u32, high << 16_u32])
    }
    unsafe fn load_u8(self, p: *const u8) -> [W; 4] {
        // SAFETY: the caller's.
        let bytes = u8x16::new(unsafe { p.cast::<[u8; 16]>().read_unaligned() });
        let zero = u8x16::new([0; 16]);
        let [a, b] = self.widen_u16(cast(u8x16::unpack_low(bytes, zero)));
        let [c, d] = self.widen_u16(cast(u8x16::unpack_high(bytes, zero)));
        [a, b, c, d]
    }
    fn narrow_u8(self, [a, b, c, d]: [W; 4]) -> H {
        let (low, high) = (self.narrow_u32([a, b]), self.narrow_u32([c, d]));
        cast(u8x16::narrow_i16x8(cast(low), cast(high)))
    }
    unsafe fn store_u8(self, p: *mut u8, x: H) {
        // SAFETY: the caller's.
        unsafe { p.cast::<[u8; 16]>().write_unaligned(cast(x)) }
    }
}
