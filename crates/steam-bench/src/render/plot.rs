//! The mean over the scale as a picture, with log axes as in the paper's Figure 4.

use std::error::Error;
use std::path::Path;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use crate::cell::Cell;
use crate::run::Run;

const SIZE: (u32, u32) = (900, 600);
const FONT: &str = "sans-serif";

/// Colours that colour-blind people can distinguish (Okabe and Ito 2008); the shapes of the points
/// differ as well.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotForm {
    /// Lines and letters.
    Svg,
    /// Points.
    Png,
}

/// A picture of one model with one compaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The name of its file, without an ending.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The model.
    pub model: String,
    curves: Vec<Curve>,
}

/// The means of a method.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The pictures of a run; there is none where no error was found.
pub fn plots(run: &Run) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for cell in &run.cells {
        let name = format!("{}-{}-{}", run.name, cell.model, cell.method.compaction);
        let Some(curve) = curve(cell) else { continue };
        match plots.iter_mut().find(|plot| plot.name == name) {
            Some(plot) => plot.curves.push(curve),
            None => plots.push(Plot {
                title: format!("{}, {}", cell.model, cell.method.compaction),
                model: cell.model.clone(),
                curves: vec![curve],
                name,
            }),
        }
    }
    plots
}

fn curve(cell: &Cell) -> Option<Curve> {
    let point = |check: &crate::outcome::Check| Some((f64::from(check.scale), check.mean()?));
    let points: Vec<(f64, f64)> = cell.checks.iter().filter_map(point).collect();
    (!points.is_empty()).then(|| Curve { name: cell.method.name(), points })
}

impl Plot {
    /// Draws it into a file.
    pub fn write(&self, path: &Path, form: PlotForm) -> Result<(), String> {
        register_letters();
        let drawn = match form {
            PlotForm::Svg => self.draw(&SVGBackend::new(path, SIZE).into_drawing_area()),
            PlotForm::Png => self.draw(&BitMapBackend::new(path, SIZE).into_drawing_area()),
        };
        drawn.map_err(|error| format!("{} cannot be drawn: {error}", path.display()))
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        area.fill(&WHITE)?;
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x, y) = (range(points().map(|point| point.0)), range(points().map(|point| point.1)));
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 24))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("scale")
            .y_desc("mean of trail length, states, seconds, MiB")
            .label_style((FONT, 14))
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (index, curve) in self.curves.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            let filled = style.filled();
            let line = LineSeries::new(curve.points.iter().copied(), style);
            let round = index < COLOURS.len();
            let sample = move |(x, y): (i32, i32)| {
                PathElement::new(vec![(x, y), (x + 24, y)], style).into_dyn()
            };
            chart.draw_series(line)?.label(&curve.name).legend(sample);
            for point in &curve.points {
                let area = chart.plotting_area();
                if round {
                    area.draw(&Circle::new(*point, 4, filled))?;
                } else {
                    area.draw(&TriangleMarker::new(*point, 6, filled))?;
                }
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .legend_area_size(32)
            .label_font((FONT, 14))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
        Ok(())
    }
}

/// The letters come with us: not every machine has fonts.
fn register_letters() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // It fails for data that is no font, which this is not.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
    });
}

/// The ends of an axis: a little beyond the values, and never a single point.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    (least / 1.15, most * 1.15)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that the library asks for")]
fn label(value: &f64) -> String {
    if *value >= 10.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::outcome::Ending;
    use crate::run::tests::run;

    fn sample() -> Run {
        run(vec![
            cell(("bf", "pl2", "lgc"), "philo", &[(2, Ok(1.0)), (4, Ok(2.0))]),
            cell(("bfs", "", "lgc"), "philo", &[(2, Ok(3.0)), (4, Err(Ending::Memory))]),
            cell(("bfs", "", "line"), "philo", &[(2, Ok(4.0))]),
            cell(("bfs", "", "line"), "other", &[(2, Err(Ending::Memory))]),
        ])
    }

    #[test]
    fn a_picture_for_each_model_and_compaction() {
        let plots = plots(&sample());
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["suite-philo-lgc", "suite-philo-line"]);
        assert_eq!(plots[0].curves[1].points.len(), 1);
    }

    #[test]
    fn both_forms_are_drawn() {
        let directory = std::env::temp_dir().join(format!("steam-plot-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for (form, ending, start) in
            [(PlotForm::Svg, "svg", &b"<svg"[..]), (PlotForm::Png, "png", b"\x89PNG")]
        {
            let path = directory.join(format!("plot.{ending}"));
            plots(&sample())[0].write(&path, form).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.starts_with(start), "{ending}");
            if form == PlotForm::Svg {
                let text = String::from_utf8(bytes).unwrap();
                for word in ["bf/pl2", "bfs", "scale", "philo, lgc"] {
                    assert!(text.contains(word), "{word}");
                }
            }
        }
        let nowhere = directory.join("none").join("plot.svg");
        assert!(plots(&sample())[0].write(&nowhere, PlotForm::Svg).is_err());
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn axes_have_a_length() {
        let (least, most) = range([5.0].into_iter());
        assert!(least < 5.0 && most > 5.0);
    }
}
