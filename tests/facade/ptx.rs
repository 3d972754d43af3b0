//! Valid uses of `ptx!`, in every place where an expression or a statement may stand.

use ptxf::{F16, F16x2, ptx};

const ONE: F16 = F16::from_bits(0x3c00);
const TWO: F16 = F16::from_bits(0x4000);
const THREE: F16 = F16::from_bits(0x4200);

#[test]
fn expressions() {
    assert_eq!(ptx!(add.rn.f16(ONE, TWO)).to_bits(), 0x4200);
    assert_eq!(ptx! { add.rn.f16(ONE, TWO) }.to_bits(), 0x4200);
    assert_eq!(ptx![add.rn.f16(ONE, TWO,)].to_bits(), 0x4200);
    let closure = |x| ptx!(mul.rn.f16(x, x));
    assert_eq!(closure(THREE).to_bits(), 0x4880);
    if ptx!(testp.subnormal.f32(f32::from_bits(1))) {
        return;
    }
    panic!("2^-149 is subnormal");
}

/// A missing rounding is `.rn`; the number of operands distinguishes `min` from `min3`.
#[test]
fn same_function() {
    assert_eq!(ptx!(add.f16(ONE, TWO)).to_bits(), ptx::add_rn_f16(ONE, TWO).to_bits());
    assert_eq!(ptx!(sub.sat.f16(TWO, ONE)).to_bits(), ptx::sub_rn_sat_f16(TWO, ONE).to_bits());
    assert_eq!(ptx!(max.NaN.f32(1.0, 2.0)).to_bits(), ptx::max_nan_f32(1.0, 2.0).to_bits());
    assert_eq!(ptx!(max.NaN.f32(1.0, 2.0, 3.0)).to_bits(), ptx::max3_nan_f32(1.0, 2.0, 3.0).to_bits());
    assert_eq!(ptx!(mad.f32(1.0, 2.0, 3.0)).to_bits(), ptx::mad_f32(1.0, 2.0, 3.0).to_bits());
}

/// As the last thing in a function, in both kinds of brackets.
fn tail(a: F16) -> F16 {
    ptx! { neg.f16(a) }
}

fn tail_lines(a: F16) -> F16 {
    ptx! {
        mul.rn.f16 t, a, a;
        neg.f16(t)
    }
}

#[test]
fn tails() {
    assert_eq!(tail(ONE).to_bits(), 0xbc00);
    assert_eq!(tail_lines(TWO).to_bits(), 0xc400);
}

#[test]
fn lines_bind_and_shadow() {
    let t = "another type";
    assert_eq!(t.len(), 12);
    ptx! {
        mul.rn.f16  t, TWO, THREE;   // comments are Rust's
        add.rn.f16  t, t, ONE;
    }
    ptx!(neg.f16 u, t;);
    assert_eq!((t.to_bits(), u.to_bits()), (0x4700, 0xc700));

    let value = ptx! {
        neg.f16  t, t;
        add.rn.f16(t, u)
    };
    // The `t` of the block is not visible outside.
    assert_eq!((t.to_bits(), value.to_bits()), (0x4700, 0xcb00));
}

#[test]
fn operands_are_expressions() {
    fn identity<A, B>(x: A, _: B) -> A {
        x
    }
    let pairs = [F16x2::from_bits(0x3c00_4000); 2];
    let d = ptx!(fma.rn.f16x2(
        pairs[1],
        identity::<F16x2, u8>(pairs[0], 1),
        ptx!(neg.f16x2(match pairs {
            [x, _] => x,
        }))
    ));
    assert_eq!(d.to_bits(), 0x0000_4000);
    ptx! {
        add.rn.f32  x, if d.to_bits() > 0 { 1.5 } else { 0.0 }, -0.5;
        add.f64     y, f64::from(x), 1.0;
    }
    assert_eq!((x.to_bits(), y.to_bits()), (0x3f80_0000, 2f64.to_bits()));
}

macro_rules! polynomial {
    ($x:ident; $first:expr $(, $next:expr)*) => {{
        let mut sum = $first;
        $( sum = ptx!(fma.rn.f32(sum, $x, $next)); )*
        sum
    }};
}

macro_rules! rounded {
    ($rounding:ident, $ty:ident, $a:expr, $b:expr) => {
        ptx!(div.$rounding.$ty($a, $b))
    };
}

#[test]
fn inside_other_macros() {
    let x = 2.0;
    assert_eq!(polynomial!(x; 1.0, -3.0 + 1.0, 0.5).to_bits(), 0.5f32.to_bits());
    assert_eq!(rounded!(rz, f32, 1.0, 3.0).to_bits(), 0x3eaa_aaaa);
    assert_eq!(rounded!(rp, f64, 1.0, 3.0).to_bits(), 0x3fd5_5555_5555_5556);
}

/// A loop assigns with the expression form: lines bind anew in each iteration.
#[test]
fn loops() {
    let mut sum = 0.0f32;
    for i in 1u8..=4 {
        ptx! {
            rcp.rn.f32  term, f32::from(i);
        }
        sum = ptx!(add.rn.f32(sum, term));
    }
    assert_eq!(sum.to_bits(), 0x4005_5556);
}
