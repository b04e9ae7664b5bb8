//! The positions of a page as numbers of shapes: a page contains each shape once, a position its numbers.

use super::document::{number, written};
use super::theme::{Theme, style};
use crate::core::picture::{Picture, Shape};
use serde::Serialize;
use std::collections::HashMap;

/// The layers of a drawing: the size of the view, the ground, the marks, the pieces.
const LAYERS: usize = 4;

/// The shapes of a page, by their layers.
#[derive(Debug, Default)]
pub struct Frames {
    shapes: [Vec<String>; LAYERS],
    numbers: HashMap<(usize, String), usize>,
    parts: Vec<String>,
    bytes: usize,
    /// The shapes of the last picture by layer, with their numbers. Most of them are in the next one too: they are not
    /// written as text again.
    last: [Vec<(Shape, usize)>; LAYERS],
}

impl Frames {
    /// Returns the numbers of the shapes of a picture in ascending order. The remainder of a number by 4 is the layer.
    pub fn add(&mut self, picture: &Picture) -> Vec<usize> {
        let view = format!("{} {}", number(picture.width), number(picture.height));
        let mut numbers = vec![self.number(0, view)];
        for (layer, shapes) in (1..).zip(picture.layers()) {
            let last = std::mem::take(&mut self.last[layer]);
            for (at, shape) in shapes.into_iter().enumerate() {
                let same = |(known, _): &&(Shape, usize)| *known == shape;
                let found = last.get(at).filter(same).or_else(|| last.iter().find(same));
                let number = found.map(|(_, number)| *number).unwrap_or_else(|| {
                    let text = self.text(&shape);
                    self.number(layer, text)
                });
                numbers.push(number);
                self.last[layer].push((shape, number));
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns how a position differs from the one before: the numbers of the shapes that go, and of those that come.
    #[must_use]
    pub fn change(before: &[usize], after: &[usize]) -> [Vec<usize>; 2] {
        let without = |all: &[usize], others: &[usize]| all.iter().copied().filter(|at| !others.contains(at)).collect();
        [without(before, after), without(after, before)]
    }

    /// Returns a shape as SVG, with `<N>` for the outline of a piece, which recurs: the part with the number `N`.
    fn text(&mut self, shape: &Shape) -> String {
        let text = written(std::slice::from_ref(shape));
        let whole = matches!(shape, Shape::Piece(..)).then(|| text.split_once('>')).flatten();
        let Some((place, part)) = whole else { return text };
        let at = self.parts.iter().position(|known| known == part).unwrap_or_else(|| {
            self.parts.push(part.into());
            self.parts.len() - 1
        });
        format!("{place}><{at}>")
    }

    fn number(&mut self, layer: usize, text: String) -> usize {
        let shapes = &mut self.shapes[layer];
        *self.numbers.entry((layer, text)).or_insert_with_key(|(_, text)| {
            shapes.push(text.clone());
            self.bytes += text.len();
            LAYERS * (shapes.len() - 1) + layer
        })
    }

    /// Returns the size of all shapes.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the shapes by layer, and their style, for the script.
    #[must_use]
    pub fn data(&self) -> impl Serialize + use<'_> {
        let all = self.shapes.concat().concat() + &self.parts.concat();
        FramesData { style: style(Theme::Auto, &all), shapes: &self.shapes, parts: &self.parts }
    }
}

#[derive(Serialize)]
struct FramesData<'a> {
    style: String,
    shapes: &'a [Vec<String>; LAYERS],
    parts: &'a [String],
}
