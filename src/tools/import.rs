//! `mdtest-rs import`.

use crate::archive::{load, Record};
use crate::cli::commands::import::Import;
use crate::error::{Error, DONE};
use crate::report::output::OutputFile;
use crate::report::plain::plain as printable;
use crate::session::console;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A record and where it is written.
struct Target {
    record: Record,
    path: PathBuf,
}

/// Does it; the exit code.
///
/// # Errors
/// What was refused, or what the surroundings denied. Nothing is written then, unless the file system gave up on the way.
pub fn run(asked: &Import) -> Result<i32, Error> {
    let folder = Path::new(&asked.folder);
    if folder.exists() && !folder.is_dir() {
        return Err(Error::Refused(format!("-o {} is no folder: allowed is a folder", asked.folder)));
    }
    let read: Vec<PathBuf> =
        asked.files.iter().filter_map(|file| Path::new(file).canonicalize().ok()).collect();
    let mut targets: Vec<Target> = Vec::new();
    let mut from: HashMap<PathBuf, &str> = HashMap::new();
    for file in &asked.files {
        for target in targets_of(file, folder)? {
            if let Some(other) = from.insert(target.path.clone(), file) {
                return Err(Error::Refused(format!(
                    "{other} and {file} would both become {}: allowed are files with different names",
                    target.path.display()
                )));
            }
            check(&target.path, &read, asked.overwrite)?;
            targets.push(target);
        }
    }
    std::fs::create_dir_all(folder)
        .map_err(|e| Error::Environment(format!("-o {} cannot be made: {e}", asked.folder)))?;
    let mut files = Vec::new();
    for target in &targets {
        files.push(OutputFile::new("-o", &target.path.to_string_lossy(), !asked.overwrite)?);
    }
    for (target, file) in targets.iter().zip(files) {
        file.write(&json(&target.record))?;
        console::print(&line(target));
    }
    Ok(DONE)
}

/// The record, as indented JSON with a final newline.
fn json(record: &Record) -> String {
    // A record is plain data with text keys: there is nothing in it that JSON cannot say.
    serde_json::to_string_pretty(record).unwrap_or_default() + "\n"
}

/// The records of `file`, each with a name of its own in `folder`.
fn targets_of(file: &str, folder: &Path) -> Result<Vec<Target>, Error> {
    let records = load::load(file)?;
    // What was imported just now comes from this very file.
    let fresh = |record: &Record| record.origin.as_ref().is_some_and(|origin| origin.file == file);
    if !records.iter().all(fresh) {
        return Err(Error::Refused(format!(
            "{file} is a record already: allowed are logs and CSV files of mdtest"
        )));
    }
    let stem =
        Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let several = records.len() > 1;
    let mut taken = HashSet::new();
    let mut targets = Vec::new();
    for (index, record) in records.into_iter().enumerate() {
        let origin = record.origin.clone().unwrap_or_default();
        let wanted = match (&origin.name, several) {
            (Some(name), _) => [Some(stem.as_str()), origin.workload.as_deref(), Some(name)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("-"),
            (None, true) => format!("{stem}-{}", index + 1),
            (None, false) => stem.clone(),
        };
        let name = free(&sanitized(&wanted), &taken);
        targets.push(Target { record, path: folder.join(format!("{name}.json")) });
        taken.insert(name);
    }
    Ok(targets)
}

/// A name that does no harm anywhere: letters, digits, dots, underscores and hyphens, no dot or hyphen in front.
fn sanitized(name: &str) -> String {
    const LONGEST: usize = 200; // file systems allow 255 bytes, and an ending follows
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let plain: String = name.chars().take(LONGEST).map(|c| if fits(c) { c } else { '-' }).collect();
    let plain = plain.trim_start_matches(['.', '-']);
    if plain.is_empty() {
        "record".to_string()
    } else {
        plain.to_string()
    }
}

/// The name, with a number behind it where it is taken.
fn free(name: &str, taken: &HashSet<String>) -> String {
    let numbered = (2..).map(|n: u64| format!("{name}-{n}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// Refuses to write over a file that is read, and over anything where that was not asked for.
fn check(target: &Path, read: &[PathBuf], overwrite: bool) -> Result<(), Error> {
    let shown = target.display();
    if target.canonicalize().is_ok_and(|own| read.contains(&own)) {
        return Err(Error::Refused(format!("-o {shown} is a file that is read: allowed is another folder")));
    }
    if !overwrite && target.symlink_metadata().is_ok() {
        return Err(Error::Refused(format!("-o {shown} exists: allowed is a free name, or --overwrite")));
    }
    Ok(())
}

/// What was written, in a line.
fn line(target: &Target) -> String {
    let record = &target.record;
    let origin = record.origin.clone().unwrap_or_default();
    let placement = record.placement.unwrap_or_default();
    let mut out = format!("{}: {}, line {}", target.path.display(), origin.format, origin.line);
    if let Some(program) = &origin.program {
        let _ = write!(out, ", {program}");
    }
    let tasks = match &record.results[..] {
        [one] => one.tasks.or(placement.tasks),
        _ => placement.tasks,
    };
    let many = |n: u64, what: &str| format!(", {n} {what}{}", if n == 1 { "" } else { "s" });
    out += &tasks.map_or(", tasks unknown".to_string(), |n| many(n, "task"));
    out += &placement.nodes.map(|n| many(n, "node")).unwrap_or_default();
    if record.results.len() > 1 {
        out += &(many(record.results.len() as u64, "number") + " of tasks");
    }
    let first = record.results.first();
    out += &first.and_then(|r| r.iterations_in_all()).map(|n| many(n, "iteration")).unwrap_or_default();
    out += &many(first.map_or(0, |r| r.phases().count() as u64), "phase");
    if record.finished.is_none() && origin.format.ends_with("text") {
        out += ", without its end";
    }
    printable(&out) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_no_harm() {
        for (name, expected) in [
            ("juicefs-metadata-engines-empty-Redis-Always", "juicefs-metadata-engines-empty-Redis-Always"),
            ("../../etc/passwd", "etc-passwd"),
            ("1 client x 4", "1-client-x-4"),
            ("-rf ~", "rf--"),
            ("\u{1b}[2Jä", "2J-"),
            (" .", "record"),
        ] {
            assert_eq!(sanitized(name), expected, "{name}");
        }
        assert!(sanitized(&"x".repeat(1000)).len() < 250);
        assert_eq!(free("a", &HashSet::from(["a", "a-2"].map(str::to_string))), "a-3");
    }
}
