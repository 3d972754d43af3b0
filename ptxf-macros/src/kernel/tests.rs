//! Expansions of kernels that nobody wrote: that they are the same each time, and how long they take.

use std::time::Instant;

use super::{function, kernel};

#[test]
fn expansions_are_the_same_each_time() {
    let (mut longest, mut sum, kernels) = (0.0_f64, 0.0, testutil::kernels::functions(0x5EED_0002, 40));
    for [options, item] in &kernels {
        let expand = || {
            let (options, item) = (options.parse().expect("tokens"), item.parse().expect("tokens"));
            let start = Instant::now();
            let tokens = kernel(options, item);
            (tokens, start.elapsed().as_secs_f64() * 1e3)
        };
        let ((tokens, first), (again, second)) = (expand(), expand());
        // The shorter: another process may have had the core.
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

/// A kernel's options and text, and a piece of the complaint.
const REFUSED: [(&str, &str, &str); 4] = [
    ("pair = F16x2", "fn k(t: ThreadX, out: &mut [f32]) { out[t] = 1; }", "write `1.0` for `1`"),
    ("pair = F16x2", "fn k(t: ThreadX, out: &mut [f32]) { out[0] = 1.0; }", "every thread writes this element"),
    ("pair = F16x2, keep(k)", "fn k(t: ThreadX, out: &mut [f32]) { out[t] = 1.0; }", "has no variable `k` to keep"),
    ("", "fn k(t: ThreadX) -> f32 { 1.0 }", "a kernel returns nothing"),
];

#[test]
fn complaints_replace_the_expansion() {
    for (options, item, complaint) in REFUSED {
        let text = kernel(options.parse().expect("tokens"), item.parse().expect("tokens")).to_string();
        assert!(text.contains("compile_error") && text.contains(complaint), "{text}");
    }
    let text = function("strict".parse().expect("tokens"), "fn f(x: f32) -> f32 { x }".parse().expect("tokens"));
    assert!(text.to_string().contains("is converted with the kernels that call it"));
}
