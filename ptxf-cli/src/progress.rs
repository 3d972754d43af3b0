//! The progress bar of a long launch, on the terminal.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ptxf_vm::Machine;

/// A launch that takes less time has no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar on standard error. Nothing is drawn if that is not a terminal.
static BAR: LazyLock<ProgressBar> = LazyLock::new(|| {
    let template = "[{bar:20}] {percent:>3} % of {len} blocks";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style.progress_chars("== "))
});

/// Draws the bar while the machine runs blocks.
pub(crate) fn follow(machine: &mut Machine) {
    let start = Instant::now();
    machine.set_progress(move |ended, blocks| {
        if ended == blocks {
            clear();
        } else if start.elapsed() > PATIENCE {
            if BAR.is_finished() {
                BAR.reset();
            }
            BAR.set_length(blocks);
            BAR.set_position(ended);
        }
    });
}

/// Removes the bar, so that the next message has a line of its own.
pub(crate) fn clear() {
    BAR.finish_and_clear();
}
