//! How much stack a launch takes, measured: the lowest page of a thread's stack that it has touched.
//!
//! It is as much as a thread of a program needs for it, which may be one of a thread pool, with 2 MiB, or one of a server's, with less.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};

use super::STACK;

/// The most that a launch of a kernel takes that somebody wrote, without optimization of the kernel and with it.
pub(crate) const WRITTEN: usize = if cfg!(debug_assertions) { 256 << 10 } else { 64 << 10 };

/// Of one that nobody wrote, whose expressions nest as nobody's do.
pub(crate) const GENERATED: usize = 4 * WRITTEN;

/// Insists that what is run takes no more stack than so many bytes.
pub(crate) fn is_below(most: usize, run: impl FnOnce() + Send, what: impl Fn() -> String) {
    match used(run) {
        Some(bytes) => {
            if std::env::var_os("PTXF_STACK").is_some() {
                println!("stack: {bytes} bytes, {}", what().lines().next().unwrap_or_default());
            }
            assert!(bytes <= most, "{bytes} bytes of stack, and {most} are allowed: {}", what());
        }
        None if cfg!(all(target_os = "linux", target_arch = "x86_64"))
            && std::env::var_os("PTXF_STRICT").is_some_and(|v| v == "1") =>
        {
            panic!("nothing says how much stack is used, under PTXF_STRICT=1");
        }
        None => eprintln!("skipped: nothing says how much stack is used here"),
    }
}

/// What is run on a thread of its own, and the bytes of stack below this; `None` where the system does not say.
fn used(run: impl FnOnce() + Send) -> Option<usize> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            let here = 0_u8;
            run();
            touched(&raw const here as usize)
        });
        thread.expect("a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// From an address on a stack down to the lowest page of it that was ever touched.
fn touched(top: usize) -> Option<usize> {
    // Of whose pages the size is known.
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    const PAGE: usize = 4096;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let start = maps.lines().find_map(|line| {
        let (first, last) = line.split_once(' ')?.0.split_once('-')?;
        let (first, last) = (usize::from_str_radix(first, 16).ok()?, usize::from_str_radix(last, 16).ok()?);
        (first..last).contains(&top).then_some(first)
    })?;
    // Eight bytes for each page, the last bits of which say that it is in memory or was.
    let mut pages = fs::File::open("/proc/self/pagemap").ok()?;
    pages.seek(SeekFrom::Start((start / PAGE * 8) as u64)).ok()?;
    let mut entries = vec![0; ((top - start) / PAGE + 1) * 8];
    pages.read_exact(&mut entries).ok()?;
    let first = entries.chunks(8).position(|entry| entry[7] & 0xC0 != 0)?;
    Some(top - (start + first * PAGE))
}

#[test]
fn what_is_touched_is_measured() {
    #[inline(never)]
    fn deep(n: usize) -> u8 {
        let page = std::hint::black_box([n as u8; 4096]);
        if n == 0 { page[5] } else { deep(n - 1).wrapping_add(page[3]) }
    }
    let of = |n| used(move || _ = std::hint::black_box(deep(n)));
    let (Some(few), Some(many)) = (of(1), of(101)) else { return };
    assert!(few < 64 << 10 && many - few >= 100 * 4096 && many < 4 << 20, "{few} and {many}");
}
