use ptxf_tables::unary_table;

unary_table!();
unary_table!(T: F16 -> F16 = |x| x);
unary_table!(static mut T: F16 -> F16 = |x| x);
unary_table!(static T: F16 -> F16 = x * x);
unary_table!(static T: F16 -> F16 = |x| x; 5);

fn main() {}
