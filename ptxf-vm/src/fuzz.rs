//! A property that holds for any bytes at all. `fuzz/` tries it without end, a test for a moment.

use crate::{Arg, Check, Filter, Machine, Module};

/// Lengths that no message has, however long its text is.
const LONGEST_ERROR: usize = 4000;
const LONGEST_FAULT: usize = 20_000;

/// A text is refused, and otherwise each launch of its entries, under a check and tools, ends in a result or in a fault.
///
/// # Panics
///
/// It panics if that does not hold.
pub fn machine(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(module) = Module::parse(&text) else { return };
    // Every second text is checked, and in an order of its own.
    let (check, seed) =
        if text.len().is_multiple_of(2) { (Check::Memory, None) } else { (Check::Race, Some(text.len() as u64)) };
    let mut machine = Machine::new().check(check);
    machine.set_limit(2000);
    machine.set_schedule(seed);
    machine.set_output(|_| {});
    let Ok(program) = machine.load(&module) else { return };
    for name in module.entries().take(4) {
        let entry = match program.entry(name) {
            Ok(entry) => entry,
            Err(error) => {
                assert!(error.to_string().len() < LONGEST_ERROR, "{error}");
                continue;
            }
        };
        let x = machine.buffer(&[1_u32; 64]);
        for args in [vec![Arg::from(x)], vec![], vec![Arg::from(x), Arg::from(7_u32)]] {
            let ends = [
                machine.launch(&entry, 2, 40, 64, &args),
                machine.count(&entry, 2, 40, 64, &args).map(|counts| _ = counts.total()),
                machine.births(&entry, 2, 40, 64, &args, None),
                machine.record(&entry, 2, 40, 64, &args, &Filter::default()).map(|recording| {
                    assert_eq!(recording.compare(&recording, 0.0).first, None);
                }),
            ];
            for fault in ends.into_iter().filter_map(Result::err) {
                assert!(fault.to_string().len() < LONGEST_FAULT);
            }
            for report in machine.reports() {
                assert!(report.line() > 0 && report.to_string().len() < LONGEST_FAULT);
            }
        }
    }
}
