//! Every operation of every context is that of `Element` and `LaneInt`.

use super::*;

/// One operation, by its name at run time.
#[derive(Clone, Copy, Debug)]
enum Do {
    E1(Op1),
    E2(Op2),
    Fma,
    Compare(Cmp),
    WidenAndBack,
    Widen,
    Narrow,
    K1(Op1),
    K2(Op2),
    KFma,
    KCompare(Cmp),
    Int(IntOp),
    IntCompare(Cmp),
    FromInt,
    FromSize,
    IntToK,
    KToInt,
    KToU32,
    KToSize,
}

/// It on three operands of each type; the result is in one of the buffers.
#[derive(Clone, Copy)]
struct Operation<'a, E> {
    what: Do,
    e: [In<'a, E>; 3],
    k: [In<'a, f32>; 3],
    int: [In<'a, i32>; 2],
    to_e: Out<'a, E>,
    to_k: Out<'a, f32>,
    to_int: Out<'a, i32>,
}

impl<E: Element> Body for Operation<'_, E> {
    type Elem = E;

    #[inline(never)]
    fn one(&self, at: At) {
        let t = at.x.0;
        let e = || self.e.map(|x| x.get(t));
        let k = || self.k.map(|x| x.get(t));
        let int = || self.int.map(|x| x.get(t));
        match self.what {
            Do::E1(op) => self.to_e.set(t, E::op1(op, e()[0])),
            Do::E2(op) => self.to_e.set(t, E::op2(op, e()[0], e()[1])),
            Do::Fma => self.to_e.set(t, E::fma(e()[0], e()[1], e()[2])),
            Do::Compare(op) => self.to_e.set(t, if E::cmp(op, e()[0], e()[1]) { e()[0] } else { e()[2] }),
            Do::WidenAndBack => self.to_e.set(t, E::cvt_rn(e()[0].widen())),
            Do::Widen => self.to_k.set(t, e()[0].widen()),
            Do::Narrow => self.to_e.set(t, E::cvt_rn(k()[0])),
            Do::K1(op) => self.to_k.set(t, f32::op1(op, k()[0])),
            Do::K2(op) => self.to_k.set(t, f32::op2(op, k()[0], k()[1])),
            Do::KFma => self.to_k.set(t, f32::fma(k()[0], k()[1], k()[2])),
            Do::KCompare(op) => self.to_k.set(t, if f32::cmp(op, k()[0], k()[1]) { k()[0] } else { k()[2] }),
            Do::Int(op) => self.to_int.set(t, i32::op2(op, int()[0], int()[1])),
            Do::IntCompare(op) => {
                self.to_int.set(t, if <i32 as LaneInt>::cmp(op, int()[0], int()[1]) { int()[0] } else { 7 })
            }
            Do::FromInt => self.to_e.set(t, E::from_int(int()[0])),
            Do::FromSize => self.to_e.set(t, E::from_int(int()[0] as usize)),
            Do::IntToK => self.to_k.set(t, int()[0].to_f32()),
            Do::KToInt => self.to_int.set(t, i32::from_f32(k()[0])),
            Do::KToU32 => self.to_int.set(t, u32::from_f32(k()[0]) as i32),
            Do::KToSize => self.to_int.set(t, usize::from_f32(k()[0]) as i32),
        }
    }

    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::M {
        x.mask(cx)
    }

    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let t = at.x;
        let e = || self.e.map(|x| cx.load_e(x, t, Parity::Even, m));
        let k = || self.k.map(|x| cx.load_k(x, t, m));
        let int = || self.int.map(|x| cx.load_int(x, t, m));
        let to_e = |x| cx.store_e(self.to_e, t, Parity::Even, m, x);
        let to_k = |x| cx.store_k(self.to_k, t, m, x);
        let to_int = |x| cx.store_int(self.to_int, t, m, x);
        match self.what {
            Do::E1(op) => to_e(cx.e1(op, e()[0])),
            Do::E2(op) => to_e(cx.e2(op, e()[0], e()[1])),
            Do::Fma => to_e(cx.e_fma(e()[0], e()[1], e()[2])),
            Do::Compare(op) => to_e(cx.e_select(cx.e_cmp(op, e()[0], e()[1]), e()[0], e()[2])),
            Do::WidenAndBack => to_e(cx.cvt_rn(cx.widen(e()[0]))),
            Do::Widen => to_k(cx.widen(e()[0])),
            Do::Narrow => to_e(cx.cvt_rn(k()[0])),
            Do::K1(op) => to_k(cx.k1(op, k()[0])),
            Do::K2(op) => to_k(cx.k2(op, k()[0], k()[1])),
            Do::KFma => to_k(cx.k_fma(k()[0], k()[1], k()[2])),
            Do::KCompare(op) => to_k(cx.k_select(cx.k_cmp(op, k()[0], k()[1]), k()[0], k()[2])),
            Do::Int(op) => to_int(cx.int2(op, int()[0], int()[1], m.mask(cx))),
            Do::IntCompare(op) => {
                to_int(cx.int_select(cx.int_cmp(op, int()[0], int()[1]), int()[0], cx.splat_int(7)));
            }
            Do::FromInt => to_e(cx.int_to_e(int()[0])),
            Do::FromSize => to_e(cx.int_to_e(cx.int_as::<i32, usize>(int()[0]))),
            Do::IntToK => to_k(cx.int_to_k(int()[0])),
            Do::KToInt => to_int(cx.k_to_int(k()[0])),
            Do::KToU32 => to_int(cx.int_as::<u32, i32>(cx.k_to_int(k()[0]))),
            Do::KToSize => to_int(cx.int_as::<usize, i32>(cx.k_to_int(k()[0]))),
        }
    }

    fn aligned(&self) -> bool {
        self.to_e.begins_aligned_to::<E::Pair>() && self.e.iter().all(|x| x.begins_aligned_to::<E::Pair>())
    }
}

const OP1: [Op1; 11] =
    [Op1::Neg, Op1::Abs, Op1::Sqrt, Op1::Recip, Op1::Exp2, Op1::Exp, Op1::Log2, Op1::Ln, Op1::Sin, Op1::Cos, Op1::Tanh];
const OP2: [Op2; 6] = [Op2::Add, Op2::Sub, Op2::Mul, Op2::Div, Op2::Min, Op2::Max];
const CMP: [Cmp; 6] = [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge, Cmp::Eq, Cmp::Ne];
const INT: [IntOp; 12] = [
    IntOp::Add,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::Div,
    IntOp::Rem,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::Shl,
    IntOp::Shr,
    IntOp::Min,
    IntOp::Max,
];

/// Runs operations on the operands in every way.
fn same<E: Bits>(what: impl IntoIterator<Item = Do>, e: &[Vec<E>; 3], k: &[Vec<f32>; 3], int: &[Vec<i32>; 2]) {
    let n = e[0].len();
    for what in what {
        let run = |way: Way| {
            let (mut to_e, mut to_k, mut to_int) = (std::vec![E::default(); n], std::vec![0.0; n], std::vec![0; n]);
            let body = Operation {
                what,
                e: e.each_ref().map(|x| In::from(&x[..])),
                k: k.each_ref().map(|x| In::from(&x[..])),
                int: int.each_ref().map(|x| In::from(&x[..])),
                to_e: (&mut to_e[..]).into(),
                to_k: (&mut to_k[..]).into(),
                to_int: (&mut to_int[..]).into(),
            };
            way.launch(n.into(), body);
            (to_e, to_k, to_int)
        };
        let want = run(Way::One);
        for way in ways() {
            let seen = run(way);
            for i in 0..n {
                let bits = |x: &(Vec<E>, Vec<f32>, Vec<i32>)| (x.0[i].bits(), x.1[i].to_bits(), x.2[i]);
                let operands = (e.each_ref().map(|x| x[i]), k.each_ref().map(|x| x[i]), int.each_ref().map(|x| x[i]));
                assert_eq!(bits(&seen), bits(&want), "{what:?} of {operands:?}, {way:?}");
            }
        }
    }
}

/// Numbers without an order in them.
fn mixed(i: usize) -> u32 {
    (i as u32 ^ (i as u32) << 15).wrapping_mul(0x9E37_79B1) ^ (i as u32).wrapping_mul(0x85EB_CA6B) >> 13
}

/// All 65,536 operands of the 16-bit types, as many of f32.
fn unary<E: Bits>() {
    let n = 1 << 16;
    let e: Vec<E> =
        (0..n).map(|i| E::of(if E::WIDTH == 16 { i as u32 } else { (i as u32) << 16 | mixed(i) & 0xFFFF })).collect();
    // Beside ties and on them.
    let k: Vec<f32> = (0..n)
        .map(|i| {
            let x = (i as u32) << 16;
            f32::from_bits(
                [x, x | mixed(i) & 0xFFFF, x | 0x8000, x | 0x8001, x | 0x1000, x | 0x0FFF, x | 0x3000][i % 7],
            )
        })
        .collect();
    let int: Vec<i32> = (0..n).map(|i| (mixed(i) as i32) >> (i % 32)).collect();
    let what = OP1.map(Do::E1).into_iter().chain([
        Do::WidenAndBack,
        Do::Widen,
        Do::Narrow,
        Do::FromInt,
        Do::FromSize,
        Do::IntToK,
        Do::KToInt,
        Do::KToU32,
        Do::KToSize,
    ]);
    same(what.chain(OP1.map(Do::K1)), &[e.clone(), e.clone(), e], &[k.clone(), k.clone(), k], &[int.clone(), int]);
}

/// Operands of all kinds with each other.
fn binary<E: Bits>() {
    let (e, k) = (kinds::<E>(), kinds::<f32>());
    let n = e.len() * k.len() * 3;
    let at = |i: usize, j: u32| (i / e.len().pow(j)) % e.len();
    let of_e = |j: u32| (0..n).map(|i| if j < 2 { e[at(i, j)] } else { e[mixed(i) as usize % e.len()] }).collect();
    let of_k = |j: u32| (0..n).map(|i| if j < 2 { k[at(i, j)] } else { k[mixed(i) as usize % k.len()] }).collect();
    let ints = [0, 1, -1, 2, -7, 31, 33, 100, i32::MAX, i32::MIN, 65_536];
    let a = (0..n).map(|i| ints[i % ints.len()]).collect();
    let b: Vec<i32> = (0..n).map(|i| ints[i / ints.len() % ints.len()]).collect();
    let nonzero: Vec<i32> = b.iter().map(|b| if *b == 0 { 3 } else { *b }).collect();
    let what = OP2.map(Do::E2).into_iter().chain(CMP.map(Do::Compare)).chain(OP2.map(Do::K2));
    let what = what.chain(CMP.map(Do::KCompare)).chain(CMP.map(Do::IntCompare)).chain([Do::Fma, Do::KFma]);
    let (e, k) = ([0, 1, 2].map(of_e), [0, 1, 2].map(of_k));
    let total = INT.into_iter().filter(|op| !PARTIAL.contains(op)).map(Do::Int);
    let a: Vec<i32> = a;
    same(what.chain(total), &e, &k, &[a.clone(), b]);
    same(PARTIAL.map(Do::Int), &e, &k, &[a, nonzero]);
}

/// Those without a result for some operands.
const PARTIAL: [IntOp; 2] = [IntOp::Div, IntOp::Rem];

#[test]
fn operations_of_one_operand_are_elements() {
    unary::<F16>();
    unary::<Bf16>();
    unary::<f32>();
}

#[test]
fn operations_of_more_operands_are_elements() {
    binary::<F16>();
    binary::<Bf16>();
    binary::<f32>();
}

/// The functions that all else is compared with round once.
#[test]
fn elements_round_once() {
    let integers = (0..200_000).map(|i| u64::from(mixed(i)) << 32 >> (i % 64) | u64::from(mixed(i + 1)) >> (i % 32));
    for x in integers.chain((0..64).flat_map(|k| [1 << k, (1 << k) - 1, (1 << k) + 1])) {
        let exact = |x: i128| {
            use crate::modifiers::Round;
            // To odd, in more bits than any rounding looks at.
            let magnitude = x.unsigned_abs();
            let shift = magnitude.checked_ilog2().unwrap_or(0).saturating_sub(52);
            let odd = (magnitude >> shift) as u64 | u64::from(magnitude & ((1 << shift) - 1) != 0);
            let wide = odd as f64 * 2.0_f64.powi(shift as i32) * if x < 0 { -1.0 } else { 1.0 };
            (F16::from_f64_r(Round::Rn, wide).to_bits(), Bf16::from_f64_r(Round::Rn, wide).to_bits())
        };
        let halves = |a: F16, b: Bf16| (a.to_bits(), b.to_bits());
        let (size, word, int) = (x as usize, x as u32, x as i32);
        assert_eq!(halves(F16::from_int(size), Bf16::from_int(size)), exact(size as i128), "{size}");
        assert_eq!(halves(F16::from_int(word), Bf16::from_int(word)), exact(word.into()), "{word}");
        assert_eq!(halves(F16::from_int(int), Bf16::from_int(int)), exact(int.into()), "{int}");
    }
    assert_eq!(F16::op2(Op2::Div, F16::ONE, F16::of(0x4200)).to_bits(), 0x3555);
    assert_eq!(f32::NAN.to_int::<i32>(), 0);
    assert_eq!((F16::INFINITY.to_int::<i32>(), Bf16::of(0xC049).to_int::<i32>()), (i32::MAX, -3));
    assert_eq!(f32::literal(0x3F80_0000, 0, 0), 1.0);
    assert_eq!((F16::literal(0, 0x3C00, 0), Bf16::literal(0, 0, 0x3F80)), (F16::ONE, Bf16::ONE));
}
