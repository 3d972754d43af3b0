//! Writes the kernels of documentation, tests and examples, and generated ones, as Rust for one
//! thread.

use std::fmt::Write as _;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use oracle::found;
use oracle::kernel::rewrite::rewrite;
use oracle::kernels;

/// A function that some of them call.
const TIMES: &str = "#[ptx_fn] fn times(a: f32, b: f32) -> f32 { a * b }";

/// The kernels that the tests here run: for each call of one of these, its last text.
fn language(tokens: TokenStream, found: &mut Vec<(String, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        language(group.stream(), found);
        let Some(TokenTree::Ident(name)) = i.checked_sub(1).map(|i| &tokens[i]) else { continue };
        let texts = group.stream().into_iter().filter_map(|token| syn::parse2::<syn::LitStr>(token.into()).ok());
        let texts: Vec<String> = texts.map(|text| text.value()).collect();
        let Some(text) = texts.last() else { continue };
        let mut add = |of: &str, options: &str, parameters: &str| {
            let kernel =
                format!("{TIMES} #[ptx_kernel(pair = F16x2{options})] fn k(t: ThreadX, {parameters}) {{ {text} }}");
            found.push((format!("{of}: {text}"), kernel));
        };
        match &*name.to_string() {
            "ints" | "value" | "value_of" | "kind" | "body" => {
                add("body", ", keep(k, z)", "l: LocalX, b: BlockX, n: usize, v: &mut [i32]");
            }
            "product" => {
                add("fused", ", fuse", "x: &[f32], w: &mut [f32]");
                add("apart", "", "x: &[f32], w: &mut [f32]");
            }
            "run" if texts.len() == 2 => {
                let keep = &texts[0];
                add(&format!("floats({keep})"), &format!(", keep({keep})"), "a: f32, x: &[f32], w: &mut [f32]");
            }
            "source" => found.push((format!("source: {text}"), text.clone())),
            _ => {}
        }
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tests.rs");
    let which = kernels::Which::asked();
    let (mut text, mut arms) = (String::new(), String::new());
    let mut add = |name: &str, path: &dyn Fn(&str) -> String, texts: &[&str]| {
        let (module, found) = rewrite(texts).unwrap_or_else(|e| panic!("{name}: {e}"));
        let _ = writeln!(text, "pub mod {name} {{ {module} }}");
        for kernel in found {
            let _ = writeln!(arms, "{:?} => Some({name}::{}()),", path(&kernel.path), kernel.meaning);
        }
    };
    // All formats have one text.
    let mut modules = found::here();
    modules.extend(if which.named { Vec::new() } else { found::all(which.long) });
    let mut names = std::collections::HashSet::new();
    for module in &modules {
        if names.insert(module.text_name().to_owned()) {
            add(module.text_name(), &|path| format!("{}::{path}", module.text_name()), &[&module.items.to_string()]);
        }
    }
    add("handwritten", &|path| format!("kernels::{path}"), &[&found::handwritten(), kernels::BEND]);
    let generated: String = which.samples.iter().map(|sample| &*sample.kernel.source).collect();
    add("generated", &|path| format!("kernels::generated::{path}"), &[&generated, kernels::BEND]);
    let mut texts = Vec::new();
    language(std::fs::read_to_string("src/tests.rs").expect("it is here").parse().expect("Rust"), &mut texts);
    texts.sort();
    texts.dedup();
    for (i, (key, source)) in texts.iter().enumerate() {
        add(&format!("language_{i}"), &|_| key.clone(), &[source]);
    }
    let _ = writeln!(
        text,
        "/// The generated kernels, as `oracle::kernels::samples` reads them.\n\
         pub const GENERATED: &str = {:?};\n\
         /// Returns a kernel by its path.\n\
         #[must_use]\n\
         pub fn find(path: &str) -> Option<Kernel> {{ match path {{ {arms} _ => None }} }}",
        which.text
    );
    let folder = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    std::fs::write(Path::new(&folder).join("threads.rs"), text).expect("the folder is Cargo's own");
}
