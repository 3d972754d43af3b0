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
/// // A straight line from 1 to 2 instead of 2^x, which is no device's.
/// let entry = |i| Coefficients { a: (64 + i) << 19, b: 1 << 15, c: 0 };
/// let line: Vec<_> = (0..64).map(entry).collect();
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
    /// Makes a table; `None` unless there is an entry for each of the
    /// [`segments`](Function::segments).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    ///
    /// let evaluation = Evaluation::known(Function::Rcp);
    /// let zeros = [Coefficients::default(); 128];
    /// let table = |n| Table::new(Function::Rcp, evaluation, Complement::Ones, &zeros[..n]);
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

    /// Executes one MUFU instruction: subnormal operands and results are flushed, NaNs are
    /// canonical.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    ///
    /// let nothing = [Coefficients::default(); 64];
    /// let evaluation = Evaluation::known(Function::Lg2);
    /// let lg2 = Table::new(Function::Lg2, evaluation, Complement::Ones, &nothing).unwrap();
    /// // These operands need no coefficients: 1, 0, a negative number.
    /// let results = [0x3f80_0000, 0, 0xbf80_0000].map(|x| lg2.call(x));
    /// assert_eq!(results, [0, 0xff80_0000, 0x7fff_ffff]);
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

    /// Returns the shifted sum.
    pub(super) fn sum(&self, segment: usize, x: u32) -> i64 {
        self.evaluation.sum(self.segments[segment], x) >> self.evaluation.shift
    }

    /// Computes the function's form of one operand, `rcp.approx{.ftz}.f32` for [`Function::Rcp`]:
    /// one MUFU with the instructions that the assembler emits around it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    /// // A straight line from 1 to 2 instead of 2^x, which is no device's.
    /// let entry = |i| Coefficients { a: (64 + i) << 19, b: 1 << 15, c: 0 };
    /// let line: Vec<_> = (0..64).map(entry).collect();
    /// let evaluation = Evaluation::known(Function::Ex2);
    /// let ex2 = Table::new(Function::Ex2, evaluation, Complement::Ones, &line).unwrap();
    /// // Below −126 MUFU flushes. The form without `.ftz` halves the operand and squares the
    /// // result.
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
