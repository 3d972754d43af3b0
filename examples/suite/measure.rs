//! Runs every version of a benchmark, compares the bits, and then measures the times.

use std::error::Error;
use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use crate::benchmark::{Benchmark, Difference, Output, Score};
use crate::launch::{Launch, Place, Way};
use crate::real::Format;

/// A format, and a flag for kept variables in f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    pub format: Format,
    pub keep: bool,
}

impl Arithmetic {
    /// Returns f32, and a 16-bit format without and with kept variables.
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

/// The results of a benchmark in one arithmetic.
pub struct Row {
    pub arithmetic: Arithmetic,
    pub score: Score,
    pub non_finite: usize,
    /// Times, in the order of [`Way::ALL`].
    pub times: [Duration; 3],
    /// Time of `wide` on all cores.
    pub all_cores: Option<Duration>,
    /// The error and the time of `scalar` without `fuse`. `None` with kept variables.
    pub unfused: Option<(f64, Duration)>,
}

/// The results of a benchmark in each arithmetic, and of the plain loop in f32.
pub struct Measured {
    pub plain: Duration,
    pub rows: Vec<Row>,
}

/// A version whose results differ from the scalar kernel's.
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

impl Error for Mismatch {}

/// A plain loop whose results differ from those of the f32 kernel without `fuse`.
#[derive(Debug)]
pub struct Unlike {
    benchmark: &'static str,
    distance: f64,
    most: f64,
}

impl Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { benchmark, distance, most } = self;
        write!(f, "{benchmark}: the plain loop is {distance:e} from the kernel in f32, and may be {most:e}")
    }
}

impl Error for Unlike {}

/// Returns the results if all versions have the same bits.
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

/// Checks that the plain loop has the results of the f32 kernel without `fuse`.
pub fn check_plain(benchmark: &dyn Benchmark) -> Result<(), Unlike> {
    let kernel = benchmark.run(Format::F32, Launch::unfused());
    let (distance, most) = (benchmark.plain().distance(&kernel), benchmark.plain_differs_by());
    if distance > most { Err(Unlike { benchmark: benchmark.name(), distance, most }) } else { Ok(()) }
}

/// Measures a benchmark. `tick` is called after each of the [`steps`].
pub fn measure(
    benchmark: &dyn Benchmark,
    arithmetics: &[Arithmetic],
    tick: impl Fn(),
) -> Result<Measured, Box<dyn Error>> {
    check_plain(benchmark)?;
    tick();
    let mut rows = Vec::new();
    for &arithmetic in arithmetics {
        let output = check(benchmark, arithmetic)?;
        tick();
        let alone = |launch| {
            let time = fastest(|| benchmark.run(arithmetic.format, launch).time);
            tick();
            time
        };
        let [scalar, pair] = [Way::Scalar, Way::Pair].map(|way| alone(Launch::new(way, arithmetic.keep)));
        let all_cores = Launch::new(Way::Wide, arithmetic.keep).at(Place::AllCores);
        let unfused = (!arithmetic.keep).then(|| {
            let error = benchmark.score(&benchmark.run(arithmetic.format, Launch::unfused())).error;
            (error, fastest(|| benchmark.run(arithmetic.format, Launch::unfused()).time))
        });
        tick();
        rows.push(Row {
            arithmetic,
            score: benchmark.score(&output),
            non_finite: output.non_finite(),
            times: [scalar, pair, Duration::MAX],
            all_cores: cfg!(feature = "rayon").then(|| alone(all_cores)),
            unfused,
        });
    }
    // The contenders alternate, so that other load affects both.
    let plain = fastest(|| {
        for Row { arithmetic, times: [.., wide], .. } in &mut rows {
            let launch = Launch::new(Way::Wide, arithmetic.keep);
            *wide = benchmark.run(arithmetic.format, launch).time.min(*wide);
        }
        benchmark.plain().time
    });
    tick();
    Ok(Measured { plain, rows })
}

/// Returns the number of steps of a benchmark in that many arithmetics.
pub const fn steps(arithmetics: usize) -> u64 {
    2 + arithmetics as u64 * (1 + Way::ALL.len() as u64 + cfg!(feature = "rayon") as u64)
}

/// Returns the launches of all versions on one core, then of `wide` on all cores.
fn launches(arithmetic: Arithmetic) -> impl Iterator<Item = Launch<'static>> {
    let serial = Way::ALL.into_iter().map(move |way| Launch::new(way, arithmetic.keep));
    let all_cores = Launch::new(Way::Wide, arithmetic.keep).at(Place::AllCores);
    serial.chain(cfg!(feature = "rayon").then_some(all_cores))
}

/// Returns the best time of three or more rounds.
fn fastest(mut round: impl FnMut() -> Duration) -> Duration {
    const PATIENCE: Duration = Duration::from_millis(200);
    let start = Instant::now();
    let mut best = Duration::MAX;
    let mut rounds = 0;
    while rounds < 3 || start.elapsed() < PATIENCE && rounds < 1000 {
        best = best.min(round());
        rounds += 1;
    }
    best
}
