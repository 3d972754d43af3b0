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
        let mut a = self.factor(frame, &wide.a, wide.formats.a.bits(), first..first + 16, wide.k, shared)?;
        let mut b = self.factor(frame, &wide.b, wide.formats.b.bits(), 0..wide.n, wide.k, shared)?;
        for ((elements, negates), format) in
            [&mut a, &mut b].into_iter().zip(wide.negates).zip([wide.formats.a, wide.formats.b])
        {
            if negates {
                elements.iter_mut().for_each(|x| *x ^= 1 << (format.bits() - 1));
            }
        }
        let registers = &mut self.frames[frame].registers;
        let (fragment, all) = &wide.d;
        let mut total = if keeps == 0 { vec![0; 16 * wide.n] } else { fragment.matrix(|i| registers.column(all[i])) };
        wide.formats.add(wide.unit, &a, &b, &mut total, wide.n, wide.k);
        for (i, reg) in all.iter().enumerate() {
            registers.set_column(*reg, !0, &fragment.register(&total, i));
        }
        Ok(())
    }

    /// Returns the elements of some rows of A, or of all columns of B.
    fn factor(
        &self,
        frame: usize,
        factor: &Factor,
        bits: u32,
        lines: std::ops::Range<usize>,
        k: usize,
        shared: &Shared,
    ) -> Result<Vec<u64>, Wrong> {
        let descriptor = match *factor {
            Factor::Registers(fragment, ref all) => {
                let registers = &self.frames[frame].registers;
                return Ok(fragment.matrix(|i| registers.column(all[i])));
            }
            Factor::Shared { descriptor, transposed } => self.descriptor(frame, descriptor, transposed, bits)?,
        };
        let mut all = Vec::with_capacity(lines.len() * k);
        for line in lines {
            for k in 0..k {
                let (address, bit) = descriptor.place(line, k);
                PIECE.within(&[address; LANES], 1, shared.bytes.len() as u64, "shared memory")?;
                let mut word = [0; 8];
                let from = address as usize + bit as usize / 8;
                let count = bits.div_ceil(8) as usize;
                word[..count].copy_from_slice(&shared.bytes[from..from + count]);
                all.push(u64::from_le_bytes(word) >> (bit % 8) & u64::MAX >> (64 - bits));
            }
        }
        Ok(all)
    }

    fn descriptor(&self, frame: usize, reg: Reg, transposed: bool, bits: u32) -> Result<Descriptor, Wrong> {
        let column = self.frames[frame].registers.column(reg);
        let wrong =
            |lane: usize, what| Wrong { lane: lane as u32, kind: FaultKind::Synchronization, what, buffer: None };
        if let Some(lane) = column.iter().position(|descriptor| *descriptor != column[0]) {
            return Err(wrong(lane, format!("lanes 0 and {lane} have different descriptors of one matrix")));
        }
        Descriptor::new(column[0], transposed, bits).map_err(|what| wrong(0, what))
    }

    /// Returns the shared addresses that a product reads, each with a lane.
    pub(crate) fn pieces(&self, frame: usize, wide: &Wide) -> Vec<(usize, u64)> {
        let first = 16 * (self.index % WARPS) as usize;
        let factors = [(&wide.a, wide.formats.a, first..first + 16), (&wide.b, wide.formats.b, 0..wide.n)];
        let mut all = Vec::new();
        for (factor, format, lines) in factors {
            let Factor::Shared { descriptor, transposed } = *factor else { continue };
            let Ok(descriptor) = self.descriptor(frame, descriptor, transposed, format.bits()) else { continue };
            all.extend(lines.flat_map(|line| (0..wide.k).map(move |k| descriptor.place(line, k).0)));
        }
        all.sort_unstable();
        all.dedup();
        all.into_iter().enumerate().map(|(i, address)| (i % LANES, address)).collect()
    }
}
