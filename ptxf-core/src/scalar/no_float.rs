//! No floating-point unit to rely on: every function leaves the operation to the meaning.

use crate::format::Format;
use crate::modifiers::{Modifiers, Round};

macro_rules! none {
    ($($name:ident($($operand:ident),*);)*) => {$(
        #[inline(always)]
        pub(crate) fn $name<F: Format>(_: Modifiers, $($operand: F::Bits),*) -> Option<F::Bits> {
            $(let _ = $operand;)*
            None
        }
    )*};
}

each_route!(none);

#[inline(always)]
pub(crate) fn convert<From: Format, To: Format>(_: Round, _: From::Bits) -> Option<To::Bits> {
    None
}
