//! The language in small programs whose results are obvious, and what rewriting adds: rounding,
//! barriers and races.
//!
//! `build.rs` compiles each text that is given to `ints`, `value`, `value_of`, `kind`, `run`,
//! `body`, `product` and `source`.

use std::collections::BTreeSet;

use oracle::kernel::{Argument, Fault, FaultKind, Grid, Kernel, Order};
use oracle::{Rng, Ty, kernels};

use crate::{GENERATED, find};

fn grid(n: usize, block: usize) -> Grid {
    Grid { threads: [n, 1, 1], block: [block, 1, 1], order: Order::Serial }
}

/// Returns the kernel of a text.
fn kernel(of: &str, text: &str) -> Kernel {
    find(&format!("{of}: {text}")).unwrap_or_else(|| panic!("`build.rs` has not found {text}"))
}

/// Marks a text that a loop runs.
const fn body(text: &str) -> &str {
    text
}

/// Marks a text that is compiled with `fuse` and without.
const fn product(text: &str) -> &str {
    text
}

/// Returns the kernel `k` of a text of items.
fn source(text: &str) -> Kernel {
    kernel("source", text)
}

/// Returns `v` after a kernel of `n` threads with this body, in blocks of 4, in every order.
fn ints(n: usize, body: &str) -> Result<Vec<i32>, Fault> {
    ints_of(n, &[], body)
}

fn ints_of(n: usize, given: &[i32], body: &str) -> Result<Vec<i32>, Fault> {
    let kernel = kernel("body", body);
    let mut words: Vec<u64> = given.iter().map(|&x| (x as u32).into()).collect();
    words.resize(16, 0);
    let mut results = [Order::Serial, Order::Reversed, Order::Shuffled(9)].map(|order| {
        let mut arguments = [Argument::Scalar(n as u64), Argument::Slice(words.clone())];
        let run = kernel.run(Ty::F16, Grid { order, ..grid(n, 4) }, &mut arguments);
        run.map(|_| match arguments {
            [_, Argument::Slice(v)] => v.into_iter().map(|x| x as i32).collect::<Vec<_>>(),
            _ => unreachable!(),
        })
    });
    for result in &results[1..] {
        if let (Ok(a), Ok(b)) = (&results[0], result) {
            assert_eq!(a, b, "{body}");
        }
    }
    std::mem::replace(&mut results[0], Ok(Vec::new()))
}

/// Returns the result of one thread.
fn value(body: &str) -> i32 {
    value_of(&[], body)
}

/// The same, for numbers at the beginning of `v`.
fn value_of(given: &[i32], body: &str) -> i32 {
    ints_of(1, given, body).unwrap()[0]
}

fn kind(n: usize, body: &str) -> FaultKind {
    ints(n, body).unwrap_err().kind
}

#[test]
fn names_are_in_scopes() {
    assert_eq!(value("let a = 1; { let a = 2; v[t] = a; } v[t] = 10 * v[t] + a;"), 21);
    assert_eq!(value("let a = 1; let a = a + 1; if a == 2 { let a = 5; v[t] += a; } v[t] += a;"), 7);
    assert_eq!(value("let i = 7; for i in 0..i { v[t] += i; } v[t] += 100 * i;"), 721);
    assert_eq!(value("{ let mut v = shared::<i32, 4>(); v[l] = 3; } v[t] += 1;"), 1);
}

#[test]
fn order_is_rusts() {
    // The right operand of an assignment first, the index once.
    assert_eq!(
        value("let mut k = 0; let mut a = [0; 3]; a[{ k += 1; k }] += 10 + k as i32; v[t] = a[1] + 100 * k as i32;"),
        110
    );
    assert_eq!(value("let mut k = 1; let a = k + { k = 10; k } * k; v[t] = a;"), 101);
    assert_eq!(value("let mut k = 0; let b = false && { k = 1; true } | true; v[t] = k + b as i32 * 2;"), 0);
    assert_eq!(value("let mut k = 0; let b = false & { k = 1; true }; v[t] = k + b as i32 * 2;"), 1);
    assert_eq!(value("let mut k = 0; let b = true || { k = 1; true }; v[t] = k + b as i32 * 2;"), 2);
    assert_eq!(value("let mut k = 3_i32; v[t] = k.min({ k = 0; 5 }) + k;"), 3);
}

#[test]
fn integers_wrap() {
    assert_eq!(value("v[t] = i32::MAX + 1;"), i32::MIN);
    assert_eq!(value("v[t] = -2147483648 / -1;"), i32::MIN);
    assert_eq!(value("let a = 3_u32 - 4; v[t] = (a >> 28) as i32;"), 15);
    assert_eq!(value("v[t] = (1 << 33) + (-8 >> 1);"), -2);
    assert_eq!(value("v[t] = ((0 - 1) as usize >> 40) as i32;"), 0x00FF_FFFF);
    assert_eq!(value("v[t] = -7 % 3 + !4;"), -6);
    assert_eq!(kind(1, "v[t] = 1 / v[t];"), FaultKind::Panic);
}

#[test]
fn loops_end_as_they_say() {
    assert_eq!(value("for i in 0..10 { if i == 2 { continue; } if i > 4 { break; } v[t] += i; }"), 8);
    assert_eq!(value("for i in (2..5).rev() { v[t] = 10 * v[t] + i; }"), 432);
    assert_eq!(value("for i in (1..=3).rev() { if i == 2 { continue; } v[t] = 10 * v[t] + i; }"), 31);
    assert_eq!(
        value(
            "for i in (5..2).rev() { v[t] += i; } for i in (i32::MIN..=i32::MIN + 1).rev() { v[t] += i - i32::MIN; }"
        ),
        1
    );
    assert_eq!(value("let mut i = 0; while { i += 1; i < 5 } { v[t] += i; }"), 10);
    assert_eq!(value("loop { v[t] += 1; for j in 0..=3 { if v[t] == 5 { return; } v[t] += 0 * j; } }"), 5);
    assert_eq!(kind(1, "loop { v[t] = 1; }"), FaultKind::Panic);
    assert_eq!(kind(1, "while v[t] < 1 {}"), FaultKind::Panic);
    assert_eq!(value("for i in 3..=1 { v[t] = i; } for _j in i32::MAX - 1..=i32::MAX { v[t] += 1; }"), 2);
}

#[test]
fn loops_take_steps() {
    assert_eq!(value("for i in (1..8).step_by(3) { v[t] = 10 * v[t] + i; }"), 147);
    assert_eq!(value("for i in (1..=7).rev().step_by(3) { v[t] = 10 * v[t] + i; }"), 741);
    assert_eq!(value("for i in (1..7).rev().step_by(3) { v[t] = 10 * v[t] + i; }"), 63);
    assert_eq!(value("for _ in (i32::MAX - 4..=i32::MAX).step_by(4) { v[t] += 1; }"), 2);
    assert_eq!(value("for _ in (3..3).step_by(usize::MAX) { v[t] += 1; }"), 0);
    assert_eq!(kind(1, "for _ in (3..3).step_by(0) { v[t] += 1; }"), FaultKind::Panic);
}

#[test]
fn jumps_go_to_labels() {
    assert_eq!(
        value(
            "'a: for i in 0..3 { 'b: for j in 0..3 { v[t] += 1; if j == 1 { break 'a; } } v[t] += 10; } v[t] += 100;"
        ),
        102
    );
    assert_eq!(
        value(
            "'a: for i in 0..3 { 'b: for j in 0..3 { v[t] += 1; if j == 1 { continue 'a; } } v[t] += 10; } v[t] += 100;"
        ),
        106
    );
    assert_eq!(
        value(
            "'a: for i in 0..3 { 'b: for j in 0..3 { v[t] += 1; if j == 1 { break 'b; } } v[t] += 10; } v[t] += 100;"
        ),
        136
    );
    assert_eq!(
        value(
            "'a: for i in 0..3 { 'b: for j in 0..3 { v[t] += 1; if j == 1 { continue; } } v[t] += 10; } v[t] += 100;"
        ),
        139
    );
    assert_eq!(value("'a: while v[t] < 5 { loop { v[t] += 1; if v[t] == 3 { break 'a; } continue 'a; } }"), 3);
}

#[test]
fn a_match_takes_its_first_arm() {
    let all = |of: i32| {
        value_of(
            &[of],
            "let mut k = v[t]; v[t] = match k { -3 => 1, 0 | 2 => 2, i32::MIN..-1 => 3, 4..=6 => { k = 0; 4 + k } _ => k };",
        )
    };
    assert_eq!([-3, -4, -1, 0, 2, 4, 6, 7].map(all), [1, 3, -1, 2, 2, 4, 4, 7]);
    assert_eq!(value("match 1_usize { 0 => v[t] = 3, 1.. => { v[t] = 4 } _ => {} }"), 4);
    let named = |of: i32| {
        value_of(&[of], "v[t] = match v[t] { k if k < 0 => 1, k @ 1..=3 if k != 2 => { k + 10 } 2 => 3, k => k + 20 };")
    };
    assert_eq!([-3, 0, 1, 2, 3, 4].map(named), [1, 20, 11, 3, 13, 24]);
    let pair =
        |of: [i32; 2]| value_of(&of, "match (v[0], v[1]) { (a, 1) if a < 3 => v[t] = a, (_, b) => v[t] = 10 * b }");
    assert_eq!([[2, 1], [3, 1], [2, 2]].map(pair), [2, 10, 20]);
    let nested = |of: [i32; 3]| {
        value_of(
            &of,
            "match ((v[0] == 1, v[1]), v[2]) { ((true, a @ (1 | 5)), _) => v[t] = a, ((_, a), b) if a > b => v[t] = 20, ((up, _), b) => v[t] = 30 + b + up as i32 }",
        )
    };
    assert_eq!([[1, 5, 9], [0, 5, 4], [1, 2, 4], [0, 2, 4]].map(nested), [5, 20, 35, 34]);
    let float = |of: i32| {
        value_of(
            &[of],
            "v[t] = match v[t] as f32 * 0.25 { x if x < -1.0 => 1, x if x > 2.0 => 2, x => (x * 4.0) as i32 };",
        )
    };
    assert_eq!([-6, 12, 3, -4].map(float), [1, 2, 3, -4]);
}

#[test]
fn several_names_are_had_at_once() {
    assert_eq!(value("let (a, b) = (1, 2); let (b, mut a) = (a, b); a *= 10; v[t] = a + b;"), 21);
}

#[test]
fn floats_are_rounded_where_it_says() {
    let run = |kept: &str, body: &str| {
        let kernel = kernel(&format!("floats({kept})"), body);
        // 1 + 2⁻¹⁰ and 1 + 2⁻⁹.
        let x = Argument::Slice(vec![0x3C01, 0x3C02]);
        let mut arguments = [Argument::Scalar(0x3F80_0001), x, Argument::Slice(vec![0])];
        kernel.run(Ty::F16, grid(1, 1), &mut arguments).unwrap();
        match &arguments[2] {
            Argument::Slice(w) => w[0],
            Argument::Scalar(_) => unreachable!(),
        }
    };
    // (1 + 2⁻¹⁰)(1 + 2⁻⁹) = 1 + 3·2⁻¹⁰ + 2⁻¹⁹.
    assert_eq!(run("", "w[t] = x[0] * x[1];"), 0x3C03);
    assert_eq!(run("w", "w[t] = x[0] * x[1];"), 0x3F80_6010);
    assert_eq!(run("w", "let p = x[0] * x[1]; w[t] = p;"), 0x3F80_6000);
    assert_eq!(run("w", "w[t] = -(x[0] * x[1]);"), 0xBF80_6000);
    assert_eq!(run("w", "w[t] = a;"), 0x3F80_0000);
    assert_eq!(run("w, a", "w[t] = a;"), 0x3F80_0001);
    assert_eq!(run("w", "w[t] = 0.1;"), 0x3DCC_CCCD);
    // A literal has the precision of its context: here 1638 · 2⁻¹⁴ in f16, times 1025 · 2⁻¹⁰.
    assert_eq!(run("w", "w[t] = 0.1 * x[0];"), 0x3DCC_F330);
}

#[test]
fn products_are_fused_where_it_says() {
    let run = |options: &str, body: &str| {
        // 1 + 3·2⁻¹⁰, whose square is 1 + 6·2⁻¹⁰ + 9·2⁻²⁰, and the negation of that square in f16.
        let mut arguments = [Argument::Slice(vec![0x3C03, 0xBC06]), Argument::Slice(vec![0])];
        kernel(options, body).run(Ty::F16, grid(1, 1), &mut arguments).unwrap();
        match &arguments[1] {
            Argument::Slice(w) => w[0],
            Argument::Scalar(_) => unreachable!(),
        }
    };
    // 9·2⁻²⁰ is 144 of the smallest number.
    let last = 144;
    for (body, result) in [
        (product("w[t] = x[0] * x[0] + x[1];"), last),
        (product("w[t] = x[1] + ((x[0]) * x[0]);"), last),
        (product("w[t] = -x[1] - x[0] * x[0];"), 0x8000 | last),
        (product("w[t] = -x[1] + -(x[0] * x[0]);"), 0x8000 | last),
        (product("w[t] = x[0] * x[0] - x[0] * x[0];"), last),
        (product("let mut s = x[1]; s += x[0] * x[0]; w[t] = s;"), last),
        (product("let mut s = -x[1]; s -= x[0] * x[0]; w[t] = s;"), 0x8000 | last),
        (product("let p = x[0] * x[0]; w[t] = p + x[1];"), 0),
        (product("w[t] = times(x[0], x[0]) + x[1];"), 0),
        (product("w[t] = ({ x[0] * x[0] }) + x[1];"), 0),
        (product("w[t] = (if t == 0 { x[0] * x[0] } else { 0.0 }) + x[1];"), 0),
    ] {
        assert_eq!([run("fused", body), run("apart", body)], [result, 0], "{body}");
    }
}

#[test]
fn threads_wait_for_each_other() {
    let tree = body(
        "let mut s = shared::<i32, 4>(); s[l] = t as i32; sync_threads();
        let mut step = 2;
        while step > 0 {
            if l < step { unsafe { s[l] += s[l + step] }; }
            sync_threads();
            step = step / 2;
        }
        if l == 0 { unsafe { v[b] = s[0] }; }",
    );
    assert_eq!(ints(10, tree).unwrap()[..4], [6, 22, 17, 0]);
    // A barrier inside a value takes effect where it stands.
    let inside = body(
        "let mut s = shared::<i32, 4>(); s[l] = l as i32; let a = { sync_threads(); unsafe { s[3 - l] } }; v[t] = a;",
    );
    assert_eq!(ints(4, inside).unwrap()[..4], [3, 2, 1, 0]);
    let uniform = body(
        "let mut c = 0; for i in 0..3 { c += i; } sync_threads(); for i in 0..2 { c += 1; sync_threads(); } v[t] = c;",
    );
    assert_eq!(ints(5, uniform).unwrap()[..6], [5, 5, 5, 5, 5, 0]);
}

/// The macro accepts a read of another thread's element in a phase without writes. These kernels
/// break that rule, and each of them races.
#[test]
fn a_read_in_a_phase_with_a_write_is_a_race() {
    for phases in [
        body("let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); let a = s[3 - l]; s[l] = a;"),
        body(
            "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); if l < 2 { v[t] = s[3 - l]; } else { s[l] = 2; }",
        ),
        body(
            "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); for k in 0..2 { s[l] = k; sync_threads(); v[t] = s[3 - l]; }",
        ),
        body("let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); while s[0] < 3 { s[l] += 1; sync_threads(); }"),
        body(
            "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); if l < 2 { s[l] += s[l + 2]; s[l + 2] = 0; } else { s[l - 2] += 1; }",
        ),
        body("let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); let a = s[3 - l]; atomic_add(&mut s[0], a);"),
    ] {
        assert_eq!(kind(4, phases), FaultKind::Race, "{phases}");
    }
    let between = body(
        "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); let a = s[3 - l]; sync_threads(); s[l] = a + l as i32; sync_threads(); v[t] = s[3 - l];",
    );
    assert_eq!(ints(4, between).unwrap()[..4], [4, 3, 2, 1]);
}

#[test]
fn what_is_wrong_is_found() {
    assert_eq!(kind(4, "let mut s = shared::<i32, 4>(); s[l] = 1; v[t] = unsafe { s[3 - l] };"), FaultKind::Race);
    assert_eq!(kind(2, "unsafe { v[0] = 1 };"), FaultKind::Race);
    assert_eq!(kind(5, "unsafe { v[l] = 1 };"), FaultKind::Race);
    assert_eq!(kind(4, "if l < 2 { sync_threads(); }"), FaultKind::Barrier);
    assert_eq!(kind(4, "if l < 2 { sync_threads(); } else { sync_threads(); }"), FaultKind::Barrier);
    assert_eq!(kind(4, "if l < 2 { return; } sync_threads();"), FaultKind::Barrier);
    assert_eq!(kind(4, "unsafe { v[16] = 1 };"), FaultKind::Panic);
}

/// Checks that the generated kernels have results: no order leads to a fault or to other memory.
/// `PTXF_KERNELS=7:0:300` takes 300 kernels of seed 7, which compile in three minutes.
#[test]
fn no_two_threads_race() {
    let mut rng = Rng::new(0x5EED_0048);
    let samples = kernels::samples(GENERATED).expect("the build script has read them");
    let (count, mut barriers, mut planes, mut narrow) = (samples.len(), 0, 0, 0);
    for kernels::Sample { kernel: generated, .. } in samples {
        let kernel = find(&generated.path).expect("it is compiled");
        barriers += usize::from(generated.source.contains("sync_threads"));
        planes += usize::from(kernel.axes() == 3);
        narrow += usize::from(kernel.parameters().iter().any(|p| p.stored.is_some()));
        let block = generated.block.unwrap_or([8, 2, 2]);
        for n in [1, block[0] + 1, 2 * block[0]] {
            let threads = [n, generated.rows[0], generated.rows[1]];
            let given = kernels::arguments(&mut rng, &kernel.parameters(), generated.element, threads);
            let run = |order| {
                let mut arguments = given.clone();
                let touched = kernel.run(generated.element, Grid { threads, block, order }, &mut arguments);
                (arguments, touched.unwrap_or_else(|e| panic!("{e}\n{}", generated.source)))
            };
            assert_eq!(run(Order::Serial), run(Order::Shuffled(7)), "{}", generated.source);
        }
    }
    assert!(
        count < 300 || barriers > 120 && planes > 50 && narrow > 100,
        "of {count} {barriers} have barriers, {planes} planes, {narrow} narrow formats"
    );
}

#[test]
fn functions_and_constants_are_found() {
    let kernel = source(
        "const N: usize = 2 + 1; const HALF: f32 = 0.5;
         #[ptx_fn] fn f(x: f32, k: i32, s: &[i32]) -> f32 { if k == 1 { return x * HALF; } let mut x = x; for i in 0..N { x += s[i] as f32; } x }
         #[ptx_kernel(pair = Bf16x2)] fn k(t: ThreadX, s: &[i32], out: &mut [f32]) {
             let a = [8.0; N]; out[t] = f(a[N - 1], t as i32, s) + TABLE.get(1.0); }",
    );
    let kernel = kernel.with_table("TABLE", Ty::Bf16, Box::new(|x| x + 0x80));
    let mut arguments = [Argument::Slice(vec![1, 2, 4]), Argument::Slice(vec![0; 2])];
    let touched = kernel.run(Ty::Bf16, grid(2, 2), &mut arguments).unwrap();
    // 8 + 7 + 2 and 4 + 2.
    assert_eq!(arguments[1], Argument::Slice(vec![0x4188, 0x40C0]));
    assert_eq!(touched, BTreeSet::from([(0, 0, false), (0, 1, false), (0, 2, false), (1, 0, true), (1, 1, true)]));
}

#[test]
fn functions_change_what_they_are_given() {
    let kernel = source(
        "
        #[ptx_fn] fn next(x: &mut i32, by: i32) -> i32 { *x += by; if *x > 3 { return -1; } *x }
        #[ptx_fn] fn swap(a: &mut (i32, i32)) { (a.0, a.1) = (a.1, a.0); }
        #[ptx_fn] fn turn<const N: usize>(a: &mut [i32; N]) -> i32 { a[0] = a[N - 1]; next(&mut a[N - 1], 1) }
        #[ptx_fn] fn times<const K: i32>(x: i32) -> i32 { K * x }
        #[ptx_fn] fn store(v: &mut [i32], at: usize, x: i32) { v[at] += x; }
        #[ptx_kernel(pair = F16x2)] fn k(t: ThreadX, v: &mut [i32]) {
            let mut i = 1;
            let mut p = (i, next(&mut i, 1));
            swap(&mut p);
            let mut a = [p.0, p.1, 7];
            let left = turn(&mut a);
            store(v, t, times::<1000>(a[0]) + 100 * p.1 + 10 * i + left);
            next(&mut v[t], 100_000);
        }",
    );
    let mut arguments = [Argument::Slice(vec![0; 2])];
    kernel.run(Ty::F16, grid(2, 2), &mut arguments).unwrap();
    assert_eq!(arguments[0], Argument::Slice(vec![107_119; 2]));
}

#[test]
fn functions_have_types_of_their_own() {
    let kernel = source("
        #[ptx_fn] fn larger<T: PartialOrd>(a: T, b: T) -> T { if a < b { b } else { a } }
        #[ptx_fn] fn swap<T>(a: &mut T, b: &mut T) where T: Copy { let c: T = *a; *a = *b; *b = c; }
        #[ptx_fn] fn both<T, const N: i32>(a: T, b: T) -> (T, T) { let mut a = a; let mut b = b; if N > 1 { swap(&mut a, &mut b); } (a, b) }
        #[ptx_kernel(pair = F16x2)] fn k(t: ThreadX, x: &[f32], v: &mut [i32]) {
            let (a, b) = both::<_, 2>(x[t], 0.5);
            let (c, d) = both::<i64, 1>(-1, t as i64);
            let mut low = true;
            let mut high = a > b;
            swap(&mut low, &mut high);
            v[t] = larger(a, b) as i32 + 10 * larger(c, d) as i32 + 100 * larger(2, larger::<i32>(3, 1)) + 1000 * low as i32;
        }");
    let mut arguments = [Argument::Slice(vec![0x4500, 0]), Argument::Slice(vec![0; 2])];
    kernel.run(Ty::F16, grid(2, 2), &mut arguments).unwrap();
    assert_eq!(arguments[1], Argument::Slice(vec![305, 1310]));
}

#[test]
fn threads_change_elements_together() {
    // In blocks of 4; `v` is one slice for the grid.
    assert_eq!(ints(6, "atomic_add(&mut v[1], 1 + t as i32); atomic_sub(&mut v[1], 1);").unwrap()[1], 15);
    assert_eq!(ints(6, "atomic_max(&mut v[t % 2], t as i32 * 3);").unwrap()[..2], [12, 15]);
    assert_eq!(ints(5, "atomic_xor(&mut v[0], 1 << t); atomic_xor(&mut v[0], 1);").unwrap()[0], 0b11110);
    assert_eq!(ints(3, "let a = unsafe { atomic_add(&mut v[0], 1) }; atomic_add(&mut v[1], a);").unwrap()[..2], [3, 3]);
    assert_eq!(ints(1, "v[1] = unsafe { atomic_exch(&mut v[0], 7) }; v[0] += 1;").unwrap()[..2], [8, 0]);
    let swap = body("v[1] = unsafe { atomic_cas(&mut v[0], 0, 7) }; v[2] = unsafe { atomic_cas(&mut v[0], 0, 9) };");
    assert_eq!(ints(1, swap).unwrap()[..3], [7, 0, 7]);
    // Combinations whose result depends on the order.
    assert_eq!(kind(2, "atomic_add(&mut v[0], 1); atomic_max(&mut v[0], 1);"), FaultKind::Race);
    assert_eq!(kind(2, "atomic_add(&mut v[0], 1); v[t] = 1;"), FaultKind::Race);
    assert_eq!(kind(2, "let a = v[t]; atomic_add(&mut v[0], a);"), FaultKind::Race);
    assert_eq!(ints(4, "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); atomic_add(&mut s[0], 1); sync_threads(); v[t] = s[0];").unwrap()[..4], [5; 4]);
    assert_eq!(
        kind(4, "let mut s = shared::<i32, 4>(); s[l] = 1; sync_threads(); atomic_add(&mut s[0], 1); v[t] = s[l];"),
        FaultKind::Race
    );
    // No barrier separates two blocks.
    assert_eq!(kind(5, "atomic_add(&mut v[0], 1); sync_threads(); v[t + 4] = v[0];"), FaultKind::Race);
}

#[test]
fn a_block_votes() {
    let votes = body(
        "let a = sync_threads_or(t == 5); let b = sync_threads_and(l < 2); let c = sync_threads_count(t % 2 == 1);
                v[t] = a as i32 + 10 * b as i32 + 100 * c as i32;",
    );
    assert_eq!(ints(6, votes).unwrap()[..6], [200, 200, 200, 200, 111, 111]);
    assert_eq!(kind(2, "if l == 0 { let a = sync_threads_or(true); v[t] = a as i32; }"), FaultKind::Barrier);
}
