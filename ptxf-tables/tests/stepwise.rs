//! `stepwise` mode against a kernel of scalar functions, and against real arithmetic rounded after
//! every operation.

use oracle::Ty;
use oracle::layout::Layout;
use oracle::real::{Number, Real};
use ptxf_core::format::{BFloat16, Binary16, Format};
use ptxf_core::modifiers::Modifiers;
use ptxf_core::{Bf16, F16, sem};
use ptxf_tables::{UnaryTable, unary_table};

unary_table!(static POLYNOMIAL: F16 -> F16 = |x| (0.1 * x - 3) * x + 1 / 3, mode = stepwise);
unary_table!(static RATIONAL: Bf16 -> Bf16 = |x| (x - 1) / sqrt(abs(x) + 0.1), mode = stepwise);
unary_table!(static FUNCTIONS: F16 -> F16 = |x| tanh(x) * exp2(-x) + max(x, -1), mode = stepwise);
unary_table!(static FUNCTIONS_BF16: Bf16 -> Bf16 = |x| sin(x) - log2(x) * cos(x), mode = stepwise);
unary_table!(static GELU: F16 -> F16 = |x| 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))), mode = stepwise);
unary_table!(static NARROWED: Bf16 -> F16 = |x| x + x, mode = stepwise);
unary_table!(static NUMBERS: F16 -> F16 = |x| if x < 0 { TAU } else { FRAC_1_PI }, mode = stepwise);
unary_table!(static CHOICE: Bf16 -> Bf16 = |x| if x <= 0.1 && !(x == -2) || x != x { min(x, 0.3) } else { -x }, mode = stepwise);

/// The operations of `ptxf` on the bits of a format.
struct Ops<F>(std::marker::PhantomData<F>);

impl<F: Format<Bits = u16>> Ops<F> {
    fn dec(text: &str) -> u16 {
        sem::convert::<ptxf_core::format::Binary64, F>(ptxf_core::Round::Rn, text.parse::<f64>().unwrap().to_bits())
    }
    fn add(a: u16, b: u16) -> u16 {
        sem::add::<F>(Modifiers::PLAIN, a, b)
    }
    fn sub(a: u16, b: u16) -> u16 {
        sem::sub::<F>(Modifiers::PLAIN, a, b)
    }
    fn mul(a: u16, b: u16) -> u16 {
        sem::mul::<F>(Modifiers::PLAIN, a, b)
    }
    fn div(a: u16, b: u16) -> u16 {
        sem::div::<F>(Modifiers::PLAIN, a, b)
    }
}

type H = Ops<Binary16>;
type B = Ops<BFloat16>;

/// Compares all results. Every NaN in a table is the canonical one.
fn compare<From, To>(table: &UnaryTable<From, To>, layout: Ty, kernel: impl Fn(u16) -> u16) {
    for x in 0..=u16::MAX {
        let d = kernel(x);
        let d = if Layout::of(layout).is_nan(d.into()) { 0x7FFF } else { d };
        assert_eq!(table.get_bits(x), d, "{x:#06x}: {:#06x}, not {d:#06x}", table.get_bits(x));
    }
}

#[test]
fn operators_are_the_instructions() {
    compare(&POLYNOMIAL, Ty::F16, |x| {
        let third = H::div(H::dec("1"), H::dec("3"));
        H::add(H::mul(H::sub(H::mul(H::dec("0.1"), x), H::dec("3")), x), third)
    });
    compare(&RATIONAL, Ty::Bf16, |x| {
        let root = sem::sqrt::<BFloat16>(Modifiers::PLAIN, B::add(x & 0x7FFF, B::dec("0.1")));
        B::div(B::sub(x, B::dec("1")), root)
    });
    compare(&NARROWED, Ty::F16, |x| {
        let x = sem::convert::<BFloat16, Binary16>(ptxf_core::Round::Rn, x);
        H::add(x, x)
    });
}

#[test]
fn functions_are_the_instructions() {
    compare(&FUNCTIONS, Ty::F16, |x| {
        let x = F16::from_bits(x);
        let power = F16::from_bits(x.to_bits() ^ 0x8000).ex2_approx();
        let max = F16::from_bits(sem::max::<Binary16>(Modifiers::PLAIN, x.to_bits(), H::dec("-1")));
        (x.tanh_approx() * power + max).to_bits()
    });
    compare(&FUNCTIONS_BF16, Ty::Bf16, |x| {
        let m = Modifiers::PLAIN;
        let (sin, cos, log) = (sem::sin::<BFloat16>(m, x), sem::cos::<BFloat16>(m, x), sem::lg2::<BFloat16>(m, x));
        B::sub(sin, B::mul(log, cos))
    });
    compare(&GELU, Ty::F16, |x| {
        let cube = H::mul(H::mul(H::mul(H::dec("0.044715"), x), x), x);
        let inner = H::mul(H::dec("0.7978845608"), H::add(x, cube));
        let tanh = F16::from_bits(inner).tanh_approx().to_bits();
        H::mul(H::mul(H::dec("0.5"), x), H::add(H::dec("1.0"), tanh))
    });
}

#[test]
fn constants_are_rounded_once() {
    compare(&NUMBERS, Ty::F16, |x| {
        let below = F16::from_bits(x) < F16::ZERO;
        if below { H::dec("6.283185307179586") } else { H::dec("0.3183098861837907") }
    });
}

#[test]
fn choices_compare_as_floats_do() {
    compare(&CHOICE, Ty::Bf16, |x| {
        let value = Bf16::from_bits(x);
        let tenth = Bf16::from_bits(B::dec("0.1"));
        let chosen = value <= tenth && value != Bf16::from_f32(-2.0) || value != value;
        if chosen { sem::min::<BFloat16>(Modifiers::PLAIN, x, B::dec("0.3")) } else { x ^ 0x8000 }
    });
}

/// Functions without a PTX instruction are rounded once each.
#[test]
fn other_functions_are_correctly_rounded() {
    macro_rules! function {
        ($($name:ident)*) => {$({
            unary_table!(static T: F16 -> F16 = |x| $name(x), mode = stepwise);
            unary_table!(static ONCE: F16 -> F16 = |x| $name(x));
            let layout = Layout::of(Ty::F16);
            for x in 0..=u16::MAX {
                assert_eq!(T.get_bits(x), ONCE.get_bits(x));
                if x % 61 == 0 && layout.to_f64(x.into()).is_finite() && x & 0x7FFF != 0 {
                    let d = Real::from_f64(layout.to_f64(x.into())).$name().round(layout, false);
                    assert_eq!(u64::from(T.get_bits(x)), d, concat!(stringify!($name), "({:#06x})"), x);
                }
            }
        })*};
    }
    function!(exp ln sinh cosh atan erf sigmoid sqrt);
}
