//! The default model stays inside every error bound that the manual documents.

use oracle::{Form, Rng, bound, edges, generate};
use ptxf_core::spec::FORMS;

#[test]
fn approximate_forms_keep_the_documented_bounds() {
    let mut rng = Rng::from_env(0xB0B);
    let mut bounded = 0_u64;
    for info in FORMS.iter().filter(|f| f.approximate && f.operands[0].lanes() == 1) {
        let form = Form::parse(info.name).expect("the oracles know every form");
        let mut check = |x: &[u64]| {
            let d = info.run.call(x).expect("the table's operand count");
            if let Some(inside) = bound::within(&form, x, d) {
                assert!(inside, "{} {x:#x?} = {d:#x}: outside {:?}", info.name, bound::documented(&form, x));
                bounded += 1;
            }
        };
        if info.operands[0].bits() == 16 {
            (0..1 << 16).for_each(|x| check(&[x]));
            continue;
        }
        for &a in edges::of(form.ty) {
            match info.operands.len() {
                1 => check(&[a]),
                _ => edges::of(form.ty).iter().for_each(|&b| check(&[a, b])),
            }
        }
        for _ in 0..20_000 {
            check(&generate::registers(&form, info.operands.len(), &mut rng));
        }
    }
    assert!(bounded > 400_000, "only {bounded} results had a bound to keep");
}
