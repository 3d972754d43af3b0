use ptxf_tables::unary_table;

unary_table!(static UNKNOWN: F16 -> F16 = |x| gamma(x));
unary_table!(static LOG: F16 -> F16 = |x| x.log10());
unary_table!(static POW: F16 -> F16 = |x| powf(x, 1.5));
unary_table!(static PATH: F16 -> F16 = |x| f64::sin(x));

fn main() {}
