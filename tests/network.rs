//! Networks of every game whose features have names.

use crate::common::{Random, describe, variants, walk};
use secateurs::core::{Error, Limits, NetworkShape, OptionKind, Options, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::network::NetworkFile;
use secateurs::registry::{GAMES, GameRow};
use secateurs::search::Table;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The option for a network, if the game has one.
fn eval_file(row: &GameRow) -> Option<&'static str> {
    row.options.iter().find(|option| option.kind == OptionKind::File).map(|option| option.name)
}

/// Writes a network with random weights.
fn write_random(path: &Path, game: &str, shape: NetworkShape) {
    let random = &mut Random(5);
    let rows = shape.features + 1 + 2 * shape.buckets;
    let file = NetworkFile {
        game: game.into(),
        shape,
        scale: 200,
        origin: "random".into(),
        weights: (0..rows * shape.hidden).map(|_| random.below(120) as i16 - 60).collect(),
        biases: (0..shape.buckets).map(|_| random.below(2_000) as i32 - 1_000).collect(),
    };
    file.write(path).unwrap();
}

/// The positions of three random games of each game that has networks, and of each option set.
fn for_each_board(mut law: impl FnMut(&str, &GameRow, &Options, &dyn Board)) {
    for (number, (row, options)) in variants().into_iter().enumerate() {
        if eval_file(row).is_some() {
            let (start, random) = (row.start(&options).unwrap(), &mut Random(number as u64));
            for board in (0..3).flat_map(|_| walk(&*start, random)) {
                law(&format!("{}, {}", describe(row, &options), board.text()), row, &options, &*board);
            }
        }
    }
}

#[test]
fn all_games_but_nim_have_networks() {
    let without: Vec<_> = GAMES.iter().filter(|row| eval_file(row).is_none()).map(|row| row.name).collect();
    // The second name of a game has none of its own.
    assert_eq!(without, ["nim", "cfour"]);
}

#[test]
fn features_are_distinct_and_within_the_shape() {
    for_each_board(|name, _, _, board| {
        let (shape, inputs) = (board.shape().unwrap(), board.inputs().unwrap());
        assert!(inputs.bucket < shape.buckets && inputs.settled == board.settled(), "{name}");
        for features in &inputs.features {
            let distinct: HashSet<_> = features.iter().collect();
            assert_eq!(distinct.len(), features.len(), "{name}");
            assert!(features.iter().all(|&feature| usize::from(feature) < shape.features), "{name}");
        }
        assert_eq!(inputs.features[0].len(), inputs.features[1].len(), "{name}: both see the same");
    });
}

/// Two positions that share an entry of the table have the same inputs.
#[test]
fn images_have_the_same_features() {
    for (game, one, other) in [
        ("connect4", "startpos moves 2 5 3", "startpos moves 6 3 5"),
        ("othello", "startpos moves d3 c5", "startpos moves e6 f4"),
    ] {
        let row = secateurs::registry::find(game).unwrap();
        let [one, other] = [one, other].map(|text| {
            let mut board = row.start(&row.defaults()).unwrap();
            text.split_whitespace().skip(2).for_each(|mv| board.play(mv).unwrap());
            board
        });
        assert!(
            one.text() != other.text() && one.inputs() == other.inputs(),
            "{game}: {}, {}",
            one.text(),
            other.text()
        );
    }
}

#[test]
fn a_network_evaluates_and_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = HashSet::new();
    for_each_board(|name, row, options, board| {
        let path = folder.path().join(row.name);
        if !path.exists() {
            write_random(&path, row.name, board.shape().unwrap());
        }
        let mut options = options.clone();
        options.set(eval_file(row).unwrap(), path.to_str().unwrap()).unwrap();
        if board.history().len() % 8 != 3 || board.outcome().is_some() {
            return;
        }
        let with = row.parse(&options, &board.text()).unwrap();
        let value = with.static_evaluation().evaluation;
        assert_eq!(with.explain().iter().map(|(_, value)| value).sum::<i32>(), value, "{name}");
        if value != board.static_evaluation().evaluation {
            seen.insert(row.name);
        }
        let (table, request) = (Arc::new(Table::new(1).unwrap()), Request::new(Limits::depth(3)));
        let report = with.engine(table).search(&request, &StopFlag::new(), &mut |_| {}).swap_remove(0);
        assert!(with.moves().contains(&report.pv[0]), "{name}");
        assert!(with.weights().is_empty() && with.linear().is_none(), "{name}: nothing to tune");
    });
    assert_eq!(seen.len(), GAMES.len() - 2, "{seen:?}");
}

#[test]
fn networks_of_another_game_or_shape_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net");
    for row in GAMES.iter().filter(|row| eval_file(row).is_some()) {
        let refused = |game: &str, shape: NetworkShape| {
            write_random(&path, game, shape);
            match row.set(&mut row.defaults(), eval_file(row).unwrap(), path.to_str().unwrap()) {
                Err(Error::BadFile(_, reason)) => reason,
                other => panic!("{}: {other:?}", row.name),
            }
        };
        let shape = row.start(&row.defaults()).unwrap().shape().unwrap();
        assert_eq!(refused("nim", shape), format!("is a network of nim, not of {}", row.name));
        let wide = refused(row.name, NetworkShape { hidden: 512, ..shape });
        assert!(wide.starts_with("is a network of ") && wide.contains(" 512 hidden neurons "), "{wide}");
    }
}
