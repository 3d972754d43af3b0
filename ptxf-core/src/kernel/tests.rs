//! Bodies written by hand, in every instantiation.

mod bodies;

use super::*;
use crate::types::F16;
use bodies::Nn;

#[test]
fn pairs_are_scalars() {
    let lat: [F16; 70] = core::array::from_fn(|i| F16::cvt_rn(i as f32 * 1.3 + 7.0));
    let lng: [F16; 70] = core::array::from_fn(|i| F16::cvt_rn(i as f32 * 5.1));
    for n in 0..=70 {
        for head in [false, true] {
            let run = |pair: bool| {
                let mut out = [F16::MAX; 70];
                let nn = Nn {
                    out: (&mut out[..]).into(),
                    lat: (&lat).into(),
                    lng: (&lng).into(),
                    at: [F16::cvt_rn(30.0), F16::cvt_rn(90.0)],
                    n,
                };
                let grid = Grid::from(70).head(head).order(Order::Shuffled(n as u64));
                if pair {
                    launch_pair(grid, nn)
                } else {
                    launch_one(grid, nn)
                }
                out.map(F16::to_bits)
            };
            assert_eq!(run(true), run(false), "{n} {head}");
        }
    }
}
