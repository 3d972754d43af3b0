//! Launches over a slice that is exactly as long as needed, and over one that is shorter by one
//! element.
//!
//! Runs of `threads` find the least length without a fault. With that length a device leaves their
//! results. With one element less it traps. The memory goes on beyond the length, so
//! an access that should have trapped succeeds and is found.

use anyhow::{Result, anyhow, ensure};
use oracle::Rng;
use oracle::kernel::{Argument, Grid, Kernel, Order};
use ptxf_vm::{Arg, Machine, Module};

use super::{Launch, Passed};

impl Launch<'_> {
    /// Compares launches over a slice of the least length, and over one that is too short.
    pub(super) fn compare_short(
        &self,
        module: &Module,
        meaning: &Kernel,
        all: &[Argument],
        rng: &mut Rng,
    ) -> Result<()> {
        let parameters = meaning.parameters();
        let slices: Vec<usize> = (0..all.len()).filter(|&i| matches!(all[i], Argument::Slice(_))).collect();
        let which = slices[rng.below(slices.len() as u64) as usize];
        let Argument::Slice(words) = &all[which] else { unreachable!("it was selected") };
        let row = parameters[which].rows.iter().product::<usize>();
        let cut = |len: usize| -> Vec<Argument> {
            let mut cut = all.to_vec();
            cut[which] = Argument::Slice(words[..len * row].to_vec());
            cut
        };
        let run = |len: usize| {
            let mut arguments = cut(len);
            let grid = Grid { threads: self.threads, block: self.block, order: Order::Serial };
            meaning.run(self.element, grid, &mut arguments).ok().map(|_| arguments)
        };
        let (mut fails, mut passes) = (None, words.len() / row);
        if run(passes).is_none() {
            return Ok(());
        }
        while fails.map_or(0, |fails| fails + 1) < passes {
            let middle = fails.map_or(0, |fails: usize| fails + 1).midpoint(passes);
            if run(middle).is_some() { passes = middle } else { fails = Some(middle) }
        }
        for len in fails.into_iter().chain([passes]) {
            let mut machine = Machine::new();
            let program = machine.load(module).map_err(|e| anyhow!("{e}"))?;
            let memory = self.upload(&mut machine, &parameters, all);
            let entry = format!("{}_{}", self.kernel.entry, self.sibling);
            let entry = program.entry(&entry).map_err(|e| anyhow!("{e}"))?;
            let (blocks, threads, passed) = self.passed(&entry, &parameters, &cut(len), &memory)?;
            let address = |memory_index: usize| {
                memory.iter().flatten().nth(memory_index).expect("every slice was uploaded").buffer.address()
            };
            let args: Vec<Arg> = passed
                .iter()
                .map(|passed| match *passed {
                    Passed::Number(ref bytes) => Arg::Bytes(bytes.clone()),
                    Passed::Inside { memory, offset } => {
                        Arg::Bytes((address(memory) + offset as u64).to_le_bytes().to_vec())
                    }
                })
                .collect();
            let launched = machine.launch(&entry, blocks, threads, 0, &args);
            let name = &parameters[which].name;
            if Some(len) == fails {
                ensure!(launched.is_err(), "no fault with {len} elements of `{name}`, which needs {passes}");
                continue;
            }
            launched.map_err(|fault| anyhow!("{fault}, with {len} elements of `{name}`"))?;
            // Only the results of an output can differ.
            let want = run(len).expect("it has passed");
            for (i, (slice, want)) in memory.iter().zip(&want).enumerate() {
                let (Some(slice), Argument::Slice(want)) = (slice, want) else { continue };
                if parameters[i].kept {
                    continue;
                }
                let Argument::Slice(rest) = &all[i] else { unreachable!("both are slices") };
                let want: Vec<u64> = want.iter().chain(&rest[want.len()..]).copied().collect();
                let got = machine.read(slice.buffer).map_err(|e| anyhow!("{e}"))?;
                ensure!(
                    got == slice.surrounded(&want),
                    "`{}` differs with {len} elements of `{name}`",
                    parameters[i].name
                );
            }
        }
        Ok(())
    }
}
