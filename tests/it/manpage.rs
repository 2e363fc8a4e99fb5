//! docs/mdtest-rs.1 is what the declaration of the options makes it.
//!
//! After a change of the options: `MDTEST_RS_BLESS=1 cargo test --test it manpage`.

use clap_mangen::roff::{bold, italic, roman, Inline, Roff};
use clap_mangen::Man;
use mdtest_rs::cli::options::command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mdtest-rs.1");

/// Headings of the paragraphs that stand below the options in the help text, by their first words.
const HEADINGS: [(&str, &str); 3] =
    [("Exit codes:", "EXIT STATUS"), ("Flags take", "VALUES"), ("Example:", "EXAMPLE")];

fn page() -> String {
    let after = command().get_after_help().map(ToString::to_string).unwrap_or_default();
    // The second line of the version names the MPI library of this machine.
    let man = Man::new(command().long_version(None::<&str>)).manual("User Commands").date(" "); // none at all would shift the rest
    let mut text = Vec::new();
    man.render_title(&mut text).unwrap();
    man.render_name_section(&mut text).unwrap();
    let synopsis =
        [bold("mpirun"), roman(" -np "), italic("TASKS"), roman(" "), bold("mdtest-rs"), roman(" [")];
    section(&mut text, "SYNOPSIS", synopsis.into_iter().chain([italic("OPTION"), roman("]...")]));
    man.render_description_section(&mut text).unwrap();
    man.render_options_section(&mut text).unwrap();
    for paragraph in after.split("\n\n") {
        let heading = HEADINGS.iter().find(|(start, _)| paragraph.starts_with(start));
        let (start, heading) = heading.unwrap_or_else(|| panic!("no heading for {paragraph:?}"));
        let body = paragraph.strip_prefix(start).filter(|_| start.ends_with(':')).unwrap_or(paragraph);
        section(&mut text, heading, [roman(body.trim())]);
    }
    section(&mut text, "SEE ALSO", [bold("mpirun"), roman("(1), "), bold("srun"), roman("(1)")]);
    once(&String::from_utf8(text).unwrap())
}

fn section(text: &mut Vec<u8>, heading: &str, body: impl IntoIterator<Item = Inline>) {
    let body: Vec<Inline> = body.into_iter().collect();
    Roff::new().control("SH", [heading]).text(body).to_writer(text).unwrap();
}

/// Each part begins with the same two lines of set-up: the first time is enough.
fn once(text: &str) -> String {
    let set_up: Vec<&str> = text.lines().take(2).collect();
    let rest = text.lines().filter(|line| !set_up.contains(line));
    set_up.iter().copied().chain(rest).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_page_is_that_of_the_declaration() {
    let page = page();
    if std::env::var("MDTEST_RS_BLESS").is_ok_and(|bless| bless == "1") {
        std::fs::write(PAGE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(PAGE).unwrap();
    assert!(page == kept, "docs/mdtest-rs.1 is out of date: MDTEST_RS_BLESS=1 cargo test --test it manpage");
}
