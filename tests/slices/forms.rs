//! Every slice function with one signature.

use meaning::Element;
use oracle::cvt::{self, Cvt};
use oracle::{Form, Rng, generate};
use ptxf_core::slice::{self, Splat};
use ptxf_core::spec::{FORMS, FormInfo, Type};
use ptxf_core::{
    Bf16, Bf16x2, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, F32x2, Level, S2f6x2, Tf32, Ue5m3x2, Ue8m0,
    Ue8m0x2,
};

/// The kind of call.
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
    /// The kinds of calls that the form has.
    pub calls: &'static [Call],
    pub run: Run,
}

/// Level, call, operands, and the distance of each buffer's start from a cache line in elements
/// (the output's last).
type Run = fn(Level, Call, &[&[u64]], [usize; 4]) -> Vec<u64>;

/// Number of elements before and after an output, which no call may touch.
const GUARD: usize = 70;
const GUARD_BITS: u64 = 0x5A5A_5A5A_5A5A_5A5A;

/// Elements with guards around them.
struct Buffer<T> {
    all: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Element> Buffer<T> {
    fn new(bits: &[u64], offset: usize) -> Self {
        let guard = T::from_u64(GUARD_BITS);
        let mut all = vec![guard; bits.len() + 2 * GUARD + offset + 64];
        // Counted from a cache line's beginning, so that the offset is the alignment.
        let to_line = all[GUARD..].as_ptr().align_offset(64);
        let start = GUARD + to_line + offset;
        for (x, &bits) in all[start..].iter_mut().zip(bits) {
            *x = T::from_u64(bits);
        }
        Self { all, start, len: bits.len() }
    }
    /// The output of a call.
    fn output(x: &[&[u64]], offsets: [usize; 4]) -> Self {
        Self::new(&vec![!GUARD_BITS; x[0].len()], offsets[3])
    }
    fn get(&self) -> &[T] {
        &self.all[self.start..][..self.len]
    }
    fn get_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..][..self.len]
    }
    /// Returns the elements; panics if a guard has changed.
    fn bits(&self) -> Vec<u64> {
        let guard = T::from_u64(GUARD_BITS).to_u64();
        let outside = self.all[..self.start].iter().chain(&self.all[self.start + self.len..]);
        assert!(outside.into_iter().all(|x| x.to_u64() == guard), "written outside of the output");
        self.get().iter().map(|x| x.to_u64()).collect()
    }
}

macro_rules! calls {
    ($function:ident $($assign:ident)? ($a:ident) $result:ident) => {
        |level, call, x, offsets| {
            let mut a = Buffer::<$a>::new(x[0], offsets[0]);
            let mut out = Buffer::<$result>::output(x, offsets);
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, a.get_mut()));
                    return a.bits();
                })?
                Call::SplatFirst | Call::SplatLast => {
                    slice::$function(Splat(Element::from_u64(x[0][0])), slice::at(level, out.get_mut()));
                }
                _ => slice::$function(a.get_mut() as &[_], slice::at(level, out.get_mut())),
            }
            out.bits()
        }
    };
    ($function:ident $($assign:ident)? ($a:ident $b:ident) $result:ident) => {
        |level, call, x, offsets| {
            let (mut a, b) = (Buffer::<$a>::new(x[0], offsets[0]), Buffer::<$b>::new(x[1], offsets[1]));
            let (b, mut out) = (b.get(), Buffer::<$result>::output(x, offsets));
            let d = slice::at(level, out.get_mut());
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, a.get_mut()), b);
                    return a.bits();
                })?
                Call::SplatFirst => slice::$function(Splat(Element::from_u64(x[0][0])), b, d),
                Call::SplatLast => slice::$function(a.get_mut() as &[_], Splat(Element::from_u64(x[1][0])), d),
                _ => slice::$function(a.get_mut() as &[_], b, d),
            }
            out.bits()
        }
    };
    ($function:ident $($assign:ident)? ($a:ident $b:ident $c:ident) $result:ident) => {
        |level, call, x, offsets| {
            let (mut a, b) = (Buffer::<$a>::new(x[0], offsets[0]), Buffer::<$b>::new(x[1], offsets[1]));
            let c = Buffer::<$c>::new(x[2], offsets[2]);
            let (b, c, mut out) = (b.get(), c.get(), Buffer::<$result>::output(x, offsets));
            let d = slice::at(level, out.get_mut());
            match call {
                $(Call::Assign => {
                    slice::$assign(slice::at(level, a.get_mut()), b, c);
                    return a.bits();
                })?
                Call::SplatFirst => slice::$function(Splat(Element::from_u64(x[0][0])), b, c, d),
                Call::SplatLast => slice::$function(a.get_mut() as &[_], b, Splat(Element::from_u64(x[2][0])), d),
                _ => slice::$function(a.get_mut() as &[_], b, c, d),
            }
            out.bits()
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

/// Returns the operands of element `i` in that kind of call.
pub(crate) fn operands_of<'a>(call: Call, x: &'a [&'a [u64]], i: usize) -> Vec<u64> {
    let mut operands: Vec<u64> = x.iter().map(|x| x[i]).collect();
    match call {
        Call::SplatFirst => operands[0] = x[0][0],
        Call::SplatLast => *operands.last_mut().expect("an operand") = x[x.len() - 1][0],
        Call::Into | Call::Assign => {}
    }
    operands
}

/// Random operands for a form. For conversions, often at a boundary of the result's type or next to
/// a number with few digits.
pub(crate) fn operands(form: &SliceForm, rng: &mut Rng) -> Vec<u64> {
    let n = form.info.operands.len();
    if form.info.instruction != "cvt" {
        let parsed = Form::parse(form.info.name).expect("the oracles know every form");
        return generate::registers(&parsed, n, rng);
    }
    let cvt = Cvt::parse(form.info.name).expect("the oracles know every conversion");
    let mut x = cvt::operands::registers(&cvt, cvt::operands::list(&cvt), rng);
    let ty = form.info.operands[0];
    for x in x.iter_mut().take(cvt.sources()) {
        if rng.below(2) == 0 {
            continue;
        }
        let short = u64::MAX << (rng.below(ty.lane_bits().into()));
        let near = (rng.next() & short).wrapping_add(rng.below(3)).wrapping_sub(1);
        // For f64, mostly numbers that another type has.
        let near = if ty == Type::F64 { near & !(0x7FF << 52) | (1023 - 160 + rng.below(320)) << 52 } else { near };
        *x = near & (u64::MAX >> (64 - ty.bits()));
    }
    x
}

/// Returns `true` if lanes are independent of each other and of random bits, and the result is a
/// number. Arithmetic on narrow numbers has no slice functions.
fn has_slices(form: &FormInfo) -> bool {
    match form.instruction {
        "testp" | "set" | "setp" | "selp" | "slct" => false,
        "cvt" => form.modifiers.first().is_none_or(|m| m.name != ".rs"),
        _ => form.result.lane_bits() >= 16 && form.operands.iter().all(|t| *t == form.result),
    }
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
