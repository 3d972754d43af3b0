use ptxf::{E4m3, F16, Ue8m0, slice};

fn main() {
    let x = [0.5_f32; 32];
    let (mut scales, mut out) = ([Ue8m0::ONE], [E4m3::ZERO; 32]);
    slice::quantize_mx(&x, &mut out, &mut scales);
    slice::add_rn_f16(&x, slice::Splat(F16::ONE), &mut [F16::ZERO; 32]);
    slice::neg_f16(&[F16::ONE; 32], &mut [0.0_f32; 32]);
}
