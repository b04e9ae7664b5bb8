//! Synthetic trees described by text: `width=4,depth=8,seed=1,order=0.9,same=0.1`.

use secateurs::core::Error;
use secateurs::core::error::Quoted;
use secateurs::literature::uniform::Uniform;
use secateurs::util::suggestion::did_you_mean;

pub(crate) const DEFAULT: Uniform = Uniform { width: 4, depth: 6, seed: 1, order: 0.0, same: 0.0 };

pub(crate) const WIDEST: usize = 1 << 12;

/// Reads a description. Each part may occur once; missing parts are those of `DEFAULT`.
///
/// # Errors
/// [`Error::BadOptions`], which names the bad part.
pub fn read(text: &str) -> Result<Uniform, Error> {
    let mut tree = DEFAULT;
    let mut seen = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = |expected: &str| Error::BadOptions(format!("bad tree {}: {expected}", Quoted::new(part)));
        let (name, value) = part.split_once('=').ok_or_else(|| wrong("its parts are NAME=VALUE"))?;
        let (name, value) = (name.trim(), value.trim());
        if seen.contains(&name) {
            return Err(wrong("it has that twice"));
        }
        seen.push(name);
        let share = || value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        match name {
            "width" => {
                let width = value.parse().ok().filter(|width| (1..=WIDEST).contains(width));
                tree.width = width.ok_or_else(|| wrong(&format!("width is a whole number from 1 to {WIDEST}")))?;
            }
            "depth" => tree.depth = value.parse().map_err(|_| wrong("depth is a whole number from 0 to 255, plies"))?,
            "seed" => tree.seed = value.parse().map_err(|_| wrong("seed is a whole number of 64 bits"))?,
            "order" => tree.order = share().ok_or_else(|| wrong("order is a number from 0 to 1"))?,
            "same" => tree.same = share().ok_or_else(|| wrong("same is a number from 0 to 1"))?,
            _ => {
                let hint = did_you_mean(name, ["width", "depth", "seed", "order", "same"]);
                return Err(wrong(&format!("the parts of a tree are width, depth, seed, order and same{hint}")));
            }
        }
    }
    Ok(tree)
}

pub(crate) fn write(tree: &Uniform) -> String {
    let Uniform { width, depth, seed, order, same } = tree;
    format!("width={width},depth={depth},seed={seed},order={order},same={same}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_as_they_are_written() {
        let tree = read(" width=3, depth=5,order=0.9,same=1").unwrap();
        assert_eq!(write(&tree), "width=3,depth=5,seed=1,order=0.9,same=1");
        assert_eq!(write(&read(&write(&tree)).unwrap()), write(&tree));
        assert_eq!(write(&read("").unwrap()), write(&DEFAULT));
    }

    #[test]
    fn what_is_wrong_with_a_tree_is_named() {
        for (text, named) in [
            ("width=0", "bad tree \"width=0\": width is a whole number from 1 to 4096"),
            ("width=4097", "\"width=4097\""),
            ("depth=256", "\"depth=256\""),
            ("depth=-1", "\"depth=-1\""),
            ("seed=x", "\"seed=x\""),
            ("order=1.5", "order is a number from 0 to 1"),
            ("same=nan", "\"same=nan\""),
            ("height=3", "the parts of a tree are"),
            ("width", "NAME=VALUE"),
            ("width=2,width=3", "\"width=3\": it has that twice"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
