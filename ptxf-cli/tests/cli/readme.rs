//! The commands of the README for PTX, and their output there.

use crate::run::Folder;
use crate::support::{command, ran};

const README: &str = include_str!("../../../README.md");

/// `norm` of the README.
const NORM: &str = ".version 7.8
.target sm_90
.address_size 64
.visible .entry norm(.param .u64 x, .param .u64 y)
{
    .reg .b32 %r<3>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    fma.rn.f32 %f2, %f1, %f1, 0fBF800000;
    sqrt.rn.f32 %f3, %f2;
    st.global.f32 [%rd5], %f3;
    ret;
}
";

#[test]
fn its_commands_on_ptx_print_what_it_says() {
    let (_, section) = README.split_once("\n## PTX without a GPU\n").unwrap();
    let block = |kind: &str| section.split_once(kind).unwrap().1.split_once("```").unwrap().0;
    let folder = Folder::new("readme");
    folder.rewrite(NORM);
    let run = |line: &str| {
        let words = line.split(" #").next().unwrap().split_whitespace().skip(1);
        let words: Vec<String> = words.map(|word| word.trim_matches('\'').to_owned()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        ran(command(&words).current_dir(folder.path("")).output().unwrap())
    };
    assert_eq!(run("ptxf run k.ptx norm --block 8 rand:f32:8:1>x.npy zero:32").code, Some(0));
    let lines: Vec<&str> = block("```sh\n").lines().filter(|line| !line.starts_with("ptxf cuda")).collect();
    let [first, checked, births] = lines[..] else { panic!("{lines:?}") };
    for line in [first, checked] {
        let ran = run(line);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    }
    let ran = run(births);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), block("```text\n")), "{births}");
}
