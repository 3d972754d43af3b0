//! Prints the kernels that were found: the items, the versions of each kernel, and a test.

use std::collections::HashMap;
use std::fmt::Write as _;

use oracle::found::Module;
use quote::ToTokens as _;

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
        let [scalar, pair] = ["scalar", "pair"].map(|sibling| written.launch(path, sibling));
        let [single, wide] = [("f32", first), ("wide", first || wide)].map(|(sibling, compiled)| {
            if compiled { format!("Some({})", written.launch(path, sibling)) } else { "None".to_owned() }
        });
        let name = &m.name;
        let text_name = m.text_name();
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
            path: \"{text_name}::{path}\",
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
    fn launch(&self, kernel: &str, sibling: &str) -> String {
        let module = kernel.rfind("::").map_or("", |i| &kernel[..i + 2]);
        let types = self.kernels[kernel].inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(input) => Some(&*input.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let mut leaves = 0;
        let types = types.filter(|ty| !is_index(ty));
        let arguments: Vec<_> = types.map(|ty| self.argument(module, ty, &mut leaves)).collect();
        let names: Vec<_> = (0..leaves).map(|i| format!("a{i}")).collect();
        format!(
            "|grid, s| {{ let [{}] = s else {{ unreachable!() }}; {kernel}::{sibling}(grid, {}) }}",
            names.join(", "),
            arguments.join(", ")
        )
    }

    /// Returns the fields of a structure, by its type in a module.
    fn structure(&self, module: &str, ty: &syn::Type) -> Option<(&String, &syn::Fields)> {
        let syn::Type::Path(path) = ty else { return None };
        self.structures.get_key_value(&format!("{module}{}", path.path.get_ident()?))
    }

    /// Prints an argument; each slice and each number is the next of the `leaves`.
    fn argument(&self, module: &str, ty: &syn::Type, leaves: &mut usize) -> String {
        if let syn::Type::Tuple(tuple) = ty {
            let parts: String = tuple.elems.iter().map(|ty| self.argument(module, ty, leaves) + ", ").collect();
            return format!("({parts})");
        }
        if let Some((name, fields)) = self.structure(module, ty) {
            let mut text = format!("{name} {{ ");
            for field in fields {
                let name = field.ident.as_ref().expect("a field has a name");
                let _ = write!(text, "{name}: {}, ", self.argument(module, &field.ty, leaves));
            }
            return text + "}";
        }
        let name = format!("a{leaves}");
        *leaves += 1;
        if let syn::Type::Reference(reference) = ty
            && let syn::Type::Slice(slice) = &*reference.elem
        {
            let written = reference.mutability.is_some();
            let (mut of, mut axes) = (&*slice.elem, 0);
            while let syn::Type::Array(array) = of {
                (of, axes) = (&array.elem, axes + 1);
            }
            if matches!(of, syn::Type::Tuple(_)) || self.structure(module, of).is_some() {
                axes += 1;
            }
            // Slices of numbers become slices of arrays, of the lengths that the kernel has.
            let [slice, rows] = if written { ["slice_mut", ".as_chunks_mut().0"] } else { ["slice", ".as_chunks().0"] };
            return format!("{name}.{slice}(){}", rows.repeat(axes));
        }
        match &*ty.to_token_stream().to_string() {
            "f32" => format!("{name}.float()"),
            "bool" => format!("{name}.int() != 0"),
            int => format!("{name}.int() as {int}"),
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
