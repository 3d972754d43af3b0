//! One kernel per form, named as its function: `d[i] = form(a[i], b[i], c[i])`.
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

store_self! { F16 Bf16 F16x2 Bf16x2 F32x2 }

#[inline(always)]
fn store<R: Store>(d: *mut R::Stored, i: usize, result: R) {
    // SAFETY: the launcher gives every array at least `n` elements, and the caller checked `i < n`.
    unsafe { *d.add(i) = result.stored() }
}

macro_rules! call {
    ($function:ident $a:ident $b:ident $c:ident $i:ident 1) => {
        ptx::$function(*$a.add($i))
    };
    ($function:ident $a:ident $b:ident $c:ident $i:ident 2) => {
        ptx::$function(*$a.add($i), *$b.add($i))
    };
    ($function:ident $a:ident $b:ident $c:ident $i:ident 3) => {
        ptx::$function(*$a.add($i), *$b.add($i), *$c.add($i))
    };
}

macro_rules! kernels {
    ($($function:ident $form:literal $ty:ident $operands:tt;)*) => {$(
        /// # Safety
        ///
        /// Every array has at least `n` elements; `d` overlaps none of the others.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $function(
            d: *mut u8,
            a: *const $ty,
            b: *const $ty,
            c: *const $ty,
            n: u32,
        ) {
            let _ = (b, c);
            // SAFETY: special registers are always readable.
            let i = unsafe { _block_idx_x() * _block_dim_x() + _thread_idx_x() } as u32;
            if i < n {
                let i = i as usize;
                // SAFETY: `i < n`, the length of every array.
                store(d.cast(), i, unsafe { call!($function a b c i $operands) });
            }
        }
    )*};
}

ptxf_core::for_each_form!(kernels);
