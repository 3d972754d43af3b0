//! f16 results whose NaNs may be any NaN, and comparisons on CPUs that compute with f16.

use crate::backend::lanes::engine::{ArithmeticF16 as _, Floats as _, Ints as _, M16, V16, V32, Vectors};
use crate::backend::lanes::op::{Arithmetic, On16};
use crate::format::{Binary16, Format as _};
use crate::kernel::op::{Cmp, Known};

#[inline_in_release]
pub(super) fn to_register<G: Vectors>(g: G, x: V16<G>) -> G::F16Register {
    g.to_register(x)
}
#[inline_in_release]
pub(super) fn to_vector<G: Vectors>(g: G, x: G::F16Register) -> V16<G> {
    g.to_vector(x)
}
#[inline_in_release]
pub(super) fn select<G: Vectors>(g: G, m: M16<G>, yes: G::F16Register, no: G::F16Register) -> G::F16Register {
    g.select_registers(m, yes, no)
}
#[inline_in_release]
pub(super) fn instruction<O: On16, G: Vectors>(g: G, [a, b, c]: [G::F16Register; 3]) -> G::F16Register {
    if let (Some(f16), Some(what)) = (g.f16(), O::ARITHMETIC) {
        let (a, b) = (g.to_vector(a), g.to_vector(b));
        return g.to_register(match what {
            Arithmetic::Add => f16.add(a, b),
            Arithmetic::Sub => f16.sub(a, b),
            Arithmetic::Mul => f16.mul(a, b),
            Arithmetic::Fma => f16.fma(a, b, g.to_vector(c)),
        });
    }
    // Not `O::wide`: its arrays of operands would be much of the code until LLVM promotes them.
    let (f, a, b) = (g.f32(), g.widen_register(a), g.widen_register(b));
    let d = if const { matches!(O::ARITHMETIC, Some(Arithmetic::Add)) } {
        [f.add(a[0], b[0]), f.add(a[1], b[1])]
    } else if const { matches!(O::ARITHMETIC, Some(Arithmetic::Sub)) } {
        [f.sub(a[0], b[0]), f.sub(a[1], b[1])]
    } else if const { matches!(O::ARITHMETIC, Some(Arithmetic::Mul)) } {
        [f.mul(a[0], b[0]), f.mul(a[1], b[1])]
    } else {
        const { assert!(O::ARITHMETIC.is_some()) };
        let c = g.widen_register(c);
        [f.fma_f16(a[0], b[0], c[0]), f.fma_f16(a[1], b[1], c[1])]
    };
    // The hardware's conversion maps a NaN to a NaN.
    g.narrow_to_register(d)
}
#[inline_in_release]
pub(super) fn up<G: Vectors>(g: G, x: G::F16Register) -> [V32<G>; 2] {
    g.widen_register(x)
}
/// The order of every engine is that of the memory.
#[inline_in_release]
pub(super) fn up_in_order<G: Vectors>(g: G, x: G::F16Register) -> [V32<G>; 2] {
    g.widen_register(x)
}
#[inline_in_release]
pub(super) fn narrow<G: Vectors>(g: G, x: [V32<G>; 2]) -> G::F16Register {
    g.narrow_to_register(x)
}
#[inline_in_release]
pub(super) fn down<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> G::F16Register {
    g.narrow_to_register(x)
}
#[inline_in_release]
pub(super) fn canonical<G: Vectors>(g: G, x: V16<G>) -> V16<G> {
    g.u16().select(is_nan::<G>(g, x), g.u16().splat(Binary16::CANONICAL_NAN), x)
}
/// Compares, or returns `None` if the CPU does not compute with f16.
#[inline_in_release]
pub(super) fn compare<O: Known<Cmp>, G: Vectors>(g: G, a: V16<G>, b: V16<G>) -> Option<M16<G>> {
    let f16 = g.f16()?;
    Some(only!(O: Cmp {
        Lt => f16.gt(b, a),
        Gt => f16.gt(a, b),
        Le => f16.ge(b, a),
        Ge => f16.ge(a, b),
        Eq => f16.eq(a, b),
        Ne => g.mask_and_not(g.mask_from_bits(!0), f16.eq(a, b)),
    }))
}
/// Returns the mask of the lanes that are NaNs.
#[inline_in_release]
pub(super) fn is_nan<G: Vectors>(g: G, x: V16<G>) -> M16<G> {
    let e = g.u16();
    e.gt(e.and(x, e.splat(0x7FFF)), e.splat(Binary16::infinity()))
}
