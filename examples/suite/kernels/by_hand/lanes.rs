//! Conversions, comparisons and functions of pairs for handwritten kernels.
// Invariant: each instruction is one that the target has, and touches its registers alone.

#[cfg(target_arch = "nvptx64")]
use core::arch::asm;

use ptxf::kernel::Element;
use ptxf::{F16, F16x2, ptx};

/// Applies an f32 function to both lanes, each rounded once.
#[inline(always)]
pub(super) fn each(a: F16x2, f: impl Fn(f32) -> f32) -> F16x2 {
    round([f(a.lo().widen()), f(a.hi().widen())])
}

/// Applies an f32 function of two operands to both lanes.
#[inline(always)]
pub(super) fn both(a: F16x2, b: F16x2, f: impl Fn(f32, f32) -> f32) -> F16x2 {
    round([f(a.lo().widen(), b.lo().widen()), f(a.hi().widen(), b.hi().widen())])
}

#[inline(always)]
fn round([low, high]: [f32; 2]) -> F16x2 {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    {
        let d: u32;
        // SAFETY: the template is one instruction that the target has, and it changes nothing but
        // its result.
        unsafe {
            asm!("cvt.rn.f16x2.f32 {d}, {high}, {low};", d = lateout(reg32) d, high = in(reg32) high, low = in(reg32) low,
                options(pure, nomem, nostack));
        }
        F16x2::from_bits(d)
    }
    #[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_80")))]
    pack(F16::cvt_rn(low), F16::cvt_rn(high))
}

/// Returns a mask with ones in each lane in which `a > b`.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(super) fn above(a: F16x2, b: F16x2) -> u32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let d: u32;
    #[cfg(any(target_feature = "sm_80", target_feature = "ptx70"))]
    // SAFETY: the template is one instruction that the target has, and it changes nothing but its
    // result.
    unsafe {
        asm!("set.gt.u32.f16x2 {d}, {a}, {b};", d = lateout(reg32) d, a = in(reg32) a, b = in(reg32) b,
            options(pure, nomem, nostack));
    }
    #[cfg(not(any(target_feature = "sm_80", target_feature = "ptx70")))]
    {
        let ones: u32;
        // SAFETY: the template is one instruction that the target has, and it changes nothing but
        // its result.
        unsafe {
            asm!("set.gt.f16x2.f16x2 {d}, {a}, {b};", d = lateout(reg32) ones, a = in(reg32) a, b = in(reg32) b,
                options(pure, nomem, nostack));
        }
        d = (ones >> 10 & 0x0001_0001) * 0xFFFF;
    }
    d
}

/// Returns a mask with ones in each lane in which `a > b`.
#[cfg(not(target_arch = "nvptx64"))]
pub(super) fn above(a: F16x2, b: F16x2) -> u32 {
    (u32::from(a.lo() > b.lo()) * 0xFFFF) | (u32::from(a.hi() > b.hi()) * 0xFFFF_0000)
}

/// Returns `yes` in lanes whose mask is ones, otherwise `no`.
#[inline(always)]
pub(super) fn select(m: u32, yes: F16x2, no: F16x2) -> F16x2 {
    F16x2::from_bits(yes.to_bits() & m | no.to_bits() & !m)
}

/// Packs two f16, which the assembler may merge into the instruction that reads them.
#[inline(always)]
pub(super) fn pack(low: F16, high: F16) -> F16x2 {
    #[cfg(target_arch = "nvptx64")]
    {
        let d: u32;
        // SAFETY: the template is one instruction that every target has, and it changes nothing but
        // its result.
        unsafe {
            asm!("mov.b32 {d}, {{{a}, {b}}};", d = lateout(reg32) d, a = in(reg16) low.to_bits(), b = in(reg16) high.to_bits(),
                options(pure, nomem, nostack));
        }
        F16x2::from_bits(d)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    F16x2::from_bits(u32::from(high.to_bits()) << 16 | u32::from(low.to_bits()))
}

/// Returns an f16 in both lanes.
#[inline(always)]
pub(super) fn twice(x: F16) -> F16x2 {
    pack(x, x)
}

/// Returns an argument in both lanes.
#[inline(always)]
pub(super) fn splat(x: f32) -> F16x2 {
    twice(F16::cvt_rn(x))
}

/// Returns a constant in both lanes.
#[inline(always)]
pub(super) const fn pair(bits: u16) -> F16x2 {
    F16x2::from_bits((bits as u32) << 16 | bits as u32)
}

/// Returns the element `i` of a row of pairs from its word `i / 2`.
#[inline(always)]
pub(super) fn lane(word: F16x2, i: usize) -> F16 {
    if i.is_multiple_of(2) { word.lo() } else { word.hi() }
}

#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    ptx::ex2_approx_f32(ptx::mul_rn_f32(x, core::f32::consts::LOG2_E))
}

#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    ptx::mul_rn_f32(ptx::lg2_approx_f32(x), core::f32::consts::LN_2)
}
