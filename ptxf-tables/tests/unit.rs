//! The function unit with computed coefficients of a device's widths: a wrong shift, sign or
//! exponent causes an error far above the documented ones.

use std::f64::consts::TAU;

use ptxf_core::format::{Binary32, Binary64};
use ptxf_core::{Modifiers, sem};
use ptxf_tables::device::unit::{self, Coefficients, Complement, Evaluation, Function, Step, Table, square};

const FTZ: Modifiers = Modifiers::PLAIN.with_ftz(true);

/// Returns the parabola through three points of each segment, rounded to coefficients.
fn made_up(function: Function) -> Vec<Coefficients> {
    let e = Evaluation::known(function);
    let bits = if function == Function::Rcp { 16 } else { 17 };
    let width = f64::from(1 << bits);
    // The value of the sum at a point of the segment.
    let value = |segment: usize, u: f64| {
        let f = (segment as f64 % if bits == 16 { 128.0 } else { 64.0 } + u) * width / f64::from(1 << 23);
        let m = if segment >= 64 && bits == 17 { 2.0 * (1.0 + f) } else { 1.0 + f };
        let (y, scale) = match function {
            Function::Rcp => (1.0 / m, 24),
            Function::Rsq => (1.0 / m.sqrt(), 24),
            Function::Sqrt => (m.sqrt(), 23),
            Function::Ex2 => (f.exp2(), 23),
            Function::Lg2 => (m.log2(), 36),
            _ => ((f * TAU / 4.0).sin(), 37),
        };
        y * 2_f64.powi(scale + e.shift as i32)
    };
    (0..function.segments())
        .map(|i| {
            let (y0, y1, y2) = (value(i, 0.0), value(i, 0.5), value(i, 1.0));
            let (slope, curve) = (4.0 * y1 - 3.0 * y0 - y2, 2.0 * (y0 + y2) - 4.0 * y1);
            // `x << x_square` over 2^17 is u.
            let c = (curve / f64::from(1_u32 << (15 + e.c))).round();
            // C is coarse; slope and start compensate its error, at the ends and in the middle.
            let off = curve - c * f64::from(1_u32 << (15 + e.c));
            let b = ((slope + off) / width).round();
            let a = ((y0 - off / 8.0) / f64::from(1 << e.a)).round();
            Coefficients { a: a as i32, b: b as i32, c: c as i32 }
        })
        .collect()
}

fn mufu(function: Function) -> impl Fn(u32) -> u32 {
    let coefficients: &'static [Coefficients] = made_up(function).leak();
    let table = Table::new(function, Evaluation::known(function), Complement::Ones, coefficients).unwrap();
    move |x| table.call(x)
}

/// Returns operands from all binades and all segments, and special values.
fn operands() -> impl Iterator<Item = u32> {
    let specials = [0, 1, 0x7f_ffff, 0x80_0000, 0x3f7f_ffff, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7fc0_0000];
    let spread = (0..1_u32 << 17).map(|i| (i << 14).wrapping_add(i.wrapping_mul(0x9e37_79b1) >> 19));
    specials.into_iter().chain(spread).flat_map(|x| [x, x ^ 1 << 31])
}

/// Returns the distance in representable numbers; all NaNs are equal.
fn ulps(x: u32, y: u32) -> u32 {
    let key = |v: u32| if v >> 31 == 0 { i64::from(v) } else { -i64::from(v & 0x7fff_ffff) };
    match (f32::from_bits(x).is_nan(), f32::from_bits(y).is_nan()) {
        (true, true) => 0,
        (false, false) => key(x).abs_diff(key(y)) as u32,
        _ => u32::MAX,
    }
}

#[track_caller]
fn close(name: &str, most: u32, got: impl Fn(u32) -> u32, expected: impl Fn(u32) -> u32) {
    let mut worst = 0;
    for x in operands() {
        let (g, e) = (got(x), expected(x));
        let d = ulps(g, e);
        assert!(d <= most, "{name} {x:#010x}: {g:#010x}, expected {e:#010x}");
        worst = worst.max(d);
    }
    println!("{name}: {worst}");
}

#[test]
fn the_squarer_leaves_out_what_the_formula_leaves_out() {
    for x in 0..1_u32 << 17 {
        // By the definition bit i adds x >> (18 − i).
        let sum: u32 = (0..17).filter(|i| x >> i & 1 == 1).map(|i| x >> (18 - i)).sum();
        assert_eq!(square(x), sum >> 1, "{x:#x}");
        // Each of 17 rows loses less than one, and half of the sum less than one.
        let exact = u64::from(x).pow(2);
        let lost = (exact as f64) / f64::from(1 << 19) - f64::from(square(x));
        assert!((0.0..9.5).contains(&lost), "{x:#x}: {lost}");
    }
    assert!((0..17).all(|i| square(1 << i) == (1_u64 << (2 * i) >> 19) as u32));
    assert_eq!(square(0xfffe_0000 | 5), square(5));
}

#[test]
fn one_instruction_is_the_function() {
    let f = |function| mufu(function);
    // Coefficients fitted to the squarer would be one unit better here.
    close("RCP", 2, f(Function::Rcp), |x| sem::rcp::<Binary32>(FTZ, x));
    close("RSQ", 3, f(Function::Rsq), |x| sem::rsqrt_approx::<Binary32>(FTZ, x));
    close("SQRT", 3, f(Function::Sqrt), |x| sem::sqrt::<Binary32>(FTZ, x));
    // 7.23 fixed point costs half a unit of 2^x more.
    close("EX2", 3, f(Function::Ex2), |x| sem::ex2::<Binary32>(FTZ, x));
}

#[test]
fn logarithm_and_waves_are_absolute() {
    let lg2 = mufu(Function::Lg2);
    let (sin, cos) = (mufu(Function::Sin), mufu(Function::Cos));
    for x in operands() {
        let v = f64::from(f32::from_bits(x));
        let get = |f: &dyn Fn(u32) -> u32| f64::from(f32::from_bits(f(x)));
        if v >= f64::from(f32::MIN_POSITIVE) && v.is_finite() {
            let error = (get(&lg2) - v.log2()).abs();
            assert!(error <= 2_f64.powi(-21).max(v.log2().abs() * 2_f64.powi(-22)), "lg2 {x:#010x}: {error:e}");
        }
        if v.abs() < 4096.0 {
            let (s, c) = (v * TAU).sin_cos();
            let limit = 2_f64.powf(-20.4);
            assert!((get(&sin) - s).abs() <= limit, "sin of {x:#010x} turns: {}, {s}", get(&sin));
            assert!((get(&cos) - c).abs() <= limit, "cos of {x:#010x} turns: {}, {c}", get(&cos));
        }
    }
    // A whole turn makes no difference.
    assert_eq!(sin(0x3e80_0000), sin(1.25_f32.to_bits()));
    assert_eq!(sin(0x7f7f_ffff), 0);
}

#[test]
fn special_values_are_the_manuals() {
    let one = 0x3f80_0000;
    let (inf, minus_inf, minus_zero, nan) = (0x7f80_0000, 0xff80_0000, 0x8000_0000, 0x7fff_ffff);
    let subnormal = 0x0040_0000;
    let any = Complement::Twos;
    for (function, operand, result) in [
        (Function::Rcp, 0, inf),
        (Function::Rcp, minus_zero | subnormal, minus_inf),
        (Function::Rcp, minus_inf, minus_zero),
        (Function::Rsq, minus_zero, minus_inf),
        (Function::Rsq, inf, 0),
        (Function::Rsq, 0xbf80_0000, nan),
        (Function::Rsq, minus_inf, nan),
        (Function::Rsq, 0x4080_0000, 0x3f00_0000),
        (Function::Sqrt, minus_zero, minus_zero),
        (Function::Sqrt, inf, inf),
        (Function::Sqrt, 0x8080_0000, nan),
        (Function::Ex2, subnormal, one),
        (Function::Ex2, minus_zero, one),
        (Function::Ex2, inf, inf),
        (Function::Ex2, minus_inf, 0),
        (Function::Ex2, 0x4300_0000, inf),
        (Function::Ex2, 0xc300_0000, 0),
        (Function::Lg2, one, 0),
        (Function::Lg2, subnormal, minus_inf),
        (Function::Lg2, minus_zero, minus_inf),
        (Function::Lg2, minus_inf, nan),
        (Function::Lg2, inf, inf),
        (Function::Sin, minus_zero, minus_zero),
        (Function::Sin, subnormal, 0),
        (Function::Sin, inf, nan),
        (Function::Cos, minus_zero | subnormal, one),
        (Function::Cos, minus_inf, nan),
        (Function::Cos, one, one),
        (Function::Cos, 0x3f00_0000, 0xbf80_0000),
        (Function::Tanh, minus_zero | subnormal, minus_zero | subnormal),
        (Function::Tanh, 0x3b7f_ffff, 0x3b7f_ffff),
        (Function::Tanh, 0x4100_0000, one),
        (Function::Tanh, minus_inf, 0xbf80_0000),
    ] {
        assert_eq!(function.step(operand, any), Step::Done(result), "{function:?} {operand:#010x}");
        for nans in [0x7f80_0001, 0xffc0_0000, nan] {
            assert_eq!(function.step(nans, any), Step::Done(nan));
        }
    }
}

/// The tables of f32 compute the upper words of f64.
#[test]
fn upper_words_are_the_functions() {
    let table = |function| {
        let coefficients: &'static [Coefficients] = made_up(function).leak();
        Table::new(function, Evaluation::known(function), Complement::Ones, coefficients).unwrap()
    };
    let (rcp, rsq) = (table(Function::Rcp), table(Function::Rsq));
    for x in operands() {
        let wide = u64::from(x) << 32;
        for (name, got, expected) in [
            ("rcp", unit::rcp_approx_f64(wide, |x| rcp.upper(x)), sem::rcp_approx_f64::<Binary64>(FTZ, wide)),
            (
                "rsqrt",
                unit::rsqrt_approx_f64(true, wide, |x| rsq.upper(x)),
                sem::rsqrt_approx_f64::<Binary64>(FTZ, wide),
            ),
        ] {
            let off = (got >> 32).abs_diff(expected >> 32);
            assert!(off <= 1 && got as u32 == 0, "{name} {x:#010x}: {got:#x}, expected {expected:#x}");
        }
        // The step toward the root squares the error.
        let root = unit::rsqrt_approx_f64(false, wide | 0x1234_5678, |x| rsq.upper(x));
        let exact = sem::rsqrt_approx::<Binary64>(Modifiers::PLAIN, wide | 0x1234_5678);
        let nan = f64::from_bits(root).is_nan() && f64::from_bits(exact).is_nan();
        assert!(nan || root.abs_diff(exact) <= 4, "{x:#010x}: {root:#x}, expected {exact:#x}");
    }
}

#[test]
fn every_operand_is_in_its_table() {
    use Function::{Cos, Ex2, Lg2, Rcp, Rsq, Sin, Sqrt, Tanh};
    for function in [Rcp, Rsq, Sqrt, Ex2, Lg2, Sin, Cos, Tanh] {
        let mut seen = vec![0; function.segments()];
        for complement in [Complement::Ones, Complement::Twos] {
            // Arbitrary coefficients cause no panic.
            let wild: Vec<_> = (0..function.segments())
                .map(|i| [i32::MIN, -1, 0, i32::MAX][i % 4])
                .map(|v| Coefficients { a: v, b: v, c: v })
                .collect();
            let table = Table::new(function, Evaluation::known(function), complement, &wild).unwrap();
            for x in operands() {
                let _ = table.call(x);
                if let Step::Look { segment, x, .. } = function.step(x, complement) {
                    seen[segment] += 1;
                    assert!(x < if function == Rcp { 1 << 16 } else { 1 << 17 });
                }
            }
            assert!(Table::new(function, Evaluation::known(function), complement, &wild[1..]).is_none());
        }
        assert!(seen.iter().all(|n| *n > 0), "{function:?}: {seen:?}");
    }
}

/// With a correctly rounded MUFU only the instructions around it can be wrong.
#[test]
fn the_sequences_around_an_ideal_unit() {
    let plain = Modifiers::PLAIN;
    let rcp = |x| sem::rcp::<Binary32>(FTZ, x);
    let rsq = |x| sem::rsqrt_approx::<Binary32>(FTZ, x);
    let sqrt = |x| sem::sqrt::<Binary32>(FTZ, x);
    let ex2 = |x| sem::ex2::<Binary32>(FTZ, x);
    let lg2 = |x| sem::lg2::<Binary32>(FTZ, x);
    // A subnormal result is rounded twice: by the unit, and when it is scaled back.
    close("rcp", 1, |x| unit::rcp_approx(false, x, rcp), |x| sem::rcp::<Binary32>(plain, x));
    close("rcp.ftz", 0, |x| unit::rcp_approx(true, x, rcp), |x| sem::rcp::<Binary32>(FTZ, x));
    close("rsqrt", 0, |x| unit::rsqrt_approx(false, x, rsq), |x| sem::rsqrt_approx::<Binary32>(plain, x));
    close("rsqrt.ftz", 0, |x| unit::rsqrt_approx(true, x, rsq), |x| sem::rsqrt_approx::<Binary32>(FTZ, x));
    close("sqrt", 0, |x| unit::sqrt_approx(false, x, sqrt), |x| sem::sqrt::<Binary32>(plain, x));
    close("sqrt.ftz", 0, |x| unit::sqrt_approx(true, x, sqrt), |x| sem::sqrt::<Binary32>(FTZ, x));
    close("ex2", 2, |x| unit::ex2_approx(false, x, ex2), |x| sem::ex2::<Binary32>(plain, x));
    close("ex2.ftz", 0, |x| unit::ex2_approx(true, x, ex2), |x| sem::ex2::<Binary32>(FTZ, x));
    close("lg2", 1, |x| unit::lg2_approx(false, x, lg2), |x| sem::lg2::<Binary32>(plain, x));
    close("lg2.ftz", 0, |x| unit::lg2_approx(true, x, lg2), |x| sem::lg2::<Binary32>(FTZ, x));
    let divisors =
        [0x3f80_0000, 0x4049_0fdb, 0x0000_0001, 0x0060_0000, 0x7e80_0001, 0x7f7f_ffff, 0xff00_0000, 0x7f80_0000, 0];
    for b in divisors {
        let quotient = |x| sem::div::<Binary32>(plain, x, b);
        let large = (0x7e80_0001..0x7f80_0000).contains(&(b & 0x7fff_ffff));
        close(
            "div.full",
            2,
            |x| unit::div_full(false, x, b, rcp),
            |x| {
                // A dividend that the scale makes subnormal loses bits.
                if large && f32::from_bits(x).abs() < 1e-37 { unit::div_full(false, x, b, rcp) } else { quotient(x) }
            },
        );
        // The manual's exception, zero or NaN for |b| > 2^126, is the default model's result.
        close(
            "div.approx",
            2,
            |x| unit::div_approx(false, x, b, rcp),
            |x| {
                if b == 1 && f32::from_bits(x).is_finite() && x & 0x7fff_ffff != 0 {
                    return unit::div_approx(false, x, b, rcp);
                }
                sem::div_approx::<Binary32>(plain, x, b)
            },
        );
        close(
            "div.approx.ftz",
            2,
            |x| unit::div_approx(true, x, b, rcp),
            |x| {
                let (e, flushed) = (sem::div_approx::<Binary32>(FTZ, x, b), unit::div_approx(true, x, b, rcp));
                // Near the smallest normal number an error of one unit decides about the flush.
                if e & 0x7fff_ffff <= 0x0080_0004 && flushed & 0x7fff_ffff <= 0x0080_0004 { flushed } else { e }
            },
        );
    }
    // 3 · 0x3E22F983 is exact in binary64 but not in binary32, and is rounded toward zero for both
    // signs.
    let exact = 3.0 * f64::from(f32::from_bits(0x3e22_f983));
    for (angle, sign) in [(0x4040_0000, 1.0), (0xc040_0000, -1.0)] {
        let t = f64::from(f32::from_bits(unit::wave_approx(angle, |t| t))) * sign;
        assert!(t < exact && exact - t < 2_f64.powi(-24), "{t}");
    }
}
