//! Forms whose result has another type than their operands, on the CPU.

use super::convert::{self, Numbers};
use crate::format::Binary32;
use crate::modifiers::Modifiers;
use crate::scalar;

macro_rules! narrow {
    ($($name:ident = $wide:ident($($narrow:ident),*);)*) => {$(
        /// The instruction on f32, its operands but `c` widened.
        #[inline(always)]
        pub(crate) fn $name<A: Numbers>(m: Modifiers, $($narrow: A,)* c: f32) -> f32 {
            $(let $narrow = convert::cvt::<A, f32>(Modifiers::PLAIN, $narrow).to_bits();)*
            f32::from_bits(scalar::$wide::<Binary32>(m, $($narrow,)* c.to_bits()))
        }
    )*};
}

narrow! {
    mixed_add = add(a);
    mixed_sub = sub(a);
    mixed_fma = fma(a, b);
}
