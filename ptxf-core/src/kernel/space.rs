//! The memory of a slice's elements, and loads and stores of single elements.
//!
//! On a device shared memory is a separate state space (PTX ISA, 5.1.7) with the instructions
//! `ld.shared` and `st.shared`. A generic access first determines the space of its address. An
//! assembler that does not know the space must also assume that a write changes every other slice.
//! Rust has no pointers into a state space. So a pointer to shared memory holds an address of that
//! space, and inline assembly reads and writes it. A view's space is a constant where the view is
//! made, and views disappear by inlining, so no instruction tests the space.
// Invariant: a view with `Space::Shared` holds an address of shared memory, and every other view a pointer.
#![expect(unsafe_code, reason = "memory is read and written")]

/// The memory of a slice's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Memory that a generic pointer points to.
    Generic,
    /// Generic memory that threads of the launch write.
    #[cfg(not(target_arch = "nvptx64"))]
    Written,
    /// Generic memory of a block, whose threads all run on one thread of the CPU.
    #[cfg(not(target_arch = "nvptx64"))]
    Block,
    /// Shared memory of a block.
    #[cfg(target_arch = "nvptx64")]
    Shared,
}

#[inline_in_release]
impl Space {
    /// Returns the space of memory that threads of a launch write.
    pub(super) const fn written() -> Self {
        #[cfg(not(target_arch = "nvptx64"))]
        return Self::Written;
        #[cfg(target_arch = "nvptx64")]
        return Self::Generic;
    }

    /// Returns `true` for shared memory, where a slice begins at a pair. The compiler cannot derive
    /// this alignment from the address.
    pub(super) const fn is_shared(self) -> bool {
        match self {
            #[cfg(not(target_arch = "nvptx64"))]
            _ => false,
            #[cfg(target_arch = "nvptx64")]
            Self::Generic => false,
            #[cfg(target_arch = "nvptx64")]
            Self::Shared => true,
        }
    }

    /// Reads an element or a pair of elements.
    ///
    /// # Safety
    ///
    /// As for [`pointer::read`](https://doc.rust-lang.org/std/primitive.pointer.html#method.read),
    /// with an address in this space.
    pub(super) unsafe fn read<T: Copy>(self, p: *const T) -> T {
        match self {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: guaranteed by the caller.
            _ => unsafe { p.read() },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: guaranteed by the caller.
            Self::Generic => unsafe { p.read() },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: guaranteed by the caller.
            Self::Shared => unsafe { shared::read(p) },
        }
    }

    /// Writes an element or a pair of elements.
    ///
    /// # Safety
    ///
    /// As for
    /// [`pointer::write`](https://doc.rust-lang.org/std/primitive.pointer.html#method.write), with
    /// an address in this space.
    pub(super) unsafe fn write<T: Copy>(self, p: *mut T, value: T) {
        match self {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: guaranteed by the caller.
            _ => unsafe { p.write(value) },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: guaranteed by the caller.
            Self::Generic => unsafe { p.write(value) },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: guaranteed by the caller.
            Self::Shared => unsafe { shared::write(p, value) },
        }
    }
}

/// Returns `true` if the code below has `ld.shared` and `st.shared` for values of this size and
/// alignment.
#[cfg(target_arch = "nvptx64")]
pub(super) const fn can_be_shared<T>() -> bool {
    matches!(size_of::<T>(), 1 | 2 | 4 | 8) && align_of::<T>() == size_of::<T>()
}

#[cfg(target_arch = "nvptx64")]
mod shared {
    use core::arch::asm;
    use core::mem::transmute_copy;

    use super::can_be_shared;
    use crate::backend::nvptx::trap;

    /// Loads a value from shared memory. The load is repeated after anything that may have written
    /// memory, such as a barrier.
    macro_rules! load {
        ($instruction:literal $class:ident $bits:ty as $to:ty, $p:ident) => {{
            let bits: $bits;
            // SAFETY: an aligned address of shared memory, as the caller guarantees; the
            // instruction writes nothing.
            unsafe {
                asm!(
                    concat!($instruction, " {d}, [{p}];"),
                    d = lateout($class) bits,
                    p = in(reg64) $p,
                    options(pure, readonly, nostack),
                );
            }
            // SAFETY: a value of this size was written there.
            unsafe { transmute_copy::<$to, T>(&(bits as $to)) }
        }};
    }

    macro_rules! store {
        ($instruction:literal $class:ident $bits:ty as $from:ty, $p:ident, $value:ident) => {{
            // SAFETY: the sizes are equal, and numbers have no padding.
            let bits = unsafe { transmute_copy::<T, $from>(&$value) } as $bits;
            // SAFETY: an aligned address of shared memory, as the caller guarantees.
            unsafe {
                asm!(
                    concat!($instruction, " [{p}], {x};"),
                    p = in(reg64) $p,
                    x = in($class) bits,
                    options(nostack),
                );
            }
        }};
    }

    /// Reads an element of shared memory.
    ///
    /// # Safety
    ///
    /// `p` is the address of an element of shared memory that was written.
    #[inline_in_release]
    pub(super) unsafe fn read<T: Copy>(p: *const T) -> T {
        match size_of::<T>() {
            1 if can_be_shared::<T>() => load!("ld.shared.u8" reg16 u16 as u8, p),
            2 if can_be_shared::<T>() => load!("ld.shared.b16" reg16 u16 as u16, p),
            4 if can_be_shared::<T>() => load!("ld.shared.b32" reg32 u32 as u32, p),
            8 if can_be_shared::<T>() => load!("ld.shared.b64" reg64 u64 as u64, p),
            // `device::shared` compiles for no other types.
            _ => trap(),
        }
    }

    /// Writes an element of shared memory.
    ///
    /// # Safety
    ///
    /// `p` is the address of an element of shared memory.
    #[inline_in_release]
    pub(super) unsafe fn write<T: Copy>(p: *mut T, value: T) {
        match size_of::<T>() {
            1 if can_be_shared::<T>() => store!("st.shared.u8" reg16 u16 as u8, p, value),
            2 if can_be_shared::<T>() => store!("st.shared.b16" reg16 u16 as u16, p, value),
            4 if can_be_shared::<T>() => store!("st.shared.b32" reg32 u32 as u32, p, value),
            8 if can_be_shared::<T>() => store!("st.shared.b64" reg64 u64 as u64, p, value),
            // As above.
            _ => trap(),
        }
    }
}
