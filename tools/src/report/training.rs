//! The training of a network as one self-contained page: its figures, and the loss of each epoch as curves and as a
//! table.

use super::chart::Chart;
use super::{escaped, head};
use secateurs::core::score::UNIT;
use secateurs::util::counted::counted;
use serde_json::Value;
use std::io::{self, Write};

/// A training.
pub struct Training<'a> {
    /// The game.
    pub game: &'a str,
    /// The number of positions trained on, and of those held out.
    pub positions: [usize; 2],
    /// The score, centi-units, that makes the odds of a win e to 1.
    pub scale: f32,
    /// The settings.
    pub settings: &'a Value,
    /// For each epoch: the loss in training and in what was held out, and the positions in a second.
    pub epochs: &'a [(f64, Option<f64>, f64)],
}

/// Formats a loss; without one, as a dash.
pub fn loss(loss: Option<f64>) -> String {
    loss.map_or_else(|| "-".into(), |loss| format!("{loss:.5}"))
}

/// Writes the page.
///
/// # Errors
/// A write error.
pub fn write(training: &Training<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Training { game, positions: [trained, held_out], scale, settings, epochs } = *training;
    let title = format!("A network of {}", escaped(game));
    head(&title, game, out)?;
    writeln!(
        out,
        "<p>{}, {held_out} held out. A lead of {:.2} makes the odds of a win e to 1.</p>",
        counted(trained, "position"),
        f64::from(scale) / f64::from(UNIT)
    )?;
    writeln!(out, "</header>\n<main>\n<section>\n<h2>Loss</h2>")?;
    let mut curves = vec![("in training", epochs.iter().map(|epoch| epoch.0).collect::<Vec<_>>())];
    curves.push(("held out", epochs.iter().filter_map(|epoch| epoch.1).collect()));
    curves.retain(|(_, losses)| !losses.is_empty());
    let seen = curves.iter().flat_map(|(_, losses)| losses.iter().copied());
    let (low, high) = seen.fold((f64::INFINITY, 0.0_f64), |(low, high), loss| (low.min(loss), high.max(loss)));
    if low < high {
        let room = (high - low) / 20.0;
        let label = |tick: f64| format!("{tick:.3}");
        let across = [1.0, epochs.len() as f64];
        let chart =
            Chart { title: "Loss of each epoch", name: "epochs", across, up: [low - room, high + room], label: &label };
        let drawn: String = (curves.iter().enumerate())
            .map(|(curve, (_, losses))| chart.curve(curve, (1..).map(f64::from).zip(losses.iter().copied())))
            .collect();
        write!(out, "{}<p class=\"key\">", chart.svg(&drawn))?;
        for (curve, (name, _)) in curves.iter().enumerate() {
            write!(out, "<span><i class=\"c{curve}\"></i>{name}</span> ")?;
        }
        writeln!(out, "</p>")?;
    }
    writeln!(
        out,
        "<p class=\"note\">The mean squared error of the expected result: in training measured before each step, held out after \
         the epoch.</p>\n\
         <div class=\"scroll\"><table>\n<thead><tr><th>epoch</th><th>in training</th><th>held out</th><th>positions/s</th>\
         </tr></thead>\n<tbody>"
    )?;
    for (index, &(training, held_out, speed)) in epochs.iter().enumerate() {
        writeln!(
            out,
            "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{speed:.0}</td></tr>",
            index + 1,
            loss(Some(training)),
            loss(held_out)
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>\n<section>\n<h2>Settings</h2>\n<dl>")?;
    for (name, value) in settings.as_object().into_iter().flatten() {
        writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(&value.to_string()))?;
    }
    writeln!(out, "</dl>\n</section>\n</main>\n</body>\n</html>")
}
