//! The man pages and the completions of shells, from the declaration of the options.

use crate::cli::options::command;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::roff::{bold, italic, roman, Inline, Roff};
use clap_mangen::Man;
use std::io::{Result, Write};

/// A text, and where it belongs below the prefix of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Such as `share/man/man1`.
    pub folder: &'static str,
    /// Such as `mdtest-rs.1`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Headings of the paragraphs that stand below the options in the help text, by their first words; others are notes.
const HEADINGS: [(&str, &str); 3] =
    [("Exit codes:", "EXIT STATUS"), ("Flags take", "VALUES"), ("Example:", "EXAMPLE")];

/// Where completions of each shell are looked for, and under what name.
const SHELLS: [(Shell, &str, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions", "mdtest-rs"),
    (Shell::Zsh, ZSH, "_mdtest-rs"),
    (Shell::Fish, "share/fish/vendor_completions.d", "mdtest-rs.fish"),
];

/// Where the completions of zsh are, below the prefix.
pub const ZSH: &str = "share/zsh/site-functions";

/// The man pages: of mdtest-rs, then of each of its commands.
///
/// # Errors
/// None that a text in memory could have.
pub fn pages() -> Result<Vec<Piece>> {
    let whole = command();
    let page = |name: &str, text| Piece { folder: "share/man/man1", name: format!("{name}.1"), text };
    let mut pages = vec![page("mdtest-rs", main_page()?)];
    for sub in whole.get_subcommands() {
        let name = format!("mdtest-rs-{}", sub.get_name());
        let text = sub_page(sub, &name)?;
        pages.push(page(&name, text));
    }
    Ok(pages)
}

/// The completions of all shells.
pub fn completions() -> Vec<Piece> {
    let of = |(shell, folder, name): (Shell, &'static str, &str)| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command(), "mdtest-rs", &mut text);
        // clap_complete 4.6 calls the command two names in bash where it has a hyphen: options of commands were not found.
        let text = String::from_utf8_lossy(&text).replace("mdtest__subcmd__rs", "mdtest__rs");
        Piece { folder, name: name.to_string(), text }
    };
    SHELLS.map(of).into()
}

fn main_page() -> Result<String> {
    // The second line of the version names the MPI library of this machine.
    let command = command().long_version(None::<&str>);
    let after = after_help(&command);
    let man = man(command.clone());
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    let synopsis =
        [bold("mpirun"), roman(" -np "), italic("TASKS"), roman(" "), bold("mdtest-rs"), roman(" [")];
    section(&mut text, "SYNOPSIS", synopsis.into_iter().chain([italic("OPTION"), roman("]...")]))?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    commands(&mut text, &command)?;
    paragraphs(&mut text, &after)?;
    section(&mut text, "SEE ALSO", [bold("mpirun"), roman("(1), "), bold("srun"), roman("(1)")])?;
    Ok(once(&String::from_utf8_lossy(&text)))
}

fn sub_page(sub: &Command, name: &str) -> Result<String> {
    let shown = format!("mdtest-rs {}", sub.get_name());
    let command = sub.clone().name(name.to_string()).bin_name(shown).version(env!("CARGO_PKG_VERSION"));
    // It has a help option of its own, and the version is only for the title.
    let command = command.disable_help_flag(true).disable_version_flag(true);
    let after = after_help(&command);
    let man = man(command);
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_options_section(&mut text)?;
    paragraphs(&mut text, &after)?;
    section(&mut text, "SEE ALSO", [bold("mdtest-rs"), roman("(1)")])?;
    Ok(once(&String::from_utf8_lossy(&text)))
}

fn man(command: Command) -> Man {
    Man::new(command).manual("User Commands").date(" ") // none at all would shift the rest
}

fn after_help(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

fn commands(text: &mut Vec<u8>, command: &Command) -> Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    for sub in command.get_subcommands() {
        roff.control("TP", []);
        roff.text([bold(format!("mdtest-rs-{}", sub.get_name())), roman("(1)")]);
        roff.text([roman(sub.get_about().map(ToString::to_string).unwrap_or_default())]);
    }
    roff.to_writer(text)
}

/// What stands below the options, each paragraph under its heading, notes together.
fn paragraphs(text: &mut Vec<u8>, after: &str) -> Result<()> {
    let mut noted = false;
    for paragraph in after.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        match HEADINGS.iter().find(|(start, _)| paragraph.starts_with(start)) {
            Some((start, heading)) => {
                let body =
                    paragraph.strip_prefix(start).filter(|_| start.ends_with(':')).unwrap_or(paragraph);
                section(text, heading, [roman(body.trim())])?;
            }
            None if noted => Roff::new().control("PP", []).text([roman(paragraph.trim())]).to_writer(text)?,
            None => {
                section(text, "NOTES", [roman(paragraph.trim())])?;
                noted = true;
            }
        }
    }
    Ok(())
}

fn section(text: &mut impl Write, heading: &str, body: impl IntoIterator<Item = Inline>) -> Result<()> {
    let body: Vec<Inline> = body.into_iter().collect();
    Roff::new().control("SH", [heading]).text(body).to_writer(text)
}

/// Each part begins with the same two lines of set-up: the first time is enough.
fn once(text: &str) -> String {
    let set_up: Vec<&str> = text.lines().take(2).collect();
    let rest = text.lines().filter(|line| !set_up.contains(line));
    set_up.iter().copied().chain(rest).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page_and_each_shell_its_completions() {
        let pages = pages().unwrap();
        assert_eq!(pages.len(), 1 + command().get_subcommands().count());
        for page in &pages[1..] {
            assert!(page.text.contains(".SH SYNOPSIS") && page.text.contains(".SH OPTIONS"), "{}", page.text);
            assert!(!page.text.contains("Print version"), "{}", page.text);
        }
        for piece in completions() {
            assert!(
                piece.text.contains("tasks-per-client") && piece.text.contains("warningAsErrors"),
                "{}",
                piece.name
            );
        }
    }
}
