//! A moment as a text for reports and files, the same everywhere: date and time of day, in UTC.

use crate::ids::Millis;

const DAY: i64 = 24 * 60 * 60;
/// Days of the Gregorian calendar's cycle, and its years.
const ERA: i64 = 146_097;
const ERA_YEARS: i64 = 400;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// `2026-11-30 20:04:03 UTC`.
pub fn utc(at: Millis) -> String {
    let seconds = at.0.div_euclid(1_000);
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The date of a day, counted from 1970-01-01. Years are counted from March, so that the leap day is their last.
fn date(day: i64) -> (i64, i64, i64) {
    let day = day.saturating_add(EPOCH);
    let (era, day) = (day.div_euclid(ERA), day.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let year = era * ERA_YEARS + year;
    if month < 10 {
        (year, month + 3, day_of_month)
    } else {
        (year + 1, month - 9, day_of_month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_by_the_calendar() {
        for (at, told) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_796_069_043_999, "2026-11-30 20:04:03 UTC"),
            (4_107_542_399_000, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(Millis(at)), told);
        }
        // Whatever a clock says, it is told.
        utc(Millis(i64::MIN));
        utc(Millis(i64::MAX));
    }
}
