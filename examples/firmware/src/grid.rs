//! Every form of f16, f16x2, bf16 and bf16x2, run over edge cases and random operands and reduced to one checksum each.
//!
//! `cargo xtask firmware` includes this file and computes the same on the host, where sums, products and `fma` take
//! another way through the library (binary64 hardware). So nothing is pinned, and two machines are compared.

use ptxf::{Bf16, Bf16x2, F16, F16x2, ptx};

/// Magnitudes at which something changes: zero, the ends of subnormals and normals, neighbours of 1 and 2, values whose
/// products and sums are ties or nearly so, infinity, NaNs (signalling, quiet, canonical, out-of-bounds).
const MAGNITUDES_F16: [u16; 24] = [
    0x0000, 0x0001, 0x0002, 0x01ff, 0x03ff, 0x0400, 0x0401, 0x0ffe, 0x1400, 0x2e66, 0x37ff, 0x3bff, 0x3c00, 0x3c01,
    0x3dff, 0x4000, 0x4248, 0x6400, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7ff7, 0x7fff,
];
const MAGNITUDES_BF16: [u16; 24] = [
    0x0000, 0x0001, 0x0002, 0x003f, 0x007f, 0x0080, 0x0081, 0x20ff, 0x3380, 0x3b81, 0x3eab, 0x3f7f, 0x3f80, 0x3f81,
    0x3fbf, 0x4000, 0x4049, 0x4360, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7ff7, 0x7fff,
];

/// Each magnitude with each sign.
const VALUES: usize = 48;
const RANDOM: usize = 4096;

/// Calls `report` with the name and the checksum of every form, in the order of the table.
macro_rules! forms {
    ($($function:ident $form:literal $ty:ident $operands:tt;)*) => {
        pub fn each(mut report: impl FnMut(&'static str, u64)) {
            $(form!(report, $ty $operands, $function, $form);)*
        }
    };
}

/// One form, if it is of a 16-bit type.
macro_rules! form {
    ($report:ident, F16 $n:tt, $function:ident, $form:literal) => {
        $report($form, checksum($n, &MAGNITUDES_F16, 1, |x| call!($n x u16 F16 $function).into()));
    };
    ($report:ident, Bf16 $n:tt, $function:ident, $form:literal) => {
        $report($form, checksum($n, &MAGNITUDES_BF16, 1, |x| call!($n x u16 Bf16 $function).into()));
    };
    ($report:ident, F16x2 $n:tt, $function:ident, $form:literal) => {
        $report($form, checksum($n, &MAGNITUDES_F16, 2, |x| call!($n x u32 F16x2 $function)));
    };
    ($report:ident, Bf16x2 $n:tt, $function:ident, $form:literal) => {
        $report($form, checksum($n, &MAGNITUDES_BF16, 2, |x| call!($n x u32 Bf16x2 $function)));
    };
    ($report:ident, $other:ident $n:tt, $function:ident, $form:literal) => {};
}

macro_rules! call {
    (1 $x:ident $bits:ident $ty:ident $function:ident) => { ptx::$function(arg!($x 0 $bits $ty)).to_bits() };
    (2 $x:ident $bits:ident $ty:ident $function:ident) => {
        ptx::$function(arg!($x 0 $bits $ty), arg!($x 1 $bits $ty)).to_bits()
    };
    (3 $x:ident $bits:ident $ty:ident $function:ident) => {
        ptx::$function(arg!($x 0 $bits $ty), arg!($x 1 $bits $ty), arg!($x 2 $bits $ty)).to_bits()
    };
}

macro_rules! arg {
    ($x:ident $i:literal $bits:ident $ty:ident) => {
        $ty::from_bits($x[$i] as $bits)
    };
}

ptxf::for_each_form!(forms);

/// Results of all combinations of grid values and of random operands, in order.
fn checksum(operands: usize, magnitudes: &[u16; VALUES / 2], lanes: usize, form: fn([u32; 3]) -> u32) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    // FNV-1a by words: every step is a bijection, so one wrong result cannot be lost.
    let mut add = |x| sum = (sum ^ u64::from(form(x))).wrapping_mul(0x100_0000_01b3);

    let value = |i: usize| u32::from(magnitudes[i / 2]) | if i % 2 == 1 { 0x8000 } else { 0 };
    // The other lane runs through the same values elsewhere; strides differ, so lanes meet in many combinations.
    let operand = |i: usize, stride: usize| match lanes {
        1 => value(i),
        _ => value(i) | value((i * stride + stride) % VALUES) << 16,
    };
    let choices = |n: usize| if operands > n { VALUES } else { 1 };
    for i in 0..choices(0) {
        for j in 0..choices(1) {
            for k in 0..choices(2) {
                add([operand(i, 5), operand(j, 7), operand(k, 11)]);
            }
        }
    }

    let mut state = 1_u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    for _ in 0..RANDOM {
        add([random(), random(), random()]);
    }
    sum
}
