//! Finds kernels in the code blocks of documentation, among the items of files, and in the texts
//! that the examples stamp for each format.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// A text's kernels in one format.
#[derive(Debug)]
pub struct Module {
    /// The text's path as an identifier.
    pub name: String,
    /// `F16x2`
    pub pair: String,
    /// The name of the text, which formats share.
    text: String,
    /// Functions and kernels, each with its attribute.
    pub items: TokenStream,
    /// The kernels' names.
    pub kernels: Vec<String>,
    /// Tables and other items, which are not Rust for one thread.
    pub others: TokenStream,
}

impl Module {
    /// The name of the text, which formats share.
    #[must_use]
    pub fn text_name(&self) -> &str {
        &self.text
    }
}

/// Returns the kernels of documentation and launches, with `long` those of the examples too.
pub fn all(long: bool) -> Vec<Module> {
    let mut modules = Vec::new();
    for file in [
        "ptxf-core/src/kernel.rs",
        "src/lib.rs",
        "README.md",
        "docs/kernels.md",
        "docs/gpu.md",
        "docs/device.md",
        "docs/firmware.md",
        "docs/speed.md",
    ] {
        for (number, block) in blocks(&read(file)).iter().enumerate() {
            modules.extend(items(&format!("{}_{number}", name(file)), block));
        }
    }
    for file in
        ["examples/launch/kernels/src/lib.rs"].map(PathBuf::from).into_iter().chain(listed("tests/kernels/launches"))
    {
        modules.extend(items(&name(&file), &read(&file)));
    }
    if !long {
        modules.retain(|m| m.pair == "F16x2");
        return modules;
    }
    for file in listed("examples/suite/kernels").into_iter().chain(listed("examples/suite/kernels/black_scholes")) {
        modules.extend(suite(&name(&file), &read(&file), true));
    }
    for file in listed("examples/idioms/src/kernels") {
        modules.extend(idiom(&name(&file), &read(&file)));
    }
    modules
}

/// Returns the kernels of `tests/kernels/kernels`: texts in the suite's form, or modules, in each
/// format.
pub fn here() -> Vec<Module> {
    let modules = |file: &PathBuf| {
        let (name, text) = (name(file), read(file));
        if !text.contains("#[ptx_module") {
            return suite(&name, &text, false);
        }
        let formats = [("F16x2", "f16"), ("Bf16x2", "bf16"), ("F32x2", "f32")];
        let module = |(pair, format)| {
            let module = items(&format!("{name}_{format}"), &text.replace("F16x2", pair))?;
            Some(Module { text: name.clone(), ..module })
        };
        formats.into_iter().filter_map(module).collect()
    };
    listed("tests/kernels/kernels").iter().flat_map(modules).collect()
}

/// The workspace's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders below it")
}

fn read(file: impl AsRef<Path>) -> String {
    let path = root().join(file);
    println!("cargo::rerun-if-changed={}", path.display());
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the sources in a folder.
fn listed(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file's name").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "rs"));
    files.sort();
    files
}

fn name(file: impl AsRef<Path>) -> String {
    let file = file.as_ref();
    let file = file.strip_prefix(root()).unwrap_or(file).with_extension("");
    file.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "_").to_lowercase()
}

/// Returns the fenced code blocks with a kernel, from Rust documentation or Markdown.
fn blocks(text: &str) -> Vec<String> {
    let text: Vec<_> =
        text.lines().map(|line| line.strip_prefix("//!").map_or(line, |l| l.strip_prefix(' ').unwrap_or(l))).collect();
    let fenced = text.split(|line| line.starts_with("```")).skip(1).step_by(2);
    let blocks =
        fenced.map(|lines| lines.iter().map(|l| l.strip_prefix("# ").unwrap_or(l)).collect::<Vec<_>>().join("\n"));
    blocks.filter(|block| block.contains("ptx_kernel(pair")).collect()
}

/// Returns the functions of a text with the macros' attributes.
fn items(name: &str, text: &str) -> Option<Module> {
    // A documentation's block contains statements.
    let file = syn::parse_file(text).or_else(|_| syn::parse_file(&format!("fn main() {{\n{text}\n}}"))).ok()?;
    let mut found = Vec::new();
    for item in file.items {
        match item {
            syn::Item::Fn(item) if item.sig.ident == "main" => {
                found.extend(item.block.stmts.into_iter().filter_map(|s| match s {
                    syn::Stmt::Item(item) => Some(item),
                    _ => None,
                }))
            }
            item => found.push(item),
        }
    }
    let (mut tokens, mut kernels, mut pair) = (TokenStream::new(), Vec::new(), None);
    for item in found {
        match item {
            syn::Item::Mod(syn::ItemMod { attrs, ident, content: Some((_, items)), .. })
                if attrs.iter().any(is_module) =>
            {
                let attribute = attrs.iter().find(|a| is_module(a)).map(|a| &a.meta);
                let mut inner = TokenStream::new();
                for item in items {
                    sort(item, &format!("{ident}::"), &mut inner, &mut kernels, &mut pair);
                }
                tokens.extend(quote!(#[#attribute] mod #ident { use super::*; #inner }));
            }
            item => sort(item, "", &mut tokens, &mut kernels, &mut pair),
        }
    }
    Some(Module {
        name: name.to_owned(),
        text: name.to_owned(),
        pair: pair?,
        items: tokens,
        kernels,
        others: TokenStream::new(),
    })
}

/// Copies an item that kernels may name, and records a kernel.
fn sort(item: syn::Item, module: &str, tokens: &mut TokenStream, kernels: &mut Vec<String>, pair: &mut Option<String>) {
    let mut item = match item {
        syn::Item::Fn(item) => item,
        syn::Item::Struct(mut item) if !module.is_empty() => {
            item.vis = syn::parse_quote!(pub(super));
            return tokens.extend(item.to_token_stream());
        }
        // Methods and operators, and the traits of these.
        syn::Item::Impl(item) if !module.is_empty() => {
            return tokens.extend(quote!(#[allow(clippy::use_self, reason = "as the text has it")] #item));
        }
        syn::Item::Use(item) if matches!(&item.tree, syn::UseTree::Path(path) if path.ident == "core") => {
            return tokens.extend(item.to_token_stream());
        }
        syn::Item::Const(item) => return tokens.extend(item.to_token_stream()),
        _ => return,
    };
    item.attrs.retain(|a| role(a).is_some());
    let Some(attribute) = item.attrs.first() else { return };
    let options = attribute.meta.to_token_stream().to_string();
    if role(attribute) == Some("ptx_kernel") {
        // A kernel without `pair` is ordinary Rust.
        let Some((_, of)) = options.split_once("pair = ") else { return };
        let of: String = of.chars().take_while(char::is_ascii_alphanumeric).collect();
        // The same kernel in another format.
        if pair.get_or_insert_with(|| of.clone()) != &of {
            return;
        }
        kernels.push(format!("{module}{}", item.sig.ident));
    }
    item.vis = if module.is_empty() { syn::Visibility::Inherited } else { syn::parse_quote!(pub(super)) };
    tokens.extend(item.to_token_stream());
}

fn is_module(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|s| s.ident == "ptx_module")
}

fn role(attribute: &syn::Attribute) -> Option<&'static str> {
    let last = attribute.path().segments.last()?.ident.to_string();
    ["ptx_kernel", "ptx_fn"].into_iter().find(|role| *role == last)
}

/// The formats of the suite's texts; `true` if `keep` applies.
const FORMATS: [(&str, &str, bool); 4] =
    [("F16x2", "f16", true), ("F16x2", "f16", false), ("Bf16x2", "bf16", true), ("F32x2", "f32", false)];

/// The kernels of a text of the suite, `kernels! { Name: kernel keep(…) fn … }`, or of a macro that
/// makes such a text. `fuse` is the option of its kernels and functions.
fn suite(name: &str, text: &str, fuse: bool) -> Vec<Module> {
    let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut functions = Vec::new();
    let mut others = Vec::new();
    collect(tokens.clone(), &mut functions, &mut others);
    if text.contains("kernels_with!") && name.contains("black_scholes_") {
        // The kernel is in another file.
        let shared: TokenStream = read("examples/suite/kernels/black_scholes.rs").parse().expect("Rust");
        collect(shared, &mut functions, &mut Vec::new());
    } else if text.contains("macro_rules") {
        return Vec::new();
    }
    stamped(name, &TokenStream::new(), &functions, &others, fuse)
}

/// The kernel of a file of the idioms, preceded by the constants that it names. The file's data and
/// its loop by hand are skipped.
fn idiom(name: &str, text: &str) -> Vec<Module> {
    let file = syn::parse_file(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let kernels = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.segments.last().is_some_and(|s| s.ident == "kernels") => {
            Some(item.mac.tokens)
        }
        _ => None,
    });
    let tokens = kernels.unwrap_or_else(|| panic!("{name}: it has no `kernels!`"));
    let (mut functions, mut others) = (Vec::new(), Vec::new());
    collect(tokens.clone(), &mut functions, &mut others);
    stamped(name, &constants(tokens), &functions, &others, false)
}

/// Returns each `const …;`.
fn constants(tokens: TokenStream) -> TokenStream {
    let mut constant = false;
    let tokens = tokens.into_iter().filter(|token| {
        constant |= token.to_string() == "const";
        let is_part = constant;
        constant &= token.to_string() != ";";
        is_part
    });
    tokens.collect()
}

/// Returns a text's functions in each format.
fn stamped(
    name: &str,
    constants: &TokenStream,
    functions: &[Function],
    others: &[(String, TokenStream)],
    fuse: bool,
) -> Vec<Module> {
    let module = |(pair, format, keeps): (&str, &str, bool)| {
        let (mut items, mut kernels) = (constants.clone(), Vec::new());
        for f in functions {
            let keep = &f.keep;
            let fuse = fuse.then(|| quote!(fuse,));
            let keep = if keeps { quote!(#fuse keep(#keep)) } else { quote!(#fuse) };
            let pair: TokenStream = pair.parse().expect("a name");
            let attribute = if f.kernel {
                kernels.push(f.name.clone());
                quote!(#[ptx_kernel(pair = #pair, #keep)])
            } else {
                quote!(#[ptx_fn(#keep)])
            };
            let rest = &f.rest;
            items.extend(quote!(#attribute #rest));
        }
        let others = others.iter().filter(|(of, _)| of == format).map(|(_, items)| items.clone()).collect();
        let suffix = if keeps { "_keep" } else { "" };
        Module {
            name: format!("{name}_{format}{suffix}"),
            text: format!("{name}{suffix}"),
            pair: pair.to_owned(),
            items,
            kernels,
            others,
        }
    };
    // A table is of one format.
    let formats =
        FORMATS.into_iter().filter(|(_, format, _)| others.is_empty() || others.iter().any(|(of, _)| of == format));
    if functions.is_empty() { Vec::new() } else { formats.map(module).collect() }
}

/// A function of the suite.
struct Function {
    kernel: bool,
    name: String,
    keep: TokenStream,
    /// The tokens from `fn` on.
    rest: TokenStream,
}

fn collect(tokens: TokenStream, functions: &mut Vec<Function>, others: &mut Vec<(String, TokenStream)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut i = 0;
    while i < tokens.len() {
        let word = tokens[i].to_string();
        if let ("kernel" | "helper", Some((function, next))) = (&*word, function(&tokens, i)) {
            functions.push(function);
            i = next;
            continue;
        }
        if let ("f16" | "bf16", Some(TokenTree::Group(group))) = (&*word, tokens.get(i + 1)) {
            others.push((word, group.stream()));
            i += 2;
            continue;
        }
        if let TokenTree::Group(group) = &tokens[i] {
            collect(group.stream(), functions, others);
        }
        i += 1;
    }
}

/// Parses `kernel keep(…) fn name(…) { … }`, also with `per_thread(…)` before `fn`, or
/// `helper keep(…) fn name(…) -> f32 { … }`. Returns the index after it.
fn function(tokens: &[TokenTree], at: usize) -> Option<(Function, usize)> {
    let word = |i: usize| tokens.get(i).map(ToString::to_string);
    // The versions for a CPU do not depend on `per_thread(…)`.
    let at_fn = if word(at + 3)? == "per_thread" { at + 5 } else { at + 3 };
    let (Some(TokenTree::Group(keep)), true) = (tokens.get(at + 2), word(at + 1)? == "keep" && word(at_fn)? == "fn")
    else {
        return None;
    };
    // The name may be a macro's parameter.
    let dollar = usize::from(word(at_fn + 1)? == "$");
    let name = word(at_fn + 1 + dollar)?;
    let mut rest = quote!(fn);
    let mut i = at_fn + 1 + dollar;
    loop {
        let token = tokens.get(i)?;
        rest.extend([token.clone()]);
        i += 1;
        if matches!(token, TokenTree::Group(body) if is_body(body)) {
            break;
        }
    }
    Some((Function { kernel: word(at)? == "kernel", name, keep: keep.stream(), rest }, i))
}

fn is_body(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

/// Returns the text of the handwritten kernels of `tests/kernels/src`: each `kernel! { name(…) … }`
/// as a function in a module that is named after its file, and the functions and constants that
/// they name.
///
/// # Panics
///
/// Panics if a file is not Rust.
#[must_use]
pub fn handwritten() -> String {
    let mut text = String::new();
    for file in listed("tests/kernels/src") {
        let items = syn::parse_file(&read(&file)).unwrap_or_else(|e| panic!("{}: {e}", file.display())).items;
        let file = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let mut kernels = String::new();
        for item in items {
            match item {
                syn::Item::Fn(item) if item.attrs.iter().any(|a| role(a) == Some("ptx_fn")) => {
                    text += &item.to_token_stream().to_string();
                }
                syn::Item::Const(item) if is_number(&item.ty) => text += &item.to_token_stream().to_string(),
                syn::Item::Macro(item) if item.mac.path.is_ident("kernel") => {
                    kernels += &handwritten_kernel(item.mac.tokens);
                }
                _ => {}
            }
        }
        text += &format!("mod {file} {{ {kernels} }}\n");
    }
    text
}

/// Returns `true` for a number, and an array of numbers.
fn is_number(ty: &syn::Type) -> bool {
    const NUMBERS: [&str; 11] = ["f32", "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "usize"];
    match ty {
        syn::Type::Array(array) => is_number(&array.elem),
        syn::Type::Path(path) => NUMBERS.iter().any(|number| path.path.is_ident(number)),
        _ => false,
    }
}

/// The kernel of `name(t: ThreadX; n m …) keep(…) { … } by hand(…) { … }`, after attributes.
fn handwritten_kernel(tokens: TokenStream) -> String {
    let mut tokens = tokens.into_iter().skip_while(|token| !matches!(token, TokenTree::Ident(_)));
    let name = tokens.next().expect("a kernel has a name");
    let parameters = tokens.next().expect("parameters follow").to_string();
    let (indices, _) = parameters.trim_matches(['(', ')']).split_once(';').expect("indices stand first");
    let (mut keep, mut options, mut body) = (String::new(), "", String::new());
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => keep = group.stream().to_string(),
            TokenTree::Group(group) => {
                body = group.to_string();
                break;
            }
            TokenTree::Ident(name) if name == "fuse" => options = ", fuse",
            _ => {}
        }
    }
    format!(
        "#[ptx_kernel(pair = F16x2, keep(z, w, {keep}){options})]
        fn {name}({indices}, n: usize, m: usize, a: f32, x: &[f32], y: &[f32], z: &[f32], i: &[i32], u: &[u32],
            out: &mut [f32], w: &mut [f32], v: &mut [i32]) {body}"
    )
}
