//! Lines of a log without what terminals, launchers and mail put round them.

/// The line that mdtest printed: without the ends of lines of other systems, escapes, control characters, what launchers
/// put before each line, and blanks on both sides.
pub fn clean(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    // What was drawn over by a return to the start of the line is gone.
    let shown = text.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
    let plain = without_escapes(shown);
    let mut line = plain.trim();
    // Launchers can be stacked, each with its own prefix; more than a few are none.
    for _ in 0..4 {
        match without_prefix(line) {
            Some(rest) => line = rest.trim(),
            None => break,
        }
    }
    line.to_string()
}

/// Without escape sequences and control characters; tabs become blanks.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => match chars.peek() {
                Some('[') => drop(chars.by_ref().skip(1).find(|c| ('\x40'..='\x7e').contains(c))),
                Some(']') => drop(chars.find(|c| *c == '\x07' || *c == '\\')),
                _ => {}
            },
            '\t' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// The rest behind one prefix of a launcher, a logger or a mail.
fn without_prefix(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("> ") {
        return Some(rest);
    }
    tagged(line).or_else(|| bracketed(line)).or_else(|| ranked(line)).or_else(|| dated(line))
}

/// Open MPI: `[1,0]<stdout>:`, with `--timestamp-output` a date before it.
fn tagged(line: &str) -> Option<&str> {
    let (before, rest) = ["<stdout>", "<stderr>"].iter().find_map(|tag| line.split_once(tag))?;
    let tag = before.trim_end();
    (tag.len() < 128 && (tag.ends_with(']') || is_date(tag)))
        .then(|| rest.trim_start().strip_prefix(':').unwrap_or(rest))
}

/// MPICH's `[0] `, loggers' `[2026-11-30 21:54:05] `: nothing but a rank or a date in brackets.
fn bracketed(line: &str) -> Option<&str> {
    let (inner, rest) = line.strip_prefix('[')?.split_once(']')?;
    let fits = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || "-:./,+TZ ".contains(c));
    fits.then_some(rest)
}

/// Slurm's `srun --label`: `0: `.
fn ranked(line: &str) -> Option<&str> {
    let (rank, rest) = line.split_once(':')?;
    let fits = (1..=7).contains(&rank.len()) && rank.bytes().all(|b| b.is_ascii_digit());
    (fits && (rest.is_empty() || rest.starts_with(' '))).then_some(rest)
}

/// Loggers' `2026-11-30T21:54:05.123Z ` or `2026-11-30 21:54:05 `.
fn dated(line: &str) -> Option<&str> {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    if is_day(first.get(..10)?) {
        match first.get(10..).unwrap_or_default().strip_prefix('T') {
            Some(_) => return Some(rest),
            None if first.len() == 10 => {
                let (time, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                return is_time(time).then_some(rest);
            }
            None => {}
        }
    }
    None
}

/// `2026-11-30`.
fn is_day(text: &str) -> bool {
    text.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() })
}

/// `21:54:05`, perhaps with more behind it.
fn is_time(text: &str) -> bool {
    text.len() >= 8
        && text.bytes().take(8).enumerate().all(|(i, b)| match i {
            2 | 5 => b == b':',
            _ => b.is_ascii_digit(),
        })
}

/// What `--timestamp-output` alone puts before the stream's name: `Mon Nov 30 21:54:05 2026`.
fn is_date(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.len() == 5 && is_time(words[3]) && words[4].bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_launchers_and_terminals_add_goes() {
        for raw in [
            "-- started at x --",
            "   -- started at x --  \r",
            "[1,0]<stdout>:-- started at x --",
            "[1,0]<stdout>: -- started at x --",
            "[prterun-n1-42@1,0]<stdout>: -- started at x --",
            "Mon Nov 30 21:54:05 2026[1,0]<stdout>:-- started at x --",
            "Mon Nov  3 21:54:05 2026<stdout>:-- started at x --",
            "[0] -- started at x --",
            "0: -- started at x --",
            " 12: -- started at x --",
            "2026-11-30T21:54:05.123456Z -- started at x --",
            "2026-11-30 21:54:05,123 -- started at x --",
            "[2026-11-30 21:54:05] 0: -- started at x --",
            "> -- started at x --",
            "\u{1b}[1;32m-- started\u{1b}[0m at x --\0",
            "\u{1b}]0;title\u{7}-- started at x --",
            "12 % done\r-- started at x --\r",
        ] {
            assert_eq!(clean(raw.as_bytes()), "-- started at x --", "{raw:?}");
        }
    }

    #[test]
    fn what_mdtest_printed_stays() {
        for line in [
            "2 tasks, 20 files",
            "12/07/2026 11:32:18: Process 0: FAILED in x",
            "[node1:123] a message of MPI",
            "Command line used: mdtest '-d' '/a<stdout>:b'",
            "2026-11-30",
            "V-1: Rank   0 Line  2139 V-1: main:",
        ] {
            assert_eq!(clean(line.as_bytes()), line);
        }
        assert_eq!(clean(b"a\xff\xfeb"), "a\u{fffd}\u{fffd}b");
    }
}
