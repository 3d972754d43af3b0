//! Where a program is, asked at moments that it does not choose: a timer's signal finds the instruction that was to be next.

#![allow(unsafe_code, reason = "a signal's handler is told the instruction by a pointer of C's")]

use std::io;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How many moments, and how far apart.
const PLACES: usize = 1024;
const EVERY: libc::suseconds_t = 150;
/// No machine is busy for so long that the timer does not get through.
const PATIENCE: Duration = Duration::from_secs(5);

static NOTED: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];
static COUNT: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let i = COUNT.fetch_add(1, Relaxed);
    if let Some(place) = NOTED.get(i) {
        // SAFETY: with SA_SIGINFO the kernel passes a ucontext_t, which lives as long as the handler runs.
        let registers = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        place.store(registers[libc::REG_RIP as usize] as u64, Relaxed);
    }
}

fn timer(every: libc::suseconds_t) -> io::Result<()> {
    let time = libc::timeval { tv_sec: 0, tv_usec: every };
    let timer = libc::itimerval { it_interval: time, it_value: time };
    // SAFETY: the timer is read, and nobody asks for the one before.
    if unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut()) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Which instructions `run` was at, called as often as it takes.
pub(super) fn places(mut run: impl FnMut()) -> Result<Vec<u64>, String> {
    let error = |e: io::Error| format!("the time cannot be sampled: {e}");
    // SAFETY: all-zero bytes are a sigaction of no flags and an empty mask.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = note as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and touches atomics alone.
    if unsafe { libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut()) } != 0 {
        return Err(error(io::Error::last_os_error()));
    }
    COUNT.store(0, Relaxed);
    timer(EVERY).map_err(error)?;
    let start = Instant::now();
    while COUNT.load(Relaxed) < PLACES && start.elapsed() < PATIENCE {
        run();
    }
    timer(0).map_err(error)?;
    let count = COUNT.load(Relaxed).min(PLACES);
    Ok(NOTED[..count].iter().map(|place| place.load(Relaxed)).collect())
}
