//! Computes a checksum of every form and conversion over edge cases and random operands.
//!
//! The program `forms` and `cargo xtask firmware` include this file. On the host, sums, products
//! and `fma` use another path of the library (binary64 hardware). No value is pinned; two machines
//! are compared.

use ptxf::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, S2f6x2, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4, ptx,
};

use super::part::{HAS_CONVERSIONS, is_here};

/// Magnitudes of edge cases: zero, the ends of subnormals and normals, neighbours of 1 and 2,
/// values whose products and sums are ties or almost ties, infinity, and NaNs (signalling, quiet,
/// canonical, out-of-bounds).
type Magnitudes = [u64; VALUES / 2];

/// Number of values: each magnitude with each sign.
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

/// Calls `report` with the name and the checksum of every form that is present and `wanted`, in the
/// order of the table, then of conversions. A form's checksum covers all of its operators.
macro_rules! forms {
    ($(
        $function:ident $form:literal [$($comparison:ident $($c:ident)*)?] [$($boolean:ident $($b:ident)*)?]
        ($first:ident $($more:ident)*) $result:ty;
    )*) => {
        pub fn each(mut wanted: impl FnMut(&'static str) -> bool, mut report: impl FnMut(&'static str, u64)) {
            $({
                // A separate function: compilers take long for one function of all forms.
                fn of_form() -> u64 {
                    let mut sum = Sum::START;
                    operators!(
                        [$($comparison $($c)*)?] [$($boolean $($b)*)?] (sum $function $first $($more)*)
                    );
                    sum.0
                }
                if const { is_here(stringify!($function)) } && wanted(stringify!($function)) {
                    report(stringify!($function), of_form());
                }
            })*
            if HAS_CONVERSIONS {
                conversions(report);
            }
        }
    };
}

/// Adds the results of a function with each of its operators to the sum.
macro_rules! operators {
    ([] [] ($sum:ident $function:ident $($operand:ident)*)) => {
        checksum!($sum ptx::$function(), $($operand)*)
    };
    ([$comparison:ident $($c:ident)*] [] $call:tt) => {
        for c in [$(ptxf::$comparison::$c),*] {
            operators!(@ (c) $call);
        }
    };
    ([$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] $call:tt) => {
        for c in [$(ptxf::$comparison::$c),*] {
            for b in [$(ptxf::$boolean::$b),*] {
                operators!(@ (c, b) $call);
            }
        }
    };
    (@ ($($operator:ident),*) ($sum:ident $function:ident $($operand:ident)*)) => {
        checksum!($sum ptx::$function($($operator),*), $($operand)*)
    };
}

/// Adds the results of a function to the sum.
macro_rules! checksum {
    ($sum:ident ptx::$function:ident($($operator:ident),*), $a:ident) => {
        add_results::<$a>(&mut $sum, 1, |x| ptx::$function($($operator,)* $a::of(x[0])).word())
    };
    ($sum:ident ptx::$function:ident($($operator:ident),*), $a:ident $b:ident) => {
        add_results::<$a>(&mut $sum, 2, |x| ptx::$function($($operator,)* $a::of(x[0]), $b::of(x[1])).word())
    };
    ($sum:ident ptx::$function:ident($($operator:ident),*), $a:ident $b:ident $c:ident) => {
        add_results::<$a>(&mut $sum, 3, |x| {
            ptx::$function($($operator,)* $a::of(x[0]), $b::of(x[1]), $c::of(x[2])).word()
        })
    };
    // The last two of five operands are derived from the first three.
    ($sum:ident ptx::$function:ident(), $a:ident $b:ident $c:ident $d:ident $e:ident) => {
        add_results::<$a>(&mut $sum, 3, |x| {
            ptx::$function($a::of(x[0]), $b::of(x[1]), $c::of(x[2]), $d::of(x[0] ^ x[1]), $e::of(x[1] ^ x[2])).word()
        })
    };
}

ptxf::for_each_form!(forms);

/// An operand or a result as bits.
trait Word: Sized {
    /// The edge cases of a lane.
    const GRID: &Magnitudes;
    /// Width of a lane, and number of lanes.
    const LANES: (u32, u32);

    fn of(bits: u64) -> Self;
    fn word(self) -> u64;
}

macro_rules! floats {
    ($($ty:ident $bits:ident $grid:ident $width:literal $lanes:literal;)*) => {$(
        impl Word for $ty {
            const GRID: &Magnitudes = &$grid;
            const LANES: (u32, u32) = ($width, $lanes);

            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn word(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

floats! {
    F16 u16 HALF 16 1; F16x2 u32 HALF 16 2; Bf16 u16 BRAIN 16 1; Bf16x2 u32 BRAIN 16 2;
    f32 u32 SINGLE 32 1; F32x2 u64 SINGLE 32 2; f64 u64 DOUBLE 64 1; Tf32 u32 SINGLE 32 1;
    E4m3x2 u16 HALF 16 1; E5m2x2 u16 HALF 16 1; E2m3x2 u16 HALF 16 1; E3m2x2 u16 HALF 16 1; E2m1x2 u8 HALF 16 1;
    Ue8m0x2 u16 HALF 16 1; S2f6x2 u16 HALF 16 1; Ue8m0 u8 HALF 16 1; Ue5m3x2 u16 HALF 16 1; E4m3x4 u32 SINGLE 32 1; E5m2x4 u32 SINGLE 32 1; E2m3x4 u32 SINGLE 32 1;
    E3m2x4 u32 SINGLE 32 1; E2m1x4 u16 HALF 16 1; E2m1p4x4 u32 SINGLE 32 1; Ue8m0x4 u32 SINGLE 32 1;
}

macro_rules! integers {
    ($($ty:ident $bits:ident $grid:ident;)*) => {$(
        impl Word for $ty {
            const GRID: &Magnitudes = &$grid;
            const LANES: (u32, u32) = ($ty::BITS, 1);

            fn of(bits: u64) -> Self {
                bits as Self
            }
            fn word(self) -> u64 {
                (self as $bits).into()
            }
        }
    )*};
}

integers! { u8 u8 HALF; i8 u8 HALF; u16 u16 HALF; i16 u16 HALF; u32 u32 SINGLE; i32 u32 SINGLE; u64 u64 DOUBLE; i64 u64 DOUBLE; }

impl Word for bool {
    const GRID: &Magnitudes = &HALF;
    const LANES: (u32, u32) = (1, 1);

    fn of(bits: u64) -> Self {
        bits & 1 == 1
    }
    fn word(self) -> u64 {
        self.into()
    }
}

impl Word for (bool, bool) {
    const GRID: &Magnitudes = &HALF;
    const LANES: (u32, u32) = (1, 2);

    fn of(bits: u64) -> Self {
        (bool::of(bits), bool::of(bits >> 1))
    }
    fn word(self) -> u64 {
        self.0.word() | self.1.word() << 1
    }
}

/// FNV-1a by words. Every step is a bijection, so a single wrong result always changes the sum.
struct Sum(u64);

impl Sum {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01b3);
    }
}

/// Adds the results of all combinations of grid values, then of random operands. `A` is the first
/// operand's type.
fn add_results<A: Word>(sum: &mut Sum, operands: usize, form: impl Fn([u64; 3]) -> u64) {
    let (bits, lanes) = A::LANES;
    let value = |i: usize| A::GRID[i / 2] | ((i % 2) as u64) << (bits - 1);
    // The other lane takes the same values with another stride, so that many combinations occur.
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
}

/// Returns the next number of a 64-bit xorshift generator.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Widens all 16-bit values and converts them to the other type. Narrows every upper half of an
/// f32, with lower halves that make it exact, a tie, or a neighbour of a tie.
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
