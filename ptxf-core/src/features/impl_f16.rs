//! Conversions to and from the language's `f16`, which has the same bits. It is not stable yet, so
//! a build with a nightly compiler asks for them by `--cfg ptxf_f16`.

use crate::types::F16;

impl From<f16> for F16 {
    /// Returns the same bits.
    #[inline]
    fn from(x: f16) -> Self {
        Self::from_bits(x.to_bits())
    }
}

impl From<F16> for f16 {
    /// Returns the same bits.
    #[inline]
    fn from(x: F16) -> Self {
        Self::from_bits(x.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::F16;

    #[test]
    fn bits_stay() {
        for bits in (0..=u16::MAX).step_by(if cfg!(miri) { 251 } else { 1 }) {
            let x = f16::from_bits(bits);
            assert_eq!(F16::from(x).to_bits(), bits);
            assert_eq!(f16::from(F16::from_bits(bits)).to_bits(), bits);
        }
        assert_eq!(F16::from(1.5_f16), F16::from_f32(1.5));
    }
}
