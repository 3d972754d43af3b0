//! The parameter types of a kernel without `pair`, whose body is ordinary Rust. Types separate its
//! threads.
//!
//! Every index, and every output, has a lifetime `'t` that stands for one run of one thread. A
//! launch takes a body that is generic over this lifetime. So the body can neither store such a
//! value nor pass it to another thread. An index of one thread or launch is never taken for that of
//! another.
// Invariant: a value with a thread's `'t` belongs to that run of the thread alone, and no two threads of a launch have the same index.
#![expect(unsafe_code, reason = "a thread accesses its own elements, or the kernel guarantees the access")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Div, Index, IndexMut, Mul, Rem, Sub};

use super::ctx::At;
use super::view::{In, Out};
use super::warp::Warp;
#[cfg(not(target_arch = "nvptx64"))]
use crate::matrix::Unit;

/// One run of one thread: invariant in `'t`, and neither `Send` nor `Sync`.
pub(super) type Run<'t> = PhantomData<(fn(&'t ()) -> &'t (), *const ())>;

/// A running thread of a launch.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Thread<'t> {
    at: At,
    #[cfg(not(target_arch = "nvptx64"))]
    unit: Unit,
    pub(super) run: Run<'t>,
}

#[inline_in_release]
impl<'t> Thread<'t> {
    /// Returns the thread at a position, for a body that is generic over `'t`, with the matrix unit
    /// of its warp.
    pub(super) const fn new(at: At, #[cfg(not(target_arch = "nvptx64"))] unit: Unit) -> Self {
        Self {
            at,
            #[cfg(not(target_arch = "nvptx64"))]
            unit,
            run: PhantomData,
        }
    }

    /// Returns the warp at the position, in a launch that counts warps.
    #[must_use]
    pub const fn warp(self) -> Warp<'t> {
        let At { x, y, z, grid, .. } = self.at;
        Warp::new(
            [x.0, y, z],
            grid,
            #[cfg(not(target_arch = "nvptx64"))]
            self.unit,
            self.run,
        )
    }
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident $method:ident in $grid:literal is $is:literal: |$at:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// Only a launch makes this index. Another thread or launch cannot use it.
        ///
        /// # Examples
        ///
        /// ```
        /// use ptxf::ptx_kernel;
        ///
        /// #[ptx_kernel]
        #[doc = concat!("fn k(i: ", stringify!($name), ") {")]
        #[doc = concat!("    assert!(", $is, " && i * 2 + 1 == 2 * i.get() + 1);")]
        /// }
        ///
        #[doc = concat!("k::launch(", $grid, ");")]
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'t>(usize, Run<'t>);

        #[inline_in_release]
        impl<'t> Thread<'t> {
            $(#[$doc])*
            #[must_use]
            pub const fn $method(self) -> $name<'t> {
                let $at = self.at;
                $name($value, self.run)
            }
        }

        #[inline_in_release]
        impl $name<'_> {
            /// Returns the index as a number.
            #[must_use]
            pub const fn get(self) -> usize {
                self.0
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.0).finish()
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        #[inline_in_release]
        impl From<$name<'_>> for usize {
            fn from(i: $name<'_>) -> Self {
                i.0
            }
        }

        #[inline_in_release]
        impl PartialEq<usize> for $name<'_> {
            fn eq(&self, other: &usize) -> bool {
                self.0 == *other
            }
        }

        #[inline_in_release]
        impl PartialOrd<usize> for $name<'_> {
            fn partial_cmp(&self, other: &usize) -> Option<core::cmp::Ordering> {
                self.0.partial_cmp(other)
            }
        }

        indices!(@ops $name Add add wrapping_add, Sub sub wrapping_sub, Mul mul wrapping_mul);

        #[inline_in_release]
        impl Div<usize> for $name<'_> {
            type Output = usize;
            fn div(self, k: usize) -> usize {
                self.0 / k
            }
        }

        #[inline_in_release]
        impl Rem<usize> for $name<'_> {
            type Output = usize;
            fn rem(self, k: usize) -> usize {
                self.0 % k
            }
        }
    )*};
    (@ops $name:ident $($trait:ident $op:ident $wrapping:ident),*) => {$(
        // Index arithmetic wraps, as in a converted kernel and on a device.
        #[inline_in_release]
        impl $trait<usize> for $name<'_> {
            type Output = usize;
            fn $op(self, k: usize) -> usize {
                self.0.$wrapping(k)
            }
        }
    )*};
}

indices! {
    /// A thread's index in the grid along x.
    ThreadX thread_x in "[4, 1, 1]" is "i < 4": |at| at.x.0;
    /// A thread's index in the grid along y.
    ThreadY thread_y in "[1, 4, 1]" is "i < 4": |at| at.y;
    /// A thread's index in the grid along z.
    ThreadZ thread_z in "[1, 1, 4]" is "i < 4": |at| at.z;
    /// A thread's index in its block along x.
    LocalX local_x in "[4, 1, 1]" is "i < 4": |at| at.x.0 - at.block[0] * at.block_dim[0];
    /// A thread's index in its block along y.
    LocalY local_y in "[1, 4, 1]" is "i < 4": |at| at.y - at.block[1] * at.block_dim[1];
    /// A thread's index in its block along z.
    LocalZ local_z in "[1, 1, 4]" is "i < 4": |at| at.z - at.block[2] * at.block_dim[2];
    /// The index of a thread's block along x.
    BlockX block_x in "[4, 1, 1]" is "i < 4": |at| at.block[0];
    /// The index of a thread's block along y.
    BlockY block_y in "[1, 4, 1]" is "i < 4": |at| at.block[1];
    /// The index of a thread's block along z.
    BlockZ block_z in "[1, 1, 4]" is "i < 4": |at| at.block[2];
    /// The number of threads of the grid along x.
    ThreadsX threads_x in "[4, 1, 1]" is "i == 4": |at| at.grid[0];
    /// The number of threads of the grid along y; on a device those of whole blocks.
    ThreadsY threads_y in "[1, 4, 1]" is "i == 4": |at| at.grid[1];
    /// The number of threads of the grid along z; on a device those of whole blocks.
    ThreadsZ threads_z in "[1, 1, 4]" is "i == 4": |at| at.grid[2];
    /// The number of threads of a block along x, unless it is the last of its row: PTX's `%ntid.x`.
    BlockDimX block_dim_x in "[4, 1, 1]" is "i == 256": |at| at.block_dim[0];
    /// The number of threads of a block along y, unless it is the last of its column: PTX's
    /// `%ntid.y`.
    BlockDimY block_dim_y in "ptxf::kernel::Grid::from([1, 4, 1]).block([1, 4, 1])" is "i == 4": |at| at.block_dim[1];
    /// The number of threads of a block along z, unless it is the last one: PTX's `%ntid.z`.
    BlockDimZ block_dim_z in "ptxf::kernel::Grid::from([1, 1, 4]).block([1, 1, 4])" is "i == 4": |at| at.block_dim[2];
}

#[inline_in_release]
impl<T> Index<usize> for In<'_, T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        self.element(i)
    }
}

#[inline_in_release]
impl<T> Index<ThreadX<'_>> for In<'_, T> {
    type Output = T;
    fn index(&self, i: ThreadX<'_>) -> &T {
        self.element(i.0)
    }
}

macro_rules! outputs {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'t, T> {
            first: *mut T,
            len: usize,
            run: Run<'t>,
        }

        #[inline_in_release]
        impl<'t, T> $name<'t, T> {
            /// Returns a thread's view of an output.
            ///
            /// # Safety
            ///
            /// The slice stays borrowed until the thread has run. Until then only the views that
            /// this function makes for the launch's threads, one for each thread, access the slice.
            /// For a [`PerThread`] these threads differ in their index along x.
            #[doc(hidden)]
            pub const unsafe fn of_launch(out: Out<'_, T>, thread: Thread<'t>) -> Self {
                let (first, len) = out.into_raw_parts();
                Self { first, len, run: thread.run }
            }

            const fn out(&self) -> Out<'_, T> {
                // SAFETY: the slice outlives `'t`, and therefore `self`.
                unsafe { Out::from_raw_parts(self.first, self.len) }
            }
        }

        #[inline_in_release]
        impl<T: Copy> $name<'_, T> {
            /// Returns the number of elements.
            #[must_use]
            #[expect(clippy::len_without_is_empty, reason = "a kernel needs only the length")]
            pub const fn len(&self) -> usize {
                self.len
            }

            /// Returns the element at `i`.
            ///
            /// # Safety
            ///
            /// No other thread of the launch writes the element, or has borrowed it mutably.
            ///
            /// # Panics
            ///
            /// Panics if `i` is not below the length; on a device it traps.
            #[must_use]
            pub unsafe fn get(&self, i: usize) -> T {
                self.out().get(i)
            }

            /// Writes the element at `i`.
            ///
            /// # Safety
            ///
            /// No other thread of the launch reads or writes the element, or has borrowed it.
            ///
            /// # Panics
            ///
            /// Panics if `i` is not below the length; on a device it traps.
            pub unsafe fn set(&mut self, i: usize, value: T) {
                self.out().set(i, value);
            }
        }
    )*};
}

outputs! {
    /// An output of a kernel of one axis: each thread accesses the element at its own index.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::kernel::{PerThread, ThreadX};
    /// use ptxf::ptx_kernel;
    ///
    /// // The lifetime ties the index and the output to the same thread.
    /// fn increment<'t>(t: ThreadX<'t>, counts: &mut PerThread<'t, i32>) {
    ///     counts[t] += 1;
    /// }
    ///
    /// #[ptx_kernel]
    /// fn count(t: ThreadX, counts: &mut [i32]) {
    ///     if t < counts.len() {
    ///         increment(t, &mut counts);
    ///     }
    /// }
    ///
    /// let mut x = [1, 2];
    /// count::launch(3, &mut x);
    /// assert_eq!(x, [2, 3]);
    /// ```
    PerThread;
    /// An output of a kernel of several axes, in which several threads have the same index along x.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::ptx_kernel;
    ///
    /// #[ptx_kernel]
    /// fn number(x: ThreadX, y: ThreadY, out: &mut [usize]) {
    ///     let i = x + 2 * y.get();
    ///     // SAFETY: each thread writes another element.
    ///     unsafe { out.set(i, i + 1) };
    /// }
    ///
    /// let mut x = [0; 6];
    /// number::launch([2, 3], &mut x);
    /// assert_eq!(x, [1, 2, 3, 4, 5, 6]);
    /// ```
    AnyThread;
}

#[inline_in_release]
impl<'t, T: Copy> Index<ThreadX<'t>> for PerThread<'t, T> {
    type Output = T;
    fn index(&self, i: ThreadX<'t>) -> &T {
        // SAFETY: the index is this thread's, no other thread of the launch has it, and this
        // thread's `self` is borrowed.
        unsafe { &*self.out().place(i.0) }
    }
}

#[inline_in_release]
impl<'t, T: Copy> IndexMut<ThreadX<'t>> for PerThread<'t, T> {
    fn index_mut(&mut self, i: ThreadX<'t>) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.out().place(i.0) }
    }
}
