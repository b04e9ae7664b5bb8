//! `LearnFile`: what is done at `isready` and not on a clock.

use crate::common::dialogue::Dialogue;
use crate::common::learning::{HEAD, RECORD, learned, pairs, size};
use secateurs::rote_learning::MIB;
use std::fs;
use std::path::Path;

/// Starts a dialogue with a file of at most one MiB.
fn dialogue(path: &Path) -> Dialogue {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name LearnSize value 1");
    dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
    dialogue
}

/// Sends commands, and returns the remarks before the reply.
fn remarks(dialogue: &Dialogue, commands: &str, reply: &str) -> Vec<String> {
    dialogue.send(commands);
    let lines = dialogue.read_to(reply);
    lines.into_iter().filter(|line| line.starts_with("info string")).collect()
}

#[test]
fn isready_reports_a_damaged_file_and_no_search_reads_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    learned(&path, 100);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let dialogue = dialogue(&path);
    let said = remarks(&dialogue, "isready", "readyok");
    assert!(said.len() == 1 && said[0].contains("\" is damaged: the checksum of the record at byte "), "{said:?}");
    // It would be read now.
    fs::write(&path, &whole).unwrap();
    for (commands, reply) in
        [("go depth 1", "bestmove"), ("isready", "readyok"), ("ucinewgame\ngo depth 1", "bestmove")]
    {
        assert!(remarks(&dialogue, commands, reply).is_empty(), "{commands}");
    }
    dialogue.send("setoption name LearnSize value 2");
    assert!(remarks(&dialogue, "isready", "readyok")[0].contains(" 100 positions are remembered "));
    dialogue.finish();
    assert_eq!(size(&path), whole.len() as u64);
}

#[test]
fn isready_follows_the_options_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| learned(path, 3));
    let dialogue = Dialogue::new("kalah");
    // The option comes while the work before it, which has answered, is about to end.
    for path in paths.iter().cycle().take(100) {
        dialogue.send("go depth 1");
        dialogue.read_to("bestmove ");
        dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
        let said = remarks(&dialogue, "isready", "readyok");
        assert!(said.len() == 1 && said[0].contains("positions are remembered from "), "{said:?}");
    }
    dialogue.finish();
}

#[test]
fn only_isready_shortens_a_file_and_only_a_full_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let most = (MIB - HEAD) / RECORD;
    learned(&path, most - 50);
    let (dialogue, before) = (dialogue(&path), size(&path));
    assert_eq!(remarks(&dialogue, "isready", "readyok").len(), 1);
    assert_eq!(size(&path), before, "it is not full");
    // More searches than the file has room for.
    for moves in pairs() {
        dialogue.send(&format!("position startpos moves {}", moves.join(" ")));
        for command in ["go depth 1", "ucinewgame\ngo depth 2", "go movetime 1000 depth 3"] {
            assert_eq!(remarks(&dialogue, command, "bestmove"), Vec::<String>::new());
            assert!(size(&path) >= before && size(&path) <= MIB);
        }
    }
    assert!(size(&path) + RECORD > MIB, "{} bytes", size(&path));
    assert!(remarks(&dialogue, "isready", "readyok").is_empty());
    assert!(size(&path) < MIB / 2 + HEAD, "{} bytes", size(&path));
    dialogue.send("position startpos");
    assert!(remarks(&dialogue, "go depth 4", "bestmove").is_empty());
    dialogue.finish();
}
