//! Slice operations at every level of this machine, against the reference implementation: values,
//! lengths, alignments, overlap.
//!
//! A level that the machine lacks is skipped with a message. With `PTXF_STRICT=1` that is a
//! failure.

mod block;
mod convert;
mod forms;
mod functions;
mod narrow;
mod reduce;
mod shapes;
mod values;

use ptxf_core::Level;

/// Returns the levels to test.
fn levels() -> Vec<Level> {
    let levels: Vec<_> = Level::available().collect();
    let skipped: Vec<_> = Level::ALL.into_iter().filter(|l| l.is_compiled() && !levels.contains(l)).collect();
    for level in &skipped {
        println!("SKIPPED: this CPU has no level {level}");
    }
    println!("levels: {} tested, {} skipped", levels.len(), skipped.len());
    let strict = std::env::var("PTXF_STRICT").is_ok_and(|v| v == "1");
    assert!(skipped.is_empty() || !strict, "skipped under PTXF_STRICT=1: {skipped:?}");
    levels
}
