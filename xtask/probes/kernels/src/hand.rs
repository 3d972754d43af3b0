//! What a programmer writes who packs two elements by hand: every slice is of pairs, every size is even.
//!
//! Each is the text of the suite with `F16x2` in the place of floats. What a pair has no instruction for happens in f32, one
//! lane after the other, as in the suite's kernels; `cargo xtask ptx` counts the machine's instructions of both.

use core::arch::asm;

use ptxf::kernel::Element;
use ptxf::{F16, F16x2, ptx, ptx_kernel};

/// Both lanes of an f32 function, each rounded once.
#[inline(always)]
fn each(a: F16x2, f: impl Fn(f32) -> f32) -> F16x2 {
    round([f(a.lo().widen()), f(a.hi().widen())])
}

/// A function of two lanes.
#[inline(always)]
fn both(a: F16x2, b: F16x2, f: impl Fn(f32, f32) -> f32) -> F16x2 {
    round([f(a.lo().widen(), b.lo().widen()), f(a.hi().widen(), b.hi().widen())])
}

#[inline(always)]
fn round([low, high]: [f32; 2]) -> F16x2 {
    #[cfg(target_feature = "sm_80")]
    {
        let d: u32;
        // SAFETY: one instruction without side effects, which the target has.
        unsafe {
            asm!("cvt.rn.f16x2.f32 {d}, {high}, {low};", d = lateout(reg32) d, high = in(reg32) high, low = in(reg32) low,
                options(pure, nomem, nostack));
        }
        F16x2::from_bits(d)
    }
    #[cfg(not(target_feature = "sm_80"))]
    pack(F16::cvt_rn(low), F16::cvt_rn(high))
}

/// Ones in each half in which `a > b`.
#[inline(always)]
fn above(a: F16x2, b: F16x2) -> u32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let d: u32;
    #[cfg(any(target_feature = "sm_80", target_feature = "ptx70"))]
    // SAFETY: one instruction without side effects, which the target has.
    unsafe {
        asm!("set.gt.u32.f16x2 {d}, {a}, {b};", d = lateout(reg32) d, a = in(reg32) a, b = in(reg32) b,
            options(pure, nomem, nostack));
    }
    #[cfg(not(any(target_feature = "sm_80", target_feature = "ptx70")))]
    {
        let ones: u32;
        // SAFETY: one instruction without side effects, which the target has.
        unsafe {
            asm!("set.gt.f16x2.f16x2 {d}, {a}, {b};", d = lateout(reg32) ones, a = in(reg32) a, b = in(reg32) b,
                options(pure, nomem, nostack));
        }
        d = (ones >> 10 & 0x0001_0001) * 0xFFFF;
    }
    d
}

/// `yes` where the half of the word is ones.
#[inline(always)]
fn select(m: u32, yes: F16x2, no: F16x2) -> F16x2 {
    F16x2::from_bits(yes.to_bits() & m | no.to_bits() & !m)
}

/// Two halves, which the assembler makes part of the instruction that reads them where it can.
#[inline(always)]
fn pack(low: F16, high: F16) -> F16x2 {
    let d: u32;
    // SAFETY: one instruction without side effects.
    unsafe {
        asm!("mov.b32 {d}, {{{a}, {b}}};", d = lateout(reg32) d, a = in(reg16) low.to_bits(), b = in(reg16) high.to_bits(),
            options(pure, nomem, nostack));
    }
    F16x2::from_bits(d)
}

/// A half in both lanes.
#[inline(always)]
fn twice(x: F16) -> F16x2 {
    pack(x, x)
}

/// An argument in both lanes.
#[inline(always)]
fn splat(x: f32) -> F16x2 {
    twice(F16::cvt_rn(x))
}

/// Both lanes of a constant.
#[inline(always)]
const fn pair(bits: u16) -> F16x2 {
    F16x2::from_bits((bits as u32) << 16 | bits as u32)
}

#[ptx_kernel(prefix = hand)]
fn nn(t: ThreadX, n: usize, lat: &[F16x2], lng: &[F16x2], lat0: f32, lng0: f32, out: &mut [F16x2]) {
    let (lat0, lng0) = (splat(lat0), splat(lng0));
    if t < n {
        let x = lat0 - lat[t];
        let y = lng0 - lng[t];
        out[t] = each(x * x + y * y, ptx::sqrt_rn_f32);
    }
}

#[ptx_kernel(prefix = hand)]
fn matmul(
    col: ThreadX,
    row: ThreadY,
    width: usize,
    height: usize,
    depth: usize,
    a: &[F16],
    b: &[F16x2],
    c: &mut [F16x2],
) {
    if col < width && row < height {
        let mut s = F16x2::ZERO;
        for k in 0..depth {
            let x = a[row * depth + k];
            s = s + twice(x) * b[col + k * width];
        }
        // SAFETY: an element per thread.
        unsafe { c.set(row * width + col.get(), s) };
    }
}

#[ptx_kernel(prefix = hand)]
fn assign(t: ThreadX, n: usize, k: usize, f: usize, x: &[F16x2], c: &[F16], member: &mut [i32]) {
    if t < n {
        let mut best = pair(F16::INFINITY.to_bits());
        let (mut low, mut high) = (0, 0);
        for i in 0..k {
            let mut s = F16x2::ZERO;
            for j in 0..f {
                let centre = c[i * f + j];
                let d = x[t + j * n] - twice(centre);
                s = s + d * d;
            }
            let nearer = above(best, s);
            best = select(nearer, s, best);
            if nearer & 1 != 0 {
                low = i as i32;
            }
            if nearer >> 31 != 0 {
                high = i as i32;
            }
        }
        // SAFETY: two elements per thread.
        unsafe { member.set(t * 2, low) };
        // SAFETY: as above.
        unsafe { member.set(t * 2 + 1, high) };
    }
}

#[inline(always)]
fn exp(x: f32) -> f32 {
    ptx::ex2_approx_f32(ptx::mul_rn_f32(x, core::f32::consts::LOG2_E))
}

#[inline(always)]
fn ln(x: f32) -> f32 {
    ptx::mul_rn_f32(ptx::lg2_approx_f32(x), core::f32::consts::LN_2)
}

/// The cumulative normal distribution.
#[inline(always)]
fn cnd(d: F16x2) -> F16x2 {
    // 1, 0.2316419, 0.3989422804, −0.5 and the polynomial's, rounded.
    let one = pair(0x3C00);
    let k = both(one, one + pair(0x336A) * d.abs(), ptx::div_rn_f32);
    let polynomial =
        k * (pair(0x351C) + k * (pair(0xB5B4) + k * (pair(0x3F20) + k * (pair(0xBF49) + k * pair(0x3D52)))));
    let w = pair(0x3662) * each(pair(0xB800) * d * d, exp) * polynomial;
    select(above(d, F16x2::ZERO), one - w, w)
}

#[ptx_kernel(prefix = hand)]
fn price(
    t: ThreadX,
    n: usize,
    stock: &[F16x2],
    strike: &[F16x2],
    years: &[F16x2],
    rate: f32,
    volatility: f32,
    call: &mut [F16x2],
    put: &mut [F16x2],
) {
    let (rate, volatility) = (splat(rate), splat(volatility));
    if t < n {
        let (s, x, y) = (stock[t], strike[t], years[t]);
        let one = pair(0x3C00);
        let root = each(y, ptx::sqrt_rn_f32);
        let above = each(both(s, x, ptx::div_rn_f32), ln) + (rate + pair(0x3800) * volatility * volatility) * y;
        let d1 = both(above, volatility * root, ptx::div_rn_f32);
        let d2 = d1 - volatility * root;
        let (n1, n2) = (cnd(d1), cnd(d2));
        let discounted = x * each(-rate * y, exp);
        call[t] = s * n1 - discounted * n2;
        put[t] = discounted * (one - n2) - s * (one - n1);
    }
}
