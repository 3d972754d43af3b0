//! The modifiers of a form, as a parameter of a loop over lanes.
//!
//! In optimized builds they are a type, [`Constant`]. Each form has a loop of its own, without code
//! for modifiers that the form lacks. Without optimization these loops would be the same code
//! fifteen million lines of LLVM IR long, for all slice functions at all levels. So a build with
//! debug assertions passes a [`Value`], and all forms of an operation share a loop.

use crate::modifiers::Modifiers;

/// The modifiers of a form.
pub(crate) trait FormModifiers: Copy + Sync {
    fn modifiers(self) -> Modifiers;
}

/// The modifiers `M` as this build passes them to its loops.
#[cfg(not(debug_assertions))]
pub(crate) type Form<const M: u16> = Constant<M>;
/// The modifiers `M` as this build passes them to its loops.
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
impl<const M: u16> FormModifiers for Constant<M> {
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
impl FormModifiers for Value {
    fn modifiers(self) -> Modifiers {
        Modifiers::decode(self.0)
    }
}
