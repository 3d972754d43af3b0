//! Makes models: an invented device is captured, adopted and fitted, and a copy of the library is
//! built with the result.

use std::collections::BTreeMap;
use std::process::Command;

use ptxf::spec::{FORMS, FormInfo};
use ptxf_tables::device::Model;
use ptxf_tables::device::unit::{Complement, Evaluation, Function, Table, div_full};

use oracle::outside;

use super::fit::tests::made_up;
use super::*;
use crate::capture::{self, BLOCKS, questions, sweep_file};
use crate::deadline::Deadline;
use crate::device::Info;
use crate::forms::Subject;
use crate::probes::Probes;
use crate::ptx::Ptx;
use crate::store::{Store, in_repository};

/// A function of one or two registers.
type Own = Box<dyn Fn(&[u64]) -> u64>;

/// A device with some results of its own. All others are the CPU's.
struct Invented {
    ptx: Ptx,
    own: BTreeMap<&'static str, Own>,
    bytes: Vec<u8>,
}

/// Returns 0 or 1, depending on the operand.
fn off(x: u64) -> u64 {
    (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61).saturating_sub(6)
}

fn table(function: Function) -> Table<'static> {
    let segments: &'static [_] = made_up(if function == Function::Cos { Function::Sin } else { function }, 11).leak();
    Table::new(function, Evaluation::known(function), Complement::Ones, segments).unwrap()
}

/// Returns the device's own functions.
fn invented() -> BTreeMap<&'static str, Own> {
    let mut own: BTreeMap<&'static str, Own> = BTreeMap::new();
    let reference = |name: &str| FORMS.iter().find(|f| f.name == name).unwrap().run;
    let ex2 = reference("ex2.approx.f16");
    own.insert("ex2_approx_f16", Box::new(move |x| ex2.call(x).unwrap() ^ off(x[0])));
    let tanh = reference("tanh.approx.bf16");
    own.insert("tanh_approx_bf16", Box::new(move |x| tanh.call(x).unwrap() ^ (x[0] >> 3 & 3)));
    for (function, plain, ftz) in [
        (Function::Rcp, "rcp_approx_f32", "rcp_approx_ftz_f32"),
        (Function::Rsq, "rsqrt_approx_f32", "rsqrt_approx_ftz_f32"),
        (Function::Sqrt, "sqrt_approx_f32", "sqrt_approx_ftz_f32"),
        (Function::Ex2, "ex2_approx_f32", "ex2_approx_ftz_f32"),
        (Function::Sin, "sin_approx_f32", "sin_approx_ftz_f32"),
        (Function::Cos, "cos_approx_f32", "cos_approx_ftz_f32"),
        (Function::Tanh, "tanh_approx_f32", ""),
    ] {
        let table = table(function);
        own.insert(ftz, Box::new(move |x| table.approx(true, x[0] as u32).into()));
        // No coefficients lead to these results.
        let wrong = u32::from(function == Function::Ex2);
        own.insert(plain, Box::new(move |x| (table.approx(false, x[0] as u32) ^ wrong).into()));
    }
    for (function, name) in [(Function::Sin, "sin_approx_2pi_ftz_f32"), (Function::Cos, "cos_approx_2pi_ftz_f32")] {
        let table = table(function);
        own.insert(name, Box::new(move |x| table.call(x[0] as u32).into()));
    }
    for (function, name) in [(Function::Rcp, "rcp_approx_ftz_f64"), (Function::Rsq, "rsqrt_approx_ftz_f64")] {
        let table = table(function);
        own.insert(name, Box::new(move |x| u64::from(table.upper((x[0] >> 32) as u32)) << 32));
    }
    let rcp = table(Function::Rcp);
    for (name, ftz) in [("div_full_f32", false), ("div_full_ftz_f32", true)] {
        own.insert(name, Box::new(move |x| div_full(ftz, x[0] as u32, x[1] as u32, |x| rcp.call(x)).into()));
    }
    own
}

impl Invented {
    fn answer(&self, form: &Subject, operands: &[u64]) -> u64 {
        match self.own.get(form.info.function) {
            Some(own) => own(operands),
            None => form.info.run.call(operands).unwrap(),
        }
    }
}

impl Probes for Invented {
    fn ptx(&self) -> &Ptx {
        &self.ptx
    }

    fn run(&mut self, form: &Subject, columns: &[Vec<u64>]) -> Result<Vec<u64>> {
        let operands = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<_>>();
        Ok((0..columns[0].len()).map(|i| self.answer(form, &operands(i))).collect())
    }

    fn run_bytes(&mut self, form: &Subject, operands: &[u8]) -> Result<&[u8]> {
        let (width, result_width) = (form.width(0), form.result_width());
        let registers = operands.chunks_exact(width).map(|x| x.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b)));
        let results = registers.map(|x| self.answer(form, &[x]).to_le_bytes());
        self.bytes = results.flat_map(|d| d.into_iter().take(result_width)).collect();
        Ok(&self.bytes)
    }
}

/// The distance of the blocks that are captured and compared, since all blocks take minutes per
/// form.
const EVERY: usize = 2048;

/// Captures the device into `out`.
fn capture(out: &Path) -> Result<PathBuf> {
    let info = Info { name: "Invented X".to_owned(), capability: (99, 9), driver: "0.1".to_owned(), fake: false };
    // The PTX lacks some instructions, as if it were for an older target. It is not executed.
    let entry = |form: &FormInfo| {
        let is_there = !["ex2.approx.ftz.bf16", "lg2.approx.ftz.f32"].contains(&form.name);
        format!(".entry {}()\n{{\n\t{} %d;\n}}\n", form.function, if is_there { form.name } else { "mov.b32" })
    };
    let canonical = FORMS.iter().filter(|form| form.name == form.canonical);
    let text = format!(".version 9.9\n.target sm_999\n{}", canonical.map(entry).collect::<String>());
    let ptx = Ptx::parse("invented.ptx".to_owned(), &text)?;
    let mut store = Store::open(out, &info, &ptx)?;
    let mut device = Invented { ptx, own: invented(), bytes: Vec::new() };
    let outcome = capture::quick(&mut device, &mut store, Deadline::in_seconds(None))?;
    assert_eq!(outcome.missing, ["ex2.approx.ftz.bf16", "lg2.approx.ftz.f32"]);
    for form in FORMS.iter().filter(|f| capture::SWEEPS.contains(&f.name) && f.name != "sqrt.approx.f32") {
        let Some(own) = device.own.get(form.function) else { continue };
        let mut hashes = vec![0; 4 * BLOCKS as usize];
        for block in (0..BLOCKS as usize).step_by(EVERY) {
            let first = (block << 16) as u64;
            // An f64 form's operand is the upper word.
            let (up, width) = if form.operands[0].bits() == 64 { (32, 8) } else { (0, 4) };
            let result = |i: u64| own(&[(first + i) << up]).to_le_bytes().into_iter().take(width);
            let results: Vec<u8> = (0..1 << 16).flat_map(result).collect();
            hashes[4 * block..][..4].copy_from_slice(&capture::hash(&results).to_le_bytes());
        }
        store.put(&sweep_file(form.name), &hashes)?;
    }
    Ok(store.root.clone())
}

/// Makes a workspace with a copy of `ptxf-tables` and a program that answers questions.
fn workspace(at: &Path) -> Result<()> {
    let root = in_repository("").canonicalize()?;
    let copy = |from: &str| -> Result<String> { Ok(fs::read_to_string(root.join(from))?) };
    let shared = copy("Cargo.toml")?;
    let (_, shared) = shared.split_once("[workspace.package]").expect("what crates inherit");
    let (shared, _) = shared.split_once("[workspace.dependencies]").expect("and the crates");
    let manifest = format!(
        "[workspace]\nmembers = [\"ptxf-tables\"]\nresolver = \"3\"\n\n[workspace.package]{shared}[workspace.dependencies]\n\
         ptxf-core = {{ path = {:?}, default-features = false }}\nptxf-macros = {{ path = {:?} }}\n\n\
         [package]\nname = \"invented\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nptxf-core.workspace = true\nptxf-tables = {{ path = \"ptxf-tables\" }}\n",
        root.join("ptxf-core"),
        root.join("ptxf-macros"),
    );
    write_whole(&at.join("Cargo.toml"), manifest.as_bytes())?;
    write_whole(&at.join("Cargo.lock"), copy("Cargo.lock")?.as_bytes())?;
    let tables = copy("ptxf-tables/Cargo.toml")?;
    let (tables, _) =
        tables.split_once("[dev-dependencies]").expect("what its tests need, of which there are none here");
    write_whole(&at.join("ptxf-tables/Cargo.toml"), tables.as_bytes())?;
    copy_sources(&root.join("ptxf-tables/src"), &at.join("ptxf-tables/src"))?;
    write_whole(&at.join("src/main.rs"), include_bytes!("invented.rs.txt"))
}

fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_sources(&entry.path(), &to)?
        } else {
            write_whole(&to, &fs::read(entry.path())?)?
        }
    }
    Ok(())
}

/// Returns the program's answers to `FORM BITS…` lines.
fn ask(at: &Path, questions: &str) -> Result<Vec<String>> {
    let mut command = outside::cargo(at, "run --offline --quiet");
    let file = at.join("questions");
    fs::write(&file, questions)?;
    let output = command.stdin(fs::File::open(file)?).output()?;
    // The written source compiles without a warning.
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {}\n{said}", output.status);
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

#[test]
fn an_invented_device_becomes_a_model_of_what_is_known_of_it() -> Result<()> {
    let scratch = std::env::temp_dir().join(format!("ptxf-model-{}", std::process::id()));
    let _ = fs::remove_dir_all(&scratch);
    let captured = capture(&scratch.join("results"))?;
    let data = scratch.join("data");
    store::adopt(&captured, &data)?;
    let at = scratch.join("workspace");
    workspace(&at)?;
    let to = at.join("ptxf-tables/src/device/measured");
    assert_eq!(make(&data, &to, EVERY)?, 1);

    let mut format = Command::new("rustfmt");
    format.args(["--check", "--edition", "2024", "--config-path"]).arg(in_repository("rustfmt.toml"));
    assert!(format.arg(to.with_extension("rs")).status()?.success(), "{format:?}");

    // The model returns the device's results or an error, and no other results.
    let own = invented();
    let (mut questions, mut expected) = (String::new(), Vec::new());
    let mut add = |form: &str, operands: &[u64], digits: usize, answer: String| {
        let operands: Vec<_> = operands.iter().map(|x| format!("{x:0digits$x}")).collect();
        questions += &format!("{form} {}\n", operands.join(" "));
        expected.push(answer);
    };
    for form in FORMS.iter().filter(|f| f.approximate) {
        let digits = form.operands[0].bits() as usize / 4;
        let lane = form.function.trim_end_matches("x2");
        let missing = match form.name {
            "ex2.approx.f32" => {
                "the fitted function unit differs in 32 of 32 blocks of 65,536 operands, first from 0x00000000 on"
            }
            "sqrt.approx.f32" => "its results for all operands were not captured",
            "ex2.approx.ftz.bf16" | "ex2.approx.ftz.bf16x2" => "its results were not captured",
            "div.approx.f32" | "div.approx.ftz.f32" | "rsqrt.approx.f64" => "the published sequence differs in",
            name if name.starts_with("lg2") => "no samples for a fit of its function unit were captured",
            _ => "",
        };
        let operands = |i: u64| {
            let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 16;
            [x, x.rotate_left(29)].map(|x| if digits == 16 { x } else { x & ((1 << (4 * digits)) - 1) })
        };
        for i in 0..if form.operands[0].lane_bits() == 16 { 1 << 16 } else { 2000 } {
            let operands = &operands(i)[..form.operands.len()];
            if !missing.is_empty() {
                let says = format!("error: the model sm_999 has no results for {}: {missing}", form.name);
                add(form.name, operands, digits, says);
                break;
            }
            let answer = match own.get(lane) {
                Some(own) if form.operands[0].lanes() == 2 => {
                    own(&[operands[0] >> 16]) << 16 | own(&[operands[0] & 0xffff])
                }
                Some(own) => own(operands),
                // The device's dump is the default model's.
                None => {
                    assert_eq!((form.instruction, form.operands[0].lane_bits()), ("tanh", 16));
                    form.run.call(operands).unwrap()
                }
            };
            add(form.name, operands, digits, format!("{answer:0digits$x}"));
        }
    }
    // Exact forms do not depend on the device.
    add("fma.rn.f16", &[0x3c00, 0x4000, 0x3c00], 4, "4200".to_owned());
    let answers = ask(&at, &questions)?;
    assert_eq!(answers.len(), expected.len());
    for ((question, answer), expected) in questions.lines().zip(&answers).zip(&expected) {
        let same = answer == expected || expected.starts_with("error: ") && answer.starts_with(expected.as_str());
        assert!(same, "{question}: {answer}, not {expected}");
    }
    println!("{} answers", answers.len());

    // Without the data the model is removed.
    fs::remove_dir_all(data.join("sm_999"))?;
    assert_eq!(make(&data, &to, EVERY)?, 0);
    assert!(!to.exists());
    assert_eq!(fs::read_to_string(to.with_extension("rs"))?, source::list(&[]));
    Ok(fs::remove_dir_all(&scratch)?)
}

/// A model is in the library if and only if its data are in the repository, and it was made from
/// these data.
#[test]
fn the_models_are_those_of_the_data() -> Result<()> {
    let models = in_repository(MODELS);
    let mut adopted = Vec::new();
    for folder in store::devices(&in_repository(store::DATA))? {
        let results = Results::open(&folder)?;
        let name = results.target().to_owned();
        let contents = Contents::from(&results, EVERY)?;
        let Ok(model) = name.parse::<Model>() else {
            assert!(contents.is_empty(), "{name} has data and no model: run `cargo gpu model`");
            continue;
        };
        for used in model.provenance() {
            let row = results.row(used.file).unwrap_or_else(|| panic!("{name}: {} is gone", used.file));
            assert_eq!(used.sha256, row.sha256, "{name}: {}: run `cargo gpu model`", used.file);
        }
        let file = models.join(format!("{name}.rs"));
        let made = source::device(&contents);
        assert!(made == fs::read_to_string(&file)?, "{}: run `cargo gpu model`", file.display());
        adopted.push(model);
    }
    let measured = Model::available().iter().filter(|model| **model != Model::Reference);
    assert!(measured.copied().all(|model| adopted.contains(&model)), "a model without data: {adopted:?}");
    let list = fs::read_to_string(models.with_extension("rs"))?;
    assert_eq!(list == source::list(&[]), adopted.is_empty(), "{list}");
    Ok(())
}

/// A model returns a device's answers to the questions, for every form that it has.
#[test]
fn the_models_answer_as_their_devices_did() -> Result<()> {
    for folder in store::devices(&in_repository(store::DATA))? {
        let results = Results::open(&folder)?;
        let Ok(model) = results.target().parse::<Model>() else { continue };
        let mut answered = BTreeMap::new();
        for answer in questions::read(&results)?.context("a device without answers")? {
            let operands = answer.operands()?;
            let is_it = |f: &&FormInfo| f.name == answer.form && f.operands.len() == operands.len() && f.approximate;
            let Some(form) = FORMS.iter().find(is_it) else { continue };
            let Ok(got) = model.call(form, &operands) else { continue };
            assert_eq!(got, answer.device()?, "{answer:?}: {got:x}");
            *answered.entry(form.name).or_insert(0) += 1;
        }
        println!("{model}: {answered:?}");
        assert!(answered.values().sum::<i32>() > 3000, "{answered:?}");
    }
    Ok(())
}
