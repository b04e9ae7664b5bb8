//! Exports records of games as PGN and CSV.

use super::clock::tag_of;
use super::date;
use super::record::{Ending, GameRecord, MoveRecord, Winner};
use secateurs::pgn::{Pgn, PgnMove, colours, comment};
use secateurs::registry::Setup;
use serde_json::Value;
use std::io::{self, Write};

/// The event, the site and the header of a match in [`Pgn`] files.
#[derive(Clone, Copy)]
pub struct Occasion<'a> {
    /// The event.
    pub event: &'a str,
    /// The site, or `?`.
    pub site: &'a str,
    /// The header of the match, whose limits become the tag `TimeControl`; without it there is none.
    pub header: Option<&'a Value>,
}

impl Default for Occasion<'_> {
    fn default() -> Self {
        Self { event: "secateurs match", site: "?", header: None }
    }
}

/// Writes a game of a match as [`Pgn`], without a last move that was illegal or late, because that may be any text. The
/// comment after a move is the engine's evaluation: score/depth, seconds.
///
/// # Errors
/// A write error.
pub fn pgn(occasion: Occasion<'_>, record: &GameRecord, setup: &Setup, out: &mut impl Write) -> io::Result<()> {
    let detail = if record.detail.is_empty() { String::new() } else { format!(": {}", record.detail) };
    let details =
        (record.ending != Ending::Rules).then(|| ("TerminationDetails", record.ending.text().to_owned() + &detail));
    let opening = record.opening.moves.iter().map(|mv| PgnMove::new(mv, "book".into()));
    let played = record.played().iter().map(|MoveRecord { mv, micros, score, depth, .. }| {
        let seconds = *micros as f64 / 1e6;
        PgnMove::new(mv, comment(score, *depth, seconds))
    });
    let mut moves: Vec<_> = opening.chain(played).collect();
    if let Some(last) = moves.last_mut().filter(|_| record.ending == Ending::Databases) {
        last.comment += &format!(", {}", record.ending.text());
    }
    let game = Pgn {
        event: occasion.event,
        site: occasion.site,
        date: record.started.map(date::day),
        round: (record.round + 1).to_string(),
        players: record.players.each_ref().map(String::as_str),
        result: record.result.text(),
        setup,
        position: &record.opening.position,
        margin: record.margin,
        termination: termination(record.ending).into(),
        tags: details.into_iter().chain(time_controls(occasion.header, record, setup)).collect(),
        moves,
    };
    game.write(out)
}

/// Returns the tag for the limits of both players, or one for each if they differ.
fn time_controls(header: Option<&Value>, record: &GameRecord, setup: &Setup) -> Vec<(&'static str, String)> {
    let engines = header.and_then(|header| header["engines"].as_array()).map_or(&[][..], Vec::as_slice);
    let tag = |name: &String| engines.iter().find(|one| one["name"] == **name)?["control"].as_str().map(tag_of);
    match record.players.each_ref().map(tag) {
        [Some(first), Some(second)] if first == second => vec![("TimeControl", first)],
        [Some(first), Some(second)] => {
            let [one, other] = if colours(setup)[0] == "White" { [first, second] } else { [second, first] };
            vec![("WhiteTimeControl", one), ("BlackTimeControl", other)]
        }
        _ => Vec::new(),
    }
}

/// Returns the tag `Termination` (9.8.1 of the standard); the tag `TerminationDetails` has the rest.
const fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Rules => "normal",
        Ending::Resignation | Ending::Draw | Ending::Proven | Ending::Length | Ending::Databases => "adjudication",
        Ending::IllegalMove | Ending::WrongClaim => "rules infraction",
        Ending::Time | Ending::Hang => "time forfeit",
        Ending::Crash | Ending::Disconnection => "abandoned",
    }
}

/// Writes games as comma-separated values (RFC 4180) with a header line. Points are p1's; seconds and nodes are the
/// sums of both players.
///
/// # Errors
/// A write error.
pub fn csv(records: &[GameRecord], out: &mut impl Write) -> io::Result<()> {
    csv_head(out)?;
    records.iter().try_for_each(|record| csv_row(record, out))
}

/// Writes the header line of [`csv`](fn@csv).
pub(crate) fn csv_head(out: &mut impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record([
        "game", "round", "p1", "p2", "result", "points", "ending", "margin", "moves", "seconds", "nodes", "position",
        "opening", "detail",
    ])?;
    table.flush()
}

/// Writes a game as a row of [`csv`](fn@csv).
pub(crate) fn csv_row(record: &GameRecord, out: &mut impl Write) -> io::Result<()> {
    let points = match record.result {
        Winner::First => "1",
        Winner::Nobody => "0.5",
        Winner::Second => "0",
    };
    let seconds = record.moves.iter().map(|mv| mv.micros).sum::<u64>() as f64 / 1e6;
    let mut table = csv::Writer::from_writer(out);
    table.write_record([
        &(record.number + 1).to_string(),
        &(record.round + 1).to_string(),
        &record.players[0],
        &record.players[1],
        record.result.text(),
        points,
        record.ending.text(),
        &record.margin.map_or(String::new(), |margin| margin.to_string()),
        &record.moves.len().to_string(),
        &format!("{seconds:.6}"),
        &record.moves.iter().map(|mv| mv.nodes).sum::<u64>().to_string(),
        &record.opening.position,
        &record.opening.moves.join(" "),
        &record.detail,
    ])?;
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::clock::Control;
    use crate::arena::openings::Opening;
    use serde_json::json;
    use std::time::Duration;

    fn record() -> GameRecord {
        GameRecord {
            number: 2,
            round: 1,
            players: ["a \"b\", c".into(), "d".into()],
            opening: Opening { position: "<2,0,0,1,1,1,1> n".into(), moves: vec!["2".into()] },
            result: Winner::Second,
            ending: Ending::IllegalMove,
            detail: "\"9\" in <2>".into(),
            margin: None,
            wrong_claims: [0, 0],
            started: Some(1_795_344_000),
            moves: vec![
                MoveRecord { mv: "1".into(), micros: 1_500, score: "+1.50 exact".into(), depth: 7, nodes: 100 },
                MoveRecord { mv: "9".into(), micros: 2_000, score: String::new(), depth: 0, nodes: 0 },
            ],
        }
    }

    #[test]
    fn chess_is_in_standard_algebraic_notation() {
        let setup = Setup::named("chess").unwrap();
        let mut game = record();
        game.opening.position = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 12".into();
        game.opening.moves = vec!["e8c8".into()];
        game.ending = Ending::Length;
        game.moves.truncate(1);
        game.moves[0].mv = "a1a8".into();
        let mut out = Vec::new();
        pgn(Occasion::default(), &game, &setup, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\n\n12... O-O-O {book} 13. Ra8+ {"), "{text}");
    }

    #[test]
    fn a_game_as_pgn() {
        let (mut setup, mut out) = (Setup::named("kalah").unwrap(), Vec::new());
        setup.set("Houses", "2").unwrap();
        setup.set("Seeds", "1").unwrap();
        let occasion = Occasion { event: "Spring \"cup\"", site: "Oslo", ..Occasion::default() };
        pgn(occasion, &record(), &setup, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [
            r#"[Event "Spring \"cup\""]"#,
            r#"[Site "Oslo"]"#,
            r#"[Date "2026.11.22"]"#,
            r#"[White "a \"b\", c"]"#,
            r#"[Result "0-1"]"#,
            r#"[Variant "kalah"]"#,
            r#"[Options "Houses=2 Seeds=1"]"#,
            r#"[FEN "<2,0,0,1,1,1,1> n"]"#,
            r#"[PlyCount "2"]"#,
            r#"[Termination "rules infraction"]"#,
            r#"[TerminationDetails "illegal move: \"9\" in <2>"]"#,
            "1. 2 {book} 2. 1 {+1.50 exact/7 0.002s} 0-1",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line} in\n{text}");
        }
        assert!(text.ends_with("0-1\n\n"));
    }

    /// The forms of the standard, 9.6.1; without a clock those of cutechess and fastchess.
    #[test]
    fn games_have_the_time_controls_of_both_players() {
        let tags = |game: &str, controls: [&str; 2]| {
            let words = |text: &str| {
                let mut control = Control::default();
                for (key, value) in text.split_whitespace().filter_map(|word| word.split_once('=')) {
                    match key {
                        "tc" => control.clock = Some(value.parse().unwrap()),
                        "movetime" => control.movetime = Some(Duration::from_millis(value.parse().unwrap())),
                        _ => control.nodes = Some(value.parse().unwrap()),
                    }
                }
                control
            };
            let game_record = GameRecord { moves: Vec::new(), ending: Ending::Hang, ..record() };
            let names = game_record.players.clone();
            let engine = |(name, text)| json!({"name": name, "control": words(text).to_string()});
            let header = json!({"engines": names.iter().zip(controls).map(engine).collect::<Vec<_>>()});
            let opening = Opening { position: "startpos".into(), moves: Vec::new() };
            let (game_record, mut out) = (GameRecord { opening, ..game_record }, Vec::new());
            let occasion = Occasion { header: Some(&header), ..Occasion::default() };
            pgn(occasion, &game_record, &Setup::named(game).unwrap(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            text.lines().filter(|line| line.contains("TimeControl")).map(str::to_owned).collect::<Vec<_>>()
        };
        for (control, tag) in [
            ("tc=40/60+0.5", "40/60+0.5"),
            ("tc=1:00+1", "60+1"),
            ("tc=300", "300"),
            ("tc=10+0.1 nodes=5", "10+0.1"),
            ("movetime=250", "0.25/move"),
            ("nodes=100", "-"),
        ] {
            assert_eq!(tags("chess", [control; 2]), [format!("[TimeControl \"{tag}\"]")]);
        }
        let both = |white: &str, black: &str| {
            [format!("[WhiteTimeControl \"{white}\"]"), format!("[BlackTimeControl \"{black}\"]")]
        };
        assert_eq!(tags("chess", ["tc=10+0.1", "nodes=5"]), both("10+0.1", "-"));
        assert_eq!(tags("checkers", ["tc=10+0.1", "nodes=5"]), both("-", "10+0.1"));
    }

    #[test]
    fn the_first_player_of_checkers_is_black() {
        let setup = Setup::named("checkers").unwrap();
        let (mut game, mut out) = (record(), Vec::new());
        (game.opening.position, game.opening.moves, game.ending) = ("startpos".into(), Vec::new(), Ending::Length);
        game.moves.clear();
        pgn(Occasion::default(), &game, &setup, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [r#"[White "d"]"#, r#"[Black "a \"b\", c"]"#, r#"[Result "1-0"]"#, r#"[GameType "21"]"#] {
            assert!(text.contains(&format!("{line}\n")), "{line} in\n{text}");
        }
        assert!(text.ends_with("\n\n1-0\n\n"), "{text}");
    }

    #[test]
    fn a_game_ended_by_databases_says_so() {
        let setup = Setup::named("checkers").unwrap();
        let (mut game, mut out) = (record(), Vec::new());
        (game.opening.position, game.opening.moves) = ("startpos".into(), Vec::new());
        (game.ending, game.detail) = (Ending::Databases, "a win in 7 plies".into());
        game.moves.truncate(1);
        game.moves[0].mv = "11-15".into();
        pgn(Occasion::default(), &game, &setup, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [
            r#"[Termination "adjudication"]"#,
            r#"[TerminationDetails "adjudicated by databases: a win in 7 plies"]"#,
            "1. 11-15 {+1.50 exact/7 0.002s, adjudicated by databases} 1-0",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line} in\n{text}");
        }
    }

    #[test]
    fn an_answer_that_is_no_move_is_left_out_of_the_moves() {
        let setup = Setup::named("chess").unwrap();
        for (ending, text) in [(Ending::IllegalMove, "("), (Ending::IllegalMove, "1-0"), (Ending::Time, "} {")] {
            let mut game = record();
            (game.opening.position, game.opening.moves, game.ending) = ("startpos".into(), Vec::new(), ending);
            (game.moves[0].mv, game.moves[1].mv) = ("e2e4".into(), text.into());
            let mut out = Vec::new();
            pgn(Occasion::default(), &game, &setup, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.ends_with("\n\n1. e4 {+1.50 exact/7 0.002s} 0-1\n\n"), "{text}");
        }
    }

    #[test]
    fn long_games_are_broken_into_lines() {
        let mut long = record();
        (long.ending, long.moves) = (Ending::Rules, vec![long.moves[0].clone(); 100]);
        let mut out = Vec::new();
        pgn(Occasion::default(), &long, &Setup::named("kalah").unwrap(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.len() <= 79 && line == line.trim()), "{text}");
    }

    #[test]
    fn games_as_csv() {
        let mut out = Vec::new();
        csv(&[record()], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let row =
            "3,2,\"a \"\"b\"\", c\",d,0-1,0,illegal move,,2,0.003500,100,\"<2,0,0,1,1,1,1> n\",2,\"\"\"9\"\" in <2>\"";
        assert_eq!(text.lines().nth(1), Some(row));
        assert_eq!(text.lines().count(), 2);
    }
}
