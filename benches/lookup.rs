//! Times conversions of e4m3 pairs to f16 pairs by a table of pairs, by a table of lanes, and by
//! computation, at every level.
//!
//! The table of pairs has 65,536 entries of four bytes, which fit into L2 but not into L1. The
//! table of lanes has 256 entries of two bytes. In each round every contender runs once, and its
//! best round counts; one contender copies as many bytes. The ratios to that copy are reliable.
//! Results are compared before anything is timed. Uniform bits spread over a whole table, normally
//! distributed numbers over some hundred codes.
//!
//! ```sh
//! cargo bench -p benches --bench lookup
//! ```

mod common;

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use common::Random;
use ptxf::{E4m3, E4m3x2, F16x2, Level, ptx, slice};

/// Pairs per call, and the cache level that holds operands and results.
const SIZES: [(&str, usize); 3] = [("L1", 4 << 10), ("L2", 128 << 10), ("DRAM", 16 << 20)];

type Run<'a> = Box<dyn Fn(&[E4m3x2], &mut [F16x2]) + 'a>;

/// Returns nanoseconds per pair of each contender, the best of interleaved rounds.
fn race(contenders: &[(String, Run<'_>)], x: &[E4m3x2], out: &mut [F16x2]) -> Vec<f64> {
    let calls = (4_000_000 / x.len()).max(1);
    let mut best = vec![f64::INFINITY; contenders.len()];
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(3) {
        for ((_, run), best) in contenders.iter().zip(&mut best) {
            let start = Instant::now();
            (0..calls).for_each(|_| run(black_box(x), black_box(out)));
            *best = best.min(start.elapsed().as_nanos() as f64 / (calls * x.len()) as f64);
        }
    }
    best
}

fn main() {
    let pairs: Vec<F16x2> = (0..=u16::MAX).map(|x| ptx::cvt_rn_f16x2_e4m3x2(E4m3x2::from_bits(x))).collect();
    let lanes: Vec<u16> = (0..=u8::MAX).map(|x| pairs[usize::from(x)].lo().to_bits()).collect();
    let (pairs, lanes): (&[F16x2; 1 << 16], &[u16; 256]) =
        (pairs.as_slice().try_into().expect("all pairs"), lanes.as_slice().try_into().expect("all lanes"));
    let mut contenders: Vec<(String, Run<'_>)> = vec![
        (
            "65,536 pairs".into(),
            Box::new(|x, out| x.iter().zip(out).for_each(|(x, out)| *out = pairs[usize::from(x.to_bits())])),
        ),
        (
            "256 lanes".into(),
            Box::new(|x, out| {
                for (x, out) in x.iter().zip(out) {
                    let [low, high] = x.to_bits().to_le_bytes().map(|x| u32::from(lanes[usize::from(x)]));
                    *out = F16x2::from_bits(high << 16 | low);
                }
            }),
        ),
    ];
    for level in Level::available() {
        let run: Run<'_> = Box::new(move |x, out| slice::cvt_rn_f16x2_e4m3x2(x, slice::at(level, out)));
        contenders.push((format!("slice at {level}"), run));
    }
    let all: Vec<_> = (0..=u16::MAX).map(E4m3x2::from_bits).collect();
    for (who, run) in &contenders {
        let mut out = vec![F16x2::ZERO; all.len()];
        run(&all, &mut out);
        assert!(out.iter().zip(pairs).all(|(a, b)| a.to_bits() == b.to_bits()), "{who} differs");
    }
    for (inputs, draw) in [
        ("uniform", (|r| r.bits() as u16) as fn(&mut Random) -> u16),
        ("N(0, 1)", |r| u16::from_le_bytes([(); 2].map(|()| E4m3::from_f32(r.normal() as f32).to_bits()))),
    ] {
        for (size, len) in SIZES {
            let mut random = Random(1);
            let x: Vec<_> = (0..len).map(|_| E4m3x2::from_bits(draw(&mut random))).collect();
            // Half of the two bytes that are read and the four that are written.
            let (from, to) = (vec![1_u8; 3 * len], RefCell::new(vec![0; 3 * len]));
            let copy: Run<'_> =
                Box::new(move |_, _| black_box(&mut *to.borrow_mut()).copy_from_slice(black_box(&from)));
            contenders.push(("copy".into(), copy));
            let best = race(&contenders, &x, &mut vec![F16x2::ZERO; len]);
            println!("{inputs}, {size}: ns/pair, times the copy");
            for ((who, _), ns) in contenders.iter().zip(&best) {
                println!("    {who:20} {ns:7.3} {:7.2}", ns / best[best.len() - 1]);
            }
            contenders.pop();
        }
    }
}
