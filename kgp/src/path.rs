//! The moves between two states of a game. A server sends a state only when this client has a choice: the opponent's
//! moves and forced moves lie between two states.

use secateurs::core::position::legal_moves;
use secateurs::core::{Position, Side};
use secateurs::games::kalah::{House, Layout, Wide};
use std::collections::{HashSet, VecDeque};

/// The maximum number of boards examined.
const MOST: usize = 100_000;

/// A board on the way, with the move that led to it and the number of the previous board.
struct Step {
    board: Wide,
    reached: Option<(usize, House)>,
}

/// Returns the shortest line of at least one move from one board to another with South to move. Its first move is one
/// of `first`, tried in this order, if one of them leads there. After it South plays only forced moves, which servers
/// make themselves. `None` if there is no such line, or if it is not among the first hundred thousand boards.
pub(crate) fn path(from: &Wide, to: &Wide, first: &[House]) -> Option<Vec<House>> {
    let legal = legal_moves(from);
    let others = legal.iter().filter(|mv| !first.contains(mv));
    let first = first.iter().filter(|mv| legal.contains(mv));
    let mut room = MOST;
    // One first move at a time: a later one may lead there too, by a shorter line.
    first.chain(others).find_map(|&mv| after(from, mv, to, &mut room))
}

/// Returns the shortest line that begins with a move; `room` is the number of boards that may still be examined.
fn after(from: &Wide, first: House, to: &Wide, room: &mut usize) -> Option<Vec<House>> {
    let mut steps = vec![Step { board: from.clone(), reached: None }];
    let (mut queue, mut known) = (VecDeque::new(), HashSet::new());
    steps.push(Step { board: from.after(first), reached: Some((0, first)) });
    queue.push_back(1);
    while let Some(at) = queue.pop_front() {
        let board = &steps[at].board;
        if board == to {
            return Some(line(&steps, at));
        }
        let moves = legal_moves(board);
        if board.turn() == Side::First && moves.len() > 1 {
            continue;
        }
        *room = room.checked_sub(moves.len())?;
        let next: Vec<_> = moves.into_iter().map(|mv| (mv, board.after(mv))).collect();
        for (mv, board) in next {
            if can_reach(&board, to) && known.insert((board.key(), board.contents().stores)) {
                queue.push_back(steps.len());
                steps.push(Step { board, reached: Some((at, mv)) });
            }
        }
    }
    None
}

/// Returns whether no store exceeds that of the board to be reached: seeds stay in stores.
fn can_reach(board: &Wide, to: &Wide) -> bool {
    let (here, there) = (board.contents().stores, to.contents().stores);
    here[0] <= there[0] && here[1] <= there[1]
}

fn line(steps: &[Step], end: usize) -> Vec<House> {
    let reached = |at: usize| steps[at].reached;
    let mut moves: Vec<_> =
        std::iter::successors(reached(end), |&(before, _)| reached(before)).map(|(_, mv)| mv).collect();
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::games::kalah::{Capture, text};

    fn board(text: &str) -> Wide {
        Wide::lay(&text::parse(text, Capture::Standard).unwrap()).unwrap()
    }

    fn houses(moves: &[u8]) -> Vec<House> {
        moves.iter().map(|house| House(house - 1)).collect()
    }

    fn play(from: &Wide, moves: &[u8]) -> Wide {
        houses(moves).into_iter().fold(from.clone(), |board, mv| board.after(mv))
    }

    #[test]
    fn lines_between_states_are_found() {
        let start = board("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>");
        // An extra turn: the next state follows at once.
        assert_eq!(path(&start, &play(&start, &[3]), &houses(&[3])), Some(houses(&[3])));
        // The opponent's extra turn and move lie between.
        let next = play(&start, &[1, 3, 1]);
        assert_eq!(path(&start, &next, &houses(&[1])), Some(houses(&[1, 3, 1])));
        // The server took another move than the last one sent.
        assert_eq!(path(&start, &next, &houses(&[6, 5])), Some(houses(&[1, 3, 1])));
        // Another game.
        assert_eq!(path(&next, &start, &[]), None);
        assert_eq!(path(&start, &start, &[]), None);
        assert_eq!(path(&start, &board("<3,0,0,3,3,3,3,3,3>"), &[]), None);
        // After an extra turn South has one move, which the server makes.
        let few = board("<3,0,0,1,0,1,1,0,4>");
        assert_eq!(path(&few, &play(&few, &[3, 1, 3]), &houses(&[3])), Some(houses(&[3, 1, 3])));
        // With two moves the server would have sent the state.
        assert_eq!(path(&start, &play(&start, &[3, 6, 1]), &houses(&[3])), None);
    }

    #[test]
    fn the_largest_board_is_given_up_in_time() {
        let start = board("<12,0,0,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12>");
        let far = board("<12,100,100,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,42,2,2,2>");
        assert_eq!(path(&start, &far, &[]), None);
    }
}
