//! The network: 64 pixels → 48 hidden neurons with ReLU → 10 logits, generic over the arithmetic.
//!
//! The file uses only `core` and `ptxf` and allocates nothing, so `examples/firmware` includes it.
//!
//! Neurons are computed in pairs, as in a packed register: neuron `2j` in the low lane, `2j + 1` in
//! the high lane. A pair's sum starts at the bias. Then every input, in order, is multiplied by its
//! weights and added in one fused step. In the hidden layer the last step includes the ReLU.

use core::array;

use ptxf::{Bf16x2, F16x2, F32x2, ptx};

pub const PIXELS: usize = 64;
pub const HIDDEN: usize = 48;
pub const CLASSES: usize = 10;

/// The logits of an image, widened to f32, which is exact in every arithmetic here.
pub type Logits = [f32; CLASSES];

/// A trained layer in f32, with a row of weights per input.
#[derive(Debug)]
pub struct Dense<const IN: usize, const OUT: usize> {
    pub weights: [[f32; OUT]; IN],
    pub biases: [f32; OUT],
}

/// The trained network.
#[derive(Debug)]
pub struct Parameters {
    pub hidden: Dense<PIXELS, HIDDEN>,
    pub output: Dense<HIDDEN, CLASSES>,
}

/// An arithmetic for pairs of neurons.
pub trait Arithmetic {
    /// A pair of weights, biases or inputs, as stored.
    type Pair: Copy;
    /// A pair of sums.
    type Sum: Copy;
    /// The functions of [`ptxf::ptx`] that compute.
    const FUNCTIONS: [&'static str; 2];

    /// Rounds a pair to the stored format.
    fn store(pair: [f32; 2]) -> Self::Pair;
    /// Returns the initial sums.
    fn start(biases: Self::Pair) -> Self::Sum;
    /// Returns `x · w + sum`.
    fn step(x: Self::Pair, w: Self::Pair, sum: Self::Sum) -> Self::Sum;
    /// Returns `relu(x · w + sum)`.
    fn step_relu(x: Self::Pair, w: Self::Pair, sum: Self::Sum) -> Self::Sum;
    /// Returns the sums exactly.
    fn values(sum: Self::Sum) -> [f32; 2];
}

/// Arithmetics whose packed registers have every instruction, with `fma…relu`: `f16x2` and
/// `bf16x2`.
macro_rules! packed {
    ($(#[$doc:meta] $name:ident $pair:ident $fma:ident $fma_relu:ident;)*) => {$(
        #[$doc]
        #[derive(Debug)]
        pub enum $name {}

        impl Arithmetic for $name {
            type Pair = $pair;
            type Sum = $pair;
            const FUNCTIONS: [&'static str; 2] = [stringify!($fma), stringify!($fma_relu)];

            fn store(pair: [f32; 2]) -> $pair {
                $pair::from_f32(pair)
            }
            fn start(biases: $pair) -> $pair {
                biases
            }
            fn step(x: $pair, w: $pair, sum: $pair) -> $pair {
                ptx::$fma(x, w, sum)
            }
            fn step_relu(x: $pair, w: $pair, sum: $pair) -> $pair {
                ptx::$fma_relu(x, w, sum)
            }
            fn values(sum: $pair) -> [f32; 2] {
                sum.to_f32()
            }
        }
    )*};
}

packed! {
    /// Half precision for all values.
    F16 F16x2 fma_rn_f16x2 fma_rn_relu_f16x2;
    /// Half precision without subnormals.
    F16Ftz F16x2 fma_rn_ftz_f16x2 fma_rn_ftz_relu_f16x2;
    /// Brain floats for all values.
    Bf16 Bf16x2 fma_rn_bf16x2 fma_rn_relu_bf16x2;
}

/// Arithmetics with sums in f32, which has no `fma…relu`: a `max` with zero follows the last step.
macro_rules! widened {
    ($(#[$doc:meta] $name:ident $pair:ty, $store:expr, $widen:expr, $fma:ident $max:ident;)*) => {$(
        #[$doc]
        #[derive(Debug)]
        pub enum $name {}

        impl Arithmetic for $name {
            type Pair = $pair;
            type Sum = [f32; 2];
            const FUNCTIONS: [&'static str; 2] = [stringify!($fma), stringify!($max)];

            fn store(pair: [f32; 2]) -> $pair {
                $store(pair)
            }
            fn start(biases: $pair) -> [f32; 2] {
                $widen(biases)
            }
            fn step(x: $pair, w: $pair, sum: [f32; 2]) -> [f32; 2] {
                let (x, w) = ($widen(x), $widen(w));
                [ptx::$fma(x[0], w[0], sum[0]), ptx::$fma(x[1], w[1], sum[1])]
            }
            fn step_relu(x: $pair, w: $pair, sum: [f32; 2]) -> [f32; 2] {
                Self::step(x, w, sum).map(|s| ptx::$max(s, 0.0))
            }
            fn values(sum: [f32; 2]) -> [f32; 2] {
                sum
            }
        }
    )*};
}

/// Returns the pair unchanged.
fn as_is(pair: [f32; 2]) -> [f32; 2] {
    pair
}

widened! {
    /// Single precision for all values, the reference.
    F32 [f32; 2], as_is, as_is, fma_rn_f32 max_f32;
    /// Single precision without subnormals.
    F32Ftz [f32; 2], as_is, as_is, fma_rn_ftz_f32 max_ftz_f32;
    /// Half precision in memory, sums in f32.
    F16Wide F16x2, F16x2::from_f32, F16x2::to_f32, fma_rn_f32 max_f32;
    /// Half precision in memory, sums in f32 without subnormals.
    F16WideFtz F16x2, F16x2::from_f32, F16x2::to_f32, fma_rn_ftz_f32 max_ftz_f32;
    /// Brain floats in memory, sums in f32.
    Bf16Wide Bf16x2, Bf16x2::from_f32, Bf16x2::to_f32, fma_rn_f32 max_f32;
    /// Brain floats in memory, sums in f32 without subnormals.
    Bf16WideFtz Bf16x2, Bf16x2::from_f32, Bf16x2::to_f32, fma_rn_ftz_f32 max_ftz_f32;
}

/// Single precision in pairs. PTX has no packed `max`, so the ReLU is computed lane by lane.
macro_rules! packed_f32 {
    ($(#[$doc:meta] $name:ident $fma:ident $max:ident;)*) => {$(
        #[$doc]
        #[derive(Debug)]
        pub enum $name {}

        impl Arithmetic for $name {
            type Pair = F32x2;
            type Sum = F32x2;
            const FUNCTIONS: [&'static str; 2] = [stringify!($fma), stringify!($max)];

            fn store([lo, hi]: [f32; 2]) -> F32x2 {
                F32x2::from_lo_hi(lo, hi)
            }
            fn start(biases: F32x2) -> F32x2 {
                biases
            }
            fn step(x: F32x2, w: F32x2, sum: F32x2) -> F32x2 {
                ptx::$fma(x, w, sum)
            }
            fn step_relu(x: F32x2, w: F32x2, sum: F32x2) -> F32x2 {
                let sum = Self::step(x, w, sum);
                F32x2::from_lo_hi(ptx::$max(sum.lo(), 0.0), ptx::$max(sum.hi(), 0.0))
            }
            fn values(sum: F32x2) -> [f32; 2] {
                [sum.lo(), sum.hi()]
            }
        }
    )*};
}

packed_f32! {
    /// Single precision, with an instruction for two neurons.
    F32Packed fma_rn_f32x2 max_f32;
    /// The same without subnormals.
    F32PackedFtz fma_rn_ftz_f32x2 max_ftz_f32;
}

/// A layer of `2 · PAIRS` neurons, rounded to the stored format.
pub struct Layer<A: Arithmetic, const IN: usize, const PAIRS: usize> {
    pub weights: [[A::Pair; PAIRS]; IN],
    pub biases: [A::Pair; PAIRS],
}

impl<A: Arithmetic, const IN: usize, const PAIRS: usize> Layer<A, IN, PAIRS> {
    fn new<const OUT: usize>(trained: &Dense<IN, OUT>) -> Self {
        const { assert!(OUT == 2 * PAIRS, "a layer has an even number of neurons") }
        let store = |row: &[f32; OUT]| array::from_fn(|j| A::store([row[2 * j], row[2 * j + 1]]));
        Self { weights: array::from_fn(|i| store(&trained.weights[i])), biases: store(&trained.biases) }
    }

    /// Returns every neuron's sum. With `relu`, the last step includes the ReLU.
    fn sums(&self, inputs: &[f32; IN], relu: bool) -> [A::Sum; PAIRS] {
        let mut sums = self.biases.map(A::start);
        for (i, (&x, weights)) in inputs.iter().zip(&self.weights).enumerate() {
            let x = A::store([x, x]);
            let step = if relu && i == IN - 1 { A::step_relu } else { A::step };
            for (sum, &w) in sums.iter_mut().zip(weights) {
                *sum = step(x, w, *sum);
            }
        }
        sums
    }
}

/// The network in the arithmetic `A`.
pub struct Network<A: Arithmetic> {
    pub hidden: Layer<A, PIXELS, { HIDDEN / 2 }>,
    pub output: Layer<A, HIDDEN, { CLASSES / 2 }>,
}

impl<A: Arithmetic> Network<A> {
    /// Rounds the trained parameters to the stored format.
    pub fn new(trained: &Parameters) -> Self {
        Self { hidden: Layer::new(&trained.hidden), output: Layer::new(&trained.output) }
    }

    /// Returns the logits of an image with pixels from 0 to 16.
    pub fn logits(&self, pixels: &[u8; PIXELS]) -> Logits {
        let inputs = pixels.map(|p| f32::from(p) / 16.0);
        let hidden = self.hidden.sums(&inputs, true).map(A::values);
        let output = self.output.sums(&array::from_fn(|i| hidden[i / 2][i % 2]), false).map(A::values);
        array::from_fn(|i| output[i / 2][i % 2])
    }
}

/// Returns the digit with the largest logit, the smallest such digit in a tie.
pub fn decision(logits: &Logits) -> usize {
    (1..CLASSES).fold(0, |best, i| if logits[i] > logits[best] { i } else { best })
}

/// FNV-1a of 64 bits over the little-endian bytes of the logits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(pub u64);

impl Checksum {
    pub const START: Self = Self(0xcbf2_9ce4_8422_2325);

    #[must_use]
    pub fn with(self, logits: &Logits) -> Self {
        let bytes = logits.iter().flat_map(|l| l.to_bits().to_le_bytes());
        Self(bytes.fold(self.0, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)))
    }
}

/// An arithmetic to compare.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub name: &'static str,
    /// The functions of [`ptxf::ptx`] that compute.
    pub functions: [&'static str; 2],
    /// Computes the logits of every image.
    pub run: fn(&Parameters, &[[u8; PIXELS]], &mut [Logits]),
}

/// All arithmetics. The first is the reference.
pub const VARIANTS: [Variant; 11] = [
    variant::<F32>("f32"),
    variant::<F32Ftz>("f32 .ftz"),
    variant::<F32Packed>("f32x2"),
    variant::<F32PackedFtz>("f32x2 .ftz"),
    variant::<F16>("f16x2"),
    variant::<F16Ftz>("f16x2 .ftz"),
    variant::<Bf16>("bf16x2"),
    variant::<F16Wide>("f16 > f32"),
    variant::<F16WideFtz>("f16 > f32 .ftz"),
    variant::<Bf16Wide>("bf16 > f32"),
    variant::<Bf16WideFtz>("bf16 > f32 .ftz"),
];

const fn variant<A: Arithmetic>(name: &'static str) -> Variant {
    let run = |trained: &Parameters, images: &[[u8; PIXELS]], logits: &mut [Logits]| {
        let network = Network::<A>::new(trained);
        for (logits, pixels) in logits.iter_mut().zip(images) {
            *logits = network.logits(pixels);
        }
    };
    Variant { name, functions: A::FUNCTIONS, run }
}
