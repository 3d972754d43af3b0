//! `ptxf_core::sem` behind the forms for which this build runs something faster. It is no oracle: it is the other half
//! of what has to be right, the one that a target without floating-point unit runs.

use ptxf::format::{BFloat16, Binary16, Binary32};
use ptxf::{Modifiers, Round, sem};
use testutil::{Form, Op, Rnd, Ty};

use crate::space::{Fill, pairs, unary32};

/// The meaning of a form that has a fast route.
pub(super) fn fill(form: &Form) -> Option<Fill> {
    let rnd = match form.rounding() {
        Rnd::Rn => Round::Rn,
        Rnd::Rz => Round::Rz,
        Rnd::Rm => Round::Rm,
        Rnd::Rp => Round::Rp,
    };
    let m = Modifiers { rnd, ftz: form.ftz, sat: form.sat, ..Modifiers::PLAIN };
    Some(match (form.op, form.ty) {
        (Op::Add, Ty::F16) => pairs(move |a, b| sem::add::<Binary16>(m, a, b)),
        (Op::Sub, Ty::F16) => pairs(move |a, b| sem::sub::<Binary16>(m, a, b)),
        (Op::Mul, Ty::F16) => pairs(move |a, b| sem::mul::<Binary16>(m, a, b)),
        (Op::Add, Ty::Bf16) => pairs(move |a, b| sem::add::<BFloat16>(m, a, b)),
        (Op::Sub, Ty::Bf16) => pairs(move |a, b| sem::sub::<BFloat16>(m, a, b)),
        (Op::Mul, Ty::Bf16) => pairs(move |a, b| sem::mul::<BFloat16>(m, a, b)),
        (Op::Rcp, Ty::F32) => unary32(move |a| sem::rcp::<Binary32>(m, a)),
        (Op::Sqrt, Ty::F32) => unary32(move |a| sem::sqrt::<Binary32>(m, a)),
        _ => return None,
    })
}
