use ptxf::{F16, ptx_kernel};

#[ptx_kernel(pair = F16x2)]
fn nn(t: ThreadX, n: usize, lat: &[f32], lng: &[f32], lat0: f32, lng0: f32, out: &mut [f32]) {
    if t < n {
        let x = lat0 - lat[t];
        let y = lng0 - lng[t];
        out[t] = (x * x + y * y).sqrt();
    }
}

#[ptx_kernel(pair = F16x2, keep(s, best))]
fn kmeans(t: ThreadX, n: usize, k: usize, f: usize, x: &[f32], c: &[f32], member: &mut [i32]) {
    if t >= n {
        return;
    }
    let mut best = f32::INFINITY;
    let mut idx = 0;
    for i in 0..k {
        let mut s = 0.0;
        for j in 0..f {
            let d = x[t + j * n] - c[i * f + j];
            s += d * d;
        }
        if s < best {
            best = s;
            idx = i as i32;
        }
    }
    member[t] = idx;
}

#[test]
fn nn_runs() {
    let n = 37;
    let lat: Vec<F16> = (0..n).map(|i| F16::from_f32(7.0 + i as f32)).collect();
    let lng: Vec<F16> = (0..n).map(|i| F16::from_f32(3.0 * i as f32)).collect();
    let mut want = vec![F16::ZERO; n];
    nn::scalar(n, n, &lat, &lng, 30.0, 90.0, &mut want);
    let mut pair = vec![F16::ZERO; n];
    nn::pair(n, n, &lat, &lng, 30.0, 90.0, &mut pair);
    assert_eq!(
        want.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
        pair.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    );
    let mut wide = vec![F16::ZERO; n];
    nn::wide(n, n, &lat, &lng, 30.0, 90.0, &mut wide);
    assert_eq!(
        want.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
        wide.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    );
    println!("{}", nn::PLAN);
}

#[test]
fn kmeans_runs() {
    let (n, k, f) = (45, 5, 7);
    let x: Vec<F16> = (0..n * f).map(|i| F16::from_f32((i * 37 % 17) as f32)).collect();
    let c: Vec<F16> = (0..k * f).map(|i| F16::from_f32((i * 31 % 17) as f32)).collect();
    let (mut a, mut b, mut w) = (vec![0; n], vec![0; n], vec![0; n]);
    kmeans::scalar(n, n, k, f, &x, &c, &mut a);
    kmeans::pair(n, n, k, f, &x, &c, &mut b);
    kmeans::wide(n, n, k, f, &x, &c, &mut w);
    assert_eq!(a, b);
    assert_eq!(a, w);
    assert!(a.iter().any(|&i| i != a[0]));
    println!("{}", kmeans::PLAN);
}

#[ptx_kernel]
fn axpy(t: ThreadX, n: usize, a: f32, x: &[f32], y: &mut [f32]) {
    if t < n {
        y[t] += a * x[t];
    }
}

#[ptx_kernel]
#[expect(unsafe_code, reason = "another index than the thread's own")]
fn transpose(x: ThreadX, y: ThreadY, w: usize, h: usize, a: &[F16], b: &mut [F16]) {
    // SAFETY: each thread writes one element of its own.
    unsafe { b.set(x * h + y.get(), a[y * w + x.get()]) };
}

#[test]
fn plain_kernels_run() {
    let x: Vec<f32> = (0..10).map(|i| i as f32).collect();
    let mut y = vec![1.0; 10];
    axpy::launch(12, 10, 2.0, &x, &mut y);
    assert_eq!(y[9], 19.0);
    let a: Vec<F16> = (0..6).map(|i| F16::from_f32(i as f32)).collect();
    let mut b = vec![F16::ZERO; 6];
    transpose::launch([3, 2], 3, 2, &a, &mut b);
    assert_eq!(b[1].to_f32(), 3.0);
}
