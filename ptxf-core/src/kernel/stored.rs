//! Slices in storage-only formats such as [`E4m3`]: converted at each load and store.
//!
//! ```text
//! &[E4m3]      cvt.rn.f16x2.e4m3x2             exact; from there to bf16 and f32, exact as well
//! &mut [E4m3]  cvt.rn.satfinite.e4m3x2.f16x2   for elements in f16
//!              cvt.rn.satfinite.e4m3x2.f32     for all others: bf16 widens exactly
//! &[Ue8m0]     cvt.rn.bf16x2.ue8m0x2           exact; from there to f32, exact, and to f16,
//! rounded once
//! ```
//!
//! PTX converts two elements at a time, so two threads of `pair` need one conversion. A single
//! thread converts its element with a zero. Vectors of threads have other code (`wide::narrow`).

use super::element::Element;
use super::pair::{FloatPair, Joined, Pair as _};
#[cfg(target_arch = "nvptx64")]
use super::pair::{Sealed as NarrowLane, Sealed as WrittenLane};
use super::pairs::{Alignment, Pairs, Pairs1, each};
use super::view::{In, Out, as_in};
#[cfg(not(target_arch = "nvptx64"))]
use super::wide::narrow::{NarrowLane, WrittenLane};
use crate::ptx;
use crate::types::{E2m1, E2m1x2, E2m3, E2m3x2, E3m2, E3m2x2, E4m3, E4m3x2, E5m2, E5m2x2, F16x2, Ue8m0, Ue8m0x2};

/// An element of a slice in memory that a load converts.
#[expect(private_bounds, reason = "the types are these seven")]
pub trait Stored: NarrowLane + Copy + Send + Sync + 'static {
    /// Two elements.
    type Pair: Copy + 'static;
    /// Number of elements in one value of this type.
    const ELEMENTS: usize;

    /// Loads the pairs of the `2 * N::COUNT` elements from the `i`-th on.
    #[track_caller]
    fn pairs<N: Pairs>(slice: In<'_, Self>, i: usize, alignment: Alignment) -> N::Of<Self::Pair>;
    /// Loads the elements at these indices, with zero bits for `None`.
    #[track_caller]
    fn some(slice: In<'_, Self>, i: [Option<usize>; 2]) -> Self::Pair;

    /// Converts to f16.
    fn to_f16x2(pair: Self::Pair) -> F16x2;
    /// Converts to f32, exactly.
    fn widened(pair: Self::Pair) -> [f32; 2];
}

/// A format that a kernel can write, rounded to nearest and clamped to the largest number.
#[expect(private_bounds, reason = "the types are these five")]
pub trait StoredOut: WrittenLane + Stored<Pair: Joined<Lane = Self>> {
    /// Converts from f16.
    fn of_f16x2(pair: F16x2) -> Self::Pair;
    /// Converts from f32.
    fn of_f32(pair: [f32; 2]) -> Self::Pair;
    /// Stores the pairs of the `2 * N::COUNT` elements from the `i`-th on.
    #[track_caller]
    fn set_pairs<N: Pairs>(slice: Out<'_, Self>, i: usize, alignment: Alignment, value: N::Of<Self::Pair>);
}

/// Implements pairs for formats with one element per value.
macro_rules! elements {
    ($($ty:ident $pair:ident;)*) => {$(
        #[inline_in_release]
        impl Joined for $pair {
            type Lane = $ty;

            fn join([low, high]: [$ty; 2]) -> Self {
                Self::from_lo_hi(low, high)
            }
            fn split(self) -> [$ty; 2] {
                [self.lo(), self.hi()]
            }
        }
    )*};
}

elements! { E4m3 E4m3x2; E5m2 E5m2x2; E2m3 E2m3x2; E3m2 E3m2x2; E2m1 E2m1x2; Ue8m0 Ue8m0x2; }

/// Loads the elements whose index is `Some`, with `none` for the others. A closure would hide the
/// caller from `track_caller`.
#[inline_in_release]
#[track_caller]
fn asked<T: Copy>(slice: In<'_, T>, [i, j]: [Option<usize>; 2], none: T) -> [T; 2] {
    [if let Some(i) = i { slice.get(i) } else { none }, if let Some(j) = j { slice.get(j) } else { none }]
}

macro_rules! floats {
    ($($ty:ident $pair:ident $in_memory:ident $to_f16x2:ident $of_f16x2:ident $of_f32:ident;)*) => {$(
        #[inline_in_release]
        impl Stored for $ty {
            type Pair = $pair;
            const ELEMENTS: usize = 1;

            fn pairs<N: Pairs>(slice: In<'_, Self>, i: usize, alignment: Alignment) -> N::Of<$pair> {
                $in_memory::get::<N, $pair>(slice, i, alignment)
            }
            fn some(slice: In<'_, Self>, i: [Option<usize>; 2]) -> $pair {
                $pair::join(asked(slice, i, $ty::default()))
            }
            fn to_f16x2(pair: $pair) -> F16x2 {
                ptx::$to_f16x2(pair)
            }
            fn widened(pair: $pair) -> [f32; 2] {
                // A NaN becomes canonical, as on a device.
                Self::to_f16x2(pair).split().map(ptx::cvt_f32_f16)
            }
        }

        #[inline_in_release]
        impl StoredOut for $ty {
            fn of_f16x2(pair: F16x2) -> $pair {
                ptx::$of_f16x2(pair)
            }
            fn of_f32([low, high]: [f32; 2]) -> $pair {
                ptx::$of_f32(high, low)
            }
            fn set_pairs<N: Pairs>(slice: Out<'_, Self>, i: usize, alignment: Alignment, value: N::Of<$pair>) {
                $in_memory::set::<N, $pair>(slice, i, alignment, value);
            }
        }
    )*};
}

floats! {
    E4m3 E4m3x2 word cvt_rn_f16x2_e4m3x2 cvt_rn_satfinite_e4m3x2_f16x2 cvt_rn_satfinite_e4m3x2_f32;
    E5m2 E5m2x2 word cvt_rn_f16x2_e5m2x2 cvt_rn_satfinite_e5m2x2_f16x2 cvt_rn_satfinite_e5m2x2_f32;
    E2m3 E2m3x2 word cvt_rn_f16x2_e2m3x2 cvt_rn_satfinite_e2m3x2_f16x2 cvt_rn_satfinite_e2m3x2_f32;
    E3m2 E3m2x2 word cvt_rn_f16x2_e3m2x2 cvt_rn_satfinite_e3m2x2_f16x2 cvt_rn_satfinite_e3m2x2_f32;
    E2m1 E2m1x2 bytes cvt_rn_f16x2_e2m1x2 cvt_rn_satfinite_e2m1x2_f16x2 cvt_rn_satfinite_e2m1x2_f32;
}

/// Loads and stores of pairs whose elements are adjacent in memory, too.
mod word {
    use super::{Alignment, In, Joined, Out, Pairs};

    #[inline_in_release]
    #[track_caller]
    pub(super) fn get<N: Pairs, P: Joined>(slice: In<'_, P::Lane>, i: usize, alignment: Alignment) -> N::Of<P> {
        N::load(slice, i, alignment)
    }

    #[inline_in_release]
    #[track_caller]
    pub(super) fn set<N: Pairs, P: Joined>(slice: Out<'_, P::Lane>, i: usize, alignment: Alignment, value: N::Of<P>) {
        N::store(slice, i, alignment, value);
    }
}

/// Loads and stores of pairs that are shorter than two elements in memory.
mod bytes {
    use super::{Alignment, In, Joined, Out, Pairs, each};

    #[inline_in_release]
    #[track_caller]
    pub(super) fn get<N: Pairs, P: Joined<Lane: Send + Sync + 'static>>(
        slice: In<'_, P::Lane>,
        i: usize,
        _: Alignment,
    ) -> N::Of<P> {
        each!(N, |n| P::join(slice.pair::<[P::Lane; 2]>(i.wrapping_add(2 * n), None)))
    }

    #[inline_in_release]
    #[track_caller]
    pub(super) fn set<N: Pairs, P: Joined<Lane: Send + Sync + 'static>>(
        slice: Out<'_, P::Lane>,
        i: usize,
        _: Alignment,
        value: N::Of<P>,
    ) {
        each!(N, |n| slice.set_pair::<[P::Lane; 2]>(i.wrapping_add(2 * n), None, N::get(&value, n).split()));
    }
}

#[inline_in_release]
impl Stored for Ue8m0 {
    type Pair = Ue8m0x2;
    const ELEMENTS: usize = 1;

    fn pairs<N: Pairs>(slice: In<'_, Self>, i: usize, alignment: Alignment) -> N::Of<Ue8m0x2> {
        each!(N, |n| Pairs1::load(slice, i.wrapping_add(2 * n), alignment))
    }
    fn some(slice: In<'_, Self>, i: [Option<usize>; 2]) -> Ue8m0x2 {
        Ue8m0x2::join(asked(slice, i, Self::from_bits(0)))
    }
    fn to_f16x2(pair: Ue8m0x2) -> F16x2 {
        F16x2::cvt_rn(Self::widened(pair))
    }
    fn widened(pair: Ue8m0x2) -> [f32; 2] {
        // A NaN becomes canonical, as on a device.
        ptx::cvt_rn_bf16x2_ue8m0x2(pair).split().map(ptx::cvt_f32_bf16)
    }
}

/// The two elements of a byte are neighbours; the element with the even index is in the lower half.
#[inline_in_release]
impl Stored for E2m1x2 {
    type Pair = Self;
    const ELEMENTS: usize = 2;

    fn pairs<N: Pairs>(slice: In<'_, Self>, i: usize, _: Alignment) -> N::Of<Self> {
        // The index alone determines the byte.
        each!(N, |n| {
            let i = i.wrapping_add(2 * n);
            if i.is_multiple_of(2) { slice.get(i / 2) } else { Self::some(slice, [Some(i), i.checked_add(1)]) }
        })
    }
    fn some(slice: In<'_, Self>, i: [Option<usize>; 2]) -> Self {
        let bytes = asked(slice, i.map(|i| i.map(|i| i / 2)), Self::default());
        let of = |l: usize| {
            let [low, high] = bytes[l].split();
            if i[l].is_some_and(|i| !i.is_multiple_of(2)) { high } else { low }
        };
        Self::join([of(0), of(1)])
    }
    fn to_f16x2(pair: Self) -> F16x2 {
        E2m1::to_f16x2(pair)
    }
    fn widened(pair: Self) -> [f32; 2] {
        E2m1::widened(pair)
    }
}

#[inline_in_release]
impl<S: Stored> In<'_, S> {
    /// Returns the `i`-th element as a float.
    #[track_caller]
    pub fn get_as<E: Element>(self, i: usize) -> E {
        let [x, _] = E::Pair::of_stored::<S>(S::some(self, [Some(i), None])).split();
        x
    }

    /// Returns the number of elements, of which a byte may hold two.
    #[must_use]
    pub fn elements(self) -> usize {
        self.len() * S::ELEMENTS
    }
}

#[inline_in_release]
impl<S: StoredOut> Out<'_, S> {
    as_in! {
        elements() -> usize;
        get_as<E: Element>(i: usize) -> E;
    }

    /// Writes a float as the `i`-th element.
    #[track_caller]
    pub fn set_from<E: Element>(self, i: usize, value: E) {
        let [x, _] = E::Pair::splat(value).to_stored::<S>().split();
        self.set(i, x);
    }
}
