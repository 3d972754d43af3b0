//! Compact tables return the results of full ones, apart from stated results outside of a range.

use ptxf_core::{Bf16, F16};
use ptxf_tables::{CompactTable, Scalar, UnaryTable, unary_table};

fn same<From: Scalar, To: Scalar>(compact: &CompactTable<From, To>, full: &UnaryTable<From, To>) {
    for x in 0..=u16::MAX {
        assert_eq!(compact.get_bits(x), full.get_bits(x), "{x:#06x}");
    }
}

#[test]
fn symmetric_tables_are_halves() {
    unary_table!(static TANH: F16 -> F16 = |x| tanh(x));
    unary_table!(static ODD: F16 -> F16 = |x| tanh(x), symmetry = odd);
    same(&ODD, &TANH);
    unary_table!(static GAUSS: Bf16 -> F16 = |x| exp(-x * x / 2));
    unary_table!(static EVEN: Bf16 -> F16 = |x| exp(-x * x / 2), symmetry = even);
    same(&EVEN, &GAUSS);
    // From 0 to infinity, both included.
    assert_eq!((ODD.size(), EVEN.size()), (2 * 0x7C01, 2 * 0x7F81));

    // NaNs have no sign, so that a function with a pole can be odd.
    unary_table!(static POLE: F16 -> F16 = |x| 1 / x + x - x);
    unary_table!(static HALF: F16 -> F16 = |x| 1 / x + x - x, symmetry = odd);
    same(&HALF, &POLE);
}

#[test]
fn ranges_leave_out_what_is_constant() {
    unary_table!(static SIGMOID: F16 -> F16 = |x| sigmoid(x));
    unary_table!(static RANGE: F16 -> F16 = |x| sigmoid(x), range = -20..=10);
    same(&RANGE, &SIGMOID);
    unary_table!(static TANH: Bf16 -> Bf16 = |x| tanh(x));
    unary_table!(static BOTH: Bf16 -> Bf16 = |x| tanh(x), symmetry = odd, range = -4..4);
    same(&BOTH, &TANH);
    unary_table!(static POSITIVE: F16 -> F16 = |x| ln(max(x, 1)));
    unary_table!(static FROM: F16 -> F16 = |x| ln(max(x, 1)), range = 1..);
    same(&FROM, &POSITIVE);
    unary_table!(static NEGATIVE: F16 -> Bf16 = |x| exp(min(x, -1)));
    unary_table!(static UP_TO: F16 -> Bf16 = |x| exp(min(x, -1)), range = ..-0.5);
    same(&UP_TO, &NEGATIVE);
    assert_eq!(FROM.size(), 2 * (0x7C00 - 0x3C00 + 1));
    assert_eq!(UP_TO.size(), 2 * (0x7C00 - 0x3800));
}

#[test]
fn elsewhere_is_what_was_stated() {
    unary_table! {
        const EDGE: f64 = 1 / 4;
        static T: F16 -> F16 = |x| x * x, range = EDGE..2 * EDGE, below = -x, above = 7
    }
    let get = |x: f32| T.get(F16::from_f32(x)).to_f32();
    assert_eq!([get(0.25), get(0.375), get(0.5), get(100.0), get(f32::INFINITY)], [0.0625, 0.140625, 7.0, 7.0, 7.0]);
    assert_eq!([get(0.125), get(-0.75), get(f32::NEG_INFINITY)], [-0.125, 0.75, f32::INFINITY]);
    assert_eq!(T.get(F16::from_f32(0.0)).to_bits(), 0x8000);
    assert_eq!(T.get(F16::from_f32(f32::NAN)).to_bits(), 0x7FFF);
    assert_eq!(T.size(), 2 * 0x400);

    // Half of the inputs, and a range of those: the results above and below it have the input's
    // sign.
    unary_table!(static ODD: Bf16 -> Bf16 = |x| sinh(x), symmetry = odd, range = 1..=2, below = x, above = 9);
    let get = |x: f32| ODD.get(Bf16::from_f32(x)).to_f32();
    assert_eq!([get(0.5), get(-0.5), get(3.0), get(-3.0), get(-0.0)], [0.5, -0.5, 9.0, -9.0, 0.0]);
    assert_eq!(get(-1.0), -1.171875);
}

#[test]
fn lookups_of_every_kind() {
    unary_table!(static T: F16 -> Bf16 = |x| x * x, symmetry = even);
    unary_table!(static FULL: F16 -> Bf16 = |x| x * x);
    let inputs: Vec<F16> = (0..=u16::MAX).map(F16::from_bits).collect();
    let (mut a, mut b) = (vec![Bf16::ZERO; 1 << 16], vec![Bf16::ZERO; 1 << 16]);
    T.map_slice(&inputs, &mut a);
    FULL.map_slice(&inputs, &mut b);
    for (i, pair) in inputs.chunks_exact(2).enumerate() {
        let x = ptxf_core::F16x2::from_lo_hi(pair[0], pair[1]);
        for (j, d) in [T.get2(x), FULL.get2(x)].map(|d| d.to_array()).into_iter().flatten().enumerate() {
            let bits = (a[2 * i + j % 2].to_bits(), b[2 * i + j % 2].to_bits());
            assert_eq!(bits, (d.to_bits(), d.to_bits()));
        }
    }
    assert_eq!(
        T.try_map_slice(&inputs[1..], &mut a).unwrap_err().to_string(),
        "`input` has 65535 elements, `out` has 65536"
    );
    assert_eq!(format!("{T:?} {FULL:?}"), "CompactTable<F16, Bf16>(63490 bytes) UnaryTable<F16, Bf16>(131072 bytes)");
}

#[test]
#[should_panic(expected = "`input` has 3 elements, `out` has 2")]
fn lengths_have_to_match() {
    unary_table!(static T: F16 -> F16 = |x| x);
    T.map_slice(&[F16::ZERO; 3], &mut [F16::ZERO; 2]);
}
