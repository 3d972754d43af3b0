//! Draws the error of an approximate instruction on all its 65,536 inputs.
//!
//! The errors are in units in the last place, for three implementations: the library's default
//! model, which rounds the real result once; the function in f32, converted at the end, as in a CPU
//! program; and the function in the instruction's own format, step by step, as in a kernel. The
//! results of every measured device are drawn too.
//!
//! ```sh
//! cargo run --release -p fingerprint -- tanh.approx.f16 [FILE.svg]
//! cargo run --release -p fingerprint -- tanh.approx.f16 docs/tanh.svg     # the picture in README.md
//! ```

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use plotters::coord::Shift;
use plotters::prelude::*;
use ptxf::tables::device::{Model, Unmeasured};
use ptxf::{Bf16, F16};

/// Draws the error of an approximate instruction on all its inputs
#[derive(Parser)]
struct Arguments {
    /// tanh.approx.f16, tanh.approx.bf16, ex2.approx.f16 or ex2.approx.ftz.bf16
    #[arg(default_value = "tanh.approx.f16")]
    form: String,
    /// The picture's file [default: target/fingerprint-FORM.svg]
    file: Option<PathBuf>,
}

/// The parameters of a 16-bit format that errors depend on.
#[derive(Clone, Copy)]
struct Format {
    fraction: i32,
    emin: i32,
    infinity: u16,
    read: fn(u16) -> f64,
    round: fn(f32) -> u16,
}

const F16_FORMAT: Format = Format {
    fraction: 10,
    emin: -14,
    infinity: 0x7c00,
    read: |x| F16::from_bits(x).to_f64(),
    round: |x| F16::from_f32(x).to_bits(),
};
const BF16_FORMAT: Format = Format {
    fraction: 7,
    emin: -126,
    infinity: 0x7f80,
    read: |x| Bf16::from_bits(x).to_f64(),
    round: |x| Bf16::from_f32(x).to_bits(),
};

/// A model's function of a number.
type Answer = fn(Model, u16) -> Result<u16, Unmeasured>;

/// A function with its implementations.
struct Subject {
    format: Format,
    /// The function in f64, whose last bit is 2^42 times as fine as the errors here.
    truth: fn(f64) -> f64,
    model: Answer,
    f32_steps: fn(f32) -> f32,
    half_steps: fn(Format, u16) -> u16,
    formula: &'static str,
}

/// Computes `1 − 2 / (e^2x + 1)`, rounded after every step.
fn half_tanh(format: Format, x: u16) -> u16 {
    let step = |x: f64| (format.read)((format.round)(x as f32));
    let e = step(step(2.0 * (format.read)(x)).exp());
    (format.round)((1.0 - step(2.0 / step(e + 1.0))) as f32)
}

/// Computes `e^(x ln 2)`, rounded after every step.
fn half_ex2(format: Format, x: u16) -> u16 {
    let step = |x: f64| (format.read)((format.round)(x as f32));
    (format.round)(step((format.read)(x) * step(core::f64::consts::LN_2)).exp() as f32)
}

fn subject(form: &str) -> Option<Subject> {
    let (format, model): (_, Answer) = match form {
        "tanh.approx.f16" => (F16_FORMAT, |model, x| model.tanh_approx_f16(F16::from_bits(x)).map(F16::to_bits)),
        "tanh.approx.bf16" => (BF16_FORMAT, |model, x| model.tanh_approx_bf16(Bf16::from_bits(x)).map(Bf16::to_bits)),
        "ex2.approx.f16" => (F16_FORMAT, |model, x| model.ex2_approx_f16(F16::from_bits(x)).map(F16::to_bits)),
        "ex2.approx.ftz.bf16" => {
            (BF16_FORMAT, |model, x| model.ex2_approx_ftz_bf16(Bf16::from_bits(x)).map(Bf16::to_bits))
        }
        _ => return None,
    };
    Some(if form.starts_with("tanh") {
        Subject {
            format,
            truth: f64::tanh,
            model,
            f32_steps: |x| 1.0 - 2.0 / ((2.0 * x).exp() + 1.0),
            half_steps: half_tanh,
            formula: "1 - 2/(exp(2x) + 1)",
        }
    } else {
        Subject {
            format,
            truth: f64::exp2,
            model,
            f32_steps: |x| (x * core::f32::consts::LN_2).exp(),
            half_steps: half_ex2,
            formula: "exp(x ln 2)",
        }
    })
}

impl Format {
    /// Returns the distance of `d` from `exact` in units in the last place of `exact`.
    fn error(self, d: u16, exact: f64) -> f64 {
        let magnitude = exact.abs();
        let e = if magnitude == 0.0 { self.emin } else { ((magnitude.to_bits() >> 52) as i32 - 1023).max(self.emin) };
        let largest = (self.read)(self.infinity - 1);
        // Infinity is right from half a unit beyond the largest number.
        let unit = 2f64.powi(e.min(self.infinity as i32 >> self.fraction) - self.fraction);
        let value = (self.read)(d);
        if value.is_infinite() && magnitude > largest * (1.0 + 2f64.powi(-self.fraction - 2)) {
            return 0.0;
        }
        (value.clamp(-2.0 * largest, 2.0 * largest) - exact.clamp(-2.0 * largest, 2.0 * largest)) / unit
    }

    /// Returns all numbers, from −∞ to +∞.
    fn inputs(self) -> impl Iterator<Item = u16> {
        (0..=self.infinity).rev().map(|m| m | 0x8000).chain(0..=self.infinity)
    }
}

/// The errors of an implementation, in the order of the inputs.
struct Series {
    name: String,
    colour: RGBColor,
    errors: Vec<f64>,
}

/// Edges of the histogram's bins, in units in the last place.
const BINS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 16.0, 256.0, f64::INFINITY];
/// Largest drawn error, in units in the last place. Larger errors are drawn at the edge.
const DRAWN: f64 = 4.0;
/// Side of a cell in pixels.
const CELL: u32 = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { form, file } = Arguments::parse();
    let Some(s) = subject(&form) else {
        return Err(format!(
            "no fingerprint of {form}: there are tanh.approx.f16, tanh.approx.bf16, ex2.approx.f16, ex2.approx.ftz.bf16"
        )
        .into());
    };
    let flushed = if form.contains(".ftz") { ", subnormals flushed" } else { "" };
    let errors = |way: &dyn Fn(u16) -> u16| -> Vec<f64> {
        s.format.inputs().map(|x| s.format.error(way(x), (s.truth)((s.format.read)(x)))).collect()
    };
    let mut series = Vec::new();
    let mut missing = Vec::new();
    for &model in Model::available() {
        let (name, colour) = match model {
            Model::Reference => (format!("this library: rounded once{flushed}"), RGBColor(20, 130, 70)),
            device => (format!("{device}: what the device returns"), RGBColor(170, 50, 60)),
        };
        let error = |x| Ok(s.format.error((s.model)(model, x)?, (s.truth)((s.format.read)(x))));
        match s.format.inputs().map(error).collect::<Result<_, Unmeasured>>() {
            Ok(errors) => series.push(Series { name, colour, errors }),
            Err(why) => missing.push(why),
        }
    }
    series.push(Series {
        name: format!("{} in f32, rounded at the end", s.formula),
        colour: RGBColor(40, 110, 190),
        errors: errors(&|x| (s.format.round)((s.f32_steps)((s.format.read)(x) as f32))),
    });
    series.push(Series {
        name: format!("{} in 16 bits, rounded at every step", s.formula),
        colour: RGBColor(214, 150, 40),
        errors: errors(&|x| (s.half_steps)(s.format, x)),
    });

    println!("{form}: {} numbers from -inf to +inf, error in units in the last place\n", series[0].errors.len());
    series.iter().for_each(histogram);
    missing.iter().for_each(|why| println!("{why}."));
    if Model::available() == [Model::Reference] {
        println!(
            "No device has been measured: what silicon returns for {form} is not known, and nothing is drawn for it."
        );
    }

    let file = file.unwrap_or_else(|| PathBuf::from(format!("target/fingerprint-{form}.svg")));
    draw(&form, s.format, &series, &SVGBackend::new(&file, (1000, 640)).into_drawing_area())?;
    println!("{}", file.display());
    Ok(())
}

fn histogram(series: &Series) {
    let worst = series.errors.iter().fold(0.0, |w: f64, e| w.max(e.abs()));
    println!("{} (at most {worst:.4})", series.name);
    let mut from = 0.0;
    for to in BINS {
        // An error slightly above a unit, as where x approximates x − x³/3, counts as a unit.
        let inside = |e: &&f64| (e.abs() > from * 1.001 || from == 0.0) && e.abs() <= to * 1.001;
        let count = series.errors.iter().filter(inside).count();
        let share = count as f64 / series.errors.len() as f64;
        let bar = "█".repeat((share * 50.0).ceil() as usize);
        println!("  ≤ {to:<4} {count:>6} {:>7.3} % {bar}", share * 100.0);
        from = to;
    }
    println!();
}

fn draw(
    form: &str,
    format: Format,
    series: &[Series],
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn Error>> {
    area.fill(&WHITE)?;
    let area = area.titled(&format!("{form}: error over all inputs"), ("sans-serif", 26))?;
    let count = series[0].errors.len();
    for (panel, series) in area.split_evenly((series.len(), 1)).iter().zip(series) {
        let mut chart = ChartBuilder::on(panel)
            .caption(&series.name, ("sans-serif", 17))
            .margin(8)
            .x_label_area_size(28)
            .y_label_area_size(52)
            .build_cartesian_2d(0..count, -DRAWN..DRAWN)?;
        let value = |i: &usize| {
            format.inputs().nth(*i).map_or_else(String::new, |x| {
                let v = (format.read)(x);
                if v == 0.0 || (1e-2..1e4).contains(&v.abs()) {
                    format!("{}", (v * 100.0).round() / 100.0)
                } else {
                    format!("{v:.0e}")
                }
            })
        };
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_labels(9)
            .y_labels(5)
            .x_label_formatter(&value)
            .y_desc("ulp")
            .draw()?;
        // Sixty thousand points cover a few thousand cells. Adjacent cells become one rectangle.
        let (width, height) = chart.plotting_area().dim_in_pixel();
        let (columns, rows) = ((width / CELL) as usize, i64::from(height / CELL));
        let mut cells: Vec<(usize, i64)> = series
            .errors
            .iter()
            .enumerate()
            .map(|(i, e)| (i * columns / count, (e.clamp(-DRAWN, DRAWN) / DRAWN * rows as f64 / 2.0).round() as i64))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let corner = |column: usize, row: i64| (column * count / columns, row as f64 * 2.0 * DRAWN / rows as f64);
        let points = rectangles(&cells).into_iter().map(|([left, right], [bottom, top])| {
            Rectangle::new([corner(left, bottom), corner(right, top)], series.colour.filled())
        });
        chart.draw_series(points)?;
    }
    area.present()?;
    Ok(())
}

/// Merges cells, ordered by column, to rectangles: first adjacent cells of a column, then equal
/// columns. A rectangle is its begin and end along x and along y.
fn rectangles(cells: &[(usize, i64)]) -> Vec<([usize; 2], [i64; 2])> {
    let mut all: Vec<([usize; 2], [i64; 2])> = Vec::new();
    for run in cells.chunk_by(|a, b| a.0 == b.0 && b.1 == a.1 + 1) {
        let (column, rows) = (run[0].0, [run[0].1, run[run.len() - 1].1 + 1]);
        match all.iter_mut().rev().take_while(|(x, _)| x[1] + 1 >= column).find(|(x, y)| x[1] == column && *y == rows) {
            Some((x, _)) => x[1] = column + 1,
            None => all.push(([column, column + 1], rows)),
        }
    }
    all
}
