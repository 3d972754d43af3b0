//! Every version of a launch leaves the same bytes in every buffer.

use super::bodies::Nn;
use super::divergent::Divergent;
use super::*;

/// Elements of a buffer: 70, and some on either side.
const N: usize = 80;

fn orders() -> Vec<fn(Grid) -> Grid> {
    let mut orders: Vec<fn(Grid) -> Grid> =
        [(|g| g) as fn(Grid) -> Grid, |g| g.order(Order::Reversed), |g| g.order(Order::Shuffled(0x1234_5678_9ABC))]
            .into();
    orders.push(|g| g.block([7, 1, 1]));
    #[cfg(feature = "rayon")]
    orders.push(Grid::parallel);
    orders
}

/// Compares all versions, sizes and alignments, where `run` returns the bits of all buffers.
fn same<T: PartialEq + Debug>(run: impl Fn(usize, [usize; 3], &dyn Fn(Grid) -> Grid, Way) -> T) {
    for n in 0..=70 {
        for bases in 0..8 {
            let bases = [bases & 1, bases >> 1 & 1, bases >> 2];
            let want = run(n, bases, &|g| g, Way::One);
            for order in orders() {
                for way in ways().into_iter().chain([Way::One]) {
                    assert_eq!(run(n, bases, &order, way), want, "{n} threads, bases {bases:?}, {way:?}");
                }
            }
        }
    }
}

fn nn<E: Bits>() {
    let kinds = kinds::<E>();
    let lat = Buffer::<E, N>::new(|i| kinds[i * 5 % kinds.len()]);
    let lng = Buffer::<E, N>::new(|i| if i % 3 == 0 { kinds[i * 7 % kinds.len()] } else { E::cvt_rn(i as f32 * 4.7) });
    same(|n, bases, order, way| {
        let mut out = Buffer::<E, N>::new(|i| E::of(i as u32));
        let nn = Nn {
            // Longer than the results, to notice stores past the end.
            out: out.write(bases[0], N - 1),
            lat: lat.read(bases[1], N - 1),
            lng: lng.read(bases[2], N - 1),
            at: [30.0, 90.0].map(E::cvt_rn),
            n,
        };
        // More threads than elements, to test the guard.
        way.launch(order(Grid::from(n + n % 5)), nn);
        out.0.map(E::bits)
    });
}

fn divergent<E: Bits>() {
    let kinds = kinds::<E>();
    let x = Buffer::<E, N>::new(|i| kinds[i * 11 % kinds.len()]);
    let index = Buffer::<u32, N>::new(|i| (i * i + 3 * i) as u32);
    same(|n, bases, order, way| {
        let mut out = Buffer::<E, N>::new(|i| E::of(i as u32));
        let mut kept = Buffer::<f32, N>::new(|i| i as f32);
        let mut count = Buffer::<i32, N>::new(|i| -(i as i32));
        let mut seen = Buffer::<u32, N>::new(|i| !i as u32);
        let body = Divergent {
            x: x.read(bases[0], n),
            index: index.read(bases[2], n),
            out: out.write(bases[1], n),
            kept: kept.write(bases[2], n),
            count: count.write(bases[0], n),
            seen: seen.write(bases[1], n),
            n,
        };
        way.launch(order(Grid::from(n + n % 3)), body);
        (out.0.map(E::bits), kept.0.map(f32::to_bits), count.0, seen.0)
    });
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn nn_is_the_same_for_all() {
    nn::<F16>();
    nn::<Bf16>();
    nn::<f32>();
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn divergent_code_is_the_same_for_all() {
    divergent::<F16>();
    divergent::<Bf16>();
    divergent::<f32>();
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn a_large_odd_grid_is_the_same_for_all() {
    const MANY: usize = 12_347;
    let x: Vec<F16> = (0..MANY).map(|i| F16::of(i as u32 * 5)).collect();
    let run = |way: Way, order: &dyn Fn(Grid) -> Grid| {
        let mut out = std::vec![F16::ZERO; MANY];
        let (lat, lng) = (In::from(&x[..]), In::from(&x[..]));
        let body = Nn { out: output(&mut out[..]), lat, lng, at: [F16::ONE, F16::PI], n: MANY - 1 };
        way.launch(order(Grid::from(MANY)), body);
        out.into_iter().map(F16::to_bits).collect::<Vec<_>>()
    };
    let want = run(Way::One, &|g| g);
    for way in ways() {
        for order in orders() {
            assert!(run(way, &order) == want, "{way:?}");
        }
    }
}
