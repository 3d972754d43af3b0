//! The network with narrow weights: f16, e4m3, or MXFP4, which is e2m1 with a power of two for each
//! block of 32 weights of a neuron. Sums, inputs and biases are f16.
//!
//! The file uses only `core` and `ptxf` and allocates nothing, so `examples/firmware` includes it.

use core::array;

use ptxf::{E2m1x2, E4m3x2, F16, F16x2, Ue8m0, Ue8m0x2, ptx, slice};

use super::network::{CLASSES, Dense, HIDDEN, Logits, PIXELS, Parameters};

/// Weights of a block. MX formats have 32.
const BLOCK: usize = 32;
/// Blocks of each layer: 64 inputs, and 48.
const BLOCKS: usize = 2;

/// A storage format for the weights of pairs of neurons.
pub trait Store: Sized {
    /// The weights of two neurons for one input.
    type Pair: Copy;
    /// The scales of two neurons for one block.
    type Scale: Copy;
    /// Correctly classified images, of 450, and the checksum of all logits, from `oracle.py`.
    const PINNED: (usize, u64);

    /// Rounds a layer.
    fn layer<const IN: usize, const OUT: usize, const PAIRS: usize>(trained: &Dense<IN, OUT>)
    -> Layer<Self, IN, PAIRS>;
    /// Returns the weights as f16, exactly.
    fn widen(pair: Self::Pair) -> F16x2;
    /// Returns the sums with which a block begins.
    fn begin(sums: F16x2) -> F16x2;
    /// Returns the sums after a block that ends with `block`.
    fn end(sums: F16x2, block: F16x2, scale: Self::Scale) -> F16x2;
}

/// A layer of `2 · PAIRS` neurons.
pub struct Layer<S: Store, const IN: usize, const PAIRS: usize> {
    pub weights: [[S::Pair; PAIRS]; IN],
    pub scales: [[S::Scale; PAIRS]; BLOCKS],
    pub biases: [F16x2; PAIRS],
}

/// The network with weights in `S`.
pub struct Network<S: Store> {
    pub hidden: Layer<S, PIXELS, { HIDDEN / 2 }>,
    pub output: Layer<S, HIDDEN, { CLASSES / 2 }>,
}

/// Formats without scales, whose blocks continue the sums.
macro_rules! unscaled {
    ($($(#[$doc:meta])* $name:ident $pair:ident $widen:expr, $right:literal $sum:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl Store for $name {
            type Pair = $pair;
            type Scale = ();
            const PINNED: (usize, u64) = ($right, $sum);

            fn layer<const IN: usize, const OUT: usize, const PAIRS: usize>(
                trained: &Dense<IN, OUT>,
            ) -> Layer<Self, IN, PAIRS> {
                let row = |i: usize| array::from_fn(|j| $pair::from_f32(pair(&trained.weights[i], j)));
                Layer { weights: array::from_fn(row), scales: [[(); PAIRS]; BLOCKS], biases: biases(trained) }
            }
            fn widen(pair: $pair) -> F16x2 {
                $widen(pair)
            }
            fn begin(sums: F16x2) -> F16x2 {
                sums
            }
            fn end(_: F16x2, block: F16x2, (): ()) -> F16x2 {
                block
            }
        }
    )*};
}

unscaled! {
    /// 16 bits, which is the network of `digits`.
    Half F16x2 core::convert::identity, 416 0x8e4a_9622_569b_6b39;
    /// 8 bits.
    E4m3 E4m3x2 F16x2::from, 416 0x4015_c719_ab25_a9fb;
}

/// 4 bits, and 8 bits for each block.
#[derive(Debug)]
pub enum Mxfp4 {}

impl Store for Mxfp4 {
    type Pair = E2m1x2;
    type Scale = Ue8m0x2;
    const PINNED: (usize, u64) = (416, 0xe4a0_325a_1445_efe3);

    fn layer<const IN: usize, const OUT: usize, const PAIRS: usize>(
        trained: &Dense<IN, OUT>,
    ) -> Layer<Self, IN, PAIRS> {
        let neurons: [_; OUT] = array::from_fn(|j| {
            let column: [f32; IN] = array::from_fn(|i| trained.weights[i][j]);
            let (mut scales, mut codes) = ([Ue8m0::ONE; BLOCKS], [E2m1x2::ZERO; PIXELS / 2]);
            slice::quantize_mx(&column, &mut scales, &mut codes[..IN / 2]);
            (scales, codes)
        });
        let code = |neuron: usize, i: usize| neurons[neuron].1[i / 2].to_array()[i % 2];
        let weight = |i: usize, j: usize| E2m1x2::from_lo_hi(code(2 * j, i), code(2 * j + 1, i));
        let scale = |i: usize, j: usize| Ue8m0x2::from_lo_hi(neurons[2 * j].0[i], neurons[2 * j + 1].0[i]);
        Layer {
            weights: array::from_fn(|i| array::from_fn(|j| weight(i, j))),
            scales: array::from_fn(|i| array::from_fn(|j| scale(i, j))),
            biases: biases(trained),
        }
    }
    fn widen(pair: E2m1x2) -> F16x2 {
        pair.into()
    }
    fn begin(_: F16x2) -> F16x2 {
        F16x2::ZERO
    }
    fn end(sums: F16x2, block: F16x2, scale: Ue8m0x2) -> F16x2 {
        let [lo, hi] = scale.to_f32().map(F16::from_f32);
        ptx::fma_rn_f16x2(block, F16x2::from_lo_hi(lo, hi), sums)
    }
}

fn pair<const OUT: usize>(row: &[f32; OUT], j: usize) -> [f32; 2] {
    [row[2 * j], row[2 * j + 1]]
}

fn biases<const IN: usize, const OUT: usize, const PAIRS: usize>(trained: &Dense<IN, OUT>) -> [F16x2; PAIRS] {
    array::from_fn(|j| F16x2::from_f32(pair(&trained.biases, j)))
}

impl<S: Store, const IN: usize, const PAIRS: usize> Layer<S, IN, PAIRS> {
    fn sums(&self, inputs: &[F16; IN]) -> [F16x2; PAIRS] {
        let mut sums = self.biases;
        for ((inputs, weights), scales) in inputs.chunks(BLOCK).zip(self.weights.chunks(BLOCK)).zip(&self.scales) {
            let mut block = sums.map(S::begin);
            for (&x, weights) in inputs.iter().zip(weights) {
                for (sum, &w) in block.iter_mut().zip(weights) {
                    *sum = ptx::fma_rn_f16x2(F16x2::splat(x), S::widen(w), *sum);
                }
            }
            for ((sum, block), &scale) in sums.iter_mut().zip(block).zip(scales) {
                *sum = S::end(*sum, block, scale);
            }
        }
        sums
    }
}

impl<S: Store> Network<S> {
    /// Rounds the trained parameters to the stored format.
    pub fn new(trained: &Parameters) -> Self {
        Self { hidden: S::layer(&trained.hidden), output: S::layer(&trained.output) }
    }

    /// Returns the logits of an image with pixels from 0 to 16.
    pub fn logits(&self, pixels: &[u8; PIXELS]) -> Logits {
        let hidden = self.hidden.sums(&pixels.map(|p| F16::from_f32(f32::from(p) / 16.0)));
        let hidden = hidden.map(|sums| ptx::max_f16x2(sums, F16x2::ZERO).to_array());
        let output = self.output.sums(&array::from_fn(|i| hidden[i / 2][i % 2])).map(F16x2::to_f32);
        array::from_fn(|i| output[i / 2][i % 2])
    }
}
