//! Sizes, durations and counts: as people type them and as they read them.

use std::time::Duration;

const SIZES: [(char, u32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// Reads a size in bytes, such as `900M`, `4G` or `1.5GiB`; units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong =
        || format!("`{text}` is no size: write a number and K, M, G or T, for example 900M or 4G");
    let (digits, unit) = split_unit(text.trim());
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let unit = unit.to_ascii_uppercase();
    let letter = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
    let shift = match letter {
        "" if unit == "IB" => return Err(wrong()),
        "" => 0,
        letter => {
            let known = SIZES.iter().find(|(known, _)| letter == known.to_string());
            known.ok_or_else(wrong)?.1
        }
    };
    let size = number * (1u64 << shift) as f64;
    if size < 1.0 {
        return Err(format!("`{text}` is less than one byte"));
    }
    if size >= u64::MAX as f64 {
        return Err(format!("`{text}` is more than any machine has"));
    }
    Ok(size as u64)
}

/// Reads a duration such as `90s`, `20m`, `500ms` or `1h30m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let mut rest = text.trim();
    let wrong = || {
        format!(
            "`{text}` is no duration: write numbers with ms, s, m, h or d, for example 90s or 1h30m"
        )
    };
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let (digits, behind) = split_unit(rest);
        let number: f64 = digits.parse().map_err(|_| wrong())?;
        let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, next) = behind.split_at(end);
        seconds += number
            * match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                "" => {
                    return Err(format!(
                        "`{text}` lacks a unit: {digits}s, {digits}m or {digits}h"
                    ));
                }
                _ => return Err(wrong()),
            };
        rest = next;
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        Ok(_) => Err(format!("`{text}` is no time at all")),
        Err(_) => Err(format!("`{text}` is too long a time")),
    }
}

/// The number that a text begins with, and what follows it.
fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

/// A size as people read it: `512 B`, `3.1 MiB`, `4 GiB`.
pub fn bytes(size: u64) -> String {
    let (scaled, unit) = scale(size);
    format!("{} {}", decimal(scaled, unit > 0), UNITS[unit])
}

/// Two sizes in the unit of the second: `1.1/4.0 GiB`.
pub fn bytes_of(size: u64, whole: u64) -> String {
    let (scaled, unit) = scale(whole);
    let part = size as f64 / (1u64 << (10 * unit)) as f64;
    format!("{part:.1}/{scaled:.1} {}", UNITS[unit])
}

fn scale(size: u64) -> (f64, usize) {
    let mut scaled = size as f64;
    let mut unit = 0;
    // 1023.95 would be printed as 1024.0.
    while scaled >= 1023.95 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    (scaled, unit)
}

/// One digit after the point, unless that is zero.
fn decimal(number: f64, fraction: bool) -> String {
    if !fraction {
        return format!("{number:.0}");
    }
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A count in thousands, millions or milliards once it has five digits: `1.2M`, `31k`.
/// The gap stands before the letter.
pub fn rounded(count: u64, gap: &str) -> String {
    let (scaled, letter) = match count {
        0..10_000 => return count.to_string(),
        10_000..999_500 => (count as f64 / 1e3, "k"),
        999_500..999_500_000 => (count as f64 / 1e6, "M"),
        _ => (count as f64 / 1e9, "G"),
    };
    match scaled < 9.95 {
        true => format!("{scaled:.1}{gap}{letter}"),
        false => format!("{scaled:.0}{gap}{letter}"),
    }
}

/// A duration as people read it: `0.02 s`, `12.4 s`, `20 min`, `1 h 30 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 59.95 {
        return match seconds {
            short if short < 9.995 => format!("{} s", short_decimal(short)),
            long => format!("{} s", decimal(long, true)),
        };
    }
    let whole = seconds.round() as u64;
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect();
    parts.join(" ")
}

/// Two digits after the point, unless both are zero.
fn short_decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    text.strip_suffix(".00").filter(|_| number > 0.5).map_or(text.clone(), str::to_owned)
}

/// A number with its noun.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, size) in [
            ("1", 1),
            ("512", 512),
            ("900M", 900 << 20),
            ("4G", 4 << 30),
            ("4g", 4 << 30),
            ("1.5GiB", 3 << 29),
            ("2KB", 2048),
            ("7b", 7),
            ("1T", 1 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "M", "4X", "-1G", "0", "4 G B", "1e3", "ib", "1iB", "99999999999T", "1..2"]
        {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_read() {
        for (text, milliseconds) in [
            ("90s", 90_000),
            ("20m", 1_200_000),
            ("20min", 1_200_000),
            ("500ms", 500),
            ("1h30m", 5_400_000),
            ("0.5s", 500),
            ("2d", 172_800_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "90", "1h30", "5x", "-1s", "0s", "1e9d", "9999999999999999999d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_missing_unit_is_named() {
        assert_eq!(parse_duration("90").unwrap_err(), "`90` lacks a unit: 90s, 90m or 90h");
    }

    #[test]
    fn quantities_are_written() {
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(3_250_000), "3.1 MiB");
        assert_eq!(bytes(4 << 30), "4 GiB");
        assert_eq!(bytes((1 << 20) - 1), "1 MiB");
        assert_eq!(bytes_of(1_181_116_006, 4 << 30), "1.1/4.0 GiB");
        assert_eq!(rounded(9_999, ""), "9999");
        assert_eq!(rounded(31_000, ""), "31k");
        assert_eq!(rounded(1_200_000, " "), "1.2 M");
        assert_eq!(rounded(999_499, ""), "999k");
        assert_eq!(rounded(999_500, ""), "1.0M");
        assert_eq!(rounded(9_960_000, ""), "10M");
        assert_eq!(duration(Duration::from_millis(20)), "0.02 s");
        assert_eq!(duration(Duration::from_millis(12_400)), "12.4 s");
        assert_eq!(duration(Duration::from_secs(90)), "1 min 30 s");
        assert_eq!(duration(Duration::from_secs(1200)), "20 min");
        assert_eq!(duration(Duration::from_secs(5400)), "1 h 30 min");
        assert_eq!(duration(Duration::ZERO), "0.00 s");
    }
}
