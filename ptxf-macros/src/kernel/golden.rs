//! Golden files of thirteen expansions, laid out as Rust in `golden/`, so that a review shows what
//! a change of the macro changes.

use std::path::Path;

use proc_macro2::TokenStream;

use super::kernel;

/// The file's name, the attribute's options, and the kernel.
const KERNELS: [(&str, &str, &str); 13] = [
    (
        "plain",
        "",
        "\
/// Ordinary Rust, for one thread.
pub fn scale(t: ThreadX, factor: f32, x: &[f32], out: &mut [f32]) {
    if t < x.len() {
        out[t] = factor * x[t];
    }
}",
    ),
    (
        "barrier",
        "pair = F32x2",
        "\
/// The sum of a block's elements, as a tree.
fn sums(b: BlockX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    tile[l] = x[b * 64 + l];
    let mut half = 32;
    while half > 0 {
        sync_threads();
        if l < half {
            tile[l] = tile[l] + unsafe { tile[l + half] };
        }
        half /= 2;
    }
    if l == 0 {
        unsafe { out[b] = tile[l] };
    }
}",
    ),
    (
        "per_thread",
        "pair = F16x2, per_thread = 8",
        "\
/// Eight threads share an access of 16 bytes.
fn shift(t: ThreadX, row: ThreadY, n: usize, x: &[f32], kept: &[f32], out: &mut [f32]) {
    if t < n {
        out[row * n + t] = x[row * n + t] + x[t + 3 * n + 1] + kept[t + 4];
    }
}",
    ),
    (
        "divergent",
        "pair = F16x2, keep(sum)",
        "\
/// Threads leave the loop one by one, and the sum is kept in f32.
fn below(t: ThreadX, n: usize, limit: f32, x: &[f32], out: &mut [f32], rounds: &mut [i32]) {
    if t >= n {
        return;
    }
    let mut sum = 0.0;
    let mut count = 0;
    for k in 0..8 {
        let next = x[t + k * n];
        if next > limit {
            break;
        }
        sum += if next < 0.0 { -next } else { next.sqrt() };
        count += 1;
    }
    out[t] = cvt_rn(sum);
    rounds[t] = count;
}",
    ),
    (
        "fused",
        "pair = F16x2, keep(sum), fuse",
        "\
/// The first of two products is fused. A difference negates an operand.
fn both(t: ThreadX, n: usize, a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
    if t < n {
        let mut sum = a * x[t] + a * y[t];
        sum += x[t] * y[t];
        out[t] = y[t] - (0.5 * x[t]) + cvt_rn(a * sum - y[t] * y[t]);
    }
}",
    ),
    (
        "ranges",
        "pair = F16x2",
        "\
/// On a device the bounds of neighbours are checked once before the body.
fn step(t: ThreadX, n: usize, rows: usize, x: &[f32], out: &mut [f32]) {
    if t < n {
        let mut sum = 0.0;
        for row in 0..rows {
            let c = row * n + t;
            sum += if t == n - 1 { x[c] } else { x[c + 1] };
            sum -= if row == 0 { x[c] } else { x[c - n] };
        }
        out[t] = sum;
    }
}",
    ),
    (
        "unchecked",
        "pair = F16x2, unchecked",
        "\
/// A device checks no bounds.
fn loaded(t: ThreadX, n: usize, x: &[f32], i: &[u32], out: &mut [f32]) {
    if t < n {
        out[t] = x[i[t] as usize];
    }
}",
    ),
    (
        "hoisted",
        "pair = F16x2",
        "\
/// On a device the bounds of rows and columns are checked once before the first loop. The second
/// loop has accesses for which they cannot be.
fn sums(t: ThreadX, n: usize, depth: usize, a: &[f32], b: &[f32], out: &mut [f32], total: &mut [f32]) {
    if t < n {
        for k in 0..depth {
            let first = k * n;
            out[k * n + t] = a[first + t] * b[k + 1];
        }
        let mut x = b[0];
        for k in 0..depth {
            if k > 0 {
                x += a[(k - 1) * n + t];
            }
        }
        total[t] = x;
    }
}",
    ),
    (
        "tiled",
        "pair = F16x2, keep(sum)",
        "\
/// The threads of a block vote before a loop with barriers, so that all of them run the checked
/// loop or all the unchecked one.
fn dots(l: LocalX, t: ThreadX, n: usize, tiles: usize, x: &[f32], w: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 32>();
    let mut sum = 0.0;
    for i in 0..tiles {
        tile[l] = w[i * 32 + l];
        sync_threads();
        if t < n {
            for k in 0..32 {
                sum += x[(i * 32 + k) * n + t] * unsafe { tile[k] };
            }
        }
        sync_threads();
    }
    if t < n {
        out[t] = cvt_rn(sum);
    }
}",
    ),
    (
        "chosen",
        "pair = F16x2",
        "\
/// For two threads a choice of elements is one load: in the middle of a row, at its left end, and
/// above.
fn neighbours(i: ThreadX, j: ThreadY, nx: usize, x: &[f32], out: &mut [f32]) {
    let c = j * nx + i;
    let far = if i > 3 { x[c - 3] } else { x[c] };
    let west = if i == 0 { x[c] } else { x[c - 1] };
    let north = if j == 0 { x[c] } else { x[c - nx] };
    unsafe { out[c] = far + west - north * x[c] };
}",
    ),
    (
        "loaded",
        "pair = F16x2",
        "\
/// An element that the condition and an arm read, or both arms, is read once.
fn either(t: ThreadX, n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
    if t < n {
        if x[t] > 0.0 {
            out[t] = x[t] * y[t] + 1.0;
        } else {
            out[t] = y[t] - x[t] * 0.5;
        }
    }
}",
    ),
    (
        "narrow",
        "pair = F16x2",
        "\
/// Converts numbers of four bits, two to a byte, with a power of two for each 32 of them, to
/// numbers of eight bits.
fn rescale(t: ThreadX, n: usize, x: &[E2m1x2], scale: &[Ue8m0], out: &mut [E4m3]) {
    if t < n {
        out[t] = x[t] * scale[t / 32];
    }
}",
    ),
    (
        "structures",
        "pair = F16x2, keep(nearest), __module(rays { struct Vec2 { x: f32, y: f32 } fn between(a: Vec2, b: Vec2) -> \
         Vec2; })",
        "\
/// A structure is a variable for each part. The two values of a choice have one precision.
fn nearer(t: ThreadX, from: Vec2, x: &[Vec2], out: &mut [f32]) {
    let Vec2 { x: across, y: up } = between(from, x[t]);
    let nearest = if across < up { (across * across, 0.1) } else { (up, across) };
    out[t] = cvt_rn(nearest.0 - nearest.1);
}",
    ),
];

/// Returns the kernel as comments, and its expansion.
fn expansion(options: &str, item: &str) -> String {
    let tokens = kernel(options.parse().expect("tokens"), item.parse().expect("tokens"));
    let attribute = if options.is_empty() { "#[ptx_kernel]".to_owned() } else { format!("#[ptx_kernel({options})]") };
    let source: String =
        [attribute.as_str()].into_iter().chain(item.lines()).map(|line| format!("// {line}\n")).collect();
    let file = syn::parse_str(&with_short_paths(&tokens)).unwrap_or_else(|e| panic!("no Rust: {e}\n{tokens}"));
    format!("{source}\n{SHORT}\n\n{}", without_lints(&prettyplease::unparse(&file)))
}

/// The note about [`with_short_paths`] at the head of each file.
const SHORT: &str =
    "// Here `kernel::` is `::ptxf::kernel::__expansion::`, and primitive types stand without `::core::primitive::`.";

/// Returns the tokens as text, with paths shortened. The full paths only keep the user's names out.
fn with_short_paths(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    text.replace(":: ptxf :: kernel :: __expansion ::", "kernel ::").replace(":: core :: primitive ::", "")
}

/// Returns the text with only the first and the last lint of a long list.
fn without_lints(text: &str) -> String {
    let mut short = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        short.push_str(line);
        if line.trim_start() == "#[allow(" {
            let lints: Vec<&str> = lines.by_ref().map(str::trim).take_while(|line| *line != ")]").collect();
            let (first, last) = (lints[0], lints[lints.len() - 1]);
            short.push_str(&format!("{first} …, {last})]"));
        }
        short.push('\n');
    }
    short
}

#[test]
fn expansions_are_as_reviewed() {
    let bless = std::env::var_os("PTXF_BLESS").is_some();
    let mut different = Vec::new();
    for (name, options, item) in KERNELS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/kernel/golden/{name}.rs.txt"));
        let found = expansion(options, item);
        assert!(!found.contains("compile_error"), "{found}");
        if bless {
            std::fs::write(&path, &found).expect("the folder is there");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b).unwrap_or(0) + 1;
            different.push(format!("{}, from line {line} on", path.display()));
        }
    }
    assert!(
        different.is_empty(),
        "the expansion is not the one that was reviewed: {different:#?}\n\
         if it is meant to differ, run `PTXF_BLESS=1 cargo test -p ptxf-macros golden` and commit what it writes"
    );
}
