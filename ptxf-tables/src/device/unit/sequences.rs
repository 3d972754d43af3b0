//! The instruction sequences that the assembler emits for a form, the same for every target from
//! sm_75 on.

use ptxf_core::format::Binary32;
use ptxf_core::{Modifiers, Round, sem};

use super::{INFINITY, MIN_NORMAL, SIGN};

const fn modifiers(ftz: bool) -> Modifiers {
    Modifiers::PLAIN.with_ftz(ftz)
}

fn fmul(ftz: bool, a: u32, b: u32) -> u32 {
    sem::mul::<Binary32>(modifiers(ftz), a, b)
}

/// Returns the bits of 2^e in f32.
const fn power(e: i32) -> u32 {
    ((127 + e) as u32) << 23
}

/// Returns `true` if |x| < 2⁻¹²⁶, and `false` for a NaN.
const fn is_small(x: u32) -> bool {
    x & !SIGN < MIN_NORMAL
}

/// Returns `true` if |x| > 2¹²⁶, and `false` for a NaN.
const fn is_large(x: u32) -> bool {
    let magnitude = x & !SIGN;
    magnitude > power(126) && magnitude <= INFINITY
}

/// Computes `rcp.approx{.ftz}.f32`, given MUFU.RCP.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::rcp_approx;
///
/// // A correctly rounded unit instead of a device's.
/// let mufu = |x| (1.0 / f32::from_bits(x)).to_bits();
/// // MUFU flushes 2^-127; the form without `.ftz` scales before and after.
/// assert_eq!(rcp_approx(false, 2_f32.powi(127).to_bits(), mufu), 0x0040_0000);
/// ```
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

/// Computes `rsqrt.approx{.ftz}.f32`, given MUFU.RSQ.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::rsqrt_approx;
///
/// // A correctly rounded unit instead of a device's.
/// let mufu = |x| (1.0 / f32::from_bits(x).sqrt()).to_bits();
/// assert_eq!(rsqrt_approx(true, 4_f32.to_bits(), mufu), 0.5_f32.to_bits());
/// // The smallest subnormal, 2^-149, is scaled to 2^-125: an odd power.
/// assert_eq!(rsqrt_approx(false, 1, mufu), 0x64b5_04f3);
/// ```
#[must_use]
pub fn rsqrt_approx(ftz: bool, a: u32, rsq: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(a) { rsq(a) } else { fmul(false, rsq(fmul(false, a, power(24))), power(12)) }
}

/// Computes `sqrt.approx{.ftz}.f32`, given MUFU.SQRT.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::sqrt_approx;
///
/// // A correctly rounded unit instead of a device's.
/// let mufu = |x| f32::from_bits(x).sqrt().to_bits();
/// assert_eq!(sqrt_approx(false, 4, mufu), 2_f32.powi(-74).to_bits() + 0x0035_04f3);
/// ```
#[must_use]
pub fn sqrt_approx(ftz: bool, a: u32, sqrt: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(a) { sqrt(a) } else { fmul(false, sqrt(fmul(false, a, power(24))), power(-12)) }
}

/// Computes `ex2.approx{.ftz}.f32`, given MUFU.EX2.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::ex2_approx;
///
/// // A correctly rounded unit instead of a device's.
/// let mufu = |x| f32::from_bits(x).exp2().to_bits();
/// // 2^-64, squared.
/// assert_eq!(ex2_approx(false, (-128_f32).to_bits(), mufu), 0x0020_0000);
/// ```
#[must_use]
pub fn ex2_approx(ftz: bool, a: u32, ex2: impl Fn(u32) -> u32) -> u32 {
    // Numbers below −126.
    let below = (0xc2fc_0001..=SIGN | INFINITY).contains(&a);
    if ftz || !below {
        return ex2(a);
    }
    let root = ex2(fmul(false, a, power(-1)));
    fmul(false, root, root)
}

/// Computes `lg2.approx{.ftz}.f32`, given MUFU.LG2.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::lg2_approx;
///
/// // A correctly rounded unit instead of a device's.
/// let mufu = |x| f32::from_bits(x).log2().to_bits();
/// // −125 − 24.
/// assert_eq!(lg2_approx(false, 1, mufu), (-149_f32).to_bits());
/// ```
#[must_use]
pub fn lg2_approx(ftz: bool, a: u32, lg2: impl Fn(u32) -> u32) -> u32 {
    const MINUS_24: u32 = 0xc1c0_0000;
    if ftz || !is_small(a) {
        return lg2(a);
    }
    sem::add::<Binary32>(Modifiers::PLAIN, lg2(fmul(false, a, power(24))), MINUS_24)
}

/// Computes `sin.approx{.ftz}.f32`, given MUFU.SIN, or `cos.approx{.ftz}.f32`, given MUFU.COS.
/// `.ftz` has no effect.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::{turns, wave_approx};
///
/// // The unit's operand is the angle in turns.
/// assert_eq!(wave_approx(1_f32.to_bits(), |t| t), turns(1_f32.to_bits()));
/// ```
#[must_use]
pub fn wave_approx(a: u32, wave: impl Fn(u32) -> u32) -> u32 {
    wave(turns(a))
}

/// Returns an angle in turns, rounded toward zero: the operand of MUFU.SIN and MUFU.COS.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::turns;
///
/// assert_eq!(turns(1_f32.to_bits()), 0x3e22_f983);
/// // 3 · 0x3E22F983 has more bits than binary32, and is cut off.
/// assert_eq!(turns((-3_f32).to_bits()), 0xbef4_7644);
/// ```
#[must_use]
pub fn turns(a: u32) -> u32 {
    const PER_RADIAN: u32 = 0x3e22_f983;
    sem::mul::<Binary32>(Modifiers::PLAIN.with_rnd(Round::Rz), a, PER_RADIAN)
}

/// Computes `div.approx{.ftz}.f32`, given MUFU.RCP.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::div_approx;
///
/// // A correctly rounded unit instead of a device's. It flushes as they do.
/// let mufu = |x| if x == 0x7f00_0000 { 0 } else { (1.0 / f32::from_bits(x)).to_bits() };
/// let [one, four, two_127] = [1.0, 4.0, 2_f32.powi(127)].map(f32::to_bits);
/// assert_eq!(div_approx(false, one, four, mufu), 0.25_f32.to_bits());
/// // This flush is the documented zero beyond 2^126.
/// assert_eq!(div_approx(false, one, two_127, mufu), 0);
/// ```
#[must_use]
pub fn div_approx(ftz: bool, a: u32, b: u32, rcp: impl Fn(u32) -> u32) -> u32 {
    if ftz || !is_small(b) {
        return fmul(ftz, rcp(b), a);
    }
    fmul(false, rcp(fmul(false, b, power(24))), fmul(false, a, power(24)))
}

/// Computes `div.full{.ftz}.f32`, given MUFU.RCP.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::unit::div_full;
///
/// // A correctly rounded unit instead of a device's. It flushes as they do.
/// let mufu = |x| if x == 0x7f00_0000 { 0 } else { (1.0 / f32::from_bits(x)).to_bits() };
/// // 2^127 is scaled to 2^125.
/// assert_eq!(div_full(false, 1_f32.to_bits(), 2_f32.powi(127).to_bits(), mufu), 0x0040_0000);
/// ```
#[must_use]
pub fn div_full(ftz: bool, a: u32, b: u32, rcp: impl Fn(u32) -> u32) -> u32 {
    let scale = match b {
        b if is_large(b) => power(-2),
        b if !ftz && is_small(b) => power(24),
        _ => return fmul(ftz, rcp(b), a),
    };
    fmul(ftz, rcp(fmul(ftz, b, scale)), fmul(ftz, a, scale))
}
