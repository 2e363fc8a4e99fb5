//! Reading the values of options.

/// A count or size: a whole number with at most one suffix k, m, g, t or p (powers of 1024, either case).
///
/// # Errors
/// What is allowed, where `text` is something else or beyond a u64.
pub fn count(text: &str) -> Result<u64, String> {
    const ALLOWED: &str =
        "allowed is a whole number, 0 or more, with at most one of k, m, g, t or p behind it";
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_lowercase) {
        Some(b'k') => (&text[..text.len() - 1], 10),
        Some(b'm') => (&text[..text.len() - 1], 20),
        Some(b'g') => (&text[..text.len() - 1], 30),
        Some(b't') => (&text[..text.len() - 1], 40),
        Some(b'p') => (&text[..text.len() - 1], 50),
        _ => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ALLOWED.to_string());
    }
    digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(1 << shift))
        .ok_or_else(|| format!("allowed are numbers up to {}", u64::MAX))
}

/// A percentage above 0 and up to 100, with or without its sign and with at most two decimals: in hundredths of a percent.
///
/// # Errors
/// What is allowed, where `text` is something else.
pub fn percent(text: &str) -> Result<u64, String> {
    const ALLOWED: &str =
        "allowed is a percentage from 0.01% to 100%, with at most two decimals, such as 5% or 2.5%";
    let number = text.strip_suffix('%').unwrap_or(text);
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || whole.len() > 3 || decimals.len() > 2 {
        return Err(ALLOWED.to_string());
    }
    let hundredths = format!("{whole}{decimals:0<2}").parse().unwrap_or(0);
    if (1..=10_000).contains(&hundredths) {
        Ok(hundredths)
    } else {
        Err(ALLOWED.to_string())
    }
}

/// A list of different counts above 0, with commas between.
///
/// # Errors
/// What is allowed, where `text` is something else.
pub fn counts(text: &str) -> Result<Vec<u64>, String> {
    const ALLOWED: &str = "allowed are different whole numbers, 1 or more, with commas between";
    let mut list = Vec::new();
    for part in text.split(',') {
        let number = count(part.trim()).map_err(|_| ALLOWED.to_string())?;
        if number == 0 || list.contains(&number) {
            return Err(ALLOWED.to_string());
        }
        list.push(number);
    }
    Ok(list)
}

/// The value of a flag: 0 or 1.
///
/// # Errors
/// What is allowed, where `text` is something else.
pub fn flag(text: &str) -> Result<bool, String> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err("a flag takes nothing, or =0 or =1: allowed are 0 or 1".to_string()),
    }
}

/// The optional value of `-R`: empty where there is none.
///
/// # Errors
/// As [`count`].
pub fn optional_count(text: &str) -> Result<Option<u64>, String> {
    if text.is_empty() {
        Ok(None)
    } else {
        count(text).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn percentages_are_read_to_the_hundredth() {
        for (text, value) in [("5%", 500), ("5", 500), ("2.5%", 250), ("0.01", 1), ("100%", 10_000)] {
            assert_eq!(percent(text), Ok(value), "{text}");
        }
        for text in ["", "%", "0", "-1", "101", "1.234", "5 %", "nan", "1e3", ".5", "5."] {
            assert!(percent(text).unwrap_err().contains("2.5%"), "{text}");
        }
    }

    #[test]
    fn suffixes_are_powers_of_1024() {
        for (text, value) in [
            ("0", 0),
            ("5", 5),
            ("4k", 4096),
            ("1M", 1 << 20),
            ("2g", 2 << 30),
            ("1T", 1 << 40),
            ("1p", 1 << 50),
        ] {
            assert_eq!(count(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "k",
            "-5",
            "+5",
            "1.5k",
            "10x",
            "1kk",
            "1 k",
            "abc",
            "0x10",
            "٣",
            "1e3",
            "99999999999999999999",
            "99999999999p",
        ] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".*") {
            let _ = (count(&text), counts(&text), flag(&text), optional_count(&text));
        }
    }
}
