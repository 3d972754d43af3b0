//! What a kernel without `pair` sees: it is ordinary Rust, and types keep its threads apart.
//!
//! Whatever says which thread runs, and each output, has a lifetime `'t` that stands for this one run of this one thread. A
//! launch takes a body for every such lifetime, so the body knows nothing of it: it can neither keep what has it nor pass it
//! to another thread, and an index of one thread or launch is never taken for that of another.
// Invariant: no two threads of a launch have one index.
#![expect(unsafe_code, reason = "an element of an output is a thread's own, or the kernel says that it is")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Deref, DerefMut, Div, Index, IndexMut, Mul, Rem, Sub};

use super::ctx::At;
use super::view::{In, Out};

/// One run of one thread: `'t` exactly, and on the thread of the system that runs it.
type Run<'t> = PhantomData<(fn(&'t ()) -> &'t (), *const ())>;

/// A thread of a launch, while it runs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Thread<'t> {
    at: At,
    run: Run<'t>,
}

impl Thread<'_> {
    /// The thread at a place, for a body that is for every `'t`.
    #[inline(always)]
    pub(super) const fn new(at: At) -> Self {
        Self { at, run: PhantomData }
    }
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident of $grid:literal: |$at:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// A launch makes it, and nothing else does. It stays with its thread: another one, or another launch, cannot have it.
        ///
        /// # Examples
        ///
        /// ```
        /// use ptxf::ptx_kernel;
        ///
        /// #[ptx_kernel]
        #[doc = concat!("fn k(i: ", stringify!($name), ") {")]
        ///     assert!(i < 4 && i * 2 + 1 == 2 * i.get() + 1);
        /// }
        ///
        #[doc = concat!("k::launch(", $grid, ");")]
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name<'t>(usize, Run<'t>);

        impl<'t> $name<'t> {
            /// A thread's.
            #[doc(hidden)]
            #[must_use]
            #[inline(always)]
            pub const fn of(thread: Thread<'t>) -> Self {
                let $at = thread.at;
                Self($value, thread.run)
            }

            /// As a number.
            #[must_use]
            #[inline(always)]
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

        impl From<$name<'_>> for usize {
            #[inline(always)]
            fn from(i: $name<'_>) -> Self {
                i.0
            }
        }

        impl PartialEq<usize> for $name<'_> {
            #[inline(always)]
            fn eq(&self, other: &usize) -> bool {
                self.0 == *other
            }
        }

        impl PartialOrd<usize> for $name<'_> {
            #[inline(always)]
            fn partial_cmp(&self, other: &usize) -> Option<core::cmp::Ordering> {
                self.0.partial_cmp(other)
            }
        }

        indices!(@ops $name Add add wrapping_add, Sub sub wrapping_sub, Mul mul wrapping_mul);

        impl Div<usize> for $name<'_> {
            type Output = usize;
            #[inline(always)]
            fn div(self, k: usize) -> usize {
                self.0 / k
            }
        }

        impl Rem<usize> for $name<'_> {
            type Output = usize;
            #[inline(always)]
            fn rem(self, k: usize) -> usize {
                self.0 % k
            }
        }
    )*};
    (@ops $name:ident $($trait:ident $op:ident $wrapping:ident),*) => {$(
        // As in a converted kernel, and on a device: index arithmetic wraps.
        impl $trait<usize> for $name<'_> {
            type Output = usize;
            #[inline(always)]
            fn $op(self, k: usize) -> usize {
                self.0.$wrapping(k)
            }
        }
    )*};
}

indices! {
    /// A thread's index in the grid along x.
    ThreadX of "[4, 1, 1]": |at| at.x.0;
    /// A thread's index in the grid along y.
    ThreadY of "[1, 4, 1]": |at| at.y;
    /// A thread's index in the grid along z.
    ThreadZ of "[1, 1, 4]": |at| at.z;
    /// A thread's index in its block along x.
    LocalX of "[4, 1, 1]": |at| at.x.0 - at.block[0] * at.block_dim[0];
    /// A thread's index in its block along y.
    LocalY of "[1, 4, 1]": |at| at.y - at.block[1] * at.block_dim[1];
    /// A thread's index in its block along z.
    LocalZ of "[1, 1, 4]": |at| at.z - at.block[2] * at.block_dim[2];
    /// The index of a thread's block along x.
    BlockX of "[4, 1, 1]": |at| at.block[0];
    /// The index of a thread's block along y.
    BlockY of "[1, 4, 1]": |at| at.block[1];
    /// The index of a thread's block along z.
    BlockZ of "[1, 1, 4]": |at| at.block[2];
}

impl<T: Copy> Index<usize> for In<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        self.element(i)
    }
}

impl<T: Copy> Index<ThreadX<'_>> for In<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: ThreadX<'_>) -> &T {
        self.element(i.0)
    }
}

/// An output of a kernel of one axis: a thread has the element at its own index.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{PerThread, ThreadX};
/// use ptxf::ptx_kernel;
///
/// // The lifetime says that the index and the output are of the same thread.
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
#[derive(Debug)]
pub struct PerThread<'t, T>(AnyThread<'t, T>);

/// An output of a kernel of several axes, whose threads share their index along x.
#[derive(Debug)]
pub struct AnyThread<'t, T> {
    first: *mut T,
    len: usize,
    run: Run<'t>,
}

impl<'t, T> PerThread<'t, T> {
    /// What a thread has of an output.
    ///
    /// # Safety
    ///
    /// As of [`AnyThread::of_launch`], which takes a thread's only one. The launch's threads differ in their index along x.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn of_launch(out: Out<'_, T>, thread: Thread<'t>) -> Self {
        // SAFETY: the caller's.
        Self(unsafe { AnyThread::of_launch(out, thread) })
    }
}

impl<'t, T> AnyThread<'t, T> {
    /// What a thread has of an output.
    ///
    /// # Safety
    ///
    /// The slice stays borrowed until the thread has run, and for that time nothing else accesses it but what this function makes
    /// for the launch's threads, for each of them once.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn of_launch(out: Out<'_, T>, thread: Thread<'t>) -> Self {
        let (first, len) = out.into_raw_parts();
        Self { first, len, run: thread.run }
    }

    #[inline(always)]
    const fn out(&self) -> Out<'_, T> {
        // SAFETY: the slice outlives `'t`, and so `self`.
        unsafe { Out::from_raw_parts(self.first, self.len) }
    }
}

impl<'t, T: Copy> Index<ThreadX<'t>> for PerThread<'t, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: ThreadX<'t>) -> &T {
        // SAFETY: the index is this thread's, no other thread of the launch has it, and this one's value of `Self` is borrowed.
        unsafe { &*self.0.out().place(i.0) }
    }
}

impl<'t, T: Copy> IndexMut<ThreadX<'t>> for PerThread<'t, T> {
    #[inline(always)]
    fn index_mut(&mut self, i: ThreadX<'t>) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.out().place(i.0) }
    }
}

impl<'t, T> Deref for PerThread<'t, T> {
    type Target = AnyThread<'t, T>;
    #[inline(always)]
    fn deref(&self) -> &AnyThread<'t, T> {
        &self.0
    }
}

impl<'t, T> DerefMut for PerThread<'t, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut AnyThread<'t, T> {
        &mut self.0
    }
}

impl<T: Copy> AnyThread<'_, T> {
    /// Its elements.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "a kernel asks for the length alone")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The element at `i`.
    ///
    /// # Safety
    ///
    /// No other thread of the launch writes it, or holds it to be written.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    #[inline(always)]
    pub unsafe fn get(&self, i: usize) -> T {
        self.out().get(i)
    }

    /// Writes the element at `i`.
    ///
    /// # Safety
    ///
    /// No other thread of the launch reads or writes it, or holds it.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline(always)]
    pub unsafe fn set(&mut self, i: usize, value: T) {
        self.out().set(i, value);
    }
}
