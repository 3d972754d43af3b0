//! The faults.

/// A piece of text, and the same with a mistake.
pub(super) struct Fault {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) right: &'static str,
    pub(super) wrong: &'static str,
}

/// The mistakes of the paper's tool, and similar ones.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "mask dropped at a store",
        file: "ptxf-macros/src/kernel/expand/lanes.rs",
        right: "#cx.#store(#name, #at, #parity, #x, __value);",
        wrong: "#cx.#store(#name, #at, #parity, ::ptxf::kernel::__expansion::All, __value);",
    },
    Fault {
        name: "narrow output rounded twice",
        file: "ptxf-core/src/kernel/stored.rs",
        right: "ptx::$of_f32(high, low)",
        wrong: "Self::of_f16x2(F16x2::cvt_rn([low, high]))",
    },
    Fault {
        name: "halves of a byte exchanged",
        file: "ptxf-core/src/kernel/wide/narrow.rs",
        right: "let (low, high) = (i % 2 * 4, (i + 1) % 2 * 4);",
        wrong: "let (low, high) = ((i + 1) % 2 * 4, i % 2 * 4);",
    },
    Fault {
        name: "side of an angle by the number and not by its sign",
        file: "ptxf-core/src/kernel/composed.rs",
        right: "let r = f.if_less(f.copysign(one, x), zero,",
        wrong: "let r = f.if_less(x, zero,",
    },
    Fault {
        name: "sign's operand first in vectors",
        file: "ptxf-core/src/kernel/wide/vector.rs",
        right: "binary_f32::<op::Copysign, G>(self.0, b, a)",
        wrong: "binary_f32::<op::Copysign, G>(self.0, a, b)",
    },
    Fault {
        name: "neighbours shifted by pairs",
        file: "ptxf-macros/src/kernel/expand/vector.rs",
        right: "quote_spanned!(span=> (#lin + #uniform))",
        wrong: "quote_spanned!(span=> (#lin + 2 * (#uniform)))",
    },
    Fault {
        name: "odd offset rounded to a pair",
        file: "ptxf-core/src/kernel/view.rs",
        right: "unsafe { self.pair_in_range(i, known) }",
        wrong: "unsafe { self.pair_in_range(i & !1, known) }",
    },
    Fault {
        name: "kept variable demoted",
        file: "ptxf-core/src/kernel/pair.rs",
        right: "F32x2::op2(op, a.into(), b.into()).into()",
        wrong: "F32x2::op2(op, a.into(), b.into()).to_array().map(|x| F16::cvt_rn(x).widen())",
    },
    Fault {
        name: "tail off by one",
        file: "ptxf-core/src/kernel/plan.rs",
        right: "start <= x && x <= end && end - x >= lanes",
        wrong: "start <= x && x <= end && end - x + 1 >= lanes",
    },
    Fault {
        name: "load in an inactive lane",
        file: "ptxf-core/src/kernel/two.rs",
        right: "[if m & 1 != 0 { slice.get(i) } else { T::default() }, if m >> 31 != 0 { slice.get(j) } else { T::default() }]",
        wrong: "[if m != 0 { slice.get(i) } else { T::default() }, if m != 0 { slice.get(j) } else { T::default() }]",
    },
    Fault {
        name: "right operand of && for all",
        file: "ptxf-macros/src/kernel/expand/vector.rs",
        right: "let #x = #kernel::Masked(#cx.#open(#kernel::Exec::mask(#x, #cx), __left));",
        wrong: "let #x = #kernel::Masked(#cx.or(#kernel::Exec::mask(#x, #cx), __left));",
    },
    Fault {
        name: "masked assignment for all",
        file: "ptxf-macros/src/kernel/classes.rs",
        right: "let masked = self.path.len() > v.path.len() || result;",
        wrong: "let masked = self.path.len() > v.path.len() + 1 || result;",
    },
    Fault {
        name: "returned threads go on",
        file: "ptxf-macros/src/kernel/expand/lanes.rs",
        right: "if found.returns {\n            let returned",
        wrong: "if found.returns && !found.breaks.is_empty() {\n            let returned",
    },
    Fault {
        name: "last round left by all",
        file: "ptxf-macros/src/kernel/expand/lanes.rs",
        right: "quote_spanned!(span=> __over = #cx.compare::<#ty, _>(#kernel::cmp::Eq, #name, #last););",
        wrong: "quote_spanned!(span=> __over = #cx.compare::<#ty, _>(#kernel::cmp::Eq, #name, #last); #broken = #cx.or(#broken, __over););",
    },
    Fault {
        name: "down from the bound that is not counted",
        file: "ptxf-macros/src/kernel/expand/lanes.rs",
        right: "(reversed && !inclusive).then",
        wrong: "(reversed && inclusive).then",
    },
    Fault {
        name: "element of another index taken for one that was read",
        file: "ptxf-macros/src/kernel/expand/common_loads.rs",
        right: "used.push(*id);",
        wrong: "let _ = id;",
    },
    Fault {
        name: "a thread's variable is the block's",
        file: "ptxf-macros/src/kernel/expand/frame.rs",
        right: "filter(|id| !by_groups.contains(id)).collect();",
        wrong: "filter(|id| by_groups.len() < 99 || !by_groups.contains(id)).collect();",
    },
    Fault {
        name: "change of a phase forgotten",
        file: "ptxf-macros/src/kernel/expand/blocks.rs",
        right: "restored.iter().filter(|id| changed.contains(id)).chain(&new)",
        wrong: "restored.iter().filter(|id| changed.contains(id) && changed.len() > 9).chain(&new)",
    },
    Fault {
        name: "first thread of a head forgotten",
        file: "ptxf-core/src/kernel/plan.rs",
        right: "x: Lin(start) + i * self.lanes - self.head,",
        wrong: "x: Lin(start) + i * self.lanes + self.head,",
    },
    Fault {
        name: "literal rounded twice",
        file: "ptxf-macros/src/kernel/literal.rs",
        right: "Ordering::Greater => significand | 1,",
        wrong: "Ordering::Greater => significand,",
    },
    Fault {
        name: "half itself added before it is cut off",
        file: "ptxf-core/src/kernel/element.rs",
        right: "0.5f32.next_down()",
        wrong: "0.5f32",
    },
    Fault {
        name: "bounds asked in the other order",
        file: "ptxf-core/src/kernel/ctx.rs",
        right: "let x = self.select::<K>(self.compare::<K, _>(cmp::Lt, x, least), least, x);\n        self.select::<K>(self.compare::<K, _>(cmp::Gt, x, most), most, x)",
        wrong: "let x = self.select::<K>(self.compare::<K, _>(cmp::Gt, x, most), most, x);\n        self.select::<K>(self.compare::<K, _>(cmp::Lt, x, least), least, x)",
    },
    Fault {
        name: "sign of a pair's first operand",
        file: "ptxf-core/src/kernel/pair.rs",
        right: "a.to_bits() & 0x7FFF_7FFF | b.to_bits() & 0x8000_8000",
        wrong: "b.to_bits() & 0x7FFF_7FFF | a.to_bits() & 0x8000_8000",
    },
    Fault {
        name: "constant rounded on its way to an integer",
        file: "ptxf-core/src/kernel/outside.rs",
        right: "T::wrap(self.to_i128())",
        wrong: "E::from_int(self).to_int()",
    },
    Fault {
        name: "empty loop gone through once",
        file: "ptxf-macros/src/kernel/expand/steps.rs",
        right: "let mut #broken = #ended;",
        wrong: "let mut #broken = #cx.and_not(#ended, #ended);",
    },
    Fault {
        name: "product of a choice rounded",
        file: "ptxf-macros/src/kernel/precision.rs",
        right: "ExprKind::Binary(Binary::Mul, ..) => true,",
        wrong: "ExprKind::Binary(Binary::Mul, ..) => false,",
    },
    Fault {
        name: "parts assigned one after another",
        file: "ptxf-macros/src/kernel/parse/assign.rs",
        right: "let value = self.remember(&name, kept, value, &mut first);",
        wrong: "let _ = (&name, kept);",
    },
    Fault {
        name: "value read after the call that changes it",
        file: "ptxf-macros/src/kernel/parse/parts.rs",
        right: "if self.effects != effects {",
        wrong: "if self.effects < effects {",
    },
    Fault {
        name: "element of another thread changed",
        file: "ptxf-core/src/kernel/wide.rs",
        right: "slice.reduce::<S>(op, i[l], value[l]);",
        wrong: "slice.reduce::<S>(op, i[l], value[0]);",
    },
    Fault {
        name: "vote of threads that are not there",
        file: "ptxf-macros/src/kernel/expand/votes.rs",
        right: "#cx.count(#cx.and(#mask, #value))",
        wrong: "#cx.count(#cx.or(#cx.and(#mask, #value), #value))",
    },
    Fault {
        name: "element not written back after a call",
        file: "ptxf-macros/src/kernel/parse/inline.rs",
        right: "for (place, id) in elements {",
        wrong: "for (place, id) in elements.into_iter().skip(1) {",
    },
    Fault {
        name: "question of an arm forgotten",
        file: "ptxf-macros/src/kernel/parse/matches.rs",
        right: "Some(is) => self.logic(pattern.span(), true, is, guard),",
        wrong: "Some(is) => is,",
    },
    Fault {
        name: "element of a thread's array at another thread's index",
        file: "ptxf-core/src/kernel/wide.rs",
        right: "d[l] = K::Scalar::to_array(self.g, array[view::in_array(at[l], array.len())])[l];",
        wrong: "d[l] = K::Scalar::to_array(self.g, array[view::in_array(at[0], array.len())])[l];",
    },
    Fault {
        name: "shared memory called filled where threads are missing",
        file: "ptxf-core/src/kernel/block.rs",
        right: "self.head == 0 && x.is_multiple_of(lanes) && x >= width && y * width >= length",
        wrong: "self.head == 0 && y * width >= length",
    },
    Fault {
        name: "shared memory called filled where it is read first",
        file: "ptxf-macros/src/kernel/expand/zero_fill.rs",
        right: "let at = statements.iter().position(|s| uses(s, id))?;",
        wrong: "let at = statements.iter().position(|s| matches!(s.kind, StatementKind::Store { slice, .. } if slice == id))?;",
    },
];
