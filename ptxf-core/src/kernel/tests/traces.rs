//! Every version of a launch accesses the same elements.

use std::collections::BTreeSet;

use super::bodies::Nn;
use super::divergent::Divergent;
use super::*;

fn touched(way: Way, threads: usize, body: impl Body) -> BTreeSet<trace::Access> {
    trace::accesses(|| way.launch(threads.into(), body)).into_iter().collect()
}

fn footprints<E: Bits>() {
    let kinds = kinds::<E>();
    let x: Vec<E> = (0..70).map(|i| kinds[i * 11 % kinds.len()]).collect();
    let index: Vec<u32> = (0..70).map(|i| i * i).collect();
    let (mut out, mut kept, mut count, mut seen) = ([E::default(); 70], [0.0; 70], [0; 70], [0; 70]);
    for n in 0..=70 {
        let long = In::from(&x[..]);
        let nn = Nn { out: output(&mut out[..]), lat: long, lng: long, at: [E::MAX; 2], n };
        let want = touched(Way::One, 70, nn);
        assert_eq!(want.len(), 2 * n);
        for way in ways() {
            assert_eq!(touched(way, 70, nn), want, "{n} {way:?}");
        }
        let body = Divergent {
            x: In::from(&x[..n]),
            index: In::from(&index[..n]),
            out: output(&mut out[..n]),
            kept: output(&mut kept[..n]),
            count: output(&mut count[..n]),
            seen: output(&mut seen[..n]),
            n,
        };
        let want = touched(Way::One, n, body);
        for way in ways() {
            assert_eq!(touched(way, n, body), want, "{n} {way:?}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn footprints_are_the_same_for_all() {
    footprints::<F16>();
    footprints::<Bf16>();
    footprints::<f32>();
}
