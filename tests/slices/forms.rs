//! Every slice function behind one signature.

use ptxf_core::slice::{self, Splat};
use ptxf_core::spec::{FORMS, FormInfo};
use ptxf_core::{Bf16, Bf16x2, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, F32x2, Level, Tf32, Ue8m0x2};
use testutil::{Form, Rng, generate};

/// An element as register bits.
pub(crate) trait Element: Copy {
    fn from_u64(bits: u64) -> Self;
    fn to_u64(self) -> u64;
}

macro_rules! elements {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Element for $ty {
            fn from_u64(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }
            fn to_u64(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

elements! {
    F16 u16; Bf16 u16; F16x2 u32; Bf16x2 u32; f32 u32; F32x2 u64; f64 u64; Tf32 u32;
    E4m3x2 u16; E5m2x2 u16; E2m3x2 u16; E3m2x2 u16; E2m1x2 u8; Ue8m0x2 u16;
}

/// Which way to call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Call {
    /// Slices in, a slice out.
    Into,
    /// The first operand is overwritten.
    Assign,
    /// The first operand is one value.
    SplatFirst,
    /// The last operand is one value.
    SplatLast,
}

/// One form.
pub(crate) struct SliceForm {
    pub info: &'static FormInfo,
    /// The ways to call it.
    pub calls: &'static [Call],
    pub run: Run,
}

/// Level, call, operands, how many elements after a cache line's beginning each buffer starts (the output's last).
type Run = fn(Level, Call, &[&[u64]], [usize; 4]) -> Vec<u64>;

/// Elements in front of and behind an output, which nothing may touch.
const GUARD: usize = 70;
const GUARD_BITS: u64 = 0x5A5A_5A5A_5A5A_5A5A;

/// Elements with room in front.
struct Buffer<T> {
    all: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Element> Buffer<T> {
    fn new(bits: &[u64], offset: usize) -> Self {
        let guard = T::from_u64(GUARD_BITS);
        let mut all = vec![guard; bits.len() + 2 * GUARD + offset + 64];
        // From a cache line's beginning, so that the offset is the alignment.
        let to_line = all[GUARD..].as_ptr().align_offset(64);
        let start = GUARD + to_line + offset;
        for (x, &bits) in all[start..].iter_mut().zip(bits) {
            *x = T::from_u64(bits);
        }
        Self { all, start, len: bits.len() }
    }
    fn get(&self) -> &[T] {
        &self.all[self.start..][..self.len]
    }
    fn get_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..][..self.len]
    }
    /// The elements, if the guards are whole.
    fn bits(&self) -> Vec<u64> {
        let guard = T::from_u64(GUARD_BITS).to_u64();
        let outside = self.all[..self.start].iter().chain(&self.all[self.start + self.len..]);
        assert!(outside.into_iter().all(|x| x.to_u64() == guard), "written outside of the output");
        self.get().iter().map(|x| x.to_u64()).collect()
    }
}

/// The buffers of a call.
struct Buffers<T, D> {
    operands: Vec<Buffer<T>>,
    out: Buffer<D>,
}

impl<T: Element, D: Element> Buffers<T, D> {
    fn new(x: &[&[u64]], offsets: [usize; 4]) -> Self {
        let operands: Vec<_> = x.iter().zip(offsets).map(|(x, offset)| Buffer::new(x, offset)).collect();
        Self { operands, out: Buffer::new(&vec![!GUARD_BITS; x[0].len()], offsets[3]) }
    }
}

macro_rules! calls {
    ($function:ident $($assign:ident)? ($ty:ident) $result:ident) => {
        |level, call, x, offsets| {
            let mut b = Buffers::<$ty, $result>::new(x, offsets);
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, b.operands[0].get_mut()));
                    return b.operands[0].bits();
                })?
                Call::SplatFirst | Call::SplatLast => {
                    slice::$function(Splat(Element::from_u64(x[0][0])), slice::at(level, b.out.get_mut()));
                }
                _ => slice::$function(b.operands[0].get(), slice::at(level, b.out.get_mut())),
            }
            b.out.bits()
        }
    };
    ($function:ident $($assign:ident)? ($ty:ident $_:ident) $result:ident) => {
        |level, call, x, offsets| {
            let mut b = Buffers::<$ty, $result>::new(x, offsets);
            let (first, rest) = b.operands.split_at_mut(1);
            let (a, c) = (first[0].get_mut(), rest[0].get());
            let out = slice::at(level, b.out.get_mut());
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, a), c);
                    return first[0].bits();
                })?
                Call::SplatFirst => slice::$function(Splat(Element::from_u64(x[0][0])), c, out),
                Call::SplatLast => slice::$function(&*a, Splat(Element::from_u64(x[1][0])), out),
                _ => slice::$function(&*a, c, out),
            }
            b.out.bits()
        }
    };
    ($function:ident $($assign:ident)? ($ty:ident $_:ident $__:ident) $result:ident) => {
        |level, call, x, offsets| {
            let mut b = Buffers::<$ty, $result>::new(x, offsets);
            let (first, rest) = b.operands.split_at_mut(1);
            let (a, c, d) = (first[0].get_mut(), rest[0].get(), rest[1].get());
            let out = slice::at(level, b.out.get_mut());
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, a), c, d);
                    return first[0].bits();
                })?
                Call::SplatFirst => slice::$function(Splat(Element::from_u64(x[0][0])), c, d, out),
                Call::SplatLast => slice::$function(&*a, c, Splat(Element::from_u64(x[2][0])), out),
                _ => slice::$function(&*a, c, d, out),
            }
            b.out.bits()
        }
    };
}

macro_rules! table {
    ($($function:ident $($assign:ident)? $form:literal ($($ty:ident)*) $result:ident;)*) => {
        vec![$(SliceForm {
            info: FORMS
                .iter()
                .find(|f| f.name == $form && f.operands.len() == [$(stringify!($ty)),*].len())
                .expect("a form of the table"),
            calls: &[Call::Into, $({ let _ = stringify!($assign); Call::Assign },)? Call::SplatFirst, Call::SplatLast],
            run: calls!($function $($assign)? ($($ty)*) $result),
        }),*]
    };
}

/// Every form that has slice functions.
pub(crate) fn all() -> Vec<SliceForm> {
    ptxf_core::for_each_slice_form!(table)
}

/// What the call has to return.
pub(crate) fn operands_of<'a>(call: Call, x: &'a [&'a [u64]], i: usize) -> Vec<u64> {
    let mut operands: Vec<u64> = x.iter().map(|x| x[i]).collect();
    match call {
        Call::SplatFirst => operands[0] = x[0][0],
        Call::SplatLast => *operands.last_mut().expect("an operand") = x[x.len() - 1][0],
        Call::Into | Call::Assign => {}
    }
    operands
}

/// Registers of operands for a form: at random, of conversions anything, and often next to a number that is short.
pub(crate) fn operands(form: &SliceForm, rng: &mut Rng) -> Vec<u64> {
    let n = form.info.operands.len();
    if form.info.instruction != "cvt" {
        let parsed = Form::parse(form.info.name).expect("the oracles know every form");
        return generate::registers(&parsed, n, rng);
    }
    let ty = form.info.operands[0];
    (0..n)
        .map(|_| {
            let short = u64::MAX << (rng.below(ty.lane_bits().into()));
            let near = (rng.next() & short).wrapping_add(rng.below(3)).wrapping_sub(1);
            // Of an f64 mostly such as another type has.
            let near =
                if ty.lane_bits() == 64 { near & !(0x7FF << 52) | (1023 - 160 + rng.below(320)) << 52 } else { near };
            let all = if ty.bits() == 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
            (if rng.below(4) == 0 { rng.next() } else { near }) & all
        })
        .collect()
}

/// Whether the lanes of a form never meet, and its result is a number of a type that slices have.
fn has_slices(form: &FormInfo) -> bool {
    let (of, to) = (form.operands[0], form.result);
    match form.instruction {
        "testp" | "set" | "setp" | "selp" | "slct" => false,
        "cvt" => {
            let scaled = form.modifiers.iter().any(|m| m.name.contains("::"));
            let rounding = form.modifiers.first().map_or("", |m| m.name);
            let alike = form.operands.iter().all(|t| *t == of);
            !scaled
                && !matches!(rounding, ".rs" | ".rna")
                && alike
                && [of, to].iter().all(|t| is_element(&t.to_string()))
        }
        _ => form.operands.iter().all(|t| *t == to),
    }
}

/// Whether slices have elements of that type.
fn is_element(ty: &str) -> bool {
    let (scalars, pairs) = (
        ["f16", "bf16", "f32", "f64", "tf32"],
        ["f16", "bf16", "f32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0"],
    );
    scalars.contains(&ty) || ty.strip_suffix("x2").is_some_and(|lane| pairs.contains(&lane))
}

#[test]
fn every_form_of_lanes_has_slice_functions() {
    let mut slices: Vec<_> = all().iter().map(|f| f.info.function).collect();
    let mut table: Vec<_> = FORMS.iter().filter(|f| has_slices(f)).map(|f| f.function).collect();
    slices.sort_unstable();
    table.sort_unstable();
    table.dedup();
    println!("{} forms", table.len());
    assert_eq!(slices, table);
}
