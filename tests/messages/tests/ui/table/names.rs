use ptxf_tables::unary_table;

const SCALE: f64 = 0.5;

unary_table!(static OUTER: F16 -> F16 = |x| SCALE * x);
unary_table!(static PATH: F16 -> F16 = |x| crate::SCALE * x);
unary_table!(static SEVERAL: F16 -> F16 = |x| scale * x + offset);
unary_table!(static SCOPE: F16 -> F16 = |x| { let y = { let z = x; z * z }; y + z });
unary_table!(static BARE: F16 -> F16 = |x| sin + x);

fn main() {}
