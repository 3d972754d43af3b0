//! Full tables, which store a result for every input.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use ptxf_core::slice::LengthError;

use crate::scalar::{PairOf, Scalar};
use crate::slice::lookups;

/// Number of bytes of a full table.
const SIZE: usize = 2 << 16;

/// A table of a function of a 16-bit float: the results for all 65,536 inputs, in the order of
/// their bits.
///
/// A table has 128 KiB. Tables are `static`s, which [`unary_table!`](crate::unary_table!) defines,
/// and are passed by reference.
///
/// # Examples
///
/// ```
/// use ptxf::tables::{UnaryTable, unary_table};
/// use ptxf::{F16, F16x2};
///
/// unary_table!(static SIGMOID: F16 -> F16 = |x| sigmoid(x));
///
/// /// Any activation costs one load.
/// fn activate(activation: &UnaryTable<F16, F16>, layer: &mut [F16]) {
///     activation.map_in_place(layer);
/// }
///
/// let mut layer = [F16::ZERO, F16::INFINITY];
/// activate(&SIGMOID, &mut layer);
/// assert_eq!(layer.map(F16::to_f32), [0.5, 1.0]);
/// ```
// The alignment is a cache line, so that the table starts one.
#[repr(C, align(64))]
pub struct UnaryTable<From, To> {
    bytes: [u8; SIZE],
    function: PhantomData<fn(From) -> To>,
}

impl<From, To> UnaryTable<From, To> {
    /// Makes a table of results: two bytes each, lower byte first, in the order of the inputs'
    /// bits.
    ///
    /// The argument is bytes because a byte string is the only literal of this size that costs the
    /// compiler nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::F16;
    /// use ptxf::tables::UnaryTable;
    ///
    /// // A function known only from its results.
    /// static ZERO: UnaryTable<F16, F16> = UnaryTable::from_le_bytes([0; 131_072]);
    /// assert_eq!(ZERO.get(F16::ONE), F16::ZERO);
    /// ```
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; SIZE]) -> Self {
        Self { bytes, function: PhantomData }
    }

    /// Returns the bytes in the order of [`from_le_bytes`](Self::from_le_bytes).
    ///
    /// # Examples
    ///
    /// ```
    /// ptxf::tables::unary_table!(static T: F16 -> F16 = |x| x * x);
    ///
    /// assert_eq!(T.as_le_bytes()[2 * 0x3c00..][..2], [0x00, 0x3c]);
    /// ```
    #[must_use]
    pub const fn as_le_bytes(&self) -> &[u8; SIZE] {
        &self.bytes
    }

    /// Returns the bits of the result for an input's bits.
    ///
    /// # Examples
    ///
    /// ```
    /// ptxf::tables::unary_table!(static T: F16 -> F16 = |x| x * x);
    ///
    /// const NINE: u16 = T.get_bits(0xc200);
    /// assert_eq!(NINE, 0x4880);
    /// ```
    #[must_use]
    #[inline]
    pub const fn get_bits(&self, x: u16) -> u16 {
        // Every u16 is in range, so the compiler emits one 16-bit load without a bounds check.
        let i = 2 * x as usize;
        u16::from_le_bytes([self.bytes[i], self.bytes[i + 1]])
    }
}

lookups!(UnaryTable, "ptxf::tables::unary_table!(static SQUARE: F16 -> F16 = |x| x * x);", "SQUARE");
