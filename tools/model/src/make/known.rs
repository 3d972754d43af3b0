//! What a device's results say about each form.

use anyhow::{Context as _, Result, ensure};
use ptxf::spec::FORMS;
use ptxf_tables::device::delta::{Deltas, encode};
use ptxf_tables::device::unit::{
    Coefficients, Complement, Evaluation, Function, Table, div_approx, div_full, rsqrt_approx_f64,
};

use super::sweep;
use crate::fit::{self, Subject, samples};
use ptxf_gpu::Row;
use ptxf_gpu::capture::DUMPS;
use ptxf_gpu::store::Results;

/// A form that is known, or why it is not.
type Verdict = Result<(), String>;

/// What a model is made of.
#[derive(Debug)]
pub(super) struct Known {
    /// `sm_90`
    pub(super) target: String,
    /// The captured files that went into it.
    pub(super) files: Vec<Row>,
    pub(super) dumps: Vec<Dump>,
    pub(super) tables: Vec<Fitted>,
    pub(super) forms: Vec<Form>,
}

/// A form of 16 bits.
#[derive(Debug)]
pub(super) struct Dump {
    pub(super) form: &'static str,
    /// As `delta` writes them.
    pub(super) deltas: Result<Vec<u8>, String>,
}

/// A table that a form or two are known by.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) function: Function,
    pub(super) evaluation: Evaluation,
    pub(super) complement: Complement,
    pub(super) segments: Vec<Coefficients>,
}

impl Fitted {
    /// The table, in the hands of one of the functions that share it.
    fn table(&self, function: Function) -> Table<'_> {
        Table::new(function, self.evaluation, self.complement, &self.segments).expect("a fit has every segment")
    }
}

/// A form of f32 or f64.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) name: String,
    /// Whose table it is computed from.
    pub(super) function: Function,
    pub(super) verdict: Verdict,
}

impl Known {
    /// Reads what there is of a device. Of the sweeps it takes every so many-th block.
    pub(super) fn from(device: &Results, every: usize) -> Result<Self> {
        let mut known = Self {
            target: device.target().to_owned(),
            files: Vec::new(),
            dumps: Vec::new(),
            tables: Vec::new(),
            forms: Vec::new(),
        };
        for form in DUMPS {
            known.dump(device, form)?;
        }
        for subject in fit::SUBJECTS {
            known.subject(device, &subject, every)?;
        }
        for (name, function) in UPPER {
            known.upper(device, name, function, every)?;
        }
        for form in FORMS.iter().filter(|form| form.approximate && form.instruction == "div") {
            known.quotient(device, form.name)?;
        }
        known.files.sort_by(|a, b| a.file.cmp(&b.file));
        known.files.dedup();
        Ok(known)
    }

    /// Whether it has any form.
    pub(super) fn is_something(&self) -> bool {
        self.dumps.iter().any(|d| d.deltas.is_ok()) || self.forms.iter().any(|f| f.verdict.is_ok())
    }

    /// Every form, with why it is missing if it is.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = (&str, Option<&String>)> {
        let dumps = self.dumps.iter().map(|d| (d.form, d.deltas.as_ref().err()));
        dumps.chain(self.forms.iter().map(|f| (f.name.as_str(), f.verdict.as_ref().err())))
    }

    pub(super) fn report(&self) {
        for (form, missing) in self.verdicts() {
            println!("{} {form}: {}", self.target, missing.map_or("known", String::as_str));
        }
    }

    fn used(&mut self, device: &Results, file: &str) {
        self.files.extend(device.row(file).cloned());
    }

    fn dump(&mut self, device: &Results, form: &'static str) -> Result<()> {
        let file = format!("dumps/{form}.u16");
        let deltas = match device.read(&file)? {
            None => Err("its results were not captured".to_owned()),
            Some(dump) => {
                ensure!(dump.len() == 2 << 16, "{file}: {} bytes, {} are a dump", dump.len(), 2 << 16);
                self.used(device, &file);
                Ok(differences(form, &dump)?)
            }
        };
        self.dumps.push(Dump { form, deltas });
        Ok(())
    }

    /// The forms with and without `.ftz` of the functions that have one table.
    fn subject(&mut self, device: &Results, subject: &Subject, every: usize) -> Result<()> {
        let fits = fit::best(device, subject)?;
        let mut fitted = Err("no samples for a fit of its function unit were captured".to_owned());
        for best in &fits {
            fitted = best.fit.coefficients().map(|segments| Fitted {
                function: subject.function(),
                evaluation: best.evaluation,
                complement: best.complement,
                segments,
            });
            let Ok(fitted) = &fitted else { continue };
            // What the samples leave open the sweep of the first form decides.
            let (form, table) = (subject.forms[0].0, fitted.table(subject.function()));
            if fits.len() == 1 || swept(device, form, &table, every)?.is_ok() {
                break;
            }
        }
        let mut any = false;
        for &(bare, function) in subject.forms {
            let plain = Some(bare.replace(".ftz", "")).filter(|plain| plain != bare);
            for name in plain.into_iter().chain([bare.to_owned()]) {
                let verdict = match &fitted {
                    Err(why) => Err(why.clone()),
                    Ok(fitted) => swept(device, &name, &fitted.table(function), every)?,
                };
                if verdict.is_ok() {
                    any = true;
                    self.used(device, &sweep::file(&name));
                }
                self.forms.push(Form { name, function, verdict });
            }
        }
        if any {
            self.used(device, samples::INDEX);
            subject.forms.iter().for_each(|(bare, _)| self.used(device, &samples::file(bare)));
            self.tables.extend(fitted);
        }
        Ok(())
    }

    /// A form of f64 is rcp's or rsqrt's unit, on an upper word; without `.ftz` instructions are around it, whose bits are no question.
    fn upper(&mut self, device: &Results, name: &str, function: Function, every: usize) -> Result<()> {
        let mut bare = self.forms.iter().filter(|f| f.function == function && f.name.contains(".ftz"));
        let bare = bare.next().expect("it was looked at before");
        let verdict = match &bare.verdict {
            Err(why) => Err(format!("its unit, that of {}, is not known: {why}", bare.name)),
            Ok(()) => {
                let fitted = self.tables.iter().find(|t| t.function == function).expect("its form is known");
                let table = fitted.table(function);
                if name.contains(".ftz") {
                    sweep::check(device, name, every, |x, out| {
                        out.extend((u64::from(table.upper(x)) << 32).to_le_bytes());
                    })?
                } else {
                    let form = |a, _| rsqrt_approx_f64(false, a, |x| table.upper(x));
                    answered(device, "approx-f64", name, form)?
                }
            }
        };
        if verdict.is_ok() {
            let file = if name.contains(".ftz") { &sweep::file(name) } else { QUESTIONS };
            self.used(device, file);
        }
        self.forms.push(Form { name: name.to_owned(), function, verdict });
        Ok(())
    }

    /// A division is rcp's unit and multiplications, whose bits are no question; captured quotients tell whether it is.
    fn quotient(&mut self, device: &Results, name: &str) -> Result<()> {
        let rcp = self.forms.iter().find(|f| f.name == "rcp.approx.ftz.f32").expect("it was looked at before");
        let verdict = match &rcp.verdict {
            Err(why) => Err(format!("its reciprocal, rcp.approx.ftz.f32, is not known: {why}")),
            Ok(()) => {
                let fitted = self.tables.iter().find(|t| t.function == Function::Rcp).expect("its form is known");
                let table = fitted.table(Function::Rcp);
                let (ftz, rcp) = (name.contains(".ftz"), |x| table.call(x));
                let form = if name.contains(".full") { div_full } else { div_approx };
                answered(device, "approx-div", name, |a, b| form(ftz, a as u32, b as u32, rcp).into())?
            }
        };
        if verdict.is_ok() {
            self.used(device, QUESTIONS);
        }
        self.forms.push(Form { name: name.to_owned(), function: Function::Rcp, verdict });
        Ok(())
    }
}

/// Where the answers to single questions are.
const QUESTIONS: &str = "questions.tsv";

/// Whether the form has the answers to the question.
fn answered(device: &Results, question: &str, name: &str, form: impl Fn(u64, u64) -> u64) -> Result<Verdict> {
    match device.lines(QUESTIONS)? {
        None => Ok(Err("no answers were captured".to_owned())),
        Some(lines) => check_answers(&lines, question, name, form),
    }
}

/// The forms of f64, and whose tables they have.
const UPPER: [(&str, Function); 3] = [
    ("rcp.approx.ftz.f64", Function::Rcp),
    ("rsqrt.approx.f64", Function::Rsq),
    ("rsqrt.approx.ftz.f64", Function::Rsq),
];

/// Whether a table has a form's hashes.
fn swept(device: &Results, name: &str, table: &Table<'_>, every: usize) -> Result<Verdict> {
    let ftz = name.contains(".ftz");
    sweep::check(device, name, every, |x, out| out.extend(table.approx(ftz, x).to_le_bytes()))
}

/// A dump as differences from the default model, which have been read back.
fn differences(form: &str, dump: &[u8]) -> Result<Vec<u8>> {
    let run = FORMS.iter().find(|f| f.name == form).expect("dumps are of forms").run;
    let reference: Vec<u16> = (0..=u64::from(u16::MAX)).map(|x| run.call(&[x]).map_or(0, |d| d as u16)).collect();
    let reference = |x: u16| reference[usize::from(x)];
    let device = |x: u16| {
        let at = 2 * usize::from(x);
        u16::from_le_bytes([dump[at], dump[at + 1]])
    };
    let mut bytes = Vec::new();
    encode(reference, device, |b| bytes.push(b));
    let deltas = Deltas::new(&bytes)?;
    deltas.verify(reference)?;
    ensure!((0..=u16::MAX).all(|x| deltas.get(x, reference(x)) == device(x)), "{form}: the differences do not add up");
    Ok(bytes)
}

/// The lines `QUESTION  FORM  a  b  -  d …` of the form.
fn check_answers(lines: &[String], question: &str, name: &str, form: impl Fn(u64, u64) -> u64) -> Result<Verdict> {
    let (mut all, mut wrong, mut first) = (0, 0, None);
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.get(..2) != Some(&[question, name]) {
            continue;
        }
        let bits = |cell: usize| -> Result<u64> {
            let text = cells.get(cell).with_context(|| format!("questions.tsv: `{line}`"))?;
            u64::from_str_radix(text, 16).with_context(|| format!("questions.tsv: `{line}`"))
        };
        let (a, b) = (bits(2)?, if cells.get(3) == Some(&"") { 0 } else { bits(3)? });
        all += 1;
        if form(a, b) != bits(5)? {
            wrong += 1;
            first.get_or_insert_with(|| cells[2..4].join(" "));
        }
    }
    Ok(match first {
        None if all == 0 => Err("no answers were captured".to_owned()),
        None => Ok(()),
        Some(operands) => Err(format!(
            "the published sequence differs in {wrong} of {all} captured answers, first of {}",
            operands.trim_end()
        )),
    })
}
