//! Text that came from files, made harmless for where it goes.

/// For a terminal: without what would play with it.
pub fn terminal(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// For a cell of a Markdown table: as it is, whatever stands in it.
pub fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in terminal(text).chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '&' | '~' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_plays_with_the_reader_is_escaped() {
        assert_eq!(terminal("a\u{1b}[31m\nb"), "a\\u{1b}[31m\\nb");
        assert_eq!(markdown("a|b <script> *x*"), "a\\|b \\<script\\> \\*x\\*");
    }
}
