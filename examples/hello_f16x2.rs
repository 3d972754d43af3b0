//! Computes two results with one instruction.
//!
//! A packed register holds two half-precision numbers, its lanes. `fma.rn.relu.f16x2` multiplies
//! and adds in both, rounds each result once, and replaces negative results by zero. The result has
//! the same bits here as on a GPU.
//!
//! ```sh
//! cargo run --example hello_f16x2
//! ```

use ptxf::F16x2;
use ptxf::spec::FORMS;

fn main() {
    let a = F16x2::from_f32([1.5, 3.0]);
    let b = F16x2::from_f32([-2.0, 683.0]);
    let c = F16x2::from_f32([0.1, 0.5]);
    let d = a.fma_rn_relu(b, c);

    println!("                   lo         hi   register     hi: s exp   fraction     lo: s exp   fraction");
    for (name, x) in [("a", a), ("b", b), ("c", c), ("relu(a·b + c)", d)] {
        let [lo, hi] = x.to_f32();
        let register = x.to_bits();
        let [lo_bits, hi_bits] = [fields(register as u16), fields((register >> 16) as u16)];
        println!("{name:13} {lo:>10.5} {hi:>10.1}   {register:#010x}       {hi_bits}       {lo_bits}");
    }

    let form = FORMS.iter().find(|form| form.name == "fma.rn.relu.f16x2").expect("it is in the table");
    println!("\nOn a GPU this is one instruction ({} and newer):\n", form.targets[0]);
    println!("    {:20} %r4, %r1, %r2, %r3;\n", form.name);

    // -2.9 is negative, so the lane is 0. 2049.5 lies between the f16 numbers 2048 and 2050.
    assert_eq!(d.to_bits(), 0x6801_0000);

    // The operators are instructions too. The product 2049 is rounded to 2048, then the sum is
    // rounded.
    let e = a * b + c;
    println!("mul.rn.f16x2 and add.rn.f16x2 round twice: a * b + c is {e}, {:#010x}.", e.to_bits());
    assert_eq!(e.to_bits(), 0x6800_c1cd);
}

/// Returns sign, exponent and fraction of an f16 as text.
fn fields(bits: u16) -> String {
    format!("{:b} {:05b} {:010b}", bits >> 15, bits >> 10 & 0x1f, bits & 0x3ff)
}
