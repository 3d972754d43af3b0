//! Where a slice's elements are, and how one is read and written there.
//!
//! On a device shared memory is a state space of its own (PTX ISA, 5.1.7), for which there are `ld.shared` and `st.shared`. A generic access
//! first finds out which space its address is in; besides, an assembler that does not know the space has to assume that a write changes
//! what any other slice holds. Rust has no pointers into a space: what points to shared memory holds an address of that space and is
//! read and written by inline assembly. The space of a view is a constant where it is made, and the views are gone after inlining, so that
//! no instruction asks for it.
// Invariant: what is `Space::Shared` holds an address of shared memory, everything else a pointer.
#![expect(unsafe_code, reason = "memory is read and written")]

/// Where a slice's elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// Where a pointer points to.
    Generic,
    /// The same, and threads of the launch write there.
    #[cfg(not(target_arch = "nvptx64"))]
    Written,
    /// The same, in the memory of a block, whose threads all run on one thread of the CPU.
    #[cfg(not(target_arch = "nvptx64"))]
    Block,
    /// In the memory that a block's threads share.
    #[cfg(target_arch = "nvptx64")]
    Shared,
}

#[inline_in_release]
impl Space {
    /// Where threads of a launch write.
    pub(super) const fn written() -> Self {
        #[cfg(not(target_arch = "nvptx64"))]
        return Self::Written;
        #[cfg(target_arch = "nvptx64")]
        return Self::Generic;
    }

    /// Whether it is shared memory, where a slice begins at a pair. The compiler does not know that: for it an address there is any number.
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

    /// Reads an element, or a pair of them.
    ///
    /// # Safety
    ///
    /// As [`pointer::read`](https://doc.rust-lang.org/std/primitive.pointer.html#method.read), of an address in this space.
    pub(super) unsafe fn read<T: Copy>(self, p: *const T) -> T {
        match self {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: the caller's.
            _ => unsafe { p.read() },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: the caller's.
            Self::Generic => unsafe { p.read() },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: the caller's.
            Self::Shared => unsafe { shared::read(p) },
        }
    }

    /// Writes an element, or a pair of them.
    ///
    /// # Safety
    ///
    /// As [`pointer::write`](https://doc.rust-lang.org/std/primitive.pointer.html#method.write), to an address in this space.
    pub(super) unsafe fn write<T: Copy>(self, p: *mut T, value: T) {
        match self {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: the caller's.
            _ => unsafe { p.write(value) },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: the caller's.
            Self::Generic => unsafe { p.write(value) },
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: the caller's.
            Self::Shared => unsafe { shared::write(p, value) },
        }
    }
}

/// Whether `ld.shared` and `st.shared` are written below for values of this size and alignment.
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

    /// A register's bits as a value of their size. They are read again after whatever may have written any memory, such as a barrier.
    macro_rules! load {
        ($instruction:literal $class:ident $bits:ty as $to:ty, $p:ident) => {{
            let bits: $bits;
            // SAFETY: an aligned address of shared memory, which is the caller's; the lines write nothing.
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
            // SAFETY: an aligned address of shared memory, which is the caller's.
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

    /// # Safety
    ///
    /// An element of shared memory is there, and was written.
    #[inline_in_release]
    pub(super) unsafe fn read<T: Copy>(p: *const T) -> T {
        match size_of::<T>() {
            1 if can_be_shared::<T>() => load!("ld.shared.u8" reg16 u16 as u8, p),
            2 if can_be_shared::<T>() => load!("ld.shared.b16" reg16 u16 as u16, p),
            4 if can_be_shared::<T>() => load!("ld.shared.b32" reg32 u32 as u32, p),
            8 if can_be_shared::<T>() => load!("ld.shared.b64" reg64 u64 as u64, p),
            // `device::shared` compiles for nothing else.
            _ => trap(),
        }
    }

    /// # Safety
    ///
    /// An element of shared memory is there.
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
