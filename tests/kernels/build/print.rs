//! Prints the kernels that were found: the items, the versions of each kernel, and a test.

use std::collections::HashMap;
use std::fmt::Write as _;

use oracle::interp::{Kernel, Parameter, Type};

use super::found::Module;

/// Prints a module. Vectors are compiled for f16 only, since all formats share the expansion; with
/// `wide` they are compiled in each format.
pub(crate) fn module(m: &Module, wide: bool) -> String {
    let source = m.items.to_string();
    let (element, first) = match &*m.pair {
        "F16x2" => ("ptxf::F16", true),
        "Bf16x2" => ("ptxf::Bf16", false),
        _ => ("f32", false),
    };
    // Clippy reports the same for each format, so it gets one.
    let attribute = if first { "" } else { "#[cfg(not(clippy))]\n" };
    let mut text = format!(
        "{attribute}mod {} {{\n    use ptxf::{{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0, ptx_fn, ptx_kernel, ptx_module}};\n    use super::*;\n    {}\n    {source}\n    \
         const SOURCE: &str = {source:?};\n",
        m.name, m.others
    );
    let written = Written::of(&source);
    for path in &m.kernels {
        let kernel = path.rsplit("::").next().unwrap_or(path);
        let meaning = Kernel::parse(kernel, &[&source]).unwrap_or_else(|e| panic!("{}: {e}", m.name));
        let parameters = meaning.parameters();
        let [scalar, pair] = ["scalar", "pair"].map(|sibling| written.launch(path, sibling, &parameters));
        let [single, wide] = [("f32", first), ("wide", first || wide)].map(|(sibling, compiled)| {
            if compiled { format!("Some({})", written.launch(path, sibling, &parameters)) } else { "None".to_owned() }
        });
        let name = &m.name;
        let _ = write!(
            text,
            "
    #[test]
    fn test_{kernel}() {{
        const CASE: Siblings<{element}> = Siblings {{
            element: std::marker::PhantomData,
            name: \"{name}/{kernel}\",
            source: SOURCE,
            function: \"{kernel}\",
            functions: &[],
            single: {single},
            scalar: {scalar},
            pair: {pair},
            wide: {wide},
        }};
        written::check(CASE);
    }}
"
        );
    }
    text + "}\n"
}

/// The text's kernels and structures, by their paths.
#[derive(Default)]
struct Written {
    kernels: HashMap<String, syn::Signature>,
    structures: HashMap<String, syn::Fields>,
}

impl Written {
    fn of(source: &str) -> Self {
        let mut written = Self::default();
        written.collect("", syn::parse_file(source).expect("it was printed from items").items);
        written
    }

    fn collect(&mut self, module: &str, items: Vec<syn::Item>) {
        for item in items {
            match item {
                syn::Item::Fn(item) => _ = self.kernels.insert(format!("{module}{}", item.sig.ident), item.sig),
                syn::Item::Struct(item) => {
                    self.structures.insert(format!("{module}{}", item.ident), item.fields);
                }
                syn::Item::Mod(syn::ItemMod { ident, content: Some((_, items)), .. }) => {
                    self.collect(&format!("{module}{ident}::"), items);
                }
                _ => {}
            }
        }
    }

    /// A function that launches a sibling.
    fn launch(&self, kernel: &str, sibling: &str, parameters: &[Parameter]) -> String {
        let names: Vec<_> = (0..parameters.len()).map(|i| format!("a{i}")).collect();
        let module = kernel.rfind("::").map_or("", |i| &kernel[..i + 2]);
        let mut leaves =
            parameters.iter().zip(&names).map(|(p, name)| format!("{name}.{}(){}{}", accessor(p), rows(p), cast(p)));
        let types = self.kernels[kernel].inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(input) => Some(&*input.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let types = types.filter(|ty| !is_index(ty));
        let arguments: Vec<_> = types.map(|ty| self.argument(module, ty, &mut leaves)).collect();
        format!(
            "|grid, s| {{ let [{}] = s else {{ unreachable!() }}; {kernel}::{sibling}(grid, {}) }}",
            names.join(", "),
            arguments.join(", ")
        )
    }

    /// Prints an argument; each of its parts is the next of the leaves.
    fn argument(&self, module: &str, ty: &syn::Type, leaves: &mut impl Iterator<Item = String>) -> String {
        if let syn::Type::Tuple(tuple) = ty {
            let parts: String = tuple.elems.iter().map(|ty| self.argument(module, ty, leaves) + ", ").collect();
            return format!("({parts})");
        }
        let name = match ty {
            syn::Type::Path(path) => path.path.get_ident().map(|name| format!("{module}{name}")),
            _ => None,
        };
        match name.and_then(|name| self.structures.get_key_value(&name)) {
            Some((name, fields)) => {
                let mut text = format!("{name} {{ ");
                for field in fields {
                    let name = field.ident.as_ref().expect("a field has a name");
                    let _ = write!(text, "{name}: {}, ", self.argument(module, &field.ty, leaves));
                }
                text + "}"
            }
            None => leaves.next().expect("each part is a parameter to the interpreter"),
        }
    }
}

/// Returns `true` for the type of an index, which the launch supplies.
fn is_index(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let name = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    ["Thread", "Local", "Block", "Threads", "BlockDim"]
        .iter()
        .any(|of| name.strip_prefix(of).is_some_and(|axis| ["X", "Y", "Z"].contains(&axis)))
}

/// Returns the calls that turn a slice of numbers into a slice of arrays.
fn rows(p: &Parameter) -> String {
    let chunks = if p.written { "as_chunks_mut" } else { "as_chunks" };
    p.rows.iter().rev().map(|length| format!(".{chunks}::<{length}>().0")).collect()
}

/// Returns the cast from a word to an integer or a truth value.
fn cast(p: &Parameter) -> String {
    match p.ty {
        Type::Bool if !p.slice => " != 0".to_owned(),
        Type::Int(int) if !p.slice => format!(" as {}", int.name),
        _ => String::new(),
    }
}

/// Returns the method of a `Slot` for a parameter.
fn accessor(p: &Parameter) -> &'static str {
    match (p.slice, p.written, p.ty) {
        (true, false, _) => "slice",
        (true, true, _) => "slice_mut",
        (false, _, Type::Float) => "float",
        (false, _, Type::Int(_) | Type::Bool) => "int",
        (false, _, other) => panic!("`{}` is {other}: say here what it is given", p.name),
    }
}
