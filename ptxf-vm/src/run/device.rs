//! A device whose bits a machine has.

use std::str::FromStr;

use ptxf::matrix::Unit;
use ptxf::tables::device::{Model, ModelError};

use super::machine::Machine;

/// A device whose bits a machine has: those of its matrix unit, and its approximations.
///
/// # Examples
///
/// An A100 has a known matrix unit. Its approximations have not been measured, so that a machine
/// refuses an entry with one:
///
/// ```
/// use ptxf_vm::{Device, Machine, Module};
///
/// let text = ".version 7.8\n.target sm_80\n.visible .entry k() {
///     .reg .b32 %r<2>;
///     ex2.approx.f32 %r1, 0f3F000000;
///     ret;
/// }";
/// let mut machine = Machine::new().device("sm_80".parse()?);
/// let error = machine.load(&Module::parse(text)?)?.entry("k").unwrap_err();
/// assert!(error.what().starts_with("no device of sm_80 has been measured"));
/// assert!("sm_20".parse::<Device>().is_err() && "sm_90".parse::<Device>().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    model: Result<Model, ModelError>,
    sm: Option<u32>,
}

impl Default for Device {
    /// Returns the default model, with the matrix unit of a module's target.
    fn default() -> Self {
        Self { model: Ok(Model::Reference), sm: None }
    }
}

/// A name of a target such as `sm_90`, or `reference` for the default.
impl FromStr for Device {
    type Err = ModelError;

    fn from_str(name: &str) -> Result<Self, ModelError> {
        let model = name.parse::<Model>();
        let has_unit = Unit::of_target(name).is_some() && !name.ends_with(char::is_alphabetic);
        let sm = name.strip_prefix("sm_").filter(|_| has_unit).and_then(|number| number.parse().ok());
        match (model, sm) {
            (Err(error), None) => Err(error),
            _ => Ok(Self { model, sm }),
        }
    }
}

impl Machine {
    /// Sets the device whose bits later modules have: its matrix unit, and its approximations.
    ///
    /// Without a device, matrix instructions have the bits of the module's own target.
    #[must_use]
    pub fn device(mut self, device: Device) -> Self {
        self.set_matrix(device.sm);
        match device.model {
            Ok(model) => self.model(model),
            Err(error) => self.approximate(move |_, _| Err(error.to_string())),
        }
    }
}
