//! Sets of features that show if a feature uses another one.
//!
//! Code of a feature `a` that uses a feature `b` compiles while both are on. To find it `a` has to
//! be on while `b` is off, for every pair. A set for each feature does that, and far fewer sets do:
//! each feature gets its own choice of half the sets, and of two different choices of one size
//! neither contains the other.

/// Returns sets such that each item is in one of them without any given other item. The first set
/// is empty.
pub(crate) fn sets<T>(items: &[T]) -> Vec<Vec<&T>> {
    let (mut width, mut choices) = (2, 2);
    while choices < items.len() {
        width += 1;
        // The number of ways to choose half of `width` sets, from the number for one set less.
        choices = choices * width / width.div_ceil(2);
    }
    let codes: Vec<u32> = (0..1 << width).filter(|code: &u32| code.count_ones() == width as u32 / 2).collect();
    let set =
        |bit: usize| items.iter().zip(&codes).filter(|(_, code)| *code >> bit & 1 == 1).map(|(item, _)| item).collect();
    std::iter::once(Vec::new()).chain((0..width).map(set)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_is_on_while_each_other_is_off() {
        for count in 1..40 {
            let items: Vec<usize> = (0..count).collect();
            let sets = super::sets(&items);
            assert!(sets[0].is_empty());
            assert!(items.iter().all(|item| sets.iter().any(|set| set.contains(&item))), "one of {count} is nowhere");
            for (a, b) in items.iter().flat_map(|a| items.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
                assert!(sets.iter().any(|set| set.contains(&a) && !set.contains(&b)), "{a} with {b} alone, of {count}");
            }
        }
        assert_eq!(super::sets(&[0; 17]).len(), 7);
    }
}
