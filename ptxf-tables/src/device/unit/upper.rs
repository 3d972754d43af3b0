//! RCP64H and RSQ64H: the upper words of f64, by the tables of RCP and RSQ.

use ptxf_core::format::Binary64;
use ptxf_core::{Modifiers, sem};

use super::{Finish, Function, NAN, SIGN, Step, Table};

const INFINITY: u32 = 0x7ff0_0000;
const FRACTION: u32 = (1 << 20) - 1;

impl Table<'_> {
    /// Executes one MUFU.RCP64H or MUFU.RSQ64H, from the upper word of an f64 to that of the
    /// result.
    ///
    /// Subnormal operands and results are flushed, and NaNs are 0x7FFFFFFF.
    ///
    /// # Panics
    ///
    /// The function panics if the table is not that of [`Function::Rcp`] or [`Function::Rsq`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table};
    ///
    /// let nothing = [Coefficients::default(); 128];
    /// let evaluation = Evaluation::known(Function::Rsq);
    /// let rsq = Table::new(Function::Rsq, evaluation, Complement::Ones, &nothing).unwrap();
    /// // These operands need no coefficients: 4, −0, a negative number.
    /// assert_eq!(rsq.upper(0x4010_0000), 0x3fe0_0000);
    /// assert_eq!(rsq.upper(0x8000_0000), 0xfff0_0000);
    /// assert_eq!(rsq.upper(0xbff0_0000), 0x7fff_ffff);
    /// ```
    #[must_use]
    pub fn upper(&self, operand: u32) -> u32 {
        let sign = operand & SIGN;
        let magnitude = operand & !SIGN;
        let fraction = magnitude & FRACTION;
        let e = (magnitude >> 20).cast_signed() - 1023;
        let root = self.function() == Function::Rsq;
        assert!(root || self.function() == Function::Rcp, "{:?} has no upper words", self.function());
        match magnitude {
            INFINITY.. if magnitude > INFINITY => return NAN,
            ..0x10_0000 => return sign | INFINITY,
            _ if root && sign != 0 => return NAN,
            INFINITY => return sign,
            _ => {}
        }
        // The tables take operands of f32: one with the same fraction and, for a root, an exponent
        // of the same parity.
        let odd = if root { (e & 1).cast_unsigned() } else { 0 };
        let exponent = 1022 - if root { e >> 1 } else { e };
        let narrow = (127 + odd) << 23 | fraction << 3;
        let Step::Look { segment, x, finish: Finish::Scale { .. } } = self.step(narrow) else {
            // The root of an even power of two needs no coefficients.
            return ((exponent + 1).cast_unsigned()) << 20;
        };
        let q = (self.sum(segment, x) >> 3).clamp(1 << 20, 1 << 21) as u32;
        let biased = exponent + (q >> 21).cast_signed();
        sign | match biased {
            ..=0 => 0,
            1..=2046 => biased.cast_unsigned() << 20 | q & FRACTION,
            2047.. => INFINITY,
        }
    }
}

/// Computes `rcp.approx.ftz.f64`, given MUFU.RCP64H. The operand's lower word is ignored, and the
/// result's is 0.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::rcp_approx_f64;
///
/// // A unit that cuts off the exact result, instead of a device's.
/// let mufu = |x: u32| ((1.0 / f64::from_bits(u64::from(x) << 32)).to_bits() >> 32) as u32;
/// assert_eq!(f64::from_bits(rcp_approx_f64(4_f64.to_bits(), mufu)), 0.25);
/// ```
#[must_use]
pub fn rcp_approx_f64(a: u64, rcp: impl Fn(u32) -> u32) -> u64 {
    u64::from(rcp((a >> 32) as u32)) << 32
}

/// Computes `rsqrt.approx{.ftz}.f64`, given MUFU.RSQ64H. Without `.ftz` one step of Newton's
/// iteration follows.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::rsqrt_approx_f64;
///
/// // A unit that cuts off the exact result, instead of a device's.
/// let mufu = |x: u32| ((1.0 / f64::from_bits(u64::from(x) << 32).sqrt()).to_bits() >> 32) as u32;
/// let third = rsqrt_approx_f64(false, 9_f64.to_bits(), mufu);
/// assert_eq!(f64::from_bits(third), 1.0 / 3.0);
/// assert_eq!(rsqrt_approx_f64(true, 9_f64.to_bits(), mufu), 0x3fd5_5555 << 32);
/// ```
#[must_use]
pub fn rsqrt_approx_f64(ftz: bool, a: u64, rsq: impl Fn(u32) -> u32) -> u64 {
    const EXPONENT: u64 = 0x7ff << 52;
    const SIGN: u64 = 1 << 63;
    if ftz {
        return u64::from(rsq((a >> 32) as u32)) << 32;
    }
    let magnitude = a & !SIGN;
    match magnitude {
        // A NaN keeps its payload.
        m if m > EXPONENT => a | 1 << 51,
        0 => a & SIGN | EXPONENT,
        _ if a & SIGN != 0 => 0xfff8 << 48,
        EXPONENT => 0,
        m if m >> 52 == 0 => scaled(refined(scaled(a, 54), rsq), 27),
        _ => refined(a, rsq),
    }
}

/// `y + y·e·(1/2 + 3/8·e)`, where `e = 1 − x·y²`.
fn refined(x: u64, rsq: impl Fn(u32) -> u32) -> u64 {
    const ONE: u64 = 0x3ff0 << 48;
    const HALF: u64 = 0x3fe0 << 48;
    const THREE_EIGHTHS: u64 = 0x3fd8 << 48;
    let fma = |a, b, c| sem::fma::<Binary64>(Modifiers::PLAIN, a, b, c);
    let mul = |a, b| sem::mul::<Binary64>(Modifiers::PLAIN, a, b);
    let y = u64::from(rsq((x >> 32) as u32)) << 32;
    let e = fma(x, mul(y, y) ^ 1 << 63, ONE);
    fma(fma(e, THREE_EIGHTHS, HALF), mul(y, e), y)
}

/// Returns x times 2^n.
fn scaled(x: u64, n: u64) -> u64 {
    sem::mul::<Binary64>(Modifiers::PLAIN, x, (1023 + n) << 52)
}
