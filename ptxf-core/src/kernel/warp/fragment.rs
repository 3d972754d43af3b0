//! The parts of matrices that an instruction multiplies, in the registers of a warp.

use core::fmt;
use core::marker::PhantomData;

use crate::matrix::View;
use crate::types::{Bf16, E4m3, E5m2, F16, Tf32};

/// Number of lanes whose registers a fragment holds.
pub(super) const LANES: usize = if cfg!(target_arch = "nvptx64") { 1 } else { 32 };

/// Returns the number of the lane whose registers are the fragment's `i`-th.
#[inline_in_release]
pub(super) fn lane(i: usize) -> usize {
    #[cfg(not(target_arch = "nvptx64"))]
    return i;
    #[cfg(target_arch = "nvptx64")]
    return i + crate::backend::nvptx::special!("laneid") as usize;
}

mod sealed {
    pub trait Sealed {}
}

/// A number that fragments hold: [`F16`], [`Bf16`], [`Tf32`], [`E4m3`], [`E5m2`], or f32.
#[diagnostic::on_unimplemented(
    message = "a fragment has no elements of type `{Self}`",
    label = "use `F16`, `Bf16`, `Tf32`, `E4m3`, `E5m2`, or `f32` for sums"
)]
pub trait WarpElement: Copy + Default + Send + Sync + sealed::Sealed + 'static {
    /// Number of bits: 8, 16 or 32.
    #[doc(hidden)]
    const BITS: usize;
    /// Returns the number's bits.
    #[doc(hidden)]
    fn word(self) -> u32;
    /// Returns the number with the lower bits of a word.
    #[doc(hidden)]
    fn of_word(word: u32) -> Self;
}

macro_rules! elements {
    ($($ty:ident $bits:ident;)*) => {$(
        impl sealed::Sealed for $ty {}
        #[inline_in_release]
        impl WarpElement for $ty {
            const BITS: usize = $bits::BITS as usize;
            fn word(self) -> u32 {
                self.to_bits().into()
            }
            fn of_word(word: u32) -> Self {
                Self::from_bits(word as $bits)
            }
        }
    )*};
}

elements! {
    F16 u16;
    Bf16 u16;
    Tf32 u32;
    E4m3 u8;
    E5m2 u8;
    f32 u32;
}

/// Returns the `i`-th element of registers, the lower ones in the lower bits.
#[inline_in_release]
pub(super) fn element<T: WarpElement>(registers: &[u32], i: usize) -> T {
    let bit = i * T::BITS;
    T::of_word(registers[bit / 32] >> (bit % 32))
}

/// Returns row and column of the first element of an operand's register: of A, or of the transposed
/// B, whose registers are in one row.
///
/// A register has neighbouring elements of a row. Four lanes have a row's next registers, and eight
/// groups of four lanes as many rows (PTX ISA, 9.7.14.5).
#[inline_in_release]
pub(super) fn place<T: WarpElement>(lane: usize, register: usize, is_b: bool) -> [usize; 2] {
    let (width, [lower, right]) = (32 / T::BITS, if is_b { [0, register] } else { [register % 2, register / 2] });
    [lane / 4 + 8 * lower, (lane % 4 + 4 * right) * width]
}

/// Returns row and column of a lane's `i`-th element of C, of four.
#[inline_in_release]
pub(super) fn place_of_c(lane: usize, i: usize) -> [usize; 2] {
    [lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2]
}

/// Loads an operand's registers from the place `from` of a matrix.
#[inline_in_release]
fn load<T: WarpElement, const N: usize>(x: View<'_, T>, from: [usize; 2], is_b: bool) -> [[u32; N]; LANES] {
    let mut d = [[0; N]; LANES];
    if x.rows() == 0 || x.columns() == 0 {
        return d;
    }
    let width = 32 / T::BITS;
    let in_words = cfg!(target_arch = "nvptx64") && width > 1 && x.has_words(from[1]);
    for (i, registers) in d.iter_mut().enumerate() {
        let lane = lane(i);
        for (r, register) in registers.iter_mut().enumerate() {
            let [row, column] = place::<T>(lane, r, is_b);
            let (row, column) = (row.wrapping_add(from[0]), column.wrapping_add(from[1]));
            *register = if in_words {
                x.word_or_zero(row, column)
            } else {
                let bits = |i: usize| x.get_or_default(row, column.wrapping_add(i)).word() << (i * T::BITS);
                (0..width).fold(0, |word, i| word | bits(i))
            };
        }
    }
    d
}

macro_rules! fragments {
    ($($(#[$doc:meta])* $name:ident $registers:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<T> {
            pub(super) registers: [[u32; $registers]; LANES],
            of: PhantomData<T>,
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl<T> $name<T> {
            pub(super) const fn of(registers: [[u32; $registers]; LANES]) -> Self {
                Self { registers, of: PhantomData }
            }
        }
    )*};
}

fragments! {
    /// 16 rows of [`K`](Self::K) elements of an instruction's first factor, from
    /// [`Warp::load_a`](super::Warp::load_a).
    FragmentA 4;
    /// [`K`](FragmentA::K) rows of 8 elements of an instruction's second factor, from
    /// [`Warp::load_b`](super::Warp::load_b).
    FragmentB 2;
    /// 16 rows of 8 elements of an instruction's addend and result.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::kernel::FragmentC;
    /// use ptxf::{F16, ptx_kernel};
    ///
    /// // Adds 1, and rounds.
    /// #[ptx_kernel]
    /// fn rounded(w: Warp, x: &[f32], out: &mut [F16]) {
    ///     let (x, mut out) = (x.matrix(16, 8), out.matrix(16, 8));
    ///     let c = w.load_c(x, 0, 0).map(|x| F16::from_f32(x + 1.0));
    ///     // SAFETY: there is one warp.
    ///     unsafe { w.store(c, &mut out, 0, 0) };
    /// }
    ///
    /// let (x, mut out) = ([2049.0; 128], [F16::ZERO; 128]);
    /// rounded::launch(1, &x, &mut out);
    /// assert_eq!(out.map(F16::to_bits), [0x6801; 128]);
    /// ```
    FragmentC 4;
}

impl<T: WarpElement> FragmentA<T> {
    /// Number of products of an instruction for each element of the result: 16 for 16 bits, 8 for
    /// tf32, 32 for 8 bits.
    pub const K: usize = 256 / T::BITS;
}

#[inline_in_release]
impl<T: WarpElement> FragmentA<T> {
    pub(super) fn load(a: View<'_, T>, row: usize, column: usize) -> Self {
        Self::of(load(a, [row, column], false))
    }
}

#[inline_in_release]
impl<T: WarpElement> FragmentB<T> {
    pub(super) fn load(b: View<'_, T>, row: usize, column: usize) -> Self {
        Self::of(load(b.transposed(), [column, row], true))
    }
}

impl<T: WarpElement> FragmentC<T> {
    /// Zeros.
    pub const ZERO: Self = Self::of([[0; 4]; LANES]);
}

#[inline_in_release]
impl<T: WarpElement> FragmentC<T> {
    /// Returns a fragment with these elements of each lane.
    pub(super) fn of_elements(elements: impl Fn(usize, usize) -> T) -> Self {
        let mut c = Self::ZERO;
        for (l, registers) in c.registers.iter_mut().enumerate() {
            for i in 0..4 {
                let bit = i * T::BITS;
                registers[bit / 32] |= elements(l, i).word() << (bit % 32);
            }
        }
        c
    }

    pub(super) fn load(c: View<'_, T>, row: usize, column: usize) -> Self {
        if c.rows() == 0 || c.columns() == 0 {
            return Self::ZERO;
        }
        Self::of_elements(|l, i| {
            let [i, j] = place_of_c(lane(l), i);
            c.get_or_default(i.wrapping_add(row), j.wrapping_add(column))
        })
    }

    /// Returns a fragment whose elements are all `x`.
    #[must_use]
    pub fn splat(x: T) -> Self {
        Self::of_elements(|_, _| x)
    }

    /// Computes `f` of each element.
    ///
    /// On a device each lane computes its own elements. So `f` may not have effects outside of
    /// itself.
    #[must_use]
    pub fn map<U: WarpElement>(self, f: impl Fn(T) -> U + Sync) -> FragmentC<U> {
        FragmentC::of_elements(|l, i| f(element(&self.registers[l], i)))
    }

    /// Computes `f` of each element and the element of `other` at the same place.
    ///
    /// `f` is as in [`map`](Self::map).
    #[must_use]
    pub fn zip<V: WarpElement, U: WarpElement>(
        self,
        other: FragmentC<V>,
        f: impl Fn(T, V) -> U + Sync,
    ) -> FragmentC<U> {
        FragmentC::of_elements(|l, i| f(element(&self.registers[l], i), element(&other.registers[l], i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Instruction, Place};

    /// A device computes places from constants. They are those of the table of layouts.
    #[test]
    fn places_are_those_of_the_table() {
        fn compare<T: WarpElement>(spelled: &str) {
            let mma = Instruction::parse(spelled).unwrap();
            let width = 32 / T::BITS;
            for (fragment, is_b) in [(mma.a(), false), (mma.b(), true)] {
                assert_eq!(fragment.registers(), if is_b { 2 } else { 4 }, "{spelled}");
                for (lane, i) in (0..32).flat_map(|lane| (0..fragment.registers() * width).map(move |i| (lane, i))) {
                    let [row, column] = place::<T>(lane, i / width, is_b);
                    let [row, column] = if is_b { [column + i % width, row] } else { [row, column + i % width] };
                    assert_eq!(fragment.layout().place(lane, i), Place { row, column, matrix: 0 }, "{spelled}");
                }
            }
            for (lane, i) in (0..32).flat_map(|lane| (0..4).map(move |i| (lane, i))) {
                let [row, column] = place_of_c(lane, i);
                assert_eq!(mma.c().layout().place(lane, i), Place { row, column, matrix: 0 }, "{spelled}");
            }
        }
        compare::<F16>("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16");
        compare::<Bf16>("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
        compare::<Tf32>("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
        compare::<E4m3>("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
        compare::<E5m2>("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32");
    }
}
