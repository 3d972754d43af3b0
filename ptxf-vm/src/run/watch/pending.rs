//! Finds registers of `wgmma` that are used before the wait for their product.

use super::moment::Moment;
use super::report::{ReportKind, Reports};
use crate::code::{Group, Matrix, Op};
use crate::exec::Reg;
use crate::exec::form::Source;

/// The registers of products that are not over, of a warp.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// The number of committed groups.
    groups: u64,
    open: Vec<Open>,
}

/// A register that a product still writes, or a copy of one.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The number of the call that the register belongs to.
    serial: u64,
    reg: Reg,
    group: u64,
    /// The position of the product in the text.
    at: u32,
}

impl Pending {
    /// Starts a block.
    pub(crate) fn begin(&mut self) {
        self.groups = 0;
        self.open.clear();
    }

    /// Reports an instruction that uses a register before its product is over.
    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>, reports: &mut Reports) {
        if !self.open.is_empty() && moment.mask != 0 {
            self.check(moment, reports);
        }
    }

    #[cold]
    fn check(&mut self, moment: &Moment<'_, '_>, reports: &mut Reports) {
        let (operands, serial) = (moment.operands(), moment.frame().serial);
        // Products may follow each other in one place without a wait.
        let (own, used) = match &moment.instruction().op {
            Op::Matrix(matrix) => match &**matrix {
                Matrix::Wide(wide) => (&wide.d[..], &operands.operands[..]),
                _ => (&[][..], operands.read()),
            },
            _ => (&[][..], operands.read()),
        };
        // A move hands the state on, as compilers emit it for values of loops.
        let written = if operands.hands_on { &[][..] } else { &operands.results[..] };
        for source in used.iter().chain(written) {
            let Source::Register(reg) = *source else { continue };
            let Some(i) = self.open.iter().position(|open| (open.serial, open.reg) == (serial, reg)) else { continue };
            if own.contains(&reg) {
                continue;
            }
            let Open { at, .. } = self.open.swap_remove(i);
            reports.add((ReportKind::UndefinedRegister, moment.at(), at), 1, || {
                let line = moment.launch().program.read.line(at);
                let name = moment.code().name_of(*source);
                let what = format!(
                    "`{name}` is used before a `wgmma.wait_group` for the product in line {line}, which still writes it"
                );
                (what, moment.site(moment.mask.trailing_zeros() as usize))
            });
        }
    }

    /// Follows an instruction that has run.
    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>) {
        if !self.open.is_empty() || matches!(moment.instruction().op, Op::Matrix(_)) {
            self.follow(moment);
        }
    }

    #[cold]
    fn follow(&mut self, moment: &Moment<'_, '_>) {
        let serial = moment.frame().serial;
        if let Op::Matrix(matrix) = &moment.instruction().op {
            match &**matrix {
                Matrix::Wide(wide) => {
                    let (group, at) = (self.groups, moment.at());
                    wide.d.iter().for_each(|&reg| self.set(Open { serial, reg, group, at }));
                }
                Matrix::Group(Group::Commit) => self.groups += 1,
                Matrix::Group(Group::Wait(left)) => {
                    let groups = self.groups;
                    self.open.retain(|open| open.group.saturating_add(*left) >= groups);
                }
                _ => {}
            }
            return;
        }
        let operands = moment.operands();
        if !operands.hands_on {
            return;
        }
        let is_handed = |open: &&Open| open.serial == serial && operands.handed().contains(&Source::Register(open.reg));
        let Some(handed) = self.open.iter().find(is_handed).copied() else { return };
        for result in &operands.results {
            if let Source::Register(reg) = *result {
                self.set(Open { reg, ..handed });
            }
        }
    }

    fn set(&mut self, new: Open) {
        self.open.retain(|open| (open.serial, open.reg) != (new.serial, new.reg));
        self.open.push(new);
    }
}
