// A faulty table is there all the same: one error, not one more for each use.
use ptxf_tables::{UnaryTable, unary_table};

unary_table!(static T: F16 -> F16 = |x| y);

fn main() {
    let _: &UnaryTable<ptxf_core::F16, ptxf_core::F16> = &T;
}
