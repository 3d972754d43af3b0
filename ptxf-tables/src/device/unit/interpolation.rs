//! `A + B·x + C·x²` in integers.

use super::Function;

/// The coefficients of a segment: A of about 26 bits, signed B of 16 and signed C of 10.
///
/// The segments of [`Function::Tanh`] have several scales, and B and C up to 20 and 18 bits.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::Coefficients;
///
/// let steep = Coefficients { a: 1 << 25, b: -60_000, c: 900 };
/// assert!(steep.b < Coefficients::default().b);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coefficients {
    /// The function at the segment's beginning.
    pub a: i32,
    /// The slope there.
    pub b: i32,
    /// Half of the curvature there.
    pub c: i32,
}

/// Returns the square of a 17-bit number over 2^19, without the partial products that the unit
/// omits.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::square;
///
/// assert_eq!(square(1 << 16), 1 << 13);
/// // Not 0x1ffff² >> 19.
/// assert_eq!((square(0x1ffff), (0x1ffff_u64.pow(2) >> 19) as u32), (32759, 32767));
/// ```
#[must_use]
pub const fn square(x: u32) -> u32 {
    let x = x & 0x1_ffff;
    let (mut r, mut i) = (0, 0);
    while i < 17 {
        if x >> i & 1 == 1 {
            r += x >> (18 - i);
        }
        i += 1;
    }
    r >> 1
}

/// The shifts and the bias of `((A << a) + B·x + (C·square(x << x_square) << c) + bias) >> shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// Left shift of A, in bits.
    pub a: u32,
    /// Left shift of C's product, in bits.
    pub c: u32,
    /// Left shift of `x` before it is squared, in bits.
    pub x_square: u32,
    /// Summand in units of the sum's last bit.
    pub bias: i64,
    /// Right shift of the sum, in bits.
    pub shift: u32,
}

impl Evaluation {
    /// Returns the shifts and the bias of a function.
    ///
    /// Those of [`Function::Sqrt`] and [`Function::Tanh`] were not published. They are the only
    /// ones of this shape for which an H100's results have a solution. Both cut off their results,
    /// and SQRT subtracts one unit of the last place before.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Evaluation, Function};
    ///
    /// assert_eq!(Evaluation::known(Function::Rcp).bias, 0x47e7);
    /// assert_eq!(Evaluation::known(Function::Sqrt).bias, -1);
    /// ```
    #[must_use]
    pub const fn known(function: Function) -> Self {
        let ([a, c, x_square, shift], bias) = match function {
            Function::Rcp => ([13, 0, 1, 15], 0x47e7),
            Function::Rsq => ([14, 2, 0, 16], 0x7fff),
            Function::Sqrt => ([15, 1, 0, 17], -1),
            Function::Ex2 => ([13, 0, 0, 15], 0x77e2),
            Function::Lg2 => ([12, 1, 0, 2], 0x3345),
            Function::Sin | Function::Cos => ([11, 0, 0, 0], 0),
            Function::Tanh => ([14, 0, 0, 3], 0),
        };
        Self { a, c, x_square, bias, shift }
    }

    /// Returns the factor of C.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Evaluation, Function, square};
    ///
    /// // Rcp squares 16 bits in the upper ones of 17, Rsq shifts the square.
    /// assert_eq!(Evaluation::known(Function::Rcp).square(0x8000), i64::from(square(0x1_0000)));
    /// let rsq = Evaluation::known(Function::Rsq);
    /// assert_eq!(rsq.square(0x1_0000), 4 * i64::from(square(0x1_0000)));
    /// ```
    #[must_use]
    pub const fn square(self, x: u32) -> i64 {
        (square(x << self.x_square) as i64) << self.c
    }

    /// Returns the sum before its shift.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Evaluation, Function};
    ///
    /// let sin = Evaluation::known(Function::Sin);
    /// // At the beginning of a segment the sum is A alone.
    /// let coefficients = Coefficients { a: 3, b: 5, c: 7 };
    /// assert_eq!(sin.sum(coefficients, 0), 3 << 11);
    /// assert_eq!(sin.sum(coefficients, 1 << 16), (3 << 11) + (5 << 16) + 7 * (1 << 13));
    /// ```
    #[must_use]
    pub const fn sum(self, coefficients: Coefficients, x: u32) -> i64 {
        let Coefficients { a, b, c } = coefficients;
        ((a as i64) << self.a) + b as i64 * x as i64 + c as i64 * self.square(x) + self.bias
    }
}
