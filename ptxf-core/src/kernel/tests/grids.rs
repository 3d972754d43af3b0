//! The threads of a launch.

use std::sync::Mutex;

use super::*;

/// Records the position of each thread.
#[derive(Clone, Copy)]
struct Where<'a>(&'a Mutex<Vec<[usize; 6]>>);

impl Where<'_> {
    fn note(self, at: At, lane: usize) {
        let [u, v, w] = at.block;
        self.0.lock().unwrap().push([(at.x + lane).0, at.y, at.z, u, v, w]);
    }
}

// SAFETY: nothing is written.
unsafe impl Body for Where<'_> {
    type Elem = F16;
    const NAME: &'static str = "where";
    const AXES: usize = 3;

    fn one(&self, at: At) {
        self.note(at, 0);
    }
    fn guard<C: Ctx<Elem = F16>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::Mask {
        x.mask(cx)
    }
    fn run<C: Ctx<Elem = F16>, X: Exec<C>>(&self, cx: C, at: At, x: X) {
        let m = x.mask(cx);
        (0..C::LANES)
            .filter(|l| cx.any(cx.and(m, cx.compare_indices(Cmp::Eq, at.x, (at.x + *l).0))))
            .for_each(|l| self.note(at, l));
    }
    fn aligned(&self) -> bool {
        false
    }
}

/// Returns the threads in the order in which they ran.
fn threads(grid: Grid, way: Way) -> Vec<[usize; 6]> {
    let seen = Mutex::default();
    way.launch(grid, Where(&seen));
    seen.into_inner().unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn every_thread_runs_once_in_its_block() {
    let sizes = [[0, 1, 1], [1, 1, 1], [300, 1, 1], [5, 3, 2], [33, 4, 1], [64, 0, 3], [17, 1, 5], [1, 9, 1]];
    for size in sizes {
        for block in [[256, 1, 1], [1, 1, 1], [4, 2, 1], [33, 1, 2], [10, 10, 10]] {
            let want: Vec<_> = (0..size[2])
                .flat_map(|z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y, z])))
                .map(|[x, y, z]| [x, y, z, x / block[0], y / block[1], z / block[2]])
                .collect();
            let grid = Grid::from(size).block(block);
            for way in ways().into_iter().chain([Way::One]) {
                assert_eq!(threads(grid, way), want, "{size:?} {block:?} {way:?}");
                for order in [Order::Reversed, Order::Shuffled(1), Order::Shuffled(!0)] {
                    let mut seen = threads(grid.order(order), way);
                    seen.sort_by_key(|[x, y, z, ..]| [*z, *y, *x]);
                    assert_eq!(seen, want, "{size:?} {block:?} {way:?} {order:?}");
                }
            }
        }
    }
}

#[test]
fn shuffling_shuffles() {
    let serial = threads(100.into(), Way::One);
    let [a, b] = [1, 2].map(|seed| threads(Grid::from(100).order(Order::Shuffled(seed)), Way::One));
    assert!(a != b && a != serial && b != serial);
}

#[test]
#[should_panic(expected = "thread accesses element 3 of a slice of 3")]
fn an_index_out_of_range_panics() {
    let _ = In::from(&[1.0_f32; 3]).get(3);
}
