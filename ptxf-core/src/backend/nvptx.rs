//! The instruction itself on `nvptx64`, in `asm!` with a register class for the result and for each operand.
//!
//! Registers of f32, f64 and the integers hold those, of all other types their bits. What `asm!` has no registers for, predicates and
//! values of 8 bits, the lines move to registers of their own.
// Invariant: the lines are one instruction that the target has, on registers of the operands' types, and moves.

/// Lines of PTX that write `d`: `[line, …], class of d, operand: class = value, …`.
macro_rules! instruction {
    ([$($line:literal),+], $result:ident, $($operand:ident: $class:ident = $value:expr),+) => {{
        let d;
        // SAFETY: the lines read their operands and write `d`, all of them registers of the types that the form says, or registers
        // declared in a scope of their own; they touch neither memory nor the stack, have no side effect, and their result depends on
        // the operands alone.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                $($line,)+
                d = lateout($result) d,
                $($operand = in($class) $value,)+
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

pub(crate) use {instruction, pack, special};
