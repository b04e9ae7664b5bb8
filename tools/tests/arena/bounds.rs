//! Scores that are only bounds, in adjudication and in records.

use secateurs::core::report::Bound;
use secateurs::registry::{self, Setup};
use secateurs_tools::arena::adjudication::{Adjudication, Agreement};
use secateurs_tools::arena::clock::Control;
use secateurs_tools::arena::openings::Opening;
use secateurs_tools::arena::player::{Forfeit, Player, Question};
use secateurs_tools::arena::record::{Ending, GameRecord, Winner, read_score};
use secateurs_tools::arena::referee::{GameSettings, Timeouts, play};
use secateurs_tools::client::{Answer, Info, Score};
use std::time::Duration;

/// A player of the first legal move that reports the same score at each.
struct Reporter(i32, Bound);

impl Player for Reporter {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        Ok(())
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit> {
        let info = Info { score: Some(Score::Cp(self.0)), bound: self.1, ..Info::default() };
        let best = Some(question.board.moves().swap_remove(0));
        Ok(Answer { best, ponder: None, time: Duration::ZERO, lines: vec![info] })
    }

    fn quit(self: Box<Self>) {}
}

/// Plays up to 20 plies of chess between players with these scores.
fn game(mut first: Reporter, mut second: Reporter) -> GameRecord {
    let agreement = |score| Some(Agreement { moves: 3, score, after: 0 });
    let adjudication =
        Adjudication { resign: agreement(500), draw: agreement(10), length: Some(20), ..Adjudication::default() };
    let setup = Setup::new(registry::find("chess").unwrap());
    let settings = GameSettings {
        setup: &setup,
        adjudication: &adjudication,
        probe_setup: None,
        timeouts: Timeouts { margin: Duration::ZERO, hang: Duration::from_secs(1) },
        stalls: None,
    };
    let opening = Opening { position: "startpos".into(), moves: Vec::new() };
    let control = Control::default();
    play(settings, [&mut first, &mut second], ["a".into(), "b".into()], [&control, &control], &opening).unwrap()
}

#[test]
fn a_bound_supports_a_claim_in_its_own_direction() {
    use Bound::{Exact, Lower, Upper};
    let won = (Winner::First, Ending::Resignation);
    let lost = (Winner::Second, Ending::Resignation);
    let (drawn, open) = ((Winner::Nobody, Ending::Draw), (Winner::Nobody, Ending::Length));
    for (first, second, expected) in [
        ((600, Exact), (-600, Exact), won),
        ((600, Lower), (-600, Upper), won),
        ((600, Upper), (-600, Exact), open),
        ((600, Exact), (-600, Lower), open),
        ((-600, Upper), (600, Lower), lost),
        ((-600, Lower), (600, Exact), open),
        ((5, Exact), (-5, Exact), drawn),
        ((5, Lower), (-5, Exact), open),
        ((5, Exact), (-5, Upper), open),
    ] {
        let record = game(Reporter(first.0, first.1), Reporter(second.0, second.1));
        assert_eq!((record.result, record.ending), expected, "{first:?} {second:?}");
        assert_eq!(read_score(&record.moves[0].score), Some((Score::Cp(first.0), first.1)));
    }
}
