//! The meaning of a form, called from its table entry: what every fast way to its result is compared with.
//!
//! A library, so that tests which are not optimized themselves call it optimized.

use ptxf_core::format::{BFloat16, Binary16, Binary32, Binary64, Format, Mini};
use ptxf_core::int::Int;
use ptxf_core::modifiers::{Modifiers, Round};
use ptxf_core::sem;
use ptxf_core::spec::{FormInfo, Property, Type};

/// `form` through [`sem`], lane by lane.
#[must_use]
pub fn meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    let bits = form.ty.lane_bits();
    let mut register = 0;
    for lane in 0..form.ty.lanes() {
        let x: Vec<u64> = operands.iter().map(|x| (x >> (lane * bits)) & (u64::MAX >> (64 - bits))).collect();
        let d = match form.ty {
            Type::F16 | Type::F16x2 => lane_meaning::<Binary16>(form, &x),
            Type::Bf16 | Type::Bf16x2 => lane_meaning::<BFloat16>(form, &x),
            Type::F32 | Type::F32x2 => lane_meaning::<Binary32>(form, &x),
            Type::F64 => lane_meaning::<Binary64>(form, &x),
        };
        register |= d << (lane * bits);
    }
    register
}

/// `form`'s instruction and modifiers on the 8-bit format.
#[must_use]
pub fn mini_meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    lane_meaning::<Mini>(form, operands)
}

fn lane_meaning<F: Format>(form: &FormInfo, x: &[u64]) -> u64 {
    let has = |name: &str| form.modifiers.iter().any(|m| m.name == name);
    let rnd = match () {
        () if has(".rz") => Round::Rz,
        () if has(".rm") => Round::Rm,
        () if has(".rp") => Round::Rp,
        () => Round::Rn,
    };
    let m = Modifiers {
        rnd,
        ftz: has(".ftz"),
        sat: has(".sat"),
        relu: has(".relu"),
        oob: has(".oob"),
        nan: has(".NaN"),
        xorsign: has(".xorsign"),
        abs: has(".abs"),
    };
    let x: Vec<F::Bits> = x.iter().map(|&x| F::Bits::truncate(x.into())).collect();
    let legacy = form.until.is_some();
    let d = match (form.instruction, x.as_slice()) {
        ("testp", &[a]) => return sem::testp::<F>(property(form), a).into(),
        ("copysign", &[a, b]) => sem::copysign::<F>(m, a, b),
        ("add", &[a, b]) => sem::add::<F>(m, a, b),
        ("sub", &[a, b]) => sem::sub::<F>(m, a, b),
        ("mul", &[a, b]) => sem::mul::<F>(m, a, b),
        ("mad", &[a, b, c]) if legacy => sem::mad_sm1x::<F>(m, a, b, c),
        ("fma" | "mad", &[a, b, c]) => sem::fma::<F>(m, a, b, c),
        ("div", &[a, b]) if has(".approx") => sem::div_approx::<F>(m, a, b),
        ("div", &[a, b]) => sem::div::<F>(m, a, b),
        ("rcp", &[a]) if has(".approx") && form.ty == Type::F64 => sem::rcp_approx_f64::<F>(m, a),
        ("rcp", &[a]) => sem::rcp::<F>(m, a),
        ("sqrt", &[a]) => sem::sqrt::<F>(m, a),
        ("rsqrt", &[a]) if m.ftz && form.ty == Type::F64 => sem::rsqrt_approx_f64::<F>(m, a),
        ("rsqrt", &[a]) => sem::rsqrt_approx::<F>(m, a),
        ("abs", &[a]) => sem::abs::<F>(m, a),
        ("neg", &[a]) => sem::neg::<F>(m, a),
        ("min", &[a, b]) => sem::min::<F>(m, a, b),
        ("min", &[a, b, c]) => sem::min3::<F>(m, a, b, c),
        ("max", &[a, b]) => sem::max::<F>(m, a, b),
        ("max", &[a, b, c]) => sem::max3::<F>(m, a, b, c),
        ("sin", &[a]) => sem::sin::<F>(m, a),
        ("cos", &[a]) => sem::cos::<F>(m, a),
        ("lg2", &[a]) => sem::lg2::<F>(m, a),
        ("ex2", &[a]) => sem::ex2::<F>(m, a),
        ("tanh", &[a]) => sem::tanh::<F>(m, a),
        (instruction, operands) => panic!("no meaning for {instruction} with {} operands", operands.len()),
    };
    d.cast()
}

fn property(form: &FormInfo) -> Property {
    match form.modifiers[0].name {
        ".finite" => Property::Finite,
        ".infinite" => Property::Infinite,
        ".number" => Property::Number,
        ".notanumber" => Property::NotANumber,
        ".normal" => Property::Normal,
        ".subnormal" => Property::Subnormal,
        other => panic!("{other} is no property"),
    }
}
