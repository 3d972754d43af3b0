//! What a device's results say about each form.

use anyhow::{Context as _, Result, ensure};
use ptxf::spec::FORMS;
use ptxf_tables::device::delta::{Deltas, encode};
use ptxf_tables::device::unit::{Coefficients, Complement, Evaluation, Function, Table, div_approx, div_full};

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

/// A form of f32.
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

    /// Every form of 16 bits and f32, with why it is missing if it is.
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
            if fits.len() == 1 || sweep::check(device, form, true, &table, every)?.is_ok() {
                break;
            }
        }
        let mut any = false;
        for &(bare, function) in subject.forms {
            for (name, ftz) in [(bare.replace(".ftz", ""), false), (bare.to_owned(), true)] {
                let verdict = match &fitted {
                    Err(why) => Err(why.clone()),
                    Ok(fitted) => sweep::check(device, &name, ftz, &fitted.table(function), every)?,
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

    /// A division is rcp's unit and multiplications, whose bits are no question; captured quotients tell whether it is.
    fn quotient(&mut self, device: &Results, name: &str) -> Result<()> {
        const QUESTIONS: &str = "questions.tsv";
        let rcp = self.forms.iter().find(|f| f.name == "rcp.approx.ftz.f32").expect("it was looked at before");
        let verdict = match (&rcp.verdict, device.lines(QUESTIONS)?) {
            (Err(why), _) => Err(format!("its reciprocal, rcp.approx.ftz.f32, is not known: {why}")),
            (Ok(()), None) => Err("no quotients were captured".to_owned()),
            (Ok(()), Some(lines)) => {
                let fitted = self.tables.iter().find(|t| t.function == Function::Rcp).expect("its form is known");
                let table = fitted.table(Function::Rcp);
                let (ftz, rcp) = (name.contains(".ftz"), |x| table.call(x));
                check_quotients(&lines, name, |a, b| {
                    if name.contains(".full") { div_full(ftz, a, b, rcp) } else { div_approx(ftz, a, b, rcp) }
                })?
            }
        };
        if verdict.is_ok() {
            self.used(device, QUESTIONS);
        }
        self.forms.push(Form { name: name.to_owned(), function: Function::Rcp, verdict });
        Ok(())
    }
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

/// The lines `approx-div  FORM  a  b  -  d …` of the form.
fn check_quotients(lines: &[String], name: &str, form: impl Fn(u32, u32) -> u32) -> Result<Verdict> {
    let (mut all, mut wrong, mut first) = (0, 0, None);
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.get(..2) != Some(&["approx-div", name]) {
            continue;
        }
        let bits = |cell: usize| -> Result<u32> {
            let text = cells.get(cell).with_context(|| format!("questions.tsv: `{line}`"))?;
            u32::from_str_radix(text, 16).with_context(|| format!("questions.tsv: `{line}`"))
        };
        let (a, b, d) = (bits(2)?, bits(3)?, bits(5)?);
        all += 1;
        if form(a, b) != d {
            wrong += 1;
            first.get_or_insert((a, b));
        }
    }
    Ok(match first {
        None if all == 0 => Err("no quotients were captured".to_owned()),
        None => Ok(()),
        Some((a, b)) => Err(format!(
            "the published sequence differs in {wrong} of {all} captured quotients, first in 0x{a:08x} / 0x{b:08x}"
        )),
    })
}
