//! The time of day as results carry it: UTC, to the second, `2026-11-30T16:01:02Z`.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    told(since.map_or(0, |since| since.as_secs()))
}

/// Seconds since 1970 as a date and a time (the civil calendar, counted from March so that leap days come last).
fn told(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

#[cfg(test)]
mod tests {
    use super::told;

    /// The days of the year 2000 and of 1972 that calendars get wrong; the numbers are POSIX's formula by hand.
    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(told(0), "1970-01-01T00:00:00Z");
        assert_eq!(told(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(told(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(told(68_169_600), "1972-02-29T00:00:00Z");
        assert_eq!(told(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
