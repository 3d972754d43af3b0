//! Every function with arguments that are mistakes.

use std::ffi::c_int;

use super::{mapping, texture};
use crate::abi::Address;
use crate::failure::Code;
use crate::{exports, runtime};

/// A function with as many words as the longest takes, which has four in registers.
type Any = extern "C" fn(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64) -> c_int;

/// The functions of the driver, then those of the runtime.
fn all() -> impl Iterator<Item = (&'static str, Address)> {
    exports::ALL.iter().chain(texture::ALL).chain(mapping::ALL).chain(runtime::all()).copied()
}

fn call(name: &str) -> Option<Code> {
    let address = all().find(|(known, _)| *known == name).expect("it is exported").1;
    // SAFETY: in the conventions of these systems a function may be passed more words than it
    // reads, and zeros are numbers and null pointers, which every function has to expect.
    let function: Any = unsafe { std::mem::transmute(address.0) };
    Code::of(function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

#[test]
fn zeros_and_null_pointers_are_refused_or_nothing_is_done() {
    let is_of_context = |name: &str| {
        ["cuStream", "cuEvent", "cuMemAlloc", "cuLaunch", "cuModuleLoad", "cuCtxSyn"]
            .iter()
            .any(|of| name.starts_with(of))
    };
    let names = || all().map(|(name, _)| name).filter(|name| *name != "cuInit");
    for name in names().filter(|name| name.starts_with("cu") && !name.starts_with("cuda")) {
        let code = call(name).unwrap_or_else(|| panic!("{name} returns what is no code"));
        assert!(code != Code::Unknown && !(is_of_context(name) && code == Code::Success), "{name}: {code:?}");
    }
    assert_eq!(call("cuInit"), Some(Code::Success));
    let context = crate::state::create(0).expect("there is a device");
    for name in names() {
        crate::state::set(Some(&context));
        let code = call(name).unwrap_or_else(|| panic!("{name} returns what is no code"));
        assert_ne!(code, Code::Unknown, "{name} panicked");
    }
    crate::state::set(None);
}
