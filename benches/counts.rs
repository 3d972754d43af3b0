//! Counts instructions per value of the scalar forms with valgrind's callgrind.
//!
//! Counts are equal on every run; times on a busy machine are not. Each form runs in two processes,
//! and the second one makes more passes over the operands. The difference between the two counts
//! belongs to these passes. The loop's own instructions are counted likewise and subtracted.
//! Operands are ordinary numbers, or random bits.
//!
//! ```sh
//! cargo bench -p benches --bench counts               # a few forms, half a minute
//! cargo bench -p benches --bench counts -- --full     # all forms
//! cargo bench -p benches --bench counts -- tanh sqrt  # forms whose name contains one of the words
//! ```

mod common;

use std::hint::black_box;
use std::process::{Command, ExitCode};

use comfy_table::Table;
use common::Random;
use ptxf::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, S2f6x2, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4, ptx,
};

/// Operands per pass, and passes of the two processes.
const OPERANDS: u64 = 1024;
const PASSES: [u64; 2] = [1, 5];

const QUICK: [&str; 16] = [
    "add.rn.f16",
    "fma.rn.f16",
    "fma.rn.ftz.f16",
    "fma.rn.f16x2",
    "max.f16",
    "ex2.approx.f16",
    "tanh.approx.f16",
    "add.rn.bf16",
    "fma.rn.bf16",
    "add.rn.f32",
    "add.rz.f32",
    "fma.rn.f32",
    "sqrt.rn.f32",
    "rsqrt.approx.f32",
    "ex2.approx.f32",
    "tanh.approx.f32",
];

/// A kind of operands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Ordinary,
    Any,
}

trait Operand: Copy {
    fn draw(kind: Kind, random: &mut Random) -> Self;
}

macro_rules! operands {
    ($($ty:ident $bits:ident |$random:ident| $ordinary:expr;)*) => {$(
        impl Operand for $ty {
            fn draw(kind: Kind, $random: &mut Random) -> Self {
                match kind {
                    Kind::Any => Self::from_bits($random.bits() as $bits),
                    Kind::Ordinary => $ordinary,
                }
            }
        }
    )*};
}

operands! {
    F16 u16 |r| Self::from_f32(r.normal() as f32);
    Bf16 u16 |r| Self::from_f32(r.normal() as f32);
    F16x2 u32 |r| Self::from_f32([r.normal() as f32, r.normal() as f32]);
    Bf16x2 u32 |r| Self::from_f32([r.normal() as f32, r.normal() as f32]);
    f32 u32 |r| r.normal() as Self;
    F32x2 u64 |r| Self::from_array([r.normal() as f32, r.normal() as f32]);
    f64 u64 |r| r.normal();
    E4m3x2 u16 |r| Self::from_bits(r.bits() as u16);
    E5m2x2 u16 |r| Self::from_bits(r.bits() as u16);
    E2m3x2 u16 |r| Self::from_bits(r.bits() as u16);
    E3m2x2 u16 |r| Self::from_bits(r.bits() as u16);
    E2m1x2 u8 |r| Self::from_bits(r.bits() as u8);
    E4m3x4 u32 |r| Self::from_bits(r.bits() as u32);
    E5m2x4 u32 |r| Self::from_bits(r.bits() as u32);
    E2m3x4 u32 |r| Self::from_bits(r.bits() as u32);
    E3m2x4 u32 |r| Self::from_bits(r.bits() as u32);
    E2m1x4 u16 |r| Self::from_bits(r.bits() as u16);
    E2m1p4x4 u32 |r| Self::from_bits(r.bits() as u32);
    S2f6x2 u16 |r| Self::from_bits(r.bits() as u16);
    Ue5m3x2 u16 |r| Self::from_bits(r.bits() as u16);
    Ue8m0 u8 |r| Self::from_bits(0x78 | r.bits() as u8 & 0x0f);
    Ue8m0x2 u16 |r| Self::from_bits(0x7878 | r.bits() as u16 & 0x0f0f);
    Ue8m0x4 u32 |r| Self::from_bits(0x7878_7878 | r.bits() as u32 & 0x0f0f_0f0f);
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Operand for $ty {
            fn draw(_: Kind, random: &mut Random) -> Self {
                random.bits() as Self
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

impl Operand for bool {
    fn draw(_: Kind, random: &mut Random) -> Self {
        random.bits() & 1 == 1
    }
}

/// A form, and the loop that calls it.
struct Form {
    name: &'static str,
    run: fn(Kind, u64),
    empty: fn(Kind, u64),
}

/// Applies `f` to every tuple of operands, pass after pass.
#[inline(always)]
fn passes<T: Copy, R>(operands: impl Fn(&mut Random) -> T, passes: u64, f: impl Fn(T) -> R) {
    let mut random = Random(1);
    let operands: Vec<T> = (0..OPERANDS).map(|_| operands(&mut random)).collect();
    for _ in 0..passes {
        for x in &operands {
            black_box(f(black_box(*x)));
        }
    }
}

macro_rules! forms {
    ($($function:ident $form:literal $comparisons:tt $booleans:tt ($($operand:ident)*) $result:ty;)*) => {
        vec![$(Form {
            name: $form,
            run: |kind, n| {
                passes(|r| ($($operand::draw(kind, r),)*), n, forms!(@ $function $comparisons $booleans $($operand)*));
            },
            empty: |kind, n| passes(|r| ($($operand::draw(kind, r),)*), n, |x| x.0),
        }),*]
    };
    // The first operator. An operator that is not a constant would add the cost of the selection.
    (@ $function:ident [$($comparison:ident $c:ident $($cs:ident)*)?] [$($boolean:ident $b:ident $($bs:ident)*)?] $x:ident) => {
        |(x,)| ptx::$function($(ptxf::$comparison::$c,)? $(ptxf::$boolean::$b,)? x)
    };
    (@ $function:ident [$($comparison:ident $c:ident $($cs:ident)*)?] [$($boolean:ident $b:ident $($bs:ident)*)?] $x:ident $y:ident) => {
        |(x, y)| ptx::$function($(ptxf::$comparison::$c,)? $(ptxf::$boolean::$b,)? x, y)
    };
    (
        @ $function:ident [$($comparison:ident $c:ident $($cs:ident)*)?] [$($boolean:ident $b:ident $($bs:ident)*)?]
        $x:ident $y:ident $z:ident
    ) => {
        |(x, y, z)| ptx::$function($(ptxf::$comparison::$c,)? $(ptxf::$boolean::$b,)? x, y, z)
    };
    (@ $function:ident [] [] $v:ident $w:ident $x:ident $y:ident $z:ident) => {
        |(v, w, x, y, z)| ptx::$function(v, w, x, y, z)
    };
}

/// Returns the instructions of one process.
fn collected(form: &Form, kind: Kind, empty: bool, passes: u64) -> u64 {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.arg(std::env::current_exe().expect("this program has a path"));
    valgrind.args(["--child", form.name, &format!("{kind:?}"), &empty.to_string(), &passes.to_string()]);
    let output = valgrind.output().expect("valgrind was there before");
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|l| l.split_once("Collected :")?.1.trim().parse().ok());
    count.unwrap_or_else(|| panic!("{}: valgrind says {text}", form.name))
}

/// Returns the instructions per call, without the loop's.
fn per_call(form: &Form, kind: Kind) -> f64 {
    let difference = |empty| {
        let [few, many] = PASSES.map(|passes| collected(form, kind, empty, passes));
        (many - few) as f64 / ((PASSES[1] - PASSES[0]) * OPERANDS) as f64
    };
    difference(false) - difference(true)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let forms: Vec<Form> = ptxf::for_each_form!(forms);
    if let [child, name, kind, empty, passes] = &arguments[..]
        && child == "--child"
    {
        let form = forms.iter().find(|f| f.name == name).expect("a form of the table");
        let kind = if kind == "Any" { Kind::Any } else { Kind::Ordinary };
        (if empty == "true" { form.empty } else { form.run })(kind, passes.parse().expect("a number"));
        return ExitCode::SUCCESS;
    }
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success()) {
        println!(
            "SKIPPED: instructions are counted by valgrind, which is not here (apt-get update && apt-get install valgrind)"
        );
        return ExitCode::from(u8::from(std::env::var("PTXF_STRICT").is_ok_and(|v| v == "1")));
    }
    let full = arguments.iter().any(|a| a == "--full");
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| match words[..] {
        [] => full || QUICK.contains(&name),
        _ => words.iter().any(|w| name.contains(w.as_str())),
    };
    let mut table = Table::new();
    table.set_header(["form", "ordinary numbers", "any bits"]);
    for form in forms.iter().filter(|f| wanted(f.name)) {
        let counts = [Kind::Ordinary, Kind::Any].map(|kind| format!("{:.1}", per_call(form, kind)));
        table.add_row([form.name, &counts[0], &counts[1]]);
    }
    println!("instructions per call\n{table}");
    ExitCode::SUCCESS
}
