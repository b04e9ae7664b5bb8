//! Small numbers in the text of moves. Boards list and look up millions of moves, so this avoids `std::fmt`.

/// Reads a number as [`push`] writes it: no sign, no leading zero.
pub(crate) fn read(text: &str) -> Option<u16> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

pub(crate) fn push(text: &mut String, number: u16) {
    if number >= 10 {
        push(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let mut text = String::from("P@a");
        push(&mut text, 15);
        assert_eq!((text.as_str(), read("15"), read("0")), ("P@a15", Some(15), Some(0)));
        assert!(["", "+1", "01", " 1", "1 ", "x", "70000", "99999999999"].iter().all(|text| read(text).is_none()));
    }
}
