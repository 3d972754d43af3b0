//! The operands of the captured instructions, in integers, as the program on the device made them.
//!
//! | kind | operands |
//! |---|---|
//! | 0 | any bits |
//! | 1, 2 | exponents near each other, or far apart |
//! | 3 | pairs of products that cancel |
//! | 4 | tiny products |
//! | 5 | products near the largest number |
//! | 6, 11 | specials |
//! | 7, 8 | one product, or two |
//! | 9 | powers of two |
//! | 10 | tiny products without an addend |

/// A format, by the widths of its fields in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) exponent: u32,
    pub(crate) fraction: u32,
}

pub(crate) const F16: Format = Format { exponent: 5, fraction: 10 };
pub(crate) const BF16: Format = Format { exponent: 8, fraction: 7 };
/// In the register of an f32.
pub(crate) const TF32: Format = Format { exponent: 8, fraction: 23 };
pub(crate) const E4M3: Format = Format { exponent: 4, fraction: 3 };
pub(crate) const E5M2: Format = Format { exponent: 5, fraction: 2 };
pub(crate) const F32: Format = Format { exponent: 8, fraction: 23 };
pub(crate) const F64: Format = Format { exponent: 11, fraction: 52 };

/// The matrix of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    A,
    B,
    C,
}

pub(crate) const KINDS: u64 = 12;

pub(crate) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl Format {
    fn put(self, sign: u64, exponent: u64, fraction: u64) -> u64 {
        let low = |x: u64, bits: u32| x & ((1 << bits) - 1);
        low(sign, 1) << (self.exponent + self.fraction)
            | low(exponent, self.exponent) << self.fraction
            | low(fraction, self.fraction)
    }

    /// Returns the field of the exponent `offset`, limited to normal numbers.
    fn field(self, offset: i32) -> u64 {
        let (bias, top) = ((1 << (self.exponent - 1)) - 1, (1 << self.exponent) - 2 + i32::from(self == E4M3));
        (bias + offset).clamp(1, top) as u64
    }

    fn special(self, hash: u64) -> u64 {
        let (sign, top) = (hash >> 8, (1 << self.exponent) - 1);
        match hash & 7 {
            0..=2 if self == E4M3 => self.put(sign, top, 7),
            0 | 1 => self.put(sign, top, 0),
            2 => self.put(sign, top, hash >> 12 | 1),
            3 | 4 => self.put(sign, 0, 0),
            5 if self == E4M3 => self.put(sign, top, 6),
            5 => self.put(sign, top - 1, !0),
            6 => self.put(sign, 0, 1),
            _ => self.put(sign, 1, 0),
        }
    }
}

/// The place of an operand: the instruction and its kind of operands, the number of the product,
/// the row of A or C or the column of B, the place along the sum (for C the column), and the sum's
/// length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) instruction: u64,
    pub(crate) kind: u64,
    pub(crate) index: u64,
    pub(crate) row: u64,
    pub(crate) k: u64,
    pub(crate) length: u64,
}

/// Returns the bits of an operand.
pub(crate) fn element(format: Format, role: Role, place: Place) -> u64 {
    let Place { instruction, kind, index, row, k, length } = place;
    let (addend, wide) = (role == Role::C, format.exponent >= 8);
    let id = instruction << 56 ^ (role as u64) << 52 ^ kind << 44 ^ index << 20 ^ row << 10;
    // In kind 3 a product cancels the one before.
    let cancels = kind == 3 && !addend && k & 3 == 1;
    let h = mix(id ^ if cancels { k - 1 } else { k });
    let g = mix(h);
    let (sign, x) = ((h & 1) ^ u64::from(cancels && role == Role::A), h >> 16);
    let fraction = if format == TF32 && !addend && kind != 0 { g & !0x1FFF } else { g };
    let within = |hash: u64, low: i32, high: i32| low + (hash % (high - low + 1) as u64) as i32;
    let around = |hash: u64, low: i32, high: i32| format.put(sign, format.field(within(hash, low, high)), fraction);
    let times = if format == F64 { 8 } else { 1 };
    let tiny = |low: i32, high: i32, most: i32| {
        let narrow = if x & 1 != 0 { 0 } else { within(x >> 8, 1, most) };
        let field = if wide { within(x, low, high) * times } else { narrow };
        format.put(sign, field as u64, fraction)
    };
    match kind {
        0 => g & (!0 >> (63 - format.exponent - format.fraction)),
        1 => around(x, -2, 2),
        2 if addend => around(x, -40, 40),
        2 if wide => around(x, -20, 20),
        2 => around(x, -15, 15),
        3 if addend => around(x, -30, 0),
        3 => around(x, -3, 3),
        4 if addend => format.put(sign, within(x, 0, if format == F16 { 3 } else { 24 }) as u64, fraction),
        4 => tiny(50, 76, 3),
        5 if addend => around(x, 120, 127),
        5 if wide => around(x, 58, 64),
        5 => around(x, 8, 16),
        6 if x & 15 == 0 => format.special(g),
        11 if x & if addend { 1 } else { 15 } == 0 => format.special(g),
        6 | 11 => around(x >> 8, -2, 2),
        7 if addend => around(x, -30, 30),
        7 if k == index % length => around(x, -6, 6),
        7 => 0,
        8 if addend => 0,
        8 if k == index % length || k == index / length * 7 % length => {
            around(x, if wide { -14 } else { -15 }, if wide { 14 } else { 15 })
        }
        8 => 0,
        10 if addend => 0,
        10 => tiny(52, 72, if format == F16 { 7 } else { 3 }),
        _ => {
            let (low, high) = if addend { (-30, 30) } else { (-14, 14) };
            format.put(sign, format.field(within(x, low, high)), 0)
        }
    }
}
