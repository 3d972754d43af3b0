//! Compact tables, which store the results of some inputs and derive the others from them.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use ptxf_core::slice::LengthError;

use crate::scalar::{PairOf, Scalar};
use crate::slice::lookups;

/// A table of a function of a 16-bit float that stores the results of a range of inputs, or of one
/// sign, or both.
///
/// [`unary_table!`](crate::unary_table!) makes a compact table if `range = …` or `symmetry = …` is
/// given. The table has the size of its stored results, and a lookup takes a few comparisons more
/// than in a [`UnaryTable`](crate::UnaryTable).
///
/// # Examples
///
/// ```
/// use ptxf::F16;
/// use ptxf::tables::unary_table;
///
/// // Beyond ±5 the result is ±1 in f16, and for half of the rest the sign is known.
/// unary_table!(static TANH: F16 -> F16 = |x| tanh(x), range = -5.0..=5.0, symmetry = odd);
///
/// assert_eq!(TANH.size(), 35_330);
/// assert_eq!(TANH.get(F16::from_f32(-0.5)).to_bits(), 0xb765);
/// assert_eq!(TANH.get(F16::INFINITY), F16::ONE);
/// ```
pub struct CompactTable<From, To> {
    bytes: &'static [u8],
    positive: Run,
    negative: Run,
    below: Outside,
    above: Outside,
    nan: u16,
    symmetry: Symmetry,
    function: PhantomData<fn(From) -> To>,
}

/// Stored results of neighbouring inputs of one sign.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The least stored magnitude.
    pub first: u16,
    /// The number of stored results, from the least magnitude on.
    pub count: u16,
    /// The place of the first result in the bytes, in units of results.
    pub offset: u16,
}

/// The result outside of the range.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Outside {
    /// This result.
    Value(u16),
    /// The input.
    Input,
    /// The input with the opposite sign.
    Negated,
}

/// The results for negative inputs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symmetry {
    /// Stored results.
    None,
    /// The results for positive inputs with the opposite sign.
    Odd,
    /// The results for positive inputs.
    Even,
}

/// The fields of a table without its bytes, for [`unary_table!`](crate::unary_table!).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub positive: Run,
    pub negative: Run,
    pub below: Outside,
    pub above: Outside,
    pub nan: u16,
    pub symmetry: Symmetry,
}

const SIGN: u16 = 0x8000;

impl<From, To> CompactTable<From, To> {
    /// Makes a table for the macro. The runs have to lie in the bytes.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(bytes: &'static [u8], shape: Shape) -> Self {
        let Shape { positive, negative, below, above, nan, symmetry } = shape;
        Self { bytes, positive, negative, below, above, nan, symmetry, function: PhantomData }
    }

    /// Returns the number of bytes of stored results.
    ///
    /// # Examples
    ///
    /// ```
    /// ptxf::tables::unary_table!(static T: F16 -> F16 = |x| x * x, symmetry = even);
    ///
    /// // The inputs from 0 to +∞, two bytes each.
    /// assert_eq!(T.size(), 63_490);
    /// ```
    #[must_use]
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }
}

impl<From: Scalar, To: Scalar> CompactTable<From, To> {
    /// Returns the bits of the result for an input's bits.
    ///
    /// # Examples
    ///
    /// ```
    /// ptxf::tables::unary_table!(static T: F16 -> F16 = |x| x * x, symmetry = even);
    ///
    /// assert_eq!(T.get_bits(0xc200), 0x4880);
    /// ```
    #[must_use]
    #[inline]
    pub fn get_bits(&self, x: u16) -> u16 {
        if x & !SIGN > From::INFINITY {
            return self.nan;
        }
        match self.symmetry {
            Symmetry::None => self.stored(x),
            Symmetry::Even => self.stored(x & !SIGN),
            Symmetry::Odd => {
                let d = self.stored(x & !SIGN);
                // A NaN has no sign to flip.
                if d & !SIGN > To::INFINITY { d } else { d ^ (x & SIGN) }
            }
        }
    }

    #[inline]
    fn stored(&self, x: u16) -> u16 {
        let negative = x & SIGN != 0;
        let (run, beyond, before) =
            if negative { (self.negative, self.below, self.above) } else { (self.positive, self.above, self.below) };
        let magnitude = x & !SIGN;
        // An empty run has count 0 and first 0: every magnitude is beyond it.
        let outside = match magnitude.checked_sub(run.first) {
            None => before,
            Some(i) if i >= run.count => beyond,
            Some(i) => {
                let i = 2 * (usize::from(run.offset) + usize::from(i));
                return u16::from_le_bytes([self.bytes[i], self.bytes[i + 1]]);
            }
        };
        match outside {
            Outside::Value(d) => d,
            Outside::Input => x,
            Outside::Negated => x ^ SIGN,
        }
    }
}

lookups!(CompactTable, "ptxf::tables::unary_table!(static SQUARE: F16 -> F16 = |x| x * x, symmetry = even);", "SQUARE");
