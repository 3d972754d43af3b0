use ptxf_tables::unary_table;

unary_table!(static BACKWARDS: F16 -> F16 = |x| x, range = 2..1);
unary_table!(static BETWEEN: F16 -> F16 = |x| x, range = 1.0001..1.0002);
unary_table!(static NEGATIVE: F16 -> F16 = |x| x, symmetry = odd, range = -2..-1);
unary_table!(static VARYING: F16 -> F16 = |x| x, range = 0..x);
unary_table!(static NONE: F16 -> F16 = |x| x, range = 4);
unary_table!(static ALL: F16 -> F16 = |x| x, range = ..);
unary_table!(static WRONG: F16 -> F16 = |x| tanh(x), range = -2..=2);
unary_table!(static BELOW: F16 -> F16 = |x| x * sigmoid(x), range = -21..=9, above = x);
unary_table!(static TYPES: F16 -> Bf16 = |x| x, range = 0..1, below = 0, above = x);
unary_table!(static EXPRESSION: F16 -> F16 = |x| x, range = 0..1, below = 0, above = x + 1);

fn main() {}
