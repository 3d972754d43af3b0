//! Random texts: given texts, cut, joined and changed. A fuzzer continues without end; the tests
//! use a fixed number.

use crate::rng::Rng;

/// Calls `check` on the seeds and then on `count` changed mixtures of them, in a short run on an
/// eighth.
///
/// # Panics
///
/// Panics where `check` does, and prints the input first. Panics if there are no seeds.
pub fn sample(seeds: &[&[u8]], count: u64, default: u64, check: impl Fn(&[u8])) {
    assert!(!seeds.is_empty(), "mixtures are made of something");
    let checked = |bytes: &[u8]| {
        let said = Said(bytes);
        check(bytes);
        std::mem::forget(said);
    };
    seeds.iter().for_each(|seed| checked(seed));
    let mut rng = Rng::from_env(default);
    for _ in 0..if crate::long() { count } else { count / 8 } {
        checked(&mixture(seeds, &mut rng));
    }
}

/// Prints the input if the check panics.
struct Said<'a>(&'a [u8]);

impl Drop for Said<'_> {
    fn drop(&mut self) {
        eprintln!("the input is b\"{}\"", self.0.escape_ascii());
    }
}

/// One to three pieces of the seeds with up to eight changes.
fn mixture(seeds: &[&[u8]], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..=rng.below(3) {
        let seed = rng.pick(seeds);
        let from = if rng.below(2) == 0 { 0 } else { place(seed, rng) };
        let to = if rng.below(2) == 0 { seed.len() } else { place(seed, rng) };
        bytes.extend_from_slice(seed.get(from..to).unwrap_or(seed));
    }
    for _ in 0..rng.below(9) {
        change(&mut bytes, rng);
    }
    bytes
}

fn place(bytes: &[u8], rng: &mut Rng) -> usize {
    rng.below(bytes.len() as u64 + 1) as usize
}

fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = place(bytes, rng);
    // Printable bytes break structure; other bytes break assumptions about text.
    let byte = if rng.below(4) == 0 { rng.next() as u8 } else { 0x20 + rng.below(0x5f) as u8 };
    match rng.below(6) {
        0 => bytes.insert(at, byte),
        1 if at < bytes.len() => bytes[at] = byte,
        2 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        3 if at < bytes.len() => drop(bytes.remove(at)),
        4 => {
            let end = (at + rng.below(16) as usize).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => {
            let end = (at + rng.below(16) as usize).min(bytes.len());
            let again = bytes[at..end].to_vec();
            let to = place(bytes, rng);
            bytes.splice(to..to, again);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn mixtures_differ_and_come_again() {
        let seeds: [&[u8]; 2] = [b"one two three", b"4567"];
        let all = |seed| {
            let seen = RefCell::new(Vec::new());
            let mut rng = Rng::new(seed);
            (0..1000).for_each(|_| seen.borrow_mut().push(mixture(&seeds, &mut rng)));
            seen.into_inner()
        };
        assert_eq!(all(1), all(1));
        assert!(all(1).into_iter().collect::<BTreeSet<_>>().len() > 800);
    }

    #[test]
    fn seeds_are_checked_and_so_are_mixtures() {
        let seen = RefCell::new(Vec::new());
        sample(&[b"seed"], 16, 1, |bytes| seen.borrow_mut().push(bytes.to_vec()));
        let count = 1 + if crate::long() { 16 } else { 2 };
        assert_eq!((seen.borrow().len(), seen.borrow()[0].as_slice()), (count, b"seed".as_slice()));
    }
}
