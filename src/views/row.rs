//! The description of a node in words.

use crate::core::score::{self, INFINITE, UNIT};
use crate::core::tree::{End, Node, SearchKind, SearchTree};
use crate::core::{Score, Side};
use crate::util::counted::counted;

/// The cells of a node.
pub(super) struct NodeRow {
    /// The move that led to the node; for the root, the number of its window.
    pub mv: String,
    /// `max` or `min`: whether the node maximises or minimises.
    pub takes: &'static str,
    /// Remaining depth in plies.
    pub depth: String,
    /// The kind of search, unless it is the usual one.
    pub how: String,
    pub low: String,
    pub high: String,
    pub provisional: String,
    pub value: String,
    /// The proven bounds of the value.
    pub proven: &'static str,
    /// Why the node ended.
    pub end: String,
    /// The number of nodes below it.
    pub below: String,
}

impl NodeRow {
    /// Creates the row of a node; `number` is that of its window if it is a root.
    pub(crate) fn new(tree: &SearchTree, node: &Node, number: usize) -> Self {
        let how = match (node.kind, node.again) {
            (SearchKind::Reduced, _) => "reduced",
            (SearchKind::Singular, _) => "singular",
            (SearchKind::Quiescence, _) => "quiescence",
            (_, true) => "again",
            _ => "",
        };
        let end = match &node.end {
            End::Over => "game over".into(),
            End::Enhanced(mv) => format!("table: {mv} refutes"),
            End::Cutoff(mv) => format!("cut off by {mv}"),
            End::Moves => "all moves".into(),
            end => end.name().into(),
        };
        let bound = node.bound().sign();
        Self {
            mv: node.mv.clone().unwrap_or_else(|| format!("window {number}")),
            takes: if node.turn == tree.turn { "max" } else { "min" },
            depth: node.depth.to_string(),
            how: how.into(),
            low: score_text(node.window[0]),
            high: score_text(node.window[1]),
            provisional: score_text(node.provisional),
            value: node.value.map_or_else(|| "none".into(), |value| format!("{bound}{}", score_text(value))),
            proven: node.proof.name().unwrap_or_default(),
            end,
            below: grouped(node.below),
        }
    }

    /// Returns the texts for a page: move, takes, depth, how, low, high, provisional, value, proven, end, below.
    pub(crate) fn texts(self) -> [String; 11] {
        let Self { mv, takes, depth, how, low, high, provisional, value, proven, end, below } = self;
        [mv, takes.into(), depth, how, low, high, provisional, value, proven.into(), end, below]
    }
}

/// Formats a score in units of the game; a win or loss with its distance from the root in plies.
pub(super) fn score_text(value: Score) -> String {
    match score::distance(value) {
        _ if value >= INFINITE => "+inf".into(),
        _ if value <= -INFINITE => "-inf".into(),
        Some(plies) if value > 0 => format!("win {plies}"),
        Some(plies) => format!("loss {}", plies.abs()),
        None => format!("{:+.2}", f64::from(value) / f64::from(UNIT)),
    }
}

/// Formats a count with commas.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the protocol's name of a side.
pub(super) const fn side(side: Side) -> &'static str {
    match side {
        Side::First => "player 1",
        Side::Second => "player 2",
    }
}

/// Describes how many of the entered nodes are recorded.
pub(super) fn extent(tree: &SearchTree) -> String {
    let (entered, shown) =
        (grouped(tree.entered), grouped(tree.nodes.iter().filter(|node| node.ply > 0).count() as u64));
    let (entered, plies) = (counted(entered, "node"), tree.plies);
    if tree.is_whole() { entered } else { format!("{shown} of {entered}, to ply {plies}") }
}

/// Returns the rows of a tree, each with its node.
pub(super) fn rows(tree: &SearchTree) -> impl Iterator<Item = (&Node, NodeRow)> {
    let mut windows = 0;
    tree.nodes.iter().map(move |node| {
        windows += usize::from(node.ply == 0);
        (node, NodeRow::new(tree, node, windows))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::score::{WIN, win_in};

    #[test]
    fn scores_and_counts_are_short() {
        let scores = [0, -150, INFINITE, -INFINITE, win_in(3), -win_in(4), WIN];
        assert_eq!(scores.map(score_text), ["+0.00", "-1.50", "+inf", "-inf", "win 3", "loss 4", "win 0"]);
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
