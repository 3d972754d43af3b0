//! Runs a benchmark in every way, compares the bits, and only then takes the time.

use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use crate::benchmark::{Benchmark, Difference, Output, Score};
use crate::launch::{Launch, Place, Way};
use crate::real::Format;

/// A format, and whether what the kernel names stays f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    pub format: Format,
    pub keep: bool,
}

impl Arithmetic {
    /// f32, and a half without and with what is kept.
    pub const fn of(half: Format) -> [Self; 3] {
        [
            Self { format: Format::F32, keep: false },
            Self { format: half, keep: false },
            Self { format: half, keep: true },
        ]
    }

    pub fn name(self) -> String {
        format!("{}{}", self.format.name(), if self.keep { " + keep" } else { "" })
    }
}

/// What a benchmark does in one arithmetic.
pub struct Row {
    pub arithmetic: Arithmetic,
    pub score: Score,
    pub non_finite: usize,
    /// By [`Way::ALL`].
    pub times: [Duration; 3],
    /// Wide, on all cores.
    pub all_cores: Option<Duration>,
}

/// A way whose results are not those of the scalar kernel.
#[derive(Debug)]
pub struct Mismatch {
    benchmark: &'static str,
    arithmetic: String,
    way: String,
    difference: Difference,
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { benchmark, arithmetic, way, difference } = self;
        write!(f, "{benchmark} in {arithmetic}: {way} differs from scalar: {difference}")
    }
}

impl std::error::Error for Mismatch {}

/// Every way's result, if they are the same to the bit.
pub fn check(benchmark: &dyn Benchmark, arithmetic: Arithmetic) -> Result<Output, Mismatch> {
    let want = benchmark.run(arithmetic.format, Launch::new(Way::Scalar, arithmetic.keep));
    for launch in launches(arithmetic) {
        let found = benchmark.run(arithmetic.format, launch);
        if let Some(difference) = found.difference(&want) {
            return Err(Mismatch {
                benchmark: benchmark.name(),
                arithmetic: arithmetic.name(),
                way: format!(
                    "{}{}",
                    launch.way.name(),
                    if matches!(launch.place, Place::AllCores) { " on all cores" } else { "" }
                ),
                difference,
            });
        }
    }
    Ok(want)
}

/// A benchmark's results and times; `tick` is called after each step, of which there are [`STEPS`].
pub fn row(benchmark: &dyn Benchmark, arithmetic: Arithmetic, tick: impl Fn()) -> Result<Row, Mismatch> {
    let output = check(benchmark, arithmetic)?;
    tick();
    let mut times = launches(arithmetic).map(|launch| {
        let time = fastest(benchmark, arithmetic.format, launch);
        tick();
        time
    });
    Ok(Row {
        arithmetic,
        score: benchmark.score(&output),
        non_finite: output.non_finite(),
        times: std::array::from_fn(|_| times.next().expect("the serial ways come first")),
        all_cores: times.next(),
    })
}

/// Steps of a row.
pub const STEPS: u64 = 1 + Way::ALL.len() as u64 + cfg!(feature = "rayon") as u64;

/// The ways on one core, and then the wide one on all.
fn launches(arithmetic: Arithmetic) -> impl Iterator<Item = Launch<'static>> {
    let serial = Way::ALL.into_iter().map(move |way| Launch::new(way, arithmetic.keep));
    let all_cores = Launch::new(Way::Wide, arithmetic.keep).at(Place::AllCores);
    serial.chain(cfg!(feature = "rayon").then_some(all_cores))
}

/// The best time of three or more runs.
fn fastest(benchmark: &dyn Benchmark, format: Format, launch: Launch<'_>) -> Duration {
    const PATIENCE: Duration = Duration::from_millis(200);
    let start = Instant::now();
    let mut best = Duration::MAX;
    let mut runs = 0;
    while runs < 3 || start.elapsed() < PATIENCE && runs < 1000 {
        best = best.min(benchmark.run(format, launch).time);
        runs += 1;
    }
    best
}
