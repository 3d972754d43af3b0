//! Tests of long arithmetic and of the functions made of it.

use crate::table::nat::{self, Nat};
use crate::table::number::{Dyadic, Rational};
use oracle::Rng;

use super::*;

fn natural(rng: &mut Rng, words: u64) -> Nat {
    // Words of ones and of zeros cause carries and wrong guesses of quotients.
    let word = |rng: &mut Rng| match rng.next() % 4 {
        0 => u64::MAX,
        1 => 1 << 63,
        _ => rng.next(),
    };
    let n: Nat = (0..rng.next() % words + 1).map(|_| word(rng)).collect();
    nat::add(&nat::shr(&n, (rng.next() % 64) as i64), &[])
}

#[test]
fn quotients_and_roots_are_exact() {
    let mut rng = Rng::from_env(0x7AB1);
    for _ in 0..if oracle::long() { 100_000 } else { 10_000 } {
        let (a, b) = (natural(&mut rng, 8), natural(&mut rng, 5));
        if !b.is_empty() {
            let (q, r) = nat::div_rem(&a, &b);
            assert!(nat::cmp(&r, &b).is_lt());
            assert_eq!(nat::add(&nat::mul(&q, &b), &r), a, "{a:x?} / {b:x?}");
        }
        let small = rng.next() >> (rng.next() % 64) | 1;
        assert_eq!(nat::div_small(&a, small), nat::div_rem(&a, &[small]).0);
        let (root, exact) = nat::sqrt(&a);
        let square = nat::mul(&root, &root);
        assert!(nat::cmp(&square, &a).is_le());
        assert_eq!(exact, square == a);
        let above = nat::add(&root, &[1]);
        assert!(nat::cmp(&nat::mul(&above, &above), &a).is_gt());
    }
}

#[test]
fn decimals_are_exact() {
    let tenth = Rational::from_decimal("1", -1).unwrap();
    let half = Rational::from_decimal("050", -2).unwrap();
    assert_eq!(half, Rational::from_parts(false, 1, -1).unwrap());
    let deep = Deep::new(64);
    let Value::Exact(product) = deep.exact_mul(&tenth, &Rational::from_i64(5).unwrap()) else { panic!() };
    assert!(deep.exact_cmp(&product, &half).is_eq());
    assert_eq!(product.as_dyadic().unwrap(), Dyadic::power_of_two(-1));
    assert_eq!(Rational::from_decimal("000", 7), None);
    // 0.1 lies between its neighbours in binary64.
    let (lo, hi) = tenth.to_f64().unwrap();
    assert_eq!((lo.next_up(), hi), (hi, 0.1));
}

#[test]
fn a_sum_with_something_tiny_is_just_beside() {
    let (one, tiny) = (Dyadic::from_i64(1), Dyadic::power_of_two(-1 << 40));
    for (small, up) in [(tiny.clone(), true), (tiny.negated(), false)] {
        let bound = one.sum(&small, 64, up);
        assert_eq!(bound.cmp(&one), if up { Ordering::Greater } else { Ordering::Less });
        assert!(one.sum(&small, 64, !up).cmp(&one).is_eq());
        let distance = bound.exact_sum(&one.negated()).abs();
        assert!(distance.cmp(&Dyadic::power_of_two(-63)).is_le());
    }
}
