//! `ptxf count`, `births`, `trace` and `diff`.

use crate::run::Folder;

#[test]
fn counts_are_a_table_or_lines_of_json() {
    let folder = Folder::new("count");
    let args = ["scale", "--grid", "2", "--block", "64", "range:f32:128", "u32:100", "f32:2"];
    let ran = folder.on("count", &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines[0],
        ["line", "warps", "lanes", "diverged", "flops", "bytes", "sectors", "shared", "conflicts", "instruction"]
    );
    let of = |begins: &str| lines.iter().find(|line| line.contains(&begins)).unwrap().clone();
    // Four warps, of which the last one has 4 of its threads below 100.
    assert_eq!(of("ld.global.f32")[..5], ["19", "4", "25.0", "400", "3.2"]);
    assert_eq!(of("mul.rn.f32")[..6], ["20", "4", "25.0", "100", "f32", "mul.rn.f32"]);
    assert_eq!(lines.last().unwrap().last(), Some(&"all"));

    let json = folder.on("count", &[&["--json"], &args[..]].concat());
    assert_eq!(json.out.lines().count(), lines.len() - 1);
    let load = json.out.lines().find(|line| line.contains("ld.global.f32")).unwrap();
    assert!(load.starts_with(r#"{"function":"scale","line":19,"text":"ld.global.f32 %r4, [%rd3];","executed":4,"lanes":100,"divergent":0,"flops":{},"read":400,"#), "{load}");
    assert!(json.out.lines().last().unwrap().contains(r#""flops":{"f32":100}"#), "{}", json.out);
    for threads in ["1", "2", "8"] {
        assert_eq!(folder.on("count", &[&["--threads", threads], &args[..]].concat()).out, ran.out);
    }
}

#[test]
fn births_name_the_line_and_the_thread() {
    let folder = Folder::new("births");
    let args = ["scale", "--block", "4", "range:f32:4", "u32:4", "f32:0x7f61b1e6"];
    let ran = folder.on("births", &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(ran.out.starts_with("infinity: `mul.rn.f32` of 2.0, 3e38 is inf; 2 times in this line"), "{}", ran.out);
    assert!(
        ran.out.contains("thread (2, 0, 0)") && ran.out.contains("PTX      20:  mul.rn.f32 %r4, %r4, %r2;"),
        "{}",
        ran.out
    );
    let json = folder.on("births", &[&["--json"], &args[..]].concat());
    assert!(
        json.out.starts_with(r#"{"kind":"infinity","line":20,"count":2,"block":[0,0,0],"thread":[2,0,0],"what":"#),
        "{}",
        json.out
    );
    assert_eq!(folder.on("births", &["scale", "--block", "4", "range:f32:4", "u32:4", "f32:1"]).code, Some(0));
}

#[test]
fn steps_have_bits_and_values() {
    let folder = Folder::new("trace");
    let args = ["scale", "--block", "4", "--thread", "2", "--line", "19-20", "range:f32:4", "u32:4", "f32:0.5"];
    let ran = folder.on("trace", &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    assert!(
        lines[0].starts_with("   19:  ld.global.f32 %r4, [%rd3];")
            && lines[0].contains("%r4 = 0x40000000 (2.0)  <-  %rd3 = "),
        "{}",
        ran.out
    );
    assert!(
        lines[1].ends_with("%r4 = 0x3f800000 (1.0)  <-  %r4 = 0x40000000 (2.0), %r2 = 0x3f000000 (0.5)"),
        "{}",
        ran.out
    );
    let json = folder.on("trace", &[&["--json", "--reg", "%r2"], &args[..]].concat());
    assert_eq!(
        json.out,
        "{\"block\":[0,0,0],\"thread\":2,\"function\":\"scale\",\"line\":20,\"text\":\"mul.rn.f32 %r4, %r4, %r2;\",\"results\":[{\"name\":\"%r4\",\"bits\":\"0x3f800000\",\"value\":1.0}],\"operands\":[{\"name\":\"%r4\",\"bits\":\"0x40000000\",\"value\":2.0},{\"name\":\"%r2\",\"bits\":\"0x3f000000\",\"value\":0.5}]}\n"
    );
    for (args, what) in [
        (["--line", "20-19"], "20 is above 19"),
        (["--line", "x"], "x is no line number"),
        (["--at", "1,2,3,4"], "at most three"),
    ] {
        let ran = folder.on("trace", &[&args[..], &["scale"]].concat());
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(what), "{}", ran.err);
    }
    // The steps before a fault are printed.
    let ran = folder.on("trace", &["scale", "--thread", "0", "zero:0", "u32:1", "f32:1"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.lines().count() == 10 && ran.err.contains("read of 4 bytes"), "{}{}", ran.out, ran.err);
}

#[test]
fn two_runs_are_compared() {
    let folder = Folder::new("diff");
    let args = ["scale", "--block", "4", "range:f32:4", "u32:4", "f32:0.5"];
    let ran = folder.on("diff", &args);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "4 values, none different\n", ""));
    let other = ["--to-arg", "range:f32:4", "--to-arg", "u32:4", "--to-arg", "f32:0.75"];
    let ran = folder.on("diff", &[&args[..], &other].concat());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.starts_with(
            "first difference: line 20, block (0, 0, 0), thread 1\n  20:  mul.rn.f32 %r4, %r4, %r2;  is 0.5\n"
        ),
        "{}",
        ran.out
    );
    let row: Vec<&str> = ran.out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..5], ["line", "20", "4", "3", "3.333e-1"], "{}", ran.out);
    let json = folder.on("diff", &[&["--json"], &args[..], &other].concat());
    assert_eq!(json.out.lines().count(), 2);
    assert!(
        json.out.contains(r#""one":0.5,"other_line":20,"#) && json.out.contains(r#""other":0.75,"first":true}"#),
        "{}",
        json.out
    );
    assert_eq!(folder.on("diff", &[&["--tolerance", "0.4"], &args[..], &other].concat()).code, Some(0));
    assert_eq!(folder.on("diff", &[&["--tolerance", "-1"], &args[..]].concat()).code, Some(2));
}
