//! What a kernel without `pair` sees: it is ordinary Rust, and types keep its threads apart.
// Invariant: no two threads of a launch have one index.
#![expect(unsafe_code, reason = "an element of an output is a thread's own, or the kernel says that it is")]

use core::fmt;
use core::ops::{Add, Div, Index, IndexMut, Mul, Rem, Sub};

use super::view::{In, Out};

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use ptxf::kernel::", stringify!($name), ";")]
        ///
        #[doc = concat!("let i = ", stringify!($name), "::new(3);")]
        /// assert!(i < 4 && i * 2 + 1 == 7 && i.get() == 3);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(usize);

        impl $name {
            /// The index `i`.
            #[must_use]
            #[inline(always)]
            pub const fn new(i: usize) -> Self {
                Self(i)
            }

            /// As a number.
            #[must_use]
            #[inline(always)]
            pub const fn get(self) -> usize {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$name> for usize {
            #[inline(always)]
            fn from(i: $name) -> Self {
                i.0
            }
        }

        impl PartialEq<usize> for $name {
            #[inline(always)]
            fn eq(&self, other: &usize) -> bool {
                self.0 == *other
            }
        }

        impl PartialOrd<usize> for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &usize) -> Option<core::cmp::Ordering> {
                self.0.partial_cmp(other)
            }
        }

        indices!(@ops $name Add add wrapping_add, Sub sub wrapping_sub, Mul mul wrapping_mul);

        impl Div<usize> for $name {
            type Output = usize;
            #[inline(always)]
            fn div(self, k: usize) -> usize {
                self.0 / k
            }
        }

        impl Rem<usize> for $name {
            type Output = usize;
            #[inline(always)]
            fn rem(self, k: usize) -> usize {
                self.0 % k
            }
        }
    )*};
    (@ops $name:ident $($trait:ident $op:ident $wrapping:ident),*) => {$(
        // As in a converted kernel, and on a device: index arithmetic wraps.
        impl $trait<usize> for $name {
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
    ThreadX
    /// A thread's index in the grid along y.
    ThreadY
    /// A thread's index in the grid along z.
    ThreadZ
    /// A thread's index in its block along x.
    LocalX
    /// A thread's index in its block along y.
    LocalY
    /// A thread's index in its block along z.
    LocalZ
    /// The index of a thread's block along x.
    BlockX
    /// The index of a thread's block along y.
    BlockY
    /// The index of a thread's block along z.
    BlockZ
}

impl<T: Copy> Index<usize> for In<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        self.element(i)
    }
}

impl<T: Copy> Index<ThreadX> for In<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: ThreadX) -> &T {
        self.element(i.0)
    }
}

/// An output of a kernel of one axis: a thread has the element at its own index.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{PerThread, ThreadX};
///
/// let mut x = [1.0, 2.0];
/// let mut out = PerThread::from(&mut x[..]);
/// out[ThreadX::new(1)] += 1.0;
/// assert_eq!(x, [1.0, 3.0]);
/// ```
#[derive(Debug)]
pub struct PerThread<'a, T>(AnyThread<'a, T>);

/// An output of a kernel of several axes, whose threads share their index along x.
#[derive(Debug)]
pub struct AnyThread<'a, T>(Out<'a, T>);

impl<'a, T> From<&'a mut [T]> for PerThread<'a, T> {
    #[inline(always)]
    fn from(x: &'a mut [T]) -> Self {
        Self(AnyThread::from(x))
    }
}

impl<'a, T> From<&'a mut [T]> for AnyThread<'a, T> {
    #[inline(always)]
    fn from(x: &'a mut [T]) -> Self {
        Self(Out::of_launch(x))
    }
}

impl<'a, T> From<Out<'a, T>> for PerThread<'a, T> {
    #[inline(always)]
    fn from(x: Out<'a, T>) -> Self {
        Self(AnyThread(x))
    }
}

impl<'a, T> From<Out<'a, T>> for AnyThread<'a, T> {
    #[inline(always)]
    fn from(x: Out<'a, T>) -> Self {
        Self(x)
    }
}

impl<T: Copy> Index<ThreadX> for PerThread<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: ThreadX) -> &T {
        // SAFETY: no other thread of the launch has this index, and this one's value of `Self` is borrowed.
        unsafe { &*self.0.0.place(i.0) }
    }
}

impl<T: Copy> IndexMut<ThreadX> for PerThread<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, i: ThreadX) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.0.place(i.0) }
    }
}

impl<'a, T> core::ops::Deref for PerThread<'a, T> {
    type Target = AnyThread<'a, T>;
    #[inline(always)]
    fn deref(&self) -> &AnyThread<'a, T> {
        &self.0
    }
}

impl<T: Copy> AnyThread<'_, T> {
    /// Its elements.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::len_without_is_empty, reason = "a kernel asks for the length alone")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The element at `i`.
    ///
    /// # Safety
    ///
    /// No other thread of the launch writes it.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    #[inline(always)]
    pub unsafe fn get(&self, i: usize) -> T {
        self.0.get(i)
    }

    /// Writes the element at `i`.
    ///
    /// # Safety
    ///
    /// No other thread of the launch reads or writes it.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline(always)]
    pub unsafe fn set(&self, i: usize, value: T) {
        self.0.set(i, value);
    }
}
