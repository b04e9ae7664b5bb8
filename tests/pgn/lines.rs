//! Games are the same whether their text is given as a whole or line by line.

use super::{moves, read};
use secateurs::pgn::{LineReader, PgnError, PgnGame};
use secateurs::registry::Setup;
use std::task::Poll;

type Game = Result<PgnGame, PgnError>;

/// Reads games from lines, each with a reader of its own; also returns the last line that each needed.
fn by_lines(text: &str) -> Vec<(Game, String)> {
    let chess = Setup::named("chess").unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut at, mut found) = (0, Vec::new());
    loop {
        let mut reader = LineReader::new(&chess, at > 0);
        let mut given = at;
        let game = loop {
            given += 1;
            if let Poll::Ready(game) = reader.add(lines.get(given - 1).unwrap_or(&"")) {
                break game;
            }
        };
        let Some(game) = game else { return found };
        at += reader.used().unwrap();
        found.push((game, lines.get(given - 1).unwrap_or(&"").trim().into()));
    }
}

/// What makes a game: its moves with its position, and its result.
fn shown(game: &Game) -> String {
    game.as_ref().map_or_else(
        |error| error.reason.clone(),
        |game| format!("{} {} {}", game.position(), moves(game).join(" "), game.result),
    )
}

#[test]
fn games_by_lines_are_those_of_the_text() {
    let tagged = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {in\n\n1-0 paragraphs} e5 1-0\n\n";
    for text in [
        "",
        "\n\n{nothing} ; here\n",
        &[tagged, tagged].concat(),
        "[Event \"a\"]\n\n1. e4 {as in\n\n[Event \"b\"]\n\n1. d4 d5 *} e5\n2. Nf3 *\n\n1. c4 *\n",
        "[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 {fine} d5 *\n\n[Event \"c\"]\n\n1. c4 *\n",
        "[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 d5 *\n",
        "[Event \"a\"]\n\n1. e4 (1. d4\n{of (\n\nmine}\n(1. c4\n) d5) e5\n\n2. Nf3\n\n[Event \"b\"]\n\n*\n",
        "[Event \"a\"]\n\n1. e4 (1. d4\n\n[Event \"b\"]\n\n1. c4 *\n",
        "[Event \"a\"]\n\n1. e4 ) e5 *\n\n[FEN \"k7/8/8/8/8/8/8/K6R w - - 0 1\"]\n\n1. Rh5 Kb7 *\n",
        "1. e4 e5\n\n2. Nf3 Nc6\n\n1. d4 d5\n\n{of the next} 1. c4\n\n1... c5 *\n",
        "1. e4 e5\n\n{of the last}\n\n{and this}\n\n2. Nf3\n\n{of the next}\n[Event \"b\"]\n\n1. d4 *",
        "1. e4 1-0\nProse.\n\nMore of it.\n[Event \"b\"]\n\n1. d4 0-1 {of this\n\none}\n{and} 1. c4 *\n",
        "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0\nNf6 0-0\n\n1. d4 1/2\n\n1. c4 2-0\n[Event \"x\"]\n\n*\n",
        "[Event \"a\"]\n\n[Event \"b\"]\n\n*\n[Event x]\n\n1. e4 *\n[1, 2]\n",
        "[Event\n\"a\"]\n[Site \"b\nc\"]\n[FEN\n\"k7/8/8/8/8/8/8/K6R w - - 0 1\"]\n\n1. Rh5 *\n[Event \"b\n",
        "1. e4 e5 [1... c5\n2. Nf3 [or]\n] 2. Bc4\n[Annotator \"a\"]\n\n2... Nc6 *\n[Event \"b\"]\n\n1. e4 [no\n\n[Event \"c\"]\n\n*\n",
        "1. e4 e5\n[Annotator \"a\"]\n[Site \"b\"]\n2. Nf3\n[White \"c\"]\n\n\n1. d4 [no end\n",
        "1. e4 [%clk 0:01]\n[%emt 0:01] e5\n[Event \"b\"]\n\n*\n",
        "\u{feff}% escaped\n1. e4 1 - 0\r\n\r\n1. d4\r\n*\r\n\x1a\0",
    ] {
        let lines: Vec<_> = by_lines(text).iter().map(|(game, _)| shown(game)).collect();
        let chess = Setup::named("chess").unwrap();
        let whole: Vec<_> = secateurs::pgn::games(text, &chess).map(|game| shown(&game)).collect();
        assert_eq!(lines, whole, "{text}");
    }
}

/// What is read from a pipe is not waited for in vain.
#[test]
fn a_game_with_a_result_needs_no_line_behind_it() {
    let text =
        "[Event \"a\"]\n\n1. e4 {1-0\n} e5 1-0 ; so\n\n1. d4 *\n1. c4 0-1 {a\nb}\n\n1. e4 (1. d4\n\nd5 *\n) 2-0\n\n*\n";
    let last: Vec<_> = by_lines(text).into_iter().map(|(_, line)| line).collect();
    assert_eq!(last, ["} e5 1-0 ; so", "1. d4 *", "b}", ""]);
}

/// A number of a first move after a blank line begins a game.
#[test]
fn a_game_without_a_result_ends_before_the_first_move_of_another() {
    let found = read("1. e4 e5\n\n2. Nf3\n\n1. d4\n\n1... d5\n\n{the\n\nlast} 1.c4 {e}\n1. e4 c5");
    let of = |game: &PgnGame| (moves(game).join(" "), game.comment.clone());
    let found: Vec<_> = found.iter().map(of).collect();
    let expected = [("e4 e5 Nf3", ""), ("d4 d5", ""), ("c4 e4 c5", "the last")];
    assert_eq!(found, expected.map(|(moves, comment)| (moves.to_owned(), comment.to_owned())));
}
