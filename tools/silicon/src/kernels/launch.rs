//! A recorded launch, and its repetition on a device.

use std::fmt;

use anyhow::{Context as _, Result, ensure};
use oracle::Ty;
use oracle::layout::Layout;
use ptxf::kernel::Extent;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::device::{Argument as Passed, Device, Module};

/// A line of `kernels-sm_NN.jsonl`.
#[derive(Deserialize)]
pub(crate) struct Launch {
    pub(crate) entry: String,
    blocks: [u32; 3],
    threads: [u32; 3],
    arguments: Vec<Argument>,
    memory: Vec<Memory>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Argument {
    /// The address of a byte of the memory with this number.
    Inside { memory: usize, offset: usize },
    /// A number, the lowest byte first.
    Number {
        #[serde(deserialize_with = "hex")]
        bytes: Vec<u8>,
    },
}

/// A slice with its surroundings: its bytes before the launch, and after it.
#[derive(Deserialize)]
struct Memory {
    #[serde(deserialize_with = "hex")]
    before: Vec<u8>,
    #[serde(deserialize_with = "hex")]
    after: Vec<u8>,
    /// Format of the elements, if one NaN may replace another.
    format: Option<Format>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    F16,
    Bf16,
    F32,
}

/// An element that differs on the device.
pub(crate) struct Difference {
    slice: usize,
    at: usize,
    device: u64,
    cpu: u64,
    /// `true` if both are NaNs.
    pub(crate) nan: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slice, at, device, cpu, .. } = self;
        write!(f, "slice {slice}, element {at}: device {device:#x}, CPU {cpu:#x}")
    }
}

impl Launch {
    /// Returns the number of elements that are compared.
    pub(crate) fn elements(&self) -> u64 {
        self.memory.iter().map(|memory| (memory.after.len() / memory.width()) as u64).sum()
    }

    /// Runs the launch. Returns the elements that differ.
    pub(crate) fn run(&self, device: &Device, module: &Module) -> Result<Vec<Difference>> {
        let upload = |memory: &Memory| device.upload(&memory.before);
        let buffers = self.memory.iter().map(upload).collect::<Result<Vec<_>>>()?;
        let arguments = self.arguments.iter().map(|passed| match passed {
            Argument::Number { bytes } => Ok(Passed::Number(bytes)),
            Argument::Inside { memory, offset } => {
                let buffer = buffers.get(*memory).with_context(|| format!("there is no memory {memory}"))?;
                let bytes = self.memory[*memory].before.len();
                ensure!(*offset <= bytes, "byte {offset} of a memory of {bytes}");
                Ok(Passed::Address(buffer, *offset))
            }
        });
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let extent = Extent { blocks: self.blocks, threads: self.threads };
        device.launch(module, &self.entry, extent, &arguments)?;
        let mut differences = Vec::new();
        for (slice, (memory, buffer)) in self.memory.iter().zip(&buffers).enumerate() {
            let (bytes, after) = (memory.before.len(), memory.after.len());
            ensure!(bytes == after, "slice {slice} has {bytes} bytes before the launch, and {after} after it");
            let mut got = vec![0; bytes];
            device.read(buffer, &mut got)?;
            let width = memory.width();
            for (at, (device, cpu)) in got.chunks(width).zip(memory.after.chunks(width)).enumerate() {
                if device != cpu {
                    let (device, cpu) = (word(device), word(cpu));
                    let is_nan = |layout: &Layout| layout.is_nan(device) && layout.is_nan(cpu);
                    let nan = memory.format.is_some_and(|format| is_nan(Layout::of(format.ty())));
                    differences.push(Difference { slice, at, device, cpu, nan });
                }
            }
        }
        Ok(differences)
    }
}

impl Memory {
    /// Returns the bytes of an element; integers are compared byte by byte.
    fn width(&self) -> usize {
        self.format.map_or(1, |format| Layout::of(format.ty()).bits as usize / 8)
    }
}

impl Format {
    const fn ty(self) -> Ty {
        match self {
            Self::F16 => Ty::F16,
            Self::Bf16 => Ty::Bf16,
            Self::F32 => Ty::F32,
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    let digit = |at: usize| text.get(at..at + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok());
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(digit).collect();
    bytes.ok_or_else(|| D::Error::custom(format!("`{text}` is not hexadecimal")))
}
