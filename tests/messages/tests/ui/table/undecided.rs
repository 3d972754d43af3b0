use ptxf_tables::unary_table;

unary_table!(static ZERO: F16 -> F16 = |x| sin(2 * x) - 2 * sin(x) * cos(x));
unary_table!(static TIE: F16 -> F16 = |x| x * 1.00048828125 * (4 * atan(1) / PI));
unary_table!(static CONDITION: F16 -> F16 = |x| if sin(2 * x) <= 2 * sin(x) * cos(x) { x } else { -x });
unary_table!(static BUDGET: F16 -> F16 = |x| sin(2 * x) - 2 * sin(x) * cos(x) + 1e-700);

fn main() {}
