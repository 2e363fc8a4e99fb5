//! `mdtest-rs check`.

use crate::analysis::criteria::Criteria;
use crate::analysis::judgement::judge;
use crate::cli::commands::check::Check;
use crate::error::{Error, DONE, NOT_ACCEPTED};
use crate::report::{judgement, junit};
use crate::tools::{deliver, load_all, wants_colours, Form};

/// Judges records; the exit code.
///
/// # Errors
/// A file that is no record, odd criteria; a file that cannot be read or written.
pub fn run(asked: &Check) -> Result<i32, Error> {
    let form = Form::of(asked.format.as_deref(), asked.output.as_deref())?;
    let path = &asked.criteria;
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::Environment(format!("--criteria {path} cannot be read: {e}")))?;
    let criteria = Criteria::parse(&text).map_err(|e| Error::Refused(format!("--criteria {path}: {e}")))?;
    let lines = judge(&load_all(&asked.records)?, &criteria);
    let text = match form {
        Form::Table => judgement::text(&lines, wants_colours(asked.output.as_deref())),
        Form::Markdown => judgement::markdown(&lines),
        Form::Json => judgement::json(&lines),
        Form::Junit => junit::judgement(&lines),
    };
    deliver(asked.output.as_deref(), asked.overwrite, &text)?;
    Ok(if lines.iter().all(|line| line.grade.accepted()) { DONE } else { NOT_ACCEPTED })
}
