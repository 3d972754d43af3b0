//! Processes whose `libcuda` is this library.

use std::process::Command;

use ptxf_cuda::{Folder, library};

/// The output of a test that ran in its own process.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs an ignored test with the library, and checks that it passes.
#[track_caller]
pub(crate) fn with_library(test: &str, variables: &[(&str, &str)]) -> Ran {
    let folder = Folder::new(&library().unwrap()).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("LD_LIBRARY_PATH", folder.path()).env("LD_PRELOAD", folder.preload()).env("PTXF_VM_LEFT", "1");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success() && out.contains("1 passed"), "{out}\n{err}");
    Ran { out, err }
}
