//! The functions of `any_f16` for bf16. Its NaNs are always canonical, because the rounding makes
//! them so.

use super::FloatLane;
use crate::backend::lanes::engine::{Ints as _, M16, V16, V32, Vectors};
use crate::backend::lanes::format::Format16 as _;
use crate::backend::lanes::walk::{Anywhere, Lanewise};
use crate::format::BFloat16;
use crate::kernel::op::{Cmp, Known};
use crate::modifiers::Modifiers;
use crate::types::Bf16;

#[inline_in_release]
pub(super) fn to_register<G: Vectors>(_: G, x: V16<G>) -> V16<G> {
    x
}
#[inline_in_release]
pub(super) fn to_vector<G: Vectors>(_: G, x: V16<G>) -> V16<G> {
    x
}
#[inline_in_release]
pub(super) fn select<G: Vectors>(g: G, m: M16<G>, yes: V16<G>, no: V16<G>) -> V16<G> {
    g.u16().select(m, yes, no)
}
#[inline_in_release]
pub(super) fn instruction<O: Anywhere, G: Vectors>(g: G, x: [V16<G>; 3]) -> V16<G> {
    <O as Lanewise<BFloat16>>::vector(g, Modifiers::PLAIN, x)
}
#[inline_in_release]
pub(super) fn up<G: Vectors>(g: G, x: V16<G>) -> [V32<G>; 2] {
    BFloat16::widen(g, x)
}
#[inline_in_release]
pub(super) fn up_in_order<G: Vectors>(g: G, x: V16<G>) -> [V32<G>; 2] {
    BFloat16::widen_exactly(g, x)
}
#[inline_in_release]
pub(super) fn narrow<G: Vectors>(g: G, x: [V32<G>; 2]) -> V16<G> {
    BFloat16::narrow(g, x)
}
#[inline_in_release]
pub(super) fn down<G: Vectors, const N: usize>(g: G, x: [V32<G>; 2]) -> V16<G> {
    <Bf16 as FloatLane>::down::<G, N>(g, x)
}
#[inline_in_release]
pub(super) fn canonical<G: Vectors>(_: G, x: V16<G>) -> V16<G> {
    x
}
#[expect(clippy::extra_unused_type_parameters, reason = "`any_f16` has the same functions")]
#[inline_in_release]
pub(super) const fn compare<O: Known<Cmp>, G: Vectors>(_: G, _: V16<G>, _: V16<G>) -> Option<M16<G>> {
    None
}
