//! Runs the kernel of a form on lists of operands.

use std::ops::Range;

use anyhow::{Result, ensure};
use ptxf::kernel::Extent;
use rayon::prelude::*;

use crate::device::{Argument, Buffer, Device, Module};
use crate::forms::Subject;
use crate::probes::{BATCH, Probes};
use crate::ptx::Ptx;

/// Length of each array in bytes: 2²³ registers of 4 bytes fit, too.
const BYTES: usize = BATCH as usize * 8;

/// Threads per block of every launch.
const BLOCK: u32 = 256;

/// Returns the most registers of each operand per launch: [`BATCH`], or fewer for forms whose
/// operand is a vector of four, which share an array.
pub(crate) fn batch(form: &Subject) -> u64 {
    let elements = arrays(form).into_iter().map(|operands| operands.map(|k| form.width(k)).sum());
    let widest: usize = elements.max().expect("a form has operands");
    BATCH.min((BYTES / widest) as u64)
}

/// A device with the probes loaded.
pub(crate) struct Runner<'d> {
    device: &'d Device,
    module: &'d Module,
    result: Buffer,
    operands: [Buffer; 3],
    staging: Vec<u8>,
}

impl<'d> Runner<'d> {
    /// Allocates the arrays.
    pub(crate) fn new(device: &'d Device, module: &'d Module) -> Result<Self> {
        let result = device.zeros(BYTES)?;
        let operands = [device.zeros(BYTES)?, device.zeros(BYTES)?, device.zeros(BYTES)?];
        Ok(Self { device, module, result, operands, staging: Vec::new() })
    }

    /// Writes the results for these registers, one column per operand, to memory that the caller
    /// uses again.
    pub(crate) fn run_into(&mut self, form: &Subject, columns: &[Vec<u64>], results: &mut Vec<u64>) -> Result<()> {
        ensure!(columns.len() == form.info.operands.len(), "{} takes {} operands", form.name, form.info.operands.len());
        let count = columns[0].len();
        ensure!(columns.iter().all(|column| column.len() == count), "columns of unequal length");
        for (operands, buffer) in arrays(form).into_iter().zip(&mut self.operands) {
            pack(&columns[operands.clone()], form.width(operands.start), &mut self.staging);
            self.device.write(buffer, &self.staging)?;
        }
        self.launch(form, count)?;
        unpack(&self.staging, form.result_width(), results);
        Ok(())
    }

    /// Runs the kernel on `count` registers, and leaves the results in `staging`.
    fn launch(&mut self, form: &Subject, count: usize) -> Result<()> {
        // If `i < count`, thread `i` accesses element `i` of the result and of each operand array.
        let most = batch(form);
        ensure!(count as u64 <= most, "{count} registers for {}: a launch takes at most {most}", form.name);
        let extent = Extent { blocks: [(count as u32).div_ceil(BLOCK), 1, 1], threads: [BLOCK, 1, 1] };
        let [a, b, c] = &self.operands;
        let arrays = [&self.result, a, b, c].map(|buffer| Argument::Address(buffer, 0));
        let count_bytes = (count as u32).to_le_bytes();
        let arguments = [&arrays[..], &[Argument::Number(&count_bytes)]].concat();
        self.device.launch(self.module, form.identifier, extent, &arguments)?;
        self.staging.resize(count * form.result_width(), 0);
        self.device.read(&self.result, &mut self.staging)
    }
}

impl Probes for Runner<'_> {
    fn ptx(&self) -> &Ptx {
        &self.module.ptx
    }

    fn run(&mut self, form: &Subject, columns: &[Vec<u64>]) -> Result<Vec<u64>> {
        let mut results = Vec::new();
        self.run_into(form, columns, &mut results)?;
        Ok(results)
    }

    fn run_bytes(&mut self, form: &Subject, operands: &[u8]) -> Result<&[u8]> {
        ensure!(form.info.operands.len() == 1, "{} takes {} operands", form.name, form.info.operands.len());
        self.device.write(&mut self.operands[0], operands)?;
        self.launch(form, operands.len() / form.width(0))?;
        Ok(&self.staging)
    }
}

/// Returns the operands in each array: those of a vector stand beside each other in the first one.
fn arrays(form: &Subject) -> Vec<Range<usize>> {
    let operands = form.info.operands.len();
    let vector = if operands > 3 { 4 } else { 1 };
    std::iter::once(0..vector).chain((vector..operands).map(|k| k..k + 1)).collect()
}

/// Writes the low bytes of each register, those of one element beside each other.
fn pack(columns: &[Vec<u64>], width: usize, out: &mut Vec<u8>) {
    const PART: usize = 4096;
    let element = width * columns.len();
    out.resize(columns[0].len() * element, 0);
    out.par_chunks_mut(element * PART).enumerate().for_each(|(part, out)| {
        for (i, out) in out.chunks_exact_mut(element).enumerate() {
            for (out, column) in out.chunks_exact_mut(width).zip(columns) {
                out.copy_from_slice(&column[part * PART + i].to_le_bytes()[..width]);
            }
        }
    });
}

fn unpack(bytes: &[u8], width: usize, out: &mut Vec<u64>) {
    let read = |bytes: &[u8]| bytes.iter().rev().fold(0, |x, byte| x << 8 | u64::from(*byte));
    bytes.par_chunks_exact(width).with_min_len(4096).map(read).collect_into_vec(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;

    #[test]
    fn every_array_holds_a_batch() {
        assert_eq!(batch(&forms::named("fma.rn.f64")), BATCH);
        assert_eq!(batch(&forms::named("cvt.rs.satfinite.e4m3x4.f32")), BATCH / 2);
        for form in forms::all() {
            let bytes = |operands: Range<usize>| operands.map(|k| form.width(k)).sum::<usize>() * batch(form) as usize;
            assert!(arrays(form).into_iter().map(bytes).all(|n| n <= BYTES), "{}", form.name);
            assert!(form.result_width() * batch(form) as usize <= BYTES, "{}", form.name);
        }
    }

    #[test]
    fn packing_keeps_the_low_bytes() {
        let column = vec![0x0102_0304_0506_0708, 0xffff_ffff_ffff_fffe];
        let (mut bytes, mut words) = (Vec::new(), Vec::new());
        for (width, want) in [(1, [8, 0xfe]), (2, [0x0708, 0xfffe]), (4, [0x0506_0708, 0xffff_fffe])] {
            pack(std::slice::from_ref(&column), width, &mut bytes);
            unpack(&bytes, width, &mut words);
            assert_eq!(words, want);
        }
        pack(&[vec![1, 2], vec![3, 4]], 2, &mut bytes);
        unpack(&bytes, 2, &mut words);
        assert_eq!(words, [1, 3, 2, 4]);
    }
}
