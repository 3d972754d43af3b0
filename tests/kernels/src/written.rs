//! Arguments for the kernels of documentation, tests and examples: consistent sizes, and indices in
//! range.

use oracle::kernel::{Argument, Int, Kernel, Parameter, Type};
use oracle::kernels::integer;
use oracle::layout::Layout;
use oracle::real::{self, Number, Real};
use oracle::{Rng, Ty};

use crate::float::Float;
use crate::harness::{Data, Siblings, in_f32, number, siblings, stack, with_stack};

/// A launch with its sizes and its lists of indices, by the names of the parameters.
struct Given {
    threads: [usize; 3],
    block: [usize; 3],
    sizes: Vec<(&'static str, usize)>,
    lists: Vec<(&'static str, Vec<i32>)>,
    /// Length of every other slice.
    length: usize,
}

/// Returns a launch of about `n` threads.
fn given(kernel: &str, axes: usize, n: usize) -> Given {
    let line = Given {
        threads: [n, 1, 1],
        block: [64, 1, 1],
        sizes: vec![("n", n), ("m", n % 6)],
        lists: Vec::new(),
        length: 8 * n + 16,
    };
    let plane =
        |w: usize, h: usize| Given { threads: [w, h, 1], block: [4, 3, 1], length: 4 * w * h + 16, ..line_of(n) };
    match kernel {
        "adjust" => Given { sizes: vec![("units", n), ("inputs", 3)], ..plane(n, 4) },
        "multipliers" => Given { sizes: vec![("n", n + 3), ("step", 2)], length: (n + 3) * (n + 3), ..line },
        "eliminate" => Given { sizes: vec![("n", n + 2), ("step", 1)], length: (n + 2) * (n + 3), ..plane(n, n + 1) },
        "step" => Given { sizes: vec![("nx", n), ("ny", 3), ("nz", 3)], length: 9 * n, ..plane(n + 1, 3) },
        "assign" => Given { sizes: vec![("n", n), ("k", 3), ("f", 2)], ..line },
        "kmeans" => Given { sizes: vec![("n", n), ("k", 3), ("f", 2)], ..line },
        "forces" => Given {
            block: [4, 1, 1],
            sizes: vec![("particles", 4)],
            lists: vec![
                ("first", (0..n as i32 + 2).map(|i| 2 * i).collect()),
                ("near", (0..2 * n as i32 + 4).map(|i| i * 7 % (n as i32 + 3) / 4).collect()),
            ],
            ..line
        },
        "matmul" | "matmul_e4m3" => Given { sizes: vec![("width", n), ("height", 3), ("depth", 4)], ..plane(n, 4) },
        "gain" => Given {
            sizes: vec![("n", n), ("dimensions", 2), ("centres", 3), ("candidate", n - 1)],
            lists: vec![
                ("assigned", (0..n as i32).map(|i| i * 5 % n as i32).collect()),
                ("slot", (0..n as i32).map(|i| i % 3).collect()),
            ],
            ..line
        },
        "mxfp4" => {
            Given { sizes: vec![("width", n), ("height", 3), ("depth", 64)], length: 64 * n.max(4), ..plane(n, 4) }
        }
        "matmul_tiled" => Given {
            threads: [n.next_multiple_of(16), 16, 1],
            block: [16, 16, 1],
            sizes: vec![("width", n), ("height", 13), ("depth", 20)],
            length: 20 * n + 280,
            ..line
        },
        "flux" => Given {
            // A wall, the far field, or an element.
            lists: vec![(
                "near",
                (0..4 * n as i32).map(|i| [-1, i * 5 % n as i32, -2][(i % 7 % 3) as usize]).collect(),
            )],
            length: 12 * n + 16,
            ..line
        },
        "dot" => Given { sizes: vec![("n", n)], length: 32 * n + 32, ..line },
        "dequantization" => Given { sizes: vec![("n", n), ("depth", 64)], length: 64 * n + 64, ..line },
        "reduction" => Given { block: [128, 1, 1], sizes: vec![("n", n), ("length", 256)], ..line },
        "energy" | "quarters" => Given { sizes: vec![("n", n), ("rows", 4)], ..line },
        "less_the_sum" | "swap" => Given { threads: [n.next_multiple_of(4), 1, 1], block: [4, 1, 1], ..line },
        "cells" => Given { length: 24 * n + 24, ..line },
        "filled_in_rows" => Given {
            threads: [n.next_multiple_of(32), n, 1],
            block: [32, 4, 1],
            sizes: vec![("w", n.next_multiple_of(32)), ("h", n - n / 3)],
            length: n * n.next_multiple_of(32),
            ..line
        },
        // Some whole blocks, and part of one.
        "filled_in_rounds" | "filled_from_another" | "filled_too_late" | "through_arrays" => {
            Given { threads: [7 * n, 1, 1], ..line }
        }
        "softmax" | "strides" => Given { sizes: vec![("columns", n)], ..line },
        "scan" | "sort" => Given { threads: [256, 1, 1], block: [256, 1, 1], length: 8 * n + 256, ..line },
        "transposition" => {
            let threads = [n.next_multiple_of(16), 16, 1];
            Given { threads, block: [16, 16, 1], sizes: vec![("w", n), ("h", 13)], length: 16 * n, ..line }
        }
        "rows" | "layernorm" | "columns" | "lines" | "in_halves" | "in_singles" if axes == 1 => {
            Given { sizes: vec![("n", n), ("width", 3)], ..line }
        }
        _ if axes == 1 => line,
        _ => {
            let (block, h) = [([8, 8, 1], 8), ([5, 4, 1], 7), ([4, 3, 2], 5)][n % 3];
            let planes = if axes == 3 && n % 3 == 2 { 3 } else { 1 };
            let threads = [n, h, planes];
            Given { threads, block, sizes: vec![("w", n), ("h", h)], length: 3 * n * h + 16, ..line }
        }
    }
}

fn line_of(n: usize) -> Given {
    Given { threads: [n, 1, 1], block: [64, 1, 1], sizes: Vec::new(), lists: Vec::new(), length: 0 }
}

/// The tables that kernels look up, by their declarations.
fn with_tables(kernel: Kernel, ty: Ty) -> Kernel {
    fn table(ty: Ty, real: fn(Real) -> Real, float: fn(f64) -> f64) -> oracle::kernel::Table {
        let layout = Layout::of(ty);
        Box::new(move |x| real::unary(layout, layout, x.into(), real, float) as u32)
    }
    fn cnd<N: Number>(x: N) -> N {
        N::dec("0.5") * (N::dec("1") + (x / N::dec("2").sqrt()).erf())
    }
    kernel.with_table("CND", ty, table(ty, cnd, cnd))
}

/// Compares the versions with `threads`.
pub(crate) fn check<E: Float>(kernel: Siblings<E>) {
    with_stack(move || {
        let mut rng = Rng::new(0x0D0C);
        let meaning = with_tables(kernel.meaning(), E::TY);
        // A thread of the binomial tree takes a million operations.
        let sizes: &[usize] = if kernel.function == "fold" { &[2] } else { &[1, 2, 7, 16, 33, 41] };
        for &n in sizes {
            let mut data = |ty| data(&mut rng, &kernel, &meaning, ty, n);
            let (own, single) = (data(E::TY), data(Ty::F32));
            siblings(&kernel, &meaning, &own, stack::WRITTEN);
            if let Some(run) = kernel.single {
                in_f32(&kernel, run, &meaning, &single);
            }
        }
    });
}

fn data<E>(rng: &mut Rng, kernel: &Siblings<E>, meaning: &Kernel, ty: Ty, n: usize) -> Data {
    let given = given(kernel.function, meaning.axes(), n);
    let arguments = meaning.parameters().iter().map(|p| argument(rng, kernel.name, &given, p, ty)).collect();
    Data { threads: given.threads, block: given.block, arguments }
}

fn argument(rng: &mut Rng, name: &str, given: &Given, p: &Parameter, ty: Ty) -> Argument {
    let float = |rng: &mut Rng, ty| match ty {
        Ty::F16 => number::<ptxf::F16>(rng).bits(),
        Ty::Bf16 => number::<ptxf::Bf16>(rng).bits(),
        _ => number::<f32>(rng).bits(),
    };
    if let Some((_, list)) = given.lists.iter().find(|(name, _)| *name == p.name) {
        return Argument::Slice(list.iter().map(|&x| (x as u32).into()).collect());
    }
    if let Some(codes) = p.codes() {
        return Argument::Slice((0..given.length).map(|_| rng.below(codes)).collect());
    }
    match (p.slice, p.ty) {
        (true, Type::Float) => {
            let ty = if p.kept { Ty::F32 } else { ty };
            Argument::Slice((0..given.length).map(|_| float(rng, ty).into()).collect())
        }
        // Indices, in range.
        (true, Type::Int(Int { bits: 32, .. })) => Argument::Slice((0..given.length).map(|_| rng.below(8)).collect()),
        (true, Type::Int(int)) => Argument::Slice((0..given.length).map(|_| integer(rng, int)).collect()),
        (false, Type::USIZE) => {
            let size = given.sizes.iter().find(|(name, _)| *name == p.name);
            let (_, size) = size.unwrap_or_else(|| panic!("{name}: how large is `{}`?", p.name));
            Argument::Scalar(*size as u64)
        }
        (false, Type::Float) => Argument::Scalar(float(rng, Ty::F32).into()),
        (false, Type::Int(int)) => Argument::Scalar(integer(rng, int)),
        (false, Type::Bool) => Argument::Scalar(rng.below(2)),
        (_, other) => panic!("`{}` is {other}: say here what it is given", p.name),
    }
}
