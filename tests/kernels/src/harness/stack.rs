//! Stack use of a launch, measured by the lowest touched page of a thread's stack.
//!
//! The thread may be one of a thread pool with 2 MiB, or one of a server with less.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};

use super::STACK;

/// Most bytes of stack of a handwritten kernel's launch, without and with optimization of the
/// kernel.
pub(crate) const WRITTEN: usize = if cfg!(debug_assertions) { 256 << 10 } else { 64 << 10 };

/// Most bytes of stack of a generated kernel, whose expressions nest deeper.
pub(crate) const GENERATED: usize = 4 * WRITTEN;

/// Checks that `run` takes at most that many bytes of stack.
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

/// Runs it on a thread of its own and returns the bytes of stack used. `None` where the system does
/// not report them.
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

/// Returns the bytes from an address on a stack down to the lowest page that was ever touched.
fn touched(top: usize) -> Option<usize> {
    // The page size is known there.
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
    // Eight bytes for each page; the upper bits are set if the page is or was in memory.
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
