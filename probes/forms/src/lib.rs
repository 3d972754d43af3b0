//! One kernel per spelling, named by its identifier: `d[i] = form(a[i], b[i], c[i])`.
//!
//! Operands come from memory, because the assembler folds constants. Unused operand arrays are
//! parameters too, so that all kernels have the same signature.
// Invariant: every array has `n` elements, and the output overlaps none of the others.

#![no_std]
#![feature(abi_ptx, stdarch_nvptx)]

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

use ptxf_core::{
    Bf16, Bf16x2, BitComparison, BoolOp, Comparison, E2m1x2, E2m1p4x4, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4,
    E5m2x2, E5m2x4, F16, F16x2, F32x2, S2f6x2, SignedComparison, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4, UnsignedComparison,
    ptx,
};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// A form's result in memory. A predicate is 0 or 1 in a byte, a second predicate is bit 1.
trait Store {
    type Stored;
    fn stored(self) -> Self::Stored;
}

macro_rules! store {
    ($($ty:ident $stored:ident;)*) => {$(
        impl Store for $ty {
            type Stored = $stored;
            #[inline(always)]
            fn stored(self) -> $stored {
                self as $stored
            }
        }
    )*};
}

store! { bool u8; f32 f32; f64 f64; }

macro_rules! store_self {
    ($($ty:ident)*) => {$(
        impl Store for $ty {
            type Stored = Self;
            #[inline(always)]
            fn stored(self) -> Self {
                self
            }
        }
    )*};
}

store_self! { F16 Bf16 F16x2 Bf16x2 F32x2 u8 u16 u32 u64 i8 i16 i32 i64 Tf32 }
store_self! { E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 S2f6x2 Ue5m3x2 E4m3x4 E5m2x4 E2m3x4 E3m2x4 E2m1x4 E2m1p4x4 Ue8m0x4 }

impl Store for (bool, bool) {
    type Stored = u8;
    #[inline(always)]
    fn stored(self) -> u8 {
        self.0 as u8 | (self.1 as u8) << 1
    }
}

#[inline(always)]
fn store<R: Store>(d: *mut R::Stored, i: usize, result: R) {
    // SAFETY: the launcher gives every array at least `n` elements, and the caller checked `i < n`.
    unsafe { *d.add(i) = result.stored() }
}

macro_rules! call {
    ($function:ident ($($operator:path),*) $i:ident $a:ident $b:ident $c:ident ($x:ident)) => {
        ptx::$function($($operator,)* *$a.cast::<$x>().add($i))
    };
    ($function:ident ($($operator:path),*) $i:ident $a:ident $b:ident $c:ident ($x:ident $y:ident)) => {
        ptx::$function($($operator,)* *$a.cast::<$x>().add($i), *$b.cast::<$y>().add($i))
    };
    ($function:ident ($($operator:path),*) $i:ident $a:ident $b:ident $c:ident ($x:ident $y:ident $z:ident)) => {
        ptx::$function($($operator,)* *$a.cast::<$x>().add($i), *$b.cast::<$y>().add($i), *$c.cast::<$z>().add($i))
    };
    // The four elements of a vector are adjacent in the first array.
    ($function:ident () $i:ident $a:ident $b:ident $c:ident ($x:ident $y:ident $z:ident $u:ident $v:ident)) => {{
        let [x, y, z, u] = *$a.cast::<[$x; 4]>().add($i);
        ptx::$function(x, y, z, u, *$b.cast::<$v>().add($i))
    }};
}

macro_rules! kernels {
    ($($function:ident $form:literal $comparisons:tt $booleans:tt $operands:tt $result:ty;)*) => {
        $(spellings!($comparisons $booleans $function $operands);)*
    };
}

/// Expands to a kernel for each choice of the operators.
macro_rules! spellings {
    ([] [] $function:ident $operands:tt) => {
        kernel!(concat!(stringify!($function)), $function () $operands);
    };
    ([$comparison:ident $($c:ident)*] [] $function:ident $operands:tt) => {
        $(kernel!(concat!(stringify!($function), "_", stringify!($c)), $function ($comparison::$c) $operands);)*
    };
    ([$comparison:ident $($c:ident)*] [$boolean:ident And Or Xor] $function:ident $operands:tt) => {$(
        kernel!(concat!(stringify!($function), "_", stringify!($c), "_And"), $function ($comparison::$c, $boolean::And) $operands);
        kernel!(concat!(stringify!($function), "_", stringify!($c), "_Or"), $function ($comparison::$c, $boolean::Or) $operands);
        kernel!(concat!(stringify!($function), "_", stringify!($c), "_Xor"), $function ($comparison::$c, $boolean::Xor) $operands);
    )*};
}

macro_rules! kernel {
    ($name:expr, $function:ident $operators:tt $operands:tt) => {
        const _: () = {
            /// # Safety
            ///
            /// Every array has at least `n` elements; `d` overlaps none of the others.
            #[unsafe(export_name = $name)]
            pub unsafe extern "ptx-kernel" fn kernel(d: *mut u8, a: *const u8, b: *const u8, c: *const u8, n: u32) {
                let _ = (b, c);
                // SAFETY: special registers are always readable.
                let i = unsafe { _block_idx_x() * _block_dim_x() + _thread_idx_x() } as u32;
                if i < n {
                    let i = i as usize;
                    // SAFETY: `i < n`, the length of every array.
                    store(d.cast(), i, unsafe { call!($function $operators i a b c $operands) });
                }
            }
        };
    };
}

ptxf_core::for_each_form!(kernels);
