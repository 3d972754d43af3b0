use ptxf_tables::unary_table;

unary_table!(static ODD: F16 -> F16 = |x| exp(x), symmetry = odd);
unary_table!(static EVEN: Bf16 -> F16 = |x| if x == -3 { 1 } else { x * x }, symmetry = even);
unary_table!(static ZERO: F16 -> F16 = |x| x + 0, symmetry = odd);

fn main() {}
