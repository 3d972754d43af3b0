use ptxf::{F16, ptx_fn, ptx_kernel};

#[ptx_fn]
fn cnd(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.2316419 * d.abs());
    let c = 0.398942
        * (-0.5 * d * d).exp()
        * (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    if d > 0.0 { 1.0 - c } else { c }
}

#[ptx_fn]
fn early(x: f32, n: i32) -> f32 {
    if x < 0.0 {
        return -x;
    }
    let mut s = x;
    for i in 0..n {
        if s > 10.0 {
            return s + i as f32;
        }
        s = s * 1.5;
    }
    s
}

#[ptx_kernel(pair = F16x2, keep(acc))]
fn all(t: ThreadX, n: usize, x: &[f32], j: &[i32], out: &mut [f32], m: &mut [i32]) {
    if t >= n {
        return;
    }
    let mut acc = 0.0;
    let mut count = 0;
    let mut a = [0.0; 4];
    let left = if t == 0 { t + 0 } else { t - 1 };
    for i in 0..4 {
        a[i] = x[left] * (i as f32);
        if a[i] > 3.0 && x[t] > 1.0 || j[t] == 2 {
            a[i] = cnd(x[t]);
            continue;
        }
        acc += a[i] * x[t];
        count += 1;
    }
    let mut k = j[t];
    while k > 0 {
        k -= 2;
        if k == 3 {
            break;
        }
        acc += 0.5;
        count = count + k % 3;
    }
    for q in 0..j[t] {
        if q == 5 {
            m[t] = q;
            return;
        }
        acc = acc - early(x[t], q);
    }
    let g = (j[t] as usize * 3) % n;
    out[t] = cvt_rn(acc) + x[g] + a[2];
    m[t] = count;
}

#[test]
fn every_construct() {
    for n in 0..70 {
        let x: Vec<F16> = (0..n).map(|i| F16::from_f32((i * 7 % 13) as f32 * 0.4 - 1.0)).collect();
        let j: Vec<i32> = (0..n).map(|i| (i * 5 % 8) as i32).collect();
        let mut want = (vec![F16::ZERO; n], vec![0; n]);
        all::scalar(n + 3, n, &x, &j, &mut want.0, &mut want.1);
        for wide in [false, true] {
            let mut got = (vec![F16::ZERO; n], vec![0; n]);
            let run = if wide { all::wide } else { all::pair };
            run(n + 3, n, &x, &j, &mut got.0, &mut got.1);
            let bits = |x: &[F16]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&want.0), bits(&got.0), "{n} {wide}");
            assert_eq!(want.1, got.1, "{n} {wide}");
        }
    }
    println!("{}", all::PLAN);
}
