use ptxf_tables::unary_table;

unary_table!(static SINGLE: f32 -> F16 = |x| x);
unary_table!(static RESULT: F16 -> f64 = |x| x);
unary_table!(static PAIR: F16x2 -> F16x2 = |x| x);

fn main() {}
