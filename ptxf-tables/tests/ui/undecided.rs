use ptxf_tables::unary_table;

unary_table!(static ZERO: F16 -> F16 = |x| sin(x) - sin(x));
unary_table!(static TIE: F16 -> F16 = |x| ln(exp(x)) * 1.00048828125);
unary_table!(static CONDITION: F16 -> F16 = |x| if sqrt(2) * sqrt(2) < 2 { x } else { -x });

fn main() {}
