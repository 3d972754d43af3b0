//! Lengths, alignments, overlap, and lengths that differ.

use oracle::{Rng, long};
use ptxf_core::slice::{self, checked};
use ptxf_core::{F16, Level};

use crate::forms::{self, Call, SliceForm};
use crate::levels;

/// Operands, and the results of a form for each of them.
struct Sample {
    x: Vec<Vec<u64>>,
    /// For each call the results of all elements. A call with fewer elements has the first of them.
    results: Vec<(Call, Vec<u64>)>,
}

impl Sample {
    fn new(form: &SliceForm, calls: &[Call], len: usize, rng: &mut Rng) -> Self {
        let mut x = vec![Vec::new(); form.info.operands.len()];
        for _ in 0..len {
            x.iter_mut().zip(forms::operands(form, rng)).for_each(|(x, o)| x.push(o));
        }
        let all: Vec<&[u64]> = x.iter().map(Vec::as_slice).collect();
        let result = |call, i| form.info.run.call(&forms::operands_of(call, &all, i)).expect("operands");
        let results = calls.iter().map(|&call| (call, (0..len).map(|i| result(call, i)).collect())).collect();
        Self { x, results }
    }

    fn check(&self, form: &SliceForm, level: Level, call: Call, len: usize, offsets: [usize; 4]) {
        if len == 0 && matches!(call, Call::SplatFirst | Call::SplatLast) {
            return;
        }
        let x: Vec<&[u64]> = self.x.iter().map(|x| &x[..len]).collect();
        let got = (form.run)(level, call, &x, offsets);
        let (_, want) = self.results.iter().find(|(of, _)| *of == call).expect("a call of the sample");
        assert_eq!(got, want[..len], "{} at {level}, {call:?}, {len} elements at {offsets:?}", form.info.name);
    }
}

/// Every form at every length, in the short run at every fourth, each time at other alignments and
/// with another kind of call.
#[test]
fn every_length() {
    let (levels, long) = (levels(), long());
    let mut rng = Rng::from_env(0x1E46);
    let mut runs = 0;
    for (i, form) in forms::all().into_iter().enumerate() {
        let calls = if form.info.approximate { &form.calls[..1] } else { form.calls };
        let sample = Sample::new(&form, calls, 130, &mut rng);
        for &level in &levels {
            // One loop serves every kind of call; their differences do not depend on the length.
            for len in (if long { 0 } else { i % 4 }..=130).step_by(if long { 1 } else { 4 }) {
                let offsets = [0; 4].map(|_| rng.below(64) as usize);
                sample.check(&form, level, calls[(i + len) % calls.len()], len, offsets);
                runs += 1;
            }
        }
    }
    println!("{runs} calls");
}

/// Every length at every alignment of the output and another one of the operands, for one form of
/// each kind of loop.
#[test]
fn every_length_at_every_alignment() {
    let kinds = [
        "add.rn.f16",
        "fma.rn.ftz.f16",
        "max.bf16",
        "fma.rn.oob.bf16x2",
        "fma.rz.ftz.f32",
        "abs.f32",
        "neg.f16x2",
        "cvt.rn.f16.f32",
        "cvt.f32.bf16",
        "cvt.rz.bf16x2.f32",
    ];
    let mut rng = Rng::from_env(0xA_1160);
    let mut runs = 0;
    for form in forms::all().iter().filter(|f| kinds.contains(&f.info.name)) {
        let sample = Sample::new(form, form.calls, 130, &mut rng);
        for &level in &levels() {
            for len in 0..=130 {
                for offset in 0..64 / (form.info.operands[0].bits() as usize / 8) {
                    for &call in form.calls.iter().filter(|c| matches!(c, Call::Into | Call::Assign)) {
                        sample.check(
                            form,
                            level,
                            call,
                            len,
                            [offset * 3 % 32, offset * 5 % 32, offset * 7 % 32, offset],
                        );
                        runs += 1;
                    }
                }
            }
        }
    }
    println!("{runs} calls of {} forms", kinds.len());
}

/// Results that bypass the caches, which exists on x86-64 only.
#[cfg(target_arch = "x86_64")]
#[test]
fn streamed_results_are_the_same() {
    // A call's results bypass the caches if it touches more bytes than this.
    const BYTES: usize = 128 << 20;
    // The values repeat, so that the results of a part computed alone equal those of all parts.
    const PART: usize = 100_003;
    type Run = fn(Level, &[F16], &mut [F16]);
    let part: Vec<F16> =
        (0..PART as u32).map(|i| F16::from_bits((i.wrapping_mul(2_654_435_761) >> 16) as u16)).collect();
    // Each with its number of slices, the results' included.
    let runs: [(Run, usize); 2] = [
        (|level, x, out| slice::fma_rn_f16(x, x, slice::Splat(F16::ONE), slice::at(level, out)), 3),
        (|level, x, out| slice::ex2_approx_f16(x, slice::at(level, out)), 2),
    ];
    // In the short run the best level alone.
    let levels = levels();
    let levels = if long() { &levels[..] } else { &levels[levels.len() - 1..] };
    for (level, (run, slices)) in levels.iter().flat_map(|&level| runs.map(|run| (level, run))) {
        let x = part.repeat(BYTES / (slices * size_of_val(&*part)) + 1);
        let mut streamed = vec![F16::ZERO; x.len() + 3];
        run(level, &x, &mut streamed[3..]);
        assert!(streamed[..3].iter().all(|x| x.to_bits() == 0));
        let mut want = vec![F16::ZERO; PART];
        run(level, &part, &mut want);
        let want: &[u16] = slice::cast(&want);
        assert!(streamed[3..].chunks(PART).all(|d| slice::cast::<_, u16>(d) == want), "{level}");
    }
}

#[test]
fn lengths_that_differ_are_named() {
    let x = [F16::ONE; 5];
    let e = slice::fma_rn_f16(&x, &x, &x[..4], checked(&mut [F16::ZERO; 5])).unwrap_err();
    assert_eq!((e.argument(), e.len(), e.expected()), ("c", 4, 5));
    assert_eq!(e.to_string(), "`c` has 4 elements, `out` has 5");
    let e = slice::add_rn_f16_assign(checked(&mut { x }), &x[..2]).unwrap_err();
    assert_eq!(e.to_string(), "`b` has 2 elements, `a` has 5");
    let mut level = [F16::ZERO; 7];
    let e = slice::neg_f16(&x, checked(slice::at(Level::Portable, &mut level))).unwrap_err();
    assert_eq!(e.to_string(), "`a` has 5 elements, `out` has 7");
    assert_eq!(slice::neg_f16(&x, checked(&mut level[..5])), Ok(()));
    assert_eq!(level.map(F16::to_f32), [-1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 0.0]);
    let panic = std::panic::catch_unwind(|| slice::neg_f16(&x, &mut [F16::ZERO; 7])).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "`a` has 5 elements, `out` has 7");
}

#[test]
fn levels_are_named() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert_eq!(
        "sse9".parse::<Level>().unwrap_err().to_string(),
        "not a level: choose one of portable avx2 avx512 avx512-fp16 neon neon-fp16"
    );
    assert!(Level::available().count() >= 1);
}

/// The best level, or the one in the environment.
#[test]
fn levels_are_chosen() {
    // The library ignores a wrong value; a test run must not.
    let named = Level::from_env().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(Level::detect(), named.unwrap_or(Level::available().last().expect("the portable one")));
    println!("level: {}", Level::detect());
}

/// Chunks join correctly, with repeated operands too.
#[test]
fn all_cores_compute_the_same() {
    use ptxf_core::{F16x2, slice::Splat};
    for n in [0, 1, 32_767, 32_768, 32_769, 1_000_003] {
        let x: Vec<F16x2> = (0..n).map(|i: u32| F16x2::from_bits(i.wrapping_mul(2_654_435_761))).collect();
        let pair = Splat(F16x2::from_bits(0x3c00_4123));
        for level in levels() {
            let (mut one, mut all) = (x.clone(), x.clone());
            slice::fma_rn_f16x2(&x, pair, &x, slice::at(level, &mut one));
            slice::fma_rn_f16x2(&x, pair, &x, slice::at(level, &mut all).par());
            assert!(one.iter().zip(&all).all(|(a, b)| a.to_bits() == b.to_bits()), "{n} at {level}");
            slice::fma_rn_f16x2_assign(slice::at(level, &mut all).par(), pair, &x);
            slice::fma_rn_f16x2_assign(slice::at(level, &mut one), pair, &x);
            assert!(one.iter().zip(&all).all(|(a, b)| a.to_bits() == b.to_bits()), "{n} at {level}, in place");
        }
    }
}

/// Chunks have their own random words or scales: the results equal those of a call for each word or
/// scale.
#[test]
fn chunks_have_their_words_and_scales() {
    use ptxf_core::{Bf16x2, E4m3, E4m3x2, Ue8m0x2};
    for n in [0, 1, 511, 512, 513, 1_023, 1_025, 20_001] {
        let bits = |i: usize| (i as u32 + 1).wrapping_mul(2_654_435_761);
        // From 1 to 2, so that each result depends on its random number.
        let x: Vec<f32> = (0..n).map(|i| f32::from_bits(0x3F80_0000 | bits(i) >> 9)).collect();
        let words: Vec<u32> = (n..n + n.div_ceil(2)).map(bits).collect();
        for level in levels() {
            let (mut one, mut all) = (vec![F16::ZERO; n], vec![F16::ONE; n]);
            for ((x, word), out) in x.chunks(2).zip(words.chunks(1)).zip(one.chunks_mut(2)) {
                slice::cvt_rs_f16_f32(x, word, slice::at(level, out));
            }
            slice::cvt_rs_f16_f32(&x, &words, slice::at(level, &mut all));
            assert_eq!(slice::cast::<_, u16>(&one), slice::cast::<_, u16>(&all), "pairs, {n} at {level}");
            all.fill(F16::ONE);
            slice::cvt_rs_f16_f32(&x, &words, slice::at(level, &mut all).par());
            assert_eq!(slice::cast::<_, u16>(&one), slice::cast::<_, u16>(&all), "pairs, {n} at {level} on all cores");
            let words = &words[..n.div_ceil(4)];
            let (mut one, mut all) = (vec![E4m3::from_bits(0); n], vec![E4m3::from_bits(1); n]);
            for ((x, word), out) in x.chunks(4).zip(words.chunks(1)).zip(one.chunks_mut(4)) {
                slice::cvt_rs_satfinite_e4m3_f32(x, word, slice::at(level, out));
            }
            slice::cvt_rs_satfinite_e4m3_f32(&x, words, slice::at(level, &mut all));
            assert_eq!(one, all, "quads, {n} at {level}");
            all.fill(E4m3::from_bits(1));
            slice::cvt_rs_satfinite_e4m3_f32(&x, words, slice::at(level, &mut all).par());
            assert_eq!(one, all, "quads, {n} at {level} on all cores");
        }
        let codes: Vec<E4m3x2> = (0..n).map(|i| E4m3x2::from_bits(bits(i) as u16)).collect();
        let scales: Vec<Ue8m0x2> = (n..2 * n).map(|i| Ue8m0x2::from_bits(bits(i) as u16)).collect();
        let (mut one, mut all) = (vec![Bf16x2::from_bits(0); n], vec![Bf16x2::from_bits(1); n]);
        for ((codes, scale), out) in codes.chunks(1).zip(scales.chunks(1)).zip(one.chunks_mut(1)) {
            slice::cvt_rn_scaled_n2_ue8m0_bf16x2_e4m3x2(codes, scale, out);
        }
        slice::cvt_rn_scaled_n2_ue8m0_bf16x2_e4m3x2(&codes, &scales, slice::par(&mut all));
        assert_eq!(slice::cast::<_, u32>(&one), slice::cast::<_, u32>(&all), "scales, {n}");
    }
}
