//! Random operands by number: a number gives the same operands in every run.

use oracle::cvt::{Cvt, operands};
use oracle::{Form, Rng, generate};

use super::check::CHUNK;

/// A way to draw the operands of a form, lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draw {
    /// The spelling of one lane: `fma.rn.f16`, for its pairs too.
    pub(super) form: &'static str,
    pub(super) operands: usize,
}

/// Number of operands that differ little from a drawn one. Drawing near ties is slow, and a near
/// tie has more next to it.
const RELATED: usize = 8;

/// The parsed form.
enum Parsed {
    Form(Form),
    /// With what its operands are picked from.
    Conversion(Cvt, &'static [u64]),
}

impl Parsed {
    /// Bits of an operand's lane.
    fn bits(&self) -> u32 {
        match self {
            Self::Form(form) => match form.ty {
                oracle::Ty::F32 => 32,
                oracle::Ty::F64 => 64,
                _ => 16,
            },
            Self::Conversion(cvt, _) => cvt.from.num.bits(),
        }
    }

    fn draw(&self, count: usize, rng: &mut Rng) -> Vec<u64> {
        match self {
            Self::Form(form) => generate::lane_operands(form, count, rng),
            Self::Conversion(cvt, list) => {
                let mut x: Vec<_> = (0..cvt.sources()).map(|_| operands::lane(cvt, list, rng)).collect();
                // Scales of two lanes, of which a conversion of lanes takes the lower one.
                x.extend((x.len()..count).map(|_| operands::scale(rng) << 8 | operands::scale(rng)));
                x
            }
        }
    }
}

impl Draw {
    fn parsed(self) -> Parsed {
        match Cvt::parse(self.form) {
            Ok(cvt) => Parsed::Conversion(cvt, operands::list(&cvt)),
            Err(_) => Parsed::Form(Form::parse(self.form).expect("the oracles know every form").lane()),
        }
    }

    /// The operands of the inputs from `first` on, a multiple of a chunk.
    pub(super) fn chunk(self, first: u64) -> [Vec<u64>; 3] {
        let parsed = self.parsed();
        let bits = parsed.bits();
        // Streams of SplitMix64 that start this far apart do not meet.
        let mut rng = Rng::new(first.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let mut chunk = [const { Vec::new() }; 3];
        while chunk[0].len() < CHUNK {
            let x = parsed.draw(self.operands, &mut rng);
            for i in 0..RELATED {
                for (chunk, &x) in chunk.iter_mut().zip(&x) {
                    // The sign in one of four, a last bit in one of four, or neither.
                    let change = match rng.below(4) {
                        0 if i > 0 => 1 << (bits - 1),
                        1 if i > 0 => 1,
                        _ => 0,
                    };
                    chunk.push(x ^ change);
                }
            }
        }
        chunk
    }

    pub(super) fn operands(self, input: u64) -> Vec<u64> {
        let (first, i) = (input - input % CHUNK as u64, (input % CHUNK as u64) as usize);
        self.chunk(first).iter().take(self.operands).map(|x| x[i]).collect()
    }

    /// Hexadecimal digits of an operand.
    pub(super) fn digits(self) -> usize {
        self.parsed().bits().div_ceil(4) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_the_same_operands() {
        let draw = Draw { form: "fma.rn.f16", operands: 3 };
        let [a, b, c] = draw.chunk(2 * CHUNK as u64);
        assert_eq!((a.len(), b.len(), c.len()), (CHUNK, CHUNK, CHUNK));
        assert_eq!(draw.operands(2 * CHUNK as u64 + 77), [a[77], b[77], c[77]]);
        assert_ne!(draw.chunk(0)[0], a);
        assert!(a.iter().chain(&c).all(|x| *x < 1 << 16));
    }

    /// The mix that the forms depend on: exact sums within 1/64 of a unit of a tie.
    #[test]
    fn near_ties_are_among_them() {
        let mut hits = 0;
        let value = |x: u64| f64::from(ptxf::F16::from_bits(x as u16).to_f32());
        for i in 0..64 {
            let [a, b, c] = Draw { form: "fma.rn.f16", operands: 3 }.chunk(i * CHUNK as u64);
            for ((a, b), c) in a.into_iter().zip(b).zip(c) {
                let exact = value(a) * value(b) + value(c);
                let unit = 2_f64.powi((exact.abs().log2().floor() as i32).max(-14) - 10);
                let off = (exact.abs() / unit).fract() - 0.5;
                hits += usize::from(exact.is_finite() && off != 0.0 && off.abs() < 1.0 / 64.0);
            }
        }
        println!("{hits} of {}", 64 * CHUNK);
        assert!(hits > 64 * CHUNK / 50);
    }
}
