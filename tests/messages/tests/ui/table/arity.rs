use ptxf_tables::unary_table;

unary_table!(static ONE: F16 -> F16 = |x| sin(x, x));
unary_table!(static TWO: F16 -> F16 = |x| max(x));
unary_table!(static METHOD: F16 -> F16 = |x| x.min(1, 2));
unary_table!(static VARYING: F16 -> F16 = |x| powi(x, x));
unary_table!(static LARGE: F16 -> F16 = |x| powi(x, 100_000));

fn main() {}
