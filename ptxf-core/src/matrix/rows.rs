//! The registers of `ldmatrix` and `stmatrix`.

use super::instruction::found;
use super::layout::{Fragment, Layout};

impl Fragment {
    /// Returns the four registers of `ldmatrix` or `stmatrix`: of `m8n8`, transposed or not, of
    /// `m8n16`, of `m16n16` and `m16n8`, both transposed. Returns `None` for another shape.
    ///
    /// Rows and columns are those in shared memory, where each row has 16 bytes. Lane n has the
    /// address of row n, where the rows of all matrices are counted. The registers of the first
    /// matrices are also those of an instruction with fewer. `movmatrix` reads the registers of
    /// `m8n8` and writes the transposed ones.
    ///
    /// PTX, in section *ldmatrix*, describes the layouts of `m8n8` and `m16n16`. Those of
    /// `m8n16` and `m16n8` are what NVIDIA's library CUTLASS expects.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::{Fragment, Place};
    ///
    /// // Element 1 of register 2 of lane 13, not transposed and transposed.
    /// let place = |of: Fragment| of.layout().place(13, 2 * 2 + 1);
    /// let [plain, transposed] = [false, true].map(|t| Fragment::of_ldmatrix("m8n8", t).unwrap());
    /// assert_eq!(place(plain), Place { row: 3, column: 3, matrix: 2 });
    /// assert_eq!(place(transposed), Place { row: 3, column: 3, matrix: 2 });
    ///
    /// // Two matrices of bytes, each in two registers.
    /// let bytes = Fragment::of_ldmatrix("m16n16", true).unwrap();
    /// assert_eq!((bytes.matrices(), bytes.registers(), bytes.element_bits()), (2, 4, 8));
    /// assert_eq!(Fragment::of_ldmatrix("m16n16", false), None);
    /// ```
    #[must_use]
    pub fn of_ldmatrix(shape: &str, transposed: bool) -> Option<Self> {
        let (rows, columns, bits) = match (shape, transposed) {
            ("m8n8", _) => (8, 8, 16),
            ("m8n16", false) | ("m16n8", true) => (8, 16, 8),
            ("m16n16", true) => (16, 16, 8),
            _ => return None,
        };
        let layout = Layout::of(found(if transposed { "col" } else { "row" }, rows, columns, bits)?);
        Some(Self { rows, columns, matrices: 32 / rows, bits, registers: 4, layout })
    }
}
