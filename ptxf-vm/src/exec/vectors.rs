//! Vector code of the most frequent forms: all lanes at once, at the CPU's level.
//!
//! Other forms run lane by lane. Each listed form costs as much compile time as a function over
//! slices at every level, so that the list has the forms of typical inner loops only.

use bytemuck::cast_ref;
use ptxf::{Bf16, Bf16x2, F16, F16x2, slice};

use super::registers::{LANES, Mask, Registers, Run, Slots, Word};

macro_rules! forms {
    ($($form:literal $function:ident $ty:ident in $word:ident ($($operand:ident $at:literal),*);)*) => {
        /// Returns the function of a form with so many operands. It leaves lanes outside of the
        /// mask unchanged.
        pub(crate) fn find(form: &str, operands: usize) -> Option<Run> {
            Some(match form {
                $($form if operands == [$($at),*].len() => {
                    fn run(registers: &mut Registers, slots: &Slots, mask: Mask) {
                        let mut d = [<$ty as bytemuck::Zeroable>::zeroed(); LANES];
                        let all = $word::bank(registers);
                        $(let $operand: &[$ty; LANES] = cast_ref(&all[slots[$at] as usize].0);)*
                        slice::$function($($operand,)* &mut d);
                        $word::write(registers, slots[0], mask, cast_ref(&d));
                    }
                    run
                })*
                _ => return None,
            })
        }

        /// The listed forms with the numbers of their operands.
        #[cfg(test)]
        const LISTED: &[(&str, usize)] = &[$(($form, [$($at),*].len())),*];
    };
}

forms! {
    "add.rn.f32" add_rn_f32 f32 in u32 (a 1, b 2);
    "add.rn.ftz.f32" add_rn_ftz_f32 f32 in u32 (a 1, b 2);
    "sub.rn.f32" sub_rn_f32 f32 in u32 (a 1, b 2);
    "sub.rn.ftz.f32" sub_rn_ftz_f32 f32 in u32 (a 1, b 2);
    "mul.rn.f32" mul_rn_f32 f32 in u32 (a 1, b 2);
    "mul.rn.ftz.f32" mul_rn_ftz_f32 f32 in u32 (a 1, b 2);
    "fma.rn.f32" fma_rn_f32 f32 in u32 (a 1, b 2, c 3);
    "fma.rn.ftz.f32" fma_rn_ftz_f32 f32 in u32 (a 1, b 2, c 3);
    "min.f32" min_f32 f32 in u32 (a 1, b 2);
    "max.f32" max_f32 f32 in u32 (a 1, b 2);
    "abs.f32" abs_f32 f32 in u32 (a 1);
    "neg.f32" neg_f32 f32 in u32 (a 1);
    "rcp.rn.f32" rcp_rn_f32 f32 in u32 (a 1);
    "div.rn.f32" div_rn_f32 f32 in u32 (a 1, b 2);
    "sqrt.rn.f32" sqrt_rn_f32 f32 in u32 (a 1);
    "div.approx.f32" div_approx_f32 f32 in u32 (a 1, b 2);
    "sqrt.approx.f32" sqrt_approx_f32 f32 in u32 (a 1);
    "rsqrt.approx.f32" rsqrt_approx_f32 f32 in u32 (a 1);
    "ex2.approx.f32" ex2_approx_f32 f32 in u32 (a 1);
    "lg2.approx.f32" lg2_approx_f32 f32 in u32 (a 1);
    "add.rn.f64" add_rn_f64 f64 in u64 (a 1, b 2);
    "mul.rn.f64" mul_rn_f64 f64 in u64 (a 1, b 2);
    "fma.rn.f64" fma_rn_f64 f64 in u64 (a 1, b 2, c 3);
    "add.rn.f16" add_rn_f16 F16 in u16 (a 1, b 2);
    "sub.rn.f16" sub_rn_f16 F16 in u16 (a 1, b 2);
    "mul.rn.f16" mul_rn_f16 F16 in u16 (a 1, b 2);
    "fma.rn.f16" fma_rn_f16 F16 in u16 (a 1, b 2, c 3);
    "add.rn.f16x2" add_rn_f16x2 F16x2 in u32 (a 1, b 2);
    "sub.rn.f16x2" sub_rn_f16x2 F16x2 in u32 (a 1, b 2);
    "mul.rn.f16x2" mul_rn_f16x2 F16x2 in u32 (a 1, b 2);
    "fma.rn.f16x2" fma_rn_f16x2 F16x2 in u32 (a 1, b 2, c 3);
    "fma.rn.bf16" fma_rn_bf16 Bf16 in u16 (a 1, b 2, c 3);
    "fma.rn.bf16x2" fma_rn_bf16x2 Bf16x2 in u32 (a 1, b 2, c 3);
}

macro_rules! comparisons {
    ($($spelling:literal $ty:ident in $word:ident |$a:ident, $b:ident| $holds:expr;)*) => {
        /// Returns the function of a comparison, such as `setp p|q, a, b`.
        pub(crate) fn find_comparison(spelling: &str) -> Option<Run> {
            Some(match spelling {
                $($spelling => {
                    fn run(registers: &mut Registers, slots: &Slots, mask: Mask) {
                        let (a, b) = ($word::read(registers, slots[2]), $word::read(registers, slots[3]));
                        let mut truth = 0;
                        for lane in 0..LANES {
                            let ($a, $b) = ($ty::from_bits(a[lane]), $ty::from_bits(b[lane]));
                            truth |= Mask::from($holds) << lane;
                        }
                        registers.set_truth(slots[0], truth, mask);
                        registers.set_truth(slots[1], !truth, mask);
                    }
                    run
                })*
                _ => return None,
            })
        }
    };
}

// Rust's comparisons are those of IEEE 754, except that `!=` is true of a NaN.
comparisons! {
    "setp.eq.f32" f32 in u32 |a, b| a == b;
    "setp.neu.f32" f32 in u32 |a, b| a != b;
    "setp.lt.f32" f32 in u32 |a, b| a < b;
    "setp.le.f32" f32 in u32 |a, b| a <= b;
    "setp.gt.f32" f32 in u32 |a, b| a > b;
    "setp.ge.f32" f32 in u32 |a, b| a >= b;
    "setp.lt.f64" f64 in u64 |a, b| a < b;
    "setp.gt.f64" f64 in u64 |a, b| a > b;
}

#[cfg(test)]
mod tests {
    use ptxf::spec::{Spelling, spellings};

    use super::*;

    #[test]
    fn every_listed_form_is_one_of_the_table_on_registers_of_one_width() {
        for &(name, operands) in LISTED {
            let is_it = |s: &Spelling| s.is(name) && s.form.operands.len() == operands;
            let form = spellings().find(is_it).unwrap_or_else(|| panic!("there is no `{name}`")).form;
            assert!(form.canonical == name && form.operands.iter().all(|ty| *ty == form.result), "{name}");
        }
    }
}
