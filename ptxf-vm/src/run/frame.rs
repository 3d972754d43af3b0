//! A frame of a call: its registers and its part of local memory.

use super::RESERVED;
use super::launch::Launch;
use crate::code::{Code, Special};
use crate::exec::registers::LANES;
use crate::exec::{Mask, Registers};

/// An active call.
#[derive(Debug)]
pub(crate) struct Frame<'l> {
    /// The number of the call among all calls of the warp, from 1 on.
    pub(crate) serial: u64,
    pub(crate) code: &'l Code,
    pub(crate) registers: Registers,
    /// The start of its local memory, and of the memory of calls from it.
    pub(crate) base: u32,
    pub(crate) top: u32,
    /// The end of each lane's local memory, if `alloca` has moved one. `top` is the last of them.
    pub(crate) tops: Option<Box<[u32; LANES]>>,
    /// The frame and the instruction of the caller.
    pub(crate) caller: Option<(usize, u32)>,
    /// The threads that have not returned.
    pub(crate) mask: Mask,
    pub(crate) depth: u32,
}

/// The identity of a warp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    pub(crate) warp: u32,
    pub(crate) block: [u32; 3],
}

impl Frame<'_> {
    /// Writes the initial values of the function's registers.
    pub(crate) fn prepare(&mut self, launch: &Launch<'_>, identity: Identity) {
        self.registers.b16.clone_from(&self.code.template.b16);
        self.registers.b32.clone_from(&self.code.template.b32);
        self.registers.b64.clone_from(&self.code.template.b64);
        self.registers.predicates.clone_from(&self.code.template.predicates);
        for &(reg, offset) in &self.code.locals {
            self.registers.fill(reg, u64::from(self.base) + u64::from(offset));
        }
        for &(reg, special) in &self.code.specials {
            match special {
                Special::Tid(axis) => {
                    let mut thread = thread(launch, identity.warp, 0);
                    for lane in 0..LANES {
                        self.registers.set(reg, lane, thread[axis].into());
                        thread = next_thread(thread, launch.block);
                    }
                }
                _ if special.differs() => {
                    for lane in 0..LANES {
                        self.registers.set(reg, lane, value(special, launch, identity, lane as u32).into());
                    }
                }
                _ => self.registers.fill(reg, value(special, launch, identity, 0).into()),
            }
        }
    }
}

/// Returns the index of a lane's thread in its block.
pub(crate) fn thread(launch: &Launch<'_>, warp: u32, lane: u32) -> [u32; 3] {
    let number = 32 * warp + lane;
    let [x, y, _] = launch.block;
    [number % x, number / x % y, number / (x * y)]
}

/// Returns the index of the next thread.
const fn next_thread([x, y, z]: [u32; 3], [width, height, _]: [u32; 3]) -> [u32; 3] {
    if x + 1 < width {
        [x + 1, y, z]
    } else if y + 1 < height {
        [0, y + 1, z]
    } else {
        [0, 0, z + 1]
    }
}

fn value(special: Special, launch: &Launch<'_>, identity: Identity, lane: u32) -> u32 {
    let below = (1_u32 << lane) - 1;
    match special {
        Special::Tid(axis) => thread(launch, identity.warp, lane)[axis],
        Special::Ntid(axis) => launch.block[axis],
        Special::Ctaid(axis) => identity.block[axis],
        Special::Nctaid(axis) => launch.grid[axis],
        Special::ClusterId(axis) => identity.block[axis] / launch.cluster[axis],
        Special::ClusterCount(axis) => launch.grid[axis] / launch.cluster[axis],
        Special::ClusterCtaid(axis) => identity.block[axis] % launch.cluster[axis],
        Special::ClusterNctaid(axis) => launch.cluster[axis],
        Special::ClusterRank => launch.rank(identity.block),
        Special::ClusterSize => launch.cluster_size(),
        Special::LaneId => lane,
        Special::WarpId => identity.warp,
        Special::WarpCount => launch.threads().div_ceil(32),
        Special::MaskEq => 1 << lane,
        Special::MaskLt => below,
        Special::MaskLe => below | 1 << lane,
        Special::MaskGt => !(below | 1 << lane),
        Special::MaskGe => !below,
        Special::DynamicShared => launch.dynamic,
        Special::TotalShared => launch.shared,
        Special::Reserved(offset) => launch.reserved + offset,
        Special::ReservedSize => RESERVED,
        Special::Workspace => launch.workspace as u32,
        Special::UpperWorkspace => (launch.workspace >> 32) as u32,
        Special::Zero => 0,
        Special::One => 1,
    }
}
