//! A bounded sample, the same at every run.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

use oracle::rng::Rng;

use super::{Macro, bytes, find, mutant, seeds, tokens_of};

/// The number of mutants of each macro. `cargo +nightly fuzz run` tests without an end.
const COUNT: usize = 1000;

/// The stack in bytes: that of the compiler's own thread.
const STACK: usize = 8 << 20;

fn sample(of: Macro) {
    let run = move || {
        let mut rng = Rng::new(0x5EED_0011 + of as u64);
        // Each failure once, by its message.
        let mut failures = BTreeMap::new();
        for _ in 0..if oracle::long() { COUNT } else { COUNT / 8 } {
            let data: Vec<u8> = (0..64).map(|_| rng.next() as u8).filter(|b| *b != b'#').collect();
            if let Err(e) = panic::catch_unwind(AssertUnwindSafe(|| bytes(of, &data))) {
                let text = e.downcast_ref::<String>().cloned();
                let text = text.or(e.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default();
                let first = text.lines().next().unwrap_or_default().to_owned();
                failures.entry(first).or_insert_with(|| (text, mutant(of, &data).to_string()));
            }
        }
        assert!(failures.is_empty(), "{of:?}, {} kinds: {failures:#?}", failures.len());
    };
    thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("what was said above");
}

#[test]
fn kernels() {
    sample(Macro::Kernel);
}

#[test]
fn functions() {
    sample(Macro::Function);
}

#[test]
fn modules() {
    sample(Macro::Module);
}

#[test]
fn lines() {
    sample(Macro::Ptx);
}

#[test]
fn tables() {
    sample(Macro::Table);
}

/// A sample proves nothing if its seeds or its mutants are wrong.
#[test]
fn seeds_and_mutants() {
    for of in [Macro::Kernel, Macro::Function, Macro::Module, Macro::Ptx, Macro::Table] {
        let complaints = |tokens| {
            let mut complaints = Vec::new();
            find(of.expand(tokens), &mut complaints);
            complaints.len()
        };
        let right = seeds::of(of).iter().filter(|seed| complaints(tokens_of(seed).expect("tokens")) == 0).count();
        assert!(right + 2 >= seeds::of(of).len(), "{of:?}");
        let mut rng = Rng::new(1);
        let mutants = (0..200).map(|_| mutant(of, &(0..64).map(|_| rng.next() as u8).collect::<Vec<_>>()));
        let refused = mutants.filter(|tokens| complaints(tokens.clone()) > 0).count();
        assert!((50..200).contains(&refused), "{of:?}: {refused}");
    }
}
