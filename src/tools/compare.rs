//! `mdtest-rs compare`.

use crate::analysis::comparison::{compare, Incomparable, Terms};
use crate::analysis::condition::Condition;
use crate::cli::commands::compare::Compare;
use crate::error::{Error, DONE, NOT_ACCEPTED};
use crate::report::{comparison, junit};
use crate::tools::{deliver, load_all, wants_colours, Form};

/// Compares records; the exit code.
///
/// # Errors
/// A file that is no record, runs of different shape, an odd condition; a file that cannot be read or written.
pub fn run(asked: &Compare) -> Result<i32, Error> {
    let conditions = asked
        .fail_if
        .iter()
        .map(|text| Condition::parse(text).map_err(|e| Error::Refused(format!("--fail-if '{text}': {e}"))))
        .collect::<Result<Vec<_>, _>>()?;
    let form = Form::of(asked.format.as_deref(), asked.output.as_deref())?;
    let records = load_all(&asked.records)?;
    #[allow(clippy::cast_precision_loss)] // at most 10,000
    let terms = Terms { force: asked.force, same_within: asked.same_within as f64 / 10_000.0 };
    let comparisons = compare(&records.iter().collect::<Vec<_>>(), &terms).map_err(|e| refusal(&e))?;
    if comparisons.iter().all(|c| c.columns.len() < 2) {
        return Err(Error::Refused(format!(
            "RECORD: there is nothing to compare to {}: allowed are two records or more",
            asked.records.join(", ")
        )));
    }
    let tried: Vec<_> = conditions.iter().map(|condition| condition.try_on(&comparisons)).collect();
    let text = match form {
        Form::Table => comparison::text(&comparisons, &tried, wants_colours(asked.output.as_deref())),
        Form::Markdown => comparison::markdown(&comparisons, &tried),
        Form::Json => comparison::json(&comparisons, &tried),
        Form::Junit => junit::comparison(&comparisons, &tried),
    };
    deliver(asked.output.as_deref(), asked.overwrite, &text)?;
    Ok(if tried.iter().all(|t| t.met.is_empty()) { DONE } else { NOT_ACCEPTED })
}

fn refusal(e: &Incomparable) -> Error {
    let list: Vec<String> =
        e.differs.iter().map(|d| format!("{} ({} against {})", d.what, d.base, d.new)).collect();
    Error::Refused(format!(
        "{} and {} differ in {}: allowed are runs of one shape, or --force",
        e.base,
        e.new,
        list.join(", ")
    ))
}
