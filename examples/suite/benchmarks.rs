//! The benchmarks, each with its kernels, its data and its measure.

mod backprop;
mod binomial;
mod black_scholes;
mod cfd;
mod gaussian;
mod hotspot3d;
mod kmeans;
mod lavamd;
mod matmul;
mod matmul_e4m3;
mod mxfp4;
mod nn;
mod streamcluster;

use crate::benchmark::Benchmark;

/// The amount of data. Rows have an odd length unless [`even`](Self::even), so that pairs and
/// vectors do not fit.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    amount: Amount,
    even: bool,
}

#[derive(Clone, Copy, Debug)]
enum Amount {
    Large,
    Full,
    Quick,
}

impl Size {
    /// Enough data to keep a device busy.
    pub const LARGE: Self = Self { amount: Amount::Large, even: false };
    /// The sizes of Ho and Wong (see `main.rs`), or less where a CPU would take minutes.
    pub const FULL: Self = Self { amount: Amount::Full, even: false };
    /// Sizes for a test.
    pub const QUICK: Self = Self { amount: Amount::Quick, even: false };

    /// Returns the size with even row lengths: `pick` rounds its results up.
    pub const fn even(self) -> Self {
        Self { even: true, ..self }
    }

    pub const fn pick(self, large: usize, full: usize, quick: usize) -> usize {
        let odd = match self.amount {
            Amount::Large => large,
            Amount::Full => full,
            Amount::Quick => quick,
        };
        if self.even { odd + odd % 2 } else { odd }
    }
}

/// Returns all benchmarks, in the order of the report.
pub fn all(size: Size) -> Vec<Box<dyn Benchmark>> {
    vec![
        Box::new(nn::Nn::new(size)),
        Box::new(matmul::Matmul::uniform(size)),
        Box::new(matmul::Matmul::tenths(size)),
        Box::new(matmul::tiled::Tiled::new(size)),
        Box::new(matmul_e4m3::MatmulE4m3::new(size)),
        Box::new(mxfp4::Mxfp4::new(size)),
        Box::new(black_scholes::formula::BlackScholes::new(size)),
        Box::new(black_scholes::table::BlackScholes::new(size)),
        Box::new(kmeans::Kmeans::new(size)),
        Box::new(hotspot3d::Hotspot::kelvin(size)),
        Box::new(hotspot3d::Hotspot::shifted(size)),
        Box::new(gaussian::Gaussian::new(size)),
        Box::new(lavamd::LavaMd::new(size)),
        Box::new(streamcluster::Streamcluster::new(size)),
        Box::new(backprop::Backprop::new(size)),
        Box::new(binomial::Binomial::new(size)),
        Box::new(cfd::Cfd::new(size)),
    ]
}
