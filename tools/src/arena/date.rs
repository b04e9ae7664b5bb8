//! The date of a game, for records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the current Unix time in seconds.
#[must_use]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Returns the date of a Unix time in UTC as PGN writes it, `2026.11.22`.
#[must_use]
pub fn day(seconds: u64) -> String {
    let (mut days, mut year) = (seconds / 86_400, 1970_u64);
    // Later years are clamped.
    while days >= length(year) && year < 9999 {
        days -= length(year);
        year += 1;
    }
    let february = if length(year) == 366 { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days.min(30) + 1)
}

/// Returns the number of days in a year.
const fn length(year: u64) -> u64 {
    if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // As printed by `date -u -d @SECONDS +%Y.%m.%d`.
        for (seconds, text) in [
            (0, "1970.01.01"),
            (86_399, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_709_164_800, "2024.02.29"),
            (1_735_689_599, "2024.12.31"),
            (1_735_689_600, "2025.01.01"),
            (1_795_344_000, "2026.11.22"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(day(seconds), text, "{seconds}");
        }
        assert_eq!(day(u64::MAX).len(), 10);
        assert!(now() > 1_700_000_000);
    }
}
