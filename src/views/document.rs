//! Pictures as SVG.

use super::theme::{Theme, class, style};
use crate::core::picture::{Anchor, Area, Paint, Picture, Shape};
use std::borrow::Cow;
use std::fmt::Write;

/// Returns a picture as a document.
#[must_use]
pub fn picture(picture: &Picture, theme: Theme, title: &str) -> String {
    let body = picture.layers().iter().map(|shapes| written(shapes)).collect::<String>();
    document(&body, [picture.width, picture.height], theme, None, title)
}

/// Returns shapes as a document of a width and height; `shown` is the width in pixels if it differs.
pub(crate) fn document(body: &str, [width, height]: [f64; 2], theme: Theme, shown: Option<u32>, title: &str) -> String {
    let paper = format!("<rect class=\"paper\" width=\"{}\" height=\"{}\" rx=\"8\"/>", number(width), number(height));
    let scale = shown.map_or(1.0, |shown| f64::from(shown) / width);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"secateurs-{}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" \
         role=\"img\" font-family=\"system-ui,Helvetica,Arial,sans-serif\"><title>{}</title><style>{}</style>{paper}{body}</svg>",
        theme.name(),
        number(scale * width),
        number(scale * height),
        number(width),
        number(height),
        escaped(title),
        style(theme, &(paper.clone() + body)),
    )
}

/// Returns shapes one after the other.
#[must_use]
pub fn written(shapes: &[Shape]) -> String {
    let mut svg = String::new();
    shapes.iter().for_each(|shape| push(&mut svg, shape));
    svg
}

fn push(svg: &mut String, shape: &Shape) {
    let line = |paint: Paint, width: f64| {
        format!("class=\"{}-line\" fill=\"none\" stroke-width=\"{}\"", class(paint), number(width))
    };
    // Writing to a string does not fail.
    let _ = match shape {
        Shape::Area(area, paint) => write!(svg, "<{} class=\"{}\"/>", outline(area), class(*paint)),
        Shape::Ring(area, paint, width) => write!(svg, "<{} {}/>", outline(area), line(*paint, *width)),
        Shape::Dots(places, ..) if places.is_empty() => Ok(()),
        Shape::Dots(places, radius, paint) => {
            let path: String = places.iter().map(|&[x, y]| format!("M{} {}h0", number(x), number(y))).collect();
            write!(svg, "<path {} stroke-linecap=\"round\" d=\"{path}\"/>", line(*paint, 2.0 * radius))
        }
        Shape::Piece([x, y], [path, detail], paint) => {
            let own = class(*paint);
            let lines = if *paint == Paint::White { Paint::Edge } else { Paint::Detail };
            let detail = if detail.is_empty() {
                String::new()
            } else {
                format!("<path {} stroke-linecap=\"round\" d=\"{detail}\"/>", line(lines, 1.2))
            };
            write!(
                svg,
                "<g transform=\"translate({} {})\"><path class=\"{own}\" stroke=\"#4a443b\" stroke-width=\"1.2\" \
                 stroke-linejoin=\"round\" d=\"{path}\"/>{detail}</g>",
                number(*x),
                number(*y)
            )
        }
        Shape::Path(path, paint) => write!(svg, "<path class=\"{}\" d=\"{path}\"/>", class(*paint)),
        Shape::Line(path, paint, width) => write!(svg, "<path {} d=\"{path}\"/>", line(*paint, *width)),
        Shape::Text { at: [x, y], text, size, anchor, paint } => {
            let how = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
                Anchor::Mono => " font-family=\"ui-monospace,Consolas,monospace\" xml:space=\"preserve\"",
            };
            write!(
                svg,
                "<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"{how}>{}</text>",
                class(*paint),
                number(*x),
                number(*y),
                number(*size),
                escaped(text)
            )
        }
        Shape::Group(shapes) => write!(svg, "<g>{}</g>", written(shapes)),
    };
}

/// Returns the element of an area without its end.
fn outline(area: &Area) -> String {
    let [x, y] = area.top_left();
    if area.width == area.height && area.round * 2.0 >= area.width {
        return format!(
            "circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
            number(area.x),
            number(area.y),
            number(area.width / 2.0)
        );
    }
    let round = if area.round > 0.0 { format!(" rx=\"{}\"", number(area.round)) } else { String::new() };
    let [x, y, width, height] = [x, y, area.width, area.height].map(number);
    format!("rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}")
}

/// Returns a number with at most two digits after the point.
pub(super) fn number(value: f64) -> String {
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}

/// Escapes text for SVG and HTML, including quoted attributes. Characters that these do not allow become U+FFFD.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_refused = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    if !text.contains(|letter: char| matches!(letter, '&' | '<' | '>' | '"' | '\'') || is_refused(letter)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(' '),
            other if is_refused(other) => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    Cow::Owned(safe)
}
