//! Bounds of values in words.

use secateurs::core::score::{MAX_DISTANCE, UNIT, win_in};
use secateurs::core::{Bounds, Score};
use secateurs::registry;
use secateurs::views::values::bounds;

fn shown(game: &str, lower: Score, upper: Score) -> String {
    let game = registry::find(game).unwrap();
    bounds(&*game.start(&game.defaults()).unwrap(), Bounds { lower, upper })
}

#[test]
fn bounds_in_plies_are_words() {
    assert_eq!(shown("chess", -win_in(9), win_in(10)), "unknown: no loss within 8 plies and no win within 9 plies");
    assert_eq!(shown("chess", 0, win_in(2)), "unknown: no loss and no win within 1 ply");
    assert_eq!(shown("chess", 0, win_in(1)), "unknown: no loss");
    assert_eq!(shown("chess", win_in(12), win_in(5)), "a win within 12 plies and no win within 4 plies");
    assert_eq!(shown("chess", win_in(MAX_DISTANCE), win_in(1)), "a win");
    assert_eq!(shown("chess", -win_in(3), -win_in(7)), "no loss within 2 plies and a loss within 7 plies");
    assert_eq!(shown("chess", -win_in(1), win_in(1)), "unknown");
    assert_eq!(shown("chess", win_in(3), win_in(3)), "3");
    assert_eq!(shown("chess", 0, 0), "0");
}

#[test]
fn margins_and_scores_are_numbers() {
    assert_eq!(shown("kalah", -44 * UNIT, 44 * UNIT), "-44 to 44");
    assert_eq!(shown("connect4", -win_in(42), win_in(41)), "-1 to 1");
    assert_eq!(shown("connect4", 0, 0), "0");
}
