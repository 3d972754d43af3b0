//! The registers of a frame. Each register is an array of 32 lanes, and each predicate is a word of
//! 32 bits.

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;

/// A set of lanes. Lane 0 is bit 0.
pub(crate) type Mask = u32;

/// The places of an instruction's operands, its results first. The lowest bit of a predicate that
/// is read negates it.
pub(crate) type Slots = [u32; 5];

/// An operation on registers, for the lanes of the mask.
pub(crate) type Run = fn(&mut Registers, &Slots, Mask);

/// The predicate that is always true.
pub(crate) const TRUE: u32 = 0;
/// The predicate that holds the carry.
pub(crate) const CARRY: u32 = 1;
/// The predicate that takes results that are dropped.
pub(crate) const SINK: u32 = 2;
/// The number of predicates with a fixed use.
pub(crate) const RESERVED: u32 = 3;

/// The lanes of a register.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lanes<W>(pub(crate) [W; LANES]);

/// A width of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bank {
    B16,
    B32,
    B64,
}

impl Bank {
    /// Returns the width for values of so many bits. Returns `None` for more than 64 bits or a
    /// predicate.
    pub(crate) const fn of(bits: u32) -> Option<Self> {
        match bits {
            1..=16 => Some(Self::B16),
            32 => Some(Self::B32),
            64 => Some(Self::B64),
            _ => None,
        }
    }

    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::B16 => 16,
            Self::B32 => 32,
            Self::B64 => 64,
        }
    }
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reg {
    pub(crate) bank: Bank,
    pub(crate) at: u32,
}

/// All registers of a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) b16: Vec<Lanes<u16>>,
    pub(crate) b32: Vec<Lanes<u32>>,
    pub(crate) b64: Vec<Lanes<u64>>,
    pub(crate) predicates: Vec<Mask>,
}

/// The bytes of a register before its first write.
const UNDEFINED: u64 = 0xa5a5_a5a5_a5a5_a5a5;

impl Registers {
    /// Returns registers with undefined contents, by their numbers.
    pub(crate) fn new(b16: u32, b32: u32, b64: u32, predicates: u32) -> Self {
        let mut all = Self {
            b16: vec![Lanes([UNDEFINED as u16; LANES]); b16 as usize],
            b32: vec![Lanes([UNDEFINED as u32; LANES]); b32 as usize],
            b64: vec![Lanes([UNDEFINED; LANES]); b64 as usize],
            predicates: vec![UNDEFINED as u32; predicates as usize],
        };
        all.predicates[TRUE as usize] = !0;
        all
    }

    /// Returns the bits of a lane.
    pub(crate) fn get(&self, reg: Reg, lane: usize) -> u64 {
        match reg.bank {
            Bank::B16 => self.b16[reg.at as usize].0[lane].into(),
            Bank::B32 => self.b32[reg.at as usize].0[lane].into(),
            Bank::B64 => self.b64[reg.at as usize].0[lane],
        }
    }

    /// Writes the lower bits of a value to a lane.
    pub(crate) fn set(&mut self, reg: Reg, lane: usize, value: u64) {
        match reg.bank {
            Bank::B16 => self.b16[reg.at as usize].0[lane] = value as u16,
            Bank::B32 => self.b32[reg.at as usize].0[lane] = value as u32,
            Bank::B64 => self.b64[reg.at as usize].0[lane] = value,
        }
    }

    /// Returns the bits of all lanes.
    pub(crate) fn column(&self, reg: Reg) -> [u64; LANES] {
        match reg.bank {
            Bank::B16 => self.b16[reg.at as usize].0.map(u64::from),
            Bank::B32 => self.b32[reg.at as usize].0.map(u64::from),
            Bank::B64 => self.b64[reg.at as usize].0,
        }
    }

    /// Writes the lower bits of values to the lanes of the mask.
    pub(crate) fn set_column(&mut self, reg: Reg, mask: Mask, values: &[u64; LANES]) {
        match reg.bank {
            Bank::B16 => u16::write(self, reg.at, mask, &values.map(|x| x as u16)),
            Bank::B32 => u32::write(self, reg.at, mask, &values.map(|x| x as u32)),
            Bank::B64 => u64::write(self, reg.at, mask, values),
        }
    }

    /// Writes a value to every lane.
    pub(crate) fn fill(&mut self, reg: Reg, value: u64) {
        match reg.bank {
            Bank::B16 => self.b16[reg.at as usize].0 = [value as u16; LANES],
            Bank::B32 => self.b32[reg.at as usize].0 = [value as u32; LANES],
            Bank::B64 => self.b64[reg.at as usize].0 = [value; LANES],
        }
    }

    /// Returns the lanes in which a predicate is true. The lowest bit of the slot negates it.
    pub(crate) fn truth(&self, slot: u32) -> Mask {
        self.predicates[(slot >> 1) as usize] ^ (slot & 1).wrapping_neg()
    }

    /// Writes a predicate in the lanes of the mask.
    pub(crate) fn set_truth(&mut self, at: u32, truth: Mask, mask: Mask) {
        let p = &mut self.predicates[at as usize];
        *p = *p & !mask | truth & mask;
    }
}

/// Returns the lanes of a mask, in order.
pub(crate) fn lanes(mask: Mask) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let lane = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (lane < Mask::BITS).then_some(lane as usize)
    })
}

/// Calls a function for each lane of a mask, in order. For a full mask, the compiler can unroll the
/// loop.
#[inline(always)]
pub(crate) fn each(mask: Mask, mut f: impl FnMut(usize)) {
    if mask == !0 { (0..LANES).for_each(f) } else { lanes(mask).for_each(&mut f) }
}

/// A lane of a register, of one of three widths.
pub(crate) trait Word: Copy + PartialEq + Send + Sync + 'static {
    const BITS: u32;
    const ZERO: Self;
    fn bank(registers: &Registers) -> &[Lanes<Self>];
    fn bank_mut(registers: &mut Registers) -> &mut [Lanes<Self>];
    /// Returns the value as an unsigned number.
    fn u(self) -> u64;
    /// Returns the value as a signed number.
    fn s(self) -> i64;
    /// Returns the lower bits of a number.
    fn cut(x: u64) -> Self;

    /// Returns the number with these bytes, the lowest first.
    fn of_bytes(bytes: &[u8]) -> Self;

    /// Returns the lower bits of a signed number.
    #[inline(always)]
    fn cut_s(x: i64) -> Self {
        Self::cut(x.cast_unsigned())
    }

    /// Returns the lanes of a register.
    #[inline(always)]
    fn read(registers: &Registers, at: u32) -> [Self; LANES] {
        Self::bank(registers)[at as usize].0
    }

    /// Writes the lanes of the mask.
    #[inline(always)]
    fn write(registers: &mut Registers, at: u32, mask: Mask, value: &[Self; LANES]) {
        let to = &mut Self::bank_mut(registers)[at as usize].0;
        if mask == !0 {
            *to = *value;
            return;
        }
        for (lane, (to, value)) in to.iter_mut().zip(value).enumerate() {
            *to = if mask >> lane & 1 != 0 { *value } else { *to };
        }
    }
}

macro_rules! words {
    ($($word:ident $signed:ident $bank:ident;)*) => {$(
        impl Word for $word {
            const BITS: u32 = Self::BITS;
            const ZERO: Self = 0;
            #[inline(always)]
            fn bank(registers: &Registers) -> &[Lanes<Self>] {
                &registers.$bank
            }
            #[inline(always)]
            fn bank_mut(registers: &mut Registers) -> &mut [Lanes<Self>] {
                &mut registers.$bank
            }
            #[inline(always)]
            fn of_bytes(bytes: &[u8]) -> Self {
                let mut all = [0; size_of::<Self>()];
                all.copy_from_slice(bytes);
                Self::from_le_bytes(all)
            }
            #[inline(always)]
            fn u(self) -> u64 {
                self.into()
            }
            #[inline(always)]
            fn s(self) -> i64 {
                self.cast_signed().into()
            }
            #[inline(always)]
            fn cut(x: u64) -> Self {
                x as Self
            }
        }
    )*};
}

words! {
    u16 i16 b16;
    u32 i32 b32;
    u64 i64 b64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_outside_of_the_mask_keep_what_they_have() {
        let mut registers = Registers::new(1, 1, 1, RESERVED);
        u32::write(&mut registers, 0, 0b101, &[7; LANES]);
        let r = Reg { bank: Bank::B32, at: 0 };
        assert_eq!([0, 1, 2].map(|lane| registers.get(r, lane)), [7, 0xa5a5_a5a5, 7]);
        registers.set_truth(SINK, 0b10, 0b11);
        assert_eq!(registers.truth(SINK << 1) & 3, 2);
        assert_eq!(registers.truth(SINK << 1 | 1) & 3, 1);
        assert_eq!(registers.truth(TRUE), !0);
        assert_eq!(lanes(0x8000_0005).collect::<Vec<_>>(), [0, 2, 31]);
        assert_eq!(lanes(0).count(), 0);
    }
}
