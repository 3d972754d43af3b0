//! Numbers to text: the shortest decimal that is read back as the same number, or as many digits as are asked for.
//!
//! What has eight bits and fewer is printed exactly, which takes few digits, and does not make 450 of 448.

use core::fmt::{self, Binary, Debug, Display, Formatter, LowerExp, LowerHex, Octal, UpperExp, UpperHex};

use super::convert::widen;
use super::parse::parse;
use super::text::Text;
use super::{
    Bf16, Bf16x2, E2m1, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2,
    E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue8m0, Ue8m0x2,
};
use crate::format::{BFloat16, Binary16, Binary64, Format, TensorFloat32};

/// An `f64` that core prints as `x` should be printed, in whatever style.
///
/// With a precision that is `x` itself, which an `f64` holds exactly. Else it is the `f64` nearest to the shortest decimal
/// that rounds to `x`: core then finds the same decimal, since an `f64` tells decimals of up to 15 digits apart.
fn printable<F: Format>(x: F::Bits, f: &Formatter<'_>) -> f64 {
    let exact = f64::from_bits(widen::<F, Binary64>(x));
    if f.precision().is_some() || F::is_nan(x) || F::is_infinite(x) || F::is_zero(x) { exact } else { shortest::<F>(x) }
}

/// The shortest decimal that rounds to `x`, which is finite and not zero; of several the one nearest to `x`.
fn shortest<F: Format>(x: F::Bits) -> f64 {
    let exact = f64::from_bits(widen::<F, Binary64>(x));
    // A format of 11 significant bits needs at most 5 digits.
    for behind_point in 0..5 {
        let mut nearest = Text::new();
        nearest.append(format_args!("{exact:.behind_point$e}"));
        // Above a power of two the neighbours are twice as far as below it: there the decimal below x may be nearer and
        // yet round to another number, while the one above rounds to x.
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

/// The decimal `d.dde±x`, a unit of its last place farther from zero.
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
            /// The shortest decimal that rounds to this number, or as many digits as the precision asks for, exactly
            /// rounded; in eight bits and fewer the number itself.
            ///
            /// As with `f32`, zeros fill up what the shortest decimal leaves open: the largest `F16`, 65 504, prints as
            /// `65500`, and with `{:.0}` as `65504`.
            fn fmt(&self, $f: &mut Formatter<'_>) -> fmt::Result {
                let $x = *self;
                $style::fmt(&$printable, $f)
            }
        }
    )*};
}

/// One row per type: how wide its bits are in hexadecimal, and as what a value is printed.
macro_rules! scalar {
    ($($ty:ident $width:literal |$x:ident, $f:ident| $printable:expr;)*) => {$(
        number!($ty |$x, $f| $printable, Display LowerExp UpperExp);

        impl Debug for $ty {
            #[doc = concat!("`", stringify!($ty), "(1.5)`; with `{:#?}` also the bits.")]
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
    S2f6 4 |x, f| x.to_f64();
}

/// One row per type: how wide its bits are in hexadecimal, and as what a lane is printed.
macro_rules! packed {
    ($($ty:ident $width:literal |$lane:ident, $f:ident| $printable:expr;)*) => {$(
        impl Display for $ty {
            /// `(lo, hi)`; width, precision and sign apply to each lane.
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
            #[doc = concat!("`", stringify!($ty), "(1.0, -0.5)`; with `{:#?}` also the bits.")]
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
    S2f6x2 6 |lane, f| lane.to_f64();
    E4m3x4 10 |lane, f| lane.to_f64();
    E5m2x4 10 |lane, f| lane.to_f64();
    E2m3x4 10 |lane, f| lane.to_f64();
    E3m2x4 10 |lane, f| lane.to_f64();
    E2m1x4 6 |lane, f| lane.to_f64();
}

macro_rules! bits {
    ($($ty:ident)*) => {$(
        bits!(@impl $ty LowerHex UpperHex Binary Octal);
    )*};
    (@impl $ty:ident $($style:ident)*) => {$(
        impl $style for $ty {
            /// The bits.
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                $style::fmt(&self.to_bits(), f)
            }
        }
    )*};
}

bits! { F16 Bf16 F16x2 Bf16x2 F32x2 Tf32 E4m3 E5m2 E2m3 E3m2 E2m1 Ue8m0 S2f6 }
bits! { E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 S2f6x2 E4m3x4 E5m2x4 E2m3x4 E3m2x4 E2m1x4 }
