//! Writes the memory layout and the data in flash: the network in its stored format, images,
//! labels.

#![allow(missing_docs, dead_code, reason = "the modules belong to the example `digits`")]

#[path = "../digits/data.rs"]
mod data;
#[path = "../digits/narrow.rs"]
mod narrow;
#[path = "../digits/network.rs"]
mod network;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use network::{F16, Layer, Network, PIXELS};
use ptxf::F16x2;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let target = env::var("TARGET").expect("Cargo sets TARGET");
    let board = match target.split('-').next() {
        Some("thumbv7em") => "mps2-an386",
        Some("thumbv6m") => "microbit",
        Some("riscv32imc") => "riscv-virt",
        // Other targets have no memory layout here.
        _ => panic!("{target} has no file in memory/; say there where its memory is, and here which file that is"),
    };
    println!("cargo:rerun-if-changed=memory");
    println!("cargo:rerun-if-changed=../data");
    fs::copy(format!("memory/{board}.x"), out.join("memory.x")).expect("memory/ holds every board's file");
    println!("cargo:rustc-link-search={}", out.display());
    if board == "riscv-virt" {
        // riscv-rt expects the file as a linker argument; cortex-m-rt includes it.
        println!("cargo:rustc-link-arg-bins=-Tmemory.x");
    }
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    // Keeps sections together instead of aligning them to 64 KiB pages.
    println!("cargo:rustc-link-arg-bins=--nmagic");
    for (name, text) in texts().unwrap_or_else(|error| panic!("{error}")) {
        fs::write(out.join(name), text).expect("OUT_DIR is writable");
    }
}

/// Returns the Rust texts of the data in flash, by their files' names.
fn texts() -> Result<[(&'static str, String); 5], data::DataError> {
    let dir = Path::new("../data");
    let parameters = data::parameters(dir)?;
    let digits = data::digits(dir)?;
    let test = &digits[data::FIRST_TEST_ROW..];
    let network = Network::<F16>::new(&parameters);
    let (hidden, output) = (layer(&network.hidden), layer(&network.output));
    let flash = format!("pub static NETWORK: Network<F16> = Network {{ hidden: {hidden}, output: {output} }};\n");
    let images: Vec<&[u8; PIXELS]> = test.iter().map(|digit| &digit.pixels).collect();
    let mut text = format!("pub static IMAGES: [[u8; PIXELS]; {}] = {images:?};\n", images.len());
    let labels: Vec<usize> = test.iter().map(|digit| digit.label).collect();
    let _ = writeln!(text, "pub static LABELS: [u8; {}] = {labels:?};", labels.len());
    Ok([
        ("flash.rs", flash),
        ("images.rs", text),
        (
            "half.rs",
            weights::<narrow::Half>(&parameters, |w| format!("F16x2::from_bits({:#x})", w.to_bits()), |()| "()".into()),
        ),
        (
            "e4m3.rs",
            weights::<narrow::E4m3>(
                &parameters,
                |w| format!("E4m3x2::from_bits({:#x})", w.to_bits()),
                |()| "()".into(),
            ),
        ),
        (
            "mxfp4.rs",
            weights::<narrow::Mxfp4>(
                &parameters,
                |w| format!("E2m1x2::from_bits({:#x})", w.to_bits()),
                |s| format!("Ue8m0x2::from_bits({:#x})", s.to_bits()),
            ),
        ),
    ])
}

/// Returns the text of a network with narrow weights.
fn weights<S: narrow::Store>(
    parameters: &network::Parameters,
    weight: fn(S::Pair) -> String,
    scale: fn(S::Scale) -> String,
) -> String {
    fn list<T: Copy>(items: &[T], of: impl Fn(T) -> String) -> String {
        format!("[{}]", items.iter().map(|&item| of(item)).collect::<Vec<_>>().join(", "))
    }
    fn layer<S: narrow::Store, const IN: usize, const PAIRS: usize>(
        layer: &narrow::Layer<S, IN, PAIRS>,
        weight: fn(S::Pair) -> String,
        scale: fn(S::Scale) -> String,
    ) -> String {
        let biases = list(&layer.biases, |b| format!("F16x2::from_bits({:#x})", b.to_bits()));
        let weights = list(&layer.weights, |row| list(&row, weight));
        let scales = list(&layer.scales, |row| list(&row, scale));
        format!("Layer {{ weights: {weights}, scales: {scales}, biases: {biases} }}")
    }
    let network = narrow::Network::<S>::new(parameters);
    let (hidden, output) = (layer(&network.hidden, weight, scale), layer(&network.output, weight, scale));
    format!("pub static NETWORK: Network<Weights> = Network {{ hidden: {hidden}, output: {output} }};\n")
}

fn layer<const IN: usize, const PAIRS: usize>(layer: &Layer<F16, IN, PAIRS>) -> String {
    let pairs = |row: &[F16x2; PAIRS]| {
        let pairs = row.map(|pair| format!("F16x2::from_bits({:#010x})", pair.to_bits()));
        format!("[{}]", pairs.join(", "))
    };
    let weights: Vec<String> = layer.weights.iter().map(pairs).collect();
    format!("Layer {{ weights: [{}], biases: {} }}", weights.join(", "), pairs(&layer.biases))
}
