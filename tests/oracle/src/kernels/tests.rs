//! Tests of the generator.

use super::generate;

#[test]
fn the_seed_decides() {
    assert_eq!(generate(1, 0, 5), generate(1, 0, 5));
    assert_ne!(generate(1, 0, 5), generate(2, 0, 5));
    // A single kernel equals the same one of many.
    let [many, alone] = [generate(1, 0, 5), generate(1, 3, 1)];
    let from = alone.find("mod kernel_3").unwrap();
    assert!(many.contains(&alone[from..]));
}
