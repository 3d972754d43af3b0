//! What the environment says of the device.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use ptxf_vm::{Check, Model};

use crate::failure::{Code, Failure};
use crate::faults::Faults;
use crate::report;

/// What the variables ask for.
#[derive(Debug)]
pub(crate) struct Settings {
    /// 90 for sm_90.
    pub(crate) sm: u32,
    /// How many threads of this CPU run blocks.
    pub(crate) threads: NonZeroUsize,
    /// What launches are checked for.
    pub(crate) check: Check,
    /// What computes approximate forms.
    pub(crate) model: Model,
    pub(crate) devices: usize,
    /// The newest version of PTX that modules may be of, if there is one.
    pub(crate) ptx: Option<(u8, u8)>,
    /// Whether a function touches only what is in the current context.
    pub(crate) strict: bool,
    /// What is wrong on purpose.
    pub(crate) faults: Faults,
    /// Whether a context says at its end what was left.
    pub(crate) says_left: bool,
    /// Where lines about faults are appended.
    pub(crate) report: Option<PathBuf>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The most devices that there can be.
const MOST_DEVICES: usize = 16;

/// Reads them once.
pub(crate) fn initialize() -> Result<&'static Settings, Failure> {
    if let Some(known) = SETTINGS.get() {
        return Ok(known);
    }
    let settings = Settings::read(|name| std::env::var(name).ok()).map_err(|what| Code::InvalidValue.because(what))?;
    let settings = SETTINGS.get_or_init(|| settings);
    if !settings.faults.is_none() {
        report::faults(&settings.faults);
    }
    Ok(settings)
}

/// They, if the driver was initialized.
pub(crate) fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}

/// They, or what functions return before `cuInit`.
pub(crate) fn known() -> Result<&'static Settings, Failure> {
    get().ok_or_else(|| Code::NotInitialized.into())
}

impl Settings {
    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let given = |name: &str| variable(name).filter(|text| !text.is_empty());
        let number = |name: &str, what: &str, fits: &dyn Fn(usize) -> bool| match given(name) {
            None => Ok(None),
            Some(text) => match text.parse().ok().filter(|n| fits(*n)) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("{name}={text}: {what}")),
            },
        };
        let sm = number("PTXF_VM_SM", "the number of a capability is expected, such as 90 for sm_90", &|n| {
            (20..1000).contains(&n)
        })?;
        let threads = number("PTXF_VM_THREADS", "a number of threads from 1 on is expected", &|n| n > 0)?;
        let devices =
            number("PTXF_VM_DEVICES", "a number of devices from 0 to 16 is expected", &|n| n <= MOST_DEVICES)?;
        let flag = |name: &str| match given(name).as_deref() {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(text) => Err(format!("{name}={text}: 1 is expected, or 0 as if it were left out")),
        };
        let ptx = given("PTXF_VM_PTX").map(|text| {
            let version =
                text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
            version.ok_or_else(|| format!("PTXF_VM_PTX={text}: a version of PTX is expected, such as 8.7"))
        });
        let faults = given("PTXF_VM_FAULTS").map_or(Ok(Faults::default()), |text| {
            Faults::read(&text).map_err(|what| format!("PTXF_VM_FAULTS={text}: {what}"))
        })?;
        let check = given("PTXF_VM_CHECK").map_or(Ok(Check::default()), |text| {
            text.parse().map_err(|what| format!("PTXF_VM_CHECK={text}: {what}"))
        })?;
        let model = given("PTXF_VM_MODEL").map_or(Ok(Model::Reference), |text| {
            text.parse().map_err(|what| format!("PTXF_VM_MODEL={text}: {what}"))
        })?;
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            sm: sm.map_or_else(newest, |sm| sm as u32),
            threads: threads.and_then(NonZeroUsize::new).unwrap_or_else(cores),
            check,
            model,
            devices: devices.unwrap_or(1),
            ptx: ptx.transpose()?,
            strict: flag("PTXF_VM_STRICT")?,
            faults,
            says_left: flag("PTXF_VM_LEFT")?,
            report: given("PTXF_REPORT").map(PathBuf::from),
        })
    }
}

/// The newest target that the table asks for.
fn newest() -> u32 {
    ptxf::spec::FORMS.iter().flat_map(|form| form.targets).map(|target| target.sm).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, text: &'static str) -> Result<Settings, String> {
        Settings::read(|asked| (asked == name).then(|| text.to_owned()))
    }

    #[test]
    fn what_is_not_said_is_the_newest_device_on_all_cores() {
        let settings = read("", "").unwrap();
        assert!(settings.sm >= 100 && settings.threads.get() > 0 && settings.devices == 1);
        assert!(settings.report.is_none() && !settings.says_left && !settings.strict);
        assert!(settings.faults.is_none() && settings.ptx.is_none());
        assert_eq!(read("PTXF_VM_SM", "75").unwrap().sm, 75);
        assert_eq!(read("PTXF_VM_THREADS", "3").unwrap().threads.get(), 3);
        assert_eq!(read("PTXF_VM_DEVICES", "0").unwrap().devices, 0);
        assert_eq!(read("PTXF_VM_CHECK", "initcheck").unwrap().check, Check::Init);
        assert_eq!(read("PTXF_VM_MODEL", "").unwrap().model, Model::Reference);
        assert_eq!(read("PTXF_VM_PTX", "8.7").unwrap().ptx, Some((8, 7)));
        assert!(read("PTXF_VM_LEFT", "1").unwrap().says_left && !read("PTXF_VM_LEFT", "0").unwrap().says_left);
        assert!(read("PTXF_VM_STRICT", "1").unwrap().strict);
        assert!(!read("PTXF_VM_FAULTS", "dies:3").unwrap().faults.is_none());
    }

    #[test]
    fn what_is_no_number_is_named() {
        for (name, text) in [
            ("PTXF_VM_SM", "sm_90"),
            ("PTXF_VM_SM", "9"),
            ("PTXF_VM_THREADS", "0"),
            ("PTXF_VM_DEVICES", "17"),
            ("PTXF_VM_PTX", "9"),
            ("PTXF_VM_STRICT", "yes"),
            ("PTXF_VM_LEFT", "2"),
            ("PTXF_VM_CHECK", "race"),
        ] {
            let error = read(name, text).unwrap_err();
            assert!(error.starts_with(&format!("{name}={text}: ")) && error.contains("expected"), "{error}");
        }
        let error = read("PTXF_VM_FAULTS", "dies").unwrap_err();
        assert!(error.starts_with("PTXF_VM_FAULTS=dies: `dies`: no fault is written so"), "{error}");
        let error = read("PTXF_VM_MODEL", "sm_20").unwrap_err();
        assert!(error.starts_with("PTXF_VM_MODEL=sm_20: no device of sm_20 has been measured"), "{error}");
    }
}
