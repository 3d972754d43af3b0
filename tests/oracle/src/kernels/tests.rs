//! Tests of the generator.

use std::convert::Infallible;

use super::shrink::shrink;
use super::{BEND, Sample, module, samples};
use crate::Rng;
use crate::kernel::rewrite::rewrite;

fn source(sample: &Sample) -> &str {
    &sample.kernel.source
}

#[test]
fn the_seed_decides() {
    let module = |text: &str| module(&samples(text).unwrap());
    assert_eq!(module("1:0:5"), module("1:0:5"));
    assert_ne!(module("1:0:5"), module("2:0:5"));
    // A single kernel equals the same one of many.
    let [many, alone] = [module("1:0:5"), module("1:3:1")];
    let from = alone.find("mod kernel_3").unwrap();
    assert!(many.contains(&alone[from..]));
}

#[test]
fn a_tape_has_all_choices() {
    for sample in samples("3:0:200").unwrap() {
        let again = samples(&format!("# A comment.\n{}", sample.tape())).unwrap();
        assert_eq!(again.iter().map(Sample::tape).collect::<Vec<_>>(), [sample.tape()]);
        assert_eq!(module(&again), module(&[sample]));
    }
}

#[test]
fn what_is_no_tape_is_refused() {
    for (text, part) in [
        ("7:0", "the kernel's number"),
        ("7", "no seed of the data"),
        ("x 1 r", "the kernel's number"),
        ("0 0xg r", "the data's seed"),
        ("0 0x1 r(s1", "begins with a letter, not with ``"),
        ("0 0x1 r1..2", "`` in a tape"),
        ("0 0x1 r4294967296", "`4294967296` in a tape"),
        ("0 0x1 r)", "`)` follows"),
    ] {
        let error = samples(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Any choices make a kernel within the grammar. `threads` runs some of these kernels.
#[test]
fn changed_choices_make_kernels() {
    let mut rng = Rng::new(0x5EED_0046);
    let mut lines = Vec::new();
    for number in 0..100 {
        let mut sample = Sample::of_seed(46, number);
        for _ in 0..4 {
            let mut tape = sample.tape.clone();
            tape.change(&mut rng);
            sample = sample.with(number, tape);
            rewrite(&[source(&sample), BEND]).unwrap_or_else(|e| panic!("{e}\n{}", source(&sample)));
            lines.push(source(&sample).lines().count());
        }
    }
    let [least, most] = [lines.iter().min(), lines.iter().max()];
    assert!(least < Some(&20) && most > Some(&80), "{least:?} to {most:?} lines");
}

#[test]
fn a_kernel_shrinks_to_its_mistake() {
    let mistakes: [fn(&str) -> bool; 2] = [
        |text| text.contains(".powi(") && text.contains("continue") && text.contains("while"),
        |text| text.matches("sync_threads").count() > 1 && text.contains("atomic_") && text.contains("fuse"),
    ];
    for is_wrong in mistakes {
        let wrong = (0..).map(|number| Sample::of_seed(9, number)).find(|sample| is_wrong(source(sample))).unwrap();
        let mut asked = 0;
        let small = shrink(&wrong, |tries| {
            asked += 1;
            Ok::<_, Infallible>(Some(tries.iter().map(|sample| is_wrong(source(sample))).collect()))
        });
        let Ok(small) = small;
        let lines = |sample: &Sample| source(sample).lines().count();
        println!("{} lines become {} in {asked} builds:\n{}", lines(&wrong), lines(&small), source(&small));
        assert!(is_wrong(source(&small)) && lines(&small) < 25 && asked < 40);
        assert_eq!(small.kernel.function, wrong.kernel.function);
    }
}

#[test]
fn a_search_can_end_early() {
    let sample = Sample::of_seed(9, 0);
    let Ok(same) = shrink(&sample, |_| Ok::<_, Infallible>(None));
    assert_eq!(same.tape(), sample.tape());
}
