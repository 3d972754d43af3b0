//! `fuse`, of numbers whose product is between two numbers of f16: each clause of the rule gives
//! another result than its opposite.

use ptxf::{F16, ptx_kernel};

#[ptx_kernel(pair = F16x2, keep(s), fuse)]
fn fused(t: ThreadX, n: usize, a: &[f32], c: &[f32], out: &mut [[f32; 7]], more: &mut [[f32; 7]]) {
    if t < n {
        let (a, c) = (a[t], c[t]);
        let named = a * a;
        let mut sum = c;
        sum += a * a;
        let mut difference = c;
        difference -= a * a;
        let mut s = c;
        s += a * a;
        out[t] = [a * a + c, c + a * a, a * a - c, c - a * a, -(a * a) + c, (a * a) + (c), sum];
        more[t] = [difference, a * a + a * a, a * a - a * a, a * a + a * a + c, cvt_rn(s), named + c, { a * a } + c];
    }
}

#[test]
fn each_clause_shows_in_the_bits() {
    // The square is 1 + 6/1024 + 9/1024², whose last term f16 drops.
    let unit = 1.0 / 1024.0;
    let (a, c) = (1.0 + 3.0 * unit, -1.0 - 6.0 * unit);
    let [fused, rounded] = [9.0 * unit * unit, 0.0];
    let twice = -2.0 * c;
    let first = [fused, fused, twice, -twice, -twice, fused, fused];
    // Of two squares the first is fused, and the second is rounded.
    let second = [-twice, twice, fused, -c, fused, rounded, rounded];
    for launch in [fused::scalar, fused::pair, fused::wide] {
        let [mut out, mut more] = [[[F16::ZERO; 7]; 5]; 2];
        launch(5_usize, 5, &[F16::from_f32(a); 5], &[F16::from_f32(c); 5], &mut out, &mut more);
        assert_eq!([out, more].map(|of| of.map(|of| of.map(F16::to_f32))), [[first; 5], [second; 5]]);
    }
    // With a negated addend the last term shows in differences, too.
    let [mut out, mut more] = [[[F16::ZERO; 7]; 2]; 2];
    fused::scalar(2, 2, &[F16::from_f32(a); 2], &[F16::from_f32(-c); 2], &mut out, &mut more);
    let [out, more] = [out[0], more[0]].map(|of| of.map(F16::to_f32));
    assert_eq!(out[2..5], [fused, -fused, -fused]);
    assert_eq!([more[0], more[3]], [-fused, F16::from_f32(3.0 * -c).to_f32()]);
}
