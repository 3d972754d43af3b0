//! Matrices in memory.
// Invariant: every element of a view is in its slice.
#![expect(unsafe_code, reason = "a view's elements are in its slice")]

/// A matrix: elements of a slice, at even distances.
///
/// # Examples
///
/// ```
/// use ptxf::matrix::View;
///
/// let x = [1, 2, 3, 4, 5, 6];
/// let view = View::new(&x, 2, 3);
/// assert_eq!((view.get(1, 0), view.transposed().get(0, 1)), (4, 4));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T> {
    elements: &'a [T],
    rows: usize,
    columns: usize,
    /// Distances in elements from a row to the next one, and from a column to the next one.
    strides: [usize; 2],
}

impl<'a, T: Copy> View<'a, T> {
    /// Returns the view of a matrix whose rows follow each other.
    ///
    /// # Panics
    ///
    /// Panics if the slice does not have `rows * columns` elements.
    #[must_use]
    #[track_caller]
    pub fn new(elements: &'a [T], rows: usize, columns: usize) -> Self {
        assert!(
            rows.checked_mul(columns) == Some(elements.len()),
            "{} elements are not {rows} rows of {columns}",
            elements.len()
        );
        Self { elements, rows, columns, strides: [columns, 1] }
    }

    /// Returns the view of a matrix whose element (i, j) is at `i * strides[0] + j * strides[1]`.
    ///
    /// # Panics
    ///
    /// Panics if the last element is outside of the slice.
    #[must_use]
    #[track_caller]
    pub fn strided(elements: &'a [T], rows: usize, columns: usize, strides: [usize; 2]) -> Self {
        if rows != 0 && columns != 0 {
            let last = (|| (rows - 1).checked_mul(strides[0])?.checked_add((columns - 1).checked_mul(strides[1])?))();
            assert!(
                last.is_some_and(|last| last < elements.len()),
                "{rows} rows of {columns} elements at distances {strides:?} are more than {} elements",
                elements.len()
            );
        }
        Self { elements, rows, columns, strides }
    }

    /// Returns the view of as many elements as the rows have, which follow each other.
    pub(crate) fn of_rows(elements: &'a [T], rows: usize, columns: usize) -> Self {
        debug_assert_eq!(rows * columns, elements.len());
        Self { elements, rows, columns, strides: [columns, 1] }
    }

    /// Returns the view of the transposed matrix.
    #[must_use]
    pub fn transposed(self) -> Self {
        let [row, column] = self.strides;
        Self { rows: self.columns, columns: self.rows, strides: [column, row], ..self }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the element in a row and a column.
    ///
    /// # Panics
    ///
    /// Panics if the element is outside of the slice.
    #[must_use]
    #[track_caller]
    pub fn get(&self, row: usize, column: usize) -> T {
        self.elements[row * self.strides[0] + column * self.strides[1]]
    }

    /// Returns the index of an element, and of the first one for an element outside of the matrix,
    /// which is not empty.
    #[inline_in_release]
    fn index_or_first(&self, row: usize, column: usize) -> (usize, bool) {
        let at = row.wrapping_mul(self.strides[0]).wrapping_add(column.wrapping_mul(self.strides[1]));
        // Not `&&`, which is a branch.
        let is_inside = (row < self.rows) & (column < self.columns);
        (if is_inside { at } else { 0 }, is_inside)
    }

    /// Returns an element of a matrix that is not empty, and the default for an element outside of
    /// it. There are no branches.
    #[inline_in_release]
    pub(crate) fn get_or_default(&self, row: usize, column: usize) -> T
    where
        T: Default,
    {
        let (at, is_inside) = self.index_or_first(row, column);
        // SAFETY: an element of the view, which has a first one.
        let element = unsafe { *self.elements.get_unchecked(at) };
        if is_inside { element } else { T::default() }
    }

    /// Returns `true` if rows from a column on consist of whole, aligned words.
    #[inline_in_release]
    pub(crate) fn has_words(&self, column: usize) -> bool {
        let size = size_of::<T>();
        let starts = self.elements.as_ptr().addr() | self.strides[0].wrapping_mul(size) | column.wrapping_mul(size);
        self.strides[1] == 1 && (starts | self.columns.wrapping_mul(size)).is_multiple_of(4)
    }

    /// Returns the word of the elements from a column on, if [`has_words`](Self::has_words), and 0
    /// outside of the matrix, which is not empty. There are no branches.
    #[inline_in_release]
    pub(crate) fn word_or_zero(&self, row: usize, column: usize) -> u32 {
        let (at, is_inside) = self.index_or_first(row, column);
        let word = self.elements.as_ptr().wrapping_add(at).cast::<u32>();
        // SAFETY: elements of the view, which are aligned to a word.
        let word = unsafe { word.read() };
        if is_inside { word } else { 0 }
    }
}
