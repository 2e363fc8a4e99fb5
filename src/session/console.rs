//! The two streams of rank 0. A reader that has gone away ends no benchmark, so failed writes are let go.

use std::io::Write;

/// mdtest's text: standard output, at once.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Everything else: a line on standard error, without what would play with a terminal.
pub fn say(line: &str) {
    let plain: String = line
        .chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect();
    let _ = writeln!(std::io::stderr(), "mdtest-rs: {plain}");
}
