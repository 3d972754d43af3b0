//! `PTXF_LEVEL` chooses a level; a wrong value has no effect.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use ptxf::{F16, Level, slice};

/// Runs in a process of its own, started by the next test with the variable set.
#[test]
#[ignore = "tells what its environment says"]
fn told() {
    let asked = Level::from_env().map_err(|e| e.to_string());
    let x = [F16::from_f32(1.5); 40];
    let mut sum = x;
    slice::add_rn_f16(&x[..], &x[..], &mut sum[..]);
    assert_eq!(sum, [F16::from_f32(3.0); 40]);
    println!("detected: {}; asked: {asked:?}", Level::detect());
}

/// Returns the detected level and the message about the variable.
fn with(value: &OsStr) -> (Level, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "level::told", "--ignored", "--nocapture"]).env("PTXF_LEVEL", value);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{value:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let line = text.lines().find_map(|line| line.split_once("detected: ")).unwrap_or_else(|| panic!("{text}")).1;
    let (level, asked) = line.split_once("; asked: ").unwrap();
    (level.parse().unwrap(), asked.to_owned())
}

#[test]
fn the_variable_chooses_or_changes_nothing() {
    let best = Level::available().last().unwrap();
    assert_eq!(with(OsStr::new("")), (best, "Ok(None)".to_owned()));
    for level in Level::available() {
        for name in [level.to_string(), level.to_string().to_uppercase()] {
            assert_eq!(with(OsStr::new(&name)), (level, format!("Ok(Some({level:?}))")));
        }
    }
    for level in Level::ALL.into_iter().filter(|level| !level.is_available()) {
        let said = format!("Err(\"PTXF_LEVEL is `{level}`, which this CPU lacks; its best is `{best}`\")");
        assert_eq!(with(OsStr::new(level.name())), (best, said));
    }
    let mut wrong: Vec<OsString> = ["sse9", " ", "avx2 ", "0", "\n"].map(OsString::from).to_vec();
    #[cfg(unix)]
    wrong.push(std::os::unix::ffi::OsStringExt::from_vec(vec![0xff]));
    for value in wrong {
        let (level, said) = with(&value);
        assert_eq!(level, best, "{value:?}");
        assert!(
            said.starts_with("Err(\"PTXF_LEVEL is `") && said.contains("is not a level: choose one of portable"),
            "{said}"
        );
    }
}
