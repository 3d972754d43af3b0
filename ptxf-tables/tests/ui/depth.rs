// Too deep is an error on the token where it becomes so.
use ptxf_tables::unary_table;

macro_rules! nested {
    ([$($x:tt)*]) => { unary_table!(static NESTED: F16 -> F16 = |x| $($x)*); };
    ([$($x:tt)*] $_:tt $($rest:tt)*) => { nested!([($($x)*)] $($rest)*); };
}

// 150 parentheses.
nested!([x] ..................................................................................................................................................);

unary_table!(static SIGNS: F16 -> F16 = |x| - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - x);

fn main() {}
