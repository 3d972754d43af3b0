//! Matrices in memory.

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
}
