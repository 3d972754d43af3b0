//! The instruction itself on `nvptx64`: one `asm!` template per number of operands, each used at three register widths.
//!
//! The first argument is the form's spelling, the value that also names its function. Operands of the f32 and f64 forms are
//! floats, of all others the bits of the register.
// Invariant: a template is one instruction that the target has, on registers of the operand's type.

/// `{form} d, a;`
macro_rules! unary {
    ($form:literal, $class:ident, $a:expr) => {{
        let d;
        // SAFETY: the one instruction reads `a` and writes `d`, both registers of the operand's type; it touches neither
        // memory nor the stack, has no side effect, and its result depends on its operands alone.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!($form, " {d}, {a};"),
                d = lateout($class) d,
                a = in($class) $a,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// `{form} d, a, b;`
macro_rules! binary {
    ($form:expr, $class:ident, $a:expr, $b:expr) => {{
        let d;
        // SAFETY: as for `unary`, with two operands.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!($form, " {d}, {a}, {b};"),
                d = lateout($class) d,
                a = in($class) $a,
                b = in($class) $b,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// `{form} d, a, b, c;`
macro_rules! ternary {
    ($form:literal, $class:ident, $a:expr, $b:expr, $c:expr) => {{
        let d;
        // SAFETY: as for `unary`, with three operands.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!($form, " {d}, {a}, {b}, {c};"),
                d = lateout($class) d,
                a = in($class) $a,
                b = in($class) $b,
                c = in($class) $c,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// `{form} p, a;`, the predicate as a `bool`: `asm!` has no predicate operands, so it is selected into a register.
macro_rules! predicate {
    ($form:literal, $class:ident, $a:expr) => {{
        let d: u32;
        // SAFETY: as for `unary`; the predicate register is declared in a scope of its own and `d` is written always.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                "{{",
                ".reg .pred p;",
                concat!($form, " p, {a};"),
                "selp.u32 {d}, 1, 0, p;",
                "}}",
                d = lateout(reg32) d,
                a = in($class) $a,
                options(pure, nomem, nostack),
            );
        }
        d != 0
    }};
}

/// `{form} d, a;` between registers of two sizes.
macro_rules! convert {
    ($form:literal, $to:ident, $from:ident, $a:expr) => {{
        let d;
        // SAFETY: as for `unary`.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                concat!($form, " {d}, {a};"),
                d = lateout($to) d,
                a = in($from) $a,
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// `mov.b32 d, {a, b};`, the lower half first.
macro_rules! pack {
    ($a:expr, $b:expr) => {{
        let d: u32;
        // SAFETY: as for `unary`.
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

pub(crate) use {binary, convert, pack, predicate, special, ternary, unary};
