//! The encodings of files of games.

use std::borrow::Cow;

/// Returns the text of a file of games: each line is UTF-8, or else ISO 8859-1, which the standard prescribes (section
/// 4.1). After a byte order mark it is UTF-16, as some editors save it.
pub fn decode(mut bytes: Vec<u8>) -> String {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes[2..].as_chunks::<2>();
        String::from_utf16_lossy(&pairs.iter().map(|&pair| unit(pair)).collect::<Vec<_>>())
    };
    match bytes[..] {
        [0xff, 0xfe, ..] => return utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf16(u16::from_be_bytes),
        _ => {}
    }
    // Some programs write a byte order mark whatever follows.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    // Files are put together from games of several programs.
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let text = lines.map(|line| std::str::from_utf8(line).map_or_else(|_| latin(line).into(), Cow::Borrowed));
    let text: String = text.collect();
    // Old Macs end lines with carriage returns.
    if text.contains('\n') { text } else { text.replace('\r', "\n") }
}

/// The characters of Windows-1252 where ISO 8859-1 has control characters, 80 to 9F; five of them have none.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes ISO 8859-1, with the quotes and dashes of Windows.
fn latin(line: &[u8]) -> String {
    line.iter()
        .map(|&byte| if let 0x80..=0x9f = byte { WINDOWS[usize::from(byte - 0x80)] } else { byte.into() })
        .collect()
}
