//! Every form on operands at which implementations are often wrong.

use meaning::meaning;
use oracle::layout::Layout;
use oracle::{Form, Rng, edges, lanes, long};
use ptxf_core::Level;
use ptxf_core::spec::Type;

use crate::forms::{self, Call, SliceForm};
use crate::levels;

/// Random operands per form; `cargo exhaust --level all --sample 16384` takes more of them.
const RANDOM: usize = 4_000;

/// Operands: edges and all 65,536 values of a 16-bit form with one operand, in a short run every
/// fifth. For other forms grids of edges, and random operands with near ties among them.
fn operands(form: &SliceForm, fewer: bool, rng: &mut Rng) -> Vec<Vec<u64>> {
    if form.info.instruction == "cvt" {
        return converted(form, fewer, rng);
    }
    let parsed = Form::parse(form.info.name).expect("the oracles know every form");
    let n = form.info.operands.len();
    let pair = |low: u64, high: u64| if parsed.lanes == 2 { lanes::join(&parsed, &[low, high]) } else { low };
    let mut x = vec![Vec::new(); n];
    let mut push = |operands: &[u64]| x.iter_mut().zip(operands).for_each(|(x, &o)| x.push(o));
    let all = edges::of(parsed.ty);
    let (first, step) = if fewer { (rng.below(5), 5) } else { (0, 1) };
    match n {
        1 if form.info.operands[0].lane_bits() == 16 => {
            let mut both = |a: u64| push(&[pair(a, a.wrapping_mul(40_503) & 0xFFFF)]);
            all.iter().copied().for_each(&mut both);
            (first..1 << 16).step_by(step).for_each(both);
        }
        1 => all.iter().for_each(|&a| push(&[pair(a, all[a as usize % all.len()])])),
        2 => {
            let first = if fewer { &edges::few(parsed.ty) } else { all };
            first.iter().for_each(|&a| all.iter().for_each(|&b| push(&[pair(a, b), pair(b, a)])));
        }
        _ => {
            let few = edges::few(parsed.ty);
            for &a in few.iter().step_by(if fewer { 4 } else { 1 }) {
                few.iter().for_each(|&b| few.iter().for_each(|&c| push(&[pair(a, c), pair(b, a), pair(c, b)])));
            }
        }
    }
    let divisor = if form.info.approximate || fewer { 4 } else { 1 };
    (0..RANDOM / divisor).for_each(|_| push(&forms::operands(form, rng)));
    x
}

/// All registers of at most 16 bits, all 16-bit lanes, and random operands; for two operands of
/// 8-bit lanes all pairs.
fn converted(form: &SliceForm, fewer: bool, rng: &mut Rng) -> Vec<Vec<u64>> {
    let mut x = vec![Vec::new(); form.info.operands.len()];
    let ty = form.info.operands[0];
    let all = 1_u64 << ty.bits().min(16);
    if ty.bits() <= 16 || ty.lane_bits() == 16 {
        let pair = |a: u64| if ty.bits() == 32 { a | (a.wrapping_mul(40_503) & 0xFFFF) << 16 } else { a };
        let [first, others @ ..] = &mut x[..] else { unreachable!("a form has operands") };
        // In a short run every fifth of more than 256.
        let (begin, step) = if fewer && all > 256 { (rng.below(5), 5) } else { (0, 1) };
        let all = || (begin..all).step_by(step);
        first.extend(all().map(pair));
        others.iter_mut().for_each(|x| x.extend(all().map(|a| u64::from((a as u16).swap_bytes()))));
    }
    for _ in 0..if fewer { RANDOM / 2 } else { 4 * RANDOM } {
        x.iter_mut().zip(forms::operands(form, rng)).for_each(|(x, o)| x.push(o));
    }
    x
}

/// Compares the results at each level and returns their number.
fn compare(form: &SliceForm, levels: &[Level], x: &[Vec<u64>], want: &[u64]) -> usize {
    let x: Vec<&[u64]> = x.iter().map(Vec::as_slice).collect();
    for &level in levels {
        let got = (form.run)(level, Call::Into, &x, [0; 4]);
        assert_eq!(got.len(), want.len(), "{} at {level}", form.info.name);
        if let Some(i) = got.iter().zip(want).position(|(got, want)| got != want) {
            let operands = forms::operands_of(Call::Into, &x, i);
            panic!("{} at {level} of {operands:#x?}: {:#x}, not {:#x}", form.info.name, got[i], want[i]);
        }
    }
    levels.len() * want.len()
}

fn verify(wanted: impl Fn(&SliceForm) -> bool) {
    let (levels, fewer) = (levels(), !long());
    let forms: Vec<_> = forms::all().into_iter().filter(|f| wanted(f)).collect();
    let mut rng = Rng::from_env(0x0005_11CE);
    let mut compared = 0;
    for form in &forms {
        let x = operands(form, fewer, &mut rng);
        let want: Vec<u64> =
            (0..x[0].len()).map(|i| meaning(form.info, &x.iter().map(|x| x[i]).collect::<Vec<_>>())).collect();
        compared += compare(form, &levels, &x, &want);
    }
    println!("{} forms, {} results at {} levels", forms.len(), compared, levels.len());
    assert!(!forms.is_empty());
}

const FLOATS: [Type; 7] = [Type::F16, Type::F16x2, Type::Bf16, Type::Bf16x2, Type::F32, Type::F32x2, Type::F64];
const INTEGERS: [Type; 8] = [Type::U8, Type::U16, Type::U32, Type::U64, Type::S8, Type::S16, Type::S32, Type::S64];

fn ty(form: &SliceForm, of: &[Type]) -> bool {
    of.contains(&form.info.operands[0])
}

/// Returns `true` if the result has another type than the operands.
fn converts(form: &SliceForm) -> bool {
    form.info.result != form.info.operands[0]
}

/// Tests of parts, and a test that the parts are all forms.
macro_rules! parts {
    ($($test:ident |$f:ident| $of:expr;)*) => {
        $(#[test]
        fn $test() {
            verify(|$f| $of);
        })*

        #[test]
        fn every_form_is_in_one_part() {
            for form in forms::all() {
                let parts = [$({
                    let $f = &form;
                    $of
                }),*];
                assert_eq!(parts.into_iter().filter(|part| *part).count(), 1, "{}", form.info.name);
            }
        }
    };
}

parts! {
    f16_is_the_meaning |f| ty(f, &[Type::F16, Type::F16x2]);
    bf16_is_the_meaning |f| ty(f, &[Type::Bf16, Type::Bf16x2]);
    f32_is_the_meaning |f| {
        ty(f, &[Type::F32, Type::F32x2]) && !matches!(f.info.instruction, "fma" | "mad") && !converts(f)
    };
    f32_fma_is_the_meaning |f| ty(f, &[Type::F32, Type::F32x2]) && matches!(f.info.instruction, "fma" | "mad");
    conversions_of_f32_are_the_meaning |f| ty(f, &[Type::F32]) && converts(f);
    f64_is_the_meaning |f| ty(f, &[Type::F64]);
    integers_are_the_meaning |f| ty(f, &INTEGERS);
    narrow_numbers_are_the_meaning |f| {
        f.info.instruction == "cvt" && !ty(f, &FLOATS) && !ty(f, &INTEGERS)
    };
}

/// A pair of vectors is computed differently if a lane is NaN or has to be flushed. Here one such
/// lane is in a pair among ordinary numbers.
#[test]
fn a_lane_unlike_the_others_is_the_meaning() {
    // As many 16-bit lanes as a pair of the largest vectors has.
    const LANES: usize = 64;
    let (levels, mut rng) = (levels(), Rng::from_env(0x0DD_1A4E));
    let forms = forms::all().into_iter().filter(|form| {
        let ty = form.info.operands[0];
        matches!(ty, Type::F16 | Type::Bf16 | Type::F32) && form.info.operands.len() > 1 && !converts(form)
    });
    let mut compared = 0;
    for form in forms {
        let ty = Form::parse(form.info.name).expect("the oracles know every form").ty;
        let mut unlike = edges::few(ty);
        if form.info.operands[0] == Type::F32 {
            // The neighbourhood of the largest subnormal that affects a sum, and the root of the
            // smallest normal number.
            let around = (-103..-99).map(|k| 2_f32.powi(k)).chain([2_f32.powi(-63)]).map(|x| u64::from(x.to_bits()));
            unlike.extend(around.flat_map(|x| [x - 1, x, x + 1, x | 1 << 31]));
        }
        let layout = Layout::of(ty);
        // 1.5, 1.25 and −0.75
        let (one, binade) = (layout.one(), layout.min_normal());
        let ordinary = [one + binade / 2, one + binade / 4, (one - binade / 2) | layout.sign_bit()];
        let n = form.info.operands.len();
        let mut x = vec![Vec::new(); n];
        let mut want = Vec::new();
        let usual = meaning(form.info, &ordinary[..n]);
        for _ in 0..if long() { 500 } else { 100 } {
            let operands: Vec<_> = (0..n).map(|_| rng.pick(&unlike)).collect();
            let (start, at) = (want.len(), rng.below(LANES as u64) as usize);
            for (x, ordinary) in x.iter_mut().zip(ordinary) {
                x.resize(start + LANES, ordinary);
            }
            want.resize(start + LANES, usual);
            x.iter_mut().zip(&operands).for_each(|(x, &o)| x[start + at] = o);
            want[start + at] = meaning(form.info, &operands);
        }
        compared += compare(&form, &levels, &x, &want);
    }
    println!("{compared} results at {} levels", levels.len());
    assert_ne!(compared, 0);
}

/// Every eighth or 32nd block of 2^16 significands; they repeat beyond a power of four.
/// `cargo exhaust --level all rsqrt.approx.f32` takes every operand.
#[test]
fn rsqrt_of_a_sample_of_significands_is_the_meaning() {
    use ptxf_core::format::Binary32;
    use ptxf_core::{Modifiers, sem, slice};
    let levels: Vec<_> = levels().into_iter().filter(|l| *l != Level::Portable).collect();
    for first in (0x3F80_0000_u32..0x4080_0000).step_by(if long() { 1 << 19 } else { 1 << 21 }) {
        let x: Vec<f32> = (first..first + (1 << 16)).map(f32::from_bits).collect();
        let want: Vec<u32> = x.iter().map(|x| sem::rsqrt_approx::<Binary32>(Modifiers::PLAIN, x.to_bits())).collect();
        for &level in &levels {
            let mut d = vec![0.0; x.len()];
            slice::rsqrt_approx_f32(&x, slice::at(level, &mut d));
            assert!(d.iter().zip(&want).all(|(d, want)| d.to_bits() == *want), "{level} from {first:#x} on");
        }
    }
}
