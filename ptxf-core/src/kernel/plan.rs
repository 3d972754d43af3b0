//! The division of a grid's threads into groups.
//!
//! A group is as many neighbours along x as a context has lanes. It does not cross the border of a
//! block if the kernel can observe its block. Threads of a group that do not exist are masked. With
//! vectors, the first group of a long row begins before the row's first thread, so that whole
//! groups write whole cache lines.

use core::ops::Range;

use super::ctx::{All, At, Body, Ctx, Masked};
use super::grid::{Grid, Order};
use super::index::Lin;
use super::running;

/// The groups of a launch, row by row: along x first, block by block, then y, then z. A group never
/// crosses the border of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    threads: [usize; 3],
    block: [usize; 3],
    /// Threads in a group.
    lanes: usize,
    /// Number of threads by which a block's first group begins before the block.
    head: usize,
    /// Groups along x in a whole block.
    per_block: usize,
    /// Groups along x in the grid.
    per_row: usize,
    /// Groups in the grid.
    groups: usize,
    order: Order,
    /// `true` if all groups run on one thread of the CPU.
    alone: bool,
}

/// A group, and the range of its block's threads along x.
#[derive(Clone, Copy)]
pub(super) struct Group {
    at: At,
    block: (usize, usize),
}

impl Plan {
    pub(super) fn new(grid: Grid, lanes: usize, head: usize) -> Self {
        let (threads @ [x, y, z], block) = (grid.threads(), grid.block_threads());
        // A head only aligns stores; without it the groups of any row can be counted.
        let head = if block[0].min(x).checked_add(head).is_some() { head } else { 0 };
        let per_block = (block[0].min(x) + head).div_ceil(lanes);
        let rest = x % block[0];
        let rest = if rest == 0 { 0 } else { (rest + head).div_ceil(lanes) };
        let per_row = x / block[0] * per_block + rest;
        let groups = y.checked_mul(z).and_then(|rows| rows.checked_mul(per_row));
        let groups = groups.expect("more groups of threads than fit into usize");
        Self {
            threads,
            block,
            lanes,
            head,
            per_block,
            per_row,
            groups,
            order: grid.chosen_order(),
            alone: !grid.is_parallel(),
        }
    }

    /// Returns the number of groups.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// Returns `true` if all groups run on one thread of the CPU.
    #[inline_in_release]
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// Returns the first thread of the `i`-th group.
    pub(super) fn first(&self, i: usize) -> At {
        self.group(i).at
    }

    /// Returns the `i`-th group in the plan's order.
    #[inline]
    fn group(&self, i: usize) -> Group {
        let i = self.order.pick(i, self.groups);
        let (row, i) = divided(i, self.per_row);
        let (block, i) = divided(i, self.per_block);
        let (z, y) = divided(row, self.threads[1]);
        let start = block * self.block[0];
        let end = self.threads[0].min(start.saturating_add(self.block[0]));
        let at = At {
            x: Lin(start) + i * self.lanes - self.head,
            y,
            z,
            block: [block, divided(y, self.block[1]).0, divided(z, self.block[2]).0],
            block_dim: self.block,
            grid: self.threads,
        };
        Group { at, block: (start, end) }
    }

    /// Returns the `i`-th group, which follows `group`.
    #[inline_in_release]
    fn after(&self, mut group: Group, i: usize) -> Group {
        group.at.x = group.at.x + self.lanes;
        if self.goes_on(&group) { group } else { self.group(i) }
    }

    /// Returns `true` if `group`, the next group along x, is also the next group in the plan's
    /// order.
    #[inline_in_release]
    fn goes_on(&self, group: &Group) -> bool {
        self.order == Order::Serial && group.at.x.0 < group.block.1
    }

    /// Returns the number of consecutive whole groups, beginning with `group`.
    #[inline_in_release]
    fn whole(&self, group: &Group, lanes: usize) -> usize {
        let (start, end) = group.block;
        let x = group.at.x.0;
        let whole = if start <= x && x <= end { (end - x) / lanes } else { 0 };
        if self.order == Order::Serial { whole } else { whole.min(1) }
    }
}

#[inline_in_release]
impl Group {
    /// Returns `true` if all threads of the group exist.
    fn is_whole(&self, lanes: usize) -> bool {
        let (start, end) = self.block;
        let x = self.at.x.0;
        start <= x && x <= end && end - x >= lanes
    }
}

/// Returns quotient and remainder. A division takes a CPU as long as many a group, so grids with a
/// single row or block avoid it.
#[inline_in_release]
pub(super) fn divided(i: usize, n: usize) -> (usize, usize) {
    match n {
        1 => (i, 0),
        _ if i < n => (0, i),
        _ => (i / n, i % n),
    }
}

/// Runs the given groups, whose numbers it sets in `running`.
// One place that calls the body, and no closures: see `backend::lanes::engine`.
#[inline_in_release]
pub(super) fn run<C: Ctx, B: Body<Elem = C::Elem>>(
    cx: C,
    plan: &Plan,
    body: &B,
    running: &running::Group,
    groups: Range<usize>,
) {
    if groups.is_empty() {
        return;
    }
    // Copies, so that no store of the body can change them.
    let (plan, body) = (&{ *plan }, &{ *body });
    let mut group = plan.group(groups.start);
    let mut i = groups.start;
    loop {
        // Whole groups next to each other run in a loop without further checks.
        let mut whole = plan.whole(&group, C::LANES).min(groups.end - i);
        let (mut at, begun) = (group.at, i);
        if B::UP_TO {
            // The guard of the last group is checked first. It usually passes, and then all groups
            // pass.
            let (mut pass, mut fail, mut asked) = (0, whole, whole.wrapping_sub(1));
            while pass < fail {
                if cx.all(body.guard(cx, At { x: at.x + asked * C::LANES, ..at }, All)) {
                    pass = asked + 1;
                } else {
                    fail = asked;
                }
                asked = pass + (fail - pass) / 2;
            }
            whole = pass;
        }
        while whole != 0 && (B::UP_TO || cx.all(body.guard(cx, at, All))) {
            running.set(i);
            body.run(cx, at, All);
            at.x = at.x + C::LANES;
            whole -= 1;
            i += 1;
        }
        if i == groups.end {
            break;
        }
        if i != begun {
            group.at = at;
            if !plan.goes_on(&group) {
                group = plan.group(i);
                continue;
            }
        }
        let at = group.at;
        let m = if group.is_whole(C::LANES) {
            body.guard(cx, at, All)
        } else {
            body.guard(cx, at, Masked(cx.between(at.x, group.block.0, group.block.1)))
        };
        if cx.any(m) {
            running.set(i);
            body.run(cx, at, Masked(m));
        }
        i += 1;
        if i == groups.end {
            break;
        }
        group = plan.after(group, i);
    }
}

/// Runs the given threads, one at a time, and sets their numbers in `running`.
#[inline_in_release]
pub(super) fn run_one<B: Body>(plan: &Plan, body: &B, running: &running::Group, threads: Range<usize>) {
    if threads.is_empty() {
        return;
    }
    // Copies, so that no store of the body can change them.
    let (plan, body) = (&{ *plan }, { *body });
    run_each(plan, &|at| body.one(at), running, threads);
}

/// Runs `run` for each of the given threads, one at a time, and sets their numbers in `running`.
#[inline_in_release]
pub(super) fn run_each(plan: &Plan, run: &impl Fn(At), running: &running::Group, threads: Range<usize>) {
    if threads.is_empty() {
        return;
    }
    let mut group = plan.group(threads.start);
    let mut i = threads.start;
    loop {
        running.set(i);
        run(group.at);
        i += 1;
        if i == threads.end {
            break;
        }
        group = plan.after(group, i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_row_has_no_head() {
        let groups = |x: usize, head| Plan::new(Grid::from(x).in_rows(), 32, head).groups();
        assert_eq!(groups(64, 1), 3);
        assert_eq!(groups(usize::MAX - 31, 31), usize::MAX.div_ceil(32));
        for head in 0..32 {
            assert_eq!(groups(usize::MAX, head), usize::MAX.div_ceil(32));
        }
    }
}
