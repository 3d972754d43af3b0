//! Kernels that nobody wrote, from seed 0x5eed0001.
//!
//! `PTXF_BLESS=1 cargo test -p kernels` writes this file; `cargo xtask kernels` tries other seeds.
#![expect(unsafe_code, reason = "some threads write elsewhere than at their own index")]

use ptxf::ptx_fn;

use crate::harness::{check_siblings, formats};

#[ptx_fn]
fn bend(x: f32, k: i32) -> f32 {
    if x < 0.0 || k > 6 {
        return x * 0.5;
    }
    let mut s = x;
    for j in 0..k {
        if s > 4.0 {
            break;
        }
        s = s + j as f32 * 0.25;
    }
    s
}

mod kernel_0 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_0 (t: ThreadX) keep(k2, k5, k13) {
            if t < n {
                let mut f1 = bend((a).abs(), v[t]);
                let mut k2 = ((((out[t]) * (z[t]))) * (((f1) + (z[n - 1 - t]))));
                let mut c3 = (((((5.0) != (x[t + 4])) as i32)) << 3);
                let mut b4 = (((y[t]) != (y[m])) && ((3) > (c3)));
                let k5 = (if (k2) <= (f1) { ((y[m + 1]) * (f1)) } else { -(k2) });
                out[t] = bend(cvt_rn(k2), v[t]);
                if (t) != (m + 1) {
                    let f6 = ((((f1) * (f1))) + (((f1) - (out[t]))));
                    if !((((2 * t + 1) == (u[t] as usize)) || (b4))) {
                        c3 ^= ((-(2.5)) as i32);
                        if (((i[t] < 0 || y[i[t] as usize] < y[t + 5])) && ((x[m]) != (out[t]))) {
                            let mut c7 = ((((c3) ^ (7))) + (((b4) as i32)));
                        }
                        for r8 in m..4 {
                            k2 += -((if (2 * t + 0) >= (t) { k5 } else { f6 }));
                            w[t] = (((if b4 { k2 } else { f1 })) + (-(k2)));
                            let mut q9 = [((out[t]) - (3.5)), (out[t]).mul_add(y[n - 1 - t], y[t]), 1.5];
                            // SAFETY: one thread an element.
                            unsafe { v[2 * n - t] = ((((c3) / 9)) << 0) };
                        }
                    }
                    if (i[t] != 0 && 4 % i[t] <= c3) {
                        return;
                    }
                } else {
                    k2 -= (((if (x[2 * t + 1]) == (out[t]) { x[t + m] } else { out[t] })) * (f1));
                }
                if (i[t] != 0 && 1 % i[t] <= c3) {
                    b4 = (u[t] as usize) != (u[t] as usize);
                } else if (m) <= (t) {
                    if ((b4) || ((y[t]) == (f1))) {
                        let mut r10 = 0;
                        loop {
                            r10 += 1;
                            if r10 > ((c3).min(v[t])) & 3 || r10 > 5 {
                                break;
                            }
                            f1 += ((((f1) + (4.0))) * ((f1).min(out[t]).max(-3.0)));
                            w[t] += (if (((2 * t + 0) == (n - 1 - t)) && ((y[t + m]) <= (x[m + 1]))) { ((z[t]) * (f1)) } else { ((k5) * (k2)) });
                        }
                        k2 *= -(((k2) + (k5)));
                    } else if (i[t] < 0 || y[i[t] as usize] == f1) {
                        f1 *= cvt_rn((if (y[t]) <= (f1) { k5 } else { out[t] }));
                    } else {
                        let mut q11 = [(if (k2) <= (5.1) { f1 } else { f1 }), ((f1) - (out[t])), 1.5];
                        out[t] = (((f1).abs()) * (((f1) / (y[t + m]))));
                    }
                    let mut r12 = (((i[t]) - (6))) & 7;
                    while r12 > 0 {
                        r12 -= 1;
                        if (i[t] < 0 || y[i[t] as usize] > out[t]) {
                            let mut k13 = ((-(out[t])) * (out[t]));
                        } else if (i[t] < 0 || y[i[t] as usize] == 1.5) {
                            b4 = b4;
                        }
                    }
                } else {
                    let mut f14 = ((cvt_rn(k5)) - (-(f1)));
                    f1 *= (((2).min(c3)) as f32);
                }
                b4 = (((((f1) < (x[u[t] as usize])) || ((f1) != (f1)))) && ((((t) == (2 * t + 2)) && ((c3) == (i[t])))));
                for r15 in m..4 {
                    let c16 = (if (((5.1) < (x[2 * t + 3])) || ((y[t + r15]) == (out[t]))) { (((k2) >= (y[t + r15])) as i32) } else { ((i[u[t] as usize]) & (c3)) });
                }
                let mut q17 = [-(f1), (x[t]).min(f1).max(-3.0), 1.5];
                out[t] = f1;
                w[t] = k5;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xe1b1d998d7048927);
    }
}

mod kernel_1 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_1 (t: ThreadX) keep(k2) {
            if t >= n {
                return;
            }
            let mut f1 = ((((a) + (out[t]))) - ((a).mul_add(y[t + 6], 3.3333)));
            let mut k2 = ((((z[t]) * (z[t]))) + (((z[t]) - (z[t]))));
            let mut c3 = ((((i[t]) ^ (v[t]))) - (((i[t]) | (i[t]))));
            let mut b4 = (x[m]) >= (out[t]);
            for r5 in m..4 {
                let mut r6 = 0;
                loop {
                    r6 += 1;
                    if r6 > (((4) | (i[2 * t + 3]))) & 3 || r6 > 5 {
                        break;
                    }
                    if (((i[t] < 0 || y[i[t] as usize] <= x[t])) && ((k2) == (f1))) {
                        out[t] += cvt_rn(((y[t + r5]) - (z[t])));
                        w[t] = -(((x[t]) + (z[t + 5])));
                        b4 = (i[t] != 0 && 8 % i[t] < c3);
                    } else if (((r6) != (5)) && ((c3) < (r6))) {
                        w[t] = -((if (v[t]) == (3) { z[t] } else { z[n - 1 - t] }));
                        v[t] = (if (((4.0) != (6.3333)) || ((r6) <= (c3))) { ((i[t]) ^ (c3)) } else { (if r6 != 0 { 42 / r6 } else { c3 }) });
                    } else {
                        let mut q7 = [((r6) as f32), bend(f1, c3), 1.5];
                        v[t] = ((((b4) as i32)) << 6);
                    }
                    if ((y[r5]).mul_add(f1, f1)) >= (out[t]) {
                        let mut q8 = [((y[t]) * (f1)), cvt_rn(k2), 1.5];
                        b4 = (t > 0 && x[t - 1] != f1);
                    } else if (t + r5) > (t) {
                        b4 = (t + 5) <= (m + 1);
                    } else {
                        let mut c9 = (if (z[t]) <= (5.3333) { ((8) | (1)) } else { (if (f1) < (out[t]) { v[t] } else { v[t] }) });
                        let mut q10 = [((f1) - (f1)), -(f1), 1.5];
                    }
                }
            }
            for r11 in 0..m {
                let mut q12 = [((out[t]) + (y[t])), ((4.3333) + (f1)), 1.5];
            }
            if (m + 1) < (n - 1 - t) {
                for r13 in 0..m {
                    let mut q14 = [(y[t + 3]).min(y[t]).max(-3.0), cvt_rn(k2), 1.5];
                    if (i[t] < 0 || y[i[t] as usize] <= f1) {
                        k2 -= (if b4 { ((x[n - 1 - t]) * (x[r13])) } else { ((x[t]) * (q14[r13 % 3])) });
                    } else {
                        b4 = ((if (t) > (t) { 5 } else { c3 })) != (c3);
                        let mut f15 = ((((v[t]) / 4)) as f32);
                    }
                    let mut r16 = (((v[t]) - (7))) & 7;
                    while r16 > 0 {
                        r16 -= 2;
                        q14[r13 % 3] += bend(bend(f1, r16), i[r13]);
                        c3 = (if r16 != 0 { 74 / r16 } else { ((i[t]) | (c3)) });
                        c3 ^= ((cvt_rn(k2)) as i32);
                        q14[r13 % 3] += -(((x[m + 1]) * (out[t])));
                    }
                    c3 -= ((((q14[2]) as i32)) % 4);
                }
            } else if (k2) == (f1) {
                if (i[t] < 0 || y[i[t] as usize] > x[m + 1]) {
                    let mut q17 = [((c3) as f32), ((f1) - (y[m + 1])), 1.5];
                    out[t] = (cvt_rn(z[2 * t + 0])).mul_add(((out[t]) - (out[t])), 3.3333);
                    q17[2] = bend(((y[t]) * (x[n - 1 - t])), v[t]);
                } else if (t) != (m) {
                    w[t] = ((bend(4.0, c3)) * (x[2 * t + 2]));
                    let mut q18 = [((f1) + (3.0)), ((x[t + 4]) + (x[m])), 1.5];
                }
                c3 -= (((i[t]).min(c3)) << 6);
            }
            k2 += -((if (t) < (m + 1) { k2 } else { k2 }));
            let j19 = t + ((i[t]) & 3) as usize;
            out[t] = cvt_rn(((f1) * (y[t + m])));
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0x6d7e1524b41c54c4);
    }
}

mod kernel_2 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_2 (t: ThreadX) keep(k2, k22) {
            if t < n {
                let mut f1 = (((x[m + 1]) / (a))).min(((i[t]) as f32)).max(-3.0);
                let mut k2 = ((((z[t]) - (z[t]))) + (((z[t]) - (z[t]))));
                let mut c3 = (((i[t]) ^ (i[t]))).min(((v[t]) % 6));
                let mut b4 = (k2) >= (0.25);
                b4 = (i[t] < 0 || y[i[t] as usize] > y[t]);
                if (((t > 0 && x[t - 1] > 0.1)) && ((((i[m + 1]) == (v[t])) && ((x[t + m]) >= (0.1))))) {
                    if b4 {
                        let mut q5 = [((f1) + (y[t])), ((f1) / (f1)), 1.5];
                        for r6 in 1..=2 {
                            let j7 = n - 1 - t;
                            v[t] = ((((y[u[t] as usize]) as i32)) >> 5);
                        }
                        k2 *= ((-(x[t])) - ((if (v[t]) == (7) { z[t] } else { k2 })));
                    } else if (k2) < (f1) {
                        if b4 {
                            f1 *= ((((c3) * (1))) as f32);
                            let mut q8 = [((f1) + (f1)), ((5.5) - (f1)), 1.5];
                        } else if b4 {
                            let j9 = (if (f1) <= (y[2 * t + 1]) { t + m } else { m + 1 });
                        } else {
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = -(((f1) * (out[t]))) };
                            b4 = ((if b4 { f1 } else { k2 })) >= (y[t + m]);
                        }
                        let mut r10 = 0;
                        loop {
                            r10 += 1;
                            if r10 > (((i[t + 1]) >> 2)) & 3 || r10 > 5 {
                                break;
                            }
                            let j11 = t;
                            k2 *= ((((k2) * (k2))) * (((k2) - (k2))));
                        }
                    } else {
                        let mut q12 = [(f1).min(y[t]).max(-3.0), (f1).abs(), 1.5];
                    }
                    // SAFETY: one thread an element.
                    unsafe { v[2 * n - t] = ((((i[m]) >> 1)) - ((c3).min(c3))) };
                } else if (f1) != (f1) {
                    for r13 in m..4 {
                        let mut r14 = (((i[t + 4]) | (i[t]))) & 7;
                        while r14 > 0 {
                            r14 -= 2;
                            let mut q15 = [cvt_rn(k2), -(out[t]), 1.5];
                            f1 *= (((q15[r13 % 3]).abs()) * ((x[t]).min(x[t + 4]).max(-3.0)));
                            b4 = b4;
                            c3 -= (if (k2) < (x[u[t] as usize]) { ((r14) >> 3) } else { ((4) >> 0) });
                        }
                    }
                }
                if b4 {
                    if (((i[t] < 0 || y[i[t] as usize] > f1)) || ((m + 1) == (t))) {
                        w[t] = ((((k2) * (k2))) + (((x[t]) * (y[t]))));
                    } else if (c3) == (0) {
                        for r16 in 0..3 {
                            let mut q17 = [bend(x[t], c3), ((f1) / (f1)), 1.5];
                            b4 = (i[t] != 0 && i[t] % i[t] != i[n - 1 - t]);
                            f1 *= ((bend(x[r16], c3)) * ((f1).abs()));
                        }
                        let c18 = ((((i[t]) << 6)) >> 2);
                    }
                    if (((c3) as f32)) == (x[t + 6]) {
                        for r19 in (((v[t]).min(c3)) & 3) - 1..=((((f1) as i32)) & 3) {
                            c3 = (((r19).min(1)) * (((c3) ^ (v[t]))));
                            let mut q20 = [((x[2 * t + 1]) + (f1)), -(0.25), 1.5];
                            let f21 = cvt_rn((if (k2) != (out[t]) { 5.5 } else { k2 }));
                        }
                        if (t + m) == (t) {
                            k2 = ((((z[m]) * (k2))) - (-(z[t + m])));
                            w[t] = (if (v[t]) > (c3) { ((k2) - (k2)) } else { ((k2) - (k2)) });
                            k2 += ((((z[m + 1]) + (out[t]))) * ((if (k2) > (x[n - 1 - t]) { k2 } else { f1 })));
                        } else if (i[t] < 0 || y[i[t] as usize] <= x[t]) {
                            let k22 = (((if (v[t]) == (6) { z[2 * t + 1] } else { z[m] })) + (-(k2)));
                        } else {
                            let mut b23 = (t) < (t + 2);
                        }
                    }
                    for r24 in 0..m {
                        v[t] += (((i[r24]).min(c3)) ^ (((b4) as i32)));
                        b4 = !((i[t] != 0 && v[t] % i[t] == c3));
                        if (i[t] < 0 || y[i[t] as usize] <= x[m + 1]) {
                            let mut q25 = [-(6.3333), ((f1) * (f1)), 1.5];
                            f1 *= (((((out[t]) >= (y[t])) as i32)) as f32);
                        } else {
                            w[t] += -(((k2) + (k2)));
                        }
                    }
                } else {
                    v[t] = ((((i[t]) + (i[t + m]))) % 3);
                }
                let mut r26 = ((if b4 { v[t] } else { i[t + m] })) & 7;
                while r26 > 0 {
                    r26 -= 2;
                    f1 -= ((if t > 2 { x[t - 3] } else { x[t] })).min(((y[t]) - (out[t]))).max(-3.0);
                    k2 *= (if (i[t] < 0 || y[i[t] as usize] <= y[t]) { ((f1) - (z[t + 1])) } else { ((k2) * (k2)) });
                    out[t] = ((((f1) / (f1))) + (cvt_rn(k2)));
                    if b4 {
                        continue;
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xdd832663415a26f);
    }
}

mod kernel_3 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_3 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = ((((7) as f32)) - ((a).abs()));
                let mut k2 = (((if (i[t]) >= (i[t]) { z[t] } else { z[m + 1] })) - (-(z[t])));
                let mut c3 = (if i[t] != 0 { 58 / i[t] } else { (((f1) < (x[n - 1 - t])) as i32) });
                let mut b4 = (6) != (v[t]);
                for r5 in 1..=2 {
                    let mut r6 = 0;
                    loop {
                        r6 += 1;
                        if r6 > (((c3) + (v[t]))) & 3 || r6 > 5 {
                            break;
                        }
                        if (i[t] != 0 && 7 % i[t] >= c3) {
                            b4 = (((f1) / (y[t]))) <= (f1);
                            b4 = !((t > 0 && x[t - 1] > f1));
                        } else if !((v[t]) <= (v[t])) {
                            c3 = ((((c3) % 6)) | (((c3) & (r6))));
                            let mut q7 = [((i[2 * t + 3]) as f32), -(y[u[t] as usize]), 1.5];
                        } else {
                            let mut q8 = [((y[t]) * (out[t])), ((7.25) / (0.0009765625)), 1.5];
                            let mut b9 = (((k2) == (y[t])) || ((2) != (v[t])));
                        }
                        if b4 {
                            break;
                        }
                    }
                    // SAFETY: one thread an element.
                    unsafe { out[n + t] = ((((f1) * (f1))) * (((y[2 * t + 3]) * (out[t])))) };
                    b4 = !((((c3) <= (c3)) && (b4)));
                    c3 -= (((i[n - 1 - t]).min(5)) | (((c3) + (v[t]))));
                }
                let mut r10 = (((c3) + (v[t]))) & 7;
                while r10 > 0 {
                    r10 -= 1;
                    for r11 in ((((v[t]) | (3))) & 3) - 1..(((if b4 { i[m] } else { c3 })) & 3) {
                        k2 -= (((if (t) == (m) { f1 } else { k2 })) + (((z[t]) - (z[t + 7]))));
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = ((((x[t]) * (k2))) - (((z[2 * t + 0]) * (z[t])))) };
                        if ((b4) || ((y[t]) < (out[t]))) {
                            break;
                        }
                    }
                }
                for r12 in 1..=2 {
                    out[t] = (((f1) * (f1))).min((out[t]).min(out[t]).max(-3.0)).max(-3.0);
                }
                let mut b13 = (((v[t]) < (c3)) || ((x[m]) >= (y[t + 6])));
                let j14 = m + 1;
                for r15 in 0..3 {
                    b4 = b4;
                    if (f1) < (f1) {
                        continue;
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0xb5625771a9c890c4);
    }
}

mod kernel_4 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_4 (t: ThreadX) keep(k2, k31) {
            if t >= n {
                return;
            }
            let mut f1 = (((a) * (x[n - 1 - t]))).abs();
            let mut k2 = -(-(z[t]));
            let mut c3 = ((((y[2 * t + 3]) - (1.3333))) as i32);
            let mut b4 = !((i[m]) != (i[t]));
            for r5 in ((((9) - (i[n - 1 - t]))) & 3) - 1..=((((c3) + (c3))) & 3) {
                let mut r6 = 0;
                loop {
                    r6 += 1;
                    if r6 > (((c3) + (r5))) & 3 || r6 > 5 {
                        break;
                    }
                    if (((x[t]) + (x[t]))) != (x[t + 4]) {
                        let mut f7 = (-(f1)).mul_add(-(x[u[t] as usize]), x[m + 1]);
                        let b8 = (m + 1) == (t + m);
                    } else if (t > 0 && x[t - 1] > y[2 * t + 1]) {
                        let j9 = u[t] as usize;
                    }
                    if (i[t] != 0 && v[t] % i[t] < i[m]) {
                        let mut f10 = ((cvt_rn(z[2 * t + 2])) / (f1));
                    }
                    if (i[t] != 0 && 3 % i[t] != i[t]) {
                        v[t] = (((t > 0 && x[t - 1] != y[t + 4])) as i32);
                        f1 += cvt_rn((if (t) > (t + m) { x[t] } else { k2 }));
                    } else if (t > 0 && x[t - 1] < f1) {
                        k2 = (((out[t]).abs()) * (f1));
                        b4 = (bend(y[m + 1], i[n - 1 - t])) > (out[t]);
                    } else {
                        w[t] = (if b4 { (if b4 { k2 } else { z[2 * t + 0] }) } else { ((f1) * (y[t])) });
                    }
                    if (i[t] < 0 || y[i[t] as usize] <= y[t]) {
                        f1 = ((((f1) - (y[t]))) * (((4.5) * (y[u[t] as usize]))));
                        let j11 = m + 1;
                    }
                }
                f1 *= (((f1) / (out[t]))).min(-(out[t])).max(-3.0);
                if (((out[t]) - (k2))) < (f1) {
                    let mut r12 = 0;
                    loop {
                        r12 += 1;
                        if r12 > (((v[t]) / 6)) & 3 || r12 > 5 {
                            break;
                        }
                        c3 += ((((i[m]) >> 3)) % 9);
                        c3 += (((c3).min(r5)) | (((v[t]) << 1)));
                    }
                    if (i[t] < 0 || y[i[t] as usize] >= x[t + m]) {
                        out[t] = ((-(0.3333)) - ((2.5).min(y[t + m]).max(-3.0)));
                    } else {
                        f1 *= (((out[t]) + (f1))).mul_add(cvt_rn(k2), f1);
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = ((((k2) * (k2))) * ((if b4 { f1 } else { k2 }))) };
                    }
                    let j13 = t;
                } else {
                    let j14 = m;
                }
            }
            if (bend(f1, c3)) >= (5.3333) {
                let c15 = (((i[n - 1 - t]) - (c3))).min(((c3) - (c3)));
                let mut r16 = 0;
                loop {
                    r16 += 1;
                    if r16 > ((if (u[t] as usize) > (t + m) { i[n - 1 - t] } else { c3 })) & 3 || r16 > 5 {
                        break;
                    }
                    if (((c3) == (v[t])) || (b4)) {
                        k2 *= ((((f1) - (z[m]))) - ((if (z[m]) > (f1) { k2 } else { z[t] })));
                        k2 -= ((((0.0009765625) * (f1))) * (f1));
                    } else if (((x[t]) >= (f1)) || ((m) <= (t))) {
                        let b17 = (i[t] < 0 || y[i[t] as usize] != x[t]);
                    }
                    if ((!((2 * t + 2) != (t))) && (b4)) {
                        f1 -= ((((x[n - 1 - t]) - (f1))) + (((f1) + (f1))));
                        let j18 = ((c3) & 7) as usize;
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((c15) * (i[t + m]))) & (((r16) << 3))) };
                    } else {
                        k2 -= ((((f1) * (6.5))) + (((k2) - (z[t + 2]))));
                        out[t] = ((((x[m + 1]) / (y[m + 1]))) + (((x[t]) - (out[t]))));
                    }
                }
            } else {
                let mut r19 = (((f1) as i32)) & 7;
                while r19 > 0 {
                    r19 -= 2;
                    k2 *= ((((k2) - (k2))) + (((f1) - (z[2 * t + 0]))));
                    v[t] += (((m) < (2 * t + 0)) as i32);
                }
                for r20 in m..4 {
                    let mut r21 = (((y[2 * t + 0]) as i32)) & 7;
                    while r21 > 0 {
                        r21 -= 1;
                        c3 = ((((i[t + 1]) & (i[2 * t + 0]))) * ((((u[t] as usize) <= (m + 1)) as i32)));
                        f1 += ((((f1) + (f1))) / (out[t]));
                    }
                    let mut r22 = 0;
                    loop {
                        r22 += 1;
                        if r22 > (((c3) - (c3))) & 3 || r22 > 5 {
                            break;
                        }
                        b4 = (t > 0 && x[t - 1] == y[m + 1]);
                        let mut q23 = [((f1) + (f1)), ((y[u[t] as usize]) * (x[t])), 1.5];
                        b4 = (t > 0 && x[t - 1] <= f1);
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = (((i[t] < 0 || y[i[t] as usize] == f1)) as i32) };
                    }
                    if (i[t] != 0 && 9 % i[t] <= c3) {
                        out[t] = (((1.3333).abs()) * (((f1) / (x[n - 1 - t]))));
                        let mut b24 = (m + 1) >= (m + 1);
                    } else {
                        v[t] += (((((x[n - 1 - t]) <= (x[m + 1])) as i32)) % 2);
                    }
                    for r25 in ((((v[t]) - (2))) & 3) - 1..=((((c3) % 2)) & 3) {
                        let mut f26 = (((y[t]).mul_add(y[m + 1], f1)) + (cvt_rn(x[t + r20])));
                        out[t] = ((cvt_rn(z[t])) * ((if (f1) != (f26) { f26 } else { 1.5 })));
                        k2 *= (if b4 { (if (f26) < (out[t]) { k2 } else { z[n - 1 - t] }) } else { -(k2) });
                        b4 = (t > 0 && x[t - 1] < f1);
                    }
                }
            }
            let mut r27 = 0;
            loop {
                r27 += 1;
                if r27 > (((i[n - 1 - t]) / 6)) & 3 || r27 > 5 {
                    break;
                }
                if (2.25) > (x[2 * t + 2]) {
                    break;
                }
            }
            c3 ^= ((((7) | (i[m + 1]))) ^ ((if c3 != 0 { 3 / c3 } else { c3 })));
            for r28 in ((((v[t]) << 6)) & 3) - 1..((((7) ^ (v[t]))) & 3) {
                if (t > 0 && x[t - 1] >= y[n - 1 - t]) {
                    // SAFETY: one thread an element.
                    unsafe { w[n + t] = -(((x[m]) - (k2))) };
                    let mut q29 = [((r28) as f32), bend(f1, 2), 1.5];
                } else if (u[t] as usize) == (m + 1) {
                    if b4 {
                        let mut q30 = [-(0.25), ((y[n - 1 - t]) - (x[t + m])), 1.5];
                        let k31 = ((((f1) * (f1))) * (((k2) + (k2))));
                    } else {
                        out[t] = cvt_rn((if (t) > (n - 1 - t) { k2 } else { k2 }));
                    }
                    let mut q32 = [(if t > 2 { x[t - 3] } else { out[t] }), ((r28) as f32), 1.5];
                } else {
                    for r33 in 0..m {
                        let f34 = bend(((6.0009765625) * (y[r33])), c3);
                        out[t] = (((r28) as f32)).mul_add(((f1) * (out[t])), out[t]);
                    }
                }
                if (((1) << 1)) <= (v[t]) {
                    if ((v[t]).min(r28)) > (4) {
                        v[t] = ((((i[t]) + (v[t]))) / 2);
                        f1 += ((y[t]).mul_add(f1, f1)).min(((f1) / (7.5))).max(-3.0);
                    }
                } else if (i[t] != 0 && c3 % i[t] <= i[t]) {
                    let mut q35 = [((out[t]) + (x[t + 7])), ((f1) + (f1)), 1.5];
                    for r36 in 0..m {
                        b4 = (t > 0 && x[t - 1] <= f1);
                        b4 = (((i[t + 2]) * (8))) != (c3);
                    }
                }
            }
            out[t] += ((((x[u[t] as usize]) * (f1))) + (bend(f1, c3)));
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x51a8d9020de4dfe2);
    }
}

mod kernel_5 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_5 (t: ThreadX) keep(k2, k5, k9, k11) {
            if t >= n {
                return;
            }
            let mut f1 = (((y[t]) / (a))).abs();
            let mut k2 = ((((f1) + (f1))) - ((if (m) <= (t) { y[u[t] as usize] } else { z[t] })));
            let mut c3 = (((v[t]).min(0)) * (((v[t]) - (4))));
            let mut b4 = (i[t] < 0 || y[i[t] as usize] > f1);
            let mut k5 = ((-(k2)) * (((f1) * (out[t]))));
            if (t > 0 && x[t - 1] > f1) {
                return;
            }
            k2 += ((((k2) - (k2))) - (((k5) + (k2))));
            if !(b4) {
                return;
            }
            if (i[t] != 0 && v[t] % i[t] < c3) {
                for r6 in ((((c3) ^ (c3))) & 3) - 1..=((((7) ^ (c3))) & 3) {
                    if (((f1) < (4.3333)) || ((y[2 * t + 1]) == (0.1))) {
                        continue;
                    }
                    if b4 {
                        let b7 = (m + 1) < (t + m);
                        v[t] = (if (i[t] != 0 && 8 % i[t] < 9) { ((v[t]) ^ (v[t])) } else { ((0) * (8)) });
                        let mut b8 = (t > 0 && x[t - 1] < f1);
                    } else {
                        w[t] += -(((k5) - (k2)));
                        k2 += ((((k5) - (k2))) + (((z[t]) + (k2))));
                    }
                }
                k5 -= ((((k5) + (z[t]))) * ((if (2.3333) < (y[m]) { z[n - 1 - t] } else { k2 })));
                if (i[t] < 0 || y[i[t] as usize] <= out[t]) {
                    if (i[t] != 0 && c3 % i[t] < i[t]) {
                        return;
                    }
                }
            } else {
                if (((f1) == (out[t])) && ((((u[t] as usize) < (2 * t + 0)) && ((t) >= (2 * t + 2))))) {
                    f1 *= (((f1) - (y[u[t] as usize]))).abs();
                    k5 -= ((((1.5) * (x[2 * t + 0]))) * (f1));
                } else {
                    let k9 = ((((y[m + 1]) * (k5))) - ((if (z[t]) >= (f1) { k2 } else { k5 })));
                    if b4 {
                        let mut q10 = [(x[t + 1]).abs(), ((y[t + m]) - (f1)), 1.5];
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((2.3333) / (y[u[t] as usize]))) as i32) };
                        let mut k11 = -(((out[t]) + (k2)));
                    } else {
                        out[t] += -(((out[t]) * (y[t])));
                    }
                }
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0x426b6bf9e9764802);
    }
}

mod kernel_6 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_6 (t: ThreadX) keep(k2, k13) {
            if t < n {
                let mut f1 = (-(x[t])).abs();
                let mut k2 = (((if m > 2 { 5.0 } else { x[2 * t + 3] })) * (f1));
                let mut c3 = (if (((1) > (5)) && ((z[t]) != (6.0009765625))) { ((i[t]) >> 6) } else { ((7) + (i[t])) });
                let mut b4 = (v[t]) >= (v[t]);
                // SAFETY: one thread an element.
                unsafe { v[2 * n - t] = ((((i[t + 6]) - (v[t]))) >> 2) };
                let c5 = ((((f1) as i32)) | (((c3) / 3)));
                let mut f6 = ((((out[t]) * (x[2 * t + 0]))) - (((f1) - (f1))));
                for r7 in (((if b4 { 6 } else { 9 })) & 3) - 1..=((((c3) ^ (2))) & 3) {
                    for r8 in ((((v[t]) << 2)) & 3) - 1..=((((v[t]) + (0))) & 3) {
                        if !((i[t] < 0 || y[i[t] as usize] == out[t])) {
                            c3 += (((v[t]) <= (4)) as i32);
                            k2 += (((if (r8) != (r8) { z[t + m] } else { k2 })) - (-(k2)));
                            b4 = (i[t] != 0 && 5 % i[t] != i[t]);
                        } else if !(b4) {
                            c3 += (((x[u[t] as usize]).abs()) as i32);
                        } else {
                            let mut q9 = [-(4.25), cvt_rn(k2), 1.5];
                        }
                        if ((r8).min(4)) == (v[t]) {
                            let mut q10 = [cvt_rn(z[n - 1 - t]), ((x[t]) * (f1)), 1.5];
                        } else if (t > 0 && x[t - 1] < f1) {
                            let mut q11 = [cvt_rn(k2), ((6.1) - (f6)), 1.5];
                        }
                    }
                    for r12 in m..4 {
                        if b4 {
                            k2 *= -(((out[t]) * (5.1)));
                            w[t] = ((((y[m + 1]) * (out[t]))) - (((y[t]) * (z[t]))));
                        } else if b4 {
                            f6 += ((((y[r12]) - (y[m + 1]))) + (((y[n - 1 - t]) * (5.1))));
                            w[t] = ((((f1) * (x[t + 7]))) + (((f1) * (y[r12]))));
                        }
                        let k13 = ((((k2) * (k2))) + (((k2) + (k2))));
                        k2 = ((((out[t]) + (f6))) * (((6.0009765625) * (y[t]))));
                    }
                    for r14 in 0..3 {
                        if (((f1) as i32)) <= (i[r14]) {
                            b4 = !((((k2) < (out[t])) || ((r14) < (2 * t + 3))));
                            b4 = (((k2) < (f6)) && (b4));
                            let mut b15 = (out[t]) == (x[t + 2]);
                        } else if b4 {
                            let j16 = t + r14;
                        } else {
                            f1 += (((if t > 2 { x[t - 3] } else { 3.5 })) / (x[2 * t + 3]));
                            c3 = (if (i[t] != 0 && 1 % i[t] == i[r14]) { (((i[t]) >= (v[t])) as i32) } else { ((out[t]) as i32) });
                        }
                    }
                    let mut r17 = 0;
                    loop {
                        r17 += 1;
                        if r17 > ((0).min(i[n - 1 - t])) & 3 || r17 > 5 {
                            break;
                        }
                        let f18 = ((((f1) * (f1))) / (out[t]));
                        if (((i[t] < 0 || y[i[t] as usize] > out[t])) || ((((m) > (t)) && (b4)))) {
                            k2 *= ((((z[2 * t + 2]) * (k2))) * ((if (v[t]) > (i[t + 2]) { z[t + 6] } else { f18 })));
                        }
                        if ((!((i[t + m]) >= (v[t]))) && (!((m + 1) > (u[t] as usize)))) {
                            k2 += (if (t > 0 && x[t - 1] < 2.3333) { ((y[m + 1]) * (f18)) } else { ((3.1) + (z[n - 1 - t])) });
                            k2 += ((((z[t]) - (z[t]))) + (((f6) - (y[2 * t + 1]))));
                        } else if ((b4) && ((out[t]) > (out[t]))) {
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = ((((f6) - (x[t + 6]))) + (-(f6))) };
                            f6 = (if (i[t] < 0 || y[i[t] as usize] >= f6) { bend(y[m + 1], v[t]) } else { (if (r17) != (v[t]) { x[t + 7] } else { out[t] }) });
                        }
                        if (i[t] < 0 || y[i[t] as usize] != y[t]) {
                            let mut c19 = ((if b4 { r7 } else { c3 })).min(((i[t]) << 4));
                            let mut q20 = [((y[t + 1]) + (x[2 * t + 0])), ((out[t]) * (x[m])), 1.5];
                        }
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c5;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xc9120b051391d5a2);
    }
}

mod kernel_7 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_7 (t: ThreadX) keep(k2, k5, k6, k28, k29, k33, k44) {
            if t >= n {
                return;
            }
            let mut f1 = bend(bend(2.5, i[t]), i[t]);
            let mut k2 = (((y[t]).abs()) * (x[n - 1 - t]));
            let mut c3 = (((if (n - 1 - t) >= (2 * t + 1) { i[t] } else { i[t + 1] })) >> 2);
            let mut b4 = !((k2) > (out[t]));
            if (m) <= (u[t] as usize) {
                c3 = ((((i[t]) * (i[t + 6]))) | (((c3) * (v[t]))));
                if (t > 0 && x[t - 1] >= f1) {
                    if (((c3) + (v[t]))) >= (c3) {
                        let mut k5 = -(-(k2));
                    } else {
                        let k6 = (((if (i[t + m]) == (i[m + 1]) { k2 } else { k2 })) + (((z[t]) - (2.25))));
                        let mut c7 = ((((c3) & (c3))) | (((c3) >> 4)));
                    }
                } else if ((b4) || ((k2) >= (x[t]))) {
                    let mut r8 = (((1) << 7)) & 7;
                    while r8 > 0 {
                        r8 -= 2;
                        c3 += (((((i[n - 1 - t]) <= (i[t])) as i32)) << 5);
                        k2 -= -(((out[t]) + (f1)));
                        f1 = ((((out[t]) * (1.0009765625))) + ((y[t + m]).mul_add(y[t + 1], x[m + 1])));
                        let j9 = m;
                    }
                }
                k2 = ((-(k2)) - (((z[2 * t + 1]) + (z[t]))));
            } else if (f1) == (f1) {
                for r10 in ((((c3) + (i[m + 1]))) & 3) - 1..((((2) + (i[t]))) & 3) {
                    k2 -= ((((y[t + m]) * (k2))) - (((out[t]) - (k2))));
                }
            } else {
                let mut r11 = (((v[t]) | (c3))) & 7;
                while r11 > 0 {
                    r11 -= 2;
                    let mut q12 = [((x[u[t] as usize]) - (out[t])), bend(f1, i[n - 1 - t]), 1.5];
                    if b4 {
                        c3 += (((x[m + 1]).min(x[t]).max(-3.0)) as i32);
                    } else {
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = -((if (k2) != (x[2 * t + 0]) { k2 } else { f1 })) };
                    }
                    for r13 in ((((c3) | (6))) & 3) - 1..=((((2) ^ (r11))) & 3) {
                        w[t] = ((((q12[0]) * (k2))) - (((z[t + 3]) * (f1))));
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((i[t]) % 2)) + (((i[t + 3]) * (c3)))) };
                        f1 *= ((((f1) - (7.25))) - ((f1).mul_add(x[n - 1 - t], y[2 * t + 3])));
                        w[t] = -(((q12[2]) * (x[t])));
                    }
                }
                if (i[t] < 0 || y[i[t] as usize] == f1) {
                    k2 += ((((k2) - (k2))) - (((y[t]) * (x[u[t] as usize]))));
                    let f14 = bend((x[2 * t + 1]).min(x[2 * t + 0]).max(-3.0), c3);
                } else {
                    let mut q15 = [((f1) * (y[t + 7])), ((7.1) / (y[t + 1])), 1.5];
                    let c16 = ((((c3) + (8))) & (((v[t]) & (2))));
                }
            }
            if (t > 0 && x[t - 1] != y[t + m]) {
                if (i[t] < 0 || y[i[t] as usize] >= y[u[t] as usize]) {
                    let j17 = t;
                    // SAFETY: one thread an element.
                    unsafe { v[2 * n - t] = ((((c3) / 2)) | ((c3).min(2))) };
                } else if (i[t] < 0 || y[i[t] as usize] == y[t + 7]) {
                    for r18 in 0..3 {
                        v[t] = ((((c3) - (8))) / 8);
                    }
                } else {
                    let mut q19 = [((y[u[t] as usize]) - (x[m + 1])), ((x[u[t] as usize]) * (y[u[t] as usize])), 1.5];
                }
                let b20 = (i[t] != 0 && v[t] % i[t] == 3);
                let mut r21 = 0;
                loop {
                    r21 += 1;
                    if r21 > (((v[t]) >> 3)) & 3 || r21 > 5 {
                        break;
                    }
                    let c22 = (((v[t]).min(8)) ^ (((i[t]) | (1))));
                    if (((((2 * t + 2) > (t)) || ((z[m]) >= (y[t])))) && ((t > 0 && x[t - 1] < out[t]))) {
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((c3) * (c22))) * ((if r21 != 0 { 64 / r21 } else { c22 }))) };
                    } else {
                        f1 = (((2.3333).mul_add(out[t], out[t])) - (-(out[t])));
                    }
                    if (t > 0 && x[t - 1] > 2.5) {
                        let mut q23 = [-(out[t]), ((f1) * (f1)), 1.5];
                        let f24 = ((-(2.1)) + (((f1) / (out[t]))));
                    }
                    let mut c25 = (((8).min(3)) - (((v[t]) | (r21))));
                }
            } else if (i[u[t] as usize]) > (2) {
                if (i[t] != 0 && c3 % i[t] < c3) {
                    b4 = (((v[t]) | (c3))) == (i[n - 1 - t]);
                    let mut q26 = [(f1).min(f1).max(-3.0), (x[t + 5]).abs(), 1.5];
                    k2 = ((((k2) - (z[m + 1]))) * ((if (q26[1]) >= (out[t]) { z[t] } else { k2 })));
                } else if !((c3) == (c3)) {
                    v[t] += ((((b4) || (b4))) as i32);
                    let mut q27 = [((out[t]) - (y[2 * t + 0])), ((c3) as f32), 1.5];
                } else {
                    b4 = (i[t] != 0 && c3 % i[t] == i[t + m]);
                    if (i[t] != 0 && v[t] % i[t] == c3) {
                        w[t] += (((if (0.1) >= (x[t + 7]) { 4.5 } else { f1 })) + (-(k2)));
                        let k28 = ((((z[n - 1 - t]) - (x[m + 1]))) + ((if b4 { k2 } else { k2 })));
                    } else if ((b4) || ((f1) < (y[t + m]))) {
                        out[t] = (((f1).mul_add(2.1, f1)) * (((f1) - (f1))));
                    }
                }
                if b4 {
                    if (((((k2) == (f1)) && ((c3) <= (3)))) || ((k2) == (y[t + m]))) {
                        out[t] = (((y[u[t] as usize]).mul_add(f1, f1)) / (f1));
                    } else {
                        let mut k29 = ((-(k2)) * (((x[t + m]) * (3.1))));
                        k2 *= (if (v[t]) != (i[t + m]) { ((out[t]) - (z[u[t] as usize])) } else { ((y[m + 1]) - (k2)) });
                    }
                    for r30 in 0..3 {
                        w[t] = ((((k2) + (f1))) - (-(k2)));
                        b4 = (((c3) + (i[t]))) < (8);
                        let mut q31 = [(y[m + 1]).abs(), ((x[t]) / (y[2 * t + 1])), 1.5];
                        let mut c32 = (if c3 != 0 { 96 / c3 } else { ((c3) ^ (c3)) });
                    }
                    if (((k2) + (y[m + 1]))) < (f1) {
                        w[t] = ((bend(4.3333, v[t])) * (f1));
                        let k33 = (if (n - 1 - t) < (t) { ((k2) + (z[t])) } else { ((z[2 * t + 1]) * (z[u[t] as usize])) });
                    } else {
                        let mut q34 = [((1.0) * (f1)), ((i[n - 1 - t]) as f32), 1.5];
                    }
                } else if (f1) <= (f1) {
                    for r35 in m..4 {
                        c3 ^= ((((c3) | (i[n - 1 - t]))) % 8);
                    }
                    if ((if (x[t]) >= (x[2 * t + 3]) { 1 } else { c3 })) >= (1) {
                        c3 -= (((if (i[t]) <= (c3) { v[t] } else { c3 })) * (((3) % 6)));
                        k2 = ((((f1) * (4.5))) + (-(z[u[t] as usize])));
                    } else {
                        k2 *= ((((4.0) * (f1))) * ((if (t + 6) == (u[t] as usize) { k2 } else { z[n - 1 - t] })));
                        v[t] = (((((f1) < (out[t])) as i32)) << 6);
                    }
                } else {
                    b4 = (((i[m]) ^ (c3))) != (5);
                }
            } else {
                // SAFETY: one thread an element.
                unsafe { w[n + t] = ((((out[t]) - (3.3333))) - (((k2) + (x[t + m])))) };
            }
            if (m) > (t) {
                let f36 = cvt_rn(-(z[t + 4]));
                let mut q37 = [(f1).min(x[t]).max(-3.0), ((out[t]) / (x[n - 1 - t])), 1.5];
                if (((((m + 1) <= (t)) && ((c3) < (i[t + 5])))) && ((c3) < (c3))) {
                    let mut f38 = ((q37[0]).abs()).mul_add(((f1) * (y[t + 4])), y[t]);
                    if (i[t] < 0 || y[i[t] as usize] < 5.1) {
                        f38 += (if (i[t] < 0 || y[i[t] as usize] != y[u[t] as usize]) { ((q37[2]) - (q37[2])) } else { cvt_rn(k2) });
                        b4 = ((if t > 2 { x[t - 3] } else { y[m + 1] })) >= (x[n - 1 - t]);
                        let mut q39 = [((x[t + 6]) * (q37[0])), ((out[t]) * (q37[2])), 1.5];
                    } else if b4 {
                        w[t] += (if (((7.25) != (q37[1])) || (b4)) { ((f36) * (out[t])) } else { -(k2) });
                        c3 ^= ((((i[u[t] as usize]) - (c3))) * (((i[m]) / 3)));
                    } else {
                        k2 *= ((((y[m + 1]) * (out[t]))) * (((f1) - (f1))));
                    }
                    c3 = ((bend(x[2 * t + 2], 7)) as i32);
                }
            } else if b4 {
                let mut q40 = [-(x[t]), (x[t]).min(f1).max(-3.0), 1.5];
                let mut r41 = (((4.25) as i32)) & 7;
                while r41 > 0 {
                    r41 -= 1;
                    if b4 {
                        c3 += (((if (f1) >= (f1) { 4 } else { v[t] })) + (((r41) >> 0)));
                        let mut q42 = [(y[m]).abs(), ((f1) / (out[t])), 1.5];
                        c3 += (((((k2) <= (f1)) as i32)) ^ (((4) ^ (r41))));
                    } else if (k2) >= (out[t]) {
                        let mut c43 = ((((c3) & (r41))) % 8);
                    }
                }
            } else {
                b4 = (((c3) ^ (6))) == (i[n - 1 - t]);
                if ((((b4) && ((t) != (t + m)))) || ((i[t] != 0 && c3 % i[t] > 6))) {
                    if (m) < (t + 6) {
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = ((-(x[u[t] as usize])) * (((k2) + (k2)))) };
                        w[t] = ((((f1) * (4.1))) * (((k2) - (out[t]))));
                    } else {
                        let mut k44 = ((((z[m + 1]) + (k2))) + (((x[n - 1 - t]) * (y[t]))));
                    }
                    f1 = (((c3).min(7)) as f32);
                    for r45 in 0..3 {
                        let mut q46 = [-(y[2 * t + 3]), cvt_rn(z[t + 6]), 1.5];
                    }
                } else if (k2) > (y[t + 5]) {
                    if (i[t]) <= (c3) {
                        return;
                    }
                    if b4 {
                        v[t] += (((v[t]) & (c3))).min(((c3) - (6)));
                        let f47 = cvt_rn(-(k2));
                    } else if b4 {
                        let mut q48 = [((f1) + (out[t])), ((y[t]) + (4.0)), 1.5];
                    } else {
                        out[t] = (((if b4 { f1 } else { x[m] })) + ((x[2 * t + 1]).abs()));
                        c3 += (((c3).min(v[t])) >> 6);
                    }
                }
            }
            if ((!((t) <= (u[t] as usize))) && ((i[t] != 0 && v[t] % i[t] <= c3))) {
                if (t > 0 && x[t - 1] < f1) {
                    let j49 = n - 1 - t;
                } else if (u[t] as usize) > (t) {
                    for r50 in 0..m {
                        c3 += ((((6) ^ (i[r50]))) & (((f1) as i32)));
                        out[t] = (-(out[t])).mul_add(((y[t]) + (x[t + 6])), y[r50]);
                        let b51 = (i[t] < 0 || y[i[t] as usize] <= f1);
                    }
                    f1 *= ((cvt_rn(k2)) + ((y[t]).mul_add(f1, 1.25)));
                } else {
                    for r52 in 0..3 {
                        let mut f53 = (((y[t + 1]) * (x[m + 1]))).mul_add((if (t) != (t + 3) { x[2 * t + 0] } else { x[t] }), y[t]);
                        let mut c54 = (((if (2 * t + 3) > (u[t] as usize) { 9 } else { i[m + 1] })) << 3);
                    }
                    if (i[t] < 0 || y[i[t] as usize] == f1) {
                        f1 -= (if t > 2 { x[t - 3] } else { (y[u[t] as usize]).min(7.0).max(-3.0) });
                    } else if (t + 4) < (u[t] as usize) {
                        c3 -= ((((7) << 7)) << 0);
                        w[t] = -(((y[2 * t + 3]) - (k2)));
                    }
                }
                let mut r55 = 0;
                loop {
                    r55 += 1;
                    if r55 > (((c3) >> 3)) & 3 || r55 > 5 {
                        break;
                    }
                    k2 *= -(((y[u[t] as usize]) * (y[t + m])));
                }
                k2 += (if (f1) == (f1) { -(k2) } else { -(5.0009765625) });
            }
            let mut r56 = 0;
            loop {
                r56 += 1;
                if r56 > (((i[m + 1]) % 4)) & 3 || r56 > 5 {
                    break;
                }
                if (((x[2 * t + 1]) >= (y[u[t] as usize])) || ((t > 0 && x[t - 1] <= y[m]))) {
                    let f57 = (cvt_rn(k2)).min(((0) as f32)).max(-3.0);
                    if (((y[u[t] as usize]) >= (x[t])) && ((i[t] < 0 || y[i[t] as usize] > f57))) {
                        w[t] = -((if (k2) >= (f57) { z[n - 1 - t] } else { k2 }));
                        let j58 = t;
                        c3 = (((i[t + m]) ^ (r56))).min((if (t + 2) <= (t + m) { i[u[t] as usize] } else { c3 }));
                    } else {
                        out[t] = cvt_rn(((k2) + (k2)));
                        let mut q59 = [((out[t]) - (x[t + m])), ((c3) as f32), 1.5];
                    }
                }
                if (((z[t]) != (y[n - 1 - t])) && ((((i[n - 1 - t]) < (c3)) && ((z[t + 1]) <= (out[t]))))) {
                    let c60 = ((((c3) << 7)) * (((i[t]) | (c3))));
                    f1 = ((((f1) / (f1))) * (((y[t]) * (f1))));
                } else if (i[t] != 0 && 4 % i[t] < v[t]) {
                    if (((y[t + 5]) + (k2))) == (f1) {
                        c3 -= ((((x[t]) as i32)) << 4);
                        w[t] += ((((k2) * (k2))) * ((if (x[u[t] as usize]) < (f1) { z[t] } else { k2 })));
                    }
                } else {
                    for r61 in 1..=2 {
                        w[t] = -(-(z[m + 1]));
                        k2 += ((cvt_rn(z[t + r61])) * (out[t]));
                        let mut q62 = [((f1) * (x[n - 1 - t])), ((f1) / (7.3333)), 1.5];
                    }
                    for r63 in 0..3 {
                        k2 *= ((((k2) * (k2))) - ((if (2 * t + 0) > (n - 1 - t) { k2 } else { k2 })));
                        let mut q64 = [((out[t]) - (f1)), ((f1) + (out[t])), 1.5];
                        k2 += -((if (u[t] as usize) >= (t) { z[m + 1] } else { k2 }));
                        let f65 = ((((i[2 * t + 2]) ^ (c3))) as f32);
                    }
                }
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0x53a6e4dd358680a8);
    }
}

mod kernel_8 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_8 (t: ThreadX) keep(k2, k8) {
            if t < n {
                let mut f1 = (((x[2 * t + 2]).min(y[2 * t + 2]).max(-3.0)) * ((if t > 2 { x[t - 3] } else { y[2 * t + 2] })));
                let mut k2 = ((((z[t]) * (f1))) + (((f1) * (f1))));
                let mut c3 = ((cvt_rn(z[t])) as i32);
                let mut b4 = (i[t] != 0 && c3 % i[t] < 3);
                b4 = (((f1) <= (x[t])) && ((((x[t]) >= (x[t + 4])) || (b4))));
                if (((((k2) < (f1)) && (b4))) && (b4)) {
                    if (((k2) + (k2))) > (f1) {
                        let b5 = (i[t] < 0 || y[i[t] as usize] > f1);
                        v[t] = ((((out[t]) as i32)) + (((i[m]) - (c3))));
                        if (i[t] < 0 || y[i[t] as usize] < out[t]) {
                            let f6 = (if t > 2 { x[t - 3] } else { ((2.0009765625) * (x[m])) });
                            let mut q7 = [((4.5) - (f6)), (x[t]).min(x[t + 2]).max(-3.0), 1.5];
                        } else if (i[t + m]) > (v[t]) {
                            c3 = ((((c3) << 1)) * (((v[t]) / 1)));
                        } else {
                            let k8 = ((((f1) * (f1))) * (((out[t]) * (f1))));
                            w[t] = ((-(k8)) * (((z[u[t] as usize]) - (z[t + 3]))));
                        }
                    } else if (((k2) < (y[t + m])) && (b4)) {
                        if (((out[t]) as i32)) < (i[t + 4]) {
                            f1 *= bend(((f1) - (y[t])), c3);
                            let mut q9 = [-(4.1), (2.1).abs(), 1.5];
                        } else {
                            f1 *= (((if (n - 1 - t) > (2 * t + 3) { f1 } else { 0.0 })) + (((y[t + 5]) / (f1))));
                            b4 = (((c3) >> 6)) >= (i[t]);
                        }
                    } else {
                        if ((y[u[t] as usize]).mul_add(y[2 * t + 0], out[t])) >= (5.3333) {
                            k2 -= -(((k2) + (k2)));
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = (((2.0).abs()) * (x[m])) };
                            let mut q10 = [(f1).abs(), (f1).min(f1).max(-3.0), 1.5];
                        } else if (k2) != (x[n - 1 - t]) {
                            b4 = !((i[t] != 0 && c3 % i[t] != c3));
                        } else {
                            k2 -= ((((k2) - (k2))) - (((k2) + (x[t]))));
                        }
                        w[t] = ((-(f1)) * (((k2) * (k2))));
                    }
                    if (m) <= (t + 4) {
                        f1 -= (((out[t]).mul_add(y[t], f1)) - ((y[2 * t + 0]).mul_add(y[n - 1 - t], y[t])));
                        let f11 = ((((3.5) - (f1))) + (((x[n - 1 - t]) * (1.1))));
                    }
                }
                for r12 in 0..m {
                    if (((t > 0 && x[t - 1] < y[m + 1])) && ((((v[t]) == (c3)) || ((i[2 * t + 0]) < (c3))))) {
                        b4 = (((i[t] < 0 || y[i[t] as usize] == x[2 * t + 3])) && ((i[t] < 0 || y[i[t] as usize] != 2.0009765625)));
                        c3 = ((((2) * (c3))) << 2);
                    }
                    let mut r13 = 0;
                    loop {
                        r13 += 1;
                        if r13 > ((c3).min(v[t])) & 3 || r13 > 5 {
                            break;
                        }
                        if b4 {
                            let b14 = (2 * t + 1) < (n - 1 - t);
                            c3 -= ((((b14) as i32)) * ((((f1) >= (y[r12])) as i32)));
                            let mut q15 = [((f1) / (f1)), (if (r13) >= (c3) { 0.0009765625 } else { f1 }), 1.5];
                        } else {
                            k2 -= -((if (2 * t + 2) > (u[t] as usize) { x[u[t] as usize] } else { out[t] }));
                            w[t] = -(((out[t]) * (k2)));
                        }
                        k2 += -(-(k2));
                    }
                    if (((r12) < (t)) || ((c3) != (c3))) {
                        continue;
                    }
                }
                // SAFETY: one thread an element.
                unsafe { v[2 * n - t] = ((((i[u[t] as usize]) + (5))) << 2) };
                c3 ^= ((((c3) | (c3))) ^ (((i[u[t] as usize]) << 3)));
                for r16 in ((((i[u[t] as usize]) % 3)) & 3) - 1..((((c3) * (c3))) & 3) {
                    if (z[2 * t + 3]) >= (x[t + 6]) {
                        break;
                    }
                    // SAFETY: one thread an element.
                    unsafe { w[n + t] = ((((f1) - (k2))) - (-(k2))) };
                }
                b4 = (u[t] as usize) != (u[t] as usize);
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x978293389e6eeaa9);
    }
}

mod kernel_9 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_9 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = ((((a) * (x[t]))) + ((y[t + m]).mul_add(a, out[t])));
                let mut k2 = ((((z[t]) + (z[t]))) - (((1.1) - (z[n - 1 - t]))));
                let mut c3 = (((5) ^ (i[n - 1 - t]))).min((if (t) != (t) { i[t] } else { i[t] }));
                let mut b4 = (i[t] != 0 && c3 % i[t] < 9);
                let mut q5 = [((x[2 * t + 3]) * (out[t])), ((c3) as f32), 1.5];
                if (n - 1 - t) >= (t + m) {
                    b4 = b4;
                    let mut r6 = 0;
                    loop {
                        r6 += 1;
                        if r6 > (((v[t]) - (c3))) & 3 || r6 > 5 {
                            break;
                        }
                        if (i[t] < 0 || y[i[t] as usize] <= f1) {
                            q5[2] += (if t > 2 { x[t - 3] } else { ((f1) + (x[t])) });
                            let j7 = (if (t) == (u[t] as usize) { t + m } else { t + m });
                            q5[2] += ((((f1) * (y[t]))) / (out[t]));
                        } else {
                            b4 = (i[t] < 0 || y[i[t] as usize] < f1);
                        }
                    }
                    let b8 = (v[t]) >= (6);
                } else {
                    if ((b4) && ((k2) <= (x[t + 1]))) {
                        if (((f1) - (f1))) > (q5[2]) {
                            let mut q9 = [((x[t]) - (5.3333)), cvt_rn(z[m + 1]), 1.5];
                        }
                    } else if (((t + 1) == (n - 1 - t)) && ((f1) >= (x[t]))) {
                        out[t] = ((((f1) - (out[t]))) + (((3) as f32)));
                        if b4 {
                            v[t] += (((((z[t]) != (q5[2])) as i32)) ^ (((c3) % 5)));
                            v[t] = (if (i[t] != 0 && v[t] % i[t] > 9) { ((4) % 3) } else { ((i[n - 1 - t]) | (c3)) });
                            f1 *= -(bend(f1, c3));
                        } else if (2 * t + 1) < (2 * t + 1) {
                            v[t] = (if (f1) > (f1) { ((c3) >> 3) } else { ((i[m + 1]) + (v[t])) });
                        }
                    } else {
                        k2 *= ((bend(f1, i[t + m])) * (f1));
                    }
                    let mut f10 = -((f1).abs());
                }
                if (i[t] < 0 || y[i[t] as usize] != y[m]) {
                    k2 -= -(((f1) * (out[t])));
                } else {
                    b4 = (-(f1)) > (f1);
                    v[t] += ((((c3) | (9))) + ((if c3 != 0 { 68 / c3 } else { 6 })));
                }
                out[t] += ((cvt_rn(k2)) - ((f1).min(out[t]).max(-3.0)));
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0xc4d7ab5bd5e210c1);
    }
}

mod kernel_10 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_10 (t: ThreadX) keep(k2, k17) {
            if t < n {
                let mut f1 = ((-(out[t])) / (y[n - 1 - t]));
                let mut k2 = ((-(z[t])) - ((if (f1) == (f1) { z[t] } else { z[m] })));
                let mut c3 = (((v[t]).min(i[t])) ^ (((i[2 * t + 2]) >> 6)));
                let mut b4 = (((m) != (t)) || ((i[m + 1]) < (c3)));
                if (((3.5) * (out[t]))) > (y[u[t] as usize]) {
                    for r5 in 1..=2 {
                        if (k2) <= (f1) {
                            break;
                        }
                        f1 -= (((0.1).min(y[2 * t + 3]).max(-3.0)) / (x[n - 1 - t]));
                    }
                    for r6 in 0..3 {
                        b4 = !(b4);
                        let mut q7 = [((f1) - (x[2 * t + 3])), ((c3) as f32), 1.5];
                        if !((k2) < (f1)) {
                            return;
                        }
                    }
                } else if (2 * t + 1) != (t + m) {
                    if (c3) != (v[t]) {
                        return;
                    }
                } else {
                    if (t) > (t) {
                        for r8 in ((((v[t]) - (v[t]))) & 3) - 1..(((v[t]).min(9)) & 3) {
                            let c9 = (if !((t) > (m + 1)) { ((v[t]) - (v[t])) } else { (6).min(c3) });
                        }
                        if !(b4) {
                            let mut q10 = [((x[t + m]) + (x[t])), ((v[t]) as f32), 1.5];
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = ((((k2) - (k2))) * ((if (t) == (m) { k2 } else { f1 }))) };
                            k2 = ((-(6.0009765625)) * (-(k2)));
                        } else {
                            c3 -= ((((f1) + (x[u[t] as usize]))) as i32);
                            b4 = (((i[t] != 0 && c3 % i[t] <= c3)) && ((x[t + m]) < (out[t])));
                        }
                        let mut q11 = [((f1) - (y[t])), bend(y[t], c3), 1.5];
                    } else if !((k2) != (4.0)) {
                        c3 -= (((i[t]).min(6)) ^ (((i[m]) & (c3))));
                    } else {
                        if (((t > 0 && x[t - 1] > f1)) && ((t > 0 && x[t - 1] <= f1))) {
                            let b12 = (i[t] < 0 || y[i[t] as usize] <= y[u[t] as usize]);
                        } else {
                            f1 -= (((y[t + 3]) * (f1))).mul_add(((f1) / (out[t])), 3.5);
                            f1 *= cvt_rn(((k2) - (k2)));
                        }
                    }
                }
                c3 ^= (((1) & (i[n - 1 - t]))).min(((c3) % 7));
                f1 += ((((c3) >> 1)) as f32);
                for r13 in 0..3 {
                    if (-(k2)) <= (f1) {
                        for r14 in m..4 {
                            let mut q15 = [bend(f1, c3), (out[t]).abs(), 1.5];
                            let mut c16 = ((((i[u[t] as usize]) + (c3))) % 6);
                        }
                        w[t] = ((((x[u[t] as usize]) * (out[t]))) * (f1));
                        k2 += ((((f1) * (y[t]))) - (((k2) - (k2))));
                    } else if (y[2 * t + 3]) > (x[t]) {
                        let k17 = ((((z[t]) - (k2))) + (-(k2)));
                        if (((v[t]) <= (c3)) && ((i[t] < 0 || y[i[t] as usize] < x[2 * t + 2]))) {
                            f1 *= (((out[t]) + (4.25))).mul_add((if (0.25) > (1.0) { f1 } else { 2.5 }), x[t]);
                            b4 = (i[t] != 0 && v[t] % i[t] == i[2 * t + 3]);
                            let mut q18 = [((f1) * (f1)), (x[r13]).mul_add(f1, f1), 1.5];
                        } else {
                            v[t] += (((if c3 != 0 { 97 / c3 } else { i[u[t] as usize] })) + (((c3) + (c3))));
                        }
                    } else {
                        let mut b19 = (t > 0 && x[t - 1] != y[n - 1 - t]);
                    }
                }
                for r20 in m..4 {
                    for r21 in ((((c3) >> 2)) & 3) - 1..((((c3) + (2))) & 3) {
                        k2 += (if (i[t] < 0 || y[i[t] as usize] <= f1) { ((k2) - (z[t + r20])) } else { ((y[t]) * (6.25)) });
                        if (2 * t + 1) > (t) {
                            break;
                        }
                        if (-(z[t])) == (y[u[t] as usize]) {
                            let mut b22 = (c3) == (4);
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = (((((x[t]) == (f1)) as i32)) as f32) };
                            b4 = b22;
                        } else if (v[t]) > (c3) {
                            b4 = !((y[u[t] as usize]) == (x[t + 1]));
                            b4 = (((u[t] as usize) <= (t + r20)) && ((y[t]) >= (out[t])));
                        } else {
                            w[t] = (if (y[u[t] as usize]) < (x[t + 4]) { ((k2) * (k2)) } else { ((out[t]) * (f1)) });
                        }
                    }
                    for r23 in 0..m {
                        let mut q24 = [((y[m + 1]) + (f1)), cvt_rn(z[r20]), 1.5];
                        if (((t > 0 && x[t - 1] > q24[r20 % 3])) || ((6) >= (c3))) {
                            out[t] += ((cvt_rn(z[u[t] as usize])) * ((f1).mul_add(y[t], out[t])));
                        }
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x6c303b2e0ea08b3b);
    }
}

mod kernel_11 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_11 (t: ThreadX) keep(k2, k5, k13) {
            if t < n {
                let mut f1 = ((((y[n - 1 - t]) * (2.25))) - (-(x[n - 1 - t])));
                let mut k2 = -(((x[t]) - (f1)));
                let mut c3 = (((if i[t] != 0 { 61 / i[t] } else { v[t] })) % 4);
                let mut b4 = (((u[t] as usize) == (m)) && (m > 2));
                c3 += ((((c3) & (i[m + 1]))) - ((((f1) >= (y[n - 1 - t])) as i32)));
                if !((((4.25) == (f1)) && ((i[m]) <= (0)))) {
                    if (-(z[u[t] as usize])) != (1.0) {
                        if (((t) >= (u[t] as usize)) && ((z[t]) < (out[t]))) {
                            let k5 = (((if b4 { z[m] } else { z[t] })) * (((z[t + 7]) * (5.3333))));
                        } else if !((i[t + m]) != (c3)) {
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = (if (i[t] != 0 && i[n - 1 - t] % i[t] < i[m + 1]) { ((out[t]) * (x[t])) } else { ((4.0009765625) * (k2)) }) };
                            b4 = ((if c3 != 0 { 54 / c3 } else { v[t] })) >= (v[t]);
                        }
                    } else {
                        for r6 in 1..=2 {
                            w[t] = ((((5.25) * (f1))) + (((out[t]) * (1.0))));
                            let mut q7 = [bend(f1, i[t + 2]), ((out[t]) * (y[2 * t + 3])), 1.5];
                            let j8 = (if (t) > (u[t] as usize) { t } else { m + 1 });
                        }
                        let mut r9 = (((i[n - 1 - t]) ^ (v[t]))) & 7;
                        while r9 > 0 {
                            r9 -= 2;
                            k2 += ((((k2) - (k2))) + (((z[m + 1]) + (1.0009765625))));
                        }
                    }
                } else if b4 {
                    let mut q10 = [((y[t]) * (3.1)), ((i[u[t] as usize]) as f32), 1.5];
                    let mut r11 = (((c3) & (8))) & 7;
                    while r11 > 0 {
                        r11 -= 1;
                        if (i[t] != 0 && 5 % i[t] <= r11) {
                            let mut c12 = ((((out[t]) as i32)) + (((r11) | (c3))));
                            c3 += ((((x[n - 1 - t]) as i32)) ^ (((v[t]) / 3)));
                            c12 += ((((b4) as i32)) * (((out[t]) as i32)));
                        }
                        let mut k13 = ((((k2) + (k2))) * ((if b4 { z[2 * t + 3] } else { z[2 * t + 1] })));
                    }
                }
                out[t] = ((((f1) + (out[t]))) - (bend(f1, i[t + 5])));
                if (i[t] != 0 && c3 % i[t] < v[t]) {
                    let mut r14 = ((if (k2) >= (7.0009765625) { i[u[t] as usize] } else { c3 })) & 7;
                    while r14 > 0 {
                        r14 -= 1;
                        c3 += ((((i[n - 1 - t]) / 4)) * ((if (m + 1) >= (t) { r14 } else { c3 })));
                        if (i[t] < 0 || y[i[t] as usize] != f1) {
                            v[t] = (((if b4 { r14 } else { i[n - 1 - t] })) / 7);
                            w[t] = -(((x[m]) - (out[t])));
                        } else {
                            let f15 = ((((f1) + (y[n - 1 - t]))) - (((f1) * (y[m]))));
                        }
                        let j16 = t + m;
                    }
                    b4 = (i[t] != 0 && c3 % i[t] != c3);
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0xa85f4653a6d35fd1);
    }
}

mod kernel_12 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_12 (t: ThreadX) keep(k2) {
            if t >= n {
                return;
            }
            let mut f1 = cvt_rn(((z[t]) + (z[t])));
            let mut k2 = -(((z[t]) * (out[t])));
            let mut c3 = (((if (x[2 * t + 0]) <= (out[t]) { i[t] } else { v[t] })) - ((((1.0) == (out[t])) as i32)));
            let mut b4 = (((m + 1) <= (t)) && (m > 2));
            if (i[t] < 0 || y[i[t] as usize] != f1) {
                k2 += (if (i[t] != 0 && i[u[t] as usize] % i[t] != v[t]) { (if (f1) <= (x[m]) { z[u[t] as usize] } else { k2 }) } else { ((f1) - (k2)) });
                v[t] = ((((x[t + 5]) as i32)) | (((4) * (c3))));
            } else {
                f1 *= ((bend(f1, c3)) - (-(y[n - 1 - t])));
            }
            b4 = (((t > 0 && x[t - 1] != x[t])) || ((m + 1) >= (2 * t + 0)));
            v[t] += (((i[t] != 0 && 8 % i[t] == c3)) as i32);
            // SAFETY: one thread an element.
            unsafe { out[n + t] = -(bend(x[t], v[t])) };
            let b5 = (i[t] < 0 || y[i[t] as usize] <= f1);
            let mut r6 = ((((z[t]) <= (5.1)) as i32)) & 7;
            while r6 > 0 {
                r6 -= 2;
                let mut q7 = [((out[t]) - (7.0)), ((6.0009765625) - (f1)), 1.5];
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xae4b9cc64a59e1a7);
    }
}

mod kernel_13 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_13 (t: ThreadX) keep(k2, k9, k16) {
            if t < n {
                let mut f1 = (((7).min(i[t])) as f32);
                let mut k2 = ((((z[t]) * (z[t]))) * (((z[n - 1 - t]) + (z[t]))));
                let mut c3 = ((((x[t]) * (y[u[t] as usize]))) as i32);
                let mut b4 = (v[t]) <= (c3);
                if b4 {
                    return;
                }
                k2 *= (((if b4 { x[t] } else { x[m + 1] })) * (y[u[t] as usize]));
                if !((t > 0 && x[t - 1] > y[t + 3])) {
                    for r5 in ((((c3) | (c3))) & 3) - 1..((((7) & (4))) & 3) {
                        if ((!((v[t]) != (c3))) || ((t > 0 && x[t - 1] <= f1))) {
                            let mut f6 = ((((x[2 * t + 1]) + (f1))) + ((y[t]).min(f1).max(-3.0)));
                        }
                        if (i[t] < 0 || y[i[t] as usize] > y[t + 3]) {
                            f1 = bend((x[t]).min(out[t]).max(-3.0), c3);
                            b4 = (((z[t]) > (x[t])) || ((z[t]) <= (f1)));
                        } else if (i[t] != 0 && c3 % i[t] > 3) {
                            b4 = (((k2) < (f1)) || (!((i[t + m]) >= (c3))));
                            c3 = (((i[t] < 0 || y[i[t] as usize] <= f1)) as i32);
                        } else {
                            c3 -= (((c3) << 6)).min(((r5) & (r5)));
                        }
                        for r7 in 0..m {
                            b4 = (t) == (u[t] as usize);
                            c3 ^= ((((f1) - (y[t]))) as i32);
                            let mut q8 = [((y[u[t] as usize]) * (0.0)), bend(x[t], i[t]), 1.5];
                            v[t] += ((bend(q8[1], r5)) as i32);
                        }
                        f1 = ((((f1) * (y[t]))) - (((x[t]) - (f1))));
                    }
                } else if (z[t]) >= (f1) {
                    let mut k9 = (if (i[t] < 0 || y[i[t] as usize] < f1) { ((x[m + 1]) * (k2)) } else { ((z[2 * t + 1]) + (y[t + 1])) });
                    if (t > 0 && x[t - 1] != f1) {
                        if (((out[t]) - (2.0))) == (x[t + m]) {
                            let mut f10 = ((((f1) - (2.0009765625))) - ((out[t]).mul_add(x[m], y[m])));
                        } else {
                            f1 = ((((9) as f32)) + ((f1).min(x[m + 1]).max(-3.0)));
                        }
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = ((((k9) * (z[t + 4]))) + (((f1) * (f1)))) };
                    } else {
                        for r11 in ((((i[t]) - (c3))) & 3) - 1..(((((m + 1) <= (m + 1)) as i32)) & 3) {
                            f1 *= ((-(x[t])) - (cvt_rn(y[t])));
                            let c12 = ((((b4) as i32)) / 3);
                            let mut q13 = [((c3) as f32), ((out[t]) * (f1)), 1.5];
                            // SAFETY: one thread an element.
                            unsafe { v[2 * n - t] = (((if b4 { c12 } else { r11 })) ^ (((v[t]) >> 7))) };
                        }
                    }
                }
                f1 += ((-(f1)) * ((0.0).min(x[t]).max(-3.0)));
                if ((4.25).min(y[t]).max(-3.0)) != (x[m]) {
                    if (((c3) >= (c3)) || ((i[t] < 0 || y[i[t] as usize] != x[t]))) {
                        out[t] = (((x[m + 1]).min(y[2 * t + 2]).max(-3.0)) - (((c3) as f32)));
                    }
                    c3 -= (((((i[u[t] as usize]) == (c3)) as i32)) & (((y[t + m]) as i32)));
                    for r14 in ((((x[t]) as i32)) & 3) - 1..=(((c3).min(v[t])) & 3) {
                        for r15 in m..4 {
                            let mut k16 = ((((1.25) * (f1))) + (((k2) - (y[m + 1]))));
                            let mut q17 = [((x[u[t] as usize]) * (out[t])), ((y[t]) - (y[t])), 1.5];
                            q17[r15 % 3] += ((((f1) / (4.25))) + (((f1) * (f1))));
                            w[t] = (if !((3.25) < (f1)) { ((x[t]) * (q17[r15 % 3])) } else { -(k2) });
                        }
                        let mut c18 = ((((out[t]) as i32)) >> 1);
                        if ((b4) && ((i[t] != 0 && i[2 * t + 3] % i[t] > i[t + m]))) {
                            f1 = ((4.0009765625).abs()).mul_add(((r14) as f32), f1);
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = ((((x[t + 7]) + (5.3333))) / (x[n - 1 - t])) };
                            let mut q19 = [(f1).min(y[2 * t + 0]).max(-3.0), ((v[t]) as f32), 1.5];
                        } else if (i[t] < 0 || y[i[t] as usize] < y[2 * t + 3]) {
                            let mut q20 = [-(f1), bend(out[t], 3), 1.5];
                            let mut q21 = [((out[t]) * (f1)), -(f1), 1.5];
                        }
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0x824dc34a0141b01e);
    }
}

mod kernel_14 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_14 (t: ThreadX) keep(k2, k5) {
            if t >= n {
                return;
            }
            let mut f1 = bend(((a) * (y[t + m])), i[t]);
            let mut k2 = (if (i[t] != 0 && i[t] % i[t] < 8) { ((f1) * (7.1)) } else { -(z[t + m]) });
            let mut c3 = (if i[t] != 0 { 60 / i[t] } else { ((i[2 * t + 0]) + (i[u[t] as usize])) });
            let mut b4 = (m + 1) >= (m);
            b4 = !((((f1) != (out[t])) || ((t) == (t))));
            v[t] += (((if (y[n - 1 - t]) >= (7.1) { 0.25 } else { y[2 * t + 1] })) as i32);
            b4 = (((f1) * (x[t]))) == (x[u[t] as usize]);
            w[t] = ((-(k2)) + (((k2) * (k2))));
            let k5 = ((((y[t + m]) * (f1))) * (((f1) + (z[t + 7]))));
            let mut q6 = [((y[t]) * (y[t])), (f1).min(f1).max(-3.0), 1.5];
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xfd50d996330af6b1);
    }
}

mod kernel_15 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_15 (t: ThreadX) keep(k2, k14) {
            if t >= n {
                return;
            }
            let mut f1 = (if (m) >= (m + 1) { cvt_rn(a) } else { -(a) });
            let mut k2 = ((-(z[t])) - (((z[t]) + (z[t]))));
            let mut c3 = ((((v[t]) << 6)) % 4);
            let mut b4 = !((n - 1 - t) == (t));
            let mut r5 = (((c3) / 4)) & 7;
            while r5 > 0 {
                r5 -= 1;
                if ((!((v[t]) <= (7))) && ((((z[t]) > (7.1)) || ((out[t]) > (out[t]))))) {
                    if (((2.25) - (x[m]))) > (y[t]) {
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = (((if r5 != 0 { 35 / r5 } else { r5 })) | (((v[t]) << 1))) };
                    } else if (t > 0 && x[t - 1] != f1) {
                        let mut q6 = [((2.0009765625) + (f1)), ((y[t]) + (x[t])), 1.5];
                        let mut b7 = (i[t] != 0 && 7 % i[t] > r5);
                    }
                    if (((((f1) > (out[t])) || ((n - 1 - t) == (t)))) && ((i[m]) >= (v[t]))) {
                        f1 += ((((c3) as f32)) * ((x[t + 3]).abs()));
                    } else if (i[t] < 0 || y[i[t] as usize] > x[t]) {
                        b4 = (i[t] < 0 || y[i[t] as usize] >= x[u[t] as usize]);
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = (if t > 2 { x[t - 3] } else { ((0.5) + (f1)) }) };
                    } else {
                        b4 = (((i[t] < 0 || y[i[t] as usize] != out[t])) || ((i[n - 1 - t]) < (r5)));
                    }
                } else if (((c3) < (i[m])) || ((out[t]) == (x[t + 5]))) {
                    let b8 = (m) >= (u[t] as usize);
                    let c9 = ((((f1) as i32)) & ((5).min(v[t])));
                } else {
                    b4 = b4;
                }
            }
            if (i[t] != 0 && c3 % i[t] == c3) {
                v[t] = ((((7) % 5)) + ((c3).min(c3)));
                let j10 = (if (c3) == (i[n - 1 - t]) { t + 3 } else { t + m });
            } else {
                if (i[t] != 0 && v[t] % i[t] >= c3) {
                    let b11 = (i[t] != 0 && 9 % i[t] != i[t + 7]);
                    k2 += (if (y[t + m]) != (x[m]) { ((z[t + m]) + (k2)) } else { -(k2) });
                    let mut b12 = (f1) != (y[2 * t + 2]);
                } else if (i[t] < 0 || y[i[t] as usize] > 5.3333) {
                    k2 += ((((k2) * (k2))) + (-(k2)));
                    for r13 in m..4 {
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = (((f1) * (x[r13]))).abs() };
                        f1 *= ((((i[t + r13]) | (c3))) as f32);
                        f1 -= (cvt_rn(x[m + 1])).abs();
                        w[t] += ((((k2) * (k2))) * (-(k2)));
                    }
                }
            }
            c3 ^= ((((c3) % 2)) << 2);
            let mut k14 = ((((f1) - (x[t]))) * (f1));
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0x4646718bd850878e);
    }
}

mod kernel_16 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_16 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = ((((5.0) + (7.0009765625))) / (y[2 * t + 1]));
                let mut k2 = ((((z[m + 1]) + (f1))) - (((f1) - (f1))));
                let mut c3 = (((m > 2) as i32)).min((v[t]).min(i[t]));
                let mut b4 = (((f1) <= (out[t])) && ((f1) >= (f1)));
                let b5 = (x[2 * t + 2]) != (f1);
                f1 -= ((((f1) / (f1))) * (((x[t]) + (y[t + m]))));
                c3 = (((if (c3) <= (c3) { c3 } else { 9 })) * (((c3) >> 0)));
                let mut q6 = [bend(out[t], i[t + m]), (f1).mul_add(x[u[t] as usize], f1), 1.5];
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x9f327612f08d5fbe);
    }
}

mod kernel_17 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_17 (t: ThreadX) keep(k2, k12) {
            if t >= n {
                return;
            }
            let mut f1 = ((-(y[t + m])) * ((y[n - 1 - t]).mul_add(a, y[t])));
            let mut k2 = ((((f1) * (out[t]))) * (((x[t]) * (3.5))));
            let mut c3 = ((((i[m]) + (i[m + 1]))) & (((x[t + m]) as i32)));
            let mut b4 = (((c3) < (c3)) || ((v[t]) == (2)));
            c3 += (((if c3 != 0 { 55 / c3 } else { 5 })) / 3);
            if (t + m) > (t) {
                k2 *= ((((f1) / (y[2 * t + 1]))) * (f1));
            } else if ((b4) && ((7) < (i[t]))) {
                let mut q5 = [((x[2 * t + 0]) + (2.5)), (y[u[t] as usize]).min(x[t]).max(-3.0), 1.5];
                if !((t > 0 && x[t - 1] == f1)) {
                    let mut r6 = 0;
                    loop {
                        r6 += 1;
                        if r6 > (((c3) + (9))) & 3 || r6 > 5 {
                            break;
                        }
                        b4 = (((i[t + m]) - (r6))) != (v[t]);
                        k2 += -(((x[t]) * (q5[0])));
                        q5[1] += -(((x[u[t] as usize]) / (f1)));
                    }
                }
            }
            b4 = (i[t] < 0 || y[i[t] as usize] <= out[t]);
            if !((((f1) != (x[t])) && (b4))) {
                let mut r7 = (((x[m + 1]) as i32)) & 7;
                while r7 > 0 {
                    r7 -= 1;
                    v[t] = (if (f1) <= (6.3333) { ((v[t]) - (c3)) } else { ((i[2 * t + 1]) + (c3)) });
                    c3 = (((r7) * (3))).min(((6) - (c3)));
                    v[t] += ((((i[t]) >> 3)) + (((r7) ^ (c3))));
                }
                k2 *= ((((k2) + (k2))) * (((6.25) * (x[n - 1 - t]))));
            } else if (((t) != (t + m)) || ((f1) != (7.1))) {
                k2 -= ((((y[t + 6]) * (f1))) - (((k2) + (z[t + m]))));
                w[t] += (if (i[t] < 0 || y[i[t] as usize] != f1) { (if b4 { k2 } else { k2 }) } else { ((k2) - (x[t + m])) });
            } else {
                w[t] = (((if b4 { z[n - 1 - t] } else { z[u[t] as usize] })) + (((z[n - 1 - t]) - (y[t + m]))));
                if (((t > 0 && x[t - 1] != f1)) && ((((f1) < (x[t + 4])) || ((out[t]) < (y[u[t] as usize]))))) {
                    for r8 in ((((c3) & (i[n - 1 - t]))) & 3) - 1..=((((c3) - (9))) & 3) {
                        let f9 = bend(((x[2 * t + 0]) - (0.0009765625)), c3);
                    }
                    w[t] = ((((k2) + (k2))) * (((k2) - (k2))));
                    if !((i[t] < 0 || y[i[t] as usize] != x[t])) {
                        let mut q10 = [((y[m + 1]) / (x[n - 1 - t])), ((out[t]) / (f1)), 1.5];
                    } else if (i[t] != 0 && i[t + m] % i[t] >= v[t]) {
                        w[t] = -(((out[t]) * (f1)));
                    } else {
                        c3 ^= (((7.0).abs()) as i32);
                        let mut q11 = [(if b4 { y[m] } else { y[t + m] }), ((y[t]) - (f1)), 1.5];
                    }
                } else if (((out[t]) < (f1)) || ((x[u[t] as usize]) == (out[t]))) {
                    if (i[t] != 0 && i[t + 2] % i[t] <= v[t]) {
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((3) - (v[t]))) + (((c3) >> 2))) };
                    } else if (i[t] < 0 || y[i[t] as usize] > y[t]) {
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = ((((v[t]) + (c3))) * ((((t) >= (m + 1)) as i32))) };
                        let k12 = -(((z[m + 1]) - (k2)));
                    } else {
                        out[t] = ((-(f1)) / (f1));
                        b4 = (((i[t]) != (c3)) && ((n - 1 - t) >= (t + 6)));
                    }
                } else {
                    for r13 in 0..3 {
                        let j14 = t;
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = -(-(z[t + 3])) };
                        c3 += ((((c3) / 3)) * (((c3) - (c3))));
                    }
                }
            }
            if ((((3) >= (c3)) as i32)) != (c3) {
                let mut r15 = (((i[n - 1 - t]) % 1)) & 7;
                while r15 > 0 {
                    r15 -= 1;
                    let b16 = (k2) < (y[u[t] as usize]);
                    if (((f1) * (f1))) >= (out[t]) {
                        c3 ^= (((v[t]) - (c3))).min((if c3 != 0 { 66 / c3 } else { c3 }));
                    }
                    k2 *= ((((f1) - (out[t]))) * (4.25));
                    k2 *= ((((y[t]) + (k2))) + (((z[2 * t + 0]) - (k2))));
                }
                out[t] = (bend(out[t], c3)).abs();
                if ((((b4) || (b4))) || ((i[t] < 0 || y[i[t] as usize] == f1))) {
                    for r17 in m..4 {
                        let f18 = ((x[t]).min(x[t]).max(-3.0)).mul_add((if (t) == (t + 2) { 5.25 } else { f1 }), y[t + 7]);
                        out[t] += (bend(3.0, i[t + r17])).abs();
                        f1 += ((bend(y[r17], v[t])) / (f18));
                    }
                } else if (((x[2 * t + 0]) == (y[2 * t + 3])) || ((z[m + 1]) <= (y[t]))) {
                    if (t > 0 && x[t - 1] == f1) {
                        let mut q19 = [(3.25).abs(), ((f1) + (out[t])), 1.5];
                        c3 ^= ((((c3) / 2)) & (((c3) >> 2)));
                        let mut b20 = !((3) < (v[t]));
                    } else if (((5) <= (c3)) || ((x[t + m]) > (f1))) {
                        let mut q21 = [bend(0.0009765625, c3), bend(y[t], i[2 * t + 1]), 1.5];
                    } else {
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = (if (((c3) > (v[t])) || (b4)) { ((k2) - (k2)) } else { ((z[t + m]) * (k2)) }) };
                    }
                } else {
                    if (i[t] < 0 || y[i[t] as usize] < y[2 * t + 1]) {
                        let mut q22 = [(y[t + m]).min(5.1).max(-3.0), (if b4 { x[t] } else { 2.25 }), 1.5];
                        v[t] = (((c3) % 8)).min((if (t) > (2 * t + 3) { i[m + 1] } else { i[t] }));
                        b4 = (i[t] < 0 || y[i[t] as usize] > x[2 * t + 3]);
                    }
                }
            } else if (t > 0 && x[t - 1] > f1) {
                if (t > 0 && x[t - 1] < y[t]) {
                    w[t] = ((((k2) - (out[t]))) * (-(x[n - 1 - t])));
                    k2 = ((((k2) - (k2))) + (((k2) - (y[m]))));
                    // SAFETY: one thread an element.
                    unsafe { v[2 * n - t] = ((((c3) / 3)) - (((c3) * (c3)))) };
                } else if (k2) >= (y[t]) {
                    let mut q23 = [(f1).min(x[u[t] as usize]).max(-3.0), cvt_rn(z[t + 7]), 1.5];
                    let mut r24 = 0;
                    loop {
                        r24 += 1;
                        if r24 > (((c3) & (7))) & 3 || r24 > 5 {
                            break;
                        }
                        q23[1] = bend(-(q23[1]), 0);
                        let mut f25 = ((if t > 2 { x[t - 3] } else { f1 })).min((f1).min(5.3333).max(-3.0)).max(-3.0);
                        let mut f26 = (((f1).abs()) * (cvt_rn(k2)));
                        c3 -= (if (t) > (2 * t + 0) { ((c3) / 7) } else { (9).min(r24) });
                    }
                } else {
                    if (t > 0 && x[t - 1] < f1) {
                        b4 = (t > 0 && x[t - 1] != f1);
                        let mut c27 = (((c3).min(v[t])) + ((if c3 != 0 { 97 / c3 } else { i[t] })));
                        let mut q28 = [(if (c27) < (c3) { y[m + 1] } else { y[t] }), -(y[t + m]), 1.5];
                    } else {
                        k2 += (if (((c3) < (3)) || ((t + 2) <= (u[t] as usize))) { ((y[t + 1]) * (f1)) } else { -(k2) });
                        out[t] += ((cvt_rn(out[t])) - (((f1) + (x[t]))));
                    }
                    let j29 = u[t] as usize;
                }
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0x8c77b1209e4f275e);
    }
}

mod kernel_18 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_18 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = -(((i[t]) as f32));
                let mut k2 = (if m > 2 { ((f1) * (x[m + 1])) } else { ((x[m + 1]) * (z[t])) });
                let mut c3 = (if (((t) < (m + 1)) || ((2.0009765625) <= (f1))) { ((v[t]) * (i[t])) } else { ((i[t]) ^ (6)) });
                let mut b4 = (k2) <= (x[t]);
                w[t] += ((cvt_rn(z[t])) * (out[t]));
                f1 += (((x[t + m]).mul_add(f1, f1)) + (((y[m + 1]) * (1.0009765625))));
                k2 = -((if b4 { k2 } else { 2.3333 }));
                k2 = ((((x[u[t] as usize]) * (f1))) - (((k2) + (k2))));
                let mut r5 = (((v[t]) - (c3))) & 7;
                while r5 > 0 {
                    r5 -= 2;
                    f1 *= (if (r5) != (v[t]) { bend(f1, v[t]) } else { ((out[t]) / (f1)) });
                    let b6 = !(b4);
                    c3 = (((v[t]) >> 3)).min(((c3) % 9));
                    if (i[t] != 0 && v[t] % i[t] != i[t]) {
                        let mut r7 = (((i[m + 1]) | (i[t]))) & 7;
                        while r7 > 0 {
                            r7 -= 2;
                            f1 = bend((f1).min(x[t]).max(-3.0), r7);
                            b4 = b4;
                            w[t] = ((((y[2 * t + 2]) + (k2))) + (((z[2 * t + 1]) - (k2))));
                            w[t] += -(((z[2 * t + 0]) + (k2)));
                        }
                        if (c3) < (v[t]) {
                            continue;
                        }
                    } else if (((i[m]) == (2)) || ((c3) >= (i[2 * t + 2]))) {
                        if b6 {
                            let j8 = t + m;
                            c3 = ((((0.5) as i32)) - ((((y[t]) > (f1)) as i32)));
                        }
                        let mut q9 = [(if (f1) > (y[m]) { out[t] } else { y[t] }), -(x[t + 6]), 1.5];
                    } else {
                        k2 = ((((z[t]) - (z[t]))) * ((if (f1) >= (x[2 * t + 2]) { k2 } else { k2 })));
                    }
                }
                let j10 = t + 1;
                let mut q11 = [(out[t]).mul_add(f1, x[t]), ((out[t]) * (x[t + m])), 1.5];
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x1fc668661bb15bcc);
    }
}

mod kernel_19 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_19 (t: ThreadX) keep(k2, k10) {
            if t < n {
                let mut f1 = -(bend(0.0009765625, i[t]));
                let mut k2 = ((((z[t]) - (f1))) * (((x[n - 1 - t]) * (7.25))));
                let mut c3 = ((((v[t]) | (i[t]))) | (((i[t]) * (0))));
                let mut b4 = (3) < (i[m]);
                if (i[t] < 0 || y[i[t] as usize] != f1) {
                    for r5 in (((((c3) >= (c3)) as i32)) & 3) - 1..((((c3) + (1))) & 3) {
                        b4 = ((if r5 != 0 { 51 / r5 } else { 8 })) != (i[n - 1 - t]);
                    }
                    let mut c6 = (((c3).min(c3)) & (((c3) * (v[t]))));
                } else if !((k2) > (y[2 * t + 1])) {
                    b4 = (((f1) as i32)) > (7);
                }
                if (i[t] < 0 || y[i[t] as usize] != 4.0009765625) {
                    w[t] = ((((k2) + (z[t]))) - (((z[t + m]) * (k2))));
                    for r7 in m..4 {
                        let mut r8 = 0;
                        loop {
                            r8 += 1;
                            if r8 > (((v[t]) ^ (i[n - 1 - t]))) & 3 || r8 > 5 {
                                break;
                            }
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = (((f1).abs()) + (cvt_rn(k2))) };
                        }
                        b4 = ((c3).min(3)) < (c3);
                        b4 = (((9) ^ (i[t]))) != (i[n - 1 - t]);
                        c3 += (if b4 { (((3) <= (c3)) as i32) } else { (if (f1) <= (y[t]) { i[t + 6] } else { c3 }) });
                    }
                } else if (2 * t + 3) <= (m + 1) {
                    let mut r9 = (((i[t + 7]) / 8)) & 7;
                    while r9 > 0 {
                        r9 -= 1;
                        if (((7) >= (c3)) && ((z[t + 3]) <= (out[t]))) {
                            continue;
                        }
                        if (t + 4) > (u[t] as usize) {
                            break;
                        }
                    }
                    k2 += ((((k2) - (k2))) - (((out[t]) * (x[m]))));
                } else {
                    out[t] += -(((f1) - (y[2 * t + 2])));
                }
                c3 += ((((out[t]) <= (x[t])) as i32)).min(((c3) & (v[t])));
                f1 += ((((i[t]) ^ (1))) as f32);
                if (((z[t + m]) * (z[m + 1]))) > (f1) {
                    v[t] = (((v[t]) * (c3))).min(((c3) | (c3)));
                } else if (((m + 1) <= (t)) && ((t) >= (t + 5))) {
                    b4 = (i[t] != 0 && c3 % i[t] >= 0);
                    let k10 = -(((k2) - (z[t])));
                } else {
                    let b11 = (i[t] < 0 || y[i[t] as usize] != f1);
                    for r12 in 0..3 {
                        c3 -= ((((c3) % 4)) * (((i[t]) >> 5)));
                        c3 ^= ((((2) * (i[t]))) ^ (((2) | (0))));
                        let mut q13 = [((f1) - (2.5)), bend(x[t + r12], c3), 1.5];
                        if (((f1) < (q13[0])) && ((((n - 1 - t) >= (m + 1)) && ((k2) <= (y[t + r12]))))) {
                            v[t] += ((((i[t + r12]) % 7)) | (((2) & (i[t]))));
                        } else if (((t) == (2 * t + 3)) && ((q13[1]) != (3.25))) {
                            f1 *= ((((c3) as f32)) - ((if t > 2 { x[t - 3] } else { f1 })));
                            q13[r12 % 3] = ((((y[t + 6]) as i32)) as f32);
                        } else {
                            let mut c14 = (((c3).min(5)) / 7);
                            let j15 = r12;
                        }
                    }
                }
                out[t] = ((((y[t + 2]) - (f1))) / (y[m]));
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0xeeac190a7c9089c);
    }
}

mod kernel_20 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_20 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = -(((1.5) - (a)));
                let mut k2 = ((-(z[u[t] as usize])) * ((if (z[t]) == (2.5) { x[2 * t + 2] } else { y[t] })));
                let mut c3 = (((k2) > (out[t])) as i32);
                let mut b4 = (t) < (t + 2);
                if (((f1) + (7.1))) != (f1) {
                    let mut r5 = 0;
                    loop {
                        r5 += 1;
                        if r5 > (((5) & (c3))) & 3 || r5 > 5 {
                            break;
                        }
                        let mut r6 = 0;
                        loop {
                            r6 += 1;
                            if r6 > ((((0.0009765625) == (f1)) as i32)) & 3 || r6 > 5 {
                                break;
                            }
                            c3 = (((if (f1) == (x[t + 5]) { i[t] } else { r5 })) | (((6.3333) as i32)));
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = (if !((k2) < (f1)) { ((x[m]) * (f1)) } else { ((z[t]) - (y[t])) }) };
                        }
                        v[t] = (((6) | (v[t]))).min(((out[t]) as i32));
                        let c7 = ((((v[t]) % 2)) | ((if (k2) > (y[t + 1]) { i[t + m] } else { 4 })));
                        for r8 in 1..=2 {
                            c3 ^= ((((r5) & (r5))) & ((if c3 != 0 { 60 / c3 } else { i[t] })));
                        }
                    }
                    w[t] = ((((k2) + (z[n - 1 - t]))) - (((z[n - 1 - t]) + (k2))));
                    if (((1) | (c3))) == (c3) {
                        if (((f1) + (2.5))) > (6.0) {
                            k2 += -((if (4) >= (v[t]) { k2 } else { f1 }));
                        }
                        f1 += (((f1).min(y[t + 5]).max(-3.0)) + ((2.0009765625).abs()));
                    } else {
                        out[t] = (if (((m) == (m + 1)) || ((out[t]) <= (x[t]))) { (out[t]).min(5.0009765625).max(-3.0) } else { ((out[t]) * (1.0)) });
                        let mut q9 = [((f1) - (out[t])), (y[2 * t + 0]).mul_add(x[m + 1], f1), 1.5];
                    }
                } else if (f1) >= (f1) {
                    w[t] += ((((x[n - 1 - t]) * (f1))) * (((k2) - (z[t + m]))));
                    if (n - 1 - t) >= (2 * t + 3) {
                        b4 = (i[t] != 0 && c3 % i[t] != c3);
                        let mut q10 = [(y[u[t] as usize]).abs(), ((f1) - (x[u[t] as usize])), 1.5];
                    } else if (i[t] != 0 && v[t] % i[t] == c3) {
                        let mut q11 = [-(x[t + 7]), -(f1), 1.5];
                    } else {
                        if (((((k2) >= (x[n - 1 - t])) || (b4))) || ((t + 7) < (u[t] as usize))) {
                            let mut q12 = [(x[t]).min(x[2 * t + 1]).max(-3.0), (x[t]).abs(), 1.5];
                            let c13 = (((if t > 2 { x[t - 3] } else { f1 })) as i32);
                        } else {
                            c3 += ((((0.1) as i32)) >> 5);
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = ((((f1) / (x[t + m]))) + (((f1) * (out[t])))) };
                        }
                    }
                } else {
                    c3 = (((i[t] != 0 && c3 % i[t] >= 0)) as i32);
                    k2 -= -(((k2) * (k2)));
                }
                for r14 in 0..m {
                    if (-(1.0)) > (f1) {
                        for r15 in m..4 {
                            f1 *= ((((out[t]) + (y[t]))) * ((if (t) == (r14) { y[r15] } else { x[m + 1] })));
                            k2 *= ((((out[t]) * (f1))) * (((out[t]) + (f1))));
                            f1 -= ((((f1) * (f1))) + (((x[r15]) * (f1))));
                        }
                    } else {
                        let c16 = (if (i[t] < 0 || y[i[t] as usize] == y[t + 6]) { ((c3) & (9)) } else { ((c3) / 5) });
                    }
                    if b4 {
                        continue;
                    }
                    if (t) != (t + r14) {
                        let mut b17 = ((b4) && ((2 * t + 2) < (2 * t + 2)));
                        if (((3.1) as i32)) == (v[t]) {
                            out[t] = (((f1) * (f1))).abs();
                            v[t] += (((((v[t]) < (i[t + 1])) as i32)) << 1);
                            // SAFETY: one thread an element.
                            unsafe { out[n + t] = ((((y[t]) * (x[n - 1 - t]))) * ((y[t]).abs())) };
                        } else if b17 {
                            let mut q18 = [(f1).min(0.5).max(-3.0), ((x[n - 1 - t]) + (y[r14])), 1.5];
                        }
                    } else if (t) > (u[t] as usize) {
                        k2 += (((if (y[u[t] as usize]) != (0.5) { k2 } else { k2 })) + (((k2) * (z[n - 1 - t]))));
                        let b19 = (i[t + 1]) != (c3);
                    } else {
                        if (i[t] != 0 && c3 % i[t] > i[u[t] as usize]) {
                            c3 = ((bend(6.5, c3)) as i32);
                        } else if (i[t] != 0 && 4 % i[t] < c3) {
                            let c20 = ((((i[t]) * (c3))) >> 4);
                            b4 = (i[t] < 0 || y[i[t] as usize] >= f1);
                        } else {
                            out[t] = -(((f1) * (y[t])));
                            v[t] += (((8) << 0)).min(((c3) + (2)));
                        }
                        let mut q21 = [((5.0) - (0.0)), ((f1) - (f1)), 1.5];
                    }
                    k2 += (if (x[n - 1 - t]) >= (x[2 * t + 1]) { (if (k2) < (2.1) { k2 } else { k2 }) } else { ((out[t]) - (k2)) });
                }
                for r22 in 1..=2 {
                    out[t] += ((((x[t]) / (6.25))) - ((y[t]).mul_add(x[u[t] as usize], x[t + r22])));
                    let j23 = t;
                }
                b4 = (((3.0009765625) as i32)) == (c3);
                if (t > 0 && x[t - 1] > 6.0) {
                    k2 = ((((k2) + (y[t]))) + ((if (z[t]) >= (5.0009765625) { k2 } else { y[2 * t + 0] })));
                    if (m) >= (t + m) {
                        v[t] = (((if (i[t + m]) < (c3) { c3 } else { i[2 * t + 1] })) >> 2);
                        for r24 in (((((k2) > (0.25)) as i32)) & 3) - 1..((((v[t]) | (c3))) & 3) {
                            b4 = (t > 0 && x[t - 1] != y[t]);
                            let j25 = n - 1 - t;
                            k2 *= ((((k2) + (k2))) + ((if (t) != (2 * t + 3) { z[2 * t + 2] } else { k2 })));
                            k2 -= -(((f1) * (7.0009765625)));
                        }
                    } else if (i[t] < 0 || y[i[t] as usize] > x[2 * t + 0]) {
                        if (k2) > (f1) {
                            return;
                        }
                    }
                    f1 -= bend(((f1) + (7.1)), 1);
                }
                if (t) >= (n - 1 - t) {
                    out[t] = (if t > 2 { x[t - 3] } else { -(y[t + 3]) });
                    for r26 in ((((1) | (i[t + m]))) & 3) - 1..(((v[t]).min(v[t])) & 3) {
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = bend((y[u[t] as usize]).min(0.1).max(-3.0), i[m]) };
                    }
                    if (t > 0 && x[t - 1] <= f1) {
                        c3 -= ((((x[t]) as i32)) ^ ((((u[t] as usize) > (t)) as i32)));
                    } else {
                        let mut q27 = [((f1) * (x[m + 1])), (y[t]).abs(), 1.5];
                    }
                }
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0xd701505a8d307753);
    }
}

mod kernel_21 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_21 (t: ThreadX) keep(k2, k10, k17) {
            if t >= n {
                return;
            }
            let mut f1 = (((a) + (x[t]))).abs();
            let mut k2 = -(((x[t]) * (z[t])));
            let mut c3 = ((((x[t]) / (y[m]))) as i32);
            let mut b4 = (t > 0 && x[t - 1] > f1);
            let mut b5 = (m + 1) != (t);
            k2 += ((((x[t + m]) - (z[t]))) - (((k2) * (z[u[t] as usize]))));
            let mut r6 = ((if (m + 1) >= (2 * t + 2) { v[t] } else { c3 })) & 7;
            while r6 > 0 {
                r6 -= 2;
                c3 = ((((y[u[t] as usize]) * (f1))) as i32);
                k2 *= ((-(f1)) - (-(k2)));
                if (t) != (m) {
                    w[t] = ((((k2) + (f1))) + (((z[n - 1 - t]) - (f1))));
                    let mut q7 = [(y[u[t] as usize]).abs(), ((f1) + (y[m])), 1.5];
                    let mut f8 = ((-(q7[2])) - ((if (z[t + m]) < (f1) { f1 } else { y[u[t] as usize] })));
                } else if (v[t]) > (r6) {
                    for r9 in ((((b4) as i32)) & 3) - 1..=(((r6).min(r6)) & 3) {
                        w[t] = (((if (out[t]) == (y[t]) { out[t] } else { f1 })) * (f1));
                        // SAFETY: one thread an element.
                        unsafe { w[n + t] = (((if (y[t + 6]) <= (x[t + m]) { k2 } else { k2 })) + (((k2) * (k2)))) };
                        let k10 = -(((k2) * (4.3333)));
                    }
                    let mut r11 = 0;
                    loop {
                        r11 += 1;
                        if r11 > (((1) ^ (v[t]))) & 3 || r11 > 5 {
                            break;
                        }
                        c3 -= (((i[t] < 0 || y[i[t] as usize] > f1)) as i32);
                        b5 = (i[t] != 0 && v[t] % i[t] >= c3);
                        w[t] += (((if (r11) == (i[t]) { k2 } else { z[u[t] as usize] })) + (((z[t]) + (y[t + m]))));
                    }
                } else {
                    f1 -= ((((r6) | (r6))) as f32);
                    if (i[t] != 0 && v[t] % i[t] > i[t + 5]) {
                        let mut q12 = [(if (x[t + m]) < (x[2 * t + 0]) { f1 } else { f1 }), (out[t]).abs(), 1.5];
                        f1 += (((y[t]).abs()) / (f1));
                        w[t] += -(-(z[n - 1 - t]));
                    } else {
                        f1 -= ((-(out[t])) / (out[t]));
                    }
                }
                k2 *= ((((k2) - (z[t]))) * (((k2) + (z[t + m]))));
            }
            let mut b13 = (t) >= (t + 1);
            let mut q14 = [((x[t]) + (3.25)), ((f1) * (x[t + 5])), 1.5];
            if b5 {
                if (t) == (m) {
                    // SAFETY: one thread an element.
                    unsafe { out[n + t] = ((((i[t]) as f32)) + ((y[m + 1]).mul_add(q14[2], 3.1))) };
                    if ((!((x[t]) < (out[t]))) || ((k2) >= (f1))) {
                        w[t] = ((-(k2)) * (((f1) + (z[t]))));
                        q14[0] = (((f1).abs()) + (((f1) - (x[m + 1]))));
                        k2 = -(((f1) - (k2)));
                    } else if (t > 0 && x[t - 1] >= f1) {
                        k2 *= ((((k2) - (z[n - 1 - t]))) + (((q14[0]) - (z[t]))));
                    } else {
                        c3 = ((((5.25) as i32)) % 6);
                        let mut q15 = [((3.5) + (q14[2])), ((x[t]) / (f1)), 1.5];
                    }
                    b4 = (t > 0 && x[t - 1] >= x[t]);
                } else if (i[t] != 0 && c3 % i[t] == v[t]) {
                    for r16 in 0..3 {
                        let k17 = ((((out[t]) / (out[t]))) * (out[t]));
                    }
                } else {
                    f1 += (if t > 2 { x[t - 3] } else { (f1).mul_add(3.0, y[t + 5]) });
                }
            }
            let j18 = (if (out[t]) > (out[t]) { t + 5 } else { t + m });
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0xdc68411c95b4141e);
    }
}

mod kernel_22 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_22 (t: ThreadX) keep(k2, k15) {
            if t < n {
                let mut f1 = ((((i[t]) as f32)) - (((v[t]) as f32)));
                let mut k2 = ((((f1) * (y[t + 2]))) - (((x[2 * t + 3]) * (z[t]))));
                let mut c3 = ((!((4.1) != (f1))) as i32);
                let mut b4 = (t > 0 && x[t - 1] < f1);
                for r5 in ((((v[t]) | (i[n - 1 - t]))) & 3) - 1..=((((c3) * (9))) & 3) {
                    if b4 {
                        if (((c3) >= (r5)) && ((t > 0 && x[t - 1] > 7.25))) {
                            let mut q6 = [((2.3333) * (out[t])), (out[t]).abs(), 1.5];
                            w[t] += ((((f1) * (5.3333))) + (((out[t]) * (k2))));
                            out[t] = ((-(y[n - 1 - t])) - ((6.1).abs()));
                        } else if !((f1) == (x[t])) {
                            v[t] += (((v[t]) & (7))).min((if (t + 5) > (t) { i[u[t] as usize] } else { v[t] }));
                        } else {
                            b4 = (((t > 0 && x[t - 1] < 0.0)) || ((((i[2 * t + 1]) != (i[n - 1 - t])) || ((z[t]) == (f1)))));
                            let j7 = t;
                        }
                    } else {
                        b4 = ((if (k2) == (x[t]) { v[t] } else { r5 })) > (0);
                    }
                }
                if (t + m) == (t + m) {
                    c3 ^= ((((i[2 * t + 2]) << 4)) | (((8) ^ (3))));
                    if (((y[u[t] as usize]) * (f1))) == (out[t]) {
                        let mut r8 = (((v[t]) - (v[t]))) & 7;
                        while r8 > 0 {
                            r8 -= 1;
                            b4 = !((r8) <= (4));
                        }
                        w[t] = ((((k2) * (k2))) + (((z[m]) + (f1))));
                        let mut q9 = [((x[t]) - (out[t])), (out[t]).abs(), 1.5];
                    } else if (t + 3) != (t) {
                        f1 -= (if (out[t]) <= (f1) { ((x[n - 1 - t]) + (y[2 * t + 2])) } else { ((out[t]) + (f1)) });
                    } else {
                        c3 ^= ((((6) | (i[t]))) << 7);
                    }
                } else if ((b4) || ((u[t] as usize) == (m + 1))) {
                    let mut r10 = 0;
                    loop {
                        r10 += 1;
                        if r10 > (((8) - (6))) & 3 || r10 > 5 {
                            break;
                        }
                        if (((((4) == (i[t])) || ((k2) > (f1)))) && ((i[t] != 0 && r10 % i[t] < i[2 * t + 3]))) {
                            w[t] = ((((z[t + 2]) + (k2))) + (((z[2 * t + 1]) + (f1))));
                            let mut q11 = [(if t > 2 { x[t - 3] } else { out[t] }), ((f1) - (x[t])), 1.5];
                            v[t] = ((((r10) | (9))) / 8);
                        }
                        for r12 in m..4 {
                            let mut f13 = ((((r10) ^ (i[t]))) as f32);
                            w[t] += ((bend(f1, r10)) * (y[t]));
                            w[t] = (if (t + r12) < (2 * t + 1) { ((k2) + (k2)) } else { -(k2) });
                        }
                        v[t] = (((((1) == (i[t])) as i32)) / 2);
                    }
                    f1 *= ((((f1) - (x[t + m]))) / (f1));
                }
                if b4 {
                    let mut f14 = -(((c3) as f32));
                    b4 = (t > 0 && x[t - 1] == y[u[t] as usize]);
                    let k15 = ((((3.1) * (f1))) * (((z[t + m]) * (k2))));
                }
                k2 *= -(((y[n - 1 - t]) * (x[2 * t + 2])));
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x479f68a045a7111f);
    }
}

mod kernel_23 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_23 (t: ThreadX) keep(k2, k7, k9) {
            if t >= n {
                return;
            }
            let mut f1 = ((((2.25) - (x[m]))) - ((y[t]).abs()));
            let mut k2 = ((((x[t]) * (x[t + m]))) - (-(y[2 * t + 1])));
            let mut c3 = (((((m + 1) < (t)) as i32)) - ((((x[m + 1]) < (f1)) as i32)));
            let mut b4 = m > 2;
            if ((if (t) != (m + 1) { k2 } else { k2 })) < (f1) {
                let mut f5 = (bend(5.0009765625, c3)).min((f1).mul_add(f1, f1)).max(-3.0);
                c3 = ((((c3) << 2)) | ((((t + 5) >= (t)) as i32)));
                let mut q6 = [(if b4 { x[u[t] as usize] } else { out[t] }), (x[n - 1 - t]).min(f1).max(-3.0), 1.5];
            } else if (z[2 * t + 3]) > (f1) {
                if !(!((f1) < (x[m + 1]))) {
                    c3 -= ((((out[t]) as i32)) >> 1);
                }
            } else {
                k2 = ((((out[t]) * (out[t]))) * (y[t]));
                f1 = cvt_rn((if (3.25) < (6.5) { k2 } else { z[m + 1] }));
            }
            let mut k7 = -(((z[t]) - (z[t])));
            let mut r8 = 0;
            loop {
                r8 += 1;
                if r8 > ((8).min(i[t])) & 3 || r8 > 5 {
                    break;
                }
                let mut k9 = ((((z[t]) * (k7))) * (((out[t]) + (k2))));
            }
            let j10 = (if b4 { m } else { t + 4 });
            b4 = !((i[t] != 0 && 8 % i[t] > c3));
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0xd24483461532e4d2);
    }
}

mod kernel_24 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_24 (t: ThreadX) keep(k2) {
            if t >= n {
                return;
            }
            let mut f1 = ((a).min(a).max(-3.0)).mul_add(((a) + (x[m + 1])), a);
            let mut k2 = ((((z[t + m]) * (z[t]))) * (-(z[t])));
            let mut c3 = (((i[m]) | (i[t + 4]))).min((if m > 2 { i[t] } else { v[t] }));
            let mut b4 = (v[t]) < (i[m + 1]);
            let b5 = b4;
            v[t] = ((((0) << 1)) + (((c3) + (c3))));
            let c6 = (((out[t]).abs()) as i32);
            // SAFETY: one thread an element.
            unsafe { w[n + t] = ((((f1) * (f1))) - (-(k2))) };
            if (i[t] != 0 && i[m] % i[t] > c3) {
                return;
            }
            if (i[t] != 0 && 5 % i[t] == i[m]) {
                return;
            }
            c3 -= ((((v[t]) - (v[t]))) | (((c3) - (1))));
            out[t] = f1;
            w[t] = k2;
            v[t] = c6;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x13719e5a41a33d9b);
    }
}

mod kernel_25 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_25 (t: ThreadX) keep(k2) {
            if t < n {
                let mut f1 = ((((a) as i32)) as f32);
                let mut k2 = (if (i[t] < 0 || y[i[t] as usize] > f1) { -(y[t + 6]) } else { ((z[t]) + (z[t])) });
                let mut c3 = ((((v[t]) * (i[n - 1 - t]))) + (((3.0009765625) as i32)));
                let mut b4 = (f1) >= (y[t + m]);
                c3 = ((((4) - (v[t]))) * ((((m) != (u[t] as usize)) as i32)));
                let mut r5 = 0;
                loop {
                    r5 += 1;
                    if r5 > ((c3).min(v[t])) & 3 || r5 > 5 {
                        break;
                    }
                    v[t] += ((((3) / 7)) ^ (((i[t]) / 7)));
                }
                for r6 in 0..m {
                    if ((v[t]).min(c3)) > (v[t]) {
                        if !(!((t) == (m + 1))) {
                            k2 *= (((if t > 2 { x[t - 3] } else { y[t] })) * (y[t + 7]));
                        } else if b4 {
                            let mut q7 = [((f1) + (out[t])), ((f1) + (f1)), 1.5];
                        }
                        let j8 = t;
                        if b4 {
                            f1 = bend((out[t]).mul_add(f1, f1), v[t]);
                        } else if (i[t] != 0 && c3 % i[t] > c3) {
                            // SAFETY: one thread an element.
                            unsafe { w[n + t] = (((if (z[2 * t + 0]) <= (x[u[t] as usize]) { k2 } else { k2 })) - (((f1) + (z[j8])))) };
                        }
                    } else if (((k2) > (f1)) && ((m + 1) != (t))) {
                        if (t > 0 && x[t - 1] <= out[t]) {
                            let mut c9 = ((((f1) - (f1))) as i32);
                            out[t] = ((cvt_rn(z[t])) / (f1));
                            k2 -= (if (t > 0 && x[t - 1] < 0.0) { (if (i[t + r6]) > (c9) { z[t] } else { z[t] }) } else { ((z[t]) * (z[r6])) });
                        } else if (f1) >= (f1) {
                            k2 -= ((((y[t]) * (z[u[t] as usize]))) * (-(k2)));
                            out[t] = (((f1) / (f1))).min(((x[m + 1]) + (f1))).max(-3.0);
                        }
                        let mut r10 = 0;
                        loop {
                            r10 += 1;
                            if r10 > (((c3) - (i[t]))) & 3 || r10 > 5 {
                                break;
                            }
                            v[t] += (if (i[t] < 0 || y[i[t] as usize] < x[2 * t + 3]) { ((f1) as i32) } else { (r10).min(c3) });
                            let mut q11 = [(if t > 2 { x[t - 3] } else { y[t + 2] }), ((f1) * (f1)), 1.5];
                        }
                    } else {
                        for r12 in m..4 {
                            let mut q13 = [((f1) + (x[t])), (if (9) != (4) { x[t] } else { f1 }), 1.5];
                            k2 *= -(((k2) * (z[2 * t + 1])));
                            k2 -= (if (6) < (5) { ((z[t + r12]) * (f1)) } else { ((k2) - (z[2 * t + 3])) });
                            w[t] += -(((z[r6]) + (k2)));
                        }
                    }
                }
                b4 = (((b4) as i32)) <= (c3);
                out[t] = f1;
                w[t] = k2;
                v[t] = c3;
            }
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0xfe99b4af9ae8abd6);
    }
}

mod kernel_26 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_26 (t: ThreadX) keep(k2) {
            if t >= n {
                return;
            }
            let mut f1 = (if (i[m]) <= (i[n - 1 - t]) { ((a) / (x[n - 1 - t])) } else { (a).min(x[t]).max(-3.0) });
            let mut k2 = (if (t > 0 && x[t - 1] < 1.5) { ((out[t]) * (z[t])) } else { ((x[t + m]) + (z[t])) });
            let mut c3 = ((((i[t]) ^ (i[t]))) % 9);
            let mut b4 = (((f1) < (4.0009765625)) && ((c3) == (c3)));
            for r5 in ((((i[m + 1]) ^ (v[t]))) & 3) - 1..(((((y[n - 1 - t]) == (2.1)) as i32)) & 3) {
                let mut q6 = [((f1) - (y[t])), (out[t]).abs(), 1.5];
            }
            f1 -= ((((y[m]) * (f1))) * (cvt_rn(f1)));
            b4 = ((out[t]).abs()) <= (x[m]);
            if (i[t] < 0 || y[i[t] as usize] == out[t]) {
                // SAFETY: one thread an element.
                unsafe { w[n + t] = (if !((c3) == (c3)) { ((k2) - (z[t])) } else { ((k2) * (k2)) }) };
                let f7 = ((((x[t + 1]) / (f1))) - ((out[t]).mul_add(6.0, out[t])));
                out[t] += (-(f1)).abs();
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x7c8e069f7ce943e9);
    }
}

mod kernel_27 {
    use super::*;

    formats! { @
        single F32x2 f32, None,
        kernel_27 (t: ThreadX) keep(k2, k22) {
            if t >= n {
                return;
            }
            let mut f1 = cvt_rn(((z[t + m]) - (a)));
            let mut k2 = (((if (z[t]) > (f1) { f1 } else { out[t] })) + (((f1) - (z[u[t] as usize]))));
            let mut c3 = ((((i[t]) ^ (v[t]))) ^ (((i[t]) - (3))));
            let mut b4 = (i[t] != 0 && c3 % i[t] == v[t]);
            k2 *= -(((k2) + (k2)));
            for r5 in m..4 {
                let mut q6 = [((5) as f32), ((f1) / (y[n - 1 - t])), 1.5];
                if (i[t] != 0 && v[t] % i[t] >= v[t]) {
                    return;
                }
                let mut r7 = (((c3) << 4)) & 7;
                while r7 > 0 {
                    r7 -= 2;
                    c3 = ((((c3) & (2))) - (((y[m + 1]) as i32)));
                }
            }
            for r8 in 0..m {
                if (((k2) + (f1))) >= (f1) {
                    let mut r9 = ((((t) > (u[t] as usize)) as i32)) & 7;
                    while r9 > 0 {
                        r9 -= 1;
                        b4 = (i[t] < 0 || y[i[t] as usize] <= x[t]);
                        k2 = (if (((v[t]) >= (1)) && ((f1) == (f1))) { ((x[t + 4]) * (f1)) } else { -(k2) });
                    }
                    let mut b10 = (((y[t + 6]) <= (x[m + 1])) && ((f1) != (y[2 * t + 0])));
                    k2 *= -((if b10 { x[t + 5] } else { out[t] }));
                } else if (z[t]) > (f1) {
                    for r11 in 1..=2 {
                        out[t] = ((((c3) as f32)) + (((3.0) - (x[t]))));
                        b4 = (t > 0 && x[t - 1] > y[t + 7]);
                    }
                    let mut q12 = [(f1).min(f1).max(-3.0), bend(f1, i[u[t] as usize]), 1.5];
                }
                k2 -= ((cvt_rn(z[2 * t + 2])) * (f1));
                for r13 in ((((c3) >> 0)) & 3) - 1..(((if (n - 1 - t) <= (m + 1) { 6 } else { v[t] })) & 3) {
                    c3 = (if r13 != 0 { 84 / r13 } else { ((x[u[t] as usize]) as i32) });
                    if (((v[t]) > (r13)) || ((((u[t] as usize) != (2 * t + 1)) || ((0) < (r13))))) {
                        let mut q14 = [(x[t]).abs(), ((out[t]) / (x[r8])), 1.5];
                    } else if !((k2) == (1.0)) {
                        c3 ^= (((v[t]) | (r13))).min(((6) / 9));
                    }
                    k2 = (if (((m + 1) <= (u[t] as usize)) || ((5) <= (i[2 * t + 0]))) { ((k2) - (k2)) } else { -(y[n - 1 - t]) });
                }
            }
            if b4 {
                for r15 in 0..m {
                    out[t] = (((f1).mul_add(4.0, f1)) - (((i[u[t] as usize]) as f32)));
                    let mut r16 = (((c3) >> 3)) & 7;
                    while r16 > 0 {
                        r16 -= 1;
                        let mut q17 = [((y[t + r15]) / (f1)), ((x[2 * t + 2]) - (f1)), 1.5];
                    }
                }
                let mut q18 = [(y[t + 1]).min(y[m + 1]).max(-3.0), ((f1) * (y[t + 4])), 1.5];
                c3 = (((v[t]) * (i[t]))).min(((q18[0]) as i32));
            } else if (m) > (t) {
                if (t > 0 && x[t - 1] != f1) {
                    let mut c19 = ((((9) >> 4)) + (((out[t]) as i32)));
                } else {
                    let mut r20 = ((((u[t] as usize) < (t)) as i32)) & 7;
                    while r20 > 0 {
                        r20 -= 2;
                        v[t] += ((((f1) as i32)) | (((f1) as i32)));
                        let mut q21 = [((y[t]) * (f1)), -(y[t + m]), 1.5];
                        b4 = !((y[t]) >= (f1));
                        k2 += -(((k2) + (k2)));
                    }
                    k2 -= ((-(y[m])) * (x[m]));
                }
            }
            // SAFETY: one thread an element.
            unsafe { out[n + t] = (cvt_rn(k2)).min(cvt_rn(z[t])).max(-3.0) };
            if (((i[t] < 0 || y[i[t] as usize] == x[t])) && ((i[t] != 0 && c3 % i[t] <= v[t]))) {
                if (i[t] < 0 || y[i[t] as usize] < y[m]) {
                    w[t] = (if (t) <= (t + 5) { ((0.3333) * (out[t])) } else { (if (f1) > (x[m + 1]) { k2 } else { z[t + 4] }) });
                    if b4 {
                        let mut k22 = ((((f1) * (z[t]))) * (((z[m]) + (z[2 * t + 2]))));
                        let mut q23 = [bend(x[m], v[t]), (y[t]).mul_add(f1, f1), 1.5];
                        f1 -= (((7.0) - (q23[2]))).abs();
                    } else if (0) == (v[t]) {
                        b4 = b4;
                        let j24 = (if (t) == (t + m) { t } else { m });
                    }
                    // SAFETY: one thread an element.
                    unsafe { v[2 * n - t] = (((m) == (n - 1 - t)) as i32) };
                } else if (t) == (2 * t + 0) {
                    b4 = (((f1) / (y[t]))) == (4.0009765625);
                }
            } else {
                let mut r25 = 0;
                loop {
                    r25 += 1;
                    if r25 > ((if (out[t]) >= (y[2 * t + 3]) { c3 } else { c3 })) & 3 || r25 > 5 {
                        break;
                    }
                    w[t] += (if (((2 * t + 2) < (t)) && ((8) > (3))) { -(k2) } else { ((z[t]) * (out[t])) });
                }
            }
            for r26 in ((((4) % 9)) & 3) - 1..((((c3) >> 1)) & 3) {
                for r27 in ((((v[t]) % 3)) & 3) - 1..=((((i[m + 1]) / 7)) & 3) {
                    // SAFETY: one thread an element.
                    unsafe { out[n + t] = ((((r26) as f32)) + ((2.0009765625).min(x[t]).max(-3.0))) };
                    if b4 {
                        v[t] = (((if c3 != 0 { 25 / c3 } else { c3 })) ^ (((4) % 5)));
                        v[t] = ((((r27) | (i[t + m]))) >> 3);
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = ((((0.3333) * (x[t]))) * ((y[t]).min(out[t]).max(-3.0))) };
                    }
                    let mut q28 = [bend(f1, r27), ((f1) + (x[n - 1 - t])), 1.5];
                }
                c3 += (((8) - (v[t]))).min(((7) & (1)));
                if (((k2) == (y[t])) && ((((t + m) == (t)) && ((x[t + 4]) == (x[t + m]))))) {
                    let mut f29 = ((((f1) * (x[m + 1]))) * (-(f1)));
                    for r30 in 1..=2 {
                        v[t] = ((b4) as i32);
                        let mut b31 = (k2) == (f29);
                        c3 ^= (((v[t]).min(r26)) ^ (((f1) as i32)));
                        let mut q32 = [((x[t + r30]) - (y[t + 3])), ((f29) - (f1)), 1.5];
                    }
                    let mut r33 = 0;
                    loop {
                        r33 += 1;
                        if r33 > ((c3).min(c3)) & 3 || r33 > 5 {
                            break;
                        }
                        b4 = (i[t] < 0 || y[i[t] as usize] >= out[t]);
                        let j34 = t + 2;
                        f29 = ((-(x[t])) * (bend(2.25, v[t])));
                    }
                }
                for r35 in ((((1) | (i[t]))) & 3) - 1..((((v[t]) & (8))) & 3) {
                    if (((i[t] != 0 && 3 % i[t] >= v[t])) || ((((7) > (r26)) && (b4)))) {
                        out[t] += (bend(y[t + m], 3)).min(((f1) * (x[t]))).max(-3.0);
                        k2 += -(((y[u[t] as usize]) * (x[n - 1 - t])));
                    } else if (i[t] < 0 || y[i[t] as usize] == y[t + m]) {
                        c3 += ((-(f1)) as i32);
                        f1 = (if t > 2 { x[t - 3] } else { ((f1) * (f1)) });
                    }
                    if (((4.25) != (f1)) || ((i[m]) >= (4))) {
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = -(cvt_rn(k2)) };
                        b4 = (((y[t]) + (f1))) > (f1);
                        f1 -= (if (((c3) != (i[t])) && (b4)) { ((f1) - (f1)) } else { ((out[t]) - (x[t + m])) });
                    }
                    if (i[t] < 0 || y[i[t] as usize] < x[t]) {
                        // SAFETY: one thread an element.
                        unsafe { out[n + t] = ((7.0009765625).mul_add(f1, f1)).min((if (v[t]) > (r26) { f1 } else { f1 })).max(-3.0) };
                    } else {
                        v[t] = (if (u[t] as usize) > (n - 1 - t) { ((c3) & (7)) } else { ((v[t]) / 9) });
                        let mut q36 = [((1.0) - (out[t])), (if (y[t]) < (x[t]) { f1 } else { y[t] }), 1.5];
                    }
                }
            }
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(single(), 0x5eeeb53fd7952a1);
    }
}

mod kernel_28 {
    use super::*;

    formats! { @
        f16 F16x2 ptxf::F16, Some(wide),
        kernel_28 (t: ThreadX) keep(k2, k17, k18) {
            if t >= n {
                return;
            }
            let mut f1 = cvt_rn(((z[t]) + (y[u[t] as usize])));
            let mut k2 = (((if (t + m) < (n - 1 - t) { z[t] } else { z[t] })) + (-(z[t + 2])));
            let mut c3 = (((v[t]).min(8)) ^ (((i[t]) * (i[t]))));
            let mut b4 = (t > 0 && x[t - 1] > x[t]);
            b4 = (((((f1) != (6.1)) || ((t + m) != (2 * t + 1)))) && (!((t) == (t))));
            let mut f5 = ((x[u[t] as usize]).min(f1).max(-3.0)).min(((f1) + (y[n - 1 - t]))).max(-3.0);
            for r6 in (((c3).min(5)) & 3) - 1..=((((c3) ^ (c3))) & 3) {
                if b4 {
                    let mut r7 = (((c3) ^ (v[t]))) & 7;
                    while r7 > 0 {
                        r7 -= 2;
                        k2 += (if (i[t] < 0 || y[i[t] as usize] == x[t]) { ((k2) - (f1)) } else { -(k2) });
                        k2 += ((((f1) * (f5))) - (((k2) - (k2))));
                    }
                    w[t] += (((if (y[t]) <= (3.0009765625) { k2 } else { z[u[t] as usize] })) + ((if (t) <= (t) { k2 } else { k2 })));
                } else if (c3) <= (v[t]) {
                    if (i[t] != 0 && c3 % i[t] <= c3) {
                        v[t] += ((((c3) + (v[t]))) + (((v[t]) ^ (c3))));
                    } else if (k2) <= (out[t]) {
                        w[t] = -(-(k2));
                    } else {
                        let f8 = (if (t) >= (t + m) { ((x[t]) + (f5)) } else { bend(f1, r6) });
                        let mut q9 = [(1.0009765625).abs(), ((f8) / (y[u[t] as usize])), 1.5];
                    }
                    let mut c10 = (if (z[t]) <= (f1) { ((i[n - 1 - t]) << 3) } else { ((8) / 6) });
                }
                let c11 = (((2) << 0)).min(((3) * (8)));
            }
            if b4 {
                let j12 = 2 * t + 1;
            } else {
                if b4 {
                    k2 += (if (((k2) <= (y[t])) && (b4)) { ((f1) * (f5)) } else { (if (x[m + 1]) <= (f5) { k2 } else { k2 }) });
                    if (t + 4) < (m) {
                        c3 -= ((-(y[m])) as i32);
                        let b13 = (t > 0 && x[t - 1] < f1);
                    } else if !((m) < (2 * t + 2)) {
                        f5 -= (((out[t]).abs()) + (((v[t]) as f32)));
                    } else {
                        let mut q14 = [bend(x[t], i[m + 1]), cvt_rn(k2), 1.5];
                        k2 -= ((((q14[1]) / (q14[2]))) * (7.3333));
                    }
                } else if (m + 1) >= (t) {
                    if (((t > 0 && x[t - 1] > f1)) && ((((8) < (3)) && ((f5) == (y[t + m]))))) {
                        let mut f15 = (((x[t]) - (x[t + 4]))).mul_add(((f5) + (x[t])), 0.3333);
                    } else if (c3) < (c3) {
                        let mut q16 = [((f1) + (2.25)), (x[t + m]).mul_add(f1, 5.5), 1.5];
                        let mut k17 = ((((5.3333) + (f5))) * (y[t]));
                    }
                } else {
                    w[t] += ((((x[n - 1 - t]) * (f1))) - (((3.1) * (f1))));
                    if !(b4) {
                        let mut k18 = (((if (v[t]) <= (c3) { z[u[t] as usize] } else { z[t + 2] })) * (-(z[n - 1 - t])));
                        let c19 = (((i[t] != 0 && i[t + 1] % i[t] < v[t])) as i32);
                    } else if (((c3) > (c3)) || ((m + 1) > (m))) {
                        let mut q20 = [(if b4 { x[m] } else { out[t] }), -(f5), 1.5];
                        v[t] = ((((c3) | (c3))) % 8);
                    } else {
                        out[t] += ((((out[t]) - (y[t]))) / (f5));
                    }
                }
            }
            f5 = cvt_rn(-(k2));
            for r21 in ((((c3) - (c3))) & 3) - 1..((((v[t]) / 6)) & 3) {
                if ((!((z[t + 7]) >= (f5))) && ((((r21) <= (c3)) && ((m + 1) >= (t))))) {
                    for r22 in 0..m {
                        w[t] = ((-(f5)) + ((if b4 { z[m + 1] } else { k2 })));
                        out[t] = (((if r21 != 0 { 32 / r21 } else { r21 })) as f32);
                        out[t] += ((((f1) + (f1))) * (((x[t]) + (x[r22]))));
                        let mut q23 = [cvt_rn(k2), bend(f1, c3), 1.5];
                    }
                }
                if (((x[m]) - (y[2 * t + 0]))) == (f1) {
                    if (u[t] as usize) > (t) {
                        break;
                    }
                } else {
                    if (t > 0 && x[t - 1] != y[2 * t + 2]) {
                        b4 = (((out[t]) * (f5))) != (f5);
                        let mut b24 = b4;
                        let j25 = m;
                    } else if (t > 0 && x[t - 1] > out[t]) {
                        k2 = (if !((y[t + m]) != (out[t])) { ((k2) - (0.5)) } else { ((k2) - (z[m])) });
                    } else {
                        v[t] = ((((x[m]) as i32)) + (((c3) & (0))));
                        // SAFETY: one thread an element.
                        unsafe { v[2 * n - t] = (((if (t) != (n - 1 - t) { 3 } else { i[m + 1] })) + (((c3) ^ (7)))) };
                    }
                }
            }
            let mut q26 = [((f5) / (x[n - 1 - t])), (f1).abs(), 1.5];
            out[t] = f1;
            w[t] = k2;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(f16(), 0x38729cd78b834420);
    }
}

mod kernel_29 {
    use super::*;

    formats! { @
        bf16 Bf16x2 ptxf::Bf16, None,
        kernel_29 (t: ThreadX) keep(k2, k6) {
            if t >= n {
                return;
            }
            let mut f1 = ((x[t + m]).min(a).max(-3.0)).mul_add(cvt_rn(a), a);
            let mut k2 = ((-(z[t + 4])) * (((z[t]) * (z[u[t] as usize]))));
            let mut c3 = (((i[t]).min(i[t])) * ((if m > 2 { i[m + 1] } else { 2 })));
            let mut b4 = (t > 0 && x[t - 1] < f1);
            let mut r5 = 0;
            loop {
                r5 += 1;
                if r5 > (((i[t]) * (c3))) & 3 || r5 > 5 {
                    break;
                }
                c3 ^= (((if (f1) > (f1) { c3 } else { 6 })) >> 2);
            }
            b4 = (i[t] != 0 && 3 % i[t] == i[n - 1 - t]);
            out[t] += ((cvt_rn(k2)) + ((f1).abs()));
            c3 += ((((f1) as i32)) | (((b4) as i32)));
            let mut k6 = (((if (k2) < (f1) { k2 } else { k2 })) + (((z[t]) + (4.25))));
            out[t] = f1;
            w[t] = k6;
            v[t] = c3;
        }
    }

    #[test]
    fn siblings_agree() {
        check_siblings(bf16(), 0xf03bd487ffc83d55);
    }
}
