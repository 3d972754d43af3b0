//! Every form of the table, and conversions, over edge cases and random operands, reduced to one checksum each.
//!
//! `cargo xtask firmware` includes this file and computes the same on the host, where sums, products and `fma` take
//! another way through the library (binary64 hardware). So nothing is pinned, and two machines are compared.

use ptxf::{Bf16, Bf16x2, F16, F16x2, F32x2, ptx};

/// Magnitudes at which something changes: zero, the ends of subnormals and normals, neighbours of 1 and 2, values whose
/// products and sums are ties or nearly so, infinity, NaNs (signalling, quiet, canonical, out-of-bounds).
type Magnitudes = [u64; VALUES / 2];

/// Each magnitude with each sign.
const VALUES: usize = 48;
const RANDOM: usize = 4096;

const HALF: Magnitudes = [
    0x0000, 0x0001, 0x0002, 0x01ff, 0x03ff, 0x0400, 0x0401, 0x0ffe, 0x1400, 0x2e66, 0x37ff, 0x3bff, 0x3c00, 0x3c01,
    0x3dff, 0x4000, 0x4248, 0x6400, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7ff7, 0x7fff,
];
const BRAIN: Magnitudes = [
    0x0000, 0x0001, 0x0002, 0x003f, 0x007f, 0x0080, 0x0081, 0x20ff, 0x3380, 0x3b81, 0x3eab, 0x3f7f, 0x3f80, 0x3f81,
    0x3fbf, 0x4000, 0x4049, 0x4360, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7ff7, 0x7fff,
];
const SINGLE: Magnitudes = [
    0x0000_0000,
    0x0000_0001,
    0x0000_0002,
    0x003f_ffff,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x1fff_ffff,
    0x2000_0000,
    0x3380_0000,
    0x3eaa_aaab,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fbf_ffff,
    0x4000_0000,
    0x4049_0fdb,
    0x4b00_0001,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fc0_0000,
    0x7fc1_2345,
    0x7fff_ffff,
];
const DOUBLE: Magnitudes = [
    0,
    1,
    2,
    0x0007_ffff_ffff_ffff,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x1fff_ffff_ffff_ffff,
    0x2000_0000_0000_0000,
    0x3ca0_0000_0000_0000,
    0x3fd5_5555_5555_5555,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff7_ffff_ffff_ffff,
    0x4000_0000_0000_0000,
    0x4009_21fb_5444_2d18,
    0x4330_0000_0000_0001,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff8_0000_0000_0000,
    0x7ff8_1234_5678_9abc,
    0x7fff_ffff_ffff_ffff,
];

/// Calls `report` with the name and the checksum of every form, in the order of the table, then of conversions.
macro_rules! forms {
    ($($name:ident $function:ident($($argument:path,)?) $form:literal $operands:tt $result:ident;)*) => {
        pub fn each(mut report: impl FnMut(&'static str, u64)) {
            $(report(stringify!($name), form!($function ($($argument,)?) $operands));)*
            conversions(report);
        }
    };
}

/// The checksum of a form, by the type of its operands.
macro_rules! form {
    ($function:ident $argument:tt (F16 $($more:ident)*)) => { form!(@ HALF 16 1 u16 F16 $function $argument $($more)*) };
    ($function:ident $argument:tt (F16x2 $($more:ident)*)) => { form!(@ HALF 16 2 u32 F16x2 $function $argument $($more)*) };
    ($function:ident $argument:tt (Bf16 $($more:ident)*)) => { form!(@ BRAIN 16 1 u16 Bf16 $function $argument $($more)*) };
    ($function:ident $argument:tt (Bf16x2 $($more:ident)*)) => { form!(@ BRAIN 16 2 u32 Bf16x2 $function $argument $($more)*) };
    ($function:ident $argument:tt (f32 $($more:ident)*)) => { form!(@ SINGLE 32 1 u32 f32 $function $argument $($more)*) };
    ($function:ident $argument:tt (F32x2 $($more:ident)*)) => { form!(@ SINGLE 32 2 u64 F32x2 $function $argument $($more)*) };
    ($function:ident $argument:tt (f64 $($more:ident)*)) => { form!(@ DOUBLE 64 1 u64 f64 $function $argument $($more)*) };
    (@ $grid:ident $width:literal $lanes:literal $bits:ident $ty:ident $function:ident ($($argument:path,)?)) => {
        checksum(&$grid, $width, $lanes, 1, |x| ptx::$function($($argument,)? arg!(x 0 $bits $ty)).word())
    };
    (@ $grid:ident $width:literal $lanes:literal $bits:ident $ty:ident $function:ident ($($argument:path,)?) $b:ident) => {
        checksum(&$grid, $width, $lanes, 2, |x| {
            ptx::$function($($argument,)? arg!(x 0 $bits $ty), arg!(x 1 $bits $ty)).word()
        })
    };
    (@ $grid:ident $width:literal $lanes:literal $bits:ident $ty:ident $function:ident ($($argument:path,)?) $b:ident $c:ident) => {
        checksum(&$grid, $width, $lanes, 3, |x| {
            ptx::$function($($argument,)? arg!(x 0 $bits $ty), arg!(x 1 $bits $ty), arg!(x 2 $bits $ty)).word()
        })
    };
}

macro_rules! arg {
    ($x:ident $i:literal $bits:ident $ty:ident) => {
        $ty::from_bits($x[$i] as $bits)
    };
}

ptxf::for_each_form!(forms);

/// A result's bits.
trait Word {
    fn word(self) -> u64;
}

macro_rules! word {
    ($($ty:ident)*) => {$(
        impl Word for $ty {
            fn word(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

word!(F16 F16x2 Bf16 Bf16x2 f32 F32x2 f64);

impl Word for bool {
    fn word(self) -> u64 {
        self.into()
    }
}

impl Word for u32 {
    fn word(self) -> u64 {
        self.into()
    }
}

impl Word for i32 {
    fn word(self) -> u64 {
        self.cast_unsigned().into()
    }
}

/// FNV-1a by words. Every step is a bijection, so one wrong result is never lost.
struct Sum(u64);

impl Sum {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
    }
}

/// Results of all combinations of grid values and of random operands, in order.
fn checksum(magnitudes: &Magnitudes, bits: u32, lanes: u32, operands: usize, form: fn([u64; 3]) -> u64) -> u64 {
    let mut sum = Sum::START;
    let value = |i: usize| magnitudes[i / 2] | ((i % 2) as u64) << (bits - 1);
    // The other lane runs through the same values elsewhere; strides differ, so lanes meet in many combinations.
    let operand = |i: usize, stride: usize| match lanes {
        1 => value(i),
        _ => value(i) | value((i * stride + stride) % VALUES) << bits,
    };
    let choices = |n: usize| if operands > n { VALUES } else { 1 };
    for i in 0..choices(0) {
        for j in 0..choices(1) {
            for k in 0..choices(2) {
                sum.add(form([operand(i, 5), operand(j, 7), operand(k, 11)]));
            }
        }
    }
    let mut state = 1;
    for _ in 0..RANDOM {
        sum.add(form(core::array::from_fn(|_| random(&mut state))));
    }
    sum.0
}

/// Xorshift, 64 bits.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// All 16-bit values widened and converted to the other type; every upper half of an f32 with lower halves that make it
/// exact, a tie, or lie beside one, narrowed.
fn conversions(mut report: impl FnMut(&'static str, u64)) {
    let all = |convert: fn(u16) -> u64| {
        let mut sum = Sum::START;
        (0..=u16::MAX).for_each(|x| sum.add(convert(x)));
        sum.0
    };
    report("F16::to_f32", all(|x| F16::from_bits(x).to_f32().word()));
    report("F16::to_f64", all(|x| F16::from_bits(x).to_f64().word()));
    report("Bf16::to_f32", all(|x| Bf16::from_bits(x).to_f32().word()));
    report("F16::from_bf16", all(|x| F16::from_bf16(Bf16::from_bits(x)).word()));
    report("Bf16::from_f16", all(|x| Bf16::from_f16(F16::from_bits(x)).word()));
    let narrow = |convert: fn(f32) -> u64| {
        let mut sum = Sum::START;
        for upper in 0..=u16::MAX {
            for lower in [0x0000, 0x0001, 0x0fff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001] {
                sum.add(convert(f32::from_bits(u32::from(upper) << 16 | lower)));
            }
        }
        sum.0
    };
    report("F16::from_f32", narrow(|x| F16::from_f32(x).word()));
    report("Bf16::from_f32", narrow(|x| Bf16::from_f32(x).word()));
}
