//! Launches of a kernel's entries from a host, on a device of a driver binding.
//!
//! Next to `k::pair`, `#[ptx_kernel]` makes `k::pair_on`, which passes the parameters of the entry
//! `k_pair` to a [`Device`].
// Invariant: an entry is passed as many words as it has parameters, and after a slice's address its length.
#![expect(unsafe_code, reason = "a device trusts the addresses that it is passed")]

use core::fmt;

use super::grid::Grid;
use crate::types::{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};

/// A device that has loaded a kernel's entries, for `k::pair_on`, `k::scalar_on` and `k::f32_on`.
///
/// A driver binding implements this trait for the device, and [`Reads`] and [`Writes`] for its
/// memory. `ptxf-cudarc` is the binding for `cudarc`. Loading the entries is `unsafe` in such a
/// binding, because they are trusted. A launch is safe then.
///
/// # Examples
///
/// A device that runs nothing and records its arguments; the memory pretends to be at address 4096.
///
/// ```
/// use std::cell::RefCell;
///
/// use ptxf::kernel::{Device, Extent, GridError, Launch, Reads, Writes};
/// use ptxf::{F16, ptx_kernel};
///
/// #[ptx_kernel(pair = F16x2)]
/// fn scale(t: ThreadX, a: f32, x: &[f32], out: &mut [f32]) {
///     if t < x.len() {
///         out[t] = a * x[t];
///     }
/// }
///
/// #[derive(Default)]
/// struct Notes(RefCell<Vec<u64>>);
///
/// struct Noted<'a>(&'a Notes);
///
/// impl Device for Notes {
///     type Error = GridError;
///     type Launch<'a> = Noted<'a>;
///
///     fn entry<'a>(&'a self, name: &str) -> Result<Noted<'a>, GridError> {
///         assert_eq!(name, "scale_pair");
///         Ok(Noted(self))
///     }
/// }
///
/// impl Launch for Noted<'_> {
///     type Error = GridError;
///
///     fn pass(&mut self, word: u64) {
///         self.0.0.borrow_mut().push(word);
///     }
///
///     fn launch(self, extent: Extent) -> Result<(), GridError> {
///         assert_eq!(extent, Extent { blocks: [4, 1, 1], threads: [128, 1, 1] });
///         Ok(())
///     }
/// }
///
/// struct Memory;
///
/// // SAFETY: nothing is run.
/// unsafe impl Reads<Notes, F16> for Memory {
///     fn pass_to<'a>(&'a self, launch: &mut Noted<'a>) {
///         [4096, 1000].map(|word| launch.pass(word));
///     }
/// }
///
/// // SAFETY: nothing is run.
/// unsafe impl Writes<Notes, F16> for Memory {
///     fn pass_to<'a>(&'a mut self, launch: &mut Noted<'a>) {
///         [4096, 1000].map(|word| launch.pass(word));
///     }
/// }
///
/// let notes = Notes::default();
/// scale::pair_on(&notes, 1000, 2.0, &Memory, &mut Memory)?;
/// // The number of threads, the number missing from the first pair, and the kernel's arguments.
/// assert_eq!(notes.0.into_inner(), [1000, 0, 0x4000_0000, 4096, 1000, 4096, 1000]);
/// # Ok::<(), GridError>(())
/// ```
pub trait Device: 'static {
    /// The error of a launch.
    type Error: From<GridError>;
    /// A launch in preparation.
    type Launch<'a>: Launch<Error = Self::Error>;

    /// Begins a launch of the entry with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such entry.
    fn entry<'a>(&'a self, name: &str) -> Result<Self::Launch<'a>, Self::Error>;
}

/// A launch of one entry, to which the arguments are passed in order.
pub trait Launch {
    /// The error of a launch.
    type Error;

    /// Passes a number. A parameter of `n` bytes gets the `n` lower bytes of the word.
    fn pass(&mut self, word: u64);

    /// Launches the entry with the arguments that were passed.
    ///
    /// # Errors
    ///
    /// Returns an error if the device refuses the launch.
    fn launch(self, extent: Extent) -> Result<(), Self::Error>;
}

/// The size of a launch on a device, in blocks and in device threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of blocks along x, y and z.
    pub blocks: [u32; 3],
    /// Number of threads of a block along x, y and z.
    pub threads: [u32; 3],
}

/// Memory of a device that a kernel reads as `&[f32]` or another slice, with elements `T`.
///
/// # Safety
///
/// The memory at the address has as many elements `T` as the length that is passed after it, and is
/// aligned for `T`. The elements are initialized, and nothing writes them until the launch has
/// finished.
#[diagnostic::on_unimplemented(
    message = "the kernel reads a slice of `{T}` here: pass device memory of such elements",
    label = "this is `{Self}`"
)]
pub unsafe trait Reads<D: Device, T> {
    /// Passes the address, then the length.
    fn pass_to<'a>(&'a self, launch: &mut D::Launch<'a>);
}

/// Memory of a device that a kernel writes as `&mut [f32]` or another slice, with elements `T`.
///
/// # Safety
///
/// As for [`Reads`], and nothing else reads the elements either.
#[diagnostic::on_unimplemented(
    message = "the kernel writes a slice of `{T}` here: pass writable device memory of such elements",
    label = "this is `{Self}`"
)]
pub unsafe trait Writes<D: Device, T> {
    /// Passes the address, then the length.
    fn pass_to<'a>(&'a mut self, launch: &mut D::Launch<'a>);
}

/// A grid that a device cannot launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// The grid has more threads along an axis than a device counts.
    TooMany {
        /// Number of threads along the axis.
        threads: usize,
    },
    /// The kernel uses its blocks, and one of them would be partial.
    PartOfBlock {
        /// The axis, `x`, `y` or `z`.
        axis: char,
        /// Number of threads along the axis.
        threads: usize,
        /// Number of threads of a block along the axis.
        block: usize,
    },
    /// The kernel uses its blocks, and threads that a device's thread runs would be in different
    /// blocks.
    OddBlock {
        /// Number of threads of a block along x.
        block: usize,
        /// Number of threads that a device's thread runs: 2, or the kernel's `per_thread`.
        per_thread: usize,
    },
    /// The kernel is one of warps, and a warp would be in two blocks.
    PartOfWarp {
        /// Number of threads of a block along x.
        block: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany { threads } => write!(f, "a device counts threads in 32 bits, and the grid has {threads}"),
            Self::PartOfBlock { axis, threads, block } => {
                let blocks = threads.div_ceil(block);
                write!(
                    f,
                    "the kernel runs in whole blocks on a device, and {threads} threads along {axis} are not a multiple of \
                     the block's {block}: choose a block with `Grid::block`, or launch {}",
                    blocks.saturating_mul(block)
                )
            }
            Self::PartOfWarp { block } => {
                write!(
                    f,
                    "a block of {block} threads along x splits a warp: choose a multiple of 32 with `Grid::block`"
                )
            }
            Self::OddBlock { block, per_thread: 2 } => {
                write!(f, "a block of {block} threads along x splits a pair: choose an even number with `Grid::block`")
            }
            Self::OddBlock { block, per_thread } => {
                write!(
                    f,
                    "a block of {block} threads along x splits the {per_thread} threads that a device's thread runs: \
                     choose a multiple of {per_thread} with `Grid::block`"
                )
            }
        }
    }
}

impl core::error::Error for GridError {}

/// A kernel's use of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// The kernel does not observe blocks, so blocks may have any size.
    Any,
    /// Threads use the index of their block.
    Named,
    /// Threads share memory or wait at barriers, which all threads of a block reach.
    Shared,
}

/// A launch on a device, as expansions use it.
#[derive(Debug)]
pub struct OnDevice<'a, D: Device> {
    launch: D::Launch<'a>,
    extent: Extent,
}

impl<'a, D: Device> OnDevice<'a, D> {
    /// Begins a launch, with `lanes` threads of the grid per device thread.
    ///
    /// # Panics
    ///
    /// Panics if the grid has threads along more axes than the kernel takes, as on a CPU.
    pub fn new(
        device: &'a D,
        entry: &str,
        axes: usize,
        lanes: usize,
        blocks: Blocks,
        grid: impl Into<Grid>,
    ) -> Result<Self, D::Error> {
        let grid = grid.into();
        grid.require_axes(entry, axes);
        let extent = extent(grid, lanes, blocks)?;
        let mut launch = device.entry(entry)?;
        launch.pass(grid.threads()[0] as u64);
        if lanes > 1 && blocks != Blocks::Shared {
            // The first pair lacks no threads.
            launch.pass(0);
        }
        Ok(Self { launch, extent })
    }

    /// Begins the launch of a kernel without `pair`, in whole blocks.
    ///
    /// # Panics
    ///
    /// Panics if the grid has threads along more axes than the kernel takes, as on a CPU.
    pub fn of_blocks(device: &'a D, entry: &str, axes: usize, grid: impl Into<Grid>) -> Result<Self, D::Error> {
        let grid = grid.into();
        grid.require_axes(entry, axes);
        let extent = extent(grid, 1, Blocks::Shared)?;
        Ok(Self { launch: device.entry(entry)?, extent })
    }

    /// Begins the launch of a warp kernel: each warp of the grid has 32 threads along x.
    pub fn of_warps(device: &'a D, entry: &str, grid: impl Into<Grid>) -> Result<Self, D::Error> {
        let grid = grid.into();
        let extent = extent_of_warps(grid)?;
        let mut launch = device.entry(entry)?;
        launch.pass(grid.threads()[0] as u64);
        Ok(Self { launch, extent })
    }

    /// Passes a slice that the kernel reads.
    pub fn read<T>(&mut self, memory: &'a (impl Reads<D, T> + ?Sized)) {
        memory.pass_to(&mut self.launch);
    }

    /// Passes a slice that the kernel writes.
    pub fn write<T>(&mut self, memory: &'a mut (impl Writes<D, T> + ?Sized)) {
        memory.pass_to(&mut self.launch);
    }

    /// Passes a number or a truth value.
    pub fn number(&mut self, number: impl Number) {
        self.launch.pass(number.word());
    }

    /// Passes a number or a truth value to a parameter of exactly this type.
    pub fn passed<T>(&mut self, value: impl Passed<T>) {
        self.launch.pass(value.passed_word());
    }

    /// Launches the entry, unless the grid has no threads.
    pub fn launch(self) -> Result<(), D::Error> {
        if self.extent.blocks.contains(&0) {
            return Ok(());
        }
        self.launch.launch(self.extent)
    }
}

fn extent(grid: Grid, lanes: usize, known: Blocks) -> Result<Extent, GridError> {
    let (threads, mut block) = (grid.threads(), grid.block_threads());
    if u32::try_from(threads[0]).is_err() {
        return Err(GridError::TooMany { threads: threads[0] });
    }
    if known != Blocks::Any && !block[0].is_multiple_of(lanes) {
        return Err(GridError::OddBlock { block: block[0], per_thread: lanes });
    }
    // Along x each thread compares its index with the grid, unless all threads must reach barriers.
    let first = if known == Blocks::Shared { 0 } else { 1 };
    for (axis, name) in ['x', 'y', 'z'].into_iter().enumerate().skip(first) {
        if threads[axis].is_multiple_of(block[axis]) {
            continue;
        }
        if known != Blocks::Any {
            return Err(GridError::PartOfBlock { axis: name, threads: threads[axis], block: block[axis] });
        }
        block[axis] = 1;
    }
    let [x, y, z] = threads;
    block[0] = match known {
        // As many threads as for pairs, and no more than there are. Blocks of few warps would leave
        // places of a multiprocessor empty.
        Blocks::Any if lanes > 2 => block[0].div_ceil(2).min(x.div_ceil(lanes).max(1).next_power_of_two()),
        _ => block[0].div_ceil(lanes),
    };
    let count = |n: usize| u32::try_from(n).map_err(|_| GridError::TooMany { threads: n });
    Ok(Extent {
        blocks: [
            count(x.div_ceil(lanes).div_ceil(block[0]))?,
            count(y.div_ceil(block[1]))?,
            count(z.div_ceil(block[2]))?,
        ],
        threads: [count(block[0])?, count(block[1])?, count(block[2])?],
    })
}

/// Returns the extent of a grid of warps. A block has the grid's number of threads.
fn extent_of_warps(grid: Grid) -> Result<Extent, GridError> {
    let ([warps, y, z], block) = (grid.threads(), grid.block_threads());
    let threads = warps.checked_mul(32).ok_or(GridError::TooMany { threads: warps })?;
    if !block[0].is_multiple_of(32) {
        return Err(GridError::PartOfWarp { block: block[0] });
    }
    extent(Grid::from([threads, y, z]).block(block), 1, Blocks::Any)
}

/// A value that can be passed to an entry's parameter of type `T`.
#[diagnostic::on_unimplemented(
    message = "a typed launch cannot pass a kernel's parameter of type `{T}`",
    label = "only numbers and truth values can be passed: pass the parts one by one, or in a slice"
)]
pub trait Passed<T> {
    /// Returns the value's bits, in the lower bits of a word.
    fn passed_word(self) -> u64;
}

impl<T: Number> Passed<T> for T {
    #[inline]
    fn passed_word(self) -> u64 {
        Number::word(self)
    }
}

/// A number or a truth value.
pub trait Number {
    /// Returns the value's bits, in the lower bits of a word.
    fn word(self) -> u64;
}

macro_rules! numbers {
    ($($ty:ident: $x:ident $word:expr;)*) => {$(
        impl Number for $ty {
            #[inline]
            fn word(self) -> u64 {
                let $x = self;
                $word as u64
            }
        }
    )*};
}

numbers! {
    bool: x x;
    u8: x x;
    u16: x x;
    u32: x x;
    u64: x x;
    usize: x x;
    i8: x x;
    i16: x x;
    i32: x x;
    i64: x x;
    f32: x x.to_bits();
    f64: x x.to_bits();
    F16: x x.to_bits();
    Bf16: x x.to_bits();
    E2m1: x x.to_bits();
    E2m1x2: x x.to_bits();
    E2m3: x x.to_bits();
    E3m2: x x.to_bits();
    E4m3: x x.to_bits();
    E5m2: x x.to_bits();
    Ue8m0: x x.to_bits();
}

#[cfg(test)]
mod tests {
    use std::string::ToString as _;

    use super::*;

    fn of(
        threads: [usize; 3],
        block: [usize; 3],
        lanes: usize,
        known: Blocks,
    ) -> Result<([u32; 3], [u32; 3]), GridError> {
        extent(Grid::from(threads).block(block), lanes, known).map(|extent| (extent.blocks, extent.threads))
    }

    #[test]
    fn blocks_hold_the_threads() {
        use Blocks::{Any, Named, Shared};
        assert_eq!(of([1000, 1, 1], [256, 1, 1], 1, Any), Ok(([4, 1, 1], [256, 1, 1])));
        assert_eq!(of([1000, 1, 1], [256, 1, 1], 2, Any), Ok(([4, 1, 1], [128, 1, 1])));
        // One pair more for the last thread; the kernel does not observe its blocks.
        assert_eq!(of([513, 1, 1], [256, 1, 1], 2, Any), Ok(([3, 1, 1], [128, 1, 1])));
        assert_eq!(of([10, 1, 1], [7, 1, 1], 2, Any), Ok(([2, 1, 1], [4, 1, 1])));
        assert_eq!(of([100, 7, 6], [32, 4, 2], 2, Any), Ok(([4, 7, 3], [16, 1, 2])));
        assert_eq!(of([0, 3, 1], [32, 1, 1], 1, Any), Ok(([0, 3, 1], [32, 1, 1])));
        // A thread along x compares its index with the grid.
        assert_eq!(of([100, 8, 1], [32, 4, 1], 2, Named), Ok(([4, 2, 1], [16, 4, 1])));
        assert_eq!(of([96, 8, 1], [32, 4, 1], 1, Shared), Ok(([3, 2, 1], [32, 4, 1])));
        assert_eq!(of([96, 8, 1], [32, 4, 1], 2, Shared), Ok(([3, 2, 1], [16, 4, 1])));
        // More threads per device thread take fewer blocks of the same size.
        assert_eq!(of([4096, 1, 1], [256, 1, 1], 8, Any), Ok(([4, 1, 1], [128, 1, 1])));
        assert_eq!(of([4097, 1, 1], [256, 1, 1], 8, Any), Ok(([5, 1, 1], [128, 1, 1])));
        assert_eq!(of([100, 7, 6], [32, 4, 2], 8, Any), Ok(([1, 7, 3], [16, 1, 2])));
        assert_eq!(of([0, 3, 1], [32, 1, 1], 8, Any), Ok(([0, 3, 1], [1, 1, 1])));
        assert_eq!(of([96, 8, 1], [32, 4, 1], 8, Named), Ok(([3, 2, 1], [4, 4, 1])));
        assert_eq!(of([96, 8, 1], [32, 4, 1], 16, Shared), Ok(([3, 2, 1], [2, 4, 1])));
    }

    #[test]
    fn what_no_device_runs_is_told() {
        use Blocks::{Named, Shared};
        let error = |threads, block, lanes, known| of(threads, block, lanes, known).unwrap_err().to_string();
        assert_eq!(
            error([100, 1, 1], [32, 1, 1], 1, Shared),
            "the kernel runs in whole blocks on a device, and 100 threads along x are not a multiple of the block's 32: \
             choose a block with `Grid::block`, or launch 128"
        );
        assert!(
            error([96, 7, 1], [32, 4, 1], 1, Named).contains("7 threads along y are not a multiple of the block's 4")
        );
        assert!(
            error([96, 8, 3], [32, 4, 2], 1, Shared).contains("3 threads along z are not a multiple of the block's 2")
        );
        assert_eq!(
            error([30, 1, 1], [15, 1, 1], 2, Named),
            "a block of 15 threads along x splits a pair: choose an even number with `Grid::block`"
        );
        assert_eq!(
            error([48, 1, 1], [12, 1, 1], 8, Named),
            "a block of 12 threads along x splits the 8 threads that a device's thread runs: choose a multiple of 8 with \
             `Grid::block`"
        );
    }

    #[test]
    fn a_warp_is_32_threads() {
        let of = |warps: [usize; 3], block| {
            extent_of_warps(Grid::from(warps).block(block)).map(|extent| (extent.blocks, extent.threads))
        };
        assert_eq!(of([9, 3, 2], [256, 1, 1]), Ok(([2, 3, 2], [256, 1, 1])));
        assert_eq!(of([9, 4, 1], [64, 2, 1]), Ok(([5, 2, 1], [64, 2, 1])));
        let error = of([9, 4, 1], [48, 2, 1]).unwrap_err().to_string();
        assert_eq!(error, "a block of 48 threads along x splits a warp: choose a multiple of 32 with `Grid::block`");
        assert!(of([usize::MAX / 2, 1, 1], [32, 1, 1]).is_err());
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_device_counts_in_32_bits() {
        let error = |threads| of(threads, [256, 1, 1], 1, Blocks::Any).unwrap_err().to_string();
        assert_eq!(error([1 << 32, 1, 1]), "a device counts threads in 32 bits, and the grid has 4294967296");
        assert!(error([1, 1 << 40, 1]).contains("1099511627776"));
    }
}
