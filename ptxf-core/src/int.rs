//! The unsigned integers that hold bits and significands.

use core::fmt::{Debug, LowerHex};
use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// An unsigned integer of fixed width: a register (`Format::Bits`) or an exact significand
/// (`Format::Wide`).
///
/// Sealed: implemented for `u8` to `u128`.
pub trait Int:
    Copy
    + Debug
    + LowerHex
    + Ord
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
    + 'static
{
    /// Width in bits.
    const BITS: u32;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// Returns the low bits of `x`.
    fn of_low_bits(x: u128) -> Self;
    /// Returns the same value as a `u128`.
    fn widen(self) -> u128;
    /// Returns the value as a `T`, truncated to its width.
    #[inline(always)]
    fn cast<T: Int>(self) -> T {
        T::of_low_bits(self.widen())
    }
    /// Returns the number of significant bits: 0 for zero, else the index of the leading one plus
    /// 1.
    fn bit_len(self) -> u32;
    /// Returns 1 for `true` and 0 for `false`.
    #[inline(always)]
    fn from_bool(b: bool) -> Self {
        if b { Self::ONE } else { Self::ZERO }
    }
    /// Returns `2^n − 1`, for `n ≤ BITS`.
    #[inline(always)]
    fn mask(n: u32) -> Self {
        if n == 0 { Self::ZERO } else { !Self::ZERO >> (Self::BITS - n) }
    }
    /// Shifts right by any `n`. A nonzero remainder sets the lowest bit ("jams"), so that a later
    /// rounding takes it into account.
    #[inline(always)]
    fn shr_jam(self, n: u32) -> Self {
        if n == 0 {
            self
        } else if n < Self::BITS {
            (self >> n) | Self::from_bool(self & Self::mask(n) != Self::ZERO)
        } else {
            Self::from_bool(self != Self::ZERO)
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! int {
    ($($t:ident)*) => {$(
        impl sealed::Sealed for $t {}
        impl Int for $t {
            const BITS: u32 = $t::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn of_low_bits(x: u128) -> Self {
                x as Self
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn bit_len(self) -> u32 {
                Self::BITS - self.leading_zeros()
            }
        }
    )*};
}

int!(u8 u16 u32 u64 u128);

#[cfg(test)]
mod tests {
    use super::Int;

    #[test]
    fn jam_keeps_a_trace_of_what_was_lost() {
        assert_eq!(0b1011_u8.shr_jam(2), 0b11);
        assert_eq!(0b1000_u8.shr_jam(2), 0b10);
        assert_eq!(0b1001_u8.shr_jam(2), 0b11);
        assert_eq!(1_u8.shr_jam(200), 1);
        assert_eq!(0_u8.shr_jam(200), 0);
        assert_eq!(0x80_u8.shr_jam(8), 1);
    }

    #[test]
    fn masks_reach_the_full_width() {
        assert_eq!(u8::mask(0), 0);
        assert_eq!(u8::mask(3), 7);
        assert_eq!(u128::mask(128), u128::MAX);
    }
}
