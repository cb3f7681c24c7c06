//! A plot of few curves as SVG: linear to the right, logarithmic upwards.

use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 6] = ["#1b6ca8", "#c0392b", "#e08e0b", "#2e8b57", "#7d3c98", "#555555"];

/// A named row of points.
pub struct Curve {
    /// What it shows.
    pub name: &'static str,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

/// Draws curves of values from 1 on.
pub fn plot(x_label: &str, y_label: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let first = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let last = points().map(|point| point.0).fold(first, f64::max);
    let decades = points().map(|point| point.1.max(1.0).log10()).fold(1.0, f64::max).ceil();
    let x = |value: f64| LEFT + (value - first) / (last - first).max(1.0) * (WIDTH - LEFT - RIGHT);
    let y =
        |value: f64| HEIGHT - BOTTOM - value.max(1.0).log10() / decades * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for decade in 0..=decades as i32 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">10^{decade}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let mut value = first;
    while value <= last {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
            x(value),
            HEIGHT - BOTTOM + 18.0
        );
        value += 1.0;
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x_label}</text>\n\
         <text x=\"16\" y=\"{:.1}\" transform=\"rotate(-90 16 {:.1})\" \
         text-anchor=\"middle\">{y_label}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0,
        HEIGHT / 2.0,
        HEIGHT / 2.0
    );
    for (number, (curve, colour)) in curves.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let places: Vec<String> =
            curve.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            places.join(" ")
        );
        let at = TOP + 20.0 * (number as f64 + 1.0);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{colour}\">{}</text>",
            WIDTH - RIGHT + 10.0,
            curve.name
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_lie_within_the_frame() {
        let curve = Curve { name: "a", points: vec![(2.0, 18.0), (4.0, 708.0)] };
        let svg = plot("n", "steps", &[curve]);
        assert!(svg.contains("points=\"70.0,"), "{svg}");
        assert!(svg.contains("10^3") && !svg.contains("10^4"), "{svg}");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
