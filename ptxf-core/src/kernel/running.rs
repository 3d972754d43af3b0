//! A note about the threads that ran when a kernel panicked.
//!
//! The location of such a panic is the slice in the kernel's source, and the message has the index
//! and the length. With the standard library a note follows on standard error. The note names the
//! kernel, the threads and, if the grid has several, the block.

use core::cell::Cell;

use super::ctx::At;

/// The number of the group that runs at present, in the order of its launch.
pub(super) type Group = Cell<usize>;

/// Runs `run`, which sets the number of each group before the group runs. If it panics, a note
/// names the group.
///
/// `lanes` is the number of threads of a group, or `None` if a group is a block. `place` returns
/// the first thread of a group.
// The launch's loop does not contain the value that is dropped by a panic: each of the kernel's
// checks would get a path for unwinding, and the IR of `saxpy` would grow by a third.
pub(super) fn noted(kernel: &str, lanes: Option<usize>, place: &dyn Fn(usize) -> At, run: impl FnOnce(&Group)) {
    let noted = Noted { kernel, lanes, place, group: Cell::new(0) };
    run(&noted.group);
    core::mem::forget(noted);
}

#[cfg_attr(not(feature = "std"), expect(dead_code, reason = "the note needs the standard library"))]
struct Noted<'a> {
    kernel: &'a str,
    lanes: Option<usize>,
    place: &'a dyn Fn(usize) -> At,
    group: Group,
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        #[cfg(feature = "std")]
        self.print();
    }
}

#[cfg(feature = "std")]
impl Noted<'_> {
    fn print(&self) {
        let At { x, y, z, block: [i, j, k], block_dim, grid } = (self.place)(self.group.get());
        let [width, height, depth] = grid;
        let threads = self.lanes.map_or_else(std::string::String::new, |lanes| {
            // The first group of a row may begin before the row, where indices have wrapped.
            let end = x.0.wrapping_add(lanes).min(width);
            let first = if x.0 < end { x.0 } else { 0 };
            let x = if end - first == 1 { std::format!("{first}") } else { std::format!("{first}..{end}") };
            std::format!(", thread ({x}, {y}, {z}) of {width} × {height} × {depth}")
        });
        let block = if self.lanes.is_none() || (0..3).any(|axis| block_dim[axis] < grid[axis]) {
            let [width, height, depth] = block_dim;
            std::format!(", block ({i}, {j}, {k}) of {width} × {height} × {depth} threads")
        } else {
            std::string::String::new()
        };
        std::eprintln!("note: kernel `{}`{threads}{block}", self.kernel);
    }
}
