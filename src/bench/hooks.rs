//! The commands before and after each phase: once a node, run by `sh -c` as they stand, nothing of ours pasted in.

use std::process::{Command, Stdio};

/// Runs `command`; what it prints goes to standard error, for standard output is mdtest's text.
///
/// # Errors
/// One line that names the option, the command and how it ended.
pub fn run(option: &str, command: &str) -> Result<(), String> {
    let ended = Command::new("sh")
        .arg("-c")
        .arg(command)
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()
        .map_err(|e| format!("{option}={command:?} cannot be run: {e}"))?;
    if ended.success() {
        Ok(())
    } else {
        Err(format!("{option}={command:?} failed: {ended}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named() {
        assert_eq!(run("--x", "true"), Ok(()));
        let said = run("--x", "exit 7").unwrap_err();
        assert!(said.contains("--x") && said.contains("exit 7") && said.contains('7'), "{said}");
    }
}
