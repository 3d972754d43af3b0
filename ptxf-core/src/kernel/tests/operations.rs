//! Every operation of every context equals that of `Element` or `LaneInt`.

use super::super::int::for_each_int;
use super::*;

/// Calls a function, generic over an operation's type, for an operation's value.
macro_rules! known {
    ($op:ident: Op1 => $code:expr) => {
        known!(@$op Op1 op1 $code; Neg Abs Sqrt Recip Exp2 Exp Log2 Ln Sin Cos Tanh Rsqrt Floor Ceil Trunc Round RoundTiesEven Signum Fract Tan Asin Acos Atan Sinh Cosh Log10 ToDegrees ToRadians)
    };
    ($op:ident: Op2 => $code:expr) => { known!(@$op Op2 op2 $code; Add Sub Mul Div Min Max CopySign Atan2 Powf Hypot) };
    ($op:ident: Cmp => $code:expr) => { known!(@$op Cmp cmp $code; Lt Le Gt Ge Eq Ne) };
    (@$op:ident $all:ident $module:ident $code:expr; $($name:ident)*) => {
        match $op {
            $($all::$name => {
                let $op = $module::$name;
                $code
            })*
        }
    };
}

/// An operation on elements, chosen at run time.
#[derive(Clone, Copy, Debug)]
enum OfE {
    One(Op1),
    Two(Op2),
    Fma,
    /// Operations whose NaNs may be any NaN, made canonical at the end, also of such operands.
    TwoAny(Op2),
    FmaAny,
    OfAny(Op2),
    Compare(Cmp),
    Composed(Composed),
    Widen,
    Narrow,
    FromInt,
    FromSize,
}

/// An operation on f32 or integers.
#[derive(Clone, Copy, Debug)]
enum OfK {
    One(Op1),
    Two(Op2),
    Fma,
    TwoAny(Op2),
    FmaAny,
    OfAny(Op2),
    Compare(Cmp),
    Composed(Composed),
    Int(IntOp),
    Int1(IntOp1),
    IntClamp,
    IntCompare(Cmp),
    FromInt,
    ToInt,
    ToU32,
    ToSize,
}

/// An operation that contexts compose of others.
#[derive(Clone, Copy, Debug)]
enum Composed {
    Nan,
    Finite,
    Infinite,
    Clamp,
    Power(i32),
}

impl Composed {
    fn one<E: Element>(self, a: E, b: E, c: E) -> E {
        let choose = |yes: bool| if yes { b } else { c };
        match self {
            Self::Nan => choose(E::is_nan(a)),
            Self::Finite => choose(E::is_finite(a)),
            Self::Infinite => choose(E::is_infinite(a)),
            Self::Clamp => E::clamp(a, b, c),
            Self::Power(n) => E::powi(a, n),
        }
    }

    fn run<K: FloatValue<C>, C: Ctx>(self, cx: C, a: C::V<K>, b: C::V<K>, c: C::V<K>) -> C::V<K> {
        match self {
            Self::Nan => cx.select::<K>(cx.is_nan::<K>(a), b, c),
            Self::Finite => cx.select::<K>(cx.is_finite::<K>(a), b, c),
            Self::Infinite => cx.select::<K>(cx.is_infinite::<K>(a), b, c),
            Self::Clamp => cx.clamp::<K>(a, b, c),
            Self::Power(n) => cx.powi::<K>(a, n),
        }
    }
}

/// An operation with operands of each type; the result is in one of the buffers.
struct Operation<'a, O, E> {
    what: O,
    e: [In<'a, E>; 3],
    k: [In<'a, f32>; 3],
    int: [In<'a, i32>; 2],
    to_e: Out<'a, E>,
    to_k: Out<'a, f32>,
    to_int: Out<'a, i32>,
}

impl<O: Copy, E> Clone for Operation<'_, O, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<O: Copy, E> Copy for Operation<'_, O, E> {}

// SAFETY: a thread accesses and writes only elements at its own index; `aligned` checks every slice
// of elements.
unsafe impl<E: Element> Body for Operation<'_, OfE, E> {
    type Elem = E;
    const NAME: &'static str = "operation";
    const AXES: usize = 1;

    #[inline(never)]
    fn one(&self, at: At) {
        let t = at.x.0;
        let ([a, b, c], k, int) = (self.e.map(|x| x.get(t)), self.k[0].get(t), self.int[0].get(t));
        let d = match self.what {
            OfE::One(op) => E::op1(op, a),
            OfE::Two(op) => E::op2(op, a, b),
            OfE::Fma | OfE::FmaAny => E::fma(a, b, c),
            OfE::TwoAny(op) => E::op2(op, a, b),
            OfE::OfAny(op) => E::op2(Op2::Mul, E::op2(op, a, b), c),
            OfE::Compare(op) => {
                if E::cmp(op, a, b) {
                    a
                } else {
                    c
                }
            }
            OfE::Composed(what) => what.one(a, b, c),
            OfE::Widen => return self.to_k.set(t, a.widen()),
            OfE::Narrow => E::cvt_rn(k),
            OfE::FromInt => E::from_int(int),
            OfE::FromSize => E::from_int(int as usize),
        };
        self.to_e.set(t, d);
    }

    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::Mask {
        x.mask(cx)
    }

    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let t = at.x;
        let [a, b, c] = self.e.map(|x| cx.load::<InElement, _>(x, t, Parity::Even, m));
        let (k, int) = (
            cx.load::<InF32, _>(self.k[0], t, Parity::Unknown, m),
            cx.load::<i32, _>(self.int[0], t, Parity::Unknown, m),
        );
        let d = match self.what {
            OfE::One(op) => known!(op: Op1 => cx.op1::<InElement, _>(op, a)),
            OfE::Two(op) => known!(op: Op2 => cx.op2::<InElement, _>(op, a, b)),
            OfE::Fma => cx.fma::<InElement>(a, b, c),
            OfE::FmaAny => cx.canonical::<InElement>(cx.fma_any::<InElement>(a, b, c)),
            OfE::TwoAny(op) => cx.canonical::<InElement>(known!(op: Op2 => cx.op2_any::<InElement, _>(op, a, b))),
            OfE::OfAny(op) => {
                let any = known!(op: Op2 => cx.op2_any::<InElement, _>(op, a, b));
                cx.op2::<InElement, _>(op2::Mul, any, c)
            }
            OfE::Compare(op) => cx.select::<InElement>(known!(op: Cmp => cx.compare::<InElement, _>(op, a, b)), a, c),
            OfE::Composed(what) => what.run::<InElement, C>(cx, a, b, c),
            OfE::Widen => return cx.store::<InF32, _>(self.to_k, t, Parity::Unknown, m, cx.widen(a)),
            OfE::Narrow => cx.cvt_rn(k),
            OfE::FromInt => cx.int_to_float::<InElement, i32>(int),
            OfE::FromSize => cx.int_to_float::<InElement, usize>(cx.int_cast::<i32, usize>(int)),
        };
        cx.store::<InElement, _>(self.to_e, t, Parity::Even, m, d);
    }

    fn aligned(&self) -> bool {
        self.to_e.begins_aligned_to::<E::Pair>() && self.e.iter().all(|x| x.begins_aligned_to::<E::Pair>())
    }
}

// SAFETY: a thread writes at its own index; the body states no alignment.
unsafe impl Body for Operation<'_, OfK, F16> {
    type Elem = F16;
    const NAME: &'static str = "operation";
    const AXES: usize = 1;

    #[inline(never)]
    fn one(&self, at: At) {
        let t = at.x.0;
        let ([a, b, c], [i, j]) = (self.k.map(|x| x.get(t)), self.int.map(|x| x.get(t)));
        let int = match self.what {
            OfK::One(op) => return self.to_k.set(t, f32::op1(op, a)),
            OfK::Two(op) => return self.to_k.set(t, f32::op2(op, a, b)),
            OfK::Fma | OfK::FmaAny => return self.to_k.set(t, f32::fma(a, b, c)),
            OfK::TwoAny(op) => return self.to_k.set(t, f32::op2(op, a, b)),
            OfK::OfAny(op) => return self.to_k.set(t, f32::op2(Op2::Mul, f32::op2(op, a, b), c)),
            OfK::Compare(op) => return self.to_k.set(t, if f32::cmp(op, a, b) { a } else { c }),
            OfK::Composed(what) => return self.to_k.set(t, what.one(a, b, c)),
            OfK::FromInt => return self.to_k.set(t, i.to_f32()),
            OfK::Int(op) => i32::op2(op, i, j),
            OfK::Int1(op) => i32::op1(op, i),
            OfK::IntClamp => <i32 as Scalar>::clamp(i, -1, j),
            OfK::IntCompare(op) => {
                if <i32 as Scalar>::cmp(op, i, j) {
                    i
                } else {
                    7
                }
            }
            OfK::ToInt => i32::from_f32(a),
            OfK::ToU32 => u32::from_f32(a) as i32,
            OfK::ToSize => usize::from_f32(a) as i32,
        };
        self.to_int.set(t, int);
    }

    fn guard<C: Ctx<Elem = F16>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::Mask {
        x.mask(cx)
    }

    fn run<C: Ctx<Elem = F16>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let t = at.x;
        let ([a, b, c], [i, j]) = (
            self.k.map(|x| cx.load::<InF32, _>(x, t, Parity::Unknown, m)),
            self.int.map(|x| cx.load::<i32, _>(x, t, Parity::Unknown, m)),
        );
        let k = match self.what {
            OfK::One(op) => known!(op: Op1 => cx.op1::<InF32, _>(op, a)),
            OfK::Two(op) => known!(op: Op2 => cx.op2::<InF32, _>(op, a, b)),
            OfK::Fma => cx.fma::<InF32>(a, b, c),
            OfK::FmaAny => cx.canonical::<InF32>(cx.fma_any::<InF32>(a, b, c)),
            OfK::TwoAny(op) => cx.canonical::<InF32>(known!(op: Op2 => cx.op2_any::<InF32, _>(op, a, b))),
            OfK::OfAny(op) => {
                let any = known!(op: Op2 => cx.op2_any::<InF32, _>(op, a, b));
                cx.op2::<InF32, _>(op2::Mul, any, c)
            }
            OfK::Compare(op) => cx.select::<InF32>(known!(op: Cmp => cx.compare::<InF32, _>(op, a, b)), a, c),
            OfK::Composed(what) => what.run::<InF32, C>(cx, a, b, c),
            OfK::FromInt => cx.int_to_float::<InF32, i32>(i),
            _ => {
                let int = match self.what {
                    OfK::Int(op) => cx.int_op::<i32>(op, i, j, m.mask(cx)),
                    OfK::Int1(op) => cx.int_op1::<i32>(op, i),
                    OfK::IntClamp => cx.clamp::<i32>(i, cx.splat::<i32>(-1), j),
                    OfK::IntCompare(op) => {
                        cx.select::<i32>(known!(op: Cmp => cx.compare::<i32, _>(op, i, j)), i, cx.splat::<i32>(7))
                    }
                    OfK::ToInt => cx.float_to_int::<i32>(a),
                    OfK::ToU32 => cx.int_cast::<u32, i32>(cx.float_to_int::<u32>(a)),
                    _ => cx.int_cast::<usize, i32>(cx.float_to_int::<usize>(a)),
                };
                return cx.store::<i32, _>(self.to_int, t, Parity::Unknown, m, int);
            }
        };
        cx.store::<InF32, _>(self.to_k, t, Parity::Unknown, m, k);
    }

    fn aligned(&self) -> bool {
        false
    }
}

const OP1: [Op1; 28] = [
    Op1::Neg,
    Op1::Abs,
    Op1::Sqrt,
    Op1::Recip,
    Op1::Exp2,
    Op1::Exp,
    Op1::Log2,
    Op1::Ln,
    Op1::Sin,
    Op1::Cos,
    Op1::Tanh,
    Op1::Rsqrt,
    Op1::Floor,
    Op1::Ceil,
    Op1::Trunc,
    Op1::Round,
    Op1::RoundTiesEven,
    Op1::Signum,
    Op1::Fract,
    Op1::Tan,
    Op1::Asin,
    Op1::Acos,
    Op1::Atan,
    Op1::Sinh,
    Op1::Cosh,
    Op1::Log10,
    Op1::ToDegrees,
    Op1::ToRadians,
];
const OP2: [Op2; 10] =
    [Op2::Add, Op2::Sub, Op2::Mul, Op2::Div, Op2::Min, Op2::Max, Op2::CopySign, Op2::Atan2, Op2::Powf, Op2::Hypot];
/// Lists the operations that have a version with any NaN.
const ANY: [Op2; 4] = [Op2::Add, Op2::Sub, Op2::Mul, Op2::Div];
const CMP: [Cmp; 6] = [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge, Cmp::Eq, Cmp::Ne];
const INT: [IntOp; 21] = [
    IntOp::Add,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::Div,
    IntOp::Rem,
    IntOp::DivEuclid,
    IntOp::RemEuclid,
    IntOp::DivCeil,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::Shl,
    IntOp::Shr,
    IntOp::Min,
    IntOp::Max,
    IntOp::AbsDiff,
    IntOp::SaturatingAdd,
    IntOp::SaturatingSub,
    IntOp::Pow,
    IntOp::RotateLeft,
    IntOp::RotateRight,
];
const INT1: [IntOp1; 6] =
    [IntOp1::Abs, IntOp1::Signum, IntOp1::CountOnes, IntOp1::LeadingZeros, IntOp1::TrailingZeros, IntOp1::ReverseBits];
/// Lists the operations that contexts compose of others.
const COMPOSED: [Composed; 7] = [
    Composed::Nan,
    Composed::Finite,
    Composed::Infinite,
    Composed::Clamp,
    Composed::Power(3),
    Composed::Power(-2),
    Composed::Power(0),
];

/// Runs operations on the operands in every version.
fn same<'a, O: Copy + Debug, E: Bits>(
    what: impl IntoIterator<Item = O>,
    e: [&'a [E]; 3],
    k: [&'a [f32]; 3],
    int: [&'a [i32]; 2],
) where
    for<'b> Operation<'b, O, E>: Body,
{
    let n = e[0].len().min(k[0].len()).min(int[0].len());
    for what in what {
        let run = |way: Way| {
            let (mut to_e, mut to_k, mut to_int) = (std::vec![E::default(); n], std::vec![0.0; n], std::vec![0; n]);
            let body = Operation {
                what,
                e: e.map(In::from),
                k: k.map(In::from),
                int: int.map(In::from),
                to_e: output(&mut to_e[..]),
                to_k: output(&mut to_k[..]),
                to_int: output(&mut to_int[..]),
            };
            way.launch(n.into(), body);
            (to_e, to_k, to_int)
        };
        let want = run(Way::One);
        for way in ways() {
            let seen = run(way);
            for i in 0..n {
                let bits = |x: &(Vec<E>, Vec<f32>, Vec<i32>)| (x.0[i].bits(), x.1[i].to_bits(), x.2[i]);
                let operands = (e.map(|x| x.get(i)), k.map(|x| x.get(i)), int.map(|x| x.get(i)));
                assert_eq!(bits(&seen), bits(&want), "{what:?} of {operands:?}, {way:?}");
            }
        }
    }
}

/// Returns pseudo-random numbers.
fn mixed(i: usize) -> u32 {
    (i as u32 ^ (i as u32) << 15).wrapping_mul(0x9E37_79B1) ^ (i as u32).wrapping_mul(0x85EB_CA6B) >> 13
}

/// Returns f32 values at ties of the 16-bit formats and next to them.
fn singles() -> Vec<f32> {
    let near = |i: u32| {
        let x = i << 16;
        [x, x | mixed(i as usize) & 0xFFFF, x | 0x8000, x | 0x8001, x | 0x1000, x | 0x0FFF, x | 0x3000][i as usize % 7]
    };
    (0..1 << 16).map(near).map(f32::from_bits).collect()
}

fn integers() -> Vec<i32> {
    (0..1 << 16).map(|i| (mixed(i) as i32) >> (i % 32)).collect()
}

/// Returns all 65,536 operands of the 16-bit types, and as many of f32.
fn unary<E: Bits>() {
    let bits = |i: u32| if E::WIDTH == 16 { i } else { i << 16 | mixed(i as usize) & 0xFFFF };
    let e: Vec<E> = (0..1 << 16).map(bits).map(E::of).collect();
    let (k, int) = (singles(), integers());
    let what = OP1.map(OfE::One).into_iter().chain([OfE::Widen, OfE::Narrow, OfE::FromInt, OfE::FromSize]);
    same(what, [&e; 3], [&k; 3], [&int; 2]);
}

/// Returns combinations of operands of all kinds, with all pairs of the first two.
fn combined<T: Copy>(x: &[T], n: usize) -> [Vec<T>; 3] {
    let all = |f: &dyn Fn(usize) -> usize| (0..n).map(|i| x[f(i) % x.len()]).collect();
    [all(&|i| i), all(&|i| i / x.len()), all(&|i| mixed(i) as usize)]
}

fn binary<E: Bits>() {
    let kinds = kinds::<E>();
    let n = kinds.len() * kinds.len() * 3;
    let [a, b, c] = combined(&kinds, n);
    let (k, int) = (std::vec![0.0; n], std::vec![0; n]);
    let what =
        OP2.map(OfE::Two).into_iter().chain(CMP.map(OfE::Compare)).chain([OfE::Fma]).chain(COMPOSED.map(OfE::Composed));
    let what = what.chain(ANY.map(OfE::TwoAny)).chain(ANY.map(OfE::OfAny)).chain([OfE::FmaAny]);
    same(what, [&a, &b, &c], [&k; 3], [&int; 2]);
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn operations_of_one_element_are_the_scalar_ones() {
    unary::<F16>();
    unary::<Bf16>();
    unary::<f32>();
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn operations_of_more_elements_are_the_scalar_ones() {
    binary::<F16>();
    binary::<Bf16>();
    binary::<f32>();
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn operations_of_f32_are_the_scalar_ones() {
    let (k, int) = (singles(), integers());
    let e = std::vec![F16::ZERO; k.len()];
    let what = OP1.map(OfK::One).into_iter().chain([OfK::FromInt, OfK::ToInt, OfK::ToU32, OfK::ToSize]);
    same(what, [&e; 3], [&k; 3], [&int; 2]);
    let kinds = kinds::<f32>();
    let n = kinds.len() * kinds.len() * 3;
    let [a, b, c] = combined(&kinds, n);
    let what =
        OP2.map(OfK::Two).into_iter().chain(CMP.map(OfK::Compare)).chain([OfK::Fma]).chain(COMPOSED.map(OfK::Composed));
    let what = what.chain(ANY.map(OfK::TwoAny)).chain(ANY.map(OfK::OfAny)).chain([OfK::FmaAny]);
    same(what, [&e; 3], [&a, &b, &c], [&int; 2]);
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn operations_of_integers_are_the_scalar_ones() {
    let ints = [0, 1, -1, 2, -7, 31, 33, 100, i32::MAX, i32::MIN, 65_536];
    let [a, b, _] = combined(&ints, 3 * 121);
    let (e, k) = (std::vec![F16::ZERO; a.len()], std::vec![0.0; a.len()]);
    let (partial, total): (Vec<_>, _) = INT.into_iter().partition(|op| op.divides());
    let total = total.into_iter().map(OfK::Int).chain(INT1.map(OfK::Int1)).chain([OfK::IntClamp]);
    let what = total.chain(CMP.map(OfK::IntCompare));
    same(what, [&e; 3], [&k; 3], [&a, &b]);
    let nonzero: Vec<i32> = b.iter().map(|b| if *b == 0 { 3 } else { *b }).collect();
    same(partial.into_iter().map(OfK::Int), [&e; 3], [&k; 3], [&a, &nonzero]);
}

/// Checks that the reference functions round once.
#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn elements_round_once() {
    let integers = (0..200_000).map(|i| u64::from(mixed(i)) << 32 >> (i % 64) | u64::from(mixed(i + 1)) >> (i % 32));
    for x in integers.chain((0..64).flat_map(|k| [1 << k, (1 << k) - 1, (1 << k) + 1])) {
        let exact = |x: i128| {
            use crate::modifiers::Round;
            // Rounded to odd, with more bits than any rounding uses.
            let magnitude = x.unsigned_abs();
            let shift = magnitude.checked_ilog2().unwrap_or(0).saturating_sub(52);
            let odd = (magnitude >> shift) as u64 | u64::from(magnitude & ((1 << shift) - 1) != 0);
            let wide = odd as f64 * 2.0_f64.powi(shift as i32) * if x < 0 { -1.0 } else { 1.0 };
            (F16::from_f64_r(Round::Rn, wide).to_bits(), Bf16::from_f64_r(Round::Rn, wide).to_bits())
        };
        let halves = |a: F16, b: Bf16| (a.to_bits(), b.to_bits());
        macro_rules! each {
            ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
                let int = x as $ty;
                assert_eq!(halves(F16::from_int(int), Bf16::from_int(int)), exact(int as i128), "{int}");
            )*};
        }
        for_each_int! { each }
    }
    assert_eq!(F16::op2(Op2::Div, F16::ONE, F16::of(0x4200)).to_bits(), 0x3555);
    assert_eq!(f32::NAN.to_int::<i32>(), 0);
    assert_eq!((F16::INFINITY.to_int::<i32>(), Bf16::of(0xC049).to_int::<i32>()), (i32::MAX, -3));
    assert_eq!(f32::literal(0x3F80_0000, 0, 0), 1.0);
    assert_eq!((F16::literal(0, 0x3C00, 0), Bf16::literal(0, 0, 0x3F80)), (F16::ONE, Bf16::ONE));
}
