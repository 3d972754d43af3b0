//! The forms of a device's model, each proven by the device's results.

use anyhow::{Result, ensure};
use ptxf::spec::FORMS;
use ptxf_tables::device::delta::{Deltas, encode};
use ptxf_tables::device::unit::{
    Coefficients, Complement, Evaluation, Function, Table, div_approx, div_full, rsqrt_approx_f64,
};

use super::fit::{self, Subject};
use super::sweep;
use crate::capture::{DUMPS, dump_file, questions, sweep_file};
use crate::manifest::Row;
use crate::samples;
use crate::store::Results;

/// `Err` with the reason if a form is not proven.
type Verdict = Result<(), String>;

/// The contents of a model.
#[derive(Debug)]
pub(super) struct Contents {
    /// The device's target, `sm_90`.
    pub(super) target: String,
    /// The captured files that the model is made from.
    pub(super) files: Vec<Row>,
    pub(super) dumps: Vec<Dump>,
    pub(super) tables: Vec<Fitted>,
    pub(super) forms: Vec<Form>,
}

/// A form of 16 bits.
#[derive(Debug)]
pub(super) struct Dump {
    pub(super) form: &'static str,
    /// Differences from the default model, as `ptxf_tables::device::delta` encodes them.
    pub(super) deltas: Result<Vec<u8>, String>,
}

/// The coefficients of a function, which one or two forms use.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) function: Function,
    pub(super) evaluation: Evaluation,
    pub(super) complement: Complement,
    pub(super) segments: Vec<Coefficients>,
}

impl Fitted {
    /// Returns the table for one of the functions that share the coefficients.
    fn table(&self, function: Function) -> Table<'_> {
        Table::new(function, self.evaluation, self.complement, &self.segments).expect("a fit has every segment")
    }
}

/// A form of f32 or f64.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) name: String,
    /// The function whose table computes the form.
    pub(super) function: Function,
    pub(super) verdict: Verdict,
}

impl Contents {
    /// Makes the contents from a device's results. `every` is the distance of the blocks that are
    /// compared in each sweep.
    pub(super) fn from(device: &Results, every: usize) -> Result<Self> {
        let mut contents = Self {
            target: device.target().to_owned(),
            files: Vec::new(),
            dumps: Vec::new(),
            tables: Vec::new(),
            forms: Vec::new(),
        };
        for form in DUMPS {
            contents.dump(device, form)?;
        }
        for subject in fit::SUBJECTS {
            contents.subject(device, &subject, every)?;
        }
        for (name, function) in UPPER {
            contents.upper(device, name, function, every)?;
        }
        for form in FORMS.iter().filter(|form| form.approximate && form.instruction == "div") {
            contents.quotient(device, form.name)?;
        }
        contents.files.sort_by(|a, b| a.file.cmp(&b.file));
        contents.files.dedup();
        Ok(contents)
    }

    /// Returns `true` if no form is proven.
    pub(super) fn is_empty(&self) -> bool {
        self.verdicts().all(|(_, missing)| missing.is_some())
    }

    /// Returns every form, with the reason if it is missing.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = (&str, Option<&String>)> {
        let dumps = self.dumps.iter().map(|d| (d.form, d.deltas.as_ref().err()));
        dumps.chain(self.forms.iter().map(|f| (f.name.as_str(), f.verdict.as_ref().err())))
    }

    /// Prints every form.
    pub(super) fn report(&self) {
        for (form, missing) in self.verdicts() {
            println!("{} {form}: {}", self.target, missing.map_or("known", String::as_str));
        }
    }

    /// Adds a file to those that the model is made from.
    fn add_file(&mut self, device: &Results, file: &str) {
        self.files.extend(device.row(file).cloned());
    }

    fn dump(&mut self, device: &Results, form: &'static str) -> Result<()> {
        let file = dump_file(form);
        let deltas = match device.read(&file)? {
            None => Err("its results were not captured".to_owned()),
            Some(dump) => {
                ensure!(dump.len() == 2 << 16, "{file} has {} bytes; a dump has {}", dump.len(), 2 << 16);
                self.add_file(device, &file);
                Ok(differences(form, &dump)?)
            }
        };
        self.dumps.push(Dump { form, deltas });
        Ok(())
    }

    /// Adds the forms, with and without `.ftz`, of the functions that share a table.
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
            // If the samples leave several fits, the sweep of the first form decides.
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
                    self.add_file(device, &sweep_file(&name));
                }
                self.forms.push(Form { name, function, verdict });
            }
        }
        if any {
            self.add_file(device, samples::INDEX);
            subject.forms.iter().for_each(|(bare, _)| self.add_file(device, &samples::file(bare)));
            self.tables.extend(fitted);
        }
        Ok(())
    }

    /// Adds a form of f64: the unit of rcp or rsqrt computes the upper word. Without `.ftz`,
    /// instructions with defined bits surround the unit.
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
            let file = if name.contains(".ftz") { &sweep_file(name) } else { questions::FILE };
            self.add_file(device, file);
        }
        self.forms.push(Form { name: name.to_owned(), function, verdict });
        Ok(())
    }

    /// Adds a division: the unit of rcp, then multiplications with defined bits. Captured quotients
    /// have to agree.
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
            self.add_file(device, questions::FILE);
        }
        self.forms.push(Form { name: name.to_owned(), function: Function::Rcp, verdict });
        Ok(())
    }
}

/// The forms of f64, and the functions whose tables they use.
const UPPER: [(&str, Function); 3] = [
    ("rcp.approx.ftz.f64", Function::Rcp),
    ("rsqrt.approx.f64", Function::Rsq),
    ("rsqrt.approx.ftz.f64", Function::Rsq),
];

/// Compares a table with a form's sweep.
fn swept(device: &Results, name: &str, table: &Table<'_>, every: usize) -> Result<Verdict> {
    let ftz = name.contains(".ftz");
    sweep::check(device, name, every, |x, out| out.extend(table.approx(ftz, x).to_le_bytes()))
}

/// Encodes a dump as differences from the default model, and checks that they decode to the dump.
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
    ensure!(
        (0..=u16::MAX).all(|x| deltas.get(x, reference(x)) == device(x)),
        "{form}: the encoded differences do not decode to the dump"
    );
    Ok(bytes)
}

/// Compares a form with the device's answers to a question.
fn answered(device: &Results, question: &str, name: &str, form: impl Fn(u64, u64) -> u64) -> Result<Verdict> {
    let answers = questions::read(device)?.unwrap_or_default();
    let (mut all, mut wrong, mut first) = (0, 0, None);
    for answer in answers.iter().filter(|answer| (&*answer.question, &*answer.form) == (question, name)) {
        let operands = answer.operands()?;
        let (a, b) = (operands.first().copied().unwrap_or(0), operands.get(1).copied().unwrap_or(0));
        all += 1;
        if form(a, b) != answer.device()? {
            wrong += 1;
            first.get_or_insert_with(|| operands.iter().map(|x| format!("{x:x}")).collect::<Vec<_>>().join(" "));
        }
    }
    Ok(match first {
        None if all == 0 => Err("no answers were captured".to_owned()),
        None => Ok(()),
        Some(operands) => {
            Err(format!("the published sequence differs in {wrong} of {all} captured answers, first of {operands}"))
        }
    })
}
