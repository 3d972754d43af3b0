//! Kernels from a `macro_rules!`, with the names that the macro itself brings; with tables of both
//! kinds.

use ptxf::{Bf16, F16};

macro_rules! stamped {
    ($module:ident $pair:ident $element:ident $parameters:tt $body:tt) => {
        mod $module {
            ptxf::unary_table!(static HALVED: $element -> $element = |x| x / 2);
            ptxf::unary_table!(static CLIPPED: $element -> $element = |x| max(min(x, 3), -3), range = -3..=3);

            #[ptxf::ptx_fn]
            fn halved(x: f32) -> f32 {
                let mut y = HALVED.get(x);
                if x < 0.0 {
                    y = -y;
                }
                y
            }

            #[ptxf::ptx_kernel(pair = $pair, keep(sum))]
            pub(super) fn kernel $parameters $body
        }
    };
    ($([$module:ident $pair:ident $element:ident])+ fn $parameters:tt $body:tt) => {
        $(stamped!($module $pair $element $parameters $body);)+
    };
}

stamped! {
    [in_f16 F16x2 F16]
    [in_bf16 Bf16x2 Bf16]
    fn (t: ThreadX, n: usize, x: &[f32], out: &mut [f32]) {
        if t < n {
            let mut sum = 0.0;
            let mut i = 0;
            while i < 3 {
                i += 1;
                if x[t] > 100.0 {
                    break;
                }
                sum += halved(x[t]) * CLIPPED.get(x[t]);
            }
            out[t] = cvt_rn(sum);
        }
    }
}

macro_rules! check {
    ($module:ident $element:ident) => {
        let x: Vec<$element> = (0..77).map(|i| $element::from_f32((i * 7 % 31 - 15) as f32 * 8.0)).collect();
        let [mut scalar, mut pair, mut wide] = [(); 3].map(|()| vec![$element::ZERO; x.len()]);
        $module::kernel::scalar(x.len(), x.len(), &x, &mut scalar);
        $module::kernel::pair(x.len(), x.len(), &x, &mut pair);
        $module::kernel::wide(x.len(), x.len(), &x, &mut wide);
        let want = |x: f32| if x > 100.0 { 0.0 } else { 3.0 * (x / 2.0).abs() * x.clamp(-3.0, 3.0) };
        let want: Vec<$element> = x.iter().map(|x| $element::from_f32(want(x.to_f32()))).collect();
        assert_eq!([&scalar, &pair, &wide], [&want; 3]);
    };
}

#[test]
fn each_has_its_own_format() {
    check!(in_f16 F16);
    check!(in_bf16 Bf16);
}
