//! The elements that a launch touches.

use oracle::kernel::{Kernel, Touched};
use ptxf::kernel::{Grid, trace};

use super::{Data, Launch, memory};
use crate::float::Float;

/// Checks that the launch touches these elements and no others.
pub(super) fn same<E: Float>(
    run: Launch,
    grid: Grid,
    meaning: &Kernel,
    data: &Data,
    want: &Touched,
    what: impl Fn() -> String,
) {
    let got = of::<E>(run, grid, meaning, data);
    let (more, less) = (got.difference(want).next(), want.difference(&got).next());
    let name = |touched: Option<&(usize, usize, bool)>| {
        touched.map(|&(k, i, store)| format!("{}[{i}], written: {store}", meaning.parameters()[k].name))
    };
    assert!(more.is_none() && less.is_none(), "{}: touches {:?}, not {:?}", what(), name(more), name(less));
}

fn of<E: Float>(run: Launch, grid: Grid, meaning: &Kernel, data: &Data) -> Touched {
    let mut memory = memory::<E>(meaning, &data.arguments, 0);
    let seen = trace::accesses(|| run(grid, &mut memory));
    let places: Vec<_> = memory.iter().enumerate().filter_map(|(k, slot)| Some((k, slot.place()?))).collect();
    let element = |a: &trace::Access| {
        let found = places.iter().find_map(|(k, place)| Some((*k, *place, place.element(a.address)?)));
        let Some((k, place, i)) = found else {
            // Shared memory is outside of the arrays.
            assert!(meaning.shares(), "an access outside of all arrays: {a:?}");
            return None;
        };
        assert_eq!(a.bytes, place.size, "an access of another size");
        Some((k, i, a.store))
    };
    seen.iter().filter_map(element).collect()
}
