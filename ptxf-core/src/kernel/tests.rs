//! Bodies written by hand, in every instantiation.

mod bodies;

use super::*;
use crate::level::Level;
use crate::types::{Bf16, F16};
use bodies::Nn;

#[test]
fn pairs_are_scalars() {
    of::<F16>();
    of::<Bf16>();
    of::<f32>();
}

fn of<E: Element>() {
    let lat: [E; 70] = core::array::from_fn(|i| E::cvt_rn(i as f32 * 1.3 + 7.0));
    let lng: [E; 70] = core::array::from_fn(|i| E::cvt_rn(i as f32 * 5.1));
    for n in 0..=70 {
        for head in [false, true] {
            let run = |way: Option<Option<Level>>| {
                let mut out = [E::MAX; 70];
                let nn = Nn {
                    out: (&mut out[..]).into(),
                    lat: (&lat).into(),
                    lng: (&lng).into(),
                    at: [E::cvt_rn(30.0), E::cvt_rn(90.0)],
                    n,
                };
                let grid = Grid::from(70).head(head).order(Order::Shuffled(n as u64));
                match way {
                    None => launch_one(grid, nn),
                    Some(None) => launch_pair(grid, nn),
                    Some(Some(level)) => launch_wide(grid.level(level), nn),
                }
                out.map(|x| x.widen().to_bits())
            };
            assert_eq!(run(Some(None)), run(None), "{n} {head}");
            for level in Level::available() {
                assert_eq!(run(Some(Some(level))), run(None), "{n} {head} {level}");
            }
        }
    }
}
