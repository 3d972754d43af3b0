//! Runs the kernel of a form on lists of operands.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context as _, Result, anyhow, ensure};
use rayon::prelude::*;

use crate::answers::{Answers, BATCH};
use crate::device::{Arg, Buffer, Device, Kernel, Module};
use crate::forms::Subject;
use crate::ptx::Ptx;

/// Bytes of each array: also 2²³ registers of 4 bytes.
const BYTES: usize = BATCH as usize * 8;

/// How many registers of each operand there can be at once: [`BATCH`], or fewer for forms whose operand is a vector of four, which share an array.
pub(crate) fn batch(form: &Subject) -> u64 {
    let elements = arrays(form).into_iter().map(|operands| operands.map(|k| form.width(k)).sum());
    let widest: usize = elements.max().expect("a form has operands");
    BATCH.min((BYTES / widest) as u64)
}

/// Loads the first PTX that the driver takes, and says which it does not.
pub(crate) fn load(device: &mut Device, candidates: Vec<Ptx>) -> Result<(Ptx, Module)> {
    let mut refused = None;
    for ptx in candidates {
        match device.load(&ptx.text) {
            Ok(module) => return Ok((ptx, module)),
            Err(error) => {
                eprintln!("{}: {error:#}", ptx.describe());
                refused = Some(error);
            }
        }
    }
    Err(refused.unwrap_or_else(|| anyhow!("no PTX"))).context("no PTX that the driver takes")
}

/// A device with the probes loaded.
pub(crate) struct Runner<'d> {
    pub(crate) device: &'d mut Device,
    pub(crate) ptx: &'d Ptx,
    module: Module,
    kernels: BTreeMap<String, Kernel>,
    result: Buffer,
    operands: [Buffer; 3],
    staging: Vec<u8>,
}

impl<'d> Runner<'d> {
    /// Takes the memory.
    pub(crate) fn new(device: &'d mut Device, ptx: &'d Ptx, module: Module) -> Result<Self> {
        let result = device.alloc(BYTES)?;
        let operands = [device.alloc(BYTES)?, device.alloc(BYTES)?, device.alloc(BYTES)?];
        Ok(Self { device, ptx, module, kernels: BTreeMap::new(), result, operands, staging: Vec::new() })
    }

    fn kernel(&mut self, name: &str) -> Result<Kernel> {
        if let Some(kernel) = self.kernels.get(name) {
            return Ok(*kernel);
        }
        let kernel = self.device.kernel(self.module, name)?;
        self.kernels.insert(name.to_owned(), kernel);
        Ok(kernel)
    }

    /// The results for these registers, in memory that is used again.
    pub(crate) fn run_into(&mut self, form: &Subject, columns: &[Vec<u64>], results: &mut Vec<u64>) -> Result<()> {
        ensure!(columns.len() == form.info.operands.len(), "{} takes {} operands", form.name, form.info.operands.len());
        let count = columns[0].len();
        ensure!(count as u64 <= BATCH, "{count} registers at once");
        ensure!(columns.iter().all(|column| column.len() == count), "columns of unequal length");
        for (operands, buffer) in arrays(form).into_iter().zip(self.operands) {
            let width = form.width(operands.start);
            ensure!(count * width * operands.len() <= BYTES, "{count} elements of {} at once", form.name);
            pack(&columns[operands], width, &mut self.staging);
            self.device.upload(buffer, &self.staging)?;
        }
        self.launch(form, count)?;
        self.staging.resize(count * form.result_width(), 0);
        self.device.download(self.result, &mut self.staging)?;
        unpack(&self.staging, form.result_width(), results);
        Ok(())
    }

    fn launch(&mut self, form: &Subject, count: usize) -> Result<()> {
        let kernel = self.kernel(form.identifier)?;
        let mut args = vec![Arg::Array { buffer: self.result, stride: form.result_width() }];
        let mut strides = arrays(form).into_iter().map(|operands| operands.map(|k| form.width(k)).sum());
        for buffer in self.operands {
            // The kernel has the other parameters too, and leaves them alone.
            args.push(Arg::Array { buffer, stride: strides.next().unwrap_or(0) });
        }
        args.push(Arg::U32(count as u32));
        self.device.run(kernel, count as u32, &args, 1)?;
        Ok(())
    }
}

impl Answers for Runner<'_> {
    fn ptx(&self) -> &Ptx {
        self.ptx
    }

    fn run(&mut self, form: &Subject, columns: &[Vec<u64>]) -> Result<Vec<u64>> {
        let mut results = Vec::new();
        self.run_into(form, columns, &mut results)?;
        Ok(results)
    }

    fn run_bytes(&mut self, form: &Subject, operands: &[u8]) -> Result<&[u8]> {
        ensure!(form.info.operands.len() == 1, "{} takes {} operands", form.name, form.info.operands.len());
        let count = operands.len() / form.width(0);
        self.device.upload(self.operands[0], operands)?;
        self.launch(form, count)?;
        self.staging.resize(count * form.result_width(), 0);
        self.device.download(self.result, &mut self.staging)?;
        Ok(&self.staging)
    }
}

/// The operands in each array: those of a vector stand beside each other in the first one.
fn arrays(form: &Subject) -> Vec<Range<usize>> {
    let operands = form.info.operands.len();
    let vector = if operands > 3 { 4 } else { 1 };
    std::iter::once(0..vector).chain((vector..operands).map(|k| k..k + 1)).collect()
}

/// The low bytes of each register, those of one element beside each other.
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
    fn four_operands_beside_each_other_are_half_as_many() {
        assert_eq!(batch(&forms::named("fma.rn.f64")), BATCH);
        assert_eq!(batch(&forms::named("cvt.rs.satfinite.e4m3x4.f32")), BATCH / 2);
        for form in forms::all() {
            let bytes = |operands: Range<usize>| operands.map(|k| form.width(k)).sum::<usize>() * batch(form) as usize;
            assert!(arrays(form).into_iter().map(bytes).all(|n| n <= BYTES), "{}", form.name);
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
