//! Inputs beyond the limits are errors, and inputs just within them are tables, on half of a
//! compiler's stack.

/// Expands a table of `|x| body` on a thread with a stack of 4 MiB, half of the compiler's.
fn expand(body: String) -> String {
    let expand = move || {
        let input = format!("[here] static T: F16 -> F16 = |x| {body};");
        crate::table::expand(input.parse().expect("tokens")).to_string()
    };
    let thread = std::thread::Builder::new().stack_size(4 << 20).spawn(expand);
    thread.expect("a thread").join().expect("no panic")
}

fn is_refused(body: String, because: &str) {
    let out = expand(body);
    assert!(out.contains("compile_error"), "{because}: accepted");
    assert!(out.contains(because), "{}", &out[..out.len().min(400)]);
}

fn is_accepted(body: String) {
    let out = expand(body);
    assert!(!out.contains("compile_error"), "{}", &out[..out.len().min(400)]);
}

fn nested(open: &str, close: &str, n: usize) -> String {
    format!("{}x{}", open.repeat(n), close.repeat(n))
}

fn bindings(first: &str, n: usize) -> String {
    let lets: String = (0..n).map(|i| format!("let y{} = y{i} + 1;", i + 1)).collect();
    format!("{{ let y0 = {first}; {lets} y{n} }}")
}

#[test]
fn nesting_ends() {
    is_refused(nested("(", ")", 1000), "nested more than 128 deep");
    is_refused(nested("sin(", ")", 700), "nested more than 128 deep");
    is_refused(nested("{", "}", 1000), "nested more than 128 deep");
    is_refused(nested("abs(if x < 0 { 1 } else { ", "})", 500), "nested more than 128 deep");
    is_accepted(nested("(", ")", 120));
    is_accepted(nested("abs(", ")", 120));
    is_accepted(nested("{", "}", 120));
}

#[test]
fn ways_end() {
    is_refused(bindings("x", 3000), "more than 512 operations");
    is_refused(bindings("1", 3000), "more than 512 operations");
    is_refused(bindings("x", 500), "takes more work than the limit");
    is_accepted(bindings("x", 150));
    is_accepted(bindings("1", 500));
    let (many, all): (String, Vec<String>) =
        ((0..3000).map(|i| format!("let y{i} = x + {i};")).collect(), (0..20).map(|i| format!("y{i}")).collect());
    is_accepted(format!("{{ {many} {} }}", all.join(" + ")));
}

#[test]
fn expressions_end() {
    is_refused(format!("x{}", " + x".repeat(3000)), "an expression of more than 512 tokens");
    is_refused(format!("x{}", ".abs()".repeat(1000)), "an expression of more than 512 tokens");
    is_refused(format!("{}x", "- ".repeat(1000)), "more than 16 signs");
    is_refused(format!("{} x }}", "if x < 0 { 1 } else ".repeat(1000) + "{"), "more than 64 `else`s");
    is_refused(format!("if {}x < 0 {{ 1 }} else {{ x }}", "!".repeat(1000)), "more than 16 signs");
    is_refused(format!("x{}", " as f32".repeat(1000)), "an expression of more than 512 tokens");
    is_accepted(format!("x{}", " + x".repeat(240)));
    is_accepted(format!("x{}", ".abs()".repeat(120)));
    is_accepted(format!("{} x }}", "if x < 0 { 1 } else ".repeat(50) + "{"));
    is_accepted(format!("{}x", "- ".repeat(12)));
}
