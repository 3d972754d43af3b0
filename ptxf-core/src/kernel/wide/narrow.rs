//! Slices of narrow formats as vectors: codes in 16-bit lanes, converted as in slices.

use super::vector::FloatLane;
use crate::backend::lanes::convert::{ByteSource, Target};
use crate::backend::lanes::engine::{End, Floats as _, Memory as _, V32, Vectors};
use crate::backend::lanes::format::LaneFormat as _;
use crate::format::{Binary32, Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2};
use crate::kernel::view::In;
use crate::modifiers::Modifiers;
use crate::types::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

/// An element of a slice of a narrow format in memory.
pub(crate) trait NarrowLane: Copy {
    type Format: ByteSource;

    /// Returns the code of the `i`-th number.
    fn code(slice: In<'_, Self>, i: usize) -> u16;
    /// Returns the codes of `N` numbers from the `i`-th on.
    fn codes<const N: usize>(slice: In<'_, Self>, i: usize) -> [u16; N];
}

/// A narrow format that threads write, one number per element.
pub(crate) trait WrittenLane: NarrowLane<Format: Target> {
    fn of_code(code: u16) -> Self;
}

macro_rules! bytes {
    ($($ty:ident $format:ident $($written:ident)?;)*) => {$(
        #[inline_in_release]
        impl NarrowLane for $ty {
            type Format = $format;

            #[track_caller]
            fn code(slice: In<'_, Self>, i: usize) -> u16 {
                slice.get(i).to_bits().into()
            }
            #[track_caller]
            fn codes<const N: usize>(slice: In<'_, Self>, i: usize) -> [u16; N] {
                let x = slice.array::<N>(i);
                let mut d = [0; N];
                let mut l = 0;
                while l < N {
                    d[l] = x[l].to_bits().into();
                    l += 1;
                }
                d
            }
        }

        $(impl $written for $ty {
            #[inline_in_release]
            fn of_code(code: u16) -> Self {
                Self::from_bits(code as u8)
            }
        })?
    )*};
}

bytes! {
    E4m3 Float8E4M3 WrittenLane;
    E5m2 Float8E5M2 WrittenLane;
    E2m3 Float6E2M3 WrittenLane;
    E3m2 Float6E3M2 WrittenLane;
    E2m1 Float4E2M1 WrittenLane;
    Ue8m0 Exponent8;
}

#[inline_in_release]
impl NarrowLane for E2m1x2 {
    type Format = Float4E2M1;

    #[track_caller]
    fn code(slice: In<'_, Self>, i: usize) -> u16 {
        u16::from(slice.get(i / 2).to_bits()) >> (i % 2 * 4) & 0xF
    }
    #[track_caller]
    fn codes<const N: usize>(slice: In<'_, Self>, i: usize) -> [u16; N] {
        const BYTES: usize = 4;
        const { assert!(N.is_multiple_of(2 * BYTES)) };
        // The even positions start at number `i`, the odd positions at `i + 1`. Each of the two is
        // in the same half of all its bytes.
        let (first, second) = (i / 2, i.div_ceil(2));
        let (low, high) = (i % 2 * 4, (i + 1) % 2 * 4);
        let mut d = [0; N];
        let mut l = 0;
        while l < N {
            let (a, b) = (slice.array::<BYTES>(first + l / 2), slice.array::<BYTES>(second + l / 2));
            let mut k = 0;
            while k < BYTES {
                d[l + 2 * k] = u16::from(a[k].to_bits()) >> low & 0xF;
                d[l + 2 * k + 1] = u16::from(b[k].to_bits()) >> high & 0xF;
                k += 1;
            }
            l += 2 * BYTES;
        }
        d
    }
}

/// Converts codes to numbers.
#[inline_in_release]
pub(super) fn numbers<F: ByteSource, T: FloatLane, G: Vectors, const N: usize>(g: G, codes: &[u16; N]) -> T::V<G, N> {
    let [low, high] = g.widen_u16(g.u16().read(codes));
    let x = [F::values(g, low), F::values(g, high)];
    // Rounding makes NaNs canonical itself.
    let x = if T::IS_HALF { x } else { [canonical(g, x[0]), canonical(g, x[1])] };
    T::rounded(g, x)
}

/// Rounds numbers to the format (`.rn.satfinite`).
#[inline_in_release]
pub(super) fn written<S: WrittenLane, T: FloatLane, G: Vectors, const N: usize>(g: G, x: T::V<G, N>) -> [S; N] {
    const M: Modifiers = Modifiers::PLAIN.with_satfinite(true);
    let mut codes = [0; N];
    g.u16().write(&mut codes, S::Format::round_to_halves(g, M, T::up_in_order::<G, N>(g, x)));
    let mut d = [S::of_code(0); N];
    let mut l = 0;
    while l < N {
        d[l] = S::of_code(codes[l]);
        l += 1;
    }
    d
}

#[inline_in_release]
fn canonical<G: Vectors>(g: G, x: V32<G>) -> V32<G> {
    g.f32().finish(End::Plain, Binary32::NAN, x)
}
