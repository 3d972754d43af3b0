//! Targets with PTX versions.

use crate::toolchain::Toolchain;
use crate::{Error, Version, family};

/// A GPU with an optional PTX version above its own.
///
/// # Examples
///
/// ```
/// use ptxf_build::Target;
///
/// assert_eq!(Target::new("sm_90").to_string(), "sm_90");
/// assert_eq!(Target::new("sm_75").ptx("7.0".parse()?).to_string(), "sm_75-ptx70");
/// # Ok::<(), ptxf_build::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name, such as `sm_90`.
    pub name: String,
    /// The PTX version. `None` is the version that introduced the target.
    pub ptx: Option<Version>,
}

impl Target {
    /// Makes a target with the compiler's PTX version.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ptx: None }
    }

    /// Sets another PTX version: more instructions for the same target, which need a newer driver.
    #[must_use]
    pub fn ptx(self, version: Version) -> Self {
        Self { ptx: Some(version), ..self }
    }

    /// Returns the flags for `rustc`.
    ///
    /// # Errors
    ///
    /// Returns an error if the compiler does not support the target or the PTX version.
    pub fn flags(&self, toolchain: &Toolchain) -> Result<String, Error> {
        if !toolchain.targets.contains(&self.name) {
            return Err(Error::Target {
                target: self.name.clone(),
                compiler: toolchain.version.clone(),
                offered: toolchain.targets.clone(),
            });
        }
        // Fat link-time optimization makes the assembly whole, so that nothing has to be linked.
        // NVIDIA's assembler cannot read rustc's debug information.
        let mut flags = format!("-Ctarget-cpu={} -Clinker=true -Cdebuginfo=0", self.name);
        let mut features = Vec::new();
        let mut newest = false;
        if let Some(stand_in) = toolchain.stand_in(&self.name) {
            // Targets that compilers do not describe came with PTX 8.8 or later.
            newest = true;
            features.push(format!("+{stand_in}"));
        }
        if let Some(version) = self.ptx {
            let offered = toolchain.ptx.iter().find(|(v, _)| *v == version);
            let (_, known) = offered.ok_or_else(|| Error::Version(version.to_string()))?;
            newest |= !known;
            features.push(format!("+{}", version.feature()));
        }
        if newest {
            flags.push_str(" --cfg ptxf_ptx88");
        }
        if let Some(family) = family(&self.name) {
            flags.push_str(&format!(" --cfg ptxf_sm_{family}f"));
        }
        if !features.is_empty() {
            flags.push_str(&format!(" -Ctarget-feature={}", features.join(",")));
        }
        Ok(flags)
    }
}

/// Displays a name for files: `sm_90` or `sm_90-ptx88`.
impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ptx {
            Some(version) => write!(f, "{}-{}", self.name, version.feature()),
            None => f.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compiler that supports `sm_103` and PTX 8.8 without a `cfg`.
    fn toolchain() -> Toolchain {
        let v = |major, minor| Version { major, minor };
        Toolchain {
            rustc: "rustc".into(),
            cargo: "cargo".into(),
            build_std: true,
            version: "rustc 1.96.0".to_owned(),
            targets: ["sm_90", "sm_100", "sm_100a", "sm_100f", "sm_103"].map(str::to_owned).into(),
            known: ["sm_90", "sm_100", "sm_100a"].map(str::to_owned).into(),
            ptx: vec![(v(8, 1), true), (v(8, 8), false)],
        }
    }

    #[test]
    fn what_cfg_does_not_know_is_said_twice() {
        let flags = |target: Target| target.flags(&toolchain()).unwrap();
        assert_eq!(flags(Target::new("sm_90")), "-Ctarget-cpu=sm_90 -Clinker=true -Cdebuginfo=0");
        let known = Target::new("sm_90").ptx(Version { major: 8, minor: 1 });
        assert_eq!(flags(known), "-Ctarget-cpu=sm_90 -Clinker=true -Cdebuginfo=0 -Ctarget-feature=+ptx81");
        assert_eq!(
            flags(Target::new("sm_100a")),
            "-Ctarget-cpu=sm_100a -Clinker=true -Cdebuginfo=0 --cfg ptxf_sm_100f"
        );
        assert_eq!(
            flags(Target::new("sm_100f")),
            "-Ctarget-cpu=sm_100f -Clinker=true -Cdebuginfo=0 --cfg ptxf_ptx88 --cfg ptxf_sm_100f -Ctarget-feature=+sm_100"
        );
        assert_eq!(
            flags(Target::new("sm_103").ptx(Version { major: 8, minor: 8 })),
            "-Ctarget-cpu=sm_103 -Clinker=true -Cdebuginfo=0 --cfg ptxf_ptx88 -Ctarget-feature=+sm_100,+ptx88"
        );
    }

    #[test]
    fn what_the_compiler_does_not_offer_is_an_error_that_says_what_it_does() {
        let error = Target::new("sm_10").flags(&toolchain()).unwrap_err().to_string();
        assert!(error.contains("`sm_10`") && error.contains("sm_90 sm_100"), "{error}");
        let error = Target::new("sm_90").ptx(Version { major: 9, minor: 9 }).flags(&toolchain()).unwrap_err();
        assert!(error.to_string().contains("9.9"), "{error}");
    }
}
