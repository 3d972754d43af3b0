//! Runs the products of `wgmma`, each warp its 16 rows of 64.
//!
//! The manual lets a product read and write at any time before the wait. The machine does so at
//! once; `initcheck` reports registers that are used before the wait.

use super::access::Size;
use super::fault::FaultKind;
use super::shared::Shared;
use super::warp::{Warp, Wrong};
use crate::code::{Factor, Wide};
use crate::exec::Reg;
use crate::exec::descriptor::Descriptor;
use crate::exec::fragment;
use crate::exec::registers::LANES;

/// The warps of a group.
const WARPS: u32 = 4;

/// The bytes of a piece.
const PIECE: Size = Size { verb: "read of a matrix", bytes: 16 };

impl Warp<'_> {
    /// Adds a product to D.
    pub(super) fn wide(&mut self, frame: usize, wide: &Wide, shared: &Shared) -> Result<(), Wrong> {
        let wrong = |what: String| Wrong { lane: 0, kind: FaultKind::Synchronization, what, buffer: None };
        let threads = self.launch.threads();
        if threads < 32 * WARPS * (self.index / WARPS + 1) {
            let what = format!(
                "four warps multiply together, and the block has {threads} threads: launch blocks of a multiple of 128"
            );
            return Err(wrong(what));
        }
        let keeps = self.frames[frame].registers.truth(wide.keeps);
        if keeps != 0 && keeps != !0 {
            return Err(wrong("the predicate that keeps D is not the same in all lanes of the warp".to_owned()));
        }
        let first = 16 * (self.index % WARPS) as usize;
        let (instruction, [_, n, k]) = (wide.instruction, wide.instruction.shape());
        let [in_a, in_b, ..] = instruction.formats();
        let across = instruction.a().columns();
        let mut a = match &wide.a {
            Factor::Registers(all) => fragment::elements(&instruction.a(), &self.columns(frame, all)),
            shared_a => self.factor(frame, shared_a, in_a.bits(), first..first + 16, across, shared)?,
        };
        let mut b = self.factor(frame, &wide.b, in_b.bits(), 0..n, k, shared)?;
        for ((elements, negates), format) in [&mut a, &mut b].into_iter().zip(wide.negates).zip([in_a, in_b]) {
            if negates {
                elements.iter_mut().for_each(|x| *x ^= 1 << (format.bits() - 1));
            }
        }
        let d = instruction.d();
        let mut total = match keeps {
            0 => vec![0; 16 * n],
            _ => fragment::elements(&d, &self.columns(frame, &wide.d)),
        };
        // The elements of a column of B that the elements of each row of A are multiplied by.
        let metadata = wide.sparse.map(|(reg, selector)| (self.frames[frame].registers.column(reg), selector));
        let from = |at: usize| match &metadata {
            None => at % across,
            Some((lanes, selector)) => instruction.selected(lanes, *selector, at / across, at % across),
        };
        let from: Vec<usize> = (0..16 * across).map(from).collect();
        for (at, c) in total.iter_mut().enumerate() {
            let (row, b) = (at / n * across, &b[at % n * k..]);
            let sum = instruction.sum(wide.unit, across, |i| a[row + i], |i| b[from[row + i]], *c);
            *c = sum.expect("the unit was asked when the instruction was lowered");
        }
        for (reg, values) in wide.d.iter().zip(&fragment::registers(&d, &total)) {
            self.frames[frame].registers.set_column(*reg, !0, values);
        }
        Ok(())
    }

    /// Returns the elements of some rows of A, or of all columns of B, in shared memory.
    fn factor(
        &self,
        frame: usize,
        factor: &Factor,
        bits: usize,
        lines: std::ops::Range<usize>,
        k: usize,
        shared: &Shared,
    ) -> Result<Vec<u64>, Wrong> {
        let Factor::Shared { descriptor, transposed } = *factor else { return Ok(Vec::new()) };
        let descriptor = self.descriptor(frame, descriptor, transposed, bits as u32, k)?;
        let mut all = Vec::with_capacity(lines.len() * k);
        for line in lines {
            for k in 0..k {
                let (address, bit) = descriptor.place(line, k);
                PIECE.within(&[address; LANES], 1, shared.bytes.len() as u64, "shared memory")?;
                let mut word = [0; 8];
                let from = address as usize + bit as usize / 8;
                let count = bits.div_ceil(8);
                word[..count].copy_from_slice(&shared.bytes[from..from + count]);
                all.push(u64::from_le_bytes(word) >> (bit % 8) & u64::MAX >> (64 - bits));
            }
        }
        Ok(all)
    }

    fn descriptor(&self, frame: usize, reg: Reg, transposed: bool, bits: u32, k: usize) -> Result<Descriptor, Wrong> {
        let column = self.frames[frame].registers.column(reg);
        let wrong =
            |lane: usize, what| Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None };
        if let Some(lane) = column.iter().position(|descriptor| *descriptor != column[0]) {
            return Err(wrong(lane, format!("lanes 0 and {lane} have different descriptors of one matrix")));
        }
        Descriptor::new(column[0], transposed, bits, k).map_err(|what| wrong(0, what))
    }

    /// Returns the shared addresses that a product reads, each with a lane.
    pub(crate) fn pieces(&self, frame: usize, wide: &Wide) -> Vec<(usize, u64)> {
        let first = 16 * (self.index % WARPS) as usize;
        let ([_, n, k], [in_a, in_b, ..]) = (wide.instruction.shape(), wide.instruction.formats());
        let across = wide.instruction.a().columns();
        let factors = [(&wide.a, in_a, first..first + 16, across), (&wide.b, in_b, 0..n, k)];
        let mut all = Vec::new();
        for (factor, format, lines, k) in factors {
            let Factor::Shared { descriptor, transposed } = *factor else { continue };
            let bits = format.bits() as u32;
            let Ok(descriptor) = self.descriptor(frame, descriptor, transposed, bits, k) else { continue };
            all.extend(lines.flat_map(|line| (0..k).map(move |k| descriptor.place(line, k).0)));
        }
        all.sort_unstable();
        all.dedup();
        all.into_iter().enumerate().map(|(i, address)| (i % LANES, address)).collect()
    }
}
