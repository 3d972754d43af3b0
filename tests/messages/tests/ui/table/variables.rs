use ptxf_tables::unary_table;

unary_table!(static TWO: F16 -> F16 = |x, y| x * y);
unary_table!(static NONE: F16 -> F16 = || 1.0);
unary_table!(static PATTERN: F16 -> F16 = |(x)| x);
unary_table!(static TYPED: F16 -> F16 = |x: F16| x);

fn main() {}
