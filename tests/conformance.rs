//! Invariants of every game of the registry with every option set: a registered game is tested. Only [`exchanged`]
//! needs to know its notation.

use crate::common::{Random, describe, variants, walk};
use secateurs::core::score::{MAX_EVALUATION, Score, is_decisive};
use secateurs::core::{
    Bound, Error, Limits, Options, Outcome, Progress, Request, Side, StopFlag, Style, Weight, weights,
};
use secateurs::engine::{Board, StaticEvaluation};
use secateurs::registry::{GAMES, GameRow};
use secateurs::search::Table;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of random games for each option set.
const WALKS: usize = 30;

/// Calls `law` on the boards of random games of every game and option set, with a name for messages.
fn for_each_board(mut law: impl FnMut(&str, &GameRow, &Options, &dyn Board)) {
    for (number, (row, options)) in variants().into_iter().enumerate() {
        let name = describe(row, &options);
        let start = row.start(&options).unwrap();
        let mut random = Random(number as u64);
        for board in (0..WALKS).flat_map(|_| walk(&*start, &mut random)) {
            law(&format!("{name}, {}", board.text()), row, &options, &*board);
        }
    }
}

/// Calls `law` on every eleventh position of these games, of one game after the other.
fn for_some_boards(mut law: impl FnMut(&str, &GameRow, &Options, &dyn Board)) {
    let mut met = 0;
    for_each_board(|name, row, options, board| {
        met += 1;
        if met % 11 == 0 {
            law(name, row, options, board);
        }
    });
}

/// Returns everything in which two boards of the same position are equal, whatever the moves that led to it.
fn face(board: &dyn Board) -> impl PartialEq + std::fmt::Debug + use<> {
    let moves: Vec<_> = board.moves().into_iter().zip(board.codes()).collect();
    (
        board.text(),
        board.key(),
        board.turn(),
        moves,
        board.outcome().filter(|_| board.moves().is_empty()),
        board.static_evaluation(),
        board.explain(),
        board.draw(),
    )
}

#[test]
fn names_are_unique_and_fit_a_handshake() {
    let mut names = HashSet::new();
    for row in GAMES {
        assert!(names.insert(row.name.to_lowercase()), "two games are called {}", row.name);
        assert!(!row.name.contains(char::is_whitespace) && !row.about.contains('\n'), "{}", row.name);
    }
    let mut names = HashSet::new();
    for option in GAMES.iter().flat_map(|row| row.options).chain(secateurs::protocol::options::OPTIONS) {
        assert!(names.insert(option.name.to_lowercase()), "two options are called {}", option.name);
        let default = option.default_value();
        assert_eq!(option.parse(&default.to_string()).as_ref(), Ok(&default), "{} takes its default", option.name);
        assert!(!option.help.is_empty() && !option.help.contains('\n'), "{}", option.name);
    }
}

#[test]
fn text_is_read_back() {
    for_each_board(|name, row, options, board| {
        let text = board.text();
        let again = row.parse(options, &text).unwrap();
        assert_eq!(face(&*again), face(board), "{name}");
        assert!(text.split_whitespace().all(|word| word != "moves") && !text.contains('\n'), "{name}");
        assert_eq!(text, text.trim(), "{name}");
        let draw = board.draw();
        assert!(draw.lines().count() > 1 && draw.ends_with('\n'), "{name}: {draw}");
    });
}

/// Returns a text without the escape sequences of colours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').unwrap().1)
}

#[test]
fn drawings_follow_the_style_of_the_terminal() {
    for_some_boards(|name, _, _, board| {
        let shown = |unicode, colour| board.show(Style { unicode, colour, columns: None });
        for unicode in [false, true] {
            let plain = shown(unicode, false);
            assert_eq!(without_colours(&shown(unicode, true)), plain, "{name}");
            assert!(plain.ends_with('\n') && !plain.contains('\u{1b}'), "{name}: {plain}");
            assert!(plain.lines().count() > 1 || board.text().len() < 8, "{name}: {plain}");
            assert!(plain.lines().all(|line| line.chars().count() <= 100), "{name}: {plain}");
            assert!(unicode || plain.is_ascii(), "{name}: {plain}");
        }
        if board.text().len() < 60 {
            let narrow = board.show(Style { columns: Some(40), ..Style::PLAIN });
            assert!(narrow.lines().all(|line| line.trim_end().chars().count() <= 40), "{name}: {narrow}");
        }
        let [first, second] = board.sides();
        assert!(first != second && !first.is_empty() && !second.is_empty(), "{name}");
    });
}

#[test]
fn moves_have_distinct_names_and_codes() {
    for_each_board(|name, _, _, board| {
        let (moves, codes) = (board.moves(), board.codes());
        assert_eq!(moves.len(), codes.len(), "{name}");
        assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len(), "{name}: {moves:?}");
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), codes.len(), "{name}: {codes:?}");
        assert!(codes.iter().all(|&code| code < u16::MAX), "{name}: {codes:?}");
        assert!(moves.iter().all(|mv| !mv.is_empty() && !mv.contains(char::is_whitespace)), "{name}: {moves:?}");
        // After a draw by the path or by the material, a repetition that counts the seeds, or perpetual check, which
        // loses, there may be legal moves.
        assert!(!moves.is_empty() || board.outcome().is_some(), "{name}");
        let goes_on = |outcome| matches!(outcome, Outcome::Draw | Outcome::Margin(_)) || name == "xiangqi";
        assert!(moves.is_empty() || board.outcome().is_none_or(goes_on), "{name}");
    });
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    for_some_boards(|name, _, _, board| {
        let mut tried = board.boxed();
        for mv in ["", " ", "0", "0000", "-1", "none", "moves", "\u{1f600}", "99999999999999999999"] {
            let Err(Error::IllegalMove(..)) = tried.play(mv) else { panic!("{name}: {mv:?} is taken for a move") };
        }
        assert_eq!(face(&*tried), face(board), "{name}");
        assert_eq!(tried.history(), board.history(), "{name}");
    });
}

#[test]
fn a_copy_is_independent_and_keeps_the_history() {
    for_some_boards(|name, row, options, board| {
        let mut replayed = row.start(options).unwrap();
        for mv in board.history() {
            replayed.play(&mv).unwrap();
        }
        assert_eq!(face(&*replayed), face(board), "{name}");
        let (before, history) = (board.text(), board.history());
        if let Some(mv) = board.moves().first() {
            let mut copy = board.boxed();
            copy.play(mv).unwrap();
            assert_eq!(copy.history().last(), Some(mv), "{name}");
        }
        assert_eq!((board.text(), board.history()), (before, history), "{name}");
    });
}

/// Subtracts the settled score from any score but the distance of a win.
fn less(score: Score, settled: Score) -> Score {
    if is_decisive(score) { score } else { score - settled }
}

/// Equal keys imply the same turn and codes, and the same outcome, evaluation and bounds without the settled score.
#[test]
fn equal_keys_imply_equivalent_positions() {
    let mut known = HashMap::new();
    let mut met = 0;
    for_each_board(|name, row, options, board| {
        let evaluated = board.static_evaluation();
        let settled = evaluated.settled;
        let meaning = (
            board.turn(),
            board.codes(),
            // The outcome may depend on the path, but not where there is no move.
            board.outcome().filter(|_| board.moves().is_empty()).map(|outcome| less(outcome.score(), settled)),
            less(evaluated.evaluation, settled),
            [evaluated.bounds.lower, evaluated.bounds.upper].map(|bound| less(bound, settled)),
        );
        let event = known.entry((describe(row, options), board.key())).or_insert_with(|| meaning.clone());
        assert_eq!(*event, meaning, "{name}");
        met += 1;
    });
    assert!(known.len() < met, "the walks never met");
}

/// Symmetric positions share an entry of the table of exact searches, and their moves lead to symmetric positions.
#[test]
fn equal_symmetric_keys_imply_equal_ones_after_the_moves() {
    let (mut known, mut mirrored) = (HashMap::new(), 0);
    for_each_board(|name, row, options, board| {
        if board.history().len() > 8 {
            return;
        }
        let mut after: Vec<_> = board.children().iter().map(|child| child.symmetric_key()).collect();
        after.sort_unstable();
        let meaning = (board.exact_entry(0).map(|(key, _)| key), after);
        let key = (describe(row, options), board.symmetric_key());
        let (first, earlier) = known.entry(key).or_insert_with(|| (board.book_key(), meaning.clone()));
        assert_eq!(*earlier, meaning, "{name}");
        mirrored += usize::from(*first != board.book_key());
    });
    assert!(mirrored > 0, "the walks never met a mirror image");
}

#[test]
fn evaluations_are_within_their_scale() {
    for_each_board(|name, _, _, board| {
        let evaluated = board.static_evaluation();
        let terms: Score = board.explain().into_iter().map(|(_, value)| value).sum();
        assert_eq!(terms, evaluated.evaluation, "{name}: the terms add up");
        assert!(evaluated.evaluation.abs() <= MAX_EVALUATION, "{name}");
        let bounds = evaluated.bounds;
        assert!(bounds.lower <= bounds.upper, "{name}");
        if let Some(outcome) = board.outcome() {
            assert!((bounds.lower..=bounds.upper).contains(&outcome.score()), "{name}: {bounds:?} {outcome:?}");
        }
    });
}

/// Evaluations with weights are linear in them, and the features do not depend on the weights.
#[test]
fn an_evaluation_is_the_settled_score_and_the_weighted_features() {
    let mut random = Random(7);
    for_each_board(|name, row, options, board| {
        let (weights, features) = (board.weights(), board.features());
        assert_eq!(weights.len(), features.len(), "{name}");
        if weights.is_empty() {
            return;
        }
        let event = |weights: &[Weight]| -> Score { weights.iter().zip(&features).map(|((_, w), f)| w * f).sum() };
        let StaticEvaluation { evaluation, settled, .. } = board.static_evaluation();
        assert_eq!(evaluation, settled + event(&weights), "{name}");
        let default = weights::write(&weights);
        let option = row.options.iter().find(|option| option.default_value().to_string() == default).unwrap();
        let mut others = weights;
        others.iter_mut().for_each(|(_, value)| *value = random.below(101) as Score - 50);
        let mut set = options.clone();
        set.set(option.name, &weights::write(&others)).unwrap();
        let other = row.parse(&set, &board.text()).unwrap();
        assert_eq!((other.weights(), other.features()), (others.clone(), features.clone()), "{name}");
        assert_eq!(other.static_evaluation().evaluation, settled + event(&others), "{name}");
    });
}

/// Returns the position of chess with the colours exchanged and the board turned upside down.
fn exchanged_chess(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let swap = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars().map(swap).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<_> = fields[0].rsplit('/').map(swap).collect();
    let (white, black): (String, String) = swap(fields[2]).chars().partition(char::is_ascii_uppercase);
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let passed = match fields[3].as_bytes() {
        [file, rank] => format!("{}{}", char::from(*file), char::from(b'1' + b'8' - rank)),
        _ => "-".into(),
    };
    format!("{} {turn} {white}{black} {passed} {} {}", ranks.join("/"), fields[4], fields[5])
}

/// Returns the position of xiangqi with the sides exchanged and the board turned upside down.
fn exchanged_xiangqi(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [placement, turn, ref rest @ ..] = fields[..] else { panic!("{fen}") };
    let swap = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let ranks: Vec<String> = placement.rsplit('/').map(|rank| rank.chars().map(swap).collect()).collect();
    format!("{} {} {}", ranks.join("/"), if turn == "w" { "b" } else { "w" }, rest.join(" "))
}

/// Returns the position of draughts with the sides exchanged and the board turned by 180 degrees.
fn exchanged_draughts(text: &str, squares: u16) -> String {
    let fields: Vec<&str> = text.split(':').collect();
    let [turn, white, black, ref clock @ ..] = fields[..] else { panic!("{text}") };
    let turned = |pieces: &str| {
        let mut pieces: Vec<_> = pieces[1..]
            .split(',')
            .filter(|piece| !piece.is_empty())
            .map(|piece| {
                let (king, number) = piece.strip_prefix('K').map_or(("", piece), |number| ("K", number));
                (squares + 1 - number.parse::<u16>().unwrap(), king)
            })
            .collect();
        pieces.sort_unstable();
        pieces.iter().map(|(number, king)| format!("{king}{number}")).collect::<Vec<_>>().join(",")
    };
    let turn = if turn == "W" { "B" } else { "W" };
    let clock: String = clock.iter().map(|clock| format!(":{clock}")).collect();
    format!("{turn}:W{}:B{}{clock}", turned(black), turned(white))
}

/// Returns the text of the position with the sides exchanged; `None` where the board determines the side to move.
fn exchanged(row: &GameRow, text: &str) -> Option<String> {
    let (position, side) = text.split_once(' ').unwrap_or((text, ""));
    let swap = |[first, second]: [&str; 2]| if side == first { second.to_owned() } else { first.to_owned() };
    Some(match row.name {
        "connect4" | "cfour" => return None,
        "kalah" => {
            let numbers: Vec<_> = position.trim_matches(['<', '>']).split(',').collect();
            let (south, north) = numbers[3..].split_at(numbers.len() / 2 - 1);
            let list = [&[numbers[0], numbers[2], numbers[1]], north, south].concat();
            format!("<{}> {}", list.join(","), swap(["s", "n"]))
        }
        "oware" => {
            let numbers: Vec<_> = position.trim_matches(['<', '>']).split(',').collect();
            let list = [&[numbers[0], numbers[2], numbers[1]], &numbers[9..], &numbers[3..9]].concat();
            format!("<{}> {}", list.join(","), swap(["s", "n"]))
        }
        "nim" => format!("{position} {}", swap(["1", "2"])),
        "chess" => exchanged_chess(text),
        "xiangqi" => exchanged_xiangqi(text),
        "checkers" | "brazilian" => exchanged_draughts(text, 32),
        "draughts" => exchanged_draughts(text, 50),
        "othello" => text
            .chars()
            .map(|sign| {
                if sign == 'X' {
                    'O'
                } else if sign == 'O' {
                    'X'
                } else {
                    sign
                }
            })
            .collect(),
        other => panic!("`exchanged` lacks the notation of {other}"),
    })
}

#[test]
fn exchanging_the_sides_keeps_the_value_for_the_mover() {
    for_each_board(|name, row, options, board| {
        let Some(text) = exchanged(row, &board.text()) else { return };
        let other = row.parse(options, &text).unwrap();
        assert_eq!(other.turn(), board.turn().other(), "{name}");
        assert_ne!(other.key(), board.key(), "{name}: who is to move matters");
        assert_eq!(other.explain(), board.explain(), "{name}");
        assert_eq!(other.static_evaluation(), board.static_evaluation(), "{name}");
        if row.is_cyclic {
            // Moves are mirrored, and the new position has no past.
            assert_eq!(other.moves().len(), board.moves().len(), "{name}");
        } else {
            assert_eq!(other.outcome(), board.outcome(), "{name}");
            assert_eq!((other.moves(), other.codes()), (board.moves(), board.codes()), "{name}");
        }
        assert_eq!(exchanged(row, &other.text()), Some(board.text()), "{name}");
    });
}

/// Counts the lines of exactly `depth` moves by playing each of them.
fn count(board: &dyn Board, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |mv: String| {
        let mut next = board.boxed();
        next.play(&mv).unwrap();
        count(&*next, depth - 1)
    };
    board.moves().into_iter().map(after).sum()
}

#[test]
fn perft_equals_playing_every_line() {
    for (row, options) in variants() {
        let name = describe(row, &options);
        let start = row.start(&options).unwrap();
        for depth in 0..=8 {
            let mut divided = Vec::new();
            let total = start.divide(depth, &StopFlag::new(), &mut |mv, lines| divided.push((mv.to_owned(), lines)));
            let total = total.unwrap();
            if total > 20_000 {
                break;
            }
            assert_eq!(start.perft(depth, &StopFlag::new()), Some(count(&*start, depth)), "{name} depth {depth}");
            if depth > 0 {
                assert_eq!(total, count(&*start, depth), "{name} depth {depth}");
                assert_eq!(divided.iter().map(|(_, lines)| lines).sum::<u64>(), total, "{name} depth {depth}");
                assert_eq!(divided.into_iter().map(|(mv, _)| mv).collect::<Vec<_>>(), start.moves(), "{name}");
            }
        }
    }
}

/// From any position a search returns a legal move and a legal line, keeps its node limit, and repeats itself from a
/// cleared table.
#[test]
fn searches_are_legal_bounded_and_repeatable() {
    let table = Arc::new(Table::new(1).unwrap());
    let mut searched = 0;
    for_each_board(|name, _, _, board| {
        searched += 1;
        if searched % 14 > 0 {
            return;
        }
        let request = Request::new(Limits { nodes: Some(300), ..Limits::default() });
        let mut runs = (0..2).map(|_| {
            table.clear();
            let mut lines = board.engine(Arc::clone(&table)).search(&request, &StopFlag::new(), &mut |event| {
                let Progress::Line(report) = event else { return };
                let mut line = board.boxed();
                for mv in &report.pv {
                    assert!(line.play(mv).is_ok(), "{name}: {mv} in {:?}", report.pv);
                }
            });
            let last = lines.swap_remove(0);
            assert!(last.nodes <= 300, "{name}");
            assert_eq!(last.best().is_none(), board.moves().is_empty(), "{name}");
            (last.nodes, last.depth, last.score, last.bound, last.pv)
        });
        assert_eq!(runs.next(), runs.next(), "{name}");
    });
}

/// A finished game is reported with its result, for the side to move.
#[test]
fn a_finished_game_scores_its_outcome() {
    let mut finished = 0;
    for_each_board(|name, _, _, board| {
        let Some(outcome) = board.outcome() else { return };
        finished += 1;
        // After a draw a manager may play on: the search goes on too.
        if board.moves().is_empty() {
            let engine = &mut board.engine(Arc::new(Table::none()));
            let last = &engine.search(&Request::depth(3), &StopFlag::new(), &mut |_| {})[0];
            assert_eq!((last.score, last.bound, last.nodes), (outcome.score(), Bound::Exact, 0), "{name}");
            assert!(last.pv.is_empty(), "{name}");
        }
    });
    assert_eq!(finished, WALKS * variants().len());
}

#[test]
fn the_positions_of_the_benchmark_can_be_searched() {
    for row in GAMES {
        assert!(!row.bench.is_empty(), "{}", row.name);
        for bench in row.bench {
            let mut options = row.defaults();
            for (name, value) in bench.options {
                options.set(name, value).unwrap();
            }
            let board = match bench.position {
                "startpos" => row.start(&options).unwrap(),
                text => row.parse(&options, text).unwrap(),
            };
            assert!(bench.depth > 0 && !board.moves().is_empty(), "{} {bench:?}", row.name);
            assert!([Side::First, Side::Second].contains(&board.turn()));
        }
    }
}
