//! What only happens with a driver: on the one that executes PTX on this CPU, each time in a process of its own, since a library is loaded
//! once.
#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::Command;

use driver::{Arg, Buffer, Context, Extent};
use ptxf_cuda::{Folder, library};

/// Runs one of the tests that have no driver by themselves; what it printed, if it passed.
#[track_caller]
fn with_library(library: &Path, test: &str, variables: &[(&str, &str)]) -> String {
    let folder = Folder::new(library).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("LD_LIBRARY_PATH", folder.path());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    text.into_owned()
}

/// A kernel of a form, with an entry of its name in a comment and in a string.
const PTX: &str =
    "// .entry neg_f32(.param .u64 a)\n.version 7.8\n.target sm_90\n.pragma \".entry neg_f32(.param .u64 a)\";
.visible .entry neg_f32(
    .param .u64 .ptr .align 4 d, .param .u64 .ptr .align 4 a, .param .u64 .ptr .align 4 b, .param .u64 .ptr .align 4 c,
    .param .u32 n
)\n{
    .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [n];
    setp.ge.u32 %p, %r1, %r2;
    @%p ret;
    mul.wide.u32 %rd1, %r1, 4;
    ld.param.u64 %rd2, [d];
    ld.param.u64 %rd3, [a];
    add.s64 %rd2, %rd2, %rd1;
    add.s64 %rd3, %rd3, %rd1;
    ld.global.b32 %r1, [%rd3];
    neg.f32 %r1, %r1;
    st.global.b32 [%rd2], %r1;
    ret;
}\n";

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

/// Two devices, of which nothing is touched while the other one's context is current.
const TWO: &[(&str, &str)] = &[("PTXF_VM_DEVICES", "2"), ("PTXF_VM_STRICT", "1"), ("PTXF_VM_LEFT", "1")];

#[test]
fn contexts_on_one_thread_are_kept_apart() {
    let text = with_library(&library().unwrap(), "in_two_contexts", TWO);
    let ended = "ended: 0 allocations (0 bytes), 0 events and 0 streams left";
    assert_eq!(text.matches(ended).count(), 2, "{text}");
    assert!(!text.contains("PTXF_VM_STRICT"), "{text}");
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
    let refused = context.load(".version 7.8\n.target sm_90\n.entry k() { neg.f32 %r1 %r2; }").unwrap_err().to_string();
    assert!(refused.contains("CUDA_ERROR_INVALID_PTX") && refused.contains("line 3"), "{refused}");
}

#[test]
fn arguments_are_what_the_entry_declares() {
    with_library(&library().unwrap(), "with_wrong_arguments", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn with_a_library_that_is_not_whole() {
    println!("it says: {}", driver::open(0).map(|_| ()).expect_err("there is no such function"));
}

/// Each function of the driver that the library has, with the place in its file that says whether others see the symbol.
fn functions(library: &[u8]) -> Vec<(&str, usize)> {
    let number = |at: usize, bytes: usize| {
        library[at..at + bytes].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
    };
    // The head of an ELF file of 64 bits says where the heads of its sections are.
    let (sections, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let section = |i: usize| sections + i * size;
    const DYNSYM: usize = 11;
    let symbols = (0..count).map(section).find(|at| number(at + 4, 4) == DYNSYM).expect("a library has symbols");
    let names = number(section(number(symbols + 0x28, 4)) + 0x18, 8);
    let (first, bytes) = (number(symbols + 0x18, 8), number(symbols + 0x20, 8));
    let named = (first..first + bytes).step_by(24).filter_map(|symbol| {
        let name = library[names + number(symbol, 4)..].split(|byte| *byte == 0).next()?;
        let name = std::str::from_utf8(name).ok().filter(|name| name.starts_with("cu"))?;
        Some((name, symbol + 4))
    });
    named.collect()
}

/// A symbol that is a function, global or local.
const SEEN: u8 = 0x12;
const HIDDEN: u8 = 0x02;

#[test]
fn a_function_that_is_not_there_is_named_and_no_other_is_called() {
    let whole = fs::read(library().unwrap()).unwrap();
    let functions = functions(&whole);
    assert!(functions.len() > 100 && functions.iter().all(|(_, at)| whole[*at] == SEEN), "{}", functions.len());
    let path = std::env::temp_dir().join(format!("ptxf-driver-{}.so", std::process::id()));
    fs::write(&path, &whole).unwrap();
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    let set = |is: &dyn Fn(&str) -> bool, to: u8| {
        for (_, at) in functions.iter().filter(|(name, _)| is(name)) {
            file.write_all_at(&[to], *at as u64).unwrap();
        }
    };
    let missing = || {
        let text = with_library(&path, "with_a_library_that_is_not_whole", &[]);
        let (_, rest) = text.split_once("it says: libcuda.so has no ").unwrap_or_else(|| panic!("{text}"));
        let (names, _) = rest.split_once(": it is too old").unwrap();
        names.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    set(&|_| true, HIDDEN);
    let needed = missing();
    let is_needed = |name: &str| needed.iter().any(|needed| needed == name);
    assert!(is_needed("cuInit") && is_needed("cuLaunchKernel"), "{needed:?}");
    // With these alone everything is done; a call of another one would panic.
    set(&is_needed, SEEN);
    with_library(&path, "in_two_contexts", TWO);
    with_library(&path, "with_wrong_arguments", &[]);
    for name in &needed {
        set(&|other| other == name, HIDDEN);
        assert_eq!(missing(), [name.as_str()]);
        set(&|other| other == name, SEEN);
    }
    fs::remove_file(path).unwrap();
}
