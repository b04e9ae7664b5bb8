//! A slow program for the values of small endgames: every position by its moves, round after round. It shares the moves
//! of the games with the fast one, and nothing else.

use secateurs::core::position::legal_moves;
use secateurs::core::{Position, Side};
use secateurs::endgame::{ClassTable, Tables, Value};
use secateurs::games::draughts::geometry::{Geometry, bits};
use secateurs::games::draughts::variant::RuleSettings;
use secateurs::games::draughts::{Draughtsboard, Variant};
use std::collections::HashMap;

/// Returns every position of up to `most` pieces, some on either side, either side to move.
fn positions<V: Variant>(most: usize) -> Vec<Draughtsboard<V>> {
    let mut all = vec![([0_u64; 2], 0_u64)];
    for bit in bits(Geometry::<V>::ALL) {
        let square = 1 << bit;
        for index in 0..all.len() {
            let (pieces, kings) = all[index];
            if (pieces[0] | pieces[1]).count_ones() as usize == most {
                continue;
            }
            for side in 0..2 {
                let mut more = pieces;
                more[side] |= square;
                all.push((more, kings | square));
                if Geometry::<V>::CROWNING[side] & square == 0 {
                    all.push((more, kings));
                }
            }
        }
    }
    let settings = RuleSettings { limit: u16::MAX, joined: true };
    let all = all.into_iter().filter(|(pieces, _)| pieces[0] != 0 && pieces[1] != 0);
    all.flat_map(|(pieces, kings)| {
        [Side::First, Side::Second].map(|side| Draughtsboard::new(pieces, kings, side, settings, 0))
    })
    .collect()
}

/// Compares every value of the tables with that of this program. Returns their number.
pub fn compare<V: Variant>(tables: &Tables<ClassTable>, most: usize) -> usize {
    let all = positions::<V>(most);
    let mut plies: HashMap<u64, u8> = HashMap::new();
    let mut open: Vec<_> = all
        .iter()
        .map(|pos| {
            let after = legal_moves(pos).into_iter().map(|mv| pos.after(mv));
            (pos.key(), after.map(|after| (after.key(), after.is_over())).collect::<Vec<_>>())
        })
        .collect();
    let mut idle = 0;
    for round in 0..=250 {
        // What a round finds depends on what the two before it found.
        if idle == 2 {
            break;
        }
        let mut found = Vec::new();
        open.retain(|(key, moves)| {
            let distance = |&(key, is_over): &(u64, bool)| if is_over { Some(0) } else { plies.get(&key).copied() };
            let mut known = moves.iter().map(distance);
            // A win follows a lost position, which has an even distance; a loss follows won ones only.
            let is_found = if round % 2 == 1 {
                known.any(|plies| plies == Some(round - 1))
            } else {
                known.all(|plies| plies.is_some_and(|plies| plies % 2 == 1 && plies < round))
            };
            if is_found {
                found.push((*key, round));
            }
            !is_found
        });
        idle = if found.is_empty() { idle + 1 } else { 0 };
        plies.extend(found);
    }
    for pos in &all {
        let expected = plies.get(&pos.key()).map_or(Value::Draw, |&plies| Value::Distance(plies));
        assert_eq!(tables.value(pos), Some(expected), "{pos:?}");
    }
    all.len()
}
