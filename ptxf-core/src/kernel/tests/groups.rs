//! Accesses to several pairs load and store the same elements at every alignment.

use super::super::pair::Joined;
use super::super::pairs::Alignment;
use super::super::pairs::{Pairs, Pairs2, Pairs4, Pairs8};
use super::*;

/// The alignments that an access to elements from the `i`-th on may state, if the slice's address
/// is a multiple of 64.
fn stated(i: usize, size: usize, lanes: usize) -> Vec<Alignment> {
    let group = (i * size).is_multiple_of(16.min(lanes * size)).then_some(Alignment::Group);
    let pair = i.is_multiple_of(2).then_some(Alignment::Pair);
    [group, pair, Some(Alignment::Element), Some(Alignment::Unknown)].into_iter().flatten().collect()
}

fn accesses<N: Pairs, P: Joined<Lane: Copy + PartialEq + Debug>>(of: impl Fn(u8) -> P::Lane) {
    let lanes = 2 * N::COUNT;
    let x = Buffer::<_, 64>::new(|i| of(i as u8));
    // Under Miri, which takes minutes for all, indices of every remainder by 8.
    for i in (0..=64 - lanes).step_by(if cfg!(miri) { 7 } else { 1 }) {
        for alignment in stated(i, size_of::<P::Lane>(), lanes) {
            let values = x.read(0, 64).pairs::<N, P>(i, alignment);
            let read: Vec<_> = (0..N::COUNT).flat_map(|n| N::get(&values, n).split()).collect();
            assert_eq!(read, x.0[i..i + lanes], "{i} {alignment:?}");
            let mut out = Buffer::<_, 64>::new(|_| of(255));
            out.write(0, 64).set_pairs::<N, P>(i, alignment, values);
            let want = Buffer::<_, 64>::new(|j| if (i..i + lanes).contains(&j) { of(j as u8) } else { of(255) });
            assert_eq!(out.0, want.0, "{i} {alignment:?}");
        }
    }
}

fn every_number<P: Joined<Lane: Copy + PartialEq + Debug>>(of: impl Fn(u8) -> P::Lane + Copy) {
    accesses::<Pairs2, P>(of);
    accesses::<Pairs4, P>(of);
    accesses::<Pairs8, P>(of);
}

#[test]
fn several_pairs_are_the_elements_one_by_one() {
    every_number::<F16x2>(|i| F16::from_bits(i.into()));
    every_number::<F32x2>(|i| f32::from_bits(i.into()));
    every_number::<[f32; 2]>(|i| f32::from_bits(i.into()));
    every_number::<[u8; 2]>(|i| i);
    every_number::<[u64; 2]>(u64::from);
}

#[test]
#[should_panic(expected = "thread accesses element 60 of a slice of 60")]
fn a_group_is_in_range_as_a_whole() {
    let x = Buffer::<_, 64>::new(|_| F16::default());
    let _ = x.read(0, 60).pairs::<Pairs4, F16x2>(53, Alignment::Unknown);
}

#[test]
fn a_head_moves_the_aligned_start() {
    let x = Buffer::<_, 64>::new(|_| F16::default());
    for start in 0..16 {
        for head in 0..8 {
            let of = x.read(start, 8);
            assert_eq!(of.begins_aligned_by::<F16>(8, head), (start + 8 - head).is_multiple_of(8), "{start} {head}");
            assert_eq!(of.begins_aligned_by::<F16>(4, head), (start + 8 - head).is_multiple_of(4), "{start} {head}");
            assert_eq!(of.begins_aligned_by::<F16>(16, head), (start + 8 - head).is_multiple_of(8), "{start} {head}");
        }
    }
}
