use ptxf_tables::unary_table;

unary_table!(static MODE: F16 -> F16 = |x| x, mode = fast);
unary_table!(static UNKNOWN: F16 -> F16 = |x| x, rounding = up);
unary_table!(static TWICE: F16 -> F16 = |x| x, mode = exact, mode = stepwise);
unary_table!(static SYMMETRY: F16 -> F16 = |x| x, symmetry = point);
unary_table!(static OUTSIDE: F16 -> F16 = |x| x, above = 1);

fn main() {}
