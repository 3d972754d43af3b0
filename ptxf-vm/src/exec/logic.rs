//! Logic on predicates.

use super::registers::{Mask, Registers, Run, Slots};

macro_rules! operations {
    ($($name:ident($($operand:ident $slot:literal),*) $body:expr;)*) => {$(
        fn $name(registers: &mut Registers, slots: &Slots, mask: Mask) {
            $(let $operand = registers.truth(slots[$slot]);)*
            registers.set_truth(slots[0], $body, mask);
        }
    )*};
}

operations! {
    and(a 1, b 2) a & b;
    or(a 1, b 2) a | b;
    xor(a 1, b 2) a ^ b;
    not(a 1) !a;
    mov(a 1) a;
    selp(a 1, b 2, c 3) a & c | b & !c;
}

/// Returns `name.pred` and the number of its operands.
pub(crate) fn find(name: &str) -> Option<(Run, usize)> {
    Some(match name {
        "and" => (and, 2),
        "or" => (or, 2),
        "xor" => (xor, 2),
        "not" => (not, 1),
        "mov" => (mov, 1),
        "selp" => (selp, 3),
        _ => return None,
    })
}
