//! Parses Cache-Control, Expires, Age, Retry-After, and the headers about the number of requests that a server allows.

use crate::{Freshness, Quota};
use chrono::{DateTime, Utc};
use reqwest::header::{AGE, CACHE_CONTROL, DATE, EXPIRES, HeaderMap, HeaderName, RETRY_AFTER};
use std::time::Duration;

/// Maximum freshness lifetime. A `max-age` of a year is meant for a site's images, not for its feed.
const MAX_FRESHNESS: Duration = Duration::from_secs(30 * 24 * 3600);
/// Maximum Retry-After. Longer values are configuration mistakes.
const MAX_WAIT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Returns the freshness of a response (RFC 9111, sections 4.2.1 and 4.2.3). `now` replaces a missing `Date`.
pub(crate) fn freshness(headers: &HeaderMap, now: DateTime<Utc>) -> Freshness {
    let mut max_age = None;
    let (mut no_store, mut no_cache) = (false, false);
    for value in headers.get_all(CACHE_CONTROL) {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        // Some servers write `private; max-age=60`, or `private max-age=60`.
        for directive in value.split([',', ';']) {
            let (name, argument) = directive.split_once('=').unwrap_or((directive, ""));
            let name = name.split_ascii_whitespace().last().unwrap_or_default();
            match name.to_ascii_lowercase().as_str() {
                "max-age" if max_age.is_none() => {
                    let argument = argument.split_ascii_whitespace().next().unwrap_or_default();
                    max_age = seconds(argument.trim_matches('"'));
                }
                "no-store" => no_store = true,
                // With an argument, it applies to these headers only (RFC 9111, section 5.2.2.4).
                "no-cache" if argument.is_empty() => no_cache = true,
                _ => {}
            }
        }
    }
    let lifetime = match max_age {
        _ if no_cache || (no_store && max_age.is_none()) => Some(Duration::ZERO),
        Some(max_age) => Some(max_age),
        None => expires(headers, now),
    };
    let age = text(headers, &AGE).and_then(|age| seconds(age.trim())).unwrap_or_default();
    Freshness { fresh_for: lifetime.map(|lifetime| lifetime.saturating_sub(age).min(MAX_FRESHNESS)), no_store }
}

/// Returns the time until `Expires`. An invalid date, such as 0, means already expired (RFC 9111, section 5.3).
fn expires(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let expires = text(headers, &EXPIRES)?;
    let Some(expires) = date(&expires) else { return Some(Duration::ZERO) };
    Some((expires - server_time(headers, now)).to_std().unwrap_or_default())
}

/// Returns Retry-After, given in seconds or as a date, limited to a week; zero for a date in the past and `None`
/// if malformed. Dates are compared with the server's clock, which may differ from ours.
pub(crate) fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let value = text(headers, &RETRY_AFTER)?;
    let wait = match delay(&value) {
        Some(wait) => wait,
        None => {
            let at = date(&value).or_else(|| DateTime::parse_from_rfc3339(value.trim()).ok().map(Into::into))?;
            (at - server_time(headers, now)).to_std().unwrap_or_default()
        }
    };
    Some(wait.min(MAX_WAIT))
}

/// Parses a number of seconds. Some servers write a fraction, which is rounded up, a unit, or the header twice in one line.
fn delay(value: &str) -> Option<Duration> {
    let first = value.split(',').next()?.trim();
    let number = first.strip_suffix('s').unwrap_or(first);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let has_fraction = !seconds(fraction).unwrap_or_default().is_zero();
    let is_number = fraction.is_empty() || seconds(fraction).is_some();
    seconds(whole).filter(|_| is_number).map(|wait| wait + Duration::from_secs(has_fraction.into()))
}

/// Returns how many requests the server still allows, in Inoreader's form; `None` if it does not say.
pub(crate) fn quota(headers: &HeaderMap) -> Option<Quota> {
    let value = |name| text(headers, &HeaderName::from_static(name));
    let number = |name| value(name)?.trim().parse::<u32>().ok();
    let left = |limit, usage| Some(number(limit)?.saturating_sub(number(usage)?));
    let reset_after = value("x-reader-limits-reset-after")?;
    let reset_after = reset_after.trim().parse::<f64>().ok().filter(|seconds| *seconds >= 0.0)?;
    Some(Quota {
        reads: left("x-reader-zone1-limit", "x-reader-zone1-usage")?,
        changes: left("x-reader-zone2-limit", "x-reader-zone2-usage")?,
        reset_after: Duration::from_secs_f64(reset_after.min(MAX_WAIT.as_secs_f64())),
    })
}

fn server_time(headers: &HeaderMap, now: DateTime<Utc>) -> DateTime<Utc> {
    text(headers, &DATE).and_then(|value| date(&value)).unwrap_or(now)
}

/// Parses a number of seconds, digits only. Numbers that overflow are clamped.
fn seconds(value: &str) -> Option<Duration> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Duration::from_secs(value.parse().unwrap_or(u64::from(u32::MAX)).min(u64::from(u32::MAX))))
}

pub(crate) fn date(value: &str) -> Option<DateTime<Utc>> {
    let value = value.trim();
    match httpdate::parse_http_date(value) {
        Ok(date) => Some(date.into()),
        // Some servers write `+0000` or one-digit days, which RFC 9110 does not allow.
        Err(_) => DateTime::parse_from_rfc2822(value).ok().map(Into::into),
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use reqwest::header::HeaderValue;

    const NOW: &str = "Sat, 01 Nov 2025 12:00:00 GMT";

    fn now() -> DateTime<Utc> {
        date(NOW).unwrap()
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs =
            pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()));
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, value);
        }
        headers
    }

    fn fresh(pairs: &[(&'static str, &str)]) -> Option<u64> {
        freshness(&headers(pairs), now()).fresh_for.map(|fresh| fresh.as_secs())
    }

    fn wait(value: &str) -> Option<u64> {
        retry_after(&headers(&[("retry-after", value)]), now()).map(|wait| wait.as_secs())
    }

    #[test]
    fn p21_max_age_overrides_expires_and_age_is_subtracted() {
        assert_eq!(fresh(&[]), None);
        assert_eq!(fresh(&[("cache-control", "public, Max-Age=3600")]), Some(3600));
        assert_eq!(fresh(&[("cache-control", "max-age=\"60\"")]), Some(60));
        assert_eq!(fresh(&[("cache-control", "max-age=3600"), ("age", "600")]), Some(3000));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("age", "600")]), Some(0));
        assert_eq!(fresh(&[("cache-control", "max-age=60"), ("expires", "Sat, 01 Nov 2025 13:00:00 GMT")]), Some(60));
        assert_eq!(fresh(&[("expires", "Sat, 01 Nov 2025 13:00:00 GMT")]), Some(3600));
        assert_eq!(
            fresh(&[("expires", "Sat, 01 Nov 2025 13:00:00 GMT"), ("date", "Sat, 01 Nov 2025 12:30:00 GMT")]),
            Some(1800)
        );
        assert_eq!(fresh(&[("cache-control", "public"), ("cache-control", "max-age=5")]), Some(5));
        for spelling in [
            "private; max-age=60",
            "private max-age=60",
            "max-age=60; public",
            "max-age = 60",
            "no-cache=\"a, b\", max-age=60",
        ] {
            assert_eq!(fresh(&[("cache-control", spelling)]), Some(60), "{spelling}");
        }
    }

    #[test]
    fn p21_ignores_s_maxage_and_malformed_max_age() {
        assert_eq!(fresh(&[("cache-control", "s-maxage=600")]), None);
        assert_eq!(fresh(&[("cache-control", "max-age=soon")]), None);
        assert_eq!(fresh(&[("cache-control", "max-age=-60")]), None);
        assert_eq!(fresh(&[("expires", "0")]), Some(0));
        assert_eq!(fresh(&[("expires", "Sat, 01 Nov 2025 11:00:00 GMT")]), Some(0));
    }

    #[test]
    fn p22_clamps_absurd_values() {
        let month = Some(30 * 24 * 3600);
        assert_eq!(fresh(&[("cache-control", "max-age=315360000")]), month);
        assert_eq!(fresh(&[("cache-control", "max-age=99999999999999999999999999")]), month);
        assert_eq!(fresh(&[("expires", "Fri, 31 Dec 9999 23:59:59 GMT")]), month);
        assert_eq!(fresh(&[("cache-control", "no-cache, max-age=60")]), Some(0));
        let none = freshness(&headers(&[("cache-control", "no-store")]), now());
        assert!(none.no_store);
    }

    #[test]
    fn p30_parses_every_form_of_retry_after() {
        assert_eq!(wait("120"), Some(120));
        assert_eq!(wait(" 120 "), Some(120));
        assert_eq!(wait("0"), Some(0));
        assert_eq!(wait("Sat, 01 Nov 2025 14:00:00 GMT"), Some(7200));
        assert_eq!(wait("Saturday, 01-Nov-25 14:00:00 GMT"), Some(7200));
        assert_eq!(wait("Sat Nov  1 14:00:00 2025"), Some(7200));
        assert_eq!(wait("Sat, 01 Nov 2025 10:00:00 GMT"), Some(0));
        assert_eq!(wait("-5"), None);
        assert_eq!(wait("later"), None);
        assert_eq!(wait(""), None);
        assert_eq!(wait("1.5"), Some(2));
        assert_eq!(wait("7200.0"), Some(7200));
        assert_eq!(wait("7200s"), Some(7200));
        assert_eq!(wait("7200, 7200"), Some(7200));
        assert_eq!(wait("2025-11-01T15:00:00+01:00"), Some(7200));
        for malformed in ["1.x", ".5", "2 hours", "s", "7200 x", "1.5.0", "-1.5"] {
            assert_eq!(wait(malformed), None, "{malformed}");
        }
        let week = Some(7 * 24 * 3600);
        assert_eq!(wait("315360000"), week);
        assert_eq!(wait("99999999999999999999999999"), week);
        assert_eq!(wait("Mon, 01 Nov 2035 10:00:00 GMT").or(week), week);
    }

    #[test]
    fn p30_compares_dates_with_the_servers_clock() {
        let headers =
            headers(&[("date", "Sat, 01 Nov 2025 13:50:00 GMT"), ("retry-after", "Sat, 01 Nov 2025 14:00:00 GMT")]);
        assert_eq!(retry_after(&headers, now()), Some(Duration::from_secs(600)));
    }

    #[test]
    fn reads_the_zones_of_inoreader() {
        let zones = |usage, reset| {
            quota(&headers(&[
                ("x-reader-zone1-limit", "100"),
                ("x-reader-zone1-usage", usage),
                ("x-reader-zone2-limit", "100"),
                ("x-reader-zone2-usage", "3"),
                ("x-reader-limits-reset-after", reset),
            ]))
        };
        let reset_after = Duration::from_secs_f64(77396.5);
        assert_eq!(zones("40", "77396.5"), Some(Quota { reads: 60, changes: 97, reset_after }));
        assert_eq!(zones("120", "77396.5").map(|quota| quota.reads), Some(0));
        assert_eq!(zones("0", "1e300").map(|quota| quota.reset_after), Some(MAX_WAIT));
        for (usage, reset) in [("-1", "1"), ("x", "1"), ("1", "-1"), ("1", "NaN"), ("1", "")] {
            assert_eq!(zones(usage, reset), None);
        }
        assert_eq!(quota(&headers(&[])), None);
    }
}
