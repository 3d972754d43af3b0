//! Slices at a level, with the reference implementation beside them: every form that has slices.

use anyhow::{Result, ensure};
use ptxf::slice;
use ptxf::spec::{FORMS, FormInfo};
use ptxf::{
    Bf16, Bf16x2, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, F32x2, Level, S2f6x2, Tf32, Ue5m3x2, Ue8m0,
    Ue8m0x2,
};

use super::check::CHUNK;
use super::draw::Draw;
use super::space::Space;
use super::subject::Subject;

mod lanes;
mod meaning;

/// Every form at the levels of these names.
pub(super) fn subjects(names: &[String]) -> Result<Vec<Subject>> {
    let mut levels = Vec::new();
    for name in names {
        match name.as_str() {
            "all" => levels.extend(Level::available()),
            name => levels.push(name.parse::<Level>().map_err(|e| anyhow::anyhow!("`{name}`: {e}"))?),
        }
    }
    for level in &levels {
        ensure!(level.is_available(), "this CPU has no level {level}");
    }
    Ok(levels.into_iter().flat_map(forms).collect())
}

/// An element as its lanes' bits.
trait Element: Copy + Send + Sync + 'static {
    const LANES: usize;
    fn from_lanes(lanes: &[u64]) -> Self;
    fn to_lanes(self, lanes: &mut [u64]);
}

macro_rules! elements {
    ($($ty:ident $bits:ident $lane:literal $lanes:literal;)*) => {$(
        impl Element for $ty {
            const LANES: usize = $lanes;
            fn from_lanes(lanes: &[u64]) -> Self {
                let lane = |x: &u64| u128::from(x & (u64::MAX >> (64 - $lane)));
                Self::from_bits(lanes.iter().rev().fold(0, |all, x| (all as u128) << $lane | lane(x)) as $bits)
            }
            fn to_lanes(self, lanes: &mut [u64]) {
                let bits = u128::from(self.to_bits());
                for (i, lane) in lanes.iter_mut().enumerate() {
                    *lane = (bits >> ($lane * i)) as u64 & (u64::MAX >> (64 - $lane));
                }
            }
        }
    )*};
}

elements! {
    F16 u16 16 1; Bf16 u16 16 1; F16x2 u32 16 2; Bf16x2 u32 16 2; f32 u32 32 1; F32x2 u64 32 2; f64 u64 64 1;
    Tf32 u32 32 1; E4m3x2 u16 8 2; E5m2x2 u16 8 2; E2m3x2 u16 8 2; E3m2x2 u16 8 2; E2m1x2 u8 4 2; Ue8m0x2 u16 8 2; S2f6x2 u16 8 2;
    Ue8m0 u8 8 1; Ue5m3x2 u16 8 2;
}

macro_rules! integers {
    ($($unsigned:ident $signed:ident;)*) => {$(
        impl Element for $unsigned {
            const LANES: usize = 1;
            fn from_lanes(lanes: &[u64]) -> Self {
                lanes[0] as Self
            }
            fn to_lanes(self, lanes: &mut [u64]) {
                lanes[0] = self.into();
            }
        }

        impl Element for $signed {
            const LANES: usize = 1;
            fn from_lanes(lanes: &[u64]) -> Self {
                (lanes[0] as $unsigned).cast_signed()
            }
            fn to_lanes(self, lanes: &mut [u64]) {
                lanes[0] = self.cast_unsigned().into();
            }
        }
    )*};
}

integers! { u8 i8; u16 i16; u32 i32; u64 i64; }

/// Returns `true` if scalars are joined to a pair, which is one result.
fn packs(info: &FormInfo) -> bool {
    info.operands[0].lanes() < info.result.lanes()
}

/// Returns the elements of an operand. Its lanes are joined; where scalars become a pair of whole
/// registers, each lane has a byte.
fn elements<A: Element>(info: &FormInfo, x: &[u64]) -> Vec<A> {
    if packs(info) && A::LANES == 2 {
        x.iter().map(|x| A::from_lanes(&[*x, *x >> 8])).collect()
    } else {
        x.chunks(A::LANES).map(A::from_lanes).collect()
    }
}

/// A form over slices.
type Call<D> = fn(&FormInfo, Level, &[Vec<u64>], &mut [D]);

fn subject<D: Element>(info: &'static FormInfo, level: Level, call: Call<D>) -> Subject {
    let space = space(info);
    let fill = Box::new(move |first, out: &mut [u64]| {
        lanes::with(space, info.operands.len(), first, |x| {
            let lanes = if packs(info) { 1 } else { D::LANES };
            let mut d = vec![D::from_lanes(&[0; 2][..D::LANES]); CHUNK / lanes];
            call(info, level, x, &mut d);
            for (d, out) in d.iter().zip(out.chunks_mut(lanes)) {
                if lanes == D::LANES {
                    d.to_lanes(out);
                } else {
                    // Scalars that are joined to a pair give one result.
                    let mut lanes = [0; 2];
                    d.to_lanes(&mut lanes);
                    out[0] = lanes[1] << info.result.stride() | lanes[0];
                }
            }
        });
    });
    Subject { at: Some((level, meaning::fill(info, space))), ..Subject::new(info.canonical, space, fill) }
}

/// All inputs of a lane if they can be tried.
fn space(info: &'static FormInfo) -> Space {
    match (info.operands[0].lane_bits(), info.operands.len()) {
        (..=16, 1) | (..=8, 2) => Space::Unary16,
        (16, 2) => Space::Pairs,
        (32, 1) => Space::Unary32,
        (_, operands) => Space::Drawn(Draw { form: info.canonical, operands }),
    }
}

macro_rules! call {
    ($function:ident $a:ident) => {
        |info, level, x, out| slice::$function(&elements::<$a>(info, &x[0]), slice::at(level, out))
    };
    ($function:ident $a:ident $b:ident) => {
        |info, level, x, out| {
            let (a, b) = (elements::<$a>(info, &x[0]), elements::<$b>(info, &x[1]));
            slice::$function(&a, &b, slice::at(level, out));
        }
    };
    ($function:ident $a:ident $b:ident $c:ident) => {
        |info, level, x, out| {
            let (a, b) = (elements::<$a>(info, &x[0]), elements::<$b>(info, &x[1]));
            slice::$function(&a, &b, &elements::<$c>(info, &x[2]), slice::at(level, out));
        }
    };
}

fn forms(level: Level) -> Vec<Subject> {
    let info = |name, operands| {
        FORMS.iter().find(|f| f.canonical == name && f.operands.len() == operands).expect("a form of the table")
    };
    macro_rules! table {
        ($($function:ident $($assign:ident)? $form:literal ($ty:ident $($other:ident)*) $result:ident;)*) => {
            vec![$({
                let operands = [stringify!($ty) $(, stringify!($other))*].len();
                subject::<$result>(info($form, operands), level, call!($function $ty $($other)*))
            }),*]
        };
    }
    ptxf::for_each_slice_form!(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::oracles::Oracle;

    /// A block of every space at every level has no mismatch, and has some against another form.
    #[test]
    fn right_results_are_right_and_wrong_ones_wrong() {
        let find = |name: &str| FORMS.iter().find(|f| f.canonical == name).expect("a form");
        let pairs = [
            ("add.rn.f16", "sub.rn.f16"),
            ("add.rn.bf16x2", "mul.rn.bf16x2"),
            ("fma.rn.f16", "fma.rn.relu.f16"),
            ("fma.rn.f32", "fma.rz.f32"),
            ("fma.rn.f64", "fma.rm.f64"),
            ("neg.f16", "abs.f16"),
            ("cvt.rn.f16.f32", "cvt.rz.f16.f32"),
            ("cvt.f32.f16", "cvt.sat.f32.f16"),
            ("cvt.rn.bf16x2.f32", "cvt.rn.relu.bf16x2.f32"),
            ("cvt.rni.s8.f16", "cvt.rzi.s8.f16"),
            ("cvt.rmi.s32.f64", "cvt.rpi.s32.f64"),
            ("cvt.rp.f32.s64", "cvt.rm.f32.s64"),
            ("cvt.rn.scaled::n2::ue8m0.bf16x2.e2m1x2", "cvt.rn.relu.scaled::n2::ue8m0.bf16x2.e2m1x2"),
            ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32", "cvt.rn.satfinite.relu.scaled::n2::ue8m0.s2f6x2.f32"),
            ("sqrt.rn.f32", "sqrt.rz.f32"),
        ];
        for mut subject in subjects(&["all".to_owned()]).unwrap() {
            let Some((_, other)) = pairs.iter().find(|(name, _)| *name == subject.name) else { continue };
            let other = Oracle { name: "other", default: true, fill: meaning::fill(find(other), subject.space) };
            let meaning = subject.oracles(&[]).unwrap();
            let inputs = 0x3c00 << 16..(0x3c00 << 16) + (CHUNK as u64) * 4;
            let inputs = if subject.space == Space::Unary16 { 0..1 << 16 } else { inputs };
            let (right, _) = check::block(&subject, &meaning, inputs.clone());
            assert_eq!(right.mismatches, 0, "{}", subject.name);
            let (wrong, kept) = check::block(&subject, &[other], inputs);
            assert!(wrong.mismatches > 0 && !kept.is_empty(), "{}", subject.name);
        }
    }

    #[test]
    fn unknown_levels_are_refused() {
        assert!(subjects(&["sse9".to_owned()]).is_err());
    }
}
