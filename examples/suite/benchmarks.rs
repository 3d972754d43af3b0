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
    Fill(Card),
    Large,
    Full,
    Quick,
}

/// The parts of a device that sizes depend on.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// The number of threads that all multiprocessors hold at a time.
    pub threads: usize,
    /// The size of the last cache in bytes.
    pub cache: usize,
}

impl Card {
    /// A grid has this many times as many threads as the device holds, also in pairs.
    const WAVES: usize = 4;
    /// Slices are this many times as large as the cache.
    const CACHES: usize = 3;

    /// Returns the number of elements that fill the device, if a thread reads and writes so many
    /// bytes of slices in half precision. With 0 bytes the cache does not count.
    fn elements(self, bytes: usize) -> usize {
        let of_threads = 2 * Self::WAVES * self.threads;
        let of_cache = (Self::CACHES * self.cache).checked_div(bytes).unwrap_or(0);
        of_threads.max(of_cache)
    }
}

impl Size {
    /// Returns the size that fills a device.
    pub const fn fill(card: Card) -> Self {
        Self { amount: Amount::Fill(card), even: false }
    }

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
            Amount::Fill(_) | Amount::Large => large,
            Amount::Full => full,
            Amount::Quick => quick,
        };
        if self.even { odd + odd % 2 } else { odd }
    }

    /// Returns the number of elements that fill the device, each with so many bytes, or
    /// `otherwise`.
    pub fn elements(self, bytes: usize, otherwise: usize) -> usize {
        match self.amount {
            Amount::Fill(card) => self.of_parity(card.elements(bytes)),
            _ => otherwise,
        }
    }

    /// Returns the width and the height of so many elements in rows of about `width`, or
    /// `otherwise`.
    pub fn rows(self, bytes: usize, width: usize, otherwise: [usize; 2]) -> [usize; 2] {
        match self.amount {
            Amount::Fill(card) => {
                let elements = card.elements(bytes);
                let width = width.min(elements / 8);
                [self.of_parity(width), elements.div_ceil(width).next_multiple_of(16)]
            }
            _ => otherwise,
        }
    }

    /// Returns the side of a square of so many elements, or `otherwise`.
    pub fn square(self, bytes: usize, otherwise: usize) -> usize {
        match self.amount {
            Amount::Fill(card) => self.of_parity(card.elements(bytes).isqrt()),
            _ => otherwise,
        }
    }

    /// Returns the side of a cube of cells with so many elements each, or picks it.
    pub fn cube(self, elements: usize, [large, full, quick]: [usize; 3]) -> usize {
        match self.amount {
            Amount::Fill(card) => (1..).find(|side: &usize| side.pow(3) * elements >= card.elements(0)).unwrap_or(1),
            Amount::Large => large,
            Amount::Full => full,
            Amount::Quick => quick,
        }
    }

    /// Returns the number of launches, each of which continues with the previous one's results. A
    /// device that is filled runs one.
    pub const fn launches(self, otherwise: usize) -> usize {
        if matches!(self.amount, Amount::Fill(_)) { 1 } else { otherwise }
    }

    /// Returns the expected results. A device that is filled is compared with this CPU instead.
    pub fn reference<T: Default>(self, compute: impl FnOnce() -> T) -> T {
        if matches!(self.amount, Amount::Fill(_)) { T::default() } else { compute() }
    }

    /// Returns the next even length, or the odd one before it, which has as many pairs.
    const fn of_parity(self, n: usize) -> usize {
        n + n % 2 - !self.even as usize
    }
}

/// The benchmarks, in the order of the report.
pub const ALL: [fn(Size) -> Box<dyn Benchmark>; 17] = [
    |size| Box::new(nn::Nn::new(size)),
    |size| Box::new(matmul::Matmul::uniform(size)),
    |size| Box::new(matmul::Matmul::tenths(size)),
    |size| Box::new(matmul::tiled::Tiled::new(size)),
    |size| Box::new(matmul_e4m3::MatmulE4m3::new(size)),
    |size| Box::new(mxfp4::Mxfp4::new(size)),
    |size| Box::new(black_scholes::formula::BlackScholes::new(size)),
    |size| Box::new(black_scholes::table::BlackScholes::new(size)),
    |size| Box::new(kmeans::Kmeans::new(size)),
    |size| Box::new(hotspot3d::Hotspot::kelvin(size)),
    |size| Box::new(hotspot3d::Hotspot::shifted(size)),
    |size| Box::new(gaussian::Gaussian::new(size)),
    |size| Box::new(lavamd::LavaMd::new(size)),
    |size| Box::new(streamcluster::Streamcluster::new(size)),
    |size| Box::new(backprop::Backprop::new(size)),
    |size| Box::new(binomial::Binomial::new(size)),
    |size| Box::new(cfd::Cfd::new(size)),
];

/// Benchmarks that launch another one's kernels with other data.
pub const OTHER_DATA: [&str; 2] = ["matmul 0.1", "hotspot3D − 334 K"];

/// Returns all benchmarks.
pub fn all(size: Size) -> Vec<Box<dyn Benchmark>> {
    ALL.iter().map(|new| new(size)).collect()
}
