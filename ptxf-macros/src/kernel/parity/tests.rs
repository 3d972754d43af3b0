//! Rows of odd length: each index is evaluated for all small values of its variables.

use super::super::header::Role;
use super::super::options::Options;
use super::super::visit::{Part, each_in_statement};
use super::super::{classes, ownership, parse, precision, races};
use super::*;

/// An index, and its value for `[x, _y, _w, _m, _n, _l]`: the thread's indices, three parameters,
/// and a counter.
type Case = (&'static str, fn([usize; 6]) -> usize);

macro_rules! cases {
    ($variables:tt $($index:expr;)*) => {
        [$((stringify!($index), |$variables| $index)),*]
    };
}

/// Indices that are even in rows of odd length if `x` and `_y` are both even or both odd.
const ALONG: [Case; 10] = cases! {
    [x, _y, _w, _m, _n, _l]
    x + _y * _w;
    _w * _y + x;
    x + 2 + _y * _w;
    x + 3 * _y * _w;
    x + (_y + 2) * _w;
    x + (_y + _m) * _w;
    x + _y * _w + _m * _n;
    x + (_l * _m + _y) * _w;
    _m * _l + _n * 3 + _y * _w + x;
    x + _y * _w + (_n + _m) * (_l + 1);
};

/// Indices that are odd for some of these threads.
const OTHERS: [Case; 10] = cases! {
    [x, _y, _w, _m, _n, _l]
    x;
    x + _w;
    x + 1 + _y * _w;
    x + (_y + 1) * _w;
    x + _y * _m;
    x + _y * _w + _y;
    x + _y * (_w + 1);
    x + _y * _w * _m;
    x + (_l + _y) * _w;
    x + _y * _w + _l;
};

/// Returns the kernel whose loads have the indices.
fn kernel(indices: &[&str], per_thread: usize) -> Kernel {
    let sum: Vec<String> = indices.iter().map(|index| format!("a[{index}]")).collect();
    let text = format!(
        "fn k(x: ThreadX, _y: ThreadY, _w: usize, _m: usize, _n: usize, a: &[f32], out: &mut [f32]) {{
            let mut sum = 0.0;
            for _l in 0..4 {{ sum += {}; }}
            out[_y * _w + x] = sum;
        }}",
        sum.join(" + ")
    );
    let options: Options = syn::parse_str(&format!("pair = F16x2, per_thread = {per_thread}")).expect("options");
    let item = syn::parse_str(&text).expect("a function");
    let (mut kernel, mut types) = parse::parse(&item, Role::Kernel, &options).unwrap_or_else(|e| panic!("{e}: {text}"));
    precision::decide(&mut kernel, &types).expect("it is right");
    ownership::find(&mut kernel, &mut types).expect("it is right");
    races::check(&mut kernel).expect("it is right");
    classes::classify(&mut kernel, &types, &options).expect("it is right");
    kernel
}

/// Returns the indices of the kernel's loads, in order.
fn loads(kernel: &Kernel) -> Vec<&Expr> {
    let mut loads = Vec::new();
    for statement in &kernel.body.statements {
        each_in_statement(statement, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Load { index, .. }, .. }) = part {
                loads.push(&**index);
            }
        });
    }
    loads
}

/// Returns `true` if the index is even for all small values where `_w` is odd, the variables of
/// `even` are even, and the thread's indices are both even or both odd.
fn is_even(at: fn([usize; 6]) -> usize, even: &[String]) -> bool {
    let names = ["x", "_y", "_w", "_m", "_n", "_l"];
    (0..4_usize.pow(6)).all(|code| {
        let values: [usize; 6] = std::array::from_fn(|i| code / 4_usize.pow(i as u32) % 4);
        let [x, y, w, ..] = values;
        let is_left_out = names.iter().zip(values).any(|(name, n)| n % 2 == 1 && even.iter().any(|e| e == name));
        is_left_out || w % 2 == 0 || (x + y) % 2 == 1 || at(values).is_multiple_of(2)
    })
}

#[test]
fn accesses_that_are_aligned_in_odd_rows_are_at_even_indices_in_each() {
    for (is_found, cases) in [(true, &ALONG[..]), (false, &OTHERS[..])] {
        for &(index, at) in cases {
            let kernel = kernel(&[ALONG[0].0, index], 2);
            let mut parities = Parities::new(&kernel);
            let [first, other] = loads(&kernel)[..] else { panic!("two loads: {index}") };
            assert!(parities.in_rows(first), "{index}");
            assert_eq!(parities.in_rows(other), is_found, "{index}");
            let name = |id: &Id| kernel.variables[*id].name.to_string();
            let even: Vec<String> = parities.rows.even.iter().map(name).collect();
            assert_eq!(is_even(at, &even), is_found, "{index}, if {even:?} are even");
            assert_eq!(parities.rows.width.as_ref().map(name).as_deref(), Some("_w"));
        }
    }
}

#[test]
fn pairs_of_odd_rows_begin_before_the_row_if_most_accesses_are_aligned_then() {
    let is_shifted = |indices: &[&str], per_thread| {
        let kernel = kernel(indices, per_thread);
        let mut parities = Parities::new(&kernel);
        for index in loads(&kernel) {
            parities.in_rows(index);
        }
        parities.rows.odd().is_some()
    };
    let [along, other] = [ALONG[0].0, OTHERS[0].0];
    assert!(is_shifted(&[along], 2));
    assert!(is_shifted(&[along, other, along], 2));
    assert!(!is_shifted(&[along, other], 2));
    assert!(!is_shifted(&[other], 2));
    // Groups of more than a pair have no such rows.
    assert!(!is_shifted(&[along], 4));
}
