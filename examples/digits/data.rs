//! Reads `digits.csv` and `digits_mlp.csv`; the format is described in `examples/data/README.md`.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use crate::network::{CLASSES, Dense, HIDDEN, PIXELS, Parameters};

/// The first row of `digits.csv` on which the network was not trained.
pub const FIRST_TEST_ROW: usize = 1347;

/// An image and the digit it shows.
#[derive(Debug)]
pub struct Digit {
    pub pixels: [u8; PIXELS],
    pub label: usize,
}

/// An error in a data file: its place, and the expected content.
#[derive(Debug)]
pub struct DataError {
    path: PathBuf,
    line: Option<usize>,
    found: String,
    want: String,
}

impl Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}\n  {}", self.found, self.want)
    }
}

impl std::error::Error for DataError {}

/// Reads all images of `digits.csv`.
pub fn digits(dir: &Path) -> Result<Vec<Digit>, DataError> {
    const WANT: &str = "write 64 pixels from 0 to 16 and a label from 0 to 9, separated by commas";
    let file = File::open(dir, "digits.csv")?;
    file.rows()
        .map(|(line, row)| {
            let error = |found: String| file.error(Some(line), found, WANT);
            let mut digit = Digit { pixels: [0; PIXELS], label: 0 };
            let fields: Vec<&str> = row.split(',').collect();
            let [pixels @ .., label] = fields.as_slice() else { return Err(error("an empty line".into())) };
            if pixels.len() != PIXELS {
                return Err(error(format!("{} fields", fields.len())));
            }
            for (pixel, field) in digit.pixels.iter_mut().zip(pixels) {
                *pixel = number(field, |&p: &u8| p <= 16).map_err(|found| error(format!("pixel {found}")))?;
            }
            digit.label = number(label, |&l| l < CLASSES).map_err(|found| error(format!("label {found}")))?;
            Ok(digit)
        })
        .collect()
}

/// Reads the trained network from `digits_mlp.csv`.
pub fn parameters(dir: &Path) -> Result<Parameters, DataError> {
    let file = File::open(dir, "digits_mlp.csv")?;
    let mut rows = file.rows();
    let mut dense = Rows { file: &file, rows: &mut rows };
    let parameters =
        Parameters { hidden: dense.layer::<PIXELS, HIDDEN>(0)?, output: dense.layer::<HIDDEN, CLASSES>(1)? };
    match rows.next() {
        None => Ok(parameters),
        Some((line, _)) => Err(file.error(Some(line), "a line after the last bias", "end the file before it")),
    }
}

/// The lines of `digits_mlp.csv` in their order.
struct Rows<'a, I> {
    file: &'a File,
    rows: I,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Rows<'a, I> {
    fn layer<const IN: usize, const OUT: usize>(&mut self, layer: usize) -> Result<Dense<IN, OUT>, DataError> {
        let mut dense = Dense { weights: [[0.0; OUT]; IN], biases: [0.0; OUT] };
        for (input, weights) in dense.weights.iter_mut().enumerate() {
            *weights = self.row(&format!("{layer},weight,{input}"))?;
        }
        dense.biases = self.row(&format!("{layer},bias,0"))?;
        Ok(dense)
    }

    /// Returns the values of the next line, which has to begin with `key`.
    fn row<const N: usize>(&mut self, key: &str) -> Result<[f32; N], DataError> {
        let want = format!("write `{key},` and {N} numbers separated by spaces");
        let Some((line, row)) = self.rows.next() else {
            return Err(self.file.error(None, "the end of the file", want));
        };
        let error = |found: String| self.file.error(Some(line), found, want.clone());
        let (found, values) = row.rsplit_once(',').unwrap_or((row, ""));
        if found != key {
            return Err(error(format!("`{}`", found.chars().take(40).collect::<String>())));
        }
        let values = values
            .split_whitespace()
            .map(|field| number(field, |v: &f32| v.is_finite()).map_err(|found| error(format!("number {found}"))))
            .collect::<Result<Vec<f32>, _>>()?;
        <[f32; N]>::try_from(values).map_err(|values| error(format!("{} numbers", values.len())))
    }
}

/// A file and its lines.
struct File {
    path: PathBuf,
    text: String,
}

impl File {
    fn open(dir: &Path, name: &str) -> Result<Self, DataError> {
        let path = dir.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Self { path, text }),
            Err(error) => {
                let want = "it belongs to the repository; name another directory that has it with --data DIR".into();
                Err(DataError { path, line: None, found: error.to_string(), want })
            }
        }
    }

    /// Returns the lines after the heading, with their numbers.
    fn rows(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().skip(1).map(|(i, row)| (i + 1, row))
    }

    fn error(&self, line: Option<usize>, found: impl Into<String>, want: impl Into<String>) -> DataError {
        DataError { path: self.path.clone(), line, found: format!("found {}", found.into()), want: want.into() }
    }
}

/// Returns the number in `field` if it is `valid`, otherwise the field in quotes.
fn number<T: std::str::FromStr>(field: &str, valid: impl Fn(&T) -> bool) -> Result<T, String> {
    field.trim().parse().ok().filter(valid).ok_or_else(|| format!("`{field}`"))
}
