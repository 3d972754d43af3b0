//! The type that `f32` names in the text of a kernel.
//!
//! An operation is f32 if an operand is; the other operand is widened. A product keeps both
//! factors: it is exact, of widened factors, where f32 is wanted, and is rounded once elsewhere.
//! Literals, integers and elements of narrow formats take the precision of the operands around
//! them.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::number::{self, Binary, Function1, Test};
use super::{Mode, Type};
use crate::Ty;

/// The precision of a number, in the order in which one prevails over another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    Either,
    Element,
    Single,
}

/// A number that has been rounded.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    precision: Precision,
    /// The bits in the element type, unless it is f32.
    element: u32,
    /// The bits in binary32.
    single: u32,
}

/// A product of two numbers.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    factors: [Plain; 2],
    /// The factors in binary32: exact, if they are products themselves.
    exact: [u32; 2],
    /// `true` if the sum of which it is an operand is fused.
    fused: bool,
    /// `true` if a sign stands before it, for which it is rounded unless it is fused.
    signed: bool,
}

/// A float of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Soft {
    /// A decimal, rounded once to each format.
    Literal([u32; 3]),
    /// A constant, which Rust computes in binary32.
    Constant(f32),
    /// A number.
    Plain(Plain),
    /// A product that is not computed yet.
    Product(Product),
}

thread_local! {
    static FORMAT: Cell<Ty> = const { Cell::new(Ty::F32) };
}

/// Sets the type of elements for this thread.
pub(super) fn set_format(ty: Ty) {
    FORMAT.set(ty);
}

/// Returns the type of elements.
pub(super) fn format() -> Ty {
    FORMAT.get()
}

impl Plain {
    fn element(element: u32) -> Self {
        Self { precision: Precision::Element, element, single: number::widen(format(), element) }
    }

    fn single(single: u32) -> Self {
        Self { precision: Precision::Single, element: 0, single }
    }

    fn in_element(self) -> u32 {
        assert!(self.precision != Precision::Single, "an f32 value becomes an element by `cvt_rn` only");
        self.element
    }
}

/// Computes in the common precision of the operands.
fn compute<const N: usize>(operands: [Plain; N], run: impl Fn(Ty, [u32; N]) -> u32) -> Plain {
    let singles = operands.map(|x| x.single);
    match operands.iter().map(|x| x.precision).max() {
        Some(Precision::Single) => Plain::single(run(Ty::F32, singles)),
        Some(Precision::Element) => Plain::element(run(format(), operands.map(|x| x.element))),
        _ => Plain {
            precision: Precision::Either,
            element: run(format(), operands.map(|x| x.element)),
            single: run(Ty::F32, singles),
        },
    }
}

fn product(ty: Ty, [a, b]: [u32; 2]) -> u32 {
    number::binary(ty, Binary::Mul, a, b)
}

impl Soft {
    /// A number of either precision.
    pub(super) fn either(of: impl Fn(Ty) -> u32) -> Self {
        Self::Plain(Plain { precision: Precision::Either, element: of(format()), single: of(Ty::F32) })
    }

    pub(super) fn of_bits(bits: u32, mode: Mode) -> Self {
        match mode {
            Mode::Element => Self::Plain(Plain::element(bits)),
            Mode::Rounded => Self::Plain(Plain::element(number::narrow(format(), bits))),
            Mode::Single => Self::Plain(Plain::single(bits)),
            Mode::Narrow(num) => Self::either(|ty| number::of_stored(num, ty, bits)),
        }
    }

    /// The value of a constant, in the expression of another.
    #[must_use]
    pub const fn value(self) -> f32 {
        match self {
            Self::Constant(x) => x,
            _ => panic!("this is no constant"),
        }
    }

    fn plain(self) -> Plain {
        match self {
            Self::Literal(bits) => {
                let (element, single) = (bits[number::place(format())], bits[2]);
                Plain { precision: Precision::Either, element, single }
            }
            Self::Constant(x) => {
                let bits = number::constant(x.to_bits());
                Self::Literal(bits).plain()
            }
            Self::Plain(x) => x,
            Self::Product(p) => compute(p.factors, product),
        }
    }

    fn in_single(self) -> u32 {
        match self {
            Self::Product(p) => product(Ty::F32, p.factors.map(|x| x.single)),
            other => other.plain().single,
        }
    }

    fn is_single(self) -> bool {
        match self {
            Self::Product(p) => p.factors.iter().any(|x| x.precision == Precision::Single),
            other => other.plain().precision == Precision::Single,
        }
    }

    /// The bits and their format, where nothing gives a number a precision.
    fn alone(self) -> (Ty, u32) {
        if self.is_single() { (Ty::F32, self.in_single()) } else { (format(), self.plain().element) }
    }

    pub(super) fn settle(self, mode: Mode) -> Self {
        match mode {
            Mode::Element | Mode::Rounded => Self::Plain(Plain::element(self.plain().in_element())),
            Mode::Single => Self::Plain(Plain::single(self.in_single())),
            Mode::Narrow(num) => {
                let code = self.code(num);
                Self::of_bits(code, mode)
            }
        }
    }

    /// The number in a narrow format, rounded from its own precision.
    fn code(self, num: crate::cvt::Num) -> u32 {
        match self.plain().precision {
            Precision::Element => number::to_stored(num, format(), self.plain().element),
            _ => number::to_stored(num, Ty::F32, self.in_single()),
        }
    }

    pub(super) fn bits(self, mode: Mode) -> u32 {
        match mode {
            Mode::Element | Mode::Rounded => self.plain().in_element(),
            Mode::Single => self.in_single(),
            Mode::Narrow(num) => self.code(num),
        }
    }

    /// Operands of one operation, each in the common precision.
    fn meet<const N: usize>(of: [Self; N]) -> [Plain; N] {
        let single = of.iter().any(|x| x.is_single());
        of.map(|x| if single { Plain::single(x.in_single()) } else { x.plain() })
    }

    fn of<const N: usize>(operands: [Self; N], run: impl Fn(Ty, [u32; N]) -> u32) -> Self {
        Self::Plain(compute(Self::meet(operands), run))
    }

    fn binary(self, other: Self, op: Binary) -> Self {
        Self::of([self, other], |ty, [a, b]| number::binary(ty, op, a, b))
    }

    fn function(self, function: Function1) -> Self {
        Self::of([self], |ty, [a]| number::function(ty, function, a))
    }

    /// Returns the factors of a product that `fuse` fuses.
    fn factors(self) -> Option<[Self; 2]> {
        match self {
            Self::Product(p) if p.fused => {
                Some([0, 1].map(|i| Self::Plain(Plain { single: p.exact[i], ..p.factors[i] })))
            }
            _ => None,
        }
    }

    /// The negation of a subtrahend: of one factor of a product, which is not rounded by it.
    fn minus(self) -> Self {
        match self {
            Self::Product(p) => {
                let ([a, b], [c, d]) = (p.factors, p.exact);
                let factors = [compute([a], |ty, [a]| number::negate(ty, a)), b];
                Self::Product(Product { factors, exact: [number::negate(Ty::F32, c), d], ..p })
            }
            other => -other,
        }
    }

    /// The operand of a fused sum that is not fused.
    fn addend(self) -> Self {
        match self {
            Self::Product(p) if p.signed => Self::Plain(self.plain()),
            other => other,
        }
    }

    /// `self + other`, one of which may be a product that is fused.
    fn sum(self, other: Self) -> Self {
        match (self.factors(), other.factors()) {
            (Some([a, b]), _) => a.mul_add(b, other.addend()),
            (None, Some([a, b])) => a.mul_add(b, self),
            _ => self.binary(other, Binary::Add),
        }
    }

    /// `self * b + c`, rounded once.
    #[must_use]
    pub fn mul_add(self, b: Self, c: Self) -> Self {
        Self::of([self, b, c], |ty, [a, b, c]| number::mul_add(ty, a, b, c))
    }

    /// As `f32::clamp`, for bounds in any order.
    #[must_use]
    pub fn clamp(self, least: Self, most: Self) -> Self {
        Self::of([self, least, most], number::clamp)
    }

    /// As `f32::powi`, by squares.
    #[must_use]
    pub fn powi(self, exponent: i32) -> Self {
        Self::of([self], |ty, [x]| number::power(ty, x, exponent))
    }

    /// The sine and the cosine.
    #[must_use]
    pub fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    pub(super) fn to_int(self, to: Type) -> i128 {
        let (ty, bits) = self.alone();
        number::to_int(ty, bits, to)
    }

    pub(super) fn narrowed(self) -> Self {
        if self.is_single() {
            return Self::Plain(Plain::element(number::narrow(format(), self.in_single())));
        }
        self.settle(Mode::Element)
    }

    /// The answer of a table of one format, to which an f32 is rounded before.
    pub(super) fn looked_up(self, of: Ty, table: &dyn Fn(u32) -> u32) -> Self {
        let x = self.plain().in_element();
        let answer = if of == format() { table(x) } else { number::widen(of, table(number::narrow(of, x))) };
        Self::Plain(Plain::element(answer))
    }

    pub(super) fn written(self) -> Self {
        match self {
            Self::Product(p) => Self::Product(Product { fused: true, ..p }),
            other => other,
        }
    }

    fn test(self, test: Test) -> bool {
        let (ty, bits) = self.alone();
        number::test(ty, test, bits)
    }
}

macro_rules! functions {
    ($($name:ident $function:ident)+) => {
        impl Soft {
            $(
                /// The function of `f32`.
                #[must_use]
                pub fn $name(self) -> Self {
                    self.function(Function1::$function)
                }
            )+
        }
    };
}
functions! {
    abs Abs sqrt Sqrt recip Recip exp2 Exp2 exp Exp log2 Log2 ln Ln sin Sin cos Cos tanh Tanh rsqrt Rsqrt floor Floor
    ceil Ceil trunc Trunc round Round round_ties_even RoundTiesEven signum Signum fract Fract tan Tan asin Asin acos Acos
    atan Atan sinh Sinh cosh Cosh log10 Log10 to_degrees ToDegrees to_radians ToRadians
}

macro_rules! of_two {
    ($($name:ident $op:ident)+) => {
        impl Soft {
            $(
                /// The function of `f32`.
                #[must_use]
                pub fn $name(self, other: Self) -> Self {
                    self.binary(other, Binary::$op)
                }
            )+
        }
    };
}
of_two! { min Min max Max copysign CopySign atan2 Atan2 powf Powf hypot Hypot }

macro_rules! tests {
    ($($name:ident $test:ident)+) => {
        impl Soft {
            $(
                /// The question of `f32`.
                #[must_use]
                pub fn $name(self) -> bool {
                    self.test(Test::$test)
                }
            )+
        }
    };
}
tests! { is_nan Nan is_finite Finite is_infinite Infinite }

impl Neg for Soft {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Product(p) if p.fused => match self.minus() {
                Self::Product(p) => Self::Product(Product { signed: true, ..p }),
                other => other,
            },
            other => Self::of([other], |ty, [a]| number::negate(ty, a)),
        }
    }
}

impl Add for Soft {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.sum(other)
    }
}

impl Sub for Soft {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        match (self.factors(), other.factors()) {
            (None, None) => self.binary(other, Binary::Sub),
            _ => self.sum(other.minus()),
        }
    }
}

impl Mul for Soft {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let exact = [self.in_single(), other.in_single()];
        let mut factors = Self::meet([self, other]);
        if factors.iter().any(|x| x.precision == Precision::Element) {
            factors = factors.map(|x| Plain::element(x.element));
        }
        Self::Product(Product { factors, exact, fused: false, signed: false })
    }
}

impl Div for Soft {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.binary(other, Binary::Div)
    }
}

macro_rules! assign {
    ($($Trait:ident $name:ident $op:tt)+) => {
        $(
            impl $Trait for Soft {
                fn $name(&mut self, other: Self) {
                    *self = *self $op other;
                }
            }
        )+
    };
}
assign! { AddAssign add_assign + SubAssign sub_assign - MulAssign mul_assign * DivAssign div_assign / }

impl PartialEq for Soft {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Soft {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let [a, b] = Self::meet([*self, *other]).map(|x| {
            let (ty, bits) = Self::Plain(x).alone();
            crate::layout::Layout::of(ty).to_f64(bits.into())
        });
        a.partial_cmp(&b)
    }
}
