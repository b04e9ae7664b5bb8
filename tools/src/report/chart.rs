//! [`Chart`]: a plot of curves with its axes, as SVG.

use std::fmt::Write as _;

/// The size of the plot and the margins of its axes.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 40.0;

/// The number of colours in the style sheet.
const COLOURS: usize = 8;

/// The axes of a plot.
pub(super) struct Chart<'a> {
    /// The title, escaped.
    pub title: &'a str,
    /// The name of the horizontal axis, whose ticks are whole numbers.
    pub name: &'a str,
    /// The ends of the horizontal axis.
    pub across: [f64; 2],
    /// The ends of the vertical axis.
    pub up: [f64; 2],
    /// The label of a tick of the vertical axis; a line at 0 stands out.
    pub label: &'a dyn Fn(f64) -> String,
}

/// Returns the class of a curve.
pub(super) const fn colour(curve: usize) -> usize {
    curve % COLOURS
}

impl Chart<'_> {
    fn x(&self, value: f64) -> f64 {
        let [first, last] = self.across;
        LEFT + (WIDTH - LEFT - RIGHT) * (value - first) / (last - first).max(1.0)
    }

    fn y(&self, value: f64) -> f64 {
        let [low, high] = self.up;
        // Some browsers cannot represent values far outside the plot. Infinite values lie on the edge.
        let far = if value.is_finite() { high - low } else { 0.0 };
        let value = value.clamp(low - far, high + far);
        TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)
    }

    fn points(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        points.map(|(x, y)| format!("{:.1},{:.1} ", self.x(x), self.y(y))).collect::<String>().trim_end().to_owned()
    }

    /// Draws a curve.
    pub(super) fn curve(&self, curve: usize, points: impl Iterator<Item = (f64, f64)>) -> String {
        format!("<polyline class=\"c{}\" points=\"{}\"/>\n", colour(curve), self.points(points))
    }

    /// Draws the area within a closed line.
    pub(super) fn band(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        format!("<polygon class=\"band\" points=\"{}\"/>\n", self.points(points))
    }

    /// Draws an interval at the right end; those of several curves stand side by side.
    pub(super) fn interval(&self, curve: usize, [bottom, top]: [f64; 2]) -> String {
        let at = WIDTH - RIGHT - 3.0 - 5.0 * curve as f64;
        let [bottom, top] = [bottom, top].map(|value| self.y(value));
        let class = colour(curve);
        format!("<line class=\"c{class}\" x1=\"{at}\" x2=\"{at}\" y1=\"{bottom:.1}\" y2=\"{top:.1}\"/>\n")
    }

    /// Returns the plot of what was drawn.
    pub(super) fn svg(&self, drawn: &str) -> String {
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n\
             <clipPath id=\"frame\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            self.title,
            WIDTH - LEFT - RIGHT,
            HEIGHT - TOP - BOTTOM
        );
        self.axes(&mut svg);
        svg + "<g clip-path=\"url(#frame)\">\n" + drawn + "</g>\n</svg>\n"
    }

    fn axes(&self, svg: &mut String) {
        let [low, high] = self.up;
        let step = step((high - low) / 5.0);
        let mut tick = (low / step).ceil() * step;
        while tick <= high {
            // The sum of the steps may miss zero by a little, on either side.
            let is_zero = tick.abs() < step / 2.0;
            let (class, label) = if is_zero { ("zero", "0".into()) } else { ("grid", (self.label)(tick)) };
            let at = self.y(tick);
            let _ = writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"{}\" \
                 y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0
            );
            tick += step;
        }
        let [first, last] = self.across;
        let step = self::step((last - first) / 8.0).max(1.0);
        let mut tick = (first / step).ceil() * step;
        while tick <= last {
            let (at, bottom) = (self.x(tick), HEIGHT - BOTTOM + 16.0);
            let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{tick:.0}</text>");
            tick += step;
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 5.0,
            self.name
        );
    }
}

/// Rounds up to 1, 2, 5, 10, 20 and so on.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}
