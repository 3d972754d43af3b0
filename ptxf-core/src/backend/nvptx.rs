//! The instruction itself on `nvptx64`, through one `asm!` template with a register class for the result and for each operand.
//!
//! The first argument is the form's spelling, the value that also names its function. Registers of f32, f64 and the integers hold
//! those, of all other types their bits.
// Invariant: a template is one instruction that the target has, on registers of the operands' types.

/// `{form} d, a, …;`
macro_rules! instruction {
    ($form:literal, $result:ident, $($operand:ident: $class:ident = $value:expr),+) => {{
        let d;
        // SAFETY: the one instruction reads its operands and writes `d`, all of them registers of the types that the form says; it
        // touches neither memory nor the stack, has no side effect, and its result depends on its operands alone.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!($form, " {d}", $(", {", stringify!($operand), "}",)+ ";"),
                d = lateout($result) d,
                $($operand = in($class) $value,)+
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// `{form} p, a;`, the predicate as a `bool`: `asm!` has no predicate operands, so it is selected into a register.
macro_rules! predicate {
    ($form:literal, $($operand:ident: $class:ident = $value:expr),+) => {{
        let d: u32;
        // SAFETY: as for `instruction`; the predicate register is declared in a scope of its own and `d` is written always.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                "{{",
                ".reg .pred p;",
                concat!($form, " p", $(", {", stringify!($operand), "}",)+ ";"),
                "selp.u32 {d}, 1, 0, p;",
                "}}",
                d = lateout(reg32) d,
                $($operand = in($class) $value,)+
                options(pure, nomem, nostack),
            );
        }
        d != 0
    }};
}

/// `mov.b32 d, {a, b};`, the lower half first.
macro_rules! pack {
    ($a:expr, $b:expr) => {{
        let d: u32;
        // SAFETY: as for `instruction`.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                "mov.b32 {d}, {{{a}, {b}}};",
                d = lateout(reg32) d,
                a = in(reg16) $a,
                b = in(reg16) $b,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// A special register, `tid.x`.
macro_rules! special {
    ($name:literal) => {{
        let d: u32;
        // SAFETY: the register can always be read and does not change while the thread runs.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!("mov.u32 {d}, %", $name, ";"),
                d = lateout(reg32) d,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// Stops the grid with an error.
#[cold]
pub(crate) fn trap() -> ! {
    // SAFETY: nothing runs after it.
    #[expect(unsafe_code, reason = "inline assembly has no safe form")]
    unsafe {
        ::core::arch::asm!("trap;", options(nomem, nostack, noreturn));
    }
}

pub(crate) use {instruction, pack, predicate, special};
