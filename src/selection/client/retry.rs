//! Which failures are worth another attempt, and how long to wait before it (K32).
//!
//! Decides from a status, a header or an error's kind; must not look at what a server says in words.

use std::error::Error;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::time::{Duration, SystemTime};

/// The waits before the second to the fifth attempt where the server names none.
pub(super) const DELAYS: [Duration; 4] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];
/// The longest wait that a server is granted.
const LONGEST: Duration = Duration::from_mins(1);

/// Whether another attempt may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
    /// It would only fail again.
    Never,
    /// It may, after the time that the server named, if it did.
    After(Option<Duration>),
}

/// Whether a status is retried, and the wait that its `Retry-After` names.
pub(super) fn for_status(status: u16, retry_after: Option<&str>) -> Retry {
    match status {
        408 | 409 | 425 | 429 | 500..=599 => {
            Retry::After(retry_after.and_then(|text| named_wait(text, SystemTime::now())))
        }
        _ => Retry::Never,
    }
}

/// What `Retry-After` asks for: seconds or a date, at most a minute, nothing when it is neither.
fn named_wait(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // More digits than a number holds are certainly more than a minute.
        let seconds = text.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(LONGEST));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(LONGEST))
}

/// The time to wait: what the server named, else the usual delay, up to a quarter more or less so that calls that
/// failed together do not come back together.
pub(super) fn wait(usual: Duration, named: Option<Duration>) -> Duration {
    named.unwrap_or_else(|| usual.mul_f64(0.75 + 0.5 * random_fraction()))
}

/// A number in `0.0..1.0`. The standard library seeds each of its hashers anew; that is chance enough for a delay.
fn random_fraction() -> f64 {
    let seed = std::hash::RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(seed >> 32).unwrap_or_default()) / (f64::from(u32::MAX) + 1.0)
}

/// What went wrong below HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    /// The time was up, while still connecting or later.
    TimedOut {
        /// Whether no connection had been made yet.
        connecting: bool,
    },
    /// The other side's certificate or its TLS was refused; that does not pass by itself.
    Tls,
    /// No connection came about.
    NotConnected,
    /// A connection broke, or what came over it was no HTTP.
    Broken,
}

/// Sorts an error of sending or of reading a body.
pub(super) fn transport_kind(error: &(dyn Error + 'static)) -> Transport {
    let of_reqwest = || chain(error).filter_map(|e| e.downcast_ref::<reqwest::Error>());
    let connecting = of_reqwest().any(reqwest::Error::is_connect);
    let io_kinds =
        || chain(error).filter_map(|e| e.downcast_ref::<io::Error>().map(io::Error::kind));
    if of_reqwest().any(reqwest::Error::is_timeout)
        || io_kinds().any(|kind| kind == io::ErrorKind::TimedOut)
    {
        Transport::TimedOut { connecting }
    } else if connecting && io_kinds().any(|kind| kind == io::ErrorKind::InvalidData) {
        Transport::Tls
    } else if connecting {
        Transport::NotConnected
    } else {
        Transport::Broken
    }
}

/// An error and its causes, outermost first, those inside an I/O error included.
pub(super) fn chain<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| {
        let error = *error;
        // An I/O error's own `source` skips the error that it wraps.
        match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(wrapped) => Some(wrapped as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn k32_exactly_the_named_statuses_are_retried() {
        for status in 100..=999 {
            let want = matches!(status, 408 | 409 | 425 | 429) || (500..600).contains(&status);
            let retried = for_status(status, None) == Retry::After(None);
            assert_eq!(retried, want, "{status}");
        }
    }

    #[test]
    fn k32_retry_after_is_seconds_or_a_date_and_at_most_a_minute() {
        let noon = httpdate::parse_http_date("Sun, 06 Nov 1994 12:00:00 GMT").unwrap();
        for (text, want) in [
            ("0", Some(0)),
            (" 7 ", Some(7)),
            ("60", Some(60)),
            ("61", Some(60)),
            ("99999999999999999999999", Some(60)),
            ("Sun, 06 Nov 1994 12:00:09 GMT", Some(9)),
            ("Sun, 06 Nov 1994 13:00:00 GMT", Some(60)),
            ("Sun, 06 Nov 1994 11:59:00 GMT", Some(0)),
            ("Sunday, 06-Nov-94 12:00:05 GMT", Some(5)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(
                named_wait(text, noon),
                want.map(Duration::from_secs),
                "{text}"
            );
        }
        assert_eq!(
            for_status(429, Some("3")),
            Retry::After(Some(Duration::from_secs(3)))
        );
        assert_eq!(for_status(401, Some("3")), Retry::Never);
    }

    #[test]
    fn k32_the_usual_delays_are_about_half_one_two_and_four_seconds() {
        for (delay, about) in DELAYS.iter().zip([0.5, 1.0, 2.0, 4.0]) {
            let mut waits = Vec::new();
            for _ in 0..50 {
                let wait = wait(*delay, None).as_secs_f64();
                assert!(
                    (about * 0.75..=about * 1.25).contains(&wait),
                    "{wait} for {about}"
                );
                waits.push(wait.to_bits());
            }
            waits.dedup();
            assert!(waits.len() > 1, "no jitter");
        }
        assert_eq!(wait(DELAYS[0], Some(Duration::ZERO)), Duration::ZERO);
    }

    proptest! {
        #[test]
        fn k32_no_header_makes_a_wait_longer_than_a_minute(text in "\\PC*") {
            let wait = named_wait(&text, SystemTime::now());
            prop_assert!(wait.is_none_or(|wait| wait <= LONGEST));
        }
    }
}
