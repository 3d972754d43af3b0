//! The memory of a launch: arrays between guards, at even and at odd addresses.

use ptxf::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};
use testutil::interp::{Argument, Parameter, Type};

use crate::float::Float;

/// Elements on each side of an array that nobody may touch.
const GUARD: usize = 8;

/// An array between guards, which begins at an even address (in elements) or at an odd one.
#[derive(Clone)]
pub(crate) struct Buffer<T> {
    all: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Copy> Buffer<T> {
    fn new(content: &[T], guard: T, odd: bool) -> Self {
        let len = content.len();
        // The allocation is moved in, not copied, so the address is the one that the kernel gets.
        let mut all = vec![guard; len + 2 * GUARD + 2];
        let even = (all.as_ptr().addr() / size_of::<T>()).is_multiple_of(2);
        let first = GUARD + usize::from(even == odd);
        all[first..first + len].copy_from_slice(content);
        Self { all, first, len }
    }
    fn get(&self) -> &[T] {
        &self.all[self.first..self.first + self.len]
    }
    fn get_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..self.first + self.len]
    }
    /// The bits of the elements, and then of the guards.
    fn bits(&self, bits: fn(T) -> u32) -> Vec<u32> {
        let guards = self.all[..self.first].iter().chain(&self.all[self.first + self.len..]);
        self.get().iter().chain(guards).map(|&x| bits(x)).collect()
    }
    fn place(&self) -> Place {
        Place { first: self.get().as_ptr().addr(), size: size_of::<T>(), len: self.len }
    }
}

/// Where an array is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) first: usize,
    /// The size of an element.
    pub(crate) size: usize,
    len: usize,
}

impl Place {
    /// The number of the element at an address.
    pub(crate) fn element(self, address: usize) -> Option<usize> {
        (address >= self.first && address < self.first + self.size * self.len)
            .then(|| (address - self.first) / self.size)
    }
}

/// What a sibling is given for a parameter.
pub(crate) enum Slot<E> {
    Usize(usize),
    Float(f32),
    Elements(Buffer<E>),
    Singles(Buffer<f32>),
    I32s(Buffer<i32>),
    U32s(Buffer<u32>),
    E4m3s(Buffer<E4m3>),
    E5m2s(Buffer<E5m2>),
    E2m3s(Buffer<E2m3>),
    E3m2s(Buffer<E3m2>),
    E2m1s(Buffer<E2m1>),
    E2m1x2s(Buffer<E2m1x2>),
    Ue8m0s(Buffer<Ue8m0>),
}

/// An array of a narrow format.
fn narrow<T: Copy>(words: &[u32], of_bits: fn(u8) -> T, odd: bool) -> Buffer<T> {
    let all: Vec<T> = words.iter().map(|&x| of_bits(x as u8)).collect();
    Buffer::new(&all, of_bits(0x15), odd)
}

macro_rules! accessors {
    ($($variant:ident($of:ty) $get:ident $($get_mut:ident)?;)*) => {$(
        pub(crate) fn $get(&self) -> &[$of] {
            match self {
                Self::$variant(b) => b.get(),
                _ => unreachable!("the kernel's parameter is another one"),
            }
        }
        $(pub(crate) fn $get_mut(&mut self) -> &mut [$of] {
            match self {
                Self::$variant(b) => b.get_mut(),
                _ => unreachable!("the kernel's parameter is another one"),
            }
        })?
    )*};
    (scalar $($variant:ident($of:ty) $get:ident;)*) => {$(
        pub(crate) fn $get(&self) -> $of {
            match self {
                Self::$variant(x) => *x,
                _ => unreachable!("the kernel's parameter is another one"),
            }
        }
    )*};
}

impl<E: Float> Slot<E> {
    pub(crate) fn new(parameter: &Parameter, argument: &Argument, odd: bool) -> Self {
        if let (Argument::Slice(words), Some(format)) = (argument, parameter.stored) {
            return match format {
                "E4m3" => Self::E4m3s(narrow(words, E4m3::from_bits, odd)),
                "E5m2" => Self::E5m2s(narrow(words, E5m2::from_bits, odd)),
                "E2m3" => Self::E2m3s(narrow(words, E2m3::from_bits, odd)),
                "E3m2" => Self::E3m2s(narrow(words, E3m2::from_bits, odd)),
                "E2m1" => Self::E2m1s(narrow(words, E2m1::from_bits, odd)),
                "E2m1x2" => Self::E2m1x2s(narrow(words, E2m1x2::from_bits, odd)),
                "Ue8m0" => Self::Ue8m0s(narrow(words, Ue8m0::from_bits, odd)),
                other => panic!("`{}` is of {other}: say here what it is given", parameter.name),
            };
        }
        match (argument, parameter.ty) {
            (Argument::Scalar(x), Type::Usize) => Self::Usize(*x as usize),
            (Argument::Scalar(x), Type::Float) => Self::Float(f32::from_bits(*x as u32)),
            (Argument::Scalar(_), _) => {
                panic!("`{}` is a scalar that is neither f32 nor usize: say here what it is given", parameter.name)
            }
            (Argument::Slice(words), Type::Float) if parameter.kept => {
                let all: Vec<f32> = words.iter().map(|&x| f32::from_bits(x)).collect();
                Self::Singles(Buffer::new(&all, 77.0, odd))
            }
            (Argument::Slice(words), Type::Float) => {
                let all: Vec<E> = words.iter().map(|&x| E::of_bits(x)).collect();
                Self::Elements(Buffer::new(&all, E::of_bits(0x4D4D), odd))
            }
            (Argument::Slice(words), Type::I32) => {
                let all: Vec<i32> = words.iter().map(|&x| x as i32).collect();
                Self::I32s(Buffer::new(&all, 77, odd))
            }
            (Argument::Slice(words), _) => Self::U32s(Buffer::new(words, 77, odd)),
        }
    }

    /// Bits of what is in memory, guards and all.
    pub(crate) fn bits(&self) -> Vec<u32> {
        match self {
            Self::Elements(b) => b.bits(E::bits),
            Self::Singles(b) => b.bits(f32::to_bits),
            Self::I32s(b) => b.bits(|x| x as u32),
            Self::U32s(b) => b.bits(|x| x),
            Self::E4m3s(b) => b.bits(|x| x.to_bits().into()),
            Self::E5m2s(b) => b.bits(|x| x.to_bits().into()),
            Self::E2m3s(b) => b.bits(|x| x.to_bits().into()),
            Self::E3m2s(b) => b.bits(|x| x.to_bits().into()),
            Self::E2m1s(b) => b.bits(|x| x.to_bits().into()),
            Self::E2m1x2s(b) => b.bits(|x| x.to_bits().into()),
            Self::Ue8m0s(b) => b.bits(|x| x.to_bits().into()),
            Self::Usize(_) | Self::Float(_) => Vec::new(),
        }
    }

    /// Where it is in memory.
    pub(crate) fn place(&self) -> Option<Place> {
        match self {
            Self::Elements(b) => Some(b.place()),
            Self::Singles(b) => Some(b.place()),
            Self::I32s(b) => Some(b.place()),
            Self::U32s(b) => Some(b.place()),
            Self::E4m3s(b) => Some(b.place()),
            Self::E5m2s(b) => Some(b.place()),
            Self::E2m3s(b) => Some(b.place()),
            Self::E3m2s(b) => Some(b.place()),
            Self::E2m1s(b) => Some(b.place()),
            Self::E2m1x2s(b) => Some(b.place()),
            Self::Ue8m0s(b) => Some(b.place()),
            Self::Usize(_) | Self::Float(_) => None,
        }
    }

    accessors! {
        Elements(E) elements elements_mut;
        Singles(f32) singles singles_mut;
        I32s(i32) i32s i32s_mut;
        U32s(u32) u32s;
        E4m3s(E4m3) e4m3s e4m3s_mut;
        E5m2s(E5m2) e5m2s e5m2s_mut;
        E2m3s(E2m3) e2m3s e2m3s_mut;
        E3m2s(E3m2) e3m2s e3m2s_mut;
        E2m1s(E2m1) e2m1s e2m1s_mut;
        E2m1x2s(E2m1x2) e2m1x2s;
        Ue8m0s(Ue8m0) ue8m0s;
    }
    accessors! { scalar
        Usize(usize) usize;
        Float(f32) float;
    }
}

/// The slice of that type in a slot: elements if it is f32, or numbers of a narrow format.
macro_rules! stored {
    ($slot:ident f32) => {
        $slot.elements()
    };
    ($slot:ident E4m3) => {
        $slot.e4m3s()
    };
    ($slot:ident E5m2) => {
        $slot.e5m2s()
    };
    ($slot:ident E2m3) => {
        $slot.e2m3s()
    };
    ($slot:ident E3m2) => {
        $slot.e3m2s()
    };
    ($slot:ident E2m1) => {
        $slot.e2m1s()
    };
    ($slot:ident E2m1x2) => {
        $slot.e2m1x2s()
    };
    ($slot:ident Ue8m0) => {
        $slot.ue8m0s()
    };
    (mut $slot:ident f32) => {
        $slot.elements_mut()
    };
    (mut $slot:ident E4m3) => {
        $slot.e4m3s_mut()
    };
    (mut $slot:ident E5m2) => {
        $slot.e5m2s_mut()
    };
    (mut $slot:ident E2m3) => {
        $slot.e2m3s_mut()
    };
    (mut $slot:ident E3m2) => {
        $slot.e3m2s_mut()
    };
    (mut $slot:ident E2m1) => {
        $slot.e2m1s_mut()
    };
}
pub(crate) use stored;
