//! Operators are the `.rn` instructions, for values, references and assignment.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2};

use super::support::{Random, all_bits, edges};

macro_rules! check {
    ($test:ident $ty:ident $bits:ident $sign:literal) => {
        #[test]
        fn $test() {
            let mut random = Random(3);
            let edges: Vec<_> = edges().map(|x| x as $bits).map(|x| x << ($bits::BITS - 16) | x).collect();
            let random = (0..5_000).map(|_| [(); 3].map(|()| random.next() as $bits));
            let edges = edges.iter().flat_map(|&a| edges.iter().map(move |&b| [a, b, a]));
            for [a, b, c] in random.chain(edges).map(|x| x.map($ty::from_bits)) {
                macro_rules! forms {
                    ($op:tt $assign:tt $method:ident) => {{
                        let want = a.$method(b).to_bits();
                        assert_eq!((a $op b).to_bits(), want);
                        assert_eq!((&a $op b).to_bits(), want);
                        assert_eq!((a $op &b).to_bits(), want);
                        assert_eq!((&a $op &b).to_bits(), want);
                        let mut x = a;
                        x $assign b;
                        assert_eq!(x.to_bits(), want);
                        let mut x = a;
                        x $assign &b;
                        assert_eq!(x.to_bits(), want);
                    }};
                }
                forms!(+ += add_rn);
                forms!(- -= sub_rn);
                forms!(* *= mul_rn);
                assert_eq!((-a).to_bits(), a.to_bits() ^ $sign);
                assert_eq!((-&a).to_bits(), a.to_bits() ^ $sign);
                assert_eq!(a.mul_add(b, c).to_bits(), a.fma_rn(b, c).to_bits());

                let all = [a, b, c];
                let sum = $ty::NEG_ZERO.add_rn(a).add_rn(b).add_rn(c);
                assert_eq!(all.iter().sum::<$ty>().to_bits(), sum.to_bits());
                assert_eq!(all.into_iter().sum::<$ty>().to_bits(), sum.to_bits());
                let product = $ty::ONE.mul_rn(a).mul_rn(b).mul_rn(c);
                assert_eq!(all.iter().product::<$ty>().to_bits(), product.to_bits());
                assert_eq!(all.into_iter().product::<$ty>().to_bits(), product.to_bits());
            }
            assert_eq!([$ty::NEG_ZERO].iter().sum::<$ty>().to_bits(), $sign);
            assert_eq!([$ty::NEG_ZERO, $ty::ZERO].iter().sum::<$ty>().to_bits(), 0);
            let nothing: [$ty; 0] = [];
            assert_eq!(nothing.iter().sum::<$ty>().to_bits(), $sign);
            assert_eq!(nothing.iter().product::<$ty>().to_bits(), $ty::ONE.to_bits());
        }
    };
}

check!(f16 F16 u16 0x8000);
check!(bf16 Bf16 u16 0x8000);
check!(f16x2 F16x2 u32 0x8000_8000);
check!(bf16x2 Bf16x2 u32 0x8000_8000);
check!(f32x2 F32x2 u64 0x8000_0000_8000_0000);

/// Checks that the operator equals the instruction, also for NaNs.
#[test]
fn negation_is_the_instruction() {
    for bits in all_bits() {
        assert_eq!((-F16::from_bits(bits)).to_bits(), F16::from_bits(bits).neg().to_bits());
        assert_eq!((-Bf16::from_bits(bits)).to_bits(), Bf16::from_bits(bits).neg().to_bits());
    }
}

/// Checks sums that are wrong if computed in f32 or f64 and rounded again.
#[test]
fn mul_add_rounds_once() {
    let [a, b] = [0x3c01, 0x0ffe].map(F16::from_bits);
    assert_eq!(a.mul_add(b, a).to_bits(), 0x3c01);
    let [a, b, c] = [0x4360, 0x4314, 0xb580].map(Bf16::from_bits);
    assert_eq!(a.mul_add(b, c).to_bits(), 0x4701);
}
