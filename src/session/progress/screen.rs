//! The bar on a terminal that may be behind a launcher: what indicatif draws, written to standard error in one piece.

use super::text::View;
use crate::session::console;
use crate::session::terminal::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The bar is no wider, however wide the terminal.
const COLUMNS_AT_MOST: u16 = 79;
/// Nor does it become narrower.
const COLUMNS_AT_LEAST: u16 = 40;

/// Draws a bar, and makes it anew where it was taken away.
pub struct Bars {
    terminal: Arc<Terminal>,
    style: ProgressStyle,
}

impl Bars {
    /// Bars on `terminal`.
    pub fn on(terminal: Terminal) -> Self {
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
        Bars { terminal: Arc::new(terminal), style }
    }

    /// Draws `view`.
    pub fn draw(&self, view: &View) {
        console::draw(|bar| {
            let bar = bar.get_or_insert_with(|| {
                let screen = Screen { terminal: self.terminal.clone(), frame: Mutex::default() };
                let target = ProgressDrawTarget::term_like(Box::new(screen));
                ProgressBar::with_draw_target(None, target).with_style(self.style.clone())
            });
            draw(bar, view, columns(&self.terminal));
        });
    }
}

/// The columns used. The last one stays free: what stands there makes some terminals go to the next line.
fn columns(terminal: &Terminal) -> u16 {
    terminal.columns().saturating_sub(1).clamp(COLUMNS_AT_LEAST, COLUMNS_AT_MOST)
}

fn draw(bar: &ProgressBar, view: &View, columns: u16) {
    let (before, behind) = view.around_bar(usize::from(columns));
    // These do not draw, what comes behind them does.
    let bar = bar.clone().with_prefix(before).with_message(behind).with_position(view.done);
    bar.update(|state| state.set_len(view.items));
}

/// Standard error as a terminal of one line.
#[derive(Debug)]
struct Screen {
    terminal: Arc<Terminal>,
    frame: Mutex<String>,
}

impl Screen {
    fn add(&self, text: &str) -> io::Result<()> {
        self.frame.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
        Ok(())
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        columns(&self.terminal)
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(()) // there is one line
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add("\r\x1b[2K")
    }

    /// The cursor goes back to the start of the line, so that what others print, such as a launcher or the last words
    /// of a task, begins there. A terminal that has gone away ends nothing.
    fn flush(&self) -> io::Result<()> {
        let frame = std::mem::take(&mut *self.frame.lock().unwrap_or_else(PoisonError::into_inner));
        let _ = io::stderr().write_all(format!("{frame}\r").as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::tests::view;
    use super::*;
    use indicatif::InMemoryTerm;

    #[test]
    fn a_bar_of_one_line() {
        let term = InMemoryTerm::new(5, 79);
        let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
        let bars = Bars::on(Terminal::assumed());
        let bar = ProgressBar::with_draw_target(None, target).with_style(bars.style.clone());
        draw(&bar, &view(), 79);
        let line = "file-create  2/3 [====>      ]  41 %  ~123,456 of 300,000  ~29.1 k/s  0:12 left";
        assert_eq!(term.contents(), line);
        draw(&bar, &View { done: 300_000, ..view() }, 79);
        assert!(term.contents().contains("[===========] 100 %"), "{}", term.contents());
        bar.finish_and_clear();
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn columns_leave_the_last_one_free() {
        assert!((40..=79).contains(&columns(&Terminal::assumed())));
    }
}
