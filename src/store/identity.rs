//! The identity of a table's entries.

use crate::core::error::Quoted;

/// Everything that the meaning of a table's entries depends on. Entries are valid only for an equal identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of the game.
    pub game: String,
    /// The game's options, name and value, including those at their defaults.
    pub options: Vec<(String, String)>,
    /// A fingerprint of the evaluation and the keys of positions.
    pub evaluation: u32,
    /// A fingerprint of the layout of data words.
    pub layout: u32,
}

impl Identity {
    /// Describes why entries made for `self` are invalid for `here`, as the end of a sentence that begins with a file
    /// name; `None` if they are valid.
    pub(crate) fn difference(&self, here: &Self) -> Option<String> {
        if self.game != here.game {
            return Some(format!("was saved for {}; this is {}", Quoted::new(&self.game), Quoted::new(&here.game)));
        }
        let (there, ours) = (self.without(here), here.without(self));
        if !(there.is_empty() && ours.is_empty()) {
            let [there, ours] = [there, ours].map(|options| format!("{} {options}", self.game).trim_end().to_owned());
            return Some(format!("was saved for {}; this is {}", Quoted::new(&there), Quoted::new(&ours)));
        }
        if self.layout != here.layout {
            return Some("was saved by a version of Secateurs with other entries".into());
        }
        (self.evaluation != here.evaluation)
            .then(|| format!("was saved with another evaluation of {}", Quoted::new(&self.game)))
    }

    /// Returns the options that the other identity lacks or has with another value.
    fn without(&self, other: &Self) -> String {
        let differing = self.options.iter().filter(|option| !other.options.contains(option));
        differing.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Encodes the identity: the fingerprints, then each text after its length. Numbers are 4 bytes, little-endian.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = [self.evaluation.to_le_bytes(), self.layout.to_le_bytes()].concat();
        let options = self.options.iter().flat_map(|(name, value)| [name, value]);
        for text in [&self.game].into_iter().chain(options) {
            // No text comes near 4 GiB; one that did would be refused when read back.
            bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    /// Decodes the bytes of [`encode`](Self::encode); `None` if they are invalid.
    pub(crate) fn decode(mut bytes: &[u8]) -> Option<Self> {
        let (evaluation, layout) = (number(&mut bytes)?, number(&mut bytes)?);
        let game = text(&mut bytes)?;
        let mut options = Vec::new();
        while !bytes.is_empty() {
            options.push((text(&mut bytes)?, text(&mut bytes)?));
        }
        Some(Self { game, options, evaluation, layout })
    }
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number))
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    String::from_utf8(text.into()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(game: &str, options: &[(&str, &str)]) -> Identity {
        let options = options.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        Identity { game: game.into(), options, evaluation: 7, layout: 9 }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        for one in [identity("", &[]), identity("kalah", &[("Houses", "6"), ("Heaps", ""), ("", "ü\n")])] {
            let bytes = one.encode();
            assert_eq!(Identity::decode(&bytes), Some(one));
            assert!((1..4).all(|less| Identity::decode(&bytes[..bytes.len() - less]).is_none()));
        }
    }

    #[test]
    fn what_differs_is_named_and_nothing_else() {
        let one = identity("kalah", &[("Houses", "6"), ("Capture", "empty")]);
        let says = |other: Identity| one.difference(&other).unwrap_or_default();
        assert_eq!(says(one.clone()), "");
        assert_eq!(says(identity("nim", &[])), "was saved for \"kalah\"; this is \"nim\"");
        let other = identity("kalah", &[("Houses", "6"), ("Capture", "standard")]);
        assert_eq!(says(other), "was saved for \"kalah Capture=empty\"; this is \"kalah Capture=standard\"");
        assert!(says(Identity { layout: 1, ..one.clone() }).contains("other entries"));
        assert!(says(Identity { evaluation: 1, ..one.clone() }).contains("another evaluation"));
    }
}
