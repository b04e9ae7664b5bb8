//! The trees of textbooks, typed as nested lists of leaf values: `((3 12 8) (2 4 6) (14 5 2))`, or
//! `[[3,12,8],[2,4,6],[14,5,2]]`. MAX moves at the root, and turns alternate; values are for MAX.

use super::tree::Node;
use crate::core::score::{Score, WIN};
use crate::core::{Error, Side};
use crate::engine::{MoveHint, TreeNode};
use crate::util::random::mixed;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// A tree, without its turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Toy {
    /// A terminal position with its value for MAX.
    Leaf(Score),
    /// A position with at least one move.
    Inner(Vec<Self>),
}

impl Toy {
    /// The largest number of positions in a text.
    pub const NODES: usize = 10_000;

    /// The largest number of plies in a text.
    pub const DEPTH: usize = 64;

    /// Returns the root as a tree that procedures walk. The code of a move is its index.
    pub fn root(&self) -> Node {
        Rc::new(ToyNode { toy: Rc::new(self.clone()), path: Vec::new() })
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(value) => value.fmt(f),
            Self::Inner(below) => {
                for (index, toy) in below.iter().enumerate() {
                    write!(f, "{}{toy}", if index == 0 { "(" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl FromStr for Toy {
    type Err = Error;

    /// Reads nested lists in parentheses or brackets, separated by spaces or commas.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, at: 0, nodes: 0 };
        let toy = reader.toy(0)?;
        reader.skip();
        match reader.rest().chars().next() {
            Some(extra) => Err(reader.wrong(&format!("{extra:?} after the end of the tree"))),
            None => Ok(toy),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    /// The offset of the next byte.
    at: usize,
    nodes: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips spaces, and at most one comma.
    fn separator(&mut self) {
        self.skip();
        if self.rest().starts_with(',') {
            self.at += 1;
            self.skip();
        }
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn wrong(&self, reason: &str) -> Error {
        let column = self.text[..self.at].chars().count() + 1;
        Error::bad_position(self.text, format!("column {column}: {reason}"))
    }

    fn toy(&mut self, ply: usize) -> Result<Toy, Error> {
        self.skip();
        self.nodes += 1;
        if self.nodes > Toy::NODES {
            return Err(self.wrong(&format!("the tree has more than {} positions", Toy::NODES)));
        }
        if ply > Toy::DEPTH {
            return Err(self.wrong(&format!("the tree is deeper than {} plies", Toy::DEPTH)));
        }
        let close = match self.rest().chars().next() {
            Some('(') => ')',
            Some('[') => ']',
            Some(_) => return self.leaf(),
            None => return Err(self.wrong("the text ends where a value or a list is expected")),
        };
        self.at += 1;
        let mut below = Vec::new();
        self.skip();
        loop {
            match self.rest().chars().next() {
                Some(next) if next == close && below.is_empty() => return Err(self.wrong("the list is empty")),
                Some(next) if next == close => {
                    self.at += 1;
                    return Ok(Toy::Inner(below));
                }
                Some(next @ (')' | ']')) => return Err(self.wrong(&format!("{next:?} where {close:?} is expected"))),
                None => return Err(self.wrong(&format!("{close:?} is missing"))),
                Some(_) => below.push(self.toy(ply + 1)?),
            }
            self.separator();
        }
    }

    fn leaf(&mut self) -> Result<Toy, Error> {
        let ends = |c: char| c.is_whitespace() || "()[],".contains(c);
        let rest = self.rest();
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        // The minus sign of typography is on many figures.
        let value = word.replace('\u{2212}', "-").parse::<Score>().ok().filter(|value| value.abs() < WIN);
        let value = value
            .ok_or_else(|| self.wrong(&format!("a value is a whole number from -{most} to {most}", most = WIN - 1)))?;
        self.at += word.len();
        Ok(Toy::Leaf(value))
    }
}

/// A position: the moves from the root.
struct ToyNode {
    toy: Rc<Toy>,
    path: Vec<u16>,
}

impl ToyNode {
    fn toy(&self) -> &Toy {
        self.path.iter().fold(&*self.toy, |toy, &index| match toy {
            Toy::Inner(below) => below.get(usize::from(index)).unwrap_or(toy),
            Toy::Leaf(_) => toy,
        })
    }
}

impl TreeNode for ToyNode {
    fn turn(&self) -> Side {
        if self.path.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<Node> {
        let Toy::Inner(below) = self.toy() else { return Vec::new() };
        let successor = |index: usize| -> Node {
            let path = [self.path.as_slice(), &[index as u16]].concat();
            Rc::new(Self { toy: Rc::clone(&self.toy), path })
        };
        (0..below.len()).map(successor).collect()
    }

    /// Inner positions have no value of their own: it is 0.
    fn value(&self) -> Score {
        match (self.toy(), self.turn()) {
            (Toy::Leaf(value), Side::First) => *value,
            (Toy::Leaf(value), Side::Second) => -value,
            (Toy::Inner(_), _) => 0,
        }
    }

    fn key(&self) -> u64 {
        // The tree has no transpositions.
        self.path.iter().fold(mixed(1), |key, &index| mixed(key ^ mixed(u64::from(index) + 1)))
    }

    fn code(&self) -> u16 {
        self.path.last().copied().unwrap_or_default()
    }

    fn ply(&self) -> u8 {
        self.path.len() as u8
    }

    fn hints(&self) -> Vec<MoveHint> {
        let moves = if let Toy::Inner(below) = self.toy() { below.len() } else { 0 };
        (0..moves).map(|place| MoveHint { noisy: false, score: -(place as i32) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn toys() -> impl Strategy<Value = Toy> {
        let leaf = (1 - WIN..WIN).prop_map(Toy::Leaf);
        leaf.prop_recursive(5, 60, 4, |toy| proptest::collection::vec(toy, 1..5).prop_map(Toy::Inner))
    }

    proptest! {
        #[test]
        fn trees_are_read_as_they_are_written(toy in toys()) {
            let text = toy.to_string();
            prop_assert_eq!(text.parse::<Toy>().unwrap(), toy.clone());
            let brackets = text.replace('(', "[").replace(')', "]").replace(' ', ",");
            prop_assert_eq!(brackets.parse::<Toy>().unwrap(), toy);
        }

        #[test]
        fn no_text_panics(text in "[0-9(),\\[\\] −é-]{0,40}") {
            let _ = text.parse::<Toy>();
        }
    }

    #[test]
    fn both_forms_are_the_same() {
        let toy: Toy = " ((3 12 8)(2, 4 ,6) (14 5 \u{2212}2)) ".parse().unwrap();
        assert_eq!(toy, "[[3,12,8],[2,4,6],[14,5,-2]]".parse().unwrap());
        assert_eq!(toy.to_string(), "((3 12 8) (2 4 6) (14 5 -2))");
    }

    #[test]
    fn errors_have_the_column() {
        let cases = [
            ("", "column 1: the text ends"),
            ("((3 4)", "column 7: ')' is missing"),
            ("(3 ])", "column 4: ']' where ')'"),
            ("(3 ())", "column 5: the list is empty"),
            ("(1 2) 3", "column 7: '3' after"),
            ("(1 x)", "column 4: a value is a whole number"),
            ("32000", "column 1: a value is a whole number"),
            ("(1,,2)", "column 4: a value"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Toy>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!("(".repeat(100_000).parse::<Toy>().unwrap_err().to_string().contains("deeper than 64 plies"));
        let wide = format!("({})", "1 ".repeat(10_000));
        assert!(wide.parse::<Toy>().unwrap_err().to_string().contains("more than 10000 positions"));
    }
}
