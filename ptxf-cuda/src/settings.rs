//! The settings of the device, from environment variables.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use ptxf_vm::{Check, Device};

use crate::failure::{Code, Failure};
use crate::faults::Faults;

/// The values of the variables.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The compute capability: 90 for sm_90.
    pub(crate) sm: u32,
    /// The threads of this CPU that run blocks.
    pub(crate) threads: NonZeroUsize,
    /// The checks of launches.
    pub(crate) check: Check,
    /// The device whose matrix unit and approximations the machine has.
    pub(crate) model: Device,
    /// The number of devices, from 0 to 16.
    pub(crate) devices: usize,
    /// The newest version of PTX that modules may have; `None` accepts all.
    pub(crate) ptx: Option<(u8, u8)>,
    /// `true` if functions access objects of the current context only.
    pub(crate) strict: bool,
    /// The faults of the device.
    pub(crate) faults: Faults,
    /// `true` if a context reports what it has not freed.
    pub(crate) says_left: bool,
    /// `true` if the process reports the exactness of its instructions when it ends.
    pub(crate) says_fidelity: bool,
    /// The file of the report.
    pub(crate) report: Option<PathBuf>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The greatest number of devices.
const MOST_DEVICES: usize = 16;

/// The variables of this library. Others with the prefix `PTXF_VM_` are mistakes.
const VARIABLES: [&str; 10] = [
    "PTXF_VM_SM",
    "PTXF_VM_THREADS",
    "PTXF_VM_CHECK",
    "PTXF_VM_MODEL",
    "PTXF_VM_DEVICES",
    "PTXF_VM_PTX",
    "PTXF_VM_STRICT",
    "PTXF_VM_FAULTS",
    "PTXF_VM_LEFT",
    "PTXF_VM_REPORT",
];

/// Reads the variables at the first call. Returns `true` at that call.
pub(crate) fn initialize() -> Result<(&'static Settings, bool), Failure> {
    if let Some(settings) = SETTINGS.get() {
        return Ok((settings, false));
    }
    let read = || {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        refuse_unknown(names)?;
        ptxf::Level::from_env().map_err(|error| error.to_string())?;
        Settings::read(|name| std::env::var(name).ok())
    };
    let settings = read().map_err(|what| Code::InvalidValue.because(what))?;
    let mut is_first = false;
    let settings = SETTINGS.get_or_init(|| {
        is_first = true;
        settings
    });
    Ok((settings, is_first))
}

/// Returns an error with the names of all variables if one of these is unknown.
fn refuse_unknown(mut names: impl Iterator<Item = String>) -> Result<(), String> {
    match names.find(|name| name.starts_with("PTXF_VM_") && !VARIABLES.contains(&name.as_str())) {
        Some(name) => Err(format!("{name} is unknown; the variables are {}", VARIABLES.join(", "))),
        None => Ok(()),
    }
}

/// Returns the settings, if the driver was initialized.
pub(crate) fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}

/// Returns the settings, or the failure of calls before `cuInit`.
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
        let sm = number("PTXF_VM_SM", "a compute capability is expected, such as 90 for sm_90", &|n| {
            (20..1000).contains(&n)
        })?;
        let threads = number("PTXF_VM_THREADS", "a number of threads is expected, at least 1", &|n| n > 0)?;
        let devices =
            number("PTXF_VM_DEVICES", "a number of devices from 0 to 16 is expected", &|n| n <= MOST_DEVICES)?;
        let flag = |name: &str| match given(name).as_deref() {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(text) => Err(format!("{name}={text}: 0 or 1 is expected")),
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
        let model = given("PTXF_VM_MODEL").map_or(Ok(Device::default()), |text| {
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
            says_fidelity: flag("PTXF_VM_REPORT")?,
            report: given("PTXF_REPORT").map(PathBuf::from),
        })
    }
}

/// Returns the newest target that an instruction of the table needs.
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
    fn the_default_is_the_newest_device_on_all_cores() {
        let settings = read("", "").unwrap();
        assert!(settings.sm >= 100 && settings.threads.get() > 0 && settings.devices == 1);
        assert!(settings.report.is_none() && !settings.says_left && !settings.strict);
        assert!(settings.faults.is_none() && settings.ptx.is_none());
        assert_eq!(read("PTXF_VM_SM", "75").unwrap().sm, 75);
        assert_eq!(read("PTXF_VM_THREADS", "3").unwrap().threads.get(), 3);
        assert_eq!(read("PTXF_VM_DEVICES", "0").unwrap().devices, 0);
        assert_eq!(read("PTXF_VM_CHECK", "initcheck").unwrap().check, Check::Init);
        assert_eq!(read("PTXF_VM_MODEL", "").unwrap().model, Device::default());
        assert_eq!(read("PTXF_VM_MODEL", "sm_80").unwrap().model, "sm_80".parse().unwrap());
        assert_eq!(read("PTXF_VM_PTX", "8.7").unwrap().ptx, Some((8, 7)));
        assert!(read("PTXF_VM_LEFT", "1").unwrap().says_left && !read("PTXF_VM_LEFT", "0").unwrap().says_left);
        assert!(read("PTXF_VM_STRICT", "1").unwrap().strict);
        assert!(!read("PTXF_VM_FAULTS", "dies:3").unwrap().faults.is_none());
    }

    #[test]
    fn an_unknown_variable_is_named() {
        let names = |all: &[&str]| refuse_unknown(all.iter().map(|name| (*name).to_owned()));
        assert_eq!(names(&["PATH", "PTXF_REPORT", "PTXF_VM_SM"]), Ok(()));
        let error = names(&["PTXF_VM_SMS"]).unwrap_err();
        assert!(error.starts_with("PTXF_VM_SMS is unknown; the variables are PTXF_VM_SM, "), "{error}");
    }

    #[test]
    fn a_wrong_value_is_named() {
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
        assert!(error.starts_with("PTXF_VM_FAULTS=dies: `dies`: unknown fault"), "{error}");
        let error = read("PTXF_VM_MODEL", "sm_20").unwrap_err();
        assert!(error.starts_with("PTXF_VM_MODEL=sm_20: no device of sm_20 has been measured"), "{error}");
    }
}
