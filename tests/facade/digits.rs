//! The network of the `digits` example gives the same bits everywhere: accuracy and checksums are
//! pinned.
//!
//! The pinned values come from `examples/digits/oracle.py`, which computes them in Python's exact
//! integers, as it does those of narrow weights (the values of f32x2 are those of f32).

#![allow(unreachable_pub, reason = "the modules belong to the example")]

#[path = "../../examples/digits/data.rs"]
mod data;
#[path = "../../examples/digits/narrow.rs"]
mod narrow;
#[path = "../../examples/digits/network.rs"]
mod network;
#[path = "../../examples/digits/pinned.rs"]
mod pinned;
#[path = "../../examples/digits/squash.rs"]
mod squash;

use std::path::{Path, PathBuf};
use std::{array, fs};

use narrow::Store as _;
use network::{CLASSES, Checksum, Dense, Logits, PIXELS, Parameters, VARIANTS, Variant, decision};

/// Variant, number of correctly classified images, decisions that differ from f32, checksum.
const PINNED: [(&str, usize, usize, u64); 11] = [
    ("f32", 416, 0, 0x0f40_fceb_ab8f_c1b7),
    ("f32 .ftz", 416, 0, 0x0f40_fceb_ab8f_c1b7),
    ("f32x2", 416, 0, 0x0f40_fceb_ab8f_c1b7),
    ("f32x2 .ftz", 416, 0, 0x0f40_fceb_ab8f_c1b7),
    ("f16x2", pinned::F16X2_RIGHT, 0, pinned::F16X2),
    ("f16x2 .ftz", 416, 0, 0x8e4a_9622_569b_6b39),
    ("bf16x2", 416, 0, 0x25e9_43e0_5af5_818f),
    ("f16 > f32", 416, 0, 0xba4a_ccc7_1c21_0ec2),
    ("f16 > f32 .ftz", 416, 0, 0xba4a_ccc7_1c21_0ec2),
    ("bf16 > f32", 416, 0, 0x14ae_2e2a_676e_a9aa),
    ("bf16 > f32 .ftz", 416, 0, 0x14ae_2e2a_676e_a9aa),
];

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data")
}

/// The trained network, the test images and their labels.
fn load() -> (Parameters, Vec<[u8; PIXELS]>, Vec<usize>) {
    let digits = data::digits(&shipped()).unwrap();
    assert_eq!(digits.len(), 1797);
    let (images, labels) = digits[data::FIRST_TEST_ROW..].iter().map(|digit| (digit.pixels, digit.label)).unzip();
    (data::parameters(&shipped()).unwrap(), images, labels)
}

fn run(variant: Variant, trained: &Parameters, images: &[[u8; PIXELS]]) -> Vec<Logits> {
    let mut logits = vec![[0.0; CLASSES]; images.len()];
    (variant.run)(trained, images, &mut logits);
    logits
}

#[test]
fn every_variant_gives_the_pinned_bits_every_time() {
    let (trained, images, labels) = load();
    let reference: Vec<usize> = run(VARIANTS[0], &trained, &images).iter().map(decision).collect();
    let outcomes = VARIANTS.map(|variant| {
        let logits = run(variant, &trained, &images);
        assert_eq!(logits, run(variant, &trained, &images), "{}", variant.name);
        let decisions: Vec<usize> = logits.iter().map(decision).collect();
        let agree = |with: &[usize]| decisions.iter().zip(with).filter(|(a, b)| a == b).count();
        let checksum = logits.iter().fold(Checksum::START, Checksum::with);
        (variant.name, agree(&labels), images.len() - agree(&reference), checksum.0)
    });
    assert_eq!(outcomes, PINNED);
}

/// The sums are those of f16x2 where no scale is applied, so e4m3 is f16x2 with rounded weights.
/// The result for MXFP4 is that of `oracle.py` alone.
#[test]
fn narrow_weights_give_the_pinned_bits() {
    fn outcome(run: impl Fn(&Parameters, &[[u8; PIXELS]]) -> Vec<Logits>, round: fn(f32) -> f32) -> (usize, u64) {
        let (mut trained, images, labels) = load();
        let (hidden, output) = (trained.hidden.weights.as_flattened_mut(), trained.output.weights.as_flattened_mut());
        hidden.iter_mut().chain(output).for_each(|weight| *weight = round(*weight));
        let logits = run(&trained, &images);
        let right = logits.iter().zip(&labels).filter(|(logits, label)| decision(logits) == **label);
        (right.count(), logits.iter().fold(Checksum::START, Checksum::with).0)
    }
    fn narrow<S: narrow::Store>(trained: &Parameters, images: &[[u8; PIXELS]]) -> Vec<Logits> {
        let network = narrow::Network::<S>::new(trained);
        images.iter().map(|pixels| network.logits(pixels)).collect()
    }
    let f16x2 = |trained: &Parameters, images: &[[u8; PIXELS]]| run(VARIANTS[4], trained, images);
    assert_eq!(VARIANTS[4].name, "f16x2");
    assert_eq!(narrow::Half::PINNED, (pinned::F16X2_RIGHT, pinned::F16X2));
    assert_eq!(outcome(narrow::<narrow::Half>, |w| w), narrow::Half::PINNED);
    assert_eq!(outcome(narrow::<narrow::E4m3>, |w| w), narrow::E4m3::PINNED);
    assert_eq!(outcome(f16x2, |w| ptxf::E4m3::from_f32(w).to_f32()), narrow::E4m3::PINNED);
    assert_eq!(outcome(narrow::<narrow::Mxfp4>, |w| w), narrow::Mxfp4::PINNED);
}

#[test]
fn tanh_follows_with_the_pinned_bits() {
    let (trained, images, _) = load();
    let f16x2 = VARIANTS.into_iter().find(|variant| variant.name == "f16x2").unwrap();
    let squashed = run(f16x2, &trained, &images).iter().map(squash::squash).fold(Checksum::START, |s, l| s.with(&l));
    assert_eq!(squashed.0, pinned::F16X2_TANH);
}

#[test]
fn every_variant_names_functions_of_the_table() {
    for function in VARIANTS.iter().flat_map(|variant| variant.functions) {
        assert!(ptxf::spec::FORMS.iter().any(|form| form.function == function), "{function}");
    }
}

#[test]
fn f32_is_what_the_network_was_trained_to() {
    let (trained, images, labels) = load();
    // The same in f64 with sums in another order: accuracy is a property of the network, not of the
    // arithmetic.
    fn sums<const IN: usize, const OUT: usize>(layer: &Dense<IN, OUT>, inputs: &[f64; IN]) -> [f64; OUT] {
        let column = |j: usize| layer.weights.iter().zip(inputs).map(move |(w, x)| f64::from(w[j]) * x);
        array::from_fn(|j| column(j).rev().sum::<f64>() + f64::from(layer.biases[j]))
    }
    let right = images.iter().zip(&labels).filter(|&(pixels, &label)| {
        let hidden = sums(&trained.hidden, &pixels.map(|p| f64::from(p) / 16.0)).map(|h| h.max(0.0));
        let logits = sums(&trained.output, &hidden);
        (0..CLASSES).max_by(|&a, &b| logits[a].total_cmp(&logits[b])) == Some(label)
    });
    assert_eq!(right.count(), PINNED[0].1);
}

/// The message for the shipped file with `from` replaced by `to` once.
fn broken(file: &str, from: &str, to: &str) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("digits-{:x}", from.len() * 1000 + to.len()));
    fs::create_dir_all(&dir).unwrap();
    let text = fs::read_to_string(shipped().join(file)).unwrap();
    assert!(text.contains(from));
    fs::write(dir.join(file), text.replacen(from, to, 1)).unwrap();
    let error = match file {
        "digits.csv" => data::digits(&dir).err(),
        _ => data::parameters(&dir).err(),
    };
    error.expect("the file is broken").to_string().replace(&format!("{}/", dir.display()), "")
}

#[test]
fn a_broken_file_is_named_with_its_line_and_the_way_out() {
    const WANT: &str = "\n  write 64 pixels from 0 to 16 and a label from 0 to 9, separated by commas";
    let first = "\n0,0,5,13,9,1,";
    assert_eq!(broken("digits.csv", first, "\n0,0,5,17,9,1,"), format!("digits.csv:2: found pixel `17`{WANT}"));
    assert_eq!(broken("digits.csv", first, "\n0,0,x,13,9,1,"), format!("digits.csv:2: found pixel `x`{WANT}"));
    assert_eq!(broken("digits.csv", first, "\n0,0,5,13,9,"), format!("digits.csv:2: found 64 fields{WANT}"));
    assert_eq!(broken("digits.csv", ",0\n", ",10\n"), format!("digits.csv:2: found label `10`{WANT}"));

    let want = "\n  write `0,weight,1,` and 48 numbers separated by spaces";
    let row = "\n0,weight,1,-0.425723523 ";
    assert_eq!(broken("digits_mlp.csv", row, "\n0,weight,1,"), format!("digits_mlp.csv:3: found 47 numbers{want}"));
    assert_eq!(
        broken("digits_mlp.csv", row, "\n0,weight,1,inf "),
        format!("digits_mlp.csv:3: found number `inf`{want}")
    );
    assert_eq!(broken("digits_mlp.csv", row, "\n0,weight,2,1 "), format!("digits_mlp.csv:3: found `0,weight,2`{want}"));

    let missing = data::digits(Path::new("/nowhere")).unwrap_err().to_string();
    assert!(missing.starts_with("/nowhere/digits.csv: "), "{missing}");
    assert!(missing.ends_with("name another directory that has it with --data DIR"), "{missing}");
}
