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

#[test]
fn a_model_is_one_of_a_device_that_was_measured() {
    let folder = Folder::new("model");
    let args = ["scale", "--block", "16", &format!("buf:{}", folder.path("x.bin")), "u32:10", "f32:0.5"];
    for command in ["run", "count", "births", "trace", "diff"] {
        let ran = folder.on(command, &[&["--model", "reference"], &args[..]].concat());
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
        let ran = folder.on(command, &[&["--model", "sm_20"], &args[..]].concat());
        assert!(ran.code == Some(2) && ran.err.contains("no device of sm_20 has been measured"), "{}", ran.err);
    }
}

/// A folder of its own with the text and some numbers in it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("k.ptx"), TEXT).unwrap();
        let values: Vec<u8> = (0..10_u8).flat_map(|x| f32::from(x).to_le_bytes()).collect();
        fs::write(path.join("x.bin"), values).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Runs a command on the text.
    pub(crate) fn on(&self, command: &str, args: &[&str]) -> Ran {
        let file = self.path("k.ptx");
        ptxf(&[&[command, &file], args].concat())
    }

    /// Writes another text.
    pub(crate) fn rewrite(&self, text: &str) {
        fs::write(self.0.join("k.ptx"), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.on("run", args)
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

#[test]
fn arrays_are_read_and_written_with_their_shape() {
    let folder = Folder::new("arrays");
    let made = format!("rand:f32:12:7:-1:1>{}", folder.path("a.npy"));
    assert_eq!(folder.run(&["scale", &made, "u32:0", "f32:1"]).code, Some(0));
    let mut array = fs::read(folder.0.join("a.npy")).unwrap();
    assert!(array.starts_with(b"\x93NUMPY\x01\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (12,), }"));
    // The same array with three rows.
    let at = array.windows(5).position(|bytes| bytes == b"(12,)").unwrap();
    array.splice(at..at + 9, *b"(3, 4), }");
    fs::write(folder.0.join("b.npy"), &array).unwrap();
    let through = format!("buf:{}>{}", folder.path("b.npy"), folder.path("c.npy"));
    let ran = folder.run(&["scale", "--block", "16", &through, "u32:12", "f32:2"]);
    assert_eq!((ran.code, ran.out), (Some(0), format!("{}: 176 bytes\n", folder.path("c.npy"))));
    let found = fs::read(folder.0.join("c.npy")).unwrap();
    assert!(String::from_utf8_lossy(&found[..128]).contains("'shape': (3, 4)"));
    let numbers = |bytes: &[u8]| -> Vec<f32> {
        bytes[128..].as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    assert_eq!(numbers(&found), numbers(&array).into_iter().map(|x| 2.0 * x).collect::<Vec<_>>());
    fs::write(folder.0.join("b.npy"), "no array").unwrap();
    let ran = folder.run(&["scale", &through, "u32:12", "f32:2"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("b.npy: it does not begin as a .npy file does"), "{}", ran.err);
}

#[test]
fn what_is_reported_is_status_1_and_the_result_is_there() {
    let folder = Folder::new("checks");
    folder.rewrite(&TEXT.replace("mul.rn.f32 %r4, %r4, %r2;", "mul.rn.f32 %r4, %r4, %r2;\n    add.u32 %r0, %r0, 1;"));
    let buffer = format!("range:f32:4>{}", folder.path("y.bin"));
    let args = |level| folder.run(&["scale", "--block", "4", "--check", level, &buffer, "u32:4", "f32:2"]);
    let found = fs::read(folder.0.join("x.bin")).unwrap();
    let ran = args("initcheck");
    assert_eq!((ran.code, ran.out), (Some(1), format!("{}: 16 bytes\n", folder.path("y.bin"))));
    assert!(
        ran.err.starts_with("undefined register: `%r0` is read, and nothing was assigned to it; 4 times"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("PTX      21:  add.u32 %r0, %r0, 1;"), "{}", ran.err);
    assert_eq!(fs::read(folder.0.join("y.bin")).unwrap()[4..8], found[8..12]);
    assert_eq!(args("racecheck").code, Some(1));
    let ran = args("memcheck");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(args("allcheck").code, Some(2));
    // Two blocks have the same index, which is a race of different values and a remark for the same one.
    folder.rewrite(
        &TEXT
            .replace("mov.u32 %r3, %ctaid.x;", "mov.u32 %r3, 0;")
            .replace("mul.rn.f32 %r4, %r4, %r2;", "mov.f32 %r4, %r2;\n    ld.param.f32 %r4, [a];"),
    );
    let ran =
        folder.run(&["scale", "--check", "racecheck", "--schedule", "3", "--grid", "2", &buffer, "u32:1", "f32:2"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("race: "), "{}", ran.err);
}
