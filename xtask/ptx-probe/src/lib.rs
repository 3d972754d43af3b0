//! One kernel per form, named by its identifier: `d[i] = form(a[i], b[i], c[i])`.
//!
//! Operands come from memory, for the assembler folds constants; unused operand arrays are still parameters, so that all
//! kernels are launched alike.
// Invariant: every array has `n` elements, and the output overlaps none of the others.

#![no_std]
#![feature(abi_ptx, stdarch_nvptx)]

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2, ptx};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// What a form returns, as it is stored: predicates as 0 or 1 in a byte.
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

store_self! { F16 Bf16 F16x2 Bf16x2 F32x2 u32 i32 }

#[inline(always)]
fn store<R: Store>(d: *mut R::Stored, i: usize, result: R) {
    // SAFETY: the launcher gives every array at least `n` elements, and the caller checked `i < n`.
    unsafe { *d.add(i) = result.stored() }
}

macro_rules! call {
    ($function:ident ($($argument:path,)?) $i:ident $a:ident $b:ident $c:ident ($x:ident)) => {
        ptx::$function($($argument,)? *$a.cast::<$x>().add($i))
    };
    ($function:ident ($($argument:path,)?) $i:ident $a:ident $b:ident $c:ident ($x:ident $y:ident)) => {
        ptx::$function($($argument,)? *$a.cast::<$x>().add($i), *$b.cast::<$y>().add($i))
    };
    ($function:ident ($($argument:path,)?) $i:ident $a:ident $b:ident $c:ident ($x:ident $y:ident $z:ident)) => {
        ptx::$function($($argument,)? *$a.cast::<$x>().add($i), *$b.cast::<$y>().add($i), *$c.cast::<$z>().add($i))
    };
}

macro_rules! kernels {
    ($($name:ident $function:ident($($argument:path,)?) $form:literal $operands:tt $result:ident;)*) => {$(
        /// # Safety
        ///
        /// Every array has at least `n` elements; `d` overlaps none of the others.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            d: *mut u8,
            a: *const u8,
            b: *const u8,
            c: *const u8,
            n: u32,
        ) {
            let _ = (b, c);
            // SAFETY: special registers are always readable.
            let i = unsafe { _block_idx_x() * _block_dim_x() + _thread_idx_x() } as u32;
            if i < n {
                let i = i as usize;
                // SAFETY: `i < n`, the length of every array.
                store(d.cast(), i, unsafe { call!($function ($($argument,)?) i a b c $operands) });
            }
        }
    )*};
}

ptxf_core::for_each_form!(kernels);
