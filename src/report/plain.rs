//! Text that came from a file, made safe to show, and numbers as tables have them.

/// `text` without what plays with a terminal or turns the direction of writing: such characters are spelled out.
pub fn plain(text: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let outside_xml = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    let spelled = |c: char| c.is_control() || turns(c) || outside_xml(c);
    text.chars().map(|c| if spelled(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// `text`, made plain, as text that means nothing to Markdown.
pub fn literal(text: &str) -> String {
    let means = |c: char| "\\`*[]<>|".contains(c);
    plain(text).chars().flat_map(|c| means(c).then_some('\\').into_iter().chain([c])).collect()
}

/// The first `most` characters of `text`, made plain, with an ellipsis where there are more.
pub fn shortened(text: &str, most: usize) -> String {
    let whole = plain(text);
    if whole.chars().count() <= most {
        whole
    } else {
        whole.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }
}

/// Words as one would type them into a shell.
pub fn typed(words: &[String]) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    let quoted = |word: &String| match word {
        word if !word.is_empty() && word.chars().all(safe) => word.clone(),
        word => format!("'{}'", plain(word).replace('\'', r"'\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A count with commas: `62,400`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun: `1 task`, `62,400 tasks`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A rate or another value to about five digits: `29,140`, `812.4`, `7.125`.
pub fn value(value: f64) -> String {
    match value.abs() {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1000 and 1e15
        v if (999.95..1e15).contains(&v) => {
            format!("{}{}", if value < 0.0 { "-" } else { "" }, count(v.round() as u64))
        }
        v if v >= 1e15 => format!("{value:.4e}"),
        v if v >= 99.995 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

/// Bytes with a binary unit: `24.0 GiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return counted(n, "byte");
    }
    let mut size = n as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1023.95 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_plays_with_a_terminal_is_spelled_out() {
        assert_eq!(plain("a\u{1b}[31m\tb\u{202e}c é"), r"a\u{1b}[31m\tb\u{202e}c é");
        assert_eq!(shortened("node00001.cluster", 9), "node0000…");
    }

    #[test]
    fn words_are_quoted_where_a_shell_wants_it() {
        let words = ["mdtest-rs", "-d", "/a b", "it's", ""].map(String::from);
        assert_eq!(typed(&words), r"mdtest-rs -d '/a b' 'it'\''s' ''");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 62_400, 1_234_567].map(count),
            ["0", "999", "1,000", "62,400", "1,234,567"]
        );
        assert_eq!(
            [0.0, 7.1254, 99.999, 812.44, 999.96, 29_140.4, 1e18].map(value),
            ["0.000", "7.125", "100.0", "812.4", "1,000", "29,140", "1.0000e18"]
        );
        assert_eq!(
            [1, 1023, 1024, 25_276_194_816].map(bytes),
            ["1 byte", "1,023 bytes", "1.0 KiB", "23.5 GiB"]
        );
    }
}
