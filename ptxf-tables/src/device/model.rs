//! The models by name, and their calls.

use core::fmt;

use ptxf_core::ptx;
use ptxf_core::spec::FormInfo;
use ptxf_core::{Bf16, Bf16x2, F16, F16x2};

use super::data::Device;
use super::measured::for_each_device;
use super::register::Register;
use super::{CallError, Provenance, SliceError, Unmeasured, slice};

macro_rules! model {
    ($($(#[$doc:meta])* $variant:ident = $name:literal in $module:ident;)*) => {
        /// A model: the device whose bits approximate instructions return.
        ///
        /// Every approximate form is a method under its full name. A method returns [`Unmeasured`]
        /// if the device's results are not known. `Reference` has all results, and costs as much as
        /// the function in [`ptx`](mod@ptxf_core::ptx). `…_slice` computes slices, for `Reference`
        /// at the speed of `slice`. Other forms have the same results in every model.
        ///
        /// In a build for `nvptx64` `Reference` calls the function in `ptx` as well, and so returns
        /// the running device's bits.
        ///
        /// # Examples
        ///
        /// ```
        /// use ptxf::F16x2;
        /// use ptxf::tables::device::Model;
        ///
        /// /// Emulates a kernel in the bits of a device.
        /// fn kernel(model: Model, x: F16x2) -> Result<F16x2, ptxf::tables::device::Unmeasured> {
        ///     Ok(model.tanh_approx_f16x2(x)? * model.ex2_approx_f16x2(x)?)
        /// }
        ///
        /// let x = F16x2::from_f32([0.5, -1.0]);
        /// assert_eq!(kernel(Model::Reference, x)?.to_bits(), 0xb618_393a);
        ///
        /// let mut y = [0.0; 3];
        /// Model::Reference.rcp_approx_f32_slice(&[1.0, 2.0, 4.0], &mut y).expect("equal lengths");
        /// assert_eq!(y, [1.0, 0.5, 0.25]);
        ///
        /// // An H100 is farther from tanh 1/4 than the correctly rounded 0x3E7ACBF5.
        /// assert_eq!(Model::Sm90.tanh_approx_f32(0.25)?.to_bits(), 0x3e7a_cbc0);
        ///
        /// let message = "sm_20".parse::<Model>().unwrap_err().to_string();
        /// assert!(message.starts_with("no device of sm_20 has been measured: run "));
        /// # Ok::<(), ptxf::tables::device::Unmeasured>(())
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Model {
            /// The default model: the correctly rounded result, with the manual's special values
            /// and flush rules.
            #[default]
            Reference,
            $($(#[$doc])* $variant,)*
        }

        impl Model {
            /// Returns all models. A device has a model as soon as its data is committed.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::tables::device::Model;
            ///
            /// assert!(Model::available().contains(&Model::default()));
            /// ```
            #[must_use]
            pub const fn available() -> &'static [Self] {
                &[Self::Reference, $(Self::$variant,)*]
            }

            /// Returns the name that [`FromStr`](core::str::FromStr) parses.
            ///
            /// # Examples
            ///
            /// ```
            /// assert_eq!(ptxf::tables::device::Model::Reference.name(), "reference");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Reference => "reference",
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the measured data; `None` for `Reference`.
            #[inline]
            pub(super) const fn device(self) -> Option<&'static Device> {
                match self {
                    Self::Reference => None,
                    $(Self::$variant => Some(&super::measured::$module::DEVICE),)*
                }
            }
        }
    };
}

for_each_device!(model);

impl Model {
    /// Returns the captured files that the model was made from; empty for `Reference`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::Model;
    ///
    /// assert!(Model::Reference.provenance().is_empty());
    /// ```
    #[must_use]
    pub const fn provenance(self) -> &'static [Provenance] {
        match self.device() {
            None => &[],
            Some(device) => device.provenance,
        }
    }

    /// Returns the form's result in this model, on register bits.
    ///
    /// # Errors
    ///
    /// The function returns an error if the number of operands is not the form's, or if the model
    /// has no results for the form.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::spec::FORMS;
    /// use ptxf::tables::device::Model;
    ///
    /// let ex2 = FORMS.iter().find(|form| form.name == "ex2.approx.f16").unwrap();
    /// assert_eq!(Model::Reference.call(ex2, &[0x3c00]), Ok(0x4000));
    /// let message = Model::Reference.call(ex2, &[]).unwrap_err().to_string();
    /// assert_eq!(message, "ex2.approx.f16 takes 1 operand, 0 given");
    /// ```
    #[inline]
    pub fn call(self, form: &FormInfo, operands: &[u64]) -> Result<u64, CallError> {
        let wrong = CallError::Operands { form: form.name, takes: form.operands.len(), given: operands.len() };
        if self.device().is_none() || !form.approximate {
            return form.run.call(operands).ok_or(wrong);
        }
        Ok(self.by_name(form.function, operands).ok_or(wrong)??)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

ptxf_macros::models!();

#[cfg(test)]
mod tests {
    use ptxf_core::spec::FORMS;

    use super::*;

    /// Number of approximate forms: two each of sin, cos, lg2, ex2, rcp, sqrt and rsqrt of f32, sin
    /// and cos of turns, one tanh and four div of f32, three of f64, four tanh and four ex2 of 16
    /// bits.
    const APPROXIMATE: usize = 2 * 7 + 2 + 1 + 4 + 3 + 8;

    #[test]
    fn every_approximate_form_has_its_function_and_nothing_else_has() {
        let operands = [0x3f81_3c01_4000_3e00, 0x3ff0_3c01_4020_3e00, 0x3ff0_3c01_4020_3e00, 0x3c01, 0x4020];
        let mut functions = 0;
        for form in FORMS.iter().filter(|form| form.name == form.canonical) {
            let operands = &operands[..form.operands.len()];
            let expected = form.approximate.then(|| Ok(form.run.call(operands).unwrap()));
            assert_eq!(Model::Reference.by_name(form.function, operands), expected, "{}", form.name);
            assert_eq!(Model::Reference.by_name(form.function, &[]), None);
            functions += usize::from(form.approximate);
        }
        assert_eq!(functions, APPROXIMATE);
    }
}
