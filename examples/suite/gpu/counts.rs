//! `--counts`: the instructions that warps execute, compared with a committed table.

mod table;

use std::error::Error;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use ptxf_build::Toolchain;

use super::device::{Counts, Device};
use super::fill;
use super::peers::{self, Peers};
use super::ptx::{self, Ptx};
use super::target::Checks;
use crate::benchmark::Benchmark;
use crate::benchmarks::{self, Card, Size};
use crate::launch::Way;
use crate::measure::Arithmetic;
use crate::real::Format;
use table::{Key, Row, Table};

/// The table in the repository.
const FILE: &str = "peers/counts.txt";

/// The target whose entries are counted.
const TARGET: u32 = 90;

/// A small device whose sizes are counted: 1024 threads in most benchmarks.
const CARD: Card = Card { threads: 128, cache: 0 };

/// The arithmetics that are counted.
const ARITHMETICS: [Arithmetic; 2] =
    [Arithmetic { format: Format::F32, keep: false }, Arithmetic { format: Format::F16, keep: false }];

/// Counts instructions of the benchmarks that `choose` returns, and compares them with the table,
/// or writes it.
///
/// The entries are those of the folder `ptx`, or compiled now. Kernels in CUDA C++ are counted too
/// if `folder` or `target/peers` has them. The inner `Err` says why this machine cannot count.
pub fn run(
    choose: impl Fn(Size) -> Result<Vec<Box<dyn Benchmark>>, String>,
    [ptx, folder]: [Option<&Path>; 2],
    bless: bool,
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<Result<(), String>, Box<dyn Error>> {
    let rustc = match Toolchain::find() {
        Ok(toolchain) => toolchain.number().to_owned(),
        Err(missing) => return Ok(Err(missing.to_string())),
    };
    let compiled = match ptx.map(|ptx| ptx::in_folder(ptx, Some(TARGET))).transpose()? {
        Some(mut found) => found.swap_remove(0),
        None => match ptx::compiled(None)? {
            Ok(ptx) => ptx,
            Err(missing) => return Ok(Err(missing.to_string())),
        },
    };
    let folder = folder.map(Path::to_owned).or_else(usual_folder);
    let mut found = Table { rustc, ..Table::default() };
    for (rows, size) in [("even", Size::fill(CARD).even()), ("odd", Size::fill(CARD))] {
        let ptx = Ptx::parse(compiled.name.clone(), compiled.text.clone())?;
        let mut device = Device::machine(ptx, Checks::default())?.counting();
        if let Some(folder) = &folder {
            let peers = Peers::read(folder)?;
            found.nvcc = Some(peers.nvcc());
            device = device.with_peers(peers)?;
        }
        let mut chosen = choose(size)?;
        chosen.retain(|benchmark| !benchmarks::OTHER_DATA.contains(&benchmark.name()));
        let bar = bar(chosen.len() as u64);
        for benchmark in &chosen {
            for arithmetic in ARITHMETICS {
                let row = fill::outcome(&**benchmark, arithmetic, &device)?;
                if let Some(problem) = row.problems.first() {
                    return Err(problem.clone().into());
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        add(&mut found, rows, device.counts());
    }
    if let Some(folder) = &folder {
        found.add_machine(&peers::machine(folder));
    }
    print!("{found}");
    println!("{}", found.summary());

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let wanted: Table = text.parse().map_err(|e| format!("{}: {e}", path.display()))?;
    if bless {
        std::fs::write(&path, wanted.updated(found).to_string())?;
        println!("{}", path.display());
        return Ok(Ok(()));
    }
    if folder.is_none() {
        eprintln!("LEFT OUT: nvcc's kernels, which `cargo xtask peers --install` compiles");
    }
    let (problems, left_out) = wanted.compare(&found);
    left_out.iter().for_each(|why| eprintln!("LEFT OUT: {why}"));
    problems.iter().for_each(|p| eprintln!("{p}"));
    match problems.first() {
        None => Ok(Ok(())),
        Some(first) => Err(format!("{} counts differ from {FILE}, the first: {first}", problems.len()).into()),
    }
}

/// Returns the folder of `cargo xtask peers` without options, if it exists.
fn usual_folder() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    Some(target.join("peers")).filter(|folder| folder.join(peers::PTX).is_file())
}

/// Adds the counts of versions that the table has: one thread per element, and in f16 pairs and
/// eight threads per thread of the device.
fn add(table: &mut Table, rows: &str, counts: Counts) {
    for ([kernel, format, version], [ours, nvcc]) in counts {
        let version = if version == Way::Many.name() { "many".to_owned() } else { version };
        if version == "scalar" || ["pair", "many"].contains(&&*version) && format != "f32" {
            let key = Key { kernel, rows: rows.to_owned(), format, version };
            table.rows.insert(key, Row { ours, nvcc: Some(nvcc).filter(|n| *n > 0), ..Row::default() });
        }
    }
}
