//! `mdtest-rs setup`.

use crate::cli::commands::setup::Setup;
use crate::error::{self, Error};
use crate::report::manual::{self, Piece};
use crate::report::output::OutputFile;
use crate::session::console;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Prefixes whose completions zsh finds by itself.
const KNOWN_TO_ZSH: [&str; 2] = ["/usr", "/usr/local"];

/// Does it; the exit code.
///
/// # Errors
/// What was refused, or what the surroundings denied.
pub fn run(asked: &Setup) -> Result<i32, Error> {
    let prefix = prefix(asked.prefix.as_deref(), std::env::var_os("HOME"))?;
    let cannot = |e: std::io::Error| Error::Environment(format!("the man pages cannot be made: {e}"));
    let pieces = [manual::pages().map_err(cannot)?, manual::completions()].concat();
    for piece in &pieces {
        let path = install(&prefix, piece)?;
        console::print(&format!("{}\n", path.display()));
    }
    if !KNOWN_TO_ZSH.iter().any(|known| Path::new(known) == prefix) {
        console::say(&format!(
            "for zsh, a line in ~/.zshrc before compinit: fpath=('{}' $fpath)",
            prefix.join(manual::ZSH).display()
        ));
    }
    Ok(error::DONE)
}

/// The folder that was asked for, else the user's own.
fn prefix(asked: Option<&str>, home: Option<OsString>) -> Result<PathBuf, Error> {
    match (asked, home) {
        (Some(""), _) => Err(Error::Refused("--prefix '' is not allowed: allowed is a folder".to_string())),
        (Some(prefix), _) => std::path::absolute(prefix)
            .map_err(|e| Error::Environment(format!("--prefix {prefix} cannot be found: {e}"))),
        (None, Some(home)) if Path::new(&home).is_absolute() => Ok(Path::new(&home).join(".local")),
        (None, _) => Err(Error::Refused("HOME is not set: --prefix says where to install".to_string())),
    }
}

/// Writes a piece in place of an older one; where it is.
fn install(prefix: &Path, piece: &Piece) -> Result<PathBuf, Error> {
    let folder = prefix.join(piece.folder);
    std::fs::create_dir_all(&folder)
        .map_err(|e| Error::Environment(format!("--prefix: {} cannot be made: {e}", folder.display())))?;
    let path = folder.join(&piece.name);
    let text =
        path.to_str().ok_or_else(|| Error::Refused(format!("--prefix {} is no UTF-8", prefix.display())))?;
    OutputFile::new("--prefix", text, false)?.write(&piece.text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_the_users_own_where_none_is_told() {
        let home = |text: &str| Some(OsString::from(text));
        assert_eq!(prefix(None, home("/home/u")).unwrap(), Path::new("/home/u/.local"));
        assert_eq!(prefix(Some("/opt"), None).unwrap(), Path::new("/opt"));
        for (asked, home) in
            [(None, None), (None, home("")), (None, home("rel")), (Some(""), home("/home/u"))]
        {
            assert!(matches!(prefix(asked, home), Err(Error::Refused(_))));
        }
    }
}
