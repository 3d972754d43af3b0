use ptxf_tables::unary_table;

unary_table!(static REMAINDER: F16 -> F16 = |x| x % 2);
unary_table!(static POWER: F16 -> F16 = |x| x ^ 2);
unary_table!(static CAST: F16 -> F16 = |x| x as f32);
unary_table!(static SUFFIX: F16 -> F16 = |x| 0.5f32 * x);
unary_table!(static STRING: F16 -> F16 = |x| x * "2");
unary_table!(static BOOL: F16 -> F16 = |x| x < 1);
unary_table!(static NUMBER: F16 -> F16 = |x| if x { 1 } else { 2 });
unary_table!(static LONELY: F16 -> F16 = |x| if x < 0 { 1 });
unary_table!(static LOOP: F16 -> F16 = |x| loop {});
unary_table!(static STATEMENT: F16 -> F16 = |x| { x; x });
unary_table!(static NOTHING: F16 -> F16 = |x| {});

fn main() {}
