//! Draws the results as an SVG: a group of bars per benchmark, with speed above and error below.
//!
//! The layout is that of Ho and Wong, *Exploiting half precision arithmetic in Nvidia GPUs* (2017).

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::measure::Row;
use crate::report::Outcome;

/// Width of a group's bars, relative to a group.
const BARS: f64 = 0.8;

/// A kind of bar: its row and its value.
struct Bar {
    name: String,
    colour: RGBColor,
    row: usize,
    value: fn(&Row, scalar: Duration) -> f64,
}

pub fn draw(outcomes: &[Outcome<'_>], file: &Path) -> Result<(), Box<dyn Error>> {
    let Some(first) = outcomes.first() else {
        return Err("there is no benchmark to draw".into());
    };
    let name = |row: usize| first.measured.rows[row].arithmetic.name();
    let (blue, green, orange) = (RGBColor(40, 110, 190), RGBColor(20, 130, 70), RGBColor(214, 150, 40));
    let bar = |name, colour, row, value| Bar { name, colour, row, value };
    let wide = |row: &Row, scalar: Duration| scalar.as_secs_f64() / row.times[2].as_secs_f64();
    let pair = |row: &Row, scalar: Duration| scalar.as_secs_f64() / row.times[1].as_secs_f64();
    let speed = [
        bar(format!("{}, wide", name(0)), blue, 0, wide),
        bar(format!("{}, pair", name(1)), RGBColor(150, 200, 170), 1, pair),
        bar(format!("{}, wide", name(1)), green, 1, wide),
        bar(format!("{}, wide", name(2)), orange, 2, wide),
    ];
    let error = |row: &Row, _: Duration| row.score.error;
    let errors = [(0, blue), (1, green), (2, orange)].map(|(row, colour)| bar(name(row), colour, row, error));

    let path = file.to_string_lossy();
    let width = 160 + 130 * outcomes.len() as u32;
    let area = SVGBackend::new(&*path, (width, 900)).into_drawing_area();
    area.fill(&WHITE)?;
    let [above, below] = &area.split_evenly((2, 1))[..] else { unreachable!("two panels were asked for") };
    panel(above, "speed-up over scalar f32", outcomes, &speed, Some(1.0))?;
    panel(below, "error, each benchmark in its own measure", outcomes, &errors, None)?;
    area.present()?;
    Ok(())
}

/// Draws bars on a logarithmic scale, from `foot` or the bottom. Zero and infinity have no bar.
fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    outcomes: &[Outcome<'_>],
    bars: &[Bar],
    foot: Option<f64>,
) -> Result<(), Box<dyn Error>> {
    let value = |outcome: &Outcome<'_>, bar: &Bar| {
        (bar.value)(&outcome.measured.rows[bar.row], outcome.measured.rows[0].times[0])
    };
    let all = outcomes.iter().flat_map(|o| bars.iter().map(move |b| value(o, b))).filter(|x| x.is_normal());
    let (low, high) = all.fold((1.0, 1.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
    let (low, high) = (low / 1.5, high * 1.5);

    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(-0.5..outcomes.len() as f64 - 0.5, (low..high).log_scale())?;
    let label = |x: &f64| {
        let group = x.round();
        let at_centre = (x - group).abs() < 1e-6 && group >= 0.0;
        let outcome = if at_centre { outcomes.get(group as usize) } else { None };
        outcome.map_or_else(String::new, |o| o.benchmark.name().to_owned())
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_labels(2 * outcomes.len() + 1)
        .x_label_formatter(&label)
        .y_label_formatter(&|y| if (0.01..1e4).contains(y) { format!("{y}") } else { format!("{y:.0e}") })
        .draw()?;
    let bar_width = BARS / bars.len() as f64;
    for (b, bar) in bars.iter().enumerate() {
        let rectangle = |(group, outcome): (usize, &Outcome<'_>)| {
            let y = value(outcome, bar);
            let left = group as f64 - BARS / 2.0 + b as f64 * bar_width;
            y.is_normal().then(|| {
                Rectangle::new([(left, foot.unwrap_or(low)), (left + bar_width * 0.9, y)], bar.colour.filled())
            })
        };
        let colour = bar.colour;
        chart
            .draw_series(outcomes.iter().enumerate().filter_map(rectangle))?
            .label(&bar.name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    Ok(())
}
