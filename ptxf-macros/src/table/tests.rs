use std::time::Instant;
use quote::quote;
use super::*;
fn run(t: TokenStream) -> usize {
    let cpu = || { let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap(); s.split(' ').next().unwrap().parse::<u64>().unwrap() as f64 / 1e9 };
    let c0 = cpu();
    let t0 = Instant::now();
    let s = t.to_string();
    let out = expand(quote!([ptxf] #t)).to_string();
    println!("{:.3}s cpu {:.3}s {s}: {} {}", t0.elapsed().as_secs_f64(), cpu() - c0, out.len(), if out.len() < 5000 { &out } else { "" });
    out.len()
}
#[test]
fn timing() {
    for (a, b) in [(quote!(F16), quote!(F16)), (quote!(Bf16), quote!(Bf16))] {
        for e in [
            quote!(0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))),
            quote!(exp(2*x) + sin(3*x*x) - 3*cos(x)),
            quote!(0.1 * x),
            quote!(exp(x)), quote!(x * sigmoid(x)), quote!(0.5*x*(1+erf(x/sqrt(2)))), quote!(sin(x)), quote!(ln(x)), quote!(atan(x)),
            quote!(exp(x) - 1), quote!(cosh(x)), quote!(if x < 0 { 0.01*x } else { x }), quote!(exp2(x)), quote!(log2(x)), quote!(erf(x)), quote!(sqrt(x)), quote!(1/x), quote!(tanh(x)),
            quote!(max(x, 0.1*x)), quote!(powi(x, 7) - 1/3), quote!(ln(1 + exp(x))), quote!(sin(x)/x),
        ] {
            run(quote!(static G: #a -> #b = |x| #e));
        }
        run(quote!(static G: #a -> #b = |x| 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))), mode = stepwise));
    }
}
