//! The engines of CPUs, each in a folder of its architecture.
//!
//! An architecture is compiled where the list of levels says so, and nowhere else is that said: its
//! modules need no conditions.
// Invariant: `simd!` stands where a value of an engine exists, so that the CPU has the instruction.

use crate::level::for_each_level;

/// Calls an intrinsic that touches no memory, on operands evaluated before.
#[allow(unused_macros, reason = "for CPUs that have an engine")]
macro_rules! simd {
    ($name:ident $(::<$k:tt>)? ()) => {{
        // SAFETY: a value of the engine exists, so the CPU has the instruction.
        #[allow(unused_unsafe, reason = "casts are safe")]
        unsafe { $name $(::<$({ $k }),*>)? () }
    }};
    ($name:ident $(::<$($k:tt),*>)? ($a:expr)) => {{
        let a = $a;
        // SAFETY: as above.
        #[allow(unused_unsafe, reason = "casts are safe")]
        unsafe { $name $(::<$({ $k }),*>)? (a) }
    }};
    ($name:ident $(::<$($k:tt),*>)? ($a:expr, $b:expr)) => {{
        let (a, b) = ($a, $b);
        // SAFETY: as above.
        unsafe { $name $(::<$({ $k }),*>)? (a, b) }
    }};
    ($name:ident $(::<$($k:tt),*>)? ($a:expr, $b:expr, $c:expr)) => {{
        let (a, b, c) = ($a, $b, $c);
        // SAFETY: as above.
        unsafe { $name $(::<$({ $k }),*>)? (a, b, c) }
    }};
}

/// Functions of an engine that are an instruction each, with casts of the operands and the result.
#[allow(unused_macros, reason = "for CPUs that have an engine")]
macro_rules! instructions {
    ($v:ty => $d:ty, $of:ident => $to:ident: $($function:ident($($x:ident)*) $name:ident $(::<$k:tt>)?;)*) => {$(
        #[inline_in_release]
        fn $function(self, $($x: $v),*) -> $d {
            instructions!(@ $to(simd!($name $(::<$k>)? ($(instructions!(@ $of($x))),*))))
        }
    )*};
    (@ same($x:expr)) => { $x };
    (@ $cast:ident($x:expr)) => { $cast($x) };
}

/// Binary64 lanes of an engine, by the names of its instructions.
///
/// A vector of `Doubles` is the two vectors that one vector of binary32 lanes widens to. Each
/// operation computes both before the next operation: two polynomials one after the other would be
/// two long chains, and a CPU's scheduler is too small to overlap them.
#[allow(unused_macros, reason = "for CPUs that have an engine")]
macro_rules! doubles {
    (
        $engine:ty $(where $generic:ident: bool)?, $vector:ident: $from_bits:ident $to_bits:ident $splat:ident; $mul_add:ident;
        $($float:ident $on_floats:ident)*; $($bits:ident $on_bits:ident)*;
        $($shift:ident $on_shift:ident)*, $count:ident $integer:ident;
    ) => {
        #[inline_in_release]
        impl$(<const $generic: bool>)? Doubles for $engine {
            type V = [$vector; 2];
            const FUSED: bool = true;

            fn splat(self, x: f64) -> Self::V {
                [simd!($splat(x)); 2]
            }
            fn mul_add(self, [a, d]: Self::V, [b, e]: Self::V, [c, f]: Self::V) -> Self::V {
                [simd!($mul_add(a, b, c)), simd!($mul_add(d, e, f))]
            }
            $(
                fn $float(self, [a, c]: Self::V, [b, d]: Self::V) -> Self::V {
                    [simd!($on_floats(a, b)), simd!($on_floats(c, d))]
                }
            )*
            $(
                fn $bits(self, [a, c]: Self::V, [b, d]: Self::V) -> Self::V {
                    [
                        simd!($from_bits(simd!($on_bits(simd!($to_bits(a)), simd!($to_bits(b)))))),
                        simd!($from_bits(simd!($on_bits(simd!($to_bits(c)), simd!($to_bits(d)))))),
                    ]
                }
            )*
            $(
                fn $shift(self, [a, b]: Self::V, k: u32) -> Self::V {
                    let k = simd!($count(k as $integer));
                    [
                        simd!($from_bits(simd!($on_shift(simd!($to_bits(a)), k)))),
                        simd!($from_bits(simd!($on_shift(simd!($to_bits(b)), k)))),
                    ]
                }
            )*
        }
    };
}

macro_rules! architectures {
    ($($arch:ident on ($cpu:meta) by $detected:ident { $($levels:tt)* })*) => {
        $(
            #[cfg($cpu)]
            pub(crate) mod $arch;
        )*
    };
}

for_each_level!(architectures);

// The same modules where rustfmt finds them, which looks into no macro.
#[cfg(any())]
mod aarch64;
#[cfg(any())]
mod x86_64;
