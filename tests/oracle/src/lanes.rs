//! Splits registers into lanes, and puts them together again.

use crate::form::{Form, Op, To};
use crate::layout::Layout;

/// Lane `index` of a register of `form`'s type.
#[must_use]
pub fn get(form: &Form, register: u64, index: u8) -> u64 {
    let layout = Layout::of(form.ty);
    (register >> (u32::from(index) * layout.bits)) & layout.mask()
}

/// Joins `lanes` to a register, the low lane first.
#[must_use]
pub fn join(form: &Form, lanes: &[u64]) -> u64 {
    let width = Layout::of(form.ty).bits;
    lanes.iter().rev().fold(0, |register, lane| if width == 64 { *lane } else { register << width | lane })
}

/// Applies a one-lane `oracle` to each lane of the registers `ops`. `None` if it lacks an answer
/// for any lane.
pub fn eval(oracle: crate::Oracle, form: &Form, ops: &[u64]) -> Option<u64> {
    let scalar = form.lane();
    if let (Op::Cvt, Some(To::Float(ty, 2)), &[upper, lower]) = (form.op, form.to, ops) {
        // Two scalars become a pair.
        let (upper, lower) = (oracle(&scalar, &[upper])?, oracle(&scalar, &[lower])?);
        return Some(upper << Layout::of(ty).bits | lower);
    }
    if form.is_mixed() {
        return oracle(&scalar, ops);
    }
    let mut out = [0; 2];
    for index in 0..form.lanes {
        let mut lane = [0; 3];
        for (to, from) in lane.iter_mut().zip(ops) {
            *to = get(form, *from, index);
        }
        out[usize::from(index)] = oracle(&scalar, &lane[..ops.len()])?;
    }
    let out = &out[..usize::from(form.lanes)];
    match form.to {
        None => Some(join(form, out)),
        Some(_) => Some(out[0]),
    }
}
