//! Matches that resume, and records that are refused.

use super::{file, ours, timeless, tournament};
use secateurs::core::StopFlag;
use secateurs_tools::arena::journal::Journal;
use secateurs_tools::arena::record::{Ending, GameRecord, Winner};
use std::fs;
use std::path::Path;

#[test]
fn a_match_resumes_where_its_journal_ends() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 4);
    let path = file("journal.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    assert!(none.is_empty());
    tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let whole = fs::read(&path).unwrap();
    let read = |path: &Path| {
        let (_, mut records) = Journal::open(path, &tournament.header(), tournament.schedule.rounds).unwrap();
        records.sort_by_key(|record| record.number);
        records.iter().map(timeless).collect::<Vec<_>>()
    };
    let undisturbed = read(&path);
    assert_eq!(undisturbed.len(), 8);
    for cut in [0, 10, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..cut]).unwrap();
        let (mut journal, records) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
        let mut played = records.len();
        tournament.play(Some(&mut journal), &records, &StopFlag::new(), &mut |_, _| played += 1).unwrap();
        drop(journal);
        assert_eq!((played, read(&path)), (8, undisturbed.clone()), "cut at {cut}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_journal_of_another_match_is_refused_with_the_difference() {
    let here = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    let path = file("other.jsonl");
    let (mut open, none) = Journal::open(&path, &here.header(), here.schedule.rounds).unwrap();
    let error = Journal::open(&path, &here.header(), here.schedule.rounds).err().unwrap().to_string();
    assert!(error.contains("already being written"), "{error}");
    here.play(Some(&mut open), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(open);
    let before = fs::read(&path).unwrap();
    let mut seed = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    seed.seed = 2;
    let nodes = "engines[1].control is \"nodes=150\", not \"nodes=151\"";
    for (other, expected) in [(seed, "seed is 1, not 2"), (tournament(vec![ours("a", 100), ours("b", 151)], 1), nodes)]
    {
        let error = Journal::open(&path, &other.header(), other.schedule.rounds).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    let tree = "{\"game\":\"kalah\",\"options\":{},\"depth\":2}\n";
    for text in ["hello", "hello\n", "[1]\n", "{\"secateurs\":1}\nx\n", tree] {
        fs::write(&path, text).unwrap();
        let error = Journal::open(&path, &here.header(), here.schedule.rounds).err().unwrap().to_string();
        assert!(error.contains("is not a record of a match"), "{text}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "a file that is not a journal is left alone");
    }
    let later = String::from_utf8(before).unwrap().replacen("\"secateurs\":1", "\"secateurs\":2", 1);
    fs::write(&path, &later).unwrap();
    for error in
        [Journal::open(&path, &here.header(), here.schedule.rounds).err().unwrap(), Journal::load(&path).err().unwrap()]
    {
        assert!(error.to_string().ends_with("is a record of version 2: this program reads version 1"), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), later);
    fs::remove_file(&path).unwrap();
}

/// A match that cannot begin leaves one, and so does a kill.
#[test]
fn a_journal_without_a_game_becomes_that_of_another_match() {
    let [one, two] = [100, 101].map(|limit| tournament(vec![ours("a", limit), ours("b", 150)], 1));
    let path = file("without.jsonl");
    for rest in ["", "{\"number\":0,"] {
        fs::write(&path, format!("{}\n{rest}", one.header())).unwrap();
        let (mut journal, none) = Journal::open(&path, &two.header(), two.schedule.rounds).unwrap();
        two.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
        drop(journal);
        let (header, games) = Journal::load(&path).unwrap();
        assert_eq!((header, games.len()), (two.header(), two.schedule.games()));
    }
    fs::remove_file(&path).unwrap();
}

/// Version 0.3 renamed the project, and with it the first key of the header.
#[test]
fn records_of_earlier_versions_are_read_but_not_continued() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    let path = file("earlier.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap().replacen("\"secateurs\":1", "\"earlier\":1", 1);
    fs::write(&path, &text).unwrap();
    let error = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).err().unwrap().to_string();
    assert!(error.contains("before 0.3"), "{error}");
    assert_eq!(Journal::load(&path).unwrap().1.len(), text.lines().count() - 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::remove_file(&path).unwrap();
}

#[test]
fn records_that_contradict_their_moves_are_refused_with_their_line() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    let path = file("contradicts.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let record: GameRecord = serde_json::from_str(lines[2]).unwrap();
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = record.clone();
        change(&mut record);
        serde_json::to_string(&record).unwrap()
    };
    let other = if record.result == Winner::First { Winner::Second } else { Winner::First };
    for (line, expected) in [
        (changed(&|record| record.result = other), "its moves and its end make it"),
        (changed(&|record| record.ending = Ending::Resignation), "the game is over after its last move"),
        (changed(&|record| drop(record.moves.pop())), "the game continues after its last move"),
        (changed(&|record| record.moves[3].mv = "99".into()), "move 4: illegal move \"99\""),
        (changed(&|record| record.opening.moves[0] = "x".into()), "its opening: illegal move \"x\""),
        (changed(&|record| record.margin = Some(70)), "its margin is"),
        (changed(&|record| record.number = usize::MAX), "is not a game of a match"),
        (changed(&|record| record.round = 7), "is not a game of a match"),
        (
            changed(&|record| record.players.reverse()),
            "its players are \"b\" and \"a\" in the schedule of the match, not \"a\" and \"b\"",
        ),
        (changed(&|record| record.wrong_claims = [u32::MAX; 2]), "wrong claims in"),
        (changed(&|record| record.moves[1].score = "+junk".into()), "move 2: \"+junk\" is not a score"),
        (changed(&|record| record.moves[1].score = "+1e308".into()), "move 2: \"+1e308\" is not a score"),
        (
            changed(&|record| {
                record.ending = Ending::Draw;
                record.moves.pop();
            }),
            if record.result == Winner::Nobody { "its margin" } else { "its moves and its end make it 1/2-1/2" },
        ),
        (changed(&|record| record.ending = Ending::IllegalMove), "is legal, and it ended: illegal move"),
        (lines[2].replacen("\"number\":", "\"number\":1e999,\"x\":", 1), "number out of range"),
        (lines[2].replacen("\"result\":", "\"results\":", 1), "no field \"result\""),
        (lines[2][..40].to_owned(), "column 40: the text ends too early"),
        (changed(&|_| ()).replacen(record.result.text(), "2-0", 1), "the unknown word \"2-0\""),
    ] {
        fs::write(&path, format!("{}\n{}\n{line}\n", lines[0], lines[1])).unwrap();
        let load = Journal::load(&path).unwrap_err().to_string();
        let open = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).err().unwrap().to_string();
        for error in [load, open] {
            assert!(error.contains("contradicts.jsonl\" line 3: ") && error.contains(expected), "{expected}: {error}");
        }
    }
    let beyond = changed(&|record| record.number = 1_000_000);
    fs::write(&path, format!("{}\n{}\n{beyond}\n", lines[0], lines[1])).unwrap();
    let expected = "contradicts.jsonl\" line 3: game 1000001: ";
    let load = Journal::load(&path).unwrap_err().to_string();
    let open = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).err().unwrap().to_string();
    for error in [load, open] {
        assert!(
            error.contains(&format!(
                "{expected}it belongs to round 500001 in the schedule of the match, not to round 1"
            )),
            "{error}"
        );
    }
    // Blank lines are no fault.
    for text in [format!("{text}\n"), text.replace('\n', "\n \r\n\n"), text] {
        fs::write(&path, text).unwrap();
        assert_eq!(Journal::load(&path).unwrap().1.len(), 2);
        let opened = Journal::open(&path, &tournament.header(), tournament.schedule.rounds);
        assert_eq!(opened.map(|(_, records)| records.len()), Ok(2));
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_game_that_is_recorded_twice_counts_once() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 2);
    let path = file("twice.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    let whole = tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let second = text.lines().nth(2).unwrap();
    fs::write(&path, format!("{text}{second}\n{second}\n")).unwrap();
    assert_eq!(Journal::load(&path).unwrap().1.len(), 4);
    let (mut journal, records) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    let again = tournament.play(Some(&mut journal), &records, &StopFlag::new(), &mut |_, _| panic!("a game")).unwrap();
    assert_eq!((again.games(), again.tally(0, 1)), (4, whole.tally(0, 1)));
    drop(journal);
    let fewer = Journal::open(&path, &tournament.header(), 1).err().unwrap().to_string();
    assert!(
        fewer.ends_with("twice.jsonl\" holds games of 2 rounds: resume it with at least 2 rounds, not 1"),
        "{fewer}"
    );
    // Records of later rounds are returned as well: nothing is left to play.
    let mut shorter = self::tournament(vec![ours("a", 100), ours("b", 150)], 1);
    shorter.concurrency = 2;
    assert_eq!(shorter.play(None, &records, &StopFlag::new(), &mut |_, _| panic!("a game")).unwrap().games(), 4);
    fs::remove_file(&path).unwrap();
}
