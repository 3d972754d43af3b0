//! Prints what was found: the items, the siblings of each kernel, and a test.

use std::fmt::Write as _;

use testutil::interp::{Kernel, Parameter, Type};

use super::found::Module;

/// Vectors in one format are enough for what all of them share; `wide` asks for them in each.
pub(crate) fn module(m: &Module, wide: bool) -> String {
    let source = m.items.to_string();
    let (element, first) = match &*m.pair {
        "F16x2" => ("ptxf::F16", true),
        "Bf16x2" => ("ptxf::Bf16", false),
        _ => ("f32", false),
    };
    let mut text = format!(
        "mod {} {{\n    use ptxf::{{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0, ptx_fn, ptx_kernel, ptx_module}};\n    use super::*;\n    {}\n    {source}\n    \
         const SOURCE: &str = {source:?};\n",
        m.name, m.others
    );
    for path in &m.kernels {
        let kernel = path.rsplit("::").next().unwrap_or(path);
        let meaning = Kernel::parse(kernel, &[&source]).unwrap_or_else(|e| panic!("{}: {e}", m.name));
        let parameters = meaning.parameters();
        let [scalar, pair] = ["scalar", "pair"].map(|sibling| launch(path, sibling, &parameters));
        let [single, wide] = [("f32", first), ("wide", first || wide)].map(|(sibling, compiled)| {
            if compiled { format!("Some({})", launch(path, sibling, &parameters)) } else { "None".to_owned() }
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

/// A function that launches a sibling.
fn launch(kernel: &str, sibling: &str, parameters: &[Parameter]) -> String {
    let names: Vec<_> = (0..parameters.len()).map(|i| format!("a{i}")).collect();
    let arguments: Vec<_> =
        parameters.iter().zip(&names).map(|(p, name)| format!("{name}.{}(){}", accessor(p), rows(p))).collect();
    format!(
        "|grid, s| {{ let [{}] = s else {{ unreachable!() }}; {kernel}::{sibling}(grid, {}) }}",
        names.join(", "),
        arguments.join(", ")
    )
}

/// What makes a slice of arrays of the slice of their numbers.
fn rows(p: &Parameter) -> String {
    let chunks = if p.written { "as_chunks_mut" } else { "as_chunks" };
    p.rows.iter().rev().map(|length| format!(".{chunks}::<{length}>().0")).collect()
}

/// The method of a `Slot` that a parameter is given.
fn accessor(p: &Parameter) -> &'static str {
    match (p.slice, p.written, p.ty) {
        (true, false, _) => "slice",
        (true, true, _) => "slice_mut",
        (false, _, Type::Float) => "float",
        (false, _, Type::Usize) => "usize",
        (false, ..) => panic!("`{}` is a scalar that is neither f32 nor usize: say here what it is given", p.name),
    }
}
