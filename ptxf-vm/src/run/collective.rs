//! Runs instructions among the lanes of a warp. They wait for all lanes of the member mask that
//! have not exited.

use super::fault::FaultKind;
use super::warp::{Group, Next, State, Warp, Wrong};
use crate::code::{self, Collective, Shuffle, Vote};
use crate::exec::registers::lanes;
use crate::exec::{Mask, Registers};

impl Warp<'_> {
    pub(crate) fn collective(&mut self, group: &Group, warp: &code::Warp, mask: Mask) -> Result<Next, Wrong> {
        let registers = &mut self.frames[group.frame].registers;
        let lane = mask.trailing_zeros();
        let Some(reg) = warp.members else {
            run(registers, &warp.collective, mask, self.live).map_err(|what| wrong(lane, what))?;
            return Ok(Next::On);
        };
        let members = registers.get(reg, lane as usize) as Mask;
        if let Some(other) = lanes(mask).find(|&l| registers.get(reg, l) as Mask != members) {
            let what = format!("lanes {lane} and {other} have different member masks");
            return Err(wrong(lane, what));
        }
        if mask & !members != 0 {
            let outside = (mask & !members).trailing_zeros();
            return Err(wrong(
                outside,
                format!("the member mask {members:#010x} is without the thread itself, lane {outside}"),
            ));
        }
        let needed = members & self.live;
        let rest = group.mask & !mask;
        if needed & !mask == 0 {
            run(registers, &warp.collective, mask, members).map_err(|what| wrong(lane, what))?;
            return Ok(Next::On);
        }
        if matches!(warp.collective, Collective::Sync) && needed & !(mask | self.waiting_for(members)) == 0 {
            self.pass(members);
            self.send(group, group.pc + 1, group.frame, group.mask);
            return Ok(Next::Changed);
        }
        self.wait(group, mask, State::ForLanes(members));
        self.send(group, group.pc + 1, group.frame, rest);
        Ok(Next::Waits)
    }
}

fn wrong(lane: u32, what: String) -> Wrong {
    Wrong { lane, kind: FaultKind::Synchronization, what, buffer: None }
}

/// Computes the instruction for the lanes of the mask.
fn run(registers: &mut Registers, collective: &Collective, mask: Mask, members: Mask) -> Result<(), String> {
    match *collective {
        Collective::Sync => {}
        Collective::Active(result) => lanes(mask).for_each(|lane| registers.set(result, lane, mask.into())),
        Collective::Shuffle { mode, result, found, a, b, c } => {
            let mut values = [0; 32];
            let mut truth = 0;
            for lane in lanes(mask) {
                let (from, inside) =
                    source(mode, lane as u32, registers.get(b, lane) as u32, registers.get(c, lane) as u32);
                if mask >> from & 1 == 0 {
                    return Err(format!(
                        "lane {lane} reads from lane {from}, which is not in the mask {members:#010x} or has exited"
                    ));
                }
                values[lane] = registers.get(a, from as usize);
                truth |= u32::from(inside) << lane;
            }
            lanes(mask).for_each(|lane| registers.set(result, lane, values[lane]));
            registers.set_truth(found, truth, mask);
        }
        Collective::Vote { mode, truth, result } => {
            let truth = registers.truth(truth) & mask;
            let answer = match mode {
                Vote::All => truth == mask,
                Vote::Any => truth != 0,
                Vote::Uni => truth == mask || truth == 0,
                Vote::Ballot(reg) => {
                    lanes(mask).for_each(|lane| registers.set(reg, lane, truth.into()));
                    return Ok(());
                }
            };
            registers.set_truth(result, u32::from(answer).wrapping_neg(), mask);
        }
        Collective::Match { result, all, a } => {
            let same = |value: u64| lanes(mask).filter(|&l| registers.get(a, l) == value).fold(0, |m, l| m | 1 << l);
            let answers: Vec<(usize, Mask)> = lanes(mask).map(|lane| (lane, same(registers.get(a, lane)))).collect();
            let agree = answers.iter().all(|(_, same)| *same == mask);
            for (lane, same) in answers {
                let answer = if all.is_none() || agree { same } else { 0 };
                registers.set(result, lane, answer.into());
            }
            if let Some(p) = all {
                registers.set_truth(p, u32::from(agree).wrapping_neg(), mask);
            }
        }
        Collective::Reduce { update, ty, result, a } => {
            let values = lanes(mask).map(|lane| registers.get(a, lane));
            let all = values.reduce(|x, y| update.of(ty, x, y, 0)).unwrap_or_default();
            lanes(mask).for_each(|lane| registers.set(result, lane, all));
        }
        Collective::Elect { result, predicate } => {
            let chosen = mask.trailing_zeros();
            lanes(mask).for_each(|lane| registers.set(result, lane, chosen.into()));
            registers.set_truth(predicate, 1 << chosen, mask);
        }
    }
    Ok(())
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
