//! `ptx_run`, by which a program runs a kernel on its own memory.
#![expect(unsafe_code, reason = "the function is foreign")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::fs::{self, File};
use std::os::fd::AsRawFd as _;
use std::process::Command;
use std::ptr::{null_mut, without_provenance_mut};
use std::slice;

use ptxf_cuda as _;

unsafe extern "C" {
    fn ptx_run(
        source: *const c_char,
        count: c_int,
        arguments: *const *mut c_void,
        block_x: c_int,
        block_y: c_int,
        block_z: c_int,
        grid_x: c_int,
        grid_y: c_int,
        grid_z: c_int,
        shared: c_int,
    );
}

/// Runs a kernel of 64 threads per block.
fn run(text: &str, arguments: &[*mut c_void], blocks: c_int) {
    let text = CString::new(text).unwrap();
    // SAFETY: the text ends with a zero byte, and the kernel accesses what the arguments point to.
    unsafe { ptx_run(text.as_ptr(), arguments.len() as c_int, arguments.as_ptr(), 64, 1, 1, blocks, 1, 1, 0) };
}

/// `x[by * i] += add` in f16 for the thread `i`, on the arguments of tinygrad's kernels: pointers
/// without a size, and integers of 32 bits.
const ADD: &str = ".version 7.5
.target sm_86
.address_size 64
.visible .entry add(.param .u64 x, .param .u32 by, .param .u64 amount) {
    .reg .b64 %d<5>; .reg .b32 %r<6>; .reg .b16 %h<3>;
    ld.param.u64 %d1, [x];
    ld.param.u32 %r1, [by];
    ld.param.u64 %d2, [amount];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.u32 %r2, %r3, 64, %r2;
    mul.lo.u32 %r2, %r2, %r1;
    mul.wide.u32 %d3, %r2, 2;
    add.u64 %d1, %d1, %d3;
    ld.global.b16 %h1, [%d1];
    ld.global.b16 %h2, [%d2];
    add.f16 %h1, %h1, %h2;
    st.global.b16 [%d1], %h1;
    ret;
}";

#[test]
fn a_kernel_changes_the_memory_of_the_process() {
    // Beyond the first window: 256 threads at every 16,384th element are 8 MiB.
    let by = 16384;
    let mut x: Vec<u16> = (0..256 * by).map(|i| if i % by == 0 { 0x3c00 } else { 0x1234 }).collect();
    let mut amount = [0x4000_u16];
    let arguments = [x.as_mut_ptr().cast(), without_provenance_mut(by), amount.as_mut_ptr().cast()];
    run(ADD, &arguments, 4);
    run(ADD, &arguments, 4);
    assert!(x.iter().enumerate().all(|(i, &bits)| bits == if i % by == 0 { 0x4500 } else { 0x1234 }));
    assert_eq!(amount, [0x4000]);
}

/// The end of a mapping may have no memory behind it: that of a file that is shorter, a guard page,
/// or what another thread has unmapped since.
#[test]
fn a_part_of_a_mapping_may_be_unreadable() {
    unsafe extern "C" {
        fn mmap(at: *mut c_void, bytes: usize, protection: c_int, flags: c_int, file: c_int, from: i64) -> *mut c_void;
    }
    let path = std::env::temp_dir().join(format!("ptxf-page-{}", std::process::id()));
    fs::write(&path, 0x3c00_u16.to_le_bytes().repeat(2048)).unwrap();
    let file = File::open(&path).unwrap();
    // SAFETY: the private mapping (2) for reading and writing (1 + 2) is new and stays until the
    // process ends. Its first page has all the file's bytes.
    let x = unsafe { mmap(null_mut(), 4 * 4096, 1 + 2, 2, file.as_raw_fd(), 0) };
    assert!(!x.is_null() && x.addr() != usize::MAX);
    fs::remove_file(&path).unwrap();
    let mut amount = [0x4000_u16];
    run(ADD, &[x, without_provenance_mut(1), amount.as_mut_ptr().cast()], 1);
    // SAFETY: as above.
    let x = unsafe { slice::from_raw_parts(x.cast::<u16>(), 2048) };
    assert!(x.iter().enumerate().all(|(i, &bits)| bits == if i < 64 { 0x4200 } else { 0x3c00 }));
}

#[test]
#[ignore = "ends the process"]
fn in_null_is_read() {
    run(ADD, &[null_mut(), null_mut(), null_mut()], 1);
}

#[test]
#[ignore = "ends the process"]
fn in_an_argument_is_missing() {
    run(ADD, &[null_mut()], 1);
}

#[test]
fn a_failure_ends_the_process() {
    for (test, what) in [
        ("ocelot::in_null_is_read", "read of 2 bytes at 0x0"),
        ("ocelot::in_an_argument_is_missing", "ptx_run: add takes 3 arguments, and 1 are passed"),
    ] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let ran = command.args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(!ran.status.success() && err.contains(what), "{err}");
    }
}
