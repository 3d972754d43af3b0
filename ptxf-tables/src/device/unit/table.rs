//! A function with its coefficients: one MUFU.

use super::{Coefficients, Complement, Evaluation, Function, Step};
use super::{ex2_approx, lg2_approx, rcp_approx, rsqrt_approx, sqrt_approx, wave_approx};

/// A function of the unit with its coefficients.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
///
/// // No device's: a straight line from 1 to 2 in the place of 2^x.
/// let line: Vec<_> = (0..64).map(|i| Coefficients { a: (64 + i) << 19, b: 1 << 15, c: 0 }).collect();
/// let evaluation = Evaluation::known(Function::Ex2);
/// let ex2 = Table::new(Function::Ex2, evaluation, Complement::Ones, &line).unwrap();
/// assert_eq!(f32::from_bits(ex2.call(3.25_f32.to_bits())), 10.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    function: Function,
    evaluation: Evaluation,
    complement: Complement,
    segments: &'a [Coefficients],
}

impl<'a> Table<'a> {
    /// A table; `None` unless there is an entry for each of the [`segments`](Function::segments).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    ///
    /// let evaluation = Evaluation::known(Function::Rcp);
    /// let table = |n| Table::new(Function::Rcp, evaluation, Complement::Ones, &[Coefficients { a: 0, b: 0, c: 0 }; 128][..n]);
    /// assert!(table(128).is_some());
    /// assert!(table(127).is_none());
    /// ```
    #[must_use]
    pub const fn new(
        function: Function,
        evaluation: Evaluation,
        complement: Complement,
        segments: &'a [Coefficients],
    ) -> Option<Self> {
        if segments.len() == function.segments() {
            Some(Self { function, evaluation, complement, segments })
        } else {
            None
        }
    }

    /// One MUFU instruction: subnormal operands and results are flushed, NaNs are canonical.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    ///
    /// let nothing = [Coefficients::default(); 64];
    /// let lg2 = Table::new(Function::Lg2, Evaluation::known(Function::Lg2), Complement::Ones, &nothing).unwrap();
    /// // What needs no coefficients: 1, 0, a negative number.
    /// assert_eq!([0x3f80_0000, 0, 0xbf80_0000].map(|x| lg2.call(x)), [0, 0xff80_0000, 0x7fff_ffff]);
    /// ```
    #[must_use]
    pub fn call(&self, operand: u32) -> u32 {
        match self.step(operand) {
            Step::Done(result) => result,
            Step::Look { segment, x, finish } => finish.result(self.sum(segment, x)),
        }
    }

    pub(super) const fn function(&self) -> Function {
        self.function
    }

    pub(super) fn step(&self, operand: u32) -> Step {
        self.function.step(operand, self.complement)
    }

    /// The shifted sum.
    pub(super) fn sum(&self, segment: usize, x: u32) -> i64 {
        self.evaluation.sum(self.segments[segment], x) >> self.evaluation.shift
    }

    /// The form of one operand that the function is for, `rcp.approx{.ftz}.f32` for [`Function::Rcp`]: what the assembler
    /// emits around one MUFU.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    /// // No device's: a straight line from 1 to 2 in the place of 2^x.
    /// let line: Vec<_> = (0..64).map(|i| Coefficients { a: (64 + i) << 19, b: 1 << 15, c: 0 }).collect();
    /// let ex2 = Table::new(Function::Ex2, Evaluation::known(Function::Ex2), Complement::Ones, &line).unwrap();
    /// // Below −126 MUFU alone is flushed; the form without `.ftz` halves the operand and squares the result.
    /// assert_eq!(ex2.approx(true, (-128_f32).to_bits()), 0);
    /// assert_eq!(ex2.approx(false, (-128_f32).to_bits()), 0x0020_0000);
    /// ```
    #[must_use]
    pub fn approx(&self, ftz: bool, a: u32) -> u32 {
        let mufu = |x| self.call(x);
        match self.function {
            Function::Rcp => rcp_approx(ftz, a, mufu),
            Function::Rsq => rsqrt_approx(ftz, a, mufu),
            Function::Sqrt => sqrt_approx(ftz, a, mufu),
            Function::Ex2 => ex2_approx(ftz, a, mufu),
            Function::Lg2 => lg2_approx(ftz, a, mufu),
            Function::Sin | Function::Cos => wave_approx(a, mufu),
            Function::Tanh => mufu(a),
        }
    }
}
