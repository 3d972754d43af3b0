//! What only happens with a driver: on a stub of it, each time in a process of its own, since a library is loaded once.
#![cfg(target_os = "linux")]

use std::process::Command;

use driver::{Arg, Buffer, Context, Extent};
use stub_driver::Folder;

/// Runs one of the tests that have no driver by themselves; what it printed, if it passed.
#[track_caller]
fn with_library(folder: &Folder, test: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("LD_LIBRARY_PATH", folder.path());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    text.into_owned()
}

/// The stub's kernel of a form, with an entry of its name in a comment and in a string.
const PTX: &str =
    "// .entry neg_f32(.param .u64 a)\n.version 7.8\n.target sm_90\n.pragma \".entry neg_f32(.param .u64 a)\";
.visible .entry neg_f32(
    .param .u64 .ptr .align 4 d, .param .u64 .ptr .align 4 a, .param .u64 .ptr .align 4 b, .param .u64 .ptr .align 4 c,
    .param .u32 n
)\n{\n\tret;\n}\n";

fn device(number: u32) -> Context {
    driver::open(number).unwrap().unwrap_or_else(|absent| panic!("{absent}"))
}

fn bytes(x: [f32; 2]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Launches the kernel for two elements.
fn launch(kernel: &driver::Kernel, out: &Buffer, x: &Buffer) -> Result<(), String> {
    let arguments = [Arg::Address(out), Arg::Address(x), Arg::Address(x), Arg::Address(x), Arg::U32(2)];
    // SAFETY: the kernel touches two elements of the first two buffers, which have as many.
    #[expect(unsafe_code, reason = "a kernel is foreign code")]
    unsafe { kernel.launch(Extent::line(2, 32), &arguments) }.map_err(|e| e.to_string())
}

#[test]
#[ignore = "has no driver by itself"]
fn in_two_contexts() {
    let (first, second) = (device(0), device(1));
    let kernels = [&first, &second].map(|context| context.load(PTX).unwrap().kernel("neg_f32").unwrap());
    let x = first.upload(&bytes([1.0, -2.0])).unwrap();
    let y = second.upload(&bytes([3.0, 4.0])).unwrap();
    let (out_x, out_y) = (first.alloc(8).unwrap(), second.alloc(8).unwrap());
    launch(&kernels[0], &out_x, &x).unwrap();
    launch(&kernels[1], &out_y, &y).unwrap();
    assert_eq!(out_x.download().unwrap(), bytes([-1.0, 2.0]));
    assert_eq!(out_y.download().unwrap(), bytes([-3.0, -4.0]));
    let foreign = |i: u32| Err(format!("argument {i} of neg_f32 is a buffer of another context"));
    assert_eq!(launch(&kernels[0], &out_x, &y), foreign(2));
    assert_eq!(launch(&kernels[1], &out_x, &y), foreign(1));
    let seconds = first.time(|| second.synchronize());
    assert!(seconds.unwrap() >= 0.0);
    // The same device once more is the same memory.
    let again = device(0);
    launch(&kernels[0], &again.alloc(8).unwrap(), &x).unwrap();
    // What was made last goes first, and the thread's current context is another one's.
    drop(second);
    drop((out_x, x));
    drop(first);
    drop((y, out_y));
}

#[test]
fn contexts_on_one_thread_are_kept_apart() {
    let folder = Folder::new("contexts").unwrap();
    let text = with_library(&folder, "in_two_contexts", &[("STUB_DEVICES", "2")]);
    assert_eq!(text.matches("released, 0 allocations and events left").count(), 3, "{text}");
}

#[test]
#[ignore = "has no driver by itself"]
fn with_wrong_arguments() {
    let context = device(0);
    let kernel = context.load(PTX).unwrap().kernel("neg_f32").unwrap();
    let x = context.upload(&bytes([1.0, 2.0])).unwrap();
    let error = |arguments: &[Arg<'_>]| {
        // SAFETY: it is not launched.
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        unsafe { kernel.launch(Extent::line(2, 32), arguments) }.unwrap_err().to_string()
    };
    let (address, host) = (Arg::Address(&x), [0_u8; 8]);
    assert_eq!(error(&[Arg::U64(0)]), "neg_f32 takes 5 arguments, and is passed 1");
    assert_eq!(
        error(&[address, Arg::U64(host.as_ptr().addr() as u64), address, address, Arg::U32(2)]),
        "argument 2 of neg_f32 is a u64, and the PTX declares `.param .u64 .ptr .align 4 a`"
    );
    assert!(error(&[address, address, address, address, address]).contains("argument 5 of neg_f32 is a buffer"));
    assert!(error(&[address, address, address, address, Arg::F32(2.0)]).contains("is an f32"));
    let refused = context.load("/* .version 7.8\n.target sm_90").unwrap_err().to_string();
    assert_eq!(refused, "the PTX is not understood: line 1, column 1: a comment that nothing ends");
}

#[test]
fn arguments_are_what_the_entry_declares() {
    let folder = Folder::new("arguments").unwrap();
    with_library(&folder, "with_wrong_arguments", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn with_a_library_that_is_not_whole() {
    println!("it says: {}", driver::open(0).map(|_| ()).expect_err("there is no such function"));
}

/// The name of a function in the library becomes another one's.
#[test]
fn a_function_that_is_not_there_is_named() {
    let whole = stub_driver::library().unwrap();
    let names = whole.split(|&b| b == 0).filter(|name| name.starts_with(b"cu") && (3..40).contains(&name.len()));
    let is_name =
        |name: &&[u8]| name[2].is_ascii_uppercase() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut names: Vec<&[u8]> = names.filter(is_name).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.contains(&b"cuInit".as_slice()) && names.len() >= 23, "{}", names.len());
    for name in names {
        let mut bytes = whole.clone();
        let mut renamed = 0;
        for at in 0..bytes.len() - name.len() - 1 {
            if bytes[at] == 0 && bytes[at + 1..].starts_with(name) && bytes[at + 1 + name.len()] == 0 {
                bytes[at + 1] = b'x';
                renamed += 1;
            }
        }
        assert!(renamed > 0);
        let name = String::from_utf8(name.to_vec()).unwrap();
        let folder = Folder::with(&name, &bytes).unwrap();
        let text = with_library(&folder, "with_a_library_that_is_not_whole", &[]);
        assert!(text.contains(&format!("it says: libcuda.so has no {name}: it is too old")), "{text}");
    }
}
