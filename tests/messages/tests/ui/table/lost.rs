// Nothing is dropped without a word.
use ptxf_tables::unary_table;

unary_table!(static RETURN: F16 -> F16 = |x| -> F16 { x });
unary_table!(static INNER: F16 -> F16 = |x| #[cfg(any())] x);
unary_table!(static LET: F16 -> F16 = |x| { #[cfg(any())] let y = 1; x });
unary_table!(static BLOCK: F16 -> F16 = |x| { #![allow(unused)] x });
unary_table!(static PATTERN: F16 -> F16 = |#[cfg(any())] x| x);
unary_table!(static BINDING: F16 -> F16 = |x @ _| x);
unary_table!(static MUTABLE: F16 -> F16 = |mut x| x);
unary_table!(static MOVE: F16 -> F16 = move |x| x);
unary_table!(static ASYNC: F16 -> F16 = async |x| x);
unary_table!(static UNSAFE: F16 -> F16 = |x| unsafe { x });
unary_table!(static CONST: F16 -> F16 = |x| const { 1 });
unary_table!(static LABEL: F16 -> F16 = |x| 'a: { x });
unary_table!(static TYPED: F16 -> F16 = |x| { let y: f32 = x; y });
unary_table!(static ELSE: F16 -> F16 = |x| { let y = x else { 1 }; y });
unary_table!(static EXPONENT: F16 -> F16 = |x| powi(x, 2u8));
unary_table!(static METHOD: F16 -> F16 = |x| x.abs::<f32>());
unary_table!(static GENERIC: F16 -> F16 = |x| x * f64::consts::PI::<f32>);
unary_table!(static PARAMETER: F16<f32> -> F16 = |x| x);
unary_table!(static OPTION: F16 -> F16 = |x| x, mode = #[cfg(any())] stepwise);
unary_table!(static GENERICS<T>: F16 -> F16 = |x| x);
unary_table! {
    const A: f64 = 1;
    const A: f64 = 2;
    static TWICE: F16 -> F16 = |x| A * x
}
unary_table! {
    const r#A: f64 = 1;
    const A: f64 = 2;
    static RAW: F16 -> F16 = |x| A * x
}
unary_table! {
    const x: f64 = 1;
    static SHADOW: F16 -> F16 = |x| x
}
unary_table! {
    #[cfg(any())]
    const A: f64 = 1;
    static ATTRIBUTE: F16 -> F16 = |x| A * x
}
unary_table! {
    pub const A: f64 = 1;
    static VISIBLE: F16 -> F16 = |x| A * x
}

fn main() {}
