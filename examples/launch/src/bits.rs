//! Compares the results of two machines.

use ptxf::F16;

/// Returns an error unless all bits are equal. A NaN equals any NaN.
pub(crate) fn compare(name: &str, device: &[F16], cpu: &[F16]) -> Result<(), String> {
    if device.len() != cpu.len() {
        return Err(format!("{name}: {} results of the device, {} of the CPU", device.len(), cpu.len()));
    }
    let differs = |(d, c): &(&F16, &F16)| d.to_bits() != c.to_bits() && !(d.is_nan() && c.is_nan());
    let mut different = device.iter().zip(cpu).enumerate().filter(|(_, pair)| differs(pair));
    match different.next() {
        None => Ok(()),
        Some((i, (d, c))) => Err(format!(
            "{name}[{i}] is {:#06x} on the device and {:#06x} on the CPU; {} further differences",
            d.to_bits(),
            c.to_bits(),
            different.count()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_noticed_and_a_nan_is_a_nan() {
        let x = [1.0, f32::NAN, -0.0].map(F16::from_f32);
        let mut y = [F16::from_f32(1.0), F16::from_bits(0xFE01), F16::from_f32(-0.0)];
        assert_eq!(compare("k", &y, &x), Ok(()));
        y[2] = F16::ZERO;
        let error = compare("k", &y, &x).unwrap_err();
        assert_eq!(error, "k[2] is 0x0000 on the device and 0x8000 on the CPU; 0 further differences");
        assert!(compare("k", &y[1..], &x).is_err());
    }
}
