use ptxf_tables::unary_table;

unary_table! {
    const SCALE: f64 = 2 * x;
    static T: F16 -> F16 = |x| SCALE * x
}
unary_table! {
    const SCALE: u32 = 2;
    static U: F16 -> F16 = |x| SCALE * x
}

fn main() {}
