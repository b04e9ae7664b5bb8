//! The board of a game of sowing as shapes: seeds in houses and stores.

use super::{HouseName, Pits};
use crate::core::Side;
use crate::core::picture::{Area, Paint, Perspective, Picture, Shape, Spot};
use crate::util::counted::counted;
use std::f64::consts::PI;

/// The width of a house, and that of a store.
const HOUSE: f64 = 58.0;
const STORE: f64 = 62.0;

/// Describes the board, with South below unless `perspective` has North there, and with the labels of the houses. Its
/// spots are the houses by their names, and the stores as `S` and `N`. At the end of the game each side's seeds are in
/// its store, as the result counts them.
pub fn picture(pits: &Pits, [name, label]: [HouseName; 2], perspective: Perspective) -> Picture {
    let pits = &if pits.turn.is_none() { pits.swept() } else { pits.clone() };
    let below = perspective.below.unwrap_or(Side::First);
    let houses = pits.houses[0].len();
    let top = if perspective.coordinates { 28.0 } else { 8.0 };
    let (width, height) = (2.0 * STORE + HOUSE * houses as f64 + 40.0, 156.0 + 2.0 * top);
    let mut picture = Picture { width, height, ..Picture::default() };
    let mut board = vec![Shape::Area(Area::corner(12.0, top, width - 24.0, 156.0).rounded(26.0), Paint::Wood)];
    for side in [below, below.other()] {
        let is_below = side == below;
        // A side's store is at the end of its houses, which run from the left below and from the right above.
        let along = |x: f64| if is_below { x } else { width - x };
        let area = |x, y, width, height| Area { x, y, width, height, round: 24.0 };
        let (x, y) = (along(width - 16.0 - STORE / 2.0), top + 78.0);
        let store = area(x, y, STORE - 12.0, 136.0);
        board.push(Shape::Area(store, Paint::Hollow));
        let (owner, count) = (["South", "North"][side.index()], pits.stores[side.index()]);
        let spot = Spot::new(&owner[..1], store);
        picture.spots.push(spot.labelled(format!("{owner}'s store, {}", counted(count, "seed"))));
        picture.pieces.push(heap([x, y - 10.0], [STORE / 2.0 - 12.0, 50.0], count, [x, y + 62.0, 15.0]));
        let (y, beside, name_y) = if is_below { (120.0, 90.0, 174.0) } else { (36.0, 74.0, -8.0) };
        for (house, &count) in pits.houses[side.index()].iter().enumerate() {
            let (x, y) = (along(20.0 + STORE + HOUSE * (house as f64 + 0.5)), top + y);
            board.push(Shape::Area(Area::disc(x, y, 24.0), Paint::Hollow));
            if perspective.coordinates {
                board.push(Shape::text(x, top + name_y, label(side, house), 12.0, Paint::Faint));
            }
            let seeds = format!("{owner}'s house {}, {}", label(side, house), counted(count, "seed"));
            picture.spots.push(Spot::new(name(side, house), Area::disc(x, y, 24.0)).labelled(seeds));
            picture.pieces.push(heap([x, y], [20.0, 20.0], count, [x, top + beside, 12.0]));
        }
    }
    picture.ground.push(Shape::Group(board));
    picture
}

/// Returns up to 100 seeds in an ellipse with these half-axes, as in a sunflower, and their number in a size.
fn heap([x, y]: [f64; 2], axes: [f64; 2], count: u16, [number_x, number_y, size]: [f64; 3]) -> Shape {
    let shown = count.min(100);
    // Many seeds fill the ellipse, small enough not to overlap; few stay in its middle.
    let radius = (0.66 * (axes[0] * axes[1] / f64::from(shown.max(1))).sqrt()).min(5.0);
    let places: Vec<[f64; 2]> = (0..shown)
        .map(|number| {
            let (far, turn) = (
                ((f64::from(number) + 0.5) / f64::from(shown.max(5))).sqrt(),
                f64::from(number) * PI * (3.0 - 5.0_f64.sqrt()),
            );
            [far * turn.cos(), far * turn.sin()]
        })
        .collect();
    let middle = [0, 1].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / f64::from(shown.max(1)));
    let seeds = places.iter().map(|place| {
        [x + (axes[0] - radius) * (place[0] - middle[0]), y + (axes[1] - radius) * (place[1] - middle[1])]
    });
    Shape::Group(vec![
        Shape::Dots(seeds.collect(), radius, Paint::Seed),
        Shape::text(number_x, number_y, count, size, Paint::Ink),
    ])
}
