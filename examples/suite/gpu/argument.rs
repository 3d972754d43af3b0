//! Arguments of a kernel's entry on a device.

use super::signature::Shape;
use super::target::{Memory, Target, Value};
use crate::real::Word;

/// An argument of a kernel's launcher.
pub trait Argument {
    /// Returns the entry's parameters for the argument.
    fn shapes(&self) -> &'static [Shape];
    /// Copies the argument to the device.
    fn upload(&self, target: &Target) -> Result<Passed, String>;
    /// Copies the argument back from the device.
    fn download(&mut self, _target: &Target, _passed: &Passed) -> Result<(), String> {
        Ok(())
    }
}

/// An argument on the device.
pub enum Passed {
    Size(usize),
    Float(f32),
    Slice(Memory, usize),
}

impl Passed {
    /// Appends the parameters of an entry in CUDA C++. A slice is an address.
    pub fn list_of_peer<'a>(&'a self, list: &mut Vec<Value<'a>>) {
        match self {
            Self::Slice(buffer, _) => list.push(Value::Address(buffer)),
            _ => self.list(list),
        }
    }

    /// Appends the entry's parameters. A slice is an address and a length.
    pub fn list<'a>(&'a self, list: &mut Vec<Value<'a>>) {
        match self {
            Self::Size(x) => list.push(Value::U64(*x as u64)),
            Self::Float(x) => list.push(Value::F32(*x)),
            Self::Slice(buffer, length) => list.extend([Value::Address(buffer), Value::U64(*length as u64)]),
        }
    }
}

impl Argument for usize {
    fn shapes(&self) -> &'static [Shape] {
        &[Shape::U64]
    }

    fn upload(&self, _: &Target) -> Result<Passed, String> {
        Ok(Passed::Size(*self))
    }
}

impl Argument for f32 {
    fn shapes(&self) -> &'static [Shape] {
        &[Shape::F32]
    }

    fn upload(&self, _: &Target) -> Result<Passed, String> {
        Ok(Passed::Float(*self))
    }
}

impl<T: Word> Argument for &[T] {
    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Address, Shape::U64]
    }

    fn upload(&self, target: &Target) -> Result<Passed, String> {
        Ok(Passed::Slice(target.upload(&bytes(self))?, self.len()))
    }
}

impl<T: Word> Argument for &mut [T] {
    fn shapes(&self) -> &'static [Shape] {
        &[Shape::Address, Shape::U64]
    }

    fn upload(&self, target: &Target) -> Result<Passed, String> {
        Ok(Passed::Slice(target.upload(&bytes(self))?, self.len()))
    }

    fn download(&mut self, target: &Target, passed: &Passed) -> Result<(), String> {
        if let Passed::Slice(buffer, _) = passed {
            of_bytes(&target.download(buffer)?, self);
        }
        Ok(())
    }
}

/// Returns the bytes in little-endian order.
fn bytes<T: Word>(x: &[T]) -> Vec<u8> {
    x.iter().flat_map(|x| x.bits().to_le_bytes().into_iter().take(size_of::<T>())).collect()
}

fn of_bytes<T: Word>(bytes: &[u8], x: &mut [T]) {
    assert_eq!(bytes.len(), size_of_val(x), "as many bytes as were uploaded");
    for (bytes, x) in bytes.chunks(size_of::<T>()).zip(x) {
        *x = T::of_bits(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
    }
}

#[cfg(test)]
mod tests {
    use ptxf::F16;

    use super::*;

    #[test]
    fn what_is_uploaded_comes_back() {
        let halves = [0x3C00, 0x8001, 0xFE01].map(F16::from_bits);
        assert_eq!(bytes(&halves), [0x00, 0x3C, 0x01, 0x80, 0x01, 0xFE]);
        let mut back = [F16::ZERO; 3];
        of_bytes(&bytes(&halves), &mut back);
        assert_eq!(back.map(F16::to_bits), halves.map(F16::to_bits));
        let mut ints = [0; 2];
        of_bytes(&bytes(&[-2, i32::MAX]), &mut ints);
        assert_eq!(ints, [-2, i32::MAX]);
    }
}
