//! What a loop over lanes is told of the modifiers that its form asks for.
//!
//! Where the optimizer is at work it is a type, [`Constant`]: each form has a loop of its own, from which everything is gone that the form
//! does not ask for. Without an optimizer such loops differ in nothing, and those of all slice functions at all levels are fifteen million lines
//! of LLVM's language. So a build with debug assertions tells a [`Value`], and all forms of an operation share a loop.

use crate::modifiers::Modifiers;

/// The modifiers of a form.
pub(crate) trait FormModifiers: Copy + Sync {
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
