//! Products of matrices, with the bits of a matrix unit.

use ptxf::matrix::{Accumulator, Multiplicand, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32, ptx};

/// A format of elements of A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    F64,
    Signed(u32),
    Unsigned(u32),
    B1,
}

impl Format {
    /// Returns the format of this name. Returns `None` for another name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "tf32" => Self::Tf32,
            "e4m3" => Self::E4m3,
            "e5m2" => Self::E5m2,
            "f64" => Self::F64,
            "s8" => Self::Signed(8),
            "u8" => Self::Unsigned(8),
            "s4" => Self::Signed(4),
            "u4" => Self::Unsigned(4),
            "b1" => Self::B1,
            _ => return None,
        })
    }

    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 => 32,
            Self::E4m3 | Self::E5m2 => 8,
            Self::F64 => 64,
            Self::Signed(bits) | Self::Unsigned(bits) => bits,
            Self::B1 => 1,
        }
    }

    /// Returns an integer element.
    fn integer(self, bits: u64) -> i64 {
        match self {
            Self::Signed(width) => bits.cast_signed() << (64 - width) >> (64 - width),
            _ => bits.cast_signed(),
        }
    }
}

/// A format of C or D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Total {
    F16,
    F32,
    F64,
    S32,
}

impl Total {
    /// Returns the format of this name. Returns `None` for another name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "s32" => Self::S32,
            _ => return None,
        })
    }

    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::F32 | Self::S32 => 32,
            Self::F64 => 64,
        }
    }
}

/// A rule that the words of an instruction add to its formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    None,
    /// `.satfinite`
    Saturate,
    /// A rounding of f64 other than to nearest.
    Rz,
    Rm,
    Rp,
    /// `.and.popc` and `.xor.popc`
    And,
    Xor,
}

/// The formats of D = A · B + C. C and D have the same format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formats {
    pub(crate) a: Format,
    pub(crate) b: Format,
    pub(crate) total: Total,
    pub(crate) rule: Rule,
}

/// Calls `$run` with the types of A, B and C. Evaluates to `None` if no unit multiplies them.
macro_rules! with_types {
    ($formats:expr, $run:ident ( $($argument:expr),* )) => {{
        use Format::*;
        match ($formats.a, $formats.b, $formats.total) {
            (F16, F16, Total::F32) => $run::<ptxf::F16, ptxf::F16, f32>($($argument),*),
            (F16, F16, Total::F16) => $run::<ptxf::F16, ptxf::F16, ptxf::F16>($($argument),*),
            (Bf16, Bf16, Total::F32) => $run::<ptxf::Bf16, ptxf::Bf16, f32>($($argument),*),
            (Tf32, Tf32, Total::F32) => $run::<ptxf::Tf32, ptxf::Tf32, f32>($($argument),*),
            (E4m3, E4m3, Total::F32) => $run::<ptxf::E4m3, ptxf::E4m3, f32>($($argument),*),
            (E4m3, E5m2, Total::F32) => $run::<ptxf::E4m3, ptxf::E5m2, f32>($($argument),*),
            (E5m2, E4m3, Total::F32) => $run::<ptxf::E5m2, ptxf::E4m3, f32>($($argument),*),
            (E5m2, E5m2, Total::F32) => $run::<ptxf::E5m2, ptxf::E5m2, f32>($($argument),*),
            (E4m3, E4m3, Total::F16) => $run::<ptxf::E4m3, ptxf::E4m3, ptxf::F16>($($argument),*),
            (E4m3, E5m2, Total::F16) => $run::<ptxf::E4m3, ptxf::E5m2, ptxf::F16>($($argument),*),
            (E5m2, E4m3, Total::F16) => $run::<ptxf::E5m2, ptxf::E4m3, ptxf::F16>($($argument),*),
            (E5m2, E5m2, Total::F16) => $run::<ptxf::E5m2, ptxf::E5m2, ptxf::F16>($($argument),*),
            _ => None,
        }
    }};
}

/// A number of a matrix as its bits.
trait Bits: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ty, $word:ty;)*) => {$(
        impl Bits for $ty {
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $word)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

bits! {
    F16, u16;
    Bf16, u16;
    Tf32, u32;
    E4m3, u8;
    E5m2, u8;
    f32, u32;
    f64, u64;
}

impl Formats {
    /// Returns an error if the formats do not belong together, or if the unit does not multiply
    /// them.
    pub(crate) fn check(self, unit: Unit) -> Result<(), String> {
        match (self.a, self.b, self.total, self.rule) {
            (Format::F64, Format::F64, Total::F64, Rule::None | Rule::Rz | Rule::Rm | Rule::Rp)
            | (Format::B1, Format::B1, Total::S32, Rule::And | Rule::Xor) => Ok(()),
            (a, b, Total::S32, Rule::None | Rule::Saturate)
                if a.bits() == b.bits() && is_integer(a) && is_integer(b) =>
            {
                Ok(())
            }
            (.., Rule::None) => with_types!(self, checked(unit))
                .unwrap_or_else(|| Err("no matrix unit multiplies these formats".to_owned())),
            _ => Err("no matrix unit has these modifiers for these formats".to_owned()),
        }
    }

    /// Adds the product of matrices to `c`, which has rows of `n` elements. A has rows of `k`
    /// elements, and B columns of `k`.
    pub(crate) fn add(self, unit: Unit, a: &[u64], b: &[u64], c: &mut [u64], n: usize, k: usize) {
        match (self.a, self.total) {
            (Format::F64, _) => each(a, b, c, n, k, |a, b, c| {
                let fma = match self.rule {
                    Rule::Rz => ptx::fma_rz_f64,
                    Rule::Rm => ptx::fma_rm_f64,
                    Rule::Rp => ptx::fma_rp_f64,
                    _ => ptx::fma_rn_f64,
                };
                let sum = a.iter().zip(b).fold(f64::from_bits(c), |sum, (a, b)| fma(f64::of(*a), f64::of(*b), sum));
                sum.to_bits()
            }),
            (Format::B1, _) => each(a, b, c, n, k, |a, b, c| {
                let both = |(a, b): (&u64, &u64)| if self.rule == Rule::And { a & b } else { a ^ b };
                (a.iter().zip(b).map(both).sum::<u64>() as u32).wrapping_add(c as u32).into()
            }),
            (_, Total::S32) => each(a, b, c, n, k, |a, b, c| {
                let product = |(a, b): (&u64, &u64)| self.a.integer(*a) * self.b.integer(*b);
                let sum = i64::from(c as u32 as i32) + a.iter().zip(b).map(product).sum::<i64>();
                let sum = if self.rule == Rule::Saturate { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                (sum as u32).into()
            }),
            _ => _ = with_types!(self, floats(unit, a, b, c, n, k)),
        }
    }
}

fn is_integer(format: Format) -> bool {
    matches!(format, Format::Signed(_) | Format::Unsigned(_))
}

fn checked<A: Multiplicand, B: Multiplicand, C: Accumulator>(unit: Unit) -> Option<Result<(), String>> {
    Some(unit.mma::<A, B, C>().map(|_| ()).map_err(|absent| absent.to_string()))
}

fn floats<A, B, C>(unit: Unit, a: &[u64], b: &[u64], c: &mut [u64], n: usize, k: usize) -> Option<()>
where
    A: Multiplicand + Bits,
    B: Multiplicand + Bits,
    C: Accumulator + Bits,
{
    let mma = unit.mma::<A, B, C>().ok()?;
    let (a, b) = (a.iter().map(|x| A::of(*x)).collect::<Vec<_>>(), b.iter().map(|x| B::of(*x)).collect::<Vec<_>>());
    each(&a, &b, c, n, k, |a, b, c| Bits::bits(mma.dot(a, b, C::of(c))));
    Some(())
}

/// Replaces each element of C by a function of its row of A, its column of B, and itself.
fn each<A, B>(a: &[A], b: &[B], c: &mut [u64], n: usize, k: usize, sum: impl Fn(&[A], &[B], u64) -> u64) {
    for (row, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        for (column, c) in b.chunks_exact(k).zip(c) {
            *c = sum(row, column, *c);
        }
    }
}
