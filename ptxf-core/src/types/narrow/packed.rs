//! Registers of two and of four narrow numbers.

use super::{E2m1, E2m3, E3m2, E4m3, E5m2, S2f6, Ue5m3, Ue8m0, types};
use crate::types::constants::packed_constants;
use crate::types::packed::{packed, pair};
use crate::types::scalar::bytes;

types! {
    /// Two `.e4m3` lanes in a 16-bit register, `.e4m3x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E4m3x2;
    ///
    /// let x = E4m3x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0xb038);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "__nv_fp8x2_e4m3")]
    E4m3x2 u16;
    /// Two `.e5m2` lanes in a 16-bit register, `.e5m2x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E5m2x2;
    ///
    /// let x = E5m2x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0xb83c);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "__nv_fp8x2_e5m2")]
    E5m2x2 u16;
    /// Two `.e2m3` lanes in a 16-bit register, `.e2m3x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    /// The upper two bits of each byte are ignored in operands, and zero in results.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m3x2;
    ///
    /// let x = E2m3x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0x2408);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "__nv_fp6x2_e2m3")]
    E2m3x2 u16;
    /// Two `.e3m2` lanes in a 16-bit register, `.e3m2x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    /// The upper two bits of each byte are ignored in operands, and zero in results.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E3m2x2;
    ///
    /// let x = E3m2x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0x280c);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "__nv_fp6x2_e3m2")]
    E3m2x2 u16;
    /// Two `.e2m1` lanes in an 8-bit register, `.e2m1x2`.
    ///
    /// The lower lane is in the low four bits, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m1x2;
    ///
    /// let x = E2m1x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0x92);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "__nv_fp4x2_e2m1")]
    E2m1x2 u8;
    /// Two `.ue8m0` lanes in a 16-bit register, `.ue8m0x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::{Ue8m0, Ue8m0x2};
    ///
    /// let x = Ue8m0x2::from_lo_hi(Ue8m0::ONE, Ue8m0::from_f32_rz(0.5));
    /// assert_eq!(x.to_bits(), 0x7e7f);
    /// assert_eq!(x.to_string(), "(1, 0.5)");
    /// ```
    #[doc(alias = "__nv_fp8x2_e8m0")]
    Ue8m0x2 u16;
    /// Two `.ue5m3` lanes in a 16-bit register, `.ue5m3x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Ue5m3x2;
    ///
    /// let x = Ue5m3x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0x7078);
    /// assert_eq!(x.to_string(), "(1, 0.5)");
    /// ```
    #[doc(alias = "__nv_fp8x2_ue5m3")]
    Ue5m3x2 u16;
    /// Two `.s2f6` lanes in a 16-bit register, `.s2f6x2`.
    ///
    /// The lower lane is in the low byte, as `.x` in CUDA. PTX names the upper lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::S2f6x2;
    ///
    /// let x = S2f6x2::from_f32([1.0, -0.5]);
    /// assert_eq!(x.to_bits(), 0xe040);
    /// assert_eq!(x.to_string(), "(1, -0.5)");
    /// ```
    #[doc(alias = "s2f6x2")]
    S2f6x2 u16;
    /// Four `.e4m3` lanes in a 32-bit register, `.e4m3x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E4m3x4;
    ///
    /// let x = E4m3x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0040_b038);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "__nv_fp8x4_e4m3")]
    E4m3x4 u32;
    /// Four `.e5m2` lanes in a 32-bit register, `.e5m2x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E5m2x4;
    ///
    /// let x = E5m2x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0040_b83c);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "__nv_fp8x4_e5m2")]
    E5m2x4 u32;
    /// Four `.e2m3` lanes in a 32-bit register, `.e2m3x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    /// The upper two bits of each byte are ignored in operands, and zero in results.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m3x4;
    ///
    /// let x = E2m3x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0010_2408);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "__nv_fp6x4_e2m3")]
    E2m3x4 u32;
    /// Four `.e3m2` lanes in a 32-bit register, `.e3m2x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    /// The upper two bits of each byte are ignored in operands, and zero in results.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E3m2x4;
    ///
    /// let x = E3m2x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0010_280c);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "__nv_fp6x4_e3m2")]
    E3m2x4 u32;
    /// Four `.e2m1` lanes in a 16-bit register, `.e2m1x4`.
    ///
    /// The first lane is in the lowest four bits, as `.x` in CUDA. PTX names the highest lane
    /// first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m1x4;
    ///
    /// let x = E2m1x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0492);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "__nv_fp4x4_e2m1")]
    E2m1x4 u16;
    /// Four `.e2m1` lanes in a 32-bit register, `.e2m1p4x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    /// The upper four bits of each byte are ignored in operands, and zero in results.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::E2m1p4x4;
    ///
    /// let x = E2m1p4x4::from_f32([1.0, -0.5, 2.0, 0.0]);
    /// assert_eq!(x.to_bits(), 0x0004_0902);
    /// assert_eq!(x.to_string(), "(1, -0.5, 2, 0)");
    /// ```
    #[doc(alias = "e2m1p4x4")]
    E2m1p4x4 u32;
    /// Four `.ue8m0` lanes in a 32-bit register, `.ue8m0x4`.
    ///
    /// The first lane is in the lowest byte, as `.x` in CUDA. PTX names the highest lane first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::{Ue8m0, Ue8m0x4};
    ///
    /// let x = Ue8m0x4::from_array([1.0, 0.5, 2.0, 4.0].map(Ue8m0::from_f32_rz));
    /// assert_eq!(x.to_bits(), 0x8180_7e7f);
    /// assert_eq!(x.to_string(), "(1, 0.5, 2, 4)");
    /// ```
    #[doc(alias = "__nv_fp8x4_e8m0")]
    Ue8m0x4 u32;
}

packed! {
    E4m3x2 u16 0xffff E4m3 u8 2 8
        "{E4m3, E4m3x2}" "[E4m3::ONE, E4m3::from_f32(-0.5)]" "0xb038" "(1, -0.5)" "E4m3::ONE" "broadcast" "-lane" "(-1, 0.5)";
    E5m2x2 u16 0xffff E5m2 u8 2 8
        "{E5m2, E5m2x2}" "[E5m2::ONE, E5m2::from_f32(-0.5)]" "0xb83c" "(1, -0.5)" "E5m2::ONE" "broadcast" "-lane" "(-1, 0.5)";
    E2m3x2 u16 0x3f3f E2m3 u8 2 8
        "{E2m3, E2m3x2}" "[E2m3::ONE, E2m3::from_f32(-0.5)]" "0x2408" "(1, -0.5)" "E2m3::ONE" "broadcast" "-lane" "(-1, 0.5)";
    E3m2x2 u16 0x3f3f E3m2 u8 2 8
        "{E3m2, E3m2x2}" "[E3m2::ONE, E3m2::from_f32(-0.5)]" "0x280c" "(1, -0.5)" "E3m2::ONE" "broadcast" "-lane" "(-1, 0.5)";
    E2m1x2 u8 0xff E2m1 u8 2 4
        "{E2m1, E2m1x2}" "[E2m1::ONE, E2m1::from_f32(-0.5)]" "0x92" "(1, -0.5)" "E2m1::ONE" "broadcast" "-lane" "(-1, 0.5)";
    Ue8m0x2 u16 0xffff Ue8m0 u8 2 8
        "{Ue8m0, Ue8m0x2}" "[Ue8m0::ONE, Ue8m0::from_f32_rz(0.5)]" "0x7e7f" "(1, 0.5)" "Ue8m0::ONE" "broadcast" "Ue8m0::from_f32_rz(4.0 * lane.to_f32())" "(4, 2)";
    Ue5m3x2 u16 0xffff Ue5m3 u8 2 8
        "{Ue5m3, Ue5m3x2}" "[Ue5m3::ONE, Ue5m3::from_f32(0.5)]" "0x7078" "(1, 0.5)" "Ue5m3::ONE" "broadcast" "Ue5m3::from_f32(3.0 * lane.to_f32())" "(3, 1.5)";
    S2f6x2 u16 0xffff S2f6 u8 2 8
        "{S2f6, S2f6x2}" "[S2f6::ONE, S2f6::from_f32(-0.5)]" "0xe040" "(1, -0.5)" "S2f6::ONE" "broadcast" "S2f6::from_f32(-lane.to_f32())" "(-1, 0.5)";
    E4m3x4 u32 0xffff_ffff E4m3 u8 4 8
        "{E4m3, E4m3x4}" "[E4m3::ONE, E4m3::from_f32(-0.5), E4m3::from_f32(2.0), E4m3::ZERO]" "0x0040_b038" "(1, -0.5, 2, 0)" "E4m3::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    E5m2x4 u32 0xffff_ffff E5m2 u8 4 8
        "{E5m2, E5m2x4}" "[E5m2::ONE, E5m2::from_f32(-0.5), E5m2::from_f32(2.0), E5m2::ZERO]" "0x0040_b83c" "(1, -0.5, 2, 0)" "E5m2::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    E2m3x4 u32 0x3f3f_3f3f E2m3 u8 4 8
        "{E2m3, E2m3x4}" "[E2m3::ONE, E2m3::from_f32(-0.5), E2m3::from_f32(2.0), E2m3::ZERO]" "0x0010_2408" "(1, -0.5, 2, 0)" "E2m3::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    E3m2x4 u32 0x3f3f_3f3f E3m2 u8 4 8
        "{E3m2, E3m2x4}" "[E3m2::ONE, E3m2::from_f32(-0.5), E3m2::from_f32(2.0), E3m2::ZERO]" "0x0010_280c" "(1, -0.5, 2, 0)" "E3m2::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    E2m1x4 u16 0xffff E2m1 u8 4 4
        "{E2m1, E2m1x4}" "[E2m1::ONE, E2m1::from_f32(-0.5), E2m1::from_f32(2.0), E2m1::ZERO]" "0x0492" "(1, -0.5, 2, 0)" "E2m1::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    E2m1p4x4 u32 0x0f0f_0f0f E2m1 u8 4 8
        "{E2m1, E2m1p4x4}" "[E2m1::ONE, E2m1::from_f32(-0.5), E2m1::from_f32(2.0), E2m1::ZERO]" "0x0004_0902" "(1, -0.5, 2, 0)" "E2m1::ONE" "broadcast" "-lane" "(-1, 0.5, -2, -0)";
    Ue8m0x4 u32 0xffff_ffff Ue8m0 u8 4 8
        "{Ue8m0, Ue8m0x4}" "[1.0, 0.5, 2.0, 4.0].map(Ue8m0::from_f32_rz)" "0x8180_7e7f" "(1, 0.5, 2, 4)" "Ue8m0::ONE" "broadcast" "Ue8m0::from_f32_rz(4.0 * lane.to_f32())" "(4, 2, 8, 16)";
}

pair! {
    E4m3x2 u16 E4m3 u8 8
        "{E4m3, E4m3x2}" "E4m3::ONE" "E4m3::from_f32(-0.5)" "0xb038" "__nv_fp8x2_e4m3" "swap" "__nv_fp8x2_e4m3.x" "__nv_fp8x2_e4m3.y";
    E5m2x2 u16 E5m2 u8 8
        "{E5m2, E5m2x2}" "E5m2::ONE" "E5m2::from_f32(-0.5)" "0xb83c" "__nv_fp8x2_e5m2" "swap" "__nv_fp8x2_e5m2.x" "__nv_fp8x2_e5m2.y";
    E2m3x2 u16 E2m3 u8 8
        "{E2m3, E2m3x2}" "E2m3::ONE" "E2m3::from_f32(-0.5)" "0x2408" "__nv_fp6x2_e2m3" "swap" "__nv_fp6x2_e2m3.x" "__nv_fp6x2_e2m3.y";
    E3m2x2 u16 E3m2 u8 8
        "{E3m2, E3m2x2}" "E3m2::ONE" "E3m2::from_f32(-0.5)" "0x280c" "__nv_fp6x2_e3m2" "swap" "__nv_fp6x2_e3m2.x" "__nv_fp6x2_e3m2.y";
    E2m1x2 u8 E2m1 u8 4
        "{E2m1, E2m1x2}" "E2m1::ONE" "E2m1::from_f32(-0.5)" "0x92" "__nv_fp4x2_e2m1" "swap" "__nv_fp4x2_e2m1.x" "__nv_fp4x2_e2m1.y";
    Ue8m0x2 u16 Ue8m0 u8 8
        "{Ue8m0, Ue8m0x2}" "Ue8m0::ONE" "Ue8m0::from_f32_rz(0.5)" "0x7e7f" "__nv_fp8x2_e8m0" "swap" "__nv_fp8x2_e8m0.x" "__nv_fp8x2_e8m0.y";
    Ue5m3x2 u16 Ue5m3 u8 8
        "{Ue5m3, Ue5m3x2}" "Ue5m3::ONE" "Ue5m3::from_f32(0.5)" "0x7078" "__nv_fp8x2_ue5m3" "swap" "__nv_fp8x2_ue5m3.x" "__nv_fp8x2_ue5m3.y";
    S2f6x2 u16 S2f6 u8 8
        "{S2f6, S2f6x2}" "S2f6::ONE" "S2f6::from_f32(-0.5)" "0xe040" "s2f6x2" "swap" "s2f6x2.x" "s2f6x2.y";
}

bytes! {
    E4m3x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    E5m2x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    E2m3x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    E3m2x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    Ue8m0x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    Ue5m3x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    S2f6x2 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    E4m3x4 u32 4 "0x1234_2638" "[0x38, 0x26, 0x34, 0x12]" "[0x12, 0x34, 0x26, 0x38]";
    E5m2x4 u32 4 "0x1234_2638" "[0x38, 0x26, 0x34, 0x12]" "[0x12, 0x34, 0x26, 0x38]";
    E2m3x4 u32 4 "0x1234_2638" "[0x38, 0x26, 0x34, 0x12]" "[0x12, 0x34, 0x26, 0x38]";
    E3m2x4 u32 4 "0x1234_2638" "[0x38, 0x26, 0x34, 0x12]" "[0x12, 0x34, 0x26, 0x38]";
    E2m1x4 u16 2 "0x1234" "[0x34, 0x12]" "[0x12, 0x34]";
    E2m1p4x4 u32 4 "0x0204_0608" "[0x08, 0x06, 0x04, 0x02]" "[0x02, 0x04, 0x06, 0x08]";
    Ue8m0x4 u32 4 "0x1234_2638" "[0x38, 0x26, 0x34, 0x12]" "[0x12, 0x34, 0x26, 0x38]";
}

packed_constants! { @impl E4m3x2
    ZERO E4m3::ZERO, 0x0000 "+0 in both lanes.";
    ONE E4m3::ONE, 0x3838 "1 in both lanes.";
    MAX E4m3::MAX, 0x7e7e "The largest number in both lanes.";
}

packed_constants! { @impl E5m2x2
    ZERO E5m2::ZERO, 0x0000 "+0 in both lanes.";
    ONE E5m2::ONE, 0x3c3c "1 in both lanes.";
    MAX E5m2::MAX, 0x7b7b "The largest number in both lanes.";
}

packed_constants! { @impl E2m3x2
    ZERO E2m3::ZERO, 0x0000 "+0 in both lanes.";
    ONE E2m3::ONE, 0x0808 "1 in both lanes.";
    MAX E2m3::MAX, 0x1f1f "The largest number in both lanes.";
}

packed_constants! { @impl E3m2x2
    ZERO E3m2::ZERO, 0x0000 "+0 in both lanes.";
    ONE E3m2::ONE, 0x0c0c "1 in both lanes.";
    MAX E3m2::MAX, 0x1f1f "The largest number in both lanes.";
}

packed_constants! { @impl E2m1x2
    ZERO E2m1::ZERO, 0x00 "+0 in both lanes.";
    ONE E2m1::ONE, 0x22 "1 in both lanes.";
    MAX E2m1::MAX, 0x77 "The largest number in both lanes.";
}

packed_constants! { @impl Ue8m0x2
    ONE Ue8m0::ONE, 0x7f7f "1 in both lanes.";
    MAX Ue8m0::MAX, 0xfefe "The largest number in both lanes.";
}

packed_constants! { @impl Ue5m3x2
    ZERO Ue5m3::ZERO, 0x0000 "0 in both lanes.";
    ONE Ue5m3::ONE, 0x7878 "1 in both lanes.";
    MAX Ue5m3::MAX, 0xfefe "The largest number in both lanes.";
}

packed_constants! { @impl S2f6x2
    ZERO S2f6::ZERO, 0x0000 "0 in both lanes.";
    ONE S2f6::ONE, 0x4040 "1 in both lanes.";
    MAX S2f6::MAX, 0x7f7f "The largest number in both lanes.";
}

packed_constants! { @impl E4m3x4
    ZERO E4m3::ZERO, 0x0000_0000 "+0 in all lanes.";
    ONE E4m3::ONE, 0x3838_3838 "1 in all lanes.";
    MAX E4m3::MAX, 0x7e7e_7e7e "The largest number in all lanes.";
}

packed_constants! { @impl E5m2x4
    ZERO E5m2::ZERO, 0x0000_0000 "+0 in all lanes.";
    ONE E5m2::ONE, 0x3c3c_3c3c "1 in all lanes.";
    MAX E5m2::MAX, 0x7b7b_7b7b "The largest number in all lanes.";
}

packed_constants! { @impl E2m3x4
    ZERO E2m3::ZERO, 0x0000_0000 "+0 in all lanes.";
    ONE E2m3::ONE, 0x0808_0808 "1 in all lanes.";
    MAX E2m3::MAX, 0x1f1f_1f1f "The largest number in all lanes.";
}

packed_constants! { @impl E3m2x4
    ZERO E3m2::ZERO, 0x0000_0000 "+0 in all lanes.";
    ONE E3m2::ONE, 0x0c0c_0c0c "1 in all lanes.";
    MAX E3m2::MAX, 0x1f1f_1f1f "The largest number in all lanes.";
}

packed_constants! { @impl E2m1x4
    ZERO E2m1::ZERO, 0x0000 "+0 in all lanes.";
    ONE E2m1::ONE, 0x2222 "1 in all lanes.";
    MAX E2m1::MAX, 0x7777 "The largest number in all lanes.";
}

packed_constants! { @impl E2m1p4x4
    ZERO E2m1::ZERO, 0x0000_0000 "+0 in all lanes.";
    ONE E2m1::ONE, 0x0202_0202 "1 in all lanes.";
    MAX E2m1::MAX, 0x0707_0707 "The largest number in all lanes.";
}

packed_constants! { @impl Ue8m0x4
    ONE Ue8m0::ONE, 0x7f7f_7f7f "1 in all lanes.";
    MAX Ue8m0::MAX, 0xfefe_fefe "The largest number in all lanes.";
}

/// Types in which zero bits are 0 in every lane.
macro_rules! zero {
    ($($ty:ident)*) => {$(
        impl Default for $ty {
            /// Returns 0 in all lanes.
            #[inline]
            fn default() -> Self {
                Self::ZERO
            }
        }
    )*};
}

zero! { E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue5m3x2 S2f6x2 E4m3x4 E5m2x4 E2m3x4 E3m2x4 E2m1x4 E2m1p4x4 }

/// Types that have no 0.
macro_rules! one {
    ($($ty:ident)*) => {$(
        impl Default for $ty {
            /// Returns 1 in all lanes.
            #[inline]
            fn default() -> Self {
                Self::ONE
            }
        }
    )*};
}

one! { Ue8m0x2 Ue8m0x4 }
