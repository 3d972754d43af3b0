//! Floats: each operation as documented for kernels, by the oracles of this crate.

use rustc_apfloat::ieee::{BFloat, Half, Single};
use rustc_apfloat::{Float, Round};

use super::composed;
use super::types::Type;
use crate::cvt::{By, Cvt, Extra, Num, Reg};
use crate::form::{Form, Op, Rnd, Ty};
use crate::layout::Layout;
use crate::{apfloat, approx, cvt, root};

/// An operation of two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    CopySign,
    Atan2,
    Powf,
    Hypot,
}

/// A function of one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function1 {
    Abs,
    Sqrt,
    Recip,
    Exp2,
    Exp,
    Log2,
    Ln,
    Sin,
    Cos,
    Tanh,
    Rsqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundTiesEven,
    Signum,
    Fract,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Log10,
    ToDegrees,
    ToRadians,
}

/// A property of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Nan,
    Finite,
    Infinite,
}

/// The formats of elements, in the order of a literal's values.
pub(super) const FORMATS: [Ty; 3] = [Ty::F16, Ty::Bf16, Ty::F32];

/// Returns a format's index in [`FORMATS`].
pub(super) const fn place(ty: Ty) -> usize {
    match ty {
        Ty::F16 => 0,
        Ty::Bf16 => 1,
        _ => 2,
    }
}

/// A decimal, rounded once to each format.
pub(super) fn literal(text: &str) -> Option<[u32; 3]> {
    fn round<F: Float>(text: &str) -> Option<u32> {
        Some(F::from_str_r(text, Round::NearestTiesToEven).ok()?.value.to_bits() as u32)
    }
    Some([round::<Half>(text)?, round::<BFloat>(text)?, round::<Single>(text)?])
}

/// A value of f32, rounded to each format.
pub(super) fn constant(single: u32) -> [u32; 3] {
    FORMATS.map(|ty| narrow(ty, single))
}

/// The constant `f32::NAME`, as each format has it.
pub(super) fn limit(name: &str) -> Option<[u32; 3]> {
    let bits = |ty: Ty| {
        let layout = Layout::of(ty);
        let infinity = layout.infinity();
        Some(match name {
            "INFINITY" => infinity,
            "NEG_INFINITY" => infinity | layout.sign_bit(),
            "NAN" => layout.canonical_nan,
            "MAX" => infinity - 1,
            "MIN" => (infinity - 1) | layout.sign_bit(),
            "MIN_POSITIVE" => layout.min_normal(),
            "EPSILON" => layout.power_of_two(1 - layout.precision() as i32),
            _ => return None,
        } as u32)
    };
    Some([bits(Ty::F16)?, bits(Ty::Bf16)?, bits(Ty::F32)?])
}

/// `cvt.rn` from f32: the nearest value, and the canonical NaN.
pub(super) fn narrow(ty: Ty, single: u32) -> u32 {
    fn to<F: Float>(x: Single) -> u32
    where
        Single: rustc_apfloat::FloatConvert<F>,
    {
        use rustc_apfloat::FloatConvert as _;
        let y: F = x.convert(&mut false).value;
        y.to_bits() as u32
    }
    let x = Single::from_bits(single.into());
    match ty {
        Ty::F16 | Ty::Bf16 if x.is_nan() => Layout::of(ty).canonical_nan as u32,
        Ty::F16 => to::<Half>(x),
        Ty::Bf16 => to::<BFloat>(x),
        _ => single,
    }
}

/// The same value in f32; a NaN keeps its sign and its payload.
pub(super) fn widen(ty: Ty, bits: u32) -> u32 {
    if ty == Ty::F32 {
        return bits;
    }
    let layout = Layout::of(ty);
    let bits = u64::from(bits);
    if layout.is_nan(bits) {
        let single = Layout::of(Ty::F32);
        let sign = if layout.is_negative(bits) { single.sign_bit() } else { 0 };
        let payload = (bits & (layout.min_normal() - 1)) << (single.fraction - layout.fraction);
        return (sign | single.infinity() | payload) as u32;
    }
    (layout.to_f64(bits) as f32).to_bits()
}

/// Converts an element of a narrow format to a float: the same number, or the nearest one if f16
/// lacks that power of two.
pub(super) fn of_stored(num: Num, ty: Ty, code: u32) -> u32 {
    // Every such number is exact in f16 or in bf16, and so in f32.
    let by = if num == Num::Ue8m0 { Ty::Bf16 } else { Ty::F16 };
    let exact = convert(num, of(by), false, code);
    if is_nan(by, exact) { Layout::of(ty).canonical_nan as u32 } else { narrow(ty, widen(by, exact)) }
}

/// Rounds a float once to a narrow format, saturating at its largest number.
pub(super) fn to_stored(num: Num, ty: Ty, bits: u32) -> u32 {
    convert(of(ty), num, true, bits)
}

const fn of(ty: Ty) -> Num {
    match ty {
        Ty::F16 => Num::F16,
        Ty::Bf16 => Num::Bf16,
        _ => Num::F32,
    }
}

/// A lane of `cvt.rn{.satfinite}.to.from`.
fn convert(from: Num, to: Num, satfinite: bool, bits: u32) -> u32 {
    let [from, to] = [from, to].map(|num| Reg { num, lanes: 2 });
    let by = By::To(Rnd::Rn);
    let cvt = Cvt { satfinite, ..Cvt::bare(by, to, from) };
    let result = cvt::exact::lane(&cvt, u64::from(bits) & from.num.mask(), Extra::default());
    result.unwrap_or_else(|| panic!("no oracle for {cvt}")) as u32
}

fn form(op: Op, ty: Ty) -> Form {
    let rounded = !matches!(op, Op::Neg | Op::Abs | Op::Min | Op::Max);
    Form { rnd: rounded.then_some(Rnd::Rn), ..Form::bare(op, ty, 1) }
}

fn ask(form: &Form, operands: &[u32]) -> u32 {
    let operands: Vec<u64> = operands.iter().map(|&x| x.into()).collect();
    let oracles = [apfloat::eval, root::eval, approx::eval];
    let answer = oracles.iter().find_map(|oracle| oracle(form, &operands));
    answer.unwrap_or_else(|| panic!("no oracle for {form}")) as u32
}

pub(super) fn negate(ty: Ty, a: u32) -> u32 {
    ask(&form(Op::Neg, ty), &[a])
}

pub(super) fn mul_add(ty: Ty, a: u32, b: u32, c: u32) -> u32 {
    ask(&form(Op::Fma, ty), &[a, b, c])
}

pub(super) fn binary(ty: Ty, op: Binary, a: u32, b: u32) -> u32 {
    let op = match op {
        Binary::Add => Op::Add,
        Binary::Sub => Op::Sub,
        Binary::Mul => Op::Mul,
        Binary::Min => Op::Min,
        Binary::Max => Op::Max,
        Binary::CopySign => {
            let sign = Layout::of(ty).sign_bit() as u32;
            return a & !sign | b & sign;
        }
        Binary::Atan2 | Binary::Powf | Binary::Hypot => {
            let [a, b] = [a, b].map(|x| f32::from_bits(widen(ty, x)));
            let result = composed::of_two(op, a, b).expect("a function of two");
            return narrow(ty, canonical(result));
        }
        // The operation is done in f32, and its result is rounded once more.
        Binary::Div => {
            let quotient = ask(&form(Op::Div, Ty::F32), &[widen(ty, a), widen(ty, b)]);
            return narrow(ty, quotient);
        }
    };
    ask(&form(op, ty), &[a, b])
}

pub(super) fn function(ty: Ty, function: Function1, a: u32) -> u32 {
    let approx = |op, ty| Form { approx: true, ftz: op == Op::Ex2 && ty == Ty::Bf16, ..Form::bare(op, ty, 1) };
    let single = Ty::F32;
    let in_single = |run: &dyn Fn(u32) -> u32| narrow(ty, run(widen(ty, a)));
    let by = |constant: f32| move |x| ask(&form(Op::Mul, single), &[x, constant.to_bits()]);
    match function {
        Function1::Abs => ask(&form(Op::Abs, ty), &[a]),
        Function1::Exp2 => ask(&approx(Op::Ex2, ty), &[a]),
        Function1::Tanh => ask(&approx(Op::Tanh, ty), &[a]),
        Function1::Sqrt => in_single(&|x| ask(&form(Op::Sqrt, single), &[x])),
        Function1::Recip => in_single(&|x| ask(&form(Op::Rcp, single), &[x])),
        Function1::Exp => in_single(&|x| ask(&approx(Op::Ex2, single), &[by(core::f32::consts::LOG2_E)(x)])),
        Function1::Log2 => in_single(&|x| ask(&approx(Op::Lg2, single), &[x])),
        Function1::Ln => in_single(&|x| by(core::f32::consts::LN_2)(ask(&approx(Op::Lg2, single), &[x]))),
        Function1::Sin => in_single(&|x| ask(&approx(Op::Sin, single), &[x])),
        Function1::Cos => in_single(&|x| ask(&approx(Op::Cos, single), &[x])),
        Function1::Rsqrt => in_single(&|x| ask(&approx(Op::Rsqrt, single), &[x])),
        Function1::Floor => in_single(&|x| integral(Round::TowardNegative, x)),
        Function1::Ceil => in_single(&|x| integral(Round::TowardPositive, x)),
        Function1::Trunc => in_single(&|x| integral(Round::TowardZero, x)),
        Function1::Round => in_single(&|x| integral(Round::NearestTiesToAway, x)),
        Function1::RoundTiesEven => in_single(&|x| integral(Round::NearestTiesToEven, x)),
        Function1::Signum => {
            let layout = Layout::of(ty);
            if layout.is_nan(a.into()) {
                layout.canonical_nan as u32
            } else {
                a & layout.sign_bit() as u32 | layout.power_of_two(0) as u32
            }
        }
        _ => in_single(&|x| {
            let d = composed::of_one(function, f32::from_bits(x));
            canonical(d.unwrap_or_else(|| panic!("no definition of {function:?}")))
        }),
    }
}

/// Computes a function that PTX approximates in f32.
pub(super) fn approximate(op: Op, a: u32) -> u32 {
    ask(&Form { approx: true, ..Form::bare(op, Ty::F32, 1) }, &[a])
}

/// Returns the bits, with the canonical NaN for every NaN.
fn canonical(x: f32) -> u32 {
    if x.is_nan() { Layout::of(Ty::F32).canonical_nan as u32 } else { x.to_bits() }
}

/// An integer next to a value of f32.
fn integral(round: Round, single: u32) -> u32 {
    let x = Single::from_bits(single.into());
    if x.is_nan() {
        return Layout::of(Ty::F32).canonical_nan as u32;
    }
    x.round_to_integral(round).value.to_bits() as u32
}

/// Clamps `x` between two bounds, the lower one first. A NaN stays NaN.
pub(super) fn clamp(ty: Ty, [x, least, most]: [u32; 3]) -> u32 {
    let number = |x: u32| Layout::of(ty).to_f64(x.into());
    let x = if number(x) < number(least) { least } else { x };
    if number(x) > number(most) { most } else { x }
}

/// Computes the power from squares, each product rounded: x, x², x⁴ and so on, for each bit of the
/// exponent.
pub(super) fn power(ty: Ty, x: u32, exponent: i32) -> u32 {
    let times = |a, b| ask(&form(Op::Mul, ty), &[a, b]);
    let one = Layout::of(ty).power_of_two(0) as u32;
    let squares = std::iter::successors(Some(x), |x| Some(times(*x, *x)));
    let factors = squares.zip(0..32).filter(|(_, i)| exponent.unsigned_abs() >> i & 1 != 0);
    let power = factors.fold(one, |power, (square, _)| times(power, square));
    if exponent < 0 { function(ty, Function1::Recip, power) } else { power }
}

/// Tests a property of a value.
pub(super) fn test(ty: Ty, test: Test, a: u32) -> bool {
    let x = Layout::of(ty).to_f64(a.into());
    match test {
        Test::Nan => is_nan(ty, a),
        Test::Finite => x.is_finite(),
        Test::Infinite => x.is_infinite(),
    }
}

fn is_nan(ty: Ty, a: u32) -> bool {
    Layout::of(ty).is_nan(a.into())
}

/// An integer, rounded once.
pub(super) fn of_int(ty: Ty, x: i128) -> u32 {
    fn round<F: Float>(x: i128) -> u32 {
        F::from_i128_r(x, Round::NearestTiesToEven).value.to_bits() as u32
    }
    match ty {
        Ty::F16 => round::<Half>(x),
        Ty::Bf16 => round::<BFloat>(x),
        _ => round::<Single>(x),
    }
}

/// Converts as `as` does: toward zero, clamped to the range, 0 for a NaN.
pub(super) fn to_int(ty: Ty, bits: u32, to: Type) -> i128 {
    let x = Layout::of(ty).to_f64(bits.into());
    match to {
        Type::Int(int) => {
            let [least, most] = int.range();
            (x as i128).clamp(least, most)
        }
        _ => x as i128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_rounds_once() {
        assert_eq!(literal("1.00048828125000000000000000001"), Some([0x3C01, 0x3F80, 0x3F80_1000]));
        assert_eq!(constant(0x3F80_0001), [0x3C00, 0x3F80, 0x3F80_0001]);
        assert_eq!(limit("EPSILON"), Some([0x1400, 0x3C00, 0x3400_0000]));
        assert_eq!([of_int(Ty::F16, 2049), of_int(Ty::Bf16, -257)], [0x6800, 0xC380]);
        assert_eq!([widen(Ty::F16, 0xFE01), widen(Ty::F32, 0xFF80_0001)], [0xFFC0_2000, 0xFF80_0001]);
        assert_eq!(narrow(Ty::Bf16, 0xFF80_0001), 0x7FFF);
        assert_eq!(to_int(Ty::F16, 0xFC00, Type::Int(crate::kernel::Int::ALL[4])), i128::from(i32::MIN));
    }

    #[test]
    fn narrow_formats_are_exact_and_saturate() {
        assert_eq!(FORMATS.map(|ty| of_stored(Num::E4m3, ty, 0xB8)), [0xBC00, 0xBF80, 0xBF80_0000]);
        assert_eq!(FORMATS.map(|ty| of_stored(Num::E4m3, ty, 0xFF)), [0x7FFF, 0x7FFF, 0x7FFF_FFFF]);
        assert_eq!(FORMATS.map(|ty| of_stored(Num::Ue8m0, ty, 0)), [0, 0x0040, 0x0040_0000]);
        assert_eq!([to_stored(Num::E2m1, Ty::F16, 0xFC00), to_stored(Num::E5m2, Ty::F32, 0x7F00_0000)], [0xF, 0x7B]);
    }
}
