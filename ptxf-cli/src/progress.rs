//! A line on the terminal that says how far a long launch is, and goes when there is something else to say.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ptxf_vm::Machine;

/// Shorter launches say nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is written anew.
const EVERY: Duration = Duration::from_millis(200);

/// Whether there is a line: a terminal has one for all.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Draws the line where the standard error is a terminal.
pub(crate) fn follow(machine: &mut Machine) {
    if !io::stderr().is_terminal() {
        return;
    }
    let next = Mutex::new(Instant::now() + PATIENCE);
    machine.set_progress(move |ended, blocks| {
        let (now, mut next) = (Instant::now(), next.lock().unwrap_or_else(PoisonError::into_inner));
        if ended == blocks {
            clear();
        } else if now >= *next {
            *next = now + EVERY;
            IS_DRAWN.store(true, Ordering::Relaxed);
            // Whoever writes next begins where the line does.
            let _ = write!(io::stderr(), "{}\x1b[K\r", text(ended, blocks));
        }
    });
}

/// Takes the line away, if there is one.
pub(crate) fn clear() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        let _ = write!(io::stderr(), "\x1b[K");
    }
}

fn text(ended: u64, blocks: u64) -> String {
    const WIDTH: u64 = 20;
    let of = |whole: u64| (u128::from(ended) * u128::from(whole) / u128::from(blocks.max(1))) as usize;
    format!("[{:<20}] {:>3} % of {blocks} blocks", "=".repeat(of(WIDTH)), of(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_a_bar_and_a_number() {
        assert_eq!(text(0, 3), "[                    ]   0 % of 3 blocks");
        assert_eq!(text(3, 4), "[===============     ]  75 % of 4 blocks");
        assert_eq!(text(1 << 40, 1 << 40), "[====================] 100 % of 1099511627776 blocks");
    }
}
