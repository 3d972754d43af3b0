//! The data of a measured device, and the computation of its forms.
//!
//! The data are generated code that is committed: users' builds read no captured files, and a
//! review shows the coefficients and the missing forms. `measured.rs` lists the devices, so that a
//! variant of `Model` exists if and only if its data does.

use ptxf_core::format::{BFloat16, Binary16};
use ptxf_core::{Modifiers, sem};

use super::Provenance;
use super::delta::Deltas;
use super::unit::{Table, div_approx, div_full, rcp_approx_f64, rsqrt_approx_f64};

/// Data, or the reason why there are none.
pub(super) type Known<T> = Result<T, &'static str>;

/// The data of a measured device.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) provenance: &'static [Provenance],
    pub(super) ex2_f16: Known<Deltas<'static>>,
    pub(super) ex2_bf16: Known<Deltas<'static>>,
    pub(super) tanh_f16: Known<Deltas<'static>>,
    pub(super) tanh_bf16: Known<Deltas<'static>>,
    // The forms of f32, each without and with `.ftz`.
    pub(super) rcp: [Known<Table<'static>>; 2],
    pub(super) rsqrt: [Known<Table<'static>>; 2],
    pub(super) sqrt: [Known<Table<'static>>; 2],
    pub(super) ex2: [Known<Table<'static>>; 2],
    pub(super) lg2: [Known<Table<'static>>; 2],
    pub(super) sin: [Known<Table<'static>>; 2],
    pub(super) cos: [Known<Table<'static>>; 2],
    pub(super) tanh: Known<Table<'static>>,
    // The forms of f64, which use the tables of f32.
    pub(super) rcp_f64: Known<Table<'static>>,
    pub(super) rsqrt_f64: [Known<Table<'static>>; 2],
    pub(super) div_approx: [Known<Table<'static>>; 2],
    pub(super) div_full: [Known<Table<'static>>; 2],
}

const PLAIN: Modifiers = Modifiers::PLAIN;
const FTZ: Modifiers = PLAIN.with_ftz(true);

/// Functions on the bits of a lane, named after the forms without `.ftz`.
impl Device {
    pub(super) fn ex2_approx_f16(&self, _ftz: bool, a: u16) -> Known<u16> {
        Ok(self.ex2_f16?.get(a, sem::ex2::<Binary16>(PLAIN, a)))
    }

    pub(super) fn ex2_approx_bf16(&self, _ftz: bool, a: u16) -> Known<u16> {
        Ok(self.ex2_bf16?.get(a, sem::ex2::<BFloat16>(FTZ, a)))
    }

    pub(super) fn tanh_approx_f16(&self, _ftz: bool, a: u16) -> Known<u16> {
        Ok(self.tanh_f16?.get(a, sem::tanh::<Binary16>(PLAIN, a)))
    }

    pub(super) fn tanh_approx_bf16(&self, _ftz: bool, a: u16) -> Known<u16> {
        Ok(self.tanh_bf16?.get(a, sem::tanh::<BFloat16>(PLAIN, a)))
    }

    pub(super) fn rcp_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.rcp, ftz, a)
    }

    pub(super) fn rsqrt_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.rsqrt, ftz, a)
    }

    pub(super) fn sqrt_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.sqrt, ftz, a)
    }

    pub(super) fn ex2_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.ex2, ftz, a)
    }

    pub(super) fn lg2_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.lg2, ftz, a)
    }

    pub(super) fn sin_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.sin, ftz, a)
    }

    pub(super) fn cos_approx_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        approx(&self.cos, ftz, a)
    }

    // The assembler compiles the forms in turns to the unit's instruction alone.
    pub(super) fn sin_approx_2pi_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        Ok(table(&self.sin, ftz)?.call(a))
    }

    pub(super) fn cos_approx_2pi_f32(&self, ftz: bool, a: u32) -> Known<u32> {
        Ok(table(&self.cos, ftz)?.call(a))
    }

    pub(super) fn div_approx_f32(&self, ftz: bool, a: u32, b: u32) -> Known<u32> {
        let rcp = table(&self.div_approx, ftz)?;
        Ok(div_approx(ftz, a, b, |b| rcp.call(b)))
    }

    pub(super) fn div_full_f32(&self, ftz: bool, a: u32, b: u32) -> Known<u32> {
        let rcp = table(&self.div_full, ftz)?;
        Ok(div_full(ftz, a, b, |b| rcp.call(b)))
    }

    pub(super) fn tanh_approx_f32(&self, _ftz: bool, a: u32) -> Known<u32> {
        Ok(self.tanh?.call(a))
    }

    pub(super) fn rcp_approx_f64(&self, _ftz: bool, a: u64) -> Known<u64> {
        let rcp = self.rcp_f64?;
        Ok(rcp_approx_f64(a, |a| rcp.upper(a)))
    }

    pub(super) fn rsqrt_approx_f64(&self, ftz: bool, a: u64) -> Known<u64> {
        let rsq = table(&self.rsqrt_f64, ftz)?;
        Ok(rsqrt_approx_f64(ftz, a, |a| rsq.upper(a)))
    }
}

fn table<'a>(forms: &'a [Known<Table<'static>>; 2], ftz: bool) -> Known<&'a Table<'static>> {
    forms[usize::from(ftz)].as_ref().map_err(|reason| *reason)
}

fn approx(forms: &[Known<Table<'static>>; 2], ftz: bool, a: u32) -> Known<u32> {
    Ok(table(forms, ftz)?.approx(ftz, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Model;

    /// The library's files are well-formed; at run time nothing checks them.
    #[test]
    fn every_dump_is_whole_and_of_this_default_model() {
        for device in Model::available().iter().filter_map(|model| model.device()) {
            let references: [fn(u16) -> u16; 4] = [
                |x| sem::ex2::<Binary16>(PLAIN, x),
                |x| sem::ex2::<BFloat16>(FTZ, x),
                |x| sem::tanh::<Binary16>(PLAIN, x),
                |x| sem::tanh::<BFloat16>(PLAIN, x),
            ];
            let dumps = [&device.ex2_f16, &device.ex2_bf16, &device.tanh_f16, &device.tanh_bf16];
            for (dump, reference) in dumps.into_iter().zip(references) {
                if let Ok(deltas) = dump {
                    assert_eq!(deltas.read_through().and_then(|d| d.verify(reference)), Ok(()));
                }
            }
        }
    }
}
