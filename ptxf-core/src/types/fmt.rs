//! Formatting of numbers: the shortest decimal that parses to the same number, or as many digits as
//! the precision requests.
//!
//! Types of eight bits and fewer are printed exactly, which takes few digits: 448 prints as 448 and
//! not as 450.

use core::fmt::{self, Binary, Debug, Display, Formatter, LowerExp, LowerHex, Octal, UpperExp, UpperHex};

use super::convert::widen;
use super::parse::parse;
use super::text::Text;
use super::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};
use crate::format::{BFloat16, Binary16, Binary64, Format, TensorFloat32};

/// Returns an `f64` that `core` prints in the same manner as `x` should be printed, in every style.
///
/// With a precision it is `x` itself, which an `f64` represents exactly. Without it is the `f64`
/// nearest to the shortest decimal that rounds to `x`. `core` then prints the same decimal, because
/// an `f64` distinguishes decimals of up to 15 digits.
fn printable<F: Format>(x: F::Bits, f: &Formatter<'_>) -> f64 {
    let exact = f64::from_bits(widen::<F, Binary64>(x));
    if f.precision().is_some() || F::is_nan(x) || F::is_infinite(x) || F::is_zero(x) { exact } else { shortest::<F>(x) }
}

/// Returns the shortest decimal that rounds to `x`, which is finite and not zero; among several the
/// one nearest to `x`.
fn shortest<F: Format>(x: F::Bits) -> f64 {
    let exact = f64::from_bits(widen::<F, Binary64>(x));
    // A format of 11 significant bits needs at most 5 digits.
    for behind_point in 0..5 {
        let mut nearest = Text::new();
        nearest.append(format_args!("{exact:.behind_point$e}"));
        // Above a power of two the neighbours are twice as far apart as below. So the decimal below
        // `x` may be nearer but round to another number, while the decimal above rounds to `x`.
        for candidate in [Some(nearest.as_str()), outward(nearest.as_str(), behind_point).as_ref().map(Text::as_str)] {
            let Some(candidate) = candidate else { continue };
            if parse::<F>(candidate) == Ok(x)
                && let Ok(decimal) = candidate.parse()
            {
                return decimal;
            }
        }
    }
    exact
}

/// Returns the decimal `d.dde±x` plus one unit of its last digit, away from zero.
fn outward(decimal: &str, behind_point: usize) -> Option<Text> {
    let (mantissa, exponent) = decimal.split_once('e')?;
    let exponent = exponent.parse::<i32>().ok()? - behind_point as i32;
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).fold(0, |n, b| 10 * n + u32::from(b - b'0'));
    let mut text = Text::new();
    text.append(format_args!("{sign}{}e{exponent}", digits + 1));
    Some(text)
}

macro_rules! number {
    ($ty:ident |$x:ident, $f:ident| $printable:expr, $($style:ident)*) => {$(
        impl $style for $ty {
            /// Writes the shortest decimal that rounds to this number, or as many correctly rounded
            /// digits as the precision requests. Numbers of eight bits and fewer are written
            /// exactly.
            ///
            /// As with `f32`, zeros fill the places after the shortest decimal: the largest `F16`,
            /// 65 504, prints as `65500`, and with `{:.0}` as `65504`.
            fn fmt(&self, $f: &mut Formatter<'_>) -> fmt::Result {
                let $x = *self;
                $style::fmt(&$printable, $f)
            }
        }
    )*};
}

/// One row per type: the width of its bits in hexadecimal, and the printed value.
macro_rules! scalar {
    ($($ty:ident $width:literal |$x:ident, $f:ident| $printable:expr;)*) => {$(
        number!($ty |$x, $f| $printable, Display LowerExp UpperExp);

        impl Debug for $ty {
            #[doc = concat!("Writes `", stringify!($ty), "(1.5)`; with `{:#?}` also the bits.")]
            fn fmt(&self, $f: &mut Formatter<'_>) -> fmt::Result {
                let $x = *self;
                $f.write_str(concat!(stringify!($ty), "("))?;
                Debug::fmt(&$printable, $f)?;
                if $f.alternate() {
                    write!($f, concat!("; {:#0", $width, "x}"), self.to_bits())?;
                }
                $f.write_str(")")
            }
        }
    )*};
}

scalar! {
    F16 6 |x, f| printable::<Binary16>(x.to_bits(), f);
    Bf16 6 |x, f| printable::<BFloat16>(x.to_bits(), f);
    Tf32 10 |x, f| printable::<TensorFloat32>(x.to_bits(), f);
    E4m3 4 |x, f| x.to_f64();
    E5m2 4 |x, f| x.to_f64();
    E2m3 4 |x, f| x.to_f64();
    E3m2 4 |x, f| x.to_f64();
    E2m1 3 |x, f| x.to_f64();
    Ue8m0 4 |x, f| x.to_f64();
    Ue5m3 4 |x, f| x.to_f64();
    S2f6 4 |x, f| x.to_f64();
}

/// One row per type: the width of its bits in hexadecimal, and the printed value of a lane.
macro_rules! packed {
    ($($ty:ident $width:literal |$lane:ident, $f:ident| $printable:expr;)*) => {$(
        impl Display for $ty {
            /// Writes `(lo, hi)`; width, precision and sign apply to each lane.
            fn fmt(&self, $f: &mut Formatter<'_>) -> fmt::Result {
                let mut before = "(";
                for $lane in self.to_array() {
                    $f.write_str(before)?;
                    Display::fmt(&$printable, $f)?;
                    before = ", ";
                }
                $f.write_str(")")
            }
        }

        impl Debug for $ty {
            #[doc = concat!("Writes `", stringify!($ty), "(1.0, -0.5)`; with `{:#?}` also the bits.")]
            fn fmt(&self, $f: &mut Formatter<'_>) -> fmt::Result {
                let mut before = concat!(stringify!($ty), "(");
                for $lane in self.to_array() {
                    $f.write_str(before)?;
                    Debug::fmt(&$printable, $f)?;
                    before = ", ";
                }
                if $f.alternate() {
                    write!($f, concat!("; {:#0", $width, "x}"), self.to_bits())?;
                }
                $f.write_str(")")
            }
        }
    )*};
}

packed! {
    F16x2 10 |lane, f| printable::<Binary16>(lane.to_bits(), f);
    Bf16x2 10 |lane, f| printable::<BFloat16>(lane.to_bits(), f);
    F32x2 18 |lane, f| lane;
    E4m3x2 6 |lane, f| lane.to_f64();
    E5m2x2 6 |lane, f| lane.to_f64();
    E2m3x2 6 |lane, f| lane.to_f64();
    E3m2x2 6 |lane, f| lane.to_f64();
    E2m1x2 4 |lane, f| lane.to_f64();
    Ue8m0x2 6 |lane, f| lane.to_f64();
    Ue5m3x2 6 |lane, f| lane.to_f64();
    S2f6x2 6 |lane, f| lane.to_f64();
    E4m3x4 10 |lane, f| lane.to_f64();
    E5m2x4 10 |lane, f| lane.to_f64();
    E2m3x4 10 |lane, f| lane.to_f64();
    E3m2x4 10 |lane, f| lane.to_f64();
    E2m1x4 6 |lane, f| lane.to_f64();
    E2m1p4x4 10 |lane, f| lane.to_f64();
    Ue8m0x4 10 |lane, f| lane.to_f64();
}

macro_rules! bits {
    ($($ty:ident)*) => {$(
        bits!(@impl $ty LowerHex UpperHex Binary Octal);
    )*};
    (@impl $ty:ident $($style:ident)*) => {$(
        impl $style for $ty {
            /// Writes the bits.
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $style::fmt(&self.to_bits(), f)
            }
        }
    )*};
}

bits! { F16 Bf16 F16x2 Bf16x2 F32x2 Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 Ue5m3 S2f6 }
bits! { E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 Ue5m3x2 S2f6x2 E4m3x4 E5m2x4 E2m3x4 E3m2x4 E2m1x4 E2m1p4x4 Ue8m0x4 }
