//! Forms whose result has another type than their operands, on the CPU.

use super::register::Register;
use super::scalar;
use crate::format::Binary32;
use crate::int::Int;
use crate::modifiers::Modifiers;

/// The value of `a` in the format of `D`.
#[inline(always)]
pub(crate) fn cvt<A: Register, D: Register>(m: Modifiers, a: A) -> D {
    D::from_u64(lane::<A, D>(m, a))
}

/// The values of `a` and `b` in the lanes of `D`, the first of them in the upper one.
#[inline(always)]
pub(crate) fn cvt_pack<A: Register, D: Register>(m: Modifiers, a: A, b: A) -> D {
    D::from_u64(lane::<A, D>(m, a) << D::Lane::BITS | lane::<A, D>(m, b))
}

#[inline(always)]
fn lane<A: Register, D: Register>(m: Modifiers, a: A) -> u64 {
    scalar::cvt::<A::Format, D::Format>(m, A::Lane::truncate(a.to_u64().into())).cast()
}

macro_rules! narrow {
    ($($name:ident = $wide:ident($($narrow:ident),*);)*) => {$(
        /// The instruction on f32, its operands but `c` widened.
        #[inline(always)]
        pub(crate) fn $name<A: Register>(m: Modifiers, $($narrow: A,)* c: f32) -> f32 {
            $(let $narrow = lane::<A, f32>(Modifiers::PLAIN, $narrow) as u32;)*
            f32::from_bits(scalar::$wide::<Binary32>(m, $($narrow,)* c.to_bits()))
        }
    )*};
}

narrow! {
    mixed_add = add(a);
    mixed_sub = sub(a);
    mixed_fma = fma(a, b);
}
