//! The tables of a record that was read back, as mdtest 4.1 prints them; what is not known is a dash.

use crate::archive::{PhaseSummary, Summary, TaskCount};
use crate::report::text::Table;
use std::fmt::Write;

/// The tables of which something is known: rates, seconds.
pub fn tables(result: &TaskCount) -> String {
    [Table::Rates, Table::Times].map(|which| table(result, which)).concat()
}

/// One table, with the columns of single tasks where they are known; empty where none of its numbers is.
pub fn table(result: &TaskCount, which: Table) -> String {
    let values = |s: &PhaseSummary| match which {
        Table::Rates => (s.rate_per_s.clone(), s.task_rate_per_s.clone()),
        Table::Times => (s.seconds.clone(), s.task_seconds.clone()),
    };
    let rows: Vec<_> = result.statistics.iter().map(|s| (s.phase, values(s))).collect();
    if rows.iter().all(|(_, (of_iterations, of_tasks))| of_iterations.is_none() && of_tasks.is_none()) {
        return String::new();
    }
    let with_tasks = rows.iter().any(|(_, (_, of_tasks))| of_tasks.is_some());
    let iterations = result.iterations_in_all();
    let mut out = heading(which, with_tasks, iterations);
    for (phase, (of_iterations, of_tasks)) in rows {
        let narrow = with_tasks && phase.kind().is_some();
        let _ = if narrow {
            write!(out, "   {:<18}", phase.label())
        } else {
            write!(out, "   {:<22}", phase.label())
        };
        if with_tasks {
            let s = of_tasks.unwrap_or_default();
            out += &cells(&[s.max, s.min, s.mean]);
            out += if narrow { "        " } else { "    " };
        }
        let s = of_iterations.unwrap_or_default();
        out += &(cells(&[s.max, s.min, s.mean, deviation(&s, iterations)]) + "\n");
    }
    out
}

fn heading(which: Table, with_tasks: bool, iterations: Option<u64>) -> String {
    let title = match which {
        Table::Rates => "SUMMARY rate (in ops/sec):",
        Table::Times => "SUMMARY time (in sec):",
    };
    let of = iterations.map_or("(of - iterations)".to_string(), |n| format!("(of {n} iterations)"));
    let columns = if with_tasks {
        "   Operation     per Rank: Max            Min           Mean      per Iteration: Max            Min           Mean        Std Dev\n   \
         ---------               ---            ---           ----                      ---            ---           ----        -------\n"
    } else {
        "   Operation                     Max            Min           Mean        Std Dev\n   \
         ---------                     ---            ---           ----        -------\n"
    };
    format!("\n{title} {of}\n{columns}")
}

/// mdtest prints zero where one iteration has no deviation.
fn deviation(s: &Summary, iterations: Option<u64>) -> Option<f64> {
    s.std_dev.or((iterations == Some(1) && s.mean.is_some()).then_some(0.0))
}

fn cells(values: &[Option<f64>]) -> String {
    values.iter().map(|value| value.map_or(format!(" {:>14}", "-"), |v| format!(" {v:14.3}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::phase::Phase;

    #[test]
    fn what_is_not_known_is_a_dash_and_a_table_without_numbers_is_none() {
        let rate = Summary { mean: Some(1234.5), ..Summary::default() };
        let of_tasks = Summary { max: Some(2.0), ..Summary::default() };
        let statistics = vec![
            PhaseSummary { rate_per_s: Some(rate), ..PhaseSummary::unknown(Phase::FileStat) },
            PhaseSummary { task_rate_per_s: Some(of_tasks), ..PhaseSummary::unknown(Phase::TreeCreate) },
        ];
        let result = TaskCount { statistics, ..TaskCount::default() };
        let text = tables(&result);
        assert_eq!(text, table(&result, Table::Rates));
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["SUMMARY", "rate", "(in", "ops/sec):", "(of", "-", "iterations)"]);
        assert_eq!(rows[4], ["File", "stat", "-", "-", "-", "-", "-", "1234.500", "-"]);
        assert_eq!(rows[5], ["Tree", "creation", "2.000", "-", "-", "-", "-", "-", "-"]);
        assert_eq!(tables(&TaskCount::default()), "");
    }
}
