//! A device that is none: it computes the probes on the CPU, with faults on request, so that everything but the driver can
//! be tried where there is no GPU. What comes from it says `FAKE` wherever it is written.

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;
use testutil::lanes;
use testutil::layout::Layout;

use super::bench;
use super::device::{Arg, Buffer, Device, Info, Kernel, Module, check_bounds};
use super::forms::{self, Subject};
use super::ptx::Ptx;

/// Begins the name of every device that is none.
pub(crate) const LABEL: &str = "FAKE";

/// A way to be wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// Flips bits of one result.
    Flip { function: String, operands: Vec<u64>, mask: u64 },
    /// Replaces the NaNs of a form by other NaNs.
    Nan { function: String, bits: u64 },
    /// Moves every finite result of a form by so many representable numbers.
    Shift { function: String, steps: i64 },
    /// The device stops answering after so many kernels.
    Dies { after: u64 },
}

impl std::str::FromStr for Fault {
    type Err = String;

    /// `flip:add_rn_f16:3c00,3c00:1`, `nan:abs_f32:7fc00000`, `shift:ex2_approx_f16:1`, `dies:10`
    fn from_str(text: &str) -> Result<Self, String> {
        let hex = |text: &str| u64::from_str_radix(text, 16).map_err(|e| format!("`{text}`: {e}"));
        Ok(match text.split(':').collect::<Vec<_>>()[..] {
            ["flip", function, operands, mask] => {
                let operands = operands.split(',').map(hex).collect::<Result<_, _>>()?;
                Self::Flip { function: function.to_owned(), operands, mask: hex(mask)? }
            }
            ["nan", function, bits] => Self::Nan { function: function.to_owned(), bits: hex(bits)? },
            ["shift", function, steps] => {
                let steps = steps.parse().map_err(|e| format!("`{steps}`: {e}"))?;
                Self::Shift { function: function.to_owned(), steps }
            }
            ["dies", after] => Self::Dies { after: after.parse().map_err(|e| format!("`{after}`: {e}"))? },
            _ => return Err(format!("`{text}` is no fault; see xtask/src/gpu/fake.rs")),
        })
    }
}

/// The CPU in a device's place.
pub(crate) struct Fake {
    info: Info,
    faults: Vec<Fault>,
    modules: Vec<Ptx>,
    kernels: Vec<Work>,
    buffers: Vec<Vec<u8>>,
    launches: u64,
}

/// What a kernel does.
#[derive(Clone, Copy)]
enum Work {
    Form(Subject),
    Chain(bench::Chain, Subject),
    /// The form on each 32-bit word, or a copy.
    Stream(Option<Subject>),
}

impl Fake {
    pub(crate) fn new(capability: (u32, u32), faults: Vec<Fault>) -> Self {
        let info = Info {
            name: format!("{LABEL} (no GPU: this CPU computed it)"),
            capability,
            driver: format!("{LABEL} driver"),
            bandwidth: 1_000_000_000,
            fake: true,
        };
        Self { info, faults, modules: Vec::new(), kernels: Vec::new(), buffers: Vec::new(), launches: 0 }
    }

    fn array(&self, arg: Arg) -> Result<(&[u8], usize)> {
        match arg {
            Arg::Array { buffer, stride } => Ok((&self.buffers[buffer.index], stride)),
            Arg::U32(_) => bail!("a number where the kernel has an array"),
        }
    }

    fn launch(&mut self, kernel: Kernel, threads: usize, args: &[Arg]) -> Result<()> {
        self.launches += 1;
        if self.faults.iter().any(|f| matches!(f, Fault::Dies { after } if self.launches > *after)) {
            bail!("the fake device died, as it was asked to");
        }
        let work = self.kernels[kernel.0];
        let [d, a, b, c, Arg::U32(n), rest @ ..] = args else { bail!("the probes take four arrays and a number") };
        ensure!(*n as usize <= threads, "fewer threads than elements");
        let (inputs, n) = ([self.array(*a)?, self.array(*b)?, self.array(*c)?], *n as usize);
        let stride = self.array(*d)?.1;
        let read = |k: usize, i: usize| read(inputs[k].0, inputs[k].1, i);
        let mut out = vec![0; n * stride];
        let rounds = match rest {
            [Arg::U32(rounds)] => *rounds,
            _ => 0,
        };
        out.par_chunks_mut(stride.max(1)).with_min_len(1024).enumerate().for_each(|(i, out)| match work {
            Work::Form(form) => {
                let operands = [read(0, i), read(1, i), read(2, i)];
                let operands = &operands[..form.info.operands];
                let result = form.info.run.call(operands).expect("as many operands as the form has");
                out.copy_from_slice(&self.faulty(&form, operands, result).to_le_bytes()[..stride]);
            }
            Work::Chain(chain, form) => {
                let result = chain.on_host(&form, [read(0, i), read(1, i), read(2, i)], rounds);
                out.copy_from_slice(&result.to_le_bytes()[..stride]);
            }
            Work::Stream(form) => {
                for (word, out) in out.chunks_exact_mut(4).enumerate() {
                    let at = |k: usize| self::read(inputs[k].0, 4, i * 4 + word);
                    let words = [at(0), at(1), at(2)];
                    let result = form.map_or(words[0], |f| f.info.run.call(&words).expect("fma has three operands"));
                    out.copy_from_slice(&result.to_le_bytes()[..4]);
                }
            }
        });
        let Arg::Array { buffer, .. } = d else { bail!("the result is an array") };
        self.buffers[buffer.index][..out.len()].copy_from_slice(&out);
        Ok(())
    }

    fn faulty(&self, form: &Subject, operands: &[u64], result: u64) -> u64 {
        let mut result = result;
        for fault in &self.faults {
            match fault {
                Fault::Flip { function, operands: at, mask } if *function == form.info.function && at == operands => {
                    result ^= mask;
                }
                Fault::Nan { function, bits } if *function == form.info.function => {
                    result = per_lane(form, result, |layout, x| if layout.is_nan(x) { *bits } else { x });
                }
                Fault::Shift { function, steps } if *function == form.info.function => {
                    result = per_lane(form, result, |layout, x| {
                        let magnitude = layout.magnitude(x);
                        if magnitude == 0 || magnitude >= layout.infinity() { x } else { x.wrapping_add_signed(*steps) }
                    });
                }
                _ => {}
            }
        }
        result
    }
}

fn per_lane(form: &Subject, register: u64, f: impl Fn(&Layout, u64) -> u64) -> u64 {
    let lanes: Vec<u64> =
        (0..form.form.lanes).map(|i| f(Layout::of(form.form.ty), lanes::get(&form.form, register, i))).collect();
    lanes::join(&form.form, &lanes)
}

/// Element `i` of an array; an array that the kernel leaves alone has no elements.
fn read(bytes: &[u8], stride: usize, i: usize) -> u64 {
    let element = &bytes[i * stride..(i + 1) * stride];
    element.iter().rev().fold(0, |x, byte| x << 8 | u64::from(*byte))
}

impl Device for Fake {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, ptx: &str) -> Result<Module> {
        let ptx = Ptx::parse("loaded".to_owned(), ptx.to_owned())?;
        ensure!(ptx.sm <= self.info.sm(), "PTX for sm_{} on sm_{}", ptx.sm, self.info.sm());
        self.modules.push(ptx);
        Ok(Module(self.modules.len() - 1))
    }

    fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        ensure!(self.modules[module.0].has(name), "kernel {name}: not in the PTX");
        let form = || forms::all().iter().find(|f| f.info.function == name).map(|f| Work::Form(*f));
        let chain =
            || bench::chains().into_iter().find(|c| c.kernel() == name).map(|c| Work::Chain(c, forms::named(c.form)));
        let stream = || bench::STREAMS.into_iter().find(|s| s.kernel() == name).map(|s| Work::Stream(s.form()));
        let work = form().or_else(chain).or_else(stream);
        self.kernels.push(work.with_context(|| format!("kernel {name}: unknown"))?);
        Ok(Kernel(self.kernels.len() - 1))
    }

    fn alloc(&mut self, bytes: usize) -> Result<Buffer> {
        // Not zeros: a result that was never written must not look right.
        self.buffers.push(vec![0xa5; bytes]);
        Ok(Buffer { index: self.buffers.len() - 1, bytes })
    }

    fn upload(&mut self, to: Buffer, data: &[u8]) -> Result<()> {
        ensure!(data.len() <= to.bytes, "{} bytes into a buffer of {}", data.len(), to.bytes);
        self.buffers[to.index][..data.len()].copy_from_slice(data);
        Ok(())
    }

    fn download(&mut self, from: Buffer, data: &mut [u8]) -> Result<()> {
        ensure!(data.len() <= from.bytes, "{} bytes of a buffer of {}", data.len(), from.bytes);
        data.copy_from_slice(&self.buffers[from.index][..data.len()]);
        Ok(())
    }

    fn run(&mut self, kernel: Kernel, threads: u32, args: &[Arg], launches: u32) -> Result<f64> {
        check_bounds(threads, args)?;
        let start = std::time::Instant::now();
        for _ in 0..launches {
            self.launch(kernel, threads as usize, args)?;
        }
        Ok(start.elapsed().as_secs_f64())
    }
}

/// PTX as the compiler would emit it for `sm`, down to what [`Ptx`] and the fake device look at: the probes, or the kernels
/// of the bench.
pub(crate) fn ptx(sm: u32, benches: bool) -> String {
    use std::fmt::Write as _;
    let mut out =
        format!("// {LABEL}: written by xtask, not compiled\n.version 8.8\n.target sm_{sm}\n.address_size 64\n\n");
    let mut entry = |name: &str, body: &str| {
        let _ = write!(out, ".visible .entry {name}(\n)\n{{\n{body}\tret;\n\n}}\n");
    };
    if benches {
        for chain in bench::chains() {
            entry(&chain.kernel(), &format!("\t{} %r1, %r2;\n", chain.form).repeat(chain.per_round() as usize));
        }
        bench::STREAMS.iter().for_each(|stream| entry(stream.kernel(), "\tld.global.b32 %r1, [%rd1];\n"));
        return out;
    }
    for form in forms::all() {
        // What the target lacks is computed otherwise.
        let native = form.info.sm <= sm && !form.is_history();
        let body = if native { format!("\t{} %r1, %r2;\n", form.info.name) } else { String::new() };
        entry(form.info.function, &body);
    }
    out
}
