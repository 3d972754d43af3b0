//! `compare`: every form on the device against the CPU, bit for bit.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use wildmatch::WildMatch;

use crate::deadline::Deadline;
use crate::forms::{self, Reading, Subject};
use crate::manifest::Stamp;
use crate::operands::{Class, Source};
use crate::probes::Probes as _;
use crate::runner::{self, Runner};
use crate::store::Store;
use crate::tally::Tally;

mod report;

/// The forms and operands to compare. A run continues an earlier one with the same choice.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Random operands of a form that computes; conversions get a quarter, forms that compare or
    /// select a sixteenth
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    pub(crate) random: u64,
    /// Operands near ties and other thresholds per form
    #[arg(long, value_name = "N", default_value_t = 1 << 18)]
    pub(crate) near_ties: u64,
    /// Combine a quarter of the edge operands only
    #[arg(long)]
    pub(crate) few_edges: bool,
    /// Leave out the 2^32 pairs of f16 and bf16 add, mul, min, max
    #[arg(long)]
    pub(crate) no_pairs: bool,
    /// Spellings or globs such as '*.f16'; without any, every form
    #[arg(long, value_name = "FORM")]
    pub(crate) forms: Vec<String>,
    /// Seed of the random operands
    #[arg(long, default_value_t = 0x7074_7866)]
    pub(crate) seed: u64,
}

impl Choice {
    /// Returns `true` if the comparison is as complete as evidence needs.
    pub(crate) fn is_whole(&self) -> bool {
        self.random >= 1 << 24
            && self.near_ties >= 1 << 18
            && !self.few_edges
            && !self.no_pairs
            && self.forms.is_empty()
    }

    /// Returns the number of random operands. A conversion gets fewer, since half of them are at
    /// boundaries of the result, and a form that compares or selects has few outcomes.
    fn random_of(&self, form: &Subject) -> u64 {
        match form.reading {
            Reading::Computes(_) => self.random,
            Reading::Converts(_) | Reading::Several(_) => self.random / 4,
            Reading::Compares(_) => self.random / 16,
        }
    }
}

/// A part of a form's comparison, which has a line in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    /// All operands of a 16-bit form of one; else edges, near ties and random operands.
    Operands,
    /// All 2³² pairs.
    AllPairs,
}

/// The outcome of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    form: String,
    function: String,
    part: Part,
    /// `true` if the kernel is the one instruction, `false` if the target needs a replacement.
    native: bool,
    approximate: bool,
    /// The lists of operands with their lengths.
    lists: Vec<(Class, u64)>,
    seconds: f64,
    tally: Tally,
}

impl Line {
    fn expected(&self) -> u64 {
        self.lists.iter().map(|list| list.1).sum()
    }

    /// Returns `true` if a result is missing or wrong. An approximate instruction may differ.
    fn is_wrong(&self) -> bool {
        self.tally.compared != self.expected() || self.tally.different > 0 && !(self.approximate && self.native)
    }

    fn verdict(&self) -> &'static str {
        let Tally { compared, nan, different, .. } = self.tally;
        if compared != self.expected() {
            "INCOMPLETE"
        } else if self.is_wrong() {
            "DIFFERENT"
        } else if different > 0 {
            "approximate"
        } else if nan > 0 {
            "equal but for NaN bits"
        } else {
            "equal"
        }
    }
}

/// The first line of the log.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    stamp: Stamp,
    choice: Choice,
}

/// Counts of a run of `compare`.
pub(crate) struct Outcome {
    /// Number of parts with a wrong result.
    pub(crate) wrong: usize,
    /// Number of parts that are left for another run.
    pub(crate) left: usize,
}

/// Compares the parts that earlier runs left, until the deadline.
pub(crate) fn run(runner: &mut Runner<'_>, store: &mut Store, choice: &Choice, deadline: Deadline) -> Result<Outcome> {
    let work = work(choice)?;
    for (form, _) in &work {
        ensure!(runner.ptx().has(form.identifier), "{} has no kernel {}", runner.ptx().file, form.identifier);
    }
    let mut log = Log::open(store, choice)?;
    let done: BTreeSet<(String, Part)> = log.lines.iter().map(|line| (line.function.clone(), line.part)).collect();
    let mut left = 0;
    let mut space = Space::default();
    for (form, part) in work {
        if done.contains(&(form.identifier.to_owned(), part)) {
            continue;
        }
        match one(runner, &form, part, choice, deadline, &mut space)? {
            Some(line) => log.add(store, line)?,
            None => left += 1,
        }
    }
    let wrong = log.lines.iter().filter(|line| line.is_wrong()).count();
    report::write(store, choice, &log.lines, left)?;
    Ok(Outcome { wrong, left })
}

/// Returns the parts, the shortest first: a run that ends early has compared most forms. Pairs take
/// longest.
fn work(choice: &Choice) -> Result<Vec<(Subject, Part)>> {
    let all = forms::all();
    for glob in &choice.forms {
        ensure!(all.iter().any(|form| WildMatch::new(glob).matches(form.name)), "`{glob}` matches no form");
    }
    let chosen =
        |form: &&Subject| choice.forms.is_empty() || choice.forms.iter().any(|g| WildMatch::new(g).matches(form.name));
    let forms: Vec<Subject> = all.iter().filter(chosen).copied().collect();
    let pairs = forms.iter().filter(|form| form.has_all_pairs() && !choice.no_pairs);
    let pairs: Vec<_> = pairs.map(|form| (*form, Part::AllPairs)).collect();
    let mut work: Vec<_> = forms.iter().map(|form| (*form, Part::Operands)).chain(pairs).collect();
    work.sort_by_cached_key(|(form, part)| lists(form, *part, choice).iter().map(|list| list.len).sum::<u64>());
    Ok(work)
}

fn lists(form: &Subject, part: Part, choice: &Choice) -> Vec<Source> {
    let source = |class, count| Source::new(form, class, count, choice.seed);
    if part == Part::AllPairs {
        return vec![source(Class::AllPairs, 0)];
    }
    if form.info.operands.len() == 1 && form.info.operands[0].lane_bits() == 16 {
        return vec![source(Class::AllInputs, 0)];
    }
    if let Reading::Converts(_) = form.reading {
        // Half of these are edges of the source and boundaries of the result.
        return vec![source(Class::Random, choice.random_of(form))];
    }
    let edges = if choice.few_edges { Class::FewEdges } else { Class::Edges };
    vec![source(edges, 0), source(Class::NearTies, choice.near_ties), source(Class::Random, choice.random_of(form))]
}

/// Operands and results of a batch, whose memory is used again.
#[derive(Default)]
struct Space {
    columns: Vec<Vec<u64>>,
    results: Vec<u64>,
}

/// Compares a part. Returns `None` if the deadline comes first.
fn one(
    runner: &mut Runner<'_>,
    form: &Subject,
    part: Part,
    choice: &Choice,
    deadline: Deadline,
    space: &mut Space,
) -> Result<Option<Line>> {
    let start = Instant::now();
    let lists = lists(form, part, choice);
    let answer = |columns: &[Vec<u64>], results: &mut Vec<u64>| runner.run_into(form, columns, results);
    let Some(tally) = tallied(form, &lists, deadline, space, answer)? else { return Ok(None) };
    Ok(Some(Line {
        form: form.name.to_owned(),
        function: form.identifier.to_owned(),
        part,
        native: !form.is_history() && runner.ptx().is_native(form.identifier, form.name),
        approximate: form.info.approximate,
        lists: lists.iter().map(|source| (source.class, source.len)).collect(),
        seconds: start.elapsed().as_secs_f64(),
        tally,
    }))
}

/// Compares the results of `answer` with the CPU's. Returns `None` if the deadline comes first.
fn tallied(
    form: &Subject,
    lists: &[Source],
    deadline: Deadline,
    space: &mut Space,
    mut answer: impl FnMut(&[Vec<u64>], &mut Vec<u64>) -> Result<()>,
) -> Result<Option<Tally>> {
    let mut tally = Tally::default();
    let batch = runner::batch(form);
    for source in lists {
        for first in (0..source.len).step_by(batch as usize) {
            if deadline.is_over() {
                return Ok(None);
            }
            source.fill(first..source.len.min(first + batch), &mut space.columns);
            answer(&space.columns, &mut space.results)?;
            tally = tally.merge(Tally::of(form, source.class, first, &space.columns, &space.results));
        }
    }
    Ok(Some(tally))
}

/// The parts that are done, one JSON object per line: later runs leave them out.
struct Log {
    path: std::path::PathBuf,
    lines: Vec<Line>,
}

impl Log {
    /// Continues the log if device, driver, PTX and choice are the same; else starts a new one.
    fn open(store: &Store, choice: &Choice) -> Result<Self> {
        let path = store.path("compare.jsonl");
        let header = Header { stamp: store.stamp.clone(), choice: choice.clone() };
        let text = fs::read_to_string(&path).unwrap_or_default();
        // A line without a line break was cut off.
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let mut lines = whole.lines();
        let same = lines.next().and_then(|line| serde_json::from_str::<Header>(line).ok()).is_some_and(|h| h == header);
        let lines: Vec<Line> =
            if same { lines.map_while(|line| serde_json::from_str(line).ok()).collect() } else { Vec::new() };
        if !lines.is_empty() {
            store.say(&format!("{} forms were compared before", lines.len()));
        }
        let mut fresh = serde_json::to_string(&header)? + "\n";
        for line in &lines {
            fresh += &(serde_json::to_string(line)? + "\n");
        }
        fs::write(&path, fresh).with_context(|| path.display().to_string())?;
        Ok(Self { path, lines })
    }

    fn add(&mut self, store: &Store, line: Line) -> Result<()> {
        let text = serde_json::to_string(&line)? + "\n";
        let append = || {
            let mut file = OpenOptions::new().append(true).open(&self.path)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()
        };
        append().with_context(|| self.path.display().to_string())?;
        let Tally { compared, nan, different, .. } = line.tally;
        let (verdict, seconds) = (line.verdict(), line.seconds);
        store.say(&format!(
            "{:<36} {compared:>11} compared, {different} different, {nan} other NaNs: {verdict} ({seconds:.1} s)",
            line.form
        ));
        self.lines.push(line);
        Ok(())
    }
}

#[cfg(test)]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_every_form_and_the_eight_of_all_pairs() {
        let choice = Choice {
            random: 1 << 24,
            near_ties: 1 << 18,
            few_edges: false,
            no_pairs: false,
            forms: Vec::new(),
            seed: 1,
        };
        let work = work(&choice).unwrap();
        assert_eq!(work.len(), forms::all().len() + 8);
        let total: u64 = work.iter().flat_map(|(f, p)| lists(f, *p, &choice)).map(|s| s.len).sum();
        println!("{total} comparisons");
        assert!(total > 1 << 35);
        let typo = Choice { forms: vec!["ad.*".to_owned()], ..choice };
        assert!(super::work(&typo).is_err());
    }
}
