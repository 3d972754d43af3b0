//! Tests of expansions: they are the same each time, and take a bounded time.

use std::time::Instant;

use proc_macro2::{TokenStream, TokenTree};

use super::{function, kernel};

#[test]
fn expansions_are_the_same_each_time() {
    let (mut longest, mut sum, kernels) = (0.0_f64, 0.0, oracle::kernels::of_seed(0x5EED_0002, 20));
    for oracle::kernels::Sample { options, item, .. } in &kernels {
        let expand = || {
            let (options, item) = (options.parse().expect("tokens"), item.parse().expect("tokens"));
            let start = Instant::now();
            let tokens = kernel(options, item);
            (tokens, start.elapsed().as_secs_f64() * 1e3)
        };
        let ((tokens, first), (again, second)) = (expand(), expand());
        // The shorter time, since another process may have had the core.
        let milliseconds = first.min(second);
        longest = longest.max(milliseconds);
        sum += milliseconds;
        syn::parse2::<syn::File>(tokens.clone()).unwrap_or_else(|e| panic!("{e}\n{item}"));
        let text = tokens.to_string();
        assert!(!text.contains("compile_error"), "{item}\n{text}");
        assert_eq!(text, again.to_string());
    }
    println!("{} kernels: {:.2} ms each, {longest:.2} ms at most", kernels.len(), sum / kernels.len() as f64);
}

/// A kernel's options and text, and a part of the error.
const REFUSED: [(&str, &str, &str); 4] = [
    ("pair = F16x2", "fn k(t: ThreadX, out: &mut [f32]) { out[t] = 1; }", "write `1.0` for `1`"),
    ("pair = F16x2", "fn k(t: ThreadX, out: &mut [f32]) { out[0] = 1.0; }", "every thread writes this element"),
    ("pair = F16x2, keep(k)", "fn k(t: ThreadX, out: &mut [f32]) { out[t] = 1.0; }", "has no variable `k` to keep"),
    ("", "fn k(t: ThreadX) -> f32 { 1.0 }", "a kernel returns nothing"),
];

#[test]
fn errors_replace_the_expansion() {
    for (options, item, error) in REFUSED {
        let text = kernel(options.parse().expect("tokens"), item.parse().expect("tokens")).to_string();
        assert!(text.contains("compile_error") && text.contains(error), "{text}");
    }
    let text = function("strict".parse().expect("tokens"), "fn f(x: f32) -> f32 { x }".parse().expect("tokens"));
    assert!(text.to_string().contains("is converted with the kernels that call it"));
}

/// Returns the expansion, which is Rust and no error.
fn expanded(options: &str, item: &str) -> String {
    let tokens = kernel(options.parse().expect("tokens"), item.parse().expect("tokens"));
    syn::parse2::<syn::File>(tokens.clone()).unwrap_or_else(|e| panic!("{e}\n{item}"));
    let text = tokens.to_string();
    assert!(!text.contains("compile_error"), "{item}\n{text}");
    text
}

/// Returns the lines of the plan that state how accesses are aligned.
fn alignments(options: &str, item: &str) -> Vec<String> {
    let expansion = expanded(options, item);
    let (_, plan) = expansion.split_once("PLAN").expect("a plan");
    let (plan, _) = plan.split_once("\" ;").expect("the plan's end");
    let lines = plan.split("\\n").map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| ["load", "store", "align", "neighbours"].iter().any(|word| line.contains(word))).collect()
}

#[test]
fn alignments_are_multiples_of_the_threads_of_a_device_thread() {
    let item = "fn k(t: ThreadX, n: usize, m: usize, x: &[f32], out: &mut [f32]) {
        let first = 4 * n + t;
        let mut sum = x[first] + x[first + 12 - 4] + x[t + m * 2] + x[t + 2] + x[t + 1];
        for i in 0..3 { sum += x[t + 2 * i * i]; }
        out[t] = sum;
    }";
    let aligned = |threads: &str| alignments(&format!("pair = F16x2, per_thread = {threads}"), item);
    assert_eq!(
        aligned("8"),
        [
            "load x[first] 8 aligned neighbours",
            "load x[first + 12 - 4] 8 aligned neighbours",
            "load x[t + m * 2] 8 aligned neighbours",
            "load x[t + 2] one aligned pair",
            "load x[t + 1] between two pairs",
            "load x[t + 2 * i * i] one aligned pair",
            "store out[t] 8 aligned neighbours",
            "8 aligned neighbours if n, m are multiples of 8, and pair by pair otherwise",
        ]
    );
    // Four times any number is a multiple of four, and eight is one of two.
    assert_eq!(aligned("4")[0], "load x[first] 4 aligned neighbours");
    assert_eq!(aligned("4")[7], "4 aligned neighbours if m is a multiple of 4, and pair by pair otherwise");
    assert_eq!(aligned("2"), alignments("pair = F16x2", item));
    assert_eq!(aligned("2")[0], "load x[first] one aligned pair");
}

/// Returns the parameters of the entry with this name.
fn entry(expansion: &str, symbol: &str) -> Vec<String> {
    let (_, after) = expansion.split_once(&format!("export_name = \"{symbol}\"")).expect("an entry");
    let (_, after) = after.split_once("extern \"ptx-kernel\" fn").expect("a function");
    let signature = after.split_once('{').expect("a body").0;
    let item: syn::ItemFn = syn::parse_str(&format!("fn {signature} {{}}")).expect("a signature");
    let names = item.sig.inputs.iter().map(|input| match input {
        syn::FnArg::Typed(typed) => quote::quote!(#typed).to_string().split(' ').next().unwrap_or_default().to_owned(),
        syn::FnArg::Receiver(_) => "self".to_owned(),
    });
    names.collect()
}

#[test]
fn parameters_of_entries_have_names_of_their_own() {
    let item = "fn k(t: ThreadX, x: &[f32], x_len: &[f32], x_len_len: usize, out: &mut [f32]) { out[t] = 1.0; }";
    for (options, symbols) in [("", &["k"][..]), ("pair = F16x2", &["k_f32", "k_scalar", "k_pair"])] {
        let text = expanded(options, item);
        for symbol in symbols {
            let mut names = entry(&text, symbol);
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        }
    }
}

#[test]
fn names_may_be_keywords() {
    let item = "fn r#type(r#fn: ThreadX, r#in: &[f32], r#let: &mut [f32]) { r#let[r#fn] = r#in[r#fn]; }";
    let text = expanded("prefix = r#fn", item);
    assert_eq!(entry(&text, "fn_type"), ["r#in", "__len_1", "r#let", "__len_2"]);
    let text =
        expanded("pair = F16x2, prefix = match, keep(r#in)", &item.replace("= r#in[r#fn]", "= cvt_rn(r#in[r#fn])"));
    assert_eq!(entry(&text, "match_type_f32").len(), 5);
    assert!(text.contains("type: two threads"), "{text}");
}

/// Returns the items that a crate can have once each, in any module.
fn once(expansion: &str) -> Vec<String> {
    let names = expansion.split("macro_rules ! ").skip(1);
    names.map(|after| after.split(' ').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn an_entry_of_a_name_is_there_once() {
    let item = "fn k(t: ThreadX, out: &mut [f32]) { out[t] = 1.0; }";
    let (plain, pair) = (once(&expanded("", item)), once(&expanded("pair = F32x2", item)));
    assert_eq!((plain.len(), pair.len()), (1, 3));
    // A kernel of that name in another module.
    assert_eq!(once(&expanded("", item)), plain);
    assert_eq!(once(&expanded("pair = F16x2", item)), pair);
    // A kernel whose name is that of an entry of this one.
    assert_eq!(once(&expanded("", &item.replace("fn k", "fn k_pair"))), pair[2..]);
    assert!(!once(&expanded("pair = F16x2, prefix = a", item)).iter().any(|name| pair.contains(name)));
    assert_eq!(once(&expanded("prefix = a", item)), once(&expanded("", &item.replace("fn k", "fn a_k"))));
}

/// Returns all tokens, including those in groups.
fn flat(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => flat(group.stream()),
            TokenTree::Literal(_) => Vec::new(),
            other => vec![other.to_string()],
        })
        .collect()
}

/// A user may have another item with the name `f32`.
#[test]
fn primitive_types_have_their_whole_path() {
    let item =
        "fn k(t: ThreadX, n: usize, i: u32, yes: bool, z: f32, x: &[f32], u: &[u32], b: &[i8], out: &mut [f32]) {
        let mut s = z;
        let mut c = 1;
        while c < n {
            s += f32::MAX * 0.5;
            c += 1;
        }
        if yes && t < n {
            out[t] = cvt_rn(s.max(x[t]) + u[t] as f32 + (i as u16 + b[t].abs_diff(3) as u16) as f32);
        }
    }";
    for pair in ["F16x2", "F32x2", "Bf16x2"] {
        let tokens = flat(expanded(&format!("pair = {pair}, keep(s, z)"), item).parse().expect("tokens"));
        let primitive = |word: &String| {
            ["f32", "usize", "i8", "u8", "u16", "u32", "i32", "bool", "u64", "str"].contains(&word.as_str())
        };
        for (i, word) in tokens.iter().enumerate().filter(|(_, word)| primitive(word)) {
            let before = tokens[i - 3..i].concat();
            // `k::f32` is a version.
            assert!(before == "primitive::" || before.ends_with("pubfn"), "{before} {word}");
        }
    }
}

/// Constructs that nest: the tokens before the innermost, the innermost, the tokens after, the
/// depth of each, and the statement around all.
const NESTS: [(&str, &str, &str, usize, [&str; 2]); 16] = [
    ("(", "x[t]", ")", 2, ["out[t] = ", ";"]),
    ("f(", "x[t]", ")", 2, ["out[t] = ", ";"]),
    ("{ let a = 1.0; ", "x[t]", "}", 2, ["out[t] = ", ";"]),
    ("x[t].min(", "x[t]", ")", 3, ["out[t] = ", ";"]),
    ("1.0 + (", "x[t]", ")", 3, ["out[t] = ", ";"]),
    ("if x[t] > 1.0 { ", "x[t]", "} else { 1.0 }", 5, ["out[t] = ", ";"]),
    ("x[t] + ", "x[t]", "", 1, ["out[t] = ", ";"]),
    ("- ", "x[t]", "", 1, ["out[t] = ", ";"]),
    ("", "x[t]", ".abs()", 1, ["out[t] = ", ";"]),
    ("if x[t] > 1.0 {", "out[t] = 1.0;", "}", 4, ["", ""]),
    ("", "if x[t] > 1.0 { out[t] = 1.0; }", "else if x[t] > 2.0 { out[t] = 2.0; }", 3, ["", ""]),
    ("while x[t] > 1.0 {", "out[t] = 1.0;", "}", 4, ["", ""]),
    ("{", "out[t] = 1.0;", "}", 2, ["", ""]),
    ("match t { 0 => {} _ => {", "out[t] = 1.0;", "} }", 12, ["", ""]),
    ("", "", "8 => out[t] = 1.0,", 3, ["match t {", "_ => {} }"]),
    ("", "", "8 => 2.0,", 3, ["out[t] = match t {", "_ => 0.5 };"]),
];

/// Returns the expansion of a kernel with a nested construct, on a stack of `stack` MiB.
fn nested(shape: usize, levels: usize, stack: usize) -> String {
    let (front, innermost, behind, _, [begin, end]) = NESTS[shape];
    let (front, behind) = (front.repeat(levels), behind.repeat(levels));
    let item = format!("fn k(t: ThreadX, x: &[f32], out: &mut [f32]) {{ {begin}{front}{innermost}{behind}{end} }}");
    let expand = move || kernel("pair = F16x2".parse().expect("tokens"), item.parse().expect("tokens")).to_string();
    std::thread::Builder::new().stack_size(stack << 20).spawn(expand).expect("a thread").join().expect("no panic")
}

#[test]
fn depth_is_an_error_and_no_crash() {
    for (shape, nests) in NESTS.iter().enumerate() {
        // Half of the compiler's stack is enough for everything that is accepted.
        let most = (super::depth::MOST - 12) / nests.3;
        let text = nested(shape, most, 4);
        assert!(!text.contains("compile_error"), "{nests:?} {most}: {text}");
        for levels in [super::depth::MOST / nests.3 + 1, 3000, 20_000] {
            let text = nested(shape, levels, 2);
            assert!(text.contains("nests too deep"), "{nests:?} {levels}: {text}");
        }
    }
    // Statements and arguments do not nest in one another.
    let long = "if x[t] > 1.0 { out[t] = 1.0; } out[t] = x[t] + 1.0; ;".repeat(200);
    let item = format!("fn k(t: ThreadX, x: &[f32], out: &mut [f32]) {{ {long} }}");
    let text = kernel("pair = F16x2".parse().expect("tokens"), item.parse().expect("tokens")).to_string();
    assert!(!text.contains("compile_error"));
}

#[test]
fn what_is_asked_of_a_value_does_not_multiply_it() {
    let expand = |levels: usize| {
        let value = format!("{}x[t]{}", "f(".repeat(levels), ".is_nan())".repeat(levels));
        let item = format!("fn k(t: ThreadX, x: &[f32], out: &mut [f32]) {{ out[t] = {value}; }}");
        kernel("pair = F16x2".parse().expect("tokens"), item.parse().expect("tokens")).to_string()
    };
    let (none, few, many) = (expand(0), expand(8), expand(16));
    assert!(!many.contains("compile_error"), "{many}");
    assert!(many.len() < 2 * few.len() && few.len() < 3 * none.len(), "{} {} {}", none.len(), few.len(), many.len());
}
