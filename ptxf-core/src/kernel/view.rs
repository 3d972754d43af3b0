//! Slices as the threads of a kernel see them. Every access of every version is checked here.
//!
//! The bounds check of a pair is one comparison. For an even index `i`, `i + 1` is compared with
//! the length. Any other index is compared with the length less 1, which the compiler hoists out of
//! a loop. On a device an index out of range traps, because a message would take local memory.
// Invariant: an element that one thread of a launch writes is accessed by no other thread; every access is in bounds.
#![expect(unsafe_code, reason = "several threads hold the same slice, and some write to it")]

mod checks;
#[cfg(any(test, target_arch = "nvptx64"))]
mod groups;

use core::marker::PhantomData;
#[cfg(not(target_arch = "nvptx64"))]
use core::mem::MaybeUninit;
use core::ops::Deref;
use core::ptr;

#[cfg(not(target_arch = "nvptx64"))]
use super::index::Strided;
use super::pair::Joined;
use super::space::Space;
#[cfg(feature = "kernel-trace")]
use super::trace;
pub(super) use checks::Checks;

/// A slice that threads read.
///
/// # Examples
///
/// ```
/// let x = ptxf::kernel::In::from(&[1.0_f32, 2.0]);
/// assert_eq!((x.get(1), x.len()), (2.0, 2));
/// ```
#[derive(Debug)]
pub struct In<'a, T> {
    first: *const T,
    len: usize,
    space: Space,
    checks: Checks,
    of: PhantomData<&'a [T]>,
}

/// A slice that threads write, and may read as an [`In`].
///
/// All threads of a launch hold it, as all threads of a GPU hold an array. This type does not
/// prevent two threads from accessing an element that one of them writes. `#[ptx_kernel]` does,
/// because it accepts only writes at a thread's own index. So the constructors are `unsafe`, and
/// the expansion never passes an `Out` to the kernel's code.
#[derive(Debug)]
pub struct Out<'a, T> {
    view: In<'a, T>,
    of: PhantomData<&'a mut [T]>,
}

#[inline_in_release]
impl<T> Clone for In<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for In<'_, T> {}

#[inline_in_release]
impl<T> Clone for Out<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Out<'_, T> {}

#[inline_in_release]
impl<'a, T> Deref for Out<'a, T> {
    type Target = In<'a, T>;

    fn deref(&self) -> &In<'a, T> {
        &self.view
    }
}

// SAFETY: equivalent to `&[T]`.
unsafe impl<T: Sync> Send for In<'_, T> {}
// SAFETY: equivalent to `&[T]`.
unsafe impl<T: Sync> Sync for In<'_, T> {}
// SAFETY: equivalent to `&mut [T]`; the kernel separates its threads, see `Out`.
unsafe impl<T: Send + Sync> Send for Out<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Out<'_, T> {}

#[inline_in_release]
impl<'a, T> From<&'a [T]> for In<'a, T> {
    fn from(x: &'a [T]) -> Self {
        Self::new(x.as_ptr(), x.len(), Space::Generic)
    }
}

#[inline_in_release]
impl<'a, T, const N: usize> From<&'a [T; N]> for In<'a, T> {
    fn from(x: &'a [T; N]) -> Self {
        x.as_slice().into()
    }
}

/// Checks an index into a thread's own array of `len` elements. Panics with Rust's message, like
/// the code for one thread, but at the kernel's line.
#[inline_in_release]
#[track_caller]
pub(super) fn in_array(i: usize, len: usize) -> usize {
    if i >= len {
        out_of_array(i, len);
    }
    i
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_array(i: usize, len: usize) -> ! {
    #[cfg(not(target_arch = "nvptx64"))]
    panic!("index out of bounds: the len is {len} but the index is {i}");
    #[cfg(target_arch = "nvptx64")]
    out_of_range(i, len)
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_range(i: usize, len: usize) -> ! {
    #[cfg(not(target_arch = "nvptx64"))]
    panic!(
        "thread accesses element {i} of a slice of {len}: test the index, `if t < x.len()`, or pass a longer slice; an \
         array in shared memory has an element for each thread of a block, `Grid::block`"
    );
    #[cfg(target_arch = "nvptx64")]
    {
        // Nobody could read the message, which would take a kernel local memory and thousands of
        // instructions.
        let _ = (i, len);
        crate::backend::nvptx::trap()
    }
}

/// Checks the bounds of the `n` elements from the `i`-th on.
#[cfg(not(target_arch = "nvptx64"))]
#[inline_in_release]
#[track_caller]
fn require_all(i: usize, n: usize, len: usize) {
    // One comparison with a bound that a loop does not change, and no sum with `i`, which may be
    // any number.
    if i >= len.saturating_sub(n.saturating_sub(1)) {
        out_of_range(i.max(len), len);
    }
}

/// Checks the bounds of the elements `i + l` for every bit `l` of `bits`.
#[cfg(not(target_arch = "nvptx64"))]
#[inline_in_release]
#[track_caller]
fn require_some(i: usize, bits: u32, len: usize) {
    if bits != 0 {
        let first = i.wrapping_add(bits.trailing_zeros() as usize);
        let last = i.wrapping_add(bits.ilog2() as usize);
        if first > last || last >= len {
            some_out_of_range(i, bits, len);
        }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[inline(never)]
#[track_caller]
fn some_out_of_range(i: usize, bits: u32, len: usize) -> ! {
    let mut indices = (0..32).filter(|l| bits >> l & 1 != 0).map(|l| i.wrapping_add(l));
    out_of_range(indices.find(|i| *i >= len).unwrap_or(i), len)
}

#[inline_in_release]
impl<T> In<'_, T> {
    /// Returns a view of the `len` elements at `first`, for a device's entry.
    ///
    /// The entry takes a reference to an array without elements, because the compiler assumes for
    /// such a parameter that nothing writes there while the kernel runs. So reads are
    /// `ld.global.nc`, and a repeated read is hoisted out of a loop that writes to other slices.
    ///
    /// # Safety
    ///
    /// As for [`slice::from_raw_parts`](core::slice::from_raw_parts), if there are elements, while
    /// the launch runs. Neither its threads nor anything else writes to the elements.
    #[doc(hidden)]
    #[must_use]
    pub const unsafe fn of_entry(first: Option<&[T; 0]>, len: usize) -> Self {
        let first = match first {
            Some(first) => ptr::from_ref(first).cast(),
            None => ptr::null(),
        };
        Self::new(first, len, Space::Generic)
    }

    const fn new(first: *const T, len: usize, space: Space) -> Self {
        Self { first, len, space, checks: Checks::ALL, of: PhantomData }
    }

    /// Returns the address of the first element.
    pub(super) const fn as_ptr(self) -> *const T {
        self.first
    }

    /// Returns the space of the elements.
    pub(super) const fn space(self) -> Space {
        self.space
    }

    /// Borrows the `i`-th element.
    #[track_caller]
    pub(super) fn element(&self, i: usize) -> &T {
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { &*self.one(i, false) }
    }

    /// Returns the address of the `i`-th element, which will be read, or written if `writes` is
    /// `true`.
    #[track_caller]
    fn one(self, i: usize, writes: bool) -> *const T {
        if self.checks.fail(i >= self.len) {
            out_of_range(i, self.len);
        }
        self.noted(i, 1, writes)
    }

    /// Returns the address of the `n` elements from the `i`-th on, all of which will be accessed.
    #[cfg(not(target_arch = "nvptx64"))]
    #[track_caller]
    pub(super) fn all(self, i: usize, n: usize, writes: bool) -> *const T {
        require_all(i, n, self.len);
        self.noted(i, n, writes)
    }

    /// Returns the address of the `i`-th element. Of the elements from there on, those of `bits`
    /// will be accessed.
    #[cfg(not(target_arch = "nvptx64"))]
    #[track_caller]
    pub(super) fn some(self, i: usize, bits: u32, writes: bool) -> *const T {
        require_some(i, bits, self.len);
        self.some_noted(i, bits, writes)
    }

    /// Returns the address as [`some`](Self::some) does. Returns `None` if the `n` elements from
    /// the `i`-th on may not be read as a whole, or written with those outside of `bits` unchanged:
    /// if one does not exist, or another thread of the CPU may write them. `alone` is `true` if the
    /// launch runs on one thread.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(super) fn around(self, i: usize, n: usize, bits: u32, alone: bool, writes: bool) -> Option<*const T> {
        if i >= self.len.saturating_sub(n.saturating_sub(1)) || self.space == Space::Written && !alone {
            return None;
        }
        Some(self.some_noted(i, bits, writes))
    }

    /// Returns the address of the `i`-th element, after recording an access to `n` elements.
    fn noted(self, i: usize, n: usize, writes: bool) -> *const T {
        let p = self.first.wrapping_add(i);
        #[cfg(feature = "kernel-trace")]
        trace::record(p, n, writes);
        let _ = (n, writes);
        p
    }

    /// Returns the address of the `i`-th element, after recording an access to those of `bits`.
    #[cfg(not(target_arch = "nvptx64"))]
    fn some_noted(self, i: usize, bits: u32, writes: bool) -> *const T {
        let p = self.first.wrapping_add(i);
        #[cfg(feature = "kernel-trace")]
        trace::record_some(p, bits, writes);
        let _ = (bits, writes);
        p
    }
}

#[inline_in_release]
impl<'a, T> Out<'a, T> {
    /// Returns a view of the slice, for an expansion that separates its threads.
    ///
    /// # Safety
    ///
    /// While a thread writes an element through this view or a copy of it, no other thread accesses
    /// the element, and no reference to it exists: `as_in` makes the element look unchanging. Only
    /// one launch at a time uses the view. If the launch runs on one thread of the CPU, it may
    /// write the elements between those of its threads, unchanged.
    #[must_use]
    pub const unsafe fn of_launch(x: &'a mut [T]) -> Self {
        Self::new(x.as_mut_ptr(), x.len(), Space::written())
    }

    /// Returns a view of a block's memory.
    ///
    /// # Safety
    ///
    /// Between two barriers the guarantees of [`of_launch`](Self::of_launch) hold, and all threads
    /// of the block run on one thread of the CPU. An element is written before it is read.
    #[cfg(not(target_arch = "nvptx64"))]
    #[must_use]
    pub(super) const unsafe fn of_block(x: &'a mut [MaybeUninit<T>]) -> Self {
        Self::new(x.as_mut_ptr().cast(), x.len(), Space::Block)
    }

    /// Returns a view of the `len` elements at `first`, for a device's entry.
    ///
    /// # Safety
    ///
    /// As for [`slice::from_raw_parts_mut`](core::slice::from_raw_parts_mut), except that the
    /// launch's other threads have the slice, too. They keep the guarantees of
    /// [`of_launch`](Self::of_launch).
    #[must_use]
    pub const unsafe fn from_raw_parts(first: *mut T, len: usize) -> Self {
        Self::new(first, len, Space::written())
    }

    /// Returns a view of `len` elements at an address of shared memory.
    ///
    /// # Safety
    ///
    /// Between two barriers the guarantees of [`of_launch`](Self::of_launch) hold. An element is
    /// written before it is read.
    #[cfg(target_arch = "nvptx64")]
    pub(super) const unsafe fn shared(address: *mut T, len: usize) -> Self {
        const { assert!(super::space::can_be_shared::<T>(), "an array of such elements cannot be shared") };
        Self::new(address, len, Space::Shared)
    }

    const fn new(first: *mut T, len: usize, space: Space) -> Self {
        Self { view: In::new(first, len, space), of: PhantomData }
    }

    /// Returns the first element's address and the number of elements.
    pub(super) const fn into_raw_parts(self) -> (*mut T, usize) {
        (self.view.first.cast_mut(), self.view.len)
    }
}

/// Slices of arrays, as slices of numbers.
#[inline_in_release]
impl<'a, T, const N: usize> In<'a, [T; N]> {
    /// Returns the numbers of the arrays, one array after the other.
    #[must_use]
    pub const fn flatten(self) -> In<'a, T> {
        // All of them are in memory, so their number does not wrap.
        In {
            first: self.first.cast(),
            len: self.len.wrapping_mul(N),
            space: self.space,
            checks: self.checks,
            of: PhantomData,
        }
    }
}

#[inline_in_release]
impl<'a, T, const N: usize> Out<'a, [T; N]> {
    /// Returns the numbers of the arrays, one array after the other.
    #[must_use]
    pub const fn flatten(self) -> Out<'a, T> {
        Out { view: self.view.flatten(), of: PhantomData }
    }
}

#[inline_in_release]
impl<'a, T> In<'a, T> {
    /// Returns the arrays of `N` numbers each, without the numbers at the end that do not fill an
    /// array.
    ///
    /// # Panics
    ///
    /// Panics if `N` is 0.
    #[must_use]
    pub const fn in_rows<const N: usize>(self) -> In<'a, [T; N]> {
        In { first: self.first.cast(), len: self.len / N, space: self.space, checks: self.checks, of: PhantomData }
    }
}

#[inline_in_release]
impl<T: Copy> In<'_, T> {
    /// Returns the number of arrays of `width` numbers.
    #[must_use]
    pub const fn rows(self, width: usize) -> usize {
        match self.len.checked_div(width) {
            Some(rows) => rows,
            None => 0,
        }
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns `true` if there are no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the `i`-th element.
    ///
    /// # Panics
    ///
    /// Panics if `i` is not below the length; on a device it traps, because a message would take
    /// local memory.
    #[must_use]
    #[track_caller]
    pub fn get(self, i: usize) -> T {
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { self.space.read(self.one(i, false)) }
    }

    /// Returns lane 0's address and the stride in elements. Returns `None` if the elements from
    /// lane `least` to lane `most` may not be read as a whole: if one does not exist, if another
    /// thread of the CPU may write them (`alone` is as above), or if the stride is too large.
    /// `bits` are the lanes that will be read.
    #[cfg(not(target_arch = "nvptx64"))]
    pub(super) fn read_strided(
        self,
        Strided { first, step }: Strided,
        [least, most]: [usize; 2],
        bits: u32,
        alone: bool,
    ) -> Option<(*const T, i32)> {
        // With a larger stride, offsets of several elements would not fit.
        const FAR: usize = 1 << 20;
        if step.wrapping_add(FAR) > 2 * FAR || self.space == Space::Written && !alone {
            return None;
        }
        let backwards = step > FAR;
        let span = if backwards { step.wrapping_neg() } else { step } * (most - least);
        let from = first.wrapping_add(step.wrapping_mul(if backwards { most } else { least }));
        if from > from.wrapping_add(span) || from >= self.len.saturating_sub(span) {
            return None;
        }
        let p = self.first.wrapping_add(first);
        #[cfg(feature = "kernel-trace")]
        for l in (0..32).filter(|l| bits >> l & 1 != 0) {
            trace::record(p.wrapping_add(step.wrapping_mul(l)), 1, false);
        }
        let _ = bits;
        Some((p, step as i32))
    }

    /// Returns `N` elements from the `i`-th on.
    #[cfg(not(target_arch = "nvptx64"))]
    #[track_caller]
    pub(super) fn array<const N: usize>(self, i: usize) -> [T; N] {
        let p = self.all(i, N, false).cast::<[T; N]>();
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { p.read() }
    }

    /// Returns `true` if the slice's address is aligned for a `P`.
    #[doc(hidden)]
    #[must_use]
    pub fn begins_aligned_to<P>(self) -> bool {
        // Only bits that are not 0 in every slice's address. They are the same for all slices, so a
        // device tests them at once.
        self.first.addr() & (align_of::<P>() - align_of::<T>()) == 0
    }
}

/// Declares methods of [`In`] that expansions call on outputs. A method of a trait of the user's
/// would come before one that only `Deref` finds.
macro_rules! as_in {
    ($($name:ident $(<$G:ident $(: $Bound:ident)?>)? ($($x:ident: $X:ty),*) -> $R:ty;)*) => {$(
        #[doc = concat!("Returns what [`In::", stringify!($name), "`] returns.")]
        #[must_use]
        #[track_caller]
        pub fn $name $(<$G $(: $Bound)?>)? (self $(, $x: $X)*) -> $R {
            self.as_in().$name $(::<$G>)? ($($x),*)
        }
    )*};
}
pub(super) use as_in;

#[inline_in_release]
impl<'a, T: Copy> Out<'a, T> {
    as_in! {
        len() -> usize;
        is_empty() -> bool;
        rows(width: usize) -> usize;
        get(i: usize) -> T;
        begins_aligned_to<P>() -> bool;
    }

    /// Returns a view for reading.
    #[must_use]
    pub fn as_in(self) -> In<'a, T> {
        self.view
    }

    /// Writes the `i`-th element.
    ///
    /// # Panics
    ///
    /// Panics if `i` is not below the length; on a device it traps, because a message would take
    /// local memory.
    #[track_caller]
    pub fn set(self, i: usize, value: T) {
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { self.space.write(self.place(i), value) };
    }

    /// Returns the address of the `i`-th element, which will be written.
    #[track_caller]
    pub(super) fn place(&self, i: usize) -> *mut T {
        self.one(i, true).cast_mut()
    }

    /// Writes `N` elements from the `i`-th on.
    #[cfg(not(target_arch = "nvptx64"))]
    #[track_caller]
    pub(super) fn set_array<const N: usize>(self, i: usize, values: [T; N]) {
        let p = self.all(i, N, true).cast_mut().cast::<[T; N]>();
        // SAFETY: in bounds, and live while `'a` is.
        unsafe { p.write(values) }
    }

    /// Returns the number of elements between the preceding multiple of `bytes` and the slice's
    /// address.
    #[cfg(not(target_arch = "nvptx64"))]
    #[must_use]
    pub fn behind(self, bytes: usize) -> usize {
        self.first.addr() % bytes / size_of::<T>()
    }
}

/// Checks the bounds of the elements `i` and `i + 1`; `known` is `Some(true)` if `i` is known to be
/// even.
#[inline_in_release]
#[track_caller]
fn require_pair(checks: Checks, i: usize, len: usize, known: Option<bool>) {
    // One comparison: an index that is not known to be even is compared with a bound that a loop
    // does not change. A `Body` guarantees that the index is even. A CPU does not rely on that
    // guarantee, because it gains nothing.
    let even = cfg!(target_arch = "nvptx64") && known == Some(true);
    let outside = if even { i.wrapping_add(1) >= len } else { i >= len.saturating_sub(1) };
    if checks.fail(outside) {
        out_of_range(i.max(len), len);
    }
}

/// Returns `true` if the address `p` of the `i`-th element is aligned to a pair; debug builds
/// compare the result with `known`.
#[inline_in_release]
fn is_pair<P: Joined>(space: Space, p: *const P::Lane, i: usize, known: Option<bool>) -> bool {
    let aligned = if space.is_shared() { i.is_multiple_of(2) } else { p.cast::<P>().is_aligned() };
    // A device may access a word as two elements.
    debug_assert!(
        cfg!(target_arch = "nvptx64") || known.is_none_or(|known| known == aligned),
        "elements that are a pair by their index, not by address"
    );
    known.unwrap_or(aligned)
}

#[inline_in_release]
impl<T: Copy> In<'_, T> {
    /// Returns the elements `i` and `i + 1`; `known` is `Some(true)` if they are aligned to a pair,
    /// `Some(false)` if not, and `None` if unknown.
    #[track_caller]
    pub(super) fn pair<P: Joined<Lane = T>>(self, i: usize, known: Option<bool>) -> P {
        let (p, joined) = self.two::<P>(i, known, false);
        // SAFETY: in bounds, and aligned if joined.
        unsafe { self.space.read_pair(p, joined) }
    }

    /// Returns the address of the elements `i` and `i + 1`, and `true` if they are one access.
    #[track_caller]
    fn two<P: Joined<Lane = T>>(self, i: usize, known: Option<bool>, writes: bool) -> (*const T, bool) {
        require_pair(self.checks, i, self.len, known);
        let p = self.noted(i, 2, writes);
        let halves = self.checks.in_halves() && known != Some(true);
        (p, !halves && is_pair::<P>(self.space, p, i, known))
    }
}

#[inline_in_release]
impl<T: Copy> Out<'_, T> {
    /// Writes the elements `i` and `i + 1`; `known` is as in [`In::pair`].
    #[track_caller]
    pub(super) fn set_pair<P: Joined<Lane = T>>(self, i: usize, known: Option<bool>, value: P) {
        let (p, joined) = self.two::<P>(i, known, true);
        // SAFETY: in bounds, and aligned if joined.
        unsafe { self.space.write_pair(p.cast_mut(), joined, value) };
    }
}

#[inline_in_release]
impl Space {
    /// Reads the pair of elements at an address, by one access if `joined`, and otherwise by two.
    ///
    /// # Safety
    ///
    /// As for [`read`](Self::read) of both elements, and of a `P` if `joined`.
    unsafe fn read_pair<P: Joined>(self, p: *const P::Lane, joined: bool) -> P {
        if joined && ONE_ACCESS {
            // SAFETY: guaranteed by the caller; a pair is two elements, the lower one first.
            return unsafe { self.read(p.cast()) };
        }
        // SAFETY: guaranteed by the caller.
        let low = unsafe { self.read(p) };
        // SAFETY: guaranteed by the caller.
        P::of_loads([low, unsafe { self.read(p.wrapping_add(1)) }])
    }

    /// Writes the pair of elements at an address, by one access if `joined`, and otherwise by two.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write) of both elements, and of a `P` if `joined`.
    unsafe fn write_pair<P: Joined>(self, p: *mut P::Lane, joined: bool, value: P) {
        if joined && ONE_ACCESS {
            // SAFETY: guaranteed by the caller; a pair is two elements, the lower one first.
            return unsafe { self.write(p.cast(), value) };
        }
        let [low, high] = value.split();
        // SAFETY: guaranteed by the caller.
        unsafe { self.write(p, low) };
        // SAFETY: guaranteed by the caller.
        unsafe { self.write(p.wrapping_add(1), high) };
    }
}

/// `true` if the code merges the accesses of an aligned pair. Compilers for CPUs merge them without
/// help.
const ONE_ACCESS: bool = cfg!(target_arch = "nvptx64");
