//! The memory of a launch: arrays between guards, at even and at odd addresses.

use std::any::Any;

use oracle::kernel::{Argument, Parameter, Type};
use ptxf::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

use crate::float::Float;

/// Number of guard elements on each side of an array, which no launch may touch.
const GUARD: usize = 8;

/// The bits of a guard, truncated to the element's size.
const GUARD_BITS: u64 = 0x1515_1515_1515_1515;

/// An element of an array.
pub(crate) trait Item: Copy + 'static {
    fn of_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
}

impl<E: Float> Item for E {
    fn of_bits(bits: u64) -> Self {
        Float::of_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        Float::bits(self).into()
    }
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident)*) => {$(
        impl Item for $ty {
            fn of_bits(bits: u64) -> Self {
                bits as $ty
            }
            fn bits(self) -> u64 {
                (self as $unsigned).into()
            }
        }
    )*};
}
integers! { i8 u8 u8 u8 i16 u16 u16 u16 i32 u32 u32 u32 i64 u64 u64 u64 }

macro_rules! narrow {
    ($($ty:ident)*) => {$(
        impl Item for $ty {
            fn of_bits(bits: u64) -> Self {
                Self::from_bits(bits as u8)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}
narrow! { E4m3 E5m2 E2m3 E3m2 E2m1 E2m1x2 Ue8m0 }

/// An array between guards, which begins at an even address (in elements) or at an odd one.
#[derive(Clone)]
pub(crate) struct Buffer<T> {
    all: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Item> Buffer<T> {
    fn new(content: &[u64], odd: bool) -> Self {
        let len = content.len();
        // The allocation is moved in, not copied, so the address is the one that the kernel gets.
        let mut all = vec![T::of_bits(GUARD_BITS); len + 2 * GUARD + 2];
        let even = (all.as_ptr().addr() / size_of::<T>()).is_multiple_of(2);
        let first = GUARD + usize::from(even == odd);
        for (to, &bits) in all[first..].iter_mut().zip(content) {
            *to = T::of_bits(bits);
        }
        Self { all, first, len }
    }
}

/// A [`Buffer`] of any element type.
pub(crate) trait Array: Any {
    /// The bits of the elements, and then of the guards.
    fn bits(&self) -> Vec<u64>;
    fn place(&self) -> Place;
}

impl<T: Item> Array for Buffer<T> {
    fn bits(&self) -> Vec<u64> {
        let (before, rest) = self.all.split_at(self.first);
        let (elements, after) = rest.split_at(self.len);
        elements.iter().chain(before).chain(after).map(|&x| x.bits()).collect()
    }
    fn place(&self) -> Place {
        Place { first: self.all[self.first..].as_ptr().addr(), size: size_of::<T>(), len: self.len }
    }
}

/// The address range of an array.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) first: usize,
    /// The size of an element.
    pub(crate) size: usize,
    len: usize,
}

impl Place {
    /// Returns the number of the element at an address.
    pub(crate) fn element(self, address: usize) -> Option<usize> {
        (address >= self.first && address < self.first + self.size * self.len)
            .then(|| (address - self.first) / self.size)
    }
}

/// A version's argument for a parameter.
pub(crate) enum Slot {
    Int(u64),
    Float(f32),
    Slice(Box<dyn Array>),
}

/// The message if `threads` and the tests read a parameter differently.
const ANOTHER: &str = "the kernel's parameter is another one";

impl Slot {
    /// The argument of a kernel whose elements are `E`.
    pub(crate) fn new<E: Float>(parameter: &Parameter, argument: &Argument, odd: bool) -> Self {
        let words = match (argument, parameter.ty) {
            (Argument::Slice(words), _) => words,
            (Argument::Scalar(x), Type::Float) => return Self::Float(f32::from_bits(*x as u32)),
            (Argument::Scalar(x), _) => return Self::Int(*x),
        };
        fn slice<T: Item>(words: &[u64], odd: bool) -> Slot {
            Slot::Slice(Box::new(Buffer::<T>::new(words, odd)))
        }
        let slice = match (parameter.stored, parameter.ty) {
            (Some("E4m3"), _) => slice::<E4m3>,
            (Some("E5m2"), _) => slice::<E5m2>,
            (Some("E2m3"), _) => slice::<E2m3>,
            (Some("E3m2"), _) => slice::<E3m2>,
            (Some("E2m1"), _) => slice::<E2m1>,
            (Some("E2m1x2"), _) => slice::<E2m1x2>,
            (Some("Ue8m0"), _) => slice::<Ue8m0>,
            (Some(other), _) => panic!("`{}` is of {other}: say here what it is given", parameter.name),
            (None, Type::Float) if parameter.kept => slice::<f32>,
            (None, Type::Float) => slice::<E>,
            (None, ty) => match &*ty.to_string() {
                "i8" => slice::<i8>,
                "u8" => slice::<u8>,
                "i16" => slice::<i16>,
                "u16" => slice::<u16>,
                "i32" => slice::<i32>,
                "u32" => slice::<u32>,
                "i64" => slice::<i64>,
                "u64" => slice::<u64>,
                other => panic!("`{}` is of {other}: say here what it is given", parameter.name),
            },
        };
        slice(words, odd)
    }

    /// Returns the bits in memory, guards included.
    pub(crate) fn bits(&self) -> Vec<u64> {
        match self {
            Self::Slice(array) => array.bits(),
            Self::Int(_) | Self::Float(_) => Vec::new(),
        }
    }

    /// Returns the array's address range.
    pub(crate) fn place(&self) -> Option<Place> {
        match self {
            Self::Slice(array) => Some(array.place()),
            Self::Int(_) | Self::Float(_) => None,
        }
    }

    pub(crate) fn int(&self) -> u64 {
        let Self::Int(n) = self else { unreachable!("{ANOTHER}") };
        *n
    }

    pub(crate) fn float(&self) -> f32 {
        let Self::Float(x) = self else { unreachable!("{ANOTHER}") };
        *x
    }

    pub(crate) fn slice<T: Item>(&self) -> &[T] {
        let Self::Slice(array) = self else { unreachable!("{ANOTHER}") };
        let buffer = (&**array as &dyn Any).downcast_ref::<Buffer<T>>().expect(ANOTHER);
        &buffer.all[buffer.first..][..buffer.len]
    }

    pub(crate) fn slice_mut<T: Item>(&mut self) -> &mut [T] {
        let Self::Slice(array) = self else { unreachable!("{ANOTHER}") };
        let buffer = (&mut **array as &mut dyn Any).downcast_mut::<Buffer<T>>().expect(ANOTHER);
        &mut buffer.all[buffer.first..][..buffer.len]
    }
}
