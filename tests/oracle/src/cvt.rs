//! Conversions: their spelling, the layout of their registers, and two oracles for a lane.
//!
//! [`exact`] looks the value up in the list of numbers of the result's type, by exact comparison.
//! [`apfloat`] rounds with LLVM's soft float. Only [`exact`] covers `.rs`.

pub mod apfloat;
pub mod exact;
pub mod operands;
mod spelling;

pub use spelling::{By, Cvt, Num, Reg};

/// The inputs of a lane besides its operand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra {
    /// The code of the lane's scale.
    pub scale: Option<u8>,
    /// The random number of `.rs`, and its width in bits.
    pub random: Option<(u64, u32)>,
}

/// An oracle for one lane. Returns `None` if it has no answer.
pub type Oracle = fn(&Cvt, u64, Extra) -> Option<u64>;

/// The oracles by name.
pub const ORACLES: [(&str, Oracle); 2] = [("apfloat", apfloat::lane), ("exact", exact::lane)];

/// The result of a whole register by an oracle. Operands are in the order of the instruction,
/// vectors one by one.
///
/// # Panics
/// Panics if the number of operands is not the instruction's.
#[must_use]
pub fn eval(oracle: Oracle, cvt: &Cvt, operands: &[u64]) -> Option<u64> {
    assert_eq!(operands.len(), cvt.operands(), "{cvt}");
    let (sources, last) = operands.split_at(cvt.sources());
    let lanes = u32::from(cvt.to.lanes);
    let mut register = 0;
    for index in 0..lanes {
        // The first source is the uppermost lane.
        let from_top = (lanes - 1 - index) as usize;
        let x = if cvt.sources() > 1 { sources[from_top] } else { sources[0] >> (index * cvt.from.num.place()) };
        let mut extra = Extra::default();
        if cvt.scaled {
            let byte = if lanes == 1 { 0 } else { 8 * index };
            extra.scale = Some((last[0] >> byte) as u8);
        }
        if cvt.divided {
            extra.scale = Some(last[0] as u8);
        }
        if cvt.by == By::Random {
            extra.random = Some(random(cvt, from_top, last[0]));
        }
        let d = oracle(cvt, x & cvt.from.num.mask(), extra)?;
        register |= d << (index * cvt.to.num.place());
    }
    Some(register)
}

/// The answers of both oracles, without those that have none.
#[must_use]
pub fn expect(cvt: &Cvt, operands: &[u64]) -> Vec<(&'static str, u64)> {
    ORACLES.iter().filter_map(|&(name, oracle)| Some((name, eval(oracle, cvt, operands)?))).collect()
}

/// Returns the bits of `rbits` that serve the `index`-th operand, counted from the first one, by
/// the manual's figures. The order of the bits for the first operand of each pair of four is the
/// one that devices were observed to use.
fn random(cvt: &Cvt, index: usize, rbits: u64) -> (u64, u32) {
    // The fields from the uppermost bit down, both ends included.
    let fields: &[(u32, u32)] = match (cvt.to.num, cvt.to.lanes, index) {
        (Num::F16, 2, 0) => &[(28, 16)],
        (Num::F16, 2, 1) => &[(12, 0)],
        (Num::E2m1, 4, 0 | 1) => &[(31, 24), (15, 8)],
        (Num::E2m1, 4, _) => &[(23, 16), (7, 0)],
        (_, 2, 0) | (_, 4, 0 | 1) => &[(31, 16)],
        _ => &[(15, 0)],
    };
    let mut bits: Vec<u64> =
        fields.iter().flat_map(|&(high, low)| (low..=high).rev()).map(|i| rbits >> i & 1).collect();
    if cvt.to.lanes == 4 && index.is_multiple_of(2) {
        bits.reverse();
    }
    (bits.iter().fold(0, |number, bit| number << 1 | bit), bits.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(spelling: &str, operands: &[u64]) -> Vec<u64> {
        expect(&Cvt::parse(spelling).unwrap(), operands).into_iter().map(|(_, d)| d).collect()
    }

    #[test]
    fn the_first_source_is_the_upper_lane() {
        let [one, two] = [1f32, 2.0].map(|x| u64::from(x.to_bits()));
        assert_eq!(each("cvt.rn.f16x2.f32", &[one, two]), [0x3c00_4000; 2]);
        assert_eq!(each("cvt.rn.satfinite.e4m3x2.f32", &[one, two]), [0x3840; 2]);
        assert_eq!(each("cvt.rn.satfinite.e2m1x2.f32", &[one, two]), [0x24; 2]);
        assert_eq!(each("cvt.rn.satfinite.e2m3x2.f32", &[one, two]), [0x0810; 2]);
        assert_eq!(each("cvt.rn.f16x2.e2m1x2", &[0x24]), [0x3c00_4000; 2]);
        assert_eq!(each("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2", &[0x3838, 0x807f]), [0x4000_3f80; 2]);
    }

    /// The two oracles agree on the rows of PTX 9.4; the results are from the formats' definitions.
    #[test]
    fn zeros_scales_and_magnitudes() {
        let f32 = |x: f32| u64::from(x.to_bits());
        assert_eq!(each("cvt.rn.pzo.f16.f32", &[f32(-0.0)]), [0; 2]);
        assert_eq!(each("cvt.rn.pzo.f16.f32", &[f32(-1.0)]), [0xbc00; 2]);
        assert_eq!(each("cvt.rz.pzo.tf32.f32", &[f32(-1e-45)]), [0; 2]);
        assert_eq!(each("cvt.rn.satfinite.pzo.e2m3x2.f16x2", &[0xbc00_8000]), [0x2800; 2]);
        let down = "cvt.rz.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2";
        // 1.5 and the largest subnormal f16, over 2⁻¹⁰; the scale's upper bits are no other lane's.
        assert_eq!(each(down, &[0x3e00_03ff, 0x75]), [0x7e00; 2]);
        assert_eq!(each(down, &[0x3e00_83ff, 0xff]), [0x7f7f; 2]);
        let ue5m3 = |spelling: &str, x: f32| each(spelling, &[f32(x), f32(-1.0)]);
        assert_eq!(ue5m3("cvt.rn.ue5m3x2.f32", 118_784.0), [0xfe78; 2]);
        assert_eq!(ue5m3("cvt.rn.ue5m3x2.f32", 118_785.0), [0xff78; 2]);
        assert_eq!(ue5m3("cvt.rz.ue5m3x2.f32", 1e9), [0xfe78; 2]);
        assert_eq!(ue5m3("cvt.rp.ue5m3x2.f32", -114_689.0), [0xff78; 2]);
        assert_eq!(ue5m3("cvt.rp.satfinite.ue5m3x2.f32", -114_689.0), [0xfe78; 2]);
        assert_eq!(ue5m3("cvt.rz.ue5m3x2.f32", f32::INFINITY), [0xff78; 2]);
        assert_eq!(ue5m3("cvt.rp.ue5m3x2.f32", -1e-30), [0x0178; 2]);
        assert_eq!(each("cvt.rn.f16x2.ue5m3x2", &[0xf8f7]), [0x7c00_7b80; 2]);
        assert_eq!(each("cvt.rn.bf16x2.ue5m3x2", &[0xff01]), [0x7fff_3700; 2]);
    }

    #[test]
    fn published_vectors_of_stochastic_rounding() {
        for (spelling, lanes, rbits, want) in [
            (
                "cvt.rs.satfinite.e4m3x4.f32",
                [0xC115_24CF, 0xC12E_8581, 0xC128_149B, 0x40E8_90D4],
                0xE6EF_EB14,
                0xD2D3_D24F,
            ),
            (
                "cvt.rs.satfinite.e5m2x4.f32",
                [0xC115_24CF, 0xC12E_8581, 0xC128_149B, 0x40E8_90D4],
                0xE6EF_EB14,
                0xC9CA_C948,
            ),
            (
                "cvt.rs.relu.satfinite.e2m1x4.f32",
                [0x418B_C195, 0x4045_4C33, 0xC162_0DB2, 0x4085_A86A],
                0x9D78_D8DF,
                0x7506,
            ),
            (
                "cvt.rs.satfinite.e4m3x4.f32",
                [0x3F87_F000, 0xBF87_F000, 0x3F88_0000, 0xBF88_0000],
                0x908A_7DA8,
                0x38B9_38B8,
            ),
            (
                "cvt.rs.relu.satfinite.e2m1x4.f32",
                [0x3F8F_E000, 0xBF8F_E000, 0x3F90_0000, 0xBF90_0000],
                0x9F40_2FE0,
                0x3020,
            ),
        ] {
            let [a, b, e, f] = lanes;
            assert_eq!(each(spelling, &[a, b, e, f, rbits]), [want], "{spelling}");
        }
    }
}
