//! `ptxf gemm`.

use std::io::{IsTerminal as _, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use ptxf::matrix::{Gemm, Multiplicand, Rounded, Unit, View};
use ptxf::spec::Type;
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};

use crate::Failure;
use crate::npy::{self, Shape};
use crate::operand::excerpt;

/// Multiply two matrices with the bits of a device's matrix unit.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The matrix A, m rows of k elements
    a: PathBuf,
    /// The matrix B, k rows of n elements
    b: PathBuf,
    /// The device: sm_90 for the unit by `mma`, sm_90a by `wgmma`, or sm_70 to sm_120
    #[arg(long = "as", value_name = "TARGET", value_parser = unit)]
    device: Unit,
    /// The format of the products' factors
    #[arg(long = "type", value_name = "TYPE")]
    ty: Factors,
    /// The format of the result, to which sums of f32 are rounded to nearest
    #[arg(long, value_name = "TYPE", default_value = "f32")]
    to: To,
    /// Multiply the sums by this number
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_hyphen_values = true)]
    alpha: f32,
    /// Begin a new chain of instructions after this many products, and add the chains in f32
    #[arg(long, value_name = "COUNT", value_parser = promote)]
    promote: Option<usize>,
    /// The file of A has its columns: k rows of m
    #[arg(long)]
    transposed_a: bool,
    /// The file of B has its columns: n rows of k
    #[arg(long)]
    transposed_b: bool,
}

const HELP: &str = "\
Elements of a file are values (`<f4`, `<f2`), which are rounded to nearest (.rn.satfinite, and a tf32 is cut), or the bits of the type
(`<u2`, `<u1`). Each element of the result is one chain of instructions in ascending k, as cuBLAS computes it on an H100:

Examples:
  ptxf gemm a.npy b.npy --as sm_90 --type f16 --to f16 > d.npy     a.half() @ b.half() of PyTorch on an H100
  ptxf gemm a.npy b.npy --as sm_90a --type e4m3 --to bf16 > d.npy  torch._scaled_mm with use_fast_accum=True
  ptxf gemm a.npy b.npy --as sm_90a --type e4m3 --to bf16 --promote 128 > d.npy    and with False
  ptxf gemm a.npy b.npy --as sm_90 --type e4m3 > d.npy             by mma.sync, which keeps more bits

The result goes to standard output as a .npy file. Exit codes: 0 done, 1 bad input, 2 wrong usage.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Factors {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    F32,
    F16,
    Bf16,
}

fn unit(name: &str) -> Result<Unit, String> {
    Unit::of_target(name).ok_or_else(|| {
        format!("{} is no target with a known matrix unit: write sm_70, sm_75, sm_80, sm_90, sm_90a …", excerpt(name))
    })
}

fn promote(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|n: &usize| *n > 0 && n.is_multiple_of(64));
    count.ok_or_else(|| format!("{} is not a multiple of 64, such as 128", excerpt(text)))
}

/// A number that is read from a file.
trait Element: Multiplicand {
    /// The size of the bits in bytes.
    const BYTES: u32;
    fn of_value(x: f32) -> Self;
    fn of_bits(bits: u32) -> Self;
}

macro_rules! elements {
    ($($ty:ident $bits:ident: $of_value:expr;)*) => {$(
        impl Element for $ty {
            const BYTES: u32 = $bits::BITS / 8;
            fn of_value(x: f32) -> Self {
                $of_value(x)
            }
            fn of_bits(bits: u32) -> Self {
                Self::from_bits(bits as $bits)
            }
        }
    )*};
}

elements! {
    F16 u16: F16::from_f32;
    Bf16 u16: Bf16::from_f32;
    Tf32 u32: |x: f32| Tf32::from_bits(x.to_bits());
    E4m3 u8: E4m3::from_f32;
    E5m2 u8: E5m2::from_f32;
}

/// A matrix of a file.
struct Matrix<T> {
    elements: Vec<T>,
    rows: usize,
    columns: usize,
}

impl<T: Element> Matrix<T> {
    fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |what: String| Failure::Input(format!("{}: {what}", path.display()));
        let file = std::fs::read(path).map_err(|e| wrong(e.to_string()))?;
        let (shape, bytes) = npy::read(&file).map_err(wrong)?;
        let [rows, columns] = shape.counts()[..] else {
            return Err(wrong(format!("its shape is {}: a matrix with rows and columns is expected", shape.lengths())));
        };
        let word = |b: &[u8]| b.iter().rev().fold(0_u32, |all, b| all << 8 | u32::from(*b));
        let words = bytes.chunks_exact(shape.bytes() as usize).map(word);
        let elements = match (shape.check(Type::F32), shape.check(Type::F16), shape.is_bits(T::BYTES)) {
            (Ok(()), ..) => words.map(|w| T::of_value(f32::from_bits(w))).collect(),
            (_, Ok(()), _) => words.map(|w| T::of_value(F16::from_bits(w as u16).to_f32())).collect(),
            (.., true) => words.map(T::of_bits).collect(),
            _ => {
                return Err(wrong(format!(
                    "its elements are `{}`: values are `<f4` or `<f2`, and the bits of .{} are `u{}`",
                    shape.descr(),
                    T::NAME,
                    T::BYTES
                )));
            }
        };
        Ok(Self { elements, rows, columns })
    }

    fn view(&self, is_transposed: bool) -> View<'_, T> {
        let view = View::new(&self.elements, self.rows, self.columns);
        if is_transposed { view.transposed() } else { view }
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if stdout().is_terminal() {
        return Err(Failure::Usage("the result is a .npy file: write `> d.npy`".to_owned()));
    }
    let file = match args.ty {
        Factors::F16 => product::<F16>(args),
        Factors::Bf16 => product::<Bf16>(args),
        Factors::Tf32 => product::<Tf32>(args),
        Factors::E4m3 => product::<E4m3>(args),
        Factors::E5m2 => product::<E5m2>(args),
    }?;
    out.write_all(&file)?;
    Ok(ExitCode::SUCCESS)
}

fn product<T: Element>(args: &Args) -> Result<Vec<u8>, Failure> {
    match args.to {
        To::F32 => rounded::<T, f32>(args, Type::F32, |x| x.to_bits().to_le_bytes().to_vec()),
        To::F16 => rounded::<T, F16>(args, Type::F16, |x| x.to_bits().to_le_bytes().to_vec()),
        To::Bf16 => rounded::<T, Bf16>(args, Type::Bf16, |x| x.to_bits().to_le_bytes().to_vec()),
    }
}

fn rounded<T: Element, D: Rounded + Default>(
    args: &Args,
    ty: Type,
    bytes: fn(&D) -> Vec<u8>,
) -> Result<Vec<u8>, Failure> {
    let mma = args.device.mma::<T, T, f32>().map_err(|e| Failure::Input(e.to_string()))?;
    let (a, b) = (Matrix::<T>::read(&args.a)?, Matrix::<T>::read(&args.b)?);
    let (left, right) = (a.view(args.transposed_a), b.view(args.transposed_b));
    let (m, k, rows, n) = (left.rows(), left.columns(), right.rows(), right.columns());
    if k != rows {
        let swap = if k == n { ": write `--transposed-b`" } else { "" };
        let what = format!("rows of {k} elements cannot be multiplied by columns of {rows}{swap}");
        return Err(Failure::Input(what));
    }
    let options = Gemm::new().alpha(args.alpha);
    let options = args.promote.map_or(options, |count| options.promote(count));
    let count = m.checked_mul(n).ok_or_else(|| Failure::Input(format!("{m} rows of {n} are too many")))?;
    let mut d = vec![D::default(); count];
    mma.gemm(options, left, right, &mut d);
    let bytes: Vec<u8> = d.iter().flat_map(bytes).collect();
    Ok(npy::write(&Shape::matrix(ty, m, n), &bytes))
}
