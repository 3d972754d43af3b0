//! A stand-in for nvJitLink, the library that links PTX to machine code without the driver.
//!
//! Here the result is the linked PTX in a container, which the driver's functions load. NVIDIA's
//! bindings for Python look the functions up in the whole process before they load nvJitLink, and
//! find these if this library is preloaded.
// Invariant: no other library of the process has functions of these names without a version. Each takes the arguments of nvJitLink's function.
#![expect(unsafe_code, reason = "C programs call the functions")]
#![allow(non_snake_case, reason = "the names are NVIDIA's")]

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint};
use std::sync::{Mutex, PoisonError};

use crate::abi::{Host, In, Out, Text};
use crate::failure::{Code, Done, Failure};
use crate::{image, linker, report};

/// A link: its inputs, its result, and the messages of errors.
#[derive(Debug, Default)]
struct Link {
    texts: Vec<String>,
    image: Option<Vec<u8>>,
    log: String,
}

/// The links by their handles, and the number of links so far.
static LINKS: Mutex<(usize, BTreeMap<usize, Link>)> = Mutex::new((0, BTreeMap::new()));

/// The numbers of `nvJitLinkResult`.
const SUCCESS: c_int = 0;
const INVALID_INPUT: c_int = 3;
const PTX_COMPILE: c_int = 4;
const INTERNAL: c_int = 6;

/// The numbers of `nvJitLinkInputType` that can have PTX: CUBIN, PTX, FATBIN, OBJECT, LIBRARY and
/// ANY.
const WITH_PTX: [c_int; 6] = [1, 2, 4, 5, 6, 10];

/// The first version of nvJitLink. Programs that find a later one link LTO-IR instead of PTX.
const VERSION: (c_uint, c_uint) = (12, 0);

/// Runs the body of a function and returns its code.
fn code(function: &str, work: impl FnOnce() -> Done) -> c_int {
    match report::code(function, work) {
        0 => SUCCESS,
        ptx if ptx == Code::InvalidPtx as c_int => PTX_COMPILE,
        unknown if unknown == Code::Unknown as c_int => INTERNAL,
        _ => INVALID_INPUT,
    }
}

/// Calls a function with a link.
fn with<T>(handle: usize, work: impl FnOnce(&mut Link) -> Result<T, Failure>) -> Result<T, Failure> {
    let mut links = LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    let link = links.1.get_mut(&handle).ok_or_else(|| Code::InvalidHandle.because("the handle is of no link"))?;
    work(link).inspect_err(|failure| {
        if let Some(what) = &failure.what {
            link.log.push_str(what);
            link.log.push('\n');
        }
    })
}

fn create(link: Out<usize>) -> Done {
    let link = link.place()?;
    let mut links = LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    links.0 += 1;
    let handle = links.0;
    links.1.insert(handle, Link::default());
    link.put(handle)
}

fn destroy(link: In<usize>) -> Done {
    let handle = link.get()?;
    let mut links = LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    links.1.remove(&handle).map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

fn add(handle: usize, kind: c_int, bytes: impl FnOnce() -> Result<Vec<u8>, Failure>) -> Done {
    with(handle, |link| {
        if !WITH_PTX.contains(&kind) {
            let what = "only PTX, and containers with PTX, can be linked: compile to PTX instead of LTO-IR";
            return Err(Code::NotSupported.because(what));
        }
        link.texts.extend(linker::checked(bytes()?)?);
        Ok(())
    })
}

fn add_file(handle: usize, kind: c_int, path: Text) -> Done {
    let path = path.get()?;
    add(handle, kind, || std::fs::read(&path).map_err(|e| Code::FileNotFound.because(format!("{path}: {e}"))))
}

fn complete(handle: usize) -> Done {
    with(handle, |link| {
        link.image = Some(image::wrapped(&linker::joined(&link.texts)?));
        Ok(())
    })
}

fn image_of(link: &Link) -> Result<&[u8], Failure> {
    link.image.as_deref().ok_or_else(|| Code::InvalidValue.because("the link is not complete"))
}

/// Returns the messages of a link with a zero byte.
fn log_of(link: &Link) -> Vec<u8> {
    let mut log = link.log.replace('\0', " ").into_bytes();
    log.push(0);
    log
}

fn no_other_result() -> Done {
    Err(Code::NotSupported.because("the result of a link is PTX in a container: get the linked cubin"))
}

fn version(major: Out<c_uint>, minor: Out<c_uint>) -> Done {
    major.put(VERSION.0)?;
    minor.put(VERSION.1)
}

macro_rules! exports {
    ($($name:ident($($argument:ident: $ty:ty),*) => $does:expr;)*) => {$(
        // SAFETY: the name is NVIDIA's, and a lookup in the whole process may find this function.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $ty),*) -> c_int {
            code(stringify!($name), || $does)
        }
    )*};
}

exports! {
    nvJitLinkVersion(major: Out<c_uint>, minor: Out<c_uint>) => version(major, minor);
    nvJitLinkCreate(link: Out<usize>, _count: c_uint, _options: In<*const c_char>) => create(link);
    nvJitLinkDestroy(link: In<usize>) => destroy(link);
    nvJitLinkAddData(link: usize, kind: c_int, data: Host, bytes: usize, _name: Host) => {
        add(link, kind, || data.read(0, bytes))
    };
    nvJitLinkAddFile(link: usize, kind: c_int, path: Text) => add_file(link, kind, path);
    nvJitLinkComplete(link: usize) => complete(link);
    nvJitLinkGetLinkedCubinSize(link: usize, bytes: Out<usize>) => {
        with(link, |link| bytes.put(image_of(link)?.len()))
    };
    nvJitLinkGetLinkedCubin(link: usize, to: Host) => with(link, |link| to.write(0, image_of(link)?));
    nvJitLinkGetErrorLogSize(link: usize, bytes: Out<usize>) => with(link, |link| bytes.put(log_of(link).len()));
    nvJitLinkGetErrorLog(link: usize, to: Host) => with(link, |link| to.write(0, &log_of(link)));
    nvJitLinkGetInfoLogSize(link: usize, bytes: Out<usize>) => with(link, |_| bytes.put(1));
    nvJitLinkGetInfoLog(link: usize, to: Host) => with(link, |_| to.write(0, &[0]));
    nvJitLinkGetLinkedPtxSize(_link: usize, _bytes: Out<usize>) => no_other_result();
    nvJitLinkGetLinkedPtx(_link: usize, _to: Host) => no_other_result();
    nvJitLinkGetLinkedLTOIRSize(_link: usize, _bytes: Out<usize>) => no_other_result();
    nvJitLinkGetLinkedLTOIR(_link: usize, _to: Host) => no_other_result();
}
