//! `ptxf_core::sem` behind every form, one lane at a time.

use ptxf::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use ptxf::int::Int;
use ptxf::spec::{FormInfo, Type};
use ptxf::{Bf16, F16, Modifiers, Round, sem};

use super::{lanes, unary32};
use crate::space::{Fill, Space};

/// The meaning of the form.
pub(super) fn fill(info: &'static FormInfo, space: Space) -> Fill {
    match info.ty {
        Type::F16 | Type::F16x2 => of::<Binary16>(info, space),
        Type::Bf16 | Type::Bf16x2 => of::<BFloat16>(info, space),
        Type::F32 | Type::F32x2 => of::<Binary32>(info, space),
        Type::F64 => of::<Binary64>(info, space),
    }
}

fn of<F: Format>(info: &'static FormInfo, space: Space) -> Fill {
    let m = modifiers(info);
    let has = |name| info.modifiers.iter().any(|modifier| modifier.name == name);
    let approximate = has(".approx");
    macro_rules! meaning {
        ($name:ident $($k:literal)*) => {
            Box::new(move |first, out: &mut [u64]| lanes::with(space, info.operands, first, |x| {
                for (i, d) in out.iter_mut().enumerate() {
                    *d = sem::$name::<F>(m, $(F::Bits::truncate(x[$k][i].into())),*).cast();
                }
            }))
        };
    }
    match (info.instruction, info.operands) {
        ("add", 2) => meaning!(add 0 1),
        ("sub", 2) => meaning!(sub 0 1),
        ("mul", 2) => meaning!(mul 0 1),
        ("mad", 3) if info.until.is_some() => meaning!(mad_sm1x 0 1 2),
        ("fma" | "mad", 3) => meaning!(fma 0 1 2),
        ("div", 2) if approximate => meaning!(div_approx 0 1),
        ("div", 2) => meaning!(div 0 1),
        ("rcp", 1) if approximate && info.ty == Type::F64 => meaning!(rcp_approx_f64 0),
        ("rcp", 1) => meaning!(rcp 0),
        ("sqrt", 1) => meaning!(sqrt 0),
        ("rsqrt", 1) if m.ftz && info.ty == Type::F64 => meaning!(rsqrt_approx_f64 0),
        ("rsqrt", 1) => meaning!(rsqrt_approx 0),
        ("abs", 1) => meaning!(abs 0),
        ("neg", 1) => meaning!(neg 0),
        ("copysign", 2) => meaning!(copysign 0 1),
        ("min", 2) => meaning!(min 0 1),
        ("min", 3) => meaning!(min3 0 1 2),
        ("max", 2) => meaning!(max 0 1),
        ("max", 3) => meaning!(max3 0 1 2),
        ("sin", 1) => meaning!(sin 0),
        ("cos", 1) => meaning!(cos 0),
        ("lg2", 1) => meaning!(lg2 0),
        ("ex2", 1) => meaning!(ex2 0),
        ("tanh", 1) => meaning!(tanh 0),
        (instruction, operands) => panic!("no meaning for {instruction} with {operands} operands"),
    }
}

fn modifiers(info: &FormInfo) -> Modifiers {
    let has = |name| info.modifiers.iter().any(|modifier| modifier.name == name);
    let rnd = match () {
        () if has(".rz") => Round::Rz,
        () if has(".rm") => Round::Rm,
        () if has(".rp") => Round::Rp,
        () => Round::Rn,
    };
    Modifiers {
        rnd,
        ftz: has(".ftz"),
        sat: has(".sat"),
        relu: has(".relu"),
        oob: has(".oob"),
        nan: has(".NaN"),
        xorsign: has(".xorsign"),
        abs: has(".abs"),
    }
}

/// f32 to a 16-bit type.
pub(super) fn narrowing(to: Type, rnd: Round) -> Fill {
    match to {
        Type::F16 => unary32(move |x| sem::convert::<Binary32, Binary16>(rnd, x).into()),
        _ => unary32(move |x| sem::convert::<Binary32, BFloat16>(rnd, x).into()),
    }
}

/// A 16-bit type to f32.
pub(super) fn widening(from: Type) -> Fill {
    // Of a NaN the sign and the payload are kept, about which the meaning of arithmetic says nothing.
    let wide = move |x: u16| match from {
        Type::F16 => F16::from_bits(x).to_f32().to_bits(),
        _ => Bf16::from_bits(x).to_f32().to_bits(),
    };
    Box::new(move |first, out| {
        for (i, d) in out.iter_mut().enumerate() {
            *d = wide(first as u16 + i as u16).into();
        }
    })
}
