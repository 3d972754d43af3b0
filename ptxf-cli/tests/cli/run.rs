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

/// A new folder with the text and some numbers.
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
        (vec!["scale", &buffer, "u64:11", "f32:1"], "argument 2 of `scale` is an integer of 64 bits"),
        (vec!["scall"], "there is no entry `scall`; entries are scale"),
        (vec!["scale", "buf:/nowhere/x.bin", "u32:1", "f32:1"], "cannot read /nowhere/x.bin"),
        (vec!["scale", "--limit", "3", &buffer, "u32:1", "f32:1"], "more than 3 instructions"),
        (vec!["scale", "--limit", "3", &buffer, "u32:1", "f32:1"], "a larger --limit"),
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
        (vec!["scale", "7"], "argument 1: 7 lacks a type: write u32:7"),
        (vec!["scale", "i32:7"], "i32 is no type"),
        (vec!["scale", "--grid", "1,2,3,4"], "at most three numbers"),
        (vec!["scale", "--block", "x"], "is no number"),
        (vec!["scale", "--grid", "8x2"], "8x2 is no number: write 8,2"),
        (vec!["scale", "buf:-", "buf:-", "f32:1"], "two arguments read standard input"),
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
    assert!(ran.err.contains("b.npy: it does not begin like a .npy file"), "{}", ran.err);
}

/// Each file that is not what its name or its argument says is refused, or named in a note.
#[test]
fn a_wrong_array_is_named() {
    let folder = Folder::new("wrong-arrays");
    let array = |descr: &str, order: &str, lengths: &str, bytes: usize| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {lengths}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &vec![0; bytes]].concat()
    };
    for (name, file, prefix, what) in [
        (
            "short.npy",
            array("<f4", "False", "(12,)", 40),
            "",
            "shape (12,) of `<f4` takes 48 bytes, and the file has 40",
        ),
        ("column.npy", array("<f4", "True", "(3, 4)", 48), "", "save np.ascontiguousarray of the array"),
        ("text.npy", array("<U4", "False", "(3,)", 48), "", "its elements are `<U4`"),
        ("double.npy", array("<f8", "False", "(12,)", 96), "f32:", "its elements are `<f8`, and `<f4` is .f32"),
        ("all.npz", b"PK\x03\x04".to_vec(), "", "a .npz file is an archive of arrays: save the array with np.save"),
        ("odd.bin", vec![0; 7], "f32:", "its 7 bytes are no whole number of .f32"),
    ] {
        fs::write(folder.path(name), file).unwrap();
        let ran = folder.run(&["scale", &format!("buf:{prefix}{}", folder.path(name)), "u32:1", "f32:2"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{name}");
        assert!(
            ran.err.starts_with("error: argument 1: cannot read ") && ran.err.contains(what),
            "{name}: {}",
            ran.err
        );
    }
    // Without a type, elements that are too wide are noted. NumPy's default is f64.
    let ran = folder.run(&["scale", &format!("buf:{}", folder.path("double.npy")), "u32:1", "f32:2"]);
    assert_eq!(ran.code, Some(0));
    let what = "double.npy has elements of 8 bytes, `<f8`, and no instruction reads or writes more than 4; convert";
    assert!(ran.err.starts_with("note: argument 1: ") && ran.err.contains(what), "{}", ran.err);
    // An array is recognized under any name.
    fs::write(folder.path("x.data"), array("<f4", "False", "(2,)", 8)).unwrap();
    let through = format!("buf:f32:{}>{}", folder.path("x.data"), folder.path("y.bin"));
    assert_eq!(folder.run(&["scale", &through, "u32:1", "f32:2"]).code, Some(0));
    assert_eq!(fs::read(folder.path("y.bin")).unwrap(), [0; 8]);
}

#[test]
fn a_variable_without_an_effect_is_named() {
    let folder = Folder::new("variables");
    let mut command = crate::support::command(&["run", &folder.path("k.ptx"), "scale", "zero:f32:1", "u32:1", "f32:2"]);
    let output = command.env("PTXF_VM_THREADS", "1").output().unwrap();
    let message = "warning: PTXF_VM_THREADS has an effect on `ptxf cuda` only: write --threads\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), message));
}

#[test]
fn zeros_have_a_type() {
    let folder = Folder::new("zeros");
    let ran = folder.run(&["scale", "--block", "8", &format!("zero:f32:8>{}", folder.path("y.npy")), "u32:8", "f32:2"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let found = fs::read(folder.path("y.npy")).unwrap();
    assert!(String::from_utf8_lossy(&found[..128]).contains("'descr': '<f4', 'fortran_order': False, 'shape': (8,)"));
    assert_eq!(found[128..], [0; 32]);
}

#[test]
fn a_hyphen_is_standard_input_or_output() {
    let folder = Folder::new("hyphens");
    let file = fs::File::open(folder.path("x.bin")).unwrap();
    let mut command = crate::support::command(&["run", &folder.path("k.ptx"), "scale", "--block", "10"]);
    let output =
        command.args(["buf:->-", "u32:10", "f32:2"]).stdin(file).current_dir(folder.path("")).output().unwrap();
    let numbers: Vec<f32> = output.stdout.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    assert_eq!(numbers, (0..10_u8).map(|x| 2.0 * f32::from(x)).collect::<Vec<_>>());
    assert!(!PathBuf::from(folder.path("-")).exists());
    // The tables of the other commands need standard output.
    for name in ["count", "births", "trace", "diff"] {
        let ran = folder.on(name, &["scale", "zero:f32:1>-", "u32:1", "f32:2"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{name}");
        assert!(ran.err.contains("write the name of a file after `>`"), "{name}: {}", ran.err);
    }
    assert!(folder.on("diff", &["scale", "buf:-", "u32:1", "f32:2"]).err.contains("reads its inputs twice"));
}

#[test]
fn a_fault_names_the_argument_and_the_file() {
    let folder = Folder::new("named");
    let buffer = format!("buf:{}", folder.path("x.bin"));
    let argument = "\n  buffer   #1 is argument 1, buf:";
    for command in ["run", "count", "births", "trace", "diff"] {
        let ran = folder.on(command, &["scale", "--block", "16", &buffer, "u32:16", "f32:1"]);
        assert!(ran.code == Some(1) && ran.err.contains(argument), "{command}: {}", ran.err);
    }
}

#[test]
fn a_report_is_status_1_and_the_result_is_written() {
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
    // Two blocks write the same element: a race if the values differ, and otherwise a remark.
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

#[test]
fn the_report_counts_instructions_by_exactness_and_form() {
    let folder = Folder::new("exactness");
    let text =
        TEXT.replace("mul.rn.f32 %r4, %r4, %r2;", "mul.rn.f32 %r4, %r4, %r2;\n    @!%p ex2.approx.f32 %r4, %r4;");
    folder.rewrite(&text);
    let args = ["scale", "--block", "16", &format!("buf:{}", folder.path("x.bin")), "u32:10", "f32:0.5"];
    let ran = folder.on("run", &[&["--report"], &args[..]].concat());
    // 16 threads execute eight instructions, six return, and the others execute seven more.
    let line = "report: 204 instructions of threads: 194 exact, 0 with the bits of a device, 10 within the documented \
                bound only\n  bounded            10  ex2.approx.f32\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), line));
    let ran = folder.on("run", &[&["--report", "--model", "sm_90"], &args[..]].concat());
    assert!(ran.err.contains("194 exact, 10 with the bits of a device, 0 within"), "{}", ran.err);
    let ran = folder.on("run", &[&["--report=json"], &args[..]].concat());
    let bounded = "{\"form\":\"ex2.approx.f32\",\"exactness\":\"bounded\",\"lanes\":10}\n";
    assert!(
        ran.out.ends_with(bounded)
            && ran.out.contains("{\"form\":\"mul.rn.f32\",\"exactness\":\"exact\",\"lanes\":10}"),
        "{}",
        ran.out
    );
}

const TEXTURE: &str = ".version 7.8
.target sm_90
.visible .entry half(.param .u64 t, .param .u64 y)
{
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [t];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, 0f3F800000}];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd3, %rd2, %rd3;
    st.global.f32 [%rd3], %f2;
    ret;
}
";

#[test]
fn an_array_is_a_texture() {
    let folder = Folder::new("texture");
    folder.rewrite(TEXTURE);
    let mut array = b"\x93NUMPY\x01\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".to_vec();
    array.resize(127, b' ');
    array.push(b'\n');
    [1.0_f32, 2.0, 4.0, 11.0, 12.0, 14.0].iter().for_each(|x| array.extend(x.to_le_bytes()));
    fs::write(folder.0.join("a.npy"), &array).unwrap();
    let out = format!("zero:f32:4>{}", folder.path("y.bin"));
    for (words, right) in [
        ("tex", [11.0_f32, 12.0, 14.0, 14.0]),
        ("tex.linear", [6.0, 6.5, 8.0, 9.0]),
        ("tex.linear.border", [3.0, 6.5, 8.0, 4.5]),
    ] {
        let texture = format!("{words}:buf:{}", folder.path("a.npy"));
        let ran = folder.run(&["half", "--block", "4", &texture, &out]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let found: Vec<u8> = right.iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(fs::read(folder.0.join("y.bin")).unwrap(), found, "{words}");
    }
    for (texture, what) in [
        (
            "tex:zero:f64:4",
            "argument 1: its elements are `<f8`, and texels are integers of 8, 16 or 32 bits, f16 or f32",
        ),
        ("tex.linear:zero:u32:4", "argument 1: the linear filter needs floating-point results"),
        ("buf:/dev/null", "is no texture or surface"),
    ] {
        let ran = folder.run(&["half", "--block", "4", texture, &out]);
        assert!(ran.code == Some(1) && ran.err.contains(what), "{texture}: {}", ran.err);
    }
}
