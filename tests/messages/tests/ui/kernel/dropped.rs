//! Parts of a body that are refused, since nothing is dropped.

use ptxf::ptx_kernel;

mod other {
    pub fn sync_threads() {}
}

#[ptx_kernel(pair = F16x2)]
fn expressions(t: ThreadX, x: &[f32], out: &mut [f32]) {
    let a = x[t].abs::<f32>();
    let b = cvt_rn::<f32>(a);
    let c = <f32>::a;
    let d = f32::MAX::<3>;
    let e = 1.0_i32;
    let f = <f32>::cvt_rn(a);
    <f32>::a = 1.0;
    out[t] = a;
}

#[ptx_kernel(pair = F16x2)]
fn statements(t: ThreadX, l: LocalX, out: &mut [f32]) {
    let mut tile = shared::<f32, 8>() else { return };
    let ref board = shared::<f32, 8>();
    let mut plank = shared::<f32, 8>(3);
    for mut i in 0..3 {}
    sync_threads(1);
    other::sync_threads();
    #[cfg(any())]
    out[t] = 1.0;
    ;
    out[t] = 0.0;;
}

fn main() {}
