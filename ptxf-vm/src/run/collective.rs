//! Runs instructions among the lanes of a warp. They wait for all lanes of the member mask that
//! have not exited.
//!
//! Lanes with different masks are apart: each mask is an instruction of its own. Lanes with the
//! same mask may meet at different places of the text, if the instructions have the same
//! qualifiers (manual 9.7.9.6).

use std::mem::discriminant;

use super::fault::FaultKind;
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{self, Collective, Op, Shuffle, Vote};
use crate::exec::registers::{LANES, lanes};
use crate::exec::{Mask, Reg, Registers};

/// Lanes that take part in an instruction from one place of the text.
struct Part<'a> {
    frame: usize,
    collective: &'a Collective,
    mask: Mask,
}

impl<'l> Warp<'l> {
    pub(crate) fn collective(&mut self, group: &Group, warp: &'l code::Warp, mask: Mask) -> Result<Next, Wrong> {
        let part = |mask| Part { frame: group.frame, collective: &warp.collective, mask };
        let Some(reg) = warp.members else {
            self.meet(&[part(mask)], self.live)?;
            return Ok(Next::On);
        };
        let registers = &self.frames[group.frame].registers;
        let with =
            |members, of| lanes(of).filter(|&l| registers.get(reg, l) as Mask == members).fold(0, |m, l| m | 1 << l);
        // Usually all lanes are here, with one mask.
        let members = registers.get(reg, mask.trailing_zeros() as usize) as Mask;
        if members & self.live == mask && with(members, mask) == mask {
            self.meet(&[part(mask)], members)?;
            return Ok(Next::On);
        }
        // The masks, the lanes that have them here, and the lanes that have them elsewhere.
        let mut apart = Vec::new();
        let mut rest = mask;
        while rest != 0 {
            let members = registers.get(reg, rest.trailing_zeros() as usize) as Mask;
            let same = with(members, rest);
            if same & !members != 0 {
                let lane = (same & !members).trailing_zeros();
                let what = format!("the member mask {members:#010x} is without the thread itself, lane {lane}");
                return Err(wrong(lane, what));
            }
            apart.push((members, same, self.waiting_for(members, &warp.collective)));
            rest &= !same;
        }
        let is_complete = |&(members, here, there): &(Mask, Mask, Mask)| members & self.live & !(here | there) == 0;
        if apart.iter().all(is_complete) {
            let mut answered = false;
            for (members, here, there) in apart {
                if there == 0 {
                    self.meet(&[part(here)], members)?;
                    continue;
                }
                let parts: Vec<_> = self.parts(members, &warp.collective).chain([part(here)]).collect();
                self.meet(&parts, members)?;
                self.answer(members, &warp.collective);
                answered = true;
            }
            if !answered {
                return Ok(Next::On);
            }
            // The others, at their places, may have to run first.
            self.send(group, group.pc + 1, group.frame, group.mask);
            return Ok(Next::Changed);
        }
        let (complete, waiting): (Vec<_>, Vec<_>) = apart.into_iter().partition(is_complete);
        // Complete groups become ready, and reach this place once more without the others.
        let complete = complete.iter().fold(0, |all, (_, here, _)| all | here);
        if complete != 0 {
            self.wait(group, complete, State::Ready);
        }
        for (members, here, _) in waiting {
            self.wait(group, here, State::ForLanes(members));
        }
        self.send(group, group.pc + 1, group.frame, group.mask & !mask);
        Ok(Next::Waits)
    }

    /// Returns the instruction among lanes at which a group waits for these lanes.
    fn waits_at(&self, group: &Group, members: Mask, collective: &Collective) -> Option<&'l Collective> {
        let Op::Warp(warp) = &self.frames[group.frame].code.instructions[group.pc as usize].op else { return None };
        let is_same = group.state == State::ForLanes(members) && warp.collective.is_like(collective);
        is_same.then_some(&warp.collective)
    }

    /// Returns the lanes that wait for these lanes at such an instruction.
    fn waiting_for(&self, members: Mask, collective: &Collective) -> Mask {
        let waits = self.groups().iter().filter(|g| self.waits_at(g, members, collective).is_some());
        waits.fold(0, |all, g| all | g.mask)
    }

    fn parts(&self, members: Mask, collective: &Collective) -> impl Iterator<Item = Part<'l>> {
        self.groups().iter().filter_map(move |g| {
            let collective = self.waits_at(g, members, collective)?;
            Some(Part { frame: g.frame, collective, mask: g.mask })
        })
    }

    /// Makes the groups that wait for these lanes go on: their results are written.
    fn answer(&mut self, members: Mask, collective: &Collective) {
        for i in 0..self.groups().len() {
            if self.waits_at(&self.groups()[i], members, collective).is_some() {
                let group = self.group_mut(i);
                group.state = State::Ready;
                group.is_answered = true;
            }
        }
    }

    /// Computes the instruction for the lanes of the parts.
    fn meet(&mut self, parts: &[Part<'_>], members: Mask) -> Result<(), Wrong> {
        let mask = parts.iter().fold(0, |all, part| all | part.mask);
        let taken = |reg: fn(&Collective) -> Option<Reg>| {
            let mut values = [0; LANES];
            for part in parts {
                let Some(reg) = reg(part.collective) else { continue };
                let registers = &self.frames[part.frame].registers;
                lanes(part.mask).for_each(|lane| values[lane] = registers.get(reg, lane));
            }
            values
        };
        let first = parts[0].collective;
        // One value for each lane, and the lanes whose predicate is true.
        let (values, truth) = match *first {
            Collective::Sync => return Ok(()),
            Collective::Active(_) => ([mask.into(); LANES], 0),
            Collective::Shuffle { mode, .. } => {
                let a = taken(|c| if let Collective::Shuffle { a, .. } = c { Some(*a) } else { None });
                let b = taken(|c| if let Collective::Shuffle { b, .. } = c { Some(*b) } else { None });
                let c = taken(|c| if let Collective::Shuffle { c, .. } = c { Some(*c) } else { None });
                let (mut values, mut truth) = ([0; LANES], 0);
                for lane in lanes(mask) {
                    let (from, inside) = source(mode, lane as u32, b[lane] as u32, c[lane] as u32);
                    values[lane] = a[from as usize];
                    if mask >> from & 1 == 0 {
                        if self.launch.tools.is_strict() {
                            let what = format!(
                                "lane {lane} reads from lane {from}, which is not in the mask {members:#010x} or has exited"
                            );
                            return Err(wrong(lane as u32, what));
                        }
                        // The result is undefined. It is what the other lane's register has.
                        let part = parts.iter().find(|part| part.mask >> lane & 1 != 0).unwrap_or(&parts[0]);
                        if let Collective::Shuffle { a, .. } = part.collective {
                            values[lane] = self.frames[part.frame].registers.get(*a, from as usize);
                        }
                    }
                    truth |= u32::from(inside) << lane;
                }
                (values, truth)
            }
            Collective::Vote { mode, .. } => {
                let of = |part: &Part<'_>| match part.collective {
                    Collective::Vote { truth, .. } => self.frames[part.frame].registers.truth(*truth) & part.mask,
                    _ => 0,
                };
                let truth = parts.iter().map(of).fold(0, |all, truth| all | truth);
                let answer = match mode {
                    Vote::All => truth == mask,
                    Vote::Any | Vote::Ballot(_) => truth != 0,
                    Vote::Uni => truth == mask || truth == 0,
                };
                ([truth.into(); LANES], u32::from(answer).wrapping_neg())
            }
            Collective::Match { all, .. } => {
                let a = taken(|c| if let Collective::Match { a, .. } = c { Some(*a) } else { None });
                let same = |value| lanes(mask).filter(|&l| a[l] == value).fold(0, |m: Mask, l| m | 1 << l);
                let agree = same(a[mask.trailing_zeros() as usize % LANES]) == mask;
                let mut values = [0; LANES];
                for lane in lanes(mask) {
                    values[lane] = if all.is_none() || agree { same(a[lane]).into() } else { 0 };
                }
                (values, u32::from(agree).wrapping_neg())
            }
            Collective::Reduce { update, ty, .. } => {
                let a = taken(|c| if let Collective::Reduce { a, .. } = c { Some(*a) } else { None });
                let all = lanes(mask).map(|lane| a[lane]).reduce(|x, y| update.of(ty, x, y, 0));
                ([all.unwrap_or_default(); LANES], 0)
            }
            Collective::Elect { .. } => {
                let chosen = mask.trailing_zeros();
                ([chosen.into(); LANES], 1 << chosen)
            }
        };
        for part in parts {
            part.collective.write(&mut self.frames[part.frame].registers, part.mask, &values, truth);
        }
        Ok(())
    }
}

impl Collective {
    /// Returns `true` if both instructions have the same qualifiers.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shuffle { mode: a, .. }, Self::Shuffle { mode: b, .. }) => a == b,
            (Self::Vote { mode: Vote::Ballot(_), .. }, Self::Vote { mode: Vote::Ballot(_), .. }) => true,
            (Self::Vote { mode: a, .. }, Self::Vote { mode: b, .. }) => a == b,
            (Self::Match { all, a, .. }, Self::Match { all: other, a: b, .. }) => {
                all.is_some() == other.is_some() && a.bank == b.bank
            }
            (Self::Reduce { update, ty, .. }, Self::Reduce { update: other, ty: to, .. }) => {
                discriminant(update) == discriminant(other) && ty == to
            }
            (Self::Sync, Self::Sync) | (Self::Elect { .. }, Self::Elect { .. }) => true,
            _ => false,
        }
    }

    /// Writes the results of lanes.
    fn write(&self, registers: &mut Registers, mask: Mask, values: &[u64; LANES], truth: Mask) {
        let (reg, predicate) = match *self {
            Self::Sync => (None, None),
            Self::Active(reg) => (Some(reg), None),
            Self::Shuffle { result, found, .. } => (Some(result), Some(found)),
            Self::Vote { mode: Vote::Ballot(reg), .. } => (Some(reg), None),
            Self::Vote { result, .. } => (None, Some(result)),
            Self::Match { result, all, .. } => (Some(result), all),
            Self::Reduce { result, .. } => (Some(result), None),
            Self::Elect { result, predicate } => (Some(result), Some(predicate)),
        };
        if let Some(reg) = reg {
            lanes(mask).for_each(|lane| registers.set(reg, lane, values[lane]));
        }
        if let Some(predicate) = predicate {
            registers.set_truth(predicate, truth, mask);
        }
    }
}

fn wrong(lane: u32, what: String) -> Wrong {
    Wrong { lane, kind: FaultKind::Synchronization, what, buffer: None }
}

/// Returns the lane to read, and `true` if the lane is in the segment (manual 9.7.9.6).
fn source(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segments) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segments | clamp & !segments;
    let least = lane & segments;
    let (from, inside) = match mode {
        Shuffle::Up => (lane.wrapping_sub(b), lane.wrapping_sub(b).cast_signed() >= most.cast_signed()),
        Shuffle::Down => (lane + b, lane + b <= most),
        Shuffle::Bfly => (lane ^ b, lane ^ b <= most),
        Shuffle::Idx => (least | b & !segments, least | b & !segments <= most),
    };
    if inside { (from & 31, true) } else { (lane, false) }
}
