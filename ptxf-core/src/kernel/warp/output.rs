//! Outputs of warp kernels.
// Invariant: the slice of an output stays borrowed while a warp runs, and no two warps write one element.
#![expect(unsafe_code, reason = "several warps hold one slice, and the kernel guarantees that their elements differ")]

use core::marker::PhantomData;

use super::super::plain::{Run, Thread};
use super::super::view::Out;
use super::fragment::{FragmentC, WarpElement, element, lane, place_of_c};
use super::require_elements;

/// An output of a warp kernel, which [`Warp::store`](super::Warp::store) writes.
#[derive(Debug)]
pub struct AnyWarp<'t, T> {
    first: *mut T,
    len: usize,
    run: Run<'t>,
}

/// An output as a matrix whose rows follow each other.
#[derive(Debug)]
pub struct OutMatrix<'a, T> {
    first: *mut T,
    rows: usize,
    columns: usize,
    /// Distances in elements from a row to the next one, and from a column to the next one.
    strides: [usize; 2],
    of: PhantomData<&'a mut T>,
}

#[inline_in_release]
impl<'t, T> AnyWarp<'t, T> {
    /// Returns a warp's view of an output.
    ///
    /// # Safety
    ///
    /// As for [`AnyThread::of_launch`](super::super::AnyThread::of_launch), of warps. On a device
    /// the slice is in global memory.
    #[doc(hidden)]
    pub const unsafe fn of_launch(out: Out<'_, T>, warp: Thread<'t>) -> Self {
        let (first, len) = out.into_raw_parts();
        Self { first, len, run: warp.run }
    }
}

#[inline_in_release]
impl<T: WarpElement> AnyWarp<'_, T> {
    /// Returns the number of elements.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a kernel needs only the length")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the output as a matrix whose rows follow each other.
    ///
    /// # Panics
    ///
    /// Panics if the slice has fewer than `rows * columns` elements; on a device it traps.
    #[track_caller]
    pub fn matrix(&mut self, rows: usize, columns: usize) -> OutMatrix<'_, T> {
        require_elements(rows, columns, self.len);
        OutMatrix { first: self.first, rows, columns, strides: [columns, 1], of: PhantomData }
    }
}

#[inline_in_release]
impl<T: WarpElement> OutMatrix<'_, T> {
    /// Returns the transposed matrix.
    #[must_use]
    pub fn transposed(self) -> Self {
        let [row, column] = self.strides;
        Self { rows: self.columns, columns: self.rows, strides: [column, row], ..self }
    }

    /// Writes the elements of a fragment that are inside of the matrix.
    ///
    /// # Safety
    ///
    /// No other warp of the launch writes them.
    pub(super) unsafe fn store(&mut self, c: &FragmentC<T>, row: usize, column: usize) {
        for (l, registers) in c.registers.iter().enumerate() {
            for i in 0..4 {
                let [r, s] = place_of_c(lane(l), i);
                let (row, column) = (r.wrapping_add(row), s.wrapping_add(column));
                let at = row.wrapping_mul(self.strides[0]).wrapping_add(column.wrapping_mul(self.strides[1]));
                let is_inside = row < self.rows && column < self.columns;
                // SAFETY: an element inside of the matrix is one of the slice, and the caller
                // guarantees that it is this warp's.
                unsafe { write_if(is_inside, self.first.wrapping_add(at), element(registers, i)) };
            }
        }
    }
}

/// Writes an element if it is inside.
///
/// # Safety
///
/// If it is, the address is one of an element in global memory, to which only this lane writes.
#[inline_in_release]
unsafe fn write_if<T: WarpElement>(is_inside: bool, p: *mut T, value: T) {
    #[cfg(not(target_arch = "nvptx64"))]
    if is_inside {
        // SAFETY: guaranteed by the caller.
        unsafe { p.write(value) };
    }
    // Without a branch, see the head of `warp`.
    #[cfg(target_arch = "nvptx64")]
    {
        macro_rules! store {
            ($bits:literal $class:ident $value:expr) => {
                // SAFETY: guaranteed by the caller.
                unsafe {
                    core::arch::asm!(
                        "{{",
                        ".reg .pred inside;",
                        ".reg .b64 address;",
                        "setp.ne.u32 inside, {inside}, 0;",
                        "cvta.to.global.u64 address, {p};",
                        concat!("@inside st.global.b", $bits, " [address], {value};"),
                        "}}",
                        inside = in(reg32) u32::from(is_inside),
                        p = in(reg64) p,
                        value = in($class) $value,
                        options(nostack),
                    );
                }
            };
        }
        match T::BITS {
            8 => store!("8" reg16 value.word() as u16),
            16 => store!("16" reg16 value.word() as u16),
            _ => store!("32" reg32 value.word()),
        }
    }
}
