//! The reference implementation of the forms for which this build runs something faster. It is not
//! independent, but a target without floating-point unit runs it.

use oracle::{Form, Op, Ty};
use ptxf::spec::{FORMS, FormInfo};

use crate::space::{Fill, Space};

/// Returns the reference implementation of a form that has a fast route.
pub(super) fn fill(form: &Form, space: Space) -> Option<Fill> {
    match (form.op, form.ty) {
        (Op::Add | Op::Sub | Op::Mul, Ty::F16 | Ty::Bf16) | (Op::Rcp | Op::Sqrt | Op::Cvt, Ty::F32) => {}
        _ => return None,
    }
    let name = form.to_string();
    let info: &'static FormInfo = FORMS.iter().find(|f| f.name == name)?;
    Some(Box::new(move |first, out: &mut [u64]| {
        for (i, d) in out.iter_mut().enumerate() {
            let operands = space.operands(first + i as u64);
            *d = info.by_meaning(&operands).expect("as many operands as the form has");
        }
    }))
}
