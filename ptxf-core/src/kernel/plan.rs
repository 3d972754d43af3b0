//! How a grid's threads are grouped.
//!
//! A group is as many neighbours along x as a context has lanes. It never crosses the border of a block that threads can ask for; threads of it
//! that do not exist are masked. In vectors, the first group of a long row begins so far in front of it that whole groups write whole lines of
//! the cache.

use core::ops::Range;

use super::ctx::{All, At, Body, Ctx, Masked};
use super::grid::{Grid, Order};
use super::index::Lin;

/// The groups of a launch, in rows: along x first, block by block, then y, then z. A group never crosses a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    threads: [usize; 3],
    block: [usize; 3],
    /// Threads of a group.
    lanes: usize,
    /// Threads by which a block's first group begins in front of it.
    head: usize,
    /// Groups of a whole block along x.
    per_block: usize,
    /// Groups along x.
    per_row: usize,
    /// All groups.
    groups: usize,
    order: Order,
    /// Whether they run on one thread of the CPU.
    alone: bool,
}

/// A group, and the threads of its block along x.
#[derive(Clone, Copy)]
pub(super) struct Group {
    at: At,
    block: (usize, usize),
}

impl Plan {
    pub(super) fn new(grid: Grid, lanes: usize, head: usize) -> Self {
        let (threads @ [x, y, z], block) = (grid.threads(), grid.block_threads());
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

    /// All groups.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// Whether they run on one thread of the CPU.
    #[inline_in_release]
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// The `i`-th group in the plan's order.
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

    /// The group after `group`, which is the `i`-th one.
    #[inline_in_release]
    fn after(&self, mut group: Group, i: usize) -> Group {
        group.at.x = group.at.x + self.lanes;
        if self.goes_on(&group) { group } else { self.group(i) }
    }

    /// Whether the group is the next one, if it is the next along x.
    #[inline_in_release]
    fn goes_on(&self, group: &Group) -> bool {
        self.order == Order::Serial && group.at.x.0 < group.block.1
    }

    /// How many whole groups come one after the other from this one on.
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
    /// Whether all of its threads exist.
    fn is_whole(&self, lanes: usize) -> bool {
        let (start, end) = self.block;
        let x = self.at.x.0;
        start <= x && x <= end && end - x >= lanes
    }
}

/// The quotient and the rest. Dividing takes a CPU as long as many a group, so it is left out where there is one row, or one group in it.
#[inline_in_release]
pub(super) fn divided(i: usize, n: usize) -> (usize, usize) {
    match n {
        1 => (i, 0),
        _ if i < n => (0, i),
        _ => (i / n, i % n),
    }
}

/// Runs some of the groups.
// One place that calls the body, and no closures: see `backend::lanes::engine`.
#[inline_in_release]
pub(super) fn run<C: Ctx, B: Body<Elem = C::Elem>>(cx: C, plan: &Plan, body: &B, groups: Range<usize>) {
    if groups.is_empty() {
        return;
    }
    // Copies, which no store can change.
    let (plan, body) = (&{ *plan }, &{ *body });
    let mut group = plan.group(groups.start);
    let mut i = groups.start;
    loop {
        // Whole groups next to each other, in a loop that has no more to it than their threads do.
        let mut whole = plan.whole(&group, C::LANES).min(groups.end - i);
        let (mut at, begun) = (group.at, i);
        if B::UP_TO {
            // The last one is asked first, and mostly speaks for all.
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
            body.run(cx, at, Masked(m));
        }
        i += 1;
        if i == groups.end {
            break;
        }
        group = plan.after(group, i);
    }
}

/// Runs some of the threads, one at a time.
#[inline_in_release]
pub(super) fn run_one<B: Body>(plan: &Plan, body: &B, threads: Range<usize>) {
    if threads.is_empty() {
        return;
    }
    // Copies, which no store can change.
    let (plan, body) = (&{ *plan }, { *body });
    run_each(plan, &|at| body.one(at), threads);
}

/// Runs some of the threads, one at a time.
#[inline_in_release]
pub(super) fn run_each(plan: &Plan, run: &impl Fn(At), threads: Range<usize>) {
    if threads.is_empty() {
        return;
    }
    let mut group = plan.group(threads.start);
    let mut i = threads.start;
    loop {
        run(group.at);
        i += 1;
        if i == threads.end {
            break;
        }
        group = plan.after(group, i);
    }
}
