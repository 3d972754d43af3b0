//! Matrix instructions of a warp, in kernels whose text is that of a whole warp.
//!
//! The elements of a *fragment* are spread over the registers of the 32 lanes ([`place`]). On a
//! device a lane holds its own registers. On a CPU a fragment holds those of all lanes, so both run
//! the same code.
//!
//! # Convergence
//!
//! All lanes must reach an instruction together. A kernel does not see its lane, so its branches
//! are those of the warp. Code of a lane here has no branches while the compiler optimizes it, but
//! those to `trap`: otherwise the compiler could copy an instruction into them. Lines of `asm!`
//! have side effects for it, so that they stay where they are.
// Invariant: all lanes of a warp run each operation together; an element of a view is inside of its slice.
#![expect(unsafe_code, reason = "a warp writes elements that the kernel guarantees to be its own")]

mod fragment;
mod instruction;
mod output;

use super::plain::Run;
use super::view::In;
#[cfg(not(target_arch = "nvptx64"))]
use crate::matrix::Unit;
use crate::matrix::View;
pub use fragment::{FragmentA, FragmentB, FragmentC, WarpElement};
pub use instruction::WarpMma;
pub use output::{AnyWarp, OutMatrix};

/// A warp of a launch: 32 lanes of a device that run the kernel together.
///
/// A plain kernel with a parameter `w: Warp` is a *warp kernel*. Its text runs once per warp, and
/// its operations are those of the whole warp. The grid counts warps. Outputs are [`AnyWarp`]s.
/// On a device each of the 32 lanes runs the text, with the same values; on a CPU it runs once.
///
/// # Examples
///
/// A product of two matrices. Each warp computes 16 rows of 8 columns.
///
/// ```
/// use ptxf::kernel::FragmentC;
/// use ptxf::matrix::{Gemm, Unit, View};
/// use ptxf::{F16, ptx_kernel};
///
/// #[ptx_kernel]
/// fn product(w: Warp, m: usize, n: usize, k: usize, a: &[F16], b: &[F16], d: &mut [f32]) {
///     let (a, b, mut d) = (a.matrix(m, k), b.matrix(k, n), d.matrix(m, n));
///     let (row, column) = (16 * w.y(), 8 * w.x());
///     let mut sum = FragmentC::ZERO;
///     for step in (0..k).step_by(16) {
///         sum = w.mma(w.load_a(a, row, step), w.load_b(b, step, column), sum);
///     }
///     // SAFETY: no other warp has this row and column.
///     unsafe { w.store(sum, &mut d, row, column) };
/// }
///
/// // The edges of the matrices are inside of fragments.
/// let (m, n, k) = (18, 11, 37);
/// let a: Vec<F16> = (0..m * k).map(|i| F16::from_f32((i % 17) as f32 / 7.0 - 1.0)).collect();
/// let b: Vec<F16> = (0..k * n).map(|i| F16::from_f32((i % 13) as f32 / 3.0 - 2.0)).collect();
/// let mut d = vec![0.0; m * n];
/// product::launch([n.div_ceil(8), m.div_ceil(16)], m, n, k, &a, &b, &mut d);
///
/// let mut expected = vec![0.0; m * n];
/// let mma = Unit::sm_90().mma::<F16, F16, f32>().unwrap();
/// mma.gemm(Gemm::new(), View::new(&a, m, k), View::new(&b, k, n), &mut expected);
/// assert_eq!(d, expected);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Warp<'t> {
    index: [usize; 3],
    grid: [usize; 3],
    #[cfg(not(target_arch = "nvptx64"))]
    unit: Unit,
    run: Run<'t>,
}

#[inline_in_release]
impl<'t> Warp<'t> {
    /// Returns the warp at a position.
    pub(super) const fn new(
        index: [usize; 3],
        grid: [usize; 3],
        #[cfg(not(target_arch = "nvptx64"))] unit: Unit,
        run: Run<'t>,
    ) -> Self {
        Self {
            index,
            grid,
            #[cfg(not(target_arch = "nvptx64"))]
            unit,
            run,
        }
    }

    /// Returns the warp's index in the grid along x.
    #[must_use]
    pub const fn x(self) -> usize {
        self.index[0]
    }

    /// Returns the warp's index in the grid along y.
    #[must_use]
    pub const fn y(self) -> usize {
        self.index[1]
    }

    /// Returns the warp's index in the grid along z.
    #[must_use]
    pub const fn z(self) -> usize {
        self.index[2]
    }

    /// Returns the number of warps of the grid along x, y and z; on a device the numbers along y
    /// and z are those of whole blocks.
    #[must_use]
    pub const fn grid(self) -> [usize; 3] {
        self.grid
    }

    /// Loads the 16 rows of a matrix that begin at `row`, and their [`K`](FragmentA::K) columns
    /// that begin at `column`. Elements outside of the matrix are zeros.
    #[must_use]
    pub fn load_a<T: WarpElement>(self, a: View<'_, T>, row: usize, column: usize) -> FragmentA<T> {
        FragmentA::load(a, row, column)
    }

    /// Loads the 8 columns of a matrix that begin at `column`, and their [`K`](FragmentA::K) rows
    /// that begin at `row`. Elements outside of the matrix are zeros.
    #[must_use]
    pub fn load_b<T: WarpElement>(self, b: View<'_, T>, row: usize, column: usize) -> FragmentB<T> {
        FragmentB::load(b, row, column)
    }

    /// Loads the 16 rows of a matrix that begin at `row`, and their 8 columns that begin at
    /// `column`. Elements outside of the matrix are zeros.
    #[must_use]
    pub fn load_c<T: WarpElement>(self, c: View<'_, T>, row: usize, column: usize) -> FragmentC<T> {
        FragmentC::load(c, row, column)
    }

    /// Computes `a · b + c` by one instruction, `mma.sync.aligned.m16n8k16` for 16-bit elements,
    /// k8 for tf32, and k32 for 8 bits.
    ///
    /// A CPU returns the bits of an H100, or of the launch's [`Grid::unit`](super::Grid::unit).
    ///
    /// # Panics
    ///
    /// Panics on a CPU if the launch's unit has no such instruction. For a device without it, the
    /// kernel does not compile: 16 bits and tf32 need sm_80, and 8 bits need sm_89 and PTX 8.4.
    #[must_use]
    #[track_caller]
    pub fn mma<A: WarpMma<B, C>, B: WarpElement, C: WarpElement>(
        self,
        a: FragmentA<A>,
        b: FragmentB<B>,
        c: FragmentC<C>,
    ) -> FragmentC<C> {
        #[cfg(not(target_arch = "nvptx64"))]
        return A::on_cpu(self.unit, &a, &b, &c);
        #[cfg(target_arch = "nvptx64")]
        return instruction::on_device(&a, &b, &c);
    }

    /// Writes a fragment's elements to 16 rows of a matrix from `row` on, in 8 columns from
    /// `column` on. Elements outside of the matrix are not written.
    ///
    /// # Safety
    ///
    /// No other warp of the launch writes these elements of the output.
    pub unsafe fn store<T: WarpElement>(self, c: FragmentC<T>, d: &mut OutMatrix<'_, T>, row: usize, column: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { d.store(&c, row, column) };
    }
}

#[inline_in_release]
impl<'a, T: Copy> In<'a, T> {
    /// Returns the view of a matrix whose rows follow each other, for the loads of a [`Warp`].
    ///
    /// # Panics
    ///
    /// Panics if the slice has fewer than `rows * columns` elements; on a device it traps.
    ///
    /// # Examples
    ///
    /// ```
    /// let x = ptxf::kernel::In::from(&[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.matrix(2, 3).transposed().get(0, 1), 4);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn matrix(self, rows: usize, columns: usize) -> View<'a, T> {
        let elements = require_elements(rows, columns, self.len());
        // SAFETY: the slice has as many elements, and is not in shared memory, since this is a
        // plain kernel's.
        let elements = unsafe { core::slice::from_raw_parts(self.as_ptr(), elements) };
        View::of_rows(elements, rows, columns)
    }
}

/// Returns the number of a matrix' elements, which the slice has.
#[inline_in_release]
#[track_caller]
fn require_elements(rows: usize, columns: usize, len: usize) -> usize {
    match rows.checked_mul(columns) {
        Some(elements) if elements <= len => elements,
        #[cfg(not(target_arch = "nvptx64"))]
        _ => panic!("a matrix of {rows} rows of {columns} elements is longer than its slice of {len}"),
        #[cfg(target_arch = "nvptx64")]
        _ => crate::backend::nvptx::trap(),
    }
}
