//! Passes a form's modifiers to a loop over lanes, as a type or as a value.
//!
//! In optimized builds the modifiers are a type, [`Constant`]: each form has its own loop, without
//! code for other modifiers. Without optimization such loops save nothing, and the loops of all
//! slice functions at all levels are fifteen million lines of LLVM IR. Builds with debug assertions
//! therefore pass a [`Value`], and all forms of an operation share a loop.

use crate::modifiers::Modifiers;

/// The modifiers of a form.
pub(crate) trait Asked: Copy + Sync {
    fn modifiers(self) -> Modifiers;
}

/// The modifiers `M`, as every build tells them to its loops.
#[cfg(not(debug_assertions))]
pub(crate) type Form<const M: u16> = Constant<M>;
/// The modifiers `M`, as every build tells them to its loops.
#[cfg(debug_assertions)]
pub(crate) type Form<const M: u16> = Value;

/// The form's modifiers.
#[inline_in_release]
pub(crate) const fn form<const M: u16>() -> Form<M> {
    #[cfg(not(debug_assertions))]
    return Constant;
    #[cfg(debug_assertions)]
    return Value(M);
}

/// Modifiers that are known when the loop is compiled.
#[cfg(not(debug_assertions))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant<const M: u16>;

#[cfg(not(debug_assertions))]
#[inline_in_release]
impl<const M: u16> Asked for Constant<M> {
    fn modifiers(self) -> Modifiers {
        const { Modifiers::decode(M) }
    }
}

/// The code of modifiers that are known when the loop runs.
#[cfg(debug_assertions)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value(u16);

#[cfg(debug_assertions)]
#[inline_in_release]
impl Asked for Value {
    fn modifiers(self) -> Modifiers {
        Modifiers::decode(self.0)
    }
}
