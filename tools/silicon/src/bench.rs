//! `bench`: how fast the device is at packed, scalar and f32 instructions, and at streams of memory.
//!
//! The kernels are those of probes/bench, which says what each thread does. Every kernel's results are compared with
//! the probes' on the same device before it is timed.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use oracle::{Rng, lanes};

use crate::answers::Answers as _;
use crate::deadline::Deadline;
use crate::device::{Arg, Buffer, Device, Kernel, Module};
use crate::forms::{self, Subject};
use crate::ptx::Ptx;
use crate::runner::{Runner, load};
use crate::store::Store;

/// As in the probe crate.
const WIDE: u64 = 8;
const STEPS: u64 = 16;

/// The forms that there are chains of, the f32 one first for each instruction: the others are compared with it.
const FORMS: [&str; 13] = [
    "fma.rn.f32",
    "fma.rn.f16",
    "fma.rn.f16x2",
    "fma.rn.bf16",
    "fma.rn.bf16x2",
    "ex2.approx.ftz.f32",
    "ex2.approx.f16",
    "ex2.approx.f16x2",
    "ex2.approx.ftz.bf16x2",
    "tanh.approx.f32",
    "tanh.approx.f16",
    "tanh.approx.f16x2",
    "tanh.approx.bf16x2",
];

/// How long and how often; the defaults are for a GPU of a data centre.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Effort {
    /// Threads of the chains
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    pub(crate) threads: u32,
    /// Milliseconds that a launch is stretched to
    #[arg(long, value_name = "MS", default_value_t = 5.0)]
    pub(crate) launch_ms: f64,
    /// Timed launches of each kernel
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repetitions: u32,
    /// MiB of each of the four arrays that are streamed
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=512))]
    pub(crate) stream_mib: u32,
}

/// Kernels of one form: many chains per thread, for throughput, or one, for latency.
#[derive(Clone, Copy, Debug)]
struct Chain {
    form: &'static str,
    wide: bool,
}

/// Every kernel of the kind.
fn chains() -> Vec<Chain> {
    FORMS.iter().flat_map(|form| [true, false].map(|wide| Chain { form, wide })).collect()
}

impl Chain {
    fn kind(&self) -> &'static str {
        if self.wide { "wide" } else { "deep" }
    }

    fn kernel(&self) -> String {
        format!("{}_{}", self.kind(), self.form.replace('.', "_"))
    }

    fn chains(&self) -> u64 {
        if self.wide { WIDE } else { 1 }
    }

    /// Instructions of a thread in each round.
    fn per_round(&self) -> u64 {
        self.chains() * STEPS
    }

    /// Where a chain starts.
    fn start(&self, form: &Subject, a: u64, chain: u64) -> u64 {
        let bits = form.info.operands[0].bits();
        a.wrapping_add(chain) & (u64::MAX >> (64 - bits))
    }
}

/// Kernels that move 16 bytes per thread and array.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stream {
    Copy,
    FmaF16x2,
    FmaF32,
}

const STREAMS: [Stream; 3] = [Stream::Copy, Stream::FmaF16x2, Stream::FmaF32];

impl Stream {
    fn kernel(self) -> &'static str {
        match self {
            Self::Copy => "stream_copy",
            Self::FmaF16x2 => "stream_fma_f16x2",
            Self::FmaF32 => "stream_fma_f32",
        }
    }

    /// What is computed of the words, if they are not just copied.
    fn form(self) -> Option<Subject> {
        match self {
            Self::Copy => None,
            Self::FmaF16x2 => Some(forms::named("fma.rn.f16x2")),
            Self::FmaF32 => Some(forms::named("fma.rn.f32")),
        }
    }

    /// Arrays read and written.
    fn arrays(self) -> u64 {
        if self == Self::Copy { 2 } else { 4 }
    }
}

/// Times of the launches of a kernel, sorted.
struct Times(Vec<f64>);

impl Times {
    fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    fn text(&self) -> String {
        format!("{:.9}\t{:.9}\t{:.9}", self.median(), self.0[0], self.0[self.0.len() - 1])
    }
}

/// Times every kernel; `false` if the deadline came first, and then nothing is written.
pub(crate) fn run(
    runner: &mut Runner<'_>,
    candidates: Vec<Ptx>,
    store: &mut Store,
    effort: &Effort,
    deadline: Deadline,
) -> Result<bool> {
    let (ptx, module) = load(runner.device, candidates)?;
    let mut body = format!("# bench ptx\t{} {}\n# effort\t{effort:?}\n", ptx.describe(), ptx.sha256);
    body +=
        "kernel\tform\tlanes\tthreads\trounds\tmedian_s\tleast_s\tmost_s\tG_lane_results_per_s\tto_f32\tns_per_step\n";
    let mut arrays = Vec::new();
    for _ in 0..4 {
        arrays.push(runner.device.alloc(effort.threads.max(CHECKED) as usize * 4)?);
    }
    let mut single = 0.0;
    for chain in chains() {
        if deadline.is_over() {
            return Ok(false);
        }
        let form = forms::named(chain.form);
        let count = ptx.count(&chain.kernel(), chain.form) as u64;
        // The compiler may have unrolled the loop further.
        if count == 0 || !count.is_multiple_of(chain.per_round()) {
            let why =
                format!("{}: {count} instructions, no multiple of {}; left out", chain.kernel(), chain.per_round());
            let _ = writeln!(body, "# {why}");
            store.say(&why);
            continue;
        }
        let kernel = runner.device.kernel(module, &chain.kernel())?;
        check_chain(runner, &chain, kernel, &arrays)?;
        let threads = if chain.wide { effort.threads } else { effort.threads.min(4096) };
        let operands = operands(&form, threads);
        for (column, buffer) in operands.iter().zip(&arrays[1..]) {
            runner.device.upload(*buffer, &register_bytes(column, form.width(0)))?;
        }
        let (rounds, times) = time_chain(runner.device, kernel, &form, threads, &arrays, effort)?;
        let steps = u64::from(rounds) * STEPS;
        let results = u64::from(threads) * steps * chain.chains() * u64::from(form.form().lanes);
        let rate = results as f64 / times.median();
        if chain.form.ends_with(".f32") && chain.wide {
            single = rate;
        }
        let ratio = if chain.wide && single > 0.0 { format!("{:.3}", rate / single) } else { "-".to_owned() };
        let _ = writeln!(
            body,
            "{}\t{}\t{}\t{threads}\t{rounds}\t{}\t{:.3}\t{ratio}\t{:.3}",
            chain.kernel(),
            chain.form,
            form.form().lanes,
            times.text(),
            rate / 1e9,
            times.median() * 1e9 / steps as f64
        );
        store.say(&format!("{:<28} {:>10.1} G lane results/s", chain.kernel(), rate / 1e9));
    }
    if deadline.is_over() {
        return Ok(false);
    }
    streams(runner, module, store, &mut body, effort)?;
    store.put_text("bench.tsv", "Throughput on the device", &body)?;
    Ok(true)
}

/// Elements on which a kernel is checked.
const CHECKED: u32 = 1024;

/// Rounds with which it is: an unrolled loop and what remains of it take part.
const ROUNDS: u32 = 5;

/// Operands that keep a chain of fma normal: a in [1, 2), b in [0.5, 1), c in [0.25, 0.5).
fn operands(form: &Subject, count: u32) -> Vec<Vec<u64>> {
    let layout = oracle::layout::Layout::of(form.form().ty);
    let mut rng = Rng::new(0xbe4c);
    let mut lane = |e| layout.power_of_two(e) | rng.next() & (layout.min_normal() - 1);
    let mut register = |e| lanes::join(&form.form(), &[lane(e), lane(e)][..usize::from(form.form().lanes)]);
    [0, -1, -2].map(|e| (0..count).map(|_| register(e)).collect()).to_vec()
}

fn register_bytes(column: &[u64], width: usize) -> Vec<u8> {
    column.iter().flat_map(|x| x.to_le_bytes().into_iter().take(width)).collect()
}

fn chain_args(arrays: &[Buffer], form: &Subject, threads: u32, rounds: u32) -> Vec<Arg> {
    let mut args: Vec<Arg> = arrays.iter().map(|b| Arg::Array { buffer: *b, stride: form.width(0) }).collect();
    args.extend([Arg::U32(threads), Arg::U32(rounds)]);
    args
}

/// A few rounds of the kernel are what the probe of the form gives, step by step.
fn check_chain(runner: &mut Runner<'_>, chain: &Chain, kernel: Kernel, arrays: &[Buffer]) -> Result<()> {
    let form = forms::named(chain.form);
    let operands = operands(&form, CHECKED);
    let mut want = vec![0; CHECKED as usize];
    for k in 0..chain.chains() {
        let mut columns = operands[..form.info.operands.len()].to_vec();
        columns[0].iter_mut().for_each(|a| *a = chain.start(&form, *a, k));
        for _ in 0..STEPS * u64::from(ROUNDS) {
            columns[0] = runner.run(&form, &columns)?;
        }
        want.iter_mut().zip(&columns[0]).for_each(|(all, x)| *all ^= x);
    }
    for (column, buffer) in operands.iter().zip(&arrays[1..]) {
        runner.device.upload(*buffer, &register_bytes(column, form.width(0)))?;
    }
    runner.device.run(kernel, CHECKED, &chain_args(arrays, &form, CHECKED, ROUNDS), 1)?;
    let mut got = vec![0; CHECKED as usize * form.width(0)];
    runner.device.download(arrays[0], &mut got)?;
    ensure!(
        got == register_bytes(&want, form.width(0)),
        "{} does not compute what the probe of {} does",
        chain.kernel(),
        chain.form
    );
    Ok(())
}

/// Stretches a launch to the time that was asked for, warms up, and times it.
fn time_chain(
    device: &mut Device,
    kernel: Kernel,
    form: &Subject,
    threads: u32,
    arrays: &[Buffer],
    effort: &Effort,
) -> Result<(u32, Times)> {
    const FIRST: u32 = 16;
    let args = |rounds| chain_args(arrays, form, threads, rounds);
    device.run(kernel, threads, &args(FIRST), 1)?;
    let once = device.run(kernel, threads, &args(FIRST), 1)?.max(1e-9);
    let rounds = (f64::from(FIRST) * effort.launch_ms / 1e3 / once).clamp(f64::from(FIRST), 65536.0) as u32;
    Ok((rounds, times(device, kernel, threads, &args(rounds), effort.repetitions)?))
}

fn times(device: &mut Device, kernel: Kernel, threads: u32, args: &[Arg], repetitions: u32) -> Result<Times> {
    device.run(kernel, threads, args, 2)?;
    let mut times = Vec::new();
    for _ in 0..repetitions {
        times.push(device.run(kernel, threads, args, 1)?);
    }
    times.sort_by(f64::total_cmp);
    Ok(Times(times))
}

fn streams(runner: &mut Runner<'_>, module: Module, store: &Store, body: &mut String, effort: &Effort) -> Result<()> {
    let bytes = (effort.stream_mib as usize) << 20;
    let threads = (bytes / 16) as u32;
    let mut arrays = Vec::new();
    for _ in 0..4 {
        arrays.push(runner.device.alloc(bytes)?);
    }
    let peak = runner.device.info().bandwidth as f64;
    *body +=
        "# streams: bytes read and written per second, against the copy and against the peak that the driver names\n";
    *body += "kernel\tform\tthreads\tbytes\tmedian_s\tleast_s\tmost_s\tGB_per_s\tto_copy\tto_peak\n";
    let mut copy = 0.0;
    for stream in STREAMS {
        let form = stream.form().unwrap_or_else(|| forms::named("fma.rn.f32"));
        // The same MiB again and again: memory does not look at what it moves.
        let operands = operands(&form, 1 << 18);
        for (column, buffer) in operands.iter().zip(&arrays[1..]) {
            runner.device.upload(*buffer, &register_bytes(column, 4).repeat(effort.stream_mib as usize))?;
        }
        let mut args: Vec<Arg> = arrays.iter().map(|b| Arg::Array { buffer: *b, stride: 16 }).collect();
        args.push(Arg::U32(threads));
        let kernel = runner.device.kernel(module, stream.kernel())?;
        runner.device.run(kernel, threads, &args, 1)?;
        check_stream(runner, stream, &operands, arrays[0])?;
        let times = times(runner.device, kernel, threads, &args, effort.repetitions)?;
        let moved = bytes as u64 * stream.arrays();
        let rate = moved as f64 / times.median();
        if stream == Stream::Copy {
            copy = rate;
        }
        let to_peak = if peak > 0.0 { format!("{:.3}", rate / peak) } else { "-".to_owned() };
        let name = stream.form().map_or("-", |form| form.name);
        let _ = writeln!(
            body,
            "{}\t{name}\t{threads}\t{moved}\t{}\t{:.1}\t{:.3}\t{to_peak}",
            stream.kernel(),
            times.text(),
            rate / 1e9,
            rate / copy
        );
        store.say(&format!("{:<28} {:>10.1} GB/s", stream.kernel(), rate / 1e9));
    }
    Ok(())
}

/// The first and the last results are what the probe gives.
fn check_stream(runner: &mut Runner<'_>, stream: Stream, operands: &[Vec<u64>], result: Buffer) -> Result<()> {
    let mut got = vec![0; result.bytes];
    runner.device.download(result, &mut got)?;
    let count = CHECKED as usize;
    let (words, period) = (result.bytes / 4, operands[0].len());
    for start in [0, words - count] {
        let from = start % period;
        let columns: Vec<Vec<u64>> = operands.iter().map(|column| column[from..from + count].to_vec()).collect();
        let want = match stream.form() {
            Some(form) => runner.run(&form, &columns)?,
            None => columns[0].clone(),
        };
        let same = got[start * 4..(start + count) * 4] == register_bytes(&want, 4);
        ensure!(same, "{} does not compute what the probe does", stream.kernel());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_stay_normal_and_their_starts_apart() {
        for chain in chains() {
            let form = forms::named(chain.form);
            let operands = operands(&form, 64);
            let layout = oracle::layout::Layout::of(form.form().ty);
            for (i, &a) in operands[0].iter().enumerate() {
                let (b, c) = (operands[1][i], operands[2][i]);
                let mut starts: Vec<u64> = (0..chain.chains()).map(|k| chain.start(&form, a, k)).collect();
                starts.dedup();
                assert_eq!(starts.len() as u64, chain.chains());
                if form.info.operands.len() == 3 {
                    let step = |x| form.spelling.call(&[x, b, c]).expect("fma has three operands");
                    let x = (0..4 * STEPS).fold(a, |x, _| step(x));
                    let lane = layout.magnitude(lanes::get(&form.form(), x, 0));
                    assert!((layout.min_normal()..layout.infinity()).contains(&lane), "{} {x:x}", chain.form);
                }
            }
        }
    }

    /// The probe crate repeats these three facts; it cannot be linked here.
    #[test]
    fn the_probe_crate_has_these_kernels() {
        let source = include_str!("../../../probes/bench/src/lib.rs");
        assert!(source.contains("const WIDE: usize = 8;") && source.contains("const STEPS: usize = 16;"));
        for chain in chains() {
            assert!(source.contains(&format!("{} ", chain.kernel())), "{}", chain.kernel());
        }
        for stream in STREAMS {
            assert!(source.contains(&format!("stream!({} |", stream.kernel())), "{}", stream.kernel());
        }
    }
}
