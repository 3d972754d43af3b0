//! The operands of a chunk as lanes.

use std::cell::RefCell;

use crate::check::CHUNK;
use crate::space::Space;

/// Operands with the space and the chunk that they are of.
struct Last {
    of: Option<(Space, u64)>,
    x: [Vec<u64>; 3],
}

/// Calls `f` with the operands of the inputs from `first` on. A thread keeps the last ones: slices
/// and the reference implementation use the same, and drawing takes longer than computing.
pub(super) fn with(space: Space, operands: usize, first: u64, f: impl FnOnce(&[Vec<u64>])) {
    thread_local! {
        static LAST: RefCell<Last> = const { RefCell::new(Last { of: None, x: [const { Vec::new() }; 3] }) };
    }
    LAST.with_borrow_mut(|last| {
        if last.of != Some((space, first)) {
            *last = Last { of: Some((space, first)), x: chunk(space, first) };
        }
        f(&last.x[..operands]);
    });
}

fn chunk(space: Space, first: u64) -> [Vec<u64>; 3] {
    let last = first + CHUNK as u64;
    match space {
        Space::Pairs => {
            [vec![first >> 16; CHUNK], (first & 0xffff..(first & 0xffff) + CHUNK as u64).collect(), Vec::new()]
        }
        // Two operands of bytes are the two of an input.
        Space::Unary16 => [(first..last).collect(), (first..last).map(|x| x >> 8).collect(), Vec::new()],
        Space::Unary32 => [(first..last).collect(), Vec::new(), Vec::new()],
        Space::Drawn(draw) => draw.chunk(first),
    }
}
