//! The instruction itself on `nvptx64`, in `asm!` with a register class for the result and for each
//! operand.
//!
//! Registers of f32, f64 and the integers hold those, of all other types their bits. What `asm!`
//! has no registers for, predicates and values of 8 bits, the lines move to registers of their own.
// Invariant: the lines are one instruction that the target has, on registers of the operands' types, and moves.

/// Lines of PTX that write `d`: `(operators) [line before, …] "instruction" "rest of its line"
/// [line after, …]`, the class of `d`, and `operand: class = value, …`.
macro_rules! instruction {
    (
        ($($operator:literal)*) [$($before:literal),*] $instruction:literal $rest:literal [$($after:literal),*]
        $result:ident $($operand:ident: $class:ident = $value:expr),+
    ) => {{
        let d;
        // SAFETY: the lines read their operands and write `d`, all of them registers of the types
        // that the form says, or registers declared in a scope of their own; they touch neither
        // memory nor the stack, have no side effect, and their result depends on the operands
        // alone.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                $($before,)*
                concat!($instruction, $($operator,)* $rest),
                $($after,)*
                d = lateout($result) d,
                $($operand = in($class) $value,)+
                options(pure, nomem, nostack),
            );
        }
        d
    }};
}

/// One [`instruction`] of those that the comparison chooses from: a constant in most calls, and
/// then no choice is left.
macro_rules! compared {
    (Comparison $($call:tt)*) => {
        nvptx::compared! {
            @ Comparison Eq ".eq" Ne ".ne" Lt ".lt" Le ".le" Gt ".gt" Ge ".ge" Equ ".equ" Neu ".neu" Ltu ".ltu" Leu ".leu"
            Gtu ".gtu" Geu ".geu" Num ".num" Nan ".nan"; $($call)*
        }
    };
    (UnsignedComparison $($call:tt)*) => {
        nvptx::compared! {
            @ UnsignedComparison Eq ".eq" Ne ".ne" Lt ".lt" Le ".le" Gt ".gt" Ge ".ge" Lo ".lo" Ls ".ls" Hi ".hi" Hs ".hs";
            $($call)*
        }
    };
    (SignedComparison $($call:tt)*) => {
        nvptx::compared! {
            @ SignedComparison Eq ".eq" Ne ".ne" Lt ".lt" Le ".le" Gt ".gt" Ge ".ge"; $($call)*
        }
    };
    (BitComparison $($call:tt)*) => {
        nvptx::compared! { @ BitComparison Eq ".eq" Ne ".ne"; $($call)* }
    };
    (@ $ty:ident $($variant:ident $name:literal)+; $comparison:ident $boolean:literal $lines:tt) => {
        match $comparison {
            $($ty::$variant => nvptx::one_of!($name $boolean $lines),)+
        }
    };
}

/// The same where the Boolean operator is chosen first.
macro_rules! combined {
    ($ty:ident $comparison:ident $boolean:ident $lines:tt) => {
        match $boolean {
            BoolOp::And => nvptx::compared! { $ty $comparison ".and" $lines },
            BoolOp::Or => nvptx::compared! { $ty $comparison ".or" $lines },
            BoolOp::Xor => nvptx::compared! { $ty $comparison ".xor" $lines },
        }
    };
}

/// An [`instruction`] with these operators.
macro_rules! one_of {
    ($comparison:literal $boolean:literal ($($lines:tt)*)) => {
        nvptx::instruction!(($comparison $boolean) $($lines)*)
    };
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

/// `prmt.b32 d, a, b, bytes;`
macro_rules! permute {
    ($a:expr, $b:expr, $bytes:expr) => {{
        let d: u32;
        // SAFETY: as for `instruction`.
        #[expect(unsafe_code, reason = "inline assembly has no safe form")]
        unsafe {
            ::core::arch::asm!(
                "prmt.b32 {d}, {a}, {b}, {bytes};",
                d = lateout(reg32) d,
                a = in(reg32) $a,
                b = in(reg32) $b,
                bytes = in(reg32) $bytes,
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

pub(crate) use {combined, compared, instruction, one_of, pack, permute, special};
