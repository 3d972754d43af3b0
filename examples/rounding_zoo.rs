//! Computes the same sums with different modifiers.
//!
//! `0.1 + 0.2` is famous for not being 0.3. The modifier decides which number it is: `.rn` rounds
//! to the nearest, `.rz` toward zero, `.rm` down, `.rp` up. `.ftz` replaces subnormal numbers by
//! zero, `.sat` clamps to [0, 1], and `.relu` replaces negative results by zero. All columns agree
//! where the exact result is representable.
//!
//! ```sh
//! cargo run --example rounding_zoo
//! ```

use comfy_table::{Table, presets};
use ptxf::{F16, ptx};

fn main() {
    println!("f32, the four roundings of PTX (marked: differs from .rn)\n");
    let mut table = zoo(["", ".rn", ".rz", ".rm", ".rp"]);
    type Op = fn(f32, f32) -> f32;
    let add: [Op; 4] = [ptx::add_rn_f32, ptx::add_rz_f32, ptx::add_rm_f32, ptx::add_rp_f32];
    let mul: [Op; 4] = [ptx::mul_rn_f32, ptx::mul_rz_f32, ptx::mul_rm_f32, ptx::mul_rp_f32];
    let div: [Op; 4] = [ptx::div_rn_f32, ptx::div_rz_f32, ptx::div_rm_f32, ptx::div_rp_f32];
    for (name, ops, a, b) in [
        ("0.1 + 0.2", add, 0.1, 0.2),
        ("0.5 + 0.25", add, 0.5, 0.25),
        ("1 - 1", add, 1.0, -1.0),
        ("16777216 + 1", add, 16777216.0, 1.0),
        ("-16777216 - 1", add, -16777216.0, -1.0),
        ("1 / 3", div, 1.0, 3.0),
        ("-1 / 3", div, -1.0, 3.0),
        ("MAX × 2", mul, f32::MAX, 2.0),
        ("2^-149 × 0.5", mul, f32::from_bits(1), 0.5),
    ] {
        let [rn, rest @ ..] = ops.map(|op| op(a, b));
        let mut row = vec![name.to_string(), show(rn)];
        row.extend(rest.map(|x| show(x) + if x.to_bits() == rn.to_bits() { "" } else { " *" }));
        table.add_row(row);
    }
    println!("{table}\n");

    println!("f32, what else can be asked of add.rn\n");
    let mut table = zoo(["", "add.rn", ".ftz", ".sat", ".ftz.sat"]);
    let ops: [Op; 4] = [ptx::add_rn_f32, ptx::add_rn_ftz_f32, ptx::add_rn_sat_f32, ptx::add_rn_ftz_sat_f32];
    for (name, a, b) in [
        ("0.1 + 0.2", 0.1, 0.2),
        ("0.75 + 0.75", 0.75, 0.75),
        ("0.1 - 0.2", 0.1, -0.2),
        ("2^-149 + 2^-149", f32::from_bits(1), f32::from_bits(1)),
        ("∞ - ∞", f32::INFINITY, f32::NEG_INFINITY),
    ] {
        let mut row = vec![name.to_string()];
        row.extend(ops.map(|op| show(op(a, b))));
        table.add_row(row);
    }
    println!("{table}\n");

    println!("f16, what else can be asked of fma.rn (a × 1 + b; there are no roundings but .rn)\n");
    let mut table = zoo(["", "fma.rn", ".ftz", ".sat", ".relu"]);
    let ops: [fn(F16, F16, F16) -> F16; 4] = [F16::fma_rn, F16::fma_rn_ftz, F16::fma_rn_sat, F16::fma_rn_relu];
    for (name, a, b) in [
        ("0.1 + 0.2", 0.1, 0.2),
        ("2048 + 1", 2048.0, 1.0),
        ("2048 + 3", 2048.0, 3.0),
        ("0.1 - 0.2", 0.1, -0.2),
        ("2^-24 + 2^-24", 2f32.powi(-24), 2f32.powi(-24)),
        ("65504 + 16", 65504.0, 16.0),
        ("∞ - ∞", f32::INFINITY, f32::NEG_INFINITY),
    ] {
        let mut row = vec![name.to_string()];
        row.extend(ops.map(|op| {
            let d = op(F16::from_f32(a), F16::from_f32(1.0), F16::from_f32(b));
            format!("{:04x}  {}", d.to_bits(), number(d.to_f32()))
        }));
        table.add_row(row);
    }
    println!("{table}");

    assert_eq!(ptx::add_rn_f32(0.1, 0.2).to_bits(), 0x3e99_999a);
    assert_eq!(ptx::add_rz_f32(0.1, 0.2).to_bits(), 0x3e99_9999);
    assert_eq!(ptx::add_rm_f32(1.0, -1.0).to_bits(), 0x8000_0000); // −0, in .rm only
    assert_eq!(ptx::mul_rz_f32(f32::MAX, 2.0), f32::MAX); // does not overflow
    assert_eq!(F16::from_f32(2048.0).fma_rn(F16::from_f32(1.0), F16::from_f32(1.0)).to_bits(), 0x6800); // a tie
}

fn zoo(header: [&str; 5]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header);
    table
}

fn show(x: f32) -> String {
    format!("{:08x}  {}", x.to_bits(), number(x))
}

/// Returns a short text that distinguishes neighbouring numbers.
fn number(x: f32) -> String {
    if x == 0.0 || (1e-4..1e9).contains(&x.abs()) || !x.is_finite() { format!("{x}") } else { format!("{x:e}") }
}
