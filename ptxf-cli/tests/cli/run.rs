//! `ptxf run`.

use std::fs;
use std::path::PathBuf;

use crate::support::{Ran, ptxf};

const TEXT: &str = ".version 7.8
.target sm_90
.visible .entry scale(.param .u64 x, .param .u32 n, .param .f32 a)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [x];
    ld.param.u32 %r1, [n];
    ld.param.f32 %r2, [a];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.u32 %r3, %r3, %r4, %r5;
    setp.ge.u32 %p, %r3, %r1;
    @%p ret;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.f32 %r4, [%rd3];
    mul.rn.f32 %r4, %r4, %r2;
    st.global.f32 [%rd3], %r4;
    ret;
}
";

/// A folder of its own with the text and some numbers in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("k.ptx"), TEXT).unwrap();
        let values: Vec<u8> = (0..10_u8).flat_map(|x| f32::from(x).to_le_bytes()).collect();
        fs::write(path.join("x.bin"), values).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn run(&self, args: &[&str]) -> Ran {
        let file = self.path("k.ptx");
        ptxf(&[&["run", &file], args].concat())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn buffers_are_read_from_files_and_written_to_others() {
    let folder = Folder::new("files");
    let buffer = format!("buf:{}>{}", folder.path("x.bin"), folder.path("y.bin"));
    let ran = folder.run(&["scale", "--grid", "3", "--block", "4", &buffer, "u32:9", "f32:-0.5"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, format!("{}: 40 bytes\n", folder.path("y.bin")));
    let found = fs::read(folder.0.join("y.bin")).unwrap();
    let expected: Vec<u8> =
        (0..10_u8).flat_map(|x| (f32::from(x) * if x < 9 { -0.5 } else { 1.0 }).to_le_bytes()).collect();
    assert_eq!(found, expected);
    let zeros = format!("zero:8>{}", folder.path("z.bin"));
    assert_eq!(folder.run(&["scale", "--block", "2,1,1", &zeros, "u32:2", "f32:0x40000000"]).code, Some(0));
    assert_eq!(fs::read(folder.0.join("z.bin")).unwrap(), [0; 8]);
}

#[test]
fn a_fault_or_a_text_that_cannot_run_is_status_1() {
    let folder = Folder::new("faults");
    let buffer = format!("buf:{}", folder.path("x.bin"));
    for (args, what) in [
        (vec!["scale", "--block", "16", &buffer, "u32:11", "f32:1"], "read of 4 bytes at"),
        (vec!["scale", &buffer, "u32:11"], "`scale` takes 3 arguments, and 2 are passed"),
        (vec!["scale", &buffer, "u64:11", "f32:1"], "argument 1 of `scale` is an integer of 64 bits"),
        (vec!["scall"], "there is no entry `scall`; entries are scale"),
        (vec!["scale", "buf:/nowhere/x.bin", "u32:1", "f32:1"], "cannot read /nowhere/x.bin"),
        (vec!["scale", "--limit", "3", &buffer, "u32:1", "f32:1"], "more than 3 instructions"),
    ] {
        let ran = folder.run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(what), "{args:?}: {}", ran.err);
    }
    fs::write(folder.0.join("k.ptx"), "no PTX").unwrap();
    assert!(folder.run(&["scale"]).err.contains("line 1, column 1: found `no` where `.version`"));
}

#[test]
fn a_wrong_command_is_status_2() {
    let folder = Folder::new("usage");
    for (args, what) in [
        (vec!["scale", "7"], "argument 0: 7 is no argument"),
        (vec!["scale", "i32:7"], "i32 is no type"),
        (vec!["scale", "--grid", "1,2,3,4"], "at most three numbers"),
        (vec!["scale", "--block", "x"], "is no number"),
        (vec!["scale", "--threads", "0"], "--threads"),
        (vec![], "ENTRY"),
    ] {
        let ran = folder.run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(what), "{args:?}: {}", ran.err);
    }
}
