//! Procedures of the literature side by side, with their steps.

use secateurs::Setup;
use secateurs::core::tree::{Node, Room};
use secateurs::engine::MoveOrder;
use secateurs::literature::procedure::PROCEDURES;
use secateurs::literature::study::{Run, Step, Study, Subject, study};
use secateurs::literature::toy::Toy;
use secateurs::literature::uniform::Uniform;
use secateurs::literature::{Budget, Procedure, Settings};

fn all() -> Vec<(Procedure, Settings)> {
    let settings = Settings { guess: 40, window: 30, ..Settings::default() };
    PROCEDURES.iter().map(|row| (row.procedure, settings.clone())).collect()
}

fn toy(text: &str) -> Study {
    let root = text.parse::<Toy>().unwrap().root();
    study(&Subject { root, game: None }, &all(), &Budget::default(), Some(Room::default()))
}

fn run_of<'a>(study: &'a Study, procedure: &str) -> &'a Run {
    study.runs.iter().find(|run| run.procedure == procedure).unwrap()
}

/// Checks each value against those of the visits below it.
fn values_follow(study: &Study) {
    for run in &study.runs {
        let tree = run.tree.as_ref().unwrap();
        assert!(tree.is_sound(), "{}", run.procedure);
        // df-pn looks its successors up without a visit.
        if run.procedure == "dfpn" {
            continue;
        }
        for (at, node) in tree.nodes.iter().enumerate() {
            let children: Vec<&Node> = tree.children(at).map(|child| &tree.nodes[child]).collect();
            let Some(value) = node.value.filter(|_| !children.is_empty()) else { continue };
            let maximises = node.turn == tree.turn;
            // A search again replaces the value of the search before it.
            let replaced = |index: usize| children.get(index + 1).is_some_and(|next| next.again);
            let values =
                children.iter().enumerate().filter(|(index, _)| !replaced(*index)).filter_map(|(_, q)| q.value);
            let best = if maximises { values.max() } else { values.min() }.unwrap();
            // Fail-hard procedures return the end of the window instead of a value beyond it.
            let [low, high] = node.window;
            let held = [best, best.max(low), best.min(high), best.clamp(low, high)];
            assert!(held.contains(&value), "{}: {value} of {best} in {:?}", run.procedure, node.window);
        }
        let step_values: Vec<_> = run.steps.iter().map(|step| step.value).collect();
        assert_eq!(step_values, tree.nodes.iter().map(|node| node.value).collect::<Vec<_>>());
    }
}

#[test]
fn the_textbook_figure_has_two_leaves_that_alpha_beta_does_not_visit() {
    let study = toy("((3 12 8)(2 4 6)(14 5 2))");
    assert_eq!((study.turn, study.minimum), (1, Some(5)));
    let run = run_of(&study, "alpha-beta");
    assert_eq!((run.value, run.best.as_deref(), run.counts.terminal), (Some(3), Some("1"), 7));
    let cuts: Vec<&Step> = run.steps.iter().filter(|step| step.end == "cutoff").collect();
    // In the third branch the last move cuts off, and nothing is left to skip.
    let moves: Vec<_> = cuts.iter().map(|step| (step.mv.as_deref(), step.by.as_deref(), step.searched)).collect();
    assert_eq!(moves, [(Some("2"), Some("1"), Some(1)), (Some("3"), Some("3"), Some(3))]);
    assert_eq!((cuts[0].moves, cuts[0].searched, cuts[0].window), (3, Some(1), [Some(3), None]));
    assert_eq!(run_of(&study, "minimax").counts.terminal, 9);
    let line: Vec<_> = run.steps.iter().filter(|step| step.pv).map(|step| step.mv.clone()).collect();
    assert_eq!(line, [None, Some("1".into()), Some("1".into())]);
    values_follow(&study);
}

#[test]
fn searches_again_and_windows_are_recorded() {
    let study = toy("((3 12)(14 5)(2 9))");
    assert!(run_of(&study, "negascout").steps.iter().any(|step| step.again && step.kind == "full"));
    assert!(run_of(&study, "negascout").steps.iter().any(|step| step.kind == "null"));
    // A window that values have made as small is none.
    let narrow = toy("(((3 3) (3 3)) ((4 4) (4 5) (3 9)))");
    let is_narrow = |step: &&Step| step.window[0].zip(step.window[1]).is_some_and(|(low, high)| high - low == 1);
    let kinds = |run: &str| {
        let steps = run_of(&narrow, run).steps.iter().filter(|step| step.parent.is_some());
        steps.filter(is_narrow).map(|step| step.kind).collect::<Vec<_>>()
    };
    assert!(!kinds("alpha-beta").is_empty() && kinds("alpha-beta").iter().all(|kind| *kind == "full"));
    assert!(kinds("mtdf").iter().all(|kind| *kind == "null"));
    let windows: Vec<_> = run_of(&study, "aspiration").steps.iter().filter(|step| step.ply == 0).collect();
    assert_eq!(windows.len(), 2);
    assert_eq!((windows[0].window, windows[0].bound), ([Some(10), Some(70)], Some("upper")));
    values_follow(&study);
}

/// Its own value at a leaf is exact, whatever the window, when the table has it too.
#[test]
fn the_value_of_a_leaf_is_no_bound() {
    let typed = toy("((5 (3 9)) 4 ((2 7) (8 (1 6))))");
    for run in ["alpha-beta", "negascout", "mtdf"] {
        let mut leaves = run_of(&typed, run).steps.iter().filter(|step| step.moves == 0).peekable();
        assert!(leaves.peek().is_some());
        assert!(leaves.all(|step| step.bound == Some("exact")), "{run}");
    }
    assert!(run_of(&typed, "mtdf").steps.iter().any(|step| step.moves == 0 && step.end == "table"));
    let board = Setup::named("kalah").unwrap().board("startpos").unwrap();
    let subject = Subject { root: board.tree(2, MoveOrder::Generated), game: Some((&*board, 2)) };
    let game = study(&subject, &all(), &Budget::default(), Some(Room::default()));
    assert!(
        run_of(&game, "alpha-beta")
            .steps
            .iter()
            .filter(|step| step.end == "horizon")
            .all(|step| step.bound == Some("exact"))
    );
}

/// A window is null where the procedure has narrowed it, whatever values and entries of the table are found.
#[test]
fn entries_of_the_table_make_no_null_windows() {
    for (game, depth) in [("kalah", 5), ("connect4", 5)] {
        let board = Setup::named(game).unwrap().board("startpos").unwrap();
        let subject = Subject { root: board.tree(depth, MoveOrder::Generated), game: Some((&*board, depth)) };
        for run in study(&subject, &all(), &Budget::default(), Some(Room::default())).runs {
            let mut nulls = run.steps.iter().filter(|step| step.kind == "null");
            if ["negascout", "sss", "dual", "mtdf", "dfpn"].contains(&run.procedure) {
                // SSS* and DUAL* begin at an infinite end.
                assert!(nulls.all(|step| step.window[0].zip(step.window[1]).is_none_or(|(low, high)| high - low == 1)));
            } else {
                assert_eq!(nulls.next(), None, "{game} {}", run.procedure);
            }
        }
    }
}

#[test]
fn killers_are_promoted_and_counts_are_those_of_the_steps() {
    for seed in 0..10 {
        let root = Uniform { width: 3, depth: 4, seed, order: 0.2, same: 0.2 }.root();
        let runs: Vec<_> = all().into_iter().filter(|(procedure, _)| procedure.is_exact()).collect();
        let study = study(&Subject { root, game: None }, &runs, &Budget::default(), Some(Room::default()));
        values_follow(&study);
        for run in &study.runs {
            assert_eq!(run.value, study.runs[0].value, "{}", run.procedure);
            let ends = |name| run.steps.iter().filter(|step| step.end == name).count() as u64;
            assert_eq!(ends("over"), run.counts.terminal, "{}", run.procedure);
            if !["dfpn", "minimax", "negamax"].contains(&run.procedure) {
                assert_eq!((ends("cutoff"), ends("table")), (run.counts.cutoffs, run.counts.hits), "{}", run.procedure);
            }
        }
        assert!(run_of(&study, "killers").steps.iter().any(|step| step.promoted));
        assert!(!run_of(&study, "alpha-beta").steps.iter().any(|step| step.promoted));
    }
}

#[test]
fn procedures_agree_on_games() {
    for (game, depth) in [("kalah", 4), ("chess", 2)] {
        let board = Setup::named(game).unwrap().board("startpos").unwrap();
        let root = board.tree(depth, MoveOrder::Generated);
        let subject = Subject { root, game: Some((&*board, depth)) };
        let study = study(&subject, &all(), &Budget::default(), Some(Room::default()));
        for run in &study.runs {
            let exact = PROCEDURES.iter().any(|row| row.name == run.procedure && row.procedure.is_exact());
            assert!(!exact || run.value == study.runs[0].value, "{game} {}", run.procedure);
            assert!(run.best.as_ref().is_some_and(|best| board.moves().contains(best)));
            assert!(run.steps.iter().any(|step| step.end == "horizon" && step.value.is_some()), "{}", run.procedure);
        }
        values_follow(&study);
    }
}

#[test]
fn a_short_record_does_not_change_the_run() {
    let root = Uniform { width: 4, depth: 6, seed: 1, order: 0.5, same: 0.0 }.root();
    let subject = Subject { root, game: None };
    let runs = [(Procedure::AlphaBeta, Settings::default())];
    let with = |room| study(&subject, &runs, &Budget::default(), room).runs.swap_remove(0);
    let (none, short) = (with(None), with(Some(Room::new(30, 255).unwrap())));
    assert_eq!((none.counts, none.value, none.steps.len()), (short.counts, short.value, 0));
    assert!(short.steps.len() <= 31 && short.plies == 2, "{}", short.plies);
    assert!(short.steps.iter().all(|step| step.searched.is_some() == (step.ply < 2)));
    let out = study(&subject, &runs, &Budget::nodes(10), None);
    assert!(out.minimum.is_none() && out.runs[0].spent.is_some());
}

#[test]
fn studies_are_json() {
    let json = serde_json::to_value(toy("((3 12 8)(2 4 6)(14 5 2))")).unwrap();
    let step = &json["runs"][3]["steps"][5];
    assert_eq!(step["move"], "2");
    assert_eq!(step["window"], serde_json::json!([3, null]));
}
