//! The date of a game, for records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the current Unix time in seconds.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The last day of the year 9999, in days from 1970: later days are shown as this one.
const LAST_DAY: u64 = 2_932_896;

/// Returns the date of a Unix time in UTC as PGN writes it, `2026.11.22`.
pub fn day(seconds: u64) -> String {
    // Years that begin in March, so that a leap day is the last of a year (Hinnant, "chrono-compatible low-level date
    // algorithms"): days from 1 March of the year 0, then within 400 years, then within a year.
    let days = (seconds / 86_400).min(LAST_DAY) + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * march + 2) / 5 + 1, if march < 10 { march + 3 } else { march - 9 });
    format!("{:04}.{month:02}.{day:02}", 400 * era + year + u64::from(month < 3))
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
