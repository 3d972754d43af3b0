//! Handwritten digits of 8×8 pixels from 0 to 16; see `examples/data/README.md`.

const FILE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits.csv"));

/// Pixels of an image.
pub const PIXELS: usize = 64;

/// Returns the images.
pub fn images() -> Vec<[f32; PIXELS]> {
    FILE.lines().skip(1).map(image).collect()
}

fn image(line: &str) -> [f32; PIXELS] {
    let mut fields = line.split(',').map(|field| field.parse().expect("digits.csv has numbers only"));
    std::array::from_fn(|_| fields.next().expect("a line of digits.csv has 64 pixels"))
}
