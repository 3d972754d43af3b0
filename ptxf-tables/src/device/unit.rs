//! The function unit behind `rcp`, `rsqrt`, `sqrt`, `ex2`, `lg2`, `sin` and `cos` of f32, and what the assembler puts around it.
//!
//! The unit interpolates: the top bits of the operand's significand select a segment with coefficients A, B and C, the rest
//! of it is `x`, and the result is the upper bits of `A·2^k + B·x + C·sq(x) + bias` (Oberman and Siu, ARITH-17, 2005). The
//! squarer leaves out partial products. Everything here is integers and nothing here is a coefficient: a [`Table`] takes
//! them as an argument, and they have to come from a device (`cargo xtask fit`).
//!
//! ```text
//! operand ─ Function::step ─► segment, x ─ Table ► Evaluation::sum ─► Finish::result ─► result      one MUFU
//! form ─ rcp_approx, … ─► scale, MUFU, scale back: FMUL and FADD are `ptxf_core::sem`'s
//! ```
//!
//! # What is not known
//!
//! What was published about the unit leaves this open, and data decides it:
//!
//! - whether a negative logarithm is negated or complemented, and whether the second quarter of a turn is mirrored by the one
//!   or the other: [`Complement`], which a fit tries both ways;
//! - SQRT's shifts and bias: the caller of [`Table::new`] gives them; [`Evaluation::known`] has none;
//! - that the angle is cut to 25 bits of a turn is concluded from 64 segments of 17 bits to a quarter, and the sign of a zero
//!   at a half turn from the sign of the quarter;
//! - TANH.f32: below 2⁻⁸ it returns its operand and from 8 on ±1; where the 51 segments between begin, which bits are `x`,
//!   shifts and bias, nobody has said. It is not here.
//! - The unit on 16-bit operands is not known at all; dumps take its place ([`delta`](super::delta)).

use ptxf_core::format::Binary32;
use ptxf_core::{Modifiers, Round, sem};

const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;
const ONE: u32 = 127 << 23;
const MIN_NORMAL: u32 = 1 << 23;
const FRACTION: u32 = (1 << 23) - 1;

/// What a segment's entry holds: about 26, 16 and 10 bits, B and C with a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coefficients {
    /// The function where the segment begins.
    pub a: i32,
    /// Its slope there.
    pub b: i32,
    /// Half its curvature.
    pub c: i32,
}

/// The square of a 17-bit number over 2^19, without the partial products that the unit leaves out.
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

/// What the unit computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `1 / x`; 128 segments.
    Rcp,
    /// `1 / √x`; 64 segments for even exponents, then 64 for odd ones.
    Rsq,
    /// `√x`; segments as `Rsq`.
    Sqrt,
    /// `2^x`; 64 segments.
    Ex2,
    /// `log₂ x`; 64 segments.
    Lg2,
    /// The sine of `x` turns; 64 segments to a quarter, shared with `Cos`.
    Sin,
    /// The cosine of `x` turns.
    Cos,
}

/// How a number is negated: a choice that hardware has and that results tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Complement {
    /// Every bit inverted.
    Ones,
    /// Every bit inverted, plus one.
    Twos,
}

/// Shifts and bias: `((A << a) + B·x + (C·square(x << x_square) << c) + bias) >> shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// By how much A is shifted.
    pub a: u32,
    /// By how much C's product is shifted.
    pub c: u32,
    /// By how much `x` is shifted before it is squared.
    pub x_square: u32,
    /// What is added.
    pub bias: i64,
    /// By how much the sum is shifted.
    pub shift: u32,
}

impl Evaluation {
    /// The function's; `None` for [`Function::Sqrt`].
    #[must_use]
    pub const fn known(function: Function) -> Option<Self> {
        let [a, c, x_square, bias, shift] = match function {
            Function::Rcp => [13, 0, 1, 0x47e7, 15],
            Function::Rsq => [14, 2, 0, 0x7fff, 16],
            Function::Ex2 => [13, 0, 0, 0x77e2, 15],
            Function::Lg2 => [12, 1, 0, 0x3345, 2],
            Function::Sin | Function::Cos => [11, 0, 0, 0, 0],
            Function::Sqrt => return None,
        };
        Some(Self { a, c, x_square, bias: bias as i64, shift })
    }

    /// What C is multiplied by.
    #[must_use]
    pub const fn square(self, x: u32) -> i64 {
        (square(x << self.x_square) as i64) << self.c
    }

    /// The sum before its shift.
    #[must_use]
    pub const fn sum(self, coefficients: Coefficients, x: u32) -> i64 {
        let Coefficients { a, b, c } = coefficients;
        ((a as i64) << self.a) + b as i64 * x as i64 + c as i64 * self.square(x) + self.bias
    }
}

/// What an operand asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: this is the result.
    Done(u32),
    /// An interpolation.
    Look {
        /// Which entry.
        segment: usize,
        /// The operand within the segment.
        x: u32,
        /// What becomes of the sum.
        finish: Finish,
    },
}

/// How a sum becomes a result. Results never fall as the sum grows, but for the sign of a [`Wave`](Self::Wave).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// 24 bits with this biased exponent; 2^24 is the next power of two.
    Scale {
        /// The exponent, which may be out of range.
        exponent: i32,
        /// The sign.
        negative: bool,
    },
    /// 36 fractional bits, to which this integer is added.
    Logarithm {
        /// The exponent of the operand.
        integer: i32,
        /// How a negative sum becomes a magnitude.
        complement: Complement,
    },
    /// 37 fractional bits, with this sign.
    Wave {
        /// The sign.
        negative: bool,
    },
}

impl Finish {
    /// The result for a shifted sum. One that no coefficients of a device lead to is taken to the nearest that some do.
    #[must_use]
    pub fn result(self, sum: i64) -> u32 {
        match self {
            Self::Scale { exponent, negative } => {
                let q = sum.clamp(1 << 23, 1 << 24) as i32;
                let sign = if negative { SIGN } else { 0 };
                // The carry out of the fraction adds into the exponent, then subnormals are flushed.
                let biased = exponent + (q >> 24);
                sign | match biased {
                    ..=0 => 0,
                    1..=254 => (biased as u32) << 23 | q as u32 & FRACTION,
                    255.. => INFINITY,
                }
            }
            Self::Logarithm { integer, complement } => {
                let total = sum + (i64::from(integer) << 36);
                let magnitude = match complement {
                    _ if total >= 0 => total,
                    Complement::Ones => !total,
                    Complement::Twos => -total,
                };
                truncated(magnitude.cast_unsigned(), 36) | if total < 0 { SIGN } else { 0 }
            }
            Self::Wave { negative } => {
                truncated(sum.clamp(0, 1 << 37).cast_unsigned(), 37) | if negative { SIGN } else { 0 }
            }
        }
    }
}

/// A fixed-point number, normalised, everything below 24 bits cut off.
fn truncated(magnitude: u64, fractional: u32) -> u32 {
    if magnitude == 0 {
        return 0;
    }
    let length = u64::BITS - magnitude.leading_zeros();
    let significand = if length > 24 { magnitude >> (length - 24) } else { magnitude << (24 - length) };
    (127 + length - 1 - fractional) << 23 | significand as u32 & FRACTION
}

impl Function {
    /// Number of entries.
    #[must_use]
    pub const fn segments(self) -> usize {
        match self {
            Self::Rcp | Self::Rsq | Self::Sqrt => 128,
            Self::Ex2 | Self::Lg2 | Self::Sin | Self::Cos => 64,
        }
    }

    /// What the operand asks for. Subnormal operands count as zero.
    #[must_use]
    pub fn step(self, operand: u32, complement: Complement) -> Step {
        let sign = operand & SIGN;
        let negative = sign != 0;
        let magnitude = operand & !SIGN;
        if magnitude > INFINITY {
            return Step::Done(NAN);
        }
        let (zero, infinite) = (magnitude < MIN_NORMAL, magnitude == INFINITY);
        let field = (magnitude >> 23).cast_signed();
        let e = field - 127;
        let fraction = magnitude & FRACTION;
        // 64 segments and 17 bits within.
        let look =
            |first: u32, f: u32, finish| Step::Look { segment: (first + (f >> 17)) as usize, x: f & 0x1_ffff, finish };
        match self {
            Self::Rcp if zero => Step::Done(sign | INFINITY),
            Self::Rcp if infinite => Step::Done(sign),
            Self::Rcp => Step::Look {
                segment: (fraction >> 16) as usize,
                x: fraction & 0xffff,
                finish: Finish::Scale { exponent: 126 - e, negative },
            },
            Self::Rsq if zero => Step::Done(sign | INFINITY),
            Self::Sqrt if zero => Step::Done(sign),
            Self::Lg2 if zero => Step::Done(SIGN | INFINITY),
            Self::Rsq | Self::Sqrt | Self::Lg2 if negative => Step::Done(NAN),
            Self::Rsq if infinite => Step::Done(0),
            Self::Sqrt | Self::Lg2 if infinite => Step::Done(INFINITY),
            Self::Rsq | Self::Sqrt => {
                let (odd, half) = ((e & 1).cast_unsigned(), e >> 1);
                let exponent = if self == Self::Rsq { 126 - half } else { 127 + half };
                if self == Self::Rsq && odd == 0 && fraction == 0 {
                    return Step::Done(((exponent + 1) as u32) << 23);
                }
                look(64 * odd, fraction, Finish::Scale { exponent, negative: false })
            }
            Self::Lg2 if magnitude == ONE => Step::Done(0),
            Self::Lg2 => look(0, fraction, Finish::Logarithm { integer: e, complement }),
            Self::Ex2 if zero => Step::Done(ONE),
            Self::Ex2 if e >= 7 => Step::Done(if negative { 0 } else { INFINITY }),
            Self::Ex2 => {
                let significand = fraction | MIN_NORMAL;
                let fixed =
                    if e >= 0 { significand << e } else { significand.checked_shr(e.unsigned_abs()).unwrap_or(0) };
                // 7.23; a negative operand is complemented, integer and fraction.
                let fixed = if negative { !fixed.cast_signed() } else { fixed.cast_signed() };
                let finish = Finish::Scale { exponent: 127 + (fixed >> 23), negative: false };
                look(0, fixed.cast_unsigned() & FRACTION, finish)
            }
            Self::Sin | Self::Cos if infinite => Step::Done(NAN),
            Self::Sin if zero => Step::Done(sign),
            Self::Cos if zero => Step::Done(ONE),
            Self::Sin | Self::Cos => {
                let significand = fraction | MIN_NORMAL;
                // 25 bits of a turn; whole turns are lost on the left.
                let fixed = match field - 125 {
                    left @ 0.. => significand.checked_shl(left.cast_unsigned()).unwrap_or(0),
                    right => significand.checked_shr(right.unsigned_abs()).unwrap_or(0),
                };
                let fixed = if self == Self::Cos { fixed.wrapping_add(1 << 23) } else { fixed };
                let (quarter, f) = (fixed >> 23 & 3, fixed & FRACTION);
                let negative = (quarter >= 2) != (self == Self::Sin && negative);
                let f = match complement {
                    _ if quarter & 1 == 0 => f,
                    Complement::Ones => !f & FRACTION,
                    Complement::Twos if f == 0 => return Step::Done(ONE | if negative { SIGN } else { 0 }),
                    Complement::Twos => (1 << 23) - f,
                };
                look(0, f, Finish::Wave { negative })
            }
        }
    }
}

/// A function of the unit with its coefficients.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
///
/// // No device's: a straight line from 1 to 2 in the place of 2^x.
/// let line: Vec<_> = (0..64).map(|i| Coefficients { a: (64 + i) << 19, b: 1 << 15, c: 0 }).collect();
/// let evaluation = Evaluation::known(Function::Ex2).unwrap();
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
    /// let evaluation = Evaluation::known(Function::Rcp).unwrap();
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

    /// One MUFU instruction.
    #[must_use]
    pub fn call(&self, operand: u32) -> u32 {
        match self.function.step(operand, self.complement) {
            Step::Done(result) => result,
            Step::Look { segment, x, finish } => {
                finish.result(self.evaluation.sum(self.segments[segment], x) >> self.evaluation.shift)
            }
        }
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
    /// let ex2 = Table::new(Function::Ex2, Evaluation::known(Function::Ex2).unwrap(), Complement::Ones, &line).unwrap();
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
        }
    }
}

const fn modifiers(ftz: bool) -> Modifiers {
    Modifiers { ftz, ..Modifiers::PLAIN }
}

fn fmul(ftz: bool, a: u32, b: u32) -> u32 {
    sem::mul::<Binary32>(modifiers(ftz), a, b)
}

/// 2^e as f32.
const fn power(e: i32) -> u32 {
    ((127 + e) as u32) << 23
}

/// |x| < 2⁻¹²⁶, which no NaN is.
const fn is_small(x: u32) -> bool {
    x & !SIGN < MIN_NORMAL
}

/// |x| > 2¹²⁶, which no NaN is.
const fn is_large(x: u32) -> bool {
    let magnitude = x & !SIGN;
    magnitude > power(126) && magnitude <= INFINITY
}

/// `rcp.approx{.ftz}.f32` around MUFU.RCP.
#[must_use]
pub fn rcp_approx(ftz: bool, a: u32, rcp: impl Fn(u32) -> u32) -> u32 {
    let scale = match a {
        _ if ftz => return rcp(a),
        a if is_large(a) => power(-2),
        a if is_small(a) => power(24),
        _ => return rcp(a),
    };
    fmul(false, rcp(fmul(false, a, scale)), scale)
}

/// `rsqrt.approx{.ftz}.f32` around MUFU.RSQ.
#[must_use]
pub fn rsqrt_approx(ftz: bool, a: u32, rsq: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(a) { rsq(a) } else { fmul(false, rsq(fmul(false, a, power(24))), power(12)) }
}

/// `sqrt.approx{.ftz}.f32` around MUFU.SQRT.
#[must_use]
pub fn sqrt_approx(ftz: bool, a: u32, sqrt: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(a) { sqrt(a) } else { fmul(false, sqrt(fmul(false, a, power(24))), power(-12)) }
}

/// `ex2.approx{.ftz}.f32` around MUFU.EX2.
#[must_use]
pub fn ex2_approx(ftz: bool, a: u32, ex2: impl Fn(u32) -> u32) -> u32 {
    // −126, and every negative number beyond it.
    let below = (0xc2fc_0001..=SIGN | INFINITY).contains(&a);
    if ftz || !below {
        return ex2(a);
    }
    let root = ex2(fmul(false, a, power(-1)));
    fmul(false, root, root)
}

/// `lg2.approx{.ftz}.f32` around MUFU.LG2.
#[must_use]
pub fn lg2_approx(ftz: bool, a: u32, lg2: impl Fn(u32) -> u32) -> u32 {
    const MINUS_24: u32 = 0xc1c0_0000;
    if ftz || !is_small(a) {
        return lg2(a);
    }
    sem::add::<Binary32>(Modifiers::PLAIN, lg2(fmul(false, a, power(24))), MINUS_24)
}

/// `sin.approx{.ftz}.f32` around MUFU.SIN, or `cos.approx{.ftz}.f32` around MUFU.COS: both forms are one.
#[must_use]
pub fn wave_approx(a: u32, wave: impl Fn(u32) -> u32) -> u32 {
    wave(turns(a))
}

/// An angle in turns, rounded toward zero, as MUFU.SIN and MUFU.COS take it.
#[must_use]
pub fn turns(a: u32) -> u32 {
    const PER_RADIAN: u32 = 0x3e22_f983;
    sem::mul::<Binary32>(Modifiers { rnd: Round::Rz, ..Modifiers::PLAIN }, a, PER_RADIAN)
}

/// `div.approx{.ftz}.f32` around MUFU.RCP.
#[must_use]
pub fn div_approx(ftz: bool, a: u32, b: u32, rcp: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(b) {
        return fmul(ftz, rcp(b), a);
    }
    fmul(false, rcp(fmul(false, b, power(24))), fmul(false, a, power(24)))
}

/// `div.full{.ftz}.f32` around MUFU.RCP.
#[must_use]
pub fn div_full(ftz: bool, a: u32, b: u32, rcp: impl Fn(u32) -> u32) -> u32 {
    let scale = match b {
        b if is_large(b) => power(-2),
        b if !ftz && is_small(b) => power(24),
        _ => return fmul(ftz, rcp(b), a),
    };
    fmul(ftz, rcp(fmul(ftz, b, scale)), fmul(ftz, a, scale))
}
