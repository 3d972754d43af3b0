//! Fits invented tables to their outputs. No coefficient here is a device's.

use ptxf_tables::device::unit::Table;

use super::*;
use crate::device::Info;
use crate::ptx::Ptx;
use crate::samples::{Group, Run};
use crate::store::Store;

/// Returns coefficients of the function's sizes: results at the middle of a segment are plausible,
/// the others random.
pub(crate) fn made_up(function: Function, seed: u64) -> Vec<Coefficients> {
    let mut state = seed;
    let mut random = |n: i64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as i64 % n
    };
    (0..function.segments())
        .map(|i| {
            let part = i as i64 % 64;
            let (a, b, c) = match function {
                // Results fall from 0.99 of a binade, or rise from 0.01, and are not clamped.
                Function::Rcp => ((1 << 26) - (i as i64 + 1) * 240_000, -60_000 + 300 * i as i64, 900),
                Function::Rsq => ((1 << 26) - (part + 1) * 480_000, -(30_000 + 300 * part), 700),
                Function::Sqrt | Function::Ex2 => ((1 << 25) + (part + 1) * 480_000, 25_000 + 300 * part, 500),
                Function::Lg2 => ((part + 1) << 20, 46_000 - 350 * part, -700 + 5 * part),
                _ => ((part + 1) * 1_000_000, 25_000 - 300 * part, -10 - 15 * part),
            };
            Coefficients {
                a: (a + random(5000)) as i32,
                b: (b + random(500) - 250) as i32,
                c: (c + random(60) - 30) as i32,
            }
        })
        .collect()
}

/// Returns the operands of the function that `capture` samples.
fn operands(function: Function) -> Vec<u32> {
    let subject = SUBJECTS.iter().find(|s| s.function() == function).unwrap();
    let groups = samples::all().into_iter().filter(|group| group.form == subject.forms[0].0);
    groups.flat_map(|group| group.runs).flat_map(|run| run.inputs()).collect()
}

fn outputs(table: &[(Function, Table<'_>)], operands: &[u32]) -> Vec<(Function, u32, u32)> {
    let one = |f: Function, t: &Table<'_>, x: u32| {
        let angle = matches!(f, Function::Sin | Function::Cos);
        (f, x, t.call(if angle { turns(x) } else { x }))
    };
    table.iter().flat_map(|(f, t)| operands.iter().map(move |&x| one(*f, t, x))).collect()
}

/// Fits an invented table's outputs. Returns the number of segments that the outputs determine.
fn recovers(function: Function, complement: Complement, seed: u64) -> usize {
    let (e, _) = variants(function)[0];
    let truth = made_up(function, seed);
    let mut tables = vec![(function, Table::new(function, e, complement, &truth).unwrap())];
    if function == Function::Sin {
        tables.push((Function::Cos, Table::new(Function::Cos, e, complement, &truth).unwrap()));
    }
    let results = outputs(&tables, &operands(function));
    let fit = fit(function, e, complement, &results);
    assert_eq!(fit.impossible, 0, "{function:?}");
    let mut chosen = Vec::new();
    for (i, (n, solutions)) in fit.segments.iter().enumerate() {
        let Solutions::All(all) = solutions else { panic!("{function:?} {i}: too few of {n}") };
        // The true coefficients are among the solutions.
        assert!(all.contains(&truth[i]), "{function:?} {i}: {:?} is not among {all:?}", truth[i]);
        chosen.push(all[0]);
    }
    // The first solutions reproduce every output, too.
    let remade: Vec<_> = tables.iter().map(|(f, _)| (*f, Table::new(*f, e, complement, &chosen).unwrap())).collect();
    assert_eq!(outputs(&remade, &operands(function)), results, "{function:?}");
    println!("{function:?} {complement:?}: {} of {} determined", fit.determined(), truth.len());
    fit.determined()
}

#[test]
fn made_up_tables_come_back() {
    for seed in 1..4 {
        for function in [Function::Rcp, Function::Rsq, Function::Sqrt, Function::Ex2, Function::Tanh] {
            assert_eq!(recovers(function, Complement::Ones, seed), function.segments(), "{function:?}");
        }
        for complement in [Complement::Ones, Complement::Twos] {
            for function in [Function::Lg2, Function::Sin] {
                assert_eq!(recovers(function, complement, seed), 64, "{function:?}");
            }
        }
    }
}

/// The true complement fits; for angles the other one does not. (For logarithms only operands near
/// 1 differ, where these random coefficients have no such results.)
#[test]
fn the_complement_is_told_by_the_results() {
    for function in [Function::Lg2, Function::Sin] {
        let e = Evaluation::known(function);
        let truth = made_up(function, 9);
        for complement in [Complement::Ones, Complement::Twos] {
            let table = [(function, Table::new(function, e, complement, &truth).unwrap())];
            let results = outputs(&table, &operands(function));
            let solved = |c| fit(function, e, c, &results).solved();
            let other = if complement == Complement::Ones { Complement::Twos } else { Complement::Ones };
            println!("{function:?} {complement:?}: {} against {}", solved(complement), solved(other));
            assert_eq!(solved(complement), 64);
            assert!(function == Function::Lg2 || solved(other) < 64);
        }
    }
}

#[test]
fn one_wrong_result_is_a_contradiction() {
    let e = Evaluation::known(Function::Rcp);
    let truth = made_up(Function::Rcp, 5);
    let table = [(Function::Rcp, Table::new(Function::Rcp, e, Complement::Ones, &truth).unwrap())];
    let mut results = outputs(&table, &operands(Function::Rcp));
    // Segment 70 of 128 has 512 operands in the binade that comes first.
    results[70 * 512 + 17].2 += 2;
    let fit = fit(Function::Rcp, e, Complement::Ones, &results);
    assert_eq!((fit.segments[70].1.clone(), fit.solved()), (Solutions::All(Vec::new()), 127));
}

#[test]
fn samples_are_read_as_capture_writes_them() -> Result<()> {
    let out = std::env::temp_dir().join(format!("ptxf-fit-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&out);
    let (function, form) = (Function::Rcp, "rcp.approx.ftz.f32");
    let truth = made_up(function, 7);
    let table = Table::new(function, Evaluation::known(function), Complement::Ones, &truth).unwrap();
    let runs =
        vec![Run { first: 0x3f80_0000, stride: 1, count: 4096 }, Run { first: 0x3f80_0000, stride: 128, count: 65536 }];
    let operands: Vec<u32> = runs.iter().flat_map(Run::inputs).collect();
    let bytes: Vec<u8> = operands.iter().flat_map(|&x| table.call(x).to_le_bytes()).collect();
    let index = samples::index(&[Group { form, runs }])?;
    assert_eq!(
        index,
        "file\tform\toffset\tfirst\tstride\tcount\n\
         samples/rcp.approx.ftz.f32.u32\trcp.approx.ftz.f32\t0\t0x3f800000\t1\t4096\n\
         samples/rcp.approx.ftz.f32.u32\trcp.approx.ftz.f32\t4096\t0x3f800000\t128\t65536\n"
    );
    let info = Info { name: "Some GPU".to_owned(), capability: (9, 0), driver: "1.2".to_owned(), fake: false };
    let ptx = Ptx::parse("sm_90.ptx".to_owned(), ".version 7.8\n.target sm_90\n.entry k() { ret; }")?;
    let mut store = Store::open(&out, &info, &ptx)?;
    let refused = Results::open(&store.root).unwrap_err().to_string();
    assert!(refused.contains("did not write this folder"), "{refused}");
    store.put(&samples::file(form), &bytes)?;
    store.put_text(samples::INDEX, samples::FORMAT, &index)?;
    let device = Results::open(&store.root)?;
    let read = samples::read(&device, form)?;
    assert!(read.iter().map(|(x, _)| *x).eq(operands));
    assert!(read.iter().all(|&(x, d)| d == table.call(x)));
    assert!(samples::read(&device, "sqrt.approx.ftz.f32")?.is_empty());
    assert_eq!(best(&device, &SUBJECTS[0])?[0].fit.coefficients().as_ref(), Ok(&truth));
    store.put_text(samples::INDEX, samples::FORMAT, &index.replace("65536", "65537"))?;
    let refused = samples::read(&Results::open(&store.root)?, form).unwrap_err().to_string();
    assert!(refused.contains("too short"), "{refused}");
    // One changed bit could be a result, too.
    let path = store.root.join(samples::file(form));
    let changed: Vec<u8> = bytes.iter().enumerate().map(|(i, b)| b ^ u8::from(i == 4000)).collect();
    std::fs::write(path, changed)?;
    let refused = samples::read(&Results::open(&store.root)?, form).unwrap_err().to_string();
    assert!(
        refused.contains("rcp.approx.ftz.f32.u32: sha256") && refused.contains("expected by MANIFEST"),
        "{refused}"
    );
    Ok(std::fs::remove_dir_all(&out)?)
}
