//! A bar for people, a line now and then for files.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a line is printed where there is no terminal.
const LINES: Duration = Duration::from_secs(15);

/// Shows how far a form is.
pub(super) struct Progress {
    bar: ProgressBar,
    plain: Option<Instant>,
}

impl Progress {
    /// Of `total` inputs, `done` are old.
    pub(super) fn new(form: &str, total: u64, done: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let style = "{prefix:<32} {wide_bar} {percent:>3} % {per_sec:>10} ETA {eta}";
        let style = ProgressStyle::with_template(style).expect("the template is well-formed");
        // `per_sec` prints inputs with all their digits; millions are what one reads.
        let per_second = |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1} M/s", state.per_sec() / 1e6);
        };
        bar.set_style(style.with_key("per_sec", per_second));
        bar.set_prefix(form.to_owned());
        bar.set_position(done);
        bar.reset_eta();
        let plain = bar.is_hidden().then(Instant::now);
        Self { bar, plain }
    }

    /// Counts finished inputs.
    pub(super) fn add(&mut self, inputs: u64) {
        self.bar.inc(inputs);
        if let Some(last) = &mut self.plain
            && last.elapsed() >= LINES
        {
            *last = Instant::now();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let (percent, eta) = (done as f64 / total as f64 * 100.0, HumanDuration(self.bar.eta()));
            eprintln!("{} {percent:.1} %, {:.1} M/s, {eta} to go", self.bar.prefix(), self.bar.per_sec() / 1e6);
        }
    }

    /// Makes room for what is printed next.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
