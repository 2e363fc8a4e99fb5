//! docs/mdtest-rs.1 and the pages of the commands are what the declaration of the options makes them.
//!
//! After a change of the options: `MDTEST_RS_BLESS=1 cargo test --test it manpage`.

use crate::harness::{names, Place, BINARY};
use mdtest_rs::report::manual;
use std::path::Path;
use std::process::Command;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

#[test]
fn the_pages_are_those_of_the_declaration() {
    for page in manual::pages().unwrap() {
        let path = Path::new(DOCS).join(&page.name);
        if std::env::var("MDTEST_RS_BLESS").is_ok_and(|bless| bless == "1") {
            std::fs::write(&path, &page.text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            page.text == kept,
            "docs/{} is out of date: MDTEST_RS_BLESS=1 cargo test --test it manpage",
            page.name
        );
    }
}

#[test]
fn every_paragraph_below_the_options_has_a_heading_of_its_own() {
    let main = &manual::pages().unwrap()[0].text;
    assert!([".SH \"EXIT STATUS\"", ".SH VALUES", ".SH EXAMPLE", ".SH COMMANDS"]
        .iter()
        .all(|h| main.contains(h)));
    assert!(!main.contains(".SH NOTES"));
}

#[test]
fn setup_installs_what_shells_and_man_look_for() {
    let place = Place::new();
    for _ in 0..2 {
        let ran = place.run_alone("setup --prefix {W}/p").expect(0);
        assert_eq!(ran.stdout.lines().count(), manual::pages().unwrap().len() + 3, "{}", ran.stdout);
        assert!(ran.stdout.lines().all(|path| Path::new(path).is_file()));
        assert!(ran.says(&["fpath=(", "/p/share/zsh/site-functions"]), "{}", ran.stderr);
    }
    let installed = names(&place.folder().join("p/share"));
    for name in [
        "bash-completion/completions/mdtest-rs",
        "fish/vendor_completions.d/mdtest-rs.fish",
        "man/man1/mdtest-rs-sweep.1",
        "man/man1/mdtest-rs.1",
        "zsh/site-functions/_mdtest-rs",
    ] {
        assert!(installed.contains(&name.to_string()), "{name}: {installed:?}");
    }
}

#[test]
fn bash_completes_options_of_commands_and_of_runs() {
    let bash = manual::completions().into_iter().find(|piece| piece.folder.contains("bash")).unwrap();
    for (typed, known) in [
        ("mdtest-rs sweep --tasks", "--tasks-per-client"),
        ("mdtest-rs --warn", "--warningAsErrors"),
        ("mdtest-rs swe", "sweep"),
    ] {
        let words: Vec<&str> = typed.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let ask = format!(
            "{}\nCOMP_WORDS=({typed}); COMP_CWORD={}; _mdtest__rs mdtest-rs {last} {before}; echo \"${{COMPREPLY[*]}}\"",
            bash.text,
            words.len() - 1
        );
        let out = Command::new("bash").args(["-c", &ask]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), known, "{typed}");
    }
}

#[test]
fn setup_writes_through_no_link_and_needs_a_home() {
    let place = Place::new();
    let (folder, kept) = (place.folder().join("share/man/man1"), place.folder().join("kept"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&kept, "x").unwrap();
    std::os::unix::fs::symlink(&kept, folder.join("mdtest-rs.1")).unwrap();
    let ran = place.run_alone("setup --prefix {W}").expect(1);
    assert!(ran.only_error().contains("mdtest-rs.1 is a symbolic link"));
    assert_eq!(place.text("kept"), "x");
    let out = Command::new(BINARY).arg("setup").env_remove("HOME").output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("HOME is not set: --prefix"));
}
